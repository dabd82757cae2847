"""`spinal derive`: what is drawn, events, pictures."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from analyzer import derive, load_inventory, score
from analyzer.cli.streams import json_text
from tests.support.command import spinal
from tests.support.golden import FROZEN, NEWS, PATTERNS, WEB


def test_every_sentence_can_be_derived() -> None:
    ran = spinal("derive", WEB[0], "--style", "json")
    assert ran.code == 0
    sentences = json.loads(ran.out)
    assert [one["sentence"] for one in sentences] == [*range(1, 45)]
    for one in sentences:
        roots = [spine for spine in one["spines"] if spine["governor"] is None]
        assert len(roots) == 1
        assert roots[0]["at"] is None
        for spine in one["spines"]:
            if spine["at"] is not None:
                above = one["spines"][spine["governor"]]
                assert spine["at"] in above["constructions"]


def test_events_are_as_many_as_the_scores_say() -> None:
    total = score(*WEB, patterns=load_inventory(FROZEN)).total
    data = json.loads(spinal("derive", *WEB, *PATTERNS, "--style", "json").out)
    events = [event for one in data for event in one.get("events", [])]
    by_kind = {
        kind: sum(event["event"] == kind for event in events)
        for kind in ("match", "recall error", "precision error")
    }
    assert by_kind == {
        "match": total.matched_h,
        "recall error": total.gold - total.matched_h,
        "precision error": total.parsed - total.matched_h,
    }
    same = [event for event in events if event["event"] == "match"]
    assert sum(event["span"] == "same" for event in same) == total.matched_s
    assert sum(event["right_edge"] == "same" for event in same) == (
        total.matched_span_right
    )
    assert sum(event["attachment"].startswith("same") for event in same) == (
        total.matched_att
    )


def test_a_sentence_that_cannot_be_compared_is_still_shown() -> None:
    ran = spinal("derive", *WEB, "40", "--style", "json")
    assert ran.code == 0
    (sentence,) = json.loads(ran.out)
    assert "failed parse" in sentence["note"]
    assert "failed parse" in ran.err
    assert "events" not in sentence
    (alone,) = json.loads(spinal("derive", WEB[0], "40", "--style", "json").out)
    assert sentence["gold"] == alone["spines"]
    assert any(spine["constructions"] for spine in sentence["gold"])
    assert sentence["parsed"] == []
    (lengths,) = json.loads(spinal("derive", *NEWS, "10", "--style", "json").out)
    for side, path in zip(("gold", "parsed"), NEWS, strict=True):
        (alone,) = json.loads(spinal("derive", path, "10", "--style", "json").out)
        assert lengths[side] == alone["spines"]


def test_pairs_of_which_none_can_be_compared(tmp_path: Path) -> None:
    """They are shown, but the exit code says that there was nothing to compare."""
    for name, text in (("gold", "(S (NN a))\n"), ("parsed", "(S (NN b) (NN c))\n")):
        (tmp_path / name).write_text(text, "utf-8")
    ran = spinal("derive", tmp_path / "gold", tmp_path / "parsed")
    assert ran.code == 2
    assert "only in gold" in ran.out
    assert "nothing could be compared" in ran.err
    assert spinal("derive", tmp_path / "gold").code == 0


def test_pictures_are_well_formed(tmp_path: Path) -> None:
    one, pair = tmp_path / "one.svg", tmp_path / "pair.svg"
    assert spinal("derive", WEB[0], "3", "--svg", one).code == 0
    assert spinal("derive", *WEB, "3", "--svg", pair).code == 0
    for path in (one, pair):
        root = ElementTree.parse(path).getroot()
        assert root.tag.endswith("svg")
        text = "".join(root.itertext())
        assert "VP-t S-vp" in text
        assert "unplugging" in text
    assert spinal("derive", WEB[0], "3", "4", "--svg", tmp_path / "a.svg").code == 0
    assert {path.name for path in tmp_path.glob("a*")} == {"a-3.svg", "a-4.svg"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((WEB[0], "99"), "contains no sentence 99"),
        (("1",), "expected one or two files"),
        ((*WEB, WEB[0]), "expected one or two files, found 3"),
        (("nosuch.mrg",), "nosuch.mrg"),
    ],
)
def test_derive_what_is_not_there(arguments: tuple[str, ...], message: str) -> None:
    ran = spinal("derive", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_json_is_written_sentence_by_sentence_as_a_whole_would_be() -> None:
    for jobs in ("1", "2"):
        text = spinal("derive", *WEB, "--style", "json", "-q", "--jobs", jobs).out
        assert text == json_text(json.loads(text))
    assert spinal("derive", WEB[0], "99", "--style", "json", "-q").code == 2


@pytest.mark.parametrize("option", ["--style", "--format"])
def test_dependencies_in_conllu(option: str) -> None:
    ran = spinal("derive", WEB[0], "2", option, "conllu")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == derive(WEB[0], sentence=[2]).conllu()
    assert ran.out.startswith("# sent_id = 2\n# text = ")


def test_conllu_says_what_it_leaves_out_beside_it(tmp_path: Path) -> None:
    trees = tmp_path / "trees.mrg"
    trees.write_text("(S (NP (NN cats)) (VP (VBP sit)))\n(S (NP\n")
    ran = spinal("derive", str(trees), "--style", "conllu", "--jobs", "2")
    assert ran.code == 2
    assert ran.out.count("# sent_id") == 1
    assert "missing ')'" in ran.err
    assert "derived 1 of 2 sentences" in ran.err
    ran = spinal("derive", *WEB, "--style", "conllu")
    assert (ran.code, ran.out) == (2, "")
    assert "expected one file" in ran.err
