"""The findings of `spinal check` as cards: one finding each, to decide on with a key.

Both variants are drawn: the tree as it is, and as the edit would make it, or else as
the most frequent analysis has the same words. Decisions are exported as a fix list
for `spinal check --apply`.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Sequence
from string import Template
from typing import NamedTuple

from analyzer import __version__
from analyzer.checks.edits import spliced, splices
from analyzer.checks.findings import CODES, Finding, LeafSpan
from analyzer.checks.fixes import Fix, fixes_of
from analyzer.checks.places import edit_text, place_json
from analyzer.checks.sources import Sources, SourceTree
from analyzer.formats.reading import read_trees
from analyzer.model.tree import Node, Tree
from analyzer.safe_text import counted, on_page, shortened
from reports.drawing.svg import escaped
from reports.drawing.tree_svg import tree_svg
from reports.page.html import digest, script_json, template
from reports.tables.findings import Summary, summary_line

_WORDS_DRAWN = 16  # around a finding; a whole sentence is too wide to compare
_PLACES_LISTED = 8
_WORDS_IN_INDEX = 40  # characters


def check_page(
    shown: Sequence[Finding], sources: Sources, counts: Summary, ledger: str
) -> str:
    """One self-contained page: a card a finding, keys, and an export."""
    fixes = {fix.fingerprint: fix for fix in fixes_of(shown, sources)}
    sizes = Counter(one.group for one in shown)
    cards, data = [], []
    for number, one in enumerate(shown, start=1):
        fix = fixes.get(one.fingerprint)
        name = _name(number, one)
        cards.append(_card(name, number, one, fix, sources, sizes[one.group]))
        data.append(
            {
                "id": name,
                "fingerprint": one.fingerprint,
                "group": one.group,
                "about": " ".join(f"{one.code} {one.words}: {one.message}".split()),
                "fix": [str(value) for value in fix] if fix else None,
            }
        )
    style, script = template("cards.css"), template("cards.js")
    policy = (
        "default-src 'none'; img-src data:; "
        f"style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return Template(template("cards.html")).substitute(
        policy=escaped(policy),
        version=escaped(__version__),
        title="Treebank check",
        summary=escaped(f"{summary_line(counts)}; {ledger}."),
        style=style,
        script=script,
        index=_index(shown),
        codes="".join(
            f'<option value="{code}">{code} {escaped(CODES[code])} ({count:,})</option>'
            for code, count in Counter(one.code for one in shown).items()
        ),
        cards="\n".join(cards),
        data=script_json(
            {
                "columns": Fix._fields,
                "findings": data,
            }
        ),
    )


def _name(number: int, finding: Finding) -> str:
    """The card of a finding, in addresses."""
    return f"f{number}-{finding.fingerprint}"


def _index(shown: Sequence[Finding]) -> str:
    """All findings by their codes, each a link with the words in question."""
    by_code: dict[str, list[str]] = {}
    for number, one in enumerate(shown, start=1):
        words = escaped(on_page(shortened(one.words, _WORDS_IN_INDEX) or "(no words)"))
        by_code.setdefault(one.code, []).append(
            f'<li value="{number}"><a href="#{_name(number, one)}">{words}</a> '
            f"<small>{one.confidence:.2f}</small></li>"
        )
    return "\n".join(
        f"<section><h3>{code} {escaped(CODES[code])} "
        f"<small>{len(listed):,}</small></h3><ol>{''.join(listed)}</ol></section>"
        for code, listed in by_code.items()
    )


def _card(
    name: str,
    number: int,
    finding: Finding,
    fix: Fix | None,
    sources: Sources,
    alike: int,
) -> str:
    places = [place_json(sources, one) for one in finding.suspects[:_PLACES_LISTED]]
    where = "; ".join(
        f"{one['file']}:{one.get('first_line', one['line'])}"
        f":{one.get('first_column', 1)}, sentence {one['sentence']}, "
        f"{_words(one['first'], one['last'])}, characters {one['start']}-{one['end']}"
        for one in places
    )
    if len(finding.suspects) > _PLACES_LISTED:
        where += f"; and {len(finding.suspects) - _PLACES_LISTED:,} more"
    before, _, rest = finding.context.partition("[")
    inside, _, after = rest.rpartition("]")
    edit = edit_text(sources, finding.edit) if finding.edit else ""
    buttons = "".join(
        f'<button type="button" class="{decision}">{text}</button>'
        for decision, text in (
            ("yes", "Mend it" if fix else "An error"),
            ("no", "No error"),
            ("later", "Later"),
        )
    )
    seen = f"Also seen by {', '.join(finding.codes)}." if finding.codes else ""
    group = f"{counted(alike, 'finding')} of the group {finding.group}." * (alike > 1)
    return (
        f'<article id="{name}" tabindex="-1" data-code="{finding.code}">'
        f"<h2>{number}. {finding.code} {escaped(CODES[finding.code])} "
        f"({finding.confidence:.2f}, {finding.level})</h2>"
        f'<p class="where">{escaped(where)}</p>'
        f"<p>{escaped(before)}<mark>{escaped(inside)}</mark>{escaped(after)}</p>"
        f"<p>{escaped(finding.message)}</p>"
        + (f'<p class="edit">Edit: {escaped(edit)}</p>' if edit else "")
        + f"<figure>{_pictures(finding, fix, sources)}</figure>"
        + f'<p class="buttons">{buttons}</p>'
        + f'<p class="where">{escaped(" ".join(filter(None, (group, seen))))}</p>'
        + "</article>"
    )


def _words(first: int, last: int) -> str:
    return f"word {first}" if first == last else f"words {first}-{last}"


def _pictures(finding: Finding, fix: Fix | None, sources: Sources) -> str:
    """The tree as it is and the other variant; what only one of them has, marked."""
    bank = sources.stream.bank
    span = _hull(finding)
    if not bank[span.tree]:
        return ""
    one = _excerpt(bank[span.tree], span)
    other, title = _mended(span, fix, sources), "mended"
    if other is None:
        rival = _rival(finding)
        if rival is None:
            return _image(one, "as it is", one.rows, "noted")
        title, place = f"elsewhere: {rival[0]}", rival[1]
        one = _excerpt(bank[span.tree], finding.suspects[0])
        other = _excerpt(bank[place.tree], place)
    return _image(one, "as it is", one.without(other), "missed") + _image(
        other, title, other.without(one), "spurious"
    )


def _hull(finding: Finding) -> LeafSpan:
    """The words of all places in the first one's tree, if they can be drawn."""
    first = finding.suspects[0]
    here = [one for one in finding.suspects if one.tree == first.tree]
    hull = LeafSpan(
        first.tree, min(one.first for one in here), max(one.last for one in here)
    )
    return hull if hull.last - hull.first <= _WORDS_DRAWN else first


