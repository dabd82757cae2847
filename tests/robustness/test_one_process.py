"""Nothing that one call reads changes what a later call counts.

Labels have numbers that all calls of a process share. A process without any is forked:
one child only scores, the other is given hostile input first.
"""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analyzer import agree, check, evalb, find_errors, score, score_rst
from analyzer.formats.objects import as_treebank
from analyzer.model.symbols import SYMBOLS
from tests.support.examples import some
from tests.support.strategies import garbled_lines

GOLD = "\n".join(
    [
        "( (S (NP-SBJ (PRP I)) (VP (VBP see) (NP (DT the) (NN cat)))))",
        "(ROOT (S (NP (NN time)) (VP (VBZ flies) (PP (IN like) (NP (NNS arrows))))))",
        "( (S (NP-SBJ-1 (-NONE- *)) (VP (VB go) (ADVP-LOC (RB home))) (. .)))",
        "( (X) (FRAG (NP (NNP A) (CC and) (NNP B))))",
    ]
    * 3
)
PARSED = "\n".join(
    [
        "( (S (NP-SBJ (PRP I)) (VP (VBP see)) (NP (DT the) (NN cat))))",
        "(ROOT (S (NP (NN time) (NNS flies)) (VP (IN like) (NP (NNS arrows)))))",
        "(TOP (S (VP (VB go) (NP (RB home))) (. .)))",
        "( (NP (NP (NNP A)) (CC and) (NP (NNP B))))",
    ]
    * 3
)
DISCOURSE = "(NS-Cause (1) (NN-List (2) (3)))", "(NS-Reason (NN-List (1) (2)) (3))"
LABELS = [
    "NP",
    "VP",
    "S",
    "",
    "NN",
    "PRP",
    "SBJ",
    "NP-SBJ",
    "Cause",
    "List",
    "N",
    "S/S",
]

# What is hostile: what to do, and with what.
Hostile = tuple[str, Any]
Scored = Callable[[list[Hostile]], list[str]]


def results() -> list[str]:
    """What is counted."""
    brackets = evalb(GOLD, PARSED, by_label=True)
    frames = [
        score(GOLD, PARSED).frame(),
        brackets.frame(),
        brackets.labels_frame(),
        find_errors(GOLD, PARSED).frame(),
        agree(GOLD, PARSED).frame(),
        score_rst(*DISCOURSE).frame(),
        check(GOLD + "\n" + PARSED).frame(),
    ]
    return [frame.to_csv() for frame in frames]


class TreeObject(list[Any]):
    """A tree as NLTK has it."""

    def __init__(self, label: str, children: list[Any]) -> None:
        super().__init__(children)
        self._label = label

    def label(self) -> str:
        return self._label


def read_text(text: str | bytes) -> None:
    calls: list[Callable[[], object]] = [
        lambda: score(text, text),
        lambda: evalb(text, text),
        lambda: find_errors(text, GOLD),
        lambda: check(text),
        lambda: score_rst(text, text),
    ]
    for call in calls:
        with suppress(Exception):
            call()


def read_objects(given: tuple[str, str, str]) -> None:
    label, tag, word = given
    tree = TreeObject(label, [TreeObject(tag, [word]), word, TreeObject("", [])])
    as_treebank([tree])
    score([tree], [tree])
    evalb([tree, None], [tree, tree])


def number_labels(names: list[str]) -> None:
    for name in names:
        SYMBOLS.id(name)


def read_many_labels(count: int) -> None:
    read_text("\n".join(f"(L{n} (T{n} a))" for n in range(count)))


HOSTILE: dict[str, Callable[[Any], None]] = {
    "text": read_text,
    "objects": read_objects,
    "labels": number_labels,
    "many": read_many_labels,
}


def serve(connection: Connection) -> None:
    """Per request: a child that is given hostile input, and then scores."""

    warnings.simplefilter("ignore")
    while (request := connection.recv()) is not None:
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read_end)
            with os.fdopen(write_end, "wb") as stream:
                for kind, given_ in request:
                    with suppress(Exception):
                        HOSTILE[kind](given_)
                stream.write(pickle.dumps(results()))
            os._exit(0)
        os.close(write_end)
        with os.fdopen(read_end, "rb") as stream:
            connection.send_bytes(stream.read())
        os.waitpid(child, 0)


@pytest.fixture(scope="module")
def after() -> Iterator[tuple[Scored, list[str]]]:
    """What is counted after hostile input, by a process that read nothing else.

    And what one counts that was given none.
    """
    here, there = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=serve, args=(there,))
    process.start()

    def asked(hostile: list[Hostile]) -> list[str]:
        here.send(hostile)
        return pickle.loads(here.recv_bytes())  # type: ignore[no-any-return]

    yield asked, asked([])
    here.send(None)
    process.join()


NAMES = st.text("\0ab \ud800é()-=|/NPS", max_size=12) | st.sampled_from(LABELS)
TEXTS = st.lists(garbled_lines(), max_size=4).map(b"\n".join) | st.text(
    "(NP a)\0\ud800\n-"
)
INPUTS = st.one_of(
    st.tuples(st.just("text"), TEXTS),
    st.tuples(st.just("objects"), st.tuples(NAMES, NAMES, NAMES)),
    st.tuples(st.just("labels"), st.permutations(LABELS) | st.lists(NAMES)),
)


@settings(max_examples=some(30), deadline=None)
@given(st.lists(INPUTS, min_size=1, max_size=3))
@example([("labels", ["\0"])])
@example([("objects", ("\0", "NN\0", "a\0"))])
@example([("objects", ("\ud800", "\ud800", "\ud800"))])
@example([("labels", ["N" * 100_000, "\0" * 9])])
@example([("labels", LABELS[::-1])])
@example([("many", 2000)])
def test_what_was_read_before_does_not_count(
    after: tuple[Scored, list[str]], hostile: list[Hostile]
) -> None:
    scored, fresh = after
    assert scored(hostile) == fresh
