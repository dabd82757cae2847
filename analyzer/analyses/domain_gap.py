"""Several data sets side by side, and where the gap between two comes from.

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

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import starmap
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar, Unpack

import numpy as np

from analyzer.analyses.causes import count_causes
from analyzer.analyses.compared import Result, frame_of, run_count, shared_notes
from analyzer.analyses.functions import FunctionScores
from analyzer.analyses.opening import (
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
    name_of,
    scoring_keywords,
)
from analyzer.analyses.score import (
    ConstructionScores,
    ScoreCounts,
    construction_scores,
    score_derived,
    tally_and_units,
)
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import Place, SettingsError
from analyzer.metrics.constructions import (
    COUNTS,
    Comparison,
    ConstructionCounts,
    Tally,
)
from analyzer.metrics.counts import plus
from analyzer.metrics.intervals import (
    SEED,
    UNKNOWN,
    Interval,
    Units,
    lost_half_units,
    percentiles,
    ratios_of,
)
from analyzer.metrics.measures import TOTAL, Row
from analyzer.metrics.ratios import f_score, ratio
from analyzer.metrics.recurring import (
    Recurring,
    counts_without,
    explained,
    find_conventions,
    is_one_sided,
)
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Floats, Ints
from analyzer.model.settings import require_choice
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import NO_GROUP, NOTHING_LEFT_OVER, Ledger, total
from analyzer.pairing.tasks import groups_of
from analyzer.runtime.executor import Backend

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

    of = matched + head + right + left. Numbers; or arrays of units, or of resamples, x
    constructions.
    """

    of: Any
    matched: Any
    head: Any  # the head is not found
    right: Any  # the head is, the right edge is not
    left: Any  # only the left edge is wrong


_Lost = dict[str, Losses]  # by construction


def _losses(counts: Mapping[str, ConstructionCounts], measure: Measure) -> _Lost:
    """What became of the brackets of each construction; F-s counts a match twice."""
    return {
        name: _losses_of(dict(zip(COUNTS, numbers, strict=True)), measure)
        for name, numbers in counts.items()
    }


def _losses_of(counts: Mapping[str, Any], measure: Measure) -> Losses:
    """Losses of numbers, or of arrays of them."""
    gold, parsed = counts["gold"], counts["parsed"]
    of = {"recall": gold, "precision": parsed}.get(measure, gold + parsed)
    times = 2 if measure == "f_s" else 1
    names = ("matched_h", "matched_span_right", "matched_s")
    head, right, both = (times * counts[name] for name in names)
    return Losses(of, both, of - head, head - right, right - both)


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


class CausePart(NamedTuple):
    """What one cause contributes to the accuracy part of a construction.

    Those of a construction and kind sum to that kind's part.
    """

    construction: str
    kind: str  # head, right, left
    cause: str
    points: Fraction
    reference: int  # misses there, and in the domain
    domain: int


