"""Derivation trees, score events and single errors, as text, tables and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analyzer.analyses.derive import Derivations, Derived, Event
from analyzer.analyses.errors import (
    ErrorList,
    Instance,
    Kind,
    ListedError,
    Projection,
)
from analyzer.analyses.show import ShownSentence
from analyzer.derivation.columns import IN_SPINE
from analyzer.derivation.spines import Spine, differing
from analyzer.metrics.functions import NONE
from analyzer.safe_text import counted, numbered, with_ends
from reports.drawing.latex import Picture
from reports.drawing.outline import Outline, derivation_outline, outline
from reports.drawing.tree_svg import pair_picture, tree_picture
from reports.drawing.tree_text import draw, side_by_side
from reports.model import Table, Value, View, hidden, sample_text, spread, table_of
from reports.tables.notes import relation_labels_json

if TYPE_CHECKING:
    from analyzer.editing.mending import Stage

_LIMIT = "--limit 0 shows all"
_CONTEXT = 6  # words on either side
_LONG_WORD = 36
_WITHIN = (
    f"{IN_SPINE}: the construction is part of a larger one with the same head word, so "
    "it attaches to no other word"
)


def errors_view(
    errors: ErrorList, *, limit: int | None = 20, confusions: bool | None = None
) -> View:
    """Errors one by one, or what the parser does instead; in a notebook both."""
    notes = [errors.ledger.text("looked at"), str(errors.signature)]
    tables = []
    if not confusions:
        rows, total, kinds = spread(errors.rows, limit), errors.total, errors.kinds
        tables.append(instance_table(rows, total=total, kinds=kinds, notes=notes))
    if confusions is not False:
        tables.append(confusion_table(errors.confusions, limit=limit, notes=notes))
    if confusions and errors.functions:
        from reports.tables.functions import tag_confusion_table

        tables.append(tag_confusion_table(errors.functions, top=limit))
        if words := errors.functions.words:
            tables.append(tag_confusion_table(words, top=limit, of_words=True))

    def data() -> dict[str, Any]:
        data: dict[str, Any] = {table.name: table.records() for table in tables}
        if not confusions:
            is_sample = len(errors.rows) < errors.total
            data = {"total": errors.total, "is_sample": is_sample}
            data["errors"] = instance_records(errors.rows)
        data |= relation_labels_json(errors.relation_hint)
        return {
            **data,
            "ledger": errors.ledger.as_json(),
            "signature": str(errors.signature),
        }

    return View(tables, data)


def derivations_view(derivations: Derivations, *, limit: int | None = 5) -> View:
    """The spines of the first sentences, and what the scores count in them."""
    tables = []
    shown = spread(derivations.rows, limit)
    for sentence in shown:
        tables += derived_tables(sentence, f"sentence {sentence.number} ")
    records = [derived_record(sentence) for sentence in derivations.rows]
    sample = sample_text(len(shown), len(derivations.rows), "sentence")
    words = [sample[:1].upper() + sample[1:]] if sample else []
    return View(tables, lambda: {"sentences": records}, words=words)


def derived_tables(sentence: Derived, title: str = "") -> list[Table]:
    """The spines of a sentence, of both sides if there are two, and its events."""
    sides = ("gold", "parsed") if len(sentence.sides) == 2 else ("",)
    tables = [
        spine_table(spines, f"{title}{side}".strip())
        for spines, side in zip(sentence.sides, sides, strict=True)
    ]
    return [*tables, *([event_table(sentence.events)] if sentence.events else [])]


def derived_record(sentence: Derived) -> dict[str, Any]:
    """A sentence for programs."""
    names = ("gold", "parsed") if len(sentence.sides) == 2 else ("spines",)
    record: dict[str, Any] = {"sentence": sentence.number}
    if sentence.id:
        record["id"] = sentence.id
    for name, spines in zip(names, sentence.sides, strict=True):
        record[name] = [spine._asdict() for spine in spines]
    if sentence.events:
        record["events"] = [event._asdict() for event in sentence.events]
    if sentence.note:
        record["note"] = sentence.note
    return record


def spine_table(spines: Sequence[Spine], title: str = "") -> Table:
    """The elementary trees of a sentence, one a line."""
    words = {spine.position: spine.word for spine in spines}

    def attached(spine: Spine) -> str:
        if spine.governor is None:
            return "ROOT"
        return f"{words[spine.governor]} ({spine.governor})"

    return table_of(
        "spines",
        title,
        "position:count=# | word | tag | constructions=constructions, bottom up | "
        "attaches_to=attaches to | at",
        [
            [
                *(spine.position, spine.word, spine.tag),
                *(" ".join(spine.constructions) or "-", attached(spine)),
                spine.at or "-",
            ]
            for spine in spines
        ],
    )


def derivation_text(
    sides: Sequence[Sequence[Spine]], *, width: int, color: bool
) -> str:
    """The derivation tree of a sentence in text; both, what differs marked."""
    outlines = _outlines(*sides)
    if len(outlines) == 1:
        return draw(*outlines, width=width, color=color)
    return side_by_side(*outlines, noun="spine", width=width, color=color)


def derivation_picture(sides: Sequence[Sequence[Spine]], *, title: str) -> Picture:
    """The same as a picture; a single tree has a title."""
    outlines = _outlines(*sides)
    if len(outlines) == 1:
        return tree_picture(*outlines, title=title)
    return pair_picture(*outlines, noun="spine")


def _outlines(
    gold: Sequence[Spine], parsed: Sequence[Spine] | None = None
) -> list[Outline]:
    if parsed is None:
        return [derivation_outline(gold)]
    return [
        derivation_outline(gold, differing(gold, parsed)),
        derivation_outline(parsed, differing(parsed, gold)),
    ]


def event_table(events: Sequence[Event]) -> Table:
    """The paper's section 2.3 for one sentence."""
    return table_of(
        "events",
        "Score events (spans in words from 0, the last one excluded)",
        "position:count=# | word | construction | event | span | attachment | "
        "right_edge=right edge",
        [list(event) for event in events],
        *([_WITHIN] if any(IN_SPINE in event.attachment for event in events) else ()),
    )


