"""What kind of error an edit is: the rules of the reference, and our own.

A type is declared by its rule; of the rules of an operation, in their order, the first
that applies gives the type. (How a type is mended: its edits are made, and no others;
see `mending`.) `kummerfeld` follows the reference's English classifier to the letter,
its slips included. `spinal` keeps its types and the order of its rules, and mends
these: labels are compared whole, WHADVP is a phrase, NML is part of a noun phrase, and
a conjunction counts on either side of a bracket that is added or removed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from analyzer.editing.search import ADD, MOVE, RELABEL, REMOVE, Edit

Rule = tuple[str, Callable[[Edit], object]]  # a type, and which edits are of it
Rules = tuple[Rule, ...]

PP, NP, VP = "PP Attachment", "NP Attachment", "VP Attachment"
CLAUSE, MODIFIER = "Clause Attachment", "Modifier Attachment"
COORDINATION, INTERNAL = "Co-ordination", "NP Internal Structure"
DIFFERENT, WORD = "Different label", "Single Word Phrase"
UNARY, SAME_UNARY = "Unary", "XoverX Unary"
UNCLASSIFIED = "UNSET"  # and the operation

EXPLANATIONS = {
    PP: "a prepositional phrase is attached to the wrong place",
    NP: "a noun phrase is attached to the wrong place",
    VP: "a verb phrase is attached to the wrong place",
    CLAUSE: "a clause is attached to the wrong place",
    MODIFIER: "an adverb or adjective phrase is attached to the wrong place",
    COORDINATION: "wrong beside a conjunction: what is co-ordinated, and how far",
    INTERNAL: "a bracket within a noun phrase is missing or extra",
    DIFFERENT: "the bracket is right, its label is not",
    WORD: "a phrase over a single word is missing, extra, or has another label",
    UNARY: "a bracket directly over or under another is missing or extra",
    SAME_UNARY: "a bracket over or under one of the same label is missing or extra",
    f"{UNCLASSIFIED} add": "a missing bracket; no rule names this error",
    f"{UNCLASSIFIED} remove": "an extra bracket; no rule names this error",
    f"{UNCLASSIFIED} move": "attached to the wrong place; no rule names this error",
}


def type_of(edit: Edit, rules: Mapping[str, Rules]) -> str:
    """The type of the first rule that applies to an edit."""
    types = (name for name, applies in rules[edit.operation] if applies(edit))
    return next(types, f"{UNCLASSIFIED} {edit.operation}")


# -- what rules ask for --------------------------------------------------------------


def has(*labels: str) -> Callable[[Edit], bool]:
    """One of the labels is among the children, or what moved."""
    wanted = frozenset(labels)
    return lambda edit: not wanted.isdisjoint(edit.children)


def has_later(*labels: str) -> Callable[[Edit], bool]:
    """One of the labels is among the children after the first."""
    wanted = frozenset(labels)
    return lambda edit: not wanted.isdisjoint(edit.children[1:])


def has_same(edit: Edit) -> bool:
    """All children have the bracket's own label."""
    return all(label == edit.label for label in edit.children)


def moves_by_conjunction(edit: Edit) -> bool:
    """What moved begins or ends with it, or has it as a neighbour before or after."""
    ends = edit.children[0], edit.children[-1]
    return "CC" in (*ends, edit.left, edit.right, edit.new_left, edit.new_right)


OF_WORDS: Rule = (WORD, lambda edit: edit.over_word)
RELABELLED: Rules = (OF_WORDS, (DIFFERENT, lambda _: True))

# -- the reference -------------------------------------------------------------------

_COMMON = """
    S SBAR SBARQ SINV SQ ADJP ADVP CONJP FRAG INTJ LST NAC NP NX PP PRN PRT QP RRC UCP
    VP WHADJP WHNP WHPP X
"""
PHRASES = frozenset(_COMMON.split())
# A slip of the reference, where it tells phrases from words: WHADVP is not among them.
_HAS_PHRASE = has(*PHRASES, "WHAVP")


_CLAUSES = ("S", "SINV", "SBAR")


def _is_within_nouns(edit: Edit) -> bool:
    return all(
        "NP" in label or "QP" in label for label in (edit.parent, edit.new_parent)
    )


