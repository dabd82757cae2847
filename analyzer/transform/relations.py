"""Which relations a scheme has, their classes and uses: maps and inventories."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import patterns
from analyzer.exceptions import Place, SettingsError
from analyzer.files.small_files import read_text
from analyzer.model.discourse import NO_RELATION, SPAN, Unit

RelationMap = dict[str, str]

SAME_UNIT = "same-unit"  # the parts of a unit that another one interrupts
FINE = "fine"  # labels as they are
COARSE = "coarse"  # these maps together: none contradicts another
_COARSE_MAPS = ("gum", "rstdt")


def built_in_maps() -> list[str]:
    """Their names: the classes of GUM and of the RST-DT first, then other corpora's."""
    others = set(patterns.names(".relmap")) - {*_COARSE_MAPS}
    return [*_COARSE_MAPS, *sorted(others)]


def load_relations(name_or_path: str) -> RelationMap | None:
    """A map by name, from a file of pairs, or None for `fine`: labels as they are."""
    if name_or_path == FINE:
        return None
    if name_or_path == COARSE:
        maps = [load_relations(name) or {} for name in _COARSE_MAPS]
        return {label: known[label] for known in maps for label in known}
    if text := patterns.text(f"{name_or_path}.relmap"):
        return parse_relations(text, name_or_path)
    if not Path(name_or_path).exists():
        raise SettingsError(
            "E533 no relation map",
            name_or_path=name_or_path,
            fine=FINE,
            coarse=COARSE,
            built_in_maps=built_in_maps(),
        )
    return parse_relations(read_text(name_or_path), name_or_path)


def relations_name(name_or_path: str) -> str:
    """What a signature calls a map: its name, and for a file a hash of its text."""
    if name_or_path in (FINE, COARSE, *built_in_maps()):
        return name_or_path
    return f"{Path(name_or_path).name}/{_digest(read_text(name_or_path))}"


def _digest(text: str) -> str:
    import hashlib  # here: it takes five milliseconds, and most maps are built in

    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:8]


def named_relations(given: str | RelationMap | None) -> tuple[str, RelationMap | None]:
    """What a signature calls a map, and the map; of a name, a file or a map itself.

    >>> named_relations("fine"), named_relations(None)
    (('fine', None), ('fine', None))
    """
    if given is None or given == FINE:
        return FINE, None
    if isinstance(given, str):
        relations = load_relations(given)  # which says best what is wrong
        return relations_name(given), relations
    pairs = "\n".join(f"{label} {given[label]}" for label in sorted(given))
    return f"map/{_digest(pairs)}", given


def parse_relations(text: str, source: str = "<text>") -> RelationMap:
    """One pair a line: fine label, class; '#' starts a comment.

    A tab between the two allows blanks within them.

    >>> parse_relations("List joint\\n# more\\nReason explanation")
    {'list': 'joint', 'reason': 'explanation'}
    """
    relations: RelationMap = {}
    for place, words in _lines(text, source, by_tabs=True):
        if len(words) != 2:
            raise SettingsError("E535 expected a label", place, count=len(words))
        relations[words[0].lower()] = words[1]
    return relations


