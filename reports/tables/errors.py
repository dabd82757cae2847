"""Derivation trees, score events and single errors, as text, tables and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from analyzer.analyses.errors import Instance, Kind, Projection
from analyzer.analyses.events import Event
from analyzer.derivation.spines import Spine, differing, drawn
from analyzer.metrics.functions import NONE
from analyzer.safe_text import counted, with_ends
from reports.drawing.derivations import derivation_outline
from reports.drawing.tree_svg import pair_svg, tree_svg
from reports.drawing.tree_text import draw_outline, outlines_side_by_side
from reports.model import Column, Table

_CONTEXT = 6  # words on either side
_LONG_WORD = 36


def spine_table(spines: Sequence[Spine], title: str = "") -> Table:
    """The elementary trees of a sentence, one a line."""
    words = {spine.position: spine.word for spine in spines}
    return Table(
        name="spines",
        title=title,
        columns=(
            Column("position", "#", "count"),
            Column("word"),
            Column("tag"),
            Column("constructions", "constructions, bottom up"),
            Column("attaches_to", "attaches to"),
            Column("at"),
        ),
        rows=[
            [
                spine.position,
                spine.word,
                spine.tag,
                " ".join(spine.constructions) or "-",
                "ROOT"
                if spine.governor is None
                else f"{words[spine.governor]} ({spine.governor})",
                spine.at or "-",
            ]
            for spine in spines
        ],
    )


def derivation_text(spines: Sequence[Spine], *, width: int, color: bool) -> str:
    """The derivation tree of a sentence, drawn in text."""
    return draw_outline(derivation_outline(spines), width=width, color=color)


def derivation_svg(spines: Sequence[Spine], *, title: str) -> str:
    """The derivation tree of a sentence as an SVG document."""
    return tree_svg(drawn(spines).tree, title=title)


def derivation_pair_text(
    gold: Sequence[Spine], parsed: Sequence[Spine], *, width: int, color: bool
) -> str:
    """Both derivation trees, the spines that differ marked."""
    only_gold, only_parsed = differing(gold, parsed), differing(parsed, gold)
    return outlines_side_by_side(
        derivation_outline(gold, only_gold),
        derivation_outline(parsed, only_parsed),
        missed=len(only_gold),
        spurious=len(only_parsed),
        noun="spine",
        width=width,
        color=color,
    )


def derivation_pair_svg(gold: Sequence[Spine], parsed: Sequence[Spine]) -> str:
    """Both derivation trees as an SVG document, the spines that differ marked."""
    return pair_svg(**_pair(gold, parsed))


def _pair(gold: Sequence[Spine], parsed: Sequence[Spine]) -> dict[str, Any]:
    left, right = drawn(gold), drawn(parsed)
    return {
        "gold": left.tree,
        "parsed": right.tree,
        "gold_marks": left.marks(parsed),
        "parsed_marks": right.marks(gold),
        "noun": "spine",
    }


def event_table(events: Sequence[Event]) -> Table:
    """The paper's section 2.3 for one sentence."""
    return Table(
        name="events",
        title="Score events (spans in words from 0, the last one excluded)",
        columns=(
            Column("position", "#", "count"),
            Column("word"),
            Column("construction"),
            Column("event"),
            Column("span"),
            Column("attachment"),
            Column("right_edge", "right edge"),
        ),
        rows=[list(event) for event in events],
    )


def instance_table(
    found: Sequence[tuple[Instance, list[str]]],
    *,
    total: int,
    kinds: Sequence[Kind],
    notes: Sequence[str] = (),
) -> Table:
    """Errors one by one, in context."""
    has_ids = any(one.id for one, _ in found)
    hidden = f"the first {len(found):,} of {total:,} shown; --limit shows more"
    return Table(
        name="errors",
        title=f"{counted(total, 'error')} ({', '.join(kind.value for kind in kinds)})",
        columns=(
            Column("sentence", unit="count"),
            *([Column("id")] if has_ids else []),
            Column("kind"),
            Column("construction"),
            Column("word"),
            Column("gold"),
            Column("parsed"),
            Column("context"),
        ),
        rows=[
            [
                one.sentence,
                *([one.id] if has_ids else []),
                one.kind.value,
                (one.gold or one.parsed or _NONE).construction,
                _short(one.word),
                _side(one, one.gold, one.sides(words)[0]),
                _side(one, one.parsed, one.sides(words)[1]),
                _context(one.sides(words)[one.gold is None], one.position),
            ]
            for one, words in found
        ],
        notes=[*([hidden] if len(found) < total else []), *notes],
    )


_NONE = Projection("", 0, 0, None, None, 0)


def _side(one: Instance, side: Projection | None, words: list[str]) -> str | None:
    """What one side has: the governor for an attachment, else the span."""
    if side is None:
        return None
    if one.kind is Kind.ATTACHMENT:
        return _short(side.governor or "null")
    if one.kind in (Kind.FUNCTION, Kind.WORD_FUNCTION):
        return " ".join(side.functions or ()) or NONE
    if one.kind is Kind.SPAN_RIGHT:
        return f"… {_short(words[side.last - 1])}"
    covered = [_short(word) for word in words[side.first : side.last]]
    if len(covered) > 2 * _CONTEXT:
        covered = [*covered[:3], "…", *covered[-3:]]
    return " ".join(covered)


def _short(word: str) -> str:
    """A word; of the text of a discourse unit, its beginning and its end."""
    return with_ends(word, _LONG_WORD)


def _context(words: list[str], position: int) -> str:
    # Of discourse units, which are many words each, the neighbours are enough.
    around = _CONTEXT if len(words[position]) <= _LONG_WORD else 1
    start, end = max(0, position - around), position + around + 1
    shown = [
        f"[{_short(word)}]" if at == position else _short(word)
        for at, word in enumerate(words[start:end], start=start)
    ]
    before = "… " if start else ""
    after = " …" if end < len(words) else ""
    return before + " ".join(shown) + after


def instance_records(
    found: Sequence[tuple[Instance, list[str]]],
) -> list[dict[str, Any]]:
    """Errors with everything known of them, for programs."""

    def side(one: Projection | None) -> dict[str, Any] | None:
        if one is None:
            return None
        record = one._asdict()
        del record["row"]
        if one.functions is None:
            del record["functions"]
        return record

    return [
        {
            "sentence": one.sentence,
            **({"id": one.id} if one.id else {}),
            "kind": one.kind.value,
            "construction": (one.gold or one.parsed or _NONE).construction,
            "word": one.word,
            "position": one.position,
            "gold": side(one.gold),
            "parsed": side(one.parsed),
            "words": words,
            **({} if one.parsed_words is None else {"parsed_words": one.parsed_words}),
        }
        for one, words in found
    ]


def confusion_table(
    found: Counter[tuple[str, str]], *, limit: int | None, notes: Sequence[str] = ()
) -> Table:
    """Gold construction x what the parser projects for that word instead."""
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    rows = ordered[:limit]
    hidden = len(ordered) - len(rows)
    return Table(
        name="confusions",
        title="What the parser projects instead",
        columns=(
            Column("gold"),
            Column("parsed"),
            Column("count", unit="count"),
        ),
        rows=[[gold, parsed, count] for (gold, parsed), count in rows],
        notes=[
            *([f"{hidden:,} rarer pairs not shown; --limit shows more"] * bool(hidden)),
            *notes,
        ],
    )
