"""Types of error in Chinese: one pair of trees each."""

from __future__ import annotations

import pytest

from analyzer import repairs
from analyzer.editing.chinese import Tags, chinese, kummerfeld_chinese
from analyzer.editing.search import Edit

PAIRS = {
    "Unary": (
        "(IP (NP (NP (NN a) (NN b))) (VP (VV c)))",
        "(IP (NP (NN a) (NN b)) (VP (VV c)))",
    ),
    "NP Internal Structure": (
        "(IP (NP (NP (NN a) (NN b)) (NN c)) (VP (VV d)))",
        "(IP (NP (NN a) (NN b) (NN c)) (VP (VV d)))",
    ),
    "Single Word Phrase": (
        "(IP (ADVP (AD a)) (VP (VV b) (AS c)))",
        "(IP (AD a) (VP (VV b) (AS c)))",
    ),
    "Different label": (
        "(IP (NP (PN a)) (VP (VV b) (CP (VV c) (SP d))))",
        "(IP (NP (PN a)) (VP (VV b) (IP (VV c) (SP d))))",
    ),
    "Verb taking wrong arguments": (
        "(IP (VP (VV a) (IP (NP (NN b)) (VP (VV c))) (NP (NN d) (NN e))))",
        "(IP (VP (VV a) (IP (NP (NN b)) (VP (VV c) (NP (NN d) (NN e))))))",
    ),
    "PP Attachment": (
        "(IP (NP (PN a)) (VP (VV b) (NP (NN c) (M x)) (PP (P d) (NP (PN e)))))",
        "(IP (NP (PN a)) (VP (VV b) (NP (NP (NN c) (M x)) (PP (P d) (NP (PN e))))))",
    ),
    "Co-ordination": (
        "(IP (VP (VP (VV a) (AS b)) (CC c) (VP (VV d) (AS e))) (SP f))",
        "(IP (VP (VV a) (AS b)) (CC c) (VP (VV d) (AS e)) (SP f))",
    ),
}


@pytest.mark.parametrize("error_type", PAIRS)
def test_types(error_type: str) -> None:
    found = repairs(*PAIRS[error_type], classifier="spinal", patterns="chinese")
    assert [row.error_type for row in found.rows] == [error_type]


