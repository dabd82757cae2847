"""Annotation or parser? What stands out, what does not, and what it costs."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings

from analyzer import compare_domains, compare_systems, read_trees, score
from analyzer.analyses.opening import TreeReading
from analyzer.metrics.constructions import Comparison, compare
from analyzer.metrics.recurring import ConventionRow, Conventions
from analyzer.metrics.spine_differences import MOST, SpineDifference, differing_words
from tests.support.command import spinal
from tests.support.data_paths import (
    EXAMPLES,
    LANGUAGES,
    SYNTAX,
    needs_languages,
    needs_shared_data,
)
from tests.support.edited_trees import SMALL, tree_pairs
from tests.support.examples import some
from tests.support.strategies import Plain, one_line

FLAT = "(S (PP (IN in) (NP (NNP May))) (NP (PRP we)) (VP (VBP go)))"
ADJOINED = "(S (PP (IN in) (NP (NNP May))) (S (NP (PRP we)) (VP (VBP go))))"
PLAIN = "(S (NP (PRP we)) (VP (VBP go)))"
ADDED = SpineDifference((), ("S-mod",))


def lines(*parts: tuple[int, str]) -> str:
    return "".join(f"{tree}\n" * times for times, tree in parts)


def conventions(gold: str, parsed: str) -> Conventions:
    return score(gold, parsed).conventions


# -- the differences of words ----------------------------------------------------------


def naive(found: Comparison) -> Counter[str]:
    """Word by word, as multisets: what one side projects and the other does not."""
    spines: list[dict[int, Counter[str]]] = []
    for side in (found.gold, found.parsed):
        of_word: dict[int, Counter[str]] = defaultdict(Counter)
        for head, number in zip(
            side.head.tolist(), side.construction.tolist(), strict=True
        ):
            of_word[head][found.constructions[number]] += 1
        spines.append(of_word)
    counted: Counter[str] = Counter()
    for word in {*spines[0], *spines[1]}:
        gold, parsed = (side.get(word, Counter()) for side in spines)
        alone = SpineDifference(
            tuple(sorted((gold - parsed).elements())),
            tuple(sorted((parsed - gold).elements())),
        )
        if 0 < alone.size <= MOST:
            counted[alone.text] += 1
    return counted


@pytest.mark.parametrize("base", [None, 2], ids=["packed", "renumbered"])
def test_differences_are_those_of_the_definition(
    base: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if base is not None:  # as if there were too many constructions for one number
        name = "analyzer.metrics.spine_differences._LARGEST_BASE"
        monkeypatch.setattr(name, base)
    reading = TreeReading(patterns=SMALL)

    @settings(deadline=None, max_examples=some(15))
    @given(tree_pairs())
    def check(pairs: list[tuple[list[Plain], list[Plain]]]) -> None:
        gold, parsed = (
            read_trees(
                "".join(
                    " ".join(one_line(root) for root in pair[side]) + "\n"
                    for pair in pairs
                ),
                keep_blank_lines=True,
            )
            for side in (0, 1)
        )
        deriver = reading.deriver_for(gold)
        for pair in reading.open(gold, parsed, deriver).tasks.pairs():
            found = compare(pair, deriver)
            words = differing_words(
                found.gold, found.parsed, found.by_head, found.constructions
            )
            assert words.rows_of_names() == naive(found)

    check()


# -- what stands out -------------------------------------------------------------------


def test_a_bracket_that_the_parser_always_adds() -> None:
    gold = lines((60, PLAIN), (30, FLAT))
    parsed = lines((60, PLAIN), (30, ADJOINED))
    found = conventions(gold, parsed)
    (row,) = found.rows
    assert (row.construction, row.gold, row.parsed) == ("S-mod", 0, 30)
    assert (row.often_in, row.difference, row.words) == ("parsed", ADDED, 30)
    assert (found.f_h, found.share_h) == (1.0, 1.0)
    total = score(gold, parsed).total
    assert total.f_h == pytest.approx(2 * total.gold / (2 * total.gold + 30))


def test_the_reverse_and_what_there_is_instead() -> None:
    """Gold often, the parser never; and another construction in its place."""
    found = conventions(
        lines((60, PLAIN), (30, ADJOINED)), lines((60, PLAIN), (30, FLAT))
    )
    assert [row.often_in for row in found.rows] == ["gold"]
    assert found.rows[0].difference == SpineDifference(("S-mod",), ())
    sinv = PLAIN.replace("(S ", "(SINV ")
    found = conventions(lines((60, FLAT), (30, PLAIN)), lines((60, FLAT), (30, sinv)))
    (row,) = found.rows  # S-vp is frequent on both sides
    assert row.construction.startswith("SINV")
    assert row.difference == SpineDifference(("S-vp",), (row.construction,))
    assert found.f_h == 1.0


@pytest.mark.parametrize(("both", "stands_out"), [(9, True), (12, False)])
def test_the_other_side_has_it_rarely(both: int, stands_out: bool) -> None:
    """At most a third as often: 9 of 30 is rare, 12 of 30 is not."""
    gold = lines((60, PLAIN), (both, ADJOINED), (30 - both, FLAT))
    found = conventions(gold, lines((60, PLAIN), (30, ADJOINED)))
    assert found.names == (("S-mod",) if stands_out else ())
    assert list(found.frame().reset_index().columns) == list(ConventionRow._fields)
    assert len(found.frame()) == stands_out


@pytest.mark.parametrize(
    ("gold", "parsed"),
    [
        # Few: this may be chance.
        (lines((60, PLAIN), (6, FLAT)), lines((60, PLAIN), (6, ADJOINED))),
        # Errors that go both ways.
        (lines((30, FLAT), (30, ADJOINED)), lines((30, ADJOINED), (30, FLAT))),
        # Often, but for few of the brackets.
        (lines((9000, PLAIN), (30, FLAT)), lines((9000, PLAIN), (30, ADJOINED))),
        # Nothing else agrees.
        (
            lines((300, "(X (A a) (B b) (C c))"), (30, FLAT)),
            lines((300, "(Y (A a) (B b) (C c))"), (30, ADJOINED)),
        ),
    ],
    ids=["few", "both ways", "seldom", "nothing agrees"],
)
def test_what_does_not_stand_out(gold: str, parsed: str) -> None:
    assert not conventions(gold, parsed)


def test_a_construction_that_is_missed_in_many_ways_is_missed() -> None:
    """A parser that never has it, but always something else instead, is wrong."""
    ways = [
        FLAT,
        "(S (PP (IN in) (NP (NNP May)) (NP (PRP we)) (VP (VBP go))))",
        "(S (PP (IN in)) (NP (NNP May) (PRP we)) (VP (VBP go)))",
        "(FRAG (PP (IN in) (NP (NNP May))) (NP (PRP we)) (VP (VBP go)))",
    ]
    gold = lines((200, PLAIN), (40, ADJOINED))
    parsed = lines((200, PLAIN), *((10, way) for way in ways))
    counts = score(gold, parsed).tally.constructions["S-mod"]
    assert (counts.gold, counts.parsed) == (40, 0)
    assert not conventions(gold, parsed)


@pytest.mark.parametrize("name", ["news", "web"])
@pytest.mark.parametrize("parser", ["chart", "greedy"])
def test_no_false_alarm_in_the_samples(name: str, parser: str) -> None:
    files = EXAMPLES / f"{name}.gold.mrg", EXAMPLES / f"{name}.{parser}.mrg"
    assert not score(*map(str, files)).conventions


# -- what the commands say -------------------------------------------------------------


def test_domains_tell_the_gap_without_it() -> None:
    gold = lines((60, PLAIN), (30, FLAT))
    found = compare_domains(
        [
            ("same", gold, gold),
            ("other", gold, lines((60, PLAIN), (30, ADJOINED))),
        ]
    )
    (split,) = found.splits()
    assert split.total.difference < 0
    # The heads are right without it; the spans of S-vp differ all the same.
    assert split.total.difference < split.gap_without < 0
    assert split.without == (1, Fraction(10, 11))
    assert split.conventions == ((), ("S-mod",))


def test_a_difference_of_one_domain_is_left_out_in_both() -> None:
    """Too few words for a verdict have it in the reference: they are corrected, too."""
    gold = lines((60, PLAIN), (30, FLAT))
    few = lines((60, PLAIN), (27, FLAT), (3, ADJOINED))
    many = lines((60, PLAIN), (30, ADJOINED))
    found = compare_domains([("few", gold, few), ("many", gold, many)])
    (split,) = found.splits()
    assert split.conventions == (("S-mod",), ("S-mod",))
    total = found.reference.scores.total
    assert split.without[0] == Fraction(
        2 * total.matched_s, total.gold + total.parsed - 3
    )
    assert split.without[1] == Fraction(10, 11)
    assert split.gap_without == split.without[1] - split.without[0]
    # The same file as both domains has no gap, with differences or without.
    (none,) = compare_domains([("a", gold, many), ("b", gold, many)]).splits()
    assert none.gap_without == 0


def test_systems_that_agree_against_gold_and_one_that_does_not() -> None:
    gold = lines((60, PLAIN), (30, FLAT))
    adjoined = lines((60, PLAIN), (30, ADJOINED))
    fewer = lines((60, PLAIN), (2, FLAT), (28, ADJOINED))
    found = compare_systems(
        gold, [("a", adjoined), ("b", fewer), ("c", gold)], resamples=1
    )
    (one,) = found.conventions
    assert one.is_shared
    assert (one.difference, one.systems, one.others) == (
        ADDED,
        {"a": 30, "b": 28},
        ("c",),
    )
    assert one.words == 28
    found = compare_systems(gold, [("a", adjoined), ("c", gold)], resamples=1)
    (one,) = found.conventions
    assert not one.is_shared


def test_the_lines_below_the_tables(tmp_path: Path) -> None:
    folder = tmp_path
    for name, text in (
        ("gold", lines((60, PLAIN), (30, FLAT))),
        ("a", lines((60, PLAIN), (30, ADJOINED))),
        ("b", lines((60, PLAIN), (29, ADJOINED), (1, FLAT))),
    ):
        (folder / name).write_text(text)
    gold, a, b = (str(folder / name) for name in ("gold", "a", "b"))
    ran = spinal("score", gold, a)
    assert (
        "annotation or parser? S-mod (gold 0, parsed 30): mostly one difference, on 30 "
        "words: the parser adds S-mod, and gold has nothing else instead"
    ) in ran.out
    assert "F-h is 100.0 instead of 95.7" in ran.out
    ran = spinal("domains", f"same={gold}:{gold}", f"other={gold}:{a}")
    assert (
        "without it the gap is -9.1 points (90.9 against 100.0), not -13.0" in ran.out
    )
    ran = spinal("compare", gold, a, b, "--resamples", "1")
    assert (
        "S-mod: a and b differ from gold in the same way, all of them on 29 words: "
        "probably a difference of annotation, not errors"
    ) in ran.out


# -- real data -------------------------------------------------------------------------


@pytest.mark.slow
@needs_languages
@needs_shared_data
def test_real_treebanks() -> None:
    """Four domains of Chinese leave out the CP that parsers of the CTB put over CP."""
    for domain, expected in (("item_desc", {"CP-mod"}), ("web_fiction", set())):
        for parser in ("bert_san", "charlstm_san", "inorder_bert"):
            files = (
                str(LANGUAGES / "chinese" / f"{domain}.{side}.mrg")
                for side in ("gold", parser)
            )
            found = score(*files, patterns="chinese").conventions
            assert set(found.names) == expected
    for parser, names in (("sm1", ("S-mod",)), ("sm4", ())):
        files = (
            str(SYNTAX / "gold" / "dev.gold.mrg"),
            str(SYNTAX / "parsed" / f"dev.berkeley-{parser}.mrg"),
        )
        assert score(*files).conventions.names == names


@pytest.mark.slow
@needs_languages
def test_vp_over_vp_in_english_of_several_domains() -> None:
    """Annotators put VP over VP and a modifier, which parsers of the WSJ never do."""
    for domain in ("dialogue", "law"):
        for parser in ("inorder", "inorder_bert"):
            files = (
                str(LANGUAGES / "english-mctb" / f"{domain}.{side}.mrg.gz")
                for side in ("gold", parser)
            )
            found = score(*files).conventions
            assert "VP-mod" in found.names
            assert found.rows[0].difference == SpineDifference(("VP-mod",), ())


@pytest.mark.slow
@needs_languages
def test_parsers_of_faroese_make_errors() -> None:
    for parser in ("e1", "ei0", "ice"):
        files = (
            str(LANGUAGES / "faroese" / f"far_split0.{side}.psd")
            for side in ("gold", parser)
        )
        assert not score(*files, patterns="historical").conventions


MODIFIED = "(S (NP (PRP we)) (VP (VP (VBP go)) (PP (IN in) (NP (NNP May)))))"
UNMODIFIED = "(S (NP (PRP we)) (VP (VBP go) (PP (IN in) (NP (NNP May)))))"


def test_constructions_are_counted_one_by_one() -> None:
    """What else differs for a word does not hide what recurs."""
    both = f"(S (PP (IN in) (NP (NNP May))) {MODIFIED})"
    flat = UNMODIFIED.replace("(S ", "(S (PP (IN in) (NP (NNP May))) ")
    gold = lines((200, PLAIN), (15, MODIFIED), (20, both))
    parsed = lines((200, PLAIN), (15, UNMODIFIED), (20, flat))
    scores = score(gold, parsed)
    spines = {
        SpineDifference.of_text(one): n for one, n in scores.tally.differences.items()
    }
    assert spines == {
        SpineDifference(("VP-mod",), ()): 15,
        SpineDifference(("S-mod", "VP-mod"), ()): 20,
    }
    found = scores.conventions
    assert {row.construction: row.words for row in found.rows} == {
        "VP-mod": 35,
        "S-mod": 20,
    }
    assert (found.words, found.errors, found.f_h) == (35, 55, 1)


def test_systems_are_evidence_together() -> None:
    """Each has too few words for a verdict; they agree, and all of them are enough."""
    gold = lines((60, PLAIN), (9, FLAT))
    adjoined = lines((60, PLAIN), (9, ADJOINED))
    systems = [("a", adjoined), ("b", adjoined), ("c", gold)]
    assert not conventions(gold, adjoined)
    (one,) = compare_systems(gold, systems, resamples=1).conventions
    assert (one.systems, one.others) == ({"a": 9, "b": 9}, ("c",))
    split = compare_domains([("a", gold, adjoined), ("b", gold, adjoined)]).splits()[0]
    assert split.conventions == (("S-mod",), ("S-mod",))
