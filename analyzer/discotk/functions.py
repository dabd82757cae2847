"""DiscoTK from Python: what its commands do, each as one function.

discotk_score      scores of translations by their discourse trees
discotk_represent  discourse trees in the shapes that kernels see
discotk_tune       weights of metrics, learned from human rankings
discotk_correlate  how well metrics agree with people
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.analyses.compared import frame_of
from analyzer.discotk.evaluation import (
    DEFAULT_FOLDS,
    LIGHT,
    PARTY,
    TABLE_VARIANTS,
    TUNED,
    Evaluation,
    Model,
    cross_validate,
    evaluate,
    read_model,
    sigmoid,
    tune,
    tuning_signature,
    write_model,
)
from analyzer.discotk.representations import (
    REPRESENTATIONS,
    metric_of,
    represent,
    shapes_of,
)
from analyzer.discotk.score_tables import (
    Comparisons,
    ScoreTable,
    fill_gaps,
    join_tables,
    min_max,
    read_rankings,
    read_score_tables,
    read_system_scores,
    with_rankings,
    with_ties_broken,
)
from analyzer.discotk.scoring import (
    Combined,
    DiscoSettings,
    combine,
    dr_scores,
    metric_names,
    with_metrics,
)
from analyzer.discotk.segments import Segments, TreesOfSegments, as_segments
from analyzer.exceptions import PairingError, SettingsError
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import DEFAULT_SEED
from analyzer.model.arrays import Shown, Value
from analyzer.model.settings import keywords
from analyzer.safe_text import counted
from analyzer.transform.documents import Roots

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.rst_parser.parser import RstParser

# Files of scores or rankings: one or several.
Files = str | Path | Sequence[str | Path]


class TranslationRow(NamedTuple):
    """A system under one metric: the mean over segments."""

    system: str
    metric: str
    score: float


@dataclass(frozen=True, eq=False, repr=False)
class TranslationScores(Value, Shown):
    """What `discotk_score` returns: metrics and their combinations, higher is better.

    Those of systems are means over segments, of a tuned combination before its sigmoid.
    """

    combined: Combined
    signature: str
    notes: list[str] = field(default_factory=list)

    @property
    def segments(self) -> ScoreTable:
        """The scores of segments, as `discotk_tune` and `discotk_correlate` take."""
        return self.combined.segments

    @property
    def rows(self) -> list[TranslationRow]:
        table = self.combined.systems
        means = table.system_means().tolist()
        return [
            TranslationRow(system, metric, score)
            for system, scores in zip(table.systems, means, strict=True)
            for metric, score in zip(table.metrics, scores, strict=True)
        ]

    def frame(self) -> pd.DataFrame:
        """One row a system, one column a metric."""
        table = self.combined.systems
        means = table.system_means().tolist()
        rows = [[name, *row] for name, row in zip(table.systems, means, strict=True)]
        return frame_of(rows, ("system", *table.metrics), "system")

    def segment_frame(self) -> pd.DataFrame:
        """One row a system and segment, one column a metric."""
        table = self.segments
        rows = [
            [system, segment, *scores]
            for system, part in zip(table.systems, table.values.tolist(), strict=True)
            for segment, scores in zip(table.segments, part, strict=True)
        ]
        return frame_of(rows, ("system", "segment", *table.metrics))

    def __repr__(self) -> str:
        systems = counted(len(self.segments.systems), "system")
        segments = counted(len(self.segments.segments), "segment")
        return (
            f"<TranslationScores: {systems}, {segments}, {self.segments.metrics[-1]}>"
        )


@keywords()
def discotk_score(
    reference: TreesOfSegments | None = None,
    systems: Mapping[str, TreesOfSegments] | None = None,
    *,
    shapes: str | Sequence[str] = REPRESENTATIONS,
    parser: RstParser | str | Path | None = None,
    leaves: str = DiscoSettings.leaves,
    kernel: str = DiscoSettings.kernel,
    decay: float = DiscoSettings.decay,
    normalize: bool = True,
    lowercase: bool = False,
    single_edu: str = DiscoSettings.single,
    metrics: Files | ScoreTable = (),
    negate: Sequence[str] = (),
    computed: Sequence[str] = (),
    model: Model | str | Path | None = None,
    break_ties: bool = False,
    pair: str = "",
    missing: str = "error",
    roots: Roots | str = Roots.JOIN,
    encoding: str = "utf-8",
) -> TranslationScores:
    """Translations scored by how similar their discourse trees are to a reference's.

    Trees are given as a file with a tree a line, a folder with a file a segment, a list
    of trees or of brackets; with a `parser`, or the file of its model, as a file or a
    list of raw segments. `metrics` are files of further scores, `computed` metrics to
    compute from the words (BLEU and others), `model` what `discotk_tune` learned.
    `roots`: segments of several trees are joined under one, what nothing attaches is
    dropped, or they are an error.
    Without a reference, only the scores of `metrics` are combined. docs/discotk.md
    says what else there is to choose.

    >>> reference = ["(NS-Cause _!it rained!_ _!so we left!_)"]
    >>> scores = discotk_score(reference, {"A": reference, "B": ["_!it rained!_"]},
    ...     shapes="nolex,lex1")
    >>> [(row.system, round(row.score, 2)) for row in scores.rows[::3]]
    [('A', 1.0), ('B', 0.0)]
    """
    settings = DiscoSettings(
        leaves=leaves,
        decay=decay,
        normalize=normalize,
        kernel=kernel,
        lowercase=lowercase,
        single=single_edu,
    )
    known = read_model(str(model)) if isinstance(model, str | Path) else model
    notes: list[str] = []
    given = _given(metrics, negate, pair)
    names = [name.lower() for name in computed]
    metric_names(names)
    signature = settings.signature
    if Roots(roots) is not Roots.JOIN:
        signature = signature.replace(roots=Roots(roots))
    how = str(signature) if reference is not None else ""
    if reference is None:
        if systems or names or given is None:
            raise SettingsError("E902 trees need --reference, or give scores with")
        table = given
    else:
        if isinstance(parser, str | Path):
            from analyzer.rst_parser.parser import RstParser
            from analyzer.rst_parser.storage import model_hash

            how += f"|parser:{model_hash(str(parser))[:8]}"
            parser = RstParser.load(str(parser))
        elif parser is not None:
            how += "|parser:given"
        ours = as_segments(
            reference, "reference", parser, encoding=encoding, roots=roots
        )
        theirs = {
            name: as_segments(trees, name, parser, encoding=encoding, roots=roots)
            for name, trees in (systems or {}).items()
        }
        notes += [
            note for segments in (ours, *theirs.values()) for note in segments.notes
        ]
        table = dr_scores(
            ours,
            theirs,
            settings=settings,
            shapes=shapes_of(_listed(shapes)),
            missing=missing,
            pair=pair or (given.pair if given else ""),
            notes=notes,
        )
        table = with_metrics(table, names, ours, theirs)
        if given is not None:
            table = _joined(table, given, notes)
    combined = combine(table, model=known, missing=missing, notes=notes)
    if break_ties:
        combined = Combined(with_ties_broken(combined.segments), combined.systems)
    if known is not None:
        how = f"{how} + {known.signature}" if how else known.signature
    return TranslationScores(combined, how, notes)


def _joined(table: ScoreTable, given: ScoreTable, notes: list[str]) -> ScoreTable:
    """The table with the metrics of a given one, of the same systems and segments."""
    extra = sorted(set(given.systems) - set(table.systems))
    if extra:
        notes.append(f"no trees for {', '.join(extra)}: their scores are not used")
    unknown = len(set(given.segments) - set(table.segments))
    if unknown:
        raise PairingError(
            "E919 segments of --metrics are not in the reference", unknown=unknown
        )
    return join_tables(table, replace(given, pair=table.pair))


def _given(
    metrics: Files | ScoreTable, negate: Sequence[str], pair: str
) -> ScoreTable | None:
    """The scores of files, of one language pair; None if there are none."""
    if isinstance(metrics, ScoreTable):
        return metrics
    tables = read_score_tables(_paths(metrics), negate) if metrics else []
    if len(tables) > 1:
        chosen = [table for table in tables if table.pair == pair]
        if not chosen:
            names = ", ".join(table.pair for table in tables)
            raise SettingsError("E901 several language pairs", names=names)
        tables = chosen
    return tables[0] if tables else None


def _paths(files: Files) -> list[str]:
    several = [files] if isinstance(files, str | Path) else files
    return [str(file) for file in several]


def _listed(names: str | Sequence[str]) -> str:
    return names if isinstance(names, str) else ",".join(names)


# -- representations -------------------------------------------------------------------


class RepresentedTree(NamedTuple):
    """A segment's tree in one shape, in brackets."""

    segment: str
    metric: str
    tree: str


