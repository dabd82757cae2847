"""spinal discotk from end to end, on WMT13 French-English with stand-in trees."""

from __future__ import annotations

import csv
import gzip
import json
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from analyzer.formats.rst.brackets import write_brackets
from tests.support.command import spinal
from tests.support.data_paths import SHARED
from tests.support.toy_discourse import parse

WMT13 = SHARED / "mt/wmt13-fr-en"
SEGMENTS = 150
SYSTEMS = ("online-B", "cu-zeman.2738", "Shef-wproa.2780", "uedin-wmt13.2838")
needs_mt_data = pytest.mark.skipif(
    not WMT13.exists(),
    reason="NOT RUN: ../shared/data/mt is not here",
)


class Data(NamedTuple):
    trees: list[str]  # options
    metrics: str
    rankings: str


@pytest.fixture(scope="module")
def wmt13(tmp_path_factory: pytest.TempPathFactory) -> Data:
    """The first segments and some systems, their trees from the stand-in parser."""
    if not WMT13.exists():
        pytest.skip("NOT RUN: the shared data is not here")
    folder = tmp_path_factory.mktemp("wmt13")

    def trees(source: Path, name: str) -> str:
        with gzip.open(source, "rt", encoding="utf-8", errors="replace") as file:
            lines = [next(file) for _ in range(SEGMENTS)]
        path = folder / f"{name}.brackets"
        path.write_text("".join(write_brackets(parse(line)) for line in lines), "utf-8")
        return str(path)

    names = [f"newstest2013.fr-en.{name}" for name in SYSTEMS]
    options = ["--reference", trees(WMT13 / "newstest2013-ref.en.gz", "ref")]
    for name in names:
        path = trees(WMT13 / f"outputs/{name}.gz", name)
        options += ["--system", f"{name}={path}"]
    metrics = folder / "metrics.tsv"
    with gzip.open(WMT13 / "fr-en.segscores.tsv.gz", "rt", encoding="utf-8") as file:
        lines = file.readlines()
    kept = [
        line
        for line in lines[1:]
        if line.split("\t")[0] in names and int(line.split("\t")[1]) <= SEGMENTS
    ]
    metrics.write_text("".join([lines[0], *kept]), "utf-8")
    rankings = folder / "rankings.csv"
    path = WMT13 / "wmt13-fr-en-train.csv.gz"
    with (
        gzip.open(path, "rt", encoding="utf-8") as file,
        rankings.open("w", encoding="utf-8", newline="") as out,
    ):
        reader = csv.DictReader(file)
        writer = csv.DictWriter(out, reader.fieldnames or [])
        writer.writeheader()
        for row in reader:
            for n in range(1, 6):
                if row[f"system{n}Id"] not in names:
                    row[f"system{n}Id"] = ""
            if int(row["segmentId"]) <= SEGMENTS:
                writer.writerow(row)
    return Data(options, str(metrics), str(rankings))


@pytest.mark.slow
@needs_mt_data
def test_light_party_tuned_and_the_table(wmt13: Data, tmp_path: Path) -> None:
    score = ["discotk", "score", *wmt13.trees, "--pair", "fr-en"]
    ran = spinal(*score, "--format", "tsv")
    assert (ran.code, ran.err) == (0, "")
    light = tmp_path / "light.tsv"
    light.write_text(ran.out, "utf-8")
    assert ran.out.splitlines()[0].split("\t")[:4] == [
        *("pair", "system", "segment"),
        "DR-NOLEX",
    ]
    ran = spinal(*score, "--metrics", wmt13.metrics, "--format", "tsv")
    party = tmp_path / "party.tsv"
    party.write_text(ran.out, "utf-8")
    assert "DiscoTK-party" in ran.out.splitlines()[0]

    model = tmp_path / "model.json"
    names = ran.out.splitlines()[0].split("\t")[3:-2]
    tune = ["discotk", "tune", "--scores", party, "--rankings", wmt13.rankings]
    ran = spinal(*tune, "--only", ",".join(names), "--folds", "5", "--model", model)
    assert ran.code == 0
    assert "uniform" in ran.out
    assert "DR-LEX2.1" in ran.out
    metrics = json.loads(model.read_text("utf-8"))["metrics"]
    assert metrics == [name.removeprefix("'") for name in names]  # "'-TER" is "-TER"

    ran = spinal(
        *(*score, "--metrics", wmt13.metrics, "--model", model, "--break-ties"),
        *("--format", "json"),
    )
    data = json.loads(ran.out)
    assert data["metrics"][-3:] == ["DiscoTK-light", "DiscoTK-party", "DiscoTK-tuned"]
    assert len(data["systems"][0]["segments"]) == SEGMENTS
    assert "tuning:pairwise-logistic" in data["signature"]

    correlate = ["discotk", "correlate", "--scores", party]
    correlate += ["--rankings", wmt13.rankings, "--bootstrap", "20"]
    out = tmp_path / "out"
    pytest.importorskip("matplotlib")
    ran = spinal(*correlate, "--tau", "wmt12,wmt13,wmt14,xties", "--output", out)
    assert ran.code == 0
    assert "τ XTIES" in ran.out
    assert (out / "tau.svg").stat().st_size > 1000
    assert (out / "correlations.tex").exists()
    rows = json.loads((out / "data.json").read_text("utf-8"))["rows"]
    taus = {row["metric"]: row["tau"]["wmt14"]["value"] for row in rows}
    assert taus["DiscoTK-party"] > 0.1
    assert taus["DR-LEX1"] > taus["DR-NOLEX"]


