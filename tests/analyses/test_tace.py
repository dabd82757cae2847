"""RST-Tace's own tables, pair by pair; its ratios and kappas."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.analyses.agreement import agree
from analyzer.analyses.tace import (
    ATTACHMENT,
    CONSTITUENT,
    FACTORS,
    NUCLEARITY,
    RELATION,
    Matching,
    TacePair,
    TaceRelation,
    cheapest_pairs,
    matching_of,
    tace_agreement,
    tace_document,
    tace_pairs,
    tace_relations,
)
from analyzer.formats.documents import read_rst
from analyzer.formats.registry import read_document
from tests.support.data_paths import RST_CORPORA, needs_rst_corpora
from tests.support.examples import some

DOUBLE = RST_CORPORA / "double"
MATCHINGS = {
    "Completely identical CS": Matching.SAME_CENTRE,
    "C1=C2 and A1=A2": Matching.SAME_ENDS,
    "C1=A2 and A1=C2": Matching.EXCHANGED_ENDS,
    "Partially identical CS": Matching.SOME_CENTRE,
    "No matching": Matching.NONE,
}
COLUMNS = {NUCLEARITY: "N", RELATION: "R", CONSTITUENT: "C", ATTACHMENT: "A"}


def relation_of(row: dict[str, str], side: str) -> TaceRelation:
    centre = []
    for part in row[f"CS-{side}"].split("|"):
        first, _, last = part.partition("-")
        centre.append((int(first), int(last or first)))
    ends = [int(row[f"{name}-{side}"]) for name in ("C1", "C2", "A1", "A2")]
    is_multinuclear = row[f"CN-{side}"] == "N"
    return TaceRelation(
        row[f"Relation-{side}"],
        is_multinuclear,
        (ends[0], ends[1]),
        (ends[2], ends[3]),
        tuple(centre),
    )


def table(path: Path) -> tuple[list[TacePair], list[dict[str, str]]]:
    """The pairs of a published table; those without matching take two lines."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    pairs = []
    lines = iter(rows)
    for row in lines:
        other = row if row["CS-B"] else next(lines)
        matching = MATCHINGS[row["Matching"]]
        pair = TacePair(relation_of(row, "A"), relation_of(other, "B"), matching)
        pairs.append(pair)
    return pairs, rows


@needs_rst_corpora
def test_published_tables_row_by_row() -> None:
    """Those of the documents whose two annotations are both in the data."""
    sides = [read_rst(DOUBLE / side) for side in "AB"]
    compared = 0
    for path in sorted((DOUBLE / "tace").glob("*.csv")):
        if all(path.stem in side.names for side in sides):
            a, b = (side[path.stem] for side in sides)
            assert tace_pairs(a, b) == table(path)[0], path.stem
            compared += 1
    assert compared == 43


@needs_rst_corpora
def test_ratios_and_kappas_of_all_published_tables() -> None:
    """Ratios are ticks of all lines; kappas by their definition, label by label."""
    paths = sorted((DOUBLE / "tace").glob("*.csv"))
    for path in paths:
        pairs, rows = table(path)
        found = tace_document(path.stem, pairs)
        for factor in FACTORS:
            ticks = sum(row[COLUMNS[factor]] == "✓" for row in rows)
            assert found.ratios[factor] == pytest.approx(ticks / len(rows)), path.stem
        labels = [(row["Relation-A"] or "-", row["Relation-B"] or "-") for row in rows]
        assert found.kappas[RELATION] == pytest.approx(kappa(labels)), path.stem
        spans = [
            tuple(f"{row[f'C1-{side}']}-{row[f'C2-{side}']}" for side in "AB")
            for row in rows
        ]
        assert found.kappas[CONSTITUENT] == pytest.approx(kappa(spans)), path.stem
    assert len(paths) == 65


def kappa(pairs: list[tuple[str, ...]]) -> float:
    observed = sum(one == other for one, other in pairs) / len(pairs)
    left, right = Counter(one for one, _ in pairs), Counter(two for _, two in pairs)
    expected = sum(left[label] * right[label] for label in left) / len(pairs) ** 2
    return (observed - expected) / (1 - expected)


