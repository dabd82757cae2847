"""Types of error in Chinese: one pair of trees each."""

from __future__ import annotations

import pytest

from analyzer import repairs

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
