"""`spinal domains` and `compare`: tables, side cars, what is refused."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from analyzer import score
from analyzer.cli.main import main
from tests.support.command import spinal
from tests.support.data_paths import WEB_GREEDY, WEB_PAIR


def test_csv_holds_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", *WEB_PAIR, WEB_GREEDY, "--resamples", "20", "-q"]
    assert main([*arguments, "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("construction,gold,score_a,score_b,difference")
    assert {line.count(",") for line in lines} == {lines[0].count(",")}


@pytest.mark.slow
def test_all_systems_are_in_every_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A CSV held the first two systems only."""
    gold, chart = WEB_PAIR
    systems = [f"base={chart}", f"new={WEB_GREEDY}", f"third={chart}"]
    arguments = ["compare", gold, *systems, "--resamples", "5", "-q"]
    for form, separator in (("csv", ","), ("tsv", "\t")):
        assert main([*arguments, "--format", form]) == 0
        header, *lines = capsys.readouterr().out.splitlines()
        assert header.startswith(f"system{separator}construction{separator}gold")
        assert {line.split(separator)[0] for line in lines} == {"new", "third"}
    assert main([*arguments, "--output", str(tmp_path)]) == 0
    assert (tmp_path / "differences_f_s.csv").read_text().startswith("system,")
    assert (tmp_path / "differences_f_s_third.csv").is_file()


def test_domains_by_a_sidecar(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One pair of files and a column: as many data sets as the column has values."""
    sidecar = tmp_path / "side.tsv"
    genres = ["forum" if n % 2 else "review" for n in range(44)]
    sidecar.write_text("genre\n" + "\n".join(genres) + "\n")
    arguments = [
        "domains",
        f"web={WEB_PAIR[0]}:{WEB_PAIR[1]}",
        "-q",
        "--format",
        "json",
    ]
    arguments += ["--group-by", f"{sidecar}:genre", "--reference", "forum"]
    assert main(arguments) == 0
    data = json.loads(capsys.readouterr().out)
    assert [domain["name"] for domain in data["domains"]] == ["forum", "review"]
    assert data["splits"][0]["reference"] == "forum"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["domains", "web"], "expected NAME=GOLD:PARSED"),
        (["domains", f"web={WEB_PAIR[0]}:{WEB_PAIR[1]}"], "two or more data sets"),
        (["compare", *WEB_PAIR], "two or more systems"),
        (["compare", *WEB_PAIR, WEB_PAIR[1]], "the same name"),
        (["compare", *WEB_PAIR, WEB_GREEDY, "--resamples", "0"], "1 or more"),
    ],
)
def test_what_cannot_be_compared_is_said(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "-q"]) == 2
    assert message in capsys.readouterr().err


def test_many_systems_are_ranked_not_paired(tmp_path: Path) -> None:
    gold, chart = WEB_PAIR
    for name in "bcd":
        lines = Path(chart).read_text().splitlines()
        lines[ord(name) - 97] = lines[ord(name) - 97].replace("(NP ", "(ADJP ", 2)
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    given = [f"a={chart}", *(f"{name}={tmp_path / name}" for name in "bcd")]
    common = "compare", gold, *given, "--resamples", "20"
    ran = spinal(*common)
    assert ran.out.count("neighbours in rank") == 1
    assert "Who finds what" not in ran.out
    data = json.loads(spinal(*common, "--format", "json").out)
    ranked = [one["system"] for one in data["systems"]]
    pairs = [(one["better"], one["worse"]) for one in data["neighbours"]]
    assert pairs == list(pairwise(ranked))
    assert data["comparisons"] == []
    row = next(one for one in data["constructions"] if one["construction"] == "NP-t")
    alone = score(gold, tmp_path / "c").frame().loc["NP-t"]
    assert (row["gold"], row["c"]) == (alone["gold"], alone["f_s"])
    asked = spinal(*common, "--details", "c", "--format", "json")
    assert [x["system"] for x in json.loads(asked.out)["comparisons"]] == ["c"]
    assert spinal(*common, "--details", "all").out.count("Who finds what") == 3
    assert "no system 'x'" in spinal(*common, "--details", "x").err


def test_gold_among_the_systems_is_noticed() -> None:
    gold, chart = WEB_PAIR
    ran = spinal("compare", gold, f"a={chart}", f"copy={gold}", "--resamples", "20")
    told = "copy: every bracket is gold's: is gold itself among the systems?"
    assert told in ran.out
    assert told in ran.err