# What the reference's classify_chinese.py says of these pairs: operation, type, nodes.
BY_REFERENCE = [
    (
        "(ROOT (IP (NP (NP (NN a) (NN b)) (NN c)) (VP (VV d))))",
        "(ROOT (IP (NP (NN a) (NN b) (NN c)) (VP (VV d))))",
        [("add", "NP Internal - UNSET add", 1)],
    ),
    (
        "(ROOT (IP (NP (NP (NN a) (NN b))) (VP (VV d) (AS e))))",
        "(ROOT (IP (NP (NN a) (NN b)) (VP (VV d) (AS e))))",
        [("add", "Unary - NP over NP", 1)],
    ),
    (
        "(ROOT (IP (ADVP (AD a)) (VP (VV b) (AS c))))",
        "(ROOT (IP (AD a) (VP (VV b) (AS c))))",
        [("add", "Single Word Phrase - add - for guidelines", 1)],
    ),
    (
        "(ROOT (IP (AD a) (VV b) (AS c)))",
        "(ROOT (IP (ADVP (AD a)) (VV b) (AS c)))",
        [("remove", "Single Word Phrase - remove - for guidelines", 1)],
    ),
    (
        "(ROOT (IP (NP (PN a)) (VP (VV b) (CP (VV c) (SP d)))))",
        "(ROOT (IP (NP (PN a)) (VP (VV b) (IP (VV c) (SP d)))))",
        [("relabel", "Different label", 2)],
    ),
    (
        "(ROOT (IP (VP (VV a) (IP (NP (NN b)) (VP (VV c))) (NP (NN d) (NN e)))))",
        "(ROOT (IP (VP (VV a) (IP (NP (NN b)) (VP (VV c) (NP (NN d) (NN e)))))))",
        [("move", "Verb taking wrong arguments", 4)],
    ),
    (
        "(ROOT (IP (VP (VP (VV a) (AS b)) (PU 、) (VP (VV d) (AS e))) (SP f)))",
        "(ROOT (IP (VP (VV a) (AS b)) (PU 、) (VP (VV d) (AS e)) (SP f)))",
        [("add", "Co-ordination", 1)],
    ),
    (
        "(ROOT (IP (AD a) (AD b) (PU 。)))",
        "(ROOT (IP (VP (AD a) (AD b)) (PU 。)))",
        [("remove", "Co-ordination", 1)],
    ),
    (
        "(ROOT (VP (VP (VV w)) (CC 、) (VP (VV w) (AD w))))",
        "(ROOT (VP (VP (VV w))) (CC 、) (VP (VV w)) (AD w))",
        [("move", "Co-ordination - Wrong pair", 2), ("move", "UNSET move", 2)],
    ),
    (
        "(ROOT (IP (IP (NN w)) (CC 、) (IP (VV w))))",
        "(ROOT (IP (IP (NN w)) (CC 、)) (IP (VV w)))",
        [("move", "Co-ordination - Incorrectly missing", 2)],
    ),
    (
        "(ROOT (NP (VP (VV a) (NP (CC b))) (VV c)))",
        "(ROOT (VP (VP (NP (NP (VV a)))) (CC b) (VP (VP (VV c)))))",
        [
            ("move", "Co-ordination - Incorrectly present", 3),
            ("add", "UNSET add", 1),
            ("add", "NP Internal - Single Word Phrase - add - for guidelines", 1),
            ("remove", "Single Word Phrase - remove", 1),
            ("remove", "Unary - ROOT over VP", 1),
            ("remove", "Unary - VP over VP", 1),
            ("remove", "Single Word Phrase - remove", 1),
        ],
    ),
    (
        "(ROOT (IP (UCP (NN a) (AS b)) (AD c) (AD d)))",
        "(ROOT (IP (NN a) (AS b) (AD c) (AD d)))",
        [("add", "Co-ordination - UCP related", 1)],
    ),
    (
        "(ROOT (IP (AD a) (VV b) (NN c)))",
        "(ROOT (IP (VP (AD a) (VV b)) (VV c)))",
        [("remove", "Sense Confusion, causing mis-attachment - VV and NN", 1)],
    ),
    (
        "(ROOT (VP (VP (VP (VV a))) (NP (PU ；)) (VV b) (VV c)))",
        "(ROOT (VP (VP (VP (NP (NN a)))) (VP (NP (VV ；) (PN b))) (VV c)))",
        [
            ("move", "Sense Confusion, causing mis-attachment - PN and VV", 2),
            ("remove", "Single Word Phrase - remove - for guidelines", 1),
            ("remove", "VV Attachment", 1),
        ],
    ),
    (
        "(ROOT (IP (VP (ADVP (AD x) (AD a)) (VV b)) (AD c) (AD d)))",
        "(ROOT (IP (ADVP (AD x) (AD a)) (VV b) (AD c) (AD d)))",
        [("add", "Scope error - ADVP", 1)],
    ),
    (
        "(ROOT (IP (NP (NN a) (NN b) (NN c)) (VP (VV d) (NN f) (AS e))))",
        "(ROOT (IP (NP (NN a) (NN b)) (VP (NN c) (VV d) (NN f) (AS e))))",
        [("move", "Noun boundary error", 4)],
    ),
    (
        "(ROOT (QP (NP (NP (NP (QP (VA a)))) (QP (P b)) (VA c)) (ETC d) (VV e)))",
        "(ROOT (QP (NP (NP (QP (VA a)) (QP (QP (VV b) (NP (VA c)))))) (ETC d) (NR e)))",
        [
            ("move", "UNSET move", 2),
            ("move", "Modifier Attachment", 2),
            ("add", "Unary - NP over NP", 1),
            ("remove", "NP Internal - other", 1),
            ("remove", "Single Word Phrase - remove", 1),
        ],
    ),
    # The label that decides is not that of the bracket which the move adds (CP).
    (
        "(ROOT (CLP (DVP (CP (OD a) (DNP (VP (DNP (VCD (VA b)))))) (VSB (NR c)))))",
        "(ROOT (IP (VRD (DNP (OD a) (VA b))) (NR c)))",
        [
            ("move", "Split Verb Compound", 3),
            ("relabel", "Different label", 2),
            ("add", "Unary - DVP over CLP", 1),
            ("add", "Unary - VP over DNP", 1),
            ("add", "Unary - DNP over VP", 1),
            ("add", "Unary - VCD over DNP", 1),
            ("add", "NP Internal - Single Word Phrase - add - for guidelines", 1),
            ("remove", "Unary - CP over VRD", 1),
        ],
    ),
]