Intervals = Mapping[str, Mapping[str, Interval]]  # by construction and field of Part


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
    # Both scores without what looks like a difference of annotation on either side,
    # and which constructions that is of: in the reference, in the domain.
    without: tuple[Fraction | None, Fraction | None] = (None, None)
    conventions: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    causes: list[CausePart] = field(default_factory=list)  # if counted, largest first

    @property
    def summed_causes(self) -> list[CausePart]:
        """The causes over all constructions, those that change the score most first."""
        summed: dict[tuple[str, str], CausePart] = {}
        for part in self.causes:
            key = part.kind, part.cause
            known = summed.get(key, CausePart("total", *key, Fraction(0), 0, 0))
            summed[key] = known._replace(
                points=known.points + part.points,
                reference=known.reference + part.reference,
                domain=known.domain + part.domain,
            )
        return _largest_first(summed.values())

    # Of each part, and of the total: where its numbers lie.
    intervals: Intervals = field(default_factory=dict)

    def interval(self, part: Part, name: str = "difference") -> Interval:
        """Where a number of a part, or of the total, lies."""
        return self.intervals.get(part.construction, {}).get(name, UNKNOWN)

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
    here, there = (
        _losses(side.scores.tally.constructions, measure)
        for side in (domain, reference)
    )
    here_all, there_all = (sum(n.of for n in side.values()) for side in (here, there))
    here_score, there_score = _total_score(here), _total_score(there)
    names = sorted({*here, *there})
    if not here_all or not there_all:
        names = []  # nothing to compare with
    none = Losses(0, 0, 0, 0, 0)
    exact_here, exact_there = (
        np.array([list(map(Fraction, side.get(name, none))) for name in names], object)
        for side in (here, there)
    )
    columns = _part_columns(list(exact_here.T), list(exact_there.T)) if names else []
    parts = [Part(*row) for row in zip(names, *columns, strict=True)]
    sums = [sum(column, Fraction(0)) for column in columns] or [Fraction(0)] * 7
    parts.sort(key=lambda part: (-abs(part.difference), part.construction))
    # What is found on one side, or on both together, is left out on both: else a gap
    # would be made of it.
    tallies = reference.scores.tally, domain.scores.tally
    recurs = reference.scores.deriver.constructions.recurs
    recurring = dict.fromkeys(
        convention
        for tally in (*tallies, plus(*tallies))
        for convention in find_conventions(tally, recurs).recurring
    )
    without = [_score_without(tally, list(recurring), measure) for tally in tallies]
    one_sided = [
        dict.fromkeys(
            convention.construction
            for convention in recurring
            if is_one_sided(convention, tally)
            and explained(tally.differences, [convention])
        )
        for tally in tallies
    ]
    causes = [
        part
        for name in names
        if here.get(name, none).of and there.get(name, none).of
        for part in _cause_parts(
            *(name, here[name], there[name], there_all, measure, reference, domain)
        )
    ]
    return Split(
        measure,
        reference.name,
        domain.name,
        there_score,
        here_score,
        parts,
        Part("total", *sums),
        (without[0], without[1]),
        (tuple(one_sided[0]), tuple(one_sided[1])),
        _largest_first(causes),
        gap_intervals(reference.scores, domain.scores, measure),
    )


def _largest_first(parts: Iterable[CausePart]) -> list[CausePart]:
    return sorted(parts, key=lambda part: (-abs(part.points), *part[:3]))


# Kinds of error -> the causes that make them; what each is told as.
_HEADS = {"missed": "missed: {} instead", "spurious": "spurious: gold has {}"}
_CAUSES: dict[str, dict[str, str]] = {
    "head": _HEADS,
    "right": {"right": "{}"},
    "left": {"left_only": "{}"},
}


def _cause_parts(
    name: str,
    here: Losses,
    there: Losses,
    there_all: int,
    measure: Measure,
    reference: Domain,
    domain: Domain,
) -> list[CausePart]:
    """What each cause contributes to the accuracy part of a construction."""
    sides = [side.scores.causes for side in (reference, domain)]
    if sides[0] is None or sides[1] is None:
        return []
    unseen = {"recall": "spurious", "precision": "missed"}.get(measure)
    weight = Fraction(there.of, there_all)
    parts = []
    for kind, causes in _CAUSES.items():
        times = 2 if measure == "f_s" and kind != "head" else 1
        for of_cause, text in causes.items():
            if of_cause == unseen:
                continue
            counts = [side.by_kind(name, of_cause) for side in sides if side]
            for cause in {**counts[0], **counts[1]}:
                before, now = (of_side[cause] for of_side in counts)
                change = Fraction(now, here.of) - Fraction(before, there.of)
                points = -weight * times * change
                parts.append(
                    CausePart(name, kind, text.format(cause), points, before, now)
                )
    return parts


def _part_columns(
    here: Sequence[Any],
    there: Sequence[Any],
    whole_here: Sequence[Any] | None = None,
    whole_there: Sequence[Any] | None = None,
) -> list[Any]:
    """The fields of `Part` after the name, of `Losses` as arrays: fractions or floats.

    The last axis is that of constructions. What one side does not have keeps the other
    side's score. Weights and the reference's score are of all that is in these losses,
    or in others.
    """
    (of, *numbers), (of0, *numbers0) = here, there
    whole, *_ = whole_here or here
    whole0, matched0, *_ = whole_there or there
    whole, whole0, matched0 = (
        column.sum(axis=-1, keepdims=True) for column in (whole, whole0, matched0)
    )
    weight, weight0 = of / whole, of0 / whole0
    has, has0 = of > 0, of0 > 0
    rates = [column / np.where(has, of, 1) for column in numbers]
    rates0 = [column / np.where(has0, of0, 1) for column in numbers0]
    (now, before), *losses = (
        (np.where(has, now, before), np.where(has0, before, now))
        for now, before in zip(rates, rates0, strict=True)
    )
    more, change = weight - weight0, now - before
    distribution = more * (before - matched0 / whole0)
    accuracy, interaction = weight0 * change, more * change
    columns = [distribution + accuracy + interaction, distribution, accuracy]
    # A loss that grows takes from the score: hence the sign.
    return [*columns, interaction, *(-weight0 * (now - was) for now, was in losses)]


