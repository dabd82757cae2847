"""What stands around words and phrases: the columns that contexts are made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analyzer.checks.items import NONE, Items, stable_keys
from analyzer.model.arrays import Flags, Ints, first_places, mix, number_densely
from analyzer.model.symbols import SYMBOLS


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
    def form_columns(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """Per word: lower-cased, last three, last two letters, shape, as it is."""
        stream = self.items.stream
        _, which = number_densely(self.word)
        forms = stream.bank.forms(stream.kept[first_places(which)])
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
        return self.form_columns[0]

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
