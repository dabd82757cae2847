"""Where the gap between two data sets comes from.

A total score is a mean of the constructions' scores, weighted by how frequent they
are. So the difference between two data sets splits, exactly, into

    distribution   constructions are more or less frequent:    (w - w0) (r0 - R0)
    accuracy       the parser does each better or worse:        w0 (r - r0)
    interaction    both at once:                              (w - w0) (r - r0)

per construction and in total (w: weight, r: score of a construction, R: total; 0 is
the reference). Weights sum to one, so measuring r0 against R0 changes no total: it
says that what is frequent hurts if the parser does it worse than average. The
accuracy part splits further, by what went wrong: the head, the right edge, or only
the left edge. All of it is computed in fractions, so that the parts add up. What both
scores would be without what looks like a difference of annotation is told beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from analyzer.analyses.score import ConstructionScores
from analyzer.metrics.constructions import ConstructionCounts
from analyzer.metrics.ratios import f_score, ratio
from analyzer.model.settings import require_choice

if TYPE_CHECKING:
    import pandas as pd

Measure = Literal["recall", "precision", "f_s"]
MEASURES: tuple[Measure, ...] = ("recall", "precision", "f_s")


@dataclass(frozen=True)
class Domain:
    """A data set and its scores."""

    name: str
    scores: ConstructionScores


class Losses(NamedTuple):
    """A construction's brackets under one measure, and what became of them.

    of = matched + head + right + left.
    """

    of: int
    matched: int
    head: int  # the head is not found
    right: int  # the head is, the right edge is not
    left: int  # only the left edge is wrong


_LOSSES: dict[Measure, Callable[[ConstructionCounts], Losses]] = {
    "recall": lambda c: Losses(
        c.gold,
        c.matched_s,
        c.gold - c.matched_h,
        c.matched_h - c.matched_span_right,
        c.matched_span_right - c.matched_s,
    ),
    "precision": lambda c: Losses(
        c.parsed,
        c.matched_s,
        c.parsed - c.matched_h,
        c.matched_h - c.matched_span_right,
        c.matched_span_right - c.matched_s,
    ),
    "f_s": lambda c: Losses(
        c.gold + c.parsed,
        2 * c.matched_s,
        c.gold + c.parsed - 2 * c.matched_h,
        2 * (c.matched_h - c.matched_span_right),
        2 * (c.matched_span_right - c.matched_s),
    ),
}


class Part(NamedTuple):
    """What one construction contributes to the gap; in total, the sums.

    accuracy = head + right + left; difference = distribution + accuracy + interaction.
    """

    construction: str
    difference: Fraction
    distribution: Fraction
    accuracy: Fraction
    interaction: Fraction
    head: Fraction
    right: Fraction
    left: Fraction


@dataclass(frozen=True)
class Split:
    """The gap between a domain and the reference under one measure."""

    measure: Measure
    reference: str
    domain: str
    reference_score: Fraction | None
    domain_score: Fraction | None
    parts: list[Part]  # biggest contributors first
    total: Part
    # Both scores without what looks like a difference of annotation, and which
    # constructions that is of: in the reference, in the domain.
    without: tuple[Fraction | None, Fraction | None] = (None, None)
    conventions: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    @property
    def gap_without(self) -> Fraction | None:
        """The gap without what looks like a difference of annotation."""
        reference, domain = self.without
        if reference is None or domain is None:
            return None
        return domain - reference

    def frame(self) -> pd.DataFrame:
        """The parts and the total, as numbers from -1 to 1."""
        import pandas as pd

        rows = [
            [part.construction, *(float(value) for value in part[1:])]
            for part in (*self.parts, self.total)
        ]
        return pd.DataFrame(rows, columns=Part._fields).set_index("construction")


def split_gap(reference: Domain, domain: Domain, measure: Measure = "f_s") -> Split:
    """Where the difference between a domain and the reference comes from.

    A construction that one side does not have keeps the other side's score: all it
    contributes is distribution.
    """
    require_choice("measure", measure, MEASURES)
    losses = _LOSSES[measure]
    here = {n: losses(c) for n, c in domain.scores.tally.constructions.items()}
    there = {n: losses(c) for n, c in reference.scores.tally.constructions.items()}
    here_all = sum(one.of for one in here.values())
    there_all = sum(one.of for one in there.values())
    here_score = _total_score(here.values(), here_all)
    there_score = _total_score(there.values(), there_all)
    names = sorted({*here, *there})
    if not here_all or not there_all:
        names = []  # nothing to compare with
    none = Losses(0, 0, 0, 0, 0)
    parts = [
        _part(
            name,
            here.get(name, none),
            there.get(name, none),
            here_all,
            there_all,
            there_score or Fraction(0),
        )
        for name in names
    ]
    columns = zip(*(part[1:] for part in parts), strict=True)
    sums = [sum(column, Fraction(0)) for column in columns] or [Fraction(0)] * 7
    parts.sort(key=lambda part: (-abs(part.difference), part.construction))
    found = [side.scores.conventions for side in (reference, domain)]
    return Split(
        measure,
        reference.name,
        domain.name,
        there_score,
        here_score,
        parts,
        Part("total", *sums),
        (_score_of(found[0].counts, losses), _score_of(found[1].counts, losses)),
        (found[0].names, found[1].names),
    )


def _score_of(
    counts: Mapping[str, ConstructionCounts],
    losses: Callable[[ConstructionCounts], Losses],
) -> Fraction | None:
    """The total score of some counts."""
    lost = [losses(one) for one in counts.values()]
    return _total_score(lost, sum(one.of for one in lost))


def _total_score(losses: Iterable[Losses], whole: int) -> Fraction | None:
    return Fraction(sum(one.matched for one in losses), whole) if whole else None


def _part(
    name: str,
    here: Losses,
    there: Losses,
    here_all: int,
    there_all: int,
    there_score: Fraction,
) -> Part:
    weight, weight0 = Fraction(here.of, here_all), Fraction(there.of, there_all)
    if not here.of:
        here = there
    elif not there.of:
        there = here
    if not here.of:
        return Part(name, *[Fraction(0)] * 7)
    rates = [Fraction(n, here.of) for n in here[1:]]
    rates0 = [Fraction(n, there.of) for n in there[1:]]
    change = rates[0] - rates0[0]
    distribution = (weight - weight0) * (rates0[0] - there_score)
    accuracy = weight0 * change
    interaction = (weight - weight0) * change
    # A loss that grows takes from the score: hence the signs.
    head, right, left = (
        -weight0 * (now - before)
        for now, before in zip(rates[1:], rates0[1:], strict=True)
    )
    return Part(
        name,
        distribution + accuracy + interaction,
        distribution,
        accuracy,
        interaction,
        head,
        right,
        left,
    )


class CumulativePoint(NamedTuple):
    """A point of the paper's Figure 6."""

    construction: str
    share: float  # of gold brackets, this construction and all more frequent ones
    f_h: float | None
    f_s: float | None


def cumulative(scores: ConstructionScores) -> list[CumulativePoint]:
    """F-h and F-s over the most frequent constructions, one more at each point."""
    points = []
    sums = ConstructionCounts()
    for row in scores.rows:
        sums = sums.plus(scores.tally.constructions[row.construction])
        points.append(
            CumulativePoint(
                row.construction,
                ratio(sums.gold, scores.tally.brackets.gold) or 0.0,
                f_score(sums.matched_h, sums.gold, sums.parsed),
                f_score(sums.matched_s, sums.gold, sums.parsed),
            )
        )
    return points
