"""The domain split adds up exactly, and says what was planted."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spinal
from analyzer.analyses.domain_gap import (
    MEASURES,
    Domain,
    compare_domains,
    cumulative,
    split_gap,
)
from analyzer.analyses.score import ConstructionScores
from analyzer.derivation.syntax import syntax_deriver
from analyzer.exceptions import InputError, SettingsError
from analyzer.metrics.constructions import COUNTS, ConstructionCounts, Tally
from analyzer.metrics.counts import Counts, total_of
from analyzer.metrics.intervals import UnitCounts
from analyzer.metrics.ratios import MatchCounts
from analyzer.pairing.ledger import total
from analyzer.pairing.tasks import read_groups
from reports.tables.domains import overview_table, paragraph
from reports.views import view_of
from tests.support.data_paths import EXAMPLES, SYNTAX, needs_shared_data

NAMES = ("NP-t", "VP-t", "PP-t", "S-vp", "ADVP-t")
DERIVER = syntax_deriver()


def domain(name: str, constructions: dict[str, ConstructionCounts]) -> Domain:
    scores = ConstructionScores(DERIVER)
    for construction in constructions:
        DERIVER.constructions.number(construction)
    scores.tally.constructions = constructions
    gold = sum(c.gold for c in constructions.values())
    scores.tally.brackets = MatchCounts(gold=gold)
    # Many sentences, each with the same counts: so nothing is by chance.
    names, sentences = list(constructions), 60
    numbers = np.array(list(constructions.values()), np.int64)
    of_sentence = np.tile(numbers, (sentences, 1))
    counted = Counts(
        names,
        sentences,
        np.repeat(np.arange(sentences), len(names)),
        np.tile(np.arange(len(names)), sentences),
        of_sentence.reshape(-1, len(COUNTS)),
    )
    scores.unit_counts = UnitCounts.of(counted, [name] * sentences)
    return Domain(name, scores)


@st.composite
def counts(draw: st.DrawFn) -> ConstructionCounts:
    """Counts as a join can give them: each key refines the one before."""
    gold, parsed = draw(st.integers(0, 50)), draw(st.integers(0, 50))
    head = draw(st.integers(0, min(gold, parsed)))
    right, left = draw(st.integers(0, head)), draw(st.integers(0, head))
    span = draw(st.integers(0, min(right, left)))
    return ConstructionCounts(gold, parsed, head, span, 0, right, left)


corpora = st.dictionaries(st.sampled_from(NAMES), counts(), max_size=5)


@given(corpora, corpora, st.sampled_from(MEASURES))
def test_the_split_adds_up_to_the_last_digit(
    here: dict[str, ConstructionCounts],
    there: dict[str, ConstructionCounts],
    measure: str,
) -> None:
    split = split_gap(domain("a", there), domain("b", here), measure)  # type: ignore[arg-type]
    for part in (*split.parts, split.total):
        parts = part.distribution + part.accuracy + part.interaction
        assert part.difference == parts
        assert part.accuracy == part.head + part.right + part.left
    assert sum((p.difference for p in split.parts), Fraction(0)) == (
        split.total.difference
    )
    if split.domain_score is not None and split.reference_score is not None:
        gap = split.domain_score - split.reference_score
        assert split.total.difference == gap


def test_scores_are_those_of_the_table() -> None:
    result = compare_domains(
        [
            ("news", f"{EXAMPLES}/news.gold.mrg", f"{EXAMPLES}/news.chart.mrg"),
            ("web", f"{EXAMPLES}/web.gold.mrg", f"{EXAMPLES}/web.chart.mrg"),
        ]
    )
    news, web = (one.scores.total for one in result.domains)
    for measure, field in (
        ("recall", "recall_s"),
        ("precision", "precision_s"),
        ("f_s", "f_s"),
    ):
        split = result.splits([measure])[0]  # type: ignore[list-item]
        assert float(split.reference_score or 0) == getattr(news, field)
        assert float(split.domain_score or 0) == getattr(web, field)


def scaled(counts: ConstructionCounts, factor: int) -> ConstructionCounts:
    return ConstructionCounts(*(factor * n for n in counts))


GOOD = ConstructionCounts(100, 100, 95, 90, 90, 92, 93)
POOR = ConstructionCounts(100, 100, 80, 60, 70, 65, 75)


def test_only_the_distribution_changes() -> None:
    there = {"NP-t": scaled(GOOD, 9), "PP-t": POOR}
    here = {"NP-t": scaled(GOOD, 5), "PP-t": scaled(POOR, 5)}
    split = split_gap(domain("a", there), domain("b", here))
    assert split.total.difference < 0
    assert split.total.distribution == split.total.difference
    assert split.total.accuracy == split.total.interaction == 0
    assert "-12.0 is distribution" in paragraph(split)
    assert "accuracy" not in paragraph(split)  # which is 0


def test_only_one_right_edge_changes() -> None:
    worse = POOR._replace(matched_s=40, matched_span_right=45)
    there = {"NP-t": GOOD, "PP-t": POOR}
    here = {"NP-t": GOOD, "PP-t": worse}
    split = split_gap(domain("a", there), domain("b", here), "recall")
    assert split.total.distribution == split.total.interaction == 0
    assert split.parts[0].construction == "PP-t"
    assert split.parts[0].difference == split.total.difference == Fraction(-1, 10)
    assert split.parts[0].right == Fraction(-1, 10)
    assert split.parts[0].head == split.parts[0].left == 0
    assert "PP-t costs 10.0 of the 10.0 points, 10.0 of it by its right edge" in (
        paragraph(split)
    )


@pytest.mark.parametrize(
    ("measure", "head", "right", "left"),
    [
        # (95 of 125 heads, not of 100), (3 right edges of 125), (2 left edges of 125)
        ("precision", 0.76 - 0.95, 0.03 - 0.024, 0.02 - 0.016),
        # Gold is as it was: nothing is lost.
        ("recall", 0, 0, 0),
        # Twice the matches, of 100 + 125.
        ("f_s", 190 / 225 - 0.95, 0.03 - 6 / 225, 0.02 - 4 / 225),
    ],
)
def test_brackets_too_many_are_lost_heads_of_precision(
    measure: str, head: float, right: float, left: float
) -> None:
    """The parser makes 25 brackets more, and finds what it found."""
    there, here = {"NP-t": GOOD}, {"NP-t": GOOD._replace(parsed=125)}
    split = split_gap(domain("a", there), domain("b", here), measure)  # type: ignore[arg-type]
    total = [split.total.head, split.total.right, split.total.left]
    assert [float(part) for part in total] == pytest.approx([head, right, left])


def test_a_construction_that_one_side_lacks_is_distribution() -> None:
    there = {"NP-t": GOOD}
    here = {"NP-t": GOOD, "PP-t": POOR}
    split = split_gap(domain("a", there), domain("b", here), "recall")
    part = {part.construction: part for part in split.parts}["PP-t"]
    assert part.accuracy == part.interaction == 0
    assert part.distribution == Fraction(1, 2) * (Fraction(60, 100) - Fraction(9, 10))


def test_cumulative_ends_at_the_total() -> None:
    """The last point of the paper's Figure 6 is the total (footnote 10)."""
    result = compare_domains(
        [("web", f"{EXAMPLES}/web.gold.mrg", f"{EXAMPLES}/web.chart.mrg")]
    )
    scores = result.domains[0].scores
    points = cumulative(scores)
    assert points[0].construction == scores.rows[0].construction
    assert points[0].f_s == scores.rows[0].f_s
    assert points[-1].share == pytest.approx(1.0)
    assert (points[-1].f_h, points[-1].f_s) == (scores.total.f_h, scores.total.f_s)
    shares = [point.share for point in points]
    assert shares == sorted(shares)