@pytest.mark.parametrize(("gold", "parsed", "expected"), BY_REFERENCE)
def test_types_of_the_reference(gold: str, parsed: str, expected: list) -> None:
    found = repairs(gold, parsed, patterns="chinese", by_sentence=True)
    assert [
        (one.edit.operation, one.error_type, one.edit.nodes)
        for one in found.sentences[0].repairs
    ] == expected
    assert "rules:chinese" in str(found.signature)


def test_punctuation_goes_with_its_word_in_the_reference() -> None:
    gold, parsed = "(ROOT (IP (X (PU 、)) (NN b)))", "(ROOT (IP (PU 、) (NN b)))"
    for classifier, children in (("kummerfeld", ("PU、",)), ("spinal", ("PU",))):
        options = {"classifier": classifier, "parameters": "none"}
        found = repairs(gold, parsed, keep_trees=True, **options)
        assert found.sentences[0].repairs[0].edit.children == children


# -- each rule, by an edit that is of its type ----------------------------------------

VERBS = Tags(*[["VV"] * 9] * 3)  # no nouns, no tag that differs


def edit_of(text: str) -> Edit:
    """`add VP: VP AS, rights CC`: operation, label, children, and other fields."""
    start, *fields = text.split(", ")
    operation, _, children = start.partition(": ")
    operation, _, label = operation.partition(" ")
    known: dict[str, object] = {"parent": "IP", "around": (0, 9), "label": label}
    known |= {"new_parent": "VP"} if operation == "move" else {"family": 2}
    for field in fields:
        name, _, value = field.partition(" ")
        known[name] = tuple(value.split()) if name.endswith("s") else value
    known["family"] = int(str(known.get("family", 0)))
    return Edit(operation, 1, 1, 3, tuple(children.split()), **known)  # type: ignore[arg-type]


