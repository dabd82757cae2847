"""Models as arrays with names, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from analyzer.exceptions import InputError, Place
from analyzer.model.discourse import NUCLEUS, SATELLITE
from analyzer.rst_parser.arcs import ArcModel
from analyzer.rst_parser.labels import LabelModel
from analyzer.rst_parser.linear import BITS, Vocabulary
from analyzer.rst_parser.model import ParserSettings, View
from analyzer.rst_parser.model_file import Arrays
from analyzer.rst_parser.pairs import CONTEXTS
from analyzer.rst_parser.segmenting import Look, SegmentModel
from analyzer.rst_parser.splits import SIDES, SplitModel
from analyzer.rst_parser.stages import DOCUMENT, STAGES
from analyzer.rst_parser.tagging import TagModel
from analyzer.transform.head_order import Transform

_SMALLEST = 1e-4  # a weight that matters
_MOST_WEIGHTS = 1 << 27  # of a tagger


def view_arrays(view: View, name: str) -> Arrays:
    """The arrays of a view; weights in half precision, which moves no decision."""
    found: Arrays = {}
    for arcs in view.arcs:
        part = f"{name}.arcs{arcs.level}"
        found |= _packed(f"{part}.units", arcs.units, arcs.unit_weights)
        found |= _packed(f"{part}.pairs", arcs.pairs, arcs.pair_weights)
    found |= _packed(f"{name}.labels", view.labels.vocabulary, view.labels.weights)
    for splits in view.splits:
        part = f"{name}.splits{splits.level}"
        found |= _packed(part, splits.vocabulary, splits.weights)
    return found


def segment_arrays(model: SegmentModel, name: str) -> Arrays:
    found: Arrays = {}
    for part, look in (("segments", model.first), ("segments2", model.second)):
        if look is not None:
            found |= _packed(f"{name}.{part}", look.vocabulary, look.weights)
    return found


def tag_arrays(model: TagModel) -> Arrays:
    """Strings as UTF-8, a line each; weights feature by feature."""
    feature, tag = np.nonzero(model.weights)
    return {
        "tags.sure.words": _lines(model.sure),
        "tags.sure.tags": np.array(list(model.sure.values()), np.int32),
        "tags.features": _lines(model.rows),
        "tags.counts": np.bincount(feature, minlength=len(model.rows)).astype(np.int32),
        "tags.which": tag.astype(np.int32),
        "tags.weights": model.weights[feature, tag].astype(np.float16),
    }


def _lines(texts: Iterable[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(texts).encode("utf-8"), np.uint8)


def _packed(name: str, known: Vocabulary, weights: Any) -> Arrays:
    """Features that have some weight, and their weights."""
    others = tuple(range(1, weights.ndim))
    largest = np.abs(weights[1:]).max(axis=others, initial=0.0)
    kept = np.flatnonzero(largest > _SMALLEST)
    return {
        f"{name}.features": known.buckets[kept],
        f"{name}.weights": weights[1:][kept].astype(np.float16),
    }


def settings_facts(settings: ParserSettings) -> dict[str, Any]:
    return {
        "encoding": settings.encoding,
        "stages": list(settings.stages),
        "relations": settings.relations_name,
        "relation_map": None
        if settings.relations is None
        else dict(settings.relations),
        "heuristics": settings.heuristics,
        "multinuclear": sorted(settings.multinuclear),
        "seed": settings.seed,
    }


def settings_of(facts: Mapping[str, Any]) -> ParserSettings:
    """The settings; KeyError, TypeError or ValueError if they are none."""
    relations = facts["relation_map"]
    stages = tuple(one for one in STAGES if one in facts["stages"])
    if facts["encoding"] not in get_args(Transform) or DOCUMENT not in stages:
        raise ValueError("settings")
    if list(stages) != facts["stages"]:
        raise ValueError("stages")
    return ParserSettings(
        facts["encoding"],
        stages,
        facts["relations"],
        None if relations is None else dict(relations),
        bool(facts["heuristics"]),
        frozenset(facts["multinuclear"]),
        int(facts["seed"]),
    )


def _texts(array: npt.NDArray[Any]) -> list[str]:
    text = array.tobytes().decode("utf-8")
    return text.split("\n") if text else []


class Unpacker:
    """Takes models out of arrays; InputError where they do not fit together."""

    def __init__(self, arrays: Arrays, source: str) -> None:
        self._arrays = arrays
        self._place = Place(source)

    def view(
        self, name: str, settings: ParserSettings, classes: list[list[str]]
    ) -> View:
        arcs: list[ArcModel] = []
        splits: list[SplitModel] = []
        for level in range(len(settings.stages)):
            part = f"{name}.arcs{level}"
            units, of_units = self._unpacked(f"{part}.units", (2 * CONTEXTS + 1,))
            pairs, of_pairs = self._unpacked(f"{part}.pairs", ())
            arcs.append(ArcModel(level, units, of_units, pairs, of_pairs))
            if not settings.heuristics:
                known, weights = self._unpacked(f"{name}.splits{level}", (SIDES,))
                splits.append(SplitModel(level, known, weights))
        known, weights = self._unpacked(f"{name}.labels", (len(classes),))
        if any(nuclearity not in (NUCLEUS, SATELLITE) for _, nuclearity in classes):
            raise ValueError("classes")
        labels = LabelModel(known, weights, tuple((one[0], one[1]) for one in classes))
        return View(tuple(arcs), tuple(splits), labels)

    def tags(self, tags: Sequence[str]) -> TagModel:
        """The tagger; KeyError or ValueError if it is not whole."""
        arrays = self._arrays
        words = _texts(arrays["tags.sure.words"])
        features = _texts(arrays["tags.features"])
        sure = arrays["tags.sure.tags"]
        counts, which, of_pairs = (
            arrays[f"tags.{name}"] for name in ("counts", "which", "weights")
        )
        for numbers, end in ((sure, len(tags)), (which, len(tags)), (counts, 1 << 31)):
            if numbers.dtype != np.int32 or ((numbers < 0) | (numbers >= end)).any():
                raise ValueError("tags")
        if counts.sum() != len(which) or len(features) * len(tags) > _MOST_WEIGHTS:
            raise ValueError("tags")
        weights = np.zeros((len(features), len(tags)), np.float32)
        weights[np.repeat(np.arange(len(features)), counts), which] = of_pairs
        if not np.isfinite(weights).all():
            raise ValueError("tags")
        rows = {feature: row for row, feature in enumerate(features)}
        pairs = zip(words, sure.tolist(), strict=True)
        return TagModel(tuple(tags), dict(pairs), rows, weights)

    def segments(self, name: str) -> SegmentModel:
        first = Look(*self._unpacked(f"{name}.segments", ()))
        if f"{name}.segments2.features" not in self._arrays:
            return SegmentModel(first)
        return SegmentModel(first, Look(*self._unpacked(f"{name}.segments2", ())))

    def _unpacked(self, name: str, shape: tuple[int, ...]) -> tuple[Vocabulary, Any]:
        features = self._arrays.get(f"{name}.features")
        weights = self._arrays.get(f"{name}.weights")
        is_sound = (
            features is not None
            and weights is not None
            and features.ndim == 1
            and weights.shape == (len(features), *shape)
            and str(features.dtype) == "int32"
            and (not len(features) or features.min() >= 0)
            and (not len(features) or features.max() < 1 << BITS)
            and bool(np.isfinite(weights).all())
        )
        if not is_sound or features is None or weights is None:
            raise InputError(
                "the model is damaged: {what}",
                self._place,
                code="E154",
                what=f"no sound weights {name}",
            )
        nothing = np.zeros((1, *shape), np.float32)
        whole = np.concatenate([nothing, weights.astype(np.float32)])
        return Vocabulary(features), whole
