"""Kernel scores of translations, and their combinations (2014, section 3).

A segment's DR score is K(reference tree, translation's tree) in a representation, a
system's the mean over segments. DiscoTK-light is the mean of the five, each scaled to
[0, 1] over all systems and segments of a language pair; DiscoTK-party takes further
metrics in, with equal weights or those of a model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analyzer.discotk.evaluation import LIGHT, PARTY, TUNED, Model, sigmoid
from analyzer.discotk.representations import (
    REPRESENTATIONS,
    has_words,
    metric_of,
    represent,
)
from analyzer.discotk.score_tables import ScoreTable, fill_gaps, join_tables, min_max
from analyzer.discotk.segments import Segments, check_segments
from analyzer.exceptions import InputError, Place, SettingsError
from analyzer.kernels.tree_kernel import TreeKernel
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Floats, Value
from analyzer.model.discourse import Unit
from analyzer.model.treebank import Treebank

Scorer = Callable[[str, str], float]  # hypothesis, reference

# Further metrics from other packages (extra `mt`), and what their columns are called.
_METRICS = {"bleu": "BLEU", "chrf": "chrF", "ter": "-TER", "rouge-l": "ROUGE-L"}
METRICS = tuple(_METRICS)


@dataclass(frozen=True, kw_only=True)
class DiscoSettings:
    """How discourse trees are compared; `docs/discotk.md` says what to choose."""

    leaves: str = "bow"  # bow: words as leaves, matched one by one; dummy: the paper's
    decay: float = 0.4
    normalize: bool = True
    kernel: str = "sst"
    lowercase: bool = False
    single: str = "Root"  # the nuclearity of a tree that is one EDU

    @property
    def signature(self) -> Signature:
        return Signature.of(
            scorer="discotk",
            kernel=self.kernel,
            leaves=self.leaves,
            decay=self.decay,
            norm=self.normalize,
            lowercase=self.lowercase,
            single=self.single,
        )

    def kernel_of(self, shape: str) -> TreeKernel:
        """NOLEX has no words to match one by one."""
        name = self.kernel
        if self.leaves == "bow" and name == "sst" and shape != "nolex":
            name = "sst-bow"
        return TreeKernel(name=name, decay=self.decay, normalize=self.normalize)


def dr_scores(
    reference: Segments,
    systems: Mapping[str, Segments],
    *,
    settings: DiscoSettings | None = None,
    shapes: Sequence[str] = REPRESENTATIONS,
    missing: str = "error",
    pair: str = "",
    notes: list[str] | None = None,
) -> ScoreTable:
    """The DR scores of each system and segment; a missing tree scores 0 if allowed."""
    how = settings or DiscoSettings()
    if not systems:
        raise SettingsError("E918 no system to score")
    check_segments(reference, systems, missing=missing, notes=notes)
    _check_words(reference, systems, shapes)
    names = list(reference.trees)
    golden = [tree for tree in reference.trees.values() if tree is not None]
    values = np.zeros((len(systems), len(names), len(shapes)))
    for place, shape in enumerate(shapes):
        kernel = how.kernel_of(shape)
        bank = _represent(golden, shape, how)
        for row, segments in enumerate(systems.values()):
            trees = [segments.trees.get(name) for name in names]
            # Without a tree the reference stands in, and the score is set to 0 below.
            both = [
                t if t is not None else g for t, g in zip(trees, golden, strict=True)
            ]
            scores = kernel.pairwise(bank, _represent(both, shape, how))
            is_there = np.array([tree is not None for tree in trees])
            values[row, :, place] = np.where(is_there, scores, 0.0)
    metrics = tuple(metric_of(shape) for shape in shapes)
    return ScoreTable(pair, tuple(systems), tuple(names), metrics, values)


def _represent(trees: Sequence[Unit], shape: str, how: DiscoSettings) -> Treebank:
    return represent(
        trees, shape, leaves=how.leaves, lowercase=how.lowercase, single=how.single
    )


def _check_words(
    reference: Segments, systems: Mapping[str, Segments], shapes: Sequence[str]
) -> None:
    if not any(shape != "nolex" for shape in shapes):
        return
    for segments in (reference, *systems.values()):
        trees = [tree for tree in segments.trees.values() if tree is not None]
        if not has_words(trees):
            raise InputError(
                "E920 no EDU has words, so only NOLEX can be scored",
                Place(segments.source),
            )


def with_metrics(
    table: ScoreTable,
    names: Sequence[str],
    reference: Segments,
    systems: Mapping[str, Segments],
) -> ScoreTable:
    """The table with metrics computed from the trees' words; no tree, no words."""
    if not names:
        return table
    golden = [_text(tree) for tree in reference.trees.values()]
    values = np.stack(
        [
            metric_values(
                names, golden, [_text(segments.trees.get(s)) for s in reference.trees]
            )
            for segments in systems.values()
        ]
    )
    return join_tables(table, table.with_values(metric_names(names), values))


