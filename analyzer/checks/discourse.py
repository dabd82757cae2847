"""Discourse trees that break a rule, or disagree with the rest of their collection.

R1xx: what no well-formed tree has (Morey, Muller and Asher 2018); R2xx: relations
against an inventory; R3xx: relations against the collection; R4xx: files of one
document; R5xx: variation; R6xx: choices that the rest of the collection speaks against.
Trees that no reader can build (gaps, several roots) come as errors of reading.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from pathlib import PurePath
from typing import Any, NamedTuple

import numpy as np

from analyzer.checks.calibration import read_calibration
from analyzer.checks.findings import DocumentFinding, Edit
from analyzer.checks.leave_one_out import (
    Templates,
    as_evidence,
    best_sites,
    hashed,
    numbered,
    templates,
    verdict,
)
from analyzer.checks.merging import confidence
from analyzer.checks.registry import (
    CHECKS,
    COLLECTION,
    DISCOURSE,
    DOCUMENT,
    ERROR,
    INFO,
    LEVELS,
    WARNING,
    Check,
    checks_of,
)
from analyzer.exceptions import Place, RstError
from analyzer.formats.rst.building import edus_of, named, spans_of
from analyzer.model.arrays import Ints
from analyzer.model.discourse import (
    NO_RELATION,
    NUCLEUS,
    ROOT,
    SATELLITE,
    SPAN,
    UNATTACHED,
    Unit,
    trees_of,
)
from analyzer.pairing.characters import first_difference
from analyzer.safe_text import counted
from analyzer.transform.relations import (
    MONO,
    MULTI,
    SAME_UNIT,
    RelationInventory,
    RelationMap,
    normal_form,
    relation_class,
)

_REPEATED_WORDS = 4  # shorter texts ("Yes .") are said twice in earnest
_RARE_USE = 0.1  # of a relation's uses: below, the other kind looks like a slip
_CONNECTIVE_SEEN = 10  # first words have to occur so often to say anything
_CONNECTIVE_CLEAR = 0.6  # and so many of them to mark one class
_PAIR_RARE = 0.05  # then a class with a smaller share is worth a look
_SAME_UNIT = normal_form(SAME_UNIT)
_UNMARKED = (SPAN, _SAME_UNIT, UNATTACHED)  # no relation: no word can mark it
_SENTENCE_END = re.compile(r"[.?!…]['\"”’)\]]*$")
_PLACEHOLDER = re.compile(r"(?i)^[\W_]*(edu|text|unit|segment|leaf)?[\W_]*\d*[\W_]*$")
_USED = {MONO: "mononuclear", MULTI: "multinuclear"}

# The chance that a finding is an error, where nothing was counted.
_CHANCE = {ERROR: 1.0, WARNING: 0.6, INFO: 0.3}
_SURE = 0.85  # of all same-units in GUM but one, the parts are apart, in one sentence
_LEAST_CHOICES = 50  # with fewer, a collection teaches nothing
_LEAST_MARGIN = {"R603": 0.0, "R604": 0.8, "R605": 1.5}
_LOWER, _HIGHER = 3, 3  # units looked at below and above the one that is joined

of_document = partial(Check, kind=DISCOURSE, given=DOCUMENT, level=ERROR)
of_collection = partial(Check, kind=DISCOURSE, given=COLLECTION)


@dataclass(frozen=True, eq=False)
class Document:
    """A document: its units, their EDUs, and the sentences that these are in.

    Sentences end where an EDU ends in a full stop, a question mark or an exclamation
    mark. `relations` are those that it should have, if that is known.
    """

    name: str
    root: Unit
    file: str = ""
    relations: RelationInventory | None = None

    @cached_property
    def spans(self) -> dict[int, tuple[int, int]]:
        return spans_of(self.root)

    @cached_property
    def edus(self) -> list[Unit]:
        return edus_of(self.root)

    @cached_property
    def words(self) -> list[list[str]]:
        """The words of each EDU; none where its text only holds its place."""
        texts = [edu.text.strip() for edu in self.edus]
        held = sum(bool(_PLACEHOLDER.match(text)) for text in texts)
        if 2 * held > len(texts):
            return [[] for _ in texts]
        return [text.lower().split() for text in texts]

    @cached_property
    def ends(self) -> list[bool]:
        """Whether a sentence ends with each EDU."""
        return [bool(w and _SENTENCE_END.search(w[-1])) for w in self.words]

    @cached_property
    def sentence(self) -> list[int]:
        """The sentence of each EDU."""
        return np.cumsum([0, *self.ends[:-1]]).tolist() if self.ends else []

    @cached_property
    def parents(self) -> dict[int, Unit]:
        return {id(c): unit for unit in self.root.walk() for c in unit.children}

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The units, parents first, as edits count them."""
        return {id(unit): number for number, unit in enumerate(self.root.walk())}

    def first(self, unit: Unit) -> int:
        return self.spans[id(unit)][0] - 1

    def last(self, unit: Unit) -> int:
        return self.spans[id(unit)][1] - 1

    def size(self, unit: Unit) -> int:
        """How many EDUs a unit has, roughly."""
        return min((self.last(unit) - self.first(unit) + 1).bit_length(), 4)

    @cached_property
    def _heads(self) -> dict[int, int]:
        heads: dict[int, int] = {}
        for unit in reversed(list(self.root.walk())):
            inner = (_nuclei(unit) or unit.children)[:1]
            heads[id(unit)] = heads[id(inner[0])] if inner else self.first(unit)
        return heads

    def head(self, unit: Unit) -> int:
        """The EDU that a unit's first nucleus leads to."""
        return self._heads[id(unit)]

    def opening(self, edu: int, size: int = 1) -> str:
        return " ".join(self.words[edu][:size]) if 0 <= edu < len(self.words) else ""

    def starts_sentence(self, edu: int) -> bool:
        return edu == 0 or self.ends[edu - 1]

    def uses(self) -> Iterator[tuple[Unit, str, str]]:
        """Each relation, and whether it is used among nuclei."""
        for unit in self.root.walk():
            nuclei = _nuclei(unit)
            for child in unit.children:
                if child.relation in (SPAN, NO_RELATION, UNATTACHED):
                    continue
                if child.nuclearity == SATELLITE:
                    yield child, child.relation, MONO
                elif child is nuclei[0]:  # one use, however many nuclei
                    yield child, child.relation, MULTI

    def finding(
        self,
        code: str,
        unit: Unit,
        message: str,
        level: str = "",
        chance: float = 0.0,
        margin: float | None = None,
        edit: Edit | None = None,
        suggestion: str = "",
        group: str = "",
    ) -> DocumentFinding:
        """Something about a unit: of a level, or else with a chance, or by a margin."""
        severity = level or CHECKS[code].level
        evidence = () if margin is None else as_evidence(margin)
        if evidence:
            odds = read_calibration().odds(code, np.array([evidence]), 0.0)
            chance = confidence(float(odds[0]))
        first, last = self.spans[id(unit)]
        return DocumentFinding(
            code,
            f"{named(first, last)}: {message}",
            _CHANCE[severity] if severity else chance,
            severity,
            words=" ".join(edu.text.strip() for edu in edus_of(unit)),
            group=group or message,
            evidence=evidence,
            now=f"{code} {unit.label}",
            file=self.file,
            line=unit.line,
            document=self.name,
            first=first,
            last=last,
            edit=edit,
            suggestion=suggestion,
        )

    def other_relation(self, unit: Unit, relation: str) -> dict[str, Any]:
        """The edit that gives a unit the relation of most others, unless it has it."""
        if not relation or relation == unit.relation:
            return {}
        edit = Edit("relation", self.numbers[id(unit)], label=relation)
        return {"edit": edit, "suggestion": f"{relation} in place of {unit.relation}"}


