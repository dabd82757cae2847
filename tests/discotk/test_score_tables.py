"""WMT's files and files of trees: what is read, and what is said of faults."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analyzer.discotk.score_tables import (
    read_rankings,
    read_scores,
    read_system_scores,
)
from analyzer.discotk.scoring import dr_scores
from analyzer.discotk.segments import read_segments
from analyzer.exceptions import AnalyzerError, InputError, PairingError
from analyzer.formats.registry import read_document, write_rst

HEADER = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Id,system2Id,"
    "system3Id,system1rank,system2rank,system3rank\n"
)
TREE = "(reason[N][S] _!He left!_ _!as it rained!_)"
OTHER = "(reason[N][S] _!He went!_ _!as it rained!_)"


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def written(text: str, name: str = "file") -> str:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return str(path)

    return written


def test_rankings(write) -> None:  # type: ignore[no-untyped-def]
    rows = "French,English,5,-1,5,me,A,B,C,1,2,2\nfra,eng,5,-1,05,me,A,A,B_ref,1,2,-1\n"
    (found,) = read_rankings([write(HEADER + rows)])
    assert (found.pair, found.systems, found.segments) == (
        "fr-en",
        tuple("ABC"),
        ("5",),
    )
    assert found.sign.tolist() == [-1, -1, 0]
    assert (len(found), found.left_out) == (3, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not rankings"),
        ("a,b\n1,2\n", "not rankings in WMT's CSV.*found a, b"),
        (HEADER, "only a header"),
        (HEADER + "fr,en,1,-1,1,me,A,B,C,1,2\n", "file:2: a row of another length"),
        (HEADER + "fr,en,1,-1,1,me,A,B,C,1,2,x\n", "system3rank is 'x'; expected a"),
    ],
)
def test_faulty_rankings(write, text: str, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        read_rankings([write(text)])


def test_segment_scores(write) -> None:  # type: ignore[no-untyped-def]
    (wide,) = read_scores(write("system\tsegment\tm\tn\nA\t10\t1\t2\nA\t9\t3\tNA\n"))
    assert wide.segments == ("9", "10")
    assert wide.column("m").tolist() == [[3, 1]]
    assert np.isnan(wide.column("n")).tolist() == [[True, False]]
    rows = "m\tfr-en\tnt13\tA\t1\t.5\nm\tde-en\tnt13\tA\t1\t.7\textra\n"
    scr = read_scores(write(rows, "x.seg.scr"))
    assert [(one.pair, one.values.item()) for one in scr] == [
        ("fr-en", 0.5),
        ("de-en", 0.7),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "contains no scores"),
        ("system\tsegment\nA\t1\n", "no metric's column"),
        ("system\tsegment\tm\n", "only a header"),
        ("system\tsegment\tm\nA\t1\tinf\n", "file:2: m is inf; expected a finite"),
        ("system\tsegment\tm\nA\t1\tx\n", "file:2: m is 'x'; expected a number"),
        ("system\tsegment\tm\nA\t1\n", "file:2: 2 columns; the header has 3"),
        (
            "system\tsegment\tm\nA\t1\t1\nA\t1\t2\n",
            "file:3: a second m for A",
        ),
        ("a\tb\n", "expected a header with system and segment, or WMT's"),
    ],
)
def test_faulty_scores(write, text: str, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        read_scores(write(text))


def test_system_scores(write) -> None:  # type: ignore[no-untyped-def]
    assert read_system_scores(write("system\tscore\nA\t.5\n")) == {"": {"A": 0.5}}
    scr = read_system_scores(write("m\tfr-en\tnt13\tA\t.5\n"))
    assert scr == {"fr-en": {"A": 0.5}}
    for text, message in (
        ("A\t1\nA\t2\n", "a second score for A"),
        ("A\tNA\n", "no score for A"),
        ("A\n", "expected system and score"),
        ("\n", "no scores"),
    ):
        with pytest.raises(InputError, match=message):
            read_system_scores(write(text))


def test_a_tree_a_line_and_gaps(write) -> None:  # type: ignore[no-untyped-def]
    reference = read_segments(write(f"{TREE}\n{TREE}\n{TREE}\n", "ref"))
    system = read_segments(write(f"{TREE}\n\n{OTHER}\n", "sys"))
    assert system.missing == ["2"]
    with pytest.raises(PairingError, match=r"A has no tree for 1 segment \(2\)"):
        dr_scores(reference, {"A": system})
    notes: list[str] = []
    found = dr_scores(reference, {"A": system}, missing="worst", notes=notes)
    assert found.values[0, 0].tolist() == pytest.approx([1] * 5)
    assert found.values[0, 1].tolist() == [0] * 5
    assert found.values[0, 2, 0] == pytest.approx(1)  # NOLEX: the same structure
    assert 0 < found.values[0, 2, 1] < 1
    assert notes == ["A: no tree for 1 segment (2); scored 0"]


def test_unequal_numbers_of_segments(write) -> None:  # type: ignore[no-untyped-def]
    one = read_segments(write(f"{TREE}\n", "one"))
    two = read_segments(write(f"{TREE}\n{TREE}\n", "two"))
    with pytest.raises(PairingError, match=r"A has 1 segment \(2\), which the ref"):
        dr_scores(one, {"A": two})
    with pytest.raises(PairingError, match=r"A has no tree for 1 segment \(2\)"):
        dr_scores(two, {"A": one})
    gap = read_segments(write(f"\n{TREE}\n", "gap"))
    with pytest.raises(PairingError, match=r"the reference has no tree for 1 segment"):
        dr_scores(gap, {"A": two}, missing="worst")


def test_folders_in_other_formats(tmp_path: Path) -> None:
    tree = read_document(TREE)
    for number, form in ((2, "dis"), (10, "rs3")):
        text = write_rst(tree, form)
        (tmp_path / f"seg_{number:02}.{form}").write_text(text, "utf-8")
    assert list(read_segments(str(tmp_path)).trees) == ["2", "10"]


def test_trees_over_several_lines_and_faults(write) -> None:  # type: ignore[no-untyped-def]
    over = TREE.replace(") ", ")\n ").replace("[S] ", "[S]\n  ")
    assert len(read_segments(write(f"{over}\n{over}\n")).trees) == 2
    with pytest.raises(AnalyzerError, match=r"file:2"):
        read_segments(write(f"{TREE}\n(reason[N][S] _!a!_\n"))
    with pytest.raises(AnalyzerError, match=r"2 trees on a line"):
        read_segments(write(f"{TREE} {TREE}\n{TREE}\n"))


def test_trees_without_words_have_no_lexical_scores(write) -> None:  # type: ignore[no-untyped-def]
    segments = read_segments(write("(NS-Cause (1) (2))\n"))
    if any(unit.text for unit in segments.trees["1"].walk()):  # type: ignore[union-attr]
        pytest.skip("this format's numbers are its texts")
    with pytest.raises(InputError, match="only NOLEX"):
        dr_scores(segments, {"A": segments})
    found = dr_scores(segments, {"A": segments}, shapes=["nolex"])
    assert found.values.item() == pytest.approx(1)
