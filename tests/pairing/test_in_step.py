"""Gold beside parsed: what blank lines mean, whatever the size of the files."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from analyzer import LeftOutWarning, evalb
from analyzer.exceptions import InputWarning

WORDS = ("it", "rains", "in", "the", "old", "town", "all", "day")
LARGE = 20_000  # more than is looked at to tell what blank lines mean


def trees(count: int) -> list[str]:
    """Sentences of one to eight words."""
    return [
        f"(S {' '.join(f'(W {word})' for word in WORDS[: 1 + at * 5 % 8])})"
        for at in range(count)
    ]


def scored(gold: list[str], parsed: list[str], folder: Path) -> tuple[int, ...]:
    for name, lines in (("gold", gold), ("parsed", parsed)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    found = evalb(folder / "gold", folder / "parsed")
    totals = found.summary
    return totals.sentences, totals.valid, totals.error, totals.skip, *found.surplus


@pytest.mark.parametrize("count", [20, LARGE])
@pytest.mark.parametrize("apart", ["gold", "parsed", "both"])
def test_blank_lines_between_all_trees_are_no_sentences(
    apart: str, count: int, tmp_path: Path
) -> None:
    plain = trees(count)
    between = [line for tree in plain for line in (tree, "")]
    gold = plain if apart == "parsed" else between
    parsed = plain if apart == "gold" else between
    assert scored(gold, parsed, tmp_path) == (count, count, 0, 0, 0, 0)


@pytest.mark.parametrize("count", [20, LARGE])
@pytest.mark.parametrize("every", [2, 7])
def test_parses_that_failed_are_sentences(
    every: int, count: int, tmp_path: Path
) -> None:
    """Also if it is every second one, so that each tree has a blank line after it."""
    gold = trees(count)
    parsed = [tree if at % every else "" for at, tree in enumerate(gold, start=1)]
    failed = count // every
    assert scored(gold, parsed, tmp_path) == (count, count - failed, 0, failed, 0, 0)


@pytest.mark.parametrize("count", [20, LARGE])
def test_blank_lines_between_documents_are_no_sentences(
    count: int, tmp_path: Path
) -> None:
    parsed = trees(count)
    gold = [
        line for tree in parsed for line in ([tree, ""] if "day" in tree else [tree])
    ]
    assert scored(gold, parsed, tmp_path) == (count, count, 0, 0, 0, 0)


def test_blank_lines_on_both_sides_are_failed_parses(tmp_path: Path) -> None:
    """As evalb has it, as long as they are few."""
    plain = trees(20)
    plain[6:6] = [""]
    assert scored(plain, plain, tmp_path) == (21, 20, 0, 1, 0, 0)


def test_blank_lines_that_are_passed_over_are_told(tmp_path: Path) -> None:
    """Unless all trees have them between."""
    plain = trees(20)
    some = [line for at, tree in enumerate(plain) for line in [tree] + [""] * (at == 9)]
    with pytest.warns(InputWarning, match="1 blank line taken for separators, not"):
        assert scored(plain, some, tmp_path) == (20, 20, 0, 0, 0, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        between = [line for tree in plain for line in (tree, "")]
        assert scored(plain, between, tmp_path) == (20, 20, 0, 0, 0, 0)


def test_they_are_not_said_to_be_parses_that_failed(tmp_path: Path) -> None:
    """Where gold has no tree, no parse can fail."""
    plain = ["", *trees(20)]
    scored(plain, [*plain[:-1], ""], tmp_path)
    with pytest.warns(LeftOutWarning, match="1 no tree on either side, 1 failed parse"):
        evalb(tmp_path / "gold", tmp_path / "parsed")


@pytest.mark.parametrize("at", [0, 10, 20])
def test_more_blank_lines_than_trees_are_no_sentences(at: int, tmp_path: Path) -> None:
    padded = trees(20)
    padded[at:at] = [""] * 2000
    assert scored(padded, padded, tmp_path) == (20, 20, 0, 0, 0, 0)
    assert scored(padded, trees(20), tmp_path) == (20, 20, 0, 0, 0, 0)


@pytest.mark.parametrize("failed", [0, 3, 5])
def test_files_that_fit_are_read_so_that_they_fit(failed: int, tmp_path: Path) -> None:
    """Also if no parse has gold's number of words, and another's by chance."""
    gold = [tree for _ in range(3) for tree in trees(2)]
    parsed = [gold[(at + 1) % 6] for at in range(6)]
    parsed[failed] = ""
    assert scored(gold, parsed, tmp_path) == (6, 0, 5, 1, 0, 0)
