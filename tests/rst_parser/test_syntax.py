"""Syntax that is guessed: the moves to known trees, and what a few sentences teach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.rst_parser.syntax import Words, gold_moves, train_syntax, with_syntax
from analyzer.rst_parser.text import TokenText, of_edus, read_tokens
from tests.support.examples import some

# "The man who came left": form, tag, head, function.
SENTENCES = """
The/DT/2/det man/NN/5/nsubj who/WP/4/nsubj came/VBD/2/acl:relcl left/VBD/0/root
The/DT/2/det girl/NN/3/nsubj sang/VBD/0/root because/IN/6/mark it/PRP/6/nsubj rained/VBD/3/advcl
It/PRP/2/nsubj rained/VBD/0/root
"""  # noqa: E501 -- a sentence a line


def corpus(times: int) -> TokenText:
    lines = []
    for sentence in SENTENCES.strip().split("\n") * times:
        for number, token in enumerate(sentence.split(), start=1):
            form, tag, head, function = token.split("/")
            cells = [str(number), form, form.lower(), tag, tag, "_", head, function]
            lines.append("\t".join([*cells, "_", "_"]))
        lines.append("")
    [text] = read_tokens("\n".join(lines))
    return text


def test_what_was_taught_is_guessed() -> None:
    taught = corpus(10)
    model = train_syntax([taught])
    assert set(model.functions) == set(taught.functions)
    [guessed] = with_syntax(model, [taught.without_syntax()])
    assert guessed.tags == taught.tags
    assert guessed.governors == taught.governors
    assert guessed.functions == taught.functions
    assert guessed.has_syntax
    unknown = of_edus(["The man sang because it rained"])
    [guessed] = with_syntax(model, [unknown])
    assert guessed.governors == [1, 2, -1, 5, 5, 2]
    assert guessed.edu_starts == unknown.edu_starts


def test_texts_do_not_look_at_each_other() -> None:
    model = train_syntax([corpus(10)])
    one, other = of_edus(["It rained."]), of_edus(["The man left.", "It sang."])
    [alone], both = with_syntax(model, [one]), with_syntax(model, [other, one])
    assert alone == both[1]


@st.composite
def projective(draw: st.DrawFn, size: int) -> list[int]:
    """Governors of words, -1 for the root's: spans are joined, heads of one govern."""
    heads = [-1] * size
    spans = list(range(size))  # the head of each
    while len(spans) > 1:
        at = draw(st.integers(0, len(spans) - 2))
        governs, depends = draw(st.permutations(spans[at : at + 2]))
        heads[depends] = governs
        spans[at : at + 2] = [governs]
    return heads


def words_of(*sizes: int) -> Words:
    text = of_edus([" ".join(["a"] * size) for size in sizes])
    sentences = [number for number, size in enumerate(sizes) for _ in range(size)]
    return Words([replace(text, sentences=sentences)])


@settings(max_examples=some(60))
@given(data=st.data())
def test_moves_rebuild_projective_trees(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 8), min_size=1, max_size=4))
    heads: list[int] = []
    for size in sizes:
        tree = data.draw(projective(size))
        heads += [-1 if head < 0 else len(heads) + head for head in tree]
    words = words_of(*sizes)
    gold_moves(words, np.array(heads))
    assert words.governor.tolist() == heads
    for word in range(len(heads)):
        dependents = [at for at, head in enumerate(heads) if head == word]
        assert words.kids[word] == len(dependents)
        assert words.first[word] == min(dependents, default=-1)
        assert words.last[word] == max(dependents, default=-1)


@pytest.mark.parametrize("heads", [[2, 3, -1, 1], [1, 0, -1], [-1, -1, -1], [1, 2, 0]])
def test_every_sentence_becomes_a_tree(heads: list[int]) -> None:
    """Crossing arcs, cycles, several roots: one root, and all others below it."""
    words = words_of(len(heads))
    gold_moves(words, np.array(heads))
    roots = np.flatnonzero(words.governor < 0)
    assert len(roots) == 1
    at = np.arange(len(heads))
    for _ in heads:
        at = np.where(words.governor[at] < 0, at, words.governor[at])
    assert (at == roots[0]).all()