def test_a_document_by_hand() -> None:
    """A: 2 causes 1, and 3 is listed. B: 3 causes (1, 2), which are a list.

    Centres of A: the cause's 2, the list's (1, 3). Of B: the cause's 3, the list's
    (1, 2). The lists share 1, and the causes share nothing: 3 + 4. A's cause has 2 and
    1 where B's list has 1 and 2, and so have the others: 2 + 2, which is less.
    """
    a = read_document("(NN-list (NS-cause (1) (2)) (3))")
    b = read_document("(NS-cause (NN-list (1) (2)) (3))")
    assert [one.centre for one in tace_relations(a)] == [((2, 2),), ((1, 1), (3, 3))]
    assert [one.centre for one in tace_relations(b)] == [((3, 3),), ((1, 1), (2, 2))]
    pairs = tace_pairs(a, b)
    assert [(p.a.name, p.b.name, p.matching) for p in pairs] == [
        ("cause", "list", Matching.EXCHANGED_ENDS),
        ("list", "cause", Matching.EXCHANGED_ENDS),
    ]
    found = tace_document("d", pairs)
    assert set(found.ratios.values()) == {0.0}
    # The same document twice agrees in all, and kappa of each factor is 1.
    same = tace_agreement([("d", a, a)])
    assert [row.ratio for row in same.rows] == [1.0] * 5
    assert [row.kappa for row in same.rows] == [1.0] * 5


def test_what_has_nothing_in_common_counts_twice() -> None:
    one = TaceRelation("cause", False, (2, 2), (1, 1), ((2, 2),))
    other = TaceRelation("result", False, (4, 4), (3, 3), ((4, 4),))
    assert matching_of(one, other) is Matching.NONE
    pairs = [
        TacePair(one, one, Matching.SAME_CENTRE),
        TacePair(one, other, Matching(4)),
    ]
    found = tace_document("d", pairs)
    assert found.ratios[RELATION] == 1 / 3
    # Labels: cause-cause, cause-none, none-result.
    labels = [("cause", "cause"), ("cause", "-"), ("-", "result")]
    assert found.kappas[RELATION] == pytest.approx(kappa(labels))


def test_matchings() -> None:
    base = TaceRelation("list", True, (1, 1), (2, 3), ((1, 1), (2, 3)))
    assert matching_of(base, base._replace(name="cause")) is Matching.SAME_CENTRE
    ends = base._replace(centre=((9, 9),))
    assert matching_of(base, ends) is Matching.SAME_ENDS
    exchanged = ends._replace(constituent=(2, 3), attachment=(1, 1))
    assert matching_of(base, exchanged) is Matching.EXCHANGED_ENDS
    some_centre = base._replace(constituent=(5, 5), centre=((1, 1), (9, 9)))
    assert matching_of(base, some_centre) is Matching.SOME_CENTRE
    mono = [one._replace(is_multinuclear=False) for one in (base, some_centre)]
    assert matching_of(mono[0], mono[1]) is Matching.NONE


@settings(max_examples=some(60), deadline=None)
@given(
    st.integers(0, 5).flatmap(
        lambda columns: st.lists(
            st.lists(st.integers(0, 4), min_size=columns, max_size=columns), max_size=5
        )
    )
)
def test_pairs_are_the_cheapest(costs: list[list[int]]) -> None:
    """As cheap as the best of all ways to pair; each row and column once."""
    columns = len(costs[0]) if costs else 0
    array = np.array(costs, np.int64).reshape(len(costs), columns)
    found = cheapest_pairs(array)
    assert len(found) == min(array.shape)
    assert len({row for row, _ in found}) == len({at for _, at in found}) == len(found)
    assert sum(costs[row][at] for row, at in found) == least(costs, frozenset())


def least(costs: list[list[int]], taken: frozenset[int]) -> int:
    """The least sum by trying all."""
    if not costs or not costs[0]:
        return 0
    free = [at for at in range(len(costs[0])) if at not in taken]
    ways = [costs[0][at] + least(costs[1:], taken | {at}) for at in free]
    if len(costs) > len(free):  # not all rows have a partner
        ways.append(least(costs[1:], taken))
    return min(ways)


def test_ties_are_broken_as_scipy_does() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    random = np.random.default_rng(7)
    for _ in range(300):
        rows, columns = random.integers(0, 9, 2)
        costs = random.integers(0, 5, (rows, columns))
        theirs = [one.tolist() for one in optimize.linear_sum_assignment(costs)]
        assert cheapest_pairs(costs) == list(zip(*theirs, strict=True))


@needs_rst_corpora
def test_agree_has_both_tables() -> None:
    documents = agree(DOUBLE / "A", DOUBLE / "B").documents
    assert documents is not None
    assert len(documents.tace.documents) == 43
    assert sum(not one.has_same_edus for one in documents.tace.documents) == 3
    assert len(documents.names) == 40
    rows = {row.factor: row for row in documents.tace.rows}
    assert rows[RELATION].ratio == pytest.approx(0.354, abs=5e-4)
    assert rows[RELATION].kappa == pytest.approx(0.274, abs=5e-4)
