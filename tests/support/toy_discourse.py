"""A stand-in for a discourse parser: enough to run DiscoTK from end to end.

It cuts at punctuation and before connectives, guesses the relation from the connective
and lets everything branch to the right, the first unit the nucleus. What it shows is
that the pipeline runs, and the mechanics of the kernels; it knows nothing of discourse.
"""

from __future__ import annotations

import re

from analyzer.model.discourse import NO_RELATION, SPAN, Unit

_WORDS = re.compile(r"\w+(?:[-'’]\w+)*|[^\w\s]")
_ENDS = frozenset(',;:.!?—–()"')
_CONNECTIVES = {
    **dict.fromkeys(("because", "since", "as"), "Cause"),
    **dict.fromkeys(("but", "although", "though", "while", "however"), "Contrast"),
    **dict.fromkeys(("and", "or"), "Joint"),
    **dict.fromkeys(("when", "before", "after", "until"), "Temporal"),
    **dict.fromkeys(("if", "unless"), "Condition"),
    **dict.fromkeys(("said", "says", "explained", "added"), "Attribution"),
    **dict.fromkeys(("to", "so"), "Enablement"),
}
_SHORTEST = 3  # words: shorter pieces go with the one before


def units(sentence: str) -> list[list[str]]:
    """The sentence's words, cut into units."""
    found: list[list[str]] = [[]]
    for word in _WORDS.findall(sentence):
        is_new = word.lower() in _CONNECTIVES
        if is_new and len(found[-1]) >= _SHORTEST:
            found.append([])
        found[-1].append(word)
        if word in _ENDS and len(found[-1]) > _SHORTEST:
            found.append([])
    if len(found) > 1 and len(found[-1]) < _SHORTEST:
        last = found.pop()
        found[-1] += last
    return found


def parse(sentence: str) -> Unit:
    """A right-branching tree over the units."""
    pieces = units(sentence)
    top: Unit | None = None
    for piece in reversed(pieces):
        edu = Unit("N", SPAN, text=" ".join(piece))
        if top is None:
            top = edu
            continue
        relation = _relation(top)
        top.nuclearity, top.relation = "S", relation
        if relation == "Joint":
            edu.relation, top.nuclearity = relation, "N"
        top = Unit("N", SPAN, [edu, top])
    assert top is not None
    top.nuclearity, top.relation = "R", NO_RELATION
    return top


def _relation(unit: Unit) -> str:
    while unit.children:
        unit = unit.children[0]
    first = unit.text.split()[:1]
    return _CONNECTIVES.get(first[0].lower(), "Elaboration") if first else "Elaboration"
