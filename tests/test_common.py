"""What every score obeys, whatever is scored; the scorers are in `support/scorers`."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from analyzer import TreeKernel, read_trees
from analyzer.kernels.tree_kernel import KERNELS
from tests.support.data_paths import RST, WEB_PAIR, needs_rst_data
from tests.support.examples import some
from tests.support.scorers import (
    DISCOURSE_SCORERS,
    SYNTAX_SCORERS,
    Measure,
    Pairs,
    Scored,
    Scorer,
)
from tests.support.strategies import Plain, pair_lists, pair_texts

SCORERS = (*SYNTAX_SCORERS, *DISCOURSE_SCORERS)
every_scorer = pytest.mark.parametrize("scorer", SCORERS, ids=lambda one: one.name)
a_few = settings(deadline=None, max_examples=some(10))


def check(scorer: Scorer, law: Callable[[Pairs], None]) -> None:
    """Try a law on random pairs."""
    a_few(given(scorer.pairs)(law))()


def equal(one: Scored, other: Scored) -> bool:
    return one.scored == other.scored and {**one.measures} == {
        name: pytest.approx(measure) for name, measure in other.measures.items()
    }


@every_scorer
def test_gold_against_itself_is_1(scorer: Scorer) -> None:
    def law(pairs: Pairs) -> None:
        result = scorer.score([(gold, gold) for gold, _ in pairs])
        assert not result.faults
        for measure in result.measures.values():
            assert len(set(measure.counts)) == 1
            assert set(measure.ratios) <= {1.0, None}

    check(scorer, law)


@pytest.mark.slow
@every_scorer
def test_swapping_gold_and_parsed_swaps_precision_and_recall(scorer: Scorer) -> None:
    def law(pairs: Pairs) -> None:
        there = scorer.score(pairs)
        back = scorer.score([(parsed, gold) for gold, parsed in pairs])
        # A parse without words is left out; gold without words is not.
        assume(there.scored == back.scored)
        swapped = {name: one.swapped for name, one in back.measures.items()}
        assert equal(there, back._replace(measures=swapped))

    check(scorer, law)


@pytest.mark.slow
@every_scorer
def test_corpora_put_together_add_their_counts(scorer: Scorer) -> None:
    def law(pairs: Pairs) -> None:
        middle = len(pairs) // 2
        halves = pairs[:middle], pairs[middle:]
        parts = [scorer.score(half) for half in halves if half]
        whole = scorer.score(pairs)
        assert whole.scored == sum(part.scored for part in parts)
        for name in {name for one in (whole, *parts) for name in one.measures}:
            counts = [part.measures.get(name, Measure()).counts for part in parts]
            total = tuple(map(sum, zip(*counts, strict=True)))
            assert whole.measures.get(name, Measure()).counts == total, name

    check(scorer, law)


@pytest.mark.slow
@every_scorer
def test_order_does_not_matter(scorer: Scorer) -> None:
    def law(pairs: Pairs) -> None:
        shuffled = Random(len(repr(pairs))).sample(pairs, len(pairs))
        assert equal(scorer.score(pairs), scorer.score(shuffled))

    check(scorer, law)


@pytest.mark.slow
@every_scorer
def test_ratios_are_those_of_the_counts(scorer: Scorer) -> None:
    """Precision, recall and F1, where a scorer gives both."""

    def law(pairs: Pairs) -> None:
        for name, one in scorer.score(pairs).measures.items():
            assert max(one.matched_gold, 0) <= one.gold, name
            assert max(one.matched_parsed, 0) <= one.parsed, name
            if one.gold and one.recall is not None:
                assert one.recall == pytest.approx(one.matched_gold / one.gold)
            if one.parsed and one.precision is not None:
                assert one.precision == pytest.approx(one.matched_parsed / one.parsed)
            if one.gold + one.parsed and one.f1 is not None:
                both = one.matched_gold + one.matched_parsed
                assert one.f1 == pytest.approx(both / (one.gold + one.parsed))

    check(scorer, law)


@pytest.mark.slow
@pytest.mark.parametrize(
    "scorer",
    [one for one in SYNTAX_SCORERS if one.score_files],
    ids=lambda one: one.name,
)
def test_jobs_do_not_matter_to_syntax(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert scorer.score_files is not None
    whole = scorer.score_files(*WEB_PAIR, 1)
    monkeypatch.setattr("analyzer.formats.penn.reader.BLOCK_BYTES", 2000)
    assert scorer.score_files(*WEB_PAIR, 3) == whole


@pytest.mark.slow
@needs_rst_data
@pytest.mark.parametrize(
    "scorer",
    [one for one in DISCOURSE_SCORERS if one.score_files],
    ids=lambda one: one.name,
)
def test_jobs_do_not_matter_to_discourse(scorer: Scorer) -> None:
    assert scorer.score_files is not None
    pair = str(RST / "gold" / "dis"), str(RST / "pred" / "sr")
    assert scorer.score_files(*pair, 3) == scorer.score_files(*pair, 1)


# -- kernels, which give a number for each pair ----------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
@a_few
@given(pairs=pair_lists(), seed=st.integers(0, 9))
def test_kernels(name: str, pairs: list[tuple[Plain, Plain]], seed: int) -> None:
    """A tree is like itself, sides may be swapped, and pairs do not see each other."""
    kernel = TreeKernel(name=name, normalize=True)
    x, y = (read_trees(text) for text in pair_texts(pairs))
    assert set(kernel.pairwise(x, x).round(9)) <= {0.0, 1.0}  # 0: nothing to compare
    values = kernel.pairwise(x, y)
    assert np.allclose(values, kernel.pairwise(y, x))
    order = Random(seed).sample(range(len(pairs)), len(pairs))
    texts = pair_texts([pairs[at] for at in order])
    shuffled = kernel.pairwise(*(read_trees(text) for text in texts))
    assert np.allclose(shuffled, values[order])
