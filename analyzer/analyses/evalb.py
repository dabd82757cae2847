"""Bracket scores as EVALB computes them: `evalb`, and the result that it returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.compared import Result, TaskCounter, frame_of
from analyzer.analyses.opening import PairOptions, TreeReading, Trees
from analyzer.exceptions import PairingError, SettingsError
from analyzer.metrics.brackets import ERROR, SKIPPED, EvalbColumns, Matched, score_pair
from analyzer.metrics.counts import plus
from analyzer.metrics.ratios import MatchCounts, f_score, harmonic, ratio
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Value, number_densely
from analyzer.model.settings import keywords, require_number
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Fate, Ledger
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.tags import has_no_labels, has_no_tags
from analyzer.runtime.executor import Backend
from analyzer.safe_text import counted
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.labels import (
    DEFAULT_LABELS,
    LabelSet,
    default_labels,
    load_labels,
)
from analyzer.transform.parameters import NOT_INDUCED, EvalbParameters, parameters_for

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.analyses.generated import (
        GeneratedCounts,
        GeneratedTrees,
        GeneratedWork,
    )

F1_BITS = 53  # of a number between a half and one


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
    # The sum of all F1, in units of 2**-53: a sum of integers is the same in any order.
    f1_units: int = 0
    untagged: int = 0  # words whose tags cannot be compared: a side has none of its own

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
        return ratio(self.f1_units, self.valid << F1_BITS)

    @property
    def tagging_accuracy(self) -> float | None:
        """None if no block of sentences has tags on both sides."""
        has_tags = self.untagged < self.words
        return ratio(self.correct_tags, self.words) if has_tags else None

    def as_dict(self) -> dict[str, int | float | None]:
        """Counts and ratios (0 to 1) under the names of the JSON output."""
        counts = self._asdict()
        del counts["f1_units"], counts["untagged"]
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
    gold: int = 0
    test: int = 0
    matched_gold: int = 0
    matched_test: int = 0


class LabelRow(NamedTuple):
    """A label's counts and ratios; None where undefined."""

    label: str
    gold: int
    test: int
    matched: int  # of gold's
    recall: float | None
    precision: float | None
    f1: float | None


def _treebank(given: EvalbParameters) -> dict[str, object]:
    """Whose annotation it is, and where function tags are cut, if not Penn's way."""
    labels, penn = given.labels, default_labels()
    settings: dict[str, object] = {}
    if labels.identity != penn.identity:
        settings["treebank"] = f"{labels.name}/{labels.hash}"
    if labels.function != penn.function:
        settings["function_separator"] = "".join(sorted(labels.function))
    return settings


@dataclass(eq=False)
class BracketCounts(Value):
    """What is counted in a part of the input; counts of parts add up."""

    summary: Totals = field(default_factory=Totals)
    summary_cutoff: Totals = field(default_factory=Totals)
    labels: dict[str, LabelCounts] = field(default_factory=dict)  # if asked for
    sentences: list[EvalbColumns] | None = None  # if asked for
    ids: tuple[str, ...] = ()  # of `sentences`, as files name them
    lines: tuple[str, ...] = ()  # what was asked for about each sentence
    generated: GeneratedCounts | None = None  # if asked for
    # Brackets with gaps alone, where trees have crossing branches.
    discontinuous: MatchCounts | None = None
    # Sentences of gold and of parsed whose brackets have no labels.
    unlabelled: Counter[str] = field(default_factory=Counter)


