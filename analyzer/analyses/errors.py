"""The errors of a parser one by one, and what it does instead: `errors`.

An error is a word, what gold has of it, and what the parser has instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.compared import Compared, frame_of, run_count
from analyzer.analyses.functions import FunctionScores
from analyzer.analyses.opening import (
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
    can_be_read_again,
    scoring_keywords,
)
from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.columns import NULL, ROOT, Derivation
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import InputError, Place, SettingsError
from analyzer.formats.registry import Family
from analyzer.metrics.constructions import KEYS, Comparison
from analyzer.metrics.functions import FunctionTally
from analyzer.metrics.join import Key, match, packed
from analyzer.model.arrays import Flags, Ids, Ints
from analyzer.model.settings import require_number, several
from analyzer.model.tree import Tree
from analyzer.pairing.in_step import Pair
from analyzer.pairing.tasks import Blocks
from analyzer.pairing.words import Side
from analyzer.runtime.executor import Backend
from analyzer.safe_text import counted

if TYPE_CHECKING:
    import pandas as pd


class Kind(Enum):
    """Kinds of error, as the scores count them."""

    HEAD_MISSED = "head-missed"  # gold has it, the parser has not: recall of F-h
    HEAD_SPURIOUS = "head-spurious"  # the parser has it, gold has not: precision
    SPAN = "span"  # same head and construction, another span
    SPAN_RIGHT = "span-right"  # the same, and the right edge differs
    ATTACHMENT = "attachment"  # the same head and construction, another governor
    FUNCTION = "function"  # the same bracket, other function tags
    WORD_FUNCTION = "word-function"  # the same word and tag, other function tags


SHORT_KINDS = {"att": Kind.ATTACHMENT}

# What is wrong with brackets; words have errors in function tags only.
OF_BRACKETS: tuple[Kind, ...] = tuple(
    kind for kind in Kind if kind is not Kind.WORD_FUNCTION
)
NOTHING = "(nothing)"


class Projection(NamedTuple):
    """A construction as one side has it; for an error in a word's tags, the word."""

    construction: str  # of a word: its tag
    first: int  # words of the sentence, deleted ones left out, from 0
    last: int
    governor: str | None  # the word it attaches to, "ROOT", None for null
    governor_position: int | None
    row: int  # the node in the treebank
    functions: tuple[str, ...] | None = None  # of errors in these


class Instance(NamedTuple):
    """One error."""

    sentence: int
    kind: Kind
    word: str
    # Of the word, deleted ones left out, from 0: in gold's sentence, or in the parser's
    # where gold has no such construction.
    position: int
    gold: Projection | None
    parsed: Projection | None
    parsed_words: list[str] | None = None  # of the parse, if not gold's
    id: str = ""  # what the file calls the sentence

    def sides(self, words: list[str]) -> tuple[list[str], list[str]]:
        """The words of gold's sentence and of the parser's, given gold's."""
        return words, words if self.parsed_words is None else self.parsed_words


# The join whose partners are no errors of a kind: one of `metrics.constructions.KEYS`.
_EXACT = {
    Kind.HEAD_MISSED: "matched_s",
    Kind.HEAD_SPURIOUS: "matched_s",
    Kind.SPAN: "matched_s",
    Kind.SPAN_RIGHT: "matched_span_right",
    Kind.ATTACHMENT: "matched_att",
}


