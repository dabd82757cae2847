"""Answers of language models in records: JSON, a JSON record a line, or a table.

    {"id": "wsj-7", "response": "Sure! (S (NP (PRP I)) (VP (VBP see)))"}

A record has an answer in one of its fields, and may have its id in another. An answer
is one sentence, whatever stands in it; none (`null`) is a parse that failed. Gold may
stand in a third field of the same records. Errors name the line that a record begins
on.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np

from analyzer.exceptions import InputError, Place, TreeSyntaxError
from analyzer.files.small_files import decode_utf8, read_bytes
from analyzer.files.sources import MEGABYTE, Readable
from analyzer.formats.blocks import (
    Block,
    BlockAround,
    BlockSettings,
    Fields,
    FirstLook,
    Progress,
    TreeFile,
)
from analyzer.model.arrays import Ints
from analyzer.model.treebank import Treebank

_BEFORE_JSON = "\ufeff \t\r\n"
_BETWEEN = re.compile(r"[\s,]*+")
_INDEX = re.compile(r"\[(\d+)\]")  # choices[0].text is choices.0.text
_DELIMITERS = "\t,;"
_CALLED: dict[type, str] = {list: "a list", dict: "a record"}
_LARGEST = 512 * MEGABYTE  # reasoning is long


class Answer(NamedTuple):
    """What a model said, which record it stands in, and what that is called."""

    text: str
    line: int
    id: str = ""


def read_answers(text: str, source: str, fields: Fields) -> list[Answer]:
    """The answers of a text, in order; InputError if a record has none.

    >>> records = '{"n": 1, "a": {"b": "(X x)"}}\\n{"n": 2, "a": {"b": null}}'
    >>> read_answers(records, "a.jsonl", Fields("a.b", "n"))
    [Answer(text='(X x)', line=1, id='1'), Answer(text='', line=2, id='2')]
    >>> read_answers("id\\tparse\\n7\\t(X x)\\n", "a.tsv", Fields("parse", "id"))
    [Answer(text='(X x)', line=2, id='7')]
    """
    assert fields.answer is not None
    is_json = text.lstrip(_BEFORE_JSON).startswith(("{", "["))
    answers = []
    records = list((_json_records if is_json else _rows)(text, source))
    if len(records) == 1 and is_json:
        records = _listed(*records[0], fields.answer)
    for line, record in records:
        place = Place(source, line)
        value = _value(record, fields.answer, place)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            raise InputError(
                "E483 holds a list of", place, field=fields.answer, n=len(value)
            )
        if not isinstance(value, str | None):
            kind = _CALLED.get(type(value), repr(value))
            raise InputError(
                "E173 expected a text", place, field=fields.answer, found=kind
            )
        id = "" if fields.id is None else _value(record, fields.id, place)
        if not isinstance(id, str | int):
            raise InputError("E174 expected a text or a number", place, field=fields.id)
        answers.append(Answer(value or "", line, str(id)))
    return answers


def _json_records(text: str, source: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a list, or of lines, and the line that each begins on."""
    decoder = json.JSONDecoder()
    at = len(text) - len(text.lstrip(_BEFORE_JSON))
    is_list = text.startswith("[", at)
    at = _BETWEEN.match(text, at + is_list).end()  # type: ignore[union-attr]
    line, counted = 1, 0
    while at < len(text) and not (is_list and text[at] == "]"):
        line, counted = line + text.count("\n", counted, at), at
        try:
            record, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            place = Place(source, error.lineno, error.colno)
            raise InputError("E108 broken JSON", place, msg=error.msg) from None
        except RecursionError:
            raise InputError("E109 broken JSON", Place(source, line)) from None
        except ValueError:  # Python reads numbers of some thousand digits, not more
            raise InputError("E110 broken JSON", Place(source, line)) from None
        if not isinstance(record, dict):
            raise InputError("E175 expected a record", Place(source, line))
        yield line, record
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]


