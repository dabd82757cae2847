"""The search: hand-made pairs, and what holds for every pair."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from analyzer import (
    LeftOutWarning,
    SettingsError,
    Treebank,
    evalb,
    read_rst,
    read_trees,
    repairs,
)
from analyzer.analyses.repairs import Repairs
from analyzer.editing.mending import EditedTrees
from tests.support.cost import calls
from tests.support.edited_trees import tree_pairs
from tests.support.examples import some
from tests.support.naive_mending import kept_sentences
from tests.support.naive_repairs import naive_repairs, tree_of
from tests.support.strategies import Plain, one_line

# Pairs shrink slowly.
NO_SHRINK = (Phase.explicit, Phase.reuse, Phase.generate)


def found(gold: str, parsed: str, classifier: str = "kummerfeld") -> list[tuple]:
    result = repairs(gold, parsed, classifier=classifier, by_sentence=True)
    return [
        (one.edit.operation, one.error_type, one.edit.nodes)
        for one in result.sentences[0].repairs
    ]


HIGH = (
    "(ROOT (S (NP (PRP we)) (VP (VBD ate) "
    "(NP (NN fish)) (PP (IN with) (NP (NNS forks))))))"
)
LOW = (
    "(ROOT (S (NP (PRP we)) (VP (VBD ate) "
    "(NP (NP (NN fish)) (PP (IN with) (NP (NNS forks)))))))"
)


def test_attachment_by_one_bracket() -> None:
    assert found(HIGH, LOW) == [("remove", "PP Attachment", 1)]
    assert found(LOW, HIGH) == [("add", "PP Attachment", 1)]


def test_a_move_mends_all_brackets_between() -> None:
    """`on Monday` belongs to `said`; the parser puts it three brackets lower."""
    gold = (
        "(S (NP (PRP he)) (VP (VBD said) (SBAR (S (NP (PRP she)) (VP (VBD left))))"
        " (PP (IN on) (NP (NNP Monday)))))"
    )
    parsed = (
        "(S (NP (PRP he)) (VP (VBD said) (SBAR (S (NP (PRP she)) (VP (VBD left)"
        " (PP (IN on) (NP (NNP Monday))))))))"
    )
    assert found(gold, parsed) == [("move", "PP Attachment", 6)]


def test_moved_nodes_and_their_parents() -> None:
    gold = "(S (NP (DT a) (NN b)) (VP (VB c) (NN d) (RB e)))"
    parsed = "(S (NP (DT a) (NN b) (VB c)) (VP (NN d) (RB e)))"
    one = repairs(gold, parsed, by_sentence=True).sentences[0].repairs[0].edit
    assert (one.parent, one.new_parent, one.children) == ("NP", "VP", ("VB",))
    assert (one.first, one.last, one.nodes) == (2, 3, 4)


@pytest.mark.parametrize(
    ("gold", "parsed"),
    [
        ("(TOP (S (NN a) (NN b)))", "(ROOT (S (NN a) (NN b)))"),
        ("(S (NN a) (NN b))", "(ROOT (S (NN a) (NN b)))"),
        ("(ROOT (S (NN a) (NN b)))", "(S (NN a) (NN b))"),
        ("(TOP (S (NN a)) (S (NN b)))", "(ROOT (S (NN a)) (S (NN b)))"),
        ("(NN a)", "(ROOT (NN a))"),
        ("(ROOT (NN a))", "(NN a)"),
        ("(TOP (S (NN a)) (X (NN b)))", "(S (NN a) (NN b))"),
    ],
)
@pytest.mark.parametrize("classifier", ["kummerfeld", "spinal"])
def test_differing_roots_do_not_crash(gold: str, parsed: str, classifier: str) -> None:
    result = repairs(gold, parsed, classifier=classifier, by_sentence=True)
    one = result.sentences[0]
    assert one.status == "ok"
    assert sum(error.edit.nodes for error in one.repairs) == one.errors


def test_several_trees_on_a_line() -> None:
    """The reference takes the first; our classifier, as evalb, all of them."""
    gold, parsed = "(S (NN a)) (S (NN b))", "(S (NN a) (NN b))"
    with pytest.warns(LeftOutWarning, match="1 length mismatch"):
        repairs(gold, parsed)
    assert repairs(gold, parsed, classifier="spinal").total.nodes == 3


def test_of_several_trees_the_first_may_have_a_root_that_does_not_count() -> None:
    """It is no bracket, so what gold has across it can be added."""
    gold = "(S (VB a) (X (NN b) (NN c)))"
    parsed = "(. (VB a) (NN b)) (NN c)"
    assert [step[0] for step in found(gold, parsed, "spinal")] == ["add", "add"]


def test_our_classifier_mends_slips() -> None:
    gold = "(ROOT (S (X (NN a) (NN b)) (CC and) (NN c)))"
    parsed = "(ROOT (S (NN a) (NN b) (CC and) (NN c)))"
    assert found(gold, parsed) == [("add", "UNSET add", 1)]
    assert found(gold, parsed, "spinal") == [("add", "Co-ordination", 1)]


def test_words_must_be_equal_for_our_classifier_only() -> None:
    gold, parsed = "(S (NN a) (NN b))", "(S (NN x) (NN y))"
    assert not repairs(gold, parsed).left_out
    with pytest.warns(LeftOutWarning, match="1 word mismatch"):
        assert repairs(gold, parsed, classifier="spinal").ledger.scored == 0


def test_too_many_edits_are_named() -> None:
    words = [f"(NN w{at})" for at in range(101)]
    gold = f"(S {' '.join(f'(NP {word})' for word in words)})"
    parsed = f"(S {' '.join(words)})"
    with pytest.warns(LeftOutWarning, match="1 too many edits"):
        result = repairs(gold, parsed, by_sentence=True)
    assert "more than 100 edits" in str(result.left_out[0])
    assert result.total.errors == 0
    assert result.sentences[0].status == "no_path_found"


def test_names_the_construction() -> None:
    one = repairs(HIGH, LOW, classifier="spinal", by_sentence=True).sentences[0]
    assert one.repairs[0].touched == ("NP-modr", "fish", "VP")
    assert [tuple(error) for error in one.brackets] == [("NP-modr", False, 1)]


@pytest.mark.parametrize(
    "option", [{"parameters": "none"}, {"delete": ["X"]}, {"merge": {"NP-t": "PP-t"}}]
)
def test_settings_that_would_change_nothing_are_refused(option: dict) -> None:
    with pytest.raises(SettingsError, match="changes nothing here"):
        repairs(HIGH, LOW, **option)
    repairs(HIGH, LOW, keep_trees=True, **option)  # worth_of scores by them
    repairs(HIGH, LOW, classifier="spinal", **option)


def test_documents_and_words_that_differ_are_refused() -> None:
    documents = read_rst("(NS-Cause (1) (2))")
    with pytest.raises(SettingsError, match="for sentences"):
        repairs(documents, documents)
    with pytest.raises(SettingsError, match="skip or error"):
        repairs("(S (NN a))", "(S (NN a))", on_mismatch="zero")


def banks(pairs: list) -> tuple[Treebank, Treebank]:
    sides = [
        "".join(" ".join(map(one_line, pair[side])) + "\n" for pair in pairs)
        for side in (0, 1)
    ]
    first, second = (read_trees(text, keep_blank_lines=True) for text in sides)
    return first, second


def quietly(gold: Treebank, parsed: Treebank, classifier: str) -> Repairs:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return repairs(gold, parsed, classifier=classifier, keep_trees=True)


@settings(deadline=None, max_examples=some(60), phases=NO_SHRINK)
@given(tree_pairs())
def test_edits_mend_every_bracket_error_once(pairs: list) -> None:
    """And nothing else: with all errors mended, evalb finds no wrong bracket."""
    gold, parsed = banks(pairs)
    for classifier in ("kummerfeld", "spinal"):
        result = quietly(gold, parsed, classifier)
        kept = kept_sentences(result) if result.trees else []
        for one in result.sentences:
            if one.status != "ok":
                continue
            trees = kept[one.tree]
            assert sum(error.edit.nodes for error in one.repairs) == one.errors
            assert len(trees.extra) + len(trees.missing) == one.errors
            every_edit = range(len(one.repairs))
            made = EditedTrees(*result.kept_trees())
            mended = str(made.apply_edits([(one.tree, every_edit)])[0])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                after = evalb(trees.gold, mended, params="none").summary
            if classifier == "kummerfeld":
                assert after.matched == after.gold == after.test


@settings(deadline=None, max_examples=some(60), phases=NO_SHRINK)
@given(tree_pairs())
def test_errors_are_those_of_evalb(pairs: list) -> None:
    gold, parsed = banks(pairs)
    result = quietly(gold, parsed, "spinal")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = evalb(gold, parsed, by_sentence=True).sentences_frame()
    errors = (rows.gold + rows.test - 2 * rows.matched).tolist()
    scored = (rows.status == 0).tolist()
    for one, expected, is_scored in zip(result.sentences, errors, scored, strict=True):
        assert one.errors == (expected if is_scored else 0)


@pytest.mark.slow
def test_long_sentences_take_time_in_proportion() -> None:
    """Words twice as many, all brackets wrong: about twice as many calls, not four."""

    def work(words: int) -> None:
        tags = [f"(NN w{at})" for at in range(words)]
        gold = [f"(NP {tags[at]} {tags[at + 1]})" for at in range(0, words, 2)]
        wrong = [f"(NP {tags[at]} {tags[at + 1]})" for at in range(1, words - 1, 2)]
        parsed = f"(S {tags[0]} {' '.join(wrong)} {tags[-1]})"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            repairs(f"(S {' '.join(gold)})", parsed)

    work(2)  # what is loaded once
    assert calls(lambda: work(480)) < 3 * calls(lambda: work(240))


_FEW_LABELS = st.sampled_from(["NP", "NP", "VP", "S"])
_GROUPS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(1, 4), _FEW_LABELS), max_size=5
)


def over(words: int, groups: list) -> Plain:
    """A tree of phrases that all have words."""
    items: list[Plain] = [("NN", f"w{at}") for at in range(words)]
    for start, size, label in groups:
        at = start % len(items)
        items[at : at + size] = [(label, tuple(items[at : at + size]))]
    return ("ROOT", (("S", tuple(items)),))


@settings(deadline=None, max_examples=some(40), phases=NO_SHRINK)
@given(st.integers(2, 5), _GROUPS, _GROUPS)
@example(  # a move gains by a bracket that dissolves, and by one that it adds
    5,
    [(1, 2, "NP"), (2, 1, "NP"), (0, 3, "VP")],
    [(1, 2, "NP"), (2, 1, "NP"), (1, 2, "NP")],
)
def test_searches_as_the_definition_says(words: int, first: list, second: list) -> None:
    gold, parsed = over(words, first), over(words, second)
    expected = naive_repairs(tree_of(gold), tree_of(parsed))
    found = repairs(one_line(gold), one_line(parsed), by_sentence=True)
    assert [
        (one.edit.operation, one.edit.first, one.edit.last, one.edit.nodes)
        for one in found.sentences[0].repairs
    ] == [(*step[:3], gain) for step, gain in expected]
    assert [
        f"{one.edit.label} {one.edit.new_label}".strip() or " ".join(one.edit.children)
        for one in found.sentences[0].repairs
    ] == [step[3] for step, _ in expected]


# What the reference says of these pairs: (operation, type, brackets).
QUIRKS = [
    # A bracket left over a tag of its own label becomes that tag.
    (
        "(ROOT (X (NN a) (VP b) (VP (NP (NP c)) (NN d))))",
        "(ROOT (X (NN a) (VP b) (NP (NP c) (NN d))))",
        [("relabel", "Different label", 2), ("add", "Single Word Phrase", 1)],
    ),
    # What a bracket -NONE- holds is deleted; or nothing, if nothing would be left.
    (
        "(ROOT (-NONE- (NP-SBJ (. ;)) (-NONE- *)))",
        "(ROOT (-NONE- (. ;) (-NONE- *)))",
        [("add", "Single Word Phrase", 1)],
    ),
    # A line counts up to where its brackets are balanced.
    (
        "(ROOT (S (NP (NN a)) (NN b))) end",
        "(ROOT (S (NN a) (NN b)))) (S",
        [("add", "Single Word Phrase", 1)],
    ),
    (
        "(()) (ROOT (S (NP (NN a)) (NN b)))",
        "start (ROOT (S (NN a) (NN b)))",
        [("add", "Single Word Phrase", 1)],
    ),
]


@pytest.mark.parametrize(("gold", "parsed", "expected"), QUIRKS)
def test_quirks_of_the_reference(gold: str, parsed: str, expected: list) -> None:
    good = "(ROOT (S (NN a)))\n" * 3  # so that lines are seen to be trees
    result = repairs(good + gold, good + parsed, by_sentence=True)
    assert [
        (one.edit.operation, one.error_type, one.edit.nodes)
        for one in result.sentences[3].repairs
    ] == expected
