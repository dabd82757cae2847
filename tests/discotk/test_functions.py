"""DiscoTK from Python: the same numbers as the commands', results like all others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import spinal
from analyzer.discotk.segments import as_segments
from analyzer.exceptions import InputError, RstError, SettingsError
from tests.support.command import spinal as command

REFERENCE = [
    "(NS-Cause _!it rained!_ _!so we left!_)",
    "(NN-Joint _!he came!_ _!and she went!_)",
    "(NS-Elaboration _!they stayed!_ _!which was odd!_)",
]
SYSTEMS = {
    "A": REFERENCE,
    "B": [REFERENCE[0], "(Root _!he came!_)", REFERENCE[2]],
    "C": ["(Root _!rain!_)", "(Root _!he!_)", "(NN-Joint _!they!_ _!stayed!_)"],
}
RANKINGS = "srclang,trglang,segmentId,system1Id,system1rank,system2Id,system2rank\n" + (
    "".join(
        f"fr,en,{segment},{better},1,{worse},2\n"
        for segment in (1, 2, 3)
        for better, worse in (("A", "B"), ("B", "C"), ("A", "C"))
    )
)


@pytest.fixture
def rankings(tmp_path: Path) -> str:
    path = tmp_path / "rankings.csv"
    path.write_text(RANKINGS)
    return str(path)


def files(folder: Path) -> tuple[str, dict[str, str]]:
    """The trees as files, one a line."""
    paths = {}
    for name, trees in {"reference": REFERENCE, **SYSTEMS}.items():
        paths[name] = str(folder / f"{name}.brackets")
        Path(paths[name]).write_text("\n".join(trees) + "\n")
    return paths.pop("reference"), paths


def test_trees_as_files_and_as_lists_and_the_command(tmp_path: Path) -> None:
    reference, systems = files(tmp_path)
    scores = spinal.discotk_score(reference, systems)
    assert scores.rows == spinal.discotk_score(REFERENCE, SYSTEMS).rows
    read = as_segments(REFERENCE)
    as_units = [read.trees[name] for name in read.trees]
    assert scores.rows == spinal.discotk_score(as_units, systems).rows
    options = [f"--system={name}={path}" for name, path in systems.items()]
    ran = command(
        "discotk", "score", "--reference", reference, *options, "--format", "json"
    )
    data = json.loads(ran.out)
    assert data["signature"] == scores.signature
    assert {one["system"]: one["scores"] for one in data["systems"]} == {
        system: dict(row) for system, row in scores.frame().iterrows()
    }
    assert repr(scores) == "<TranslationScores: 3 systems, 3 segments, DiscoTK-light>"
    assert "DiscoTK-light" in scores._repr_html_()
    light = scores.frame()["DiscoTK-light"]
    assert light["A"] == 1.0
    assert light["A"] > light["B"] > light["C"]
    assert len(scores.segment_frame()) == 9


def test_scores_are_tuned_and_correlated(tmp_path: Path, rankings: str) -> None:
    scores = spinal.discotk_score(REFERENCE, SYSTEMS, shapes="nolex,lex1", pair="fr-en")
    found = spinal.discotk_correlate(scores, rankings, tau="wmt14")
    rows = {row["metric"]: row for row in found.rows}
    # B's first and last trees are A's: of nine pairs, two are ties.
    assert rows["DR-LEX1"]["tau_wmt14"] == 7 / 9
    assert rows["DR-LEX1"]["rho"] == pytest.approx(1.0)
    assert found.frame()["metric"].tolist() == list(rows)
    assert repr(found) == "<MetricCorrelations: 3 metrics, 9 comparisons>"
    tuned = spinal.discotk_tune(scores, rankings, folds=3)
    assert set(tuned.weights) == {"DR-NOLEX", "DR-LEX1"}
    assert all(weight > 0 for weight in tuned.weights.values())
    assert [row["metric"] for row in tuned.rows] == ["uniform", "tuned"]
    assert "Weights" in tuned._repr_html_()
    path = tmp_path / "weights.json"
    tuned.save(path)
    options = {"shapes": "nolex,lex1"}
    for model in (path, str(path), tuned.model):
        again = spinal.discotk_score(REFERENCE, SYSTEMS, model=model, **options)
        assert again.segments.metrics[-1] == "DiscoTK-tuned"
        assert again.signature.endswith(tuned.model.signature)


def test_scores_of_files_are_those_of_results(tmp_path: Path, rankings: str) -> None:
    scores = spinal.discotk_score(REFERENCE, SYSTEMS, pair="fr-en")
    path = tmp_path / "scores.tsv"
    frame = scores.segment_frame()
    frame.insert(0, "pair", "fr-en")
    frame.to_csv(path, sep="\t", index=False)
    found = spinal.discotk_correlate(path, [rankings])
    assert found.rows == spinal.discotk_correlate(scores, Path(rankings)).rows
    combined = spinal.discotk_score(metrics=path)
    assert "DiscoTK-light" in combined.segments.metrics


def test_representations() -> None:
    found = spinal.discotk_represent([REFERENCE[0], ""], ["nolex", "lex1"])
    assert [row.metric for row in found.rows] == ["DR-NOLEX", "DR-LEX1"]
    assert found.rows[0].tree == "(Cause-Root (EDU-Nucleus *) (EDU-Satellite *))"
    assert found.segments.missing == ["2"]
    assert len(found.frame()) == 2
    assert "DR-LEX1" in found._repr_html_()


def test_faults() -> None:
    with pytest.raises(SettingsError, match="no representation"):
        spinal.discotk_represent(REFERENCE, "lex9")
    with pytest.raises(SettingsError, match="trees need"):
        spinal.discotk_score()
    with pytest.raises(InputError, match="No such file"):
        spinal.discotk_represent("nothing.brackets")


def test_segments_of_several_trees(tmp_path: Path) -> None:
    """A title that nothing attaches is a part of the tree, dropped, or an error."""
    (tmp_path / "1.rs3").write_text(
        '<rst><header><relations><rel name="cause" type="rst"/></relations></header>'
        '<body><segment id="1">A title</segment><segment id="2">it rained</segment>'
        '<segment id="3" parent="2" relname="cause">so we left</segment></body></rst>'
    )
    folder = str(tmp_path)
    [joined] = spinal.discotk_represent(folder, "nolex").rows
    dropped = spinal.discotk_represent(folder, "nolex", roots="drop")
    assert joined.tree.count("EDU") == 3
    assert [row.tree.count("EDU") for row in dropped.rows] == [2]
    assert "1 unattached segment dropped" in dropped.segments.notes[0]
    scores = spinal.discotk_score(folder, {"A": folder}, shapes="nolex", roots="drop")
    assert sum("dropped" in note for note in scores.notes) == 2
    with pytest.raises(RstError, match="2 separate trees"):
        spinal.discotk_represent(folder, "nolex", roots="error")
    with pytest.raises(SettingsError, match="one tree"):
        spinal.discotk_represent(folder, "nolex", roots="forest")
    done = command("discotk", "represent", folder, "--roots", "drop", "--as", "nolex")
    assert done.out.count("EDU") == 2
