"""Faults of records: those at which the grammar stumbles, told without it."""

from __future__ import annotations

import pickle
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from lark.exceptions import UnexpectedInput

from analyzer import _native, read_trees
from analyzer.formats.penn.faults import Kind, find_fault
from grammars import load, terminal_patterns
from tests.support.command import spinal
from tests.support.examples import some
from tests.support.kernels import compiled
from tests.support.strategies import garbled_lines

SENTENCE = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. .))"
BAD = [
    SENTENCE[:-1],
    SENTENCE + ")",
    SENTENCE.replace("cat", "black cat"),
    SENTENCE.replace("cat", "cat (NN"),
    SENTENCE.replace("(VP", "and (VP"),
    SENTENCE + " and",
]
KINDS = {"$END": Kind.END, "CLOSE": Kind.CLOSE, "OPEN": Kind.OPEN}
COMMENT = terminal_patterns("common")["COMMENT"]


def of_lark(text: str) -> tuple[Kind, int | None] | None:
    """What Lark says, in our words; at the end, it does not say where."""
    try:
        load("ptb").parse(text)
    except UnexpectedInput as error:
        told: Any = error
        kind = KINDS.get(told.token.type)
        if kind is None and told.expected == {"CLOSE"}:
            kind = Kind.SECOND_WORD
        elif kind is None:
            before = COMMENT.sub("", text[: told.pos_in_stream])
            is_within = before.count("(") > before.count(")")
            kind = Kind.BESIDE if is_within else Kind.OUTSIDE
        return kind, None if kind is Kind.END else told.pos_in_stream
    return None


def ours(text: str) -> tuple[Kind, int | None] | None:
    fault = find_fault(text)
    if fault is None:
        return None
    return fault.kind, None if fault.kind is Kind.END else fault.at


@pytest.mark.slow
def test_the_grammar_stumbles_over_the_same_in_all_short_texts() -> None:
    for length in range(6):
        for characters in product("() a\n#", repeat=length):
            text = "".join(characters)
            assert ours(text) == of_lark(text), text


@pytest.mark.slow
@settings(deadline=None, max_examples=some(100))
@given(garbled_lines())
def test_the_grammar_stumbles_over_the_same(record: bytes) -> None:
    text = record.decode("utf-8", "replace")
    assert ours(text) == of_lark(text)


def test_brackets_in_comments_are_not_open() -> None:
    fault = find_fault("(A\n#((\n(B b)")
    assert fault is not None
    assert (fault.kind, fault.at, fault.still_open) == (Kind.END, 0, 1)


@pytest.mark.parametrize("options", [[], ["-v"], ["--format", "json"]])
def test_no_bad_record_needs_lark(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are: each would take it a thousand times a token's time."""
    asked = []
    monkeypatch.setattr(_native, "CURRENT", compiled())
    monkeypatch.setattr("analyzer.formats.penn.faults.find_fault", asked.append)
    path = tmp_path / "trees.mrg"
    path.write_text("\n".join([SENTENCE, *BAD * 50, ""]))
    ran = spinal("evalb", path, path, "--jobs", "1", *options)
    assert ran.code == 2
    shown = 300 if options == ["-v"] else 10
    assert ran.err.count("sentence ") == shown
    if "json" in options:
        assert ran.out.count(f"{path}:") >= 300
    assert asked == []


def test_what_is_wrong_travels() -> None:
    with pytest.warns(UserWarning, match="6 of 7 trees"):
        bank = read_trees("\n".join([SENTENCE, *BAD]))
    again = pickle.loads(pickle.dumps(bank))
    assert list(map(str, again.problems.values())) == [
        str(problem) for problem in bank.problems.values()
    ]
    codes = [problem.code for problem in bank.problems.values()]
    assert codes == ["E213", "E214", "E217", "E215", "E218", "E216"]