_BRACKETS: Rules = (
    (PP, has_later("PP")),
    (CLAUSE, has_later(*_CLAUSES)),
    (INTERNAL, lambda edit: "NP" in edit.parent and not _HAS_PHRASE(edit)),
    (MODIFIER, lambda edit: "ADVP" in edit.label or "ADJP" in edit.label),
    (MODIFIER, has_later("ADVP", "ADJP")),
    (INTERNAL, lambda edit: has_same(edit) and edit.label == "NP"),
    (COORDINATION, has_same),
)
KUMMERFELD: Mapping[str, Rules] = {
    RELABEL: RELABELLED,
    ADD: (
        OF_WORDS,
        (SAME_UNARY, lambda edit: edit.children == (edit.label,)),
        (UNARY, lambda edit: len(edit.children) == 1),
        (COORDINATION, lambda edit: "UCP" in edit.label),
        *_BRACKETS,
    ),
    REMOVE: (
        OF_WORDS,
        (SAME_UNARY, lambda edit: edit.family == 1 and edit.parent == edit.label),
        (UNARY, lambda edit: edit.family == 1 or len(edit.children) == 1),
        # The reference asks what is to the right of added brackets too, but in a way
        # that never applies.
        (COORDINATION, lambda edit: "UCP" in edit.label or edit.right == "CC"),
        *_BRACKETS,
    ),
    MOVE: (
        (COORDINATION, moves_by_conjunction),
        (PP, has("PP")),
        (NP, has("NP")),
        (VP, has("VP")),
        (CLAUSE, has(*_CLAUSES)),
        (MODIFIER, has("RB", "ADVP", "ADJP")),
        (INTERNAL, _is_within_nouns),
    ),
}


def kummerfeld(edit: Edit) -> str:
    """The type of an error, by the reference's rules, its slips included.

    >>> kummerfeld(Edit("move", 3, 4, 6, ("PP",), parent="NP", new_parent="VP"))
    'PP Attachment'
    """
    return type_of(edit, KUMMERFELD)


# -- our rules -----------------------------------------------------------------------

_MODIFIERS = ("ADVP", "ADJP", "WHADVP", "WHADJP")
# Which labels decide that an attachment is of a type, in the order of the rules.
ATTACHMENTS = {
    PP: ("PP", "WHPP"),
    NP: ("NP", "WHNP"),
    VP: ("VP",),
    CLAUSE: (*_CLAUSES, "SBARQ", "SQ"),
    MODIFIER: ("RB", *_MODIFIERS),
}
_IN_NOUNS = frozenset(("NP", "WHNP", "NX", "NAC", "NML", "QP"))
_HAS_NO_WORD = has(*(PHRASES | {"WHADVP"}) - {"QP"})


def _is_internal(edit: Edit) -> bool:
    is_inside = edit.parent in _IN_NOUNS or edit.label == "NML"
    return is_inside and not _HAS_NO_WORD(edit)


def _is_same_unary(edit: Edit) -> bool:
    is_below = edit.family == 1 and edit.parent == edit.label
    return is_below or edit.children == (edit.label,)


_OUR_BRACKETS: Rules = (
    OF_WORDS,
    (SAME_UNARY, _is_same_unary),
    (UNARY, lambda edit: len(edit.children) == 1 or edit.family == 1),
    (COORDINATION, lambda edit: edit.label == "UCP"),
    (COORDINATION, lambda edit: "CC" in (edit.left, edit.right)),
    (PP, has_later(*ATTACHMENTS[PP])),
    (CLAUSE, has_later(*ATTACHMENTS[CLAUSE])),
    (INTERNAL, _is_internal),
    (MODIFIER, lambda edit: edit.label in ATTACHMENTS[MODIFIER]),
    (MODIFIER, has_later(*_MODIFIERS)),
    (INTERNAL, lambda edit: has_same(edit) and edit.label in _IN_NOUNS),
    (COORDINATION, has_same),
)
SPINAL: Mapping[str, Rules] = {
    RELABEL: RELABELLED,
    ADD: _OUR_BRACKETS,
    REMOVE: _OUR_BRACKETS,
    MOVE: (
        (COORDINATION, moves_by_conjunction),
        *((name, has(*labels)) for name, labels in ATTACHMENTS.items()),
        (INTERNAL, lambda edit: _IN_NOUNS.issuperset((edit.parent, edit.new_parent))),
    ),
}


def spinal(edit: Edit) -> str:
    """The type of an error, by our rules (docs/repairs.md).

    >>> beside = Edit("add", 1, 2, 4, ("JJ", "NN"), label="NP", parent="NP",
    ...               lefts=("CC",))
    >>> spinal(beside), kummerfeld(beside)
    ('Co-ordination', 'NP Internal Structure')
    """
    return type_of(edit, SPINAL)
