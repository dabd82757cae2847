"""Rows of the paper's tables: the ratios of a construction from its counts."""

from __future__ import annotations

from typing import NamedTuple

from analyzer.metrics.constructions import ConstructionCounts
from analyzer.metrics.ratios import f_score, ratio

TOTAL = "total"


class ConstructionRow(NamedTuple):
    """A line of the paper's Table 2, counts and ratios; None where undefined."""

    construction: str
    recursive: bool
    gold: int
    parsed: int
    matched_h: int
    matched_s: int
    matched_att: int | None
    matched_span_right: int
    matched_span_left: int
    share_gold: float | None
    f_h: float | None
    f_s: float | None
    att: float | None
    span_right: float | None
    span_left: float | None
    precision_h: float | None
    recall_h: float | None
    precision_s: float | None
    recall_s: float | None


class SentenceRow(NamedTuple):
    """The counts of a sentence."""

    sentence: int
    scored: int  # 1, or 0 for a sentence that was left out
    gold: int
    parsed: int
    matched_h: int
    matched_s: int
    evalb_matched: int


class Reconciliation(NamedTuple):
    """Where evalb's matched brackets go; the four add up to them."""

    same_head_same_construction: int
    same_head_other_construction: int
    other_head: int
    wrapper: int  # around a whole tree (such as ROOT): they have no construction


def row_of(
    name: str, counts: ConstructionCounts, is_recursive: bool, total_gold: int
) -> ConstructionRow:
    """The ratios of a construction from its counts (Kulick et al. 2014, Table 2)."""
    return ConstructionRow(
        construction=name,
        recursive=is_recursive,
        gold=counts.gold,
        parsed=counts.parsed,
        matched_h=counts.matched_h,
        matched_s=counts.matched_s,
        matched_att=None if is_recursive else counts.matched_att,
        matched_span_right=counts.matched_span_right,
        matched_span_left=counts.matched_span_left,
        share_gold=ratio(counts.gold, total_gold),
        f_h=f_score(counts.matched_h, counts.gold, counts.parsed),
        f_s=f_score(counts.matched_s, counts.gold, counts.parsed),
        att=None if is_recursive else ratio(counts.matched_att, counts.matched_h),
        span_right=ratio(counts.matched_span_right, counts.matched_h),
        span_left=ratio(counts.matched_span_left, counts.matched_h),
        precision_h=ratio(counts.matched_h, counts.parsed),
        recall_h=ratio(counts.matched_h, counts.gold),
        precision_s=ratio(counts.matched_s, counts.parsed),
        recall_s=ratio(counts.matched_s, counts.gold),
    )
