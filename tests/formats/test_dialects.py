"""Brackets that are not the Penn Treebank's: each dialect is a grammar."""

from __future__ import annotations

import re
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from analyzer import evalb, read_trees, score
from analyzer.exceptions import SettingsError, TreeSyntaxError
from analyzer.files.inputs import TREE_ENDINGS, Input
from analyzer.formats.dialects import NAMES
from analyzer.formats.registry import Family, format_of
from analyzer.model.treebank import Treebank
from tests.support.command import spinal
from tests.support.data_paths import ROOT, SHARED, needs_shared_data

DIALECTS = ROOT / "examples" / "dialects"
BRACES = DIALECTS / "braces.lark"
GOLD, PARSED = DIALECTS / "gold.trees", DIALECTS / "parsed.trees"
AS_BRACES = "S{NP{the:DT} VP{sat:VBD}}"
AS_PENN = (
    "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT a) (NN dog)) "
    "(PP (IN in) (NP (DT the) (NN park)))) (. .))"
)
TREES = {
    "untagged": ("(S (NP I) (VP see) .)", "(S (NP ( I)) (VP ( see)) (. .))"),
    "square": ("[S [NP [PRP I]] [VP [VBP (see)]]]", None),
    "slash": ("(S (NP the/DT 1\\/2/CD) ./.)", "(S (NP (DT the) (CD 1\\/2)) (. .))"),
    "lemmas": ("(S (da El el) (nc perro))", "(S (da El) (nc perro))"),
    "discbracket": ("(S (VP (A 0=a) (B 2=c)) (C 1=b))", "(S (VP (A a)) (C b) (B c))"),
    "cgel": (
        '(Clause :Subj (x / NP :p "," :t "it" :correct "(It") :Head (VP :Head (V :t '
        '"go" :l "go") :Obj (x / GAP)))',
        "(Clause (NP -LRB-It) (VP-Head (V go) (GAP )))",
    ),
    "floresta": (
        "(STA+fcl (SUBJ+np (>N+art O)(«)(H+n a)(»))(P+v-fin era) (. .))",
        "(fcl-STA (np-SUBJ (art O) (« «) (n a) (» »)) (v-fin era) (. .))",
    ),
    "ptb": ("(S (NN a))", "(S (NN a))"),
    "unlabelled": ("((a cat) sat .)", "( ( ( a) ( cat)) ( sat) (. .))"),
}


@pytest.mark.parametrize("name", NAMES)
def test_each_dialect_by_its_name(name: str) -> None:
    text, expected = TREES[name]
    expected = expected or "(S (NP (PRP I)) (VP (VBP -LRB-see-RRB-)))"
    (tree,) = read_trees(f"\n{text}\n", grammar=name)
    assert str(tree) == expected


@pytest.mark.parametrize("name", ["square", "cgel", "discbracket"])
def test_dialects_that_are_recognised(name: str, tmp_path: Path) -> None:
    path = tmp_path / "trees"
    path.write_text(TREES[name][0])
    assert str(read_trees(path)[0]) == str(read_trees(path, grammar=name)[0])


def test_a_grammar_of_your_own() -> None:
    bank = read_trees(GOLD, grammar=str(BRACES))
    assert str(bank[0]) == AS_PENN
    assert len(bank) == 2
    parsed = read_trees(PARSED, grammar=str(BRACES))
    by_grammar = score(GOLD, PARSED, grammar=str(BRACES))
    assert by_grammar.total == score(bank, parsed).total
    brackets = evalb(GOLD, PARSED, grammar=str(BRACES))
    assert brackets.summary == evalb(bank, parsed).summary


@pytest.mark.parametrize("command", ["score", "evalb", "errors", "show", "check"])
def test_commands_read_by_it(command: str, tmp_path: Path) -> None:
    """As they read the same trees in Penn brackets."""
    files = [GOLD] if command == "check" else [GOLD, PARSED]
    penn = []
    for file in files:
        bank = read_trees(file, grammar=str(BRACES))
        (tmp_path / file.name).write_text("".join(f"{tree}\n" for tree in bank))
        penn.append(tmp_path / file.name)
    ran = spinal(command, *files, "--grammar", BRACES)
    plain = spinal(command, *penn)
    assert (ran.code, ran.err) == (0, "")
    if command != "show":  # where names of files are underlined
        told = f"|grammar:{BRACES.name}"
        assert (told in ran.out) == (command != "check")
        out = ran.out.replace(told, "")
        assert out.replace(str(DIALECTS), str(tmp_path)) == plain.out


