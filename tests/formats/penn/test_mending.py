"""Trees as language models write them, mended where that is certain."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from analyzer import TreeSyntaxError, read_trees
from analyzer.formats.penn import reader
from analyzer.formats.penn.generated import (
    Beyond,
    Mend,
    is_extraction,
    mend,
    read_answer,
)
from tests.support.examples import some
from tests.support.strategies import (
    Dialect,
    garbled_files,
    one_line,
    plain,
    trees,
)

TREE = b"(S (NP (PRP I)) (VP (VBP see)))"


@pytest.mark.parametrize(
    ("record", "mends"),
    [
        (b"```" + TREE + b"```", {Mend.FENCE}),
        (b"```lisp\n" + TREE + b"\n```", {Mend.FENCE}),
        (b"Here is the parse:\n" + TREE, {Mend.TEXT}),
        (b"1) " + TREE, {Mend.TEXT}),
        (b"Parse: " + TREE + b" Hope it helps :)", {Mend.TEXT}),
        (b"Parse: `" + TREE + b"`", {Mend.TEXT}),
        (b"**Tree:**\n```\n" + TREE + b"\n```\nDone.", {Mend.TEXT, Mend.FENCE}),
        (TREE[:-1], {Mend.MISSING}),
        (TREE[:-2], {Mend.MISSING}),
        (TREE + b")", {Mend.SURPLUS}),
        (TREE + b"\n))", {Mend.SURPLUS}),
        (
            b"```\n" + TREE[:-1] + b"\n```\nIt is.",
            {Mend.FENCE, Mend.TEXT, Mend.MISSING},
        ),
        (rb"\(S \(NP \(PRP I\)\) \(VP \(VBP see\)\)\)", {Mend.ESCAPES}),
        (rb"(S\n  (NP (PRP I))\n\t(VP (VBP see)))\n", {Mend.ESCAPES}),
        (rb"'(S\n  (NP (PRP I))\n  (VP (VBP see)))',", {Mend.ESCAPES}),
        (rb'"(S\n (NP (PRP I))\n (VP (VBP see)))"', {Mend.ESCAPES}),
        (rb'"(S\n (NP (PRP I)) (VP (VBP see))"', {Mend.ESCAPES, Mend.MISSING}),
        (b"Of two (or more) trees: " + TREE, {Mend.TEXT}),
        (b"Not (NP), nor (see below): " + TREE, {Mend.TEXT}),
        (b"<think>(X (Y y))</think>" + TREE, {Mend.REASONING}),
        (b"<think>\n(X</think>\n```\n" + TREE, {Mend.REASONING, Mend.FENCE}),
        (b"First " + TREE + b", again " + TREE, {Mend.TEXT}),
        (b"(A (B c)) is a draft.\n```\n" + TREE + b"\n```", {Mend.TEXT, Mend.FENCE}),
        (b"As in (X (Y of two or more)): " + TREE, {Mend.TEXT}),
        (b"`" + TREE[:-1] + b"`, I think", {Mend.TEXT, Mend.MISSING}),
        (b"[S [NP [PRP I]] [VP [VBP see]]]", {Mend.BRACKETS}),
        (
            b"So: {S {NP {PRP I}} {VP {VBP see}}",
            {Mend.BRACKETS, Mend.TEXT, Mend.MISSING},
        ),
        (b"(S (NP (PRP I)) (VP (VBP see))) :(", {Mend.TEXT}),
    ],
)
def test_certain_mends(record, mends):
    found = mend(record)
    assert found is not None
    assert (found.text, set(found.mends)) == (TREE, mends)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (rb"(NP (-LRB- \() (NN a))", b"(NP (-LRB- -LRB-) (NN a))"),
        (rb"(NP (-RRB- \)) (NN a))", b"(NP (-RRB- -RRB-) (NN a))"),
        (rb"(NP (NN f\(x\)))", b"(NP (NN f-LRB-x-RRB-))"),
        (rb'"(NP (`` \") (NN a))"', b'(NP (`` ") (NN a))'),
        (rb"'(NP (POS \'s) (NN a\\/b))'", rb"(NP (POS 's) (NN a\/b))"),
        (rb"(NP (NN 1\/2) (SYM \*)", rb"(NP (NN 1\/2) (SYM \*))"),
        ("(NP (NN été)".encode(), "(NP (NN été))".encode()),
        (b"(NP (HYPH ) (NN a)", b"(NP (HYPH ) (NN a))"),
    ],
)
def test_words_are_kept(record, expected):
    found = mend(record)
    assert found is not None
    assert found.text == expected


@pytest.mark.parametrize(
    ("record", "expected", "mends"),
    [
        (
            "(S (NP (NN a)) (VP (VB b))) (. 。))",
            "(S (NP (NN a)) (VP (VB b)) (. 。))",
            {Mend.EARLY},
        ),
        (
            "(S (NP (NN a)) (VP (VB b)))) (. !) ('' '')))",
            "(S (NP (NN a)) (VP (VB b)) (. !) ('' ''))",
            {Mend.EARLY, Mend.SURPLUS},
        ),
        ("(S (NP (NN big  cat)))", "(S (NP (NN big) (NN cat)))", {Mend.WORDS}),
        ("(S (MD may (VB go)))", "(S (MD (MD may) (VB go)))", {Mend.WORD}),
        (
            '(S (NP (FW " (FW x) (FW ")))',
            "(S (NP (FW ('' \") (FW x) (FW \"))))",
            {Mend.WORD, Mend.MISSING},
        ),
        (
            "(S (NP (NN a b)) (VP (VB c))) (. .))",
            "(S (NP (NN a) (NN b)) (VP (VB c)) (. .))",
            {Mend.WORDS, Mend.EARLY},
        ),
        # As written, these are two roots.
        ("So: (S (NN a)) (. .)", "(S (NN a)) (. .)", {Mend.TEXT}),
        ("Parse: (INTJ Yes)\nDone.", "(INTJ Yes)", {Mend.TEXT}),
        ("Sure\n`(INTJ Yes)`\n", "(INTJ Yes)", {Mend.TEXT}),
        ("So: (INTJ Yes) (S (NN a))", "(INTJ Yes) (S (NN a))", {Mend.TEXT}),
    ],
)
def test_brackets_within(record, expected, mends):
    found = mend(record.encode())
    assert found is not None
    assert (found.text.decode(), set(found.mends)) == (expected, mends)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (b"I cannot parse this.", Beyond.NO_TREE),
        (b"I cannot (sorry) do that :(", Beyond.NO_TREE),
        (b"As an AI (LLM), I cannot: (1) I am (LLM model) no parser", Beyond.NO_TREE),
        (b"(Sorry, but) I will not.", Beyond.NO_TREE),
        (b"Note: (see below)", Beyond.NO_TREE),
        (b"I cannot (see the docs (v2)).", Beyond.NO_TREE),
        (b"<think>(S (NN a))</think> No.", Beyond.NO_TREE),
        (b"<think>So (S (NN a)), or", Beyond.CUT_OFF),
        (b"(S (NP (PRP I)) (VP (VB", Beyond.CUT_OFF),
        (b"Parse: (S", Beyond.CUT_OFF),
        (b"Either (S (NN a)) or (X (NN a))", Beyond.SEVERAL),
        (b"(S (NN a)), or (X (NN", Beyond.SEVERAL),
        (b"(S (NN a)\n```\n(S (NN a))\n```", Beyond.SEVERAL),
        (b"(S (NP (PRP I))) (VP (VBP see)))", Beyond.MALFORMED),
        (b"(S (NP (NN a)) ...)", Beyond.MALFORMED),
        (b"(S, (NP, (NN, a)), b)", Beyond.MALFORMED),
        (b"(NN big cat)", Beyond.MALFORMED),
    ],
)
def test_why_an_answer_is_beyond_repair(record, why):
    assert read_answer(record) is why


def test_what_is_only_extracted():
    around = ("code fence", "reasoning", "text around", "the same tree again")
    assert is_extraction(around)
    changes = {one.value for one in Mend} - {*around}
    assert not any(is_extraction((one,)) for one in changes)


@pytest.mark.parametrize(
    "record",
    [
        TREE,  # nothing to mend
        b"",
        b"I cannot parse this.",
        b"()",
        b"(S",
        b"(S (NP (PRP I)) (VP (VBP se",  # within a word
        b"(S (NP (PRP I))) (VP (VBP see)))",  # one too many, in the middle
        TREE + b" " + TREE,
        b"(S (NP I) see",  # a word next to a bracket
        rb"(NP \(NN cat\))",
        b"(S (NP (PRP \xff))",  # not UTF-8
        rb"(SYM \n)",
    ],
)
def test_what_is_uncertain_stays_malformed(record):
    assert mend(record) is None


@pytest.mark.slow
@given(st.binary(max_size=60) | garbled_files())
@settings(max_examples=some(80))
def test_what_is_mended_is_one_tree_of_the_same_words(record):
    found = mend(record)
    if found is not None:
        bank = read_trees(found.text.decode(), strict=True)
        assert len(bank) == 1
        assert mend(found.text) is None


@pytest.mark.slow
@given(trees(), st.integers(1, 3))
@settings(max_examples=some(100))
def test_brackets_at_the_end(tree, count):
    # Each word has a tag: `(the)` may be prose.
    text = re.sub(r"\( +(?=[^ ()])", "(X ", one_line(tree))
    assume("\\" not in text)  # before a bracket it makes that a word
    found = mend(text.encode() + b")" * count)
    has_words = bool(read_trees(text)[0].words)
    assert (found is not None) == has_words
    if found is not None:
        expected = [plain(one) for one in read_trees(text)]
        assert [plain(one) for one in read_trees(found.text.decode())] == expected


# -- files -------------------------------------------------------------------------

LINES = """\
Here is the parse: (S (NP (NN a)) (VP (VB b))
(S (NP (NN c)) (VP (VB d))))

