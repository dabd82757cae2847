"""The findings of `spinal check` as HTML pages, to decide on them.

A finding is a card: the words in question, how they are annotated here and elsewhere,
drawings, and buttons. All of it but the heading is data, and becomes part of the page
when the card comes near. Findings that one decision settles stand together. Decisions
are those of `analyzer/checks/decisions.py`: the page has those of `--decisions`, loads
a file, and saves one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from analyzer.checks.decisions import FIELDS, decisions_of
from analyzer.checks.evidence import Exhibit, contrast, names_of_group
from analyzer.checks.findings import DocumentFinding, Finding, LeafSpan, TreeFinding
from analyzer.checks.fixes import Fix, splices
from analyzer.checks.registry import CHECKS
from analyzer.checks.run import CheckResult
from analyzer.checks.sources import Sources, spliced
from analyzer.checks.unit_edits import mended
from analyzer.formats.reading import read_trees
from analyzer.formats.rst.building import edus_of, spans_of
from analyzer.model.discourse import EduSpan, Unit
from analyzer.model.tree import Node, Tree, written
from analyzer.safe_text import on_page, with_ends
from reports.drawing.discourse_svg import discourse_svg
from reports.drawing.outline import outline
from reports.drawing.svg import PAIR_CLASSES, escaped
from reports.drawing.tree_svg import tree_svg
from reports.page.html import self_contained, template
from reports.tables.findings import (
    first_findings,
    folder_of,
    group_heading,
    grouped,
    summary_line,
)

_WORDS_DRAWN = 16  # a whole sentence is too wide to compare
_LEFT_OUT = "(… …)"
_BRACKETS = ("add", "drop", "move")  # edits of which the whole result is drawn


class Drawing(NamedTuple):
    """A picture of a card: what it shows, in words and as SVG."""

    alt: str
    svg: str


class Card(NamedTuple):
    """A finding, what people are shown of it, and pictures; texts are not escaped."""

    finding: Finding
    exhibit: Exhibit
    drawings: Sequence[Drawing]


def check_page(result: CheckResult, limit: int | None) -> str:
    """A page of cards: the first findings, then those that people found to be fine.

    The page needs no other file; a card is filled when it is scrolled near.
    """
    fixes = {
        fix.fingerprint: fix
        for fix in result.fixes_of([*result.findings[:limit], *result.fine])
    }
    exhibit, pictures = result.exhibit, _pictures_of(result)
    ordered = [
        Card(
            finding, exhibit(finding), pictures(finding, fixes.get(finding.fingerprint))
        )
        for listed in grouped([*result.findings[:limit], *result.fine]).values()
        for finding in listed
    ]
    findings = [card.finding for card in ordered]
    names = [
        f"f{n}-{finding.fingerprint}" for n, finding in enumerate(findings, start=1)
    ]
    folder = len(folder_of(result.files))
    files = [finding.file[folder:] for finding in findings]
    edits = {name: fix.edit for name, fix in fixes.items()}
    lines = {line.fingerprint: line for line in decisions_of(findings, edits)}
    members = grouped([*result.findings, *result.fine])
    data = {
        "findings": [
            {"id": name, "file": file, **_card_data(card, folder)}
            | {"line": lines[card.finding.fingerprint].as_json()}
            for name, file, card in zip(names, files, ordered, strict=True)
        ],
        "groups": {
            group: {
                "title": group_heading(members[group]),
                "names": names_of_group(group),
            }
            for group, listed in grouped(findings).items()
            if len(listed) > 1
        },
        "fields": FIELDS,
        "decisions": [decision.as_json() for decision in result.decisions.values()],
    }
    parts = [summary_line(result.summary), result.ledger.text("read"), *result.compared]
    summary = f"{'; '.join(parts)}."
    shown, total = len(ordered) - len(result.fine), len(result.findings)
    if cut := first_findings(shown, total, "first"):
        summary += f" Here are {cut}; --limit 0 shows all."
    return self_contained(
        "review",
        template("review.js"),
        data,
        title="Discourse check" if result.is_discourse else "Treebank check",
        summary=escaped(summary),
        codes=_options((finding.code, _titled(finding.code)) for finding in findings),
        files=_options((file, escaped(on_page(file))) for file in files),
        cards="\n".join(map(_card, range(1, len(names) + 1), names, ordered)),
    )


def _card_data(card: Card, folder: int) -> dict[str, object]:
    """What a card is filled with when it is scrolled near."""
    finding, exhibit = card.finding, card.exhibit
    others = set(getattr(finding, "codes", ())) - {finding.code}
    also = [("also", exhibit.also)] if exhibit.also else []
    return {
        "group": finding.group or finding.message,
        "contrast": contrast(finding),
        "where": f"{exhibit.place[folder:]}, {exhibit.within}",
        "message": exhibit.message,
        "edit": finding.suggestion,
        "evidence": [
            (title, [(*line[:3], line.where[folder:]) for line in uses])
            for title, uses in [*exhibit.uses, *also]
        ],
        "drawings": [drawing._asdict() for drawing in card.drawings],
        "more": f"Also seen by {', '.join(sorted(others))}." if others else "",
    }


def _pictures_of(result: CheckResult) -> Callable[[Any, Fix | None], list[Drawing]]:
    """What draws a finding."""
    if result.stream is not None:
        return partial(_pictures, sources=result.sources)
    return lambda finding, fix: _unit_pictures(
        result.units.get(finding.document), finding, fix
    )


def _options(named: Iterable[tuple[str, str]]) -> str:
    """The choices of a filter, and how many cards each has."""
    return "".join(
        f'<option value="{escaped(value)}">{text} ({count:,})</option>'
        for (value, text), count in Counter(named).items()
    )


def _titled(code: str) -> str:
    """A code and what it means."""
    return f"{code} {escaped(CHECKS[code].text)}"


def _card(number: int, name: str, card: Card) -> str:
    """What a card shows before it is scrolled near, and without JavaScript."""
    finding, uses = card.finding, card.exhibit.uses
    before, inside, after, _ = map(escaped, uses[0][1][0]) if uses else [""] * 4
    return (
        f'<article id="{name}" tabindex="-1">'
        f"<h2>{number}. {_titled(finding.code)} "
        f"({finding.how_sure}, {finding.level})</h2>"
        f'<p class="context">{before} <mark>{inside}</mark> {after}</p>'
        f'<p class="message">{escaped(finding.message)}</p></article>'
    )


def _pictures(finding: TreeFinding, fix: Fix | None, sources: Sources) -> list[Drawing]:
    """The tree as it is; the other use, if there is one; and the tree as mended, if
    brackets change or there is no other use. What only one of two has is marked.
    """
    bank, first, span = sources.stream.bank, finding.suspects[0], drawn_words(finding)
    tree = bank[span.tree]
    if not tree:
        return []
    here, there, then = excerpt(tree, span), None, None
    other = next((use for use in sources.evidence(finding)[1:] if use.spans), None)
    if other is not None:
        there = excerpt(bank[other.spans[0].tree], other.spans[0], is_close=True)
    mended = _mended(span.tree, fix, sources)
    if mended is not None and (there is None or (fix and fix.action in _BRACKETS)):
        here, then = excerpts(tree, mended, span)
    elif there is not None:
        here = excerpt(tree, first, is_close=True)
    compared = then or there
    marks = here.rows if compared is None else here.without(compared)
    drawings = [_drawing(here, "as it is", marks, "missed" if marks else "noted")]
    if there is not None and other is not None:
        place = excerpt(tree, first)
        is_alike = there.words == place.words
        marks = (there.without(place) if is_alike else []) or there.rows
        drawings.append(_drawing(there, f"elsewhere: {other.text}", marks, "noted"))
    if then is not None:
        drawings.append(_drawing(then, "mended", then.without(here), "spurious"))
    return drawings


def _mended(number: int, fix: Fix | None, sources: Sources) -> Tree | None:
    """The tree after the edit."""
    matched = sources.tree(number)
    if fix is None or matched is None:
        return None
    source = matched[0]
    changes = splices(source, fix.action, fix.node - 1, fix.other - 1, fix.label)
    if changes is None:
        return None
    root = source.nodes[0]
    shifted = [(a - root.start, b - root.start, new) for a, b, new in changes]
    text = spliced(source.text[root.start : root.end], shifted)
    trees = read_trees(" ".join(text.split()))
    words = sources.stream.bank[number].words
    if len(trees) != 1 or len(trees[0].words) != len(words):
        return None
    return trees[0]


def _drawing(part: Excerpt, title: str, marks: list[int], mark_class: str) -> Drawing:
    drawing = outline(part.tree, marks=marks)
    svg = tree_svg(drawing, title=title, mark_class=mark_class)
    return Drawing(on_page(f"{title}: {part.tree}"), svg)


# -- what is drawn of a tree: the phrase around a place ------------------------------


class Excerpt(NamedTuple):
    """A phrase that is small enough to draw, and the place in it."""

    tree: Tree
    first: int
    last: int

    @property
    def words(self) -> list[str]:
        """Those of the place."""
        return self.tree.words[self.first : self.last]

    @property
    def rows(self) -> list[int]:
        return [node.row for node, _ in self._inside]

    @property
    def _inside(self) -> list[tuple[Node, tuple[str, int, int]]]:
        """What is in the place: nodes, and their labels and words."""
        return [
            (node, (node.label, node.span[0] - self.first, node.span[1] - self.first))
            for node in self.tree.nodes
            if self.first <= node.span[0] and node.span[1] <= self.last
        ]

    def without(self, other: Excerpt) -> list[int]:
        """The rows of what the other one does not have."""
        left = Counter(key for _, key in other._inside)
        rows = []
        for node, key in self._inside:
            if not left[key]:
                rows.append(node.row)
            left[key] -= 1
        return rows


def drawn_words(finding: TreeFinding) -> LeafSpan:
    """The words of the first place, and of others in its tree that fit beside it."""
    first = finding.suspects[0]
    start, end = first.first, first.last
    for suspect in finding.suspects:
        a, b = min(start, suspect.first), max(end, suspect.last)
        if suspect.tree == first.tree and b - a <= _WORDS_DRAWN:
            start, end = a, b
    return LeafSpan(first.tree, start, end)


def excerpts(left: Tree, right: Tree, span: LeafSpan) -> tuple[Excerpt, Excerpt]:
    """Two variants of a sentence: the phrases around a place that have the same words.

    >>> now = read_trees("(S (PP (IN in)) (NP (NN fact)) (VP (VBZ is)))")[0]
    >>> then = read_trees("(S (PP (IN in) (NP (NN fact))) (VP (VBZ is)))")[0]
    >>> [str(one.tree) for one in excerpts(now, then, LeafSpan(0, 0, 2))]
    ['(S (PP (IN in)) (NP (NN fact)) (VP (VBZ is)))', \
'(S (PP (IN in) (NP (NN fact))) (VP (VBZ is)))']
    """
    around = [_around(tree, span.first, span.last).span for tree in (left, right)]
    words = min(a for a, _ in around), max(b for _, b in around)
    return _cut(_around(left, *words), span), _cut(_around(right, *words), span)


def excerpt(tree: Tree, span: LeafSpan, *, is_close: bool = False) -> Excerpt:
    """The phrase around a place, with words beside it; `is_close`: the smallest."""
    words = span.first, span.last
    node = _around(tree, *words)
    larger = [
        phrase
        for phrase in tree.nodes
        if _holds(phrase, *words) and phrase.span != words
    ]
    if larger and (is_close or node.span == words):
        node = larger[-1]
    return _cut(node, span)


def _holds(node: Node, first: int, last: int) -> bool:
    return node.span[0] <= first and last <= node.span[1]


def _around(tree: Tree, first: int, last: int) -> Node:
    """The largest phrase around some words that can be drawn, or else the smallest."""
    around = [node for node in tree.nodes if _holds(node, first, last)]
    small = [node for node in around if node.span[1] - node.span[0] <= _WORDS_DRAWN]
    # Parents come first: the first small one is the largest, the last the smallest.
    return small[0] if small else around[-1]


def _cut(node: Node, span: LeafSpan) -> Excerpt:
    """A phrase around a place; if it is large, what is beside the place is cut."""
    start, end = node.span
    if end - start <= _WORDS_DRAWN or span.first == span.last:
        return Excerpt(node.to_tree(), span.first - start, span.last - start)
    text, before = _short(node, span)
    return Excerpt(read_trees(text)[0], before, before + span.last - span.first)


def _short(node: Node, span: LeafSpan) -> tuple[str, int]:
    """A phrase without what is beside a place, and how many cuts there are before it.

    >>> tree = read_trees("(S (A a) (X (B b) (C c) (D d) (E e)) (F f) (G g))")[0]
    >>> _short(tree.root, LeafSpan(0, 2, 4))
    ('(S (… …) (X (… …) (C c) (D d) (… …)) (… …))', 2)
    """
    parts: list[str] = []
    before = 0
    for child in node.children:
        first, last = child.span
        if last <= span.first or span.last <= first:
            if parts[-1:] != [_LEFT_OUT]:
                parts.append(_LEFT_OUT)
                before += last <= span.first
        elif span.first <= first and last <= span.last:
            parts.append(str(child.to_tree()))
        else:
            text, cuts = _short(child, span)
            parts.append(text)
            before += cuts
    return f"({written(node.label)} {' '.join(parts)})", before


# -- discourse trees -----------------------------------------------------------------


_UNITS_DRAWN = 12  # of more, those that an edit leaves alone are drawn as one
_TEXT_DRAWN = 90  # characters


def _unit_pictures(
    root: Unit | None, finding: DocumentFinding, fix: Fix | None
) -> list[Drawing]:
    """The units in question as they are, and as the edit would make them.

    Drawn is the smallest unit around all that changes, which both trees have; what only
    one of them has is marked.
    """
    if root is None or not finding.first:
        return []
    made = mended(root, finding.edit) if finding.edit and fix else None
    then = made.root if made else None
    trees = [root] if then is None else [root, then]
    spans = [spans_of(tree) for tree in trees]
    focus = [(finding.first, finding.last)]
    if then and finding.edit and finding.edit.other >= 0:
        focus.append(spans[0][id(list(root.walk())[finding.edit.other])])
    shared = set.intersection(
        *(
            {known[id(unit)] for unit in tree.walk() if unit.children}
            for tree, known in zip(trees, spans, strict=True)
        )
    )
    around = [
        span
        for span in shared
        if all(span[0] <= first and last <= span[1] for first, last in focus)
        and (span not in focus or span == spans[0][id(root)])
    ]
    if not around:
        return []
    chosen = min(around, key=lambda span: span[1] - span[0])
    parts = []
    for tree, known in zip(trees, spans, strict=True):
        unit = next(inner for inner in tree.walk() if known[id(inner)] == chosen)
        parts.append(_folded(unit, known, focus))
    keys = [
        [(known[id(inner)], inner.label) for inner in part.walk()]
        for part, known in parts
    ]
    drawings = []
    for at, (part, known) in enumerate(parts):
        other = keys[1 - at] if then else keys[0]
        marks = [
            number
            for number, key in enumerate(keys[at])
            if key[0] == focus[0] or key not in other
        ]
        title = f"{'suggested' if at else 'as it is'}: EDUs {chosen[0]}-{chosen[1]}"
        picture = discourse_svg(
            part,
            title=title,
            marks=marks,
            mark_class="noted" if then is None else PAIR_CLASSES[at],
            spans=known,
        )
        drawings.append(Drawing(on_page(title), picture))
    return drawings


def _folded(
    unit: Unit, spans: Mapping[int, EduSpan], focus: Sequence[EduSpan]
) -> tuple[Unit, dict[int, EduSpan]]:
    """A unit to draw, and the EDUs of what is in it: what is not around the focus is
    drawn like an EDU, unless all is small."""
    start, end = spans[id(unit)]
    texts = {start + at: edu.text.strip() for at, edu in enumerate(edus_of(unit))}
    made: dict[int, Unit] = {}
    for inner in reversed(list(unit.walk())):
        first, last = spans[id(inner)]
        is_open = end - start < _UNITS_DRAWN or any(
            first <= a and b <= last and (a, b) != (first, last) for a, b in focus
        )
        children = [made[id(child)] for child in inner.children] if is_open else []
        text = "" if children else " ".join(texts[n] for n in range(first, last + 1))
        text = with_ends(text, _TEXT_DRAWN)
        made[id(inner)] = Unit(inner.nuclearity, inner.relation, children, text)
    known = {id(made[key]): spans[key] for key in made}
    return made[id(unit)], known
