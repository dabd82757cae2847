"""The papers' own program, reproduced: every row of its scores, counts included."""

from __future__ import annotations

import csv
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from analyzer.analyses.rst_scores import score_rst
from analyzer.derivation.units import UnitColumns, dependencies, unit_columns
from analyzer.exceptions import SettingsError
from analyzer.formats.documents import read_rst
from analyzer.metrics.rst import (
    DECISIONS,
    DEPENDENCY,
    PARSEVAL,
    ClassCounts,
    attachment_decisions,
    count_matches,
    dependency_key,
    rst_parseval,
)
from analyzer.model.discourse import Documents, Unit
from analyzer.transform.documents import Direction, binarize
from analyzer.transform.relations import load_relations, map_relations
from tests.support.data_paths import (
    RST,
    RST_CORPORA,
    needs_rst_corpora,
    needs_rst_data,
)

pytestmark = needs_rst_data
PREDICTIONS = {
    ("coarse", "sr"): "pred/sr",
    ("coarse", "hilda"): "pred/hilda",
    ("coarse", "dep"): "pred/dep",
    ("coarse", "rb"): "pred/rb",
    ("fine", "sr"): "pred_fine/sr",
    ("fine", "hilda"): "pred_fine/hilda",
    ("fine", "rb"): "pred_fine/rb",
}
TOLERANCE = 1e-12


@cache
def documents(folder: str) -> list[tuple[str, Unit]]:
    return list(read_rst(str(RST / folder), strict=True))


@cache
def columns(folder: str, direction: Direction, labels: str) -> UnitColumns:
    relations = load_relations(str(RST / "gum_relmap.txt"))
    relations = relations if labels == "coarse" else None
    trees = [
        (n, binarize(map_relations(u, relations), direction))
        for n, u in documents(folder)
    ]
    return unit_columns(Documents.of_units(trees))


def predicted(labels: str, parser: str) -> UnitColumns:
    """A parser's columns; gold itself, in both shapes, is among the 'parsers'."""
    if parser == "gold_rh":
        return columns("gold/dis", "right", labels)
    if parser == "gold_nary":
        return columns("gold/dis", "none", labels)
    return columns(PREDICTIONS[labels, parser], "none", labels)


def rows(name: str) -> list[dict[str, str]]:
    if not RST.exists():
        return []
    with (RST / name).open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


@cache
def counts_of(row_key: tuple[str, ...]) -> ClassCounts:
    labels, reference, encoding, metric, parser = row_key
    gold = columns("gold/dis", "right" if reference == "rh" else "none", labels)
    other = predicted(labels, parser)
    size = len(documents("gold/dis"))
    if encoding.startswith("dep"):
        key = "LA" if metric.startswith("label-accuracy") else metric
        left, right = dependencies(gold), dependencies(other)
        keys = dependency_key(left, key), dependency_key(right, key)
    else:
        if encoding == "labelled-attachment":
            left, right = attachment_decisions(gold), attachment_decisions(other)
        else:
            with_root = encoding.endswith("+root")
            left = rst_parseval(gold, with_root=with_root)
            right = rst_parseval(other, with_root=with_root)
        # As released, F+H forgets the head.
        key = {"F+H": "F", "F+H_fixed": "F+H"}.get(metric, metric)
        keys = left.key(key), right.key(key)
    return count_matches(*keys, left.document, right.document, size)


def ratios(counts: ClassCounts) -> list[np.ndarray]:
    with np.errstate(all="ignore"):
        precision = np.nan_to_num(counts.matched / counts.parsed)
        recall = np.nan_to_num(counts.matched / counts.gold)
        f1 = np.nan_to_num(2 * precision * recall / (precision + recall))
    return [precision, recall, f1]


@pytest.mark.slow
def test_every_row_of_the_oracle() -> None:
    """All encodings, metrics, averages, references and parsers: 1,108 rows."""
    checked = 0
    for row in rows("oracle.tsv"):
        names = ("labels", "reference", "encoding", "metric", "parser")
        counts = counts_of(tuple(row[name] for name in names))
        matched, gold, predicted_count = counts.micro
        assert (gold, predicted_count) == (int(row["n_gold"]), int(row["n_pred"]))
        if row["average"] == "micro":
            assert matched == int(row["tp"]), row
            precision = matched / predicted_count if predicted_count else 0.0
            recall = matched / gold if gold else 0.0
            both = precision + recall
            found = [precision, recall, 2 * precision * recall / both if both else 0.0]
        else:
            found = [float(values.mean()) for values in ratios(counts)]
        expected = [float(row[name]) for name in ("precision", "recall", "f1")]
        assert found == pytest.approx(expected, abs=TOLERANCE), row
        checked += 1
    assert checked == 1108