# A conjunct is VP CC VP, of which one VP moves. The last type is the reference's, if
# that is another; 、 co-ordinates by its rules alone.
BY_RULE = """
move: VP, lefts VP CC, parent VP, new_lefts VP CC | Co-ordination | Co-ordination - Wrong pair
move: VP, lefts VP CC, parent VP | Co-ordination | Co-ordination - Incorrectly present
move: VP, new_lefts VP CC | Co-ordination | Co-ordination - Incorrectly missing
move: VP, new_rights CC VP NP | Co-ordination | Co-ordination - Incorrectly missing
move: CC VP, new_lefts NP VP | Co-ordination | Co-ordination - Incorrectly missing
move: VP, new_lefts NP CC | VP Attachment
move: VP, new_lefts VP CC, new_parent IP | Verb taking wrong arguments
move: VP, new_lefts VP PU、 | Verb taking wrong arguments | Co-ordination - Incorrectly missing
move: PP NP | PP Attachment
move: AD ADJP | Modifier Attachment
move: IP, added VCD | Split Verb Compound | Clause Attachment
move: IP, last_lacking VCD | Clause Attachment | Split Verb Compound
move: IP, new_rights VV | Verb taking wrong arguments
move: IP, new_lefts VP, is_over_same yes | Verb taking wrong arguments | Clause Attachment
move: AS, new_lefts NN NR | Noun boundary error
move: AS, new_lefts NN VV | UNSET move
move: NP | Modifier Attachment
move: AS VV | Verb taking wrong arguments
move: CP | Clause Attachment
move: AS, new_lefts VV ADVP | Modifier Attachment
add UCP: VP IP | Co-ordination | Co-ordination - UCP related
add VP: VP AS, rights CC | Co-ordination | UNSET add
add VP: VP AS, lefts CC | Co-ordination | UNSET add
add IP: VP CC AS | Co-ordination
add IP: VP CC | UNSET add
add IP: VP PP | PP Attachment
add IP: VP CP | Clause Attachment
add ADVP: AD AS | Modifier Attachment
add IP: VP ADJP | Modifier Attachment
add VP: VP VP | Modifier Attachment
add IP: PP VP, rights SP | Scope error | Scope error - PP
add IP: PP VP | UNSET add
add VP: VP | Unary | Unary - VP over VP
remove VP: VV AS, family 1 | Unary | Unary - IP over VP
remove VP: VV AS, rights AD | Verb taking wrong arguments
remove IP: AS AD, rights NP | NP Attachment
remove IP: AS AD, rights CP | Clause Attachment | CP Attachment
remove IP: AS AD, rights ADVP | Modifier Attachment | ADVP Attachment
remove UCP: AS AD | Co-ordination | Co-ordination - UCP related
remove IP: AS AD, rights CC VP | Co-ordination
remove IP: AS AD, lefts CC | Co-ordination | UNSET remove
remove NP: NP QP, parent NP, lefts NP | UNSET remove | NP Internal - other
"""  # noqa: E501


@pytest.mark.parametrize("rule", BY_RULE.strip().splitlines())
def test_every_rule(rule: str) -> None:
    edit, ours, *theirs = rule.split(" | ")
    assert chinese(edit_of(edit), VERBS) == ours
    assert kummerfeld_chinese(edit_of(edit), VERBS) == (theirs or [ours])[0]


def test_words_of_nouns_make_it_internal() -> None:
    """Of the words around: `NN PU NR` are all of nouns, `NN VV` are not."""
    tags = Tags(*[["NN", "PU", "NR", "VV"]] * 3)
    edit = edit_of("add NP: NN NN")._replace(around=(0, 3))
    assert chinese(edit, tags) == "NP Internal Structure"
    assert kummerfeld_chinese(edit, tags) == "NP Internal - UNSET add"
    wider = edit._replace(around=(0, 4))
    assert chinese(wider, tags) == kummerfeld_chinese(wider, tags) == "UNSET add"
    unary = edit_of("add NP: NP")._replace(around=(0, 3))
    assert chinese(unary, tags) == "Unary"
    assert kummerfeld_chinese(unary, tags) == "Unary - NP over NP"


def test_a_tag_that_differs_is_confused() -> None:
    """Of one word that moved, or of the one that a removed bracket left out."""
    tags = Tags(
        ["VV", "NN", "VV", "AD"], ["VV", "VV", "VV", "DT"], ["VV", "VV", "VV", "DT"]
    )
    one = edit_of("move: AS")._replace(first=1, last=2, around=(0, 4))
    theirs = "Sense Confusion, causing mis-attachment - NN and VV"
    assert chinese(one, tags) == "Sense confusion"
    assert kummerfeld_chinese(one, tags) == theirs
    two = one._replace(last=3)  # two words
    assert chinese(two, tags) == kummerfeld_chinese(two, tags) == "UNSET move"
    same = one._replace(first=2, last=3)
    assert chinese(same, tags) == "UNSET move"
    left = edit_of("remove IP: AS AD, rights DT")._replace(around=(0, 4))
    assert chinese(left, tags) == "Sense confusion"
    assert kummerfeld_chinese(left, tags).endswith("AD and DT")
    more = left._replace(rights=("DT", "DT"))
    assert chinese(more, tags) == "UNSET remove"
