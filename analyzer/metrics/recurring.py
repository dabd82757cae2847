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
    the same   more than MAINLY of the cases are in words of which that side has nothing
               else alone but recursive constructions, or others that stand out; in
               more than MAINLY of these, and more than SURELY of all, the other side
               has the same alone instead: nothing, or the same constructions
    the rest   F-h is LEAST_F_H or more: where little agrees nothing stands out
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
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
SURELY = 1 / 3
LEAST_F_H = 0.5

Side = Literal["gold", "parsed"]


class Recurring(NamedTuple):
    """A construction that one side has alone, and what the other has alone instead.

    Both for one word. Whatever else the first side has alone there is another matter.
    """

    construction: str
    often_in: Side
    instead: tuple[str, ...]

    @property
    def difference(self) -> SpineDifference:
        """The same as the difference of a word that differs in nothing else."""
        own = (self.construction,)
        gold, parsed = (own, self.instead)[:: 1 if self.often_in == "gold" else -1]
        return SpineDifference(gold, parsed)

    def times_in(self, difference: SpineDifference) -> int:
        """How often it is in the difference of a word."""
        own, other = difference[:: 1 if self.often_in == "gold" else -1]
        return own.count(self.construction) if other == self.instead else 0


class ConventionRow(NamedTuple):
    """A construction that one side has often and the other hardly ever."""

    construction: str
    gold: int
    parsed: int
    matched_h: int
    often_in: Side
    alone: int  # how often that side has it and the other not
    p_value: float  # before correction
    instead: tuple[str, ...]  # what the other side mostly has alone in these words
    words: int  # where it has exactly this
    share: float  # of `alone`, what is in these words

    @property
    def recurring(self) -> Recurring:
        return Recurring(self.construction, self.often_in, self.instead)

    @property
    def difference(self) -> SpineDifference:
        """What mostly differs: what gold has alone, and what the parser has."""
        return self.recurring.difference


@dataclass(frozen=True)
class Conventions:
    """Constructions that look like a difference of annotation, and what they cost."""

    rows: list[ConventionRow]
    whole: Mapping[str, ConstructionCounts]  # all constructions, everything counted
    # Words by what their spines differ in.
    spines: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.rows)

    def only(self, differences: Collection[SpineDifference]) -> Conventions:
        """Those that some differences are behind."""
        chosen = [row for row in self.rows if row.difference in differences]
        return replace(self, rows=chosen)

    @property
    def names(self) -> tuple[str, ...]:
        """The constructions, those that most differs of first."""
        return tuple(row.construction for row in self.rows)

    @property
    def recurring(self) -> list[Recurring]:
        """What recurs, in the order of the rows."""
        return [row.recurring for row in self.rows]

    @property
    def _explained(self) -> list[tuple[SpineDifference, int]]:
        return explained(self.spines, self.recurring)

    @property
    def words(self) -> int:
        """How many words have one of these differences."""
        return sum(words for _, words in self._explained)

    @property
    def counts(self) -> dict[str, ConstructionCounts]:
        """The counts without these differences."""
        return counts_without(self.whole, self.spines, self.recurring)

    @property
    def errors(self) -> int:
        """Brackets that only one side has, by these differences."""
        return sum(difference.size * words for difference, words in self._explained)

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
            del record["instead"]
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


def explained(
    spines: Mapping[str, int], recurring: Collection[Recurring]
) -> list[tuple[SpineDifference, int]]:
    """The parts of differences that recur, each with the number of words that have it.

    >>> both = SpineDifference(("S-crd", "VP-mod"), ())
    >>> explained({both.text: 3}, [Recurring("VP-mod", "gold", ())])
    [(SpineDifference(gold=('VP-mod',), parsed=()), 3)]
    """
    differences = []
    for text, words in spines.items():
        difference = SpineDifference.of_text(text)
        parts: dict[Side, set[str]] = {"gold": set(), "parsed": set()}
        for convention in recurring:
            if convention.times_in(difference):
                other: Side = "parsed" if convention.often_in == "gold" else "gold"
                parts[convention.often_in].add(convention.construction)
                parts[other].update(convention.instead)
        if any(parts.values()):
            sides = zip(difference, parts.values(), strict=True)
            part = [tuple(n for n in side if n in names) for side, names in sides]
            differences.append((SpineDifference(*part), words))
    return differences


def counts_without(
    whole: Mapping[str, ConstructionCounts],
    spines: Mapping[str, int],
    recurring: Collection[Recurring],
) -> dict[str, ConstructionCounts]:
    """The counts if the words that have some differences made no errors by them.

    What only one side has there is neither missed nor spurious: it is not counted.
    """
    left = dict(whole)
    for difference, words in explained(spines, recurring):
        for name, times in Counter(difference.gold).items():
            gold = left[name].gold - times * words
            left[name] = left[name]._replace(gold=gold)
        for name, times in Counter(difference.parsed).items():
            parsed = left[name].parsed - times * words
            left[name] = left[name]._replace(parsed=parsed)
    return left


