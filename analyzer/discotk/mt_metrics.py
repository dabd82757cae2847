"""Further metrics from other packages: sacrebleu and rouge-score (extra `mt`).

All are of single segments against one reference, higher is better (TER is negated).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from analyzer.exceptions import SettingsError
from analyzer.model.arrays import Floats

Scorer = Callable[[str, str], float]  # hypothesis, reference


def _bleu() -> Scorer:
    metric = _sacrebleu().BLEU(effective_order=True)
    return lambda hypothesis, reference: float(
        metric.sentence_score(hypothesis, [reference]).score
    )


def _chrf() -> Scorer:
    metric = _sacrebleu().CHRF()
    return lambda hypothesis, reference: float(
        metric.sentence_score(hypothesis, [reference]).score
    )


def _ter() -> Scorer:
    metric = _sacrebleu().TER()
    return lambda hypothesis, reference: (
        -float(metric.sentence_score(hypothesis, [reference]).score)
    )


def _rouge_l() -> Scorer:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError:
        raise _not_there("ROUGE-L", "rouge-score") from None
    metric = RougeScorer(["rougeL"], use_stemmer=True)
    return lambda hypothesis, reference: float(
        metric.score(reference, hypothesis)["rougeL"].fmeasure
    )


_METRICS: dict[str, tuple[str, Callable[[], Scorer]]] = {
    "bleu": ("BLEU", _bleu),
    "chrf": ("chrF", _chrf),
    "ter": ("-TER", _ter),
    "rouge-l": ("ROUGE-L", _rouge_l),
}
METRICS = tuple(_METRICS)


def _sacrebleu() -> Any:
    try:
        import sacrebleu
    except ImportError:
        raise _not_there("BLEU, chrF and TER", "sacrebleu") from None
    return sacrebleu


def _not_there(what: str, package: str) -> SettingsError:
    return SettingsError(
        "{what} need {package}: pip install 'spinal[mt]'",
        code="E909",
        what=what,
        package=package,
    )


def metric_names(names: Sequence[str]) -> list[str]:
    """What the columns of metrics are called.

    >>> metric_names(["bleu", "ter"])
    ['BLEU', '-TER']
    """
    for name in names:
        if name not in _METRICS:
            known = ", ".join(METRICS)
            raise SettingsError(
                "no metric {name!r} to compute; there are {known}",
                code="E910",
                name=name,
                known=known,
            )
    return [_METRICS[name][0] for name in names]


def metric_values(
    names: Sequence[str], references: Sequence[str], hypotheses: Sequence[str]
) -> Floats:
    """Segments x metrics."""
    metric_names(names)
    scorers = [_METRICS[name][1]() for name in names]
    pairs = list(zip(hypotheses, references, strict=True))
    values = [[scorer(*pair) for scorer in scorers] for pair in pairs]
    return np.array(values, np.float64).reshape(len(pairs), len(names))
