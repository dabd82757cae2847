"""Names of sentences: the historical corpora's ID, the markup of the Chinese one."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer import find_errors, read_trees
from analyzer.formats.blocks import BlockSettings, read_all
from analyzer.formats.penn.identifiers import (
    Names,
    is_historical,
    is_markup,
    markup_as_comments,
)
from analyzer.formats.penn.reader import BracketFile
from tests.support.command import spinal
from tests.support.data_paths import SHARED, needs_shared_data

LANGUAGES = SHARED / "languages"
CODE = "( (CODE <P_8>))\n"
SAY = "( (METADATA (AUTHOR A_B)) (IP-MAT (NP-SBJ (PRO I)) (VBP say)) (ID A,8.{n}))\n"
GO = "( (IP-MAT (NP-SBJ (PRO I)) (CODE {{x}}) (VBP go)) (ID A,8.{n}))\n"
BAD = "( (IP-MAT (NP-SBJ (PRO I) (VBP go)) (ID A,8.{n}))\n"
MARKUP = """<DOC>
<DOCID> chtb_0001 </DOCID>
<S ID=11>
( (IP (NP (NN a))
      (VP (VV b))))
</S>
<S id="s 12">
( (IP (VV c)))
</S>
</DOC>
"""


def test_names_are_taken_out_and_codes_are_no_sentences() -> None:
    bank = read_trees(CODE + SAY.format(n=1) + CODE + CODE + GO.format(n=2) + CODE)
    assert bank.ids == ("A,8.1", "A,8.2")
    assert [str(tree) for tree in bank] == [
        "( (IP-MAT (NP-SBJ (PRO I)) (VBP say)))",
        "( (IP-MAT (NP-SBJ (PRO I)) (VBP go)))",
    ]
    assert [tree.id for tree in bank[1:]] == ["A,8.2"]
    assert bank.line.tolist() == [2, 5]


@given(st.lists(st.sampled_from([CODE, SAY, GO, BAD]), max_size=12), st.integers(1, 3))
def test_as_many_as_are_counted_wherever_they_are_cut(
    pieces: list[str], wanted: int
) -> None:
    # Enough good lines for a line to be a tree, whatever comes.
    pieces = [*[SAY, GO] * 30, *pieces]
    text = CODE + "".join(one.format(n=at) for at, one in enumerate(pieces))
    expected = [
        f"A,8.{at}" if one != BAD else ""
        for at, one in enumerate(pieces)
        if one != CODE
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", 150)
        file, settings = BracketFile(io.BytesIO(text.encode())), BlockSettings()
        found: list[str] = []
        while ready := file.available(wanted, settings):
            block = file.take(min(wanted, ready), len(found) + 1, settings)
            bank = block.read()
            for tree, problem in bank.problems.items():
                assert problem.place is not None
                assert problem.place.sentence == len(found) + tree + 1
            found += bank.ids or [""] * len(bank)
    assert found == expected


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (b"( (CODE <P_8>))", True),
        (b"( (S (X a)) (ID A,1))\n\n( (S (X b)))", True),
        (b"( (S (NP (ID card))\n  (VP (X a))))", False),
        (b"(TOP (S (X a)) (ID A,1))\n", False),
        (b"(S (ID a))\n(S (ID b))", False),
    ],
)
def test_told_by_how_files_begin(start: bytes, expected: bool) -> None:
    assert is_historical(start) is expected


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_lines_of_markup_name_trees(size: int) -> None:
    stream = markup_as_comments(_Slow(MARKUP.encode(), size))
    bank = read_all(BracketFile(stream, names=Names.MARKUP), "a.fid")
    assert bank.ids == ("11", "s")
    assert bank.line.tolist() == [4, 8]
    assert read_trees(MARKUP).ids == bank.ids
    assert not bank.problems


class _Slow(io.BytesIO):
    """A stream that gives few bytes at a time."""

    def __init__(self, text: bytes, size: int) -> None:
        super().__init__(text)
        self._size = size

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or self._size, self._size))


FOUND = "/~*\nI (say)\n*~/\n/*\n1 IP-MAT: 2 NP-SBJ\n*/\n\n"


@pytest.mark.parametrize("start", ["/*\nPREFACE:\n*/\n", ""])
def test_comments_of_a_search_program(start: str) -> None:
    text = start + "".join(FOUND + one.format(n=n) for n, one in enumerate((SAY, GO)))
    bank = read_trees(text + "/*\nFOOTER\n*/\n")
    assert bank.ids == ("A,8.0", "A,8.1")
    assert not bank.problems
    first = 1 + text[: text.index("( (")].count("\n")
    assert bank.line[0] == first


def test_markup_in_trees_is_text() -> None:
    assert not is_markup(b"(S (X <P_8>))")
    bank = read_trees("<DOC>\n(S\n(X\n<P_8>))\n</DOC>\n")
    assert bank[0].words == ["<P_8>"]


def test_names_are_shown_and_found(tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.psd", tmp_path / "parsed.psd"
    gold.write_text(CODE + SAY.format(n=1) + GO.format(n=2))
    parsed.write_text(SAY.format(n=1) + GO.format(n=2).replace("(PRO I)", "(PRO you)"))
    shown = spinal("show", gold, "--sentence", "A,8.2")
    assert "# sentence 2 (A,8.2)" in shown.out
    assert spinal("show", gold, "--sentence", "A,9").code == 2
    assert "# sentence 1 (A,8.1)" in spinal("derive", gold, "--sentence", "A,8.1").out
    ran = spinal("score", gold, parsed, "--by-sentence", "--format", "json")
    data = json.loads(ran.out)
    assert [row["id"] for row in data["sentences"]] == ["A,8.1", "A,8.2"]
    assert data["skipped"][0]["id"] == "A,8.2"
    assert "sentence 2 (A,8.2): word 1 differs" in ran.err
    evalb = json.loads(
        spinal("evalb", gold, gold, "--by-sentence", "--format", "json").out
    )
    assert [row["id"] for row in evalb["sentences"]] == ["A,8.1", "A,8.2"]
    spurious = GO.format(n=1).replace("(NP-SBJ (PRO I))", "(PRO I)")
    missed = find_errors(GO.format(n=1), spurious, sentence=["A,8.1"])
    assert [one.error.id for one in missed.rows] == ["A,8.1"]


def test_names_are_shown_by_what_compares(tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.psd", tmp_path / "parsed.psd"
    gold.write_text(CODE + SAY.format(n=1) + GO.format(n=2))
    parsed.write_text(SAY.format(n=1).replace("(NP-SBJ (PRO I))", "(PRO I)") + GO)
    files = (gold, parsed, "--treebank", "historical")
    assert "1 (A,8.1)" in spinal("agree", *files).out
    found = json.loads(spinal("agree", *files, "--format", "json").out)
    assert found["disagreements"][0]["examples"][0]["id"] == "A,8.1"
    assert "1 (A,8.1)" in spinal("kernel", *files).out
    files = (*files, "--classifier", "spinal")
    found = json.loads(spinal("repairs", *files, "--list", "--format", "json").out)
    assert [one["id"] for one in found["sentences"]] == ["A,8.1", "A,8.2"]
    assert (
        "sentence 1 (A,8.1): ok, 1 edit"
        in spinal("repairs", *files, "--draw", "A,8.1").out
    )
    missing = spinal("repairs", *files, "--draw", "A,9")
    assert "there is no sentence A,9" in missing.err


@needs_shared_data
@pytest.mark.parametrize(
    ("folder", "trees"),
    [("historical-english", 1804), ("icelandic", 1971), ("japanese", 1548)],
)
def test_as_many_sentences_as_the_corpora_have(folder: str, trees: int) -> None:
    bank = read_trees(str(LANGUAGES / folder / "*.psd"))
    assert len(bank) == trees
    assert bank.ids.count("") <= 1
