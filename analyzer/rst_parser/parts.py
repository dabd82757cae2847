"""How large the parts of a trained parser are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from analyzer.rst_parser.corpus import WITH_SYNTAX
from analyzer.rst_parser.labels import LabelModel, label_templates
from analyzer.rst_parser.model import View
from analyzer.rst_parser.pairs import pair_templates
from analyzer.rst_parser.segmenting import Look, SegmentModel, segment_templates
from analyzer.rst_parser.spans import span_templates
from analyzer.rst_parser.splits import SplitModel
from analyzer.rst_parser.tagging import TAG_TEMPLATES, TagModel
from analyzer.rst_parser.units import chosen, unit_templates

# What training tells of its progress, and the names of the parts.
ARCS, SPLITS, RELATIONS = "arcs of stage {}", "splits of stage {}", "relations"
SEGMENTS, TAGS = "EDU boundaries", "words: tags"


class ModelPart(NamedTuple):
    """A part of a model: its templates, the features found with them, its weights."""

    part: str
    templates: int
    features: int
    weights: int


def view_parts(
    kind: str, view: View, segments: SegmentModel, stages: tuple[str, ...]
) -> Iterator[ModelPart]:
    """The parts that serve texts of one kind."""
    has_syntax = kind == WITH_SYNTAX

    def count(templates: str) -> int:
        return len(chosen(templates, has_syntax))

    for level, stage in enumerate(stages):
        arcs = view.arcs[level]
        yield ModelPart(
            f"{kind}: {ARCS.format(stage)}",
            count(unit_templates(level)) + count(pair_templates(level)),
            len(arcs.units) + len(arcs.pairs) - 2,
            int(arcs.unit_weights.size + arcs.pair_weights.size),
        )
        if view.splits:
            name = f"{kind}: {SPLITS.format(stage)}"
            yield _part(name, count(span_templates(level)), view.splits[level])
    templates = label_templates(has_syntax=has_syntax, has_order=bool(view.splits))
    yield _part(f"{kind}: {RELATIONS}", templates, view.labels)
    yield _part(f"{kind}: {SEGMENTS}", segment_templates(), segments.first)
    if segments.second is not None:
        name = f"{kind}: {SEGMENTS}, second look"
        yield _part(name, segment_templates(2), segments.second)


def _part(
    name: str, templates: int, model: LabelModel | SplitModel | Look
) -> ModelPart:
    features = len(model.vocabulary) - 1
    return ModelPart(name, templates, features, int(model.weights.size))


def tag_part(model: TagModel) -> ModelPart:
    count = int(np.count_nonzero(model.weights))
    return ModelPart(TAGS, TAG_TEMPLATES, len(model.rows), count)


def sizes(
    views: Mapping[str, View],
    segmenters: Mapping[str, SegmentModel],
    tagger: TagModel | None,
    stages: tuple[str, ...],
) -> list[ModelPart]:
    """All parts of a parser, in the order in which they are trained."""
    found = [] if tagger is None else [tag_part(tagger)]
    for kind, view in views.items():
        found += view_parts(kind, view, segmenters[kind], stages)
    return found
