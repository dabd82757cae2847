"""Two patterns that match one production are found."""

from __future__ import annotations

from collections import Counter

from analyzer import (
    parse_inventory,
)
from analyzer.checks.inventory import (
    check_overlap,
)
from tests.support.pattern_usage import used


def test_overlap_is_found_and_named() -> None:
    inventory = parse_inventory("NP-t: ANY* (head:NN)\nNP-u: (head:NP) ANY*")
    usage, labeller = used(
        inventory, "(NP (NN a))\n(S (NP (NP (NN b)) (NN c)))\n(NP (NP (NN d)) (NN e))\n"
    )
    (finding,) = check_overlap(usage, labeller)
    assert (finding.code, finding.place) == ("P104", "<text>:2")
    assert finding.message == (
        "NP -> NP NN is matched by NP-t and NP-u (2 times): (NP (NP (NN b)) (NN c))"
    )
    assert usage.constructions == Counter({"NP-t": 5})
    assert (usage.brackets, usage.uncovered) == (6, 1)  # S
