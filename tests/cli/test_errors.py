"""`spinal errors`: kinds, limits, confusions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer import load_inventory, score
from tests.support.command import spinal
from tests.support.golden import FROZEN, PATTERNS, WEB


def errors_json(*arguments: str) -> dict[str, Any]:
    ran = spinal("errors", *WEB, *arguments, "--limit", "0", "--format", "json")
    assert ran.code == 0
    return json.loads(ran.out)


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("head-missed", lambda row: row.gold - row.matched_h),
        ("head-spurious", lambda row: row.parsed - row.matched_h),
        ("span", lambda row: row.matched_h - row.matched_s),
        ("span-right", lambda row: row.matched_h - row.matched_span_right),
        ("attachment", lambda row: row.matched_h - row.matched_att),
        ("att", lambda row: row.matched_h - row.matched_att),
    ],
)
def test_kinds_of_errors(kind: str, count: Any) -> None:
    row = score(*WEB, patterns=load_inventory(FROZEN)).frame().loc["S-vp"]
    data = errors_json(*PATTERNS, "--construction", "S-vp", "--kind", kind)
    assert data["total"] == len(data["errors"]) == count(row) > 0
    for one in data["errors"]:
        assert one["construction"] == "S-vp"
        assert one["kind"] == ("attachment" if kind == "att" else kind)
        assert one["words"][one["position"]] == one["word"]


def test_all_kinds_at_once_and_the_limit() -> None:
    data = errors_json()
    numbers = [one["sentence"] for one in data["errors"]]
    assert numbers == sorted(numbers)
    ran = spinal("errors", *WEB, "--limit", "2")
    sample = f"a sample: 2 of {data['total']} errors, from all over the input"
    assert f"{sample}; --limit 0 shows all" in ran.out


def test_unknown_constructions_are_refused() -> None:
    ran = spinal("errors", *WEB, "--construction", "PP-x", "-q")
    assert (ran.code, ran.out) == (2, "")
    assert "no construction 'PP-x'; in this data there are ADJP-" in ran.err
    assert spinal("errors", *WEB, "--kind", "odd").code == 2


def test_a_construction_without_errors_is_no_mistake() -> None:
    """What the inventory has and the data has not: no errors, but no typo either."""
    data = errors_json(*PATTERNS, "--construction", "EMBED-t")
    assert (data["total"], data["errors"]) == (0, [])


def test_confusions_of_one_construction() -> None:
    ran = spinal(
        *("errors", *WEB, "--confusions", "--construction", "NP-modr"),
        *("--limit", "0", "--format", "json"),
    )
    rows = json.loads(ran.out)["confusions"]
    assert all("NP-modr" in (row["gold"], row["parsed"]) for row in rows)
    row = score(*WEB).frame().loc["NP-modr"]
    missed = sum(one["count"] for one in rows if one["gold"] == "NP-modr")
    assert missed == row["gold"] - row["matched_h"]


def test_rows_of_a_construction_that_there_is_not() -> None:
    """An unknown name is no empty table, in `instances` as in `errors`."""
    for command in ("errors", "instances"):
        ran = spinal(command, *WEB, "--construction", "PPt", "-q")
        assert ran.code == 2
        assert "no construction 'PPt'" in ran.err
        assert "did you mean 'PP-t'?" in ran.err