def _usual(relations: Iterable[str]) -> str:
    """The relation that at least half of some have; empty if there is none."""
    counts = Counter(relations)
    name, often = max(counts.items(), key=lambda item: item[1], default=("", 0))
    return name if 2 * often >= counts.total() else ""


def _nuclei(unit: Unit) -> list[Unit]:
    return [child for child in unit.children if child.nuclearity == NUCLEUS]


class Link(NamedTuple):
    """A satellite and the nucleus beside it."""

    document: Document
    unit: Unit
    nucleus: Unit
    is_left: bool


@dataclass(frozen=True, eq=False)
class Documents:
    """A collection; `classes` join relations."""

    listed: Sequence[Document]
    classes: RelationMap

    @cached_property
    def once(self) -> list[Document]:
        """Each document once, though it may be there in two formats."""
        return list({item.name: item for item in reversed(self.listed)}.values())[::-1]

    @cached_property
    def links(self) -> list[Link]:
        """The satellites; none if there are too few to teach anything."""
        links = []
        for document in self.once:
            for unit in document.root.walk():
                nuclei = _nuclei(unit)
                for child in unit.children if nuclei else ():
                    if child.nuclearity == SATELLITE:
                        is_left = document.first(child) < document.first(nuclei[0])
                        nucleus = nuclei[0 if is_left else -1]
                        links.append(Link(document, child, nucleus, is_left))
        return links if len(links) >= _LEAST_CHOICES else []

    @cached_property
    def link_columns(self) -> dict[str, Ints]:
        return _columns(map(_described, self.links))


