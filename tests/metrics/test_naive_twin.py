"""The fast scores equal those of the naive twin: on random trees and on real ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings

from analyzer import (
    ConstructionScores,
    Treebank,
    load_inventory,
    read_trees,
    score,
)
from tests.support.data_paths import EXAMPLES, SYNTAX, needs_shared_data
from tests.support.edited_trees import SMALL, tree_pairs
from tests.support.examples import some
from tests.support.naive_derivations import (
    Row,
    Scores,
    Side,
    compare,
    derive_all,
    naive_score,
)
from tests.support.strategies import Plain, one_line

ENGLISH = load_inventory("english")
INVENTORIES = {"small": SMALL, "english": ENGLISH}


def banks(pairs: list[tuple[list[Plain], list[Plain]]]) -> tuple[Treebank, Treebank]:
    def text(side: int) -> str:
        lines = [" ".join(one_line(root) for root in pair[side]) for pair in pairs]
        return "".join(line + "\n" for line in lines)

    return (
        read_trees(text(0), keep_blank_lines=True),
        read_trees(text(1), keep_blank_lines=True),
    )


def assert_equal(ours: ConstructionScores, naive: Scores) -> None:
    """Every count of every construction, and all totals."""
    rows = {row.construction: Row(*row[2:9]) for row in ours.rows}
    assert rows == naive.rows
    total = ours.total
    assert Row(*total[2:9]) == naive.total
    counts = ours.tally
    assert (counts.evalb.gold, counts.evalb.parsed, counts.evalb.matched) == naive.evalb
    assert tuple(ours.reconciliation) == naive.reconciliation
    assert tuple(counts.gold_coverage) == naive.coverage["gold"]
    assert tuple(counts.parsed_coverage) == naive.coverage["parsed"]
    assert ours.ledger.scored == naive.sentences


@pytest.mark.slow
@pytest.mark.parametrize("name", INVENTORIES)
def test_equal_on_random_pairs(name: str) -> None:
    inventory = INVENTORIES[name]

    @settings(deadline=None, max_examples=some(60))
    @given(tree_pairs())
    def check(pairs: list[tuple[list[Plain], list[Plain]]]) -> None:
        gold, parsed = banks(pairs)
        assert_equal(
            score(gold, parsed, patterns=inventory),
            naive_score(gold, parsed, inventory),
        )

    check()


# What is folded: within a nonterminal, as the paper does, but also a recursive
# construction with one that is not, and over nonterminals.
MERGES = [
    {"NP-nml": "NP-t"},
    {"VP-aux": "VP-t", "NP-crd": "NP-modr"},
    {"NP-t": "NP-modr"},
    {"VP-t": "NP-t", "S-vp": "NP-t", "PP-t": "NP-t", "PRT-t": "ADVP-t"},
]


@pytest.mark.slow
@pytest.mark.parametrize("merge", MERGES, ids=str)
def test_equal_on_random_pairs_when_rows_are_folded(merge: dict[str, str]) -> None:
    @settings(deadline=None, max_examples=some(25))
    @given(tree_pairs())
    def check(pairs: list[tuple[list[Plain], list[Plain]]]) -> None:
        gold, parsed = banks(pairs)
        ours = score(gold, parsed, patterns=SMALL, merge=merge)
        assert_equal(ours, naive_score(gold, parsed, SMALL, merge))
        assert min(ours.reconciliation) >= 0

    check()


# -- by example ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("gold", "parsed"),
    [
        pytest.param("(NN a)", "(NN a)", id="no phrase at all"),
        pytest.param("(TOP (NN a) (S (VP (VB b))))", "(VP (VB b))", id="words differ"),
        pytest.param("(S (VP (VB b)))", "(())", id="failed parse"),
        pytest.param("(())", "(())", id="both failed"),
        pytest.param(
            "(NP (NN a)) (VP (VB b))", "(S (NP (NN a)) (VP (VB b)))", id="roots"
        ),
        pytest.param("(S (NP (, ,)) (VP (VB a)))", "(S (VP (VB a)))", id="empty NP"),
        pytest.param(
            "(NP (TOP (NP (NN a))) (NN b))", "(NP (NN a) (NN b))", id="inner TOP"
        ),
        pytest.param("(NP (NP (NP (NN a))))", "(NP (NP (NN a)))", id="unary chain"),
        pytest.param("(VP (PRT (RP up)))", "(VP (ADVP (RB up)))", id="equated"),
        pytest.param(
            "(NP (NP a) (CC or) (NN b))",
            "(NP (NP a) (CC or) (X (NN b)))",
            id="a tag with the parent's label",
        ),
        pytest.param("(NP (CC and))", "(NP (CC and))", id="only a conjunction"),
        pytest.param("(XYZ (NN a) (ABC (NN b)))", "(XYZ (NN a) (NN b))", id="unknown"),
        pytest.param(
            "(NP (VP a) (VP (VB b)))", "(NP (VP a) (VB b))", id="tag named VP"
        ),
    ],
)
@pytest.mark.parametrize("name", INVENTORIES)
def test_equal_by_example(gold: str, parsed: str, name: str) -> None:
    sides = read_trees(gold), read_trees(parsed)
    inventory = INVENTORIES[name]
    assert_equal(score(*sides, patterns=inventory), naive_score(*sides, inventory))


def test_what_is_folded_over_labels_matches_here_but_not_in_evalb() -> None:
    gold, parsed = "(S (NP (NN a)) (VP (VB b)))", "(S (VP (NN a)) (VP (VB b)))"
    ours = score(gold, parsed, patterns=SMALL, merge={"VP-t": "NP-t"})
    assert ours.total.matched_s == 3
    assert ours.tally.evalb.matched == 2
    assert tuple(ours.reconciliation) == (2, 0, 0, 0)


def test_a_deep_tree_and_a_wide_one() -> None:
    deep = "(NP " * 200 + "(NN a)" + ")" * 200
    wide = "(S " + "(NP (NN a)) " * 200 + "(VP (VB b)))"
    text = f"{deep}\n{wide}\n"
    assert_equal(
        score(text, text, patterns=SMALL),
        naive_score(read_trees(text), read_trees(text), SMALL),
    )


# -- real treebanks ------------------------------------------------------------

_remembered = {
    name: cache(inventory.matches) for name, inventory in INVENTORIES.items()
}


@cache
def derived(path: Path, name: str) -> Side:
    bank = read_trees(str(path), keep_blank_lines=True)
    return derive_all(bank, INVENTORIES[name], matches=_remembered[name])


def assert_equal_on_files(gold: Path, parsed: Path, name: str) -> None:
    ours = score(str(gold), str(parsed), patterns=INVENTORIES[name])
    assert_equal(ours, compare(derived(gold, name), derived(parsed, name)))


WSJ = SYNTAX / "wsj_sample"
SHARED_PAIRS = [
    *(
        (
            SYNTAX / "gold" / f"{part}.gold.mrg",
            SYNTAX / "parsed" / f"{part}.{parser}.mrg",
        )
        for part in ("dev", "train_sample")
        for parser in ("berkeley-sm4",)
    ),
    *(
        (WSJ / "wsj01.mrg", path)
        for path in sorted(WSJ.glob("*.mrg"))
        if path.stem != "wsj01"
    ),
    (SYNTAX / "tricky" / "tricky.gld", SYNTAX / "tricky" / "tricky.tst"),
    *(
        (folder / f"{folder.name}.gld", folder / f"{folder.name}.tst")
        for folder in sorted((SYNTAX / "evalb_samples").glob("*"))
    ),
]


@pytest.mark.slow
@needs_shared_data
@pytest.mark.parametrize(
    ("gold", "parsed"), SHARED_PAIRS, ids=[parsed.stem for _, parsed in SHARED_PAIRS]
)
def test_equal_on_shared_data(gold: Path, parsed: Path) -> None:
    assert_equal_on_files(gold, parsed, "english")


@pytest.mark.slow
@needs_shared_data
def test_equal_on_shared_data_with_many_gaps() -> None:
    gold, parsed = SYNTAX / "gold/dev.gold.mrg", SYNTAX / "parsed/dev.berkeley-sm1.mrg"
    assert_equal_on_files(gold, parsed, "small")


@pytest.mark.parametrize("name", INVENTORIES)
@pytest.mark.parametrize("parser", ["chart", "greedy"])
@pytest.mark.parametrize("genre", ["news", "web"])
def test_equal_on_the_examples(genre: str, parser: str, name: str) -> None:
    gold, parsed = EXAMPLES / f"{genre}.gold.mrg", EXAMPLES / f"{genre}.{parser}.mrg"
    assert_equal_on_files(gold, parsed, name)