def gap_intervals(
    reference: ConstructionScores, domain: ConstructionScores, measure: Measure
) -> Intervals:
    """Where each part of a gap lies: both data sets resampled, each by itself.

    What one data set has twice and the other never may be luck. So for the parts of a
    construction, half a sentence (or document) that has it, as the mean one of both
    data sets, is added to each. Nothing is known if one of them has too few sentences.
    """
    names = sorted({*reference.units.counts.names, *domain.units.counts.names})
    there = _Side.of(reference.units, names, measure, SEED)
    here = _Side.of(domain.units, names, measure, SEED + 1)
    if there is None or here is None:
        return {}
    having = np.maximum(here.having + there.having, 1)
    sizes = (here.sums + there.sums) / having
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = here.drawn, there.drawn
        of_names = _part_columns(here.padded(sizes), there.padded(sizes), *whole)
        parts = _part_columns(*whole)
        totals = [column.sum(axis=1) for column in parts]
        totals[0] = here.scores - there.scores
    ends = []
    for columns, summed in zip(of_names, totals, strict=True):
        low, high = percentiles(np.column_stack([columns, summed]))
        ends.append(
            list(starmap(Interval, zip(low.tolist(), high.tolist(), strict=True)))
        )
    fields = Part._fields[1:]
    rows = zip([*names, TOTAL], zip(*ends, strict=True), strict=True)
    return {name: dict(zip(fields, row, strict=True)) for name, row in rows}


@dataclass(frozen=True)
class _Side:
    """A data set: what its units lose, and what its resamples do."""

    units: Losses
    drawn: Losses
    seed: int

    @staticmethod
    def of(
        units: Units, names: Sequence[str], measure: Measure, seed: int
    ) -> _Side | None:
        """None if there are too few units."""
        counts = units._replace(counts=units.counts.renamed(names))
        dense = {name: table[:, :-1] for name, table in counts.dense(COUNTS).items()}
        lost = _losses_of(dense, measure)
        sums = units.sums(np.hstack(lost), seed=seed)
        if sums is None:
            return None
        return _Side(lost, Losses(*np.split(sums, len(lost), axis=1)), seed)

    @property
    def having(self) -> Ints:
        """How many units have each construction."""
        having: Ints = np.count_nonzero(self.units.of, axis=0)
        return having

    @property
    def scores(self) -> Floats:
        """The score of all constructions in each resample."""
        sizes = self.units.of.sum(axis=1)
        mean_size = sizes.sum() / np.count_nonzero(sizes)
        matched, of = (self.drawn[at].sum(axis=1)[:, None] for at in (1, 0))
        return ratios_of(matched, of, mean_size, self.seed)[:, 0]

    @property
    def sums(self) -> Floats:
        """What is counted of all units: numbers of `Losses` x constructions."""
        sums: Floats = np.stack(self.units).sum(axis=1)
        return sums

    def padded(self, means: Floats) -> Losses:
        """The resamples, with half a unit more in each; `means` are those of one."""
        more = lost_half_units(means, len(self.drawn.of), self.seed)
        return Losses(*map(np.add, self.drawn, more))


def _score_without(
    tally: Tally, recurring: Collection[Recurring], measure: Measure
) -> Fraction | None:
    """The score if some differences, of any number of words, were no errors."""
    counts = counts_without(tally.constructions, tally.differences, recurring)
    return _total_score(_losses(counts, measure))


def _total_score(losses: _Lost) -> Fraction | None:
    whole = sum(part.of for part in losses.values())
    matched = sum(part.matched for part in losses.values())
    return Fraction(matched, whole) if whole else None


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
        sums += scores.tally.constructions[row.construction]
        points.append(
            CumulativePoint(
                row.construction,
                ratio(sums.gold, scores.tally.brackets.gold) or 0.0,
                f_score(sums.matched_h, sums.gold, sums.parsed),
                f_score(sums.matched_s, sums.gold, sums.parsed),
            )
        )
    return points


