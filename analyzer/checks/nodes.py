"""Words and phrases as one table of nodes: who is beside, above and below whom.

Traces and what holds nothing else are left out, and so is the wrapper at the root. A
node is a number, in document order, parents first; -1 is none.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analyzer.checks.findings import Edit, LeafSpan
from analyzer.checks.word_stream import WordStream
from analyzer.derivation.columns import Derivation
from analyzer.derivation.syntax import SyntaxDeriver
from analyzer.model.arrays import (
    Flags,
    Ints,
    first_places,
    in_order,
    mix,
    number_densely,
)
from analyzer.model.symbols import SYMBOLS, by_name
from analyzer.pairing.in_step import Pair
from analyzer.pairing.words import align

NONE = -1
NIL, NO_PHRASE = 0, "NIL"  # the chain of words that are no phrase, and its name


def stable_key(name: str) -> int:
    """A number that depends on nothing but a name.

    What is counted under such numbers is the same in any order of files.
    """
    digest = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


@dataclass(frozen=True, eq=False)
class Nodes:
    """The words and phrases of a stream, and how a deriver derives its trees."""

    stream: WordStream
    deriver: SyntaxDeriver

    @cached_property
    def row(self) -> Ints:
        """The row of each node in the treebank."""
        words = self.stream.bank.leaf_node[self.stream.kept]
        return np.sort(np.concatenate([words, self.stream.phrases]))

    @cached_property
    def _of_row(self) -> Ints:
        of_row = np.full(self.stream.bank.label.size + 1, NONE, np.int64)
        of_row[self.row] = np.arange(self.row.size)
        return of_row  # the last entry: the node of row -1

    @property
    def size(self) -> int:
        return int(self.row.size)

    @cached_property
    def is_word(self) -> Flags:
        return self.stream.bank.is_leaf[self.row]

    @cached_property
    def parent(self) -> Ints:
        return self._of_row[self.stream.bank.parent[self.row]]

    @cached_property
    def _sisters(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Previous and next sister; first and last child."""
        order = np.argsort(self.parent, kind="stable")
        above = self.parent[order]
        same = (above[1:] == above[:-1]) & (above[1:] >= 0)
        before = np.full(self.size, NONE, np.int64)
        after = before.copy()
        before[order[1:][same]] = order[:-1][same]
        after[order[:-1][same]] = order[1:][same]
        first, last = np.full(self.size, NONE), np.full(self.size, NONE)
        for children, sister in ((first, before), (last, after)):
            child = np.flatnonzero((sister < 0) & (self.parent >= 0))
            children[self.parent[child]] = child
        return before, after, first, last

    @property
    def before(self) -> Ints:
        return self._sisters[0]

    @property
    def after(self) -> Ints:
        return self._sisters[1]

    @property
    def first_child(self) -> Ints:
        return self._sisters[2]

    @property
    def last_child(self) -> Ints:
        return self._sisters[3]

    @cached_property
    def children(self) -> Ints:
        """How many children each node has."""
        return np.bincount(self.parent[self.parent >= 0], minlength=self.size)

    def children_of(self, node: int) -> list[int]:
        children, child = [], int(self.first_child[node])
        while child >= 0:
            children.append(child)
            child = int(self.after[child])
        return children

    def at(self, column: Ints, node: Ints) -> Ints:
        """The column's value for some nodes; -1 for none."""
        return np.where(node >= 0, column[node], NONE)

    def place(self, node: int) -> LeafSpan:
        """Where a node is."""
        return self.stream.span_of_row(int(self.row[node]))

    # -- words -----------------------------------------------------------------------

    @cached_property
    def first(self) -> Ints:
        """The first kept word of each node, and where it ends."""
        return self.stream.kept_before[self.stream.bank.first[self.row]]

    @cached_property
    def last(self) -> Ints:
        return self.stream.kept_before[self.stream.bank.last[self.row]]

    @cached_property
    def word_node(self) -> Ints:
        """The node of each kept word."""
        return np.flatnonzero(self.is_word)

    @cached_property
    def form_columns(self) -> list[Ints]:
        """Per word: lower-cased, last three, last two letters, shape, as it is."""
        stream = self.stream
        word = stream.stream[stream.stream_at].astype(np.int64)
        _, which = number_densely(word)
        forms = stream.bank.forms(stream.kept[first_places(which)])
        looks = [
            (form.lower(), form[-3:].lower(), form[-2:].lower(), _shape(form), form)
            for form in forms
        ]
        keys = [[stable_key(look) for look in row] for row in looks]
        columns = np.array(keys, np.int64).reshape(-1, 5).T
        return [column[which] for column in columns]

    @property
    def lower(self) -> Ints:
        return self.form_columns[0]

    @cached_property
    def tag(self) -> Ints:
        return self.label[self.word_node]

    @cached_property
    def coarse_tag(self) -> Ints:
        return self.coarse_key[self.word_node]

    def shift(self, column: Ints, word: Ints, by: int) -> Ints:
        """The value of a column of words so many words away; -1 beyond the sentence."""
        tree = self.stream.tree_of_word
        there = word + by
        within = (there >= 0) & (there < column.size)
        there = np.where(within, there, 0)
        here = np.clip(word, 0, column.size - 1)
        same = within & (tree[there] == tree[here])
        return np.where(same, column[there], NONE)

    # -- heads -----------------------------------------------------------------------

    def derive(self) -> tuple[Derivation, Ints]:
        """The derivation trees, and the leaves that heads of theirs are numbers of.

        Made anew: kept, they would be there while the model needs the memory.
        """
        bank = self.stream.bank
        side = align(Pair(bank, bank, 1), self.deriver.tables).gold
        return self.deriver.derive(side), side.leaves

    @cached_property
    def head(self) -> Ints:
        """The kept word that heads each node."""
        derivation, leaves = self.derive()
        stream = self.stream
        word_of_leaf = np.full(stream.bank.leaf_node.size, NONE, np.int64)
        word_of_leaf[stream.kept] = np.arange(stream.kept.size)
        of_row = np.full(stream.bank.label.size, NONE, np.int64)
        of_row[derivation.row] = word_of_leaf[leaves[derivation.head]]
        head = of_row[self.row]
        return np.where(self.is_word | (head < 0), self.first, head)

    # -- labels ----------------------------------------------------------------------

    @cached_property
    def label(self) -> Ints:
        """Tags as they are, phrase labels without function tags; numbers of SYMBOLS."""
        label = self.stream.bank.label[self.row].astype(np.int64)
        bare, phrase = self.stream.labels.bare_phrase, ~self.is_word
        label[phrase] = by_name(
            label[phrase], lambda name: SYMBOLS.id(bare(name)), np.int64
        )
        return label

    @cached_property
    def coarse(self) -> Ints:
        """Labels with tags cut to what patterns know: `N-D` is `N`."""
        coarse, bare_tag = self.label.copy(), self.stream.labels.bare_tag
        coarse[self.is_word] = by_name(
            self.tag, lambda tag: SYMBOLS.id(bare_tag(tag)), np.int64
        )
        return coarse

    @cached_property
    def label_key(self) -> Ints:
        """Labels by what they are called, whatever their number in this process."""
        return by_name(self.label, stable_key, np.int64)

    @cached_property
    def coarse_key(self) -> Ints:
        return by_name(self.coarse, stable_key, np.int64)

    def label_name(self, node: int) -> str:
        return SYMBOLS.name(int(self.label[node]))

    # -- chains: phrases over the same words ------------------------------------------

    @cached_property
    def chain(self) -> tuple[Ints, Ints, Ints]:
        """Per node with no child or several: top of its chain, what is above, a hash.

        Other nodes have their own values, which are not used.
        """
        top, above = np.arange(self.size), self.parent.copy()
        hashed = np.where(self.is_word, 0, self.label_key).astype(np.uint64)
        while True:
            in_chain = (above >= 0) & (self.children[above] == 1)
            if not in_chain.any():
                break
            there = above[in_chain]
            top[in_chain] = there
            hashed[in_chain] = mix(
                hashed[in_chain] * np.uint64(31)
                + self.label_key[there].astype(np.uint64)
                + np.uint64(1)
            )
            above[in_chain] = self.parent[there]
        # Half of the bits, so that no number is negative.
        return top, above, (hashed >> np.uint64(1)).view(np.int64)

    @cached_property
    def _bases(self) -> tuple[Ints, Ints, Ints, list[str]]:
        """The lowest node over each run of words that has one, the shortest runs first:
        their lengths, themselves, the numbers of their chains; and the chains' names.
        """
        base = np.flatnonzero(self.children != 1)
        length, order = in_order((self.last - self.first)[base])
        base = base[order]
        _, number = number_densely(np.append(NIL, self.chain[2][base]))
        first = base[first_places(number)[1:] - 1]
        names = [NO_PHRASE, *map(self.chain_name, first.tolist())]
        return length, base, number[1:], names

    @property
    def chain_names(self) -> list[str]:
        return self._bases[3]

    def chains_at(self, word: Ints, length: int) -> tuple[Ints, Ints]:
        """What phrases runs of words are: their chain, and the topmost one.

        Of words that are no phrase it is NIL, and NONE.
        """
        lengths, base, number, _ = self._bases
        start, end = np.searchsorted(lengths, [length, length + 1]).tolist()
        place = np.full(self.word_node.size, NONE, np.int32)
        place[self.first[base[start:end]]] = np.arange(start, end)
        at = place[word].astype(np.int64)
        chain = np.where(at >= 0, number[at], NIL)
        return chain, np.where(chain != NIL, self.chain[0][base[at]], NONE)

    def base_of(self, node: int) -> int:
        """The lowest node over the same words."""
        while self.children[node] == 1:
            node = int(self.first_child[node])
        return node

    def chain_over(self, base: int) -> list[int]:
        """The phrases over exactly the words of a node, the topmost first."""
        top = int(self.chain[0][base])
        chain = []
        while top != base:
            chain.append(top)
            top = int(self.first_child[top])
        return chain if self.is_word[base] else [*chain, base]

    def chain_name(self, base: int) -> str:
        """Their labels: `S/VP`."""
        return "/".join(map(self.label_name, self.chain_over(base)))

    def chain_edit(self, base: int, wanted: str) -> Edit | None:
        """The edit that makes the phrases over a node those wanted, if one does."""
        row = [int(self.row[node]) for node in self.chain_over(base)]
        labels = [part for part in self.chain_name(base).split("/") if part]
        parts = [part for part in wanted.split("/") if part]
        if len(labels) == len(parts):
            odd = [at for at in range(len(parts)) if labels[at] != parts[at]]
            if len(odd) == 1:
                return Edit("relabel", row[odd[0]], label=parts[odd[0]])
        elif len(labels) == len(parts) + 1:
            able = [
                row[at] for at in range(len(labels)) if _without(labels, at) == parts
            ]
            if able:  # of NP-SBJ over NP the one without function tags
                return Edit("drop", min(able, key=self._count_function_tags))
        elif len(labels) + 1 == len(parts):
            for at in range(len(parts)):
                if _without(parts, at) == labels:
                    if at < len(row):
                        return Edit("add", row[at], label=parts[at])
                    # Below all of them: around all children, or around the word.
                    inside = [int(self.row[child]) for child in self.children_of(base)]
                    if inside:
                        return Edit("add", inside[0], inside[-1], parts[at])
                    return Edit("add", int(self.row[base]), label=parts[at])
        return None

    def _count_function_tags(self, row: int) -> int:
        name = self.stream.bank.label_name(row)
        return len(self.stream.labels.function_tags(name))


def _without(parts: list[str], at: int) -> list[str]:
    return parts[:at] + parts[at + 1 :]


def _shape(form: str) -> str:
    kind = "A" if form[:1].isupper() else "a" if form[:1].isalpha() else "0"
    inner = "A" if any(letter.isupper() for letter in form[1:]) else ""
    return kind + inner + ("-" if "-" in form else "") + str(min(len(form), 3))
