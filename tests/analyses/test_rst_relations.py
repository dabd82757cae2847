"""Relation classification, and `.rels` written and read again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.analyses.rst_relations import classify_relations
from analyzer.analyses.rst_trees import convert
from analyzer.cli.main import main
from analyzer.exceptions import PairingError
from analyzer.formats.rst.arcs import (
    RELS_COLUMNS,
    read_instances,
    read_rels,
    write_rels,
    write_segments,
)
from analyzer.model.discourse import Arc, DependencyTree
from analyzer.transform.relations import built_in_maps, load_relations
from tests.support.data_paths import RST, needs_rst_data
from tests.support.examples import some


def rels(*rows: tuple[str, str, str, str]) -> str:
    """A `.rels` file: document, units, label."""
    lines = ["\t".join(RELS_COLUMNS)]
    for document, unit1, unit2, label in rows:
        beside = ["_"] * 8
        lines.append(
            "\t".join([document, unit1, unit2, *beside, "1<2", "none", "copied", label])
        )
    return "\n".join(lines) + "\n"


GOLD = rels(
    ("a", "1-2", "3-4", "causal"),
    ("a", "3-4", "5-6", "causal"),
    ("a", "5-6", "7", "frame"),
    ("b", "1", "2", "frame"),
)
PREDICTED = rels(
    ("a", "1-2", "3-4", "causal"),
    ("a", "3-4", "5-6", "frame"),
    ("a", "5-6", "7", "mode"),
    ("b", "1", "2", "frame"),
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    for name, text in (("gold", GOLD), ("predicted", PREDICTED)):
        (tmp_path / f"{name}.rels").write_text(text, encoding="utf-8")
    return str(tmp_path / "gold.rels"), str(tmp_path / "predicted.rels")


def test_labels_by_hand(files: tuple[str, str]) -> None:
    found = classify_relations(*files)
    accuracy, macro = found.summary
    assert accuracy.value == 2 / 4
    # causal: 2 * 1 / 3; frame: 2 * 1 / 4. Gold has no `mode`: it is not in the mean.
    assert macro.value == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert [row[:4] for row in found.rows] == [
        ("causal", 1, 2, 1),
        ("frame", 1, 2, 2),
        ("mode", 0, 0, 1),
    ]
    assert [tuple(row) for row in found.confusion] == [
        ("causal", "frame", 1),
        ("frame", "mode", 1),
    ]


def test_label_not_orig_label(files: tuple[str, str]) -> None:
    """Predictions keep gold's `orig_label`: it tells nothing of them."""
    assert classify_relations(*files).summary[0].value != 1


def test_pdtb_with_units_and_directions_that_are_not_there(tmp_path: Path) -> None:
    text = rels(("a", "_", "3-4", "causal"), ("a", "1", "2", "frame"))
    path = tmp_path / "luna.rels"
    path.write_text(text.replace("1<2", "_"), encoding="utf-8")
    found = classify_relations(str(path), str(path))
    assert [row.value for row in found.summary] == [1.0, 1.0]
    assert found.gold.size == 2


def test_relations_that_nobody_predicted(
    tmp_path: Path, files: tuple[str, str]
) -> None:
    short = tmp_path / "short.rels"
    short.write_text("".join(PREDICTED.splitlines(keepends=True)[:-2]))
    left_out = classify_relations(files[0], str(short))
    assert left_out.ledger.gold == 4
    assert left_out.ledger.scored == 2
    assert left_out.summary[0].value == 1 / 2
    wrong = classify_relations(files[0], str(short), on_mismatch="zero")
    assert wrong.summary[0].value == 1 / 4
    assert ("frame", "", 2) in [tuple(row) for row in wrong.confusion]
    with pytest.raises(PairingError, match="1 relation only in gold"):
        classify_relations(files[0], str(short), on_mismatch="error")


def test_arcs_with_another_governor_do_not_count() -> None:
    gold = "(NS-Cause (1) (NS-List (2) (3)))"
    parsed = "(NS-Cause (NS-Reason (1) (2)) (3))"
    found = classify_relations(gold, parsed)
    assert (found.of_gold, found.gold.size) == (2, 1)
    assert [tuple(row) for row in found.confusion] == [("Cause", "Reason", 1)]


def test_same_unit_is_no_relation() -> None:
    tree = "(NN-Same-Unit (NS-List (1) (2)) (3))"
    found = classify_relations(tree, tree)
    assert [row.label for row in found.rows] == ["List"]


def test_nothing_in_common() -> None:
    with pytest.raises(PairingError, match="same units"):
        classify_relations("(NS-a (1) (2))", "(SN-a (1) (2))")


