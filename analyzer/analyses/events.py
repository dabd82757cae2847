"""What the scores say of each construction of each word of a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.analyses.errors import (
    OF_BRACKETS,
    Instance,
    Kind,
    Projection,
    governor_name,
    instances,
)
from analyzer.analyses.sentence_words import SentenceWords
from analyzer.metrics.constructions import Comparison
from analyzer.pairing.in_step import SentencePair


class Event(NamedTuple):
    """What the scores say of one construction of one word (section 2.3)."""

    position: int
    word: str
    construction: str
    event: str  # match, recall error, precision error
    span: str
    attachment: str
    right_edge: str


def events(
    pair: SentencePair,
    comparison: Comparison,
    trees: Sequence[int],
) -> dict[int, list[Event]]:
    """The score events of some of the sentences, word by word, bottom up."""
    found: dict[int, dict[Kind, list[Instance]]] = {
        tree: {kind: [] for kind in OF_BRACKETS} for tree in trees
    }
    for kind in OF_BRACKETS:
        for one in instances(pair, comparison, kind):
            tree = one.sentence - pair.first_sentence
            if tree in found:
                found[tree][kind].append(one)
    order = {"match": 0, "recall error": 1, "precision error": 2}
    text = SentenceWords(pair, comparison)
    listed: dict[int, list[Event]] = {}
    for tree, errors in found.items():
        of_tree = _match_events(comparison, text, tree, errors)
        for kind, name in (
            (Kind.HEAD_MISSED, "recall error"),
            (Kind.HEAD_SPURIOUS, "precision error"),
        ):
            of_tree += [_error_event(one, name) for one in reversed(errors[kind])]
        of_tree.sort(key=lambda event: (event.position, order[event.event]))
        listed[tree] = of_tree
    return listed


def _match_events(
    comparison: Comparison,
    text: SentenceWords,
    tree: int,
    found: dict[Kind, list[Instance]],
) -> list[Event]:
    """Matches: gold's constructions less the missed ones, each with what differs."""
    gold, _ = comparison.told
    offset, words = int(text.offset[tree]), text.words(tree)
    missed = Counter(
        (one.position, one.gold.row) for one in found[Kind.HEAD_MISSED] if one.gold
    )
    differing = {
        kind: {
            one.gold.row: (one.gold, one.parsed)
            for one in found[kind]
            if one.gold and one.parsed
        }
        for kind in (Kind.SPAN, Kind.SPAN_RIGHT, Kind.ATTACHMENT)
    }
    listed = []
    for row in reversed(range(int(gold.starts[tree]), int(gold.starts[tree + 1]))):
        node, position = int(gold.row[row]), int(gold.head[row]) - offset
        if missed[position, node]:
            continue
        name = comparison.constructions[int(gold.construction[row])]
        is_recursive = comparison.constructions.recurs(name)
        span = differing[Kind.SPAN].get(node)
        right = differing[Kind.SPAN_RIGHT].get(node)
        attachment = differing[Kind.ATTACHMENT].get(node)
        governor, _ = governor_name(int(gold.attachment[row]), offset, words)
        listed.append(
            Event(
                position,
                words[position],
                name,
                "match",
                "same" if span is None else _differing_spans(*span),
                "-" if is_recursive else _attachment(attachment, governor),
                "same"
                if right is None
                else f"gold {right[0].last}, parsed {right[1].last}",
            )
        )
    return listed


def _error_event(instance: Instance, event: str) -> Event:
    one = instance.gold or instance.parsed
    assert one is not None
    span = f"{one.first}-{one.last}"
    blank = ""
    return Event(
        instance.position, instance.word, one.construction, event, span, blank, blank
    )


def _differing_spans(gold: Projection, parsed: Projection) -> str:
    return f"gold {gold.first}-{gold.last}, parsed {parsed.first}-{parsed.last}"


def _attachment(
    differing: tuple[Projection, Projection] | None, governor: str | None
) -> str:
    if differing is None:
        return f"same ({governor or 'null'})"
    gold, parsed = (one.governor or "null" for one in differing)
    return f"gold {gold}, parsed {parsed}"
