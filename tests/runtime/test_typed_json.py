"""Parts of results survive being written down."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from analyzer.analyses.bracket_scores import BracketCounts
from analyzer.analyses.conventions import ConventionCounts, convention_work
from analyzer.analyses.domains import GroupWork
from analyzer.analyses.evalb import BracketWork
from analyzer.analyses.score_work import ScoreCounts, ScoreWork
from analyzer.derivation.syntax import syntax_deriver
from analyzer.exceptions import InputError
from analyzer.metrics.constructions import Tally
from analyzer.pairing.inputs import open_blocks
from analyzer.pairing.sidecar import GroupedPairs
from analyzer.runtime.typed_json import describe, from_plain, to_plain
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.parameters import load_parameters

# Good trees, a failed parse, words that differ, and trees that are none.
GOLD = "(S (NP (PRP I)) (VP (VBP see)))\n" * 4 + "(S (NP (PRP I)\n"
PARSED = (
    "(S (PRP I) (VP (VBP see)))\n\n(S (PRP I) (VP (VBP go)))\n(S (PRP é) (\n"
    "(S (PRP I))\n"
)


def parts() -> list[tuple[Any, Any]]:
    """Every kind of part that can be kept, and its type."""
    deriver = syntax_deriver()
    bracket = BracketWork(deriver.tables, by_label=True, by_sentence=True)
    found = []
    for work, kind in (
        (ScoreWork(deriver, by_sentence=True), ScoreCounts),
        (ScoreWork(deriver), ScoreCounts),
        (bracket, BracketCounts),
        (convention_work(), ConventionCounts),
    ):
        (task,) = open_blocks(GOLD, PARSED).tasks
        found.append((kind, work(task)))  # type: ignore[operator]
    (task,) = open_blocks(GOLD, PARSED).tasks
    grouped = GroupedPairs(task, ["a", "b", "a", "b", "a"])
    return [*found, (dict[str, Tally], GroupWork(deriver)(grouped))]


@pytest.mark.parametrize("number", range(5))
def test_parts_survive_being_written_down(number: int) -> None:
    kind, part = parts()[number]
    text = json.dumps(to_plain(part))
    back = from_plain(kind, json.loads(text))
    assert type(back) is type(part)
    assert json.dumps(to_plain(back)) == text
    left_out = getattr(part, "left_out", None)
    if left_out is not None:
        assert [str(x.error) for x in back.left_out] == [str(x.error) for x in left_out]
        assert {type(x.error) for x in back.left_out} == {
            type(x.error) for x in left_out
        }
        assert len(left_out) == 4
    if isinstance(part, BracketCounts):
        assert back.roots == part.roots
        assert back.summary == part.summary
        assert all(map(np.array_equal, back.sentences, part.sentences))  # type: ignore


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (int, True),
        (int, "1"),
        (list[int], {"a": 1}),
        (tuple[int, int], [1]),
        (dict[str, int], {"a": 1.5}),
        (Tally, [1, 2, 3]),
        (InputError, ["SystemExit", "x", None, None]),
        (InputError, ["annotations", "x", None, None]),
    ],
)
def test_only_what_is_expected_comes_out(kind: Any, data: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        from_plain(kind, data)


def test_works_are_told_apart_by_every_setting() -> None:
    deriver = syntax_deriver()
    collins, new = load_parameters("collins"), load_parameters("new")
    merged = syntax_deriver(merge={"NP-pos": "NP-t"})
    works = [
        ScoreWork(deriver),
        ScoreWork(deriver, by_sentence=True),
        ScoreWork(merged),
        ScoreWork(syntax_deriver(parameters=new)),
        GroupWork(deriver),
        BracketWork(LabelTables(collins)),
        BracketWork(LabelTables(collins.with_deleted("X"))),
        BracketWork(LabelTables(collins), "zero"),
        BracketWork(LabelTables(collins), by_label=True),
        BracketWork(LabelTables(collins, compares_words=False)),
    ]
    told = [json.dumps(describe(work)) for work in works]
    assert len(set(told)) == len(works)
    assert told[0] == json.dumps(describe(ScoreWork(syntax_deriver())))
