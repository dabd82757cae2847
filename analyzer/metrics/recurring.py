"""Annotation or parser? Differences that recur are rather of convention than errors.

Errors go both ways: a parser misses a construction here and invents it there. If one
side has a construction often, the other (nearly) never, and what the other side has
instead is nearly always the same, then gold and parser follow different rules. Five
conditions, all of them about counts that F-h is made of (docs/scores.md argues them):

    often      the side that has it more has it for OFTEN of its brackets, or more
    rarely     the other side has it at most RARELY times as often
    chance     were errors as likely to go either way (a binomial test with p = 1/2, as
               McNemar's), so many would go this way with less than LEVEL, divided by
               the number of constructions that some error is of (Bonferroni)
    the same   in more than MAINLY of the cases the spines of the word differ in the
               same: what gold alone has, and what the parser alone has
    the rest   F-h is LEAST_F_H or more: where little agrees nothing stands out
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from analyzer.metrics.constructions import ConstructionCounts, Tally
from analyzer.metrics.counts import total_of
from analyzer.metrics.ratios import f_score, ratio
from analyzer.metrics.spine_differences import SpineDifference

if TYPE_CHECKING:
    import pandas as pd

OFTEN = 0.005
RARELY = 1 / 3
LEVEL = 0.001
MAINLY = 0.5
LEAST_F_H = 0.5

Side = Literal["gold", "parsed"]


class ConventionRow(NamedTuple):
    """A construction that one side has often and the other hardly ever."""

    construction: str
    gold: int
    parsed: int
    matched_h: int
    often_in: Side
    alone: int  # how often that side has it and the other not
    p_value: float  # before correction
    difference: SpineDifference  # what mostly differs for the words in question
    words: int  # that differ in exactly this
    share: float  # of `alone`, what is in these words


@dataclass(frozen=True)
class Conventions:
    """Constructions that look like a difference of annotation, and what they cost."""

    rows: list[ConventionRow]
    whole: Mapping[str, ConstructionCounts]  # all constructions, everything counted

    def __bool__(self) -> bool:
        return bool(self.rows)

    def only(self, differences: Collection[SpineDifference]) -> Conventions:
        """Those that some differences are behind."""
        chosen = [row for row in self.rows if row.difference in differences]
        return Conventions(chosen, self.whole)

    @property
    def names(self) -> tuple[str, ...]:
        """The constructions, those that most differs of first."""
        return tuple(row.construction for row in self.rows)

    @property
    def differences(self) -> dict[SpineDifference, int]:
        """The recurring differences, and how many words have each."""
        return {row.difference: row.words for row in self.rows}

    @property
    def words(self) -> int:
        """How many words have one of these differences."""
        return sum(self.differences.values())

    @property
    def counts(self) -> dict[str, ConstructionCounts]:
        """The counts without these differences."""
        return counts_without(self.whole, self.differences)

    @property
    def errors(self) -> int:
        """Brackets that only one side has, by these differences."""
        return sum(one.size * words for one, words in self.differences.items())

    @property
    def share_h(self) -> float | None:
        """Their share of all brackets without an F-h match."""
        total = _summed(self.whole.values())
        return ratio(self.errors, _errors(total))

    @property
    def share_s(self) -> float | None:
        """Their share of all brackets without an F-s match."""
        total = _summed(self.whole.values())
        return ratio(self.errors, total.gold + total.parsed - 2 * total.matched_s)

    @property
    def f_h(self) -> float | None:
        """F-h without them."""
        return f_score(*self._without("matched_h"))

    @property
    def f_s(self) -> float | None:
        """F-s without them."""
        return f_score(*self._without("matched_s"))

    def _without(self, matched: str) -> tuple[int, int, int]:
        left = _summed(self.counts.values())
        return getattr(left, matched), left.gold, left.parsed

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame, indexed by construction."""
        import pandas as pd

        frame = pd.DataFrame(self.rows, columns=ConventionRow._fields)
        return frame.set_index("construction")

    def as_json(self) -> dict[str, object]:
        """As `conventions` in the JSON of scores; see docs/json.md."""
        rows = []
        for row in self.rows:
            record = row._asdict()
            record["difference"] = {
                side: list(names) for side, names in row.difference._asdict().items()
            }
            rows.append(record)
        return {
            "rows": rows,
            "words": self.words,
            "errors": self.errors,
            "share_h": self.share_h,
            "share_s": self.share_s,
            "f_h_without": self.f_h,
            "f_s_without": self.f_s,
        }


