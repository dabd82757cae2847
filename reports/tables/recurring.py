"""Annotation or parser? The differences that recur, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.formats.registry import Family
from analyzer.metrics.spine_differences import SpineDifference
from analyzer.safe_text import counted
from reports.model import Column, Table, percent

if TYPE_CHECKING:
    from analyzer.analyses.score import ConstructionScores
    from analyzer.analyses.system_conventions import SharedConvention
    from analyzer.metrics.recurring import Conventions

HEADING = "annotation or parser?"


def convention_lines(scores: ConstructionScores) -> list[str]:
    """Lines for below a table of scores; none if nothing stands out."""
    found = scores.conventions
    if not found:
        return []
    told = [*convention_texts(found, leaf_of(scores)), without_text(scores, found)]
    return [f"{HEADING} {text}" for text in told]


def leaf_of(scores: ConstructionScores) -> str:
    """What trees of this kind are made of."""
    return "word" if scores.deriver.family is Family.SYNTAX else "unit"


def convention_texts(found: Conventions, leaf: str = "word") -> list[str]:
    """What stands out, one text a difference."""
    texts = []
    for difference, words in found.differences.items():
        constructions = ", ".join(
            f"{row.construction} (gold {row.gold:,}, parsed {row.parsed:,})"
            for row in found.rows
            if row.difference == difference
        )
        texts.append(
            f"{constructions}: mostly one difference, on {counted(words, leaf)}: "
            f"{difference_text(difference, leaf)}"
        )
    return texts


def difference_text(difference: SpineDifference, leaf: str = "word") -> str:
    """What differs for a word.

    >>> difference_text(SpineDifference(("DNP-t",), ("CP-dec", "CP-mod")))
    'gold DNP-t is parsed as CP-dec and CP-mod'
    >>> difference_text(SpineDifference((), ("CP-mod",)))
    'the parser adds CP-mod; all else that the word projects is as in gold'
    """
    gold, parsed = " and ".join(difference.gold), " and ".join(difference.parsed)
    if gold and parsed:
        return f"gold {gold} is parsed as {parsed}"
    what = f"adds {parsed}" if parsed else f"leaves out {gold}"
    return f"the parser {what}; all else that the {leaf} projects is as in gold"


def without_text(scores: ConstructionScores, found: Conventions) -> str:
    """What these differences cost."""
    total = scores.total
    return (
        "these may be differences of annotation, not errors; without them "
        f"({percent(found.share_h, 1)} % of the F-h errors) F-h is "
        f"{percent(found.f_h, 1)} instead of {percent(total.f_h, 1)}, F-s "
        f"{percent(found.f_s, 1)} instead of {percent(total.f_s, 1)}"
    )


def convention_table(found: Conventions) -> Table:
    """One row for each construction that stands out."""
    return Table(
        name="conventions",
        columns=(
            Column("construction"),
            Column("gold", unit="count"),
            Column("parsed", unit="count"),
            Column("matched_h", "match-h", "count"),
            Column("in_gold", "gold has alone"),
            Column("in_parsed", "the parser has alone"),
            Column("words", unit="count"),
            Column("share", "% explained", "percent", 1),
        ),
        rows=[
            [
                row.construction,
                row.gold,
                row.parsed,
                row.matched_h,
                ", ".join(row.difference.gold) or "–",
                ", ".join(row.difference.parsed) or "–",
                row.words,
                row.share,
            ]
            for row in found.rows
        ],
    )


def shared_lines(found: Sequence[SharedConvention], leaf: str = "word") -> list[str]:
    """What several systems say about each difference that recurs."""
    return [f"{HEADING} {shared_text(one, leaf)}" for one in found]


def shared_text(one: SharedConvention, leaf: str = "word") -> str:
    """Whether systems agree against gold in a difference.

    >>> from analyzer.analyses.system_conventions import SharedConvention
    >>> added = SpineDifference((), ("S-mod",))
    >>> shared_text(SharedConvention(("S-mod",), added, {"a": 9}, ("b",), 9))
    'S-mod: only a differs from gold in this way (9 words), b does not: rather an \
error of a; the parser adds S-mod; all else that the word projects is as in gold'
    """
    names, others = list(one.systems), ", ".join(one.others)
    if one.is_shared:
        but = f" (not {others})" if others else ""
        verdict = (
            f"{', '.join(names[:-1])} and {names[-1]} differ from gold in the same way"
            f"{but}, all of them on {counted(one.words, leaf)}: rather a difference of "
            "annotation than errors"
        )
    else:
        words = counted(one.systems[names[0]], leaf)
        verdict = (
            f"only {names[0]} differs from gold in this way ({words}), {others} "
            f"{'do' if len(one.others) > 1 else 'does'} not: rather an error of "
            f"{names[0]}"
        )
    constructions = ", ".join(one.constructions)
    return f"{constructions}: {verdict}; {difference_text(one.difference, leaf)}"
