"""A parser from documents whose trees are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analyzer.model.arrays import Ints
from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import SATELLITE, Unit
from analyzer.rst_parser.arcs import ArcModel, train_arcs
from analyzer.rst_parser.corpus import WORDS, GoldDocument, by_kind
from analyzer.rst_parser.edus import edu_table
from analyzer.rst_parser.labels import train_labels
from analyzer.rst_parser.model import ROOT_LABEL, Label, ParserSettings, View
from analyzer.rst_parser.parts import ARCS, RELATIONS, SEGMENTS, SPLITS, TAGS
from analyzer.rst_parser.segmenting import SegmentModel, train_segments
from analyzer.rst_parser.splits import SplitModel, train_splits
from analyzer.rst_parser.stages import gold_stages
from analyzer.rst_parser.tagging import TagModel, train_tags
from analyzer.transform.head_order import transformed
from analyzer.transform.heuristics import multinuclear_relations
from analyzer.transform.relations import map_relations

# The L2 penalties, chosen by cross-validation within GUM's training set.
_ARCS, _WIDE_ARCS, _SPLITS, _LABELS = 40.0, 100.0, 40.0, 40.0
_BINARY_ARCS = 4.0
_SEGMENTS = 5.0
# They are for so many decisions or more; of fewer, each counts more.
_MANY = 4000
_LEAST = 2  # times a feature must occur
_STEPS, _STEPS_OF_SEGMENTS = 60, 40  # of L-BFGS; more move no score

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Trained:
    """All that is learnt from a corpus; views and segmenters by kind of text."""

    settings: ParserSettings
    views: dict[str, View]
    segmenters: dict[str, SegmentModel]
    tagger: TagModel | None


def train_all(
    gold: Sequence[GoldDocument], settings: ParserSettings, progress: Progress
) -> Trained:
    """What documents teach, for texts with syntax (if some have it) and for words."""
    settings = _prepared(gold, settings)
    found = Trained(settings, {}, {}, _tagger(gold, settings.seed, progress))
    for kind, documents in by_kind(gold, found.tagger).items():

        def told(what: str, kind: str = kind) -> None:
            progress(f"{kind}: {what}")

        found.views[kind] = train_view(documents, settings, told)
        told(SEGMENTS)
        texts = [one.text for one in documents]
        found.segmenters[kind] = train_segments(
            texts,
            strength=scaled(_SEGMENTS, sum(map(len, texts))),
            least=_LEAST,
            steps=_STEPS_OF_SEGMENTS,
            # Syntax says at once what a second look finds.
            looks_twice=kind == WORDS,
        )
    return found


def _tagger(
    gold: Sequence[GoldDocument], seed: int, progress: Progress
) -> TagModel | None:
    texts = [one.text for one in gold if one.text.has_syntax]
    readable = [text for text in texts if not text.is_masked]
    if not readable:
        return None
    progress(TAGS)
    return train_tags(readable, seed=seed)


def _prepared(
    documents: Sequence[GoldDocument], settings: ParserSettings
) -> ParserSettings:
    """The settings, with what the corpus says of multinuclear relations."""
    if not settings.heuristics:
        return settings
    roots = (_mapped(one.root, settings) for one in documents)
    return replace(settings, multinuclear=multinuclear_relations(roots))


def _mapped(root: Unit, settings: ParserSettings) -> Unit:
    relations = settings.relations
    return root if relations is None else map_relations(root, dict(relations))


def train_view(
    documents: Sequence[GoldDocument], settings: ParserSettings, progress: Progress
) -> View:
    """Weights for documents that all have syntax, or all have none."""
    texts = [one.text for one in documents]
    # The paper's parser learns the classes; the other what they were made of.
    roots = [
        _mapped(one.root, settings) if settings.heuristics else one.root
        for one in documents
    ]
    trees = [
        transformed(root, settings.encoding, source=text.name)
        for root, text in zip(roots, texts, strict=True)
    ]
    edus = edu_table(texts)
    ranks = [rank for tree in trees for rank in tree.ranks or ()]
    heads = joined_heads(trees)
    stages = list(gold_stages(edus, heads, np.array(ranks), settings.stages))
    if settings.heuristics:
        stages = [replace(stage, order=None) for stage in stages]
    arcs: list[ArcModel] = []
    splits: list[SplitModel] = []
    for stage in stages:
        progress(ARCS.format(settings.stages[stage.level]))
        strength = _WIDE_ARCS if stage.level else _ARCS
        if settings.heuristics:
            strength = _BINARY_ARCS
        arcs.append(
            train_arcs(
                edus,
                stage.units,
                stage.governor,
                stage.level,
                strength=scaled(strength, len(stage.units)),
                least=_LEAST,
                steps=_STEPS,
                is_binary=settings.heuristics,
            )
        )
        if not settings.heuristics:
            progress(SPLITS.format(settings.stages[stage.level]))
            strength = scaled(_SPLITS, len(stage.units))
            splits.append(
                train_splits(edus, stage, strength=strength, least=_LEAST, steps=_STEPS)
            )
    progress(RELATIONS)
    gold = _labels(trees, settings)
    labels = train_labels(
        edus,
        stages,
        gold,
        strength=scaled(_LABELS, len(edus)),
        least=_LEAST,
        steps=_STEPS,
    )
    return View(tuple(arcs), tuple(splits), labels)


def scaled(strength: float, decisions: int) -> float:
    """The penalty for a corpus of so many decisions."""
    return strength * min(1.0, decisions / _MANY)


def joined_heads(trees: Sequence[DependencyTree]) -> Ints:
    """Heads of all documents one after the other, from 0, -1 for roots."""
    found: list[int] = []
    for tree in trees:
        before = len(found)
        found += [before + head - 1 if head else -1 for head in tree.heads]
    return np.array(found, np.int64)


def _labels(trees: Sequence[DependencyTree], settings: ParserSettings) -> list[Label]:
    found: list[Label] = []
    for tree in trees:
        assert tree.nuclearities is not None
        pairs = zip(tree.relations, tree.nuclearities, tree.heads, strict=True)
        for relation, nuclearity, head in pairs:
            told = SATELLITE if settings.heuristics else nuclearity
            found.append((relation, told) if head else ROOT_LABEL)
    return found
