"""One row for each construction of gold and of the parser: `instances`.

A row says what a construction of a word is, and what of it matched. The rows of gold
and those of the parser stand in one table, told apart by `side`. All scores of `score`
are sums over its columns: see `docs/instances.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.compared import Compared, run_count
from analyzer.analyses.errors import NOTHING, confused_rows
from analyzer.analyses.opening import OpenedTrees, ScoringOptions, TreeReading, Trees
from analyzer.analyses.training import Training, training_of
from analyzer.derivation.columns import NULL, ROOT, Derivation
from analyzer.derivation.deriver import Deriver
from analyzer.metrics.constructions import Comparison
from analyzer.metrics.join import Matches
from analyzer.model.arrays import Flags, Ids, Ints, follow_links, number_densely
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.tasks import groups_of
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


class InstanceRows(NamedTuple):
    """The rows of a block; one column a name of COLUMNS, and of `training.KNOWN`."""

    columns: dict[str, list[Any]]

    @property
    def size(self) -> int:
        return len(self.columns["side"])

    def only(self, construction: str) -> InstanceRows:
        """The rows of a construction, and those confused with it."""
        sought = zip(
            self.columns["construction"], self.columns["confused_with"], strict=True
        )
        kept = [row for row, names in enumerate(sought) if construction in names]
        columns = self.columns.items()
        return InstanceRows(
            {name: [values[row] for row in kept] for name, values in columns}
        )

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


def instance_rows(
    pair: Pair,
    comparison: Comparison,
    deriver: Deriver,
    training: Training | None = None,
) -> InstanceRows:
    """The rows of a block: gold's, then the parser's, in document order.

    With `training`, the columns of `training.KNOWN` as well.
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
) -> dict[str, list[Any]]:
    side = comparison.alignment.gold if of_gold else comparison.alignment.parsed
    bank, groups = side.bank, pair.groups
    rows = comparison.by_own_words[0 if of_gold else 1]
    size = rows.row.size
    names, leaf = comparison.constructions, side.word_leaves
    tree = np.repeat(np.arange(len(bank)), np.diff(rows.starts))
    place = side.offset[tree]
    has_governor = rows.governor != ROOT
    governor = np.where(has_governor, rows.governor, rows.head)
    is_null = rows.attachment == NULL
    tag = _tags(bank, leaf, deriver) if deriver.has_tags else None
    label, functions = _labels(bank, rows.row, deriver)
    at = attached_at(bank, rows)
    word = np.array(bank.forms(leaf), object)

    def of_governor(values: Any, *, root: str | None = None) -> np.ndarray:
        found = np.asarray(values, object).copy()
        found[~has_governor] = root
        return found

    def of_attachment(values: np.ndarray) -> list[Any]:
        found = values.copy()
        found[is_null] = None
        return found.tolist()  # type: ignore[no-any-return]

    def matched(matches: Matches) -> list[Any]:
        flags = matches.gold if of_gold else matches.parsed
        return flags.tolist()  # type: ignore[no-any-return]

    by = {name: matched(matches) for name, matches in comparison.by.items()}
    attached = np.array(by["matched_att"], object)
    attached[names.is_recursive[rows.construction]] = None
    nothing = [None] * size
    governor_word = of_governor(_taken(word, governor), root="ROOT")
    governor_tag = np.array(nothing, object)
    if tag is not None:
        governor_tag = of_governor(_taken(tag, governor))
    return {
        "side": [GOLD if of_gold else PARSED] * size,
        "sentence": (pair.first_sentence + tree).tolist(),
        "id": _ids(pair, tree),
        "construction": _names(rows.construction, names),
        "label": label,
        "functions": functions,
        "word": _taken(word, rows.head).tolist(),
        "position": (rows.head - place).tolist(),
        "tag": nothing if tag is None else _taken(tag, rows.head).tolist(),
        "first": (rows.first - place).tolist(),
        "last": (rows.last - place).tolist(),
        "length": (rows.last - rows.first).tolist(),
        "depth": _depth(rows).tolist(),
        "governor": of_attachment(governor_word),
        "governor_tag": of_attachment(governor_tag),
        "governor_position": of_attachment(of_governor(governor - place)),
        "spine_governor": governor_word.tolist(),
        "spine_governor_tag": governor_tag.tolist(),
        "distance": of_governor(np.abs(governor - rows.head)).tolist(),
        "direction": of_governor(
            np.where(governor < rows.head, "left", "right")
        ).tolist(),
        "attached_at": [label[up] if up >= 0 else None for up in at.tolist()],
        "sentence_length": side.sizes[tree].tolist(),
        "group": nothing if groups is None else [groups[one] for one in tree.tolist()],
        "matched_h": by["matched_h"],
        "matched_s": by["matched_s"],
        "matched_att": attached.tolist(),
        "matched_right": by["matched_span_right"],
        "matched_left": by["matched_span_left"],
        "matched_evalb": matched(comparison.by_bracket),
        "matched_tag": nothing if tag is None else _same_tag(comparison, of_gold, size),
        "confused_with": _confused(comparison, confused, size, of_gold),
        **(training.known(bank, leaf, rows, deriver) if training else {}),
    }


def _ids(pair: Pair, tree: Ints) -> list[str | None]:
    names = [pair.id_of(one) or None for one in range(pair.sentences)]
    if not any(names):
        return [None] * tree.size
    return [names[one] for one in tree.tolist()]


def _names(numbers: Ids, names: Any) -> list[str]:
    used, which = number_densely(numbers)
    found = np.array([names[number] for number in used.tolist()], object)
    return _taken(found, which).tolist()  # type: ignore[no-any-return]


def _tags(bank: Treebank, leaf: Ints, deriver: Deriver) -> np.ndarray:
    """The tag of each word, as patterns know it."""
    used, which = number_densely(deriver.tables.tag(bank.label[bank.leaf_node[leaf]]))
    found = np.array([SYMBOLS.name(number) for number in used.tolist()], object)
    return _taken(found, which)


def _labels(
    bank: Treebank, row: Ints, deriver: Deriver
) -> tuple[list[str], list[str | None]]:
    """Labels without function tags, and these."""
    if not deriver.has_tags:
        return [bank.label_name(one) for one in row.tolist()], [None] * row.size
    tags = deriver.function_tags or FunctionTags(deriver.inventory.labels)
    used, which = number_densely(bank.label[row])
    parts = [tags.parts(SYMBOLS.name(number)) for number in used.tolist()]
    bare = np.array([one.bare for one in parts], object)
    functions = np.array([" ".join(one.tags) or None for one in parts], object)
    return _taken(bare, which).tolist(), _taken(functions, which).tolist()


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


def _same_tag(comparison: Comparison, of_gold: bool, size: int) -> list[bool | None]:
    if comparison.same_tags is None:  # of all words
        return [True] * size
    signs = comparison.same_tags[0 if of_gold else 1].tolist()
    return [None if sign < 0 else bool(sign) for sign in signs]


def _confused(
    comparison: Comparison, confused: tuple[Ints, Ints], size: int, of_gold: bool
) -> list[str | None]:
    own, other = confused if of_gold else confused[::-1]
    there = comparison.parsed if of_gold else comparison.gold
    found: list[str | None] = [None] * size
    for row, instead in zip(own.tolist(), other.tolist(), strict=True):
        if row >= 0:
            found[row] = (
                comparison.constructions[int(there.construction[instead])]
                if instead >= 0
                else NOTHING
            )
    return found


def _taken(values: np.ndarray, rows: Ints | Flags) -> np.ndarray:
    return values[rows] if rows.size else values[:0]


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
