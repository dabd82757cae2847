"""The choices that annotation is made of, each with the contexts that it depends on.

A choice is a word's tag, the phrases over a span (a unary chain), a phrase's function
tags; what a constituent attaches to is in `attachments`.
What stands around is taken as annotated, since one slip is looked for at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from analyzer.checks.experts import context
from analyzer.checks.items import NONE, Items, stable_keys
from analyzer.model.arrays import Flags, Ints, Words64, mix, number_densely
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
    contexts: Sequence[Words64]


class Classes(NamedTuple):
    """Values as classes from 1 on, rare ones as OTHER."""

    chosen: Ints
    value: Ints  # as numbers from 0
    listed: Ints  # the value of each class, from 1 on


def classes_of(values: Ints, size: int) -> Classes:
    """The classes of some values: so many of the most frequent, with OTHER."""
    used, which = number_densely(values)
    times = np.bincount(which, minlength=used.size)
    order = np.argsort(-times, kind="stable")
    kept = order[: size - 1]
    kept = kept[times[kept] >= _LEAST_SEEN]
    number = np.zeros(used.size, np.int64)
    number[kept] = np.arange(1, kept.size + 1)
    return Classes(number[which], which, used[kept])


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The columns that contexts are made of."""

    items: Items

    # -- words, as kept; `shift` looks left or right within the sentence --------------

    @cached_property
    def word(self) -> Ints:
        stream = self.items.stream
        return stream.stream[stream.stream_at].astype(np.int64)

    @cached_property
    def _form_columns(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """Per word: lower-cased, last three, last two letters, shape, as it is."""
        stream = self.items.stream
        _, first, which = np.unique(self.word, return_index=True, return_inverse=True)
        forms = stream.bank.forms(stream.kept[first])
        columns = []
        for made in (
            [form.lower() for form in forms],
            [form[-3:].lower() for form in forms],
            [form[-2:].lower() for form in forms],
            [_shape(form) for form in forms],
            forms,
        ):
            columns.append(stable_keys(made)[which])
        return columns[0], columns[1], columns[2], columns[3], columns[4]

    @property
    def lower(self) -> Ints:
        return self._form_columns[0]

    @cached_property
    def tag(self) -> Ints:
        return self.items.label[self.items.word_item]

    @cached_property
    def coarse_tag(self) -> Ints:
        return self.items.coarse_key[self.items.word_item]

    def shift(self, column: Ints, word: Ints, by: int) -> Ints:
        """The column's value so many words away; -1 beyond the sentence."""
        tree = self.items.stream.tree_of_word
        there = word + by
        within = (there >= 0) & (there < column.size)
        there = np.where(within, there, 0)
        here = np.clip(word, 0, column.size - 1)
        same = within & (tree[there] == tree[here])
        return np.where(same, column[there], NONE)

    # -- chains ------------------------------------------------------------------------

    @cached_property
    def chain(self) -> tuple[Ints, Ints, Ints]:
        """Per item with no child or several: top of its chain, what is above, a hash.

        Other items have their own values, which are not used.
        """
        items = self.items
        base = np.arange(items.size)
        top, above = base.copy(), items.parent.copy()
        hashed = np.where(items.is_word, 0, items.label_key).astype(np.uint64)
        while True:
            in_chain = (above >= 0) & (items.children[above] == 1)
            if not in_chain.any():
                break
            there = above[in_chain]
            top[in_chain] = there
            hashed[in_chain] = mix(
                hashed[in_chain] * np.uint64(31)
                + items.label_key[there].astype(np.uint64)
                + np.uint64(1)
            )
            above[in_chain] = items.parent[there]
        # Half of the bits, so that no number is negative.
        return top, above, (hashed >> np.uint64(1)).view(np.int64)

    @cached_property
    def is_base(self) -> Flags:
        flags: Flags = self.items.children != 1
        return flags

    def chain_name(self, item: int) -> str:
        """The labels from the top of a chain down to its base: `S/VP`."""
        items, top = self.items, int(self.chain[0][item])
        names = []
        while top != item:
            names.append(SYMBOLS.name(int(items.label[top])))
            top = int(items.first_child[top])
        if not items.is_word[item]:
            names.append(SYMBOLS.name(int(items.label[item])))
        return "/".join(names)


def _shape(form: str) -> str:
    kind = "A" if form[:1].isupper() else "a" if form[:1].isalpha() else "0"
    inner = "A" if any(one.isupper() for one in form[1:]) else ""
    return kind + inner + ("-" if "-" in form else "") + str(min(len(form), 3))


def tags(around: Surroundings) -> Choices:
    """The tag of each word, given the words and tags beside it and what is above."""
    items = around.items
    item = items.word_item
    word = np.arange(item.size)
    lower, tag = around.lower, around.coarse_tag
    _, last3, last2, shape, form = around._form_columns
    left, right = (around.shift(tag, word, by) for by in (-1, 1))
    left2, right2 = (around.shift(tag, word, by) for by in (-2, 2))
    left_word, right_word = (around.shift(lower, word, by) for by in (-1, 1))
    _, above, chain = (column[item] for column in around.chain)
    up = items.at(items.label_key, items.parent[item])
    outer = items.at(items.label_key, above)
    before = items.at(items.coarse_key, items.before[item])
    after = items.at(items.coarse_key, items.after[item])
    key = items.label_key[item]
    classes = classes_of(key, _MOST_CLASSES + 40)
    contexts = [
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
        context(around.shift(around.coarse_tag, word, -1), shape, up),
        context(left_word, up, last2),
        context(right_word, up, last2),
        context(shape, chain, up, left == NONE),
    ]
    names = dict(zip(key.tolist(), around.tag.tolist(), strict=True))
    listed = ["", *(SYMBOLS.name(names[one]) for one in classes.listed.tolist())]
    return Choices(item, classes.chosen, classes.value, listed, contexts)


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


def phrases(around: Surroundings) -> Choices:
    """The chain of labels over each phrase of several children."""
    items = around.items
    item = np.flatnonzero(~items.is_word & around.is_base)
    top, above, chain = (column[item] for column in around.chain)
    coarse = items.coarse_key
    first, last = items.first_child[item], items.last_child[item]
    second = items.at(coarse, items.after[first])
    last_but_one = items.at(coarse, items.before[last])
    first, last = coarse[first], coarse[last]
    size = np.minimum(items.children[item], 5)
    bag = _sum_of_children(items)[item]
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
    classes = classes_of(chain, _MOST_CLASSES)
    contexts = [
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
    names = _chain_names(around, item, chain, classes.listed)
    return Choices(item, classes.chosen, classes.value, names, contexts)


def word_phrases(around: Surroundings) -> Choices:
    """The chain of phrases over each single word, often none."""
    items = around.items
    item = items.word_item
    top, above, chain = (column[item] for column in around.chain)
    coarse = items.coarse_key
    tag, word = around.coarse_tag, around.lower
    up = items.at(items.label_key, above)
    up2 = items.at(items.label_key, items.at(items.parent, above))
    before = items.at(coarse, items.before[top])
    after = items.at(coarse, items.after[top])
    every = np.arange(item.size)
    left, right = (around.shift(tag, every, by) for by in (-1, 1))
    left_word, right_word = (around.shift(word, every, by) for by in (-1, 1))
    full = items.label_key[item]
    size = np.where(above >= 0, np.minimum(items.children[above], 4), 0)
    classes = classes_of(chain, _MOST_CLASSES)
    contexts = [
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
    names = _chain_names(around, item, chain, classes.listed)
    return Choices(item, classes.chosen, classes.value, names, contexts)


def _chain_names(
    around: Surroundings, item: Ints, chain: Ints, values: Ints
) -> list[str]:
    """The name of each class of chains."""
    used, first = np.unique(chain, return_index=True)
    where = dict(zip(used.tolist(), item[first].tolist(), strict=True))
    return ["?", *(around.chain_name(where[value]) for value in values.tolist())]


def _sum_of_children(items: Items) -> Ints:
    """A hash of each phrase's children as a bag."""
    has = items.parent >= 0
    total = np.zeros(items.size, np.uint64)
    np.add.at(total, items.parent[has], mix(items.coarse_key[has].astype(np.uint64)))
    return total.view(np.int64)


def functions(around: Surroundings) -> Choices:
    """The function tags of each phrase."""
    items = around.items
    item = np.flatnonzero(~items.is_word)
    full = items.stream.bank.label[items.row[item]]
    used, which = number_densely(full)
    labels = items.stream.labels
    tags_of = ["-".join(labels.function_tags(SYMBOLS.name(int(n)))) for n in used]
    keys = stable_keys(tags_of)
    classes = classes_of(keys[which], _MOST_CLASSES)
    called = dict(zip(keys.tolist(), tags_of, strict=True))
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
    contexts = [
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
    names = ["?", *(called[one] for one in classes.listed.tolist())]
    return Choices(item, classes.chosen, classes.value, names, contexts)
