"""What a finding is decided by: its words as they are annotated here and elsewhere.

Checks that compare recurring words name the places of each analysis. Others say what is
expected: then its uses are looked up, which are words with the expected tag, or phrases
with the label and the children that the edit would make. Each place is a line of a
concordance: what stands before the words, the words, what stands after them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import NamedTuple

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
from analyzer.checks.findings import (
    Analysis,
    Edit,
    Finding,
    LeafSpan,
    Suspect,
    TreeFinding,
)
from analyzer.checks.registry import PARSED, Check
from analyzer.checks.word_stream import WordStream
from analyzer.derivation.syntax import SyntaxDeriver
from analyzer.exceptions import PairingError, Place
from analyzer.formats.reading import Trees
from analyzer.model.arrays import (
    Ids,
    Ints,
    Words64,
    first_places,
    in_order,
    mix,
    number_densely,
)
from analyzer.model.symbols import SYMBOLS, by_name
from analyzer.model.treebank import Treebank
from analyzer.safe_text import counted

_WORDS_BESIDE = 8
_USES = 3  # of an analysis, that are shown
_LOOKED_AT = 50  # of these the shortest are shown
_CHILDREN_NAMED = 4


class ConcordanceLine(NamedTuple):
    """Words in their context."""

    before: str
    words: str
    after: str


def concordance_line(stream: WordStream, place: LeafSpan) -> ConcordanceLine:
    """Some words of a sentence, and those beside them; `…` where it goes on."""
    start, end = stream.bank.leaf_start[place.tree : place.tree + 2].tolist()
    first, last = start + place.first, start + place.last
    left, right = max(start, first - _WORDS_BESIDE), min(end, last + _WORDS_BESIDE)
    forms = stream.bank.forms
    before, words, after = (
        " ".join(forms(slice(*ends)))
        for ends in ((left, first), (first, last), (last, right))
    )
    return ConcordanceLine(
        f"… {before}" if left > start else before,
        words,
        f"{after} …" if right < end else after,
    )


def evidence(finding: TreeFinding, uses: Uses) -> list[Analysis]:
    """The analysis that is doubted, then the others: how often, and the first places.

    What is nowhere else in the treebank has no places.
    """
    place = finding.suspects[0]
    here = Analysis(finding.now or "here", 0, finding.suspects[:_USES])
    others = []
    for one in finding.analyses:
        if place in one.spans:
            spans = (place, *(span for span in one.spans if span != place))
            here = Analysis(one.text, one.count, spans[:_USES])
        else:
            others.append(Analysis(one.text, one.count, one.spans[:_USES]))
    is_shown = any(one.spans for one in others)
    if finding.edit is not None and not is_shown:
        expected = uses.after(finding.edit)
        count = next((one.count for one in others), expected.count)
        others = [Analysis(expected.text, count, expected.spans), *others[1:]]
    if others and not finding.analyses:
        here = Analysis(here.text, 0, (place,))
    return [here, *others]


def contrast(finding: Finding) -> tuple[str, str]:
    """How it is annotated and what is expected, as its group calls them, or twice "".

    >>> contrast(Finding("F702", "", group="function: SBJ | VOC", now="NP-VOC"))
    ('VOC', 'SBJ')
    """
    names = names_of_group(finding.group)
    parts = [finding.now, *finding.now.split("-"), "none"]
    now = next((part for part in parts if part in names), "")
    analyses = [one.text for one in getattr(finding, "analyses", ())]
    others = [name for name in (*analyses, *names) if name in names and name != now]
    return (now, others[0]) if now and others else ("", "")


def names_of_group(group: str) -> list[str]:
    """What competes in a group, if anything does: `variation: NIL | NX`."""
    names = group.partition(": ")[2].split(" | ")
    return names if len(names) > 1 else []


def group_counts(findings: Iterable[Finding]) -> list[tuple[str, int]]:
    """What competes in a group, and how often each occurs: once for each text."""
    counts: Counter[str] = Counter()
    seen: set[object] = set()
    names: list[str] = []
    for one in findings:
        names = names or names_of_group(one.group)
        told = getattr(one, "analyses", ())
        if not told:
            counts[contrast(one)[0]] += 1
        elif told not in seen:
            counts.update({analysis.text: analysis.count for analysis in told})
        seen.add(told)
    return sorted(((name, counts[name]) for name in names), key=lambda one: -one[1])


class Uses:
    """The words and phrases of a treebank, by label and by what is in them."""

    def __init__(self, stream: WordStream) -> None:
        self._stream = stream
        self._parent = stream.bank.parent
        self._sorted: dict[tuple[bool, bool], tuple[Words64, Ints]] = {}

    def after(self, edit: Edit) -> Analysis:
        """What an edit makes, as it is used elsewhere.

        Shown are uses below the same parent, and those that begin with the same word,
        if there are any.
        """
        label, content, children, parent = self._made(edit)
        is_whole = edit.action == "functions"
        rows = self._rows(label, content, None, is_whole=is_whole)
        shown = self._rows(label, content, self._name(parent), is_whole=is_whole)
        shown = shown if shown.size else rows
        bank, word = self._stream.bank, self._first_word
        ours = word[[one for one in (edit.row, edit.other) if one >= 0]]
        with_our_words = shown[np.isin(word[shown], ours)]
        shown = (with_our_words if with_our_words.size else shown)[:_LOOKED_AT]
        length = bank.last[shown] - bank.first[shown]
        shortest = shown[np.argsort(length, kind="stable")][:_USES].tolist()
        named = children[:_CHILDREN_NAMED]
        named += ["…"] if len(children) > len(named) else []
        text = f"{label} over {' '.join(named)}" if children else label
        spans = tuple(self._stream.span_of_row(row) for row in shortest)
        return Analysis(text, int(rows.size), spans)

    def _made(self, edit: Edit) -> tuple[str, np.uint64, list[str], int]:
        """The word or phrase that an edit makes: label, content, children, parent."""
        action, row, other, label = edit
        parent = int(self._parent[row])
        if action in ("retag", "relabel", "functions"):
            children = list(map(self._name, self._children(row)))
            if action == "functions":
                label = "-".join(filter(None, (self._name(row), label)))
            return label, self._content[row], children, parent
        if action == "add":
            listed = self._children(parent)
            end = other if other >= 0 else row
            names = [self._name(one) for one in listed if row <= one <= end]
        elif action == "drop":
            listed = self._children(parent)
            at = listed.index(row)
            listed[at : at + 1] = self._children(row)
            names, label = list(map(self._name, listed)), self._name(parent)
            parent = int(self._parent[parent]) if parent >= 0 else -1
        elif label:
            names, parent = [label, self._name(row)], int(self._parent[other])
        else:
            listed = self._children(other)
            before = [one for one in listed if one <= row]
            is_inside = self._stream.bank.last[other] >= self._stream.bank.last[row]
            at = len(before) if is_inside else len(listed)
            names, label = list(map(self._name, listed)), self._name(other)
            names[at:at] = [self._name(row)]
            parent = int(self._parent[other])
        return label, self._content_of(names), names, parent

    def _children(self, row: int) -> list[int]:
        bank = self._stream.bank
        end = int(bank.node_start[bank.tree_of_node[row] + 1]) if row >= 0 else 0
        return [
            row + 1 + one
            for one in np.flatnonzero(self._parent[row + 1 : end] == row).tolist()
        ]

    def _name(self, row: int) -> str:
        """The label of a row, without the function tags of a phrase."""
        return SYMBOLS.name(int(self._label[row])) if row >= 0 else ""

    # -- columns ---------------------------------------------------------------

    @cached_property
    def _label(self) -> Ids:
        bank, bare = self._stream.bank, self._stream.labels.bare_phrase
        named = by_name(bank.label, lambda name: SYMBOLS.id(bare(name)), np.int32)
        return np.where(bank.is_leaf, bank.label, named)

    @cached_property
    def _whole_label(self) -> Ids:
        """With the function tags, but without indices."""
        labels = self._stream.labels

        def whole(name: str) -> int:
            tags = labels.function_tags(name)
            return SYMBOLS.id("-".join((labels.bare_phrase(name), *tags)))

        return by_name(self._stream.bank.label, whole, np.int32)

    @cached_property
    def _content(self) -> Words64:
        """Of a word its form; of a phrase the labels of its children, in order."""
        stream, bank, parent = self._stream, self._stream.bank, self._parent
        content = np.zeros(bank.label.size, np.uint64)
        below, child = in_order(parent + 1)
        starts = np.searchsorted(below, below)  # the first sister
        position = np.arange(child.size) - starts
        has_parent = below > 0
        values = _mixed(self._label[child], position)[has_parent]
        np.add.at(content, below[has_parent] - 1, values)
        words = bank.leaf_node[stream.kept]
        content[words] = mix(self._first_word[words].astype(np.uint64))
        return content

    @cached_property
    def _first_word(self) -> Ints:
        """The number of the first word of each row, in lower case; traces have 0."""
        stream, bank = self._stream, self._stream.bank
        _, which = number_densely(stream.stream[stream.stream_at])
        forms = bank.forms(stream.kept[first_places(which)])
        numbers: dict[str, int] = {}
        lower = [numbers.setdefault(form.lower(), len(numbers) + 1) for form in forms]
        of_leaf = np.zeros(bank.leaf_node.size + 1, np.int64)
        of_leaf[stream.kept] = np.array(lower, np.int64)[which]
        return of_leaf[bank.first]

    def _content_of(self, names: Sequence[str]) -> np.uint64:
        labels = np.array([SYMBOLS.id(name) for name in names], np.int64)
        mixed = _mixed(labels, np.arange(labels.size))
        return np.uint64(np.add.reduce(mixed, dtype=np.uint64))

    def _rows(
        self, label: str, content: np.uint64, parent: str | None, *, is_whole: bool
    ) -> Ints:
        """The rows with a label and what is in them, below some parent or any."""
        kind = is_whole, parent is not None
        if kind not in self._sorted:
            column = self._whole_label if is_whole else self._label
            above = np.where(self._parent >= 0, self._label[self._parent], -1)
            keys = _key(column, self._content, above if parent is not None else None)
            order = np.argsort(keys, kind="stable")
            self._sorted[kind] = keys[order], order
        keys, order = self._sorted[kind]
        ids = [
            np.array([SYMBOLS.id(one) if one else -1]) for one in (label, parent or "")
        ]
        wanted = _key(ids[0], np.array([content]), ids[1] if kind[1] else None)
        ends = [np.searchsorted(keys, wanted[0], side) for side in ("left", "right")]
        return order[slice(*ends)]


def _mixed(label: Ids | Ints, position: Ints) -> Words64:
    return mix(mix(label.astype(np.uint64)) + position.astype(np.uint64))


def _key(label: Ids | Ints, content: Words64, parent: Ids | Ints | None) -> Words64:
    key = mix(label.astype(np.uint64)) + content
    return mix(key) if parent is None else mix(mix(key) + parent.astype(np.uint64))


# -- parsers, and people who decided before -------------------------------------------
#
# Where parsers, trained on other text, agree with each other against the treebank: what
# a parser has otherwise at a place is one vote, and a finding says how many of the
# parsers cast it. That is no chance: how often parsers are right against annotators is
# not known, and depends on both. So a finding has a level: `warning` where several of
# them agree and have little else otherwise in the sentence, else `info`. What the
# treebank's own checks suggest as well is one finding, with their chance.

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
        code, action, said = _VOTED[one.kind]
        level = _WARNED if count > 1 and in_sentence <= _FEW else _NOTED
        yield Suspect(
            code,
            (LeafSpan(one.tree, one.first, one.last),),
            f"{said.format(now=one.now, then=one.then)} {by}",
            f"parsed: {one.now or _NOTHING} | {one.then or _NOTHING}",
            level + 0.3 / (in_sentence + 1),
            edit=_edit(bank, one, action),
            now=one.now or f"no {one.then}",
            support=support,
        )


def _edit(bank: Treebank, one: Difference, action: str) -> Edit | None:
    if not action:
        return None  # where in the phrase, parsers say in too many ways
    if one.node >= 0:
        row = int(bank.node_start[one.tree]) + one.node
        return Edit(action, row, label=one.then)
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
    return Edit(action, inside[0].row, other, one.then)


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
