"""Each result has a view, and a declared measure is shown wherever others are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import analyzer
from analyzer.cli.main import main
from analyzer.metrics.constructions import declare
from analyzer.metrics.measures import Measure
from reports.model import View
from reports.views import _VIEWS, view_of
from tests.support.data_paths import WEB_GREEDY, WEB_PAIR

GOLD, CHART = map(str, WEB_PAIR)
GREEDY = str(WEB_GREEDY)


@pytest.fixture
def measure() -> Iterator[Measure]:
    """The share of heads whose brackets have equally many words."""
    measure = Measure("size", "matched_size", "matched_h", "same size")
    take_back = declare(measure, matched_size=lambda side: [side.last - side.first])
    yield measure
    take_back()


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*arguments, "-q"]) == 0
    return capsys.readouterr().out


def test_a_declared_measure_is_scored(
    measure: Measure, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, "score", GOLD, CHART)
    assert "same size" in text
    data = json.loads(printed(capsys, "score", GOLD, CHART, "--format", "json"))
    total = data["total"]
    assert total["size"] == pytest.approx(total["matched_size"] / total["matched_h"])
    frame = analyzer.score(GOLD, CHART).frame()
    assert frame.loc["total", "size"] == pytest.approx(total["size"])
    header = printed(capsys, "score", GOLD, CHART, "--format", "csv").split("\n")[0]
    assert "size" in header.split(",")
    by_it = printed(capsys, "score", GOLD, CHART, "--columns", "size", "--sort", "size")
    assert "same size" in by_it


def test_systems_are_tested_on_a_declared_measure(
    measure: Measure, capsys: pytest.CaptureFixture[str]
) -> None:
    systems = [f"chart={CHART}", f"greedy={GREEDY}"]
    given = ["compare", GOLD, *systems, "--metric", "size", "--resamples", "50"]
    assert "same size: chart and greedy" in printed(capsys, *given)
    data = json.loads(printed(capsys, *given, "--format", "json"))
    assert {"size", "f_s"} <= data["systems"][0].keys()
    total = data["comparisons"][0]["differences"][-1]
    assert total["low"] <= total["difference"] <= total["high"]
    assert 0 < total["p_value"] <= 1
    scores = {row["system"]: row["size"] for row in data["systems"]}
    assert scores["greedy"] - scores["chart"] == pytest.approx(total["difference"])


def test_a_breakdown_and_data_sets_have_a_declared_measure(
    measure: Measure, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["breakdown", GOLD, CHART, "--by", "tag", "--resamples", "20"]
    assert "same size" in printed(capsys, *given)
    data = json.loads(printed(capsys, *given, "--format", "json"))
    assert {"size", "size_low", "size_high"} <= data["rows"][0].keys()
    frame = analyzer.breakdown(GOLD, CHART, by="tag", resamples=5).frame()
    assert {"size", "size_low", "size_high"} <= {*frame.columns}
    sets = [f"chart={GOLD}:{CHART}", f"greedy={GOLD}:{GREEDY}"]
    assert "chart same size" in printed(capsys, "domains", *sets)


def test_annotators_are_compared_by_a_declared_measure(
    measure: Measure, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "same size" in printed(capsys, "agree", GOLD, CHART)
    data = json.loads(printed(capsys, "agree", GOLD, CHART, "--format", "json"))
    assert data["total"]["size"] is not None


def test_the_page_has_a_declared_measure(measure: Measure, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    analyzer.write_report([("web", GOLD, CHART)], str(page), max_instances=5)
    assert ">same size</th>" in page.read_text("utf-8")


def test_it_is_gone_when_it_is_taken_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert "same size" not in printed(capsys, "score", GOLD, CHART)
    assert main(["compare", GOLD, CHART, GREEDY, "--metric", "size"]) == 2
    assert "invalid choice: 'size'" in capsys.readouterr().err


@pytest.mark.parametrize("name", _VIEWS)
def test_each_view_is_a_function_beside_its_tables(name: str) -> None:
    module, function = _VIEWS[name].split(".")
    assert callable(getattr(import_module(f"reports.tables.{module}"), function))


def test_a_view_is_the_same_for_command_and_notebook() -> None:
    scores = analyzer.score(*WEB_PAIR)
    view = view_of(scores)
    assert isinstance(view, View)
    assert view.main is not None
    assert view.tables[0].name == view.main.name
    # Programs are given the ends of an interval, people a text.
    assert {"f_s_low", "f_s_high"} <= {column.name for column in view.main.columns}
    data = view.data()["total"]
    assert data.pop("intervals")["f_s"]["low"] < scores.total.f_s
    assert data == scores.total._asdict()
    assert view.tables[0].title in scores._repr_html_()
