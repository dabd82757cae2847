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
