"""What a trained parser consists of, and how it turns EDUs into trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from analyzer.model.arrays import Floats, Ints
from analyzer.model.dependencies import ROOT_RELATION, DependencyTree
from analyzer.model.discourse import NUCLEUS
from analyzer.rst_parser.arcs import ArcModel, arc_chances, arc_scores
from analyzer.rst_parser.decoding import binary_trees, dependency_trees
from analyzer.rst_parser.edus import EduTable, edu_table
from analyzer.rst_parser.labels import LabelModel, label_chances, merged
from analyzer.rst_parser.parsed import ParsedDocument
from analyzer.rst_parser.splits import SplitModel, split_chances
from analyzer.rst_parser.stages import STAGES, Stage, parsed_stages
from analyzer.rst_parser.tokens import TokenText
from analyzer.rst_parser.units import Units
from analyzer.transform.head_order import Transform
from analyzer.transform.heuristics import (
    guessed_nuclearities,
    guessed_ranks,
    joined_ranks,
)
from analyzer.transform.relations import relation_class

ROOT_LABEL = ROOT_RELATION, NUCLEUS
_TINY = 1e-300  # what is as good as impossible
Label = tuple[str, str]  # relation and nuclearity


@dataclass(frozen=True)
class ParserSettings:
    """How a parser is trained.

    encoding: chain or tree (2018, section 3.4). relations: the classes that are given
    out, learnt in detail; None: as they are in the corpus. stages: which of sentence,
    paragraph and document are trees of their own; the last is the document. heuristics:
    the paper's parser (section 4.1): arcs as yes-or-no decisions, nuclearity from the
    relation, order by distance. seed: of what is random in training.
    """

    encoding: Transform = "chain"
    stages: tuple[str, ...] = STAGES
    relations_name: str = "fine"
    relations: Mapping[str, str] | None = None
    heuristics: bool = False
    multinuclear: frozenset[str] = frozenset()
    seed: int = 1


@dataclass(frozen=True)
class View:
    """The weights for texts with syntax, or for those without.

    splits: one model a stage, as arcs; none for the paper's parser, which needs none.
    """

    arcs: tuple[ArcModel, ...]
    splits: tuple[SplitModel, ...]
    labels: LabelModel


@dataclass
class _Found:
    """What parsing fills in, for all EDUs of some documents."""

    heads: Ints
    turns: Ints  # when each EDU is attached to its head
    sure: Floats
    labels: list[Label]
    label_sure: Floats


class TreeParser:
    """Parses texts whose EDUs are known with one view of a model."""

    def __init__(self, view: View, settings: ParserSettings) -> None:
        self._view = view
        self._settings = settings

    @cached_property
    def _names(self) -> list[str]:
        """The relation that each class of the label model is given out as."""
        relations = self._settings.relations
        return [
            relation if relations is None else relation_class(relation, dict(relations))
            for relation, _ in self._view.labels.classes
        ]

    def parse(self, texts: Sequence[TokenText]) -> list[ParsedDocument]:
        """Trees of documents; several at once are quicker than one by one."""
        edus = edu_table(texts)
        count = len(edus)
        found = _Found(
            np.full(count, -1),
            np.zeros(count, np.int64),
            np.ones(count),
            [ROOT_LABEL] * count,
            np.ones(count),
        )
        is_ordered = bool(self._view.splits)

        def decoder(units: Units, level: int) -> tuple[Ints, Ints | None]:
            return self._decoded(edus, units, level, found)

        stages = parsed_stages(edus, self._settings.stages, decoder)
        for number, stage in enumerate(stages):
            self._add(edus, stage, number * count, found)
        ranks = _ranks(found.heads, found.turns) if is_ordered else None
        return self._documents(texts, found, ranks)

    def _decoded(
        self, edus: EduTable, units: Units, level: int, found: _Found
    ) -> tuple[Ints, Ints | None]:
        """The best trees; also fills in how sure their arcs are."""
        view = self._view
        model = view.arcs[level]
        data, arcs, roots = arc_scores(model, edus, units)
        chances, as_root = arc_chances(data, arcs, roots)
        order = None
        if view.splits:
            governor, order = binary_trees(
                units,
                data,
                np.log(chances + _TINY),
                np.log(as_root + _TINY),
                partial(split_chances, view.splits[level], edus, units),
            )
        else:
            governor = dependency_trees(units, data, arcs, roots)
        is_arc = governor[data.dependent] == data.governor
        found.sure[units.head[data.dependent[is_arc]]] = chances[is_arc]
        return governor, order

    def _add(self, edus: EduTable, stage: Stage, before: int, found: _Found) -> None:
        """Fill in the arcs of a stage, which are attached after those before."""
        governor, dependent = stage.arcs
        if not len(governor):
            return
        head = stage.units.head
        found.heads[head[dependent]] = head[governor]
        if stage.order is not None:
            found.turns[head[dependent]] = before + stage.order[dependent]
        model = self._view.labels
        fine = label_chances(model, edus, stage)
        coarse, kept = merged(fine, model.classes, self._names)
        best = coarse.argmax(axis=1)
        of_best = coarse[np.arange(len(best)), best]
        found.label_sure[head[dependent]] = of_best
        for edu, at in zip(head[dependent].tolist(), best.tolist(), strict=True):
            found.labels[edu] = kept[at]

    def _documents(
        self, texts: Sequence[TokenText], found: _Found, ranks: Ints | None
    ) -> list[ParsedDocument]:
        documents = []
        start = 0
        for text in texts:
            edus = text.edus()
            end = start + len(edus)
            here = slice(start, end)
            heads = np.where(found.heads[here] < 0, 0, found.heads[here] - start + 1)
            labels = found.labels[here]
            tree = DependencyTree(
                heads.tolist(),
                [relation for relation, _ in labels],
                [nuclearity for _, nuclearity in labels],
                None if ranks is None else ranks[here].tolist(),
                text.edu_texts(),
                [text.sentences[first] + 1 for first, _ in edus],
            )
            documents.append(
                ParsedDocument(
                    text.name,
                    self._completed(tree),
                    found.sure[here].tolist(),
                    found.label_sure[here].tolist(),
                )
            )
            start = end
        return documents

    def _completed(self, tree: DependencyTree) -> DependencyTree:
        """Nuclearity and order by the paper's rules, if that is asked for."""
        settings = self._settings
        if settings.heuristics:
            tree.nuclearities = guessed_nuclearities(tree, settings.multinuclear)
        is_joined = settings.encoding == "tree"
        if tree.ranks is None:
            tree.ranks = guessed_ranks(tree, join_nuclei=is_joined)
        elif is_joined:
            tree.ranks = joined_ranks(tree)
        return tree


def _ranks(heads: Ints, turns: Ints) -> Ints:
    """The rank of each EDU among those of its head, from 1; heads: -1 for roots."""
    order = np.lexsort((turns, heads))
    starts = np.flatnonzero(np.append(True, np.diff(heads[order]) != 0))
    sizes = np.diff(np.append(starts, len(order)))
    found = np.zeros(len(heads), np.int64)
    found[order] = np.arange(len(order)) - np.repeat(starts, sizes) + 1
    found[heads < 0] = 1
    return found
