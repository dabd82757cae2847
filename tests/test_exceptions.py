"""Errors: a code, a place, fields, and text that is made of them last."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from analyzer.exceptions import (
    AnalyzerError,
    InputError,
    PairingError,
    Place,
    RstError,
    SettingsError,
)
from analyzer.runtime.typed_json import from_plain, to_plain
from tests.support import error_codes

ERROR = PairingError(
    "{gold} has {n:word} ({names:list}), {parsed} {other!r} at {at:,}",
    Place("a.mrg", 3, None, 7),
    "    (S (",
    code="E499",
    n=2,
    names=("x", "y"),
    other="it's {n}",
    at=1234567,
)
TEXT = (
    'a.mrg:3: sentence 7: gold has 2 words (x, y), parsed "it\'s {n}" at 1,234,567\n'
    "    (S ("
)


def test_text_is_made_of_code_place_and_fields() -> None:
    assert str(ERROR) == TEXT
    assert ERROR.fields["other"] == "it's {n}"
    assert "A has 2 words" in str(ERROR.with_sides("A", "B"))


@pytest.mark.parametrize(
    "travelled",
    [
        pickle.loads(pickle.dumps(ERROR)),
        copy.copy(ERROR),
        from_plain(AnalyzerError, json.loads(json.dumps(to_plain(ERROR)))),
    ],
    ids=["pickle", "copy", "json"],
)
def test_errors_travel_with_all_they_know(travelled: AnalyzerError) -> None:
    assert type(travelled) is PairingError
    assert (travelled.facts, str(travelled)) == (ERROR.facts, TEXT)


def test_an_error_at_another_place_or_of_another_class_says_the_same() -> None:
    moved = ERROR.at(Place("b.mrg")).as_a(RstError)
    assert (type(moved), moved.code) == (RstError, "E499")
    assert moved.message == ERROR.message
    assert str(moved.place) == "b.mrg"


def test_braces_in_a_plain_message_are_braces() -> None:
    assert str(SettingsError("no such {thing}")) == "no such {thing}"
    assert InputError("x").code == "E100"


@pytest.mark.parametrize("template", ["{n.real}", "{n[0]}", "{n:>999999999}", "{0}"])
def test_a_template_reaches_nothing_but_its_fields(template: str) -> None:
    # A checkpoint may come from anyone.
    with pytest.raises((ValueError, KeyError)):
        _ = AnalyzerError(template, code="E001", n=1).message


def test_a_code_says_one_thing() -> None:
    said: dict[str, set[str | None]] = {}
    for one in error_codes.raised():
        if one.code is not None:
            said.setdefault(one.code, set()).add(one.template)
    assert {code: texts for code, texts in said.items() if len(texts) > 1} == {}
    assert not [code for code, texts in said.items() if None in texts]


def test_errors_have_codes_of_their_own() -> None:
    without = [one for one in error_codes.raised() if one.code is None]
    assert [(one.path.name, one.line, one.kind) for one in without] == []


def test_the_codes_are_documented() -> None:
    # .venv/bin/python -m tests.support.error_codes writes the page.
    assert error_codes.PAGE.read_text("utf-8") == error_codes.page()
