"""Tables that no reader made: compiled code never gets columns that are not sound."""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import check, derive, evalb, find_errors, read_trees, score
from analyzer.exceptions import AnalyzerError
from analyzer.model.treebank import Treebank, Yields
from tests.support.examples import some

GOLD = read_trees(
    "(S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (NN mats)))) (. .))\n"
    "()\n"
    "( (S (NP (-NONE- *)) (VP (VB go) (ADVP (RB home)))))\n"
)
COLUMNS = [
    one.name for one in fields(Treebank) if hasattr(getattr(GOLD, one.name), "dtype")
]
CALLS: dict[str, Callable[[Treebank], object]] = {
    "evalb": lambda bank: (evalb(bank, GOLD), evalb(GOLD, bank)),
    "score": lambda bank: (score(bank, GOLD), score(GOLD, bank)),
    "errors": lambda bank: (find_errors(bank, GOLD), find_errors(GOLD, bank)),
    "derive": lambda bank: (derive(bank), derive(GOLD, bank)),
    "check": lambda bank: check(bank),
}
NUMBERS = st.sampled_from([-(2**31), -7, -1, 0, 1, 2, 5, 99, 10**6, 2**31 - 1])


def in_another_process(work: Callable[[], object]) -> int:
    """How a process ends that does it: 0, 1 for what raises; below 0 for a signal."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def only_damage(error: AnalyzerError) -> None:
    assert error.code == "E004", error


def try_all(bank: Treebank) -> None:
    """All that scores: a result, or the error that says what is wrong."""
    for call in CALLS.values():
        try:
            call(bank)
        except AnalyzerError as error:
            only_damage(error)


@st.composite
def damaged_columns(draw: st.DrawFn) -> tuple[str, Any]:
    """A column and what may stand in its place: most often no column of trees."""
    name = draw(st.sampled_from(COLUMNS))
    column = getattr(GOLD, name)
    how = draw(st.sampled_from(["numbers", "length", "type", "order"]))
    if how == "numbers":
        other = column.copy()
        for at in draw(st.lists(st.integers(0, column.size - 1), min_size=1)):
            other[at] = draw(NUMBERS) if name != "is_leaf" else not other[at]
    elif how == "length":
        sizes = st.integers(0, 2 * column.size)
        other = np.resize(column, draw(sizes))
    elif how == "type":
        types = [np.int8, np.uint8, np.int32, np.int64, np.uint64, np.float64, object]
        other = column.astype(draw(st.sampled_from(types)))
        other = draw(st.sampled_from([other, other.reshape(1, -1), other.tolist()]))
    else:
        other = column[np.array(draw(st.permutations(range(column.size))))]
    return name, other


def by_hand(columns: dict[str, Any]) -> Treebank:
    given = {one.name: getattr(GOLD, one.name) for one in fields(Treebank)}
    return Treebank(**given | {"_sound": ()} | columns)


def unpickled(columns: dict[str, Any]) -> Treebank:
    made, (kept, names) = GOLD.__reduce__()
    return made(kept | columns, names)  # type: ignore[no-any-return]


MAKERS = [by_hand, unpickled, lambda columns: replace(GOLD, **columns)]


@settings(max_examples=some(150), deadline=None)
@given(st.lists(damaged_columns(), min_size=1, max_size=2), st.sampled_from(MAKERS))
def test_no_table_ends_the_process(
    damage: list[tuple[str, Any]], make: Callable[[dict[str, Any]], Treebank]
) -> None:
    def tried() -> None:
        try:
            bank = make(dict(damage))
        except AnalyzerError as error:
            only_damage(error)
        else:
            try_all(bank)

    assert in_another_process(tried) == 0


@pytest.mark.parametrize("call", CALLS)
def test_a_span_beyond_the_words_is_said_to_be_damage(call: str) -> None:
    last = GOLD.last.copy()
    last[1] = 10**6
    with pytest.raises(AnalyzerError, match="damaged treebank table: not true that"):
        CALLS[call](replace(GOLD, last=last))


@pytest.mark.parametrize(
    ("damage", "fact"),
    [
        ({"text": b""}, "words lie within the text"),
        ({"text": "text"}, "columns are arrays of their types"),
        ({"ids": ("a",)}, "columns have an entry for each"),
        ({"edges": ("a",)}, "columns have an entry for each"),
        ({"problems": {7: None}}, "problems are of trees"),
        ({"yields": Yields.of([(0, 0, 99)])}, "runs of words lie within the bank"),
        ({"depth": GOLD.depth * 2}, "a node comes right after its parent"),
        ({"node_start": GOLD.node_start[[0, 1, 2, 2]]}, "starts cover all rows"),
    ],
)
def test_what_else_is_damage(damage: dict[str, Any], fact: str) -> None:
    with pytest.raises(AnalyzerError, match=fact):
        replace(GOLD, **damage).require_sound()


# -- what is known of a table, and for how long ----------------------------------------


def test_columns_that_were_read_cannot_be_made_writeable() -> None:
    for bank in (GOLD, GOLD[1:], Treebank.join([GOLD, GOLD])):
        for name in COLUMNS:
            with pytest.raises(ValueError, match="WRITEABLE"):
                getattr(bank, name).flags.writeable = True


def test_columns_that_were_checked_are_nobody_elses() -> None:
    last = GOLD.last.copy()
    bank = replace(GOLD, last=last[:])
    bank.require_sound()
    last[:] = 10**6
    bank.check()
    assert evalb(GOLD, bank).summary.f1 == 1


def test_columns_that_change_before_they_are_used_are_checked() -> None:
    last = GOLD.last.copy()
    bank = replace(GOLD, last=last[:])
    last[1] = 10**6
    with pytest.raises(AnalyzerError, match="damaged treebank table"):
        evalb(GOLD, bank)


def test_what_is_known_stays_with_the_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes are looked at once at most, and not at all if a reader made them."""
    asked = []
    original = Treebank._check
    monkeypatch.setattr(
        Treebank,
        "_check",
        lambda bank, **known: (asked.append(known), original(bank, **known)),
    )
    bank = read_trees("(A (B b) (C c))\n(D d)\n")
    for one in (bank, bank[1:], Treebank.join([bank, bank]), replace(bank, source="x")):
        one.require_sound()
    assert asked == []
    other = replace(bank, node_start=bank.node_start.copy())
    other.require_sound()
    assert asked == [{"knows_nodes": True}]
    again = pickle.loads(pickle.dumps(bank))
    again.require_sound()
    again.require_sound()
    assert asked[1:] == [{"knows_nodes": False}]
