"""The inventory of English: well formed, quick, and what it covers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import (
    Labeller,
    load_inventory,
)
from analyzer.checks.inventory import (
    Usage,
    check_inventory,
    check_overlap,
)
from analyzer.constructions.inventory import Child, Pattern, as_text
from tests.support.data_paths import EXAMPLES, SYNTAX, needs_shared_data
from tests.support.examples import some
from tests.support.pattern_usage import listed, used

# -- English -------------------------------------------------------------------------

ENGLISH = load_inventory("english")
NONTERMINALS = listed(
    "S SBAR SBARQ SINV SQ ADJP ADVP CONJP FRAG INTJ LST NAC NML NP NX PP PRN PRT QP "
    "RRC UCP VP WHADJP WHADVP WHNP WHPP X EDITED META TYPO EMBED"
)
TABLE_2 = listed(
    "NP-t VP-t PP-t S-vp NP-modr VP-aux SBAR-s ADVP-t NML-t ADJP-t QP-t NP-crd VP-crd "
    "S-crd FRAG-nt"
)


def test_english_is_small_and_well_formed() -> None:
    assert len(ENGLISH.patterns) <= 76
    assert [*check_inventory(ENGLISH)] == []  # examples hold, no mixed heads
    assert [*ENGLISH.failed_examples()] == []
    assert not [p.name for p in ENGLISH.patterns if p.is_mixed(ENGLISH.labels)]


def test_english_handles_every_nonterminal() -> None:
    assert set(ENGLISH.nonterminals) >= set(NONTERMINALS)


def test_english_has_the_names_of_table_2() -> None:
    names = {pattern.name: pattern for pattern in ENGLISH.patterns}
    assert names.keys() >= set(TABLE_2)
    assert names.keys() & {"SQ-vp", "SQ-v"}
    # "-" in the column att of the paper's Table 2
    recursive = {"NP-modr", "VP-aux", "NP-crd", "VP-crd", "S-crd"}
    assert {name for name in TABLE_2 if names[name].is_recursive} == recursive


@pytest.mark.parametrize("pattern", ENGLISH.patterns, ids=lambda p: p.name)
def test_english_patterns_are_explained_by_examples(pattern: Pattern) -> None:
    assert len(pattern.comment) > 20
    own = [one for one in pattern.examples if one.parent == pattern.nonterminal]
    assert {one.is_positive for one in own} == {True, False}


@pytest.mark.parametrize("pattern", ENGLISH.patterns, ids=lambda p: p.name)
def test_english_patterns_end_on_long_productions(pattern: Pattern) -> None:
    """No pattern tries all ways to divide the children: 2 ** 100 would never end."""
    length = 100
    tags = [Child(label, True) for label in ("NN", "DT", "CC", "POS", "VB", "RB", "JJ")]
    phrases = [
        Child(label, False)
        for label in ("NP", "PP", "ADVP", "NML", "QP", "S", pattern.nonterminal)
    ]
    productions = [
        [child] * (length - 1) + [end]
        for child in (*tags, *phrases)
        for end in (child, *tags[2:4])
    ]
    productions.append([*tags, *phrases] * (length // 14) + [Child("-RRB-", True)] * 4)
    for children in productions:
        head = pattern.head_in(as_text(children))
        assert head is None or 0 <= head < len(children)


def _random_children() -> st.SearchStrategy[list[Child]]:
    labels = sorted(ENGLISH.labels.known - set(NONTERMINALS))
    child = st.builds(Child, st.sampled_from(labels), st.just(True)) | st.builds(
        Child, st.sampled_from(NONTERMINALS), st.just(False)
    )
    return st.lists(child, min_size=1, max_size=7)


@settings(deadline=None, max_examples=some(60))
@given(st.sampled_from(NONTERMINALS), _random_children())
def test_english_heads_are_children_of_the_right_kind(
    parent: str, children: list[Child]
) -> None:
    """Whatever matches, a recursive construction is headed by its own nonterminal."""
    for pattern, at in ENGLISH.matches(parent, children):
        is_own = children[at] == Child(parent, is_leaf=False)
        assert is_own == pattern.is_recursive


# -- English on treebanks ------------------------------------------------------------


def english_usage(*paths: Path) -> tuple[Usage, Labeller]:
    return used(ENGLISH, *map(str, paths))


def coverage(usage: Usage) -> float:
    return 100 * (1 - usage.uncovered / usage.brackets)


WSJ = SYNTAX / "wsj_sample"
GUM = [*sorted((SYNTAX / "gold").glob("*")), *sorted((SYNTAX / "parsed").glob("*"))]


def _without_overlap(*paths: Path) -> Usage:
    usage, labeller = english_usage(*paths)
    assert [finding.message for finding in check_overlap(usage, labeller)] == []
    return usage


@pytest.mark.parametrize("genre", ["news", "web"])
def test_english_on_the_examples(genre: str) -> None:
    bar = 98.7 if genre == "news" else 97.6
    assert coverage(_without_overlap(EXAMPLES / f"{genre}.gold.mrg")) >= bar
    parsed = [EXAMPLES / f"{genre}.{parser}.mrg" for parser in ("chart", "greedy")]
    bar = 98.9 if genre == "news" else 97.6
    assert coverage(_without_overlap(*parsed)) >= bar


@needs_shared_data
def test_english_on_news() -> None:
    assert coverage(_without_overlap(WSJ / "wsj01.mrg")) >= 98.7
    parsed = [path for path in sorted(WSJ.glob("*.mrg")) if path.stem != "wsj01"]
    assert len(parsed) == 13
    assert coverage(_without_overlap(*parsed)) >= 98.9


@pytest.mark.slow
@needs_shared_data
@pytest.mark.parametrize("path", GUM, ids=lambda path: path.stem)
def test_english_on_web_and_speech(path: Path) -> None:
    assert coverage(_without_overlap(path)) >= 97.6


@needs_shared_data
def test_english_on_odds_and_ends() -> None:
    folders = [SYNTAX / "tricky", *(SYNTAX / "evalb_samples").glob("*")]
    for folder in folders:
        for path in sorted([*folder.glob("*.gld"), *folder.glob("*.tst")]):
            _without_overlap(path)
