"""`--output`: tables and plots of a command, in a folder."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from analyzer.cli import options
from analyzer.cli.main import main
from analyzer.cli.output import file_names
from reports import render
from tests.support.data_paths import NEWS_PAIR, WEB_GREEDY, WEB_PAIR

TABLE_ENDINGS = {"txt", "md", "tex", "csv", "tsv", "html"}
PLOT_ENDINGS = {"svg", "png", "pdf"}


def written(folder: Path) -> dict[str, set[str]]:
    """Endings by the name of a table or plot."""
    found: dict[str, set[str]] = {}
    for path in folder.iterdir():
        found.setdefault(path.stem, set()).add(path.suffix[1:])
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "tables", "plots"),
    [
        (["evalb", *WEB_PAIR, "--by-label"], {"summary", "labels"}, set()),
        (["score", *WEB_PAIR], {"constructions"}, {"cumulative"}),
        (
            [
                "domains",
                f"news={NEWS_PAIR[0]}:{NEWS_PAIR[1]}",
                f"web={WEB_PAIR[0]}:{WEB_PAIR[1]}",
            ],
            {"overview", "domains", "gap_f_s_web", "cumulative"},
            {"cumulative", "gap_f_s_web"},
        ),
        (
            ["compare", *WEB_PAIR, WEB_GREEDY, "--resamples", "50"],
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


@pytest.mark.slow
def test_plots_are_pictures(tmp_path: Path) -> None:
    main(["score", *WEB_PAIR, "-q", "--output", str(tmp_path)])
    ET.parse(tmp_path / "cumulative.svg")
    assert (tmp_path / "cumulative.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "cumulative.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_plots_are_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        main(["score", *WEB_PAIR, "-q", "--output", str(tmp_path / name)])
    pictures = [(tmp_path / n / "cumulative.svg").read_text() for n in ("one", "two")]
    assert pictures[0] == pictures[1]


def test_a_directory_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    code = main(["score", *WEB_PAIR, "-q", "--output", str(tmp_path / "file" / "out")])
    assert code == 2
    assert "cannot be written" in capsys.readouterr().err


def test_file_names_are_tame() -> None:
    assert file_names(["gap_f_s_web/../x", "/"]) == ["gap_f_s_web-..-x", "table"]


@pytest.mark.slow
def test_data_sets_that_differ_in_signs_have_files_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`x y` and `x/y` were written to the same files, and one was lost."""
    pair = ":".join(WEB_PAIR)
    specs = [f"{name}={pair}" for name in ("web", "x y", "x/y")]
    assert main(["domains", *specs, "-q", "--output", str(tmp_path)]) == 0
    capsys.readouterr()
    for name, shown in (("gap_f_s_x-y", "x y"), ("gap_f_s_x-y-2", "x/y")):
        assert f"{shown} against web" in (tmp_path / f"{name}.txt").read_text()
        assert (tmp_path / f"{name}.svg").is_file()


def test_every_format_of_the_command_line_can_be_rendered() -> None:
    assert set(options.FORMATS) == {*render.FORMATS, "json"}
