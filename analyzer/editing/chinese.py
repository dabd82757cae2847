"""What kind of error an edit is, in Chinese (Kummerfeld, Tse, Curran and Klein 2013).

The types are those of that study: what is within a noun phrase, verbs with wrong
arguments, noun boundaries, split verb compounds, wrong senses (a tag that differs),
scope. The reference's rules (`chinese_reference`) split them further: which label is
over which, which tags are confused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analyzer.editing.search import ADD, MOVE, RELABEL, REMOVE, Edit
from analyzer.editing.types import (
    CLAUSE,
    COORDINATION,
    DIFFERENT,
    INTERNAL,
    MODIFIER,
    NP,
    OTHER,
    PP,
    UNARY,
    VP,
    WORD,
)

ARGUMENTS = "Verb taking wrong arguments"
BOUNDARY = "Noun boundary error"
SENSE = "Sense confusion"
COMPOUND = "Split Verb Compound"
SCOPE = "Scope error"

_NOUNS = frozenset(("CC", "NN", "JJ", "CD", "OD", "ETC", "NT", "NR", "DEG"))
_COMPOUNDS = ("VRD", "VPT", "VCP", "VCD", "VSB", "VNV")
_CLAUSES = ("CP", "IP")
_MODIFIERS = ("ADVP", "ADJP")
_PHRASES = frozenset(
    ("ADJP", "ADVP", "CLP", "CP", "DNP", "DP", "DVP", "FRAG", "IP", "LCP", "LST", "NP")
) | frozenset(("PP", "PRN", "QP", "UCP", "VP", *_COMPOUNDS))
# What a removed bracket was wrong to leave out, by the label of its one right sibling.
_ATTACHED = {"PP": PP, "NP": NP, "VP": VP, "CP": CLAUSE, "IP": CLAUSE} | dict.fromkeys(
    _MODIFIERS, MODIFIER
)


def chinese(edit: Edit, tags: Sequence[str], gold_tags: Sequence[str]) -> str:
    """The type of an error; the tags are those of all words, parsed and gold.

    >>> edit = Edit("move", 2, 1, 2, ("NP",), parent="NP", new_parent="VP",
    ...             new_lefts=("VV",), around=(0, 2))
    >>> chinese(edit, ["VV", "NN"], ["VV", "NN"])
    'Verb taking wrong arguments'
    """
    if edit.operation in (ADD, REMOVE) and not edit.over_word and _is_unary(edit):
        return UNARY
    first, last = edit.around
    if all(tag in _NOUNS or "PU" in tag for tag in gold_tags[first:last]):
        return INTERNAL
    if edit.over_word:
        return WORD
    if edit.operation == RELABEL:
        return DIFFERENT
    rules = _MOVES if edit.operation == MOVE else _BRACKETS
    first, last = _asked(edit)
    is_confused = tags[first:last] != gold_tags[first:last]
    for rule in rules:
        if found := rule(edit, is_confused):
            return found
    return OTHER[edit.operation]


def _asked(edit: Edit) -> tuple[int, int]:
    """The words whose tags matter: what moved, or what a bracket left out."""
    if edit.operation == REMOVE and len(edit.rights) == 1:
        return edit.last, edit.around[1]
    return edit.first, edit.last


def _is_unary(edit: Edit) -> bool:
    is_alone = edit.operation == REMOVE and edit.family == 1
    return len(edit.children) == 1 or is_alone


# -- moves ---------------------------------------------------------------------------


def _coordination(edit: Edit, _: bool) -> str | None:
    """Moved out of a conjunction, into one, or from one to another."""
    start = _conjuncts(edit, edit.lefts, edit.rights, edit.parent)
    end = _conjuncts(edit, edit.new_lefts, edit.new_rights, edit.new_parent)
    is_pair = all(start[:2]) and all(end[:2])
    return COORDINATION if is_pair or all(start) or all(end) else None


def _conjuncts(
    edit: Edit, lefts: Sequence[str], rights: Sequence[str], parent: str
) -> tuple[bool, bool, bool]:
    """Of the three nodes that end or begin with what moved: whether the second is a
    conjunction, the outer ones are alike, and they are alike with their parent."""
    movers = list(edit.children)
    beside = 2 if len(movers) == 1 else 1
    series = [
        nodes
        for nodes, side in (
            ([*lefts[-beside:], *movers], lefts),
            ([*movers, *rights[:beside]], rights),
        )
        if len(side) >= beside
    ]
    return (
        any(one[1] == "CC" for one in series),
        any(one[0] == one[2] for one in series),
        any(one[0] == parent for one in series),
    )


def _moved_modifier(edit: Edit, _: bool) -> str | None:
    if "PP" in edit.children:
        return PP
    if any(label in edit.children for label in ("ADV", *_MODIFIERS)):
        return MODIFIER
    return COMPOUND if edit.added in _COMPOUNDS else None


def _moved_to(edit: Edit, _: bool) -> str | None:
    """By what stands beside it then."""
    beside = (*edit.new_rights, *edit.new_lefts)
    has_phrase = any(label in _PHRASES for label in edit.children)
    if has_phrase and any(label in ("VP", "VV") for label in beside):
        return ARGUMENTS
    return BOUNDARY if beside and all(label in _NOUNS for label in beside) else None


def _moved_phrase(edit: Edit, _: bool) -> str | None:
    for label, found in (("NP", MODIFIER), ("VP", VP), ("VV", ARGUMENTS)):
        if label in edit.children:
            return found
    if any(label in edit.children for label in _CLAUSES):
        return CLAUSE
    return MODIFIER if edit.new_left in _MODIFIERS else None


def _moved_word(edit: Edit, is_confused: bool) -> str | None:
    if is_confused and edit.last - edit.first == 1:
        return SENSE
    seen = (edit.parent, edit.new_parent, *edit.children, *edit.lefts, *edit.rights)
    seen += (*edit.new_lefts, *edit.new_rights)
    return BOUNDARY if all(label in _NOUNS or label == "NP" for label in seen) else None


# -- brackets ------------------------------------------------------------------------


def _beside(edit: Edit, is_confused: bool) -> str | None:
    """What a bracket left out, or was put beside a conjunction."""
    if edit.operation == REMOVE and len(edit.rights) == 1:
        if is_confused:
            return SENSE
        if "VV" in edit.children:
            return ARGUMENTS
        return _ATTACHED.get(edit.rights[0])
    has_conjunction = len(edit.children) == 3 and "CC" in edit.children
    is_coordination = edit.label == "UCP" or "CC" in (edit.left, edit.right)
    is_coordination |= edit.operation == ADD and has_conjunction
    return COORDINATION if is_coordination else None


def _inside(edit: Edit, _: bool) -> str | None:
    """What stands in a bracket after its first child."""
    later = edit.children[1:]
    if "PP" in later:
        return PP
    if any(label in later for label in _CLAUSES):
        return CLAUSE
    if edit.label in _MODIFIERS or any(label in later for label in _MODIFIERS):
        return MODIFIER
    return MODIFIER if all(label == edit.label for label in edit.children) else None


def _at_its_edge(edit: Edit, _: bool) -> str | None:
    is_first = edit.children[0] in (*_MODIFIERS, "PP")
    return SCOPE if edit.operation == ADD and is_first and edit.rights else None


_Rule = Callable[[Edit, bool], str | None]
_MOVES: tuple[_Rule, ...] = (
    _coordination,
    _moved_modifier,
    _moved_to,
    _moved_phrase,
    _moved_word,
)
_BRACKETS: tuple[_Rule, ...] = (_beside, _inside, _at_its_edge)
