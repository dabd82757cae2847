"""Notes below tables: what recurs (annotation or parser?), what is left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from analyzer.formats.registry import Family
from analyzer.pairing.ledger import LeftOut
from analyzer.safe_text import counted
from reports.model import (
    Table,
    hidden,
    percent,
    table_of,
)

if TYPE_CHECKING:
    from analyzer.analyses.score import ConstructionScores
    from analyzer.analyses.systems import SharedConvention
    from analyzer.metrics.recurring import Conventions
    from analyzer.metrics.spine_differences import SpineDifference
    from analyzer.transform.relations import RelationHint

HEADING = "annotation or parser?"


def convention_lines(scores: ConstructionScores) -> list[str]:
    """Lines for below a table of scores; none if nothing stands out."""
    conventions = scores.conventions
    if not conventions:
        return []
    texts = [
        *convention_texts(conventions, leaf_of(scores)),
        without_text(scores, conventions),
    ]
    return [f"{HEADING} {text}" for text in texts]


def leaf_of(scores: ConstructionScores) -> str:
    """What trees of this kind are made of."""
    return "word" if scores.deriver.family is Family.SYNTAX else "unit"


def convention_texts(conventions: Conventions, leaf: str = "word") -> list[str]:
    """What stands out, one text a difference."""
    return [
        f"{row.construction} (gold {row.gold:,}, parsed {row.parsed:,}): mostly one "
        f"difference, on {counted(row.words, leaf)}: {difference_text(row.difference)}"
        for row in conventions.rows
    ]


def difference_text(difference: SpineDifference) -> str:
    """What differs for a word.

    >>> from analyzer.metrics.spine_differences import SpineDifference
    >>> difference_text(SpineDifference(("DNP-t",), ("CP-dec", "CP-mod")))
    'gold DNP-t is parsed as CP-dec and CP-mod'
    >>> difference_text(SpineDifference((), ("CP-mod",)))
    'the parser adds CP-mod, and gold has nothing else instead'
    """
    gold, parsed = " and ".join(difference.gold), " and ".join(difference.parsed)
    if gold and parsed:
        return f"gold {gold} is parsed as {parsed}"
    if parsed:
        return f"the parser adds {parsed}, and gold has nothing else instead"
    return f"the parser leaves out {gold}, and has nothing else instead"


def without_text(scores: ConstructionScores, conventions: Conventions) -> str:
    """What these differences cost."""
    total = scores.total
    return (
        "these may be differences of annotation, not errors; without them "
        f"({percent(conventions.share_h, 1)} % of the F-h errors) F-h is "
        f"{percent(conventions.f_h, 1)} instead of {percent(total.f_h, 1)}, F-s "
        f"{percent(conventions.f_s, 1)} instead of {percent(total.f_s, 1)}"
    )


def convention_table(conventions: Conventions) -> Table:
    """One row for each construction that stands out."""
    return table_of(
        "conventions",
        "",
        "construction | gold:count | parsed:count | matched_h:count=match-h | "
        "in_gold=gold has alone | in_parsed=the parser has alone | words:count | "
        "share:percent.1=% explained",
        [
            [
                *(row.construction, row.gold, row.parsed, row.matched_h),
                *(", ".join(side) or "–" for side in row.difference),
                *(row.words, row.share),
            ]
            for row in conventions.rows
        ],
    )


def shared_lines(
    conventions: Sequence[SharedConvention], leaf: str = "word"
) -> list[str]:
    """What several systems say about each difference that recurs."""
    return [f"{HEADING} {shared_text(convention, leaf)}" for convention in conventions]


def shared_text(convention: SharedConvention, leaf: str = "word") -> str:
    """Whether systems agree against gold in a difference.

    >>> from analyzer.analyses.systems import SharedConvention
    >>> from analyzer.metrics.spine_differences import SpineDifference
    >>> added = SpineDifference((), ("S-mod",))
    >>> shared_text(SharedConvention(("S-mod",), added, {"a": 9}, ("b",), 9))
    'S-mod: only a differs from gold in this way (9 words), b does not: rather an \
error of a; the parser adds S-mod, and gold has nothing else instead'
    """
    names, others = list(convention.systems), ", ".join(convention.others)
    if convention.is_shared:
        but = f" (not {others})" if others else ""
        verdict = (
            f"{', '.join(names[:-1])} and {names[-1]} differ from gold in the same way"
            f"{but}, all of them on {counted(convention.words, leaf)}: probably a "
            "difference of annotation, not errors"
        )
    else:
        words = counted(convention.systems[names[0]], leaf)
        verdict = (
            f"only {names[0]} differs from gold in this way ({words}), {others} "
            f"{'do' if len(convention.others) > 1 else 'does'} not: rather an error of "
            f"{names[0]}"
        )
    constructions = ", ".join(convention.constructions)
    return f"{constructions}: {verdict}; {difference_text(convention.difference)}"


# -- what a table does not show: notes below it and in JSON ----------------------------

_NOTICED = 0.0005  # of F1


def hidden_rows(rows: Sequence[object], shown: Sequence[object]) -> str:
    """What is said of constructions that only the total of a table has, if any."""
    text = hidden(len(rows) - len(shown), "construction")
    return f"{text}, but in the total" if text else ""


def zero_notes(f1: float | None, if_zero: float | None, measure: str) -> list[str]:
    """A line if leaving out moves the F1 so that it can be seen; else none."""
    if f1 is None or if_zero is None or abs(f1 - if_zero) <= _NOTICED:
        return []
    how = "--on-mismatch zero"
    if measure == "evalb":  # EDUs are not aligned
        how += "; align scores the words that parse and gold share"
    return [
        f"what was left out changes {measure} F1: {percent(f1)} without it, "
        f"{percent(if_zero)} if parses that are left out count as empty ({how})"
    ]


def left_out_records(left_out: Iterable[LeftOut]) -> list[dict[str, Any]]:
    """Sentences or documents that were not compared, and why, as JSON has them."""
    return [
        {"document": item.document, "reason": item.error.message}
        if item.document
        else {
            "sentence": item.sentence,
            **({"id": id} if (id := _id(item)) else {}),
            "reason": item.reason.value,
            "message": str(item.error),
        }
        for item in left_out
    ]


def _id(item: LeftOut) -> str:
    """What the file calls the sentence."""
    return item.error.place.id if item.error.place else ""


def relation_labels_json(hint: RelationHint | None) -> dict[str, Any]:
    """What is to be said of the relation labels of documents, if anything is."""
    return {} if hint is None else {"relation_labels": hint._asdict()}
