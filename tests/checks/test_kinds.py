"""Each kind of finding: hand-made trees that have it, and trees that have not."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

import analyzer
from analyzer import parse_inventory, read_trees
from analyzer.checks.findings import TreeFinding
from analyzer.checks.run import check_treebank, chosen_codes
from analyzer.checks.word_stream import BOUNDARY, WordStream
from analyzer.derivation.syntax import syntax_deriver
from tests.support.data_paths import ROOT

GOOD = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))"


def corpus(*lines: str) -> WordStream:
    return WordStream.of([read_trees("\n".join(lines))])


def check(*lines: str, kind: str) -> list[TreeFinding]:
    deriver = syntax_deriver(patterns="english", params="collins")
    codes = chosen_codes([kind])
    return check_treebank(corpus(*lines), deriver, codes, least=0.0)[0]


# -- shape ---------------------------------------------------------------------------

SHAPES = {
    "S101": "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (ADVP )))",
    "S102": "(ROOT (S (NP (NP (NN cat))) (VP (VBD sat))))",
    "S103": "(ROOT (S (NPP (NN cat)) (VP (VBD sat))))",
    "S104": "(ROOT (S (NP (NNX cat)) (VP (VBD sat))))",
    "S105": "(ROOT (S (NP cat) (VP (VBD sat))))",
    "S106": "(ROOT (S (NP (NN (NN cat))) (VP (VBD sat))))",
    "S107": "(ROOT (S (ROOT (NP (NN cat))) (VP (VBD sat))))",
    "S108": "(S (NP (NN cat)) (VP (VBD sat)))",
    "S109": "(ROOT (S (NP (NN cat)) (VP (VBD sat)) (NN .)))",
}


@pytest.mark.parametrize("code", SHAPES)
def test_bad_shapes(code: str) -> None:
    found = check(GOOD, GOOD, SHAPES[code], kind="shape")
    assert {one.code for one in found} == {code}
    assert [one.line for one in found] == [3]


def test_labels_of_another_treebank_are_no_errors() -> None:
    """Each is one finding, and info; the result says whose labels they are."""
    tree = "(ROOT (SENT (NP (DET le) (NC chat)) (VN (V dort)) (PONCT .)))"
    french = analyzer.check("\n".join([tree] * 20))
    shapes = [one for one in french.findings if one.kind == "shape"]
    assert {one.level for one in shapes} == {"info"}
    named = [one.message.partition(" 20 times")[0] for one in shapes]
    assert {"unknown phrase label SENT", "unknown tag NC", ". is tagged PONCT"} <= {
        *named
    }
    assert len(set(named)) == len(named)
    assert 'French Treebank labels: patterns="french"' in french.notes[0]
    assert str(french.label_hint).split(":")[0] == french.notes[0].split(":")[0]


def test_function_tags_make_no_other_label() -> None:
    lines = [f"(ROOT (S (XP-SBJ-{n} (NN cat)) (VP (VBD sat))))" for n in range(1, 9)]
    found = check(*[GOOD] * 1000, *lines, kind="shape")
    assert [one.message for one in found] == [
        "unknown phrase label XP 8 times: the label set may lack it"
    ]
    assert found[0].level != "error"


def test_several_roots() -> None:
    found = check(GOOD, GOOD, "(ROOT (NN a)) (ROOT (NN b))", kind="shape")
    assert {one.code for one in found} <= {"S110"}


def test_good_shapes() -> None:
    assert check(GOOD, "(ROOT (NP (NN cat)))", kind="shape") == []
    # A treebank without wrappers misses none; a trace is no lack of words.
    assert check("(S (NP-SBJ-1 (-NONE- *)) (VP (VB go)))", kind="shape") == []


def test_a_word_under_a_punctuation_tag() -> None:
    found = check("(ROOT (NP (NN cat) (, dog)))", kind="shape")
    assert [one.code for one in found] == ["S109"]


def test_trees_that_cannot_be_read() -> None:
    with pytest.warns(UserWarning, match="could not be read"):
        found = check(GOOD, "(ROOT (NP", kind="shape")
    assert [one.code for one in found] == ["S100"]


# -- pattern ------------------------------------------------------------------------


def test_an_uncovered_production_and_its_nearest_pattern() -> None:
    bad = "(ROOT (S (NP (PRP I)) (VP (VBP do) (RB not) (VB know))))"
    good = "(ROOT (S (NP (PRP I)) (VP (VBP do) (RB not) (VP (VB know)))))"
    found = check(*[good] * 5, bad, kind="pattern")
    assert [one.code for one in found] == ["P201"]
    assert "relabel child 3, VB, as VP to fit VP-aux" in found[0].message
    assert [one.count for one in found[0].analyses] == [1, 5]
    assert found[0].line == 6


@pytest.mark.parametrize(
    ("bad", "edit"),
    [
        # One child less, another, one more: what was seen with each, and how often.
        ("(NP (DT the) (NN cat) (DT the))", "delete child 3, DT"),
        ("(NP (DT the) (RB cat))", "relabel child 2, RB, as NN"),
        ("(NP (DT the))", "insert NN as child 2"),
        ("(NP (RB cat))", "relabel child 1, RB, as PRP"),
    ],
)
def test_the_edit_leads_to_what_was_seen_most(bad: str, edit: str) -> None:
    """PRP was seen alone twice, DT NN three times; nothing else was."""
    labels = "NP-t: ^ (head:PRP) $\nNP-d: ^ DT (head:NN) $\nS-t: ^ (head:NP) $"
    deriver = syntax_deriver(patterns=parse_inventory(labels), params="collins")
    good = ["(S (NP (PRP I)))"] * 2 + ["(S (NP (DT the) (NN cat)))"] * 3
    stream = corpus(*good, f"(S {bad})")
    [found] = check_treebank(stream, deriver, ["P201", "P202"], least=0.0)[0]
    assert f": {edit} to fit NP-" in found.message
    seen = 2 if "PRP" in edit else 3
    assert [one.count for one in found.analyses] == [1, seen]
    assert found.confidence == pytest.approx(0.12 * (seen + 0.5) / (seen + 2))


def test_what_was_never_seen_fits_a_pattern_or_none() -> None:
    labels = "NP-d: ^ DT (head:NN) $\nS-t: ^ (head:NP) $"
    deriver = syntax_deriver(patterns=parse_inventory(labels), params="collins")
    odd = "(S (NP (DT a) (NN b) (NN c) (NN d)))"
    near, far = "(S (NP (DT a) (NN b) (RB c)))", odd
    found = check_treebank(corpus(near, far), deriver, ["P201", "P202"], least=0.0)[0]
    assert [(one.code, one.confidence) for one in found] == [
        ("P202", 0.05),
        ("P201", pytest.approx(0.12 * 0.5 / 2)),
    ]
    assert found[0].message.endswith("no pattern is one child away")
    assert "delete child 3, RB to fit NP-d" in found[1].message


def test_rare_productions_come_first() -> None:
    good = "(ROOT (S (NP (PRP I)) (VP (VBP do) (RB not) (VP (VB know)))))"
    often = "(ROOT (S (NP (PRP I)) (VP (VBP do) (RB not) (VB know))))"
    rare = "(ROOT (S (NP (PRP I)) (VP (VBP do) (VB know))))"
    found = check(*[good] * 9, *[often] * 4, rare, kind="pattern")
    assert len(found) == 2
    assert found[0].analyses[0].count < found[1].analyses[0].count


def test_covered_productions_are_no_findings() -> None:
    assert check(GOOD, kind="pattern") == []


# -- variation ------------------------------------------------------------------------

NESTED = (
    "(ROOT (S (NP (PRP I)) (VP (VBP see) (NP (NP (DT a) (NN man)) "
    "(PP (IN in) (NP (NNP Rome)))) (ADVP (RB now)))))"
)
FLAT = (
    "(ROOT (S (NP (PRP I)) (VP (VBP see) (NP (DT a) (NN man)) "
    "(PP (IN in) (NP (NNP Rome))) (ADVP (RB now)))))"
)


def test_bracketed_here_and_not_there() -> None:
    found = check(NESTED, NESTED, NESTED, FLAT, kind="variation")
    assert len(found) == 1
    assert found[0].code == "V302"
    assert found[0].words == "a man in Rome"
    assert found[0].message == "NP 3x, NIL 1x"
    assert (found[0].line, found[0].sentence) == (4, 4)


def test_labelled_differently() -> None:
    other = NESTED.replace("(ADVP (RB now))", "(NP (RB now))")
    found = check(NESTED, NESTED, other, kind="variation")
    assert [(one.code, one.words) for one in found] == [("V301", "now")]
    assert found[0].message == "ADVP 2x, NP 1x"


def test_function_tags_are_no_variation() -> None:
    other = NESTED.replace("(ADVP ", "(ADVP-TMP ")
    assert check(NESTED, other, kind="variation") == []


def test_context_is_required() -> None:
    """A nucleus between other words may well be another phrase."""
    one = "(ROOT (S (NP (PRP I)) (VP (VBP go) (ADVP (RB now)) (. .))))"
    other = "(ROOT (S (NP (PRP We)) (VP (VBP eat) (NP (RB now)) (: ;))))"
    assert check(one, other, kind="variation") == []


def test_overlapping_nuclei_are_merged() -> None:
    """A sentence that differs as a whole and in a part is one finding."""
    other = NESTED.replace("(PP (IN in) (NP (NNP Rome)))", "(IN in) (NP (NNP Rome))")
    found = check(NESTED, NESTED, other, kind="variation")
    assert len(found) == 1


def test_traces_do_not_part_words() -> None:
    with_trace = NESTED.replace("(VBP see)", "(VBP see) (NP (-NONE- *T*))")
    assert check(NESTED, with_trace, kind="variation") == []


# -- derivation -----------------------------------------------------------------------


def test_fragments_that_differ_inside() -> None:
    """ADVP inside or outside of the PP: the words are a VP in both."""
    inside = "(ROOT (VP (VB go) (PP (ADVP (RB right)) (IN to) (NP (NNP Rome))) (. !)))"
    outside = "(ROOT (VP (VB go) (ADVP (RB right)) (PP (IN to) (NP (NNP Rome))) (. !)))"
    found = check(inside, inside, inside, outside, kind="derivation")
    internal = [one for one in found if one.code == "D401"]
    assert internal
    assert internal[0].line == 4
    assert "ADVP-t@PP-t" in internal[0].group


def test_one_decision_settles_a_group() -> None:
    """Other words, the same pair of fragments: the same group."""
    inside = "(ROOT (VP (VB go) (PP (ADVP (RB right)) (IN to) (NP (NNP Rome))) (. !)))"
    outside = "(ROOT (VP (VB go) (ADVP (RB right)) (PP (IN to) (NP (NNP Rome))) (. !)))"
    words = {"go": "run", "right": "straight", "Rome": "Paris"}

    def in_other_words(tree: str) -> str:
        for word, other in words.items():
            tree = tree.replace(f" {word})", f" {other})")
        return tree

    trees = [inside, inside, outside]
    found = check(*trees, *map(in_other_words, trees), kind="derivation")
    internal = [one for one in found if one.code == "D401"]
    assert len(internal) == 2
    assert len({one.group for one in internal}) == 1


def test_equal_trees_have_equal_fragments() -> None:
    assert check(NESTED, NESTED, GOOD, GOOD, kind="derivation") == []


# -- tag ------------------------------------------------------------------------------


def test_tags_that_vary() -> None:
    other = GOOD.replace("(NN cat)", "(NNP cat)")
    found = check(GOOD, GOOD, other, kind="tag")
    assert [(one.code, one.words, one.line) for one in found] == [("T501", "cat", 3)]
    assert found[0].message == "NN 2x, NNP 1x"
    assert check(GOOD, GOOD, kind="tag") == []


def test_more_agreement_is_surer() -> None:
    other = GOOD.replace("(NN cat)", "(NNP cat)")
    few = check(*[GOOD] * 2, other, kind="tag")[0].confidence
    many = check(*[GOOD] * 20, other, kind="tag")[0].confidence
    assert many > few


# -- repeats --------------------------------------------------------------------------


def test_repeats_are_those_of_a_plain_count() -> None:
    """A naive twin of the hashed n-grams, on real text."""
    trees = read_trees(str(ROOT / "examples" / "web.gold.mrg"))
    given = WordStream.of([trees])
    counts: dict[int, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for tree in trees:
        words = [
            "<",
            *(leaf.form or "" for leaf in tree.leaves if leaf.label != "-NONE-"),
            ">",
        ]
        for size in range(1, len(words) - 1):
            for at in range(len(words) - size - 1):
                counts[size][tuple(words[at : at + size + 2])] += 1
    expected = {
        size: (sum(v for v in c.values() if v > 1), sum(v > 1 for v in c.values()))
        for size, c in counts.items()
        if any(v > 1 for v in c.values())
    }
    found = {
        one.length: (one.at.size, int(one.group.max()) + 1) for one in given.repeats()
    }
    assert found == expected
    assert int(given.stream[0]) == BOUNDARY


def test_only_trees_that_cannot_be_read() -> None:
    for kind in ("shape", "pattern", "variation", "derivation", "tag"):
        with pytest.warns(UserWarning, match="could not be read"):
            found = check("(ROOT (NP", kind=kind)
        assert [one.code for one in found] == ["S100"] * (kind == "shape")


def test_no_trees_and_no_phrases() -> None:
    for kind in ("shape", "pattern", "variation", "derivation", "tag"):
        assert check("(NN a)", "(NN a)", kind=kind) == []
