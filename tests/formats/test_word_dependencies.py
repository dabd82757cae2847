"""Dependencies of words, from CoNLL-U."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.exceptions import InputError
from analyzer.formats.word_dependencies import (
    NO_GOVERNOR,
    DependentWord,
    open_dependencies,
    read_dependencies,
)
from tests.support.conllu import conllu


def rows(*lines: str) -> str:
    return "\n".join("\t".join(line.split()) for line in lines) + "\n"


def test_words_tokens_and_governors() -> None:
    found = read_dependencies(
        "# sent_id = a-1\n"
        + conllu("Rain/_/NN/2/nsubj falls/_/VBZ/0/root", "", "So/_/RB/0/root")
    )
    [bank] = found.banks
    assert [tree.words for tree in bank] == [["Rain", "falls"], ["So"]]
    assert bank.ids == ("a-1", "")
    assert found.words[0] == [
        [DependentWord(0, 1, "nsubj"), DependentWord(1, NO_GOVERNOR, "root")],
        [DependentWord(0, NO_GOVERNOR, "root")],
    ]


@pytest.mark.parametrize(
    ("written", "parts", "tokens", "places"),
    [
        ("that's", ("that", "'s"), ["that", "'s"], [0, 1]),
        ("du", ("de", "le"), ["du"], [0, 0]),
        ("dámelo", ("dá", "me", "lo"), ["dá", "me", "lo"], [0, 1, 2]),
        # The second word is not as it is written: it is at what is left of the token.
        ("aux", ("a", "les"), ["a", "ux"], [0, 1]),
    ],
)
def test_several_words_that_are_written_as_one(
    written: str, parts: tuple[str, ...], tokens: list[str], places: list[int]
) -> None:
    lines = [f"1-{len(parts)} {written} _ _ _ _ _ _ _ _"]
    lines += [f"{at} {one} _ _ X _ 0 root _ _" for at, one in enumerate(parts, start=1)]
    last = f"{len(parts) + 1} end _ _ X _ 1 dep _ _"
    found = read_dependencies(rows(*lines, last))
    assert found.banks[0][0].words == [*tokens, "end"]
    assert [word.token for word in found.words[0][0]] == [*places, len(tokens)]


def test_words_that_are_not_written_are_left_out() -> None:
    text = rows(
        "1 a _ _ X _ 0 root _ _", "1.1 b _ _ X _ _ _ _ _", "2 c _ _ X _ 1 x _ _"
    )
    assert read_dependencies(text).banks[0][0].words == ["a", "c"]


@pytest.mark.parametrize(
    ("line", "code", "at"),
    [
        ("1 a _ _ X _ 0 root _", "E151", 2),
        ("x a _ _ X _ 0 root _ _", "E630", 2),
        ("1 a _ _ X _ 7 root _ _", "E152", 2),
    ],
)
def test_lines_that_are_wrong_are_named(line: str, code: str, at: int) -> None:
    with pytest.raises(InputError) as caught:
        read_dependencies("# text = a\n" + rows(line), "some.conllu")
    assert caught.value.code == code
    assert str(caught.value).startswith(f"some.conllu:{at}: ")


def test_files_and_folders(tmp_path: Path) -> None:
    for name in ("b.conllu", "a.conllu"):
        (tmp_path / name).write_text(conllu(f"{name}/_/NN/0/root"))
    (tmp_path / "a.dis").write_text("( Root (span 1 1) )")
    found = open_dependencies(tmp_path)
    assert [bank[0].words for bank in found.banks] == [["a.conllu"], ["b.conllu"]]
    assert len(found.words) == 2
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "a.txt").write_text("words")
    with pytest.raises(InputError, match="no dependencies"):
        open_dependencies([tmp_path / "none"])
    with pytest.raises(InputError, match="contains no tokens"):
        read_dependencies("# nothing\n")
