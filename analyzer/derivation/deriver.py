"""What turns trees into derivation trees: one protocol for syntax and discourse.

All that compares derivation trees asks a deriver, and need not know which family of
trees it has before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from analyzer.constructions.inventory import Inventory
from analyzer.constructions.labeller import Labeller
from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.columns import Derivation
from analyzer.formats.registry import Family
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.words import Side, align
from analyzer.transform.label_tables import LabelTables

if TYPE_CHECKING:
    from analyzer.transform.function_tags import FunctionTags
    from analyzer.transform.labels import LabelHint


class Deriver(Protocol):
    """How trees are derived, and what that depends on. It can be pickled."""

    @property
    def family(self) -> Family:
        """Which family of trees it derives."""
        ...

    @property
    def noun(self) -> str:
        """What one tree is: a sentence, a document."""
        ...

    @property
    def bracket_name(self) -> str:
        """What the join on spans and labels, without heads, is called."""
        ...

    @property
    def has_tags(self) -> bool:
        """Whether leaves have tags, and phrases labels beside their construction."""
        ...

    @property
    def tables(self) -> LabelTables:
        """What the parameters mean for each label; whether words are compared."""
        ...

    @property
    def function_tags(self) -> FunctionTags | None:
        """What function tags labels have, if they are to be scored."""
        ...

    @property
    def inventory(self) -> Inventory: ...

    @property
    def labeller(self) -> Labeller:
        """What knows productions by their numbers."""
        ...

    @property
    def constructions(self) -> ConstructionNames:
        """What the numbers in its derivations mean, and which constructions recur."""
        ...

    @property
    def label_hint(self) -> LabelHint | None:
        """Whose labels the trees seem to have that were derived here, if others."""
        ...

    @property
    def settings(self) -> Mapping[str, object]:
        """All that can move a number, in the order in which a signature has it."""
        ...

    def derive(self, side: Side) -> Derivation:
        """The derivation trees of one side of an alignment."""
        ...


def derive_alone(bank: Treebank, deriver: Deriver) -> Derivation:
    """The derivation trees of a treebank by itself."""
    return deriver.derive(align(Pair(bank, bank, 1), deriver.tables).gold)


def naming_settings(
    inventory: Inventory, constructions: ConstructionNames, tables: LabelTables
) -> dict[str, object]:
    """What names constructions and what is deleted, as every signature tells it."""
    given = tables.parameters
    return {
        "patterns": f"{inventory.name}/{inventory.hash}",
        "merged": tuple(f"{a}={b}" for a, b in sorted(constructions.merged.items())),
        "params": given.name,
        **given.labels.root_settings,
        "deleted": given.deleted_names,
        "equal": tuple("=".join(pair) for pair in given.equal_labels),
        "quotes": given.quotes,
    }
