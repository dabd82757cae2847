"""Where EDUs begin: a yes-or-no decision for every token that begins no sentence.

Where a clause goes on after another that interrupts it, syntax says, but not of texts
without it; and that an EDU probably began a few words ago with "who", and has a verb
already, makes it likely that the next verb begins one. So a second pass sees what the
first said of the tokens around.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, zip_longest
from random import Random
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import AnalyzerError, PairingError, Place
from analyzer.formats.word_dependencies import NO_GOVERNOR
from analyzer.metrics.ratios import ratio
from analyzer.model.arrays import Flags, Floats
from analyzer.rst_parser.features import parsed
from analyzer.rst_parser.lexicon import COMMON_VERBS, SAYING, connective, shape
from analyzer.rst_parser.linear import (
    LEAST,
    Hashes,
    LinearModel,
    decision_loss,
    hash_of,
    hashes,
    learn,
    mixed,
)
from analyzer.rst_parser.text import TokenText
from analyzer.safe_text import counted

FIRST = """
w; w-1; w-2; w+1; w+2; w-1 w; w w+1; w-2 w-1 w; w-1 w w+1; w w+1 w+2; t; t-1; t-2;
t+1; t+2; t-1 t; t t+1; t-2 t-1 t; t-1 t t+1; t t+1 t+2; t-2 t-1 t t+1; t-3 t-2 t-1 t;
w t-1; w-1 t; w t+1; t w+1; w t-1 t+1; w-1 t t+1; f; f-1; f+1; f-1 f; f f+1; f side; f
w; top; top topt; top w; top w-1; top w-1 topsize; top t; topsize; top topsize; topt
topsize; ended; ended top; ended w; ended w-1 w; gt; f gt; f gt side; conn; conn w-1;
conn t-1; conn+1 w; say-1; say-2; say-1 w; topgw; top topgw; topgt top; begun; begun
w-1; begun conn; rest; rest w-1; in; in w; w s+1 s+2; s-1 s s+1; s s+1 s+2; s-2 s-1 s;
seen; seen w; seen top; depth; top depth; verbs; verbs w; verbs conn; verbs top; kids;
kids top; cc w; shapes; next2; next3; next4; past2; past3; past1 next2; past2 next2;
past2 next3; past3 next3; w next2; w next3; w next4; t next3; t next4; w past2; w past1
next2; t past2 next3; conn next3; conn past2; w-1 next3; w-1 w next2; t-1 next4; past1
next4; w past2 next3
"""
# q: the first pass's score of a token; q+1: of the next one, and so on. since, since_w,
# since_t: how many tokens ago the last EDU began, its first word and tag; had: the
# verbs from there on; until, left: tokens and verbs up to where the next one begins.
SECOND = """
q; q-1; q+1; q-2; q+2; q-3; q+3; q q-1; q q+1; q-1 q+1; q q-1 q+1; q q-2 q-1; q q+1 q+2;
since_w; since_t; since_w t; since_t t; since_w w; since_t w; q since_w; q since_t;
since; since t; since w; q since; had; had left; had left t; had left w; q had left;
left; left t; until; until t; until since; had since_t t; had left since_t t; had left
since_w; had since_w t
"""
# What is seen of the tokens around, and how far away they are.
_AROUND = {
    "w": (-2, -1, 1, 2),
    "t": (-3, -2, -1, 1, 2),
    "s": (-2, -1, 1, 2),
    "f": (-1, 1),
    "conn": (1,),
    "say": (-2, -1),
}
# Tags, of the Penn Treebank and universal ones, by the phrase that they are part of;
# others are phrases of their own, and adverbs and the like of none.
_TAGS_OF_PHRASES = {
    "N": """NN NNS NNP NNPS PRP DT JJ JJR JJS CD PRP$ POS EX PDT NOUN PROPN PRON DET ADJ
    NUM""",
    "V": "VBD VBP VBZ MD AUX",
    "W": "WP WDT WRB WP$",
    "": "RB RBR RBS UH RP ADV INTJ",
}
_PHRASES = {
    tag: phrase for phrase, tags in _TAGS_OF_PHRASES.items() for tag in tags.split()
}
_MOST_PHRASES = 4
_STEPS = 40  # of L-BFGS; more move no score
_NEIGHBOURS = (-3, -2, -1, 1, 2, 3)
_HIGHEST, _OUTSIDE, _SENTENCE = 5, "8", 9  # of q: scores, beyond the text, sure ones
_MOST_VERBS, _MOST_TOKENS = 2, 8


def begins_sentence(texts: Iterable[TokenText]) -> Flags:
    """Whether each token is the first of a sentence."""
    flags = []
    for text in texts:
        flags.append(np.zeros(len(text), np.bool_))
        flags[-1][[start for start, _ in text.sentence_spans()]] = True
    return np.concatenate(flags)


def is_verb(text: TokenText, at: int) -> bool:
    if text.has_tags:
        return text.tags[at].startswith(("V", "MD"))
    return text.forms[at].lower() in COMMON_VERBS


# -- what is seen of each token --------------------------------------------------------


def token_atoms(texts: Sequence[TokenText]) -> dict[str, Hashes]:
    """What is seen of all tokens, those of one text after those of the other."""
    # Tags stand for syntax where there is none.
    has_phrases = any(text.has_tags and not text.has_syntax for text in texts)
    return hashed(
        _atoms(text) | (_phrases(text) if has_phrases else {}) for text in texts
    )


def hashed(parts: Iterable[Mapping[str, Iterable[str]]]) -> dict[str, Hashes]:
    """Atoms of several texts, one after the other, as numbers."""
    atoms: dict[str, list[int]] = {}
    for part in parts:
        for name, column in part.items():
            atoms.setdefault(name, []).extend(map(hash_of, column))
    return {name: np.array(column, np.uint64) for name, column in atoms.items()}


def columns(templates: str, atoms: dict[str, Hashes]) -> Iterator[Hashes]:
    """A feature of all tokens for each template whose atoms are there."""
    for template in parsed(templates):
        if atoms.keys() >= set(template):  # phrases stand for syntax
            yield mixed(" ".join(template), *(atoms[name] for name in template))


def _atoms(text: TokenText) -> dict[str, list[str]]:
    words = [form.lower() for form in text.forms]
    shapes = [shape(form) for form in text.forms]
    atoms = {
        "w": words,
        "s": shapes,
        "f": list(text.functions),
        "t": list(text.tags) if text.has_tags else shapes,
        "conn": [connective(words, at) for at in range(len(words))],
        "say": [str(lemma in SAYING) for lemma in text.lemmas],
    }
    atoms |= neighbours(atoms, _AROUND)
    atoms["shapes"] = [
        "".join(character for character in form if not character.isalnum())
        for form in text.forms
    ]
    return atoms | _of_places(text, words) | _of_syntax(text)


def neighbours(
    atoms: Mapping[str, Sequence[str]], around: Mapping[str, Sequence[int]]
) -> dict[str, list[str]]:
    """The same of the tokens before and after: `w-1`, `w+2`."""
    return {
        f"{name}{step:+}": _shifted(atoms[name], step, f"edge{step:+}")
        for name, steps in around.items()
        for step in steps
    }


def _shifted(column: Sequence[str], step: int, edge: str) -> list[str]:
    edges = [edge] * min(abs(step), len(column))
    if step < 0:
        return [*edges, *column[: max(0, len(column) + step)]]
    return [*column[step:], *edges]


def _of_places(text: TokenText, words: Sequence[str]) -> dict[str, list[str]]:
    """How far the sentence has come, and what has been seen of it."""
    rows = []
    for start, end in text.sentence_spans():
        depth = comma = verb = 0
        for at in range(start, end):
            depth += words[at] in "([" if words[at] else 0
            rows.append(
                (
                    str(min(at - start, 6)),
                    str(min(end - at, 6)),
                    str(min(depth, 2)),
                    str(min(comma, 2)),
                    f"{min(verb, 2)} {_verbs_ahead(text, at, end)}",
                    str(comma > 0),
                )
            )
            depth -= words[at] in ")]" if depth else 0
            is_comma = words[at] in ",;:"
            comma = 0 if is_comma else comma + 1
            verb = 0 if is_comma else verb + is_verb(text, at)
    names = ("begun", "rest", "in", "seen", "verbs", "cc")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def _phrases(text: TokenText) -> dict[str, list[str]]:
    """Which phrases come next in the sentence, and which came last, by their tags."""
    sizes = range(1, _MOST_PHRASES + 1)
    columns: dict[str, list[str]] = {
        f"{name}{size}": [""] * len(text) for name in ("past", "next") for size in sizes
    }
    if not text.has_tags:
        return columns
    kinds = [_PHRASES.get(tag, tag) for tag in text.tags]
    for start, end in text.sentence_spans():
        past: tuple[str, ...] = ("^",)
        for at in range(start, end):
            for size in sizes:
                columns[f"past{size}"][at] = " ".join(past[-size:])
            if kinds[at] and kinds[at] != past[-1]:
                past = (*past[-_MOST_PHRASES + 1 :], kinds[at])
        following: tuple[str, ...] = ()
        for at in reversed(range(start, end)):
            if kinds[at] and kinds[at] != (*following, "$")[0]:
                following = (kinds[at], *following[: _MOST_PHRASES - 1])
            for size in sizes:
                columns[f"next{size}"][at] = " ".join(following[:size])
    return columns


def _verbs_ahead(text: TokenText, at: int, end: int) -> str:
    for step in range(min(6, end - at)):
        if is_verb(text, at + step):
            return str(step)
    return "none"


def _of_syntax(text: TokenText) -> dict[str, list[str]]:
    """The largest constituent that begins at a token, and the one that ended before."""
    count = len(text)
    names = ("top", "topt", "topsize", "ended", "topgw", "topgt", "depth", "kids")
    atoms = {name: [""] * count for name in (*names, "gt", "side")}
    if not text.has_syntax:
        return atoms
    depths = [text.depth(at) for at in range(count)]
    order = sorted(range(count), key=lambda at: -depths[at])  # the highest last
    first, last, kids = _extents(text, order)
    for at in order:
        governor = text.governors[at]
        begin, size = first[at], last[at] - first[at] + 1
        atoms["top"][begin] = text.functions[at]
        atoms["topt"][begin] = text.tags[at]
        atoms["topsize"][begin] = str(min(size, 3) if size < 4 else 4 + (size > 8))
        atoms["kids"][begin] = str(min(kids[at], 3))
        if governor != NO_GOVERNOR:
            atoms["topgw"][begin] = text.lemmas[governor]
            atoms["topgt"][begin] = text.tags[governor]
            atoms["gt"][at] = text.tags[governor]
            atoms["side"][at] = "left" if governor < at else "right"
        if last[at] + 1 < count:
            atoms["ended"][last[at] + 1] = text.functions[at]
        atoms["depth"][begin] = str(min(depths[at], 4))
    return atoms


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


# -- what a first pass says of the tokens around ---------------------------------------


def around(
    texts: Sequence[TokenText], scores: Floats, starts: Flags
) -> dict[str, Hashes]:
    """Atoms of all tokens from the scores of a first pass."""
    atoms: dict[str, list[str]] = {}
    before = 0
    for text in texts:
        here = slice(before, before + len(text))
        is_start = starts[here].tolist()
        begins = ((scores[here] > 0) | starts[here]).tolist()
        verbs = [is_verb(text, at) for at in range(len(text))]
        columns = _scores(scores[here], starts[here])
        columns |= _since(text, is_start, begins, verbs) | _ahead(begins, verbs)
        for name, column in columns.items():
            atoms.setdefault(name, []).extend(column)
        before += len(text)
    return {name: hashes(column) for name, column in atoms.items()}


def _scores(scores: Floats, starts: Flags) -> dict[str, list[str]]:
    near = np.clip(np.round(scores), -_HIGHEST, _HIGHEST).astype(np.int64)
    own = [str(value) for value in np.where(starts, _SENTENCE, near).tolist()]
    around = {f"q{step:+}": _shifted(own, step, _OUTSIDE) for step in _NEIGHBOURS}
    return {"q": own, **around}


def _since(
    text: TokenText, starts: Sequence[bool], begins: Sequence[bool], verbs: list[bool]
) -> dict[str, list[str]]:
    """The EDU before a token that may begin one."""
    names = ("since", "since_w", "since_t", "had")
    columns: dict[str, list[str]] = {name: [] for name in names}
    first = had = 0
    for at in range(len(text)):
        if starts[at]:
            first, had = at, 0
        columns["since"].append(str(min(at - first, _MOST_TOKENS)))
        columns["since_w"].append(text.forms[first].lower())
        columns["since_t"].append(text.tags[first])
        columns["had"].append(str(min(had, _MOST_VERBS)))
        if begins[at]:
            first, had = at, 0
        had += verbs[at]
    return columns


def _ahead(begins: Sequence[bool], verbs: Sequence[bool]) -> dict[str, list[str]]:
    """What there is from a token to where the next EDU begins."""
    until: list[str] = []
    left: list[str] = []
    tokens = had = 0
    for begin, verb in zip(reversed(begins), reversed(verbs), strict=True):
        tokens, had = tokens + 1, had + verb
        until.append(str(min(tokens, _MOST_TOKENS)))
        left.append(str(min(had, _MOST_VERBS)))
        if begin:
            tokens = had = 0
    return {"until": until[::-1], "left": left[::-1]}


# -- learning and using it -------------------------------------------------------------


def first_half(texts: Sequence[TokenText], seed: int) -> Flags:
    """Whether each token is in the first half of the texts.

    Of two neighbours, which are often alike, each half has one. The same halves guess
    each other's tags, see `tagger`: with other ones EDUs are found less well.
    """
    random = Random(seed)
    pairs = [random.sample((True, False), 2) for _ in texts[::2]]
    flags = list(chain.from_iterable(pairs))[: len(texts)]
    return np.repeat(np.array(flags, np.bool_), [len(text) for text in texts])


def train_segments(
    texts: Sequence[TokenText],
    *,
    strength: float,
    least: int = LEAST,
    seed: int = 1,
) -> tuple[LinearModel, ...]:
    """What finds EDUs, from texts whose EDUs are known: two passes, one for one text.

    The second pass learns from what a first one says of texts that it has not seen: of
    each half of the texts (see `first_half`), after it learnt from the other half.
    """
    starts = begins_sentence(texts)
    gold = np.zeros(len(starts), np.bool_)
    sizes = [len(text) for text in texts]
    for before, text in zip(accumulate(sizes, initial=0), texts, strict=False):
        gold[[before + at for at in text.edu_starts or ()]] = True

    def learnt(columns: Iterable[Hashes], some: Flags) -> LinearModel:
        which = some & ~starts
        chosen = (column[which] for column in columns)
        loss = decision_loss(gold[which])
        [model] = learn(
            [(chosen, 0)], loss, strength=strength, least=least, steps=_STEPS
        )
        return model

    atoms = token_atoms(texts)
    everything = np.ones(len(gold), np.bool_)
    first = learnt(columns(FIRST, atoms), everything)
    if len(texts) < 2:
        return (first,)
    is_first = first_half(texts, seed)
    scores = np.zeros(len(gold))
    for half in (is_first, ~is_first):
        model = learnt(columns(FIRST, atoms), ~half)
        here = {name: column[half] for name, column in atoms.items()}
        scores[half] = model.scores(columns(FIRST, here))
    atoms |= around(texts, scores, starts)
    return first, learnt(columns(f"{FIRST};{SECOND}", atoms), everything)


def segment(
    passes: Sequence[LinearModel], texts: Sequence[TokenText]
) -> list[list[int]]:
    """Of each text, the tokens that begin EDUs."""
    starts = begins_sentence(texts)
    atoms = token_atoms(texts)
    first, *more = passes
    scores = first.scores(columns(FIRST, atoms))
    for second in more:
        atoms |= around(texts, scores, starts)
        scores = second.scores(columns(f"{FIRST};{SECOND}", atoms))
    begins = (scores > 0) | starts
    ends = np.cumsum([len(text) for text in texts])
    parts = np.split(begins, ends[:-1])
    return [np.flatnonzero(part).tolist() for part in parts]


# -- how well EDU boundaries were found: by characters, white space aside --------------


class SegmentRow(NamedTuple):
    document: str
    gold: int
    found: int
    matched: int

    @property
    def precision(self) -> float | None:
        return ratio(self.matched, self.found)

    @property
    def recall(self) -> float | None:
        return ratio(self.matched, self.gold)

    @property
    def f1(self) -> float | None:
        return ratio(2 * self.matched, self.gold + self.found)


@dataclass(frozen=True)
class SegmentScores:
    """One row a document, and what could not be compared."""

    rows: list[SegmentRow]
    problems: Sequence[AnalyzerError] = ()

    @property
    def total(self) -> SegmentRow:
        counts = [[row.gold, row.found, row.matched] for row in self.rows]
        return SegmentRow("all", *map(sum, zip([0, 0, 0], *counts, strict=True)))

    def __repr__(self) -> str:
        f1 = self.total.f1
        shown = "-" if f1 is None else f"{f1:.3f}"
        return f"<SegmentScores: {counted(len(self.rows), 'document')}, F1 {shown}>"


def score_segments(
    gold: Sequence[TokenText], found: Sequence[TokenText]
) -> SegmentScores:
    """Boundaries of texts of the same names; the words must be the same."""
    by_name = {text.name: text for text in found}
    rows: list[SegmentRow] = []
    problems: list[AnalyzerError] = []
    for text in gold:
        place = Place(text.name)
        if text.name not in by_name:
            problems.append(PairingError("E438 was not segmented", place))
            continue
        expected, letters = _boundaries(text)
        predicted, others = _boundaries(by_name[text.name])
        if letters != others:
            pairs = enumerate(zip_longest(letters, others))
            at = next(number for number, (a, b) in pairs if a != b)
            shown = {"one": letters[at : at + 20], "other": others[at : at + 20]}
            problems.append(PairingError("E439 the text is not", place, **shown))
            continue
        counts = len(expected), len(predicted), len(expected & predicted)
        rows.append(SegmentRow(text.name, *counts))
    return SegmentScores(rows, problems)


def _boundaries(text: TokenText) -> tuple[set[int], str]:
    """Where EDUs begin, in characters, and the text without white space."""
    pieces = ["".join(form.split()) for form in text.forms]
    ends = [0, *accumulate(map(len, pieces))]
    return {ends[at] for at in text.edu_starts or ()}, "".join(pieces)
