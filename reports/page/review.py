"""The findings of `spinal check` as HTML pages, to decide on them.

A finding is a card: the words in question, how they are annotated here and elsewhere,
drawings, and buttons. All of it but the heading is data, and becomes part of the page
when the card comes near. Findings that one decision settles stand together. Decisions
are those of `analyzer/checks/decisions.py`: the page has those of `--decisions`, loads
a file, and saves one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from analyzer.checks.decisions import FIELDS, Edits, decisions_of
from analyzer.checks.evidence import concordance_line, contrast, names_of_group
from analyzer.checks.finding_json import edit_text
from analyzer.checks.findings import DocumentFinding, Finding, LeafSpan, TreeFinding
from analyzer.checks.fixes import Fix, fixes_of, spliced, splices
from analyzer.checks.registry import CHECKS, LEVELS
from analyzer.checks.run import CheckResult
from analyzer.checks.sources import Sources
from analyzer.formats.reading import read_trees
from analyzer.model.discourse import Unit
from analyzer.model.tree import Node, Tree, written
from analyzer.safe_text import counted, on_page
from reports.drawing.discourse_svg import discourse_svg
from reports.drawing.outline import outline
from reports.drawing.svg import escaped
from reports.drawing.tree_svg import tree_svg
from reports.page.html import self_contained, template
from reports.tables.findings import (
    first_findings,
    folder_of,
    group_heading,
    summary_line,
    title_of,
)

_WORDS_DRAWN = 16  # a whole sentence is too wide to compare
_LEFT_OUT = "(… …)"
_BRACKETS = ("add", "drop", "move")  # edits of which the whole result is drawn


class Drawing(NamedTuple):
    """A picture of a card: what it shows, in words and as SVG."""

    alt: str
    svg: str


class Card(NamedTuple):
    """A finding, and what its card says of it, as data; texts are not yet escaped."""

    finding: Finding
    where: str
    context: tuple[str, str, str]  # before the words in question, they, after them
    edit: str = ""  # in words
    # What is annotated, how often, and lines: before, words, after, place.
    evidence: Sequence[tuple[str, Sequence[tuple[str, str, str, str]]]] = ()
    drawings: Sequence[Drawing] = ()
    more: str = ""


def check_page(result: CheckResult, limit: int | None) -> str:
    """The first findings in sentences, those that are fine after them: a card each."""
    sources, findings = result.sources, [*result.findings[:limit], *result.fine]
    fixes = {fix.fingerprint: fix for fix in fixes_of(findings, sources)}
    folder = folder_of(sources.stream.files)
    cards = [
        _tree_card(one, fixes.get(one.fingerprint), sources, len(folder))
        for one in findings
    ]
    return _page(
        "Treebank check",
        cards,
        result,
        {name: fix.edit for name, fix in fixes.items()},
        f"{summary_line(result.summary)}; {result.ledger.text('read')}.",
        folder,
    )


def _page(
    title: str,
    cards: Sequence[Card],
    result: CheckResult,
    edits: Edits,
    summary: str,
    folder: str = "",
) -> str:
    """One self-contained page; what is in cards is made when they come near."""
    groups: dict[str, list[Card]] = {}  # that one decision settles
    for card in cards:
        key = card.finding.group or card.finding.fingerprint
        groups.setdefault(key, []).append(card)
    ordered = [card for listed in groups.values() for card in listed]
    findings = [card.finding for card in ordered]
    names = [f"f{n}-{one.fingerprint}" for n, one in enumerate(findings, start=1)]
    files = [one.file[len(folder) :] for one in findings]
    lines = {one.fingerprint: one for one in decisions_of(findings, edits)}
    members: dict[str, list[Finding]] = {}
    for one in (*result.findings, *result.fine):
        members.setdefault(one.group, []).append(one)
    data = {
        "findings": [
            {
                "id": name,
                "line": lines[card.finding.fingerprint].as_json(),
                "group": card.finding.group,
                "contrast": contrast(card.finding),
                "file": file,
                **{name: getattr(card, name) for name in ("where", "edit", "more")},
                "evidence": card.evidence,
                "drawings": [one._asdict() for one in card.drawings],
            }
            for name, file, card in zip(names, files, ordered, strict=True)
        ],
        "groups": {
            group: {
                "title": group_heading(members[group]),
                "names": names_of_group(group),
            }
            for group, listed in groups.items()
            if len(listed) > 1
        },
        "fields": FIELDS,
        "decisions": [one.as_json() for one in result.decisions.values()],
    }
    shown, total = len(cards) - len(result.fine), len(result.findings)
    if cut := first_findings(shown, total, "first"):
        summary += f" Here are {cut}; --limit 0 shows all."
    return self_contained(
        "review",
        template("review.js"),
        data,
        title=escaped(title),
        summary=escaped(summary),
        codes=_options((one.code, _titled(one.code)) for one in findings),
        files=_options((file, escaped(on_page(file))) for file in files),
        cards="\n".join(map(_card, range(1, len(names) + 1), names, ordered)),
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
    """What is there before the card comes near, and without JavaScript."""
    finding, (before, inside, after) = card.finding, map(escaped, card.context)
    return (
        f'<article id="{name}" tabindex="-1">'
        f"<h2>{number}. {_titled(finding.code)} "
        f"({finding.confidence:.2f}, {finding.level})</h2>"
        f'<p class="context">{before}<mark>{inside}</mark>{after}</p>'
        f"<p>{escaped(finding.message)}</p></article>"
    )


def _tree_card(
    finding: TreeFinding, fix: Fix | None, sources: Sources, folder: int
) -> Card:
    stream, place = sources.stream, sources.location(finding.suspects[0])
    name = f" ({place.id})" if place.id else ""
    before, _, rest = finding.context.partition("[")
    inside, _, after = rest.rpartition("]")

    def line(span: LeafSpan) -> tuple[str, str, str, str]:
        where = f"{stream.file_of(span.tree)[folder:]}:{stream.bank.line[span.tree]}"
        return *concordance_line(stream, span), where

    return Card(
        finding,
        f"{place.file[folder:]}:{place.first_line or place.line}:"
        f"{place.first_column or 1}, sentence {place.sentence}{name}",
        (before, inside, after),
        edit_text(stream.bank, finding.edit) if finding.edit else "",
        [(title_of(a), list(map(line, a.spans))) for a in sources.evidence(finding)],
        _pictures(finding, fix, sources),
        f"Also seen by {', '.join(finding.codes)}." if finding.codes else "",
    )


def _pictures(finding: TreeFinding, fix: Fix | None, sources: Sources) -> list[Drawing]:
    """The tree as it is, and beside it the other use; mended, if brackets change or
    there is no other use. What only one of two variants has is marked.
    """
    bank, first, span = sources.stream.bank, finding.suspects[0], drawn_words(finding)
    tree = bank[span.tree]
    if not tree:
        return []
    here, there, then = excerpt(tree, span), None, None
    other = next((one for one in sources.evidence(finding)[1:] if one.spans), None)
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
        return [one.row for one, _ in self._inside]

    @property
    def _inside(self) -> list[tuple[Node, tuple[str, int, int]]]:
        """What is in the place: nodes, and their labels and words."""
        return [
            (one, (one.label, one.span[0] - self.first, one.span[1] - self.first))
            for one in self.tree.nodes
            if self.first <= one.span[0] and one.span[1] <= self.last
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
    for one in finding.suspects:
        a, b = min(start, one.first), max(end, one.last)
        if one.tree == first.tree and b - a <= _WORDS_DRAWN:
            start, end = a, b
    return LeafSpan(first.tree, start, end)


def excerpts(one: Tree, other: Tree, span: LeafSpan) -> tuple[Excerpt, Excerpt]:
    """Two variants of a sentence: the phrases around a place that have the same words.

    >>> now = read_trees("(S (PP (IN in)) (NP (NN fact)) (VP (VBZ is)))")[0]
    >>> then = read_trees("(S (PP (IN in) (NP (NN fact))) (VP (VBZ is)))")[0]
    >>> [str(one.tree) for one in excerpts(now, then, LeafSpan(0, 0, 2))]
    ['(S (PP (IN in)) (NP (NN fact)) (VP (VBZ is)))', \
'(S (PP (IN in) (NP (NN fact))) (VP (VBZ is)))']
    """
    around = [_around(tree, span.first, span.last).span for tree in (one, other)]
    words = min(a for a, _ in around), max(b for _, b in around)
    return _cut(_around(one, *words), span), _cut(_around(other, *words), span)


def excerpt(tree: Tree, span: LeafSpan, *, is_close: bool = False) -> Excerpt:
    """The phrase around a place, with words beside it; `is_close`: the smallest."""
    words = span.first, span.last
    node = _around(tree, *words)
    larger = [one for one in tree.nodes if _holds(one, *words) and one.span != words]
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


_UNITS_DRAWN = 12


def document_check_page(result: CheckResult, limit: int | None) -> str:
    """Findings in discourse trees: cards, with a diagram of the units in question."""
    levels = Counter(one.level for one in result.findings)
    counts = ", ".join(f"{levels[level]:,} {level}" for level in LEVELS)
    total = counted(len(result.findings), "finding")
    summary = f"{total} ({counts}); {result.ledger.text('read')}."
    cards = [
        _document_card(one, result.units.get(one.document))
        for one in (*result.findings[:limit], *result.fine)
    ]
    return _page("Discourse check", cards, result, {}, summary)


def _document_card(finding: DocumentFinding, root: Unit | None) -> Card:
    where = finding.document
    if finding.line:
        where += f", line {finding.line}"
    if finding.first:
        same = finding.first == finding.last
        units = f"{finding.first}" if same else f"{finding.first}-{finding.last}"
        where += f", EDU {units}" if same else f", EDUs {units}"
    drawings = []
    if root and finding.first and (around := _around_units(root, finding)):
        unit, first, last = around
        title = f"EDUs {first}-{last} of {finding.document}"
        drawings = [Drawing(on_page(title), discourse_svg(unit, title=title))]
    return Card(finding, where, ("", finding.words, ""), drawings=drawings)


def _around_units(root: Unit, finding: DocumentFinding) -> tuple[Unit, int, int] | None:
    """A unit around the EDUs in question, and which EDUs it is; None if all are large.

    The smallest that has more than these, so that what they are linked to is seen;
    if it is too large to draw, the smallest around them.
    """
    around: list[tuple[Unit, int, int]] = []  # the largest first
    unit, first = root, 1
    last = sum(one.is_edu for one in root.walk())
    while first <= finding.first and finding.last <= last:
        around.append((unit, first, last))
        for child in unit.children:
            last = first + sum(one.is_edu for one in child.walk()) - 1
            if finding.first <= last:
                unit = child
                break
            first = last + 1
        else:
            break
    fit = [one for one in around if one[2] - one[1] < _UNITS_DRAWN and one[0].children]
    asked = finding.last - finding.first + 1
    larger = [one for one in fit if one[2] - one[1] + 1 > asked]
    return next(iter([*larger[-1:], *fit[-1:]]), None)
