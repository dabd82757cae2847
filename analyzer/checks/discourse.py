"""Discourse trees that break a rule, or disagree with the rest of their collection.

Each condition is a function under a code. R1xx: what no well-formed tree has (Morey,
Muller and Asher 2018); R2xx: relations against an inventory; R3xx: relations against
the collection; R4xx: files of one document; R5xx: variation. Trees that no reader can
build (gaps, several roots) come as errors of reading: `findings_of_errors`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from analyzer.checks.discourse_model import doubts
from analyzer.checks.discourse_texts import Text
from analyzer.checks.findings import ERROR, INFO, LEVELS, WARNING, Finding
from analyzer.exceptions import RstError
from analyzer.formats.rst.building import edus_of, named, spans_of
from analyzer.model.discourse import NO_RELATION, NUCLEUS, ROOT, SATELLITE, SPAN, Unit
from analyzer.pairing.characters import first_difference
from analyzer.transform.heuristics import SAME_UNIT
from analyzer.transform.relations import (
    MONO,
    MULTI,
    RelationInventory,
    RelationMap,
    relation_class,
)

_REPEATED_WORDS = 4  # shorter texts ("Yes .") are said twice in earnest
_RARE_USE = 0.1  # of a relation's uses: below, the other kind looks like a slip
_CONNECTIVE_SEEN = 10  # first words have to occur so often to say anything
_CONNECTIVE_CLEAR = 0.6  # and so many of them to mark one class
_UNMARKED = (SPAN, SAME_UNIT)  # no relation: no word can mark it
_PAIR_RARE = 0.05  # then a class with a smaller share is worth a look

# The chance that a finding is an error, where nothing was counted.
_CHANCE = {ERROR: 1.0, WARNING: 0.6, INFO: 0.3}

Document = tuple[str, Unit]


class _Place(NamedTuple):
    """A document and the spans of its units, to say where something is."""

    document: str
    root: Unit
    spans: dict[int, tuple[int, int]]

    def finding(
        self, code: str, unit: Unit, message: str, level: str = ERROR
    ) -> Finding:
        first, last = self.spans[id(unit)]
        text = f"{named(first, last)}: {message}"
        return Finding(
            code,
            text,
            _CHANCE[level],
            severity=level,
            words=" ".join(edu.text.strip() for edu in edus_of(unit)),
            group=f"discourse: {code}",
            now=f"{code} {unit.label}",
            document=self.document,
            first=first,
            last=last,
            line=unit.line,
        )


Placed = Sequence[_Place]


def check_documents(
    documents: Sequence[Document],
    relations: RelationInventory | None = None,
    *,
    classes: RelationMap | None = None,
) -> list[Finding]:
    """Everything that the checks find, errors first, then in the order of documents.

    A document that occurs twice (in two formats, say) is compared with itself, and
    counts once in the collection. `classes` joins relations for variation.
    """
    placed = [_Place(name, root, spans_of(root)) for name, root in documents]
    once = list({one.document: one for one in reversed(placed)}.values())[::-1]
    found: list[Finding] = []
    for one in placed:
        for check in SHAPE_CHECKS.values():
            found += check(one)
        if relations is not None:
            found += unknown_relations(one, relations)
            found += wrong_nuclearity(one, relations)
    found += mixed_uses(once)
    found += differing_texts(placed)
    found += rare_connectives(once, classes or {})
    texts = [Text(number, one.root) for number, one in enumerate(once)]
    for doubt in doubts(texts, classes or {}):
        one = once[doubt.document]
        told = one.finding(doubt.code, doubt.unit, doubt.message)
        found.append(replace(told, severity=None, confidence=doubt.chance))
    # A document read from two files has its findings twice.
    return ranked_documents(dict.fromkeys(found))


def ranked_documents(findings: Iterable[Finding]) -> list[Finding]:
    """Gravest first, among them the surest, then in the order they are in."""
    return sorted(
        findings, key=lambda one: (LEVELS.index(one.level), -round(one.confidence, 3))
    )


# -- R1xx: shape ----------------------------------------------------------------------


def constraint_1(one: _Place) -> Iterator[Finding]:
    """One nucleus, `span`, with satellites; or nuclei only, of one relation."""
    for unit in one.root.walk():
        if len(unit.children) < 2:
            continue
        nuclei = [c.relation for c in unit.children if c.nuclearity == NUCLEUS]
        satellites = [c.relation for c in unit.children if c.nuclearity == SATELLITE]
        message = ""
        if not nuclei:
            message = "no nucleus"
        elif len(nuclei) > 1 and satellites:
            message = f"{len(nuclei)} nuclei with a satellite ({satellites[0]})"
        elif len(set(nuclei)) > 1:
            message = f"nuclei of several relations: {', '.join(sorted(set(nuclei)))}"
        elif satellites and nuclei[0] != SPAN:
            message = f"its nucleus is {nuclei[0]}, not span, next to a satellite"
        elif not satellites and nuclei[0] in (SPAN, NO_RELATION):
            message = "several nuclei and no relation between them"
        if satellites and not message and SPAN in satellites:
            message = "a satellite without a relation (span)"
        if message:
            yield one.finding("R101", unit, message)


def one_root(one: _Place) -> Iterator[Finding]:
    if one.root.nuclearity != ROOT:
        yield one.finding(
            "R102", one.root, f"the top unit is {one.root.label}, not a root"
        )
    for unit in one.root.walk():
        if unit is not one.root and unit.nuclearity == ROOT:
            yield one.finding("R102", unit, "a second root, within the tree")


def unary_units(one: _Place) -> Iterator[Finding]:
    for unit in one.root.walk():
        if len(unit.children) == 1:
            below = unit.children[0].label
            yield one.finding("R104", unit, f"a unit of one unit ({below})", WARNING)


def gaps_and_repeats(one: _Place) -> Iterator[Finding]:
    """EDUs without text among others that have it; a text twice in a row."""
    edus = edus_of(one.root)
    if not any(edu.text.strip() for edu in edus):
        return  # a format without texts
    before: list[str] = []
    for edu in edus:
        words = edu.text.split()
        if not words:
            yield one.finding("R105", edu, "a gap: no text")
        elif words == before and len(words) >= _REPEATED_WORDS:
            yield one.finding("R106", edu, "the text of the EDU before, again", WARNING)
        before = words


SHAPE_CHECKS: dict[str, Callable[[_Place], Iterator[Finding]]] = {
    "R101": constraint_1,
    "R102": one_root,
    "R104": unary_units,
    "R105": gaps_and_repeats,
}

# Which condition an error of reading says is broken.
_ERRORS_OF = {
    "R101": "E310 E321 E360",
    "R102": "E304 E331 E337 E343 E347 E354 E358 E372 E373 E390",
    "R103": "E322 E362 E382 E391",
    "R104": "E380",
    "R105": "E309 E319 E334 E345 E353 E386 E387",
    "R106": "E308 E324 E333 E340 E357",
}
_BROKEN = {
    error: code for code, errors in _ERRORS_OF.items() for error in errors.split()
}
UNREADABLE = "R100"


def findings_of_errors(
    errors: Sequence[RstError], name_of: Callable[[str], str]
) -> list[Finding]:
    """Documents that cannot be read, under the code of the condition they break."""
    found = []
    for error in errors:
        code = _BROKEN.get(error.code, UNREADABLE)
        place = error.place
        name = name_of(place.source) if place and place.source else ""
        line = (place.line if place else None) or 0
        one = Finding(code, error.message, severity=ERROR, document=name, line=line)
        found.append(one)
    return found


# -- R2xx: against an inventory -------------------------------------------------------


def _uses(one: _Place) -> Iterator[tuple[Unit, str, str]]:
    """Each relation of a document, and whether it is used among nuclei."""
    for unit in one.root.walk():
        nuclei = [c for c in unit.children if c.nuclearity == NUCLEUS]
        for child in unit.children:
            if child.relation in (SPAN, NO_RELATION):
                continue
            if child.nuclearity == SATELLITE:
                yield child, child.relation, MONO
            elif child is nuclei[0]:  # one use, however many nuclei
                yield child, child.relation, MULTI


def unknown_relations(one: _Place, relations: RelationInventory) -> Iterator[Finding]:
    for unit, relation, _ in _uses(one):
        if relation.lower() not in relations:
            message = f"{relation} is not in the inventory"
            yield one.finding("R201", unit, message)


def wrong_nuclearity(one: _Place, relations: RelationInventory) -> Iterator[Finding]:
    for unit, relation, use in _uses(one):
        allowed = relations.get(relation.lower())
        if allowed and use not in allowed:
            message = f"{relation} is {_USED[next(iter(allowed))]}, here {_USED[use]}"
            yield one.finding("R202", unit, message)


_USED = {MONO: "mononuclear", MULTI: "multinuclear"}

# -- R3xx to R5xx: against the collection ---------------------------------------------


def mixed_uses(documents: Placed) -> Iterator[Finding]:
    """Uses of a relation that is otherwise of the other nuclearity."""
    uses: defaultdict[str, defaultdict[str, list[tuple[_Place, Unit]]]]
    uses = defaultdict(lambda: defaultdict(list))
    for one in documents:
        for unit, relation, use in _uses(one):
            uses[relation][use].append((one, unit))
    for relation, kinds in sorted(uses.items()):
        if len(kinds) < 2:
            continue
        rarer, usual = sorted(kinds, key=lambda kind: (len(kinds[kind]), kind))
        few, many = len(kinds[rarer]), len(kinds[usual])
        level = WARNING if few <= _RARE_USE * (few + many) else INFO
        for one, unit in kinds[rarer]:
            message = (
                f"{relation} is {_USED[rarer]} here, as {few:,} times; "
                f"{_USED[usual]} {many:,} times"
            )
            yield one.finding("R301", unit, message, level)


def differing_texts(documents: Placed) -> Iterator[Finding]:
    """Files of one document whose texts differ; white space does not count."""
    texts: dict[str, str] = {}
    for one in documents:
        text = "".join("".join(edu.text.split()) for edu in edus_of(one.root))
        if not text:
            continue
        known = texts.setdefault(one.document, text)
        difference = first_difference(known, text)
        if difference:
            error = difference.error(gold="one file", parsed="another")
            yield one.finding("R401", one.root, error.message)


class _Marked(NamedTuple):
    place: _Place
    unit: Unit
    relation: str


def rare_connectives(documents: Placed, classes: RelationMap) -> Iterator[Finding]:
    """First words that nearly always mark one relation class, and here another.

    First words are the first two of a unit, or the first one if two are too rare. They
    count as a connective when they occur ten times or more and 60 % mark one class;
    a class with at most 5 % of them is then a finding.
    """
    marked: defaultdict[str, list[_Marked]] = defaultdict(list)
    for one in documents:
        text = Text(0, one.root)
        for unit, edu in _plugged_in(one):
            words = text.words[one.spans[id(edu)][0] - 1]
            relation = relation_class(unit.relation, classes)
            for size in (1, 2):
                if len(words) >= size:
                    key = " ".join(words[:size])
                    marked[key].append(_Marked(one, unit, relation))
    told: set[int] = set()
    # Two words are more telling than one: they come first, and once is enough.
    for words_, uses in sorted(marked.items(), key=lambda item: " " not in item[0]):
        if len(uses) < _CONNECTIVE_SEEN:
            continue
        counts = Counter(use.relation for use in uses)
        usual, often = counts.most_common(1)[0]
        if often < _CONNECTIVE_CLEAR * len(uses):
            continue
        for use in uses:
            count = counts[use.relation]
            if count <= _PAIR_RARE * len(uses) and id(use.unit) not in told:
                told.add(id(use.unit))
                message = (
                    f"{words_!r} with {use.relation}, {count:,} of {len(uses):,} times;"
                    f" {usual} {often:,} times"
                )
                yield use.place.finding("R501", use.unit, message, INFO)


def _plugged_in(one: _Place) -> Iterator[tuple[Unit, Unit]]:
    """Satellites and further nuclei, each with its first EDU.

    An EDU counts for the lowest unit that it begins: in "When it rained, we left"
    after another sentence, `when` marks the clause, not the sentence.
    """
    for unit in one.root.walk():
        nuclei = [c for c in unit.children if c.nuclearity == NUCLEUS]
        for child in unit.children:
            if not nuclei or child is nuclei[0] or child.relation in _UNMARKED:
                continue
            first = child
            while first.children and first.children[0].nuclearity == NUCLEUS:
                first = first.children[0]
            if first.is_edu:
                yield child, first
