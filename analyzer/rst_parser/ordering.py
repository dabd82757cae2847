"""In which order a head's dependents are attached: left against right.

On each side they are attached from the inside out (Morey et al. 2018, section 4.1).
Which side is next, where both have some left, is learnt: a yes-or-no choice between
the next one to the left and the next one to the right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from analyzer.model.arrays import Floats, Ints
from analyzer.model.dependencies import DependencyTree
from analyzer.rst_parser.edus import EduTable
from analyzer.rst_parser.fitting import Weights, train_choice
from analyzer.rst_parser.hashing import Hashes, hash_of, hashes, mixed
from analyzer.rst_parser.linear import Rows, Vocabulary, scores
from analyzer.rst_parser.templates import parsed

# l: the next dependent to the left, r: to the right, h: their head.
_TEMPLATES = """
bias; l.rel; r.rel; l.rel r.rel; near; levels; levels l.rel; levels r.rel; levels
l.rel r.rel; near l.rel; near r.rel; near l.rel r.rel; l.conn; r.conn; h.conn; l.conn
r.rel; l.rel r.conn; l.hf; r.hf; h.hf; l.hf r.hf; h.hf l.hf; h.hf r.hf; l.w1; r.w1;
l.rel h.hf; r.rel h.hf; l.len; r.len; h.len; l.ps; r.ps; h.ps; h.pp; l.pp; r.pp; h.pd;
levels h.pp; levels h.pd; levels near; l.heading; l.heading r.rel; levels l.heading;
r.end; h.end; l.end; h.end r.rel; l.turn; r.turn; h.turn; l.q; r.q; l.rel h.ps r.rel;
ldist; rdist; ldist rdist; levels ldist; levels rdist; ldist l.rel; rdist r.rel; more;
more levels; more r.rel
"""


@dataclass(frozen=True)
class OrderModel:
    vocabulary: Vocabulary
    weights: Weights


@dataclass(frozen=True)
class Choices:
    """Left and right dependents that compete for being attached next to a head."""

    left: Ints
    right: Ints
    head: Ints
    more: Ints  # dependents to the right that are still to come


def order_columns(
    edus: EduTable,
    relations: Hashes,
    levels: Ints,
    choices: Choices,
) -> list[Hashes]:
    """levels: in which stage each EDU was attached."""
    at = {"l": choices.left, "r": choices.right, "h": choices.head}
    left = np.abs(choices.head - choices.left)
    right = np.abs(choices.right - choices.head)
    known: dict[str, Hashes] = {
        "bias": _small(left * 0),
        "near": _small(np.sign(left - right) + 1),
        "levels": _small(levels[choices.left] * 4 + levels[choices.right]),
        "ldist": _small(np.minimum(left, 12)),
        "rdist": _small(np.minimum(right, 12)),
        "more": _small(np.minimum(choices.more, 3)),
    }

    def atom(name: str) -> Hashes:
        if name not in known:
            side, _, rest = name.partition(".")
            column = relations if rest == "rel" else edus.atoms[rest]
            known[name] = column[at[side]]
        return known[name]

    return [
        mixed(" ".join(one), *(atom(name) for name in one))
        for one in parsed(_TEMPLATES)
    ]


def _small(values: Ints) -> Hashes:
    kinds = hashes([str(number) for number in range(64)])
    return kinds[np.clip(values, 0, 63)]


def relation_hashes(labels: Sequence[tuple[str, str]]) -> Hashes:
    return np.array([hash_of("/".join(label)) for label in labels], np.uint64)


def gold_choices(trees: Sequence[DependencyTree]) -> tuple[Choices, Ints]:
    """What trees with ranks chose, and whether the left came first (1) or the right."""
    rows: list[tuple[int, ...]] = []
    found: list[int] = []
    before = 0
    for tree in trees:
        assert tree.ranks is not None
        for head, dependents in enumerate(tree.dependents()):
            left = [edu for edu in reversed(dependents) if edu < head]
            right = [edu for edu in dependents if edu > head]
            if not head or not left or not right:
                continue
            ranks = tree.ranks
            while left and right:
                row = left[0], right[0], head, len(right) - 1
                rows.append((*(before + edu - 1 for edu in row[:3]), row[3]))
                is_left = ranks[left[0] - 1] <= ranks[right[0] - 1]
                found.append(int(is_left))
                (left if is_left else right).pop(0)
        before += len(tree)
    return _choices(rows), np.array(found, np.int64)


def _choices(rows: Sequence[tuple[int, ...]]) -> Choices:
    table = np.array(rows, np.int64).reshape(-1, 4)
    return Choices(table[:, 0], table[:, 1], table[:, 2], table[:, 3])


def train_order(
    edus: EduTable,
    trees: Sequence[DependencyTree],
    labels: Sequence[tuple[str, str]],
    levels: Ints,
    *,
    strength: float,
    least: int,
    steps: int,
) -> OrderModel:
    choices, gold = gold_choices(trees)
    columns = order_columns(edus, relation_hashes(labels), levels, choices)
    known, rows = Vocabulary.learn(columns, least)
    weights = train_choice(
        rows,
        gold,
        size=len(known),
        strength=strength,
        steps=steps,
    )
    return OrderModel(known, weights)


def ranks_of(heads: Ints, scorer: Callable[[Choices], Floats]) -> Ints:
    """The rank of each EDU, from 1; heads: -1 for roots. All heads choose at once."""
    by_head: dict[int, tuple[list[int], list[int]]] = {}
    for edu, head in enumerate(heads.tolist()):
        if head >= 0:
            left, right = by_head.setdefault(head, ([], []))
            (left if edu < head else right).append(edu)
    ranks = np.ones(len(heads), np.int64)
    pending = []
    for head, (left, right) in by_head.items():
        left.reverse()
        if left and right:
            pending.append((head, left, right))
        else:
            ranks[left or right] = np.arange(1, len(left or right) + 1)
    done = dict.fromkeys(by_head, 0)
    while pending:
        rows = [
            (left[0], right[0], head, len(right) - 1) for head, left, right in pending
        ]
        is_left = (scorer(_choices(rows)) > 0).tolist()
        remaining = []
        for goes_left, (head, left, right) in zip(is_left, pending, strict=True):
            done[head] += 1
            ranks[(left if goes_left else right).pop(0)] = done[head]
            if left and right:
                remaining.append((head, left, right))
            else:
                rest = left or right
                ranks[rest] = done[head] + np.arange(1, len(rest) + 1)
        pending = remaining
    return ranks


def order_scores(
    model: OrderModel,
    table: Rows,
    edus: EduTable,
    relations: Hashes,
    levels: Ints,
    choices: Choices,
) -> Floats:
    """More than 0 where the left one is attached first."""
    columns = order_columns(edus, relations, levels, choices)
    return scores(table, columns, model.weights)


def order_templates() -> int:
    """How many templates there are."""
    return len(parsed(_TEMPLATES))
