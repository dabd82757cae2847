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

from analyzer import __version__
from analyzer.checks.edits import spliced, splices
from analyzer.checks.findings import CODES, Finding, LeafSpan
from analyzer.checks.fixes import Fix, fixes_of
from analyzer.checks.places import edit_text, place_json
from analyzer.checks.sources import Sources, SourceTree
from analyzer.formats.reading import read_trees
from analyzer.model.tree import Tree
from analyzer.safe_text import counted, on_page, shortened
from reports.drawing.svg import escaped
from reports.drawing.tree_svg import tree_svg
from reports.page.excerpts import Excerpt, drawn_words, excerpt, excerpts
from reports.page.html import digest, script_json, template
from reports.tables.findings import Summary, summary_line

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
    style = template("colours.css") + template("cards.css")
    script = template("cards.js")
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
    span = drawn_words(finding)
    tree = bank[span.tree]
    if not tree:
        return ""
    mended, title = _mended(span.tree, fix, sources), "mended"
    if mended is not None:
        one, other = excerpts(tree, mended, span)
    else:
        rival = _rival(finding)
        if rival is None:
            one = excerpt(tree, span)
            return _image(one, "as it is", one.rows, "noted")
        title, place = f"elsewhere: {rival[0]}", rival[1]
        one = excerpt(tree, finding.suspects[0])
        other = excerpt(bank[place.tree], place)
    return _image(one, "as it is", one.without(other), "missed") + _image(
        other, title, other.without(one), "spurious"
    )


def _mended(number: int, fix: Fix | None, sources: Sources) -> Tree | None:
    """The tree after the edit."""
    matched = sources.tree(number)
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
    words = sources.stream.bank[number].words
    if len(trees) != 1 or len(trees[0].words) != len(words):
        return None
    return trees[0]


def _rival(finding: Finding) -> tuple[str, LeafSpan] | None:
    """The most frequent analysis that the first suspect is not of."""
    for analysis in finding.analyses:
        if analysis.spans and finding.suspects[0] not in analysis.spans:
            return analysis.text, analysis.spans[0]
    return None


def _image(one: Excerpt, title: str, marks: list[int], mark_class: str) -> str:
    svg = tree_svg(one.tree, title=title, marks=marks, mark_class=mark_class)
    data = base64.b64encode(svg.encode()).decode()
    alt = escaped(f"{title}: {one.tree}")
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{data}">'
