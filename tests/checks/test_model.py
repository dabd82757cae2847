"""The model of choices: what it doubts, and what it must not depend on."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer import check, read_trees
from analyzer.checks.leave_one_out import context, judged, numbered, pieces, verdict

SUBJECTS = (
    "cat",
    "dog",
    "man",
    "boy",
    "girl",
    "bird",
    "horse",
    "king",
    "queen",
    "child",
)
VERBS = ("saw", "fed", "met", "hit", "took")
LOW = (
    "(ROOT (S (NP (DT the) (NN {a})) (VP (VBD {v}) (NP (NP (DT a) (NN {b})) "
    "(PP (IN of) (NP (NNP Rome))))) (. .)))"
)
HIGH = (
    "(ROOT (S (NP (DT the) (NN {a})) (VP (VBD {v}) (NP (DT a) (NN {b})) "
    "(PP (IN of) (NP (NNP Rome)))) (. .)))"
)


def trees(pattern: str = LOW) -> list[str]:
    """Sentences of which no two have the same words between the same neighbours."""
    return [
        pattern.format(a=a, v=VERBS[(i + j) % 5], b=b)
        for i, a in enumerate(SUBJECTS)
        for j, b in enumerate(SUBJECTS)
    ]


def codes(lines: list[str], at: int) -> set[str]:
    found = check("\n".join(lines), kind=["model", "tag", "function"])
    assert found.stream is not None
    return {
        code
        for one in found.findings
        if one.suspects[0].tree == at and one.confidence > 0.05
        for code in (one.code, *one.codes)
    }


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("(NP (NP", "(NP (ADJP", "M604"),
        ("(NNP Rome)", "(JJ Rome)", "T502"),
        ("(PP (IN of) (NP (NNP Rome)))", "(PP (IN of) (NNP Rome))", "M602"),
    ],
)
def test_one_slip_among_many(old: str, new: str, code: str) -> None:
    lines = trees()
    lines[42] = lines[42].replace(old, new, 1)
    assert code in codes(lines, 42)
    assert codes(trees(), 42) == set()


def test_an_attachment_that_no_other_has() -> None:
    lines = trees()
    lines[42] = trees(HIGH)[42]
    found = check("\n".join(lines), kind=["model"]).findings[0]
    assert (found.code, found.suspects[0].tree) == ("M603", 42)
    assert found.edit is not None
    assert (found.edit.action, found.edit.label) == ("move", "NP")


def test_sisters_that_are_a_phrase_elsewhere() -> None:
    """A flat noun phrase and its modifier, where all others have a bracket."""
    lines = trees()
    lines[42] = trees(
        "(ROOT (S (NP (DT the) (NN {a})) (VP (VBD {v}) (NP (DT a) "
        "(NN {b}) (PP (IN of) (NP (NNP Rome))))) (. .)))"
    )[42]
    finding = check("\n".join(lines), select=["M605"]).findings[0]
    assert finding.suspects[0].tree == 42
    assert finding.words == "a man"
    assert finding.edit is not None
    assert (finding.edit.action, finding.edit.label) == ("add", "NP")
    assert check("\n".join(trees()), select=["M605"]).findings == []


def test_a_choice_is_not_judged_by_itself() -> None:
    """Alone in its context, a choice gets what the others have, not its own."""
    chosen = np.array([0] * 50 + [1])
    unique = context(np.arange(51))
    _, margin = verdict(numbered([[unique]]), chosen, 2)
    assert margin[-1] > 0


def test_pieces_of_choices_are_judged_as_the_whole() -> None:
    rng = np.random.default_rng(3)
    words, tags, chosen = rng.integers(0, 9, (3, 5000))
    contexts = [context(words), context(words, tags), context(np.arange(5000))]
    parts = [[one[some] for one in contexts] for some in pieces(np.arange(5000), 700)]
    whole, apart = (judged(numbered(one), chosen, 9) for one in ([contexts], parts))
    assert np.array_equal(whole, apart)


@pytest.mark.parametrize(
    ("old", "new", "code", "level"),
    [
        ("(NN cat)", "(NNP cat)", "T501", "warning"),
        ("(VP (VBD sat))", "(ADVP (VBD sat))", "V301", "warning"),
        ("(NP (DT the) (NN cat))", "(NP-SBJ (DT the) (NN cat))", "F701", "warning"),
    ],
)
def test_one_sentence_annotated_in_two_ways(
    old: str, new: str, code: str, level: str
) -> None:
    """One against one: which is wrong is not known, but one of them is."""
    one = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))"
    result = check(f"{one}\n{one.replace(old, new)}\n")
    found = [one for one in result.findings if one.code == code]
    assert [one.level for one in found] == [level]
    assert {place.tree for place in found[0].suspects} == {0, 1}
    assert result.has(level)


def test_children_and_grandparent_are_told_apart() -> None:
    """(NP PP) below PP is not (PP PP) below NP, though the labels are the same."""
    usual = "(S (PP (IN {0}) (NP (NP (NN a{0})) (PP (IN b{0}) (NP (NN c{0}))))))"
    other = "(S (NP (NN {0}) (PP (PP (IN a{0}) (NN d)) (PP (IN b{0}) (NN c)))))"
    lines = [usual.format(f"w{n}") for n in range(20)] + [other.format("w")]
    found = check("\n".join(lines), select=["M604"]).findings
    assert [one.message for one in found] == []


def test_the_same_words_attach_otherwise_elsewhere() -> None:
    """ "he met her at noon" five times; the last time, "at noon" is in the NP."""
    usual = (
        "(S (NP (PRP he)) (VP (VBD {0}) (NP (PRP her)) (PP (IN at) (NP (NN n{1})))))"
    )
    lines = [usual.format(f"v{n}", n % 3) for n in range(30)]
    odd = (
        "(S (NP (PRP he)) (VP (VBD w) (NP (NP (PRP her)) (PP (IN at) (NP (NN {})))))) "
    )
    known, unknown = (
        next(
            one.confidence
            for one in check("\n".join([*lines, odd.format(noun)])).findings
            if one.code == "M603"
        )
        for noun in ("n0", "other")
    )
    assert known > unknown


def test_a_bracket_that_is_too_many_leaves_the_function_tag() -> None:
    good = "(S (NP-SBJ (DT the) (NN cat)) (VP (VBD sat)))"
    bad = "(S (NP-SBJ (NP (DT the) (NN cat))) (VP (VBD sat)))"
    text = "\n".join([good] * 4 + [bad])
    edit = next(one.edit for one in check(text).findings if one.code == "V301")
    assert edit is not None
    assert edit.action == "drop"
    assert read_trees(text).label_name(edit.row) == "NP"


@pytest.mark.parametrize("is_first", [True, False])
def test_of_two_ways_the_model_says_which_is_wrong(is_first: bool) -> None:
    """Once each; all other objects are noun phrases."""
    tree = "(S (NP (PRP I)) (VP (VBD saw) ({} (DT a) (NN {}))))"
    two = [tree.format("ADJP", "cat"), tree.format("NP", "cat")]
    lines = two if is_first else two[::-1]
    lines += [tree.format("NP", f"n{number}") for number in range(20)]
    found = next(one for one in check("\n".join(lines)).findings if one.code == "V301")
    assert [place.tree for place in found.suspects[:2]] == (
        [0, 1] if is_first else [1, 0]
    )
    assert found.edit is not None
    assert (found.edit.action, found.edit.label) == ("relabel", "NP")
    assert found.now == "ADJP"
