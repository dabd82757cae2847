"""Trees drawn in text: exact drawings, odd trees, deep trees, colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer import derive
from analyzer.exceptions import SettingsError
from analyzer.model.tree import Tree
from analyzer.model.treebank import TreebankBuilder
from analyzer.safe_text import display_width
from reports.drawing import tree_text
from reports.drawing.outline import derivation_outline, outline
from reports.drawing.tree_text import brackets
from tests.support.cost import calls
from tests.support.trees_to_draw import (
    CAT,
    LEVELS,
    leaf_tree,
    right_branching,
    tree_of,
    trees,
    unary_chain,
)

ANSI = re.compile(r"\x1b\[[0-9;]*m")


VP_ROW, LAST_NP_ROW = 4, 8


def drawing_of(text: str) -> str:
    """A drawing as it stands in a test, without the indentation there."""
    return dedent(text).strip("\n")


def draw(tree: Tree, *, marks: Collection[int] = (), **options: Any) -> str:
    return tree_text.draw(outline(tree, marks=marks), **options)


def side_by_side(
    gold: Tree,
    parsed: Tree,
    *,
    gold_marks: Collection[int] = (),
    parsed_marks: Collection[int] = (),
    **options: Any,
) -> str:
    both = outline(gold, marks=gold_marks), outline(parsed, marks=parsed_marks)
    return tree_text.side_by_side(*both, **options)


# -- draw -----------------------------------------------------------------------------


def test_from_the_top_down() -> None:
    assert draw(CAT) == drawing_of("""
                S
           ┌────┴─────┐
           NP         VP
         ┌─┴──┐    ┌──┴───┐
         │    │    │      PP
         │    │    │   ┌──┴───┐
         │    │    │   │      NP
         │    │    │   │    ┌─┴──┐
         DT   NN  VBD  IN   DT   NN
        the  cat  sat  on  the  mat
        """)


def test_three_children_meet_in_a_cross() -> None:
    assert draw(tree_of("(NP (DT a) (JJ big) (NN dog))")) == drawing_of("""
             NP
        ┌────┼────┐
        DT   JJ   NN
        a   big  dog
        """)


def test_sideways_when_too_wide() -> None:
    width = max(map(len, draw(CAT).splitlines()))
    assert draw(CAT, width=width) == draw(CAT)
    assert draw(CAT, width=width - 1) == drawing_of("""
        S
        ├─ NP
        │  ├─ DT the
        │  └─ NN cat
        └─ VP
           ├─ VBD sat
           └─ PP
              ├─ IN on
              └─ NP
                 ├─ DT the
                 └─ NN mat
        """)


def test_unary_chains() -> None:
    go = tree_of("(S (VP (VB go)))")
    assert draw(go) == "S\n│\nVP\n│\nVB\ngo"
    assert draw(go, width=1) == "S ─ VP ─ VB go"


def test_marks_without_colour() -> None:
    marks = [VP_ROW, LAST_NP_ROW]
    assert draw(CAT, marks=marks) == drawing_of("""
                S
           ┌────┴─────┐
           NP        *VP*
         ┌─┴──┐    ┌──┴───┐
         │    │    │      PP
         │    │    │   ┌──┴───┐
         │    │    │   │     *NP*
         │    │    │   │    ┌─┴──┐
         DT   NN  VBD  IN   DT   NN
        the  cat  sat  on  the  mat
        """)
    assert "└─ *VP*\n" in draw(CAT, marks=marks, width=20)


@pytest.mark.parametrize(
    ("name", "code"), [("red", 31), ("green", 32), ("yellow", 33), ("blue", 34)]
)
def test_marks_in_colour(name: str, code: int) -> None:
    for width in (None, 20):
        shown = draw(CAT, marks=[VP_ROW], width=width, color=True, mark_color=name)
        assert f"\x1b[1;{code}mVP\x1b[0m" in shown
        assert ANSI.sub("", shown) == draw(CAT, width=width)


def test_unknown_colour() -> None:
    with pytest.raises(SettingsError, match="choose from red, green, yellow, blue"):
        draw(CAT, mark_color="pink")


def test_marks_are_rows_of_the_bank() -> None:
    builder = TreebankBuilder()
    for _ in range(2):
        builder.open("NP")
        builder.leaf("NN", "cat")
        builder.close()
        builder.end_tree(line=1)
    first, second = builder.finish()
    assert "*" not in draw(first, marks=[2])
    assert draw(second, marks=[2], width=1) == "*NP* ─ NN cat"


def test_wide_characters_keep_their_columns() -> None:
    tree = tree_of("(S (NP (NN 我们)) (VP (VV 喜欢) (NP (NN 猫))))")
    assert draw(tree) == drawing_of(
        """
             S
         ┌───┴───┐
         NP      VP
         │     ┌─┴──┐
         │     │    NP
         │     │    │
         NN    VV   NN
        我们  喜欢  猫
        """
    )


@pytest.mark.parametrize(
    ("text", "columns"),
    [("", 0), ("cat", 3), ("猫", 2), ("ｶ", 1), ("\uff21", 2), ("e\u0301", 1), ("ก็", 1)],
)
def test_display_width(text: str, columns: int) -> None:
    assert display_width(text) == columns


def test_combining_characters_take_no_column() -> None:
    accented = draw(tree_of("(S (NN e\u0301te\u0301) (NN abc))"))
    assert accented.replace("\u0301", "") == draw(tree_of("(S (NN ete) (NN abc))"))


def test_no_tree() -> None:
    assert draw(tree_of("")) == "(no tree)"
    assert draw(tree_of(""), width=3) == "(no tree)"
    assert brackets(tree_of("")) == "(no tree)"


def test_several_roots() -> None:
    forest = tree_of("(S (NN a)) (X (NN b) (NN c)) (. .)")
    assert draw(forest) == drawing_of("""
        S       X
        │     ┌─┴─┐
        NN    NN  NN    .
        a     b   c     .
        """)
    assert draw(forest, width=3) == drawing_of("""
        S ─ NN a
        X
        ├─ NN b
        └─ NN c
        . .
        """)


def test_empty_labels_words_and_phrases() -> None:
    empty = tree_of("( (S (NP) (NN )))")
    assert draw(empty) == drawing_of("""
          ∅
          │
          S
        ┌─┴─┐
        NP  NN
            ∅
        """)
    assert draw(empty, width=2) == "∅ ─ S\n├─ NP\n└─ NN ∅"


def test_long_units_are_wrapped_but_words_never_cut() -> None:
    builder = TreebankBuilder()
    builder.open("contrast")
    builder.leaf("N", "but the company did not sell")
    builder.leaf("S", "x" * 40)
    builder.close()
    builder.end_tree(line=1)
    shown = draw(builder.finish()[0])
    assert "but the company did" in shown
    assert "not sell" in shown.splitlines()[-1]
    assert "x" * 40 in shown


def test_control_characters_are_neutralised() -> None:
    evil = leaf_tree("N\x1b[31mN", "a\nb\x9b2J\x07\u202e")
    for shown in (draw(evil), draw(evil, width=1), brackets(evil)):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)
    assert draw(evil, width=1) == "N\ufffd[31mN a\ufffdb\ufffd2J\ufffd\ufffd"


# -- side by side ---------------------------------------------------------------------

GOLD = tree_of("(VP (VB eat) (NP (NP (NN pizza)) (PP (IN with) (NN fork))))")
PARSED = tree_of("(VP (VB eat) (NP (NN pizza)) (PP (IN with) (NN fork)))")


def test_side_by_side_from_the_top_down() -> None:
    shown = side_by_side(GOLD, PARSED, gold_marks=[2, 3], parsed_marks=[2], width=50)
    assert shown == drawing_of("""
        gold                    │ parsed
        ────                    │ ──────
              VP                │        VP
         ┌────┴────┐            │  ┌─────┼────────┐
         │        *NP*          │  │    *NP*      PP
         │     ┌───┴────┐       │  │     │     ┌──┴──┐
         │    *NP*      PP      │  │     │     │     │
         │     │     ┌──┴──┐    │  │     │     │     │
         VB    NN    IN    NN   │  VB    NN    IN    NN
        eat  pizza  with  fork  │ eat  pizza  with  fork

        2 brackets only in gold, 1 only in parsed
        """)


def test_side_by_side_sideways() -> None:
    shown = side_by_side(GOLD, PARSED, gold_marks=[2], width=44, titles=("a", "b"))
    assert shown == drawing_of("""
        a                    │ b
        ─                    │ ─
        VP                   │ VP
        ├─ VB eat            │ ├─ VB eat
        └─ *NP*              │ ├─ NP ─ NN pizza
           ├─ NP ─ NN pizza  │ └─ PP
           └─ PP             │    ├─ IN with
              ├─ IN with     │    └─ NN fork
              └─ NN fork     │

        1 bracket only in a, 0 only in b
        """)


def test_one_above_the_other_when_narrow() -> None:
    shown = side_by_side(GOLD, PARSED, width=30)
    assert shown.startswith(f"gold\n────\n{draw(GOLD)}\n\nparsed\n──────\n")
    assert " │ parsed" not in shown


def test_side_by_side_colours() -> None:
    shown = side_by_side(GOLD, PARSED, gold_marks=[2], parsed_marks=[2], color=True)
    assert "\x1b[1;31mNP\x1b[0m" in shown
    assert "\x1b[1;33mNP\x1b[0m" in shown
    assert "\x1b[1;31m1 bracket only in gold\x1b[0m" in shown
    lines = ANSI.sub("", shown).splitlines()
    assert {line.index("│ ", 40) for line in lines[2:-3]} == {49}


def test_side_by_side_with_a_failed_parse() -> None:
    shown = side_by_side(GOLD, tree_of(""))
    assert "│ (no tree)" in shown
    assert "│ (no tree)" not in side_by_side(tree_of(""), tree_of(""), width=10)


# -- brackets -------------------------------------------------------------------------


def test_brackets_with_marks() -> None:
    marks = [VP_ROW, 9]
    assert brackets(CAT, marks=marks, indent=True) == drawing_of("""
        (S
          (NP (DT the) (NN cat))
          (*VP*
            (VBD sat)
            (PP
              (IN on)
              (NP (*DT* the) (NN mat)))))
        """)
    assert brackets(tree_of("( (NN a))"), marks=[0]) == "(*∅* (NN a))"


def test_brackets_in_colour() -> None:
    on, off = "\x1b[1;34m", "\x1b[0m"
    shown = brackets(
        tree_of("(S (NP (NN a)))"), marks=[1], color=True, mark_color="blue"
    )
    assert shown == f"(S {on}(NP{off} (NN a){on}){off})"


# -- any tree -------------------------------------------------------------------------


# Building the table of all characters can take longer than Hypothesis allows.
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(trees(), st.sampled_from([None, 1, 12, 40]))
def test_colour_changes_nothing_else(tree: Tree, width: int | None) -> None:
    plain = draw(tree, width=width)
    assert "\x1b" not in plain
    coloured = draw(tree, width=width, marks=tree.rows, color=True)
    assert ANSI.sub("", coloured) == plain
    assert "\x1b" not in draw(tree, width=width, marks=tree.rows)
    assert "\x1b" not in side_by_side(tree, tree, gold_marks=tree.rows)


@given(trees(st.text("abc猫", min_size=1, max_size=4)))
def test_all_words_are_drawn_in_order(tree: Tree) -> None:
    upright = draw(tree)
    if tree.words:
        assert upright.splitlines()[-1].split() == tree.words
    sideways = draw(tree, width=0)
    if tree:
        leaves = [line.split()[-1] for line in sideways.splitlines()]
        found = iter(leaves)
        assert all(word in found for word in tree.words)


@given(trees(st.text("abc猫", max_size=4)), st.integers(10, 80))
def test_a_gutter_keeps_its_column(tree: Tree, width: int) -> None:
    lines = side_by_side(tree, tree, width=width).splitlines()
    if "│ parsed" in lines[0]:
        columns = {display_width(line.partition(" │")[0]) for line in lines[:2]}
        assert len(columns) == 1
        assert max(map(display_width, lines[:-1])) <= width


@given(trees(st.text("abc(猫 ", max_size=4)))
def test_brackets_agree_with_the_tree(tree: Tree) -> None:
    if tree:
        assert brackets(tree) == str(tree)
        assert brackets(tree, indent=True) == tree.indented()


# -- deep trees -----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("shape", [unary_chain, right_branching])
def test_cost_is_in_proportion_to_size(shape: Callable[[int], Tree]) -> None:
    one, two = shape(1_000), shape(2_000)
    for work in (draw, brackets, lambda tree: side_by_side(tree, tree)):
        assert calls(lambda work=work: work(two)) < 2.2 * calls(
            lambda work=work: work(one)
        )


@pytest.mark.slow
def test_deep_unary_chain() -> None:
    chain = unary_chain()
    middle = chain.rows[LEVELS // 2]
    assert "⋯ 19,981 more ⋯" in draw(chain)
    sideways = draw(chain, marks=[middle], width=20)
    assert sideways.count("\n") == 0
    assert "*⋯ 19,981 more, 1 marked ⋯*" in sideways
    assert len(draw(chain)) < 1_000
    assert "more" in side_by_side(chain, chain)
    assert brackets(chain).count("(") == LEVELS + 1
    assert max(map(len, brackets(chain, indent=True).splitlines()[:-1])) < 210


@pytest.mark.slow
def test_deep_right_branching_chain() -> None:
    deep = right_branching()
    lines = draw(deep).splitlines()
    assert max(map(len, lines)) < 350
    at = lines.index("[1] S")
    assert lines[at - 2].endswith("└─ S ⋯ see [1]")
    assert lines[at + 1] == "├─ IN that100"
    assert lines[-1].endswith("IN that19999")
    assert "that19999" in side_by_side(deep, deep)


def test_outlines_of_derivations() -> None:
    """A spine is a node; its word stands among the spines that attach to it."""
    tree = "(S (NP (PRP I)) (VP (VBP see) (NP (DT a) (NN cat))))"
    (spines,) = derive(tree).rows[0].sides
    drawing = derivation_outline(spines, {2, 3})
    assert tree_text.draw(drawing, width=1) == drawing_of("""
        VP-t S-vp
        ├─ NP-t @S-vp ─ PRP I
        ├─ VBP see
        └─ *NP-t @VP-t*
           ├─ *DT @NP-t* a
           └─ NN cat
    """)
    assert drawing.words == ["I", "see", "a", "cat"]
    assert drawing.marks == 2
