"""Derivation trees as dependencies: a head and a relation for every word; CoNLL-U."""

from __future__ import annotations

from pathlib import Path

import conllu
import pytest
from hypothesis import given, settings

from analyzer import derive, load_inventory
from analyzer.exceptions import SettingsError
from analyzer.rst_parser.text import is_word_conllu
from tests.support.data_paths import LANGUAGES, ROOT, needs_languages
from tests.support.edited_trees import SMALL
from tests.support.examples import some
from tests.support.strategies import Plain, banks, one_line

FLORIDA = """(TOP (S (NP-SBJ (PRP They)) (VP (MD will) (VP (VB make)
    (NP (NP (DT a) (NN trip) (, ,)) (PP (TO to) (NP (NNP Florida))))
    (NP (-NONE- *T*-1)))) (. .)))"""


def test_heads_constructions_and_punctuation() -> None:
    """The example of docs/scores.md; the comma stands in the inner NP."""
    assert derive(FLORIDA).conllu().splitlines() == [
        "# sent_id = 1",
        "# text = They will make a trip , to Florida .",
        "1\tThey\t_\t_\tPRP\t_\t3\tS-vp\t_\tSpine=NP-t",
        "2\twill\t_\t_\tMD\t_\t3\tVP-aux\t_\t_",
        "3\tmake\t_\t_\tVB\t_\t0\troot\t_\tSpine=VP-t,VP-aux,S-vp",
        "4\ta\t_\t_\tDT\t_\t5\tNP-t\t_\t_",
        "5\ttrip\t_\t_\tNN\t_\t3\tVP-t\t_\tSpine=NP-t,NP-modr",
        "6\t,\t_\t_\t,\t_\t5\tpunct\t_\t_",
        "7\tto\t_\t_\tTO\t_\t5\tNP-modr\t_\tSpine=PP-t",
        "8\tFlorida\t_\t_\tNNP\t_\t7\tPP-t\t_\tSpine=NP-t",
        "9\t.\t_\t_\t.\t_\t3\tpunct\t_\t_",
        "",
    ]


def test_several_trees_under_a_root_have_one_root() -> None:
    text = "(TOP (S (VP (VB go))) (. .) (INTJ (UH oh)) (SYM *))"
    words = derive(text, delete_label=["SYM"]).rows[0].dependencies(SMALL.labels)
    told = [(one.word, one.head, one.relation) for one in words]
    outside = [(".", 1, "punct"), ("*", 1, "punct")]
    assert told == [("go", 0, "root"), outside[0], ("oh", 1, "dep"), outside[1]]


@pytest.mark.filterwarnings("ignore")
def test_nothing_but_punctuation_and_what_cannot_be_read() -> None:
    found = derive("(S (. .) (. !))\n(S (NP\n(S (VP (VB go)))\n").conllu()
    first, second = conllu.parse(found)
    assert [(word["form"], word["head"]) for word in first] == [(".", 0), ("!", 1)]
    assert second.metadata["sent_id"] == "3"


def check(text: str, words: list[list[str]]) -> None:
    """As any reader of UD wants it: numbered, one root, no cycle, no word lost."""
    sentences = conllu.parse(text)
    assert [[word["form"] for word in one] for one in sentences] == words
    for one in sentences:
        assert [word["id"] for word in one] == [*range(1, len(one) + 1)]
        heads = {word["id"]: word["head"] for word in one}
        assert [*heads.values()].count(0) == 1
        assert [word["deprel"] for word in one].count("root") == 1
        assert heads.keys() >= set(heads.values()) - {0}
        for number in heads:
            steps = 0
            while number:
                number, steps = heads[number], steps + 1
                assert steps <= len(heads)


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=some(40))
@given(banks())
def test_every_word_has_a_head(trees: list[Plain]) -> None:
    found = derive("".join(f"{one_line(one)}\n" for one in trees), patterns=SMALL)
    labels = found.deriver.inventory.labels
    derived = [row.dependencies(labels) for row in found.rows]
    for row, words in zip(found.rows, derived, strict=True):
        # Spines and words in no construction are all that there is.
        assert len(words) == len(row.sides[0]) + len(row.outside)
        position = [one.number for one in words if one.constructions]
        spines = [one for one in row.sides[0] if one.constructions]
        assert [words[at - 1].word for at in position] == [one.word for one in spines]
    texts = [[" ".join(w.word.split()) or "_" for w in words] for words in derived]
    check(found.conllu(), [text for text in texts if text])


def test_it_is_conllu_to_our_own_reader() -> None:
    assert is_word_conllu(derive(ROOT / "examples/web.gold.mrg").conllu())


FILES = {
    "german": "german/maz-1423.xml",
    "french": "french/sequoia.odd.gold.mrg",
    "historical": "icelandic/1883.voggur.nar-fic.psd",
    "chinese": "chinese/law.gold.mrg",
    "japanese": "japanese/spoken_JF8.psd",
}


@needs_languages
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FILES)
def test_treebanks(name: str) -> None:
    found = derive(LANGUAGES / FILES[name], patterns=name)
    labels = load_inventory(name).labels
    words = [[one.word for one in row.dependencies(labels)] for row in found.rows]
    check(found.conllu(), [text for text in words if text])


def test_only_sentences_and_only_one_side(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="the words of one treebank"):
        derive(FLORIDA, FLORIDA).conllu()
    with pytest.raises(SettingsError, match="these are documents"):
        derive(ROOT / "examples/discourse").conllu()
