"""How many constituent trees a dependency tree without order stands for.

A head with n dependents on its left and m on its right can take them in U(n, m) orders,
because those on one side come from the inside out: U(n, m) = U(n-1, m) + U(n, m-1),
U(n, 0) = U(0, m) = 1, so U(n, m) = (n+m)! / (n! m!) (2018, Proposition 4). The orders
of different heads are independent: their numbers multiply. With the order known, there
is one tree (Proposition 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

from analyzer.exceptions import AnalyzerError, RstError
from analyzer.formats.documents import DocumentSource, as_documents
from analyzer.metrics.signature import Signature
from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import NUCLEUS
from analyzer.pairing.ledger import DOCUMENT, Ledger, of_one_side
from analyzer.safe_text import counted
from analyzer.transform.binarize import Direction
from analyzer.transform.binarize import binarize as binarize_tree
from analyzer.transform.documents import DocumentShape
from analyzer.transform.head_order import dependency_tree
from analyzer.transform.relations import FINE, RelationMap, map_relations

if TYPE_CHECKING:
    import pandas as pd


class Ambiguity(NamedTuple):
    """What a d-tree without order leaves open."""

    edus: int
    spiders: int  # heads with dependents on both sides: where the ambiguity is
    binary: int  # binary c-trees: strict orders (Proposition 4)
    all: int  # c-trees, n-ary ones included: weak orders


class AmbiguityRow(NamedTuple):
    document: str
    edus: int
    spiders: int
    binary: int
    all: int


@dataclass(frozen=True, repr=False)
class AmbiguityCounts:
    """What `ambiguity` gives back: one row a document, and those left out."""

    rows: list[AmbiguityRow]
    left_out: list[AnalyzerError]  # documents that no dependencies stand for
    shape: DocumentShape = field(default_factory=DocumentShape)
    problems: Sequence[RstError] = ()  # documents that could not be read

    @property
    def ledger(self) -> Ledger:
        """How many documents there are, and which were not counted."""
        errors = [*self.problems, *self.left_out]
        return of_one_side(DOCUMENT, len(self.rows) + len(errors), errors)

    @property
    def total(self) -> Ambiguity:
        """Of all documents: their numbers multiply."""
        return Ambiguity(
            sum(row.edus for row in self.rows),
            sum(row.spiders for row in self.rows),
            prod(row.binary for row in self.rows),
            prod(row.all for row in self.rows),
        )

    @property
    def signature(self) -> Signature:
        return Signature.of(
            scorer="rst-ambiguity",
            binarize=self.shape.binarize,
            relations=self.shape.relations_name,
        )

    def frame(self) -> pd.DataFrame:
        """The rows as a table of pandas."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=AmbiguityRow._fields)

    def __repr__(self) -> str:
        spiders = counted(self.total.spiders, "spider")
        return f"<AmbiguityCounts: {counted(len(self.rows), 'document')}, {spiders}>"

    def _repr_html_(self) -> str:
        from reports.notebook import ambiguity_html

        return ambiguity_html(self)


def ambiguity(
    *sources: DocumentSource,
    binarize: Direction | str = Direction.RIGHT,
    relations: str | RelationMap | None = FINE,
    strict: bool = False,
    encoding: str = "utf-8",
) -> AmbiguityCounts:
    """How many constituent trees fit the dependencies of documents.

    >>> ambiguity("(NS-Cause (SN-Attribution (1) (2)) (3))").rows
    [AmbiguityRow(document='text', edus=3, spiders=1, binary=2, all=3)]
    """
    shape = DocumentShape(binarize, relations)
    rows: list[AmbiguityRow] = []
    left_out: list[AnalyzerError] = []
    problems: list[RstError] = []
    for source in sources:
        documents = as_documents(source, encoding=encoding, strict=strict)
        problems += documents.problems
        for name, root in documents:
            mapped = map_relations(root, shape.relation_map)
            try:
                tree = dependency_tree(binarize_tree(mapped, binarize), source=name)
            except AnalyzerError as error:
                if strict:
                    raise
                left_out.append(error)
                continue
            rows.append(AmbiguityRow(name, *count_orders(tree)))
    return AmbiguityCounts(rows, left_out, shape, problems)


def count_orders(tree: DependencyTree) -> Ambiguity:
    """Count the orders of a d-tree, whether it has one or not.

    Of n-ary units, those that RST has are counted (Constraint 1): one nucleus and its
    satellites, or nuclei of one relation. Without nuclearities all are satellites.

    >>> figure_5 = DependencyTree([2, 0, 2], ["R1", "ROOT", "R2"])
    >>> count_orders(figure_5)
    Ambiguity(edus=3, spiders=1, binary=2, all=3)
    """
    sides = _sides(tree)
    return Ambiguity(
        edus=len(tree),
        spiders=sum(bool(left and right) for left, right in sides),
        binary=prod(
            comb(len(lefts) + len(rights), len(lefts)) for lefts, rights in sides
        ),
        all=prod(_weak_orders(tree, left, right) for left, right in sides),
    )


def _sides(tree: DependencyTree) -> list[tuple[list[int], list[int]]]:
    """Of every head: its left and its right dependents, from the inside out."""
    return [
        (
            [edu for edu in reversed(dependents) if edu < head],
            [edu for edu in dependents if edu > head],
        )
        for head, dependents in enumerate(tree.dependents())
        if head and dependents
    ]


def _weak_orders(tree: DependencyTree, left: list[int], right: list[int]) -> int:
    """Ways to attach the dependents in groups.

    Counted item by item, the left ones of a group before its right ones: `on_left[j]`
    counts the ways to have attached the first i left and the first j right ones with
    a left one last, `on_right[j]` with a right one last.
    """

    def may_join(edu: int, inside: int | None) -> bool:
        """Whether it can be in one unit with the one attached just before it."""
        kinds = [_kind(tree, edu), _kind(tree, inside)]
        return kinds[0] == kinds[1]

    on_left, on_right = [0] * (len(right) + 1), [0] * (len(right) + 1)
    for i in range(len(left) + 1):
        now_left, now_right = [0] * (len(right) + 1), [0] * (len(right) + 1)
        for j in range(len(right) + 1):
            if i == j == 0:
                continue
            starts = int(i + j == 1)  # nothing is attached before the first one
            if i:
                # A new group after anything, or the same one after a left one.
                same = on_left[j] if i > 1 and may_join(left[i - 1], left[i - 2]) else 0
                now_left[j] = on_left[j] + on_right[j] + same + starts
            if j:
                before_left, before_right = now_left[j - 1], now_right[j - 1]
                now_right[j] = before_left + before_right + starts
                if j > 1 and may_join(right[j - 1], right[j - 2]):
                    now_right[j] += before_right
                if i and may_join(right[j - 1], left[i - 1]):
                    now_right[j] += before_left
        on_left, on_right = now_left, now_right
    return on_left[-1] + on_right[-1] if left or right else 1


def _kind(tree: DependencyTree, edu: int | None) -> str:
    """Dependents of the same kind can stand in one unit: all satellites, or nuclei of
    the same relation."""
    if edu is None or tree.nuclearities is None:
        return ""
    return tree.relations[edu - 1] if tree.nuclearities[edu - 1] == NUCLEUS else ""