def _text(tree: Unit | None) -> str:
    units = tree.walk() if tree is not None else ()
    return " ".join(" ".join(unit.text.split()) for unit in units if unit.is_edu)


@dataclass(frozen=True, eq=False)
class Combined(Value):
    """All metrics and combinations: segment scores, and what system scores average.

    They differ for tuned combinations: sigmoid(w·x) for segments, w·x for systems.
    """

    segments: ScoreTable
    systems: ScoreTable


def combine(
    table: ScoreTable,
    *,
    model: Model | None = None,
    missing: str = "error",
    notes: list[str] | None = None,
) -> Combined:
    """Light (the DR scores), party (all, if there are others), tuned (with a model)."""
    whole = fill_gaps(table, missing=missing, notes=notes)
    scaled = min_max(whole, notes=notes)
    is_dr = np.array([name.startswith("DR-") for name in table.metrics])
    more: dict[str, Floats] = {}
    if is_dr.any():
        more[LIGHT] = scaled.values[:, :, is_dr].mean(axis=2)
    if not is_dr.all():
        name = PARTY if is_dr.any() else "uniform"
        more[name] = scaled.values.mean(axis=2)
    raw = dict(more)
    if model is not None:
        unused = sorted(set(table.metrics) - set(model.metrics))
        if unused and notes is not None:
            notes.append(f"the model does not know {', '.join(unused)}: not used in it")
        raw[TUNED] = model.raw(scaled)
        more[TUNED] = sigmoid(raw[TUNED])
    return Combined(_append(whole, more), _append(whole, raw))


def _append(table: ScoreTable, more: Mapping[str, Floats]) -> ScoreTable:
    columns = [values[:, :, None] for values in more.values()]
    return table.with_values(
        (*table.metrics, *more), np.concatenate([table.values, *columns], axis=2)
    )


# -- metrics from other packages: of segments against one reference --------------------


def metric_names(names: Sequence[str]) -> list[str]:
    """What the columns of metrics are called.

    >>> metric_names(["bleu", "ter"])
    ['BLEU', '-TER']
    """
    for name in names:
        if name not in _METRICS:
            known = ", ".join(METRICS)
            raise SettingsError("E910 to compute", name=name, known=known)
    return [_METRICS[name] for name in names]


def metric_values(
    names: Sequence[str], references: Sequence[str], hypotheses: Sequence[str]
) -> Floats:
    """Segments x metrics."""
    metric_names(names)
    scorers = [_scorer(name) for name in names]
    pairs = list(zip(hypotheses, references, strict=True))
    values = [[scorer(*pair) for scorer in scorers] for pair in pairs]
    return np.array(values, np.float64).reshape(len(pairs), len(names))


def _scorer(name: str) -> Scorer:
    """Higher is better: TER is negated."""
    if name == "rouge-l":
        try:
            from rouge_score.rouge_scorer import RougeScorer
        except ImportError:
            raise _not_there("ROUGE-L", "rouge-score") from None
        rouge = RougeScorer(["rougeL"], use_stemmer=True)
        return lambda hypothesis, reference: float(
            rouge.score(reference, hypothesis)["rougeL"].fmeasure
        )
    try:
        import sacrebleu
    except ImportError:
        raise _not_there("BLEU, chrF and TER", "sacrebleu") from None
    options = {"effective_order": True} if name == "bleu" else {}
    metric = getattr(sacrebleu, name.upper())(**options)
    sign = -1.0 if name == "ter" else 1.0
    return lambda hypothesis, reference: (
        sign * float(metric.sentence_score(hypothesis, [reference]).score)
    )


def _not_there(what: str, package: str) -> SettingsError:
    return SettingsError("E909 pip install 'spinal[mt]", what=what, package=package)