def check_documents(
    documents: Sequence[Document],
    classes: RelationMap | None = None,
    codes: Collection[str] | None = None,
) -> list[DocumentFinding]:
    """What the checks of some codes find, errors first, then in the order of documents.

    A document that occurs twice (in two formats, say) is compared with itself, and
    counts once in the collection. `classes` join relations for variation.
    """
    findings: dict[DocumentFinding, None] = {}  # those of two formats are told once
    collection = Documents(documents, classes or {})
    for given, subjects in ((DOCUMENT, documents), (COLLECTION, [collection])):
        functions = dict.fromkeys(
            check.function
            for check in checks_of([DISCOURSE])
            if check.function
            and check.given == given
            and (not codes or check.code in codes)
        )
        for subject in subjects:
            for function in functions:
                findings.update(dict.fromkeys(function(subject)))
    # Gravest first, among them the surest, then in the order they are in.
    return sorted(
        findings,
        key=lambda item: (LEVELS.index(item.level), -round(item.confidence, 3)),
    )


def findings_of_errors(errors: Iterable[RstError]) -> list[DocumentFinding]:
    """Documents that cannot be read, under the code of the condition they break."""
    broken = {
        code: check.code for check in CHECKS.values() for code in check.errors.split()
    }
    findings = []
    for error in errors:
        place, code = error.place or Place(), broken.get(error.code, "R100")
        file, line = place.source or "", place.line or 0
        name = PurePath(file).stem
        findings.append(
            DocumentFinding(
                code, error.message, severity=ERROR, file=file, line=line, document=name
            )
        )
    return findings


# -- R1xx: shape ----------------------------------------------------------------------

of_document("R100", "cannot be read")
of_document(
    "R103", "a unit whose EDUs are not neighbours", errors="E322 E362 E382 E391"
)


@of_document(
    "R101",
    "neither one nucleus with satellites nor nuclei of one relation (Constraint 1)",
    errors="E310 E321",
)
def constraint_1(document: Document) -> Iterator[DocumentFinding]:
    """One nucleus, `span`, with satellites; or nuclei only, of one relation."""
    for unit in document.root.walk():
        # What is not attached at all is R102's to tell.
        parts = [c for c in unit.children if c.relation != UNATTACHED]
        if min(len(unit.children), len(parts) + 1) < 2:
            continue
        nuclei = [c.relation for c in parts if c.nuclearity == NUCLEUS]
        satellites = [c.relation for c in parts if c.nuclearity == SATELLITE]
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
        elif SPAN in satellites:
            message = "a satellite without a relation (span)"
        if message:
            yield document.finding("R101", unit, message)


