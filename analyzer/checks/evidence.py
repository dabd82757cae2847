"""What people decide a finding by: its words as they are annotated here and elsewhere.

Checks that compare recurring words name the places of each analysis. Others say what is
expected: then its uses are looked up, which are words with the expected tag, or phrases
with the label and the children that the edit would make. Each place is a line of a
concordance: what stands before the words, the words, what stands after them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from analyzer.checks.findings import (
    Analysis,
    DocumentFinding,
    Edit,
    Finding,
    LeafSpan,
    TreeFinding,
)
from analyzer.checks.word_stream import WordStream
from analyzer.exceptions import Place
from analyzer.formats.rst.building import edus_of, named
from analyzer.model.arrays import (
    Ids,
    Ints,
    Words64,
    first_places,
    in_order,
    mix,
    number_densely,
)
from analyzer.model.discourse import Unit
from analyzer.model.symbols import SYMBOLS, by_name
from analyzer.safe_text import with_ends

_WORDS_BESIDE = 8
_USES = 3  # of an analysis, that are shown
_LOOKED_AT = 50  # of these the shortest are shown
_CHILDREN_NAMED = 4
_TEXT_BESIDE, _TEXT_SHOWN = 160, 400  # characters of EDUs


class ConcordanceLine(NamedTuple):
    """Words in their context, and where that is: file and line."""

    before: str
    words: str
    after: str
    where: str = ""


class Exhibit(NamedTuple):
    """What people are shown of a finding, whatever shows it."""

    place: str  # file, line and column
    within: str  # the sentence, or the unit of a document
    message: str  # "" if the uses say it
    # Each analysis, the one that is doubted first, with lines of a concordance.
    uses: Sequence[tuple[str, Sequence[ConcordanceLine]]]
    also: Sequence[ConcordanceLine] = ()  # other places that are suspicious
    more: int = 0  # further ones


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
        f"{stream.file_of(place.tree)}:{stream.bank.line[place.tree]}",
    )


def document_exhibit(finding: DocumentFinding, root: Unit | None) -> Exhibit:
    """A finding in a document: its units, and the EDUs beside them."""
    place = str(Place(finding.file or finding.document, finding.line or None))
    if root is None or not finding.first:
        return Exhibit(place, finding.document, finding.message, [])
    texts = ["", *(edu.text.strip() for edu in edus_of(root)), ""]
    before, after = texts[finding.first - 1], texts[finding.last + 1]
    line = ConcordanceLine(
        with_ends(before, _TEXT_BESIDE),
        with_ends(finding.words, _TEXT_SHOWN),
        with_ends(after, _TEXT_BESIDE),
    )
    within = named(finding.first, finding.last)
    message = finding.message.removeprefix(f"{within}: ")
    return Exhibit(place, within, message, [("", [line])])


def evidence(finding: TreeFinding, uses: Uses) -> list[Analysis]:
    """The analysis that is doubted, then the others: how often, and the first places.

    What is nowhere else in the treebank has no places.
    """
    place = finding.suspects[0]
    here = Analysis(finding.now or "here", 0, finding.suspects[:_USES])
    others = []
    for analysis in finding.analyses:
        if place in analysis.spans:
            spans = (place, *(span for span in analysis.spans if span != place))
            here = Analysis(analysis.text, analysis.count, spans[:_USES])
        else:
            others.append(
                Analysis(analysis.text, analysis.count, analysis.spans[:_USES])
            )
    is_shown = any(analysis.spans for analysis in others)
    if finding.edit is not None and not is_shown:
        expected = uses.after(finding.edit)
        count = next((analysis.count for analysis in others), expected.count)
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
    analyses = [analysis.text for analysis in getattr(finding, "analyses", ())]
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
    for finding in findings:
        names = names or names_of_group(finding.group)
        analyses = getattr(finding, "analyses", ())
        if not analyses:
            counts[contrast(finding)[0]] += 1
        elif analyses not in seen:
            counts.update({analysis.text: analysis.count for analysis in analyses})
        seen.add(analyses)
    return sorted(((name, counts[name]) for name in names), key=lambda pair: -pair[1])


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
        ours = word[[row for row in (edit.row, edit.other) if row >= 0]]
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
            names = [self._name(child) for child in listed if row <= child <= end]
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
            before = [child for child in listed if child <= row]
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
            row + 1 + offset
            for offset in np.flatnonzero(self._parent[row + 1 : end] == row).tolist()
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
            np.array([SYMBOLS.id(name) if name else -1])
            for name in (label, parent or "")
        ]
        wanted = _key(ids[0], np.array([content]), ids[1] if kind[1] else None)
        ends = [np.searchsorted(keys, wanted[0], side) for side in ("left", "right")]
        return order[slice(*ends)]


def _mixed(label: Ids | Ints, position: Ints) -> Words64:
    return mix(mix(label.astype(np.uint64)) + position.astype(np.uint64))


def _key(label: Ids | Ints, content: Words64, parent: Ids | Ints | None) -> Words64:
    key = mix(label.astype(np.uint64)) + content
    return mix(key) if parent is None else mix(mix(key) + parent.astype(np.uint64))
