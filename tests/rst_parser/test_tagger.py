"""A tagger from a few sentences: sure words, words by what is around, unknown ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analyzer.rst_parser.tagger import (
    TAG_TEMPLATES,
    TagModel,
    tagged,
    train_lemmas,
    train_tags,
    word_features,
)
from analyzer.rst_parser.text import TokenText, read_plain


def tagged_text(*sentences: str) -> TokenText:
    """`the/DT dog/NN` as a text with these tags."""
    words = [word.split("/") for sentence in sentences for word in sentence.split()]
    numbers = [
        number for number, sentence in enumerate(sentences) for _ in sentence.split()
    ]
    text = read_plain(" ".join(word for word, _ in words))
    assert list(text.forms) == [word for word, _ in words]
    return replace(text, tags=[tag for _, tag in words], sentences=numbers)


TAUGHT = tagged_text(
    "The/DT man/NN walks/VBZ home/RB",
    "The/DT walks/NNS were/VBD long/JJ",
    "The/DT women/NNS walk/VBP",
    "The/DT walk/NN was/VBD long/JJ",
    "She/PRP walks/VBZ slowly/RB",
    "The/DT talks/NNS were/VBD good/JJ",
    "He/PRP talks/VBZ loudly/RB",
)


def tags(model: TagModel, sentence: str) -> str:
    return " ".join(tagged(model, read_plain(sentence)).tags)


def test_what_was_shown_is_known() -> None:
    model = train_tags([TAUGHT])
    assert list(tagged(model, TAUGHT).tags) == list(TAUGHT.tags)
    assert model.tags == tuple(sorted(set(TAUGHT.tags)))


def test_words_are_tagged_by_what_is_around_them_and_how_they_end() -> None:
    model = train_tags([TAUGHT])
    assert tags(model, "She talks slowly") == "PRP VBZ RB"
    assert tags(model, "The talks were long") == "DT NNS VBD JJ"
    assert tags(model, "He walks badly") == "PRP VBZ RB"


def test_sure_words_are_those_seen_often_with_one_tag() -> None:
    """`the` has one tag, seven times; `a` has two; `her` was seen four times."""
    often = ["the/DT dog/NN"] * 5 + ["a/DT dog/NN"] * 4 + ["a/SYM dog/NN"]
    model = train_tags([tagged_text(*often, *["her/PRP dog/NN"] * 4)])
    assert {word: model.tags[tag] for word, tag in model.sure.items()} == {
        **{"the": "DT", "dog": "NN"},
    }
    fifty = ["so/RB"] * 49 + ["so/IN"]
    assert train_tags([tagged_text(*fifty)]).sure  # 98 of 100
    assert not train_tags([tagged_text(*fifty, "so/IN")]).sure


def test_lemmas_are_words_with_other_ends() -> None:
    """`was` is learnt whole; of what ends as words of its tag do, the end is replaced;
    what is not known stays."""
    text = tagged_text("dogs/NNS cities/NNS ladies/NNS cats/NNS was/VBD dog/NN")
    lemmas = ["dog", "city", "lady", "cat", "be", "dog"]
    known = train_lemmas([replace(text, lemmas=lemmas)])
    assert set(known) == {("NNS", ""), ("NNS", "es"), ("VBD", "")}
    model = train_tags([replace(text, lemmas=lemmas)])
    assert list(tagged(model, text).lemmas) == lemmas
    taught = replace(model, sure={"hats": 1, "parties": 1, "so": 0})
    assert [taught.tags[at] for at in (0, 1)] == ["NN", "NNS"]
    found = tagged(taught, read_plain("Hats parties so"))
    assert list(found.lemmas) == ["hat", "party", "so"]


def test_the_same_seed_gives_the_same_weights() -> None:
    one, again, other = (train_tags([TAUGHT], seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.weights, again.weights)
    assert one.rows == again.rows
    assert (
        one.weights.shape != other.weights.shape or (one.weights != other.weights).any()
    )


def test_weights_are_means_over_all_decisions() -> None:
    """Two words, A and B. In the first of four rounds all weights are zero: the first
    tag, A, is guessed for both. So the word with the tag B is wrong once, at the first
    or the second of eight decisions, and its features are right ever after: their mean
    is 1 less the part before, 1/8 or 2/8."""
    model = train_tags([tagged_text("b/B", "a/A")], seed=1)
    found = model.weights[model.rows["w b"]]
    assert found.tolist() in ([-7 / 8, 7 / 8], [-6 / 8, 6 / 8])
    assert "w a" not in model.rows or abs(model.weights[model.rows["w a"]]).max() < 1


@pytest.mark.parametrize(
    ("word", "case"),
    [("Paris", "Aa"), ("USA", "A"), ("use", "a"), ("re-use", "a-"), ("3rd", "a0")],
)
def test_what_is_seen_of_a_word_alone(word: str, case: str) -> None:
    small = word.lower()
    found = word_features([word], [small], 0, -1, -1)
    assert found[:6] == [
        f"w {small}",
        f"3 {small[-3:]}",
        f"2 {small[-2:]}",
        f"4 {small[-4:]}",
        f"p {small[:2]}",
        f"c {case} True",
    ]
    assert {"b ^", "a $", "2b ^", "2a $", "1 -1", "12 -1 -1"} <= set(found)
    assert len(found) == len(set(found)) == TAG_TEMPLATES


def test_what_is_seen_around_a_word() -> None:
    """`delta` with two words on each side; the tags before are 7 and 8."""
    words = ["beta", "gamma", "delta", "epsilon", "zeta"]
    found = word_features(words, words, 2, 7, 8)
    assert found[5:] == [
        *("c a False", "b gamma", "a epsilon", "1 7", "12 7 8", "1w 7 delta"),
        *("1a 7 lon", "b3 mma", "a3 lon", "bw gamma delta", "wa delta epsilon"),
        *("13 7 lta", "2b beta", "2a zeta"),
    ]
    assert word_features(words, words, 1, 7, 8)[-2:] == ["2b ^", "2a epsilon"]
    assert word_features(words, words, 3, 7, 8)[-2:] == ["2b gamma", "2a $"]
