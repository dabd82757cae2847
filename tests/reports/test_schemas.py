"""The JSON Schemas: what commands print is as they say, and they say something."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from analyzer.cli.main import COMMANDS
from reports.schemas import described_commands, schema_text
from tests.support.command import spinal
from tests.support.schemas import SCHEMAS, Schemas, lines, printed

jsonschema = pytest.importorskip(
    "jsonschema", reason="NOT RUN: jsonschema is not installed"
)
# No JSON, or documents of it that are no object of results (docs/json.md).
WITHOUT = {
    *("derive", "instances", "report", "show", "schema", "rst", "rst convert"),
    *("rst show", "rst parse", "rst segment", "discotk", "discotk represent"),
}


def validator(command: str) -> Any:
    schema = json.loads(schema_text(command))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def faults(data: Any) -> list[str]:
    command = data["schema"].split("/")[1].replace("-", " ")
    return [fault.message for fault in validator(command).iter_errors(data)]


def test_every_command_that_prints_json_has_a_schema() -> None:
    assert set(described_commands()) == COMMANDS.keys() - WITHOUT


@pytest.mark.slow
def test_what_commands_print_is_as_their_schemas_say() -> None:
    for line in lines(with_data=False):
        data, _ = printed(line)
        if isinstance(data, dict):
            assert faults(data) == [], line


@pytest.mark.slow
def test_every_field_is_in_the_documentation() -> None:
    schemas = Schemas()
    for line in lines(with_data=False):
        schemas.add(line)
    for command in list(schemas.values):
        schemas.schema(command)
    assert schemas.undocumented == set()


def test_schemas_refuse_other_data() -> None:
    data, _ = printed("score {ex}/web.gold.mrg {ex}/web.chart.mrg")
    assert faults(data) == []
    for spoil in (
        lambda one: one.pop("total"),
        lambda one: one["total"].update(gold="many"),
        lambda one: one["constructions"][0].update(f_s="high"),
        lambda one: one["constructions"][0].pop("construction"),
    ):
        spoilt = copy.deepcopy(data)
        spoil(spoilt)
        assert faults(spoilt)


def test_the_command_prints_them() -> None:
    assert spinal("schema").out.split("\n")[:-1] == described_commands()
    assert (
        spinal("schema", "rst", "score").out == (SCHEMAS / "rst-score.json").read_text()
    )
    ran = spinal("schema", "scores")
    assert ran.code == 2
    assert "no command 'scores'" in ran.err
