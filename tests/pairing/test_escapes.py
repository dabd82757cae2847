"""Which words are the same."""

from __future__ import annotations

import pytest

import analyzer
from analyzer import _native


@pytest.mark.parametrize(
    ("word", "other"),
    [
        *(("-LSB-", "["), ("-RSB-", "]"), ("-LCB-", "{"), ("-RCB-", "}")),
        *(("1\\/2", "1/2"), ("``", '"'), ("’", "'")),
    ],
)
@pytest.mark.parametrize("native", [True, False])
def test_escapes_are_the_same_words(
    word: str, other: str, native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not native:
        monkeypatch.setattr(_native, "has_kernel", lambda: False)
    tree = "(S (NP (XX {}) (NN cat)) (VP (VBD sat)))\n"
    gold = tree.format(word) + tree.format("a") + tree.format("b")
    parsed = tree.format(other) + tree.format("a") + tree.format("c")
    for sides in ((gold, parsed), (parsed, gold)):
        with pytest.warns(analyzer.LeftOutWarning, match="2 of 3 .* 1 word mismatch"):
            found = analyzer.evalb(*sides)
        assert [item.sentence for item in found.left_out] == [3]
        assert "word 1 differs: gold" in found.left_out[0].error.message
        assert "escapes:equal" in str(found.signature)


def test_the_signature_names_escapes_where_they_matter() -> None:
    """Not where words are equal anyway, nor in a sentence that is left out."""
    tree = "(S (NP (XX {}) (NN {})) (VP (VBD sat)))"
    gold = [tree.format("-LRB-", "cat"), tree.format("[", "cat")]
    for sides in ((gold, gold), (gold[1:], [tree.format("-LSB-", "dog")])):
        found = analyzer.evalb(*sides, on_mismatch="skip")
        assert "escapes" not in str(found.signature)
    named = analyzer.score(gold, [gold[0], tree.format("-LSB-", "cat")]).signature
    assert "escapes:equal" in str(named)
