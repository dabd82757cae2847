"""Which relations a scheme has, and whether they join nuclei: inventories as data."""

from __future__ import annotations

from pathlib import Path

from analyzer.exceptions import Place, SettingsError
from analyzer.files.small_files import text_of
from analyzer.transform.relations import built_in_maps, load_relations

MONO, MULTI = "mono", "multi"
# Lower-cased relation -> the uses it may have; empty: any.
RelationInventory = dict[str, frozenset[str]]


def load_inventory(name_or_path: str) -> RelationInventory:
    """The labels of a relation map, or of a file of lines `relation [mono|multi]`.

    A built-in map lists the labels of a scheme and says nothing of nuclearity.
    """
    if name_or_path in built_in_maps():
        known = load_relations(name_or_path) or {}
        return {label: frozenset() for label in known}
    if not Path(name_or_path).exists():
        raise SettingsError(
            f"no inventory {name_or_path!r}; there are {', '.join(built_in_maps())}, "
            "or a file of lines: relation, and mono or multi"
        )
    return parse_inventory(text_of(name_or_path), name_or_path)


def parse_inventory(text: str, source: str = "<text>") -> RelationInventory:
    """One relation a line, and `mono`, `multi` or nothing; '#' starts a comment.

    >>> parse_inventory("List multi\\nevaluation # either")
    {'list': frozenset({'multi'}), 'evaluation': frozenset()}
    """
    found: RelationInventory = {}
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.split("#")[0].split()
        if not fields:
            continue
        uses = frozenset(field.lower() for field in fields[1:])
        if not uses <= {MONO, MULTI}:
            message = f"found {' '.join(fields[1:])!r}; expected {MONO} or {MULTI}"
            raise SettingsError(message, Place(source, number))
        found[fields[0].lower()] = uses if len(uses) == 1 else frozenset()
    return found
