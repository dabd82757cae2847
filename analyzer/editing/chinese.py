"""What kind of error an edit is, in Chinese (Kummerfeld, Tse, Curran and Klein 2013).

The types are those of that study: what is within a noun phrase, verbs with wrong
arguments, noun boundaries, split verb compounds, wrong senses (a tag that differs),
scope. `kummerfeld_chinese` is the Berkeley Parser Analyser's classify_chinese.py, to
the letter: its types say which label is over which, which tags are confused, and begin
with "NP Internal - " where all words are parts of noun phrases. Tags of punctuation go
with their words there (`PU、`), since some of them co-ordinate. Slips are kept: to the
right of a bracket that is added no conjunction is seen, and of a move that adds a
bracket the label looked at is that of the last bracket that is missing then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from analyzer.editing import types
from analyzer.editing.search import ADD, MOVE, RELABEL, REMOVE, Edit
from analyzer.editing.types import (
    CLAUSE,
    COORDINATION,
    MODIFIER,
    PP,
    VP,
    WORD,
    Rule,
    Rules,
    has,
    has_later,
)

ARGUMENTS = "Verb taking wrong arguments"
BOUNDARY = "Noun boundary error"
COMPOUND = "Split Verb Compound"
SENSE = "Sense confusion"
SCOPE = "Scope error"

_NOUNS = frozenset(("CC", "NN", "JJ", "CD", "OD", "ETC", "NT", "NR", "DEG"))
_COMPOUNDS = ("VRD", "VPT", "VCP", "VCD", "VSB", "VNV")
_CLAUSES = ("CP", "IP")
_MODIFIERS = ("ADVP", "ADJP")
_PHRASES = frozenset(
    ("ADJP", "ADVP", "CLP", "CP", "DNP", "DP", "DVP", "FRAG", "IP", "LCP", "LST", "NP")
) | frozenset(("PP", "PRN", "QP", "UCP", "VP", *_COMPOUNDS))
_HAS_PHRASE = has(*_PHRASES)
_HAS_VERB = has("VV")
_CONJUNCTIONS = frozenset(("CC", "PU、", "PU。", "PU＆", "PU，", "PU．"))
_HAS_CONJUNCTION = has(*_CONJUNCTIONS)


class Tags(NamedTuple):
    """The tags of all words of a sentence; by the reference's rules, those of
    punctuation with their words."""

    parsed: Sequence[str]
    gold: Sequence[str]
    gold_bare: Sequence[str]  # without


def chinese(edit: Edit, tags: Tags) -> str:
    """The type of an error.

    >>> edit = Edit("move", 2, 1, 2, ("NP",), parent="NP", new_parent="VP",
    ...             new_lefts=("VV",), around=(0, 2))
    >>> chinese(edit, Tags(*[["VV", "NN"]] * 3))
    'Verb taking wrong arguments'
    """
    is_bracket = edit.operation in (ADD, REMOVE) and not edit.over_word
    is_alone = edit.operation == REMOVE and edit.family == 1
    if is_bracket and (len(edit.children) == 1 or is_alone):
        return types.UNARY
    if _is_nominal(edit, tags):
        return types.INTERNAL
    return _type_of(edit, tags, _OURS)


def kummerfeld_chinese(edit: Edit, tags: Tags) -> str:
    """The type of an error, by the reference's rules.

    >>> edit = Edit("remove", 1, 0, 2, ("NN", "NN"), label="NP", parent="IP", family=2,
    ...             rights=("VP",), around=(0, 3))
    >>> kummerfeld_chinese(edit, Tags(*[["NN", "NN", "VV"]] * 3))
    'VP Attachment'
    """
    error_type = _type_of(edit, tags, _THEIRS)
    if error_type.startswith(_WHOLE) or not _is_nominal(edit, tags):
        return error_type
    return f"NP Internal - {error_type}"


def _is_nominal(edit: Edit, tags: Tags) -> bool:
    first, last = edit.around
    return all(tag in _NOUNS or "PU" in tag for tag in tags.gold_bare[first:last])


def _type_of(edit: Edit, tags: Tags, rules: Mapping[str, Rules]) -> str:
    """By the tags that are confused, too: of the one word that moved, or of the last in
    what a removed bracket left out, its one sibling to the right.

    A punctuation mark always differs there, as its tag has the word on one side only.
    """
    words, gold = range(0), tags.gold_bare
    if edit.operation == MOVE and edit.last - edit.first == 1:
        words, gold = range(edit.first, edit.last), tags.gold
    elif _left_one_out(edit):
        words = range(edit.last, edit.around[1])
    for at in words:
        if tags.parsed[at] != gold[at]:
            edit = edit._replace(confused=(tags.parsed[at], tags.gold[at]))
    return types.type_of(edit, rules).format(edit=edit)


# -- what rules ask for --------------------------------------------------------------


def _left_one_out(edit: Edit) -> bool:
    return edit.operation == REMOVE and len(edit.rights) == 1


def _is_confused(edit: Edit) -> bool:
    return bool(edit.confused) and edit.confused[0] != edit.confused[-1]


def _conjuncts(
    edit: Edit, conjunctions: Collection[str], *, is_new: bool
) -> tuple[bool, bool, bool]:
    """Of the series of nodes that end or begin with what moved, where it was or is:
    whether the second of one is a conjunction, its first and third are alike, and its
    first is as the parent."""
    lefts, rights, parent = edit.lefts, edit.rights, edit.parent
    if is_new:
        lefts, rights, parent = edit.new_lefts, edit.new_rights, edit.new_parent
    beside = 2 if len(edit.children) == 1 else 1
    series = []
    if len(lefts) >= beside:
        series.append((*lefts[-beside:], *edit.children))
    if len(rights) >= beside:
        series.append((*edit.children, *rights[:beside]))
    return (
        any(nodes[1] in conjunctions for nodes in series),
        any(nodes[0] == nodes[2] for nodes in series),
        any(nodes[0] == parent for nodes in series),
    )


def _moves_in_conjunctions(
    conjunctions: Collection[str], pair: str, present: str, missing: str
) -> Rules:
    """Moved from one conjunction to another; out of one; into one."""

    def is_pair(edit: Edit) -> bool:
        sides = [_conjuncts(edit, conjunctions, is_new=new) for new in (False, True)]
        return all(all(side[:2]) for side in sides)

    return (
        (pair, is_pair),
        (present, lambda edit: all(_conjuncts(edit, conjunctions, is_new=False))),
        (missing, lambda edit: all(_conjuncts(edit, conjunctions, is_new=True))),
    )


def _is_argument(edit: Edit) -> bool:
    """A phrase that a verb stands beside then."""
    beside = (*edit.new_rights, *edit.new_lefts)
    return _HAS_PHRASE(edit) and ("VP" in beside or "VV" in beside)


def _goes_to_nouns(edit: Edit) -> bool:
    beside = (*edit.new_rights, *edit.new_lefts)
    return bool(beside) and _NOUNS.issuperset(beside)


def _seen(edit: Edit) -> tuple[str, ...]:
    """All labels that a move has to do with."""
    start = (edit.parent, edit.new_parent, *edit.children, *edit.lefts, *edit.rights)
    return (*start, *edit.new_lefts, *edit.new_rights)


def _is_scope(edit: Edit) -> bool:
    return edit.children[0] in (*_MODIFIERS, "PP") and bool(edit.rights)


def _for_guidelines(edit: Edit) -> bool:
    """Over a word, and asked for by the guidelines, or against: by its siblings."""
    is_phrase = [label in _PHRASES for label in (*edit.lefts, *edit.rights)]
    asked = {ADD: all(is_phrase), REMOVE: not any(is_phrase), RELABEL: False}
    return edit.over_word and asked[edit.operation]


_BY_MOVERS: Rules = ((PP, has("PP")), (MODIFIER, has("ADV", *_MODIFIERS)))
_BY_LABEL: Rules = (
    (MODIFIER, has("NP")),
    (VP, has("VP")),
    (ARGUMENTS, _HAS_VERB),
    (CLAUSE, has(*_CLAUSES)),
    (MODIFIER, lambda edit: edit.new_left in _MODIFIERS),
)
# What stands in a bracket after its first child.
_LATER: Rules = ((PP, has_later("PP")), (CLAUSE, has_later(*_CLAUSES)))
_MODIFIED: Rules = ((MODIFIER, has_later(*_MODIFIERS)), (MODIFIER, types.has_same))

# -- our rules -----------------------------------------------------------------------


def _is_coordination(edit: Edit) -> bool:
    return edit.label == "UCP" or "CC" in (edit.left, edit.right)


_OUR_INSIDE: Rules = (
    *_LATER,
    (MODIFIER, lambda edit: edit.label in _MODIFIERS),
    *_MODIFIED,
)


def _left_out(*labels: str) -> Callable[[Edit], bool]:
    return lambda edit: _left_one_out(edit) and edit.rights[0] in labels


_OURS: Mapping[str, Rules] = {
    RELABEL: types.RELABELLED,
    ADD: (
        types.OF_WORDS,
        (COORDINATION, _is_coordination),
        (COORDINATION, lambda edit: len(edit.children) == 3 and "CC" in edit.children),
        *_OUR_INSIDE,
        (SCOPE, _is_scope),
    ),
    REMOVE: (
        types.OF_WORDS,
        (SENSE, _is_confused),
        (ARGUMENTS, lambda edit: _left_one_out(edit) and _HAS_VERB(edit)),
        ("{edit.right} Attachment", _left_out("PP", "NP", "VP")),
        (CLAUSE, _left_out(*_CLAUSES)),
        (MODIFIER, _left_out(*_MODIFIERS)),
        (COORDINATION, lambda edit: not _left_one_out(edit) and _is_coordination(edit)),
        *_OUR_INSIDE,
    ),
    MOVE: (
        *_moves_in_conjunctions(("CC",), COORDINATION, COORDINATION, COORDINATION),
        *_BY_MOVERS,
        (COMPOUND, lambda edit: edit.added in _COMPOUNDS),
        (ARGUMENTS, _is_argument),
        (BOUNDARY, _goes_to_nouns),
        *_BY_LABEL,
        (SENSE, _is_confused),
        (BOUNDARY, lambda edit: (_NOUNS | {"NP"}).issuperset(_seen(edit))),
    ),
}

# -- the reference: types may name labels and tags of the edit -----------------------

# These do not begin with "NP Internal - ".
_WHOLE = ("Unary - ", f"{SCOPE} - ", "NP Internal - ")
_CONFUSION: Rule = (
    "Sense Confusion, causing mis-attachment - "
    "{edit.confused[0]} and {edit.confused[1]}",
    _is_confused,
)
_OF_ONE_CHILD: Rule = (
    "Unary - {edit.label} over {edit.children[0]}",
    lambda edit: len(edit.children) == 1,
)
_WORDS_THERE: Rules = (
    (f"{WORD} - {{edit.operation}} - for guidelines", _for_guidelines),
    (f"{WORD} - {{edit.operation}}", lambda edit: edit.over_word),
)
_RELATED_TO_UCP: Rule = (
    f"{COORDINATION} - UCP related",
    lambda edit: "UCP" in edit.label,
)
_INSIDE_THERE: Rules = (
    *_LATER,
    (MODIFIER, lambda edit: "ADVP" in edit.label or "ADJP" in edit.label),
    *_MODIFIED,
)


def _left_unconfused(edit: Edit) -> bool:
    return _left_one_out(edit) and not edit.confused


def _is_of_nouns(edit: Edit) -> bool:
    return all(
        label in _NOUNS or label == "NP" or "PU" in label for label in _seen(edit)
    )


def _is_of_noun_phrases(edit: Edit) -> bool:
    labels = (*edit.children, edit.parent, *edit.lefts, *edit.rights, edit.label)
    return all(label in ("NP", "QP") for label in labels)


_THEIRS: Mapping[str, Rules] = {
    RELABEL: (*_WORDS_THERE, types.RELABELLED[-1]),
    ADD: (
        *_WORDS_THERE,
        _OF_ONE_CHILD,
        (COORDINATION, lambda edit: len(edit.children) == 3 and _HAS_CONJUNCTION(edit)),
        _RELATED_TO_UCP,
        *_INSIDE_THERE,
        (f"{SCOPE} - {{edit.children[0]}}", _is_scope),
    ),
    REMOVE: (
        *_WORDS_THERE,
        ("Unary - {edit.parent} over {edit.label}", lambda edit: edit.family == 1),
        _OF_ONE_CHILD,
        _CONFUSION,
        (ARGUMENTS, lambda edit: _left_unconfused(edit) and _HAS_VERB(edit)),
        ("{edit.right} Attachment", _left_unconfused),
        _RELATED_TO_UCP,
        (COORDINATION, lambda edit: edit.right in _CONJUNCTIONS),
        *_INSIDE_THERE,
        ("NP Internal - other", _is_of_noun_phrases),
    ),
    MOVE: (
        *_moves_in_conjunctions(
            _CONJUNCTIONS,
            f"{COORDINATION} - Wrong pair",
            f"{COORDINATION} - Incorrectly present",
            f"{COORDINATION} - Incorrectly missing",
        ),
        *_BY_MOVERS,
        (COMPOUND, lambda edit: edit.last_lacking in _COMPOUNDS),
        (ARGUMENTS, lambda edit: _is_argument(edit) and not edit.is_over_same),
        (BOUNDARY, _goes_to_nouns),
        *_BY_LABEL,
        _CONFUSION,
        (BOUNDARY, _is_of_nouns),
    ),
}
