"""Where the sentences of raw text begin, as a corpus with syntax teaches it.

A log-linear model decides for each token after which, or before which, a sentence may
end whether it begins one. What the rules of `text` say counts as much as if it had been
learnt: a model of few documents says the same as they do. Line breaks that end
sentences do so here too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from analyzer.model.arrays import Flags
from analyzer.rst_parser.linear import Hashes, LinearModel, decision_loss, learn
from analyzer.rst_parser.segmenter import (
    begins_sentence,
    columns,
    hashed,
    neighbours,
)
from analyzer.rst_parser.text import (
    SEVERAL,
    TokenText,
    can_begin,
    case,
    sentence_starts,
    spans_of_numbers,
)

# What the atoms are, `_of_piece` says.
TEMPLATES = """
rule; rule layout; w; w-1; w-2; w+1; c; c-1 c; c c+1; c-1 c c+1; w-1 w; w-1 c; w-1 c
c+1; w-1 c layout; w-2 w-1 c; w-1 layout; w layout; c layout; a; a-1; a+1; c a; c-1 c a;
c a a+1; a-1 c a; c a layout; a-1 a a+1; w-1 w+1; since; since c; since c layout; until;
until c; w-1 since; w-1 rule; w rule; c rule; w-1 quoting; w quoting; length c; length
rule; w-1 w layout; c-1 c since layout; w-2 w-1 w; a-2 a-1 c a; c a a+1 layout; paired;
paired w-1
"""
_AROUND = {"w": (-2, -1, 1), "c": (-1, 1), "a": (-2, -1, 1)}
# What a rule's answer is worth, as the logarithm of odds.
_PRIOR = 3.0
# The L2 penalty, however few the texts: it keeps to the rules where there are few.
_STRENGTH = 2.0
_STEPS = 40  # of L-BFGS
_MOST = 12  # tokens that are told apart


def train_sentences(
    texts: Sequence[TokenText], known: Mapping[str, str]
) -> LinearModel:
    """A model from texts whose sentences are known. known: tags of frequent words, see
    `TagModel`.

    Each text is seen as it would be without line breaks, with blank lines between its
    paragraphs, and with a sentence a line.
    """
    layouts = [
        replace(text, pieces=pieces)
        for text in texts
        for pieces in ([0] * len(text), text.paragraphs, text.sentences)
    ]
    atoms, rules, candidates = _atoms(layouts, known)
    gold = begins_sentence(layouts)[candidates]
    prior = np.where(rules, _PRIOR, -_PRIOR)[candidates]
    loss = decision_loss(gold)
    seen = (column[candidates] for column in columns(TEMPLATES, atoms))
    [model] = learn(
        [(seen, 0)],
        lambda scores: loss(scores + prior),
        strength=_STRENGTH,
        steps=_STEPS,
    )
    return model


def with_sentences(
    texts: Sequence[TokenText], model: LinearModel, known: Mapping[str, str]
) -> list[TokenText]:
    """The texts with guessed sentences, where they are raw texts."""
    raw = [text for text in texts if text.pieces is not None]
    if not raw:
        return list(texts)
    atoms, rules, candidates = _atoms(raw, known)
    scores = model.scores(columns(TEMPLATES, atoms)) + np.where(rules, _PRIOR, -_PRIOR)
    begins = candidates & (scores > 0)
    ends = list(accumulate(map(len, raw)))[:-1]
    parts = iter(np.split(begins, ends))
    divided = []
    for text in texts:
        if text.pieces is not None:
            starts = next(parts)
            starts[[start for start, _ in spans_of_numbers(text.pieces)]] = True
            text = replace(text, sentences=(starts.cumsum() - 1).tolist())
        divided.append(text)
    return divided


def _atoms(
    texts: Sequence[TokenText], known: Mapping[str, str]
) -> tuple[dict[str, Hashes], Flags, Flags]:
    """What is seen of each token; what the rules say; where a sentence may begin."""
    atoms: list[dict[str, list[str]]] = []
    rules: list[bool] = []
    candidates: list[bool] = []
    for text in texts:
        spans = spans_of_numbers(text.pieces or ())
        starts = [set(sentence_starts(text.forms[s:e])) for s, e in spans]
        mean = sum(map(len, starts)) / len(spans)
        layout = "one" if len(spans) == 1 else str(mean >= SEVERAL)
        for (start, end), begun in zip(spans, starts, strict=True):
            forms = text.forms[start:end]
            is_rule = [at in begun for at in range(len(forms))]
            rules += is_rule
            candidates += [
                at > 0
                and (is_rule[at] or can_begin(form) or not forms[at - 1][-1].isalnum())
                for at, form in enumerate(forms)
            ]
            atoms.append(_of_piece(forms, is_rule, layout, known))
    return hashed(atoms), np.array(rules), np.array(candidates)


def _of_piece(
    forms: Sequence[str], rules: Sequence[bool], layout: str, known: Mapping[str, str]
) -> dict[str, list[str]]:
    """since, until: tokens from where the rules begin a sentence, to where they begin
    the next; length: of the piece. quoting: within straight quotation marks. paired:
    within brackets."""
    size = len(forms)
    words = [form.lower() for form in forms]
    atoms = {
        "w": words,
        "c": [case(form) for form in forms],
        "a": [known.get(word, "") for word in words],
        "rule": [str(rule) for rule in rules],
        "layout": [layout] * size,
        "length": [str(min(size, _MOST))] * size,
    }
    atoms |= neighbours(atoms, _AROUND)
    since = quotes = depth = 0
    for name in ("since", "quoting", "paired"):
        atoms[name] = []
    for at, word in enumerate(words):
        since = 0 if at and rules[at - 1] else since
        since += 1
        atoms["since"].append(str(min(since, _MOST)))
        atoms["quoting"].append(str(quotes % 2))
        atoms["paired"].append(str(depth))
        quotes += word == '"'
        depth = min(2, max(0, depth + (word in "([{") - (word in ")]}")))
    until, ahead = 0, []
    for rule in reversed(rules):
        until += 1
        ahead.append(str(min(until, _MOST)))
        until = 0 if rule else until
    atoms["until"] = ahead[::-1]
    return atoms