@dataclass(frozen=True, repr=False)
class Representations(Shown):
    """What `discotk_represent` returns."""

    rows: list[RepresentedTree]
    segments: Segments

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        return frame_of(self.rows, RepresentedTree._fields)

    def __repr__(self) -> str:
        return f"<Representations: {counted(len(self.rows), 'tree')}>"


@keywords()
def discotk_represent(
    trees: TreesOfSegments,
    shapes: str | Sequence[str] = REPRESENTATIONS,
    *,
    leaves: str = "dummy",
    lowercase: bool = False,
    roots: Roots | str = Roots.JOIN,
    encoding: str = "utf-8",
) -> Representations:
    """Discourse trees as DiscoTK's kernels see them: one row a segment and shape.

    >>> discotk_represent(["(NS-Cause _!it rained!_ _!we left!_)"], "nolex").rows
    [RepresentedTree(segment='1', metric='DR-NOLEX', tree='(Cause-Root (EDU-Nucleus *) \
(EDU-Satellite *))')]
    """
    segments = as_segments(trees, "trees", encoding=encoding, roots=roots)
    names = shapes_of(_listed(shapes))
    rows = []
    for name, tree in segments.trees.items():
        for shape in names if tree is not None else ():
            assert tree is not None
            [shown] = represent([tree], shape, leaves=leaves, lowercase=lowercase)
            rows.append(RepresentedTree(name, metric_of(shape), str(shown)))
    return Representations(rows, segments)


