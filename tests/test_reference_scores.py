"""Numbers of other programs, reproduced: EVALB's own outputs, line for line."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from analyzer import evalb, score
from analyzer.cli.main import main
from reports.model import percent
from tests.support.command import spinal
from tests.support.data_paths import SYNTAX, needs_shared_data

pytestmark = needs_shared_data

_LAYOUT = ("--format", "evalb", "-q")


def evalb_output(gold: Path, parsed: Path, params: str | Path) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = main(
            ["evalb", str(gold), str(parsed), "--params", str(params), *_LAYOUT]
        )
    assert code == 0
    return output.getvalue()


def stored_outputs() -> list[Path]:
    return sorted((SYNTAX / "evalb").glob("*.txt")) if SYNTAX.exists() else []


@pytest.mark.parametrize("stored", stored_outputs(), ids=lambda path: path.stem)
def test_real_parser_output(stored: Path) -> None:
    corpus, system, params = stored.stem.split(".")
    ours = evalb_output(
        SYNTAX / "gold" / f"{corpus}.gold.mrg",
        SYNTAX / "parsed" / f"{corpus}.{system}.mrg",
        SYNTAX / "params" / f"{params}.prm",
    )
    assert ours.splitlines() == stored.read_text().splitlines()


def test_all_stored_outputs_are_there() -> None:
    assert len(stored_outputs()) == 20


@pytest.mark.parametrize("params", ["COLLINS", "keep_punct_cut20", "new", "unlabeled"])
def test_tricky_pairs(params: str) -> None:
    folder = SYNTAX / "tricky"
    ours = evalb_output(
        folder / "tricky.gld",
        folder / "tricky.tst",
        SYNTAX / "params" / f"{params}.prm",
    )
    stored = (folder / f"tricky.{params}.txt").read_text()
    assert ours.splitlines() == stored.splitlines()


@pytest.mark.parametrize(("name", "params"), [("collins", "COLLINS"), ("new", "new")])
def test_built_in_sets_are_the_parameter_files(name: str, params: str) -> None:
    folder = SYNTAX / "tricky"
    pair = (folder / "tricky.gld", folder / "tricky.tst")
    by_file = evalb_output(*pair, SYNTAX / "params" / f"{params}.prm")
    assert evalb_output(*pair, name) == by_file


def rows(text: str) -> dict[str, list[str]]:
    """Per-sentence lines of an evalb output, by sentence number."""
    fields = (line.split() for line in text.splitlines())
    return {f[0]: f for f in fields if len(f) == 12 and f[0].isdigit()}


def summaries(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^(\w[^=\n]*?) += +(\S+)$", text, re.MULTILINE)


def test_sample_of_evalb_itself() -> None:
    """The stored result is of an older EVALB.

    It prints neither F nor the words of sentences in error, and its sum of crossing
    brackets is that of another version; all else must agree.
    """
    folder = SYNTAX / "evalb_samples" / "sample"
    ours = evalb_output(
        folder / "sample.gld", folder / "sample.tst", folder / "sample.prm"
    )
    stored = (folder / "sample.rsl").read_text()
    expected = rows(stored)
    assert len(expected) == 24
    for number, fields in rows(ours).items():
        cut = 12 if fields[2] == "0" else 9
        assert fields[:cut] == expected[number][:cut]
    shared = [pair for pair in summaries(ours) if "FMeasure" not in pair[0]]
    assert shared == summaries(stored)


def test_quotes_put_back() -> None:
    """EVALB's bug-fix case of 2006: quotes tagged as other words (QUOTE_LABEL)."""
    folder = SYNTAX / "evalb_samples" / "bug"
    ours = evalb_output(
        folder / "bug.gld", folder / "bug.tst", SYNTAX / "params" / "new.prm"
    )
    stored = (folder / "bug.rsl-new").read_text()
    assert rows(ours) == rows(stored)
    assert summaries(ours) == summaries(stored)


@pytest.mark.slow
@pytest.mark.parametrize("stored", stored_outputs(), ids=lambda path: path.stem)
def test_the_evalb_line_of_score_is_evalbs(stored: Path) -> None:
    """GUM's trees have the wrapper ROOT, which most of these parameters count."""
    corpus, system, params = stored.stem.split(".")
    found = score(
        str(SYNTAX / "gold" / f"{corpus}.gold.mrg"),
        str(SYNTAX / "parsed" / f"{corpus}.{system}.mrg"),
        params=str(SYNTAX / "params" / f"{params}.prm"),
    )
    counts = found.tally.evalb
    ours = [counts.recall, counts.precision, counts.f1]
    theirs = [
        value
        for name, value in summaries(stored.read_text("utf-8"))
        if name in ("Bracketing Recall", "Bracketing Precision", "Bracketing FMeasure")
    ]
    assert [percent(value) for value in ours] == theirs[:3]  # then: up to the cut-off
    assert sum(found.reconciliation) == counts.matched


@pytest.mark.slow
def test_the_evalb_line_of_every_command_is_evalbs(tmp_path: Path) -> None:
    gold, parsed = SYNTAX / "gold/dev.gold.mrg", SYNTAX / "parsed/dev.berkeley-sm4.mrg"
    expected = "85.46"
    data = f"gum={gold}:{parsed}"
    page = tmp_path / "page.html"
    ran = {
        name: spinal(*arguments, "-q").out
        for name, arguments in {
            "score": ("score", gold, parsed),
            "compare": (
                "compare",
                gold,
                f"x={parsed}",
                f"y={gold}",
                "--resamples",
                "9",
            ),
            "domains": ("domains", data, f"same={gold}:{gold}"),
        }.items()
    }
    assert f"F1 {expected}" in ran["score"]
    assert re.search(rf"^x +85\.24 +85\.68 +{expected} ", ran["compare"], re.M)
    assert re.search(rf"^gum .* {expected} ", ran["domains"], re.M)
    heads = []
    for path in (gold, parsed):
        heads.append(tmp_path / path.name)
        lines = path.read_text("utf-8").splitlines(keepends=True)
        heads[-1].write_text("".join(lines[:100]), "utf-8")
    assert spinal("report", *heads, "--html", page, "-q").code == 0
    own = evalb(*heads).summary.f1
    assert own is not None
    assert f"{100 * own:.2f}" in page.read_text("utf-8")
