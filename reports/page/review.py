"""The findings of `spinal check` as HTML pages.

Those in sentences are cards: one finding each, to decide on with a key. Both variants
are drawn: the tree as it is, and as the edit would make it, or else as the most
frequent analysis has the same words. Decisions are exported as a fix list for
`spinal check --apply`, and saved as a file that a page reads again. Those in discourse
trees have a diagram of the units in question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from analyzer.checks.finding_json import edit_text
from analyzer.checks.findings import DocumentFinding, Finding, LeafSpan, TreeFinding
from analyzer.checks.fixes import Fix, fixes_of, splices
from analyzer.checks.registry import CHECKS, LEVELS
from analyzer.checks.sources import Sources, spliced
from analyzer.formats.reading import read_trees
from analyzer.model.discourse import Unit
from analyzer.model.tree import Node, Tree, written
from analyzer.safe_text import counted, on_page, shortened
from reports.drawing.discourse_svg import discourse_svg
from reports.drawing.outline import outline
from reports.drawing.svg import escaped
from reports.drawing.tree_svg import tree_svg
from reports.page.html import self_contained, template
from reports.tables.findings import (
    Summary,
    first_findings,
    in_words,
    summary_line,
)

_PLACES_LISTED = 8
_WORDS_IN_INDEX = 40  # characters
_WORDS_DRAWN = 16  # a whole sentence is too wide to compare
_LEFT_OUT = "(… …)"


class _Card(NamedTuple):
    """A finding, and what its card says of it; texts are not yet escaped."""

    finding: Finding
    where: str
    context: tuple[str, str, str]  # before the words in question, they, after them
    edit: str
    drawings: list[Drawing]
    fix: Fix | None = None
    more: str = ""
    group: str = ""


def check_page(
    shown: Sequence[TreeFinding],
    findings: Sequence[TreeFinding],
    sources: Sources,
    counts: Summary,
    ledger: str,
) -> str:
    """Those of all findings that are shown: a card each, keys, and exports."""
    fixes = {fix.fingerprint: fix for fix in fixes_of(shown, sources)}
    sizes = Counter(one.group for one in findings)
    cards = [
        _tree_card(one, fixes.get(one.fingerprint), sources, sizes[one.group])
        for one in shown
    ]
    summary = f"{summary_line(counts)}; {ledger}."
    return _page("Treebank check", cards, findings, summary)


def _page(
    title: str, cards: Sequence[_Card], findings: Sequence[Finding], summary: str
) -> str:
    """One self-contained page; drawings are made when their cards come into view."""
    data = [
        {
            "id": _name(number, card.finding),
            "fingerprint": card.finding.fingerprint,
            "group": card.group,
            "code": card.finding.code,
            "where": card.where,
            "about": " ".join(_about(card.finding).split()),
            "fix": [str(value) for value in card.fix] if card.fix else None,
            "drawings": [one._asdict() for one in card.drawings],
        }
        for number, card in enumerate(cards, start=1)
    ]
    if cut := first_findings(len(cards), len(findings), "first"):
        summary += f" Here are {cut}; --limit 0 shows all."
    return self_contained(
        "review",
        template("review.js"),
        {"columns": Fix._fields, "findings": data},
        title=escaped(title),
        summary=escaped(summary),
        index=_index([card.finding for card in cards], findings),
        codes="".join(
            f'<option value="{code}">{_titled(code)} ({count:,})</option>'
            for code, count in Counter(one.finding.code for one in cards).items()
        ),
        cards="\n".join(
            _card(number, card) for number, card in enumerate(cards, start=1)
        ),
    )


def _about(finding: Finding) -> str:
    return f"{finding.code} {finding.words}: {finding.message}"


def _name(number: int, finding: Finding) -> str:
    """The card of a finding, in addresses."""
    return f"f{number}-{finding.fingerprint}"


def _titled(code: str) -> str:
    """A code and what it means."""
    return f"{code} {escaped(CHECKS[code].text)}"


def _index(shown: Sequence[Finding], findings: Sequence[Finding]) -> str:
    """Findings by their codes, each a link with its words; and how many there are."""
    totals = Counter(one.code for one in findings)
    by_code: dict[str, list[str]] = {}
    for number, one in enumerate(shown, start=1):
        words = escaped(on_page(shortened(one.words, _WORDS_IN_INDEX) or "(no words)"))
        by_code.setdefault(one.code, []).append(
            f'<li value="{number}"><a href="#{_name(number, one)}">{words}</a> '
            f"<small>{one.how_sure}</small></li>"
        )
    return "\n".join(
        f"<section><h3>{_titled(code)} "
        f"<small>{_of(len(listed), totals[code])}</small></h3>"
        f"<ol>{''.join(listed)}</ol></section>"
        for code, listed in by_code.items()
    )


def _of(shown: int, total: int) -> str:
    return f"{total:,}" if shown == total else f"{shown:,} of {total:,}"


def _tree_card(
    finding: TreeFinding, fix: Fix | None, sources: Sources, alike: int
) -> _Card:
    places = [sources.location(one) for one in finding.suspects[:_PLACES_LISTED]]
    where = "; ".join(
        f"{one.file}:{one.first_line or one.line}:{one.first_column or 1}, sentence "
        f"{one.sentence}, {in_words(one)}, characters {one.start}-{one.end}"
        for one in places
    )
    if len(finding.suspects) > _PLACES_LISTED:
        where += f"; and {len(finding.suspects) - _PLACES_LISTED:,} more"
    before, _, rest = finding.context.partition("[")
    inside, _, after = rest.rpartition("]")
    edit = edit_text(sources.stream.bank, finding.edit) if finding.edit else ""
    seen = f"Also seen by {', '.join(finding.codes)}." if finding.codes else ""
    group = f"{counted(alike, 'finding')} of the group {finding.group}." * (alike > 1)
    return _Card(
        finding,
        where,
        (before, inside, after),
        edit,
        _pictures(finding, fix, sources),
        fix,
        " ".join(filter(None, (group, seen))),
        finding.group,
    )


def _card(number: int, card: _Card) -> str:
    finding = card.finding
    before, inside, after = map(escaped, card.context)
    buttons = "".join(
        f'<button type="button" class="{decision}">{text}</button>'
        for decision, text in (
            ("yes", "Mend it" if card.fix else "An error"),
            ("no", "No error"),
            ("later", "Later"),
        )
    )
    name = _name(number, finding)
    return (
        f'<article id="{name}" tabindex="-1" data-code="{finding.code}">'
        f"<h2>{number}. {_titled(finding.code)} "
        f"({finding.how_sure}, {finding.level})</h2>"
        f'<p class="where">{escaped(card.where)}</p>'
        f"<p>{before}<mark>{inside}</mark>{after}</p>"
        f"<p>{escaped(finding.message)}</p>"
        + (f'<p class="edit">Edit: {escaped(card.edit)}</p>' if card.edit else "")
        + "<figure></figure>"
        + f'<p class="buttons">{buttons}</p>'
        + f'<p class="where">{escaped(card.more)}</p>'
        + "</article>"
    )


class Drawing(NamedTuple):
    """A picture of a card: what it shows, in words and as SVG."""

    alt: str
    svg: str


def _pictures(finding: TreeFinding, fix: Fix | None, sources: Sources) -> list[Drawing]:
    """The tree as it is and the other variant; what only one of them has, marked."""
    bank = sources.stream.bank
    span = drawn_words(finding)
    tree = bank[span.tree]
    if not tree:
        return []
    mended, title = _mended(span.tree, fix, sources), "mended"
    if mended is not None:
        one, other = excerpts(tree, mended, span)
    else:
        rival = _rival(finding)
        if rival is None:
            one = excerpt(tree, span)
            return [_drawing(one, "as it is", one.rows, "noted")]
        title, place = f"elsewhere: {rival[0]}", rival[1]
        one = excerpt(tree, finding.suspects[0])
        other = excerpt(bank[place.tree], place)
    return [
        _drawing(one, "as it is", one.without(other), "missed"),
        _drawing(other, title, other.without(one), "spurious"),
    ]


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


def _rival(finding: TreeFinding) -> tuple[str, LeafSpan] | None:
    """The most frequent analysis that the first suspect is not of."""
    for analysis in finding.analyses:
        if analysis.spans and finding.suspects[0] not in analysis.spans:
            return analysis.text, analysis.spans[0]
    return None


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
    return _cut(one, span, words), _cut(other, span, words)


def excerpt(tree: Tree, span: LeafSpan) -> Excerpt:
    """The phrase around a place."""
    return _cut(tree, span, (span.first, span.last))


def _around(tree: Tree, first: int, last: int) -> Node:
    """The largest phrase around some words that can be drawn, or else the smallest."""
    around = [
        node for node in tree.nodes if node.span[0] <= first and last <= node.span[1]
    ]
    small = [node for node in around if node.span[1] - node.span[0] <= _WORDS_DRAWN]
    # Parents come first: the first small one is the largest, the last the smallest.
    return small[0] if small else around[-1]


def _cut(tree: Tree, span: LeafSpan, words: tuple[int, int]) -> Excerpt:
    """The phrase around some words; if it is large, what is beside the place is cut."""
    node = _around(tree, *words)
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


def document_check_page(
    shown: Sequence[DocumentFinding],
    findings: Sequence[DocumentFinding],
    documents: Mapping[str, Unit],
    ledger: str,
) -> str:
    """Findings in discourse trees: cards, with a diagram of the units in question."""
    levels = Counter(one.level for one in findings)
    counts = ", ".join(f"{levels[level]:,} {level}" for level in LEVELS)
    summary = f"{counted(len(findings), 'finding')} ({counts}); {ledger}."
    cards = [_document_card(one, documents.get(one.document)) for one in shown]
    return _page("Discourse check", cards, findings, summary)


def _document_card(finding: DocumentFinding, root: Unit | None) -> _Card:
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
    return _Card(finding, where, ("", finding.words, ""), "", drawings)


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
