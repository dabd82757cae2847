"""The awkward inputs on which other scorers crash, stay silent or print nan.

What each of them does with these is in table A6 of the survey of peers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Ran, spinal

CAT = "(S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .))"
SEE = "(S (NP (PRP I)) (VP (VBP see)))"


class Outcome:
    """What `spinal evalb` said of a pair: messages, and numbers from its JSON."""

    def __init__(self, ran: Ran) -> None:
        self.code, self.messages = ran.code, ran.err
        self.data: dict[str, Any] = json.loads(ran.out)
        self.summary = self.data["summary"]
        self.reasons = [item["reason"] for item in self.data["left_out"]]
        self.status = [row["status"] for row in self.data["sentences"]]


@pytest.fixture
def probe(tmp_path: Path) -> Any:
    def run(gold: str, parsed: str, *options: str) -> Outcome:
        (tmp_path / "gold.mrg").write_text(gold)
        (tmp_path / "parsed.mrg").write_text(parsed)
        files = (tmp_path / "gold.mrg", tmp_path / "parsed.mrg")
        ran = spinal("evalb", *files, "--by-sentence", "--format", "json", *options)
        assert "Traceback" not in ran.err
        return Outcome(ran)

    return run


def test_one_token_missing(probe: Any) -> None:
    parsed = CAT.replace("(DT the) ", "")
    found = probe(f"{CAT}\n{SEE}\n", f"{parsed}\n{SEE}\n")
    assert (found.code, found.status) == (0, [1, 0])
    assert found.reasons == ["length mismatch"]
    assert (
        "parsed.mrg:1: sentence 1: lengths differ: gold has 3 words" in found.messages
    )
    assert "first difference at word 1: gold 'the', parsed 'cat'" in found.messages
    assert found.summary["f1"] == 1


def test_one_word_differs(probe: Any) -> None:
    found = probe(f"{CAT}\n{SEE}\n", f"{CAT.replace('cat', 'dog')}\n{SEE}\n")
    assert (found.code, found.status) == (0, [1, 0])
    assert found.reasons == ["word mismatch"]
    assert "sentence 1: word 2 differs: gold 'cat', parsed 'dog'" in found.messages


def test_twelve_of_twelve_mismatched(probe: Any) -> None:
    found = probe(f"{SEE}\n" * 12, f"{SEE}\n".replace("see", "saw") * 12)
    assert found.code == 2
    assert found.summary["f1"] is None
    assert found.reasons == ["word mismatch"] * 12
    assert "nothing could be scored" in found.messages
    assert "… and 2 more" in found.messages


def test_twelve_of_twelve_mismatched_with_an_error_limit(tmp_path: Path) -> None:
    """With MAX_ERROR, as evalb: the run stops, and there is no summary."""
    (tmp_path / "gold").write_text(f"{SEE}\n" * 12)
    (tmp_path / "parsed").write_text(f"{SEE}\n".replace("see", "saw") * 12)
    for layout in ("text", "evalb"):
        ran = spinal(
            *("evalb", tmp_path / "gold", tmp_path / "parsed"),
            *("--max-error", "10", "--format", layout),
        )
        assert ran.code == 2
        assert "stopped at sentence 12: more sentences in error than" in ran.err
        assert "Summary" not in ran.out
        assert "F1" not in ran.out


@pytest.mark.parametrize("failed", ["(())", "()", "(X)", "(S (NP))"])
def test_failed_parse(probe: Any, failed: str) -> None:
    found = probe(f"{CAT}\n{SEE}\n", f"{failed}\n{SEE}\n")
    assert (found.code, found.status) == (0, [2, 0])
    assert found.reasons == ["failed parse"]
    assert found.summary["skip"] == 1
    assert found.summary["f1"] == 1


def test_failed_parse_counted_as_finding_nothing(probe: Any) -> None:
    found = probe(f"{CAT}\n{SEE}\n", f"(())\n{SEE}\n", "--on-mismatch", "zero")
    assert found.summary["recall"] == 3 / 6
    assert found.summary["precision"] == 1


@pytest.mark.parametrize("at", [0, 1, 2])
def test_blank_parse_line(probe: Any, at: int) -> None:
    """It is a parse that failed; later pairs stay in step."""
    gold = [CAT, SEE, CAT.replace("cat", "dog")]
    parsed = list(gold)
    parsed[at] = ""
    found = probe("\n".join(gold) + "\n", "\n".join(parsed) + "\n")
    expected = [0, 0, 0]
    expected[at] = 2
    assert (found.code, found.status) == (0, expected)
    assert found.summary["f1"] == 1


def test_blank_lines_that_only_separate(probe: Any) -> None:
    found = probe(f"{CAT}\n{SEE}\n{CAT}\n", f"{CAT}\n\n{SEE}\n\n{CAT}\n\n")
    assert (found.code, found.status) == (0, [0, 0, 0])


@pytest.mark.parametrize(("gold", "parsed"), [(3, 2), (2, 3)])
def test_one_sentence_short(probe: Any, gold: int, parsed: int) -> None:
    found = probe(f"{CAT}\n" * gold, f"{CAT}\n" * parsed)
    assert (found.code, found.status) == (2, [0, 0])
    assert found.data["surplus"] == {"in_gold": gold - 2, "in_parsed": parsed - 2}
    assert "differ in length by 1" in found.messages
    assert found.summary["f1"] == 1


@pytest.mark.parametrize(
    ("tree", "brackets"),
    [
        ("(S " * 210 + "(NN w)" + ")" * 210, 210),
        ("(S " + "(NN w) " * 250 + ")", 1),
        ("(S " + f"(NN {'w' * 60}) " * 100 + ")", 1),
        ("(S (NP (DT the) (NN cat))\n   (VP (VBD sat)))", 3),
        ("(S (NP (DT the) (NN cat))\n(VP (VBD sat)))", 3),
        (f"( {CAT})", 4),
        ("( (S (NP (NN a)) (VP (VB b))))", 4),
    ],
    ids=[
        "210 deep",
        "250 words",
        "6000 characters",
        "two lines",
        "flush",
        "root",
        "ptb",
    ],
)
def test_identical_trees_score_100(probe: Any, tree: str, brackets: int) -> None:
    found = probe(f"{tree}\n{SEE}\n", f"{tree}\n{SEE}\n")
    assert (found.code, found.status) == (0, [0, 0])
    assert found.data["sentences"][0]["matched"] == brackets
    assert found.summary["recall"] == found.summary["precision"] == 1
    assert found.summary["matched"] == brackets + 3


def test_a_tree_over_two_lines_in_one_file_only(probe: Any) -> None:
    found = probe(
        f"{CAT}\n{SEE}\n", f"{CAT.replace(' (VP', chr(10) + ' (VP')}\n{SEE}\n"
    )
    assert (found.code, found.status) == (0, [0, 0])
    assert found.summary["f1"] == 1


def test_empty_root_on_one_side_only_is_pointed_out(probe: Any) -> None:
    found = probe(f"{CAT}\n{SEE}\n", f"( {CAT})\n( {SEE})\n")
    assert found.code == 0
    assert found.summary["recall"] == 1
    assert found.summary["precision"] == 6 / 8
    assert any(
        "one bracket per sentence cannot match" in note for note in found.data["notes"]
    )


def test_raw_bracket_as_a_token(probe: Any) -> None:
    gold = "(S (NP (NN a)) (-LRB- -LRB-))"
    found = probe(f"{gold}\n{SEE}\n", f"(S (NP (NN a)) (-LRB- ())\n{SEE}\n")
    assert (found.code, found.status) == (0, [0, 0])
    found = probe(f"{gold}\n{SEE}\n", f"(S (NP (NN a)) (NN ())\n{SEE}\n")
    assert (found.code, found.status) == (2, [1, 0])
    assert found.reasons == ["malformed parse"]
    assert "written -LRB- or -RRB-" in found.messages
    assert found.summary["f1"] == 1


@pytest.mark.parametrize("side", ["gold", "parse"])
def test_one_bracket_missing(probe: Any, side: str) -> None:
    texts = {"gold": f"{CAT}\n{SEE}\n", "parse": f"{CAT}\n{SEE}\n"}
    texts[side] = f"{CAT[:-1]}\n{SEE}\n"
    found = probe(texts["gold"], texts["parse"])
    assert (found.code, found.status) == (2, [1, 0])
    assert found.reasons == [f"malformed {side}"]
    assert ".mrg:1:1: sentence 1: missing ')'" in found.messages
    assert found.summary["f1"] == 1


def test_full_stop_tagged_as_a_noun(probe: Any) -> None:
    gold, parsed = f"{CAT}\n{SEE}\n", f"{CAT.replace('(. .)', '(NN .)')}\n{SEE}\n"
    found = probe(gold, parsed)
    assert (found.code, found.status) == (0, [1, 0])
    assert "lengths differ: gold has 3 words to compare, parsed 4" in found.messages
    kept = probe(gold, parsed, "--params", "none")
    assert (kept.code, kept.status) == (0, [0, 0])
    assert kept.summary["f1"] == 1
    assert kept.summary["correct_tags"] == 5


def test_traces_in_gold_only(probe: Any) -> None:
    trace = "(VP (VBD sat) (NP-1 (-NONE- *T*-1)))"
    found = probe(f"{CAT.replace('(VP (VBD sat))', trace)}\n{SEE}\n", f"{CAT}\n{SEE}\n")
    assert (found.code, found.status) == (0, [0, 0])
    assert found.summary["f1"] == 1