@dataclass(eq=False, repr=False)
class BracketScores(Result):
    """What `evalb` returns. Counts only; the ratios are properties of the totals."""

    parameters: EvalbParameters
    on_mismatch: OnMismatch
    counts: BracketCounts = field(default_factory=BracketCounts)
    ledger: Ledger = field(default_factory=Ledger)
    faithfulness: GeneratedTrees | None = None  # if asked for
    raised: bool = False  # crossing branches are scored as brackets made of them
    induction: bool = False  # by the convention of grammar induction

    counts_roots: ClassVar[bool] = True

    def _shown(self) -> str:
        f1 = self.summary.f1
        return "F1 " + ("undefined" if f1 is None else f"{100 * f1:.2f}")

    @property
    def notes(self) -> list[str]:
        lacking = [
            side
            for side, count in self.counts.unlabelled.items()
            if 2 * count > self.ledger.gold  # not only failed parses of a block
        ]
        notes = []
        if self.parameters.labeled and len(lacking) == 1:
            notes.append(
                f"the brackets of {lacking[0]} have no labels, so that those of the "
                "other side match none of them; --unlabelled (unlabelled=True) "
                "ignores labels"
            )
        if self.one_word:
            trivial = counted(self.one_word, "sentence")
            notes.append(f"{trivial} of one word not counted: all of it is trivial")
        return [*super().notes, *notes]

    @property
    def one_word(self) -> int:
        """How many sentences have one word only, which grammar induction skips."""
        skipped = [item for item in self.ledger.items if item.reason.is_skip]
        return self.summary.skip - len(skipped) if self.induction else 0

    @property
    def summary(self) -> Totals:
        """All sentences together."""
        return self.counts.summary

    @property
    def summary_cutoff(self) -> Totals:
        """Those up to the cut-off."""
        return self.counts.summary_cutoff

    @property
    def labels(self) -> dict[str, LabelCounts]:
        return self.counts.labels

    @property
    def sentence_ids(self) -> tuple[str, ...]:
        """What files call the sentences of `sentences`."""
        return self.counts.ids

    @property
    def discontinuous(self) -> MatchCounts | None:
        """Brackets with gaps alone, where trees have crossing branches."""
        return self.counts.discontinuous

    @property
    def f1_if_zero(self) -> float | None:
        """F1 if what was left out counted as finding nothing."""
        summary = self.summary
        if self.induction and self.ledger.lost_brackets:
            return None  # the ledger counts trivial brackets as well
        return f_score(
            summary.matched, summary.gold + self.ledger.lost_brackets, summary.test
        )

    @property
    def rows(self) -> list[LabelRow]:
        """One row a label, if these were asked for; most frequent in gold first."""
        return label_rows(self.labels)

    @property
    def total(self) -> Totals:
        """All sentences together."""
        return self.summary

    @property
    def sentences(self) -> EvalbColumns | None:
        """One row for each sentence, with `by_sentence`."""
        if not self.counts.sentences:
            return None
        columns = zip(*self.counts.sentences, strict=True)
        return EvalbColumns(*map(np.concatenate, columns))

    @property
    def signature(self) -> Signature:
        given = self.parameters
        return Signature.of(
            scorer="evalb",
            params=given.name,
            **given.labels.root_settings,
            **_treebank(given),
            **self._branches(),
            labeled=given.labeled,
            deleted=given.deleted_names,
            equal=tuple("=".join(pair) for pair in given.equal_labels),
            equal_words=tuple("=".join(pair) for pair in given.equal_words),
            not_in_length=given.delete_for_length,
            quotes=given.quotes,
            cutoff=given.cutoff_length,
            mismatch=self.on_mismatch,
            **self.ledger.settings,
            **({"spans": "nontrivial, once"} if self.induction else {}),
            average=("micro", "macro") if self.induction else "micro",
        )

    def _branches(self) -> dict[str, object]:
        """What became of crossing branches, if there are any."""
        if self.raised:
            return {"branches": "raised"}
        return {} if self.discontinuous is None else {"branches": "crossing"}

    def frame(self) -> pd.DataFrame:
        """The two summaries, a row each: all sentences, and up to the cut-off."""
        import pandas as pd

        summaries = [self.summary.as_dict(), self.summary_cutoff.as_dict()]
        return pd.DataFrame(summaries, index=["all", "cutoff"])

    def labels_frame(self) -> pd.DataFrame:
        """Per label: counts, precision, recall, F1; most frequent first."""
        if self.summary.gold and not self.labels:
            raise SettingsError("E502 labels were not counted")
        return frame_of(self.rows, LabelRow._fields)

    def sentences_frame(self) -> pd.DataFrame:
        """evalb's columns, one row for each sentence."""
        import pandas as pd

        if self.sentences is None:
            raise SettingsError("E503 sentences were not kept")
        frame = pd.DataFrame(self.sentences._asdict())
        frame.insert(0, "sentence", np.arange(1, len(frame) + 1))
        return frame