@needs_shared_data
def test_groups_add_up_to_the_whole() -> None:
    from analyzer.analyses.score import score

    files = (
        str(SYNTAX / "gold" / "dev.gold.mrg"),
        str(SYNTAX / "parsed" / "dev.berkeley-sm4.mrg"),
    )
    sidecar = SYNTAX / "sidecar" / "dev.tsv"
    parts = compare_domains([("dev", *files)], group_by=f"{sidecar}:genre").domains
    assert len(parts) == 15
    whole = score(*files)
    assert total_of([part.scores.tally for part in parts], Tally()) == whole.tally
    together = total(part.scores.ledger for part in parts)
    assert (together.gold, together.scored) == (whole.ledger.gold, whole.ledger.scored)
    assert len(together.items) == len(whole.left_out)


def test_table_1_and_figure_6_are_data() -> None:
    gold = "(S (NP (NNP Ann) (, ,)) (VP (VBZ goes) (NP (-NONE- *))) (. .))"
    flat = "(S (NNP Ann) (, ,) (VP (VBZ goes)) (. .))"
    sets = [("one", gold, gold), ("two", [gold, gold, gold], [gold, None, flat])]
    with pytest.warns(match="1 left out"):
        found = compare_domains(sets)
    assert [one.scores.tally.tokens for one in found.domains] == [4, 8]
    overview = overview_table(found.domains).records()[1]
    counts = [overview[name] for name in ("tokens", "gold", "gold_covered", "parsed")]
    assert counts == [8, 6, 6, 5]
    frame = found.cumulative_frame().set_index("data_set")
    last = frame.loc["two"].iloc[-1]
    assert (last.share, last.f_s) == (1, found.domains[1].scores.total.f_s)
    two = view_of(found).data()["domains"][1]
    assert [point["construction"] for point in two["cumulative"]] == [
        row.construction for row in found.domains[1].scores.rows
    ]
    assert two["tokens"] == 8


