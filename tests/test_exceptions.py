"""Errors: a code, a place, fields, and text that is made of them last."""

from __future__ import annotations

import copy
import pickle
import string
from collections.abc import Callable

import pytest

from analyzer import exceptions
from analyzer.exceptions import (
    AnalyzerError,
    InputError,
    PairingError,
    Place,
    RstError,
    SettingsError,
)
from tests.support import error_codes

TEMPLATE = "{gold} has {n:word} ({names:list}), {parsed} {other!r} at {at:,}"
TEXT = (
    'a.mrg:3: sentence 7: gold has 2 words (x, y), parsed "it\'s {n}" at 1,234,567\n'
    "    (S ("
)


@pytest.fixture(name="error")
def _error(monkeypatch: pytest.MonkeyPatch) -> PairingError:
    monkeypatch.setitem(exceptions.templates(), "E499", TEMPLATE)
    fields = {"n": 2, "names": ("x", "y"), "other": "it's {n}", "at": 1234567}
    return PairingError("E499 has", Place("a.mrg", 3, None, 7), "    (S (", **fields)


def test_text_is_made_of_code_place_and_fields(error: PairingError) -> None:
    assert (str(error), error.code) == (TEXT, "E499")
    assert error.fields["other"] == "it's {n}"
    assert "A has 2 words" in str(error.with_sides("A", "B"))


@pytest.mark.parametrize(
    "travel",
    [lambda error: pickle.loads(pickle.dumps(error)), copy.copy],
    ids=["pickle", "copy"],
)
def test_errors_travel_with_all_they_know(
    travel: Callable[[AnalyzerError], AnalyzerError], error: PairingError
) -> None:
    travelled = travel(error)
    assert type(travelled) is PairingError
    assert (travelled.facts, str(travelled)) == (error.facts, TEXT)


def test_an_error_at_another_place_or_of_another_class_says_the_same(
    error: PairingError,
) -> None:
    moved = error.at(Place("b.mrg")).as_a(RstError)
    assert (type(moved), moved.code) == (RstError, "E499")
    assert moved.message == error.message
    assert str(moved.place) == "b.mrg"


def test_braces_in_a_plain_message_are_braces() -> None:
    assert str(SettingsError("no such {thing}")) == "no such {thing}"
    assert InputError("x").code == "E100"


@pytest.mark.parametrize("template", ["{n.real}", "{n[0]}", "{n:>999999999}", "{0}"])
def test_a_template_reaches_nothing_but_its_fields(
    template: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(exceptions.templates(), "E499", template)
    with pytest.raises((ValueError, KeyError)):
        _ = AnalyzerError("E499", n=1).message


def test_every_message_is_told_somewhere() -> None:
    assert {one.code for one in error_codes.raised()} == {*exceptions.templates()}


def test_the_words_beside_a_code_are_those_of_its_message() -> None:
    wrong = [
        (one.path.name, one.line, one.words)
        for one in error_codes.raised()
        if one.code and one.words not in exceptions.templates()[one.code]
    ]
    assert wrong == []


def test_every_field_of_a_message_is_given() -> None:
    wrong = [
        (one.path.name, one.line, name)
        for one in error_codes.raised()
        if one.code and one.fields is not None
        for name in _fields(exceptions.templates()[one.code]) - one.fields
    ]
    assert wrong == []


def _fields(template: str) -> set[str]:
    """The names in a template, but those that every message knows."""
    names = {name for _, name, _, _ in string.Formatter().parse(template) if name}
    return names - {*exceptions.SIDES}


def test_errors_have_codes_of_their_own() -> None:
    without = [one for one in error_codes.raised() if one.code is None]
    assert [(one.path.name, one.line, one.kind) for one in without] == []


def test_the_codes_are_documented() -> None:
    # .venv/bin/python -m tests.support.error_codes writes the page.
    assert error_codes.PAGE.read_text("utf-8") == error_codes.page()