(S (NP (NN e))) (VP (VB f)))
```(S (NP (NN g)) (VP (VB h)))```
(S (NP (NN i)) (VP (VB j)))
(S\\n (NP (NN k))\\n (VP (VB l)))
"""
BLOCKS = """\
Here is the parse:
```
(S (NP (NN a))
   (VP (VB b))
```

Sure! Here it is:

```lisp
(S
  (NP (NN c))
  (VP (VB d))))
```
Let me know if you need more.
(S (NP (NN e)) (VP (VB f)))

(S
  (NP (NN g))
  (VP (VB h)

Parse: (S (NP (NN i))
  (VP (VB j)))
"""


@pytest.mark.filterwarnings("ignore")
def test_an_answer_a_line():
    bank = read_trees(LINES, mend=True, keep_blank_lines=True)
    words = ["".join(tree.words) for tree in bank]
    assert words == ["ab", "cd", "", "", "gh", "ij", "kl"]
    assert list(bank.problems) == [3]
    assert bank.line.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert {tree: set(mends) for tree, mends in bank.mends.items()} == {
        0: {"text around", "missing bracket at the end"},
        1: {"surplus bracket at the end"},
        4: {"code fence"},
        6: {"escaped characters"},
    }


def test_answers_over_lines_with_text_between():
    bank = read_trees(BLOCKS, mend=True)
    assert ["".join(tree.words) for tree in bank] == ["ab", "cd", "ef", "gh", "ij"]
    assert bank.line.tolist() == [3, 10, 15, 17, 21]
    assert sorted(bank.mends) == [0, 1, 3, 4]


@pytest.mark.filterwarnings("ignore")
def test_without_mend_nothing_changes():
    bank = read_trees(LINES, keep_blank_lines=True)
    assert bank.problems
    # But it is known what could be mended.
    assert set(bank.mends) <= set(bank.problems)


def test_strict_takes_what_was_mended():
    text = "(S (NN a))\n(S (NN b)\n(S (NN c))\n"
    assert len(read_trees(text, mend=True, strict=True)) == 3
    with pytest.raises(TreeSyntaxError):
        read_trees("(S (NN a))\n(S (NN b\n(S (NN c))\n", mend=True, strict=True)


@given(
    st.lists(trees(), min_size=1, max_size=4), st.sampled_from(["lines", "indented"])
)
@settings(max_examples=some(60))
def test_well_formed_files_are_read_as_ever(drawn, layout):
    text = Dialect(layout, None).file(drawn).decode()
    if "\\" in text:
        return
    ordinary, mended = read_trees(text), read_trees(text, mend=True)
    assert [str(tree) for tree in mended] == [str(tree) for tree in ordinary]
    assert not mended.mends


def test_a_file_that_is_cut_into_blocks_is_divided_alike(monkeypatch):
    text = BLOCKS * 50
    whole = [str(tree) for tree in read_trees(text, mend=True)]
    monkeypatch.setattr(reader, "BLOCK_BYTES", 300)
    assert [str(tree) for tree in read_trees(text, mend=True)] == whole
    assert len(whole) == 250


CAT = "(S (NP (DT The) (NN cat)) (VP (VBD sat)) (. .))"
OVER_LINES = CAT.replace(" (NP", "\n  (NP").replace(" (VP", "\n  (VP")


@pytest.mark.parametrize(
    ("answer", "mends"),
    [
        (CAT.replace("(", "( ").replace(")", " )"), {Mend.SPACES}),
        (CAT.replace("(", "( ")[:-1], {Mend.SPACES, Mend.MISSING}),
        (f"So (really): {CAT.replace('(', '( ')}", {Mend.SPACES, Mend.TEXT}),
        (CAT.replace("(", "（").replace(")", "）"), {Mend.FULL_WIDTH}),
        (OVER_LINES.replace("  (", "\u00a0\u00a0("), {Mend.ODD_SPACES}),
        (re.sub(r" ([^ ()]+)\)", r' "\1")', CAT), {Mend.QUOTES}),
        (re.sub(r" ([^ ()]+)\)", r" “\1”)", CAT), {Mend.QUOTES}),
        (CAT.replace("(. .)", "."), {Mend.LATER_WORD}),
        (f"{CAT}\n\n{CAT}\n", {Mend.REPEATED}),
        (f"{CAT}\n{CAT}\n{CAT}", {Mend.REPEATED}),
        (f"{CAT}\n\nOver lines:\n\n{OVER_LINES}", {Mend.TEXT}),
        (f"NP: (NP (DT The) (NN cat))\nVP: (VP (VBD sat))\nAll: {CAT}", {Mend.TEXT}),
        (f"{CAT[:-1]}\n\nThis is it (roughly).", {Mend.TEXT, Mend.MISSING}),
        ("> " + OVER_LINES.replace("\n", "\n> "), {Mend.TEXT}),
        (f"**Parse:**\n\n1. **{CAT}**", {Mend.TEXT}),
        (f"Tree:\n\n{OVER_LINES}\n".replace("\n", "\r\n"), {Mend.TEXT}),
        (f'<tree format="ptb">{CAT}</tree>', {Mend.TEXT}),
        (f"<analysis>(S (NP</analysis>{CAT}</s>", {Mend.REASONING, Mend.TEXT}),
        (
            f"<|channel|>analysis<|message|>(S<|end|><|start|>assistant<|channel|>final"
            f"<|message|>{CAT}",
            {Mend.REASONING},
        ),
        (json.dumps({"id": 3, "parse": OVER_LINES}), {Mend.TEXT}),
        (
            f"```json\n{json.dumps({'parse': OVER_LINES}, indent=2)}\n```",
            {Mend.TEXT},
        ),
        (
            r"\Tree [.S [.NP [.DT The ] [.NN cat ] ] [.VP [.VBD sat ] ] [.. . ] ]",
            {Mend.BRACKETS, Mend.TEXT},
        ),
    ],
)
def test_answers_as_people_have_them(answer: str, mends: set[Mend]) -> None:
    """Each of them means the same tree, and it is told what was done."""
    found = mend(answer.encode())
    assert found is not None
    (tree,) = read_trees(found.text.decode())
    assert (str(tree), set(found.mends)) == (CAT, mends)
    bank = read_trees([answer, CAT], mend=True)
    assert [str(tree) for tree in bank] == [CAT, CAT]


def test_a_string_in_json_is_read_as_json_has_it() -> None:
    quoted = """(S (`` ") (NP (NN a)) ('' "))"""
    found = mend(json.dumps({"tree": quoted}).encode())
    assert found is not None
    assert found.text.decode() == quoted


@pytest.mark.parametrize(
    "answer",
    [
        f"{CAT} {CAT}",  # two sentences, perhaps
        "(INTJ (UH No))\n(INTJ (UH No))",
        '(S (NP (NN "a")) (VP (VB b)))',  # only some words are in quotes
        "(S (NP\u00a0x (NN a)) (VP (VB b)))",
    ],
)
def test_what_may_be_meant_is_left_as_it_is(answer: str) -> None:
    found = mend(answer.encode())
    assert found is None or Mend.REPEATED not in found.mends
    assert found is None or Mend.QUOTES not in found.mends
    assert found is None or Mend.ODD_SPACES not in found.mends


UNTAGGED = ["(S (NP The cat) (VP sat) .)", "(S (NP The old dog) (VP ran) .)"]


@pytest.mark.filterwarnings("ignore")
def test_answers_without_tags_are_extracted_and_closed() -> None:
    """They are read as what they are: words have no tags, not those of phrases."""
    answers = [
        f"Sure! {UNTAGGED[0]} Hope it helps.",
        f"```\n{UNTAGGED[1]}\n```",
        UNTAGGED[0][:-3],
        "I cannot.",
        UNTAGGED[1],
        UNTAGGED[0][:-6],
    ]
    bank = read_trees(answers, mend=True)
    expected = read_trees(UNTAGGED, grammar="untagged")
    trees = [str(tree) for tree in bank]
    closed = str(expected[0]).replace(" (. .)", "")
    assert trees == [*map(str, expected), closed, "", str(expected[1]), ""]
    assert dict(bank.mends) == {
        0: ("text around",),
        1: ("code fence",),
        2: ("missing bracket at the end",),
    }
    assert [bank.problems[tree].code for tree in (3, 5)] == ["E203", "E204"]
    without_labels = ["Sure: ((the cat) (sat down))", "((a dog) (ran away)"]
    bare = read_trees(without_labels, mend=True)
    assert [len(tree.words) for tree in bare] == [4, 4]
    assert not bare.problems


BEFORE = (
    *("", "Sure! Here is the tree:\n\n", "```\n", "```penn\n", "<tree>", "**Tree**: "),
    *(
        "1. ",
        "## Parse\n",
        "<think>maybe (S (NP a))\n</think>\n",
        "Parse (PTB style): `",
    ),
)
AFTER = (
    *("", "\n\nLet me know (really) if it helps!", "\n```", "</tree>", "**", "`."),
    *("\n```\nNote: NP = noun phrase (subject).", "</s>", "<|im_end|>"),
)
# What models do to a tree without changing what it means.
DAMAGES = (
    lambda tree: tree,
    lambda tree: tree[:-1],
    lambda tree: tree + "))",
    lambda tree: tree.replace("(", "( "),
    lambda tree: tree.replace(" (", "\n  ("),
    lambda tree: f"{tree}\n\n{tree}",
    lambda tree: tree.replace("(", "[").replace(")", "]"),
    lambda tree: tree.replace("(", "（").replace(")", "）"),
    lambda tree: tree.replace("(", "\\(").replace(")", "\\)"),
    lambda tree: tree.replace("(. .)", "."),
    lambda tree: tree.replace(" (", "\r\n  ("),
)


@given(
    st.lists(
        st.tuples(*map(st.sampled_from, (BEFORE, DAMAGES, AFTER))),
        min_size=1,
        max_size=4,
    )
)
@settings(max_examples=some(60))
def test_whatever_stands_around_a_tree_and_was_done_to_it(drawn) -> None:
    answers = [before + damage(CAT) + after for before, damage, after in drawn]
    bank = read_trees(answers, mend=True)
    assert [str(tree) for tree in bank] == [CAT] * len(answers)
    changed = [number for number, answer in enumerate(answers) if answer != CAT]
    assert set(bank.mends) <= set(changed)
