"""The choices that annotation is made of, each with the contexts that it depends on.

A choice is a word's tag, the phrases over a span (a unary chain), a phrase's function
tags; what a constituent attaches to is in `attachments`.
What stands around is taken as annotated, since one slip is looked for at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from analyzer.checks.experts import Pieces, context, pieces
from analyzer.checks.items import NONE, Items, stable_keys
from analyzer.checks.surroundings import Surroundings
from analyzer.model.arrays import Ints, Words64, first_places, mix, number_densely
from analyzer.model.symbols import SYMBOLS

_MOST_CLASSES = 48
_LEAST_SEEN = 3  # a class that occurs less often is one with all such
OTHER = 0


class Choices(NamedTuple):
    """What was chosen for some items, from which classes, in which contexts."""

    item: Ints
    chosen: Ints  # class; OTHER for rare ones
    value: Ints  # as numbers from 0, rare ones apart
    names: Sequence[str]  # of the classes
    contexts: Pieces


class Classes(NamedTuple):
    """Values as classes from 1 on, rare ones as OTHER."""

    chosen: Ints
    value: Ints  # as numbers from 0
    example: Ints  # where a value of each class is, from 1 on


def classes_of(values: Ints, size: int) -> Classes:
    """The classes of some values: so many of the most frequent, with OTHER."""
    used, which = number_densely(values)
    times = np.bincount(which, minlength=used.size)
    order = np.argsort(-times, kind="stable")
    kept = order[: size - 1]
    kept = kept[times[kept] >= _LEAST_SEEN]
    number = np.zeros(used.size, np.int64)
    number[kept] = np.arange(1, kept.size + 1)
    return Classes(number[which], which, first_places(which)[kept])


def _ranks(names: Iterable[str]) -> Ints:
    """Names as numbers from 0, in an order that depends on nothing else."""
    _, rank = np.unique(stable_keys(names), return_inverse=True)
    return rank


def tags(around: Surroundings) -> Choices:
    """The tag of each word, given the words and tags beside it and what is above."""
    item = around.items.word_item
    used, which = number_densely(around.tag)
    names = [SYMBOLS.name(one) for one in used.tolist()]
    classes = classes_of(_ranks(names)[which], _MOST_CLASSES + 40)
    listed = ["", *(names[one] for one in which[classes.example].tolist())]
    contexts = (_around_tags(around, some) for some in pieces(item))
    return Choices(item, classes.chosen, classes.value, listed, contexts)


def _around_tags(around: Surroundings, item: Ints) -> list[Words64]:
    items = around.items
    word = items.first[item]
    lower, last3, last2, shape, form = (column[word] for column in around.form_columns)
    tag = around.coarse_tag
    left, right = (around.shift(tag, word, by) for by in (-1, 1))
    left2, right2 = (around.shift(tag, word, by) for by in (-2, 2))
    left_word, right_word = (around.shift(around.lower, word, by) for by in (-1, 1))
    _, above, chain = (column[item] for column in around.chain)
    up = items.at(items.label_key, items.parent[item])
    outer = items.at(items.label_key, above)
    before = items.at(items.coarse_key, items.before[item])
    after = items.at(items.coarse_key, items.after[item])
    return [
        context(form),
        context(lower),
        context(lower, left),
        context(lower, right),
        context(lower, up),
        context(lower, left, right),
        context(lower, up, before, after),
        context(lower, left_word),
        context(lower, right_word),
        context(left, right, last3),
        context(left, right, up),
        context(left, left2, last2),
        context(right, right2, last2),
        context(up, before, after),
        context(up, before, after, last3),
        context(up, chain, last3, outer),
        context(last3, shape, up),
        context(last2, shape, left),
        context(left, shape, up),
        context(left_word, up, last2),
        context(right_word, up, last2),
        context(shape, chain, up, left == NONE),
    ]


def _ends(around: Surroundings, item: Ints) -> tuple[Ints, ...]:
    """Words and tags at the edges of items: first, last, before, after."""
    items = around.items
    first, last = items.first[item], items.last[item] - 1
    lower, tag = around.lower, around.coarse_tag
    return (
        lower[first],
        tag[first],
        lower[last],
        tag[last],
        around.shift(lower, first, -1),
        around.shift(tag, first, -1),
        around.shift(lower, last, 1),
        around.shift(tag, last, 1),
    )


def _chains(around: Surroundings, item: Ints, contexts: Pieces) -> Choices:
    """The chain of phrases over each of some items."""
    classes = classes_of(around.chain[2][item], _MOST_CLASSES)
    names = map(around.chain_name, item[classes.example].tolist())
    return Choices(item, classes.chosen, classes.value, ["?", *names], contexts)


def phrases(around: Surroundings) -> Choices:
    """The chain of labels over each phrase of several children."""
    item = np.flatnonzero(~around.items.is_word & around.is_base)
    bags = _sums_of_children(around.items)
    contexts = (_around_phrases(around, some, bags[some]) for some in pieces(item))
    return _chains(around, item, contexts)


def _around_phrases(around: Surroundings, item: Ints, bag: Ints) -> list[Words64]:
    items = around.items
    top, above = (column[item] for column in around.chain[:2])
    coarse = items.coarse_key
    first, last = items.first_child[item], items.last_child[item]
    second = items.at(coarse, items.after[first])
    last_but_one = items.at(coarse, items.before[last])
    first, last = coarse[first], coarse[last]
    size = np.minimum(items.children[item], 5)
    sequence = context(bag, first, second, last_but_one, last, size).view(np.int64)
    up = items.at(items.label_key, above)
    upper = items.at(items.parent, above)
    up2 = items.at(items.label_key, upper)
    before = items.at(coarse, items.before[top])
    after = items.at(coarse, items.after[top])
    head = items.head[item]
    head_word, head_tag = around.lower[head], around.coarse_tag[head]
    up_head = np.where(above >= 0, around.lower[items.head[above]], NONE)
    word, tag, last_word, last_tag, left_word, left, _, right = _ends(around, item)
    return [
        context(sequence),
        context(sequence, up),
        context(sequence, up, before, after),
        context(sequence, up, up2),
        context(sequence, head_word),
        context(bag, up),
        context(first, second, up),
        context(last_but_one, last, up),
        context(first, last, size, before),
        context(first, last, head_tag, up),
        context(head_tag, up, up2),
        context(head_word, up),
        context(head_word, first),
        context(word, first, up),
        context(word, tag, last_tag),
        context(before, after, up, first),
        context(up, up2, first, before),
        context(left, right, head_tag, first),
        context(up_head, up, first),
        context(left_word, first, second),
        context(last_word, last, up),
    ]


def word_phrases(around: Surroundings) -> Choices:
    """The chain of phrases over each single word, often none."""
    item = around.items.word_item
    contexts = (_around_words(around, some) for some in pieces(item))
    return _chains(around, item, contexts)


def _around_words(around: Surroundings, item: Ints) -> list[Words64]:
    items = around.items
    top, above = (column[item] for column in around.chain[:2])
    coarse, at = items.coarse_key, items.first[item]
    tag, word = around.coarse_tag[at], around.lower[at]
    up = items.at(items.label_key, above)
    up2 = items.at(items.label_key, items.at(items.parent, above))
    before = items.at(coarse, items.before[top])
    after = items.at(coarse, items.after[top])
    left, right = (around.shift(around.coarse_tag, at, by) for by in (-1, 1))
    left_word, right_word = (around.shift(around.lower, at, by) for by in (-1, 1))
    full = items.label_key[item]
    size = np.where(above >= 0, np.minimum(items.children[above], 4), 0)
    return [
        context(full, up),
        context(full, up, before, after),
        context(full, up, before),
        context(full, up, after),
        context(word, up),
        context(word, tag),
        context(word, left, right),
        context(word, up, before),
        context(word, up, after),
        context(full, up, up2),
        context(full, up, size),
        context(full, left, right),
        context(full, up, left, right),
        context(word, left_word),
        context(word, right_word),
        context(full, before, after, up, up2),
        context(full, up, left_word),
    ]


def _sums_of_children(items: Items) -> Ints:
    """A hash of each phrase's children as a bag."""
    has = items.parent >= 0
    total = np.zeros(items.size, np.uint64)
    np.add.at(total, items.parent[has], mix(items.coarse_key[has].astype(np.uint64)))
    return total.view(np.int64)


