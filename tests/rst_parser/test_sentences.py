"""Sentences of raw text: learnt where texts show them, by rules where they do not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from analyzer import RstParser
from analyzer.rst_parser.linear import LinearModel, Vocabulary
from analyzer.rst_parser.sentences import train_sentences, with_sentences
from analyzer.rst_parser.text import TokenText, read_plain

KNOWN = {"the": "DT", "he": "PRP", "she": "PRP", "we": "PRP", "you": "PRP"}
NOTHING = LinearModel(Vocabulary(np.zeros(0, np.int32)), np.zeros(1, np.float32))


def in_sentences(*sentences: str) -> TokenText:
    """A text whose sentences are known."""
    texts = [read_plain(sentence) for sentence in sentences]
    numbers = [number for number, text in enumerate(texts) for _ in text.forms]
    text = read_plain(" ".join(sentences))
    assert list(text.forms) == [form for part in texts for form in part.forms]
    return replace(text, sentences=numbers, pieces=None)


def shown(text: TokenText) -> list[str]:
    """The sentences as tokens with blanks between them."""
    return [" ".join(text.forms[start:end]) for start, end in text.sentence_spans()]


def test_a_dash_ends_a_sentence_where_texts_say_so() -> None:
    """The rules never end one at a dash. Here each dash before a capital does."""
    texts = [
        in_sentences(f"He said {what} --", f"{who} left {what} .", "It was late .")
        for what in ("so", "this", "much", "that")
        for who in ("She", "We", "You")
    ]
    model = train_sentences(texts, KNOWN)
    raw = read_plain("He said little -- They left home -- by car. It rained.")
    assert shown(raw) == ["He said little -- They left home -- by car .", "It rained ."]
    [text] = with_sentences([raw], model, KNOWN)
    assert shown(text) == [
        *("He said little --", "They left home -- by car .", "It rained ."),
    ]


def test_a_model_of_few_texts_says_what_the_rules_say() -> None:
    """One text, in which the rules are wrong once, does not overrule them."""
    texts = [in_sentences("He left -- but", "She stayed . We know .")]
    model = train_sentences(texts, KNOWN)
    raw = read_plain("You left. The old man stayed -- Ann knew. Why?")
    [text] = with_sentences([raw], model, KNOWN)
    assert shown(text) == shown(raw)


@given(st.lists(st.sampled_from(["He", "left", ".", "“", "”", "\n", "\n\n", "-"])))
def test_without_weights_sentences_are_those_of_the_rules(words: list[str]) -> None:
    text = read_plain(" ".join(words) + " x")
    [same] = with_sentences([text], NOTHING, KNOWN)
    assert list(same.sentences) == list(text.sentences)


def test_line_breaks_and_known_sentences_stay() -> None:
    """A model for which every word begins a sentence divides raw text only, and only
    where a sentence may begin: not before small letters after a word."""
    eager = replace(NOTHING, weights=np.array([9.0], np.float32))
    known = in_sentences("He left . She", "stayed")
    raw = read_plain("A heading\nHe left. But Ann stayed\n\nso")
    same, divided = with_sentences([known, raw], eager, KNOWN)
    assert same is known
    assert shown(divided) == [
        *("A heading", "He left", ".", "But", "Ann stayed", "so"),
    ]


def test_the_same_texts_teach_the_same() -> None:
    texts = [in_sentences("He left .", "She stayed --", "We know .")] * 3
    weights = [train_sentences(texts, KNOWN).weights for _ in range(2)]
    assert np.array_equal(*weights)


def test_a_parser_learns_sentences_with_its_trees(tmp_path: Path) -> None:
    """After training on texts in which a dash before a capital ends a sentence, raw
    text is divided so, by the model as it was made and as it was saved. Documents with
    and without syntax keep their trees."""
    trees, syntax = tmp_path / "trees", tmp_path / "syntax"
    trees.mkdir()
    syntax.mkdir()
    for number, what in enumerate(("so", "this", "much", "that") * 3):
        for name, subject in (("a", "She"), ("b", "We")):
            first, second = f"He said {what} --", f"{subject} left {what} ."
            rows = f"1\t0\tROOT\tN\t{first}\n2\t1\tcause\tS\t{second}\n"
            header = "edu\thead\trelation\tnuclearity\ttext\n"
            (trees / f"{name}{number}.tsv").write_text(header + rows)
            if number or name == "b":
                blocks = [
                    "\n".join(
                        f"{at}\t{word}\t_\tX\tX\t_\t0\troot\t_\t_"
                        for at, word in enumerate(sentence.split(), start=1)
                    )
                    for sentence in (first, second)
                ]
                path = syntax / f"{name}{number}.conllu"
                path.write_text("\n\n".join(blocks) + "\n\n")
    parser = RstParser.train(trees, syntax=syntax)
    assert RstParser.train(trees, syntax=syntax).to_bytes() == parser.to_bytes()
    parser.save(tmp_path / "a.model")
    raw = read_plain("He said little -- They left that.")
    assert shown(raw) == ["He said little -- They left that ."]
    for model in (parser, RstParser.load(tmp_path / "a.model")):
        [text] = model.segment([raw])
        assert shown(text) == ["He said little --", "They left that ."]
        assert text.edu_starts == [0, 4]
    tree = parser.parse_text("He said little -- They left that.")
    edus = [unit.text for unit in tree.walk() if unit.is_edu]
    assert edus == ["He said little --", "They left that."]
