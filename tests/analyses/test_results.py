"""What every analysis gives back, for either family of trees and any number of jobs."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import analyzer
from analyzer.analyses.report import score_for_page
from analyzer.formats.penn import reader
from analyzer.metrics.signature import Signature
from reports.page.html import page_html
from reports.page.sections import report_page
from tests.support.data_paths import EXAMPLES

WEB = (str(EXAMPLES / "web.gold.mrg"), str(EXAMPLES / "web.chart.mrg"))
GREEDY = str(EXAMPLES / "web.greedy.mrg")
NAMES = ("score", "evalb", "conventions", "errors", "derive", "domains", "systems")


def result_of(name: str) -> Any:
    """The result of an analysis of the sample."""
    if name == "domains":
        return analyzer.compare_domains([("one", *WEB), ("two", WEB[0], GREEDY)])
    if name == "generalise":
        sets = [("one", *WEB), ("two", WEB[0], GREEDY)]
        return analyzer.generalise(sets, resamples=10)
    if name == "systems":
        systems = [("chart", WEB[1]), ("greedy", GREEDY)]
        return analyzer.compare_systems(WEB[0], systems, resamples=10)
    functions = {
        "score": analyzer.score,
        "evalb": analyzer.evalb,
        "conventions": analyzer.compare_conventions,
        "errors": analyzer.find_errors,
        "derive": analyzer.derive,
        "agree": analyzer.agree,
    }
    return functions[name](*WEB)


@pytest.mark.parametrize("name", [*NAMES, "agree", "generalise"])
def test_results_have_one_shape(name: str) -> None:
    result = result_of(name)
    assert isinstance(result.rows, list)
    assert isinstance(result.left_out, list)
    assert isinstance(result.signature, Signature)
    assert isinstance(result.frame(), pd.DataFrame)
    assert len(repr(result)) < 200
    assert repr(result).startswith(f"<{type(result).__name__}")
    assert "<table" in result._repr_html_()


def copies(folder: Path, times: int) -> tuple[str, str]:
    """The sample so many times."""
    paths = []
    for source in WEB:
        path = folder / Path(source).name
        path.write_text(Path(source).read_text("utf-8") * times, "utf-8")
        paths.append(str(path))
    return paths[0], paths[1]


@pytest.fixture
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the sample is three blocks."""
    monkeypatch.setattr(reader, "BLOCK_BYTES", 5000)


@pytest.mark.usefixtures("_small_blocks")
def test_errors_do_not_depend_on_jobs(tmp_path: Path) -> None:
    many = copies(tmp_path, 3)
    one = analyzer.find_errors(*many, limit=250)
    two = analyzer.find_errors(*many, limit=250, jobs=2)
    assert len(one.rows) == 250 < one.total
    assert (one.rows, one.total) == (two.rows, two.total)
    assert one.confusions == two.confusions


def test_a_list_with_a_limit_is_a_sample(tmp_path: Path) -> None:
    """From all over the input, the same whether it is read at once or in blocks."""
    many = copies(tmp_path, 3)
    whole = analyzer.find_errors(*many)
    some = analyzer.find_errors(*many, limit=30)
    assert some.total == whole.total == len(whole.rows)
    at = [whole.rows.index(one) for one in some.rows]
    assert at == sorted(at)
    assert len(at) == len(set(at)) == 30
    sentences = [one.error.sentence for one in some.rows]
    assert len(set(sentences)) == 30  # a second one of a sentence after all others
    steps = [b - a for a, b in pairwise([0, *sentences, 132])]
    assert max(steps) < 3 * 132 / 30
    banks = [analyzer.read_trees(path) for path in many]
    assert analyzer.find_errors(*banks, limit=30).rows == some.rows


@pytest.mark.slow
@pytest.mark.usefixtures("_small_blocks")
def test_the_page_does_not_depend_on_jobs(tmp_path: Path) -> None:
    """Errors are collected here until there are too many; other processes sample."""
    many = copies(tmp_path, 2)
    pages = []
    for jobs in (1, 2):
        data = score_for_page([("web", *many)], max_instances=50, jobs=jobs)
        assert data[0].errors.every > 1
        assert 0 < data[0].errors.shown <= 50 < data[0].errors.total
        pages.append(page_html(report_page(data, title="T", lead="L")))
    assert pages[0] == pages[1]
    whole = score_for_page([("web", *many)], max_instances=10**6)
    assert whole[0].errors.total == data[0].errors.total
    assert whole[0].scores.rows == data[0].scores.rows == analyzer.score(*many).rows


def test_derive_reads_no_further_than_it_must(tmp_path: Path) -> None:
    many = copies(tmp_path, 80)
    read: list[int] = []
    found = analyzer.derive(*many, sentence=[2], progress=read.append)
    assert [one.number for one in found.rows] == [2]
    assert sum(read) < sum(Path(path).stat().st_size for path in many)


def test_kinds_of_errors_by_name_or_not_at_all() -> None:
    found = analyzer.find_errors(*WEB, kind=["span-right"])
    assert {row.error.kind.value for row in found.rows} == {"span-right"}
    with pytest.raises(analyzer.SettingsError, match="kind 'heads'; there are head-"):
        analyzer.find_errors(*WEB, kind=["heads"])


def test_data_sets_may_be_scored_already() -> None:
    scores = analyzer.score(*WEB)
    both = [analyzer.Domain("one", scores), ("two", WEB[0], GREEDY)]
    found = analyzer.compare_domains(both, reference="two")
    assert [domain.name for domain in found.domains] == ["two", "one"]
    assert found.domains[1].scores is scores


@pytest.mark.slow
def test_a_report_from_python(tmp_path: Path) -> None:
    path = str(tmp_path / "out.html")
    report = analyzer.write_report([("web", *WEB)], path, title="A title")
    assert "A title" in Path(path).read_text("utf-8")
    assert (report.names, report.size) == (["web"], Path(path).stat().st_size)