def error_rows(comparison: Comparison, kind: Kind) -> tuple[Ints, Ints]:
    """Rows of gold and of parsed that make up each error; -1 where there is none.

    Rows that agree exactly are paired first, then what is left by head and
    construction. So the errors of a kind are exactly as many as the scores say:
    matched_h minus matched_s for spans, gold minus matched_h for missed heads, ...
    """
    if kind in (Kind.FUNCTION, Kind.WORD_FUNCTION):
        return _wrong_functions(comparison, of_words=kind is Kind.WORD_FUNCTION)
    gold, parsed = comparison.gold, comparison.parsed
    exact = comparison.by[_EXACT[kind]]
    left, right = np.flatnonzero(~exact.gold), np.flatnonzero(~exact.parsed)
    rest = match(
        [gold.head[left], gold.construction[left]],
        [parsed.head[right], parsed.construction[right]],
    )
    if kind is Kind.HEAD_MISSED:
        missed = left[~rest.gold]
        return missed, np.full(missed.size, -1)
    if kind is Kind.HEAD_SPURIOUS:
        spurious = right[~rest.parsed]
        return np.full(spurious.size, -1), spurious
    left, right = left[rest.gold], right[rest.partner[rest.gold]]
    if kind is Kind.ATTACHMENT:
        is_recursive = comparison.constructions.is_recursive
        counts = ~is_recursive[gold.construction[left]]
        left, right = left[counts], right[counts]
    return left, right


def paired_rows(comparison: Comparison, *exact: str) -> list[tuple[Ints, Ints]]:
    """Pairs of rows with the same head and construction that are not quite the same.

    What matches by the first of `exact` (of `KEYS`) is right. Of the rest, a list for
    each further key: what matches by it; and last, what matches by the head alone.
    """
    gold, parsed = comparison.gold, comparison.parsed
    matches = comparison.by[exact[0]]
    left, right = np.flatnonzero(~matches.gold), np.flatnonzero(~matches.parsed)
    pairs = []
    for name in (*exact[1:], "matched_h"):
        keys: list[Key] = []
        for side, rows in ((gold, left), (parsed, right)):
            columns: Key = [side.head, side.construction, *KEYS[name](side)]
            keys.append([column[rows] for column in columns])
        rest = match(*keys)
        pairs.append((left[rest.gold], right[rest.partner[rest.gold]]))
        left, right = left[~rest.gold], right[~rest.parsed]
    return pairs


def _wrong_functions(comparison: Comparison, *, of_words: bool) -> tuple[Ints, Ints]:
    """Brackets that evalb matches and whose sets of function tags differ.

    Or words whose tags do not, by their numbers in the block.
    """
    if comparison.functions is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    block = comparison.functions
    pairs = (block.words if of_words else block.phrases).pairs
    return pairs.gold[~pairs.is_exact], pairs.parsed[~pairs.is_exact]


def sample_ranks(sentence: Ints) -> Ints:
    """The order in which errors are taken into a sample, given their sentences.

    The errors of a sentence stand together. One of each sentence is taken before a
    second one of any; sentences are taken by their numbers times the golden ratio,
    modulo 1 (here 2 to the power of 32), which spreads however many evenly. As nothing
    else counts, the sample is the same however the input is read.
    """
    turn = sentence * 2654435769 % (1 << 32)
    _, first, count = np.unique(sentence, return_index=True, return_counts=True)
    first, count = np.repeat(first, count), np.repeat(count, count)
    # Which error of a sentence comes first must not depend on its turn.
    begin = (sentence * 2246822519 % (1 << 32) >> 8) * count >> 24
    taken_before = (np.arange(sentence.size) - first - begin) % count
    return (taken_before << 32) + turn


def smallest(rank: Ints, most: int) -> Ints:
    """Where the smallest numbers are, in their order."""
    return np.sort(np.argsort(rank, kind="stable")[:most])


class _Located(NamedTuple):
    """The errors of one kind, in document order: rows as `error_rows` has them."""

    kind: Kind
    gold_row: Ints
    parsed_row: Ints
    tree: Ints
    position: Ints  # of the word, in its sentence