@needs_mt_data
def test_the_literal_kernel(wmt13: Data) -> None:
    ran = spinal(
        *("discotk", "score", *wmt13.trees, "--as", "lex1,nolex"),
        *("--leaves", "dummy", "--decay", "0.4", "--format", "json"),
    )
    data = json.loads(ran.out)
    assert data["metrics"] == ["DR-LEX1", "DR-NOLEX", "DiscoTK-light"]
    assert "leaves:dummy" in data["signature"]


def tree_files(folder: Path) -> list[str]:
    texts = {"ref": "to link content", "a": "to link contents", "b": "added Cermak"}
    for name, text in texts.items():
        tree = f"(reason[N][S] _!He left!_ _!{text}!_)\n"
        (folder / name).write_text(tree, "utf-8")
    systems = ["--system", f"A={folder / 'a'}", "--system", f"B={folder / 'b'}"]
    return ["--reference", str(folder / "ref"), *systems]


def test_text_has_the_systems(tmp_path: Path) -> None:
    ran = spinal("discotk", "score", *tree_files(tmp_path))
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()[4:6]] == ["A", "B"]
    assert "DR-NOLEX is constant" in ran.err
    assert "leaves:bow|decay:0.4" in ran.out


@pytest.mark.slow
def test_metrics_of_other_packages(tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    pytest.importorskip("rouge_score")
    options = ["--with", "bleu,chrf,ter,rouge-l", "--format", "json", "-q"]
    ran = spinal("discotk", "score", *tree_files(tmp_path), *options)
    assert ran.code == 0, ran.err
    a, b = (one["scores"] for one in json.loads(ran.out)["systems"])
    for name in ("BLEU", "chrF", "-TER", "ROUGE-L", "DiscoTK-party"):
        assert a[name] > b[name]


def test_a_missing_package_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    ran = spinal("discotk", "score", *tree_files(tmp_path), "--with", "bleu", "-q")
    assert (ran.code, "pip install 'spinal[mt]'" in ran.err) == (2, True)


def test_faults_are_told(tmp_path: Path) -> None:
    trees = tree_files(tmp_path)
    score = ["discotk", "score"]
    metrics = tmp_path / "m.tsv"
    metrics.write_text("system\tsegment\tTER\nA\t1\t3\n", "utf-8")
    cases = [
        (["--system", "A"], "trees need --reference"),
        ([], "trees need --reference"),
        ([*trees[:2]], "no system to score"),
        ([*trees, "--system", "A=x"], "the same name: A"),
        ([*trees[:2], "--system", "A"], "expected NAME=HYP"),
        ([*trees, "--with", "meteor"], "no metric 'meteor' to compute"),
        ([*trees, "--metrics", str(metrics)], "no scores of TER for B"),
        (["--metrics", str(metrics), "--negate", "PER"], "no metric 'PER' to negate"),
        ([*trees, "--decay", "-1"], "decay"),
        ([*trees, "--model", str(metrics)], "not a model"),
    ]
    for options, message in cases:
        ran = spinal(*score, *options)
        assert (ran.code, message in ran.err) == (2, True), (options, ran.err)
    ran = spinal(*score, "--metrics", metrics, "--negate", "TER", "--format", "json")
    assert json.loads(ran.out)["systems"][0]["scores"] == {"-TER": -3.0, "uniform": 0}


def test_language_pairs_must_match(tmp_path: Path) -> None:
    scores, human = tmp_path / "s.tsv", tmp_path / "h.csv"
    rows = "pair\tsystem\tsegment\tm\nde-en\tA\t1\t1\nde-en\tB\t1\t2\n"
    scores.write_text(rows, "utf-8")
    header = "srclang,trglang,segmentId,system1Id,system2Id,system1rank,system2rank\n"
    human.write_text(f"{header}French,English,1,A,B,1,2\n", "utf-8")
    files = ["--scores", scores, "--rankings", human]
    ran = spinal("discotk", "correlate", *files)
    assert (ran.code, "language pair de-en" in ran.err) == (2, True)
    human.write_text(f"{header}German,English,1,A,B,1,2\n", "utf-8")
    given = tmp_path / "human.tsv"
    given.write_text("A\t0.1\nB\t0.9\n", "utf-8")
    ran = spinal(
        *("discotk", "correlate", *files, "--human-scores", given),
        *("--format", "json"),
    )
    row = json.loads(ran.out)["rows"][0]
    assert row["tau"]["wmt14"]["value"] == -1
    assert row["pearson"]["value"] == 1
    assert spinal("discotk", "correlate", *files, "--tau", "wmt1").code == 2
    assert spinal("discotk", "correlate", *files, "--only", "x").code == 2