def instance_table(
    errors: Sequence[tuple[Instance, list[str]]],
    *,
    total: int,
    kinds: Sequence[Kind],
    notes: Sequence[str] = (),
) -> Table:
    """Errors one by one, in context."""
    has_ids = any(error.id for error, _ in errors)
    rows: list[list[Value]] = []
    for error, words in errors:
        gold, parsed = error.sides(words)
        rows.append([error.sentence, error.id] if has_ids else [error.sentence])
        rows[-1] += [
            error.kind.value,
            (error.gold or error.parsed or _NONE).construction,
        ]
        rows[-1] += [_short(error.word), _side(error, error.gold, gold)]
        context = _context(parsed if error.gold is None else gold, error.position)
        rows[-1] += [_side(error, error.parsed, parsed), context]
    return table_of(
        "errors",
        f"{counted(total, 'error')} ({', '.join(kind.value for kind in kinds)})",
        f"sentence:count{' | id' if has_ids else ''} | kind | construction | word | "
        "gold | parsed | context",
        rows,
        *([_WITHIN] if any(IN_SPINE in row for row in rows) else ()),
        *notes,
        cut=sample_text(len(errors), total, "error"),
        option=_LIMIT,
    )


_NONE = Projection("", 0, 0, None, None, 0)


def _side(error: Instance, side: Projection | None, words: list[str]) -> str | None:
    """What one side has: the governor for an attachment, else the span."""
    if side is None:
        return None
    if error.kind is Kind.ATTACHMENT:
        return _short(side.governor or IN_SPINE)
    if error.kind in (Kind.FUNCTION, Kind.WORD_FUNCTION):
        return " ".join(side.functions or ()) or NONE
    if error.kind is Kind.SPAN_RIGHT:
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
    errors: Sequence[tuple[Instance, list[str]]],
) -> list[dict[str, Any]]:
    """Errors with everything known of them, for programs."""

    def side(projection: Projection | None) -> dict[str, Any] | None:
        if projection is None:
            return None
        record = projection._asdict()
        del record["row"]
        if projection.functions is None:
            del record["functions"]
        return record

    return [
        {
            "sentence": error.sentence,
            **({"id": error.id} if error.id else {}),
            "kind": error.kind.value,
            "construction": (error.gold or error.parsed or _NONE).construction,
            "word": error.word,
            "position": error.position,
            "gold": side(error.gold),
            "parsed": side(error.parsed),
            "words": words,
            **(
                {}
                if error.parsed_words is None
                else {"parsed_words": error.parsed_words}
            ),
        }
        for error, words in errors
    ]


