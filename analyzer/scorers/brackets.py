"""Bracket scores, number for number those of EVALB (Sekine and Collins).

A bracket is a phrase: (label, first word, last word). Recall is the share of
gold brackets that the parse has, precision the share of the parse's that gold
has; duplicates (unary chains) count as often as they occur. docs/evalb.md has
the details that bite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from analyzer.counts import f_score, ratio
from analyzer.errors import AnalyzerError, InputError, PairingError, Place
from analyzer.matching import Matches, match, packed
from analyzer.normalising import DELETED, LabelTables, lengths, sums_between
from analyzer.pairing import (
    Alignment,
    LeftOut,
    PairReader,
    Reason,
    SentencePair,
    Surplus,
    align,
)
from analyzer.parameters import EvalbParameters, load_parameters
from analyzer.reading import Progress, TreeReader
from analyzer.signature import signature
from analyzer.sources import from_text
from analyzer.symbols import SYMBOLS, Flags, Ids, Ints
from analyzer.treebank import Treebank

if TYPE_CHECKING:
    import pandas as pd

OnMismatch = Literal["skip", "zero", "error"]

OK, ERROR, SKIPPED = 0, 1, 2  # evalb's status codes


class SentenceCounts(NamedTuple):
    """evalb's columns, a row a sentence."""

    status: Ints
    length: Ints
    matched: Ints
    gold: Ints
    test: Ints
    crossing: Ints
    words: Ints
    correct_tags: Ints

    @property
    def is_scored(self) -> Flags:
        return self.status == OK


class Brackets(NamedTuple):
    """The brackets of one side that count, in document order."""

    row: Ints  # in the treebank's node columns
    first: Ints  # spans in words left after deletion, counted through the run
    last: Ints
    label: Ids  # without function tags
    key_label: Ids  # what is compared: equated labels are one
    starts: Ints  # per tree


class Matched(NamedTuple):
    """The outcome for a run of sentences."""

    counts: SentenceCounts
    gold: Brackets
    parsed: Brackets
    matches: Matches
    left_out: list[LeftOut]


