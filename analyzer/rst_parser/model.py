"""What a trained parser consists of, and how it turns EDUs into trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from analyzer.model.arrays import Floats, Ints
from analyzer.model.dependencies import ROOT_RELATION, DependencyTree
from analyzer.model.discourse import NUCLEUS, Unit
from analyzer.rst_parser.arcs import ArcModel, arc_scores, chosen
from analyzer.rst_parser.edus import EduTable, edu_table
from analyzer.rst_parser.labels import LabelModel, label_chances, merged
from analyzer.rst_parser.linear import Rows
from analyzer.rst_parser.ordering import (
    Choices,
    OrderModel,
    order_scores,
    ranks_of,
    relation_hashes,
)
from analyzer.rst_parser.stages import STAGES, ArcScorer, Stage, parsed_stages
from analyzer.rst_parser.templates import Units
from analyzer.rst_parser.tokens import TokenText
from analyzer.transform.head_order import Transform, constituent_tree
from analyzer.transform.heuristics import (
    guessed_nuclearities,
    guessed_ranks,
    joined_ranks,
)
from analyzer.transform.relations import RelationMap, relation_class

ROOT_LABEL = ROOT_RELATION, NUCLEUS
Label = tuple[str, str]  # relation and nuclearity


@dataclass(frozen=True)
class ParserSettings:
    """How a parser is trained.

    encoding: chain or tree (2018, section 3.4). relations: the classes that are given
    out, learnt in detail; None: as they are in the corpus. stages: which of sentence,
    paragraph and document are trees of their own; the last is the document. heuristics:
    the paper's parser (section 4.1): arcs as yes-or-no decisions, nuclearity from the
    relation, order by distance.
    """

    encoding: Transform = "chain"
    stages: tuple[str, ...] = STAGES
    relations_name: str = "fine"
    relations: Mapping[str, str] | None = None
    heuristics: bool = False
    multinuclear: frozenset[str] = frozenset()


class ParsedDocument(NamedTuple):
    """A document's tree, and how sure the parser is of every part of it.

    governors, labels: by EDU, the probability of its governor and of its relation.
    """

    name: str
    tree: DependencyTree
    governors: list[float]
    labels: list[float]

    @property
    def unit(self) -> Unit:
        """The tree as constituents."""
        return constituent_tree(self.tree, source=self.name)


@dataclass(frozen=True)
class View:
    """The weights for texts with syntax, or for those without."""

    arcs: tuple[ArcModel, ...]
    labels: LabelModel
    order: OrderModel | None
    tables: dict[str, Rows] = field(default_factory=dict, compare=False, repr=False)

    def table(self, name: str, model: ArcModel | LabelModel | OrderModel) -> Rows:
        """The look-up table of a vocabulary, made when it is first asked for."""
        if name not in self.tables:
            if isinstance(model, ArcModel):
                known = model.pairs if name.startswith("pairs") else model.units
            else:
                known = model.vocabulary
            self.tables[name] = known.table()
        return self.tables[name]


@dataclass
class _Found:
    """What parsing fills in, for all EDUs of some documents."""

    heads: Ints
    levels: Ints
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
            np.full(count, len(self._settings.stages) - 1),
            np.ones(count),
            [ROOT_LABEL] * count,
            np.ones(count),
        )
        for stage in parsed_stages(edus, self._settings.stages, self._scorer(edus)):
            self._add(edus, stage, found)
        ranks = None
        if self._view.order is not None:
            ranks = self._ranks(edus, found)
        return self._documents(texts, found, ranks)

    def _scorer(self, edus: EduTable) -> ArcScorer:
        def scorer(units: Units, level: int) -> tuple[Ints, Ints, Floats, Floats]:
            model = self._view.arcs[level]
            tables = (
                self._view.table(f"units{level}", model),
                self._view.table(f"pairs{level}", model),
            )
            data, arcs, roots = arc_scores(model, tables, edus, units)
            self._last = data, arcs, roots
            return data.governor, data.dependent, arcs, roots

        return scorer

    def _add(self, edus: EduTable, stage: Stage, found: _Found) -> None:
        governor, dependent = stage.arcs
        if not len(governor):
            return
        head = stage.units.head
        found.heads[head[dependent]] = head[governor]
        found.levels[head[dependent]] = stage.level
        data, arcs, roots = self._last
        chances, _ = chosen(data, arcs, roots)
        is_arc = stage.governor[data.dependent] == data.governor
        found.sure[head[data.dependent[is_arc]]] = chances[is_arc]
        model = self._view.labels
        table = self._view.table("labels", model)
        fine = label_chances(model, table, edus, stage)
        coarse, kept = merged(fine, model.classes, self._names)
        best = coarse.argmax(axis=1)
        of_best = coarse[np.arange(len(best)), best]
        found.label_sure[head[dependent]] = of_best
        for edu, at in zip(head[dependent].tolist(), best.tolist(), strict=True):
            found.labels[edu] = kept[at]

    def _ranks(self, edus: EduTable, found: _Found) -> Ints:
        model = self._view.order
        assert model is not None
        relations = relation_hashes(found.labels)
        table = self._view.table("order", model)

        def scorer(choices: Choices) -> Floats:
            return order_scores(model, table, edus, relations, found.levels, choices)

        return ranks_of(found.heads, scorer)

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


def coarse_map(settings: ParserSettings) -> RelationMap | None:
    return None if settings.relations is None else dict(settings.relations)
