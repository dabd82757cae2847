"""TIGER-XML in blocks: the same trees wherever they are cut."""

from __future__ import annotations

import io
import pickle
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer import read_trees
from analyzer.exceptions import InputWarning
from analyzer.formats.blocks import BlockSettings
from analyzer.formats.tiger import TigerFile
from tests.support.tiger_xml import (
    SEEN,
    SEEN_IN_BRACKETS,
    YES,
    corpus,
    sentence,
    words,
)

SETTINGS = BlockSettings()


@given(st.lists(st.integers(1, 5), min_size=1), st.integers(1, 40))
def test_blocks_of_any_size_hold_the_same_trees(sizes: list[int], rows: int) -> None:
    bad = sentence(words("a/A"), "p9", "s7")
    xml = corpus(YES, bad, SEEN, YES, YES, bad, SEEN, "\n", YES).encode()
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        patch.setattr("analyzer.formats.incremental.BLOCK_ROWS", rows)
        patch.setattr("analyzer.formats.incremental.CHUNK_BYTES", 50)
        file = TigerFile(io.BytesIO(xml), "a.xml")
        found: list[tuple[int, str]] = []
        turn = 0
        while ready := file.available(wanted := sizes[turn % len(sizes)], SETTINGS):
            block = file.take(min(ready, wanted), len(found) + 1, SETTINGS)
            assert block.trees <= wanted
            bank = pickle.loads(pickle.dumps(block)).read()
            found += [
                (int(bank.line[at]), str(bank.problems.get(at, tree)))
                for at, tree in enumerate(bank)
            ]
            turn += 1
    yes, no = "(ROOT (PTKANT Ja))", "the root p9 does not exist"
    assert found == [
        (2, yes),
        (3, f"a.xml:3: sentence 2 (s7): {no}"),
        (4, SEEN_IN_BRACKETS),
        (5, yes),
        (6, yes),
        (7, f"a.xml:7: sentence 6 (s7): {no}"),
        (8, SEEN_IN_BRACKETS),
        (10, yes),
    ]


def test_sentences_on_one_line_have_that_line() -> None:
    bank = read_trees(corpus(YES.strip() * 3))
    assert bank.line.tolist() == [2, 2, 2]
