"""The findings of `spinal check` as cards: one finding each, to decide on with a key.

Both variants are drawn: the tree as it is, and as the edit would make it, or else as
the most frequent analysis has the same words. Decisions are exported as a fix list
for `spinal check --apply`.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from string import Template

from analyzer import __version__
from analyzer.checks.edits import spliced, splices
from analyzer.checks.findings import CODES, Finding, LeafSpan
from analyzer.checks.fixes import Fix, fixes_of
from analyzer.checks.places import edit_text, place_json
from analyzer.checks.sources import Sources, SourceTree
from analyzer.formats.reading import read_trees
from analyzer.model.tree import Tree
from reports.drawing.svg import escaped
from reports.drawing.tree_svg import pair_svg, tree_svg
from reports.page.html import digest, script_json, template
from reports.tables.findings import Summary, summary_line

_WORDS_DRAWN = 16  # around a finding; a whole sentence is too wide to compare
_PLACES_LISTED = 8


def check_page(
    shown: Sequence[Finding], sources: Sources, counts: Summary, ledger: str
) -> str:
    """One self-contained page: a card a finding, keys, and an export."""
    fixes = {fix.fingerprint: fix for fix in fixes_of(shown, sources)}
    cards, data = [], []
    for number, one in enumerate(shown, start=1):
        fix = fixes.get(one.fingerprint)
        name = f"f{number}-{one.fingerprint}"
        cards.append(_card(name, number, one, fix, sources))
        data.append(
            {
                "id": name,
                "fingerprint": one.fingerprint,
                "about": " ".join(f"{one.code} {one.words}: {one.message}".split()),
                "fix": [" ".join(str(value).split()) for value in fix] if fix else None,
            }
        )
    style, script = template("cards.css"), template("cards.js")
    policy = (
        "default-src 'none'; img-src data:; "
        f"style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    everything = "\n".join(one.fingerprint for one in shown)
    return Template(template("cards.html")).substitute(
        policy=escaped(policy),
        version=escaped(__version__),
        title="Treebank check",
        summary=escaped(f"{summary_line(counts)}. {ledger}"),
        style=style,
        script=script,
        cards="\n".join(cards),
        data=script_json(
            {
                "name": hashlib.sha256(everything.encode()).hexdigest()[:12],
                "columns": Fix._fields,
                "findings": data,
            }
        ),
    )


def _card(
    name: str, number: int, finding: Finding, fix: Fix | None, sources: Sources
) -> str:
    places = [place_json(sources, one) for one in finding.suspects[:_PLACES_LISTED]]
    where = "; ".join(
        f"{one['file']}:{one.get('first_line', one['line'])}"
        f":{one.get('first_column', 1)}, sentence {one['sentence']}, "
        f"words {one['first']}-{one['last']}"
        for one in places
    )
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
    picture = _picture(finding, fix, sources)
    return (
        f'<article id="{name}" tabindex="-1">'
        f"<h2>{number}. {finding.code} {escaped(CODES[finding.code])} "
        f"({finding.confidence:.2f}, {finding.level})</h2>"
        f'<p class="where">{escaped(where)}</p>'
        f"<p>{escaped(before)}<mark>{escaped(inside)}</mark>{escaped(after)}</p>"
        f"<p>{escaped(finding.message)}</p>"
        + (f'<p class="edit">Edit: {escaped(edit)}</p>' if edit else "")
        + (f'<figure><img alt="" src="{picture}"></figure>' if picture else "")
        + f'<p class="buttons">{buttons}</p></article>'
    )


def _picture(finding: Finding, fix: Fix | None, sources: Sources) -> str:
    """The tree as it is beside the other variant, as an address of an image."""
    bank = sources.stream.bank
    span = finding.suspects[0]
    if not bank[span.tree]:
        return ""
    one, marks = _excerpt(bank[span.tree], span)
    other = _mended(finding, fix, sources)
    title = "mended"
    if other is None:
        rival = _rival(finding)
        if rival is None:
            return _address(tree_svg(one, marks=marks, mark_class="noted"))
        title, place = f"elsewhere: {rival[0]}", rival[1]
        other = _excerpt(bank[place.tree], place)
    return _address(
        pair_svg(
            one,
            other[0],
            gold_marks=marks,
            parsed_marks=other[1],
            titles=("as it is", title),
        )
    )


def _mended(
    finding: Finding, fix: Fix | None, sources: Sources
) -> tuple[Tree, list[int]] | None:
    """The tree after the edit."""
    span = finding.suspects[0]
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


def _excerpt(tree: Tree, span: LeafSpan) -> tuple[Tree, list[int]]:
    """The phrase around a place that is small enough to draw; rows to mark in it."""
    around = [
        node
        for node in tree.nodes
        if node.span[0] <= span.first and span.last <= node.span[1]
    ]
    small = [node for node in around if node.span[1] - node.span[0] <= _WORDS_DRAWN]
    # Parents come first: the first small one is the largest, the last the smallest.
    node = small[0] if small else around[-1]
    part = node.to_tree()
    first, last = span.first - node.span[0], span.last - node.span[0]
    marks = [
        one.row for one in part.nodes if first <= one.span[0] and one.span[1] <= last
    ]
    return part, marks


def _address(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
