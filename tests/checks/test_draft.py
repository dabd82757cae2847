"""Drafts of inventories: what they cover of trees they have not seen, and heads."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import (
    DraftedInventory,
    check_patterns,
    draft_patterns,
    head_agreement,
    load_inventory,
    read_trees,
    score,
)
from analyzer.checks.draft import MOST_PATTERNS
from analyzer.checks.draft_heads import OWN, REST, A, Production, Ranking, ranked
from analyzer.constructions.inventory import Child
from analyzer.exceptions import InputError, SettingsError
from analyzer.model.treebank import Treebank
from analyzer.transform.labels import LabelSet
from analyzer.transform.pruning import some_trees
from tests.support.command import spinal
from tests.support.data_paths import SHARED, needs_shared_data
from tests.support.examples import some

RAW = LabelSet("raw", "", "raw")


def english(chance: random.Random) -> str:
    """A sentence of a small grammar, with function tags and punctuation."""

    def noun(depth: int = 0) -> str:
        words = f"(DT the) (NN cat{chance.randrange(50)})"
        kinds = [f"(NP {words})", f"(NP (DT a) (JJ old{chance.randrange(9)}) (NN dog))"]
        if depth < 2:
            kinds.append(f"(NP (NP {words}) (PP (IN in) {noun(depth + 1)}))")
            kinds.append(f"(NP (NP {words}) (CC and) (NP (NN rain)))")
        kinds += [f"(NP (PRP she{chance.randrange(4)}))"] * 2
        return chance.choice(kinds)

    subject = noun().replace("(NP ", "(NP-SBJ ", 1)
    verb = f"(VP (VBZ sees{chance.randrange(20)}) {noun()})"
    if chance.random() < 0.2:
        verb = f"(VP (MD can) {verb})"
    if chance.random() < 0.1:
        verb = f"(VP {verb} (CC or) (VP (VBZ goes{chance.randrange(9)})))"
    return f"(ROOT (S {subject} {verb} (. .)))"


def corpus(grammar: Callable[[random.Random], str], count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [grammar(chance) for _ in range(count)]


@pytest.fixture(scope="module")
def draft() -> DraftedInventory:
    return draft_patterns(corpus(english, 200, 1), name="small")


def test_a_draft_is_an_inventory_like_others(draft: DraftedInventory) -> None:
    assert draft.check.findings == []
    assert draft.check.coverage == 1
    unseen = check_patterns(corpus(english, 200, 2), patterns=draft.inventory)
    assert unseen.findings == []
    assert unseen.coverage is not None
    assert unseen.coverage >= 0.97
    names = {pattern.name for pattern in draft.inventory.patterns}
    assert {"NP-t", "NP-crd", "S-vp"} <= names
    for pattern in draft.inventory.patterns:
        assert len(pattern.comment) > 20, pattern.name
        assert any(one.is_positive for one in pattern.examples), pattern.name


def test_rules_of_thumb_are_named_and_sensible(draft: DraftedInventory) -> None:
    assert {row.heads for row in draft.rows} == {"rules of thumb"}
    assert draft.patterns_text.count("by rules of thumb") >= len(draft.rows)

    def head(production: str) -> str:
        parent, _, labels = production.partition(" -> ")
        children = draft.inventory.children(labels.split())
        [(_, at)] = draft.inventory.matches(parent, children)
        return labels.split()[at]

    assert head("NP -> DT JJ NN") == "NN"
    assert head("NP -> NP PP") == "NP"
    assert head("S -> NP VP") == "VP"
    assert head("PP -> IN NP") in ("IN", "NP")


def test_a_draft_is_written_once_and_used_by_score(
    draft: DraftedInventory, tmp_path: Path
) -> None:
    files = draft.save(tmp_path)
    assert [file.name for file in files] == ["small.labels", "small.pat"]
    with pytest.raises(InputError, match="exists already"):
        draft.save(tmp_path)
    loaded = load_inventory(str(tmp_path / "small.pat"))
    assert [one.source for one in loaded.patterns] == [
        one.source for one in draft.inventory.patterns
    ]
    trees = corpus(english, 30, 5)
    result = score(trees, trees, patterns=loaded)
    assert result.total.f_s == 1


def test_names_that_cannot_name_a_file_of_labels() -> None:
    with pytest.raises(SettingsError, match="cannot name an inventory"):
        draft_patterns("(S (N a) (V b))", name="a b")
    with pytest.raises(InputError, match="no trees"):
        draft_patterns("(S )")


def test_the_treebanks_own_marks() -> None:
    """The first of two nouns is marked: no rule of thumb would take it."""
    trees = [
        f"(S (NP-SB (N-HD a{n}) (N-NK b{n}) (N-NK c)) (V-HD d{n})"
        " (NP-OA (N-HD e) (N-NK f)))"
        for n in range(60)
    ]
    draft = draft_patterns(trees, name="marked")
    by_label = {row.label: row for row in draft.rows}
    assert by_label["NP"].heads == "the treebank's own marks"
    assert by_label["NP"].agreement == 1
    [(_, head)] = draft.inventory.matches("NP", draft.inventory.children(["N"] * 3))
    assert head == 0


def test_a_function_that_every_clause_has_once_on_a_word_marks_its_head() -> None:
    trees = [
        f"(STA+fcl (SUBJ+np (H+n a{n}) (N<+adj b)) (P+v-fin c{n}) (ACC+n d{n}))"
        for n in range(60)
    ]
    trees += [
        f"(STA+fcl (SUBJ+n e{n}) (P+v-fin c{n}) (ACC+np (H+n d{n}) (N<+adj b)))"
        for n in range(30)
    ]
    draft = draft_patterns(trees, name="predicators")
    assert {row.heads for row in draft.rows} == {"the treebank's own marks"}
    assert "own marks (P)" in draft.patterns_text
    children = draft.inventory.children(["n", "v-fin", "n"])
    [(_, head)] = draft.inventory.matches("fcl", children)
    assert head == 1


def test_dependencies_outdo_marks_and_thumb() -> None:
    trees, rows = [], []
    for n in range(60):
        trees.append(f"(S (NP (N-HD a{n}) (N b{n})) (VP (V c{n}) (NP (N d) (N e{n}))))")
        words = [f"a{n} 2 x", f"b{n} 3 nsubj", f"c{n} 0 root", "d 5 x", f"e{n} 3 obj"]
        for at, word in enumerate(words, start=1):
            form, head, relation = word.split()
            rows.append(f"{at}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_")
        rows.append("")
    text = "\n".join(rows) + "\n"
    draft = draft_patterns(trees[:30], name="d", dependencies=text)
    assert draft.sentences == (30, 30)
    assert {row.heads for row in draft.rows} == {"the dependencies"}
    unseen = head_agreement(trees[30:], dependencies=text, patterns=draft.inventory)
    assert unseen.total.same_share == 1


def test_a_head_by_convention_is_almost_as_good() -> None:
    """`V NP` is headed by the verb, though a third of the verbs are copulas."""
    own, verb, noun = Child("VP", False), Child("V", True), Child("NP", False)
    production = Production("VP", (verb, noun), 90)
    production.heads.update({0: 60, 1: 30})
    production.others.update({0: 30})
    ranking = ranked([production], own, frozenset(), 2)
    assert ranking.head((verb, noun)) == 0


# -- rankings --------------------------------------------------------------------------

N, V, D, NP, C = (
    *(Child(tag, True) for tag in "NVD"),
    Child("NP", False),
    Child("C", True),
)


def test_what_a_ranking_chooses() -> None:
    ranking = Ranking(NP, frozenset({C}), rank_of={N: A, V: REST})
    ranking.is_last = {(False, A): True, (False, OWN): False}
    assert ranking.head((D, N, N)) == 2
    assert ranking.head((NP, D)) == 0
    assert ranking.head((N, C, N)) == 0  # before the conjunction
    assert ranking.head((C, N)) == 1  # which does not join what it begins
    assert ranking.head((D, C, D, N)) == 3  # only modifiers are before it
    assert ranking.head((C,)) is None


children = st.lists(st.sampled_from([N, V, D, NP, C]), min_size=1, max_size=6)


@settings(max_examples=some(20), deadline=None)
@given(st.lists(st.tuples(children, st.integers(0, 5)), min_size=12, max_size=60))
def test_patterns_are_what_the_ranking_says(
    drawn: list[tuple[list[Child], int]],
) -> None:
    """Whatever the heads are, no production has two constructions."""
    trees = []
    for number, (some_children, _) in enumerate(drawn):
        inner = " ".join(
            f"({child.label} w{number})" if child.is_leaf else f"(NP (N w{number}))"
            for child in some_children
        )
        trees.append(f"(S (NP {inner}) (V is))")
    draft = draft_patterns(trees * 3, name="any")
    assert draft.check.findings == []
    assert len(draft.inventory.patterns) <= MOST_PATTERNS
    assert draft.check.coverage is not None
    assert draft.check.coverage > 0.9


# -- odd treebanks ---------------------------------------------------------------------


def flat(chance: random.Random) -> str:
    words = (f"({chance.choice('nvap')} w{chance.randrange(99)})" for _ in range(20))
    return f"(s {' '.join(words)} (punc .))"


def binary(chance: random.Random) -> str:
    tree = f"(xp (n a{chance.randrange(50)}))"
    for at in range(12):
        word = f"({chance.choice('vnp')} w{chance.randrange(50)})"
        tree = f"(xp@{at % 3} {word} {tree})"
    return tree


def digits(chance: random.Random) -> str:
    n = chance.randrange(40)
    return f"(1S (2NP (3D a) (3N b{n})) (_VP (v-x c{n})))"


def signs(chance: random.Random) -> str:
    n = chance.randrange(40)
    return f"(句 (名詞句 (名詞 犬{n}) (助詞 が)) (動詞 走る{n}))"


def reserved(chance: random.Random) -> str:
    """Labels that are words of the language of patterns."""
    n = chance.randrange(40)
    return f"(ANY (TAG (CONJ x{n}) (CONJ y)) (NT (AND z) (no (yes w{n}) (class a))))"


def both(chance: random.Random) -> str:
    """A label of words that is one of phrases, too."""
    n = chance.randrange(40)
    if n % 3:
        return f"(S (pp (p in) (n a{n})) (v sees))"
    return f"(S (pp there{n}) (v sees) (pp (p by) (pp here)))"


ODD = (flat, binary, digits, signs, reserved, both)


@pytest.mark.parametrize("grammar", ODD, ids=lambda grammar: grammar.__name__)
def test_odd_treebanks(grammar: Callable[[random.Random], str], tmp_path: Path) -> None:
    draft = draft_patterns(corpus(grammar, 150, 1), name="odd")
    assert draft.check.findings == []
    unseen = check_patterns(corpus(grammar, 150, 2), patterns=draft.inventory)
    assert unseen.findings == []
    assert unseen.coverage is not None
    assert unseen.coverage >= 0.97
    draft.save(tmp_path)
    assert load_inventory(str(tmp_path / "odd.pat")).patterns


# -- the command -----------------------------------------------------------------------


def test_the_command(tmp_path: Path) -> None:
    trees = tmp_path / "trees.mrg"
    trees.write_text("\n".join(corpus(english, 100, 1)))
    ran = spinal("patterns", "draft", trees, "-o", tmp_path / "mine")
    assert ran.code == 0
    assert "rules of thumb: look at them" in ran.out
    assert f"wrote {tmp_path / 'mine.labels'} and {tmp_path / 'mine.pat'}" in ran.out
    own = ("--patterns", tmp_path / "mine.pat")
    assert "100.00 %" in spinal("patterns", "check", *own, trees).out
    assert spinal("score", trees, trees, *own).code == 0
    again = spinal("patterns", "draft", trees, "-o", tmp_path / "mine")
    assert again.code == 2
    assert "exists already" in again.err
    ran = spinal("patterns", "draft", trees, "-o", tmp_path / "b", "--format", "json")
    data = json.loads(ran.out)
    assert data["coverage"]["brackets"] == data["coverage"]["covered"]
    assert {row["label"] for row in data["labels"]} == {"NP", "VP", "S", "PP"}
    assert spinal("patterns", "draft", trees).code == 2


# -- half of a treebank that the draft has not seen ------------------------------------


def _halves(*paths: Path) -> Iterator[Treebank]:
    bank = read_trees(paths, treebank=RAW)
    trees = np.flatnonzero(np.diff(bank.leaf_start) > 0)
    for half in (0, 1):
        yield some_trees(bank, trees[(trees // 20) % 2 == half])


TREEBANKS = {
    "gum": ("syntax/gold/*.gold.mrg",),
    "french": ("languages/french/*.gold.mrg",),
    "german": ("languages/german/maz-1*.xml",),
    "faroese": ("languages/faroese/*.gold.psd",),
    "japanese": ("languages/japanese/*.psd",),
    "chinese": ("languages/chinese/*.gold.mrg",),
    "yiddish": ("syntax_more/yiddish/1[5-7]*.psd.gz",),
    "craft": ("syntax_more/craft/*.tree",),
    "cgel": ("syntax_more/cgel/ewt-test_iaa50.adjudicated.cgel",),
}


@pytest.mark.slow
@needs_shared_data
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TREEBANKS)
def test_the_other_half_of_a_treebank_is_covered(name: str) -> None:
    found = chain.from_iterable(SHARED.glob(one) for one in TREEBANKS[name])
    seen, unseen = _halves(*sorted(found))
    draft = draft_patterns(seen, name=name)
    assert draft.check.findings == []
    assert len(draft.inventory.patterns) <= MOST_PATTERNS
    result = check_patterns(unseen, patterns=draft.inventory)
    assert result.findings == []
    assert result.coverage is not None
    assert result.coverage >= 0.97


@pytest.mark.slow
@needs_shared_data
def test_heads_of_the_other_half_agree_with_dependencies() -> None:
    seen, unseen = _halves(*sorted(SHARED.glob("syntax/gold/*.gold.mrg")))
    beside = [SHARED / "rst_parser" / part / "conllu" for part in ("train", "dev")]
    files = [file for folder in beside for file in sorted(folder.glob("*.conllu"))]
    draft = draft_patterns(seen, name="gum", dependencies=files)
    result = head_agreement(unseen, dependencies=files, patterns=draft.inventory)
    assert result.total.agreement is not None
    assert result.total.agreement >= 0.95
