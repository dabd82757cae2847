"""Random pairs of trees that differ as a parser's output does, and their inventory."""

from __future__ import annotations

from hypothesis import strategies as st

from analyzer import (
    parse_inventory,
)
from tests.support.strategies import Plain, grouped

# Small, with gaps: many random nodes are uncovered. X-t is recursive on purpose.
SMALL = parse_inventory(
    r"""
    mark COMMA = ','
    ADJP-t, ADVP-t: ^(TAG|NT|NML)*(head:TAG) (NT)*$
    S-vp, SQ-vp: ^([^\ ]+)*(head:VP)$
    S-crd: ^(head:S) (S)* CONJ S$
    NP-modr: ^(head:NP) (SBAR|S|VP|ADJP|PP|ADVP|NP)+$
    NP-crd: ^(head:NP) (NP)* (CONJ|CONJP) NP$
    NP-t: ^(?!TAG* COMMA)(TAG|NML|QP)* (head:TAG) (PP|SBAR)*$
    NP-lst: ^(head:TAG) (TAG* COMMA TAG*)+ NT?$
    NP-nml: ^(TAG)* (head:NML)$
    VP-t: ^(RB|ADVP)* (head:TAG) (NP|PP|S|SBAR|ADVP|PRT)*$
    VP-aux: ^TAG (RB|ADVP)* (head:VP)$
    VP-crd: ^ (head:VP) (VP)* CONJ VP$
    PP-t: ^(ADVP)* (head:TAG) NT$
    PRT-t: ^(head:TAG)$
    CONJP-t: ^TAG* (head:TAG)$
    X-t: ^(head:X) ANY*$
    FRAG-nt: ^(head:NP) (NP|PP)*$
    """,
    name="small",
)

# What a tree of the Penn Treebank may hold, the awkward things often: wrappers and
# deleted labels anywhere, function tags, equated labels, labels that no pattern knows.
_PHRASES = st.sampled_from(
    [
        *(
            "NP",
            "NP",
            "NP",
            "VP",
            "VP",
            "VP",
            "S",
            "S",
            "PP",
            "NP-SBJ-1",
            "NP=2",
            "S-TPC",
        ),
        *("SBAR", "ADVP", "PRT", "ADJP", "NML", "CONJP", "QP", "WHNP", "SQ", "SINV"),
        *("FRAG", "UCP", "PRN", "INTJ", "X", "NX", "EDITED", "NP|QP", "-NONE-", ","),
        *("TOP", "ROOT", "S1", "VROOT", "", "."),
    ]
)
_TAGS = st.sampled_from(
    [
        *(
            "NN",
            "NN",
            "NNP",
            "DT",
            "JJ",
            "VB",
            "VBZ",
            "MD",
            "IN",
            "TO",
            "RB",
            "RP",
            "CC",
        ),
        *("CC", "PRP", "PRP$", "POS", "CD", "$", "-LRB-", "UH", "WDT", "NP", "VP"),
        *("-NONE-", ",", ":", "``", "''", "."),
    ]
)
_WORDS = st.sampled_from(["a", "trip", "é", "and", "*T*-1", ","])
_GROUP = st.tuples(st.integers(0, 9), st.integers(0, 4), _PHRASES)
_EDIT = st.tuples(st.integers(0, 14), st.sampled_from("dic"), _GROUP)


def _edited(groups: list, edits: list) -> list:
    """Some groups deleted, inserted and changed, as a parser's errors would be."""
    groups = list(groups)
    for at, edit, group in edits:
        at %= len(groups) + 1
        groups[at : at + (edit != "i")] = [] if edit == "d" else [group]
    return groups


@st.composite
def _tree_pair(draw: st.DrawFn) -> tuple[list[Plain], list[Plain]]:
    """Roots of gold and parsed: mostly one, mostly over the same words."""
    leaves = draw(st.lists(st.tuples(_TAGS, _WORDS), min_size=1, max_size=10))
    groups = draw(st.lists(_GROUP, min_size=1, max_size=14))
    edits = draw(st.lists(_EDIT, max_size=4))
    changed = list(leaves)
    if draw(st.integers(0, 3)) == 0:
        at = draw(st.integers(0, len(leaves) - 1))
        changed[at] = (draw(_TAGS), leaves[at][1])
    if draw(st.integers(0, 19)) == 0:
        changed.pop()
    roots = [grouped(leaves, groups), grouped(changed, _edited(groups, edits))]
    for side in roots:
        if draw(st.integers(0, 3)):
            side[:] = [(draw(_PHRASES), tuple(side))]
    return roots[0], roots[1]


def tree_pairs() -> st.SearchStrategy[list[tuple[list[Plain], list[Plain]]]]:
    return st.lists(_tree_pair(), min_size=1, max_size=5)