def test_command(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rst", "score", *files, "--classification"]) == 0
    out = capsys.readouterr().out
    assert "accuracy     50.0" in out
    assert "4 of 4 relations" in out
    gold, parsed = files
    several = ["rst", "score", gold, f"a={gold}", f"b={parsed}", "--classification"]
    assert main(several) == 0
    lines = capsys.readouterr().out.split("\n")
    shown = [line.split()[:2] for line in lines if line.startswith(("a ", "b "))]
    assert shown == [["a", "100.0"], ["b", "50.0"]]
    assert main([*several, "--format", "json"]) == 0
    systems = json.loads(capsys.readouterr().out)["systems"]
    assert [one["summary"][0]["value"] for one in systems.values()] == [1.0, 0.5]
    assert main([*several, "--erst"]) == 2
    assert "goes neither with" in capsys.readouterr().err


@needs_rst_data
def test_gold_against_itself() -> None:
    gold = str(RST / "gold" / "rs4")
    found = classify_relations(gold, gold, relations="disrpt")
    assert [row.value for row in found.summary] == [1, 1]
    assert not found.confusion
    known = set((load_relations("disrpt") or {}).values())
    assert {row.label for row in found.rows} <= known


# -- written --------------------------------------------------------------------------

INTERRUPTED = DependencyTree(
    [0, 1, 1, 3],
    ["ROOT", "elaboration-attribute", "same-unit", "odd"],
    texts=["The cat ,", "which is old ,", "sleeps", "well."],
    sentences=[1, 1, 1, 2],
)


def test_written_by_hand() -> None:
    names, *rows = [
        line.split("\t") for line in write_rels(INTERRUPTED, "d").split("\n")
    ]
    first, second = (dict(zip(names, row, strict=True)) for row in rows[:-1])
    assert first["unit1_toks"] == "1-3,8"
    assert first["unit1_txt"] == "The cat , <*> sleeps"
    assert first["unit2_toks"] == "4-7"
    assert first["dir"] == "1<2"
    assert first["s1_toks"] == "1-8"
    assert (first["orig_label"], first["label"]) == (
        "elaboration-attribute",
        "elaboration",
    )
    # What depends on a later part does so alone; an unknown label stays.
    assert (second["unit1_toks"], second["unit2_toks"]) == ("8", "9")
    assert second["label"] == "odd"
    segments = write_segments(INTERRUPTED, "d").split("\n")
    assert segments[1].endswith("\tSeg=B-seg")
    assert segments[2].endswith("\tSeg=O")
    assert segments.count("") == 3  # between the sentences, and two at the end


@settings(max_examples=some(40))
@given(data=st.data())
def test_graphs_come_back(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    size = data.draw(st.integers(2, 7))
    heads = [data.draw(st.integers(0, at)) for at in range(size)]
    labels = st.sampled_from(["joint-list", "Cause", "odd one"])
    relations = [data.draw(labels) if head else "ROOT" for head in heads]
    words = st.lists(st.sampled_from(["a", "bc", "d."]), min_size=1, max_size=3)
    texts = [" ".join(data.draw(words)) for _ in heads]
    more = [Arc(size, 1, "extra")] if heads[-1] > 1 else []
    tree = DependencyTree(heads, relations, texts=texts, more=more)
    if not any(heads):
        return
    path = tmp_path_factory.mktemp("rels") / "a.rels"
    path.with_suffix(".conllu").write_text(write_segments(tree, "a"), encoding="utf-8")
    [again] = read_rels(write_rels(tree, "a"), str(path))
    assert isinstance(again.tree, DependencyTree)
    assert again.tree.heads == heads
    assert again.tree.relations == relations
    assert again.tree.texts == texts
    assert list(again.tree.more) == more


def test_words_that_were_written_together_stay_so(tmp_path: Path) -> None:
    words = [["I", "'m", "here", "."]]
    tree = DependencyTree([0], ["ROOT"], texts=["I'm here."], words=words)
    text = write_segments(tree, "a")
    assert text.count("SpaceAfter=No") == 2
    assert len(text.strip().split("\n")) == 5


ENHANCED = """<rst><header><relations/></header><body>
<segment id="1" parent="4" relname="span">He left</segment>
<segment id="2" parent="1" relname="causal-cause">because it rained</segment>
<segment id="3" parent="4" relname="evaluation-comment">which he hates.</segment>
<group id="4" type="span"/>
<secedges><secedge id="3-2" source="3" target="2" relname="elaboration-attribute"/>
<secedge id="2-1" source="2" target="1" relname="context-background"/></secedges>
</body></rst>"""


def test_secondary_edges_are_further_rows() -> None:
    """But a pair that has a relation gets no second one, as in GUM's own files."""
    found = convert(ENHANCED, to="rels")
    rows = read_instances(found.documents[0].text)
    assert [(one.unit1, one.unit2, one.label) for one in rows] == [
        ("1-2", "3-5", "causal"),
        ("1-2", "6-8", "comment"),
        ("3-5", "6-8", "elaboration"),
    ]
    assert "1 secondary edge and 0 signals left out" in found.warnings[0]
    coarse = convert(ENHANCED, to="rels", relations="gum").documents[0].text
    assert coarse.split("\n")[3].split("\t")[-2] == "elaboration"


@needs_rst_data
def test_secondary_edges_of_a_corpus(tmp_path: Path) -> None:
    """GUM's own .rels of these documents has 3,708 relations."""
    found = convert(str(RST / "gold" / "rs4"), to="rels", transform="chain")
    relations = [read_instances(document.text) for document in found.documents]
    assert sum(map(len, relations)) == 3712


@needs_rst_data
def test_all_of_one_folder(tmp_path: Path) -> None:
    out = tmp_path / "gum.rels"
    gold = str(RST / "gold" / "dis")
    assert main(["rst", "convert", gold, "--to", "rels", "-o", str(out), "-q"]) == 0
    instances = read_instances(out.read_text(encoding="utf-8"), str(out))
    assert len({one.document for one in instances}) == 32
    assert {one.label for one in instances} <= {
        *(load_relations("disrpt") or {}).values()
    }
    again = convert(str(out), to="rels")
    assert [
        one for document in again.documents for one in read_instances(document.text)
    ] == instances


def test_units_without_text(capsys: pytest.CaptureFixture[str]) -> None:
    found = convert("(NS-Cause (1) (2))", to="rels")
    assert [error.code for error in found.problems] == ["E952"]


def test_maps_agree() -> None:
    """Each corpus' map is a part of the shared task's."""
    whole = load_relations("disrpt") or {}
    assert len(set(whole.values())) == 17
    for name in ("pcc", "gcdt", "ru-rst", "rst-spanish", "rst-basque"):
        assert name in built_in_maps()
        assert (load_relations(name) or {}).items() <= whole.items()
    assert whole["definitu-gabeko elarzioa"] == "elaboration"  # with a blank
