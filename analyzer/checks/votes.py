"""What parsers, and people who decided before, say against a treebank.

Where parsers, trained on other text, agree with each other against the treebank: what
a parser has otherwise at a place is one vote, and a finding says how many of the
parsers cast it. That is no chance: how often parsers are right against annotators is
not known, and depends on both. So a finding has a level: `warning` where several of
them agree and have little else otherwise in the sentence, else `info`. What the
treebank's own checks suggest as well is one finding, with their chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from analyzer.analyses.compared import run_count
from analyzer.analyses.disagreements import (
    ATTACHMENT,
    EXTRA,
    LABEL,
    MISSING,
    TAG,
    Difference,
    Votes,
    differences,
)
from analyzer.analyses.opening import TreeReading
from analyzer.checks.decisions import WRONG, Decisions
from analyzer.checks.findings import Edit, LeafSpan, Suspect, TreeFinding
from analyzer.checks.registry import PARSED, Check
from analyzer.checks.word_stream import WordStream
from analyzer.derivation.syntax import SyntaxDeriver
from analyzer.exceptions import PairingError, Place
from analyzer.formats.reading import Trees
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.safe_text import counted

DECIDED = "A806"
# Not chances, which nobody knows: the level, and the order in which findings are told.
_WARNED, _NOTED = 0.5, 0.15
_FEW = 3  # differences in a sentence: parsers have trouble with one that has more
_SAME_WORDS = ("retag", "relabel")
_NOTHING = "no bracket"
# Of a kind of difference: its code, the edit, and what is said of it.
_VOTED = {
    TAG: ("A801", "retag", "tagged {now}; {then} in"),
    LABEL: ("A802", "relabel", "a bracket {now}; {then} in"),
    EXTRA: ("A803", "drop", "a bracket {now}; none in"),
    MISSING: ("A804", "add", "no bracket; {then} in"),
    ATTACHMENT: ("A805", "", "attached to {now}; to {then} in"),
}

for code, text in (
    ("A801", "parsers tag a word otherwise"),
    ("A802", "parsers have another label over the same words"),
    ("A803", "a bracket that parsers do not have"),
    ("A804", "a bracket that only parsers have"),
    ("A805", "parsers attach a phrase elsewhere"),
    (DECIDED, "words as they were decided to be wrong elsewhere"),
):
    Check(code, text, kind=PARSED, is_without_chance=True)


def votes_of(
    bank: Treebank,
    parsed: Sequence[Trees],
    deriver: SyntaxDeriver,
    reading: TreeReading,
) -> tuple[Votes, list[str]]:
    """How many of the parsers have what otherwise; and what was compared, in words."""
    votes, compared = Votes(), []
    count = partial(differences, deriver)
    for trees in parsed:
        output = reading.resolve(trees)
        outcome = run_count(bank, output, reading, deriver, count, by_number=True)
        votes.update(outcome.counts or Votes())
        name = outcome.names[1]
        text = outcome.ledger.text("compared").partition("; out of step")[0]
        if not outcome.ledger.scored:
            raise PairingError("E688 has none of the sentences", Place(name), text=text)
        compared.append(f"{name}: {text}")
    return votes, compared


def suspects_of(bank: Treebank, votes: Votes, parsers: int) -> Iterator[Suspect]:
    """Where most parsers, and at least two if there are several, say the same.

    Slips stand out where parsers have little else otherwise: of planted ones, in
    sentences with at most three differences a third of the findings are slips, in
    others an eighth (docs/check.md). So those are warnings, if several parsers agree.
    """
    differences = Counter(vote.tree for vote in votes)
    for vote, count in votes.items():
        if 2 * count <= parsers or count < min(2, parsers):
            continue
        in_sentence = differences[vote.tree]
        by = f"{count} of {counted(parsers, 'parser')}"
        support = f"{by}, {counted(in_sentence, 'difference')} in the sentence"
        code, action, template = _VOTED[vote.kind]
        level = _WARNED if count > 1 and in_sentence <= _FEW else _NOTED
        yield Suspect(
            code,
            (LeafSpan(vote.tree, vote.first, vote.last),),
            f"{template.format(now=vote.now, then=vote.then)} {by}",
            f"parsed: {vote.now or _NOTHING} | {vote.then or _NOTHING}",
            level + 0.3 / (in_sentence + 1),
            edit=_edit(bank, vote, action),
            now=vote.now or f"no {vote.then}",
            support=support,
        )


def _edit(bank: Treebank, vote: Difference, action: str) -> Edit | None:
    if not action:
        return None  # where in the phrase, parsers say in too many ways
    if vote.node >= 0:
        row = int(bank.node_start[vote.tree]) + vote.node
        return Edit(action, row, label=vote.then)
    around = [
        node
        for node in bank[vote.tree].nodes
        if node.span[0] <= vote.first and vote.last <= node.span[1]
    ]
    inside = [
        child
        for child in (around[-1].children if around else ())
        if vote.first <= child.span[0] and child.span[1] <= vote.last
    ]
    if not inside or (inside[0].span[0], inside[-1].span[1]) != (vote.first, vote.last):
        return None
    other = inside[-1].row if len(inside) > 1 else -1
    return Edit(action, inside[0].row, other, vote.then)


def decided_otherwise(stream: WordStream, decisions: Decisions) -> Iterator[Suspect]:
    """Words annotated in a way that was decided on as an error in other sentences."""
    bank = stream.bank
    wanted: dict[tuple[str, str], dict[tuple[str, str], set[tuple[str, int]]]] = {}
    for decision in decisions.values():
        edit, words = (
            decision.edit or {},
            decision.context.partition("[")[2].rpartition("]")[0],
        )
        if decision.verdict == WRONG and words and edit.get("action") in _SAME_WORDS:
            action, label = str(edit["action"]), str(edit.get("label", ""))
            bare = stream.labels.bare_phrase(label) if action == "relabel" else label
            made = action, bare
            known = wanted.setdefault((str(edit.get("was", "")), words), {})
            known.setdefault(made, set()).add((decision.file, edit.get("line", 0)))
    labels = [SYMBOLS.id(label) for label, _ in wanted]
    for row in np.flatnonzero(np.isin(bank.label, labels)).tolist():
        tree, was = int(bank.tree_of_node[row]), bank.label_name(row)
        words = " ".join(bank.forms(slice(int(bank.first[row]), int(bank.last[row]))))
        for (action, label), places in wanted.get((was, words), {}).items():
            if (stream.file_of(tree), int(bank.line[tree])) in places:
                continue
            yield Suspect(
                DECIDED,
                (stream.span_of_row(row),),
                f"{was} here; elsewhere it was decided to be {label}",
                f"decided: {was} | {label}",
                _WARNED,
                edit=Edit(action, row, label=label),
                now=was,
                support=f"decided {counted(len(places), 'time')}",
            )


def supported(findings: Sequence[TreeFinding]) -> list[TreeFinding]:
    """What parsers and checks suggest alike is one finding, with what supports it."""
    support = {
        finding.edit: finding.support
        for finding in findings
        if finding.chance is None and finding.edit is not None
    }
    known = {finding.edit for finding in findings if finding.chance is not None}
    return [
        replace(finding, support=support.get(finding.edit, "") if finding.edit else "")
        if finding.chance is not None
        else finding
        for finding in findings
        if finding.chance is not None
        or finding.edit is None
        or finding.edit not in known
    ]


def differing(findings: Iterable[TreeFinding], votes: Votes) -> list[TreeFinding]:
    """The findings on words in which a parser has something otherwise."""
    by_tree: dict[int, list[Difference]] = {}
    for vote in votes:
        by_tree.setdefault(vote.tree, []).append(vote)
    return [
        finding
        for finding in findings
        if any(
            span.first <= vote.first and vote.last <= span.last
            for span in finding.suspects[:1]
            for vote in by_tree.get(span.tree, ())
        )
    ]