# -- agreement with people -------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class MetricCorrelations(Value, Shown):
    """What `discotk_correlate` returns: one row a metric and language pair."""

    evaluation: Evaluation
    signature: str
    notes: list[str] = field(default_factory=list)

    @property
    def rows(self) -> list[dict[str, str | float | None]]:
        """By column: pair, metric, tau_wmt12 and so on, rho, r, metric_ties."""
        return [
            {
                "pair": row.pair,
                "metric": row.metric,
                **{f"tau_{name}": tau.value for name, tau in row.tau.items()},
                "rho": row.spearman.value,
                "r": row.pearson.value,
                "metric_ties": row.ties,
            }
            for row in self.evaluation.rows
        ]

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        return frame_of(self.rows, list(self.rows[0]) if self.rows else ())

    def __repr__(self) -> str:
        metrics = {row.metric for row in self.evaluation.rows}
        count = sum(self.evaluation.comparisons.values())
        shown = f"{counted(len(metrics), 'metric')}, {counted(count, 'comparison')}"
        return f"<{type(self).__name__}: {shown}>"


@dataclass(frozen=True, eq=False, repr=False)
class TunedMetrics(MetricCorrelations):
    """What `discotk_tune` returns: the weights, and how they agree with people.

    What agrees are weights learned without the segment that is scored.
    """

    model: Model = field(kw_only=True)

    @property
    def weights(self) -> dict[str, float]:
        return dict(zip(self.model.metrics, self.model.weights, strict=True))

    def save(self, path: str | Path) -> None:
        """Write the weights, learned from all segments, for `discotk_score`."""
        write_model(self.model, str(path))


