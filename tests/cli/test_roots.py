"""Trees that differ in their roots only: what commands say of it, and `--no-root`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import spinal as api
from tests.support.command import spinal

GOLD = (
    "( (S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat))))))\n"
    "( (S (NP (PRP it)) (VP (VBZ rains))))\n"
    "( (NP (NN rain)) (. .))\n"
    "( (UH yes))\n"
)
SPELLINGS = {"": "no label", "ROOT": "'ROOT'", "TOP": "'TOP'", "VROOT": "'VROOT'"}
# What has numbers that roots move: arguments, {} is the parsed file.
MOVED = {
    "score": ["score", "GOLD", "{}"],
    "evalb": ["evalb", "GOLD", "{}"],
    "compare": ["compare", "GOLD", "a={}", "b={}", "--resamples", "10"],
    "domains": ["domains", "a=GOLD:{}", "b=GOLD:{}"],
    "repairs": ["repairs", "GOLD", "{}"],
    "repairs-spinal": ["repairs", "GOLD", "{}", "--classifier", "spinal"],
    "worth": ["repairs", "GOLD", "{}", "--worth"],
    "compare-repairs": [
        "compare",
        "GOLD",
        "a={}",
        "b={}",
        "--repairs",
        "--resamples=9",
    ],
}
MOVED["kernel"] = ["kernel", "GOLD", "{}", "--normalize"]
ALIKE = {
    "errors": ["errors", "GOLD", "{}"],
    "breakdown": ["breakdown", "--by", "label", "--resamples=9", "GOLD", "{}"],
    "agree": ["agree", "GOLD", "{}"],
}


def written(folder: Path, root: str, gold: str = GOLD) -> Path:
    path = folder / f"{root or 'no'}.mrg"
    path.write_text(gold.replace("( ", f"({root} "))
    return path


def arguments(template: list[str], gold: Path, parsed: Path) -> list[str]:
    return [
        one.replace("GOLD", str(gold)).replace("{}", str(parsed)) for one in template
    ]


def output(template: list[str], gold: Path, parsed: Path, *options: str) -> Any:
    given = arguments(template, gold, parsed)
    ran = spinal(*given, "-q", "--format", "json", *options)
    assert ran.code in (0, 1), ran.err
    return json.loads(ran.out)


@pytest.mark.parametrize("command", MOVED)
def test_roots_that_differ_are_told(command: str, tmp_path: Path) -> None:
    gold, parsed = written(tmp_path, ""), written(tmp_path, "ROOT")
    # The reference of `repairs` names a root of several children ROOT.
    told = re.compile(r"roots of [34] of 4 sentences differ \(gold no label, parsed 'R")
    ran = spinal(*arguments(MOVED[command], gold, parsed), "-q")
    assert told.search(ran.out)
    assert "--no-root" in ran.out
    assert any(map(told.search, output(MOVED[command], gold, parsed)["notes"]))
    assert not any(map(told.search, output(MOVED[command], gold, gold)["notes"]))


@pytest.mark.parametrize("command", [*MOVED, *ALIKE])
def test_without_roots_all_spellings_are_the_same(command: str, tmp_path: Path) -> None:
    template = {**MOVED, **ALIKE}[command]
    sides = [written(tmp_path, root) for root in SPELLINGS]
    found = [output(template, sides[0], one, "--no-root") for one in sides]
    found += [output(template, one, sides[0], "--no-root") for one in sides[1:]]
    assert "differ" not in " ".join(found[0]["notes"])
    assert all(one == found[0] for one in found)
    assert "no_root:yes" in json.dumps(found[0])
    assert "no_root" not in json.dumps(output(template, sides[0], sides[0]))


@pytest.mark.parametrize("root", ["ROOT", "TOP", "VROOT"])
def test_a_perfect_parse_has_100(root: str, tmp_path: Path) -> None:
    gold, parsed = written(tmp_path, ""), written(tmp_path, root)
    assert output(MOVED["evalb"], gold, parsed)["summary"]["f1"] < 0.9
    assert output(MOVED["evalb"], gold, parsed, "--no-root")["summary"]["f1"] == 1
    evalb = output(MOVED["score"], gold, parsed, "--no-root")["evalb"]
    assert evalb["gold"] == evalb["test"] == evalb["matched"] == 9
    assert output(MOVED["repairs"], gold, parsed)["types"]
    assert not output(MOVED["repairs"], gold, parsed, "--no-root")["types"]


def test_formats_without_room_say_it_beside(tmp_path: Path) -> None:
    gold, parsed = written(tmp_path, ""), written(tmp_path, "ROOT")
    for form in ("csv", "evalb"):
        ran = spinal("evalb", gold, parsed, "-q", "--format", form)
        assert "roots of 4 of 4 sentences differ" in ran.err
        assert "roots" not in ran.out


def test_the_page_says_it(tmp_path: Path) -> None:
    gold, parsed = written(tmp_path, ""), written(tmp_path, "ROOT")
    page = tmp_path / "page.html"
    assert spinal("report", gold, parsed, "--html", page, "-q").code == 0
    assert "roots of 4 of 4 sentences differ" in page.read_text()
    assert spinal("report", gold, parsed, "--html", page, "--no-root").code == 0
    assert "sentences differ" not in page.read_text()
    assert "no_root:yes" in page.read_text()


def test_from_python(tmp_path: Path) -> None:
    other = GOLD.replace("( ", "(ROOT ")
    for function in (api.score, api.evalb, api.repairs):
        result = function(GOLD, other)
        assert "differ (gold no label, parsed 'ROOT')" in result.notes[0]
        assert function(GOLD, other, no_root=True).notes == []
    assert api.score(GOLD, other).notes[0] in repr(api.score(GOLD, other))
    metric = api.BracketMetric(no_root=True)
    metric.update(GOLD.splitlines(), other.splitlines())
    assert metric.compute().summary.f1 == 1
    with pytest.raises(api.SettingsError, match="discourse"):
        api.score("examples/discourse", "examples/discourse_chart", no_root=True)


def test_roots_of_repairs_change_no_type(tmp_path: Path) -> None:
    """Trees without roots are searched below the same root as all others."""
    sides = "examples/web.gold.mrg", "examples/web.greedy.mrg"
    for classifier in ("kummerfeld", "spinal"):
        with_roots = api.repairs(*sides, classifier=classifier)
        without = api.repairs(*sides, classifier=classifier, no_root=True)
        assert without.errors == with_roots.errors
        assert without.nodes == with_roots.nodes
        kept = api.repairs(*sides, classifier=classifier, no_root=True, keep_trees=True)
        wrong = next(one for one in kept.sentences if one.repairs)
        assert len(kept.stages(wrong)) == len(wrong.repairs)


def test_kinds_of_roots_are_counted(tmp_path: Path) -> None:
    lines = GOLD.splitlines()
    parsed = "\n".join([lines[0].replace("( ", "(S1 "), lines[1][2:-1], *lines[2:]])
    ledger = api.evalb(GOLD, parsed).ledger
    assert [tuple(one) for one in ledger.differing_roots] == [
        ("", "S", False, 1),
        ("", "S1", False, 1),
    ]
    assert ledger.as_json()["differing_roots"][1] == {
        "gold": "",
        "parsed": "S1",
        "sentences": 1,
    }
    assert "2 of 4 sentences" in ledger.root_notes()[0]
    twice = ledger + ledger
    assert [one.sentences for one in twice.differing_roots] == [2, 2]
    # Where labels are ignored, any root is the same as any other.
    unlabelled = api.EvalbParameters(labeled=False)
    other = GOLD.replace("( ", "(ROOT ")
    assert not api.evalb(GOLD, other, params=unlabelled).notes