def label_rows(labels: dict[str, LabelCounts]) -> list[LabelRow]:
    """Labels with their ratios, most frequent in gold first."""
    rows = []
    for label, counts in sorted(
        labels.items(), key=lambda item: (-item[1].gold, -item[1].test, item[0])
    ):
        recall = ratio(counts.matched_gold, counts.gold)
        precision = ratio(counts.matched_test, counts.test)
        f1 = (
            f_score(counts.matched_gold, counts.gold, counts.test)
            if counts.matched_gold == counts.matched_test
            else harmonic(precision, recall)
        )
        rows.append(
            LabelRow(
                label,
                counts.gold,
                counts.test,
                counts.matched_gold,
                recall,
                precision,
                f1,
            )
        )
    return rows


# What is to be said about each sentence of a block; see `evalb`.
Describe = Callable[[Pair, Matched], Sequence[str]]


class MaxErrorError(PairingError):
    """More sentences are in error than MAX_ERROR allows: `scores` has those before."""

    def __init__(self, scores: BracketScores, sentence: int) -> None:
        given = scores.parameters
        first = next(item for item in scores.left_out if not item.reason.is_skip)
        super().__init__(
            f"stopped at sentence {sentence:,}: more sentences in error than MAX_ERROR "
            f"{given.max_error} of {given.name} allows; raise it with --max-error. The "
            f"first is {first.error}"
        )
        self.scores = scores