class Totals(NamedTuple):
    """A summary, as evalb prints two of them: all, and up to the cut-off."""

    sentences: int = 0
    error: int = 0
    skip: int = 0
    valid: int = 0
    matched: int = 0
    gold: int = 0
    test: int = 0
    crossing: int = 0
    words: int = 0
    correct_tags: int = 0
    complete: int = 0
    no_crossing: int = 0
    two_or_less_crossing: int = 0
    macro_f1_sum: float = 0.0

    def __add__(self, other: object) -> Totals:
        if not isinstance(other, Totals):
            return NotImplemented
        return Totals(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def recall(self) -> float | None:
        return ratio(self.matched, self.gold)

    @property
    def precision(self) -> float | None:
        return ratio(self.matched, self.test)

    @property
    def f1(self) -> float | None:
        return f_score(self.matched, self.gold, self.test)

    @property
    def macro_f1(self) -> float | None:
        """Mean over sentences of each one's F1 (1 where neither has brackets)."""
        return ratio(self.macro_f1_sum, self.valid)

    @property
    def tagging_accuracy(self) -> float | None:
        return ratio(self.correct_tags, self.words)

    def as_dict(self) -> dict[str, int | float | None]:
        """Counts and ratios (0 to 1) under the names of the JSON output."""
        counts = self._asdict()
        del counts["macro_f1_sum"]
        return {
            **counts,
            "recall": self.recall,
            "precision": self.precision,
            "f1": self.f1,
            "macro_f1": self.macro_f1,
            "complete_match": ratio(self.complete, self.valid),
            "average_crossing": ratio(self.crossing, self.valid),
            "no_crossing_share": ratio(self.no_crossing, self.valid),
            "two_or_less_crossing_share": ratio(self.two_or_less_crossing, self.valid),
            "tagging_accuracy": self.tagging_accuracy,
        }


class LabelCounts(NamedTuple):
    gold: int
    test: int
    matched_gold: int
    matched_test: int


@dataclass
class BracketScores:
    """What `evalb` returns. Counts only; the ratios are properties of the totals."""

    parameters: EvalbParameters
    on_mismatch: OnMismatch
    summary: Totals = field(default_factory=Totals)
    summary_cutoff: Totals = field(default_factory=Totals)
    labels: dict[str, LabelCounts] = field(default_factory=dict)
    sentences: SentenceCounts | None = None
    left_out: list[LeftOut] = field(default_factory=list)
    surplus: Surplus = Surplus(0, 0)
    roots: tuple[Counter[str], Counter[str]] = field(
        default_factory=lambda: (Counter(), Counter())
    )

    @property
    def signature(self) -> str:
        given = self.parameters
        return signature(
            scorer="evalb",
            params=given.name,
            labeled=given.labeled,
            deleted=given.delete,
            equal=tuple("=".join(pair) for pair in given.equal_labels),
            quotes=given.quotes,
            cutoff=given.cutoff_length,
            mismatch=self.on_mismatch,
            average="micro",
        )

    def coverage(self) -> str:
        """What was scored and what was left out, in a sentence.

        With the policy `zero` nothing is left out for a failed parse; the sentence
        then says how many were counted as finding nothing.
        """
        total, scored = self.summary.sentences, self.summary.valid
        text = f"scored {scored:,} of {total:,} sentences"
        reasons = Counter(item.reason for item in self.left_out)
        listed = ", ".join(f"{n:,} {reason.value}" for reason, n in reasons.items())
        if self.on_mismatch == "zero" and listed:
            return f"{text}; counted as finding nothing or left out: {listed}"
        if listed:
            return f"{text}; {total - scored:,} left out: {listed}"
        return text

    def labels_frame(self) -> pd.DataFrame:
        """Per label: counts, precision, recall, F1; most frequent first."""
        import pandas as pd

        return pd.DataFrame(
            label_rows(self.labels),
            columns=["label", "gold", "test", "matched", "recall", "precision", "f1"],
        )

    def sentences_frame(self) -> pd.DataFrame:
        """evalb's columns, a row a sentence."""
        import pandas as pd

        if self.sentences is None:
            raise AnalyzerError("sentences were not kept: pass by_sentence=True")
        frame = pd.DataFrame(self.sentences._asdict())
        frame.insert(0, "sentence", np.arange(1, len(frame) + 1))
        return frame


def label_rows(
    labels: dict[str, LabelCounts],
) -> list[tuple[str, int, int, int, float | None, float | None, float | None]]:
    """Label, counts and ratios, most frequent in gold first."""
    rows = []
    for label, counts in sorted(
        labels.items(), key=lambda item: (-item[1].gold, -item[1].test, item[0])
    ):
        recall = ratio(counts.matched_gold, counts.gold)
        precision = ratio(counts.matched_test, counts.test)
        f1 = (
            f_score(counts.matched_gold, counts.gold, counts.test)
            if counts.matched_gold == counts.matched_test
            else _harmonic(precision, recall)
        )
        rows.append(
            (label, counts.gold, counts.test, counts.matched_gold, recall, precision, f1)
        )
    return rows


def _harmonic(precision: float | None, recall: float | None) -> float | None:
    """F1 where an equated label makes the two sides' matches differ (ADVP, PRT)."""
    if precision is None or recall is None:
        return None
    return ratio(2 * precision * recall, precision + recall) or 0.0


def evalb(
    gold: str | Treebank,
    parsed: str | Treebank,
    *,
    parameters: str | EvalbParameters = "collins",
    on_mismatch: OnMismatch = "skip",
    by_label: bool = False,
    by_sentence: bool = False,
    strict: bool = False,
    encoding: str = "utf-8",
) -> BracketScores:
    """Bracket scores of parsed against gold, as EVALB computes them.

    Both are given as on the command line (file, glob, directory), as text, or as
    a Treebank. Memory does not grow with the input, except for `by_sentence`.

    >>> scores = evalb("(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))")
    >>> scores.summary.recall, scores.summary.precision
    (0.6666666666666666, 1.0)
    """
    if isinstance(parameters, str):
        parameters = load_parameters(parameters)
    pairs, surplus = open_pairs(gold, parsed, strict=strict, encoding=encoding)
    result = BracketScores(parameters, on_mismatch)
    for _ in score_into(
        result, pairs, by_label=by_label, by_sentence=by_sentence
    ):
        pass
    result.surplus = surplus()
    return result


def open_pairs(
    gold: str | Treebank,
    parsed: str | Treebank,
    *,
    strict: bool = False,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> tuple[Iterator[SentencePair], Callable[[], Surplus]]:
    """Gold and parsed in step; and, once read, what one has more than the other."""
    if isinstance(gold, Treebank) and isinstance(parsed, Treebank):
        count = min(len(gold), len(parsed))
        surplus = Surplus(len(gold) - count, len(parsed) - count)
        return iter([SentencePair(gold[:count], parsed[:count], 1)]), lambda: surplus

    def reader(given: str | Treebank) -> TreeReader:
        if isinstance(given, Treebank):
            text = "\n".join(str(tree) for tree in given) + "\n"
            return TreeReader.of_stream(from_text(text), given.source)
        if "(" in given and not given.strip().startswith("-"):
            return TreeReader.of_stream(from_text(given))
        return TreeReader(given, encoding=encoding, strict=strict, progress=progress)

    pair_reader = PairReader(reader(gold), reader(parsed))
    return pair_reader.pairs(), lambda: pair_reader.surplus


def score_into(
    result: BracketScores,
    pairs: Iterator[SentencePair],
    *,
    by_label: bool = False,
    by_sentence: bool = False,
) -> Iterator[tuple[SentencePair, Matched]]:
    """Score pair by pair, adding to the result; yields each run as it is done."""
    tables = LabelTables(result.parameters)
    kept: list[SentenceCounts] = []
    for pair in pairs:
        outcome = score_pair(pair, tables, zero=result.on_mismatch == "zero")
        if outcome.left_out and result.on_mismatch == "error":
            raise outcome.left_out[0].error
        counts = outcome.counts
        result.summary += total_of(counts)
        short = counts.length <= result.parameters.cutoff_length
        result.summary_cutoff += total_of(
            SentenceCounts(*(column[short] for column in counts))
        )
        result.left_out += outcome.left_out
        for side, bank in zip(result.roots, (pair.gold, pair.parsed), strict=True):
            _count_roots(side, bank)
        if by_label:
            _add_labels(result.labels, outcome)
        if by_sentence:
            kept.append(counts)
        yield pair, outcome
    if by_sentence and kept:
        columns = zip(*kept, strict=True)
        result.sentences = SentenceCounts(*(np.concatenate(c) for c in columns))


def score_pair(
    pair: SentencePair,
    tables: LabelTables,
    *,
    zero: bool = False,
    as_sets: bool = False,
) -> Matched:
    """Score a run of sentences.

    With `zero`, a pair that cannot be compared counts as a parse without any
    bracket, unless gold itself is at fault. With `as_sets`, brackets that are
    equal count once.
    """
    alignment = align(pair, tables)
    gold = brackets(pair.gold, alignment, tables, of_gold=True)
    parsed = brackets(pair.parsed, alignment, tables, of_gold=False)
    if as_sets:
        gold, parsed = _distinct(gold), _distinct(parsed)
    # Last words run backwards: so the rows come sorted, parents before children.
    matches = match(
        [gold.first, -gold.last, gold.key_label],
        [parsed.first, -parsed.last, parsed.key_label],
    )
    comparable = alignment.is_comparable
    words = np.where(comparable, np.diff(alignment.gold_starts), 0)
    counts = SentenceCounts(
        status=np.where(comparable, OK, ERROR),
        length=lengths(pair.gold, tables),
        matched=sums_between(matches.gold, gold.starts),
        gold=np.diff(gold.starts),
        test=np.diff(parsed.starts),
        crossing=sums_between(crossing(gold, parsed, ~matches.parsed), parsed.starts),
        words=words,
        correct_tags=_correct_tags(pair, alignment, tables),
    )
    _note_left_out(pair, counts, alignment, tables, zero=zero)
    return Matched(counts, gold, parsed, matches, alignment.left_out)


def brackets(
    bank: Treebank, alignment: Alignment, tables: LabelTables, *, of_gold: bool
) -> Brackets:
    """The brackets of one side's comparable trees that have words left in them."""
    leaves = alignment.gold_leaves if of_gold else alignment.parsed_leaves
    starts = alignment.gold_starts if of_gold else alignment.parsed_starts
    comparable = alignment.is_comparable
    # How many compared words stand before each leaf; a word put back twice is two.
    before = np.zeros(bank.leaf_node.size + 1, np.int64)
    before[1:] = np.cumsum(np.bincount(leaves, minlength=bank.leaf_node.size))

    row = np.flatnonzero(~bank.is_leaf)
    compared = tables.phrase_class[bank.label[row]]
    first, last = before[bank.first[row]], before[bank.last[row]]
    counts = (compared != DELETED) & (first < last)
    if not comparable.all():
        # Renumber the words, so that those of trees left out do not count.
        sizes = np.diff(np.searchsorted(row, bank.node_start))
        words = np.where(comparable, np.diff(starts), 0)
        shift = np.cumsum(words) - words - starts[:-1]
        first += np.repeat(shift, sizes)
        last += np.repeat(shift, sizes)
        counts &= np.repeat(comparable, sizes)
    row = row[counts]
    return Brackets(
        row=row,
        first=first[counts],
        last=last[counts],
        label=tables.phrase[bank.label[row]],
        key_label=compared[counts],
        starts=np.searchsorted(row, bank.node_start),
    )


def crossing(gold: Brackets, parsed: Brackets, candidates: Flags) -> Flags:
    """Which parsed brackets cross a gold one: overlap it, neither inside the other.

    Only candidates are looked at; a matched bracket cannot cross. A bracket from s
    to e is crossed when a gold one that starts inside it ends beyond e, or one that
    ends inside it starts before s.
    """
    crosses = np.zeros(parsed.row.size, np.bool_)
    rows = np.flatnonzero(candidates & (parsed.last - parsed.first > 1))
    if not rows.size or not gold.row.size:
        return crosses
    size = int(max(gold.last.max(), parsed.last.max())) + 2
    # Of brackets with the same start (or end) the first in order is the largest;
    # assigned backwards, it is the one that stays.
    furthest_end = np.zeros(size, np.int64)
    furthest_end[gold.first[::-1]] = gold.last[::-1]
    earliest_start = np.full(size, size, np.int64)
    earliest_start[gold.last[::-1]] = gold.first[::-1]
    first, last = parsed.first[rows], parsed.last[rows]
    # reduceat over [first + 1, last), last, [first + 1, last), last ...
    inside = np.column_stack([first + 1, last]).ravel()
    ends_beyond = np.maximum.reduceat(furthest_end, inside)[::2] > last
    starts_before = np.minimum.reduceat(earliest_start, inside)[::2] < first
    crosses[rows] = ends_beyond | starts_before
    return crosses


def total_of(counts: SentenceCounts) -> Totals:
    """Sums over sentences; only scored ones count for the brackets."""
    scored = SentenceCounts(*(column[counts.is_scored] for column in counts))
    either = scored.gold + scored.test
    f1 = np.where(either > 0, 2 * scored.matched / np.maximum(either, 1), 1.0)
    complete = (scored.gold == scored.test) & (scored.test == scored.matched)
    return Totals(
        sentences=counts.status.size,
        error=int(np.count_nonzero(counts.status == ERROR)),
        skip=int(np.count_nonzero(counts.status == SKIPPED)),
        valid=scored.status.size,
        matched=int(scored.matched.sum()),
        gold=int(scored.gold.sum()),
        test=int(scored.test.sum()),
        crossing=int(scored.crossing.sum()),
        words=int(scored.words.sum()),
        correct_tags=int(scored.correct_tags.sum()),
        complete=int(np.count_nonzero(complete)),
        no_crossing=int(np.count_nonzero(scored.crossing == 0)),
        two_or_less_crossing=int(np.count_nonzero(scored.crossing <= 2)),
        macro_f1_sum=float(f1.sum()),
    )


def _correct_tags(
    pair: SentencePair, alignment: Alignment, tables: LabelTables
) -> Ints:
    """Per sentence, the compared words that have the same tag in both."""
    comparable = alignment.is_comparable
    sizes = np.diff(alignment.gold_starts)
    in_gold = np.repeat(comparable, sizes)
    in_parsed = np.repeat(comparable, np.diff(alignment.parsed_starts))
    gold_leaf = alignment.gold_leaves[in_gold]
    parsed_leaf = alignment.parsed_leaves[in_parsed]
    gold_tag = tables.tag_class[pair.gold.label[pair.gold.leaf_node[gold_leaf]]]
    parsed_tag = tables.tag_class[pair.parsed.label[pair.parsed.leaf_node[parsed_leaf]]]
    words = np.where(comparable, sizes, 0)
    return sums_between(gold_tag == parsed_tag, np.append(0, np.cumsum(words)))


def _note_left_out(
    pair: SentencePair,
    counts: SentenceCounts,
    alignment: Alignment,
    tables: LabelTables,
    *,
    zero: bool,
) -> None:
    """Status (and, with `zero`, the gold side) of pairs that are not compared."""
    for item in alignment.left_out:
        tree = item.sentence - pair.first_sentence
        if zero and item.reason is not Reason.BAD_GOLD:
            counts.status[tree] = OK
            counts.gold[tree] = _gold_brackets(pair.gold, tree, tables)
            counts.words[tree] = np.diff(alignment.gold_starts)[tree]
        elif item.reason.is_skip:
            counts.status[tree] = SKIPPED


def _gold_brackets(gold: Treebank, tree: int, tables: LabelTables) -> int:
    """How many brackets a gold tree has by itself."""
    alone = SentencePair(gold[tree : tree + 1], gold[tree : tree + 1], 1)
    return int(brackets(alone.gold, align(alone, tables), tables, of_gold=True).row.size)


def _distinct(given: Brackets) -> Brackets:
    """Each bracket once, however often it occurs."""
    key, _ = packed([given.first, given.last, given.key_label], [np.zeros(1, int)] * 3)
    keep = np.sort(np.unique(key, return_index=True)[1])
    trees = np.searchsorted(keep, given.starts)
    columns = (column[keep] for column in given[:-1])
    return Brackets(*columns, starts=trees)


def _add_labels(labels: dict[str, LabelCounts], outcome: Matched) -> None:
    size = len(SYMBOLS)
    gold = np.bincount(outcome.gold.label, minlength=size)
    test = np.bincount(outcome.parsed.label, minlength=size)
    gold_hit = np.bincount(outcome.gold.label[outcome.matches.gold], minlength=size)
    test_hit = np.bincount(outcome.parsed.label[outcome.matches.parsed], minlength=size)
    for label in np.flatnonzero(gold + test).tolist():
        name = SYMBOLS.name(label)
        old = labels.get(name, LabelCounts(0, 0, 0, 0))
        labels[name] = LabelCounts(
            old.gold + int(gold[label]),
            old.test + int(test[label]),
            old.matched_gold + int(gold_hit[label]),
            old.matched_test + int(test_hit[label]),
        )


def _count_roots(seen: Counter[str], bank: Treebank) -> None:
    """Which labels stand at the top of trees and have just one phrase below."""
    roots = bank.node_start[:-1][np.diff(bank.node_start) > 1]
    labels, counts = np.unique(bank.label[roots], return_counts=True)
    for label, count in zip(labels.tolist(), counts.tolist(), strict=True):
        seen[SYMBOLS.name(label)] += count


def stopped_at(result: BracketScores) -> AnalyzerError | None:
    """The error for evalb's MAX_ERROR, if the result has exceeded it.

    evalb counts mismatches, not failed parses, and stops one after the limit.
    """
    limit = result.parameters.max_error
    errors = [item for item in result.left_out if not item.reason.is_skip]
    if limit is None or len(errors) <= limit + 1:
        return None
    return PairingError(
        f"stopped: {len(errors)} sentences in error, more than MAX_ERROR {limit} of "
        f"{result.parameters.name} allows; raise it with --max-error. The first is "
        f"{errors[0].error}"
    )


def nothing_scored(result: BracketScores, name: str) -> AnalyzerError | None:
    if result.summary.valid:
        return None
    if not result.summary.sentences:
        return InputError("no trees to score; expected brackets", Place(name))
    return PairingError(f"nothing could be scored: {result.coverage()}", Place(name))