def _lines(
    text: str, source: str, *, by_tabs: bool = False
) -> Iterator[tuple[Place, list[str]]]:
    """The words of each line that has any; '#' starts a comment.

    By tabs, they are what stands between these, in a line that has any.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.split("#")[0]
        parts = [part.strip() for part in written.split("\t") if part.strip()]
        if words := parts if by_tabs and len(parts) > 1 else written.split():
            yield Place(source, number), words


def map_relations(root: Unit, relations: RelationMap | None) -> Unit:
    """A copy with classes for relations; what the map does not name is lower-cased."""
    copy = root.copy()
    if relations is not None:
        for unit in copy.walk():
            unit.relation = relation_class(unit.relation, relations)
        if given := copy.enhancements:
            edges = [
                edge._replace(relation=relation_class(edge.relation, relations))
                for edge in given.edges
            ]
            copy.enhancements = replace(given, edges=edges)
    return copy


def relation_class(label: str, relations: RelationMap) -> str:
    """The class of a relation; what is no relation stays as it is.

    same-unit, which all schemes have, is the same however it is spelled.

    >>> relation_class("List", {"list": "joint"}), relation_class("---", {})
    ('joint', '---')
    >>> relation_class("sameunit", {"list": "joint"})
    'same-unit'
    """
    if label in (SPAN, NO_RELATION):
        return label
    lowered = label.lower()
    if normal_form(lowered) == normal_form(SAME_UNIT):
        lowered = lowered if lowered in relations else SAME_UNIT
    return relations.get(lowered, lowered)


def normal_form(relation: str) -> str:
    """How relations are compared whose names are part of the rules.

    >>> [normal_form(label) for label in ("Same-Unit", "same_unit", "sameunit")]
    ['sameunit', 'sameunit', 'sameunit']
    """
    return "".join(filter(str.isalnum, relation.lower()))


# -- do two sides speak of the same relations? ----------------------------------------


class RelationHint(NamedTuple):
    """A map that would bring the relation labels of two sides together."""

    map: str  # the name of a built-in one
    shared: int  # labels that both sides have, of so many
    labels: int
    shared_with_map: int
    labels_with_map: int

    def __str__(self) -> str:
        return (
            "the two sides have different relation labels: "
            f"{self.shared} of {self.labels} are on both; with --relations {self.map} "
            f"{self.shared_with_map} of {self.labels_with_map} are"
        )


def relation_hint(
    left: Collection[str], right: Collection[str], relations: RelationMap | None = None
) -> RelationHint | None:
    """The built-in map that more labels would match under, if one helps.

    It does where one side has classes of the map and the other what stands for them
    in detail: with details on both sides, labels that one lacks are no mistake. Nor are
    they where most labels are on both sides: some details are called as their class.

    >>> fine = ["joint-list", "joint-other", "causal-cause", "same-unit"]
    >>> print(relation_hint(fine, ["joint", "same-unit", "topic"]))
    the two sides have different relation labels: 1 of 6 are on both; with --relations \
gum 2 of 4 are
    >>> relation_hint(fine, ["joint-list"]), relation_hint(["joint"], ["joint"])
    (None, None)
    """
    shared, labels = _overlap(left, right, relations)
    if 2 * shared >= labels:
        return None
    maps = {name: load_relations(name) or {} for name in built_in_maps()}
    hints = [
        RelationHint(name, shared, labels, *_overlap(left, right, known))
        for name, known in maps.items()
        if any(_is_of_classes(side, known) for side in (left, right))
    ]
    better = [hint for hint in hints if hint.shared_with_map > shared]
    return max(better, key=lambda hint: hint.shared_with_map, default=None)


def _overlap(
    left: Collection[str], right: Collection[str], relations: RelationMap | None
) -> tuple[int, int]:
    """How many labels both sides have under a map, and how many there are in all."""
    sides = [set(left), set(right)]
    if relations is not None:
        sides = [{relation_class(label, relations) for label in side} for side in sides]
    return len(sides[0] & sides[1]), len(sides[0] | sides[1])


def _is_of_classes(labels: Collection[str], relations: RelationMap) -> bool:
    """Whether labels are classes of a map; those that it does not know do not count."""
    classes = set(relations.values())
    lowered = {label.lower() for label in labels}
    details = {label for label in lowered if relations.get(label, label) != label}
    return bool(lowered & classes) and not details


# -- inventories ----------------------------------------------------------------------

MONO, MULTI = "mono", "multi"
# Lower-cased relation -> the uses it may have; empty: any.
RelationInventory = dict[str, frozenset[str]]


def load_relation_inventory(name_or_path: str) -> RelationInventory:
    """The labels of a relation map, or of a file of lines `relation [mono|multi]`.

    A built-in map lists the labels of a scheme and says nothing of nuclearity.
    """
    if name_or_path in built_in_maps():
        known = load_relations(name_or_path) or {}
        return {label: frozenset() for label in known}
    if not Path(name_or_path).exists():
        raise SettingsError(
            "E534 or a file of lines",
            name_or_path=name_or_path,
            built_in_maps=built_in_maps(),
        )
    return parse_relation_inventory(read_text(name_or_path), name_or_path)


def parse_relation_inventory(text: str, source: str = "<text>") -> RelationInventory:
    """One relation a line, and `mono`, `multi` or nothing; '#' starts a comment.

    >>> parse_relation_inventory("List multi\\nevaluation # either")
    {'list': frozenset({'multi'}), 'evaluation': frozenset()}
    """
    relations: RelationInventory = {}
    for place, (relation, *words) in _lines(text, source):
        uses = frozenset(word.lower() for word in words)
        if not uses <= {MONO, MULTI}:
            given = " ".join(words)
            raise SettingsError(
                "E536 expected", place, fields=given, mono=MONO, multi=MULTI
            )
        relations[relation.lower()] = uses if len(uses) == 1 else frozenset()
    return relations
