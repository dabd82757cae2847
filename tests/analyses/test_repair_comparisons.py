"""Types of error of parsers and of data sets side by side."""

from __future__ import annotations

import json

import numpy as np
import pytest

from analyzer import SettingsError, compare_repairs, repairs, repairs_by_domain
from reports.tables.repairs import repair_system_table
from tests.support.command import spinal
from tests.support.data_paths import NEWS_PAIR, ROOT, WEB_GREEDY, WEB_PAIR

GOLD, CHART = WEB_PAIR


def test_differences_are_those_of_the_counts() -> None:
    found = compare_repairs(GOLD, {"a": CHART, "b": WEB_GREEDY}, resamples=50)
    back = compare_repairs(GOLD, {"b": WEB_GREEDY, "a": CHART}, resamples=50)
    reverse = {row.error_type: row for row in back.differences("a")}
    common = found.ledger.scored
    for row in found.differences("b"):
        assert row.difference == pytest.approx(
            100 * (row.errors_b - row.errors_a) / common
        )
        assert row.difference == pytest.approx(-reverse[row.error_type].difference)
        assert row.low <= row.difference <= row.high
        assert 0 < row.p_value <= row.p_corrected <= 1
    assert found.frame().shape[0] == len(found.differences("b"))


def test_bracket_errors_of_systems_as_the_paper_has_them() -> None:
    found = compare_repairs(GOLD, {"a": CHART, "b": WEB_GREEDY}, resamples=2)
    table = repair_system_table(found)
    common = set(np.flatnonzero(found.is_common).tolist())
    for row, one in zip(table.records(), found.systems.values(), strict=True):
        nodes = [
            error.edit.nodes
            for place, sentence in enumerate(one.sentences)
            for error in sentence.repairs
            if place in common
        ]
        assert row["total"] == pytest.approx(sum(nodes) / len(common))
        parts = [
            value for name, value in row.items() if name not in ("system", "total")
        ]
        assert sum(parts) == pytest.approx(row["total"])
    names = [column.name for column in table.columns]
    assert names[1:3] == ["PP Attachment", "Clause Attachment"]
    assert names[-2:] == ["Other", "total"]


def test_a_parser_does_not_differ_from_itself() -> None:
    found = compare_repairs(GOLD, {"a": CHART, "b": CHART}, resamples=20)
    assert {(row.difference, row.p_value) for row in found.differences("b")} == {(0, 1)}


def test_groups_add_up_to_the_whole() -> None:
    whole = repairs(GOLD, CHART, classifier="spinal", by_sentence=True)
    names = ["odd" if one.sentence % 2 else "even" for one in whole.sentences]
    parts = repairs_by_domain([("web", GOLD, CHART)], group_by=names)
    assert sum(one.total.errors for one in parts.values()) == whole.total.errors
    assert sum(one.ledger.scored for one in parts.values()) == whole.ledger.scored
    with pytest.raises(SettingsError, match="the groups name 2 sentences"):
        repairs_by_domain([("web", GOLD, CHART)], group_by=["a", "b"])


def test_of_large_data_every_so_many_sentences_are_searched() -> None:
    whole = repairs(GOLD, CHART, classifier="spinal", by_sentence=True)
    some = [one for one in whole.sentences if one.sentence % 3 == 1]
    names = ["odd" if one.sentence % 2 else "even" for one in whole.sentences]
    parts = repairs_by_domain([("web", GOLD, CHART)], group_by=names, every=3)
    found = sorted(one for part in parts.values() for one in part.sentences)
    assert found == some
    errors = sum(len(one.repairs) for one in some)
    assert 0 < sum(one.total.errors for one in parts.values()) == errors


def test_rates_and_reasons_are_those_of_the_sentences_searched() -> None:
    good, bad = "(S (NP (PRP we)) (VP (VBP go)))", "(S (PRP we) (VP (VBP go)))"
    gold = f"{good}\n" * 7
    parsed = "\n".join((bad, good, good, bad.replace("go", "do"), good, good, bad))
    found = repairs_by_domain([("all", gold, parsed)], every=3)["all"]
    assert [item.sentence for item in found.left_out] == [4]
    assert (found.read, found.ledger.gold, found.ledger.scored) == (7, 3, 2)
    assert found.total.per_sentence == 1.0


@pytest.mark.slow
def test_commands_have_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    options = ("--repairs", "--format", "json", "-q")
    ran = spinal("compare", GOLD, f"a={CHART}", f"b={WEB_GREEDY}", *options)
    rows = json.loads(ran.out)["repairs"][0]["differences"]
    assert rows[-1]["error_type"] == "total"
    pairs = [f"{name}={':'.join(pair)}" for name, pair in _pairs().items()]
    ran = spinal("domains", *pairs, "--repairs", "kummerfeld", *options[1:])
    total = json.loads(ran.out)["repairs"][-1]
    found = repairs(*NEWS_PAIR)
    assert total["news"] == pytest.approx(
        100 * found.total.errors / found.ledger.scored
    )


def _pairs() -> dict[str, tuple[str, str]]:
    return {"news": NEWS_PAIR, "web": WEB_PAIR}
