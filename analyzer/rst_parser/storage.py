"""A model as a file: arrays and JSON in one zip archive, as NumPy writes them (.npz).

Loading runs nothing: arrays are read without pickles, the JSON says what they are. The
same model has the same bytes, and a hash of them all stands in the JSON.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from analyzer.exceptions import InputError, Place
from analyzer.files.atomic import write_bytes
from analyzer.model.discourse import NUCLEUS, SATELLITE
from analyzer.rst_parser.attachment import SIDES, ArcModel, ParserSettings, Weights
from analyzer.rst_parser.features import CONTEXTS
from analyzer.rst_parser.linear import BITS, LinearModel, Vocabulary
from analyzer.rst_parser.stages import DOCUMENT, STAGES
from analyzer.rst_parser.tagger import TagModel
from analyzer.transform.head_order import Transform

Arrays = dict[str, npt.NDArray[Any]]

FORMAT = "spinal-rst-parser"
VERSION = 4
_FACTS = "model.json"
_SEGMENTS = ("segments", "segments2")  # the first pass, and the second
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the oldest date that an archive can have
_LARGEST = 1 << 30  # bytes of all arrays
_LARGEST_JSON = 1 << 24
_KINDS = frozenset(("float16", "int32", "uint8"))
_SMALLEST = 1e-4  # a weight that matters
_SMALLEST_OF_TAGS = 0.05  # the same, where there are many for one word
_MOST_WEIGHTS = 1 << 27  # of a tagger
_MOST_SMALL = 256  # tags whose numbers have a byte each
_MAGIC = b"PK\x03\x04"


# -- files -----------------------------------------------------------------------------


def is_model(path: str) -> bool:
    """Whether a file may be a model: whether it is a zip archive."""
    try:
        with open(path, "rb") as stream:
            return stream.read(4) == _MAGIC
    except OSError:
        return False


def write_model(path: str | Path, facts: Mapping[str, Any], arrays: Arrays) -> str:
    """Write a model whole or not at all; gives back its hash."""
    data, digest = model_bytes(facts, arrays)
    write_bytes(path, data)
    return digest


def model_bytes(facts: Mapping[str, Any], arrays: Arrays) -> tuple[bytes, str]:
    """The file, and the hash of what is in it."""
    known = {**facts, "format": FORMAT, "version": VERSION}
    digest = _digest(known, arrays)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        text = json.dumps({**known, "sha256": digest}, indent=1, sort_keys=True)
        _put(archive, _FACTS, text.encode("utf-8"))
        for name in sorted(arrays):
            content = io.BytesIO()
            np.lib.format.write_array(
                content, np.ascontiguousarray(arrays[name]), allow_pickle=False
            )
            _put(archive, f"{name}.npy", content.getvalue())
    return buffer.getvalue(), digest


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # the same on every system
    archive.writestr(entry, data, compresslevel=6)


def _digest(facts: Mapping[str, Any], arrays: Arrays) -> str:
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode("utf-8"))
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def read_model(path: str | Path) -> tuple[dict[str, Any], Arrays]:
    """What is known of a model, and its arrays; InputError if it is none."""
    place = Place(str(path))
    try:
        with zipfile.ZipFile(path) as archive:
            facts = _facts(archive, place)
            arrays = _arrays(archive, place)
    except (OSError, zipfile.BadZipFile) as error:
        if isinstance(error, FileNotFoundError):
            raise InputError("E102 no such file", place) from None
        raise InputError("E153 is not a model", place) from None
    except InputError:
        raise
    except Exception as error:  # damaged compression has errors of many kinds
        raise _damaged(place, str(error)[:80]) from None
    digest = facts.pop("sha256", "")
    if _digest(facts, arrays) != digest:
        raise InputError("E155 the model is damaged", place)
    return {**facts, "sha256": digest}, arrays


def _damaged(place: Place, what: str) -> InputError:
    return InputError("E154 the model is damaged", place, what=what)


def model_hash(path: str | Path) -> str:
    """What a model that could be loaded says its hash is."""
    with zipfile.ZipFile(path) as archive:
        return str(json.loads(archive.read(_FACTS))["sha256"])


def _facts(archive: zipfile.ZipFile, place: Place) -> dict[str, Any]:
    sizes = sum(entry.file_size for entry in archive.infolist())
    if _FACTS not in archive.namelist() or sizes > _LARGEST:
        raise zipfile.BadZipFile
    if archive.getinfo(_FACTS).file_size > _LARGEST_JSON:  # no more is decompressed
        raise _damaged(place, f"{_FACTS} has more than {_LARGEST_JSON:,} bytes")
    facts = json.loads(archive.read(_FACTS))
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise zipfile.BadZipFile
    if facts.get("version") != VERSION:
        other = str(facts.get("version"))[:20]
        raise InputError("E156 a model of", place, found=other, version=VERSION)
    return facts


def _arrays(archive: zipfile.ZipFile, place: Place) -> Arrays:
    arrays: Arrays = {}
    for entry in archive.infolist():
        if entry.filename == _FACTS:
            continue
        content = io.BytesIO(archive.read(entry))
        array = np.lib.format.read_array(content, allow_pickle=False)
        if str(array.dtype) not in _KINDS:
            raise _damaged(place, f"{entry.filename} holds {array.dtype}")
        arrays[entry.filename.removesuffix(".npy")] = array
    return arrays


# -- models as arrays with names, and back ---------------------------------------------


# What a parser consists of: settings, weights by kind of text, tagger, further facts.
Contents = tuple[
    ParserSettings, Mapping[str, Weights], TagModel | None, Mapping[str, Any]
]


def packed(contents: Contents) -> tuple[dict[str, Any], Arrays]:
    """What the JSON says, and the arrays; weights in half precision.

    That moves no decision.
    """
    settings, views, tagger, known = contents
    facts = {name: known[name] for name in ("corpus", "scores") if name in known}
    facts["settings"] = {
        "encoding": settings.encoding,
        "stages": list(settings.stages),
        "relations": settings.relations_name,
        "relation_map": settings.relations,
        "heuristics": settings.heuristics,
        "multinuclear": sorted(settings.multinuclear),
        "seed": settings.seed,
    }
    facts["tags"] = list(tagger.tags) if tagger else []
    facts["classes"] = {}
    arrays = _tag_arrays(tagger) if tagger else {}
    for kind, weights in views.items():
        facts["classes"][kind] = [list(label) for label in weights.classes]
        for name, model in _named_models(weights):
            others = tuple(range(1, model.weights.ndim))
            largest = np.abs(model.weights[1:]).max(axis=others, initial=0.0)
            kept = np.flatnonzero(largest > _SMALLEST)
            half = model.weights[1:][kept].astype(np.float16)
            arrays[f"{kind}.{name}.features"] = model.vocabulary.buckets[kept]
            arrays[f"{kind}.{name}.weights"] = half
    return facts, arrays


def _named_models(weights: Weights) -> Iterator[tuple[str, LinearModel]]:
    for level, arcs in enumerate(weights.arcs):
        yield f"arcs{level}.units", arcs.units
        yield f"arcs{level}.pairs", arcs.pairs
    for level, splits in enumerate(weights.splits):
        yield f"splits{level}", splits
    yield "labels", weights.labels
    yield from zip(_SEGMENTS, weights.segments, strict=False)


def _tag_arrays(model: TagModel) -> Arrays:
    """Strings as UTF-8, a line each; of weights of tags those that matter."""
    chooser, sentences = model.chooser, model.sentences
    weights = chooser.weights[1:]
    feature, tag = np.nonzero(np.abs(weights) > _SMALLEST_OF_TAGS)
    number = np.uint8 if len(model.tags) <= _MOST_SMALL else np.int32
    counts = np.bincount(feature, minlength=len(weights)).astype(np.int32)
    return {
        "tags.known": _lines(map("\t".join, model.known.items())),
        "tags.features": chooser.vocabulary.buckets[counts > 0],
        "tags.counts": counts[counts > 0],
        "tags.which": tag.astype(number),
        "tags.weights": weights[feature, tag].astype(np.float16),
        "tags.lemmas": _lines(
            f"{tag}\t{end}\t{size}\t{new}"
            for (tag, end), (size, new) in model.lemmas.items()
        ),
        "tags.sentences.features": sentences.vocabulary.buckets,
        "tags.sentences.weights": sentences.weights[1:].astype(np.float16),
    }


def _lines(texts: Iterable[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(texts).encode("utf-8"), np.uint8)


def settings_of(facts: Mapping[str, Any]) -> ParserSettings:
    """The settings; KeyError, TypeError or ValueError if they are none."""
    relations = facts["relation_map"]
    stages = tuple(stage for stage in STAGES if stage in facts["stages"])
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


_OBJECTS = ("corpus", "scores")


def unpacked(facts: Mapping[str, Any], arrays: Arrays, source: str) -> Contents:
    """What a parser consists of; InputError where things do not fit together."""
    place = Place(source)
    try:
        settings = settings_of(facts["settings"])
        views = {}
        for kind, classes in facts["classes"].items():
            model = partial(_linear_model, arrays, kind, place)
            has_second = f"{kind}.{_SEGMENTS[1]}.features" in arrays
            views[kind] = _weights(model, settings, classes, has_second=has_second)
        if not views:
            raise ValueError("classes")
        tagger = _tagger(arrays, facts["tags"], place) if facts["tags"] else None
        if not all(isinstance(facts.get(name, {}), dict) for name in _OBJECTS):
            raise TypeError
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise _damaged(place, f"{type(error).__name__} in its settings") from None
    return settings, views, tagger, facts


def _weights(
    model: Callable[..., LinearModel],
    settings: ParserSettings,
    classes: Sequence[Sequence[str]],
    *,
    has_second: bool,
) -> Weights:
    """model: gives a model by its name, and by the shape of its features' weights."""
    if any(nuclearity not in (NUCLEUS, SATELLITE) for _, nuclearity in classes):
        raise ValueError("classes")
    labels = tuple((relation, nuclearity) for relation, nuclearity in classes)
    arcs, splits = [], []
    for level in range(len(settings.stages)):
        units = model(f"arcs{level}.units", 2 * CONTEXTS + 1)
        arcs.append(ArcModel(units, model(f"arcs{level}.pairs")))
        if not settings.heuristics:
            splits.append(model(f"splits{level}", SIDES))
    segments = tuple(map(model, _SEGMENTS[: 1 + has_second]))
    of_labels = model("labels", len(classes))
    return Weights(tuple(arcs), tuple(splits), of_labels, labels, segments)