def _listed(
    line: int, record: dict[str, Any], field: str
) -> list[tuple[int, dict[str, Any]]]:
    """If a record lacks the field and has one list of objects: those, as records.

    >>> _listed(1, {"model": "m", "results": [{"a": "(X x)"}, {"a": ""}]}, "a")
    [(1, {'a': '(X x)'}), (1, {'a': ''})]
    """
    first = _INDEX.sub(r".\1", field).split(".")[0]
    lists = [
        value
        for value in record.values()
        if isinstance(value, list) and all(isinstance(item, dict) for item in value)
    ]
    if field in record or first in record or len(lists) != 1:
        return [(line, record)]
    return [(line, item) for item in lists[0]]


def _rows(text: str, source: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a table whose first line names its columns."""
    header = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=header.count)
    limit = csv.field_size_limit(len(text) + 1)  # an answer may be long
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        names = [name.removeprefix("\ufeff") for name in next(rows, [])]
        line = rows.line_num + 1
        for row in rows:
            if row:
                yield line, dict(zip(names, chain(row, repeat(None)), strict=False))
            line = rows.line_num + 1
    except csv.Error as error:
        place = Place(source, rows.line_num)
        raise InputError("E176 broken table", place, msg=str(error)) from None
    finally:
        csv.field_size_limit(limit)


def _value(record: dict[str, Any], field: str, place: Place) -> Any:
    """What a record has in a field; InputError if it has no such field."""
    if field in record:
        return record[field]
    value: Any = record
    for name in _INDEX.sub(r".\1", field).split("."):
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            names = tuple(map(str, record))
            raise InputError("E172 no field", place, field=field, names=names)
    return value


# -- files --------------------------------------------------------------------------


def answers_in(
    stream: Readable, name: str, fields: Fields, progress: Progress | None = None
) -> list[Answer]:
    """All answers of an open file."""
    data = read_bytes(stream, name, _LARGEST)
    if progress:
        progress(len(data))
    answers = read_answers(decode_utf8(data, name), name, fields)
    if not answers:
        raise InputError("E177 no records", Place(name))
    return answers


class AnswersFile:
    """A `TreeFile` of answers: their texts are a file, and they know their records."""

    def __init__(self, texts: TreeFile, answers: Sequence[Answer]) -> None:
        self._texts = texts
        self._answers = answers
        self._taken = 0

    def first_look(self) -> FirstLook:
        return self._texts.first_look()

    def lengths(self) -> Ints:
        return self._texts.lengths()

    def available(self, at_least: int, settings: BlockSettings) -> int:
        return self._texts.available(at_least, settings)

    def take(self, trees: int, first_sentence: int, settings: BlockSettings) -> Block:
        # A strict reader is to name the record, so `AnswerBlock.read` raises the error.
        block = self._texts.take(trees, first_sentence, settings._replace(strict=False))
        answers = self._answers[self._taken : self._taken + trees]
        self._taken += trees
        lines = np.array([answer.line for answer in answers], np.int64)
        ids = tuple(answer.id for answer in answers)
        return AnswerBlock(block, lines, ids, settings.strict)

    def close(self) -> None:
        self._texts.close()


@dataclass(frozen=True)
class AnswerBlock(BlockAround):
    """Answers of one file, and the records that they stand in."""

    lines: Ints
    ids: tuple[str, ...]
    strict: bool = False

    def read(self) -> Treebank:
        """The trees, good and bad; if it is strict, the first bad one is raised."""
        bank = self.block.read()
        ids = self.ids if any(self.ids) else ()
        problems = {
            tree: self._in_record(problem, tree)
            for tree, problem in bank.problems.items()
        }
        if problems and self.strict:
            raise problems[min(problems)]
        return replace(bank, line=self.lines, ids=ids, problems=problems)

    def _in_record(self, problem: TreeSyntaxError, tree: int) -> TreeSyntaxError:
        place = problem.place or Place()
        line = int(self.lines[tree])
        return problem.at(replace(place, line=line, column=None, id=self.ids[tree]))