@keywords()
def discotk_tune(
    scores: Files | ScoreTable | TranslationScores,
    rankings: Files,
    *,
    only: Sequence[str] | None = None,
    folds: int = DEFAULT_FOLDS,
    seed: int = 0,
    cost: float = 1.0,
    negate: Sequence[str] = (),
    missing: str = "error",
) -> TunedMetrics:
    """Weights of metrics, learned from human rankings by pairwise logistic regression.

    `scores` are files of segment scores, or what `discotk_score` returned; `rankings`
    are files in WMT's CSV. `only` names some metrics (default: all but those that
    DiscoTK itself combines from others); `negate` those of the files that are better
    when lower.
    """
    tables, human = _scores_and_rankings(scores, rankings, negate)
    if not cost > 0:
        raise SettingsError("E908 --cost must be above 0, not", cost=cost)
    notes: list[str] = []
    combined = (LIGHT, PARTY, TUNED)
    names = only or [name for name in tables[0].metrics if name not in combined]
    scaled = [
        min_max(
            fill_gaps(table.select(names), missing=missing, notes=notes), notes=notes
        )
        for table in tables
    ]
    model = tune(scaled, human, cost=cost)
    judged: list[ScoreTable] = []
    raw: list[ScoreTable] = []
    for table, ranked in zip(scaled, human, strict=True):
        learned = cross_validate(table, ranked, folds=folds, seed=seed, cost=cost)
        uniform = table.values.mean(axis=2)
        for kept, values in ((judged, sigmoid(learned)), (raw, learned)):
            both = np.stack([uniform, values], axis=2)
            kept.append(table.with_values(("uniform", "tuned"), both))
    evaluation = evaluate(judged, human, system_tables=raw)
    signature = tuning_signature(model.metrics, cost=cost)
    signature = signature.replace(folds=folds, seed=seed)
    return TunedMetrics(evaluation, str(signature), notes, model=model)


@keywords()
def discotk_correlate(
    scores: Files | ScoreTable | TranslationScores,
    rankings: Files,
    *,
    tau: str | Sequence[str] = TABLE_VARIANTS,
    human_scores: str | Path | Mapping[str, Mapping[str, float]] | None = None,
    only: Sequence[str] | None = None,
    break_ties: bool = False,
    bootstrap: int = 0,
    seed: int = DEFAULT_SEED,
    negate: Sequence[str] = (),
    missing: str = "error",
) -> MetricCorrelations:
    """How well metrics agree with human rankings, under ways of counting ties (`tau`).

    `scores` and `rankings` as for `discotk_tune`. `human_scores` of systems: a file
    (.sys.scr), or scores by language pair and system; without them, expected wins.
    """
    tables, human = _scores_and_rankings(scores, rankings, negate)
    people = human_scores
    if isinstance(people, str | Path):
        people = read_system_scores(str(people))
    if bootstrap < 0:
        raise SettingsError(
            "E907 --bootstrap must be 0 or more, not", resamples=bootstrap
        )
    notes: list[str] = []
    chosen = [table.select(only) for table in tables] if only else tables
    whole = [fill_gaps(table, missing=missing, notes=notes) for table in chosen]
    evaluation = evaluate(
        [with_ties_broken(table) for table in whole] if break_ties else whole,
        human,
        variants=_listed(tau).split(","),
        human_scores=people,
        system_tables=whole,
        resamples=bootstrap,
        seed=seed,
    )
    signature = Signature.of(
        scorer="correlate",
        tau=evaluation.variants,
        human="expected-wins" if people is None else "given",
        break_ties=break_ties,
        missing=missing,
        bootstrap=bootstrap,
        seed=seed,
    )
    notes = [*notes, *evaluation.notes]
    return MetricCorrelations(evaluation, str(signature), notes)


def _scores_and_rankings(
    scores: Files | ScoreTable | TranslationScores,
    rankings: Files,
    negate: Sequence[str],
) -> tuple[list[ScoreTable], list[Comparisons]]:
    if isinstance(scores, TranslationScores):
        scores = scores.segments
    source = "<scores>" if isinstance(scores, ScoreTable) else _paths(scores)[0]
    if isinstance(scores, ScoreTable):
        tables = [scores]
    else:
        tables = read_score_tables(_paths(scores), negate)
    return with_rankings(tables, read_rankings(_paths(rankings)), source)
