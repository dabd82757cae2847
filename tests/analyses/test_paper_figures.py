"""Kulick et al. (2014): the regexes of Figure 1, and the sentence of Figures 2 to 5.

The figures themselves are not in the text of the paper; the trees are rebuilt from
what section 2.3 and footnote 6 say of them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from analyzer import load_inventory, parse_inventory, read_trees, score
from analyzer.cli.main import main
from analyzer.constructions.inventory import Inventory
from tests.support.naive_derivations import ROOT, Instance, derive_all

# -- Figure 1: regexes ---------------------------------------------------------

IN_OUR_FORM = r"""
       ADJP-t, ADVP-t: ^(TAG|NT|NML)*(head:TAG) (NT)*$
       S-vp, SQ-vp: ^([^\ ]+)*(head:VP)$
       NP-modr: ^(head:NP) (SBAR|S|VP|ADJP|PP|ADVP|NP)+$
       VP-crd: ^ (head:VP) (VP)* CONJ VP$
"""
AS_IN_THE_TEXT_OF_THE_PAPER = r"""(a)ADJP-t,ADVP-t:
^(TAG|NT|NML)*(head:TAG) (NT)*$
(b)S-vp, SQ-vp: ^([\ ]+)*(head:VP)$
(c)NP-modr:
^(head:NP) (SBAR|S|VP|ADJP|PP|ADVP|NP)+$
(d)VP-crd: ^ (head:VP) (VP)* CONJ VP$
"""


@pytest.fixture(
    params=[IN_OUR_FORM, AS_IN_THE_TEXT_OF_THE_PAPER], ids=["design", "paper"]
)
def figure_1(request: pytest.FixtureRequest) -> Inventory:
    return parse_inventory(request.param)


def head(inventory: Inventory, production: str) -> tuple[str, int] | None:
    """The construction and head (child counted from 0) of 'NP -> NP PP'."""
    parent, children = production.split(" -> ")
    found = inventory.matches(parent, inventory.children(children.split()))
    assert len(found) <= 1
    return (found[0][0].name, found[0][1]) if found else None


def test_figure_1_has_six_names(figure_1: Inventory) -> None:
    names = [pattern.name for pattern in figure_1.patterns]
    assert names == ["ADJP-t", "ADVP-t", "S-vp", "SQ-vp", "NP-modr", "VP-crd"]


@pytest.mark.parametrize(
    ("production", "expected"),
    [
        # (a) "the rightmost terminal, possibly preceded by terminals or nonterminals"
        ("ADJP -> JJ", ("ADJP-t", 0)),
        ("ADJP -> RB JJ", ("ADJP-t", 1)),
        ("ADVP -> NP RB", ("ADVP-t", 1)),
        ("ADJP -> JJ PP SBAR", ("ADJP-t", 0)),
        ("ADJP -> NML JJ", ("ADJP-t", 1)),
        # "Structures with a CONJ/CONJP/NML child do not match": NML is allowed before
        # the head, as printed, and nowhere else.
        ("ADJP -> JJ CC JJ", None),
        ("ADJP -> JJ CONJP JJ", None),
        ("ADJP -> JJ NML", None),
        ("ADJP -> CC", None),
        ("ADJP -> PP", None),
        # (b) "the rightmost VP among the children of a S or SQ"
        ("S -> NP VP", ("S-vp", 1)),
        ("S -> VP", ("S-vp", 0)),
        ("S -> VP NP VP", ("S-vp", 2)),
        ("S -> CC ADVP NP RB VP", ("S-vp", 4)),
        ("SQ -> MD NP VP", ("SQ-vp", 2)),
        ("S -> NP VP NP", None),
        ("SINV -> NP VP", None),
        # (c) "the NP on the left is identified as the head"
        ("NP -> NP PP", ("NP-modr", 0)),
        ("NP -> NP NP SBAR", ("NP-modr", 0)),
        ("NP -> NP", None),
        ("NP -> NP CC NP", None),
        ("NP -> DT NN", None),
        # (d) "picking out the leftmost conjunct as the head of the structure"
        ("VP -> VP CC VP", ("VP-crd", 0)),
        ("VP -> VP VP VP CC VP", ("VP-crd", 0)),
        ("VP -> VP CONJP VP", None),
        ("VP -> VB CC VB", None),
    ],
)
def test_figure_1_means_what_the_paper_says(
    figure_1: Inventory, production: str, expected: tuple[str, int] | None
) -> None:
    assert head(figure_1, production) == expected


def test_figure_1_recursive_structures(figure_1: Inventory) -> None:
    recursive = {pattern.name for pattern in figure_1.patterns if pattern.is_recursive}
    assert recursive == {"NP-modr", "VP-crd"}
    assert not any(pattern.is_mixed(figure_1.labels) for pattern in figure_1.patterns)


# -- Figures 2 to 5: a trip to Florida -----------------------------------------

GOLD = (
    "(S (NP (PRP They)) (VP (MD will) (VP (VB make) "
    "(NP (NP (DT a) (NN trip)) (PP (TO to) (NP (NNP Florida)))))))\n"
)
PARSED = (
    "(S (NP (PRP They)) (VP (MD will) (VP (VB make) "
    "(NP (DT a) (NN trip)) (PP (TO to) (NP (NNP Florida))))))\n"
)
THEY, WILL, MAKE, A, TRIP, TO, FLORIDA = range(7)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "gold.mrg").write_text(GOLD)
    (tmp_path / "parsed.mrg").write_text(PARSED)
    return [str(tmp_path / "gold.mrg"), str(tmp_path / "parsed.mrg")]


def run_json(capsys: pytest.CaptureFixture[str], *args: str) -> object:
    assert main([*args]) == 0
    return json.loads(capsys.readouterr().out)


def test_scores() -> None:
    table = score(GOLD, PARSED).frame()
    counts = table[["gold", "parsed", "matched_h", "matched_s", "matched_span_right"]]
    assert {name: row.tolist() for name, row in counts.iterrows()} == {
        "NP-t": [3, 3, 3, 3, 3],  # They, trip, Florida
        "VP-t": [1, 1, 1, 1, 1],
        "VP-aux": [1, 1, 1, 1, 1],
        "S-vp": [1, 1, 1, 1, 1],
        "PP-t": [1, 1, 1, 1, 1],
        "NP-modr": [1, 0, 0, 0, 0],  # the recall error of "trip"
        "total": [8, 7, 7, 7, 7],
    }
    attached = table["matched_att"].astype(object).where(table["matched_att"].notna())
    assert {name: value for name, value in attached.items() if value == value} == {
        "NP-t": 3,  # "trip" to "make" on both sides
        "VP-t": 1,  # null on both sides
        "S-vp": 1,  # ROOT on both sides
        "PP-t": 0,  # "trip" in gold, "make" in the parse
        "total": 5,
    }
    assert table.loc["PP-t", ["f_h", "f_s", "att"]].tolist() == [1, 1, 0]
    assert table["recursive"][["NP-modr", "VP-aux"]].all()


def test_evalb_sees_only_a_missing_noun_phrase() -> None:
    """The attachment error is 'obscured as an NP bracket error' (section 2.2)."""
    result = score(GOLD, PARSED)
    counts = result.tally
    assert (counts.evalb.gold, counts.evalb.parsed, counts.evalb.matched) == (8, 7, 7)
    assert tuple(result.reconciliation) == (7, 0, 0, 0)


def test_the_twin_says_the_same() -> None:
    def rows(text: str) -> dict[tuple[int, str], int | str | None]:
        found: list[Instance] = derive_all(read_trees(text), load_inventory())[0][1]
        return {(row.head, row.construction): row.attachment for row in found}

    gold = {
        (THEY, "NP-t"): MAKE,
        (MAKE, "VP-t"): None,
        (MAKE, "VP-aux"): None,
        (MAKE, "S-vp"): ROOT,
        (TRIP, "NP-t"): MAKE,
        (TRIP, "NP-modr"): None,
        (TO, "PP-t"): TRIP,
        (FLORIDA, "NP-t"): TO,
    }
    parsed = {**gold, (TO, "PP-t"): MAKE}
    del parsed[TRIP, "NP-modr"]
    assert rows(GOLD) == gold
    assert rows(PARSED) == parsed


def test_derive_names_every_event(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (sentence,) = run_json(capsys, "derive", *files, "--style", "json")
    assert [tuple(event.values()) for event in sentence["events"]] == [
        (THEY, "They", "NP-t", "match", "same", "same (make)", "same"),
        # "make has a match for the regexes VP-t, VP-aux, and S-vp"; VP-t has the null
        # attachment, VP-aux none at all, S-vp that of the root
        (MAKE, "make", "VP-t", "match", "same", "same (within its spine)", "same"),
        (MAKE, "make", "VP-aux", "match", "same", "-", "same"),
        (MAKE, "make", "S-vp", "match", "same", "same (ROOT)", "same"),
        # "trip has a match for the regex NP-t, but a recall error for NP-modr";
        # "NP-t in etree #a5 is considered as having the attachment to #a3"
        (TRIP, "trip", "NP-t", "match", "same", "same (make)", "same"),
        (TRIP, "trip", "NP-modr", "recall error", "3-7", "", ""),
        # "while to is a match for PP-t, its attachment is not"
        (TO, "to", "PP-t", "match", "same", "gold trip, parsed make", "same"),
        (FLORIDA, "Florida", "NP-t", "match", "same", "same (to)", "same"),
    ]


def test_derive_shows_the_elementary_trees(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (sentence,) = run_json(capsys, "derive", *files, "--style", "json")

    def spines(side: str) -> list[tuple[str, str, int | None, str | None]]:
        return [
            (one["word"], " ".join(one["constructions"]), one["governor"], one["at"])
            for one in sentence[side]
        ]

    gold = [
        ("They", "NP-t", MAKE, "S-vp"),
        ("will", "", MAKE, "VP-aux"),
        ("make", "VP-t VP-aux S-vp", None, None),
        ("a", "", TRIP, "NP-t"),
        ("trip", "NP-t NP-modr", MAKE, "VP-t"),
        ("to", "PP-t", TRIP, "NP-modr"),  # "#a6 points to the NP-modr regex"
        ("Florida", "NP-t", TO, "PP-t"),
    ]
    parsed = list(gold)
    # "#b5 and #b6 both pointing to the VP-t regex in #b3"
    parsed[TRIP] = ("trip", "NP-t", MAKE, "VP-t")
    parsed[TO] = ("to", "PP-t", MAKE, "VP-t")
    assert spines("gold") == gold
    assert spines("parsed") == parsed


def test_derive_marks_what_differs(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["derive", *files, "--width", "120", "--color", "never"]) == 0
    out = capsys.readouterr().out
    marked = re.findall(r"\*([^*\n]+)\*", out)
    assert marked == ["NP-t NP-modr @VP-t", "NP-t @VP-t", "PP-t @NP-modr", "PP-t @VP-t"]
    assert "2 spines only in gold, 2 only in parsed" in out


def test_errors_are_the_two_that_there_are(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = run_json(capsys, "errors", *files, "--format", "json")
    assert found["total"] == 2
    missed, attached = found["errors"]
    assert (missed["kind"], missed["construction"]) == ("head-missed", "NP-modr")
    assert (missed["word"], missed["position"]) == ("trip", TRIP)
    assert missed["parsed"] is None
    assert (missed["gold"]["first"], missed["gold"]["last"]) == (A, FLORIDA + 1)
    assert (attached["kind"], attached["construction"]) == ("attachment", "PP-t")
    assert attached["word"] == "to"
    assert [attached[side]["governor"] for side in ("gold", "parsed")] == [
        "trip",
        "make",
    ]


@pytest.mark.parametrize("kind", ["span", "span-right", "head-spurious"])
def test_there_are_no_others(
    files: list[str], capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    found = run_json(capsys, "errors", *files, "--kind", kind, "--format", "json")
    assert (found["total"], found["errors"]) == (0, [])