@of_document(
    "R102",
    "several roots, or none",
    errors="E304 E331 E337 E343 E347 E354 E373 E390 E950 E951",
)
def one_root(document: Document) -> Iterator[DocumentFinding]:
    top = document.root
    if top.nuclearity != ROOT:
        yield document.finding("R102", top, f"the top unit is {top.label}, not a root")
    if len(trees := trees_of(top)) > 1:
        message = f"{len(trees)} trees, which nothing joins"
        yield document.finding("R102", trees[1], message)
    for unit in top.walk():
        if unit is not top and unit.nuclearity == ROOT:
            yield document.finding("R102", unit, "a second root, within the tree")


@of_document("R104", "a unit of one unit", level=WARNING, errors="E380")
def unary_units(document: Document) -> Iterator[DocumentFinding]:
    for unit in document.root.walk():
        if len(unit.children) == 1:
            below = unit.children[0].label
            yield document.finding("R104", unit, f"a unit of one unit ({below})")


@of_document("R105", "a gap between EDUs", errors="E309 E319 E334 E345 E353 E386 E387")
@of_document("R106", "an EDU twice", level=WARNING, errors="E308 E324 E333 E340 E357")
def gaps_and_repeats(document: Document) -> Iterator[DocumentFinding]:
    """EDUs without text among others that have it; a text twice in a row."""
    if not any(edu.text.strip() for edu in document.edus):
        return  # a format without texts
    before: list[str] = []
    for edu in document.edus:
        words = edu.text.split()
        if not words:
            yield document.finding("R105", edu, "a gap: no text")
        elif words == before and len(words) >= _REPEATED_WORDS:
            yield document.finding("R106", edu, "the text of the EDU before, again")
        before = words


# -- R2xx: against an inventory -------------------------------------------------------


@of_document("R201", "a relation that is not in the inventory")
def unknown_relations(document: Document) -> Iterator[DocumentFinding]:
    if document.relations is None:
        return
    for unit, relation, _ in document.uses():
        if relation.lower() not in document.relations:
            message = f"{relation} is not in the inventory"
            yield document.finding("R201", unit, message)


@of_document("R202", "a relation of another nuclearity than in the inventory")
def wrong_nuclearity(document: Document) -> Iterator[DocumentFinding]:
    if document.relations is None:
        return
    for unit, relation, use in document.uses():
        allowed = document.relations.get(relation.lower())
        if allowed and use not in allowed:
            message = f"{relation} is {_USED[next(iter(allowed))]}, here {_USED[use]}"
            yield document.finding("R202", unit, message)


# -- R3xx to R5xx: against the collection ---------------------------------------------


@of_collection("R301", "a relation that is both mononuclear and multinuclear")
def mixed_uses(documents: Documents) -> Iterator[DocumentFinding]:
    """Uses of a relation that is otherwise of the other nuclearity."""
    uses: defaultdict[str, defaultdict[str, list[tuple[Document, Unit]]]]
    uses = defaultdict(lambda: defaultdict(list))
    for document in documents.once:
        for unit, relation, use in document.uses():
            uses[relation][use].append((document, unit))
    for relation, kinds in sorted(uses.items()):
        if len(kinds) < 2:
            continue
        rarer, usual = sorted(kinds, key=lambda kind: (len(kinds[kind]), kind))
        few, many = len(kinds[rarer]), len(kinds[usual])
        rarely, usually = counted(few, "time"), counted(many, "time")
        level = WARNING if few <= _RARE_USE * (few + many) else INFO
        for document, unit in kinds[rarer]:
            message = (
                f"{relation} is {_USED[rarer]} here, as {rarely}; "
                f"{_USED[usual]} {usually}"
            )
            group = f"{relation}: {_USED[usual]} | {_USED[rarer]}"
            yield document.finding("R301", unit, message, level, group=group)


@of_collection("R401", "files of one document with different texts", level=ERROR)
def differing_texts(documents: Documents) -> Iterator[DocumentFinding]:
    """Files of one document whose texts differ; white space does not count."""
    texts: dict[str, str] = {}
    for document in documents.listed:
        text = "".join("".join(edu.text.split()) for edu in document.edus)
        if not text:
            continue
        difference = first_difference(texts.setdefault(document.name, text), text)
        if difference:
            error = difference.error(gold="one file", parsed="another")
            yield document.finding("R401", document.root, error.message)