# -- several data sets side by side ----------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class ScoredDomains(Result):
    """What results of several data sets have in common."""

    domains: list[Domain]

    def _shown(self) -> str:
        return ", ".join(domain.name for domain in self.domains)

    @property
    def ledger(self) -> Ledger:
        """What was scored of all data sets, what was left out and why."""
        return total(domain.scores.ledger for domain in self.domains)

    @property
    def notes(self) -> list[str]:
        return shared_notes(
            {domain.name: domain.scores.notes for domain in self.domains}
        )


@dataclass(frozen=True, eq=False, repr=False)
class DomainComparison(ScoredDomains):
    """Data sets side by side; the first is the reference."""

    ungrouped: Ledger = NOTHING_LEFT_OVER  # what groups cannot be told of

    @property
    def ledger(self) -> Ledger:
        return total([super().ledger, self.ungrouped])

    @property
    def rows(self) -> list[list[Row]]:
        """The rows of each data set."""
        return [domain.scores.rows for domain in self.domains]

    @property
    def total(self) -> list[Row]:
        """The total of each data set."""
        return [domain.scores.total for domain in self.domains]

    @property
    def reference(self) -> Domain:
        return self.domains[0]

    @property
    def signature(self) -> Signature:
        """How the scores were obtained, the same for all data sets."""
        return self.reference.scores.signature

    def splits(self, measures: Sequence[Measure] = ("f_s",)) -> list[Split]:
        """The gap of every other data set, under each measure."""
        return [
            split_gap(self.reference, domain, measure)
            for domain in self.domains[1:]
            for measure in measures
        ]

    def cumulative_frame(self) -> pd.DataFrame:
        """The paper's Figure 6: each row of a data set adds the next construction."""
        rows = [
            (domain.name, *point)
            for domain in self.domains
            for point in cumulative(domain.scores)
        ]
        return frame_of(rows, ["data_set", *CumulativePoint._fields])

    def frame(self) -> pd.DataFrame:
        """The paper's Table 2: a block of columns per data set."""
        import pandas as pd

        frames = {domain.name: domain.scores.frame() for domain in self.domains}
        return pd.concat(frames, axis=1)


Dataset = tuple[str, Trees, Trees]  # name, gold, parsed
Datasets = Sequence[Dataset] | Mapping[str, tuple[Trees, Trees]]


def datasets_of(given: Datasets | Sequence[Dataset | Domain]) -> list[Any]:
    """Data sets, whether each has its name or is the value of its name.

    >>> datasets_of({"news": ("gold.mrg", "parsed.mrg")})
    [('news', 'gold.mrg', 'parsed.mrg')]
    """
    if isinstance(given, Mapping):
        given = [(name, *sides) for name, sides in given.items()]
    for dataset in [given] if isinstance(given, str) else given:
        is_named = isinstance(dataset, Sequence) and not isinstance(dataset, str)
        if not isinstance(dataset, Domain) and not (is_named and len(dataset) == 3):
            raise SettingsError("E588 is not a data set", given=repr(dataset))
    return list(given)


