"""Punctuation that patterns may name: seen by those, invisible to all others."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from analyzer import (
    Inventory,
    load_inventory,
    parse_inventory,
    read_trees,
    score,
)
from analyzer.constructions.inventory import Child, Mark
from analyzer.constructions.language import inventory_names
from analyzer.derivation.deriver import derive_alone
from analyzer.derivation.syntax import syntax_deriver
from analyzer.exceptions import PatternError
from tests.support.data_paths import ROOT

LISTS = parse_inventory(
    """
    mark COMMA = ','
    mark ENDING = '.' | ':'
    NP-list: (head:TAG) COMMA TAG+
    NP-t: (?!TAG COMMA) TAG* (head:TAG)
    S-ended: NP (head:VP) ENDING
    S-open: NP (head:VP) (?!ENDING)
    VP-t: (head:TAG) NP*
    """,
    name="lists",
)


def named(inventory: Inventory, production: str) -> list[tuple[str, int]]:
    parent, _, labels = production.partition(" -> ")
    children, marks = inventory.apart(labels.split())
    found = inventory.matches(parent, inventory.children(children), marks)
    return [(pattern.name, head) for pattern, head in found]


@pytest.mark.parametrize(
    ("production", "expected"),
    [
        ("NP -> NNP , NNP", [("NP-list", 0)]),
        (
            "NP -> NNP , NNP , NNP",
            [("NP-list", 0)],
        ),  # those it does not name are passed
        ("NP -> NNP NNP", [("NP-t", 1)]),
        ("NP -> NNP NNP ,", [("NP-t", 1)]),
        ("NP -> , NNP NNP", [("NP-t", 1)]),
        ("NP -> NNP : , NNP", [("NP-list", 0)]),  # marks at one place, in any order
        ("NP -> NNP , : NNP", [("NP-list", 0)]),
        ("S -> NP VP .", [("S-ended", 1)]),
        ("S -> NP VP", [("S-open", 1)]),
        ("S -> NP , VP", [("S-open", 1)]),
        ("VP -> VB , NP .", [("VP-t", 0)]),  # names no mark: sees none
    ],
)
def test_a_mark_stands_between_children(
    production: str, expected: list[tuple[str, int]]
) -> None:
    assert named(LISTS, production) == expected


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("mark M = NN\nNP-t: (head:TAG)", 1, 10, "'NN' is no punctuation of the Penn"),
        ("mark M = TAG\nNP-t: (head:TAG)", 1, 10, "'TAG' is no punctuation"),
        ("mark NP = ','\nNP-t: (head:TAG)", 1, 6, "would hide the label NP"),
        ("mark M = ','\nmark M = '.'", 2, 6, "M is defined twice"),
        ("mark M = ','\nclass M = NN", 2, 7, "M is defined twice"),
        ("mark M = ','\nNP-t: (head:M)", 2, 13, "is a punctuation mark"),
        ("mark M = ','\nclass C = M | NN", 2, 11, "is a punctuation mark"),
    ],
)
def test_what_is_no_mark(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(PatternError, match=re.escape(message)) as caught:
        parse_inventory(text, source="mine.pat")
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.column) == (line, column)


COMMAS = """
(S (NP (NNP Bonn) (, ,) (NNP Rome)) (VP (VBD won)) (. .))
(S (NP (NNP Bonn) (NNP Rome)) (VP (VBD won)))
(S (NP (NNP Bonn) (PRN (, ,)) (TOP (NNP Rome) (, ,))) (, ,) (VP (VBD won)) (. .))
"""


def test_heads_of_trees() -> None:
    """Also where the comma stands in a bracket that is deleted with it."""
    deriver = syntax_deriver(patterns=LISTS)
    derivation = derive_alone(read_trees(COMMAS), deriver)
    names = [deriver.constructions[one] for one in derivation.construction.tolist()]
    assert " ".join(names) == (
        "S-ended NP-list VP-t S-open NP-t VP-t S-ended NP-list VP-t"
    )
    assert derivation.head.tolist() == [2, 0, 2, 5, 4, 5, 8, 6, 8]
    written = {str(one) for one in deriver.labeller.productions if one.marks}
    assert written == {
        *("NP -> NNP , NNP", "NP -> NNP , NNP ,"),
        *("S -> NP VP .", "S -> NP , VP ."),
    }


def test_marks_that_change_nothing_make_no_production() -> None:
    deriver = syntax_deriver(patterns=LISTS)
    trees = "\n".join(f"(S (NP (NN a) (NN b){' (, ,)' * n}))" for n in range(5))
    derivation = derive_alone(read_trees(trees), deriver)
    assert np.unique(derivation.production).size == 2
    assert len(deriver.labeller.productions) == 2


def test_brackets_and_words_are_those_without_marks() -> None:
    """Whatever patterns see, evalb's scores and the number of brackets stay."""
    gold = ROOT / "examples/news.gold.mrg"
    parsed = ROOT / "examples/news.chart.mrg"
    text = load_inventory("english").text
    blind = text.replace("mark COMMA = ','", "mark COMMA = 'NFP'")  # stays a word
    with_marks = score(gold, parsed)
    without = score(gold, parsed, patterns=parse_inventory(blind, name="blind"))
    assert with_marks.total.gold == without.total.gold
    assert with_marks.total.parsed == without.total.parsed
    assert with_marks.tally.evalb == without.tally.evalb


