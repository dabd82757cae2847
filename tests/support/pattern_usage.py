"""Lists of labels, and what an inventory's patterns match in texts."""

from __future__ import annotations

from analyzer import (
    Inventory,
    Labeller,
    read_trees,
)
from analyzer.checks.inventory import (
    Usage,
    usage_of,
)
from analyzer.derivation.syntax import syntax_deriver


def used(inventory: Inventory, *files: str) -> tuple[Usage, Labeller]:
    deriver = syntax_deriver(patterns=inventory)
    return usage_of(map(read_trees, files), deriver), deriver.labeller


def listed(text: str) -> list[str]:
    return text.split()
