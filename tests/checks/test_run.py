"""`check` as Python users call it; one table of codes; pictures without a reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import SettingsError, check, check_patterns, read_trees
from analyzer.formats import reading
from analyzer.formats.penn import reader, scanner
from reports.page.review import check_page
from tests.support.command import spinal

GOOD = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))\n"
BANK = GOOD * 9 + GOOD.replace("(NN cat)", "(NNP cat)")
DOCUMENT = """<rst><header><relations/></header><body>
<segment id="1" parent="3" relname="span">It rained</segment>
<segment id="2" parent="1" relname="cause">we left</segment>
<group id="3" type="span"/></body></rst>"""


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_text_files_and_treebanks_give_the_same(tmp_path: Path, jobs: int) -> None:
    path = tmp_path / "bank.mrg"
    path.write_text(BANK, "utf-8")
    results = [check(one, jobs=jobs) for one in (BANK, str(path), read_trees(BANK))]
    for result in results:
        assert [one.code for one in result.rows] == ["T501"]
        assert result.summary["trees"] == 10
        assert repr(result) == "<CheckResult: 1 finding in 10 trees>"
        assert result.frame()["words"].tolist() == ["cat"]
        assert "NN 9x, NNP 1x" in result._repr_html_()


def test_what_the_command_has(tmp_path: Path) -> None:
    assert check(BANK, kind=["shape"]).findings == []
    assert check(BANK, select=["S", "V"]).findings == []
    assert check(BANK).has("warning")
    known = tmp_path / "known.json"
    check(BANK).write_decisions(str(known), is_baseline=True)
    again = check(BANK, baseline=str(known))
    assert (again.findings, again.known) == ([], 1)
    with pytest.raises(SettingsError, match="choose from S100"):
        check(BANK, select=["Z9"])
    broken = check(BANK + "(S (\n")
    assert [error.code for error in broken.left_out] == ["E213"]


def test_discourse_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "rain.rs3"
    path.write_text(DOCUMENT, "utf-8")
    result = check(str(path))
    assert result.is_discourse
    assert (result.summary["documents"], result.summary["findings"]) == (1, 0)
    told, asked = (spinal("check", path, *rst) for rst in ((), ("--rst",)))
    assert (told.code, told.out) == (asked.code, asked.out) == (0, asked.out)
    with pytest.raises(SettingsError, match="for sentences"):
        check(str(path), kind=["shape"])


def test_pictures_are_drawn_without_reading_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = check(BANK)
    assert result.stream is not None
    for module, name in (
        (reading, "TreeReader"),
        (scanner, "scan"),
        (reader, "BracketFile"),
    ):
        monkeypatch.delattr(module, name)
    assert check_page(result, None).count('"svg":') == 2


def test_inventories_from_python() -> None:
    result = check_patterns(BANK)
    assert (result.findings, result.coverage, result.uncovered) == ([], 1.0, [])
    counts = result.frame().set_index("construction")["count"]
    assert counts["NP-t"] == 10
    assert "NP-t" in result._repr_html_()
