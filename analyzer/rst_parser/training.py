"""A parser from documents whose trees are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from analyzer.model.arrays import Ints
from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import SATELLITE, Unit
from analyzer.rst_parser.arcs import train_arcs
from analyzer.rst_parser.edus import edu_table
from analyzer.rst_parser.labels import train_labels
from analyzer.rst_parser.model import ROOT_LABEL, Label, ParserSettings, View
from analyzer.rst_parser.ordering import train_order
from analyzer.rst_parser.stages import gold_stages
from analyzer.rst_parser.tokens import TokenText
from analyzer.transform.head_order import transformed
from analyzer.transform.heuristics import multinuclear_relations
from analyzer.transform.relations import map_relations, relation_class

# The L2 penalties, chosen on GUM's development set.
_ARCS, _WIDE_ARCS, _LABELS, _ORDER = 80.0, 50.0, 10.0, 4.0
_BINARY_ARCS = 4.0
# They are for so many decisions or more; of fewer, each counts more.
_MANY = 4000
_LEAST = 2  # times a feature must occur
_STEPS, _STEPS_OF_WORDS = 80, 50  # of L-BFGS; more move no score

Progress = Callable[[str], None]


class GoldDocument(NamedTuple):
    """A text with its EDUs, and its tree."""

    text: TokenText
    root: Unit


def prepared(
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
    steps = _STEPS if all(text.has_syntax for text in texts) else _STEPS_OF_WORDS
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
    heads = joined_heads(trees)
    stages = list(gold_stages(edus, heads, settings.stages))
    arcs = []
    for stage in stages:
        progress(f"arcs of stage {settings.stages[stage.level]}")
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
                steps=steps,
                is_binary=settings.heuristics,
            )
        )
    progress("relations")
    gold = _labels(trees, settings)
    labels = train_labels(
        edus,
        stages,
        gold,
        strength=scaled(_LABELS, len(edus)),
        least=_LEAST,
        steps=steps,
    )
    if settings.heuristics:
        return View(tuple(arcs), labels, None)
    progress("order")
    levels = np.full(len(edus), len(stages) - 1)
    for stage in stages:
        levels[stage.units.head[stage.arcs[1]]] = stage.level
    order = train_order(
        edus,
        trees,
        [_given_out(label, settings) for label in gold],
        levels,
        strength=scaled(_ORDER, len(edus)),
        least=_LEAST,
        steps=steps,
    )
    return View(tuple(arcs), labels, order)


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


def _given_out(label: Label, settings: ParserSettings) -> Label:
    if settings.relations is None or label == ROOT_LABEL:
        return label
    return relation_class(label[0], dict(settings.relations)), label[1]
