"""Metrics for a training loop: the numbers of one call on all pairs."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import (
    BracketMetric,
    ConstructionMetric,
    LeftOutWarning,
    PairingError,
    SettingsError,
    TreeSyntaxError,
    evalb,
    read_trees,
    score,
)
from tests.support.data_paths import EXAMPLES
from tests.support.examples import some

GOLD = (EXAMPLES / "web.gold.mrg").read_text("utf-8").splitlines()
PARSED = (EXAMPLES / "web.greedy.mrg").read_text("utf-8").splitlines()


@cache
def nltk_trees() -> list[Any]:
    nltk = pytest.importorskip("nltk")
    return [nltk.Tree.fromstring(line) for line in GOLD]


BANK = read_trees(str(EXAMPLES / "web.gold.mrg"))
WAYS: list[Callable[[int, int], Any]] = [
    lambda start, end: GOLD[start:end],
    lambda start, end: iter(GOLD[start:end]),
    lambda start, end: nltk_trees()[start:end],
    lambda start, end: BANK[start:end],
    lambda start, end: [BANK[i] for i in range(start, end)],
]
METRICS = [
    pytest.param(ConstructionMetric, score, id="constructions"),
    pytest.param(BracketMetric, evalb, id="brackets"),
]
both = pytest.mark.parametrize(("metric", "at_once"), METRICS)


def numbers(result: Any) -> Any:
    rows = getattr(result, "sentence_rows", None)
    kept = result.sentences_frame().to_numpy().tolist() if rows is None else rows
    ledger = result.ledger
    items = [(x.sentence, x.reason, x.fate) for x in ledger.items]
    counts = ledger.gold, ledger.parsed, ledger.scored, ledger.lost_brackets
    return result.rows, result.total, kept, items, counts, str(result.signature)


@pytest.mark.slow
@both
@settings(max_examples=some(20))
@given(
    cuts=st.lists(st.integers(1, len(GOLD) - 1), max_size=5, unique=True),
    ways=st.lists(st.sampled_from(WAYS), min_size=6, max_size=6),
    merged_at=st.integers(0, 6),
)
def test_batches_of_any_kind_add_up(
    metric: Any, at_once: Any, cuts: list[int], ways: list[Any], merged_at: int
) -> None:
    first, second = metric(by_sentence=True), metric(by_sentence=True)
    bounds = [0, *sorted(cuts), len(GOLD)]
    parts = zip(bounds[:-1], bounds[1:], ways, strict=False)
    for number, (start, end, way) in enumerate(parts):
        chosen = first if number < merged_at else second
        chosen.update(way(start, end), PARSED[start:end])
    first.merge(second)
    expected = at_once(GOLD, PARSED, by_sentence=True)
    if at_once is evalb:
        expected = evalb(GOLD, PARSED, by_sentence=True, max_error=10**6)
    assert numbers(first.compute())[:5] == numbers(expected)[:5]


@both
def test_many_pairs_are_scored_as_they_come(metric: Any, at_once: Any) -> None:
    made = metric()
    for _ in range(60):  # more than wait for being scored together
        made.update(GOLD, PARSED)
    assert len(made._waiting) < 60
    assert made.compute().total == at_once(GOLD * 60, PARSED * 60).total


@both
def test_one_pair_nothing_and_reset(metric: Any, at_once: Any) -> None:
    made = metric()
    assert made.compute().ledger.gold == 0
    made.update(GOLD[0], PARSED[0])
    made.update([], [])
    assert repr(made) == f"<{metric.__name__}: 1 pairs>"
    before = made.compute()
    assert before.total == at_once(GOLD[0], PARSED[0]).total
    made.update(nltk_trees()[1], PARSED[1])
    assert made.compute().total == at_once(GOLD[:2], PARSED[:2]).total
    assert before.total == at_once(GOLD[0], PARSED[0]).total  # a result stays as it is
    made.reset()
    assert made.compute().total == metric().compute().total


@both
def test_a_metric_travels(metric: Any, at_once: Any) -> None:
    made = metric()
    made.update(GOLD, PARSED)
    for one in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert one.compute() == made.compute()


@both
def test_what_is_left_out_is_told_with_its_number(metric: Any, at_once: Any) -> None:
    made = metric()
    made.update(GOLD[:3], [PARSED[0], None, "(S (NP"])
    with pytest.warns(LeftOutWarning, match="scored 1 of 3 sentences; 2 left out"):
        made.compute()
    made.update(GOLD[3:6], [PARSED[3], "", PARSED[5]])
    made.update(GOLD[6:9], PARSED[6:8])  # one more in gold
    made.update(GOLD[9:11], [PARSED[9], ""])
    with pytest.warns(LeftOutWarning, match="1 only in gold"):
        found = made.compute()
    assert [x.sentence for x in found.ledger.items] == [2, 3, 5, 0, 11]
    assert "<strings>:3:4: sentence 3" in str(found.left_out[1].error)
    assert found.ledger.surplus == (1, 0)
    other = metric(max_left_out=10)
    other.update(GOLD[:2], [PARSED[0], None])
    with pytest.raises(PairingError, match="more than 10 % of gold were left out"):
        other.compute()


@both
def test_options_reach_the_scores(metric: Any, at_once: Any) -> None:
    fenced = f"```\n{GOLD[1]})\n```"
    made = metric(mend=True, on_mismatch="zero", params="spmrl")
    made.update(GOLD[:3], [GOLD[0], fenced, None])
    found = made.compute()
    assert (found.ledger.scored, found.faithfulness.total.mended) == (3, 1)
    assert [row.sentence for row in found.faithfulness.rows] == [2, 3]
    assert "spmrl" in str(found.signature)
    with pytest.raises(SettingsError, match="different settings"):
        made.merge(metric())
    strict = metric(strict=True)
    strict.update(GOLD[0], "(S (NP")
    with pytest.raises(TreeSyntaxError):
        strict.compute()


def test_what_is_no_tree_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "gold.mrg"
    file.write_text(GOLD[0])
    made = ConstructionMetric()
    with pytest.raises(SettingsError, match="is a file; a metric takes trees"):
        made.update(str(file), GOLD[0])
    with pytest.raises(SettingsError, match="cannot take trees from PosixPath"):
        made.update(file, GOLD[0])  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="cannot take trees from int"):
        made.update(GOLD[0], 3)  # type: ignore[arg-type]


UNTAGGED = "(S (NP the cat) (VP sat))"
TAGGED = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))"


@both
def test_a_grammar_and_the_tags_of_gold(metric: Any, at_once: Any) -> None:
    """As in one call; also beside trees that were read."""
    options = {"grammar": "untagged", "tags": "gold"}
    counted = metric(**options)
    counted.update(read_trees(TAGGED), UNTAGGED)
    counted.update(read_trees(TAGGED), read_trees(TAGGED))
    counted.update([TAGGED], [UNTAGGED])
    expected = at_once(read_trees(TAGGED), UNTAGGED, **options)
    assert counted.compute().ledger.scored == 3
    assert counted.compute().ledger.tags == expected.ledger.tags == "gold"
    by_words = metric(tags="gold")  # the dialect is recognised
    by_words.update([TAGGED] * 3, [UNTAGGED] * 3)
    assert by_words.compute().ledger.scored == 3


def test_brackets_without_labels() -> None:
    for options in ({"unlabelled": True}, {"induction": True}):
        metric = BracketMetric(**options)  # type: ignore[arg-type]
        metric.update(TAGGED, TAGGED.replace("NP", "QP"))
        metric.update(TAGGED, TAGGED)
        expected = evalb(
            [TAGGED] * 2,
            [TAGGED.replace("NP", "QP"), TAGGED],
            **options,  # type: ignore[arg-type]
        )
        assert metric.compute().summary == expected.summary
        assert metric.compute().signature == expected.signature


@pytest.mark.parametrize(
    "option",
    [
        {"pair": "text"},
        {"field": "response"},
        {"gold_field": "gold"},
        {"encoding": "latin-1"},
        {"binarize": "left"},
    ],
)
def test_options_about_files_are_refused_by_name(option: dict[str, Any]) -> None:
    with pytest.raises(
        SettingsError, match=f"{next(iter(option))} is not for a metric"
    ):
        ConstructionMetric(**option)
    ConstructionMetric(pair="order")  # which is how pairs come


@both
def test_metrics_that_read_otherwise_are_not_merged(metric: Any, at_once: Any) -> None:
    with pytest.raises(SettingsError, match="mend:yes"):
        metric(mend=True).merge(metric())