@pytest.mark.slow
def test_every_document_of_the_oracle() -> None:
    names = [name for name, _ in documents("gold/dis")]
    checked = 0
    for row in rows("oracle_per_doc.tsv"):
        fields = ("labels", "reference", "encoding", "metric", "parser")
        counts = counts_of(tuple(row[name] for name in fields))
        at = names.index(row["doc"])
        found = (counts.matched[at], counts.gold[at], counts.parsed[at])
        assert found == (int(row["tp"]), int(row["n_gold"]), int(row["n_pred"])), row
        assert ratios(counts)[2][at] == pytest.approx(float(row["f1"]), abs=TOLERANCE)
        checked += 1
    assert checked > 1000


@pytest.mark.parametrize("as_released", [False, True])
@pytest.mark.parametrize("parser", ["sr", "gold_nary"])
def test_score_rst_is_the_oracle(parser: str, as_released: bool) -> None:
    """Binarised as the papers' program does: as the papers define, or as released.

    Gold as it is annotated, with units of more than two parts, is among the parsers.
    """
    with pytest.warns() if parser == "gold_nary" else nullcontext():
        scores = score_rst(
            documents("gold/dis"),
            documents("pred/sr" if parser == "sr" else "gold/dis"),
            relations=load_relations(str(RST / "gum_relmap.txt")),
            as_released=as_released,
            binarize_parsed=False,
        )
    assert "binarized:gold" in str(scores.signature)
    assert scores.scored_text() == "scored 32 of 32 documents"
    names = {PARSEVAL: "rst-parseval", DECISIONS: "labelled-attachment"}
    found = {
        (names.get(row.encoding, "dep-chain"), row.metric, row.average): row
        for row in scores.rows
    }
    released = {"F+H": "F+H" if as_released else "F+H_fixed"}
    if as_released:
        released["LAS-F"] = "LAS-F+order"
    expected = {
        (row["encoding"], row["metric"], row["average"]): row
        for row in rows("oracle.tsv")
        if (row["labels"], row["reference"], row["parser"]) == ("coarse", "rh", parser)
    }
    for (encoding, metric, average), row in found.items():
        name = {"OUAS": "UAS+order"}.get(metric, released.get(metric, metric))
        if parser == "gold_nary" and encoding != PARSEVAL:
            continue  # the oracle has no row
        other = expected[encoding, name, average]
        assert row.f1 == pytest.approx(float(other["f1"]), abs=TOLERANCE)


def test_without_the_root_one_arc_a_document_less() -> None:
    scores = score_rst(documents("gold/dis"), documents("pred/sr"), no_root=True)
    assert scores.counts[DEPENDENCY, "UAS"].micro[1] == 3897 - 32


def test_figure_3_of_2018() -> None:
    """The paper counts the root there: `--parseval-root`."""
    gold = read_rst(str(RST / "fixtures" / "fig3_gold.dis"))
    other = read_rst(str(RST / "fixtures" / "fig3_pred.dis"))
    pair = [("fig3", gold["fig3_gold"])], [("fig3", other["fig3_pred"])]
    with_root = score_rst(*pair, parseval_root=True)
    without = score_rst(*pair)
    assert with_root.counts[PARSEVAL, "S"].micro[1] == 7
    assert without.counts[PARSEVAL, "S"].micro[1] == 6
    assert without.counts[DECISIONS, "S"].micro[1] == 3


def test_spans_of_decisions_are_the_inner_spans_of_parseval() -> None:
    """S on attachment decisions is the non-trivial part of S in RST-Parseval."""
    gold, other = columns("gold/dis", "right", "coarse"), predicted("coarse", "sr")
    size = len(documents("gold/dis"))
    inner = [attachment_decisions(side) for side in (gold, other)]
    every = [rst_parseval(side) for side in (gold, other)]
    found = [
        count_matches(a.key("S"), b.key("S"), a.document, b.document, size).micro
        for a, b in (inner, every)
    ]
    edus, roots = 3897, 32
    assert found[1][0] == found[0][0] - roots + edus


def test_documents_are_paired_by_name(tmp_path: Path) -> None:
    gold, other = documents("gold/dis"), documents("pred/sr")
    scores = score_rst(gold[:3], [*other[1:3], other[5]])
    assert scores.names == [gold[1][0], gold[2][0]]
    assert [one.error.message for one in scores.left_out] == [
        "only in gold",
        "only in parsed",
    ]


def test_offsets_of_the_same_segmentation_change_nothing() -> None:
    plain = score_rst(documents("gold/dis"), documents("pred/sr"))
    by_offsets = score_rst(
        documents("gold/dis"), documents("pred/sr"), segmentation="offsets"
    )
    for key, counts in plain.counts.items():
        assert counts.micro == by_offsets.counts[key].micro
    assert by_offsets.counts["segmentation", "boundaries"].micro == (3865, 3865, 3865)


