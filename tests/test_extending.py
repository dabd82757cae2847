"""The worked examples of docs/architecture.md, taken from the page and put to use."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import analyzer
from analyzer.checks import inventory, run  # noqa: F401 -- they declare their checks
from analyzer.checks.registry import CHECKS
from analyzer.cli.main import COMMANDS
from analyzer.formats.registry import unregister
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES, ROOT, WEB_GREEDY, WEB_PAIR
from tests.support.doc_blocks import blocks

PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
WEB = [str(path) for path in WEB_PAIR]
NEWS = [str(EXAMPLES / f"news.{side}.mrg") for side in ("gold", "chart")]
CARRIERS = {
    "files.inputs": ["Input"],
    "formats.penn.reader": ["BracketFile", "TextBlock"],
    "pairing.in_step": ["UnreadPair", "Pair"],
    "model.treebank": ["Treebank"],
    "pairing.words": ["Alignment"],
    "derivation.columns": ["Derivation"],
    "metrics.constructions": ["Comparison"],
    "analyses.score": ["ScoreCounts", "ConstructionScores"],
}


def example(name: str) -> str:
    """The program below a heading of the page."""
    section = PAGE.split(f"\n### {name}\n")[1].split("\n##")[0]
    (program,) = (one for one in blocks(section) if one.language == "python")
    assert len(program.lines) <= 66, "an example is a screen"
    return program.text


def added(*names: str) -> dict[str, Any]:
    """What examples define; they are run one after the other."""
    defined: dict[str, Any] = {"__name__": __name__}
    for name in names:
        exec(compile(example(name), f"<{name}>", "exec"), defined)
    return defined


@pytest.fixture
def _metric() -> Iterator[None]:
    defined = added("A metric")
    yield
    defined["take_back"]()


@pytest.mark.usefixtures("_metric")
def test_a_metric() -> None:
    """Table, frame, JSON, the test of a difference and the breakdown follow."""
    assert " exact\n" in spinal("score", *WEB).out
    total = json.loads(spinal("score", *WEB, "--format", "json").out)["total"]
    assert 0 < total["exact"] < total["span_right"]
    assert analyzer.score(*WEB).frame().loc["total", "exact"] == total["exact"]
    systems = [*WEB, str(WEB_GREEDY), "--resamples", "50", "-q"]
    compared = spinal("compare", *systems, "--metric", "exact")
    assert "exact: web.chart and web.greedy" in compared.out
    by_length = analyzer.breakdown(*WEB, by="length", resamples=5).frame()
    assert {"exact", "exact_low", "exact_high"} <= {*by_length.columns}


def test_a_metric_can_go_again() -> None:
    assert "exact" not in analyzer.score(*WEB).frame().columns


def test_an_analysis() -> None:
    bracket_ends = added("An analysis")["bracket_ends"]
    result = bracket_ends(*WEB)
    rows = {row.construction: row for row in result.rows}
    scores = {row.construction: row for row in analyzer.score(*WEB).rows}
    assert rows.keys() == {name for name, row in scores.items() if row.matched_h}
    for name, row in rows.items():
        assert row.brackets == scores[name].matched_h
        right = row.brackets - row.early - row.late
        # Of recursive constructions, several may have one head.
        assert right == scores[name].matched_span_right or scores[name].recursive
    assert result.frame().loc["VP-t", "late"] == rows["VP-t"].late
    assert repr(result) == "<EndScores: scored 44 of 44 sentences>"
    assert "scorer:ends|" in str(result.signature)
    assert "<table" in result._repr_html_()
    with pytest.raises(analyzer.SettingsError):
        bracket_ends(*WEB, on_mismatch="guess")


@pytest.fixture
def _command() -> Iterator[None]:
    with patch.dict(COMMANDS):
        added("An analysis", "A command")
        yield


@pytest.mark.usefixtures("_command")
def test_a_command_and_an_option(tmp_path: Path) -> None:
    ran = spinal("ends", "examples/web.gold.mrg", "examples/web.chart.mrg", "--top", 3)
    assert ran.code == 0
    shown = [one.text for one in blocks(PAGE) if one.text.startswith("Where brackets")]
    assert ran.out.startswith(shown[0])
    data = json.loads(spinal("ends", *WEB, "--format", "json").out)
    assert data["ends"][0]["construction"] == "NP-t"
    assert spinal("ends", *WEB, "--output", tmp_path / "out", "-q").code == 0
    assert (tmp_path / "out" / "ends.csv").read_text().startswith("construction,")
    assert "--top must be" not in spinal("ends", *WEB, "--top", "0").out
    assert spinal("ends", *WEB, "--top", "0").code == 2
    assert "only the N most frequent" in spinal("ends", "--help").out
    assert spinal("ends", *WEB, "--on-mismatch", "guess").code == 2


@pytest.fixture
def _format() -> Iterator[None]:
    defined = added("A format")
    yield
    unregister(defined["LISTS"])


@pytest.mark.usefixtures("_format")
def test_a_format(tmp_path: Path) -> None:
    path = tmp_path / "trees"
    path.write_text('["S", ["NP", ["PRP", "I"]], ["VP", ["VBP", "see"]]]\n' * 3)
    penn = "(S (NP (PRP I)) (VP (VBP see)))"
    assert [str(tree) for tree in analyzer.read_trees(path)] == [penn] * 3
    assert analyzer.evalb(path, [penn] * 3).summary.matched == 9
    assert spinal("show", path, "1").code == 0


@pytest.fixture
def _check() -> Iterator[None]:
    with patch.dict(CHECKS):
        added("A check")
        yield


@pytest.mark.usefixtures("_check")
def test_a_check() -> None:
    good = "(S (NP (PRP I)) (VP (VBP see)))\n"
    found = analyzer.check(good * 3 + good.replace("see", "SHOUT"), select=["X901"])
    assert [(one.sentence, one.words) for one in found.findings] == [(4, "SHOUT")]


def test_the_walk_of_score() -> None:
    """The values of the picture are handed on in the order of the picture."""
    picture = PAGE.split("## The walk of `score`")[1].split("```")[1]
    named = [line[12:].split()[0] for line in picture.splitlines()[1:]]
    assert named[-1] == "Table"
    assert 9 <= len(named) <= 12
    types = {
        getattr(import_module(f"analyzer.{module}"), name): name
        for module, names in CARRIERS.items()
        for name in names
    }
    types[import_module("reports.model").Table] = "Table"
    assert sorted(types.values()) == sorted(named)
    seen: list[str] = []
    looking = 0  # at the start of a file, whether it holds trees at all

    def look(frame: Any, event: str, _: object) -> None:
        nonlocal looking
        if frame.f_code.co_name == "first_look":
            looking += {"call": 1, "return": -1}.get(event, 0)
        if event == "call" and not looking:
            for value in list(frame.f_locals.values()):
                name = types.get(type(value))
                if name and name not in seen:
                    seen.append(name)

    sys.setprofile(look)
    try:
        spinal("score", *NEWS)
    finally:
        sys.setprofile(None)
    assert seen == named, seen
