"""What the labels of a treebank mean: `patterns/*.labels`, or a file of one's own.

Which labels are phrases, tags, conjunctions, punctuation, empty elements, wrappers;
which child heads a node that no pattern matches. No module knows a label: all ask a
label set. The files are explained in docs/patterns.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import patterns
from analyzer.exceptions import Place, SettingsError
from analyzer.files.small_files import read_text

DEFAULT_LABELS = "penn"
_NO_LABEL = "()"  # how a bracket without a label is written

Side = Literal["first", "last"]
What = Literal["same", "tag", "phrase", "any"]
_SIDES, _WHATS = ("first", "last"), ("same", "tag", "phrase", "any")


class HeadRule(NamedTuple):
    """Which child to take: the first or last that is of the given kind.

    `same` is a phrase with the parent's own label; `tag` is no conjunction.
    """

    side: Side
    what: What


@dataclass(frozen=True)
class LabelSet:
    """The labels of an annotation scheme."""

    name: str
    text: str  # of the file, to tell label sets apart
    title: str
    phrase: frozenset[str] = frozenset()
    tag: frozenset[str] = frozenset()
    conjunction: frozenset[str] = frozenset()
    special: frozenset[str] = frozenset()  # phrases that the class NT leaves out
    empty: frozenset[str] = frozenset()
    wrapper: frozenset[str] = frozenset()
    punctuation: frozenset[str] = frozenset()
    only_punctuation: frozenset[str] = frozenset()
    mark: frozenset[str] = frozenset()  # words that are punctuation
    head: tuple[HeadRule, ...] = ()

    @property
    def known(self) -> frozenset[str]:
        """The labels that can stand below a node."""
        return self.phrase | self.tag

    @property
    def is_default(self) -> bool:
        return self == default_labels()


def default_labels() -> LabelSet:
    """The labels of the Penn Treebank.

    >>> sorted(default_labels().conjunction), "NP" in default_labels().phrase
    (['CC'], True)
    """
    found = _built_in(DEFAULT_LABELS)
    assert found is not None
    return found


def label_set_names() -> list[str]:
    """The label sets that come with the package."""
    return patterns.names(".labels")


def load_labels(name_or_path: str, *, folder: Path | None = None) -> LabelSet:
    """A label set by name (`penn`) or from a file, which may be given by its folder.

    >>> load_labels("tiger").title
    'TIGER treebank'
    """
    if built_in := _built_in(name_or_path):
        return built_in
    path = (folder or Path()) / name_or_path
    if not path.exists():
        raise SettingsError(
            "no file of labels {name!r}, and no label set of that name; there are "
            "{known:list}",
            code="E571",
            name=name_or_path,
            known=tuple(label_set_names()),
        )
    return parse_labels(read_text(str(path)), name=path.stem, source=str(path))


def parse_labels(
    text: str, *, name: str = "labels", source: str = "<text>"
) -> LabelSet:
    """The label set that a text describes.

    `phrase` and `tag` list all there is; what else a text does not mention is as in
    the Penn Treebank.

    >>> given = parse_labels("phrase NP\\ntag NN KON\\nconjunction KON")
    >>> sorted(given.tag), given.empty
    (['KON', 'NN'], frozenset({'-NONE-'}))
    """
    return _parsed(text, name, source, default_labels())


@cache
def _built_in(name: str) -> LabelSet | None:
    source = f"{name}.labels"
    text = patterns.text(source)
    if text is None:
        return None
    base = None if name == DEFAULT_LABELS else default_labels()
    return _parsed(text, name, source, base)


def _parsed(text: str, name: str, source: str, base: LabelSet | None) -> LabelSet:
    found: dict[str, list[str]] = {}
    heads: list[HeadRule] = []
    for number, line in enumerate(text.splitlines(), start=1):
        kind, *values = line.split() or ["#"]
        if kind.startswith("#"):  # a comment; the tag # stands after `tag`
            continue
        place = Place(source, number)
        if kind == "head":
            heads.append(_head_rule(values, place))
        elif kind == "title":
            found["title"] = values
        elif kind in _KINDS:
            listed = ["" if value == _NO_LABEL else value for value in values]
            found.setdefault(kind, []).extend(listed)
        else:
            raise SettingsError(
                "a line begins with {kinds:list}, title or head, not {kind!r}",
                place,
                code="E572",
                kinds=_KINDS,
                kind=kind,
            )
    said: dict[str, Any] = {
        kind.replace("-", "_"): frozenset(found[kind]) for kind in found
    }
    said["title"] = " ".join(found.get("title", [name]))
    if heads:
        said["head"] = tuple(heads)
    if base is None:
        return LabelSet(name, text, **said)
    blank = {"phrase": frozenset[str](), "tag": frozenset[str]()}
    return replace(base, name=name, text=text, **(blank | said))


def _head_rule(values: list[str], place: Place) -> HeadRule:
    if len(values) != 2 or values[0] not in _SIDES or values[1] not in _WHATS:
        raise SettingsError(
            "cannot read 'head {rule}'; expected {sides:list}, then one of "
            "{whats:list}",
            place,
            code="E573",
            rule=" ".join(values),
            sides=_SIDES,
            whats=_WHATS,
        )
    return HeadRule(cast("Side", values[0]), cast("What", values[1]))


_KINDS = (
    "phrase",
    "tag",
    "conjunction",
    "special",
    "empty",
    "wrapper",
    "punctuation",
    "only-punctuation",
    "mark",
)
