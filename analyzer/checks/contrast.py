"""Occurrences of the same words with different analyses -> candidates."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from analyzer.checks.candidates import Candidate, listed
from analyzer.checks.findings import Analysis, Edit, LeafSpan
from analyzer.checks.word_stream import BOUNDARY, WordStream

_PLACES_KEPT = 50
_COMPARED = 20  # occurrences whose context is compared; more change nothing
_SUSPECTS = 200  # rarer occurrences of one n-gram that are looked at
_MAY_TURN = 20  # occurrences of a majority that may yet become a minority
_CONTEXT = 10  # words compared on each side


class Contrast(NamedTuple):
    """Occurrences of one n-gram (positions in the stream), analysis by analysis."""

    length: int
    by_analysis: dict[str, list[int]]  # most frequent first


def contrast(length: int, at: Sequence[int], texts: Sequence[str]) -> Contrast:
    counts = Counter(texts)
    by_analysis: dict[str, list[int]] = {
        text: [] for text in sorted(counts, key=lambda text: (-counts[text], text))
    }
    for position, text in zip(at, texts, strict=True):
        by_analysis[text].append(position)
    return Contrast(length, by_analysis)


class Side(NamedTuple):
    """What an occurrence shares with those that are analysed otherwise."""

    context: int  # words, on both sides
    is_whole: bool  # the sentences are the same


def shared(stream: WordStream, at: int, others: Sequence[int], length: int) -> Side:
    """The most that an occurrence has in common with one of the others.

    >>> from analyzer.formats.reading import read_trees
    >>> bank = read_trees("(S (A a) (B b) (C c))\\n(S (A a) (B b) (C d))\\n")
    >>> stream = WordStream.of([bank])
    >>> shared(stream, 1, [5], 1)
    Side(context=2, is_whole=False)
    """
    words = stream.stream
    best = Side(0, False)
    for other in others[:_COMPARED]:
        context, edges = 0, 0
        for step, start in ((-1, -1), (1, length)):
            for distance in range(_CONTEXT):
                a, b = (one + start + step * distance for one in (at, other))
                if not (0 <= a < words.size and 0 <= b < words.size):
                    break
                if words[a] != words[b]:
                    break
                context += 1
                if words[a] == BOUNDARY:
                    edges += 1
                    break
        best = max(best, Side(context, edges == 2))
    return best


Namer = Callable[[Sequence[str]], str]
Elsewhere = Callable[[int, str], int]
Mender = Callable[[int, str], tuple[Edit | None, tuple[int, ...]]]


def candidates_of(
    stream: WordStream,
    found: Contrast,
    *,
    code: str,
    group: Namer,
    mender: Mender,
    elsewhere: Elsewhere | None = None,
) -> Iterator[Candidate]:
    """A candidate for each occurrence of a rarer analysis.

    Where no analysis is the most frequent, all occurrences are one candidate: one of
    them is wrong, and the counts do not say which. `mender` gives, for a position and
    the analysis wanted there, the edit, and the nodes it is about; `elsewhere` how
    often the words at a position have an analysis, whatever stands beside them.
    """
    names = list(found.by_analysis)
    counts = [len(places) for places in found.by_analysis.values()]
    majority = found.by_analysis[names[0]]
    analyses = tuple(
        Analysis(
            name,
            len(places),
            tuple(stream.span(at, found.length) for at in places[:_PLACES_KEPT]),
        )
        for name, places in found.by_analysis.items()
    )
    text = listed(list(zip(names, counts, strict=True)))
    is_tie = counts[0] == counts[1]
    rarer = [at for name in names[1:] for at in found.by_analysis[name]]
    bystanders: tuple[tuple[LeafSpan, str], ...] = ()
    if counts[0] <= _MAY_TURN and not is_tie:
        bystanders = tuple((one, names[0]) for one in analyses[0].spans)
    of_position = {at: name for name, all_ in found.by_analysis.items() for at in all_}
    for at in rarer[:1] if is_tie else rarer[:_SUSPECTS]:
        side = shared(stream, at, majority, found.length)
        edit, nodes = mender(at, names[0])
        places = [at, *(p for p in rarer + majority if p != at)] if is_tie else [at]
        spans = [stream.span(p, found.length) for p in places[:_PLACES_KEPT]]
        names_there = [of_position[p] for p in places[:_PLACES_KEPT]]
        edits: list[Edit | None] = []
        if is_tie:
            for other in places[1 : 2 * _COMPARED]:
                is_first = of_position[other] == names[0]
                its_edit, its_nodes = mender(other, names[1] if is_first else names[0])
                edits.append(its_edit)
                nodes += its_nodes if is_first else ()
        yield Candidate(
            code,
            (
                math.log(counts[0] / len(found.by_analysis[of_position[at]])),
                math.log(counts[0]),
                side.context,
                side.is_whole,
                min(found.length, 8),
                _commonness(found, of_position[at], at, elsewhere),
            ),
            tuple(spans),
            nodes,
            text,
            group(names),
            edit,
            analyses,
            of_position[at],
            tuple(zip(spans[1:], names_there[1:], strict=True)),
            bystanders if at == rarer[0] else (),
            tuple(edits),
        )


def _commonness(
    found: Contrast, name: str, at: int, elsewhere: Elsewhere | None
) -> float:
    """How often the words have this analysis beside other words, as a logarithm.

    Words that have it in many places are ambiguous, rather than annotated wrongly.
    """
    if elsewhere is None:
        return 0.0
    return math.log1p(max(0, elsewhere(at, name) - len(found.by_analysis[name])))
