"""All kinds of checks on one treebank: what `spinal check` runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from analyzer.checks.findings import KINDS, Finding, ranked, without_overlap
from analyzer.checks.fragments import check_fragments
from analyzer.checks.productions import check_productions
from analyzer.checks.shape import check_shape
from analyzer.checks.tags import check_tags
from analyzer.checks.variation import check_variation
from analyzer.checks.word_stream import WordStream
from analyzer.derivation.deriver import derive_alone
from analyzer.derivation.syntax import SyntaxDeriver
from analyzer.runtime.executor import processors, run_tasks

_CONTEXT = 4  # words shown on each side
# Nodes of a treebank that takes longer to check than to start processes for.
_WORTH_PROCESSES = 200_000


@dataclass(frozen=True)
class CheckWork:
    """One kind of check on a treebank; `pattern` and `derivation` go together."""

    stream: WordStream
    deriver: SyntaxDeriver
    kinds: Collection[str]

    def __call__(self, kind: str) -> list[Finding]:
        if kind == "shape":
            return check_shape(self.stream)
        if kind == "variation":
            return check_variation(self.stream)
        if kind == "tag":
            return check_tags(self.stream)
        derivation = derive_alone(self.stream.bank, self.deriver)
        found: list[Finding] = []
        if "pattern" in self.kinds:
            found += check_productions(self.stream, derivation, self.deriver.labeller)
        if "derivation" in self.kinds:
            found += check_fragments(
                self.stream, derivation, self.deriver.constructions
            )
        return found


def check_treebank(
    stream: WordStream,
    deriver: SyntaxDeriver,
    *,
    kinds: Collection[str] = KINDS,
    codes: Collection[str] | None = None,
    jobs: int | None = 1,
) -> list[Finding]:
    """The findings of the chosen kinds and codes, most reliable first.

    A code may be cut short: `S` or `V3` stand for all that begin so. What a treebank
    contradicts itself in can be anywhere in it, so with `jobs` it is the kinds of
    check, not pieces of the treebank, that are shared among processes.
    """
    # The longest first, for then the others are done beside it.
    tasks = [kind for kind in ("derivation", "variation", "shape") if kind in kinds]
    if "pattern" in kinds and "derivation" not in kinds:
        tasks.append("pattern")
    tasks += ["tag"] if "tag" in kinds else []
    if jobs is None:
        jobs = processors() if stream.bank.label.size > _WORTH_PROCESSES else 1
    work = CheckWork(stream, deriver, kinds)
    parts = run_tasks(work, tasks, jobs=min(jobs, max(1, len(tasks))))
    by_kind: dict[str, list[Finding]] = {kind: [] for kind in KINDS}
    for part in parts:
        for one in part:
            by_kind[one.kind].append(one)
    # A variation and its fragments are the same slip seen twice.
    structural = [*by_kind["variation"], *by_kind["derivation"]]
    found = [
        *by_kind["shape"],
        *by_kind["pattern"],
        *without_overlap(ranked(structural)),
        *by_kind["tag"],
    ]
    chosen = [
        one
        for one in found
        if codes is None or any(one.code.startswith(code) for code in codes)
    ]
    return [located(stream, one) for one in ranked(chosen)]


def located(stream: WordStream, finding: Finding) -> Finding:
    """The finding with file, line, sentence and context of its first suspect."""
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
        context=" ".join([*before, marked, *after]).strip(),
    )
