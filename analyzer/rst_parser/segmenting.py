"""Where EDUs begin: a yes-or-no decision for every token that begins no sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analyzer.model.arrays import Flags, Floats, Ints
from analyzer.rst_parser.fitting import Weights, train_choice
from analyzer.rst_parser.hashing import Hashes, hash_of, mixed
from analyzer.rst_parser.linear import Vocabulary, scores
from analyzer.rst_parser.second_look import SECOND, around, is_verb, sentence_starts
from analyzer.rst_parser.tokens import NO_GOVERNOR, TokenText
from analyzer.rst_parser.units import parsed
from analyzer.rst_parser.words import connective, saying, shape

_TEMPLATES = """
w; w-1; w-2; w+1; w+2; w-1 w; w w+1; w-2 w-1 w; w-1 w w+1; w w+1 w+2; t; t-1; t-2;
t+1; t+2; t-1 t; t t+1; t-2 t-1 t; t-1 t t+1; t t+1 t+2; t-2 t-1 t t+1; t-3 t-2 t-1 t;
w t-1; w-1 t; w t+1; t w+1; w t-1 t+1; w-1 t t+1; f; f-1; f+1; f-1 f; f f+1; f side; f
w; top; top topt; top w; top w-1; top w-1 topsize; top t; topsize; top topsize; topt
topsize; ended; ended top; ended w; ended w-1 w; gt; f gt; f gt side; conn; conn w-1;
conn t-1; conn+1 w; say-1; say-2; say-1 w; topgw; top topgw; topgt top; begun; begun
w-1; begun conn; rest; rest w-1; in; in w; w s+1 s+2; s-1 s s+1; s s+1 s+2; s-2 s-1 s;
seen; seen w; seen top; depth; top depth; verbs; verbs w; verbs conn; verbs top; kids;
kids top; cc w; shapes
"""


@dataclass(frozen=True)
class Look:
    """Features and their weights."""

    vocabulary: Vocabulary
    weights: Weights


@dataclass(frozen=True)
class SegmentModel:
    """second: a look that also sees what the first says of the tokens around."""

    first: Look
    second: Look | None = None


def token_atoms(texts: Sequence[TokenText]) -> dict[str, Hashes]:
    """What is seen of all tokens, those of one text after those of the other."""
    atoms: dict[str, list[int]] = {}
    for text in texts:
        for name, column in _atoms(text).items():
            atoms.setdefault(name, []).extend(map(hash_of, column))
    return {name: np.array(column, np.uint64) for name, column in atoms.items()}


def columns_of(templates: str, atoms: dict[str, Hashes]) -> Iterator[Hashes]:
    for one in parsed(templates):
        yield mixed(" ".join(one), *(atoms[name] for name in one))


def _atoms(text: TokenText) -> dict[str, list[str]]:
    words = [form.lower() for form in text.forms]
    shapes = [shape(form) for form in text.forms]
    found: dict[str, list[str]] = {"w": words, "s": shapes, "f": list(text.functions)}
    found["t"] = list(text.tags) if text.has_tags else shapes
    found["conn"] = [connective(words, at) for at in range(len(words))]
    found["say"] = [str(lemma in saying()) for lemma in text.lemmas]
    lengths = {
        "w": (-2, -1, 1, 2),
        "t": (-3, -2, -1, 1, 2),
        "s": (-2, -1, 1, 2),
        "f": (-1, 1),
        "conn": (1,),
        "say": (-2, -1),
    }
    for name, steps in lengths.items():
        for step in steps:
            found[f"{name}{step:+}"] = _shifted(found[name], step)
    found["shapes"] = [
        f"{''.join(character if not character.isalnum() else '' for character in form)}"
        for form in text.forms
    ]
    _add_places(text, words, found)
    _add_syntax(text, found)
    return found


def _shifted(column: Sequence[str], step: int) -> list[str]:
    edge = [f"edge{step:+}"] * min(abs(step), len(column))
    if step < 0:
        return [*edge, *column[: max(0, len(column) + step)]]
    return [*column[step:], *edge]


def _add_places(
    text: TokenText, words: Sequence[str], found: dict[str, list[str]]
) -> None:
    """How far the sentence has come, and what has been seen of it."""
    count = len(words)
    for name in ("begun", "rest", "in", "seen", "verbs", "cc"):
        found[name] = [""] * count
    start = 0
    while start < count:
        end = start
        while end < count and text.sentences[end] == text.sentences[start]:
            end += 1
        depth = 0
        comma = verb = 0
        for at in range(start, end):
            depth += words[at] in "([" if words[at] else 0
            found["begun"][at] = str(min(at - start, 6))
            found["rest"][at] = str(min(end - at, 6))
            found["in"][at] = str(min(depth, 2))
            found["seen"][at] = f"{min(comma, 2)}"
            found["verbs"][at] = f"{min(verb, 2)} {_verbs_ahead(text, at, end)}"
            found["cc"][at] = str(comma > 0)
            depth -= words[at] in ")]" if depth else 0
            comma = 0 if words[at] in ",;:" else comma + 1
            verb = 0 if words[at] in ",;:" else verb + is_verb(text, at)
        start = end


def _verbs_ahead(text: TokenText, at: int, end: int) -> str:
    for step in range(min(6, end - at)):
        if is_verb(text, at + step):
            return str(step)
    return "none"


def _add_syntax(text: TokenText, found: dict[str, list[str]]) -> None:
    """The largest constituent that begins at a token, and the one that ended before."""
    count = len(text)
    for name in ("top", "topt", "topsize", "ended", "topgw", "topgt"):
        found[name] = [""] * count
    for name in ("gt", "side", "depth", "kids"):
        found[name] = [""] * count
    if not text.has_syntax:
        return
    depths = [_depth(text, at) for at in range(count)]
    order = sorted(range(count), key=lambda at: -depths[at])  # the highest last
    first, last, kids = _extents(text, order)
    for at in order:
        governor = text.governors[at]
        begin, size = first[at], last[at] - first[at] + 1
        found["top"][begin] = text.functions[at]
        found["topt"][begin] = text.tags[at]
        found["topsize"][begin] = str(min(size, 3) if size < 4 else 4 + (size > 8))
        found["kids"][begin] = str(min(kids[at], 3))
        if governor != NO_GOVERNOR:
            found["topgw"][begin] = text.lemmas[governor]
            found["topgt"][begin] = text.tags[governor]
        if last[at] + 1 < count:
            found["ended"][last[at] + 1] = text.functions[at]
        found["depth"][begin] = str(min(depths[at], 4))
    for at, governor in enumerate(text.governors):
        if governor != NO_GOVERNOR:
            found["gt"][at] = text.tags[governor]
            found["side"][at] = "left" if governor < at else "right"


def _extents(
    text: TokenText, order: Sequence[int]
) -> tuple[list[int], list[int], list[int]]:
    """The first and last token below each token, and how many depend on it."""
    count = len(text)
    first, last, kids = list(range(count)), list(range(count)), [0] * count
    for at in order:
        governor = text.governors[at]
        if governor != NO_GOVERNOR:
            first[governor] = min(first[governor], first[at])
            last[governor] = max(last[governor], last[at])
            kids[governor] += 1
    return first, last, kids


def _depth(text: TokenText, at: int) -> int:
    depth = 0
    while text.governors[at] != NO_GOVERNOR and depth < 60:
        at, depth = text.governors[at], depth + 1
    return depth


def train_segments(
    texts: Sequence[TokenText],
    *,
    strength: float,
    least: int,
    steps: int,
    looks_twice: bool = False,
) -> SegmentModel:
    """Weights from texts whose EDUs are known.

    The second look learns from what a first look says of texts that it has not seen:
    of each half of the texts, after it learnt from the other half.
    """
    is_open = ~sentence_starts(texts)
    gold = np.concatenate([_marks(text) for text in texts])

    def learnt(columns: Iterable[Hashes], some: Flags) -> Look:
        which = is_open & some
        known, rows = Vocabulary.learn((column[which] for column in columns), least)
        weights = train_choice(
            rows, gold[which], size=len(known), strength=strength, steps=steps
        )
        return Look(known, weights)

    atoms = token_atoms(texts)
    everything = np.ones(len(gold), np.bool_)
    first = learnt(columns_of(_TEMPLATES, atoms), everything)
    if not looks_twice or len(texts) < 2:
        return SegmentModel(first)
    number = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    found = np.zeros(len(gold))
    for half in (number % 2 == 0, number % 2 == 1):
        look = learnt(columns_of(_TEMPLATES, atoms), ~half)
        here = {name: column[half] for name, column in atoms.items()}
        columns = columns_of(_TEMPLATES, here)
        found[half] = scores(look.vocabulary, columns, look.weights)
    atoms |= around(texts, found, sentence_starts(texts))
    second = learnt(columns_of(f"{_TEMPLATES};{SECOND}", atoms), everything)
    return SegmentModel(first, second)


def _marks(text: TokenText) -> Ints:
    found = np.zeros(len(text), np.int64)
    found[list(text.edu_starts or ())] = 1
    return found


def segment_scores(model: SegmentModel, texts: Sequence[TokenText]) -> Floats:
    """More than 0 where an EDU begins within a sentence."""
    atoms = token_atoms(texts)
    first, second = model.first, model.second
    columns = columns_of(_TEMPLATES, atoms)
    found = scores(first.vocabulary, columns, first.weights)
    if second is None:
        return found
    atoms |= around(texts, found, sentence_starts(texts))
    columns = columns_of(f"{_TEMPLATES};{SECOND}", atoms)
    return scores(second.vocabulary, columns, second.weights)


def segmented(model: SegmentModel, texts: Sequence[TokenText]) -> list[TokenText]:
    """The texts with EDUs."""
    if not texts:
        return []
    begins = (segment_scores(model, texts) > 0) | sentence_starts(texts)
    found = []
    before = 0
    for text in texts:
        here = begins[before : before + len(text)]
        found.append(text.with_edus(np.flatnonzero(here).tolist()))
        before += len(text)
    return found


def segment_templates(looks: int = 1) -> int:
    """How many templates there are."""
    return len(parsed(_TEMPLATES)) + (len(parsed(SECOND)) if looks > 1 else 0)
