"""Golden files: where they are, and the commands' common arguments."""

from __future__ import annotations

from analyzer import __version__, load_inventory
from tests.support.data_paths import ROOT

GOLDEN = ROOT / "tests" / "golden"
FROZEN = "tests/data/frozen.pat"
WEB = ("examples/web.gold.mrg", "examples/web.greedy.mrg")
NEWS = ("examples/news.gold.mrg", "examples/news.greedy.mrg")
PATTERNS = ("--patterns", FROZEN)
SCORE = ("score", *NEWS, *PATTERNS)
FOLD = ("--merge", "NP-modr=NP-modr,NP-crd")


def steady(text: str) -> str:
    """Output without what changes from version to version."""
    text = text.replace(f"frozen/{load_inventory(FROZEN).hash}", "frozen/HASH")
    return text.replace(f"spinal:{__version__}", "spinal:VERSION")