def _never(_: str) -> bool:
    return False


def find_conventions(
    tally: Tally, recurs: Callable[[str], bool] = _never
) -> Conventions:
    """What looks like a difference of annotation in these counts.

    `recurs` says which constructions are recursive.

    >>> counts = {"NP-t": ConstructionCounts(900, 900, 880, 870)}
    >>> counts["CP-mod"] = ConstructionCounts(2, 90, 1, 1)
    >>> added = SpineDifference((), ("CP-mod",))
    >>> tally = Tally(counts, differences=Counter({added.text: 80}))
    >>> conventions = find_conventions(tally)
    >>> [(row.construction, row.words, round(row.share, 2)) for row in conventions.rows]
    [('CP-mod', 80, 0.9)]
    >>> round(conventions.f_h, 3)
    0.972
    """
    counts = tally.constructions
    total = _summed(counts.values())
    rows: list[ConventionRow] = []
    if (f_score(total.matched_h, total.gold, total.parsed) or 0.0) >= LEAST_F_H:
        rows = _rows(tally, total, recurs)
    return Conventions(rows, counts, tally.differences)


def _rows(
    tally: Tally, total: ConstructionCounts, recurs: Callable[[str], bool]
) -> list[ConventionRow]:
    counts = tally.constructions
    wrong = [name for name, count in counts.items() if _errors(count)]
    suspects = {
        name: p_value
        for name in wrong
        if _is_lopsided(counts[name], total)
        and (p_value := chance(counts[name])) * len(wrong) < LEVEL
    }
    if not suspects:
        return []
    sides = {name: _often_in(counts[name]) for name in suspects}
    differences = [
        (SpineDifference.of_text(text), words)
        for text, words in tally.differences.items()
    ]
    rows = []
    for name, side in sides.items():
        own = counts[name]
        alone = getattr(own, side) - own.matched_h
        others = {
            other
            for other in counts
            if recurs(other) or sides.get(other) == side  # which is another matter
        }
        apart = _instead(name, side, differences, others)
        instead, held = max(apart.items(), key=lambda item: item[1], default=((), 0))
        if held <= SURELY * alone or held <= MAINLY * apart.total():
            continue
        if apart.total() <= MAINLY * alone:
            continue
        key = Recurring(name, side, instead)
        times = [(key.times_in(difference), words) for difference, words in differences]
        rows.append(
            ConventionRow(
                *(name, own.gold, own.parsed, own.matched_h, side, alone),
                p_value=suspects[name],
                instead=instead,
                words=sum(words for number, words in times if number),
                share=sum(number * words for number, words in times) / alone,
            )
        )
    return sorted(rows, key=lambda row: (-row.alone, row.construction))


def is_one_sided(recurring: Recurring, tally: Tally) -> bool:
    """Whether one side has the construction often there, the other rarely."""
    counts = tally.constructions.get(recurring.construction, ConstructionCounts())
    return _often_in(counts) == recurring.often_in and _is_rare(counts)


def _is_rare(counts: ConstructionCounts) -> bool:
    return min(counts.gold, counts.parsed) <= RARELY * max(counts.gold, counts.parsed)


def _is_lopsided(counts: ConstructionCounts, total: ConstructionCounts) -> bool:
    side = _often_in(counts)
    return _is_rare(counts) and getattr(counts, side) >= OFTEN * getattr(total, side)


def _instead(
    name: str,
    side: Side,
    differences: Iterable[tuple[SpineDifference, int]],
    others: Collection[str],
) -> Counter[tuple[str, ...]]:
    """What the other side has instead of a construction of one side, and how often.

    Only words count of which this side has nothing else alone, except `others`.
    """
    instead: Counter[tuple[str, ...]] = Counter()
    for difference, words in differences:
        own, other = difference[:: 1 if side == "gold" else -1]
        if name in own and all(
            construction == name or construction in others for construction in own
        ):
            instead[other] += words * own.count(name)
    return instead


def _often_in(counts: ConstructionCounts) -> Side:
    return "gold" if counts.gold > counts.parsed else "parsed"


def _errors(counts: ConstructionCounts) -> int:
    return counts.gold + counts.parsed - 2 * counts.matched_h


def _summed(counts: Iterable[ConstructionCounts]) -> ConstructionCounts:
    return total_of(list(counts), ConstructionCounts())


def chance(counts: ConstructionCounts) -> float:
    """How likely errors are to go one way as often as here, or oftener.

    One-sided: each error is missed or spurious with probability one half.

    >>> chance(ConstructionCounts(gold=10, parsed=0)) == 2**-10
    True
    >>> round(chance(ConstructionCounts(gold=6, parsed=5)), 3)
    0.5
    """
    missed, spurious = counts.gold - counts.matched_h, counts.parsed - counts.matched_h
    n, k = missed + spurious, max(missed, spurious)
    log = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    term = math.exp(log - n * math.log(2))
    total = 0.0
    while term > total * 1e-17 and k <= n:
        total += term
        term *= (n - k) / (k + 1)
        k += 1
    return total
