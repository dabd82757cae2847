"""All kinds of checks on the sentences of a treebank."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from analyzer.checks.candidates import Candidate
from analyzer.checks.doubts import check_choices
from analyzer.checks.findings import (
    KINDS,
    Finding,
    Name,
    kind_of,
    ranked,
)
from analyzer.checks.fragments import fragments_that_vary
from analyzer.checks.identity import Identities
from analyzer.checks.items import Items
from analyzer.checks.mothers import check_mothers
from analyzer.checks.productions import check_productions
from analyzer.checks.settling import quiet, settled, weighed
from analyzer.checks.shape import check_shape
from analyzer.checks.surroundings import Surroundings
from analyzer.checks.variation import (
    Check,
    brackets_that_vary,
    check_recurring,
    check_tags,
    functions_that_vary,
)
from analyzer.checks.word_stream import WordStream
from analyzer.derivation.deriver import derive_alone
from analyzer.derivation.syntax import SyntaxDeriver
from analyzer.model.arrays import Ints
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.words import align
from analyzer.runtime.executor import processors, run_tasks

# Of findings that are told, unless the user wants others. In a large treebank experts
# have seen more, and the same margin means more.
LEAST_CONFIDENCE, LEAST_IN_LARGE = 0.15, 0.08
_LARGE = 200_000  # words
_CONTEXT = 4  # words shown on each side
# Nodes of a treebank that takes longer to check than to start processes for.
_WORTH_PROCESSES = 200_000
# What is looked at together, the longest first: then the others are done beside it.
_KINDS_OF_TASK = {
    "attachment": ("model",),
    "choices of tag": ("tag",),
    "words that recur": ("variation", "derivation", "function"),
    "choices of label": ("model",),
    "choices of word": ("model",),
    "choices of function": ("function",),
    "mothers": ("model",),
    "shape": ("shape",),
    "pattern": ("pattern",),
    "tags": ("tag",),
}


@dataclass(frozen=True)
class CheckWork:
    """One task on a treebank."""

    stream: WordStream
    deriver: SyntaxDeriver
    kinds: Collection[str] = KINDS

    @cached_property
    def around(self) -> Surroundings:
        return surroundings(self.stream, self.deriver)

    def __call__(self, task: str) -> list[Finding] | list[Candidate]:
        if task == "shape":
            return check_shape(self.stream)
        if task == "pattern":
            derivation = derive_alone(self.stream.bank, self.deriver)
            return check_productions(self.stream, derivation, self.deriver.labeller)
        if task == "words that recur":
            return check_recurring(self.around, self._checks_of_recurring())
        if task == "tags":
            return check_tags(self.around)
        if task == "mothers":
            return check_mothers(self.around)
        return check_choices(self.around, task.removeprefix("choices of "))

    def _checks_of_recurring(self) -> list[Check]:
        around, checks = self.around, []
        if "variation" in self.kinds:
            checks.append(brackets_that_vary(around))
        if "function" in self.kinds:
            checks.append(functions_that_vary(around))
        if "derivation" in self.kinds:
            derivation = derive_alone(self.stream.bank, self.deriver)
            names = self.deriver.constructions
            checks.append(fragments_that_vary(around, derivation, names))
        return checks


def surroundings(stream: WordStream, deriver: SyntaxDeriver) -> Surroundings:
    """The words and phrases of a stream, with the heads that a deriver gives."""
    bank = stream.bank
    alignment = align(SentencePair(bank, bank, 1), deriver.tables)
    derivation = deriver.derive(bank, alignment, of_gold=True)
    word_of_leaf: Ints = np.full(bank.leaf_node.size, -1, np.int64)
    word_of_leaf[stream.kept] = np.arange(stream.kept.size)
    head_of_row: Ints = np.full(bank.label.size, -1, np.int64)
    leaves, _ = alignment.leaves(of_gold=True)
    head_of_row[derivation.row] = word_of_leaf[leaves[derivation.head]]
    return Surroundings(Items(stream, head_of_row[stream.phrases]))


class Examined(NamedTuple):
    """The findings, surest first, and what is suspicious but no finding."""

    findings: list[Finding]
    quiet: list[Name]


def check_treebank(
    stream: WordStream, deriver: SyntaxDeriver, **options: Any
) -> list[Finding]:
    """The findings of the chosen kinds and codes, surest first; see `examined`."""
    return examined(stream, deriver, **options).findings


def examined(
    stream: WordStream,
    deriver: SyntaxDeriver,
    *,
    kinds: Collection[str] = KINDS,
    codes: Collection[str] | None = None,
    ignored: Collection[str] = (),
    least: float | None = None,
    jobs: int | None = 1,
) -> Examined:
    """The findings of the chosen kinds and codes.

    A code may be cut short: `S` or `V3` stand for all that begin so. They are chosen
    before findings are merged: what is left out explains nothing away. Findings that
    are less likely errors than `least` are left out: 0.15, unless kinds or codes are
    chosen, who get all. What a treebank contradicts itself in can be anywhere in it, so
    with `jobs` it is the kinds of
    check, not pieces of the treebank, that are shared among processes.
    """
    tasks = [
        task for task, of in _KINDS_OF_TASK.items() if not set(of).isdisjoint(kinds)
    ]
    if jobs is None:
        jobs = processors() if stream.bank.label.size > _WORTH_PROCESSES else 1
    work = CheckWork(stream, deriver, kinds)
    found: list[Finding] = []
    candidates: list[Candidate] = []
    for part in run_tasks(work, tasks, jobs=min(jobs, max(1, len(tasks)))):
        for one in part:
            if not _is_chosen(one.code, kinds, codes, ignored):
                continue
            if isinstance(one, Candidate):
                candidates.append(one)
            else:
                found.append(one)
    if least is None:
        is_all = codes is None and set(kinds) == set(KINDS)
        is_large = stream.kept.size > _LARGE
        usual = LEAST_IN_LARGE if is_large else LEAST_CONFIDENCE
        least = usual if is_all else 0.0
    by_odds = weighed(candidates)
    sure = [one for one in found if one.confidence >= least]
    if candidates:
        sure += settled(work.around.items, by_odds, least)
    hardly = quiet(by_odds)
    named = Identities(stream, [*(s for one in sure for s in one.suspicions), *hardly])
    told = [named.identified(one) for one in located(stream, sure)]
    return Examined(ranked(told), [named[one] for one in hardly])


def _is_chosen(
    code: str,
    kinds: Collection[str],
    codes: Collection[str] | None,
    ignored: Collection[str],
) -> bool:
    if kind_of(code) not in kinds or code.startswith(tuple(ignored)):
        return False
    return codes is None or code.startswith(tuple(codes))


def located(stream: WordStream, findings: Iterable[Finding]) -> list[Finding]:
    """The findings with file, line, sentence and context of their first suspects."""
    return [_located(stream, one) for one in findings]


def _located(stream: WordStream, finding: Finding) -> Finding:
    span = finding.suspects[0]
    bank = stream.bank
    of_file = int(stream.file_of_tree[span.tree])
    sentence = span.tree - int(stream.first_of_file[span.tree]) + 1
    words = bank[span.tree].words
    before = words[max(0, span.first - _CONTEXT) : span.first]
    after = words[span.last : span.last + _CONTEXT]
    inside = words[span.first : span.last]
    marked = f"[{' '.join(inside)}]" if inside else ""
    return replace(
        finding,
        file=stream.files[of_file],
        line=int(bank.line[span.tree]),
        sentence=sentence,
        id=bank.id_of(span.tree),
        words=" ".join(inside),
        context=" ".join([*before, marked, *after]).strip(),
    )