@keywords(PairOptions.__annotations__, TreeReading)
def evalb(
    gold: Trees,
    parsed: Trees,
    *,
    params: str | EvalbParameters | None = None,
    treebank: str | LabelSet = DEFAULT_LABELS,
    delete_label: Sequence[str] = (),
    no_root: bool = False,
    unlabelled: bool = False,
    induction: bool = False,
    function_separator: str | None = None,
    raised: bool = False,
    cutoff: int | None = None,
    max_error: int | None = None,
    on_mismatch: OnMismatch | str = OnMismatch.SKIP,
    by_label: bool = False,
    by_sentence: bool = False,
    faithfulness: bool = False,
    jobs: int | None = 1,
    backend: Backend | None = None,
    describe: Describe | None = None,
    show: Callable[[str], None] = print,
    **options: Unpack[PairOptions],
) -> BracketScores:
    """Bracket scores of parsed against gold, as EVALB computes them.

    Both are given as on the command line (file, glob, directory), as text, or as
    a Treebank. Memory does not grow with the input, except for `by_sentence`. With
    `jobs`, this many processes score files (None: all processors); a `backend` can also
    be a cluster, and `progress` is called with the bytes that were read.

    With `mend`, parsed trees whose meaning is certain are mended. `field` says where
    they stand in records of JSON or rows of a table, `gold_field` where gold does, and
    `id` where their ids do. With `mend` or `faithfulness`, the result's `faithfulness`
    says what was wrong with the trees (docs/generated.md).

    `treebank` names the annotation scheme, by a label set or an inventory: it says what
    is not text, and which `params` are the default (collins for the Penn Treebank).
    `function_separator` has the characters that separate function tags from phrase
    labels, if they are not those of the treebank. If branches can cross on both sides,
    brackets are sets of words; with `raised`, crossing branches are raised first, as
    they are if only one side has them.

    With `unlabelled`, labels are ignored. `induction` is the convention of grammar
    induction (docs/evalb.md): unlabelled, without punctuation, trivial brackets and
    duplicates; `summary.f1` is F1 of the corpus, `summary.macro_f1` the mean of
    sentences.

    `on_mismatch`, `pair` and `tags`: see `ScoringOptions`. `delete_label`, `cutoff` and
    `max_error` change the parameters; `no_root` leaves the roots of trees out on both
    sides (TOP, ROOT, no label ...; docs/evalb.md). MaxErrorError is raised where EVALB
    would stop. If more than `max_left_out` percent of gold is left out, that is an
    error. With `describe`, its text for each sentence is passed to
    `show` while sentences are scored.

    >>> scores = evalb("(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))")
    >>> scores.summary.recall, scores.summary.precision
    (0.6666666666666666, 1.0)
    """
    reading = TreeReading(on_mismatch=on_mismatch, **options)
    labels, parameters = evalb_settings(
        treebank,
        params,
        delete_label=delete_label,
        no_root=no_root,
        unlabelled=unlabelled,
        induction=induction,
        function_separator=function_separator,
        cutoff=cutoff,
        max_error=max_error,
    )
    backend = backend or Backend(jobs)
    generated: GeneratedTrees | None = None
    if reading.mend or faithfulness:
        from analyzer.analyses.generated import GeneratedTrees

        generated = GeneratedTrees(labels, reading.mend)
    counter = BracketCounter(
        LabelTables(parameters),
        reading.mismatch,
        by_label,
        by_sentence,
        describe,
        generated.work if generated else None,
        raised,
        induction,
    )
    # What is said of a sentence begins with its number, which in a shard is not known.
    has_numbers = describe is not None or generated is not None
    opened = reading.open_sentences(
        *(reading.resolve(gold), reading.resolve(parsed)),
        None if has_numbers else backend,
        labels=labels,
    )
    result = BracketScores(
        *(parameters, reading.mismatch),
        faithfulness=generated,
        raised=raised,
        induction=induction,
    )
    for part in opened.counts(TaskCounter(counter), backend):
        first = result.summary.sentences + 1
        counts = part.counts or BracketCounts()
        lines, counts.lines = counts.lines, ()
        result.counts = plus(result.counts, counts)
        result.ledger += part.ledger
        last = _last_allowed(result)
        shown = None if last is None else max(0, last + 1 - first)
        for line in islice(lines, shown):
            show(line)
        if last is not None:
            seen = [x for x in result.left_out if x.sentence <= last + 1]
            result.ledger = replace(result.ledger, items=tuple(seen))
            raise MaxErrorError(result, last + 1)
    if generated is not None and result.counts.generated is not None:
        generated.add(result.counts.generated)
    result.ledger += opened.ledger()
    result.ledger.check(opened.names[1], reading.max_left_out)
    return result


def evalb_settings(
    treebank: str | LabelSet,
    parameters: str | EvalbParameters | None,
    *,
    delete_label: Sequence[str] = (),
    no_root: bool = False,
    unlabelled: bool = False,
    induction: bool = False,
    function_separator: str | None = None,
    cutoff: int | None = None,
    max_error: int | None = None,
) -> tuple[LabelSet, EvalbParameters]:
    """The labels of a treebank and its parameters, or what is asked for instead."""
    for name, value in (("cutoff", cutoff), ("max_error", max_error)):
        if value is not None:
            require_number(name, value, least=0)
    labels = load_labels(treebank) if isinstance(treebank, str) else treebank
    if no_root:
        labels = labels.roots_left_out()
    if function_separator is not None:
        from analyzer.transform.function_tags import with_separators

        labels = with_separators(labels, function_separator)
    parameters = parameters_for(labels, parameters)
    if induction:
        parameters = for_induction(parameters)
    if delete_label:
        parameters = parameters.with_deleted(*delete_label)
    if unlabelled:
        parameters = replace(parameters, labeled=False)
    if cutoff is not None:
        parameters = replace(parameters, cutoff_length=cutoff)
    if max_error is not None:
        parameters = replace(parameters, max_error=max_error)
    return labels, parameters