def functions(around: Surroundings) -> Choices:
    """The function tags of each phrase."""
    items = around.items
    item = np.flatnonzero(~items.is_word)
    used, which = number_densely(items.stream.bank.label[items.row[item]])
    labels = items.stream.labels
    names = ["-".join(labels.function_tags(SYMBOLS.name(int(n)))) for n in used]
    classes = classes_of(_ranks(names)[which], _MOST_CLASSES)
    listed = ["?", *(names[one] for one in which[classes.example].tolist())]
    contexts = (_around_functions(around, some) for some in pieces(item))
    return Choices(item, classes.chosen, classes.value, listed, contexts)


def _around_functions(around: Surroundings, item: Ints) -> list[Words64]:
    items = around.items
    label, coarse = items.label_key[item], items.coarse_key
    above = items.parent[item]
    up = items.at(items.label_key, above)
    up2 = items.at(items.label_key, items.at(items.parent, above))
    before = items.at(coarse, items.before[item])
    after = items.at(coarse, items.after[item])
    head = items.head[item]
    head_word, head_tag = around.lower[head], around.coarse_tag[head]
    up_head = np.where(above >= 0, around.lower[items.head[above]], NONE)
    first = items.at(coarse, items.first_child[item])
    last = items.last_child[item]
    last_head = around.lower[items.head[last]]
    word, tag, _, _, _, left, _, right = _ends(around, item)
    later = np.sign(head - items.head[np.maximum(above, 0)])
    return [
        context(label, up, before, after),
        context(label, up, up2),
        context(label, up, later),
        context(label, up, later, before),
        context(label, up, later, after),
        context(label, head_word),
        context(label, head_word, up),
        context(label, word, up),
        context(label, word, last_head),
        context(label, last_head, up),
        context(label, up_head, up, later),
        context(label, up_head, word),
        context(label, head_tag, up, later),
        context(label, first, up, up2, later),
        context(label, up, left, right),
        context(label, up, tag, later, before),
    ]
