"""The inventories of other treebanks: well formed, explained, quick; what they cover.

Each was written on one half of its corpus and is judged here on the other: the second
half of every Chinese domain, every other text or fold or line of the others.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from analyzer import Inventory, Treebank, load_inventory, read_trees
from analyzer.checks.inventory import check_inventory, check_overlap, usage_of
from analyzer.constructions.inventory import Child
from analyzer.derivation.syntax import syntax_deriver
from tests.support.data_paths import LANGUAGES, needs_languages

NAMES = ("chinese", "french", "german", "historical", "japanese")
PARSERS = ("bert_san", "charlstm_san", "inorder_bert")


def _some(inventory: Inventory, count: int, seed: int) -> list[tuple[str, list[Child]]]:
    """Productions at random, from the labels of the treebank."""
    labels, chance = inventory.labels, random.Random(seed)
    leaves = [Child(label, True) for label in sorted(labels.tag)]
    phrases = [Child(label, False) for label in sorted(inventory.nonterminals)]
    found = []
    for _ in range(count):
        parent = chance.choice(inventory.nonterminals)
        own = Child(parent, False)
        joined = Child(min(labels.conjunction), True)
        pool = [*chance.sample(leaves, 2), *chance.sample(phrases, 3), own, joined]
        length = chance.randint(1, 6)
        found.append((parent, [chance.choice(pool) for _ in range(length)]))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_inventories_are_well_formed_and_explained(name: str) -> None:
    inventory = load_inventory(name)
    assert [*check_inventory(inventory)] == []  # examples hold, no mixed heads
    labels = inventory.labels
    assert labels.phrase | labels.tag_phrase <= {*inventory.nonterminals}
    for pattern in inventory.patterns:
        assert len(pattern.comment) > 20, pattern.name
        own = [one for one in pattern.examples if one.parent == pattern.nonterminal]
        assert {one.is_positive for one in own} == {True, False}, pattern.name


@pytest.mark.parametrize("name", NAMES)
def test_no_production_has_two_constructions(name: str) -> None:
    inventory = load_inventory(name)
    for parent, children in _some(inventory, 4000, seed=7):
        found = [pattern.name for pattern, _ in inventory.matches(parent, children)]
        assert len(found) <= 1, (parent, children)
        for pattern, head in inventory.matches(parent, children):
            is_own = children[head] == Child(parent, is_leaf=False)
            assert is_own == pattern.is_recursive, (pattern.name, children)


@pytest.mark.parametrize("name", NAMES)
def test_patterns_end_on_long_productions(name: str) -> None:
    """No pattern tries all ways to divide the children: 2 ** 100 would never end."""
    inventory, length = load_inventory(name), 100
    for parent, children in _some(inventory, 40, seed=3):
        repeated = (children * length)[:length]
        for _, head in inventory.matches(parent, repeated):
            assert 0 <= head < length


# -- on treebanks ----------------------------------------------------------------------


def _halves(name: str, kind: str = "gold") -> list[Treebank]:
    """What the inventory was not written on."""
    labels = load_inventory(name).labels

    def read(path: Path) -> Treebank:
        return read_trees(str(path), treebank=labels)

    if name == "chinese":
        files = sorted((LANGUAGES / name).glob(f"*.{kind}.mrg"))
        return [read(path)[150:] for path in files]
    if name == "french":
        lines = (LANGUAGES / "french/sequoia.odd.gold.mrg").read_text().splitlines()
        return [read_trees("\n".join(lines[1::2]), treebank=labels)]
    if name == "historical":
        folders = [LANGUAGES / "historical-english", LANGUAGES / "icelandic"]
        files = [file for each in folders for file in sorted(each.glob("*.psd"))[1::2]]
        faroese = [LANGUAGES / f"faroese/far_split{n}.{kind}.psd" for n in (1, 3)]
        return [read(path) for path in (files if kind == "gold" else []) + faroese]
    ending = "maz*.xml" if name == "german" else "*.psd"
    return [read(path) for path in sorted((LANGUAGES / name).glob(ending))[1::2]]


@cache
def _coverage(name: str, kind: str) -> float:
    deriver = syntax_deriver(patterns=name)
    usage = usage_of(_halves(name, kind), deriver)
    assert [one.message for one in check_overlap(usage, deriver.labeller)] == []
    return 100 * (1 - usage.uncovered / usage.brackets)


@pytest.mark.slow
@needs_languages
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_gold_is_covered(name: str) -> None:
    assert _coverage(name, "gold") >= 99.6


@needs_languages
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "parser"),
    [*product(["chinese"], PARSERS), *product(["historical"], ["e1", "ei0", "ice"])],
)
def test_parser_output_is_covered_as_gold_is(name: str, parser: str) -> None:
    assert abs(_coverage(name, parser) - _coverage(name, "gold")) < 0.5
