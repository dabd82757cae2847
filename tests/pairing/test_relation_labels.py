"""Whether gold and parsed speak of the same relations, and what to do if not."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from analyzer import agree, compare_systems, find_errors, score, score_rst, similarity
from analyzer.exceptions import InputWarning
from analyzer.formats.documents import read_rst
from analyzer.formats.registry import write_rst
from analyzer.model.discourse import Documents
from analyzer.transform.relations import RelationHint, relation_hint
from tests.support.command import spinal
from tests.support.data_paths import RST, needs_rst_data

FINE = "(NS-causal-cause (1) (NN-joint-list (2) (3)))"
COARSE = "(NS-causal (1) (NN-joint (2) (3)))"
HINT = RelationHint("gum", shared=0, labels=4, shared_with_map=2, labels_with_map=2)


def documents(text: str) -> Documents:
    return read_rst(text)


def test_fine_gold_and_coarse_predictions() -> None:
    assert relation_hint(["causal-cause", "joint-list"], ["causal", "joint"]) == HINT
    assert relation_hint(["causal", "joint"], ["causal-cause", "joint-list"]) == HINT
    found = relation_hint(["Elaboration-additional", "List"], ["Elaboration", "Joint"])
    assert found is not None
    assert (found.map, found.shared_with_map) == ("rstdt", 2)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["causal-cause"], ["causal-result"]),  # in detail on both sides
        (["causal", "joint"], ["causal", "topic"]),  # classes on both
        (["circumstance", "list"], ["background", "sequence"]),  # both are RST-DT's
        # Both are RST-DT's, where details may be called as their class.
        (["cause", "circumstance", "contrast"], ["cause", "background", "contrast"]),
        (["causal-cause"], ["topic"]),  # a map would not help
        (["a", "b"], ["c"]),  # no map knows them
        (["causal-cause"], []),
    ],
)
def test_no_word_where_it_would_not_help(one: list[str], other: list[str]) -> None:
    assert relation_hint(one, other) is None
    assert relation_hint(other, one) is None


def test_what_is_mapped_already_is_not_told_of() -> None:
    gum = {"causal-cause": "causal", "joint-list": "joint"}
    assert relation_hint(["causal-cause"], ["causal"], gum) is None


@pytest.mark.parametrize("analysis", [score_rst, score, find_errors])
def test_python_warns_and_keeps_it(analysis: Any) -> None:
    sides = documents(FINE), documents(COARSE)
    with pytest.warns(InputWarning, match='with relations="gum" 2 of 2 are'):
        found = analysis(*sides)
    assert found.relation_hint == HINT
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert analysis(*sides, relations="gum").relation_hint is None
        assert analysis(sides[0], sides[0]).relation_hint is None


def test_of_two_annotators_and_of_several_systems() -> None:
    sides = documents(FINE), documents(COARSE)
    with pytest.warns(InputWarning):
        assert agree(*sides).scores.relation_hint == HINT
    with pytest.warns(InputWarning):
        found = similarity({"a": sides[0], "b": sides[0], "c": sides[1]})
    assert found.relation_hints == {"c": HINT}
    with pytest.warns(InputWarning):
        compare_systems(sides[0], [("a", sides[0]), ("b", sides[1])], resamples=5)


@pytest.mark.parametrize(
    "command",
    [
        ["rst", "score", "GOLD", "MINE"],
        ["rst", "score", "GOLD", "MINE", "--constructions"],
        ["rst", "similarity", "GOLD", "MINE"],
        ["errors", "GOLD", "MINE"],
        ["agree", "GOLD", "MINE"],
        ["domains", "a=GOLD:MINE", "b=GOLD:GOLD"],
    ],
    ids=lambda value: " ".join(value[:2]),
)
def test_commands_say_it_once_and_in_json(command: list[str], tmp_path: Path) -> None:
    for name, text in (("GOLD", FINE), ("MINE", COARSE)):
        path = tmp_path / f"{name}.dis"
        path.write_text(write_rst(read_rst(text).unit(0), "dis"))
        command = [part.replace(name, str(path)) for part in command]
    ran = spinal(*command, "--format", "json")
    assert ran.code == 0
    assert ran.err.count("with --relations gum 2 of 2 are") == 1
    found = json.loads(ran.out)
    told = found["domains"][0] if "domains" in found else found
    labels = told["relation_labels"]
    assert labels.get("mine", labels.get("MINE.dis", labels)) == HINT._asdict()
    ran = spinal(*command, "--format", "json", "--relations", "gum")
    assert (ran.code, ran.err) == (0, "")
    assert "relation_labels" not in ran.out


@needs_rst_data
def test_on_real_documents(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.warns(InputWarning, match='relations="gum"'):
        score_rst(str(RST / "gold/dis"), str(RST / "pred/sr"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score_rst(str(RST / "gold/dis"), str(RST / "pred/sr"), relations="gum")
        score_rst(str(RST / "gold/dis"), str(RST / "pred_fine/sr"))
