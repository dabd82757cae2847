"""What kind of error an edit is, in Chinese, by the reference's own rules.

The Berkeley Parser Analyser's classify_chinese.py (Kummerfeld, Tse, Curran and Klein
2013), to the letter: its types say which label is over which, and begin with "NP
Internal - " where all words are parts of noun phrases. Tags of punctuation go with
their words here (`PU、`), since some of them co-ordinate. Slips are kept: to the right
of a bracket that is added no conjunction is seen, and of a move that adds a bracket the
label looked at is that of the last bracket that is missing then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.editing.search import ADD, MOVE, RELABEL, REMOVE, Edit

_NOUNS = frozenset(("CC", "NN", "JJ", "CD", "OD", "ETC", "NT", "NR", "DEG"))
_COMPOUNDS = ("VRD", "VPT", "VCP", "VCD", "VSB", "VNV")
_PHRASES = frozenset(
    ("ADJP", "ADVP", "CLP", "CP", "DNP", "DP", "DVP", "FRAG", "IP", "LCP", "LST", "NP")
) | frozenset(("PP", "PRN", "QP", "UCP", "VP", *_COMPOUNDS))
_CONJUNCTIONS = frozenset(("CC", "PU、", "PU。", "PU＆", "PU，", "PU．"))
_MODIFIERS = ("ADVP", "ADJP")
_CLAUSES = ("CP", "IP")

_COORDINATION = "Co-ordination"
_ARGUMENTS = "Verb taking wrong arguments"
_BOUNDARY = "Noun boundary error"
_MODIFIER = "Modifier Attachment"
_CLAUSE = "Clause Attachment"
_PP = "PP Attachment"


class Tags(NamedTuple):
    """The tags of all words of a sentence, those of punctuation with their words."""

    parsed: Sequence[str]
    gold: Sequence[str]
    gold_bare: Sequence[str]  # without


def kummerfeld_chinese(edit: Edit, tags: Tags) -> str:
    """The type of an error.

    >>> edit = Edit("remove", 1, 0, 2, ("NN", "NN"), label="NP", parent="IP", family=2,
    ...             rights=("VP",), around=(0, 3))
    >>> kummerfeld_chinese(edit, Tags(*[["NN", "NN", "VV"]] * 3))
    'VP Attachment'
    """
    first, last = edit.around
    inside = tags.gold_bare[first:last]
    is_nominal = all(tag in _NOUNS or "PU" in tag for tag in inside)
    start = "NP Internal - " if is_nominal else ""
    if edit.operation != MOVE and edit.over_word:
        return f"{start}Single Word Phrase - {edit.operation}{_by_the_book(edit)}"
    if edit.operation == RELABEL:
        return f"{start}Different label"
    if edit.operation == MOVE:
        return start + _of_move(edit, tags)
    if edit.operation == ADD:
        whole, rest = _of_added(edit)
    else:
        whole, rest = _of_removed(edit, tags)
    return whole or start + rest


def _by_the_book(edit: Edit) -> str:
    """Whether the guidelines ask for the bracket, or against it, by its siblings."""
    is_phrase = [label in _PHRASES for label in (*edit.lefts, *edit.rights)]
    if edit.operation == REMOVE and not any(is_phrase):
        return " - for guidelines"
    if edit.operation == ADD and all(is_phrase):
        return " - for guidelines"
    return ""


# -- moves ---------------------------------------------------------------------------


def _of_move(edit: Edit, tags: Tags) -> str:
    return (
        _coordination(edit)
        or _by_movers(edit)
        or _by_new_neighbours(edit)
        or _by_label(edit)
        or _sense(edit, tags)
        or (_BOUNDARY if _is_of_nouns(edit) else f"UNSET {MOVE}")
    )


def _coordination(edit: Edit) -> str:
    start = _conjuncts(edit.children, edit.lefts, edit.rights, edit.parent)
    end = _conjuncts(edit.children, edit.new_lefts, edit.new_rights, edit.new_parent)
    if all(start[:2]) and all(end[:2]):
        return f"{_COORDINATION} - Wrong pair"
    if all(start):
        return f"{_COORDINATION} - Incorrectly present"
    return f"{_COORDINATION} - Incorrectly missing" if all(end) else ""


def _conjuncts(
    movers: Sequence[str], lefts: Sequence[str], rights: Sequence[str], parent: str
) -> tuple[bool, bool, bool]:
    """Of the series of nodes that end or begin with what moved: whether the second
    of one is a conjunction, its first and third are alike, its first is as the parent.
    """
    beside = 2 if len(movers) == 1 else 1
    series = []
    if len(lefts) >= beside:
        series.append((*lefts[-beside:], *movers))
    if len(rights) >= beside:
        series.append((*movers, *rights[:beside]))
    return (
        any(one[1] in _CONJUNCTIONS for one in series),
        any(one[0] == one[2] for one in series),
        any(one[0] == parent for one in series),
    )


def _by_movers(edit: Edit) -> str:
    if "PP" in edit.children:
        return _PP
    if any(label in edit.children for label in ("ADV", *_MODIFIERS)):
        return _MODIFIER
    return "Split Verb Compound" if edit.last_lacking in _COMPOUNDS else ""


def _by_new_neighbours(edit: Edit) -> str:
    beside = (*edit.new_rights, *edit.new_lefts)
    has_phrase = any(label in _PHRASES for label in edit.children)
    has_verb = "VP" in beside or "VV" in beside
    if has_phrase and has_verb and not edit.is_over_same:
        return _ARGUMENTS
    return _BOUNDARY if beside and all(label in _NOUNS for label in beside) else ""


def _by_label(edit: Edit) -> str:
    for label, found in (
        ("NP", _MODIFIER),
        ("VP", "VP Attachment"),
        ("VV", _ARGUMENTS),
        ("CP", _CLAUSE),
        ("IP", _CLAUSE),
    ):
        if label in edit.children:
            return found
    return _MODIFIER if edit.new_left in _MODIFIERS else ""


def _sense(edit: Edit, tags: Tags) -> str:
    """One word moved, and its tag is wrong."""
    if len(edit.children) > 1 or edit.last - edit.first > 1:
        return ""
    tag, gold = tags.parsed[edit.first], tags.gold[edit.first]
    return "" if tag == gold else _confused(tag, gold)


def _confused(tag: str, gold: str) -> str:
    return f"Sense Confusion, causing mis-attachment - {tag} and {gold}"


def _is_of_nouns(edit: Edit) -> bool:
    seen = (edit.parent, edit.new_parent, *edit.children, *edit.lefts, *edit.rights)
    return all(
        label in _NOUNS or label == "NP" or "PU" in label
        for label in (*seen, *edit.new_lefts, *edit.new_rights)
    )


# -- brackets: the whole type, or what stands after "NP Internal - " -----------------


def _of_added(edit: Edit) -> tuple[str, str]:
    children = edit.children
    if len(children) == 1:
        return f"Unary - {edit.label} over {children[0]}", ""
    if len(children) == 3 and any(label in _CONJUNCTIONS for label in children):
        return "", _COORDINATION
    if found := _of_bracket(edit):
        return "", found
    if children[0] in (*_MODIFIERS, "PP") and edit.rights:
        return f"Scope error - {children[0]}", ""
    return "", f"UNSET {ADD}"


def _of_removed(edit: Edit, tags: Tags) -> tuple[str, str]:
    if edit.family == 1:
        return f"Unary - {edit.parent} over {edit.label}", ""
    if len(edit.children) == 1:
        return f"Unary - {edit.label} over {edit.children[0]}", ""
    if len(edit.rights) == 1 and (found := _left_out(edit, tags)):
        return "", found
    right = edit.rights[0] if edit.rights else ""
    if "UCP" not in edit.label and right in _CONJUNCTIONS:
        return "", _COORDINATION
    if found := _of_bracket(edit):
        return "", found
    seen = (*edit.children, edit.parent, *edit.lefts, *edit.rights, edit.label)
    if all(label in ("NP", "QP") for label in seen):
        return "NP Internal - other", ""
    return "", f"UNSET {REMOVE}"


def _left_out(edit: Edit, tags: Tags) -> str:
    """By the one sibling to the right of a bracket that is removed.

    The last of its words counts whose tags differ. A punctuation mark always does, as
    its tag has the word on one side only; then none of these types is given.
    """
    differing = [
        (tags.parsed[at], tags.gold[at])
        for at in range(edit.last, edit.around[1])
        if tags.parsed[at] != tags.gold_bare[at]
    ]
    if differing:
        tag, gold = differing[-1]
        return "" if tag == gold else _confused(tag, gold)
    return _ARGUMENTS if "VV" in edit.children else f"{edit.rights[0]} Attachment"


def _of_bracket(edit: Edit) -> str:
    children, later = edit.children, edit.children[1:]
    if "UCP" in edit.label:
        return f"{_COORDINATION} - UCP related"
    if "PP" in later:
        return _PP
    if any(label in later for label in _CLAUSES):
        return _CLAUSE
    if any(label in edit.label for label in _MODIFIERS):
        return _MODIFIER
    is_modified = any(label in later for label in _MODIFIERS)
    is_same = all(label == edit.label for label in children)
    return _MODIFIER if is_modified or is_same else ""
