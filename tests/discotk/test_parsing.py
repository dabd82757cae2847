"""Raw translations, parsed and then scored."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import RstParser
from analyzer.discotk.segments import as_segments
from tests.support.command import spinal
from tests.support.data_paths import ROOT

REFERENCE = "He left because it rained.\nWe stayed, but nobody came.\nYes.\n"
OTHER = "He went because of rain.\nWe stayed, but nobody came.\nYes.\n"


@pytest.fixture(scope="module")
def parser() -> RstParser:
    return RstParser.train(ROOT / "examples" / "discourse")


@pytest.mark.slow
def test_a_line_is_a_segment(parser: RstParser, tmp_path: Path) -> None:
    path = tmp_path / "ref.txt"
    path.write_text("He left, because it rained.\n\nYes.\n")
    found = as_segments(path, parser=parser)
    assert list(found.trees) == ["1", "2", "3"]
    assert found.missing == ["2"]
    [left, _] = [unit for unit in found.trees["1"].walk() if unit.is_edu]  # type: ignore[union-attr]
    assert left.text == "He left ,"


@pytest.mark.slow
def test_translations_are_parsed_and_scored(parser: RstParser, tmp_path: Path) -> None:
    model = tmp_path / "a.model"
    parser.save(model)
    (tmp_path / "ref.txt").write_text(REFERENCE)
    (tmp_path / "b.txt").write_text(OTHER)
    code, out, err = spinal(
        *("discotk", "score", "--parser", model, "--reference", tmp_path / "ref.txt"),
        *("--system", f"same={tmp_path / 'ref.txt'}"),
        *("--system", f"other={tmp_path / 'b.txt'}", "--format", "tsv"),
    )
    assert code == 0, err
    rows = [line.split("\t") for line in out.splitlines()]
    by_system = {(row[0], row[1]): row for row in rows[1:]}
    column = rows[0].index("DR-LEX1")
    assert float(by_system["same", "1"][column]) == pytest.approx(1)
    assert float(by_system["other", "1"][column]) < 1
    assert float(by_system["other", "2"][column]) == pytest.approx(1)
