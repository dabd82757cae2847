"""One row for each construction of gold and of the parser: `instances`.

A row says what a construction of a word is, and what of it matched. The rows of gold
and those of the parser stand in one table, told apart by `side`. All scores of `score`
are sums over its columns: see `docs/instances.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.compared import Compared, run_count
from analyzer.analyses.errors import NOTHING, confused_rows
from analyzer.analyses.opening import (
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
    scoring_keywords,
)
from analyzer.derivation.columns import NULL, ROOT, Derivation
from analyzer.derivation.deriver import Deriver
from analyzer.metrics.constructions import Comparison
from analyzer.metrics.join import Matches
from analyzer.model.arrays import (
    Flags,
    Ids,
    Ints,
    begins,
    follow_links,
    number_densely,
)
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.tasks import Blocks, groups_of
from analyzer.pairing.words import align
from analyzer.runtime.executor import Backend
from analyzer.transform.function_tags import FunctionTags

if TYPE_CHECKING:
    import pandas as pd

GOLD, PARSED = "gold", "parsed"
# Column -> what it says; the order is that of the table.
COLUMNS = {
    "side": "gold or parsed: whose construction it is",
    "sentence": "number of the sentence, from 1",
    "id": "name of the sentence in its file, if it has one",
    "construction": "name of the construction",
    "label": "label of the bracket, without function tags",
    "functions": "its function tags, separated by spaces",
    "word": "the word that heads it",
    "position": "of that word in the sentence, deleted words left out, from 0",
    "tag": "tag of that word",
    "first": "first word of the bracket",
    "last": "the word after its last word, as in Python: words[first:last]",
    "length": "words of the bracket",
    "depth": "brackets around it",
    "governor": "word that it is attached to, as att compares it; ROOT; empty for null",
    "governor_tag": "tag of that word",
    "governor_position": "of that word",
    "spine_governor": "word that its spine attaches to, in every row of it; ROOT",
    "spine_governor_tag": "tag of that word",
    "distance": "words from its head to its spine's governor, 1 for neighbours",
    "direction": "where its spine's governor is: left or right",
    "attached_at": "label of the bracket that its spine attaches to",
    "sentence_length": "words of the sentence",
    "group": "group of the sentence, if groups were given",
    "matched_h": "the other side has the same construction of the same word",
    "matched_s": "and over the same words",
    "matched_att": "and attached to the same word; empty if it is recursive",
    "matched_right": "and with the same last word",
    "matched_left": "and with the same first word",
    "matched_evalb": "the other side has the same bracket, as evalb counts it",
    "matched_tag": "the other side tags its head alike; empty if it does not have that",
    "confused_with": "what the other side has instead; (nothing) if nothing",
}

# Of these, some are missing: NA of numbers and flags, None of texts.
_TYPES: dict[str, Any] = {
    **dict.fromkeys(("governor_position", "distance"), "Int64"),
    **dict.fromkeys(("matched_att", "matched_tag"), "boolean"),
    **dict.fromkeys(("functions", "tag", "governor", "governor_tag"), object),
    **dict.fromkeys(("spine_governor_tag", "direction"), object),
    **dict.fromkeys(("id", "attached_at", "group", "confused_with"), object),
}


class Coded(Sequence[Any]):
    """A column whose values repeat: the values, and which of them each row has.

    >>> column = Coded(np.array([0, 1, 0]), ["NP", None])
    >>> list(column), (column + column).codes.tolist()
    (['NP', None, 'NP'], [0, 1, 0, 2, 3, 2])
    """

    def __init__(self, codes: Ints | Ids, values: Sequence[Any]) -> None:
        self.codes = codes.astype(np.int64)
        self.values = values

    @classmethod
    def of_numbers(cls, numbers: Ints, missing: Flags | None = None) -> Coded:
        """Whole numbers; None where they are missing."""
        low, high = int(numbers.min(initial=0)), int(numbers.max(initial=0))
        column = cls(numbers - low, range(low, high + 1))
        return column if missing is None else column.without(missing)

    @classmethod
    def of_texts(cls, texts: Sequence[Any]) -> Coded:
        """Any values that can be compared."""
        number = {text: at for at, text in enumerate(dict.fromkeys(texts))}
        codes = np.fromiter(map(number.__getitem__, texts), np.int64, len(texts))
        return cls(codes, list(number))

    def taken(self, rows: Ints | Flags) -> Coded:
        """The values at some places."""
        return Coded(self.codes[rows] if rows.size else self.codes[:0], self.values)

    def without(self, missing: Flags, instead: Any = None) -> Coded:
        """The same with another value in some rows."""
        codes = np.where(missing, len(self.values), self.codes)
        return Coded(codes, [*self.values, instead])

    def __add__(self, other: Coded) -> Coded:
        codes = np.append(self.codes, other.codes + len(self.values))
        return Coded(codes, [*self.values, *other.values])

    def __repr__(self) -> str:
        return repr(list(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Coded) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return self.codes.size

    def __iter__(self) -> Iterator[Any]:
        return map(self.values.__getitem__, self.codes.tolist())

    def __getitem__(self, at: Any) -> Any:
        chosen = self.codes[at]
        if isinstance(at, slice):
            return Coded(chosen, self.values)
        return self.values[int(chosen)]


class InstanceRows(NamedTuple):
    """The rows of a block; one column a name of COLUMNS, and of KNOWN."""

    columns: dict[str, Coded]

    @property
    def size(self) -> int:
        return len(self.columns["side"])

    def only(self, construction: str) -> InstanceRows:
        """The rows of a construction, and those confused with it."""
        sought = zip(
            self.columns["construction"], self.columns["confused_with"], strict=True
        )
        kept = np.array([construction in names for names in sought], np.bool_)
        columns = self.columns.items()
        return InstanceRows({name: values.taken(kept) for name, values in columns})

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        return instances_frame([self])


def instances_frame(blocks: Sequence[InstanceRows]) -> pd.DataFrame:
    """The rows of some blocks as a DataFrame, with the right types."""
    import pandas as pd

    return pd.DataFrame(
        {
            name: pd.Series(
                [value for block in blocks for value in block.columns[name]],
                dtype=_TYPES.get(name),
            )
            for name in (blocks[0].columns if blocks else COLUMNS)
        }
    )


# -- what training data has of a construction ------------------------------------------
#
# Each construction has four traits: the word that heads it, its production, the spine
# of its head (all that this word projects, bottom up), and head and governor together.
# Whether training data has them explains what a parser has to generalise to.

# Trait -> what it says; the columns that `instances` has with training data.
KNOWN = {
    "known": "whether the training data has the word that heads it",
    "known_production": "whether it has its production",
    "known_spine": "whether it has the constructions of its head, in this order",
    "known_pair": "whether it has its head, depending on the same word",
}


class Training(NamedTuple):
    """All traits of a treebank, as texts, which mean the same in every process."""

    words: frozenset[str]
    productions: frozenset[str]
    spines: frozenset[str]
    pairs: frozenset[str]

    def known(
        self, bank: Treebank, leaf: Ints, rows: Derivation, deriver: Deriver
    ) -> dict[str, list[bool]]:
        """The columns of `KNOWN` for some rows; `leaf` is that of each word."""
        traits = _traits(bank, leaf, rows, deriver)
        return {
            name: [trait in seen for trait in values]
            for name, seen, values in zip(KNOWN, self, traits, strict=True)
        }


def training_of(train: Trees, reading: TreeReading, deriver: Deriver) -> Training:
    """The traits of a treebank; `reading` is that of the trees to be scored."""
    # Records, mending and progress are of the parser's output.
    alone = replace(
        reading, field=None, gold_field=None, id=None, mend=False, progress=None
    )
    opened = alone.open_alone(alone.resolve(train), deriver)
    words, productions, spines, pairs = set[str](), set[str](), set[str](), set[str]()
    assert isinstance(opened.tasks, Blocks)  # as they are, of one side
    for pair in opened.tasks.pairs():
        side = align(pair, deriver.tables).gold
        rows = deriver.derive(side)
        words.update(pair.gold.forms(np.arange(pair.gold.leaf_node.size)))
        _, *others = _traits(pair.gold, side.word_leaves, rows, deriver)
        for traits, values in zip((productions, spines, pairs), others, strict=True):
            traits.update(values)
    return Training(*map(frozenset, (words, productions, spines, pairs)))


def _traits(
    bank: Treebank, leaf: Ints, rows: Derivation, deriver: Deriver
) -> tuple[list[str], list[str], list[str], list[str]]:
    """Word, production, spine, head and governor of each row."""
    forms = np.array([*bank.forms(leaf), ""], object)
    words = forms[rows.head].tolist()
    governor = np.where(rows.governor == ROOT, forms.size - 1, rows.governor)
    both = zip(words, forms[governor].tolist(), strict=True)
    pairs = [f"{word}\t{other}".lower() for word, other in both]
    numbers, which = number_densely(rows.production)
    texts = np.array([*deriver.labeller.texts_of(numbers.tolist()), ""], object)
    return words, texts[which].tolist(), _spines(rows, deriver), pairs


def _spines(rows: Derivation, deriver: Deriver) -> list[str]:
    """What the head of each row projects, bottom up."""
    # Parents come before children, in rows and so in each spine.
    order = np.argsort(rows.head, kind="stable")
    is_first = begins(rows.head[order])
    names = np.array([*deriver.constructions.listed, ""], object)
    of_rows = names[rows.construction[order]].tolist()
    starts = [*np.flatnonzero(is_first).tolist(), len(of_rows)]
    spines = [" ".join(reversed(of_rows[start:end])) for start, end in pairwise(starts)]
    spread = np.empty(rows.head.size, object)
    spread[order] = np.array([*spines, ""], object)[np.cumsum(is_first) - 1]
    return list(spread)


# -- the rows of a block ---------------------------------------------------------------


def instance_rows(
    pair: Pair,
    comparison: Comparison,
    deriver: Deriver,
    training: Training | None = None,
) -> InstanceRows:
    """The rows of a block: gold's, then the parser's, in document order.

    With `training`, the columns of KNOWN as well.
    """
    confused = confused_rows(comparison)
    gold, parsed = (
        _side(pair, comparison, deriver, of_gold, confused, training)
        for of_gold in (True, False)
    )
    return InstanceRows({name: gold[name] + parsed[name] for name in gold})


def _side(
    pair: Pair,
    comparison: Comparison,
    deriver: Deriver,
    of_gold: bool,
    confused: tuple[Ints, Ints],
    training: Training | None,
) -> dict[str, Coded]:
    side = comparison.alignment.gold if of_gold else comparison.alignment.parsed
    bank, groups = side.bank, pair.groups
    rows = comparison.by_own_words[0 if of_gold else 1]
    size = rows.row.size
    names, leaf = comparison.constructions, side.word_leaves
    tree = np.repeat(np.arange(len(bank)), np.diff(rows.starts))
    place = side.offset[tree]
    is_root = rows.governor == ROOT
    governor = np.where(is_root, rows.head, rows.governor)
    is_null = rows.attachment == NULL
    label, functions = _labels(bank, rows.row, deriver)
    at = attached_at(bank, rows)
    word = Coded.of_texts(bank.forms(leaf))
    nothing = Coded(np.zeros(size, np.int64), [None])
    head_tag = governor_tag = nothing
    if deriver.has_tags:
        tag = _tags(bank, leaf, deriver)
        head_tag = tag.taken(rows.head)
        governor_tag = tag.taken(governor).without(is_root)

    def matched(matches: Matches) -> Coded:
        flags = matches.gold if of_gold else matches.parsed
        return Coded(flags.astype(np.int64), (False, True))

    governor_word = word.taken(governor).without(is_root, "ROOT")
    is_left = (governor < rows.head).astype(np.int64)
    by = {name: matched(matches) for name, matches in comparison.by.items()}
    is_recursive = names.is_recursive[rows.construction]
    group = nothing if groups is None else Coded.of_texts(groups).taken(tree)
    ids = [pair.id_of(number) or None for number in range(pair.sentences)]
    known = training.known(bank, leaf, rows, deriver) if training else {}
    return {
        "side": Coded(np.zeros(size, np.int64), [GOLD if of_gold else PARSED]),
        "sentence": Coded.of_numbers(pair.first_sentence + tree),
        "id": Coded(tree, ids),
        "construction": Coded(rows.construction, names.listed),
        "label": label,
        "functions": functions,
        "word": word.taken(rows.head),
        "position": Coded.of_numbers(rows.head - place),
        "tag": head_tag,
        "first": Coded.of_numbers(rows.first - place),
        "last": Coded.of_numbers(rows.last - place),
        "length": Coded.of_numbers(rows.last - rows.first),
        "depth": Coded.of_numbers(_depth(rows)),
        "governor": governor_word.without(is_null),
        "governor_tag": governor_tag.without(is_null),
        "governor_position": Coded.of_numbers(governor - place, is_root | is_null),
        "spine_governor": governor_word,
        "spine_governor_tag": governor_tag,
        "distance": Coded.of_numbers(np.abs(governor - rows.head), is_root),
        "direction": Coded(is_left, ("right", "left")).without(is_root),
        "attached_at": label.taken(at).without(at < 0),
        "sentence_length": Coded.of_numbers(side.sizes[tree]),
        "group": group,
        "matched_h": by["matched_h"],
        "matched_s": by["matched_s"],
        "matched_att": by["matched_att"].without(is_recursive),
        "matched_right": by["matched_span_right"],
        "matched_left": by["matched_span_left"],
        "matched_evalb": matched(comparison.by_bracket),
        "matched_tag": (
            _same_tag(comparison, of_gold, size) if deriver.has_tags else nothing
        ),
        "confused_with": _confused(comparison, confused, of_gold),
        **{name: Coded.of_texts(values) for name, values in known.items()},
    }


def _tags(bank: Treebank, leaf: Ints, deriver: Deriver) -> Coded:
    """The tag of each word, as patterns know it."""
    used, which = number_densely(deriver.tables.tag(bank.label[bank.leaf_node[leaf]]))
    return Coded(which, [SYMBOLS.name(number) for number in used.tolist()])


def _labels(bank: Treebank, row: Ints, deriver: Deriver) -> tuple[Coded, Coded]:
    """Labels without function tags, and these."""
    if not deriver.has_tags:
        labels = Coded.of_texts([bank.label_name(node) for node in row.tolist()])
        return labels, Coded(np.zeros(row.size, np.int64), [None])
    tags = deriver.function_tags or FunctionTags(deriver.inventory.labels)
    used, which = number_densely(bank.label[row])
    parts = [tags.parts(SYMBOLS.name(number)) for number in used.tolist()]
    functions = [" ".join(part.tags) or None for part in parts]
    return Coded(which, [part.bare for part in parts]), Coded(which, functions)


def attached_at(bank: Treebank, rows: Derivation) -> Ints:
    """The row that the spine of each row attaches to; -1 at the root."""
    # From the top of the spine up to the next node that is a row.
    parent = bank.parent
    row_of = np.full(bank.label.size, -1, np.int64)
    row_of[rows.row] = np.arange(rows.row.size)
    itself = np.arange(bank.label.size)
    link = np.where((row_of >= 0) | (parent < 0), itself, parent)
    up = follow_links(link)
    _, first, which = np.unique(rows.head, return_index=True, return_inverse=True)
    above = parent[rows.row[first[which]]] if rows.row.size else rows.row
    return np.where(above >= 0, row_of[up[above]], -1)


def _depth(rows: Derivation) -> Ints:
    """How many rows lie around each: those before it that have not ended."""
    ended = np.searchsorted(np.sort(rows.last), rows.first, side="right")
    return np.arange(rows.row.size) - ended


def _same_tag(comparison: Comparison, of_gold: bool, size: int) -> Coded:
    if comparison.same_tags is None:  # of all words
        return Coded(np.zeros(size, np.int64), [True])
    signs = comparison.same_tags[0 if of_gold else 1]
    return Coded((signs > 0).astype(np.int64), (False, True)).without(signs < 0)


def _confused(
    comparison: Comparison, confused: tuple[Ints, Ints], of_gold: bool
) -> Coded:
    own, other = confused if of_gold else confused[::-1]
    here, there = comparison.gold, comparison.parsed
    if not of_gold:
        here, there = there, here
    names = [*comparison.constructions.listed, NOTHING, None]
    codes = np.full(here.row.size, len(names) - 1)
    # One more, for what the other side does not have at all.
    instead = np.append(there.construction, len(names) - 2)
    is_here = own >= 0
    codes[own[is_here]] = instead[other[is_here]]  # -1: the last
    return Coded(codes, names)


# -- all rows of two inputs ------------------------------------------------------------

Each = Callable[[InstanceRows], None]


@dataclass(frozen=True)
class InstanceCounter:
    """Gives the rows of a pair."""

    deriver: Deriver
    training: Training | None = None

    def __call__(self, pair: Pair, comparison: Comparison) -> list[InstanceRows]:
        return [instance_rows(pair, comparison, self.deriver, self.training)]


@dataclass(eq=False, repr=False)
class Instances(Compared):
    """What `instances` returns: the rows, unless they were passed on."""

    rows: list[InstanceRows] = field(default_factory=list)  # block by block
    total: int = 0

    scorer: ClassVar[str] = "instances"
    verb: ClassVar[str] = "looked at"

    def _shown(self) -> str:
        return f"{self.total:,} rows"

    def frame(self) -> pd.DataFrame:
        """All rows as a DataFrame."""
        return instances_frame(self.rows)


@scoring_keywords
def instances(
    gold: Trees,
    parsed: Trees,
    *,
    train: Trees | None = None,
    group_by: str | Sequence[str] | None = None,
    each: Each | None = None,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Instances:
    """One row for each construction of gold and of the parser, with what matched.

    docs/instances.md explains the columns; some need `train`, the treebank that
    the parser was trained on. With `each`, that is called with the rows of a block at a
    time (`block.frame()` is a DataFrame), and none are kept, so that any number of
    sentences fits. `group_by` gives the group of each sentence, or
    a file and its column. `ScoringOptions` lists the other options.

    >>> gold, parsed = "(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))"
    >>> table = instances(gold, parsed).frame()
    >>> table[~table.matched_h][["side", "construction", "word"]].values.tolist()
    [['gold', 'NP-t', 'I']]
    """
    reading = TreeReading(**options)
    sides = reading.resolve(gold), reading.resolve(parsed)
    result = instances_read(
        *(*sides, reading),
        train=train,
        group_by=group_by,
        each=each,
        backend=Backend(jobs),
    )
    reading.warn_left_out(result.ledger, sides[1])
    return result


def instances_read(
    gold: OpenedTrees,
    parsed: OpenedTrees,
    reading: TreeReading,
    *,
    train: Trees | None = None,
    group_by: str | Sequence[str] | None = None,
    each: Each | None = None,
    backend: Backend | None = None,
) -> Instances:
    """The rows of trees that are opened, and settings that are made."""
    deriver = reading.deriver_for(gold)
    training = None if train is None else training_of(train, reading, deriver)
    total = 0

    def keep(blocks: list[InstanceRows]) -> list[InstanceRows] | None:
        nonlocal total
        total += sum(block.size for block in blocks)
        if each is None:
            return blocks
        for block in blocks:
            each(block)
        return None

    counter = InstanceCounter(deriver, training)
    outcome = run_count(
        *(gold, parsed, reading, deriver, counter),
        backend=backend,
        groups=groups_of(group_by, 1),
        by_number=True,
        each=keep,
    )
    return Instances(
        deriver,
        reading.mismatch,
        outcome.ledger,
        outcome.relation_hint,
        rows=outcome.counts or [],
        total=total,
    )
