"""Derivation trees of syntax: normalised as evalb does, named by an inventory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from analyzer.constructions.inventory import Inventory
from analyzer.constructions.labeller import Labeller
from analyzer.constructions.language import load_inventory
from analyzer.constructions.names import ConstructionNames, Merge, merged_names
from analyzer.derivation.brackets import counted_brackets
from analyzer.derivation.columns import Derivation, derive
from analyzer.derivation.deriver import naming_settings
from analyzer.exceptions import SettingsError
from analyzer.formats.registry import Family
from analyzer.pairing.words import Side
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.labels import DEFAULT_INVENTORY, LabelHint, LabelSet, label_hint
from analyzer.transform.parameters import EvalbParameters, parameters_for

if TYPE_CHECKING:
    from analyzer.transform.function_tags import FunctionTags


@dataclass(frozen=True)
class SyntaxDeriver:
    """Derives the brackets that evalb compares."""

    tables: LabelTables
    labeller: Labeller
    function_tags: FunctionTags | None = None  # if they are to be scored

    family: ClassVar[Family] = Family.SYNTAX
    noun: ClassVar[str] = "sentence"
    bracket_name: ClassVar[str] = "evalb"
    has_tags: ClassVar[bool] = True

    @property
    def inventory(self) -> Inventory:
        return self.labeller.inventory

    @property
    def constructions(self) -> ConstructionNames:
        return self.labeller.constructions

    @property
    def label_hint(self) -> LabelHint | None:
        # Every distinct production counts once: how often each occurs is not kept.
        parents = Counter(self.labeller.parents)
        return label_hint(parents, self.inventory.labels)

    @property
    def settings(self) -> Mapping[str, object]:
        naming = naming_settings(self.inventory, self.constructions, self.tables)
        labels = self.tables.parameters.labels
        scored: dict[str, object] = {}
        if labels.function != self.inventory.labels.function:
            scored["function_separator"] = "".join(sorted(labels.function))
        if self.function_tags is not None:
            scored["functions"] = True
        return {**naming, "wrappers": "no construction", **scored}

    def derive(self, side: Side) -> Derivation:
        given = counted_brackets(side, self.tables)
        return derive(
            side.bank,
            row=given.row,
            first=given.first,
            last=given.last,
            key_label=given.key_label,
            phrase_label=given.label,
            tables=self.tables,
            leaves=side.word_leaves,
            leaf_word=given.words.start,
            labeller=self.labeller,
            wrappers=given.wrappers,
        )


def syntax_deriver(
    *,
    patterns: str | Inventory = DEFAULT_INVENTORY,
    params: str | EvalbParameters | None = None,
    merge: Merge | None = None,
    delete_label: Sequence[str] = (),
    no_root: bool = False,
    functions: bool = False,
    function_separator: str | None = None,
    **loading: Any,
) -> SyntaxDeriver:
    """A deriver by names: of an inventory, of a set of parameters.

    Without parameters, those of the inventory's labels count (for English: collins).
    Wrappers of whole trees have no construction; evalb counts them all the same,
    unless the parameters delete them or trees are read without them (`no_root`).
    """
    if isinstance(patterns, str):
        patterns = load_inventory(patterns)
    if no_root:
        patterns = replace(patterns, labels=patterns.labels.roots_left_out())
    labels = patterns.labels
    if function_separator is not None:
        from analyzer.transform.function_tags import with_separators

        labels = with_separators(labels, function_separator)
    parameters = parameters_for(labels, params, **loading)
    if delete_label:
        parameters = parameters.with_deleted(*delete_label)
    merged = merged_names(merge)
    known = {pattern.name for pattern in patterns.patterns}
    unknown = sorted({*merged, *merged.values()} - known)
    unknown = [name for name in unknown if not name.endswith("-t")]
    if unknown:
        raise SettingsError(
            "E514 no construction of that name in the inventory",
            unknown=unknown[0],
            name=patterns.name,
        )
    tags = None
    if functions:
        from analyzer.transform.function_tags import FunctionTags

        tags = FunctionTags(_with_features(labels, parameters))
    return SyntaxDeriver(
        LabelTables(parameters, wrappers=patterns.labels.wrapper),
        Labeller(patterns, merged),
        tags,
    )


def _with_features(labels: LabelSet, parameters: EvalbParameters) -> LabelSet:
    """The label set, with what the parameters say stands around features."""
    marks = labels.feature | ({parameters.features} - {""})
    return labels if marks == labels.feature else replace(labels, feature=marks)