def confusion_table(
    counts: Counter[tuple[str, str]], *, limit: int | None, notes: Sequence[str] = ()
) -> Table:
    """Gold construction x what the parser projects for that word instead."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rows = ordered[:limit]
    return table_of(
        "confusions",
        "What the parser has instead",
        "gold | parsed | count:count",
        [[*pair, count] for pair, count in rows],
        *notes,
        cut=hidden(len(ordered) - len(rows), "rarer pair"),
        option=_LIMIT,
    )


# -- trees of single sentences ---------------------------------------------------------


def shown_outlines(sentence: ShownSentence) -> list[Outline]:
    """What is drawn of each tree."""
    both = zip(sentence.trees, sentence.marks, strict=True)
    return [outline(tree, marks=marks) for tree, marks in both]


def shown_picture(sentence: ShownSentence) -> Picture:
    """The tree, or both of them."""
    if len(sentence.trees) == 1:
        title = f"sentence {numbered(sentence.number, sentence.id)}"
        return tree_picture(*shown_outlines(sentence), title=title)
    return pair_picture(*shown_outlines(sentence))


def shown_text(sentence: ShownSentence) -> str:
    """The same as text."""
    drawn = draw if len(sentence.trees) == 1 else side_by_side
    return drawn(*shown_outlines(sentence), width=100)


def error_html(row: ListedError) -> str:
    """An error as a notebook shows it: both trees, its brackets marked."""
    from html import escape

    error, trees = row.error, row.pair
    present = error.gold or error.parsed
    construction = f" of {present.construction}" if present else ""
    place = f"sentence {numbered(error.sentence, error.id)}"
    text = f"{error.kind.value}{construction} “{error.word}”, {place}"
    drawn = escape(" ".join(row.words))
    if trees is not None:
        sides = error.gold, error.parsed
        drawn = pair_picture(
            *(
                outline(tree, marks=[side.row] if side else [])
                for tree, side in zip(trees, sides, strict=True)
            ),
            captions=("what gold has", "what the parser has"),
        ).svg
    return f"<div><p>{escape(text)}</p>{drawn}</div>"


# -- edits, drawn ----------------------------------------------------------------------

_TITLES = ("before", "after")


def stage_text(stage: Stage, *, width: int, color: bool) -> str:
    """An edit as text."""
    drawing = side_by_side(
        *_both(stage), titles=_TITLES, width=width, color=color, legend=False
    )
    return f"{stage.text}\n\n{drawing}"


def stage_picture(stage: Stage) -> Picture:
    """An edit as a picture."""
    return pair_picture(
        *_both(stage), titles=_TITLES, captions=(stage.text, "after it")
    )


def _both(stage: Stage) -> tuple[Outline, Outline]:
    before, after = stage.trees()
    return (
        outline(before, marks=stage.before_marks),
        outline(after, marks=stage.after_marks),
    )
