"""Bracket scores as EVALB computes them: `evalb`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from analyzer.analyses.bracket_scores import (
    F1_BITS,
    BracketCounts,
    BracketScores,
    LabelCounts,
    Totals,
)
from analyzer.exceptions import PairingError
from analyzer.formats.blocks import Progress
from analyzer.formats.reading import Trees
from analyzer.metrics.brackets import (
    ERROR,
    SKIPPED,
    Matched,
    SentenceCounts,
    score_pair,
)
from analyzer.metrics.ratios import MatchCounts
from analyzer.model.arrays import number_densely
from analyzer.model.settings import require_number, require_percent
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import PairTask, SentencePair
from analyzer.pairing.ledger import Ledger
from analyzer.pairing.mismatches import ALIGNED, OnMismatch
from analyzer.pairing.shards import open_input
from analyzer.runtime.executor import Backend
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.labels import DEFAULT_LABELS, LabelSet, load_labels
from analyzer.transform.parameters import EvalbParameters, parameters_for

if TYPE_CHECKING:
    from analyzer.analyses.generated import GeneratedTrees, GeneratedWork

# What is to be said about each sentence of a block; see `evalb`.
Describe = Callable[[SentencePair, Matched], Sequence[str]]


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


def evalb(
    gold: Trees,
    parsed: Trees,
    *,
    parameters: str | EvalbParameters | None = None,
    treebank: str | LabelSet = DEFAULT_LABELS,
    delete: Sequence[str] = (),
    function_separator: str | None = None,
    raised: bool = False,
    cutoff: int | None = None,
    max_error: int | None = None,
    on_mismatch: OnMismatch | str = OnMismatch.SKIP,
    max_left_out: float | None = None,
    by_label: bool = False,
    by_sentence: bool = False,
    mend: bool = False,
    faithfulness: bool = False,
    strict: bool = False,
    encoding: str = "utf-8",
    jobs: int | None = 1,
    backend: Backend | None = None,
    progress: Progress | None = None,
    describe: Describe | None = None,
    show: Callable[[str], None] = print,
) -> BracketScores:
    """Bracket scores of parsed against gold, as EVALB computes them.

    Both are given as on the command line (file, glob, directory), as text, or as
    a Treebank. Memory does not grow with the input, except for `by_sentence`. With
    `jobs`, this many processes score files (None: all processors); a `backend` can also
    be a cluster, and `progress` is called with the bytes that were read.

    With `mend`, parsed trees whose meaning is certain are mended. With `mend` or
    `faithfulness`, the result's `faithfulness` says what was wrong with the trees
    (docs/generated.md).

    `treebank` names the annotation scheme, by a label set or an inventory: it says what
    is not text, and which `parameters` are the default (collins for the Penn Treebank).
    `function_separator` has the characters that separate function tags from phrase
    labels, if they are not those of the treebank. If branches can cross on both sides,
    brackets are sets of words; with `raised`, crossing branches are raised first, as
    they are if only one side has them.

    `delete`, `cutoff` and `max_error` change the parameters. MaxErrorError is
    raised where EVALB would stop. If more than `max_left_out` percent of gold is left
    out, that is an error. With `describe`, its text for each sentence is passed to
    `show` while sentences are scored.

    >>> scores = evalb("(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))")
    >>> scores.summary.recall, scores.summary.precision
    (0.6666666666666666, 1.0)
    """
    on_mismatch = OnMismatch(on_mismatch)
    require_percent("max_left_out", max_left_out)
    for name, value in (("cutoff", cutoff), ("max_error", max_error)):
        if value is not None:
            require_number(name, value, least=0)
    labels = load_labels(treebank) if isinstance(treebank, str) else treebank
    if function_separator is not None:
        from analyzer.transform.function_tags import with_separators

        labels = with_separators(labels, function_separator)
    parameters = parameters_for(labels, parameters)
    if delete:
        parameters = parameters.with_deleted(*delete)
    if cutoff is not None:
        parameters = replace(parameters, cutoff_length=cutoff)
    if max_error is not None:
        parameters = replace(parameters, max_error=max_error)
    backend = backend or Backend(jobs)
    generated = _generated(labels, mend=mend, asked=faithfulness)
    work = BracketWork(
        LabelTables(parameters),
        on_mismatch,
        by_label,
        by_sentence,
        describe,
        generated.work if generated else None,
        raised,
    )
    opened = open_input(
        gold,
        parsed,
        # What is said of a sentence begins with its number, which in a shard is not
        # known.
        as_shards=backend.is_for_shards and describe is None and generated is None,
        strict=strict,
        encoding=encoding,
        progress=progress,
        mend=mend,
        labels=labels,
    )
    result = BracketScores(
        parameters, on_mismatch, faithfulness=generated, raised=raised
    )
    for counts in opened.counts(work, backend):
        first = result.summary.sentences + 1
        result.add(counts)
        last = _last_allowed(result)
        shown = None if last is None else max(0, last + 1 - first)
        for line in islice(counts.lines, shown):
            show(line)
        if last is not None:
            seen = [x for x in result.left_out if x.sentence <= last + 1]
            result.ledger = replace(result.ledger, items=tuple(seen))
            raise MaxErrorError(result, last + 1)
    result.ledger = result.ledger.plus(opened.ledger())
    result.ledger.check(opened.names[1], max_left_out)
    return result


def _generated(labels: LabelSet, *, mend: bool, asked: bool) -> GeneratedTrees | None:
    """What is said of the form of parsed trees, if anything is."""
    if not (mend or asked):
        return None
    from analyzer.analyses.generated import GeneratedTrees

    return GeneratedTrees.of(labels, mend=mend, asked=asked)


@dataclass(frozen=True)
class BracketWork:
    """How a part of the input is scored: what another process has to know."""

    tables: LabelTables
    on_mismatch: OnMismatch = OnMismatch.SKIP
    by_label: bool = False
    by_sentence: bool = False
    describe: Describe | None = None
    generated: GeneratedWork | None = None
    raised: bool = False

    def __call__(self, task: PairTask) -> BracketCounts:
        counts = BracketCounts(
            Totals(), Totals(), {}, Ledger(), (Counter(), Counter()), [], []
        )
        for pair in task.pairs():
            counts = self._plus(counts, pair)
        return counts._replace(ending=task.ending)

    def _plus(self, before: BracketCounts, pair: SentencePair) -> BracketCounts:
        """The counts, and those of a block added to them."""
        outcome = score_pair(
            pair, self.tables, on_mismatch=self.on_mismatch, raised=self.raised
        )
        if outcome.left_out and self.on_mismatch == "error":
            raise outcome.left_out[0].error
        counts = outcome.counts
        for side, bank in zip(before.roots, (pair.gold, pair.parsed), strict=True):
            _count_roots(side, bank)
        if self.by_label:
            _add_labels(before.labels, outcome)
        if self.by_sentence:
            before.sentences.append(counts)
            ids = [pair.id_of(tree) for tree in range(pair.sentences)]
            before = before._replace(ids=(*before.ids, *ids))
        if self.describe is not None:
            before.lines.extend(self.describe(pair, outcome))
        if self.generated is not None:
            generated = self.generated.add(before.generated, pair)
            before = before._replace(generated=generated)
        if outcome.discontinuous is not None:
            known = before.discontinuous or MatchCounts()
            found = known.plus(outcome.discontinuous)
            before = before._replace(discontinuous=found)
        is_short = counts.length <= self.tables.parameters.cutoff_length
        return before._replace(
            ledger=before.ledger.plus(outcome.ledger),
            summary=before.summary + total_of(counts),
            summary_cutoff=before.summary_cutoff + total_of(counts.only(is_short)),
        )


def total_of(counts: SentenceCounts) -> Totals:
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
    )


def _add_labels(labels: dict[str, LabelCounts], outcome: Matched) -> None:
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
    for label, *counts in zip(used.tolist(), *columns, strict=True):
        name = SYMBOLS.name(label)
        labels[name] = labels.get(name, LabelCounts()).plus(LabelCounts(*counts))


def _count_roots(seen: Counter[str], bank: Treebank) -> None:
    """Which labels stand at the top of trees and have just one phrase below."""
    roots = bank.node_start[:-1][np.diff(bank.node_start) > 1]
    labels, which = number_densely(bank.label[roots])
    counts = np.bincount(which).tolist()
    for label, count in zip(labels.tolist(), counts, strict=True):
        seen[SYMBOLS.name(label)] += count


def _last_allowed(result: BracketScores) -> int | None:
    """The sentence before the one that evalb's MAX_ERROR stops at, if it does.

    evalb counts mismatches, not failed parses, and stops one after the limit.
    """
    limit = result.parameters.max_error
    if limit is None:
        return None
    aligned = ALIGNED if result.on_mismatch == "align" else ()
    errors = [
        item
        for item in result.left_out
        if not item.reason.is_skip and item.reason not in aligned
    ]
    if len(errors) <= limit + 1:
        return None
    return errors[limit + 1].sentence - 1