@of_collection(
    "R501", "a connective and a relation class that rarely go together", level=INFO
)
def rare_connectives(documents: Documents) -> Iterator[DocumentFinding]:
    """First words that nearly always mark one relation class, and here another.

    First words are the first two of a unit, or the first one if two are too rare. They
    count as a connective when they occur ten times or more and 60 % mark one class;
    a class with at most 5 % of them is then a finding.
    """
    marked: defaultdict[str, list[tuple[Document, Unit, str]]] = defaultdict(list)
    for document in documents.once:
        for unit, edu in _plugged_in(document):
            relation = relation_class(unit.relation, documents.classes)
            words = document.words[document.first(edu)]
            for size in (1, 2):
                if len(words) >= size:
                    marked[" ".join(words[:size])].append((document, unit, relation))
    seen: set[int] = set()
    # Two words are more telling than one: they come first, and once is enough.
    for first_words in sorted(marked, key=lambda first_words: " " not in first_words):
        uses = marked[first_words]
        if len(uses) < _CONNECTIVE_SEEN:
            continue
        counts = Counter(relation for _, _, relation in uses)
        usual, often = counts.most_common(1)[0]
        if often < _CONNECTIVE_CLEAR * len(uses):
            continue
        for document, unit, relation in uses:
            count = counts[relation]
            if count <= _PAIR_RARE * len(uses) and id(unit) not in seen:
                seen.add(id(unit))
                message = (
                    f"{first_words!r} with {relation}, {count:,} of "
                    f"{len(uses):,} times; {usual} {often:,} times"
                )
                # An edit keeps nuclei nuclei: it takes what such units have.
                alike = (
                    other.relation
                    for _, other, its_class in uses
                    if its_class == usual and other.nuclearity == unit.nuclearity
                )
                edit = document.other_relation(unit, _usual(alike))
                group = f"{first_words!r}: {usual} | {relation}"
                yield document.finding("R501", unit, message, **edit, group=group)


def _plugged_in(document: Document) -> Iterator[tuple[Unit, Unit]]:
    """Satellites and further nuclei, each with its first EDU.

    An EDU counts for the lowest unit that it begins: in "When it rained, we left"
    after another sentence, `when` marks the clause, not the sentence.
    """
    for unit in document.root.walk():
        nuclei = _nuclei(unit)
        for child in unit.children:
            if (
                not nuclei
                or child is nuclei[0]
                or normal_form(child.relation) in _UNMARKED
            ):
                continue
            first = child
            while first.children and first.children[0].nuclearity == NUCLEUS:
                first = first.children[0]
            if first.is_edu:
                yield child, first


# -- R6xx: choices that the rest speaks against ----------------------------------------


@of_collection("R601", "a same-unit with nothing between its parts")
@of_collection("R602", "a same-unit whose parts are in different sentences")
def same_units(documents: Documents) -> Iterator[DocumentFinding]:
    for document in documents.once:
        for unit in document.root.walk():
            parts = [c for c in _nuclei(unit) if normal_form(c.relation) == _SAME_UNIT]
            for first, other in pairwise(parts):
                left, right = document.head(first), document.head(other)
                if right - left < 2:
                    message = "same-unit, but there is nothing between its parts"
                    yield document.finding("R601", other, message, chance=_SURE)
                elif document.sentence[left] != document.sentence[right]:
                    message = "same-unit, but its parts are in different sentences"
                    yield document.finding("R602", other, message, chance=_SURE)


def _numbers(values: Iterable[object], known: dict[str, int]) -> Ints:
    """Values as numbers, in the order in which their texts are met."""
    return np.array([known.setdefault(str(v), len(known)) for v in values], np.int64)


def _columns(rows: Iterable[Mapping[str, object]]) -> dict[str, Ints]:
    """Rows as columns of numbers."""
    listed, known = list(rows), dict[str, int]()
    return {
        name: _numbers((row[name] for row in listed), known)
        for name in (listed[0] if listed else ())
    }