def counts_without(
    whole: Mapping[str, ConstructionCounts], words_of: Mapping[SpineDifference, int]
) -> dict[str, ConstructionCounts]:
    """The counts if the words that have some differences made no errors by them.

    What only one side has there is neither missed nor spurious: it is not counted.
    """
    left = dict(whole)
    for one, words in words_of.items():
        if not words:
            continue
        for name, times in Counter(one.gold).items():
            gold = left[name].gold - times * words
            left[name] = left[name]._replace(gold=gold)
        for name, times in Counter(one.parsed).items():
            parsed = left[name].parsed - times * words
            left[name] = left[name]._replace(parsed=parsed)
    return left


def find_conventions(tally: Tally) -> Conventions:
    """What looks like a difference of annotation in these counts.

    >>> counts = {"NP-t": ConstructionCounts(900, 900, 880, 870)}
    >>> counts["CP-mod"] = ConstructionCounts(2, 90, 1, 1)
    >>> added = SpineDifference((), ("CP-mod",))
    >>> found = find_conventions(Tally(counts, differences=Counter({added.text: 80})))
    >>> [(row.construction, row.words, round(row.share, 2)) for row in found.rows]
    [('CP-mod', 80, 0.9)]
    >>> round(found.f_h, 3)
    0.972
    """
    counts = tally.constructions
    total = _summed(counts.values())
    rows: list[ConventionRow] = []
    if (f_score(total.matched_h, total.gold, total.parsed) or 0.0) >= LEAST_F_H:
        rows = _rows(tally, total)
    return Conventions(rows, counts)


def _rows(tally: Tally, total: ConstructionCounts) -> list[ConventionRow]:
    counts = tally.constructions
    wrong = [name for name, one in counts.items() if _errors(one)]
    suspects = {
        name: p_value
        for name in wrong
        if _is_lopsided(counts[name], total)
        and (p_value := chance(counts[name])) * len(wrong) < LEVEL
    }
    if not suspects:
        return []
    mostly = _main_differences(suspects, counts, tally.differences)
    rows = []
    for name, p_value in suspects.items():
        one = counts[name]
        side = _often_in(one)
        alone = getattr(one, side) - one.matched_h
        difference, words = mostly.get(name, (SpineDifference((), ()), 0))
        share = words * getattr(difference, side).count(name) / alone
        if share > MAINLY:
            rows.append(
                ConventionRow(
                    name,
                    one.gold,
                    one.parsed,
                    one.matched_h,
                    side,
                    alone,
                    p_value,
                    difference,
                    words,
                    share,
                )
            )
    return sorted(rows, key=lambda row: (-row.alone, row.construction))


def _is_lopsided(one: ConstructionCounts, total: ConstructionCounts) -> bool:
    side = _often_in(one)
    often, rare = max(one.gold, one.parsed), min(one.gold, one.parsed)
    return rare <= RARELY * often and often >= OFTEN * getattr(total, side)


def _main_differences(
    names: Iterable[str],
    counts: Mapping[str, ConstructionCounts],
    differences: Mapping[str, int],
) -> dict[str, tuple[SpineDifference, int]]:
    """Of each construction, the difference that holds most of its errors."""
    sides = {name: _often_in(counts[name]) for name in names}
    best: dict[str, tuple[SpineDifference, int]] = {}
    held: dict[str, int] = {}
    for text, words in differences.items():
        difference = SpineDifference.of_text(text)
        for name in {*difference.gold, *difference.parsed} & sides.keys():
            times = getattr(difference, sides[name]).count(name) * words
            if times > held.get(name, 0):
                held[name] = times
                best[name] = difference, words
    return best


def _often_in(one: ConstructionCounts) -> Side:
    return "gold" if one.gold > one.parsed else "parsed"


def _errors(one: ConstructionCounts) -> int:
    return one.gold + one.parsed - 2 * one.matched_h


def _summed(counts: Iterable[ConstructionCounts]) -> ConstructionCounts:
    return total_of(list(counts), ConstructionCounts())


def chance(one: ConstructionCounts) -> float:
    """How likely errors are to go one way as often as here, or oftener.

    One-sided: each error is missed or spurious with probability one half.

    >>> chance(ConstructionCounts(gold=10, parsed=0)) == 2**-10
    True
    >>> round(chance(ConstructionCounts(gold=6, parsed=5)), 3)
    0.5
    """
    missed, spurious = one.gold - one.matched_h, one.parsed - one.matched_h
    n, k = missed + spurious, max(missed, spurious)
    log = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    term = math.exp(log - n * math.log(2))
    total = 0.0
    while term > total * 1e-17 and k <= n:
        total += term
        term *= (n - k) / (k + 1)
        k += 1
    return total
