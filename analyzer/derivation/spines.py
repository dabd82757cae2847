"""A sentence's derivation tree as people read it, and its score events word by word.

For printing and drawing one sentence at a time; nothing that scores uses this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.analyses.errors import (
    Instance,
    Kind,
    Projection,
    SentenceWords,
    governor_name,
    instances,
)
from analyzer.constructions.labeller import Labeller
from analyzer.derivation.columns import Derivation
from analyzer.metrics.constructions import Comparison
from analyzer.model.symbols import Ints
from analyzer.model.tree import Tree
from analyzer.model.treebank import Treebank, TreebankBuilder
from analyzer.pairing.in_step import SentencePair


class Spine(NamedTuple):
    """The elementary tree of one word: its constructions, and where it attaches."""

    position: int
    word: str
    tag: str
    constructions: tuple[str, ...]  # bottom up
    governor: int | None  # position of the word it attaches to; None: the root
    at: str | None  # the governor's construction it attaches to

    def __str__(self) -> str:
        spine = " ".join((self.word, *self.constructions))
        return spine if self.at is None else f"{spine} @{self.at}"


def spines_of(
    bank: Treebank,
    derivation: Derivation,
    labeller: Labeller,
    *,
    tree: int,
    leaves: Ints,
    first_word: int,
) -> list[Spine]:
    """The spines of a tree, one a word, in order.

    `leaves` are its compared ones; `first_word` is the number of the first.
    """
    view = bank[tree]
    rows = range(int(derivation.starts[tree]), int(derivation.starts[tree + 1]))
    of_node = {int(derivation.row[row]): row for row in rows}
    by_head: dict[int, list[int]] = {}
    for row in rows:
        by_head.setdefault(int(derivation.head[row]) - first_word, []).append(row)

    def name(row: int) -> str:
        return labeller.names[int(derivation.construction[row])]

    spines = []
    for position, leaf in enumerate(leaves.tolist()):
        own = by_head.get(position, [])  # top down
        node = int(derivation.row[own[0]]) if own else int(bank.leaf_node[leaf])
        above = view.parent_row[node]
        while above is not None and above not in of_node:
            above = view.parent_row[above]
        governor = at = None
        if above is not None:
            parent = of_node[above]
            governor, at = int(derivation.head[parent]) - first_word, name(parent)
        tag = bank.label_name(int(bank.leaf_node[leaf]))
        names = tuple(name(row) for row in reversed(own))
        spines.append(Spine(position, bank.form(leaf), tag, names, governor, at))
    return spines


class DrawnDerivation(NamedTuple):
    """A derivation tree in the form of a tree, and which spine each node shows."""

    tree: Tree
    spine_of_row: dict[int, Spine]

    def marks(self, others: Sequence[Spine]) -> list[int]:
        """The nodes whose spine the other derivation has not, or attaches elsewhere."""
        same = {(one.position, one.constructions, one.governor) for one in others}
        return [
            row
            for row, spine in self.spine_of_row.items()
            if (spine.position, spine.constructions, spine.governor) not in same
        ]


def drawn(spines: Sequence[Spine]) -> DrawnDerivation:
    """The derivation tree as a tree that can be drawn.

    A spine is a node: its constructions, and after '@' the one it attaches to. Its
    word stands among the spines that attach to it, in the order of the sentence.
    """
    dependents: dict[int | None, list[Spine]] = {}
    for spine in spines:
        dependents.setdefault(spine.governor, []).append(spine)
    builder = TreebankBuilder("derivation")
    spine_of_row: dict[int, Spine] = {}
    row = 0
    # What is still to come: a spine with all that attaches to it, the word of a
    # spine that is open, or (None) the end of one.
    pending: list[tuple[Spine, bool] | None] = [
        (spine, True) for spine in reversed(dependents.get(None, []))
    ]
    while pending:
        item = pending.pop()
        if item is None:
            builder.close()
            continue
        spine, is_whole = item
        attached = f" @{spine.at}" if is_whole and spine.at else ""
        if is_whole:
            spine_of_row[row] = spine
        row += 1
        if not is_whole or not spine.constructions:
            builder.leaf(spine.tag + attached, spine.word)
            continue
        builder.open(" ".join(spine.constructions) + attached)
        inner = [(one, True) for one in dependents.get(spine.position, [])]
        inner.append((spine, False))
        inner.sort(key=lambda pair: pair[0].position)
        pending.append(None)
        pending.extend(reversed(inner))
    builder.end_tree(line=1)
    return DrawnDerivation(builder.finish()[0], spine_of_row)


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
    labeller: Labeller,
    trees: Sequence[int],
) -> dict[int, list[Event]]:
    """The score events of some of the sentences, word by word, bottom up."""
    found: dict[int, dict[Kind, list[Instance]]] = {
        tree: {kind: [] for kind in Kind} for tree in trees
    }
    for kind in Kind:
        for one in instances(pair, comparison, labeller, kind):
            tree = one.sentence - pair.first_sentence
            if tree in found:
                found[tree][kind].append(one)
    order = {"match": 0, "recall error": 1, "precision error": 2}
    text = SentenceWords(pair, comparison)
    listed: dict[int, list[Event]] = {}
    for tree, errors in found.items():
        of_tree = _match_events(comparison, labeller, text, tree, errors)
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
    labeller: Labeller,
    text: SentenceWords,
    tree: int,
    found: dict[Kind, list[Instance]],
) -> list[Event]:
    """Matches: gold's constructions less the missed ones, each with what differs."""
    gold = comparison.gold
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
        name = labeller.names[int(gold.construction[row])]
        is_recursive = bool(labeller.is_recursive[int(gold.construction[row])])
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