def for_induction(given: EvalbParameters) -> EvalbParameters:
    """Parameters as grammar induction has them: without labels and punctuation.

    Sentences are as long as they have words left: those up to ten are WSJ10.
    """
    delete = (*given.delete, *(tag for tag in NOT_INDUCED if tag not in given.delete))
    return replace(
        given, labeled=False, delete=delete, delete_for_length=delete, cutoff_length=10
    )


@dataclass(frozen=True)
class BracketCounter:
    """How a pair is scored: what another process has to know."""

    tables: LabelTables
    on_mismatch: OnMismatch = OnMismatch.SKIP
    by_label: bool = False
    by_sentence: bool = False
    describe: Describe | None = None
    generated: GeneratedWork | None = None
    raised: bool = False
    induction: bool = False

    def __call__(self, pair: Pair) -> tuple[BracketCounts, Ledger]:
        outcome = score_pair(
            pair,
            self.tables,
            on_mismatch=self.on_mismatch,
            as_sets=self.induction,
            raised=self.raised,
            without_trivial=self.induction,
        )
        if outcome.left_out and self.on_mismatch == "error":
            raise outcome.left_out[0].error
        columns = outcome.counts
        is_short = columns.length <= self.tables.parameters.cutoff_length
        has_tags = not pair.tags and not any(map(has_no_tags, (pair.gold, pair.parsed)))
        counts = BracketCounts(
            evalb_totals(columns, has_tags=has_tags),
            evalb_totals(columns.only(is_short), has_tags=has_tags),
            _labels(outcome) if self.by_label else {},
            lines=tuple(self.describe(pair, outcome)) if self.describe else (),
            generated=self.generated.of(pair) if self.generated else None,
            discontinuous=outcome.discontinuous,
            unlabelled=Counter(
                gold=pair.sentences * has_no_labels(pair.gold),
                parsed=pair.sentences * has_no_labels(pair.parsed),
            ),
        )
        if self.by_sentence:
            counts.sentences = [columns]
            counts.ids = tuple(pair.id_of(tree) for tree in range(pair.sentences))
        # The bracket of a whole sentence does not count, whatever its label.
        ledger = replace(outcome.ledger, roots=()) if self.induction else outcome.ledger
        return counts, ledger


def evalb_totals(counts: EvalbColumns, *, has_tags: bool = True) -> Totals:
    """Sums over sentences; only scored ones count for the brackets."""
    scored = counts.only(counts.is_scored)
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
        f1_units=sum(np.ldexp(f1, F1_BITS).astype(np.int64).tolist()),
        untagged=0 if has_tags else int(scored.words.sum()),
    )


def _labels(outcome: Matched) -> dict[str, LabelCounts]:
    """The counts of each label."""
    gold, parsed = outcome.gold.label, outcome.parsed.label
    used, which = number_densely(np.concatenate([gold, parsed]))
    in_gold, in_parsed = which[: gold.size], which[gold.size :]
    columns = [
        np.bincount(chosen, minlength=used.size).tolist()
        for chosen in (
            in_gold,
            in_parsed,
            in_gold[outcome.matches.gold],
            in_parsed[outcome.matches.parsed],
        )
    ]
    return {
        SYMBOLS.name(label): LabelCounts(*counts)
        for label, *counts in zip(used.tolist(), *columns, strict=True)
    }


def _last_allowed(result: BracketScores) -> int | None:
    """The sentence before the one that evalb's MAX_ERROR stops at, if it does.

    evalb counts mismatches, not failed parses, and stops one after the limit.
    """
    limit = result.parameters.max_error
    if limit is None:
        return None
    errors = [
        item
        for item in result.left_out
        if not item.reason.is_skip and item.fate is not Fate.ALIGNED
    ]
    if len(errors) <= limit + 1:
        return None
    return errors[limit + 1].sentence - 1