@scoring_keywords
def domains(
    datasets: Datasets | Sequence[Dataset | Domain],
    *,
    group_by: str | Sequence[str] | None = None,
    reference: str | None = None,
    causes: bool = False,
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[ScoringOptions],
) -> DomainComparison:
    """Data sets side by side, the reference first unless `reference` names another.

    A data set is (name, gold, parsed), an item {name: (gold, parsed)} of a mapping, or
    a `Domain` that has been scored.
    `group_by` divides one data set into several: the group of each sentence, or a file
    and its column, as "dev.tsv:genre". With `causes`, splits say which causes make the
    gap (docs/causes.md). `ScoringOptions` lists the other options.

    >>> two = "(S (NP (PRP I)) (VP (VBP see)))\\n" * 2
    >>> comparison = domains([("all", two, two)], group_by=["a", "b"], reference="b")
    >>> [domain.name for domain in comparison.domains]
    ['b', 'a']
    """
    reading, backend = TreeReading(**options), backend or Backend(jobs)
    listed = datasets_of(datasets)
    groups = groups_of(group_by, len(listed))
    deriver: Deriver | None = None
    scored: list[Domain] = []
    ungrouped = NOTHING_LEFT_OVER
    names = [
        dataset.name if isinstance(dataset, Domain) else dataset[0]
        for dataset in listed
    ]
    for dataset in listed:
        if isinstance(dataset, Domain):
            scored.append(dataset)
            continue
        name = dataset[0]
        of_set = reading.of_data_set(name, names)
        gold, parsed = reading.resolve(dataset[1]), reading.resolve(dataset[2])
        deriver = deriver or reading.deriver_for(gold)
        if groups is not None:
            more, ungrouped = _score_groups(
                *(gold, parsed, groups, deriver, of_set, backend), causes=causes
            )
            scored += more
            continue
        scores = score_derived(*(gold, parsed, deriver, of_set, backend), causes=causes)
        if error := scores.ledger.lengths_differ:
            raise error.at(Place(name_of(parsed)))
        scored.append(Domain(name, scores))
    if scored:
        ungrouped = replace(ungrouped, noun=scored[0].scores.deriver.noun)
    result = DomainComparison(reference_first(scored, reference), ungrouped)
    for domain in result.domains:
        reading.warn_left_out(domain.scores.ledger, domain.name)
    if ungrouped.items:
        reading.warn_left_out(ungrouped, NO_GROUP)
    return result


compare_domains = domains  # its name before


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Named = TypeVar("Named", bound=_Named)


def drawn_units(domains: Sequence[Domain]) -> str:
    """What the intervals of data sets resample, as a signature says it."""
    settings = {domain.name: domain.scores.units.setting for domain in domains}
    if len(set(settings.values())) == 1:
        return next(iter(settings.values()))
    return ", ".join(f"{name} {setting}" for name, setting in settings.items())


def reference_first(datasets: list[Named], reference: str | None) -> list[Named]:
    """The data sets, the one that the others are compared with before them."""
    names = [dataset.name for dataset in datasets]
    if reference is not None and reference not in names:
        raise SettingsError("E808 no data set", reference=reference, names=names)
    return sorted(datasets, key=lambda dataset: reference not in (None, dataset.name))


class GroupCounts(NamedTuple):
    """What is counted in the sentences of a group."""

    scored: ScoreCounts
    ledger: Ledger


@dataclass(frozen=True)
class GroupCounter:
    """Counts each group of a block's sentences."""

    deriver: Deriver
    causes: bool = False

    def __call__(self, pair: Pair, comparison: Comparison) -> dict[str, GroupCounts]:
        column = np.array(pair.groups)
        by_group = {}
        for name in dict.fromkeys(pair.groups or ()):
            trees = column == name
            whole, units = tally_and_units(pair, comparison, self.deriver, trees)
            counts = ScoreCounts(whole, units=units)
            if self.causes:
                counts.causes = count_causes(comparison, self.deriver, trees)
            by_group[name] = GroupCounts(counts, comparison.ledger(trees))
        return by_group


def _score_groups(
    gold: OpenedTrees,
    parsed: OpenedTrees,
    groups: Sequence[str],
    deriver: Deriver,
    reading: TreeReading,
    backend: Backend,
    *,
    causes: bool = False,
) -> tuple[list[Domain], Ledger]:
    """One data set as several, in the order in which their first sentences come."""
    outcome = run_count(
        *(gold, parsed, reading, deriver, GroupCounter(deriver, causes)),
        backend=backend,
        groups=groups,
    )
    counts = outcome.counts or {}
    # What belongs to no group: the ledger of all, less those of the groups.
    in_groups = sum(group.ledger.gold for group in counts.values())
    others = replace(
        outcome.ledger,
        gold=outcome.ledger.gold - in_groups,
        parsed=outcome.ledger.parsed - in_groups,
        scored=0,
        items=tuple(item for item in outcome.ledger.items if not item.sentence),
        lost_brackets=0,
    )
    if error := others.lengths_differ:
        raise error.at(Place(name_of(parsed)))
    FunctionScores.require_tags_of(
        [group.scored.tally.functions for group in counts.values()],
        deriver.function_tags,
    )
    domains = []
    for name, (scored, ledger) in counts.items():
        scores = construction_scores(deriver, reading.mismatch, ledger, scored)
        scores.relation_hint = outcome.relation_hint
        domains.append(Domain(name, scores))
    return domains, others
