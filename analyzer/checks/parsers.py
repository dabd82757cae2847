"""Where parsers, trained on other text, agree with each other against the treebank.

Sentences are paired and their brackets joined as for scores. What a parser has
otherwise at a place is one vote; a finding says how many of the parsers cast it. That
is no chance: how often parsers are right against the annotators is not known, and
depends on both. So a finding has a level: `warning` where several agree and have little
else otherwise in the sentence, else `info`. What the treebank's own checks suggest as
well is one finding, with their chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from analyzer.analyses.compared import run_count
from analyzer.analyses.errors import Kind, error_rows
from analyzer.analyses.opening import TreeReading
from analyzer.checks.decisions import WRONG, Decisions
from analyzer.checks.findings import Edit, LeafSpan, Suspect, TreeFinding
from analyzer.checks.registry import PARSED, Check
from analyzer.checks.word_stream import WordStream
from analyzer.derivation.columns import Derivation
from analyzer.derivation.syntax import SyntaxDeriver
from analyzer.exceptions import PairingError, Place
from analyzer.formats.reading import Trees
from analyzer.metrics.constructions import Comparison
from analyzer.model.arrays import Flags
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.safe_text import counted

TAG, LABEL, EXTRA, MISSING, ATTACHED = "A801", "A802", "A803", "A804", "A805"
DECIDED = "A806"
# Not chances, which nobody knows: the level, and the order in which findings are told.
_WARNED, _NOTED = 0.5, 0.15
_FEW = 3  # differences in a sentence: parsers have trouble with one that has more
_SAME_WORDS = ("retag", "relabel")
_ACTIONS = {TAG: "retag", LABEL: "relabel", EXTRA: "drop", MISSING: "add"}
_NOTHING = "no bracket"
_SAID = {
    TAG: "tagged {now}; {then} in",
    LABEL: "a bracket {now}; {then} in",
    EXTRA: "a bracket {now}; none in",
    MISSING: "no bracket; {then} in",
    ATTACHED: "attached to {now}; to {then} in",
}

for code, text in (
    (TAG, "parsers tag a word otherwise"),
    (LABEL, "parsers have another label over the same words"),
    (EXTRA, "a bracket that parsers do not have"),
    (MISSING, "a bracket that only parsers have"),
    (ATTACHED, "parsers attach a phrase elsewhere"),
    (DECIDED, "words as they were decided to be wrong elsewhere"),
):
    Check(code, text, kind=PARSED, is_without_chance=True)


class Difference(NamedTuple):
    """What a parser has otherwise: words of a tree (half-open, traces included)."""

    code: str
    tree: int
    first: int
    last: int
    node: int  # of the tree, from 0; -1 where there is no bracket
    now: str
    then: str

    @property
    def place(self) -> LeafSpan:
        return LeafSpan(self.tree, self.first, self.last)


Votes = Counter[Difference]


def votes_of(
    bank: Treebank,
    parsed: Sequence[Trees],
    deriver: SyntaxDeriver,
    reading: TreeReading,
) -> tuple[Votes, list[str]]:
    """How many of the parsers have what otherwise; and what was compared, in words."""
    votes, compared = Votes(), []
    count = partial(_differences, deriver)
    for one in parsed:
        output = reading.resolve(one)
        outcome = run_count(bank, output, reading, deriver, count, by_number=True)
        votes.update(outcome.counts or Votes())
        name = outcome.names[1]
        text = outcome.ledger.text("compared").partition("; out of step")[0]
        if not outcome.ledger.scored:
            raise PairingError("E688 has none of the sentences", Place(name), text=text)
        compared.append(f"{name}: {text}")
    return votes, compared


def _differences(deriver: SyntaxDeriver, pair: Pair, comparison: Comparison) -> Votes:
    """What is otherwise in the parsed trees of a block; each place once."""
    found, bank = Votes(), pair.gold
    leaves = comparison.alignment.gold.word_leaves
    gold, parsed = comparison.gold, comparison.parsed

    def add(code: str, span: tuple[int, int], node: int, now: str, then: str) -> None:
        ends = int(leaves[span[0]]), int(leaves[span[1] - 1]) + 1
        tree = int(np.searchsorted(bank.leaf_start, ends[0], "right")) - 1
        first, last = (end - int(bank.leaf_start[tree]) for end in ends)
        number = node - int(bank.node_start[tree]) if node >= 0 else -1
        place = pair.number(tree) - 1, first, last
        found[Difference(code, *place, number, now, then)] = 1

    for word, now, then in _tags(deriver, comparison):
        node = int(bank.leaf_node[leaves[word]])
        add(TAG, (word, word + 1), node, now, then)
    for code, span, row, now, then in _brackets(gold, parsed, comparison):
        add(code, span, row, now, then)
    for row, other in zip(*error_rows(comparison, Kind.ATTACHMENT), strict=True):
        words = int(gold.attachment[row]), int(parsed.attachment[other])
        now, then = (bank.form(int(leaves[w])) if w >= 0 else "the top" for w in words)
        span = int(gold.first[row]), int(gold.last[row])
        add(ATTACHED, span, int(gold.row[row]), now, then)
    return found


def _tags(
    deriver: SyntaxDeriver, comparison: Comparison
) -> Iterator[tuple[int, str, str]]:
    """Words that are tagged otherwise, where both sides have the same words."""
    sides = comparison.alignment.gold, comparison.alignment.parsed
    labels = [s.bank.label[s.bank.leaf_node[s.word_leaves]] for s in sides]
    if comparison.own_words is not None or labels[0].size != labels[1].size:
        return
    tags = [deriver.tables.tag_class(one) for one in labels]
    for word in np.flatnonzero(tags[0] != tags[1]).tolist():
        now, then = (SYMBOLS.name(int(side[word])) for side in tags)
        yield word, now, then


def _brackets(
    gold: Derivation, parsed: Derivation, comparison: Comparison
) -> Iterator[tuple[str, tuple[int, int], int, str, str]]:
    """Brackets that only one side has: a code, words, the node, the two labels.

    Those that cross a bracket of the other side are about attachment.
    """
    missed = _by_span(gold, ~comparison.by_bracket.gold)
    spurious = _by_span(parsed, ~comparison.by_bracket.parsed)
    for span in missed.keys() & spurious.keys():
        for row, other in zip(missed.pop(span), spurious.pop(span), strict=False):
            labels = _label(gold, row), _label(parsed, other)
            yield LABEL, span, int(gold.row[row]), *labels
    for span, rows in missed.items():
        for row in rows if not _crosses(gold, rows[0], parsed) else ():
            yield EXTRA, span, int(gold.row[row]), _label(gold, row), ""
    for span, rows in spurious.items():
        for row in rows if not _crosses(parsed, rows[0], gold) else ():
            yield MISSING, span, -1, "", _label(parsed, row)


def _by_span(side: Derivation, chosen: Flags) -> dict[tuple[int, int], list[int]]:
    spans: dict[tuple[int, int], list[int]] = {}
    for row in np.flatnonzero(chosen).tolist():
        span = int(side.first[row]), int(side.last[row])
        spans.setdefault(span, []).append(row)
    return spans


def _label(side: Derivation, row: int) -> str:
    return SYMBOLS.name(int(side.key_label[row]))


def _crosses(side: Derivation, row: int, other: Derivation) -> bool:
    """Whether a bracket crosses one that the other side has of the same tree."""
    tree = int(np.searchsorted(side.starts, row, "right")) - 1
    there = slice(*other.starts[tree : tree + 2].tolist())
    starts, ends = other.first[there], other.last[there]
    first, last = side.first[row], side.last[row]
    left = (starts < first) & (first < ends) & (ends < last)
    right = (first < starts) & (starts < last) & (last < ends)
    return bool((left | right).any())


# -- what is suspected ----------------------------------------------------------------


def suspects_of(bank: Treebank, votes: Votes, parsers: int) -> Iterator[Suspect]:
    """Where most parsers, and at least two if there are several, say the same.

    Slips stand out where parsers have little else otherwise: of planted ones, in
    sentences with at most three differences a third of the findings are slips, in
    others an eighth (docs/check.md). So those are warnings, if several parsers agree.
    """
    differences = Counter(one.tree for one in votes)
    for one, count in votes.items():
        if 2 * count <= parsers or count < min(2, parsers):
            continue
        in_sentence = differences[one.tree]
        by = f"{count} of {counted(parsers, 'parser')}"
        support = f"{by}, {counted(in_sentence, 'difference')} in the sentence"
        said = _SAID[one.code].format(now=one.now, then=one.then)
        level = _WARNED if count > 1 and in_sentence <= _FEW else _NOTED
        edit = _edit(bank, one)
        yield Suspect(
            one.code,
            (one.place,),
            f"{said} {by}",
            f"parsed: {one.now or _NOTHING} | {one.then or _NOTHING}",
            level + 0.3 / (in_sentence + 1),
            edit=edit,
            now=one.now or f"no {one.then}",
            support=support,
        )


def _edit(bank: Treebank, one: Difference) -> Edit | None:
    start = int(bank.node_start[one.tree])
    if one.code == ATTACHED:
        return None  # where in the phrase, parsers say in too many ways
    if one.code != MISSING:
        return Edit(_ACTIONS[one.code], start + one.node, label=one.then)
    around = [
        node
        for node in bank[one.tree].nodes
        if node.span[0] <= one.first and one.last <= node.span[1]
    ]
    inside = [
        child
        for child in (around[-1].children if around else ())
        if one.first <= child.span[0] and child.span[1] <= one.last
    ]
    if not inside or (inside[0].span[0], inside[-1].span[1]) != (one.first, one.last):
        return None
    other = inside[-1].row if len(inside) > 1 else -1
    return Edit("add", inside[0].row, other, one.then)


def decided_otherwise(stream: WordStream, decisions: Decisions) -> Iterator[Suspect]:
    """Words annotated in a way that was decided on as an error in other sentences."""
    bank = stream.bank
    wanted: dict[tuple[str, str], dict[tuple[str, str], set[tuple[str, int]]]] = {}
    for one in decisions.values():
        edit, words = one.edit or {}, one.context.partition("[")[2].rpartition("]")[0]
        if one.verdict == WRONG and words and edit.get("action") in _SAME_WORDS:
            action, label = str(edit["action"]), str(edit.get("label", ""))
            bare = stream.labels.bare_phrase(label) if action == "relabel" else label
            made = action, bare
            known = wanted.setdefault((str(edit.get("was", "")), words), {})
            known.setdefault(made, set()).add((one.file, edit.get("line", 0)))
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
        one.edit: one.support
        for one in findings
        if one.chance is None and one.edit is not None
    }
    known = {one.edit for one in findings if one.chance is not None}
    return [
        replace(one, support=support.get(one.edit, "") if one.edit else "")
        if one.chance is not None
        else one
        for one in findings
        if one.chance is not None or one.edit is None or one.edit not in known
    ]


def differing(findings: Iterable[TreeFinding], votes: Votes) -> list[TreeFinding]:
    """The findings on words in which a parser has something otherwise."""
    by_tree: dict[int, list[Difference]] = {}
    for one in votes:
        by_tree.setdefault(one.tree, []).append(one)
    return [
        finding
        for finding in findings
        if any(
            span.first <= one.first and one.last <= span.last
            for span in finding.suspects[:1]
            for one in by_tree.get(span.tree, ())
        )
    ]
