"""Lists of labels, and what an inventory's patterns match in texts."""

from __future__ import annotations

from analyzer import (
    Inventory,
    Labeller,
    read_trees,
)
from analyzer.analyses.score import settings as scoring_settings
from analyzer.checks.inventory import (
    Usage,
    usage_of,
)


def used(inventory: Inventory, *files: str) -> tuple[Usage, Labeller]:
    tables, labeller = scoring_settings(patterns=inventory)
    return usage_of(map(read_trees, files), tables, labeller), labeller


def listed(text: str) -> list[str]:
    return text.split()