class ErrorsOfBlock:
    """The errors of a block, told one by one when they are asked for."""

    def __init__(self, pair: Pair, comparison: Comparison) -> None:
        self._pair, self._comparison = pair, comparison
        self._gold, self._parsed = comparison.by_own_words
        self.text, self._other = comparison.sides

    def sample(
        self,
        kinds: Sequence[Kind],
        most: int | None,
        construction: str | None = None,
        trees: Flags | None = None,
    ) -> tuple[int, list[Instance], Ints]:
        """How many errors there are, `most` of them in document order, their ranks.

        Those of one construction, or of some trees, if these are given. Errors of one
        word are in the order of their kinds. Of more than `most`, those of the smallest
        ranks are a sample from all over the input (`sample_ranks`).
        """
        located = [self.located(kind, construction) for kind in kinds]
        if trees is not None:
            located = [_only(part, trees[part.tree]) for part in located]
        sizes = [part.tree.size for part in located]
        tree = np.concatenate([part.tree for part in located])
        position = np.concatenate([part.position for part in located])
        order = np.lexsort([position, tree])
        kind_of = np.repeat(np.arange(len(located)), sizes)[order]
        ranks = sample_ranks(self._pair.first_sentence + tree[order] * self._pair.every)
        if most is not None:
            chosen = smallest(ranks, most)
            order, kind_of, ranks = order[chosen], kind_of[chosen], ranks[chosen]
        at = order - (np.cumsum(sizes) - sizes)[kind_of]
        both = zip(kind_of.tolist(), at.tolist(), strict=True)
        return tree.size, [self.instance(located[kind], at) for kind, at in both], ranks

    def located(self, kind: Kind, construction: str | None = None) -> _Located:
        """Where the errors of a kind are."""
        gold, parsed, text, other = self._gold, self._parsed, self.text, self._other
        gold_row, parsed_row = error_rows(self._comparison, kind)
        if kind is Kind.WORD_FUNCTION:
            tree = text.trees_of(gold_row)
            words = _Located(
                kind, gold_row, parsed_row, tree, gold_row - text.offset[tree]
            )
            # Words have no construction.
            return _only(words, np.argsort(gold_row)[: 0 if construction else None])
        in_gold = gold_row >= 0
        heads = np.where(
            in_gold, _taken(gold.head, gold_row), _taken(parsed.head, parsed_row)
        )
        tree = np.where(in_gold, text.trees_of(heads), other.trees_of(heads))
        position = heads - np.where(in_gold, text.offset[tree], other.offset[tree])
        order = np.lexsort([heads, tree])
        if construction is not None:
            numbers = np.where(
                in_gold,
                _taken(gold.construction, gold_row),
                _taken(parsed.construction, parsed_row),
            )
            wanted = self._comparison.constructions.find(construction)
            order = order[numbers[order] == wanted]
        return _only(_Located(kind, gold_row, parsed_row, tree, position), order)

    def instance(self, located: _Located, at: int) -> Instance:
        """One of the errors."""
        pair, names = self._pair, self._comparison.constructions
        text, other = self.text, self._other
        tree, position = int(located.tree[at]), int(located.position[at])
        side = text if located.gold_row[at] >= 0 else other
        others = None if other is text else other.words(tree)
        if located.kind is Kind.WORD_FUNCTION:
            return self._word(located, at, others)
        of_gold = _projection(self._gold, int(located.gold_row[at]), names, text)
        of_parsed = _projection(self._parsed, int(located.parsed_row[at]), names, other)
        is_function = located.kind is Kind.FUNCTION
        block = self._comparison.functions if is_function else None
        if block and block.tags is not None and of_gold and of_parsed:
            labels = (
                pair.gold.label_name(of_gold.row),
                pair.parsed.label_name(of_parsed.row),
            )
            of_gold = of_gold._replace(functions=block.tags.parts(labels[0]).tags)
            of_parsed = of_parsed._replace(functions=block.tags.parts(labels[1]).tags)
        return Instance(
            pair.number(tree),
            located.kind,
            side.words(tree)[position],
            position,
            of_gold,
            of_parsed,
            None if others == text.words(tree) else others,
            pair.id_of(tree),
        )

    def _word(self, located: _Located, at: int, others: list[str] | None) -> Instance:
        """An error in the function tags of a word."""
        pair, tree = self._pair, int(located.tree[at])
        block, words = self._comparison.functions, self.text.words(tree)
        assert block is not None
        sides = []
        for bank, text, number in (
            (pair.gold, self.text, int(located.gold_row[at])),
            (pair.parsed, self._other, int(located.parsed_row[at])),
        ):
            position = number - int(text.offset[tree])
            leaf = text.leaf(tree, position)
            row = int(bank.leaf_node[leaf])
            bare, tags = block.tags.parts(bank.label_name(row), of_word=True)
            if bank.edges and bank.edges[leaf]:
                tags = tuple(sorted({*tags, bank.edges[leaf]}))
            sides.append(
                Projection(bare, position, position + 1, None, None, row, tags)
            )
        return Instance(
            pair.number(tree),
            located.kind,
            words[sides[0].first],
            sides[0].first,
            sides[0],
            sides[1],
            None if others == words else others,
            pair.id_of(tree),
        )


