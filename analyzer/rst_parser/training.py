"""A parser from documents whose trees are known: what it learns from, how, how much.

Words are what every document has. Texts with syntax are seen with it, by weights of
their own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analyzer.exceptions import AnalyzerError
from analyzer.formats.registry import write_rst
from analyzer.model.arrays import Ints
from analyzer.model.discourse import SATELLITE, DependencyTree, Documents, Unit
from analyzer.rst_parser.attachment import (
    Label,
    ParserSettings,
    Weights,
    label_templates,
    train_arcs,
    train_labels,
    train_splits,
)
from analyzer.rst_parser.decoding import ROOT_LABEL
from analyzer.rst_parser.edus import edu_table
from analyzer.rst_parser.features import chosen, parsed, templates
from analyzer.rst_parser.linear import LinearModel
from analyzer.rst_parser.segmenter import FIRST, SECOND, train_segments
from analyzer.rst_parser.sentences import TEMPLATES as SENTENCES
from analyzer.rst_parser.sentences import with_sentences
from analyzer.rst_parser.stages import gold_stages
from analyzer.rst_parser.tagger import TAGS, TagModel, tagged, train_tags
from analyzer.rst_parser.text import (
    TextSource,
    TokenText,
    edu_tokens,
    edus_of,
    syntax_files,
)
from analyzer.transform.head_order import multinuclear_relations, transformed
from analyzer.transform.relations import map_relations

# Texts with tags and dependencies, and texts that are words alone.
WITH_SYNTAX, WORDS = "syntax", "words"
# What training tells of its progress, and the names of the parts.
_ARCS, _SPLITS, _RELATIONS = "arcs of stage {}", "splits of stage {}", "relations"
_SEGMENTS = "EDU boundaries"
_TAGS, _SENTENCES = "words: tags", "words: sentences of raw text"
# The L2 penalties, chosen by cross-validation within GUM's training set.
_OF_ARCS, _OF_WIDE_ARCS, _OF_BINARY_ARCS = 40.0, 100.0, 4.0
_OF_SPLITS, _OF_LABELS, _OF_SEGMENTS = 40.0, 40.0, 5.0
_OF_TAGS = 0.5
# They are for so many decisions or more; of fewer, each counts more.
_MANY = 4000

Progress = Callable[[str], None]


# -- what it learns from ---------------------------------------------------------------


class GoldDocument(NamedTuple):
    """A text with its EDUs, and its tree."""

    text: TokenText
    root: Unit


def gold_documents(
    documents: Documents,
    syntax: TextSource | None,
    problems: list[AnalyzerError],
    encoding: str = "utf-8",
    notes: list[AnalyzerError] | None = None,
) -> list[GoldDocument]:
    """Trees with their tokens; those whose tokens do not match are problems, or
    `notes`, see `edu_tokens`."""
    beside = syntax_files(syntax, encoding)
    gold = []
    for name, root in documents:
        try:
            tokens = edu_tokens(name, edus_of(root), beside, notes)
            gold.append(GoldDocument(tokens, root))
        except AnalyzerError as error:
            problems.append(error)
    return gold


def as_words(texts: Sequence[TokenText], tagger: TagModel | None) -> list[TokenText]:
    """Texts as if nobody had parsed them: tags and lemmas are guessed, and where
    sentences begin in raw text."""
    if tagger is None:
        return [text.without_syntax() if text.has_syntax else text for text in texts]
    return tagged(tagger, with_sentences(texts, tagger.sentences, tagger.known))


def _teaches_tags(text: TokenText) -> bool:
    return text.has_syntax and not text.is_masked


def _by_kind(
    gold: Sequence[GoldDocument],
    tagger: TagModel | None,
    guessed: Sequence[TokenText],
) -> dict[str, list[GoldDocument]]:
    """What each set of weights is trained on.

    Of documents whose words are masked (GUM's from Reddit), only the syntax is used.
    guessed: those that taught the tagger, as words.
    """
    with_syntax = [document for document in gold if document.text.has_syntax]
    readable = [document for document in gold if not document.text.is_masked] or gold
    others = [text for text, _ in readable if not _teaches_tags(text)]
    guesses, rest = iter(guessed), iter(as_words(others, tagger))
    words = [
        GoldDocument(next(guesses if _teaches_tags(text) else rest), root)
        for text, root in readable
    ]
    return {**({WITH_SYNTAX: with_syntax} if with_syntax else {}), WORDS: words}


def corpus_facts(gold: Sequence[GoldDocument], documents: Documents) -> dict[str, Any]:
    """What a model says of the corpus that it was trained on."""
    digest = hashlib.sha256()
    for text, root in gold:
        tree = write_rst(root, "dis", name=text.name)
        digest.update(f"{text.name}\n{tree}\n".encode())
    return {
        "source": Path(documents.bank.source).name,
        "documents": len(gold),
        "edus": sum(len(text.edus()) for text, _ in gold),
        "tokens": sum(len(text) for text, _ in gold),
        "with_syntax": sum(text.has_syntax for text, _ in gold),
        "sha256": digest.hexdigest(),
    }


# -- how -------------------------------------------------------------------------------


def train_all(
    gold: Sequence[GoldDocument], settings: ParserSettings, progress: Progress
) -> tuple[ParserSettings, dict[str, Weights], TagModel | None]:
    """What documents teach, for texts with syntax (if some have it) and for words."""
    if settings.heuristics:
        roots = (map_relations(root, settings.relations) for _, root in gold)
        settings = replace(settings, multinuclear=multinuclear_relations(roots))
    tagger: TagModel | None = None
    guessed: list[TokenText] = []
    tagged_texts = [text for text, _ in gold if _teaches_tags(text)]
    if tagged_texts:
        progress(_TAGS)
        strength = _scaled(_OF_TAGS, sum(map(len, tagged_texts)))
        tagger, guessed = train_tags(
            tagged_texts, strength=strength, seed=settings.seed
        )
    views = {
        kind: _train(documents, kind, settings, progress)
        for kind, documents in _by_kind(gold, tagger, guessed).items()
    }
    return settings, views, tagger


def _train(
    documents: Sequence[GoldDocument],
    kind: str,
    settings: ParserSettings,
    progress: Progress,
) -> Weights:
    """Weights for documents that all have syntax, or all have none."""
    texts = [text for text, _ in documents]
    is_papers = settings.heuristics
    # The paper's parser learns the classes; the other what they were made of.
    relations = settings.relations if is_papers else None
    trees = [
        transformed(map_relations(root, relations), settings.encoding, source=text.name)
        for text, root in documents
    ]
    edus = edu_table(texts)
    ranks = [rank for tree in trees for rank in tree.ranks or ()]
    heads = joined_heads(trees)
    arcs, splits = [], []
    stages = []
    for stage in gold_stages(edus, heads, np.array(ranks), settings.stages):
        name, units = settings.stages[stage.level], len(stage.units)
        progress(f"{kind}: {_ARCS.format(name)}")
        strength = _OF_WIDE_ARCS if stage.level else _OF_ARCS
        strength = _scaled(_OF_BINARY_ARCS if is_papers else strength, units)
        arcs.append(train_arcs(edus, stage, strength=strength, is_binary=is_papers))
        if is_papers:
            stage = replace(stage, order=None)
        else:
            progress(f"{kind}: {_SPLITS.format(name)}")
            strength = _scaled(_OF_SPLITS, units)
            splits.append(train_splits(edus, stage, strength=strength))
        stages.append(stage)
    progress(f"{kind}: {_RELATIONS}")
    strength = _scaled(_OF_LABELS, len(edus))
    gold = _labels(trees, settings)
    labels, classes = train_labels(edus, stages, gold, strength=strength)
    progress(f"{kind}: {_SEGMENTS}")
    strength = _scaled(_OF_SEGMENTS, sum(map(len, texts)))
    segments = train_segments(texts, strength=strength, seed=settings.seed)
    return Weights(tuple(arcs), tuple(splits), labels, classes, segments)


def _scaled(strength: float, decisions: int) -> float:
    """The penalty for a corpus of so many decisions."""
    return strength * min(1.0, decisions / _MANY)


def joined_heads(trees: Sequence[DependencyTree]) -> Ints:
    """Heads of all documents one after the other, from 0, -1 for roots."""
    heads: list[int] = []
    for tree in trees:
        before = len(heads)
        heads += [before + head - 1 if head else -1 for head in tree.heads]
    return np.array(heads, np.int64)


def _labels(trees: Sequence[DependencyTree], settings: ParserSettings) -> list[Label]:
    labels: list[Label] = []
    for tree in trees:
        assert tree.nuclearities is not None
        pairs = zip(tree.relations, tree.nuclearities, tree.heads, strict=True)
        for relation, nuclearity, head in pairs:
            side = SATELLITE if settings.heuristics else nuclearity
            labels.append((relation, side) if head else ROOT_LABEL)
    return labels


# -- how much --------------------------------------------------------------------------


class ModelPart(NamedTuple):
    """A part of a model: its templates, the features found with them, its weights."""

    part: str
    templates: int
    features: int
    weights: int


def model_summary(
    views: Mapping[str, Weights], tagger: TagModel | None, stages: Sequence[str]
) -> list[ModelPart]:
    """How large all parts of a parser are, in the order in which they are trained."""
    parts = []
    if tagger is not None:
        chooser, sentences = tagger.chooser, tagger.sentences
        for name, seen, model in (
            (_TAGS, TAGS, chooser),
            (_SENTENCES, SENTENCES, sentences),
        ):
            used = int(np.count_nonzero(model.weights))
            known = len(model.vocabulary) - 1
            parts.append(ModelPart(name, len(parsed(seen)), known, used))
    for kind, weights in views.items():
        for name, count, models in _parts(weights, stages, kind == WITH_SYNTAX):
            features = sum(len(model.vocabulary) - 1 for model in models)
            size = sum(model.weights.size for model in models)
            parts.append(ModelPart(f"{kind}: {name}", count, features, size))
    return parts


def _parts(
    weights: Weights, stages: Sequence[str], has_syntax: bool
) -> Iterator[tuple[str, int, list[LinearModel]]]:
    """The parts that serve texts of one kind: name, templates, models."""

    def count(kind: str, level: int) -> int:
        return len(chosen(templates(kind, level), has_syntax))

    for level, stage in enumerate(stages):
        arcs = weights.arcs[level]
        seen = count("unit", level) + count("pair", level)
        yield _ARCS.format(stage), seen, [arcs.units, arcs.pairs]
        if weights.splits:
            splits = weights.splits[level]
            yield _SPLITS.format(stage), count("span", level), [splits]
    seen = label_templates(has_syntax=has_syntax, has_order=bool(weights.splits))
    yield _RELATIONS, seen, [weights.labels]
    seen = 0
    names = _SEGMENTS, f"{_SEGMENTS}, second pass (with the scores of the first)"
    passes = zip(names, (FIRST, SECOND), weights.segments, strict=False)
    for name, more, model in passes:
        seen += len(parsed(more))
        yield name, seen, [model]
