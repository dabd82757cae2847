"""Trees with crossing branches: the same in every format, scored as they are."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer import SettingsError, evalb, read_trees
from analyzer.exceptions import InputWarning
from analyzer.formats.registry import detect
from analyzer.model.treebank import Treebank
from tests.support.command import spinal
from tests.support.crossing_trees import Crossing, crossing_trees, is_run, yields
from tests.support.tiger_xml import corpus, phrase, sentence
from tests.support.tiger_xml import words as terminals

LABELS = ("S", "NP", "VP", "PP")
LEMMA = {3: "", 4: "lemma\t"}
SEEN = """\
%% a comment of NeGra
#FORMAT 4
#BOT ORIGIN
0\tnone\tx
#EOT ORIGIN
#BOS 17 0 98 1 %% a comment
Ihn\tihn\tPPER\t--\tOA\t500
hat\thaben\tVAFIN\t--\tHD\t501
er\ter\tPPER\t--\tSB\t501
gesehen\tsehen\tVVPP\t--\tHD\t500\tOA\t501
(\t--\t$(\t--\t--\t0
#500\t--\tVP\t--\tOC\t501
#501\t--\tS\t--\t--\t0
#EOS 17
"""


def label(node: int) -> str:
    return LABELS[node % len(LABELS)]


def in_export(tree: Crossing, version: int) -> str:
    root = len(tree.parents) - 1
    lemma = LEMMA[version]
    names = {node: str(500 + node) for node in range(tree.words, root)} | {root: "0"}
    lines = ["#BOS 1"]
    for node, parent in enumerate(tree.parents[:-1]):
        edge = "HD" if node in tree.heads else "--"
        word = f"w{node}" if node < tree.words else f"#{names[node]}"
        tag = "T" if node < tree.words else label(node)
        lines.append(f"{word}\t{lemma}{tag}\t--\t{edge}\t{names[parent]}")
    return "\n".join([*lines, "#EOS 1", ""])


def in_xml(tree: Crossing) -> str:
    root = len(tree.parents) - 1

    def name(node: int) -> str:
        return f"w{node + 1}" if node < tree.words else f"p{node}"

    edges: dict[int, list[str]] = {}
    for node, parent in enumerate(tree.parents[:-1]):
        edge = "HD" if node in tree.heads else "--"
        edges.setdefault(parent, []).append(f"{edge}:{name(node)}")
    body = terminals(*(f"w{node}/T" for node in range(tree.words)))
    for node in range(tree.words, root + 1):
        category = label(node) if node < root else "VROOT"
        body += phrase(name(node), category, *edges.get(node, []))
    return corpus(sentence(body, root=name(root)))


def in_discbracket(tree: Crossing) -> str:
    root = len(tree.parents) - 1

    def text(node: int) -> str:
        is_head = node in tree.heads and node != root
        own = "T" if node < tree.words else label(node) if node < root else "ROOT"
        own += "-HD" if is_head else ""
        if node < tree.words:
            return f"({own} {node}=w{node})"
        children = [at for at, parent in enumerate(tree.parents) if parent == node]
        return f"({own} {' '.join(map(text, children))})"

    return text(root) + "\n"


def read(text: str) -> Treebank:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return read_trees(text + "\n" * ("\n" not in text))


@settings(deadline=None)
@given(crossing_trees())
def test_every_format_gives_the_same_tree(tree: Crossing) -> None:
    banks = [read(in_xml(tree)), read(in_export(tree, 3)), read(in_export(tree, 4))]
    texts = [str(bank[0]) for bank in banks]
    assert texts[0] == texts[1] == texts[2]
    assert [bank.yields is None for bank in banks] == [banks[0].yields is None] * 3
    numbered = read(in_discbracket(tree))
    plain = str(numbered[0]).replace("T-HD ", "T ")
    assert plain == texts[0]


def brackets(tree: Crossing) -> Counter[tuple[str, frozenset[int]]]:
    root = len(tree.parents) - 1
    found = yields(tree.parents, tree.words)
    return Counter(
        (label(node), frozenset(found[node]))
        for node in range(tree.words, root)
        if found[node]
    )


@settings(deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.data())
def test_scores_are_those_of_sets_of_words(data: st.DataObject) -> None:
    gold = data.draw(crossing_trees())
    parsed = data.draw(crossing_trees().filter(lambda one: one.words == gold.words))
    sides = [brackets(gold), brackets(parsed)]
    result = evalb(
        read(in_export(gold, 3)), read(in_discbracket(parsed)), params="spmrl"
    )
    assert result.summary.matched == (sides[0] & sides[1]).total()
    assert result.summary.gold == sides[0].total()
    assert result.summary.test == sides[1].total()
    torn = [
        Counter({key: n for key, n in side.items() if not is_run(set(key[1]))})
        for side in sides
    ]
    if result.discontinuous is None:
        assert not any(torn)
        return
    counts = ((torn[0] & torn[1]).total(), torn[0].total(), torn[1].total())
    assert tuple(result.discontinuous) == counts


def test_columns_names_and_brackets_of_export() -> None:
    with pytest.warns(InputWarning, match="crossing branches.*1 secondary edge left"):
        bank = read_trees(SEEN)
    assert str(bank[0]) == (
        "(ROOT (S (PPER Ihn) (VAFIN hat) (PPER er) (VP-OC (VVPP gesehen))) "
        "($*LRB* -LRB-))"
    )
    assert bank.ids == ("17",)
    assert bank.edges == ("OA", "HD", "SB", "HD", "")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("a\tb\tc", "3 columns"),
        ("a\tA\t--\t--\tx", "expected a number"),
        ("a\tA\t--\t--\t777", "#777, which does not exist"),
        ("a\tA\t--\t--\t500\n#500\tS\t--\t--\t500", "a cycle"),
        ("a\tA\t--\t--\t500\n#500\tS\t--\t--\t0\n#500\tS\t--\t--\t0", "a second time"),
        ("", "no terminals"),
    ],
)
def test_bad_sentences_of_export(lines: str, message: str) -> None:
    good = "#BOS 2\na\tA\t--\t--\t0\n#EOS 2\n"
    with pytest.warns(UserWarning, match=message):
        bank = read_trees(f"#BOS 1\n{lines}\n#EOS 1\n{good}#BOS 3\na\tA\t--\t--\t0\n")
    assert [str(tree) for tree in bank] == ["", "(ROOT (A a))", ""]
    assert "no #EOS" in str(bank.problems[2])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (A 0=a) (B 0=b))", "word 0 twice"),
        ("(S (A 0=a) (B 2=b))", "without a gap"),
        ("(S (A 0=a) (B b))", "expected a tag with a numbered word"),
        ("(S (A 0=a)", "missing"),
        ("(S (A 0=a)))", "without"),
        ("(S (A 0=a)) (S (B 1=b))", "a second root"),
    ],
)
def test_bad_trees_of_discbracket(text: str, message: str) -> None:
    with pytest.warns(UserWarning, match=message):
        bank = read_trees(f"(S (A 0=a) (B 1=b))\n{text}\n")
    assert [bool(tree) for tree in bank] == [True, False]


def test_words_and_tags_of_discbracket() -> None:
    bank = read_trees("(S (A 1=b)\n ($[ 0=#LRB#)\n (B 2=2=2))\n(NN 0=alone)\n")
    assert [str(tree) for tree in bank] == [
        "(S ($*LRB* -LRB-) (A b) (B 2=2))",
        "(ROOT (NN alone))",
    ]
    assert bank.line.tolist() == [1, 4]


CONLL = """\
#begin document (bc/x); part 000
bc/x   0  0  He    PRP  (TOP(S(NP*)   -  -  -  A  *  -
bc/x   0  1  (     -LRB-  *  -  -  -  A  *  -
bc/x   0  2  left  VBD  (VP*)))  -  -  -  A  *  -

bc/x   0  0  Bad   JJ   (TOP(S*  -  -  -  A  *  -

#end document
#begin document (bc/x); part 001
bc/x   1  0  Yes   UH   (TOP*)  -  -  -  A  *  -
#end document
"""


def test_columns_of_conll_2012() -> None:
    with pytest.warns(UserWarning, match=r":6: sentence 2 \(bc/x:0:2\): missing"):
        bank = read_trees(CONLL)
    assert [str(tree) for tree in bank] == [
        "(TOP (S (NP (PRP He)) (-LRB- -LRB-) (VP (VBD left))))",
        "",
        "(TOP (UH Yes))",
    ]
    assert bank.ids == ("bc/x:0:1", "bc/x:0:2", "bc/x:1:1")
    assert bank.line.tolist() == [2, 6, 10]


def test_words_with_lemmas() -> None:
    bank = read_trees("(S\n (sn-SUJ\n  (da0 El el) (nc perro perro))\n (v come comer))")
    assert str(bank[0]) == "(S (sn-SUJ (da0 El) (nc perro)) (v come))"


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (SEEN, "export"),
        (CONLL, "conll-2012"),
        ("(S (A 1=b) (B 0=a))", "discbracket"),
        ("(S (A 0=1) (B a))", "penn"),  # a word with an equals sign
        ("(S (A El el) (B perro perro))", "ancora"),
        ("<DOC>\n<S ID=1>\n( (IP (A a)))\n", "markup"),
        ("( (CODE <P_8>))\n", "penn"),  # whose reader sees the names
        ("/*\nPREFACE:\n*/\n( (IP (A a)) (ID A,1))\n", "corpus-search"),
        ('<?xml version="1.0"?>\n<DOC>\n( (IP (A a)))\n', "markup"),
        ("# BOS is a comment\n(S (A a))", "penn"),
        ("#BOS\n(S (A a))", "penn"),
    ],
)
def test_told_by_content(start: str, name: str) -> None:
    found = detect(start)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n", "CoNLL-U"),
        ("# sent_id = 1\n1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n", "CoNLL-U"),
        ('<?xml version="1.0"?>\n<alpino_ds version="1.3"><node/>', "Alpino XML"),
        ("<!DOCTYPE html>\n<html>", "HTML"),
        ("Pierre/NNP Vinken/NNP ,/, 61/CD\n", "tagged words"),
        ("-" * 40 + "\nPlain sentence:\n", "OntoNotes Normal Form"),
        ("nsubj(sees-2, I-1)\n", "typed dependencies"),
        ('<?xml version="1.0"?>\n<TEI>\n<forestGrp/>', "TEI XML"),
    ],
)
def test_known_and_not_read(tmp_path: Path, text: str, name: str) -> None:
    path = tmp_path / "trees.txt"
    path.write_text(text)
    ran = spinal("evalb", path, path)
    assert ran.code == 2
    assert f"is {name}" in ran.err
    assert "not read here" in ran.err


def test_crossing_branches_in_the_command(tmp_path: Path) -> None:
    path, other = tmp_path / "gold.export", tmp_path / "parsed.dbr"
    plain = tmp_path / "parsed.mrg"
    path.write_text(SEEN)
    inside = "({} Ihn) ({} hat) ({} er) (VP ({} gesehen))"
    numbered = "(S (A 0=Ihn) (B 1=hat) (C 2=er) (VP (D 3=gesehen)))"
    other.write_text(f"(ROOT {numbered} ($[ 4=#LRB#))\n")
    plain.write_text(f"(ROOT (S {inside.format(*'ABCD')}) ($*LRB* -LRB-))\n")
    spmrl = ("--params", "spmrl", "--format", "json", "-q")
    data = json.loads(spinal("evalb", path, other, *spmrl).out)
    assert (data["summary"]["matched"], data["summary"]["gold"]) == (1, 2)
    assert data["discontinuous"]["gold"] == 1
    assert "branches:crossing" in data["signature"]
    raised = json.loads(spinal("evalb", path, other, *spmrl, "--raised").out)
    assert raised["summary"]["matched"] == 2
    # Brackets can only be compared with brackets.
    brackets = json.loads(spinal("evalb", path, plain, *spmrl).out)
    assert brackets["summary"]["matched"] == 2
    assert "discontinuous" not in raised | brackets
    with pytest.raises(SettingsError, match="raised=True"):
        evalb(
            read(SEEN),
            read(f"(ROOT {numbered.replace('er', 'es')})"),
            on_mismatch="align",
            params="spmrl",
        )


@pytest.mark.parametrize("tag", ["$(", "$[", "$*LRB*"])
def test_parameters_may_name_tags_as_treebanks_write_them(
    tmp_path: Path, tag: str
) -> None:
    path, prm = tmp_path / "gold.export", tmp_path / "mine.prm"
    path.write_text(SEEN)
    prm.write_text(f"DELETE_LABEL {tag}\n")
    given = [("--params", prm), ("--params", "none", "--delete-label", tag)]
    for options in given:
        ran = spinal("evalb", path, path, *options, "--format", "json", "-q")
        assert json.loads(ran.out)["summary"]["words"] == 4
