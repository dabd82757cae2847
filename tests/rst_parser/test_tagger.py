"""A tagger from a few sentences: sure words, words by what is around, unknown ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analyzer.exceptions import Place
from analyzer.rst_parser import storage
from analyzer.rst_parser.features import parsed
from analyzer.rst_parser.linear import hashes
from analyzer.rst_parser.tagger import (
    TAGS,
    TagModel,
    tagged,
    train_lemmas,
    train_tags,
    word_atoms,
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


# Features that occur fewer than three times teach nothing.
THRICE = [TAUGHT] * 3


def learnt(*texts: TokenText) -> TagModel:
    return train_tags(texts, strength=0.01)[0]


def tags(model: TagModel, sentence: str) -> str:
    [text] = tagged(model, [read_plain(sentence)])
    return " ".join(text.tags)


def test_what_was_shown_is_known() -> None:
    model = learnt(*THRICE)
    [text] = tagged(model, [TAUGHT])
    assert list(text.tags) == list(TAUGHT.tags)
    assert model.tags == tuple(sorted(set(TAUGHT.tags)))


def test_words_are_tagged_by_what_is_around_them_and_how_they_end() -> None:
    model = learnt(*THRICE)
    assert tags(model, "She talks slowly") == "PRP VBZ RB"
    assert tags(model, "The talks were long") == "DT NNS VBD JJ"
    assert tags(model, "He walks badly") == "PRP VBZ RB"


def test_the_tags_that_a_frequent_word_may_have_are_known() -> None:
    """`the` has one tag, five times or more; `a` has two; `her` was seen four times;
    of 50 times, `so` was once IN, which is no more than 2 %, then twice."""
    often = ["the/DT dog/NN"] * 5 + ["a/DT cat/NN"] * 4 + ["a/SYM cat/NN"]
    fifty = ["so/RB"] * 49 + ["so/IN"]
    model = learnt(tagged_text(*often, *["her/PRP hat/NN"] * 4, *fifty))
    assert model.known == {
        **{"the": "DT", "dog": "NN", "a": "DT SYM", "cat": "NN", "so": "RB"},
    }
    assert learnt(tagged_text(*fifty, "so/IN")).known == {"so": "IN RB"}


def test_lemmas_are_words_with_other_ends() -> None:
    """`was` is learnt whole; of what ends as words of its tag do, the end is replaced;
    what is not known stays."""
    text = tagged_text("dogs/NNS cities/NNS ladies/NNS cats/NNS was/VBD dog/NN")
    lemmas = ["dog", "city", "lady", "cat", "be", "dog"]
    text = replace(text, lemmas=lemmas)
    known = train_lemmas([text])
    assert set(known) == {("NNS", ""), ("NNS", "es"), ("VBD", "")}
    model = learnt(text, text, text)
    [again] = tagged(model, [text])
    assert list(again.lemmas) == lemmas
    taught = replace(model, known={"hats": "NNS", "parties": "NNS", "so": "NN"})
    [other] = tagged(taught, [read_plain("Hats parties so")])
    assert list(other.lemmas) == ["hat", "party", "so"]


def test_each_half_of_the_texts_is_tagged_by_the_other() -> None:
    """`talks` is a noun in one text and a verb in the other. It is rare enough for its
    tags not to be known; so each text's words get the tag that the other's have."""
    noun, verb = (tagged_text(*[f"the/DT talks/{tag}"] * 3) for tag in ("NN", "VBZ"))
    _, guessed = train_tags([noun, verb], strength=0.01)
    for text, other in zip(guessed, (verb, noun), strict=True):
        assert list(text.tags) == list(other.tags)
        assert not text.has_syntax


def test_the_same_seed_gives_the_same_model() -> None:
    [model, guessed], [again, guessed_again] = (
        train_tags([TAUGHT] * 4, strength=0.5, seed=7) for _ in range(2)
    )
    assert model.chooser.weights.tobytes() == again.chooser.weights.tobytes()
    assert model.sentences.weights.tobytes() == again.sentences.weights.tobytes()
    assert guessed == guessed_again


# She | re-uses | Paris' | USA || 3rd ; `paris'` and `usa` are known.
OF_WORDS = """
w: she | re-uses | paris' | usa | 3rd
c: Aa | a- | Aa. | A | a0
first: True | False | False | False | True
s1: e | s | ' | a | d
s3: she | ses | is' | usa | 3rd
s5: she | -uses | aris' | usa | 3rd
p2: sh | re | pa | us | 3r
a: ?heAa | ?esa- | NNP POS | NNP | ?rda0
w-1: edge-1 | she | re-uses | paris' | edge-1
w+2: paris' | usa | edge+2 | edge+2 | edge+2
a+1: ?esa- | NNP POS | NNP | edge+1 | edge+1
c-1: edge-1 | Aa | a- | Aa. | edge-1
s3+1: ses | is' | usa | edge+1 | edge+1
"""


def test_what_is_seen_of_each_word() -> None:
    forms = ["She", "re-uses", "Paris'", "USA", "3rd"]
    text = replace(read_plain("a b c d e"), forms=forms, sentences=[0, 0, 0, 0, 1])
    atoms = word_atoms([text], {"paris'": "NNP POS", "usa": "NNP"})
    for line in OF_WORDS.strip().splitlines():
        name, _, values = line.partition(":")
        expected = hashes([value.strip() for value in values.split("|")])
        assert atoms[name].tolist() == expected.tolist(), name
    names = {name for template in parsed(TAGS) for name in template}
    assert names <= set(atoms)


def test_more_tags_than_a_byte_holds_are_kept() -> None:
    """Tags of languages with rich morphology are many; each word here has two."""
    words = [f"w{number}" for number in range(150)]
    taught = [
        tagged_text(
            *(f"{before}/D {word}/{word}{before}" for word in words for before in "ab")
        )
    ] * 3
    model = learnt(*taught)
    assert len(model.tags) == 301
    arrays = storage._tag_arrays(model)
    loaded = storage._tagger(arrays, model.tags, Place("m"))
    [expected], [text] = tagged(model, taught[:1]), tagged(loaded, taught[:1])
    assert list(text.tags) == list(expected.tags)
    assert len(set(text.tags)) > 256
    arrays["tags.which"] = arrays["tags.which"].astype(np.int32)
    arrays["tags.which"][0] = -1
    with pytest.raises(ValueError, match="tags"):
        storage._tagger(arrays, model.tags, Place("m"))
