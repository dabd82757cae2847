"""evalb's parameter files, and the sets that are built in."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import EvalbParameters, load_parameters
from analyzer.exceptions import InputError, SettingsError
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.parameters import BUILT_IN, parse_parameters

EVERYTHING = """\
## a comment
DEBUG 1
MAX_ERROR 25\t
CUTOFF_LEN  70
LABELED 0

DELETE_LABEL TOP
DELETE_LABEL ''
DELETE_LABEL -NONE-  \t
DELETE_LABEL_FOR_LENGTH -NONE-
QUOTE_LABEL ``
QUOTE_LABEL POS
EQ_LABEL ADVP PRT
EQ_WORD Example example
"""


def test_every_keyword() -> None:
    assert parse_parameters(EVERYTHING, name="mine") == EvalbParameters(
        name="mine",
        labeled=False,
        cutoff_length=70,
        max_error=25,
        debug=1,
        delete=("TOP", "''", "-NONE-"),
        delete_for_length=("-NONE-",),
        quotes=("``", "POS"),
        equal_labels=(("ADVP", "PRT"),),
        equal_words=(("Example", "example"),),
    )


def test_windows_line_ends_and_no_last_one() -> None:
    text = EVERYTHING.replace("\n", "\r\n").rstrip()
    assert parse_parameters(text) == parse_parameters(EVERYTHING)


def test_an_empty_file_gives_the_defaults_of_evalb() -> None:
    found = parse_parameters("")
    assert (found.cutoff_length, found.max_error, found.labeled) == (40, 10, True)
    assert found.delete == ()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("DELETE_LABLE TOP", "unknown keyword 'DELETE_LABLE'"),
        ("CUTOFF_LEN forty", "CUTOFF_LEN wants a number, found 'forty'"),
        ("CUTOFF_LEN --4", "wants a number"),
        ("CUTOFF_LEN ²", "wants a number"),
        ("LABELED", "LABELED without a value"),
        ("EQ_LABEL ADVP", "EQ_LABEL wants two values, found 1"),
        ("EQ_WORD a b c", "EQ_WORD wants two values, found 3"),
    ],
)
def test_a_bad_line_is_told_and_passed_over(line: str, complaint: str) -> None:
    told: list[str] = []
    text = f"DELETE_LABEL TOP\n{line}\nDELETE_LABEL S1\n"
    found = parse_parameters(text, name="bad.prm", warn=told.append)
    assert found == parse_parameters(
        "DELETE_LABEL TOP\nDELETE_LABEL S1", name="bad.prm"
    )
    assert len(told) == 1
    assert told[0].startswith("bad.prm:2: ")
    assert complaint in told[0]


def test_labels_that_are_equal_only_by_way_of_a_third() -> None:
    found = parse_parameters("EQ_LABEL A B\nEQ_LABEL B C\n", name="odd.prm")
    with pytest.raises(SettingsError, match="does not say A = C") as caught:
        LabelTables(found)
    assert "odd.prm" in str(caught.value)
    assert "EQ_LABEL A C" in str(caught.value)


def test_classes_of_equal_labels() -> None:
    text = "EQ_LABEL A B\nEQ_LABEL C B\nEQ_LABEL A C\nEQ_LABEL X Y\nEQ_LABEL Z Z\n"
    classes = parse_parameters(text).classes_of_labels()
    assert classes["A"] == classes["B"] == classes["C"]
    assert classes["X"] == classes["Y"] != classes["A"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_sets_by_name(name: str) -> None:
    found = load_parameters(name)
    assert found.name == name
    assert found.max_error is None
    found.classes_of_labels()


def test_what_the_built_in_sets_delete() -> None:
    assert "," in load_parameters("collins").delete
    assert {"S1", "?", "!"} <= set(load_parameters("new").delete)
    assert load_parameters("none").delete == ()
    assert not {",", "."} & set(load_parameters("spmrl").delete)
    assert {"ROOT", "TOP"} <= set(load_parameters("spmrl").delete)


def test_deleting_one_more() -> None:
    found = load_parameters("collins").with_deleted("ROOT")
    assert found.delete[-1] == "ROOT"
    assert found.name == "collins+ROOT"


def test_a_parameter_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.prm"
    path.write_text(EVERYTHING)
    assert load_parameters(str(path)).name == "mine.prm"


def test_neither_a_set_nor_a_file() -> None:
    with pytest.raises(SettingsError, match="collins, new, none, spmrl"):
        load_parameters("colins")


def test_a_parameter_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bad.prm").write_bytes(b"DELETE_LABEL \xff\n")
    with pytest.raises(InputError, match=r"bad.prm:1: byte 0xFF is not UTF-8"):
        load_parameters(str(tmp_path / "bad.prm"))
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        load_parameters(str(tmp_path))
