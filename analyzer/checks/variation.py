"""The same words, annotated differently.

Variation n-grams (Dickinson and Meurers 2003, 2005): a *nucleus* is a run of words that
is a phrase somewhere; where the same run, between the same neighbours, is another
phrase or none (NIL), one of them is likely wrong. The same over full labels finds
function tags that vary, over tags, words that are tagged differently, and over
derivation fragments (Kulick et al. 2011, 2012), phrases that are built differently.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from analyzer.checks.findings import Analysis, Edit, LeafSpan, Suspect
from analyzer.checks.nodes import NIL, NO_PHRASE, Nodes
from analyzer.checks.registry import CHECKS, RECURRING, check
from analyzer.checks.word_stream import BOUNDARY, Repeats, WordStream, varying
from analyzer.model.arrays import Ints, begins, in_order, inverse_powers, mix, powers
from analyzer.model.symbols import SYMBOLS, by_name

_PLACES_KEPT = 50
_COMPARED = 20  # occurrences whose context is compared; more change nothing
_MENDED = 39  # occurrences, of as many of one analysis as of another, that get an edit
_SUSPECTS = 200  # rarer occurrences of one n-gram that are looked at
_MAY_TURN = 20  # occurrences of a majority that may yet become a minority
_CONTEXT = 10  # words compared on each side

# The edit that gives so many words at a position an analysis, and the nodes that are
# suspected.
Mended = tuple[Edit | None, tuple[int, ...]]
Mender = Callable[[Nodes, int, int, str], Mended]
# How often the words at a position have an analysis, whatever stands beside them.
Elsewhere = Callable[[int, str], int]


class Recurring(NamedTuple):
    """Words that recur, and what phrases they are, as `Nodes.chains_at` has it."""

    words: Repeats
    chain: Ints
    top: Ints


class Variation(NamedTuple):
    """Occurrences of the same words, not all with the same analysis."""

    code: str
    at: list[int]  # positions in the stream
    texts: list[str]  # their analyses
    mender: Mender
    elsewhere: Elsewhere | None = None
    group: Callable[[Sequence[str]], str] | None = None  # what stands against what


# What varies in words that recur, n-grams of one length at a time.
Comparer = Callable[[Recurring], Iterator[Variation]]


def compare_recurring(
    nodes: Nodes, checks: Sequence[Callable[[Nodes], Comparer]]
) -> Iterator[Suspect]:
    """What checks find; the words that recur are looked for once for all of them."""
    stream, comparers = nodes.stream, [function(nodes) for function in checks]
    for words in stream.repeats():
        chains = nodes.chains_at(stream.word_at[words.at], words.length)
        recurring = Recurring(words, *chains)
        for compare in comparers:
            for variation in compare(recurring):
                if len(set(variation.texts)) > 1:
                    yield from _suspects(nodes, words.length, variation)


# -- runs of words as nodes, and the edits that change what they are -------------------


def _base(nodes: Nodes, at: int, length: int) -> int:
    """The lowest node over exactly these words, or -1."""
    word = int(nodes.stream.word_at[at])
    node = int(nodes.word_node[word])
    if length == 1:
        return node
    while node >= 0 and nodes.last[node] - word < length:
        node = int(nodes.parent[node])
    if node < 0 or nodes.last[node] - nodes.first[node] != length:
        return -1
    return nodes.base_of(node)


def _run(nodes: Nodes, at: int, length: int) -> tuple[list[int], int]:
    """The sisters that make up these words, if they do; and what holds them."""
    word = int(nodes.stream.word_at[at])
    node, end = int(nodes.word_node[word]), word + length
    while True:
        above = int(nodes.parent[node])
        if above < 0 or nodes.first[above] < word or nodes.last[above] > end:
            break
        node = above
    sisters = [node]
    while nodes.last[sisters[-1]] < end and nodes.after[sisters[-1]] >= 0:
        sisters.append(int(nodes.after[sisters[-1]]))
    fits = nodes.last[sisters[-1]] == end
    above = int(nodes.parent[node])
    while above >= 0 and nodes.last[above] < end:
        above = int(nodes.parent[above])
    return (sisters if fits else []), above


def _mend_chain(nodes: Nodes, at: int, length: int, wanted: str) -> Mended:
    base = _base(nodes, at, length)
    if base >= 0 and (length == 1 or nodes.chain_over(base)):
        edit = nodes.chain_edit(base, "" if wanted == NO_PHRASE else wanted)
        return edit, (*nodes.chain_over(base), base)
    sisters, above = _run(nodes, at, length)
    edit = None
    if sisters and wanted != NO_PHRASE and "/" not in wanted:
        row, last = (int(nodes.row[node]) for node in (sisters[0], sisters[-1]))
        edit = Edit("add", row, last, wanted)
    return edit, tuple(node for node in (*sisters, above) if node >= 0)


def _mend_nothing(nodes: Nodes, at: int, length: int, _: str) -> Mended:
    return None, (_base(nodes, at, length),)


def _mend_tag(nodes: Nodes, at: int, length: int, wanted: str) -> Mended:
    node = _base(nodes, at, length)
    return Edit("retag", int(nodes.row[node]), label=wanted), (node,)


def _mend_functions(nodes: Nodes, at: int, length: int, wanted: str) -> Mended:
    chain, stream = nodes.chain_over(_base(nodes, at, length)), nodes.stream
    for node, name in zip(chain, wanted.split("/"), strict=False):
        row = int(nodes.row[node])
        if stream.bank.label_name(row) != name:
            functions = "-".join(stream.labels.function_tags(name))
            return Edit("functions", row, label=functions), (node,)
    return None, tuple(chain)


# -- occurrences with different analyses -> suspects -----------------------------------


def groups_that_vary(
    repeats: Repeats, values: Ints
) -> Iterator[tuple[list[int], list[int]]]:
    """For each group whose values differ: its positions, and their values."""
    rows = np.flatnonzero(varying(repeats.group, values))
    if not rows.size:
        return
    starts = np.flatnonzero(begins(repeats.group[rows]))
    for run in np.split(rows, starts[1:]):
        yield repeats.at[run].tolist(), values[run].tolist()


def shared(
    stream: WordStream, at: int, others: Sequence[int], length: int
) -> tuple[int, bool]:
    """The most that an occurrence has in common with one of the others.

    Words of context, on both sides; and whether the sentences are the same.

    >>> from analyzer.formats.reading import read_trees
    >>> bank = read_trees("(S (A a) (B b) (C c))\\n(S (A a) (B b) (C d))\\n")
    >>> stream = WordStream.of([bank])
    >>> shared(stream, 1, [5], 1)
    (2, False)
    """
    words, best = stream.stream, (0, False)
    for other in others[:_COMPARED]:
        context, edges = 0, 0
        for step, start in ((-1, -1), (1, length)):
            for distance in range(_CONTEXT):
                a, b = (place + start + step * distance for place in (at, other))
                if not (0 <= a < words.size and 0 <= b < words.size):
                    break
                if words[a] != words[b]:
                    break
                context += 1
                if words[a] == BOUNDARY:
                    edges += 1
                    break
        best = max(best, (context, edges == 2))
    return best


def _suspects(nodes: Nodes, length: int, variation: Variation) -> Iterator[Suspect]:
    """A suspect for each occurrence of a rarer analysis of the same words.

    Where no analysis is the most frequent, all occurrences are one suspect: one of
    them is wrong, and the counts do not say which.
    """
    code, positions, texts, mender, elsewhere, group = variation
    stream = nodes.stream
    times = Counter(texts)
    names = sorted(times, key=lambda text: (-times[text], text))
    by_analysis: dict[str, list[int]] = {name: [] for name in names}
    for at, text in zip(positions, texts, strict=True):
        by_analysis[text].append(at)
    analysis_at = dict(zip(positions, texts, strict=True))
    majority, most = by_analysis[names[0]], times[names[0]]

    def spans(positions: Sequence[int]) -> tuple[LeafSpan, ...]:
        return tuple(stream.span(at, length) for at in positions[:_PLACES_KEPT])

    analyses = tuple(
        Analysis(name, times[name], spans(by_analysis[name])) for name in names
    )
    is_tie = most == times[names[1]]
    rarer = [at for name in names[1:] for at in by_analysis[name]]
    for at in rarer[:1] if is_tie else rarer[:_SUSPECTS]:
        name = analysis_at[at]
        edit, suspected = mender(nodes, at, length, names[0])
        rivals: list[tuple[LeafSpan, str, Edit | None]] = []
        others = (
            [position for position in rarer + majority if position != at]
            if is_tie
            else []
        )
        for other in others[: _PLACES_KEPT - 1]:
            now, its_edit = analysis_at[other], None
            if len(rivals) < _MENDED:
                is_first = now == names[0]
                wanted = names[1] if is_first else names[0]
                its_edit, its_nodes = mender(nodes, other, length, wanted)
                suspected += its_nodes if is_first else ()
            rivals.append((stream.span(other, length), now, its_edit))
        # Words that have an analysis beside others too are ambiguous rather than wrong.
        more = elsewhere(at, name) - times[name] if elsewhere is not None else 0
        may_turn = at == rarer[0] and most <= _MAY_TURN and not is_tie
        yield Suspect(
            code,
            spans([at, *others]),
            listed([(name, times[name]) for name in names]),
            group(names) if group else pair_name(CHECKS[code].kind, names),
            evidence=(
                math.log(most / times[name]),
                float(is_tie),
                math.log(most),
                *shared(stream, at, majority, length),
                min(length, 8),
                math.log1p(max(0, more)),
            ),
            nodes=suspected,
            edit=edit,
            analyses=analyses,
            now=name,
            rivals=tuple(rivals),
            bystanders=tuple((span, names[0]) for span in analyses[0].spans)
            if may_turn
            else (),
        )


def listed(counts: Sequence[tuple[str, int]]) -> str:
    """Analyses and how often each occurs: `NN 9x, NNP 1x`."""
    return ", ".join(f"{name} {count:,}x" for name, count in counts)


def pair_name(kind: str, names: Sequence[str]) -> str:
    """The group of a contrast: what stands against what."""
    return f"{kind}: {' | '.join(sorted(names))}"


def _counts(stream: WordStream, names: Sequence[str]) -> Elsewhere:
    """How often a word has each of the names of all words."""
    word = stream.stream[stream.stream_at].tolist()
    times = Counter(zip(word, names, strict=True))
    return lambda at, name: times[int(stream.stream[at]), name]


# -- the checks -----------------------------------------------------------------------

# Log of the majority to this analysis, and whether there is none; log of the majority,
# words of context that are the same, whole sentences, length, log of how often the
# words are so elsewhere.
of_recurring_words = partial(
    check,
    given=RECURRING,
    evidence="ratio tie most context whole length elsewhere",
)


@of_recurring_words(
    "V301",
    "the same words labelled differently",
    kind="variation",
    cost=3,
)
@of_recurring_words(
    "V302",
    "the same words bracketed here, not bracketed there",
    kind="variation",
)
def brackets_that_vary(nodes: Nodes) -> Comparer:
    def compare(recurring: Recurring) -> Iterator[Variation]:
        length = recurring.words.length
        counts, names = None, nodes.chain_names
        if length == 1:  # how often a word has a chain of phrases of its own
            chains, _ = nodes.chains_at(np.arange(nodes.word_node.size), 1)
            counts = _counts(nodes.stream, [names[chain] for chain in chains.tolist()])
        for at, values in groups_that_vary(recurring.words, recurring.chain):
            texts = [names[value] for value in values]
            code = "V302" if NO_PHRASE in texts else "V301"
            yield Variation(code, at, texts, _mend_chain, counts)

    return compare


@of_recurring_words(
    "F701",
    "the same phrase with different function tags",
    kind="function",
)
def functions_that_vary(nodes: Nodes) -> Comparer:
    """Phrases with the same labels over the same words, but for function tags."""
    stream, labels = nodes.stream, nodes.stream.labels

    def without_indices(label: int) -> str:
        name = SYMBOLS.name(label)
        return "-".join([labels.bare_phrase(name), *labels.function_tags(name)])

    def compare(recurring: Recurring) -> Iterator[Variation]:
        words, chain, top = recurring
        rows = np.flatnonzero(top >= 0)
        if rows.size < 2:
            return
        # The same words under the same labels are a group of their own.
        chains = len(nodes.chain_names)
        key, order = in_order(words.group[rows] * chains + chain[rows])
        rows = rows[order]
        alike = Repeats(words.length, words.at[rows], np.cumsum(begins(key)) - 1)
        full = stream.bank.label[nodes.row[top[rows]]].astype(np.int64)
        for at, values in groups_that_vary(alike, full):
            texts = [without_indices(value) for value in values]
            yield Variation("F701", at, texts, _mend_functions)

    return compare


@of_recurring_words(
    "T501",
    "the same word tagged differently",
    kind="tag",
)
def tags_that_vary(nodes: Nodes) -> Comparer:
    """One word is nucleus enough: longer ones hold the same variation."""
    stream, tag = nodes.stream, nodes.tag

    def compare(recurring: Recurring) -> Iterator[Variation]:
        words = recurring.words
        if words.length > 1:
            return
        counts = _counts(stream, by_name(tag, str, object).tolist())
        for at, values in groups_that_vary(words, tag[stream.word_at[words.at]]):
            texts = [SYMBOLS.name(value) for value in values]
            yield Variation("T501", at, texts, _mend_tag, counts)

    return compare


@of_recurring_words(
    "D401",
    "the same words built differently inside",
    kind="derivation",
)
def fragments_that_vary(nodes: Nodes) -> Comparer:
    """The spines of the words and how they attach to each other, within the words."""
    fragments = _Fragments(nodes)

    def compare(recurring: Recurring) -> Iterator[Variation]:
        length = recurring.words.length
        if length == 1:  # one word has no inside but its chain: variation
            return
        number = fragments.insides(recurring.top)
        for at, values in groups_that_vary(recurring.words, number):
            if NIL in values:  # words that are no phrase here vary as brackets
                continue
            words = nodes.stream.word_at[at].tolist()
            texts = [fragments.inside_text(word, length) for word in words]
            group = fragments.group
            yield Variation("D401", at, texts, _mend_nothing, group=group)

    return compare


class _Fragments:
    """Phrases with their constructions, comparable as fragments.

    Findings are grouped by what differs between the fragments, so that one decision
    settles all findings of a group.
    """

    def __init__(self, nodes: Nodes) -> None:
        constructions, (derivation, _) = nodes.deriver.constructions, nodes.derive()
        self._nodes, self._names = nodes, [*constructions.listed, "?"]
        of_row = np.full(nodes.stream.bank.label.size, len(constructions), np.int32)
        of_row[derivation.row] = derivation.construction
        self._construction = of_row[nodes.row]
        self._phrases = np.flatnonzero(~nodes.is_word)
        self._first = nodes.first[self._phrases]  # words, in their order
        self._types: dict[str, Counter[str]] = {}

    def insides(self, top: Ints) -> Ints:
        """A number for what is inside of each phrase; equal for equal fragments."""
        number: Ints = np.where(top >= 0, self._inside[top], NIL)
        return number

    @cached_property
    def _inside(self) -> Ints:
        """Per node, from 1 on if it is a phrase.

        A fragment is the sum of its phrases' numbers, each times a power of where it
        begins; sizes tell which of two phrases over the same words is the upper one.
        """
        phrases, first = self._phrases, self._first
        length = self._nodes.last[phrases] - first
        end = np.searchsorted(first, first + length)
        size = end - np.arange(first.size)
        value = mix(self._construction[phrases].astype(np.uint64))
        value = mix(value ^ length.astype(np.uint64) << np.uint64(20))
        count = int(first.max(initial=0)) + 1
        value = mix(value ^ size.astype(np.uint64)) * powers(count)[first]
        sums = np.zeros(first.size + 1, np.uint64)
        np.cumsum(value, out=sums[1:])
        whole = (sums[end] - sums[:-1]) * inverse_powers(count)[first]
        inside = np.full(self._nodes.size, NIL, np.int64)
        inside[phrases] = np.unique(whole, return_inverse=True)[1] + 1
        return inside

    def inside_text(self, word: int, length: int) -> str:
        """The fragment in brackets, a dot a word, and its type remembered."""
        nodes = self._nodes
        start, stop = np.searchsorted(self._first, [word, word + length]).tolist()
        within = self._phrases[start:stop]
        within = within[nodes.last[within] <= word + length]
        opened: dict[int, list[str]] = {}
        closed: Counter[int] = Counter()
        kinds: Counter[str] = Counter()
        for node in within.tolist():
            name, parent = self._name(node), int(nodes.parent[node])
            opened.setdefault(int(nodes.first[node]) - word, []).append(f"({name} ")
            closed[int(nodes.last[node]) - word - 1] += 1
            above = self._name(parent) if parent in within else "outside"
            kinds[f"{name}@{above}"] += 1
        text = " ".join(
            "".join(opened.get(at, [])) + "·" + ")" * closed[at] for at in range(length)
        )
        self._types[text] = kinds
        return text

    def _name(self, node: int) -> str:
        return self._names[int(self._construction[node])]

    def group(self, names: Sequence[str]) -> str:
        """What the two most frequent fragments do not share."""
        first, other = (self._types[name] for name in sorted(names[:2]))
        sides = [
            " + ".join(sorted(only)) or "nothing"
            for only in (first - other, other - first)
        ]
        if sides == ["nothing", "nothing"]:
            sides = ["the same constructions in other places"]
        return f"derivation: {' | '.join(sides)}"
