"""What a parser made of some texts: a result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from analyzer.exceptions import AnalyzerError
from analyzer.metrics.signature import Signature
from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import Documents, Unit
from analyzer.pairing.ledger import DOCUMENT, Ledger, LeftOut, Reason
from analyzer.safe_text import counted
from analyzer.transform.head_order import constituent_tree

if TYPE_CHECKING:
    import pandas as pd

_DIGITS = 4  # of a probability


class EduRow(NamedTuple):
    """An EDU as it was attached: to which one (0: none), how, and how surely."""

    document: str
    edu: int
    text: str
    head: int
    relation: str
    nuclearity: str
    rank: int
    head_probability: float
    relation_probability: float


class ParsedDocument(NamedTuple):
    """A document's tree, and how sure the parser is of every part of it.

    governors, labels: by EDU, the probability of its governor and of its relation.
    """

    name: str
    tree: DependencyTree
    governors: list[float]
    labels: list[float]

    @property
    def unit(self) -> Unit:
        """The tree as constituents."""
        return constituent_tree(self.tree, source=self.name)

    @property
    def edus(self) -> list[EduRow]:
        tree = self.tree
        assert tree.nuclearities is not None
        assert tree.ranks is not None
        return [
            EduRow(
                self.name,
                at + 1,
                tree.texts[at],
                tree.heads[at],
                tree.relations[at],
                tree.nuclearities[at],
                tree.ranks[at],
                round(self.governors[at], _DIGITS),
                round(self.labels[at], _DIGITS),
            )
            for at in range(len(tree))
        ]


@dataclass(frozen=True, repr=False)
class ParsedTexts:
    """What `RstParser.parse` gives back: one row a document, and what was left out."""

    rows: list[ParsedDocument]
    ledger: Ledger = field(default_factory=lambda: Ledger(DOCUMENT))
    signature: Signature = field(default_factory=Signature.of)

    @property
    def left_out(self) -> list[LeftOut]:
        """Texts that could not be parsed, and why."""
        return self.ledger.left_out

    @property
    def problems(self) -> list[AnalyzerError]:
        """What could not be read."""
        return self.ledger.unread

    @cached_property
    def documents(self) -> Documents:
        """The trees as constituents, to score or to write."""
        return Documents.of_units(
            ((one.name, one.unit) for one in self.rows), "<parsed>"
        )

    def frame(self) -> pd.DataFrame:
        """One row an EDU, as a table of pandas."""
        import pandas as pd

        edus = [edu for one in self.rows for edu in one.edus]
        return pd.DataFrame(edus, columns=EduRow._fields)

    def __getstate__(self) -> dict[str, object]:
        """Without what is made when it is first asked for."""
        return {name: getattr(self, name) for name in ("rows", "ledger", "signature")}

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ParsedDocument]:
        return iter(self.rows)

    def __repr__(self) -> str:
        edus = counted(sum(len(one.tree) for one in self.rows), "EDU")
        return f"<ParsedTexts: {counted(len(self), 'document')}, {edus}>"


def parsed_ledger(parsed: int, problems: Sequence[AnalyzerError]) -> Ledger:
    """So many texts were parsed; these could not be read."""
    items = tuple(LeftOut(0, Reason.UNREADABLE, error) for error in problems)
    total = parsed + len(items)
    return Ledger(DOCUMENT, total, total, parsed, items)