def test_sidecar_in_the_order_of_its_line_column(tmp_path: Path) -> None:
    path = tmp_path / "side.tsv"
    path.write_text("line\tgenre\n2\tweb\n1\tnews\n")
    assert read_groups(str(path), "genre") == ["news", "web"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("line\tdocument\n1\tx\n", "no column 'genre'; there are line, document"),
        ("line\tgenre\n1\tnews\textra\n", "found 3 fields, expected 2"),
        ("line\tgenre\n1\tnews\n3\tweb\n", "does not count from 1 to 2"),
    ],
)
def test_bad_sidecars_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "side.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_groups(str(path), "genre")


@pytest.mark.parametrize(("times", "is_shown"), [(1, False), (2, False), (12, True)])
def test_what_occurs_once_in_one_data_set_may_be_luck(
    times: int, *, is_shown: bool
) -> None:
    plain = "(S (NP (PRP I)) (VP (VBP see) (NP (NNS birds))))"
    gold = "(S (NP (PRP I)) (VP (VBP see) (PP (IN at) (NP (NN sea)))))"
    wrong = "(S (NP (PRP I)) (VP (VBP see) (IN at) (NP (NN sea))))"
    found = compare_domains(
        [
            ("home", [plain] * 40, [plain] * 40),
            ("away", [plain] * 28 + [gold] * times, [plain] * 28 + [wrong] * times),
        ]
    )
    (split,) = found.splits()
    part = next(one for one in split.parts if one.construction == "PP-t")
    assert part.difference < 0
    assert split.interval(part, "difference").excludes_zero is is_shown
    assert split.interval(part, "accuracy").excludes_zero is False  # home has none


def test_nothing_is_certain_of_a_few_right_sentences() -> None:
    tree = "(S (NP (PRP I)) (VP (VBP see) (NP (NNS birds))))"
    found = compare_domains([("a", [tree] * 4, [tree] * 4)] * 2)
    (split,) = found.splits()
    low, high = split.interval(split.total, "difference")
    assert (low or 0) < -0.02 < 0.02 < (high or 0)


def test_data_sets_have_units_of_their_own() -> None:
    gold, parsed = (str(EXAMPLES / f"web.{side}.mrg") for side in ("gold", "chart"))
    of_web = [str(at // 4) for at in range(44)]
    sets = [("web", gold, parsed), ("again", gold, parsed)]
    found = compare_domains(sets, units={"web": of_web})
    units = [one.scores.units.setting for one in found.domains]
    assert units == ["11 documents", "44 sentences"]
    note = view_of(found).tables[1].notes[-1]
    assert "|intervals:web 11 documents, again 44 sentences|" in note
    with pytest.raises(SettingsError, match="no data set 'wbe'; there are web"):
        compare_domains(sets, units={"wbe": of_web})
    with pytest.raises(SettingsError, match="units= names data sets"):
        spinal.score(gold, parsed, units={"web": of_web})
    with pytest.raises(SettingsError, match="the units name 40 sentences, but there"):
        spinal.score(gold, parsed, units=of_web[:40])
    with pytest.raises(SettingsError, match=r"cannot read units= 'web.tsv'; expected"):
        spinal.score(gold, parsed, units="web.tsv")