def _only(located: _Located, chosen: Flags | Ints) -> _Located:
    kind, *columns = located
    return _Located(kind, *(column[chosen] for column in columns))


def confusions(comparison: Comparison) -> Counter[tuple[str, str]]:
    """Gold construction x what the parser projects for that word instead.

    What has no partner (see `confused_rows`) is set beside NOTHING.
    """
    sides = (comparison.gold.construction, comparison.parsed.construction)
    rows = confused_rows(comparison)
    names = [*comparison.constructions.listed, NOTHING]
    left, right = (
        np.where(of_side < 0, len(names) - 1, _taken(column, of_side))
        for column, of_side in zip(sides, rows, strict=True)
    )
    pairs, first, counts = np.unique(
        left * len(names) + right, return_index=True, return_counts=True
    )
    order = np.argsort(first)  # as they are met
    return Counter(
        {
            (names[pair // len(names)], names[pair % len(names)]): count
            for pair, count in zip(
                pairs[order].tolist(), counts[order].tolist(), strict=True
            )
        }
    )


def confused_rows(comparison: Comparison) -> tuple[Ints, Ints]:
    """Rows of gold and of parsed set beside each other; -1 where there is none.

    A missed construction is set beside a spurious one of the same word: first one
    with the same span, then any.
    """
    gold, parsed = comparison.gold, comparison.parsed
    missed, _ = error_rows(comparison, Kind.HEAD_MISSED)
    _, spurious = error_rows(comparison, Kind.HEAD_SPURIOUS)
    pairs: list[tuple[Ints, Ints]] = []
    for with_span in (True, False):
        left: Key = [gold.head[missed]]
        right: Key = [parsed.head[spurious]]
        if with_span:
            left += [gold.first[missed], gold.last[missed]]
            right += [parsed.first[spurious], parsed.last[spurious]]
        paired = match(left, right)
        pairs.append((missed[paired.gold], spurious[paired.partner[paired.gold]]))
        missed, spurious = missed[~paired.gold], spurious[~paired.parsed]
    pairs.append((missed, np.full(missed.size, -1)))
    pairs.append((np.full(spurious.size, -1), spurious))
    return (
        np.concatenate([rows for rows, _ in pairs]),
        np.concatenate([rows for _, rows in pairs]),
    )


# What gold brackets are lost to that the parser does not have with their head,
# construction and span. Each is lost to one of these.
LOSSES: Mapping[str, str] = {
    "head": "the parse has no bracket over the same words, and none of this head",
    "span": "the parse has the construction and its head, over other words",
    "attachment": "over other words, and attached elsewhere",
    "label": "the parse has a bracket over the same words, of another head or name",
    "unary": "the parse has brackets over the same words, but fewer",
}


def lost_rows(comparison: Comparison) -> tuple[Ints, Ints]:
    """Rows of gold that are lost, and the place in `LOSSES` of what to.

    They are as many as the scores say: gold minus matched_s of each construction.
    Those whose head is right have another span, and perhaps another governor; the
    others have a bracket of the parse over the same words that nothing in gold is
    equal to (label), only such as are equal to another node (unary), or none (head).
    """
    gold, parsed = comparison.gold, comparison.parsed
    wrong, partner = error_rows(comparison, Kind.SPAN)
    missed, _ = error_rows(comparison, Kind.HEAD_MISSED)
    others = np.flatnonzero(~comparison.by["matched_s"].parsed)
    words: Key = [gold.first[missed], gold.last[missed]]
    is_renamed = match(words, [parsed.first[others], parsed.last[others]]).gold
    is_covered = np.isin(*packed(words, [parsed.first, parsed.last]))
    # A discourse unit has two rows: if it is there, nothing else of its span is.
    _, nodes = np.unique(gold.row, return_index=True)
    spans, every = packed(words, [gold.first[nodes], gold.last[nodes]])
    every.sort()
    is_alone = (
        np.searchsorted(every, spans, "right") - np.searchsorted(every, spans) < 2
    )
    is_renamed |= is_covered & is_alone
    head, span, attachment, label, unary = range(len(LOSSES))
    is_attached = gold.attachment[wrong] == parsed.attachment[partner]
    lost_to = (
        np.where(is_attached, span, attachment),
        np.where(is_renamed, label, np.where(is_covered, unary, head)),
    )
    return np.concatenate([wrong, missed]), np.concatenate(lost_to)


def count_losses(comparison: Comparison) -> Counter[tuple[str, str]]:
    """How many brackets of each construction are lost, by what to."""
    rows, lost_to = lost_rows(comparison)
    names, parts = comparison.constructions, list(LOSSES)
    pairs = zip(
        comparison.gold.construction[rows].tolist(), lost_to.tolist(), strict=True
    )
    return Counter((names[name], parts[part]) for name, part in pairs)


def _taken(column: Ints | Ids, rows: Ints) -> Ints | Ids:
    return column[rows] if column.size else np.full(rows.size, -1)


def _projection(
    derivation: Derivation, row: int, names: ConstructionNames, text: Side
) -> Projection | None:
    if row < 0:
        return None
    tree = int(text.trees_of(derivation.head[row]))
    offset = int(text.offset[tree])
    governor = int(derivation.attachment[row])
    name, position = governor_name(governor, offset, text.words(tree))
    return Projection(
        names[int(derivation.construction[row])],
        int(derivation.first[row]) - offset,
        int(derivation.last[row]) - offset,
        name,
        position,
        int(derivation.row[row]),
    )


def governor_name(
    governor: int, offset: int, words: list[str]
) -> tuple[str | None, int | None]:
    """The word that an attachment is, and its position; ROOT, or None for null."""
    if governor == NULL:
        return None, None
    if governor == ROOT:
        return "ROOT", None
    return words[governor - offset], governor - offset


# -- all errors of two inputs ----------------------------------------------------------

# A wrong right edge is a wrong span, too; function tags are for whoever asks.
ALL_KINDS = tuple(
    kind for kind in OF_BRACKETS if kind not in (Kind.SPAN_RIGHT, Kind.FUNCTION)
)
_FUNCTIONS = (Kind.FUNCTION, Kind.WORD_FUNCTION)


class FoundError(NamedTuple):
    """An error, and the words of its sentence."""

    error: Instance
    words: list[str]


class ListedError(FoundError):
    """An error that a notebook draws, as the two trees of its sentence."""

    pairs: Callable[[], Iterator[Pair]] | None = None  # to read these once more

    @property
    def pair(self) -> tuple[Tree, Tree] | None:
        """Both trees; None if they cannot be read again, or are of a document."""
        for pair in self.pairs() if self.pairs else ():
            tree = self.error.sentence - pair.first_sentence
            if 0 <= tree < len(pair.gold):
                return pair.gold[tree], pair.parsed[tree]
        return None

    def __getstate__(self) -> None:
        """Files are where they were read: other processes have the error alone."""

    def _repr_html_(self) -> str:
        from reports.tables.errors import error_html

        return error_html(self)


class ErrorCounts(NamedTuple):
    """What is found in some sentences."""

    rows: list[FoundError]  # some of them, if there are too many
    ranks: list[int]  # of these, in a sample of all
    total: int
    confusions: Counter[tuple[str, str]]
    constructions: Counter[str]  # that occur
    functions: FunctionTally | None = None  # if asked for
    sentences: int = 0  # of those that are wanted by name


@dataclass(frozen=True)
class ErrorCounter:
    """Which errors of a pair are looked for."""

    kinds: tuple[Kind, ...]
    construction: str | None
    limit: int | None
    sentences: frozenset[int | str] = frozenset()  # those that are wanted; none: all

    def __call__(self, pair: Pair, comparison: Comparison) -> ErrorCounts:
        chosen: Flags | None = None
        if self.sentences:
            trees = range(pair.sentences)
            wanted = [pair.is_among(tree, self.sentences) for tree in trees]
            chosen = np.array(wanted, np.bool_)
        errors = ErrorsOfBlock(pair, comparison)
        total, listed, ranks = errors.sample(
            self.kinds, self.limit, self.construction, chosen
        )
        first, functions = pair.first_sentence, comparison.functions
        return ErrorCounts(
            [
                FoundError(error, errors.text.words(error.sentence - first))
                for error in listed
            ],
            ranks.tolist(),
            total,
            confusions(comparison),
            Counter(comparison.constructions.listed),
            None if functions is None else functions.tally(),
            0 if chosen is None else int(np.count_nonzero(chosen)),
        )


@dataclass(eq=False, repr=False)
class ErrorList(Compared):
    """What `errors` returns: errors in the order of the text.

    Of more than the limit, `rows` is a sample from all over the text.
    """

    kinds: tuple[Kind, ...] = ()
    rows: list[ListedError] = field(default_factory=list)
    total: int = 0  # also of those that a limit leaves out of the rows
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    function_tally: FunctionTally = field(default_factory=FunctionTally)

    scorer: ClassVar[str] = "errors"
    verb: ClassVar[str] = "looked at"

    def _shown(self) -> str:
        return f"{counted(self.total, 'error')}, {len(self.rows):,} listed"

    @property
    def functions(self) -> FunctionScores | None:
        """The scores of function tags, if asked for; they have confusions of tags."""
        tags = self.deriver.function_tags
        return FunctionScores.from_tally(self.function_tally, tags) if tags else None

    def frame(self) -> pd.DataFrame:
        """One row an error; spans are in words from 0, as in words[first:last]."""
        import pandas as pd

        records = []
        has_ids = any(row.error.id for row in self.rows)
        for error, words in self.rows:
            present = error.gold or error.parsed
            record: dict[str, object] = {
                "sentence": error.sentence,
                **({"id": error.id} if has_ids else {}),
                "kind": error.kind.value,
                "construction": present.construction if present else None,
                "word": error.word,
                "position": error.position,
            }
            for side, projection in (("gold", error.gold), ("parsed", error.parsed)):
                record[f"{side}_first"] = projection.first if projection else None
                record[f"{side}_last"] = projection.last if projection else None
                record[f"{side}_governor"] = projection.governor if projection else None
                if {*_FUNCTIONS} & {*self.kinds}:
                    tags = projection.functions if projection else None
                    record[f"{side}_functions"] = (
                        None if tags is None else " ".join(tags)
                    )
            record["text"] = " ".join(words)
            records.append(record)
        return pd.DataFrame(records)

    def confusions_frame(self) -> pd.DataFrame:
        """What gold has, what the parser has instead, and how often."""
        rows = [(*pair, count) for pair, count in self.confusions.most_common()]
        return frame_of(rows, ("gold", "parsed", "count"))


@scoring_keywords
def errors(
    gold: Trees,
    parsed: Trees,
    *,
    kind: Kind | str | Collection[Kind | str] | None = None,
    construction: str | None = None,
    sentence: int | str | Collection[int | str] = (),
    limit: int | None = None,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> ErrorList:
    """The errors of some kinds, of one construction or all.

    With a `limit`, so many of them, taken evenly from all over the input: a sample.
    `kind` is one or several of them. `sentence`, one or several, are numbers, or what
    the files call them; none: all.

    All kinds are looked for but `span-right`, which `span` has, and `function` unless
    `functions` are to be scored or the kind is named. What the parser has
    instead of what gold has (`confusions`) is counted for all errors. `ScoringOptions`
    lists the other options.

    >>> gold, parsed = "(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))"
    >>> listed = errors(gold, parsed)
    >>> [(error.kind.value, error.word) for error, _ in listed.rows]
    [('head-missed', 'I')]
    """
    chosen = _kinds(kind, bool(options.get("functions")))
    if {*_FUNCTIONS} & {*chosen}:
        options["functions"] = True
    if limit is not None:
        require_number("limit", limit, least=0)
    reading, backend = TreeReading(**options), Backend(jobs)
    sides = reading.resolve(gold), reading.resolve(parsed)
    deriver = reading.deriver_for(sides[0])
    wanted = frozenset(several(sentence))
    counter = ErrorCounter(chosen, construction, limit, wanted)
    outcome = run_count(*sides, reading, deriver, counter, backend=backend)
    counts = outcome.counts or ErrorCounts([], [], 0, Counter(), Counter())
    rows = counts.rows
    if limit is not None:
        rows = [rows[at] for at in smallest(np.array(counts.ranks, np.int64), limit)]
    listed = [ListedError(*row) for row in rows]
    if deriver.family is Family.SYNTAX and all(map(can_be_read_again, sides)):
        again = replace(reading, progress=None)
        for row in listed:
            row.pairs = lambda: _pairs(again, *sides, deriver)
    result = ErrorList(
        deriver,
        reading.mismatch,
        outcome.ledger,
        outcome.relation_hint,
        kinds=chosen,
        rows=listed,
        total=counts.total,
        confusions=counts.confusions,
        function_tally=counts.functions or FunctionTally(),
    )
    _require_sentences(wanted, counts.sentences, outcome.names[0])
    if result.functions and result.ledger.scored:
        result.functions.require_tags()
    if construction is not None:
        require_construction(construction, deriver, counts.constructions)
        if chosen == (Kind.ATTACHMENT,) and deriver.constructions.recurs(construction):
            raise SettingsError("E544 is recursive", construction=construction)
        kept = {key: n for key, n in result.confusions.items() if construction in key}
        result.confusions = Counter(kept)
    reading.warn_left_out(result.ledger, outcome.names[1])
    return result


find_errors = errors  # its name before


def _pairs(
    reading: TreeReading, gold: OpenedTrees, parsed: OpenedTrees, deriver: Deriver
) -> Iterator[Pair]:
    """All pairs once more."""
    tasks = reading.open(gold, parsed, deriver, by_number=True).tasks
    assert isinstance(tasks, Blocks)
    return tasks.pairs()


def _kinds(
    given: Kind | str | Collection[Kind | str] | None, with_functions: bool
) -> tuple[Kind, ...]:
    """The kinds that are asked for; errors in function tags are of words as well."""
    if given is None:
        return (*ALL_KINDS, *_FUNCTIONS) if with_functions else ALL_KINDS
    names: Sequence[str] = [kind.value for kind in Kind]
    listed = [SHORT_KINDS.get(kind, kind) for kind in several(given)]
    for kind in listed:
        if not isinstance(kind, Kind) and kind not in names:
            raise SettingsError("E537 no errors of kind", kind=kind, kinds=names)
    chosen = dict.fromkeys(Kind(kind) for kind in listed)
    if Kind.FUNCTION in chosen:
        chosen[Kind.WORD_FUNCTION] = None
    return tuple(chosen)


def _require_sentences(wanted: frozenset[int | str], count: int, source: str) -> None:
    """InputError if sentences were asked for and none of them is there."""
    if wanted and not count:
        raise InputError(
            "E849 there is no sentence", Place(source), missing=min(map(str, wanted))
        )


def require_construction(
    name: str, deriver: Deriver, occurring: Collection[str]
) -> None:
    """SettingsError if there is no such construction, neither known nor in the data."""
    known = {pattern.name for pattern in deriver.inventory.patterns}
    if name not in known and name not in occurring:
        raise SettingsError(
            "E809 no construction", construction=name, occurring=sorted(occurring)
        )
