"""Every table in every format, every plot in every format; results in a notebook."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import analyzer
from analyzer.cli.main import main
from analyzer.cli.output import file_name
from tests.support.data_paths import EXAMPLES

NEWS = (str(EXAMPLES / "news.gold.mrg"), str(EXAMPLES / "news.chart.mrg"))
WEB = (str(EXAMPLES / "web.gold.mrg"), str(EXAMPLES / "web.chart.mrg"))
GREEDY = str(EXAMPLES / "web.greedy.mrg")
TABLE_ENDINGS = {"txt", "md", "tex", "csv", "tsv", "html"}
PLOT_ENDINGS = {"svg", "png", "pdf"}


def written(folder: Path) -> dict[str, set[str]]:
    """Endings by the name of a table or plot."""
    found: dict[str, set[str]] = {}
    for path in folder.iterdir():
        found.setdefault(path.stem, set()).add(path.suffix[1:])
    return found


@pytest.mark.parametrize(
    ("arguments", "tables", "plots"),
    [
        (["evalb", *WEB, "--by-label"], {"summary", "labels"}, set()),
        (["score", *WEB], {"constructions"}, {"cumulative"}),
        (
            ["domains", f"news={NEWS[0]}:{NEWS[1]}", f"web={WEB[0]}:{WEB[1]}"],
            {"overview", "domains", "gap_f_s_web"},
            {"cumulative", "gap_f_s_web"},
        ),
        (
            ["compare", *WEB, GREEDY, "--resamples", "50"],
            {"leaderboard", "differences_f_s_web.greedy", "agreement_web.greedy"},
            {"differences_f_s_web.greedy"},
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_output_writes_the_lot(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    tables: set[str],
    plots: set[str],
) -> None:
    assert main([*arguments, "-q", "--output", str(tmp_path / "out")]) == 0
    assert "wrote" in capsys.readouterr().err
    found = written(tmp_path / "out")
    for name in tables:
        assert found[name] >= TABLE_ENDINGS
    for name in plots:
        assert found[name] >= PLOT_ENDINGS
    json.loads((tmp_path / "out" / "data.json").read_text("utf-8"))


def test_plots_are_pictures(tmp_path: Path) -> None:
    main(["score", *WEB, "-q", "--output", str(tmp_path)])
    ET.parse(tmp_path / "cumulative.svg")
    assert (tmp_path / "cumulative.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "cumulative.pdf").read_bytes().startswith(b"%PDF")


def test_plots_are_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        main(["score", *WEB, "-q", "--output", str(tmp_path / name)])
    pictures = [(tmp_path / n / "cumulative.svg").read_text() for n in ("one", "two")]
    assert pictures[0] == pictures[1]


def test_a_directory_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    code = main(["score", *WEB, "-q", "--output", str(tmp_path / "file" / "out")])
    assert code == 2
    assert "cannot be written" in capsys.readouterr().err


def test_csv_holds_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", *WEB, GREEDY, "--resamples", "20", "-q"]
    assert main([*arguments, "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("construction,gold,score_a,score_b,difference")
    assert {line.count(",") for line in lines} == {lines[0].count(",")}


def test_domains_by_a_sidecar(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One pair of files and a column: as many data sets as the column has values."""
    sidecar = tmp_path / "side.tsv"
    genres = ["forum" if n % 2 else "review" for n in range(44)]
    sidecar.write_text("genre\n" + "\n".join(genres) + "\n")
    arguments = ["domains", f"web={WEB[0]}:{WEB[1]}", "-q", "--format", "json"]
    arguments += ["--group-by", f"{sidecar}:genre", "--reference", "forum"]
    assert main(arguments) == 0
    data = json.loads(capsys.readouterr().out)
    assert [domain["name"] for domain in data["domains"]] == ["forum", "review"]
    assert data["splits"][0]["reference"] == "forum"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["domains", "web"], "expected NAME=GOLD:PARSED"),
        (["domains", f"web={WEB[0]}:{WEB[1]}"], "two data sets or more"),
        (["compare", *WEB], "two systems or more"),
        (["compare", *WEB, WEB[1]], "the same name"),
        (["compare", *WEB, GREEDY, "--resamples", "0"], "at least 1"),
    ],
)
def test_what_cannot_be_compared_is_said(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "-q"]) == 2
    assert message in capsys.readouterr().err


def test_results_display_in_a_notebook() -> None:
    scores = analyzer.score(*WEB)
    domains = analyzer.compare_domains([("news", *NEWS), ("web", *WEB)])
    systems = analyzer.compare_systems(
        WEB[0], [("chart", WEB[1]), ("greedy", GREEDY)], resamples=20
    )
    brackets = analyzer.evalb(*WEB, by_label=True)
    for result, text in (
        (scores, "NP-modr"),
        (domains, "Where the gap in F-s comes from"),
        (systems, "greedy"),
        (brackets, "precision"),
    ):
        page = result._repr_html_()
        assert text in page
        assert "<table" in page
    assert "<svg" in domains._repr_html_()
    assert "<svg" in systems._repr_html_()


def test_treebank_text_is_data_in_a_notebook() -> None:
    hostile = "(S (NP (NN <script>alert(1)</script>)) (VP (VB go)))".replace(
        "alert(1)", "alert"
    )
    page = analyzer.read_trees(hostile)._repr_html_()
    assert "<script>" not in page


def test_file_names_are_tame() -> None:
    assert file_name("gap_f_s_web/../x") == "gap_f_s_web-..-x"
    assert file_name("/") == "table"
