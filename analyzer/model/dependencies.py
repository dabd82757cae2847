"""Dependency trees of discourse: one entry an EDU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from analyzer.exceptions import Place, RstError
from analyzer.model.discourse import Unit

ROOT_RELATION = "ROOT"


@dataclass
class DependencyTree:
    """One entry for each EDU, in the order of the text.

    heads: the EDU it depends on, from 1; 0 for the root.
    relations: the root's is `ROOT`.
    nuclearities: N (a further nucleus of its head) or S; the root's is N. None if the
        tree does not say.
    ranks: bottom up from 1, when it was attached to its head; those attached together,
        in one n-ary unit, share a rank. The root's is 1. None if the tree has no order.
    sentences: numbers of the sentences, where they are known.
    odd_nuclei: by head and rank, the relation of the nucleus that holds the head where
        it is not what its dependents say (a list whose first nucleus is no List).
    """

    heads: list[int]
    relations: list[str]
    nuclearities: list[str] | None = None
    ranks: list[int] | None = None
    texts: list[str] = field(default_factory=list)
    sentences: list[int] | None = None
    odd_nuclei: Mapping[tuple[int, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.texts:
            self.texts = [""] * len(self.heads)

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def root(self) -> int:
        """The EDU, from 1, that depends on none."""
        return self.heads.index(0) + 1

    def dependents(self) -> list[list[int]]:
        """By head, 0 for the root's: its dependents from left to right."""
        found: list[list[int]] = [[] for _ in range(len(self) + 1)]
        for edu, head in enumerate(self.heads, start=1):
            found[head].append(edu)
        return found

    def label(self, edu: int) -> str:
        """Relation and order, as the paper writes them.

        >>> DependencyTree([0, 1], ["ROOT", "attribution"], ranks=[1, 2]).label(2)
        'attribution#2'
        """
        relation = self.relations[edu - 1]
        if self.ranks is None or not self.heads[edu - 1]:
            return relation
        return f"{relation}#{self.ranks[edu - 1]}"


DiscourseTree = Unit | DependencyTree


def checked(tree: DependencyTree, source: str = "<d-tree>") -> list[int]:
    """The EDUs, every dependent before its head; RstError if this is no tree.

    >>> checked(DependencyTree([2, 0, 2], ["a", "ROOT", "b"]))
    [3, 1, 2]
    >>> checked(DependencyTree([2, 1], ["a", "b"]))
    Traceback (most recent call last):
    analyzer.exceptions.RstError: <d-tree>: no root: no EDU has head 0
    """
    _check_lengths(tree, source)
    dependents = tree.dependents()
    if not dependents[0]:
        raise RstError("no root: no EDU has head 0", Place(source), code="E331")
    if len(dependents[0]) > 1:
        first, second = dependents[0][:2]
        raise RstError(
            "two roots: EDU {first} and EDU {second}",
            Place(source),
            code="E372",
            first=first,
            second=second,
        )
    order = [tree.root]
    for edu in order:  # grows while it is read
        order.extend(dependents[edu])
    if len(order) < len(tree):
        lost = min(set(range(1, len(tree) + 1)) - set(order))
        raise RstError(
            "EDU {lost} does not lead to the root: there is a cycle above it",
            Place(source),
            code="E373",
            lost=lost,
        )
    return order[::-1]


def _check_lengths(tree: DependencyTree, source: str) -> None:
    count = len(tree)
    if not count:
        raise RstError("no EDUs", Place(source), code="E374")
    for name in ("relations", "nuclearities", "ranks", "texts", "sentences"):
        values = getattr(tree, name)
        if values is not None and len(values) != count:
            raise RstError(
                "{count} {name} for {count_2} EDUs",
                Place(source),
                code="E375",
                count=len(values),
                name=name,
                count_2=count,
            )
    for edu, head in enumerate(tree.heads, start=1):
        if not 0 <= head <= count:
            raise RstError(
                "EDU {edu} has head {head}; there are EDUs 1 to {count}",
                Place(source),
                code="E376",
                edu=edu,
                head=head,
                count=count,
            )
