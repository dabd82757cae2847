"""Syntax for the words of raw text: which word governs which, and as what.

A corpus with syntax teaches it. Words are read from left to right onto a stack; a move
shifts the next word, or attaches the word on top to the next one or to the one below it
(arc-hybrid: Kuhlmann, Gómez-Rodríguez and Satta 2011). Each move is a choice of a
log-linear model, and so is the function of each word, once all are attached. All
sentences move together, so that each step is a few operations on columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analyzer.formats.word_dependencies import NO_GOVERNOR
from analyzer.model.arrays import Flags, Ints
from analyzer.rst_parser.features import numbered, parsed, signed
from analyzer.rst_parser.linear import (
    Hashes,
    LinearModel,
    class_loss,
    hashes,
    learn,
    mixed,
)
from analyzer.rst_parser.tagger import TagModel, tagged, train_tags
from analyzer.rst_parser.text import TokenText

_SHIFT, _LEFT, _RIGHT = range(3)
MOVES = 3
_STEPS, _STEPS_OF_FUNCTIONS = 50, 15  # of L-BFGS
_LEAST = 5  # times that a feature of functions occurs: each has many weights
_STRENGTH = 2.0  # of the penalty
_MOST_KIDS = 3  # more are as good as this
# s, t, u: the words on the stack from the top down; b, c, d: those to come; l, r: the
# first and last dependent of s; m: the last one of t; k: the first one of b; p: the
# word before s.
OF_MOVES = """
s.w; s.t; s.w s.t; t.w; t.t; t.w t.t; b.w; b.t; b.w b.t; c.w; c.t; d.t; u.t; s.t b.t;
s.w b.w; s.w b.t; s.t b.w; s.w s.t b.t; s.t b.w b.t; s.t b.t c.t; b.t c.t d.t; s.t b.t
c.t d.t; t.t s.t; t.t s.t b.t; u.t t.t s.t; t.w s.w; t.w s.t; t.t s.w; t.t s.t b.t c.t;
t.w s.t b.t; t.t s.w b.t; t.t s.t b.w; s.t l.t b.t; s.t r.t b.t; t.t m.t s.t; s.t k.t
b.t; t.t s.t r.t; t.t s.t l.t; s.w r.w b.t; t.t m.t s.t b.t; far s.t b.t; near t.t s.t;
far; near; s.kids s.t b.t; t.kids t.t s.t; s.kids s.w; p.t s.t b.t; t.t s.t b.t r.t; s.t
b.t l.t r.t; s.x b.x; t.x s.x; b.x c.x
"""
# d: a word; h: its governor; p, n: the words before and after it; l, r: its first and
# last dependent; g: its governor's governor.
OF_FUNCTIONS = """
d.w; d.t; d.w d.t; h.w; h.t; d.t h.t; d.w h.t; d.t h.w; d.w h.w; far; far d.t; far d.t
h.t; far d.w; p.t d.t; d.t n.t; p.t d.t n.t; l.t d.t; l.w d.t; l.t d.t h.t; r.t d.t; l.w
l.t d.t h.t; l.t r.t d.t; d.kids d.t; g.t h.t d.t; n.w d.t; p.w d.t; d.x h.t; far l.w
d.t
"""


@dataclass(frozen=True)
class SyntaxModel:
    """tagger: guesses the tags, which moves look at. moves: weights of the three.
    labels: weights of the functions.
    """

    tagger: TagModel
    functions: tuple[str, ...]
    moves: LinearModel
    labels: LinearModel


class Words:
    """The words of some texts one after the other, and the trees over them so far."""

    def __init__(self, texts: Sequence[TokenText]) -> None:
        spans: list[tuple[int, int]] = []
        before = 0
        for text in texts:
            spans += [(before + a, before + b) for a, b in text.sentence_spans()]
            before += len(text)
        self.start, self.end = np.array(spans, np.int64).reshape(-1, 2).T
        forms = [form for text in texts for form in text.forms]
        self.atoms = {
            "w": hashes([form.lower() for form in forms]),
            "t": hashes([tag for text in texts for tag in text.tags]),
            "x": hashes([form[-3:].lower() for form in forms]),
        }
        self.governor, self.first, self.last = np.full((3, before), -1)
        self.kids = np.zeros(before, np.int64)

    def columns(
        self, templates: str, at: Mapping[str, Ints], known: Mapping[str, Hashes]
    ) -> Iterator[Hashes]:
        """What templates see of words: `at` has their places by letters, -1 if none."""
        atoms = dict(known)
        for template in parsed(templates):
            for name in template:
                if name not in atoms:
                    letter, _, what = name.partition(".")
                    where = at[letter]
                    if what == "kids":
                        atoms[name] = _kids(where, self.kids[where])
                    else:
                        column = self.atoms[what][where]
                        atoms[name] = np.where(where < 0, np.uint64(0), column)
            yield mixed(" ".join(template), *(atoms[name] for name in template))

    def attach(self, word: Ints, governor: Ints) -> None:
        self.governor[word] = governor
        is_first = (self.first[governor] < 0) | (word < self.first[governor])
        self.first[governor[is_first]] = word[is_first]
        is_last = word > self.last[governor]
        self.last[governor[is_last]] = word[is_last]
        self.kids[governor] += 1


# Chooses moves, from the words that count and from which moves are possible.
_Choice = Callable[[Mapping[str, Ints], Flags], Ints]


def _run(words: Words, choose: _Choice) -> None:
    """Move until every sentence is a tree."""
    front, end = words.start.copy(), words.end
    longest = int((end - front).max(initial=0))
    stack = np.full((len(front), longest + 3), -1)  # with three that are never there
    depth = np.full(len(front), 3)
    active = np.arange(len(front))
    while len(active):
        high, coming, last = depth[active], front[active], end[active]
        top, below, third = (stack[active, high - back] for back in (1, 2, 3))
        ahead = [np.where(coming + n < last, coming + n, -1) for n in range(3)]
        at = dict(zip("stubcd", (top, below, third, *ahead), strict=True))
        at |= {"l": _of(words.first, top), "r": _of(words.last, top)}
        at |= {"m": _of(words.last, below), "k": _of(words.first, ahead[0])}
        at["p"] = np.where(top > words.start[active], top - 1, -1)
        has_next = ahead[0] >= 0
        can = np.column_stack([has_next, has_next & (top >= 0), below >= 0])
        move = choose(at, can)
        is_left, is_right, is_shift = (move == one for one in (_LEFT, _RIGHT, _SHIFT))
        words.attach(top[is_left], ahead[0][is_left])
        words.attach(top[is_right], below[is_right])
        depth[active] += np.where(is_shift, 1, -1)
        shifted = active[is_shift]
        stack[shifted, depth[shifted] - 1] = front[shifted]
        front[shifted] += 1
        active = active[(front[active] < end[active]) | (depth[active] > 4)]


def _kids(at: Ints, count: Ints) -> Hashes:
    return np.where(at < 0, np.uint64(0), numbered(np.minimum(count, _MOST_KIDS)))


def _of(column: Ints, at: Ints) -> Ints:
    return np.where(at < 0, -1, column[at])


def _distances(at: Mapping[str, Ints]) -> dict[str, Hashes]:
    return {
        "far": numbered(signed(at["b"] - at["s"])),
        "near": numbered(signed(at["s"] - at["t"])),
    }


def _functions_seen(words: Words) -> Iterator[Hashes]:
    each = np.arange(len(words.governor))
    first, last = np.zeros((2, len(each)), np.bool_)
    first[words.start], last[words.end - 1] = True, True
    at = {
        "d": each,
        "h": words.governor,
        "p": np.where(first, -1, each - 1),
        "n": np.where(last, -1, each + 1),
        "l": words.first,
        "r": words.last,
        "g": _of(words.governor, words.governor),
    }
    apart = np.where(words.governor < 0, 0, each - words.governor)
    yield from words.columns(OF_FUNCTIONS, at, {"far": numbered(signed(apart))})


def gold_moves(words: Words, gold: Ints) -> tuple[dict[str, Ints], Ints]:
    """The moves that lead to known trees, and what is seen before each of them.

    gold: the governor of each word, -1 for roots. Of trees that are not projective, as
    much is rebuilt as can be. Moves to which there was no choice are left out.
    """
    waiting = np.bincount(gold[gold >= 0], minlength=len(gold))
    seen: list[dict[str, Ints]] = []
    moves: list[Ints] = []

    def right(at: Mapping[str, Ints], can: Flags) -> Ints:
        top = at["s"]
        is_left = can[:, _LEFT] & (gold[top] == at["b"])
        is_done = (gold[top] == at["t"]) & (waiting[top] == 0)
        is_right = can[:, _RIGHT] & (is_done | ~can[:, _SHIFT])
        move = np.where(is_left, _LEFT, np.where(is_right, _RIGHT, _SHIFT))
        np.subtract.at(waiting, gold[top[(move != _SHIFT) & (gold[top] >= 0)]], 1)
        is_choice = can.sum(axis=1) > 1
        kids = {f"{name}.kids": words.kids[at[name]] for name in "st"}
        known = {**at, **kids}
        seen.append({name: where[is_choice] for name, where in known.items()})
        moves.append(move[is_choice])
        return move

    _run(words, right)
    names = seen[0] if seen else ()
    at = {name: np.concatenate([some[name] for some in seen]) for name in names}
    return at, np.concatenate([np.zeros(0, np.int64), *moves])


def train_syntax(texts: Sequence[TokenText], *, seed: int = 1) -> SyntaxModel:
    """What texts with syntax teach; seed: of the tagger."""
    words = Words(texts)
    sizes = np.cumsum([0, *map(len, texts)]).tolist()
    gold = np.array(
        [
            above if above == NO_GOVERNOR else before + above
            for text, before in zip(texts, sizes, strict=False)
            for above in text.governors
        ]
    )
    at, moves = gold_moves(words, gold)
    # How many dependents there were at the time: at the end there are more.
    kids = {f"{name}.kids": _kids(at[name], at.pop(f"{name}.kids")) for name in "st"}
    columns = words.columns(OF_MOVES, at, _distances(at) | kids)
    of_moves = [(columns, MOVES)]
    [shifts] = learn(of_moves, class_loss(moves), strength=_STRENGTH, steps=_STEPS)
    names = [name for text in texts for name in text.functions]
    functions = tuple(sorted(set(names)))
    number = {name: at for at, name in enumerate(functions)}
    [labels] = learn(
        [(_functions_seen(words), len(functions))],
        class_loss(np.array([number[name] for name in names], np.int64)),
        strength=_STRENGTH,
        least=_LEAST,
        steps=_STEPS_OF_FUNCTIONS,
    )
    return SyntaxModel(train_tags(texts, seed=seed), functions, shifts, labels)


def with_syntax(model: SyntaxModel, texts: Sequence[TokenText]) -> list[TokenText]:
    """The texts with guessed tags and guessed syntax, whatever they had."""
    texts = [tagged(model.tagger, text) for text in texts]
    words = Words(texts)

    def likely(at: Mapping[str, Ints], can: Flags) -> Ints:
        columns = words.columns(OF_MOVES, at, _distances(at))
        scores = model.moves.scores(columns)
        scores[~can] = -np.inf
        best: Ints = scores.argmax(axis=1)
        return best

    _run(words, likely)
    best = model.labels.scores(_functions_seen(words)).argmax(axis=1).tolist()
    parsed_texts = []
    before = 0
    for text in texts:
        here = slice(before, before + len(text))
        above = words.governor[here]
        governors = np.where(above < 0, NO_GOVERNOR, above - before).tolist()
        functions = [model.functions[at] for at in best[here]]
        parsed_texts.append(
            replace(text, governors=governors, functions=functions, has_syntax=True)
        )
        before += len(text)
    return parsed_texts