def _mended(span: LeafSpan, fix: Fix | None, sources: Sources) -> Excerpt | None:
    """The tree after the edit."""
    matched = sources.tree(span.tree)
    if fix is None or matched is None:
        return None
    source: SourceTree = matched[0]
    changes = splices(source, fix.action, fix.node - 1, fix.other - 1, fix.label)
    if changes is None:
        return None
    root = source.nodes[0]
    shifted = [(a - root.start, b - root.start, new) for a, b, new in changes]
    text = spliced(source.text[root.start : root.end], shifted)
    trees = read_trees(" ".join(text.split()))
    words = sources.stream.bank[span.tree].words
    if len(trees) != 1 or len(trees[0].words) != len(words):
        return None
    return _excerpt(trees[0], span)


def _rival(finding: Finding) -> tuple[str, LeafSpan] | None:
    """The most frequent analysis that the first suspect is not of."""
    for analysis in finding.analyses:
        if analysis.spans and finding.suspects[0] not in analysis.spans:
            return analysis.text, analysis.spans[0]
    return None


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


def _excerpt(tree: Tree, span: LeafSpan) -> Excerpt:
    """The phrase around a place."""
    around = [
        node
        for node in tree.nodes
        if node.span[0] <= span.first and span.last <= node.span[1]
    ]
    small = [node for node in around if node.span[1] - node.span[0] <= _WORDS_DRAWN]
    # Parents come first: the first small one is the largest, the last the smallest.
    node = small[0] if small else around[-1]
    start = node.span[0]
    return Excerpt(node.to_tree(), span.first - start, span.last - start)


def _image(one: Excerpt, title: str, marks: list[int], mark_class: str) -> str:
    svg = tree_svg(one.tree, title=title, marks=marks, mark_class=mark_class)
    data = base64.b64encode(svg.encode()).decode()
    alt = escaped(f"{title}: {one.tree}")
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{data}">'