def tree(*units: str) -> Unit:
    """A right-branching tree over the given texts."""
    root = Unit("R", "---")
    at = root
    for text in units[:-2]:
        at.children = [Unit("N", "span", text=text), Unit("S", "elaboration")]
        at = at.children[1]
    at.children = [
        Unit("N", "span", text=units[-2]),
        Unit("S", "cause", text=units[-1]),
    ]
    return root


def test_different_segmentations_by_hand() -> None:
    """Gold splits the last unit once more; two of three boundaries are found."""
    gold = tree("it rained", "so we", "went", "home")
    other = tree("it  rained", "so we", "went home")
    scores = score_rst([("d", gold)], [("d", other)], segmentation="offsets")
    assert scores.counts["segmentation", "boundaries"].micro == (2, 3, 2)
    # Spans: "it rained", "so we", "went home", and "so we went home" agree.
    assert scores.counts[PARSEVAL, "S"].micro == (4, 6, 4)


def test_units_by_the_ends_of_edus_by_hand() -> None:
    """Predicted has one boundary less, so its first EDU ends where gold's second does.

    Gold's units end at EDUs 1, 2, 3, 4 and 2-4, 3-4; predicted's at 2, 3, 4 and 3-4.
    By offsets, EDU 2 of gold is not the one predicted, which begins earlier.
    """
    gold = tree("it rained", "so we", "went", "home")
    other = tree("it rained so we", "went", "home")
    strict = score_rst([("d", gold)], [("d", other)], segmentation="offsets")
    by_ends = score_rst([("d", gold)], [("d", other)], segmentation="edu-ends")
    assert strict.counts[PARSEVAL, "S"].micro == (3, 6, 4)
    assert by_ends.counts[PARSEVAL, "S"].micro == (4, 6, 4)
    # Of 2-4 in gold and the whole text in predicted, the same ends: 2 and 4.
    assert strict.counts[DECISIONS, "S"].micro == (2, 3, 2)
    assert by_ends.counts[DECISIONS, "S"].micro == (2, 3, 2)
    assert strict.counts["segmentation", "boundaries"].micro == (2, 3, 2)
    assert by_ends.counts["segmentation", "boundaries"].micro == (3, 4, 3)
    assert "segmentation:edu-ends" in str(by_ends.signature)


def test_a_changed_word_costs_the_units_that_hold_it() -> None:
    """Of `it rained | so we | went | home`, `went` became `walked`.

    Units: the four EDUs, 2-4 and 3-4: three EDUs are left that hold no changed word.
    Of the four arcs, those of 3 and of 4, whose governor is 3, are lost.
    """
    gold = tree("it rained", "so we", "went", "home")
    other = tree("it rained", "so we", "walked", "home")
    left_out = score_rst([("d", gold)], [("d", other)], segmentation="offsets")
    assert not left_out.names
    scores = score_rst([("d", gold)], [("d", other)], on_mismatch="align")
    assert scores.counts["segmentation", "boundaries"].micro == (3, 3, 3)
    assert scores.counts[PARSEVAL, "S"].micro == (3, 6, 6)
    assert scores.counts[DECISIONS, "S"].micro == (0, 3, 3)
    assert scores.counts[DEPENDENCY, "UAS"].micro == (2, 4, 4)
    assert scores.ledger.scored == 1
    assert scores.changed_edus == (1, 1)
    assert "1 EDU of gold and 1 predicted have text" in " ".join(scores.notes)
    assert "on_mismatch:align" in str(scores.signature)


def test_added_words_and_other_texts() -> None:
    gold = tree("it rained", "so we", "went", "home")
    more = tree("it rained", "and so we", "went", "home")
    scores = score_rst([("d", gold)], [("d", more)], on_mismatch="align")
    assert scores.changed_edus == (0, 1)
    # Lost are the second EDU and the units with it; 1, 3, 4 and 3-4 are left.
    assert scores.counts[PARSEVAL, "S"].micro == (4, 6, 6)
    nothing = tree("all", "of", "this", "is something else")
    left_out = score_rst([("d", gold)], [("d", nothing)], on_mismatch="align")
    assert not left_out.names
    with pytest.raises(SettingsError, match="does not go with levels="):
        score_rst(gold, more, on_mismatch="align", erst=True)  # type: ignore[arg-type]


def test_the_same_texts_need_no_alignment() -> None:
    plain = score_rst(
        documents("gold/dis"), documents("pred/sr"), segmentation="offsets"
    )
    aligned = score_rst(
        documents("gold/dis"), documents("pred/sr"), on_mismatch="align"
    )
    assert aligned.changed_edus == (0, 0)
    for key, counts in plain.counts.items():
        assert counts.micro == aligned.counts[key].micro