def test_trees_that_do_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "bad.trees"
    path.write_text("S{NP{a:DT}}\nS{NP{a:}}\nS{NP{a:DT}\n")
    with pytest.warns(UserWarning, match="2 of 3"):
        bank = read_trees(path, grammar=str(BRACES))
    assert [(error.code, str(error.place)) for error in bank.problems.values()] == [
        ("E221", f"{path}:2:8"),
        ("E220", f"{path}:3:2"),
    ]
    with pytest.raises(TreeSyntaxError, match=r"found '\}', which does not fit"):
        read_trees(path, grammar=str(BRACES), strict=True)


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("start: tree\ntree: WORD ) -> leaf\n", "E567", ":2:12"),
        ("start: tree\ntree: WORDS -> leaf\n", "E567", ""),
        ("start: tree\ntree: /a+/ -> leaf\n", "E568", ""),
    ],
)
def test_grammars_that_cannot_be_used(
    text: str, code: str, place: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.lark"
    path.write_text(text)
    with pytest.raises(SettingsError) as told:
        read_trees("(A a)", grammar=str(path))
    assert (told.value.code, str(told.value.place)) == (code, f"{path}{place}")


def test_a_name_that_no_grammar_has() -> None:
    with pytest.raises(SettingsError, match="did you mean 'square'"):
        read_trees("(A a)", grammar="sqare")


def test_larks_own_terminals_can_be_imported(tmp_path: Path) -> None:
    path = tmp_path / "mine.lark"
    text = BRACES.read_text("utf-8").replace(
        "grammars.common (WHITESPACE, COMMENT)", ""
    )
    text = text.replace("%import ", "%import common.WS -> WHITESPACE")
    path.write_text(text.replace("%ignore COMMENT", ""))
    assert str(read_trees(GOLD, grammar=str(path))[0]) == AS_PENN


# -- recognised, with a note -----------------------------------------------------------

UNLABELLED = "((the cat) (sat (on (the mat))))"
GUESSED = {
    "unlabelled": (
        UNLABELLED,
        "( ( ( the) ( cat)) ( ( sat) ( ( on) ( ( the) ( mat)))))",
    ),
    "untagged": (
        "(S (NP the cat) (VP sat))",
        "(S (NP ( the) ( cat)) (VP ( sat)))",
    ),
    "slash": (
        "(S (NP the/DT cat/NN) (VP sat/VBD))",
        "(S (NP (DT the) (NN cat)) (VP (VBD sat)))",
    ),
}


@pytest.mark.parametrize("name", GUESSED)
@pytest.mark.parametrize("form", [str, lambda text: [text, text]])
def test_words_without_tags_are_not_taken_for_tags(name: str, form: Any) -> None:
    text, read = GUESSED[name]
    with pytest.warns(match=f'read so, as by grammar="{name}"'):
        bank = read_trees(form(text))
    assert str(bank[0]) == read
    assert str(read_trees(text, grammar=name)[0]) == read


@pytest.mark.parametrize(
    "text",
    [
        "(S (NP (DT the) (NN cat)) (VP (VBD sat)))",
        "(s (np (dt the) (nn cat)) (vp (vbd sat)))",
        "(sentence (subject (noun cats)) (predicate (verb sat) (object (noun mats))))",
        "( (sentence (subject (noun cats)) (predicate (verb sat))))",
        "(TOP (Clause (NP (Nom (N cats))) (Head (V sat))))",
        "(S (NP (NN ice cream)) (VP (VBZ melts) (ADVP (RB fast))))",  # one bad leaf
    ],
)
def test_labels_that_are_none_of_penns_are_labels(text: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("error", ".*read so, as by")
        warnings.filterwarnings("ignore", "1 of 1 trees could not be read")
        read_trees(text)


def test_a_closed_class_of_words_is_one_of_labels() -> None:
    """Labels may be words of a language; but there are few of them."""
    tree = "((subject (noun {0}s) (article {0}ed)) (predicate (verb {0}ing)))\n"
    text = "".join(tree.format(chr(97 + n % 26) * 3) for n in range(60))
    with warnings.catch_warnings():
        warnings.filterwarnings("error", ".*read so, as by")
        read_trees(text)


@needs_shared_data
def test_no_real_treebank_is_taken_for_one_without_tags() -> None:
    for path in sorted(SHARED.rglob("*")):
        if path.is_file() and {*path.suffixes} & TREE_ENDINGS:
            found = format_of(Input.of_path(path).files[0], Family.SYNTAX)
            assert found is None or found.name not in GUESSED, path


def test_a_no_break_space_is_part_of_a_word() -> None:
    """`10 000` is one word, and its tree has tags."""
    tree = "(S (NP (CD 10\u00a0000) (NN a)) (VP (VB b\u00a0c)))"
    assert str(read_trees(tree)[0]) == tree


# -- CGELBank ------------------------------------------------------------------------

_IAA = re.compile(
    r"iaa50\.(\S+)\.cgel \S+iaa50\.(\S+)\.cgel\n\ncount=(\d+), gold_constits=(\d+) "
    r"\((\d+) gaps\), pred_constits=(\d+) \((\d+) gaps\)\n.*\n"
    r"microF(?: +\S+%){5} +(\S+)%"
)


@needs_shared_data
def test_the_published_agreement_of_cgelbank() -> None:
    """Its figures that need no tree edit distance: nodes, gaps, trees that are equal.

    All labels, functions and words are equal then, and the gaps.
    """
    folder = SHARED / "syntax_more" / "cgel"
    published = _IAA.findall((folder / "iaa.out").read_text("utf-8"))
    assert len(published) == 8
    for gold, parsed, count, *numbers, accuracy in published:
        sides = [
            read_trees(folder / f"ewt-test_iaa50.{name}.cgel")
            for name in (gold, parsed)
        ]
        found: list[int] = []
        for side in sides:
            gaps = side.form_start == side.form_end
            found += [side.label.size, int(gaps.sum())]
        assert [len(sides[0]), *found] == [int(count), *map(int, numbers)]
        both = zip(*map(_whole, sides), strict=True)
        equal = sum(one == other for one, other in both)
        assert 100 * equal / len(sides[0]) == float(accuracy), (gold, parsed)


def _whole(bank: Treebank) -> list[tuple[str, tuple[str, ...]]]:
    """Trees with the functions of words, which brackets do not show."""
    starts = bank.leaf_start.tolist()
    edges = [bank.edges[start:end] for start, end in pairwise(starts)]
    return list(zip(map(str, bank), edges, strict=True))