def _described(link: Link) -> dict[str, object]:
    """What contexts of satellites are made of."""
    text, unit, nucleus, is_left = link
    left, right = (unit, nucleus) if is_left else (nucleus, unit)
    edge, start = text.last(left), text.first(right)
    words = text.words
    return {
        "relation": unit.relation.lower(),
        "same": bool(text.sentence) and text.sentence[edge] == text.sentence[start],
        "left": text.opening(text.first(left)),
        "left2": text.opening(text.first(left), 2),
        "right": text.opening(start),
        "right2": text.opening(start, 2),
        "end": " ".join(words[edge][-1:]),
        "end2": " ".join(words[edge][-2:]),
        "sizes": (text.size(left), text.size(right)),
        "last": " ".join(words[text.last(right)][-1:]),
        "up": text.parents[id(unit)].relation.lower(),
        "start": text.starts_sentence(text.first(left)),
        "lengths": tuple(min(len(words[edu]) // 3, 4) for edu in (edge, start)),
        "head": text.opening(text.head(left)),
        "other": text.opening(text.head(right)),
    }


_SIDES = templates(
    "relation, relation same, relation sizes, relation left, relation right, "
    "relation same right, relation same left, relation end, relation last, "
    "relation end2, relation lengths same, relation up, left2 same, right2 same, "
    "relation start same sizes, relation head other"
)
_RELATIONS = templates(
    "side same, side right, side left, side right2, side left2, side right same, "
    "side left same, side sizes, side end, side end2, side last, side up same, "
    "side lengths same, side sizes same start"
)
_SITES = templates(
    "relation near far, relation size own, relation label, relation edu near, "
    "relation word size, relation rank near, relation rank size, "
    "near far starts closes rank, near far opens starts size, "
    "relation opens starts far, relation host, label rank near far, "
    "label relation edu far, word near far rank"
)


def _doubted(
    documents: Documents, code: str, made_of: Templates, chosen: Ints, classes: int
) -> Iterator[tuple[Link, int, float]]:
    """Satellites that others speak against: with their best class, and the margin."""
    if not documents.links:
        return
    side = np.array([link.is_left for link in documents.links])
    contexts = hashed(made_of, {**documents.link_columns, "side": side})
    rivals, margins = verdict(numbered([contexts]), chosen, classes)
    for at in np.flatnonzero(margins > _LEAST_MARGIN[code]).tolist():
        yield documents.links[at], int(rivals[at]), float(margins[at])


@of_collection(
    "R603",
    "a satellite on the side where its relation does not have it",
    evidence="margin far",
)
def sides(documents: Documents) -> Iterator[DocumentFinding]:
    chosen = np.array([int(link.is_left) for link in documents.links])
    for link, _, margin in _doubted(documents, "R603", _SIDES, chosen, 2):
        here, there = ("before", "after") if link.is_left else ("after", "before")
        group = f"{link.unit.relation} satellite {here} its nucleus"
        message = (
            f"{group}; with such words and sentences it is usually {there}: "
            "is nuclearity swapped?"
        )
        document = link.document
        edit: dict[str, Any] = {}
        if len(document.parents[id(link.unit)].children) == 2:
            names = [
                named(*document.spans[id(unit)]) for unit in (link.nucleus, link.unit)
            ]
            edit = {
                "edit": Edit("nuclearity", document.numbers[id(link.unit)]),
                "suggestion": f"{names[0]} is the satellite, {names[1]} the nucleus",
            }
        yield document.finding(
            "R603", link.unit, message, margin=margin, group=group, **edit
        )


@of_collection(
    "R605",
    "a relation that is unusual for its words and sentences",
    evidence="margin far",
)
def relations(documents: Documents) -> Iterator[DocumentFinding]:
    known: dict[str, int] = {}
    names = [link.unit.relation for link in documents.links]
    chosen = _numbers((relation_class(n, documents.classes) for n in names), known)
    usual = list(known)
    of_class = [
        _usual(names[at] for at in np.flatnonzero(chosen == number).tolist())
        for number in range(len(usual))
    ]
    for link, rival, margin in _doubted(
        documents, "R605", _RELATIONS, chosen, len(usual)
    ):
        message = f"{link.unit.relation} here; {usual[rival]} is usual with such words"
        edit = link.document.other_relation(link.unit, of_class[rival])
        yield link.document.finding("R605", link.unit, message, margin=margin, **edit)


class _Site(NamedTuple):
    """A unit that a satellite joins, or could join."""

    link: Link
    host: Unit
    level: int  # 0 annotated, below 0 lower, above 0 higher
    rank: int = 0


def _sites(link: Link) -> list[_Site]:
    """The units that end (or begin) where the satellite begins (or ends)."""
    text, unit = link.document, link.unit
    above = text.parents[id(unit)]
    at = next(at for at, child in enumerate(above.children) if child is unit)
    host = above.children[at + 1 if link.is_left else at - 1]
    sites = [_Site(link, host, 0)]
    for level in range(1, _LOWER + 1):
        if not host.children:
            break
        host = host.children[0 if link.is_left else -1]
        sites.append(_Site(link, host, -level))
    inner, edge = unit, 0 if link.is_left else -1
    for level in range(_HIGHER + 1):
        outer = text.parents.get(id(inner))
        if outer is None or inner is not outer.children[edge]:
            break
        if level:  # 0 is where it is
            sites.append(_Site(link, outer, level))
        inner = outer
    sites.sort(key=lambda site: site.level)
    return [site._replace(rank=rank) for rank, site in enumerate(sites)]


@of_collection(
    "R604",
    "a satellite that joins a larger or smaller unit than others",
    evidence="margin far",
)
def attachments(documents: Documents) -> Iterator[DocumentFinding]:
    of_links = [_sites(link) for link in documents.links]
    if not of_links:
        return
    rows = [site for sites in of_links for site in sites]
    link = np.repeat(np.arange(len(of_links)), [len(sites) for sites in of_links])
    is_annotated = np.array([site.level == 0 for site in rows])
    known = numbered([hashed(_SITES, _columns(map(_described_site, rows)))])
    best, margin = best_sites(known, link, is_annotated)
    for at in np.flatnonzero(margin > _LEAST_MARGIN["R604"]).tolist():
        site = rows[best[at]]
        document, unit = site.link.document, site.link.unit
        first, last = document.spans[id(site.host)]
        size = "smaller" if site.level < 0 else "larger"
        to = f"EDU {first}" if first == last else f"EDUs {first}-{last}"
        message = f"{unit.relation} satellite; such ones join a {size} unit (here {to})"
        numbers = document.numbers
        edit = Edit("attach", numbers[id(unit)], numbers[id(site.host)])
        text = f"{named(*document.spans[id(unit)])} joins {named(first, last)}"
        group = f"{unit.relation} satellite that joins a {size} unit"
        yield document.finding(
            "R604",
            unit,
            message,
            margin=float(margin[at]),
            edit=edit,
            suggestion=text,
            group=group,
        )


def _described_site(site: _Site) -> dict[str, object]:
    """What contexts of sites are made of."""
    text, unit, _, is_left = site.link
    first, last = text.first(unit), text.last(unit)
    near, inner = (last, last + 1) if is_left else (first, first - 1)
    far = text.last(site.host) if is_left else text.first(site.host)
    sentence = text.sentence
    # What the host is without the satellite: its role is that of both.
    role = site.host if site.level else text.parents[id(unit)]
    return {
        "relation": (unit.relation.lower(), is_left),
        "near": sentence[inner] == sentence[near],
        "far": sentence[far] == sentence[near],
        "size": min(abs(near - far).bit_length(), 5),
        "own": text.size(unit),
        "label": role.label.lower(),
        "edu": site.host.is_edu,
        "word": text.opening(first),
        "host": text.opening(far),
        "rank": min(site.rank, 3),
        "opens": text.starts_sentence(far),
        "starts": text.starts_sentence(first),
        "closes": text.ends[last],
    }