def test_levels_by_hand() -> None:
    """Two sentences of two EDUs, two paragraphs: `1 2 | 3 4 ‖ 5`, 5 a heading."""
    rsd = "".join(
        f"{edu}\tx\t0\t_\t_\tsid={sentence}{block}\t{head}\t{relation}\t_\t_\n"
        for edu, sentence, block, head, relation in (
            *((1, 1, "|para=para", 0, "ROOT"), (2, 1, "", 1, "cause_r")),
            *((3, 2, "", 1, "list_m"), (4, 2, "", 3, "cause_r")),
            (5, 3, "|heading=heading", 1, "list_m"),
        )
    )
    gold = "(NN-list (NN-list (NS-cause (1) (2)) (NS-cause (3) (4))) (5))"
    other = "(NN-list (NN-list (NS-cause (1) (2)) (3)) (NN-list (4) (5)))"
    for options in ({}, {"binarize": "none"}):
        scores = score_rst(gold, other, levels=rsd, **options)
        rows = {
            (row.encoding, row.metric, row.level): row[3:6] for row in scores.level_rows
        }
        assert rows[DECISIONS, "S", "sentence"] == (1, 2, 1)  # 1-2, and 3-4
        assert rows[DECISIONS, "S", "paragraph"] == (0, 1, 1)  # 1-4; 1-3
        assert rows[DECISIONS, "S", "document"] == (1, 1, 2)  # 1-5; 4-5
        # Arcs 2 to 1, 4 to 3; 3 to 1; 5 to 1 and the root. In `other` 4 to 1, 5 to 4.
        assert rows[DEPENDENCY, "UAS", "sentence"] == (1, 2, 1)
        assert rows[DEPENDENCY, "UAS", "paragraph"] == (1, 1, 2)
        assert rows[DEPENDENCY, "UAS", "document"] == (1, 2, 2)


@pytest.mark.parametrize(
    "options", [{}, {"segmentation": "offsets"}, {"segmentation": "edu-ends"}]
)
def test_levels_add_up(options: dict[str, bool]) -> None:
    sides = (str(RST / "gold" / "dis"), str(RST / "pred" / "sr"))
    scores = score_rst(*sides, levels=str(RST / "gold" / "rsd"), **options)
    by_level: dict[tuple[str, str], dict[str, tuple[int, ...]]] = {}
    for row in scores.level_rows:
        by_level.setdefault(row[:2], {})[row.level] = row[3:6]
    assert len(by_level) == 21
    for key, levels in by_level.items():
        sums = tuple(map(sum, zip(*levels.values(), strict=True)))
        assert sums == scores.counts[key].micro
    # However EDUs are compared, they are the same here, and so are their levels.
    assert by_level[DECISIONS, "S"]["sentence"] == (1614, 2100, 2047)
    assert by_level[DEPENDENCY, "UAS"]["paragraph"] == (271, 719, 728)


@needs_rst_corpora
def test_levels_of_other_edus_add_up() -> None:
    folder, levels = RST_CORPORA / "end_to_end", str(RST / "gold" / "rsd")
    for options in ({"segmentation": "offsets"}, {"segmentation": "edu-ends"}):
        scores = score_rst(folder / "gold", folder / "pred", levels=levels, **options)
        for key in ((PARSEVAL, "F"), (DECISIONS, "S"), (DEPENDENCY, "LAS-F")):
            rows = [row[3:6] for row in scores.level_rows if row[:2] == key]
            sums = tuple(map(sum, zip(*rows, strict=True)))
            assert sums == scores.counts[key].micro


@needs_rst_corpora
def test_end_to_end_counts_are_those_of_dmrst() -> None:
    """DMRST's Metric.py on these documents: S, N, R, F; DISCOURSE.md, point 3."""
    folder = RST_CORPORA / "end_to_end"
    scores = score_rst(folder / "gold", folder / "pred", segmentation="edu-ends")
    expected = {
        PARSEVAL: (7730, 7052, (4497, 3268, 2354, 2322)),
        DECISIONS: (3865, 3526, (1367, 969, 805, 777)),
    }
    for encoding, (in_gold, predicted, matched) in expected.items():
        for metric, count in zip("SNRF", matched, strict=True):
            counts = scores.counts[encoding, metric].micro
            assert counts == (count, in_gold, predicted), (encoding, metric)
    boundaries = scores.rows[0]
    assert boundaries.f1 is not None
    assert round(boundaries.f1, 4) == 0.8461


def test_texts_that_differ_are_shown() -> None:
    pair = [("d", tree("it rained", "today"))], [("d", tree("it snowed", "today"))]
    scores = score_rst(*pair, segmentation="offsets")
    assert not scores.names
    assert "differ at character 3" in scores.left_out[0].error.message
