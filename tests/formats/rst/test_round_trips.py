"""Discourse trees that are written and read again, and the two readers of .dis."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.exceptions import RstError
from analyzer.formats.registry import WHOLE_TREES, read_document, write_rst
from analyzer.formats.rst.dis import (
    quickly_read,
    read_by_grammar,
    read_dis,
    write_dis,
)
from analyzer.formats.rst.rs3 import read_rs3, rs3_losses, write_rs3
from analyzer.model.discourse import Unit
from tests.support.examples import some
from tests.support.rst_specimens import SPECIMENS, detected
from tests.support.rst_strategies import discourse_trees, shape

# -- round trips ----------------------------------------------------------------------

_TEXTS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp", "Cn", "Co"]
    ),
    min_size=1,
    max_size=12,
).filter(lambda text: not {"_!", "!_"} & {text[at : at + 2] for at in range(len(text))})


@st.composite
def with_texts(draw: st.DrawFn, *, proper: bool = True) -> Unit:
    root = draw(discourse_trees(proper=proper))
    for unit in root.walk():
        if unit.is_edu:
            words = draw(st.lists(_TEXTS, min_size=1, max_size=3))
            unit.text = " ".join(words)
    return root


@pytest.mark.slow
@pytest.mark.parametrize("to", WHOLE_TREES)
@settings(max_examples=some(60), deadline=None)
@given(root=with_texts())
def test_round_trips(to: str, root: Unit) -> None:
    written = write_rst(root, to)
    assert detected(written) == to
    assert shape(read_document(written)) == shape(root)


@pytest.mark.slow
@pytest.mark.parametrize("to", ["dis", "json", "brackets", "conllu"])
@settings(max_examples=some(60), deadline=None)
@given(root=with_texts(proper=False))
def test_round_trips_of_any_mixture(to: str, root: Unit) -> None:
    """Nuclei beside satellites, several relations in one unit."""
    assert shape(read_document(write_rst(root, to))) == shape(root)


@pytest.mark.slow
@settings(max_examples=some(50), deadline=None)
@given(root=with_texts(proper=False))
def test_rs3_says_what_it_loses(root: Unit) -> None:
    if any(unit.label == "span/S" for unit in root.walk()):
        with pytest.raises(RstError, match="keeps for nuclei"):
            write_rs3(root)
        return
    again = read_rs3(write_rs3(root)).tree
    is_same = shape(again) == shape(root)
    assert is_same or rs3_losses(root)
    assert [unit.text for unit in again.walk() if unit.is_edu] == [
        unit.text for unit in root.walk() if unit.is_edu
    ]


@pytest.mark.slow
def test_deep_trees_in_every_format() -> None:
    """Depth is no limit: 3,000 units, each in the one before."""
    root = Unit("N", "span", text="end")
    for number in range(3000):
        root.nuclearity, root.relation = "S", "reason"
        root = Unit("N", "span", [Unit("N", "span", text=str(number)), root])
    root.nuclearity, root.relation = "R", "---"
    for to in WHOLE_TREES:
        assert shape(read_document(write_rst(root, to))) == shape(root)


def test_odd_texts() -> None:
    texts = [" edges ", "a < b & c > d", "]]>", "(brackets) [too]", "____", "a_", "!x"]
    texts += ["été\r\n日本", '"quoted"', "tab\there"]
    root = Unit("R", "---", [Unit("N", "list", text=text) for text in texts])
    for to in ("dis", "rs3", "json"):
        assert shape(read_document(write_rst(root, to))) == shape(root), to
    for to in ("rsd", "conllu", "brackets"):  # where white space becomes blanks
        found = read_document(write_rst(root, to))
        expected_texts = [" ".join(text.split()) for text in texts]
        assert [unit.text for unit in found.walk()][1:] == expected_texts, to


def test_texts_that_hold_delimiters() -> None:
    root = Unit("R", "---", text="a _! b")
    assert read_dis(write_dis(root)).text == "a _! b"
    root.text = "a _! b </EDU>"
    with pytest.raises(RstError, match="EDU 1 contains both"):
        write_dis(root)
    root.text = "a !_ ( b"
    with pytest.raises(RstError, match="which end texts in brackets"):
        write_rst(root, "brackets")


def test_marks_of_sentences_and_paragraphs_are_kept_in_texts() -> None:
    root = read_dis("( Root (leaf 1) (text _!<s>He left.<P></s>_!) )")
    assert root.text == "<s>He left.<P></s>"


# -- the two readers of .dis ----------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=some(50), deadline=None)
@given(root=with_texts(proper=False))
def test_both_readers_of_dis_agree(root: Unit) -> None:
    text = write_dis(root)
    quick = quickly_read(text)
    assert quick == read_by_grammar(text, "<text>")  # lines too


@pytest.mark.slow
@settings(max_examples=some(120), deadline=None)
@given(data=st.data())
def test_both_readers_of_dis_agree_on_garbled_text(data: st.DataObject) -> None:
    """What the fast reader takes, the grammar takes for the same; it may doubt more."""
    text = SPECIMENS[data.draw(st.sampled_from(["dis", "dis: RST-DT's quirks"]))]
    for _ in range(data.draw(st.integers(1, 2))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        pieces = ["", "(", ")", " ", "_!", "//TT_ERR", "2", "Root", "Satellite", "<s>"]
        text = text[:start] + data.draw(st.sampled_from(pieces)) + text[end:]
    quick = quickly_read(text)
    if quick is None:
        with contextlib.suppress(RstError):
            read_by_grammar(text, "<text>")
        return
    assert quick == read_by_grammar(text, "<text>")
