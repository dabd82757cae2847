"""Queries by name: a user's own inventory of constructions, in a file of TOML.

of-phrase = "NP < (PP=of < (IN < of))"

[relative]
query = "NP < (SBAR=clause < /^WH/)"
key = "head"
description = "relative clauses"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any, NamedTuple

from analyzer.exceptions import InputError, Place, QueryError
from analyzer.files.small_files import read_text
from analyzer.model.settings import Choice
from analyzer.queries.language import ROOT_NAME, Query, parse_query

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class KeyKind(Choice, what="key"):
    """What has to be the same of the named nodes of two matches: docs/queries.md."""

    SPAN = "span"
    HEAD = "head"


class NamedQuery(NamedTuple):
    """A query, what it is called, and what of its nodes is compared."""

    name: str
    query: Query
    key: KeyKind = KeyKind.SPAN
    description: str = ""

    @property
    def key_names(self) -> tuple[str, ...]:
        """The nodes that are compared: those that are named, else the first.

        >>> NamedQuery("", parse_query("NP < PP=of < SBAR=clause")).key_names
        ('of', 'clause')
        >>> NamedQuery("", parse_query("NP=phrase < PP=of")).key_names
        ('phrase', 'of')
        >>> NamedQuery("", parse_query("NP < PP")).key_names
        ('match',)
        """
        first, *others = self.query.names
        return self.query.names if first != ROOT_NAME or not others else tuple(others)

    @property
    def by_label(self) -> frozenset[str]:
        """Of these, the nodes whose whole label counts, with its function tags.

        >>> sorted(NamedQuery("", parse_query("@NP=all < PP=bare < __=any")).by_label)
        ['bare']
        """
        return frozenset(
            pattern.name or ROOT_NAME
            for pattern, _ in self.query.patterns()
            if pattern.name or pattern is self.query.pattern
            if (description := pattern.description)
            and not (description.is_basic or description.accepts_all)
        )


# By name; or a file of them.
Queries = Mapping[str, str | Query] | Sequence[NamedQuery] | PathLike[str]
_FIELDS = ("query", "key", "description")


def named_queries(
    given: str | Query | Queries, key: KeyKind | str = KeyKind.SPAN
) -> tuple[NamedQuery, ...]:
    """One query, called as it is written, or several; `key` is of those without one.

    >>> [query.name for query in named_queries("NP < PP")]
    ['NP < PP']
    """
    kind = KeyKind(key)
    if isinstance(given, str | Query):
        given = {str(given): given}
    if isinstance(given, Mapping):
        both = given.items()
        return tuple(
            NamedQuery(
                name, parse_query(query) if isinstance(query, str) else query, kind
            )
            for name, query in both
        )
    if isinstance(given, PathLike):
        return load_queries(given, kind)
    return tuple(given)


def load_queries(
    path: str | PathLike[str], key: KeyKind | str = KeyKind.SPAN
) -> tuple[NamedQuery, ...]:
    """The queries of a file of TOML, in its order; `key` is of those without one."""
    source = fspath(path)
    return read_queries(read_text(source), source, KeyKind(key))


def read_queries(
    text: str, source: str = "<text>", key: KeyKind = KeyKind.SPAN
) -> tuple[NamedQuery, ...]:
    """The queries of a text of TOML.

    >>> [relative] = read_queries('relative = "NP < (SBAR=clause < /^WH/)"')
    >>> relative.name, relative.key_names
    ('relative', ('clause',))
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = _PLACE.search(str(error))
        line, column = match.groups() if match else (None, None)
        end = len(text.splitlines())  # where the document may end too early
        place = Place(source, int(line or end), int(column) if column else None)
        reason = _PLACE.sub("", str(error))
        raise InputError("E665 broken TOML", place, reason=reason) from None
    if not table:
        raise InputError("E666 no queries", Place(source))
    return tuple(_named(name, given, source, key) for name, given in table.items())


def _named(name: str, given: object, source: str, key: KeyKind) -> NamedQuery:
    place = Place(f"{source} [{name}]")
    fields: dict[str, Any] = given if isinstance(given, dict) else {"query": given}
    for field in fields:
        if field not in _FIELDS:
            raise InputError("E668 no field", place, field=field, fields=_FIELDS)
    wrong = [name for name in fields if not isinstance(fields[name], str)]
    if wrong or "query" not in fields:
        raise InputError("E667 expected a query in quotes", place)
    if "key" in fields and fields["key"] not in [*KeyKind]:
        keys = [*KeyKind]
        raise InputError("E669 no key", place, key=fields["key"], keys=keys)
    try:
        query = parse_query(fields["query"])
    except QueryError as error:
        at = error.place
        here = Place(place.source, at.line if at else None, at.column if at else None)
        raise error.at(here) from None
    kind = KeyKind(fields.get("key", key))
    return NamedQuery(name, query, kind, fields.get("description", ""))
