"""Heads beside dependencies: same, by convention, other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import PairingError, head_agreement, parse_inventory
from analyzer.checks.heads import (
    CONVENTIONS,
    OTHER,
    SAME,
    WordsOfTree,
    as_written,
    collins_head,
    collins_rules,
)
from analyzer.formats.reading import read_trees
from analyzer.formats.word_dependencies import DependentWord
from analyzer.transform.labels import default_labels
from tests.support.command import spinal
from tests.support.conllu import conllu
from tests.support.data_paths import SHARED, needs_shared_data
from tests.support.examples import some

TREES = """\
(S (NP (PRP She)) (VP (VBZ is) (ADJP (JJ late))) (. .))
(S (NP (NNS Cats)) (VP (VBP sleep) (PP (IN in) (NP (DT the) (NN house)))))
(S (NP (NNP Jane) (NNP Smith)) (VP (VBD left)))
"""


def dependencies(*, flat: str = "flat") -> str:
    return conllu(
        "She/_/PRP/3/nsubj is/_/VBZ/3/cop late/_/JJ/0/root ./_/./3/punct",
        "",
        "Cats/_/NNS/2/nsubj sleep/_/VBP/0/root",
        "in/_/IN/5/case the/_/DT/5/det house/_/NN/2/obl",
        "",
        f"Jane/_/NNP/3/nsubj Smith/_/NNP/1/{flat} left/_/VBD/0/root",
    )


def test_same_convention_and_other() -> None:
    result = head_agreement(TREES, dependencies=dependencies())
    # S, VP by copula; S, VP, PP by preposition, NP; S, NP by flat name.
    assert result.kinds == {SAME: 4, "copula": 2, "preposition": 1, "flat name": 1}
    assert result.total.constituents == 8
    assert result.total.agreement == 1
    assert result.total.same_share == 0.5
    other = head_agreement(TREES, dependencies=dependencies(flat="compound"))
    assert other.kinds[OTHER] == 1
    [difference] = other.differences
    assert (difference.ours, difference.theirs) == ("Smith", "Jane")
    assert difference.place.line == 3
    assert difference.tree == "(NP (NNP Jane) (NNP Smith))"
    assert other.rows[0].construction == "NP-t"
    assert other.rows[0].other == 1
    assert other.frame().loc["NP-t", "agreement"] == pytest.approx(0.5)


def test_only_what_has_one_word_outside_counts() -> None:
    tree = "(S (NP (NN a) (NN b)) (VP (VB c)))"
    two_outside = conllu("a/_/NN/3/x b/_/NN/3/y c/_/VB/0/root")
    result = head_agreement(tree, dependencies=two_outside)
    assert result.kinds == {SAME: 1}  # S; NP has two, VP is unary


def test_punctuation_is_no_head() -> None:
    tree = "(S (NP (NN a) (, ,)) (VP (VB c) (NP (NN d))))"
    words = conllu("a/_/NN/3/x ,/_/,/3/punct c/_/VB/0/root d/_/NN/3/obj")
    assert head_agreement(tree, dependencies=words).kinds == {SAME: 2}


def test_other_tokens_of_the_same_text() -> None:
    tree = "(S (NP (PRP we)) (VP (VBP ca) (RB n't) (VP (VB go))))"
    words = conllu("we/_/PRP/3/nsubj can't/_/MD/3/aux go/_/VB/0/root")
    result = head_agreement(tree, dependencies=words)
    assert result.kinds == {SAME: 2}
    french = "(SENT (VN (V va)) (PP (P+D du) (NP (NC pain))))"
    rows = ["1 va _ _ V _ 0 root _ _", "2-3 du _ _ _ _ _ _ _ _"]
    rows += [
        "2 de _ _ P _ 4 case _ _",
        "3 le _ _ D _ 4 det _ _",
        "4 pain _ _ N _ 1 x _ _",
    ]
    text = "\n".join("\t".join(row.split()) for row in rows) + "\n"
    result = head_agreement(french, dependencies=text, patterns="french")
    assert result.kinds == {SAME: 1, "preposition": 1}


def test_sentences_without_dependencies_are_counted_and_named() -> None:
    more = TREES + "(S (NP (NN Rain)) (VP (VBZ falls)))\n"
    result = head_agreement(more, dependencies=dependencies())
    assert (result.ledger.scored, result.ledger.gold) == (3, 4)
    assert "3 of 4 sentences" in result.notes[0]
    assert "sentence 4" in result.notes[1]
    with pytest.raises(PairingError, match="no sentence of the trees is in"):
        head_agreement("(S (NN x) (NN y))", dependencies=dependencies())


def test_joined_and_cut_words_are_compared_as_text() -> None:
    bank = read_trees(
        "(X (A parce_que) (B tungur$) (C $nar) (D flavor-LRB-s-RRB-) (E $))"
    )
    assert as_written(bank)[0].words == ["parceque", "tungur", "nar", "flavor(s)", "$"]


def test_conventions_may_be_chained() -> None:
    """because of rain: `of` is fixed to `because`, which is the case of `rain`."""
    words = [
        DependentWord(0, 2, "case"),
        DependentWord(1, 0, "fixed"),
        DependentWord(2, -1, "x"),
    ]
    tree = WordsOfTree(words, [0, 1, 2])
    assert tree.head(0, 3, [True] * 3) == 2
    assert tree.agreement(1, 2) == "preposition"
    assert tree.agreement(2, 2) == SAME
    broken = WordsOfTree([words[0], DependentWord(1, 0, "nmod"), words[2]], [0, 1, 2])
    assert broken.agreement(1, 2) == OTHER


@settings(max_examples=some(40))
@given(st.lists(st.integers(-1, 5), min_size=1, max_size=6), st.data())
def test_a_head_is_the_only_word_with_its_governor_outside(
    governors: list[int], data: st.DataObject
) -> None:
    size = len(governors)
    governors = [-1 if one >= size else one for one in governors]
    words = [DependentWord(at, one, "x") for at, one in enumerate(governors)]
    first = data.draw(st.integers(0, size - 1))
    last = data.draw(st.integers(first + 1, size))
    outside = [at for at in range(first, last) if not first <= governors[at] < last]
    found = WordsOfTree(words, list(range(size))).head(first, last, [True] * size)
    assert found == (outside[0] if len(outside) == 1 else None)


# -- Collins ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("production", "head"),
    [
        ("NP -> DT JJ NN", 2),
        ("NP -> NP PP", 0),
        ("NP -> NNP POS", 1),
        ("NP -> NP CC NP", 0),
        ("NP -> NN CC NN", 0),  # the last, and so what is before the conjunction
        ("NP -> DT CD", 1),
        ("NP -> DT DT", 1),
        ("VP -> MD VP", 0),
        ("VP -> TO VP", 0),
        ("S -> NP VP", 1),
        ("SBAR -> WHNP S", 0),
        ("SBAR -> IN S", 0),
        ("PP -> IN NP", 0),
        ("PP -> ADVP IN NP", 1),
        ("QP -> JJR IN CD", 1),
        ("ADVP -> RB RB", 1),
        ("XYZ -> A B", 1),
    ],
)
def test_collins(production: str, head: int) -> None:
    parent, _, children = production.partition(" -> ")
    assert collins_head(parent, children.split()) == head


def test_collins_names_only_labels_that_there_are() -> None:
    known = default_labels().known | {"NCD"}
    for parent, rules in collins_rules().items():
        assert {parent, *(label for rule in rules for label in rule.labels)} <= known


def test_collins_is_beside_penn_labels_only() -> None:
    assert head_agreement(TREES, dependencies=dependencies()).total.collins is not None
    own = parse_inventory("labels tiger\nS-t: ANY* (head:ANY)")
    assert (
        head_agreement(TREES, dependencies=dependencies(), patterns=own).collins is None
    )


def test_the_conventions_are_told_apart() -> None:
    relations = [one for row in CONVENTIONS for one in row.relations]
    assert len(relations) == len(set(relations))
    assert all(
        row.example.count("*") == row.example.count("_") == 2 for row in CONVENTIONS
    )


FREE = "(SBAR (WHNP (WP what)) (S (NP (PRP he)) (VP (VBD said))))"


@pytest.mark.parametrize(
    ("relation", "part_of_speech", "kind"),
    [
        ("acl:relcl", "PRON", "free relative"),
        ("advcl:relcl", "ADV", "free relative"),
        ("acl:relcl", "NOUN", OTHER),  # the day he came: a noun with a relative clause
        ("acl:relcl", "_", OTHER),  # nothing is known of the word
        ("acl", "PRON", OTHER),
        ("reparandum", "_", "repair"),
    ],
)
def test_free_relatives_and_repairs(
    relation: str, part_of_speech: str, kind: str
) -> None:
    words = conllu(f"what/_/WP/0/root he/_/PRP/3/nsubj said/_/VBD/1/{relation}")
    words = words.replace("what\t_\t_", f"what\t_\t{part_of_speech}")
    result = head_agreement(FREE, dependencies=words)
    assert result.counts["SBAR-s"] == {kind: 1}
    assert result.counts["S-vp"] == {SAME: 1}


def test_what_is_no_convention_ends_the_way_up() -> None:
    # `in`, by its preposition to `town`, and from there by no convention to `here`.
    words = [
        DependentWord(0, -1, "root"),
        DependentWord(1, 2, "case"),
        DependentWord(2, 0, "obl"),
    ]
    assert WordsOfTree(words, [0, 1, 2]).agreement(1, 0) == OTHER
    assert WordsOfTree(words, [0, 1, 2]).agreement(1, 2) == "preposition"


# -- the command, and real data --------------------------------------------------------


def test_the_command(tmp_path: Path) -> None:
    trees, words = tmp_path / "a.mrg", tmp_path / "a.conllu"
    trees.write_text(TREES)
    words.write_text(dependencies(flat="compound"))
    ran = spinal("patterns", "heads", trees, "--dependencies", words)
    assert ran.code == 0
    for told in (
        "same or convention",
        "Collins",
        "preposition",
        "Smith",
        "3 of 3 sent",
    ):
        assert told in ran.out
    data = json.loads(
        spinal(
            "patterns", "heads", trees, "--dependencies", words, "--format", "json"
        ).out
    )
    assert data["kinds"] == {"same": 4, "copula": 2, "preposition": 1, "other": 1}
    assert data["total"]["constituents"] == 8
    assert data["differences"][0]["ours"] == "Smith"
    csv = spinal(
        "patterns", "heads", trees, "--dependencies", words, "--format", "csv"
    ).out
    assert csv.splitlines()[0].startswith("construction,constituents,")
    assert spinal("patterns", "heads", trees).code == 2
    assert "--dependencies" in spinal("patterns", "heads", trees).err


@pytest.mark.slow
@needs_shared_data
def test_english_heads_agree_with_gum() -> None:
    gold = SHARED / "syntax" / "gold" / "dev.gold.mrg"
    result = head_agreement(gold, dependencies=SHARED / "rst_parser" / "dev" / "conllu")
    assert result.ledger.scored == result.ledger.gold == 1575
    assert result.total.agreement is not None
    assert result.total.collins is not None
    assert result.total.agreement > 0.97
    assert 0.95 < result.total.collins < result.total.agreement