def _texts(array: npt.NDArray[Any]) -> list[str]:
    text = array.tobytes().decode("utf-8")
    return text.split("\n") if text else []


def _tagger(arrays: Arrays, tags: Sequence[str], place: Place) -> TagModel:
    """The tagger; KeyError or ValueError if it is not whole."""
    counts, which = arrays["tags.counts"], arrays["tags.which"]
    features = arrays["tags.features"]
    for numbers, end in ((which, len(tags)), (counts, 1 << 31)):
        if str(numbers.dtype) == "float16" or ((numbers < 0) | (numbers >= end)).any():
            raise ValueError("tags")
    if counts.sum() != len(which):
        raise ValueError("tags")
    if counts.shape != features.shape or features.size * len(tags) > _MOST_WEIGHTS:
        raise ValueError("tags")
    weights = np.zeros((len(features), len(tags)), np.float32)
    weights[np.repeat(np.arange(len(features)), counts), which] = arrays["tags.weights"]
    dense = {"tags.chooser.features": features, "tags.chooser.weights": weights}
    known: dict[str, str] = {}
    for line in _texts(arrays["tags.known"]):
        word, names = line.split("\t")
        known[word] = names
    lemmas = {}
    for line in _texts(arrays["tags.lemmas"]):
        name, ending, size, new = line.split("\t")
        lemmas[name, ending] = int(size), new
    return TagModel(
        tuple(tags),
        known,
        _linear_model(dense, "tags", place, "chooser", len(tags)),
        lemmas,
        _linear_model(arrays, "tags", place, "sentences"),
    )


def _linear_model(
    arrays: Arrays, kind: str, place: Place, name: str, *shape: int
) -> LinearModel:
    features = arrays.get(f"{kind}.{name}.features")
    weights = arrays.get(f"{kind}.{name}.weights")
    if (
        features is None
        or weights is None
        or features.ndim != 1
        or weights.shape != (len(features), *shape)
        or str(features.dtype) != "int32"
        or ((features < 0) | (features >= 1 << BITS)).any()
        or not np.isfinite(weights).all()
    ):
        raise _damaged(place, f"no sound weights {kind}.{name}")
    nothing = np.zeros((1, *shape), np.float32)
    whole = np.concatenate([nothing, weights.astype(np.float32)])
    return LinearModel(Vocabulary(features), whole)
