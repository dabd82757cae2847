"""The phrase labels of English, as the reference's two lists have them."""

from __future__ import annotations

_COMMON = """
    S SBAR SBARQ SINV SQ ADJP ADVP CONJP FRAG INTJ LST NAC NP NX PP PRN PRT QP RRC UCP
    VP WHADJP WHNP WHPP X
"""
PHRASES = frozenset(_COMMON.split())
# A slip of the reference, where it tells phrases from words: WHADVP is not among them.
PHRASES_MISSPELT = PHRASES | {"WHAVP"}
# Where it looks for the root of a tree.
PHRASES_BELOW_ROOTS = PHRASES | {"WHADVP", "NML"}
