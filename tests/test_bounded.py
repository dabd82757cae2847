"""No sentence, however long or odd, takes much more than a usual one of its size.

Nothing here reads a clock: functions called are counted, and words decoded.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from analyzer import (
    LeftOutWarning,
    Treebank,
    agree,
    breakdown,
    check,
    compare_systems,
    derive,
    evalb,
    find_errors,
    instances,
    repairs,
    score,
    score_rst,
    write_rst,
)
from analyzer.analyses.report import score_for_page
from analyzer.editing import workbench
from analyzer.model.arrays import Ints
from tests.support.command import spinal
from tests.support.cost import calls
from tests.support.rst_strategies import tree_of

Pair = tuple[str, str]


def left(words: int) -> str:
    """Every bracket begins at the first word."""
    return (
        "(S " * (words - 1)
        + "(X w0)"
        + "".join(f" (X w{at}))" for at in range(1, words))
    )


def right(words: int) -> str:
    """Every bracket ends at the last word."""
    opened = "".join(f"(S (X w{at}) " for at in range(words - 1))
    return f"{opened}(X w{words - 1}){')' * (words - 1)}"


def flat(words: int) -> str:
    return f"(S {' '.join(f'(X w{at})' for at in range(words))})"


def deep(brackets: int) -> str:
    """Brackets over one word."""
    return f"{'(S ' * brackets}(X w0){')' * brackets}"


def halved(words: int, start: int = 0) -> str:
    if words == 1:
        return f"(X w{start})"
    half = words // 2
    return f"(S {halved(half, start)} {halved(words - half, start + half)})"


ODD: dict[str, Callable[[int], Pair]] = {
    "opposite": lambda size: (left(size), right(size)),
    "halved": lambda size: (right(size), halved(size)),
    "flat": lambda size: (flat(size), left(size)),
    "deep": lambda size: (deep(size), "(S (X w0))"),
}
WORK: dict[str, Callable[[str, str], object]] = {
    "score": score,
    "evalb": evalb,
    "errors": find_errors,
    "instances": lambda gold, parsed: instances(gold, parsed).frame(),
    "agree": agree,
    "breakdown": lambda gold, parsed: breakdown(
        gold, parsed, by="length", resamples=10
    ),
    "compare": lambda gold, parsed: compare_systems(
        gold, {"a": parsed, "b": gold}, resamples=10
    ),
    "derive": lambda gold, parsed: derive(gold, parsed).frame(),
    "check": lambda gold, _: check(gold),
    "repairs": repairs,
    "our repairs": lambda gold, parsed: repairs(
        gold, parsed, classifier="spinal", by_sentence=True
    ),
    "report": lambda gold, parsed: score_for_page([("x", gold, parsed)]),
}

# Up to a thousand children it tries the more changes, the more there are; then no more.
LEVELS_OFF = ("check", "flat")


@pytest.fixture(autouse=True)
def is_quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


PAIRS = [(name, odd) for name in WORK for odd in ODD if (name, odd) != LEVELS_OFF]


@pytest.mark.parametrize(("name", "odd"), PAIRS)
def test_four_times_the_words_take_about_four_times_the_calls(
    name: str, odd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbench, "MOST_LOOKED_AT", 20_000)
    work, pair = WORK[name], ODD[odd]
    work(*pair(10))  # what is loaded once
    few, many = (calls(lambda size=size: work(*pair(size))) for size in (200, 800))
    assert many < 6 * few


@pytest.mark.slow
def test_a_phrase_of_any_length_is_checked() -> None:
    few, many = (calls(lambda size=size: check(flat(size))) for size in (1600, 3200))
    assert many < 2 * few


def test_words_are_decoded_for_what_is_shown_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each word of a long sentence has a finding: the sentence is not copied for it."""
    decoded = 0
    forms = Treebank.forms

    def count(bank: Treebank, leaves: Ints | slice) -> list[str]:
        nonlocal decoded
        words = forms(bank, leaves)
        decoded += len(words)
        return words

    monkeypatch.setattr(Treebank, "forms", count)
    size = 1000
    for work in (lambda: check(left(size)), lambda: agree(left(size), right(size))):
        decoded = 0
        work()
        assert decoded < 100 * size


def test_a_search_that_takes_too_long_is_given_up_and_named() -> None:
    pair = ODD["opposite"](1500)
    with pytest.warns(LeftOutWarning, match="1 search given up"):
        result = repairs(*pair, by_sentence=True)
    [item] = result.left_out
    assert "given up after 1,000,000 brackets" in str(item)
    assert result.sentences[0].status == "search_given_up"
    assert (result.ledger.scored, result.total.errors) == (0, 0)


def test_the_command_says_what_it_gave_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbench, "MOST_LOOKED_AT", 1000)
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "parsed.mrg"
    same = "(S (X a) (X b))\n"
    gold.write_text(same + left(50))
    parsed.write_text(same + right(50))
    ran = spinal("repairs", gold, parsed, "--format", "json", "-q")
    assert json.loads(ran.out)["ledger"]["reasons"] == {"search given up": 1}
    assert "1 search given up" in spinal("repairs", gold, parsed).out


def test_a_page_does_not_say_that_no_edit_mends_what_was_not_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workbench, "MOST_LOOKED_AT", 1000)
    tagged = "(S (NP (NN x)) (VP (VB y)))"
    gold = [left(50), "(S (NP (DT a) (NN b)) (VP (VB c)))", tagged]
    parsed = [right(50), "(S (NP (DT a)) (VP (NN b) (VB c)))", tagged]
    [scored] = score_for_page([("x", gold, parsed)])
    [unknown, known] = scored.errors.edits
    assert unknown == []
    assert known[0]


def test_a_document_of_any_depth_is_checked_and_scored(tmp_path: Path) -> None:
    inner = "N:span S:cause"

    def work(units: int) -> None:
        more = units - 2
        to_left = "N:span[" * more + inner + "] S:cause" * more
        to_right = f"{inner}[" * more + inner + "]" * more
        paths = []
        for name, tree in (("left", to_left), ("right", to_right)):
            paths.append(tmp_path / name / "x.dis")
            paths[-1].parent.mkdir(exist_ok=True)
            paths[-1].write_text(write_rst(tree_of(f"[{tree}]"), "dis"))
        check(str(paths[0]))
        score_rst(*map(str, paths))

    work(10)
    assert calls(lambda: work(1200)) < 6 * calls(lambda: work(300))
