"""The one join behind every score, beside an obvious twin."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.metrics.join import Join, match, packed
from tests.support.kernels import both_ways

# Few values, so that there are many equal keys; and some that fill 64 bits.
VALUES = st.integers(-1, 3) | st.sampled_from([2**31, 2**40, 2**62, -(2**40)])
ROWS = st.lists(st.tuples(VALUES, VALUES, VALUES), max_size=12)


def columns(rows: list[tuple[int, ...]], width: int = 3) -> list[np.ndarray]:
    return list(np.array(rows, np.int64).reshape(-1, width).T)


@given(ROWS, ROWS)
def test_as_many_matches_as_the_multisets_share(
    gold: list[tuple[int, ...]], parsed: list[tuple[int, ...]]
) -> None:
    found = match(columns(gold), columns(parsed))
    shared = Counter(gold) & Counter(parsed)
    assert (
        Counter(row for row, hit in zip(gold, found.gold, strict=True) if hit) == shared
    )
    assert (
        Counter(row for row, hit in zip(parsed, found.parsed, strict=True) if hit)
        == shared
    )


@pytest.mark.slow
@given(ROWS, ROWS)
def test_partners_are_equal_and_used_once(
    gold: list[tuple[int, ...]], parsed: list[tuple[int, ...]]
) -> None:
    found = match(columns(gold), columns(parsed))
    partners = [int(partner) for partner in found.partner]
    used = [partner for partner in partners if partner >= 0]
    assert len(set(used)) == len(used)
    assert [partner >= 0 for partner in partners] == found.gold.tolist()
    for row, partner in zip(gold, partners, strict=True):
        assert partner < 0 or parsed[partner] == row


@given(ROWS, ROWS)
def test_equal_keys_are_paired_in_order(
    gold: list[tuple[int, ...]], parsed: list[tuple[int, ...]]
) -> None:
    found = match(columns(gold), columns(parsed))
    for key in set(gold):
        of_key = [
            int(p) for row, p in zip(gold, found.partner, strict=True) if row == key
        ]
        paired = [partner for partner in of_key if partner >= 0]
        assert paired == sorted(paired)
        assert of_key == paired + [-1] * (len(of_key) - len(paired))


@pytest.mark.slow
@given(ROWS, ROWS, st.integers(1, 2))
def test_a_finer_join_is_the_plain_join_on_all_columns(
    gold: list[tuple[int, ...]], parsed: list[tuple[int, ...]], coarse: int
) -> None:
    left, right = columns(gold), columns(parsed)
    join = Join(left[:coarse], right[:coarse])
    for width in range(coarse, 4):
        finer = join.matches(left[coarse:width], right[coarse:width])
        plain = match(left[:width], right[:width])
        assert [c.tolist() for c in finer] == [c.tolist() for c in plain]


@given(ROWS, ROWS)
def test_partners_are_the_nth_of_each_key(
    gold: list[tuple[int, ...]], parsed: list[tuple[int, ...]]
) -> None:
    """The obvious twin: each gold row takes the first parsed row that is left."""
    left = {key: [i for i, row in enumerate(parsed) if row == key] for key in parsed}
    expected = [left[row].pop(0) if left.get(row) else -1 for row in gold]
    assert match(columns(gold), columns(parsed)).partner.tolist() == expected


@given(ROWS, ROWS)
def test_symmetric(gold: list[tuple[int, ...]], parsed: list[tuple[int, ...]]) -> None:
    there = match(columns(gold), columns(parsed))
    back = match(columns(parsed), columns(gold))
    assert there.gold.tolist() == back.parsed.tolist()
    assert there.parsed.tolist() == back.gold.tolist()


@given(ROWS, ROWS, st.randoms(use_true_random=False))
def test_order_does_not_matter(
    gold: list[tuple[int, ...]], parsed: list[tuple[int, ...]], random: object
) -> None:
    before = match(columns(gold), columns(parsed)).gold.sum()
    shuffled = list(parsed)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert match(columns(gold), columns(shuffled)).gold.sum() == before


def test_keys_that_outgrow_64_bits() -> None:
    """Six columns of 31 bits each: equal only if all of them are."""
    rows = np.array([[2**31 - 1] * 6, [0] * 6, [2**31 - 1] * 5 + [0]], np.int64)
    other = np.array([[2**31 - 1] * 5 + [0], [0] * 5 + [1], [0] * 6], np.int64)
    found = match(list(rows.T), list(other.T))
    assert found.partner.tolist() == [-1, 2, 0]


def test_null_equals_only_itself() -> None:
    found = match([np.array([-1, 0, -1])], [np.array([0, -1, 1])])
    assert found.partner.tolist() == [1, 0, -1]


@pytest.mark.parametrize(("gold", "parsed"), [([], []), ([1, 2], []), ([], [1, 2])])
def test_empty_sides(gold: list[int], parsed: list[int]) -> None:
    found = match([np.array(gold, np.int64)], [np.array(parsed, np.int64)])
    assert found.gold.tolist() == [False] * len(gold)
    assert found.parsed.tolist() == [False] * len(parsed)
    assert found.partner.tolist() == [-1] * len(gold)


def test_narrow_columns_do_not_overflow() -> None:
    """Columns come in 32 bits; their key must not."""
    gold = [np.array([2**31 - 1, -1], np.int32)] * 2
    parsed = [np.array([-1, 2**31 - 1], np.int32)] * 2
    assert match(gold, parsed).partner.tolist() == [1, 0]


@given(ROWS, ROWS)
def test_packed_keys_are_equal_exactly_when_rows_are(
    gold: list[tuple[int, ...]], parsed: list[tuple[int, ...]]
) -> None:
    left, right = packed(columns(gold), columns(parsed))
    keys = [*left.tolist(), *right.tolist()]
    rows = [*gold, *parsed]
    assert len(set(zip(rows, keys, strict=True))) == len(set(rows)) == len(set(keys))


def test_of_many_equal_rows_the_nth_goes_with_the_nth() -> None:
    gold, parsed = [1] * 30 + [2] * 20 + [3], [2, 1] * 25 + [4]
    free = {row: [at for at, one in enumerate(parsed) if one == row] for row in (1, 2)}
    expected = [(free.get(row) or [-1]).pop(0) for row in gold]
    sides = [np.array(gold)], [np.array(parsed)]
    for found in both_ways(lambda: match(*sides).partner.tolist()):
        assert found == expected
