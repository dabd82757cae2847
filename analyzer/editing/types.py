"""What kind of error an edit is: the rules of the reference, and our own.

`kummerfeld` follows the reference's English classifier to the letter, its slips
included. `spinal` keeps its types and the order of its rules, and mends these: labels
are compared whole, WHADVP is a phrase, NML is part of a noun phrase, and a conjunction
counts on either side of a bracket that is added or removed.
"""

from __future__ import annotations

from analyzer.editing.labels import PHRASES, PHRASES_MISSPELT
from analyzer.editing.search import ADD, MOVE, RELABEL, REMOVE, Edit

PP, NP, VP = "PP Attachment", "NP Attachment", "VP Attachment"
CLAUSE, MODIFIER = "Clause Attachment", "Modifier Attachment"
COORDINATION, INTERNAL = "Co-ordination", "NP Internal Structure"
DIFFERENT, WORD = "Different label", "Single Word Phrase"
UNARY, SAME_UNARY = "Unary", "XoverX Unary"
OTHER = {ADD: "UNSET add", REMOVE: "UNSET remove", MOVE: "UNSET move"}

_CLAUSES = ("S", "SINV", "SBAR")


def kummerfeld(edit: Edit) -> str:
    """The type of an error, by the reference's rules, its slips included.

    >>> kummerfeld(Edit("move", 3, 4, 6, ("PP",), parent="NP", new_parent="VP"))
    'PP Attachment'
    """
    if edit.operation == MOVE:
        return _of_move(edit)
    if edit.over_word:
        return WORD
    if edit.operation == RELABEL:
        return DIFFERENT
    return _of_bracket(edit)


def _of_move(edit: Edit) -> str:
    movers = edit.children
    around = (edit.left, edit.right, edit.new_left, edit.new_right)
    if "CC" in (*around, movers[0], movers[-1]):
        return COORDINATION
    if "PP" in movers:
        return PP
    if "NP" in movers:
        return NP
    if "VP" in movers:
        return VP
    if any(label in movers for label in _CLAUSES):
        return CLAUSE
    if any(label in movers for label in ("RB", "ADVP", "ADJP")):
        return MODIFIER
    if all("NP" in one or "QP" in one for one in (edit.parent, edit.new_parent)):
        return INTERNAL
    return OTHER[MOVE]


def _unary(edit: Edit) -> str | None:
    """The type of a bracket over a single node, or below another as all it has."""
    if edit.operation == ADD and len(edit.children) == 1:
        return SAME_UNARY if edit.children[0] == edit.label else UNARY
    if edit.operation == REMOVE and edit.family == 1:
        return SAME_UNARY if edit.parent == edit.label else UNARY
    return UNARY if edit.operation == REMOVE and len(edit.children) == 1 else None


def _of_bracket(edit: Edit) -> str:
    children, later = edit.children, edit.children[1:]
    if unary := _unary(edit):
        return unary
    if "UCP" in edit.label:
        return COORDINATION
    # The reference has this rule for added brackets too, but there it never applies.
    if edit.operation == REMOVE and edit.right == "CC":
        return COORDINATION
    if "PP" in later:
        return PP
    if any(label in later for label in _CLAUSES):
        return CLAUSE
    if "NP" in edit.parent and not any(label in PHRASES_MISSPELT for label in children):
        return INTERNAL
    if "ADVP" in edit.label or "ADJP" in edit.label:
        return MODIFIER
    if "ADVP" in later or "ADJP" in later:
        return MODIFIER
    if all(label == edit.label for label in children):
        return INTERNAL if edit.label == "NP" else COORDINATION
    return OTHER[edit.operation]


_NOUN_PHRASES = ("NP", "WHNP")
_PREPOSITIONAL = ("PP", "WHPP")
_MODIFIERS = ("RB", "ADVP", "ADJP", "WHADVP", "WHADJP")
_ALL_CLAUSES = (*_CLAUSES, "SBARQ", "SQ")
_IN_NOUN_PHRASES = ("NP", "WHNP", "NX", "NAC", "NML", "QP")
_NO_WORDS = (PHRASES | {"WHADVP"}) - {"QP"}

# Which labels decide that an attachment is of a type, in the order of the rules.
ATTACHMENTS = {
    PP: _PREPOSITIONAL,
    NP: _NOUN_PHRASES,
    VP: ("VP",),
    CLAUSE: _ALL_CLAUSES,
    MODIFIER: _MODIFIERS,
}


def spinal(edit: Edit) -> str:
    """The type of an error, by our rules (docs/repairs.md).

    >>> beside = Edit("add", 1, 2, 4, ("JJ", "NN"), label="NP", parent="NP", left="CC")
    >>> spinal(beside), kummerfeld(beside)
    ('Co-ordination', 'NP Internal Structure')
    """
    if edit.operation == MOVE:
        return _of_move_mended(edit)
    if edit.over_word:
        return WORD
    if edit.operation == RELABEL:
        return DIFFERENT
    return _of_bracket_mended(edit)


def _of_move_mended(edit: Edit) -> str:
    movers = edit.children
    around = (edit.left, edit.right, edit.new_left, edit.new_right)
    if "CC" in (*around, movers[0], movers[-1]):
        return COORDINATION
    for found, labels in ATTACHMENTS.items():
        if any(label in movers for label in labels):
            return found
    if all(one in _IN_NOUN_PHRASES for one in (edit.parent, edit.new_parent)):
        return INTERNAL
    return OTHER[MOVE]


def _of_bracket_mended(edit: Edit) -> str:
    children, later = edit.children, edit.children[1:]
    if len(children) == 1 or edit.family == 1:
        above = edit.family == 1 and edit.parent == edit.label
        below = len(children) == 1 and children[0] == edit.label
        return SAME_UNARY if above or below else UNARY
    if edit.label == "UCP" or "CC" in (edit.left, edit.right):
        return COORDINATION
    for found in (PP, CLAUSE):
        if any(label in later for label in ATTACHMENTS[found]):
            return found
    is_internal = edit.parent in _IN_NOUN_PHRASES or edit.label == "NML"
    if is_internal and not any(label in _NO_WORDS for label in children):
        return INTERNAL
    if edit.label in _MODIFIERS or any(label in _MODIFIERS[1:] for label in later):
        return MODIFIER
    if all(label == edit.label for label in children):
        return INTERNAL if edit.label in _IN_NOUN_PHRASES else COORDINATION
    return OTHER[edit.operation]