def some_marked(
    inventory: Inventory, count: int
) -> list[tuple[str, list[Child], list[Mark]]]:
    """Productions at random, of labels whose patterns see marks."""
    chance, labels = random.Random(11), inventory.labels
    leaves = [Child(label, True) for label in sorted(labels.tag)]
    phrases = [Child(label, False) for label in sorted(inventory.nonterminals)]
    found = []
    for _ in range(count):
        parent = chance.choice(sorted(inventory.seeing))
        joined = [Child(one, True) for one in labels.conjunction]
        pool = [*chance.sample(leaves, 3), *chance.sample(phrases, 2), *joined]
        pool.append(Child(parent, False))
        children = chance.choices(pool, k=chance.randint(1, 6))
        places = chance.choices(range(len(children) + 1), k=chance.randint(0, 3))
        marks = [Mark(at, chance.choice(inventory.marks)) for at in sorted(places)]
        found.append((parent, children, marks))
    return found


@pytest.mark.parametrize("name", inventory_names())
def test_no_production_of_ours_has_two_constructions_whatever_its_marks(
    name: str,
) -> None:
    inventory = load_inventory(name)
    productions = some_marked(inventory, 4000) if inventory.seeing else []
    for parent, children, marks in productions:
        found = inventory.matches(parent, children, marks)
        assert len(found) <= 1, (parent, children, marks)
        for pattern, head in found:
            is_own = children[head] == Child(parent, is_leaf=False)
            assert is_own == pattern.is_recursive


def test_patterns_that_see_marks_end_on_long_productions() -> None:
    inventory = load_inventory("english")
    for parent, children, _ in some_marked(inventory, 40):
        repeated = (children * 100)[:100]
        marks = [Mark(at, ",") for at in range(101)]
        for _, head in inventory.matches(parent, repeated, marks):
            assert 0 <= head < 100


@pytest.mark.parametrize(
    ("production", "construction", "head"),
    [
        ("NP -> NNP , NNP CC NNP", "NP-crdt", 0),
        ("NP -> DT NN , NN , NN CC NN", "NP-crdt", 1),
        ("NP -> NNP , NNP , CC NNP", "NP-crdt", 0),
        ("NP -> JJ , JJ CC JJ NN", "NP-crdt", 5),
        ("NP -> CC NN CC NN", "NP-crdt", 1),  # both X and Y
        ("NP -> NNP CD , CD", "NP-t", 1),
        ("NP -> NNP CD", "NP-t", 0),
        ("NP -> PRP$ NN NNP NNP", "NP-t", 1),
        ("NP -> $ CD", "NP-t", 0),
        ("QP -> CD TO CD", "QP-t", 0),
        ("SBAR -> IN CC RB S", "SBAR-s", 3),  # whether or not
        ("FRAG -> SBAR , WHNP", "FRAG-nt", 1),  # if so, which one
        ("S -> CC NP VP FW", "S-vp", 2),  # etc.
        ("NML -> NML PP", "NML-mod", 0),
        ("CAPTION -> S", "CAPTION-nt", 0),
    ],
)
def test_english_heads(production: str, construction: str, head: int) -> None:
    english = load_inventory("english")
    places = [i for i, one in enumerate(production.split()[2:]) if one == ","]
    head -= sum(at < head for at in places)  # marks are no children
    assert named(english, production) == [(construction, head)]


@pytest.mark.parametrize(
    ("inventory", "production", "construction", "head"),
    [
        ("french", "Srel -> PP NP", "Srel-nt", 1),  # dont trois
        ("historical", "IP -> NP ADJP PP", "IP-nt", 1),
        ("historical", "IP -> NP NP PP", "IP-nt", 1),
        ("historical", "IP -> NP PP", "IP-nt", 1),
        ("historical", "IP -> NP VBF NP", "IP-v", 1),
        ("historical", "IP -> NP HVF NP VBN", "IP-aux", 3),
        ("historical", "NP -> D H H", "NP-t", 1),
    ],
)
def test_heads_of_others(
    inventory: str, production: str, construction: str, head: int
) -> None:
    assert named(load_inventory(inventory), production) == [(construction, head)]


@pytest.mark.parametrize(
    ("parent", "children", "head"),
    [
        ("S", ["S", "VP", "FW"], 0),
        ("SBAR", ["IN", "NP", "VP", "FW"], 2),
        ("NP", ["CC", "NN", "-RRB-"], 1),
        ("NP", ["-LRB-", "-RRB-"], 1),
    ],
)
def test_default_heads(parent: str, children: list[str], head: int) -> None:
    english = load_inventory("english")
    assert english.default_head(parent, english.children(children)) == head
