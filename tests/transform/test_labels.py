"""Label sets: what the labels of a treebank mean is data."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import evalb, read_trees, score
from analyzer.checks.word_stream import WordStream
from analyzer.constructions.inventory import Child
from analyzer.constructions.language import load_inventory, parse_inventory
from analyzer.exceptions import PatternError, SettingsError
from analyzer.transform.labels import (
    default_labels,
    label_hint,
    label_set_names,
    load_labels,
    parse_labels,
)
from analyzer.transform.parameters import BUILT_IN, parameters_of

WRAPPED = "({} (S (NP (NN it)) (VP (VBZ rains))))\n"


def test_label_sets_that_come_with_the_package() -> None:
    others = {"chinese", "french", "historical", "japanese", "tiger"}
    assert set(label_set_names()) == {"penn"} | others
    assert load_labels("penn") is default_labels()
    assert load_labels("tiger").conjunction == {"KON"}


@pytest.mark.parametrize("name", label_set_names())
def test_label_sets_make_sense(name: str) -> None:
    labels = load_labels(name)
    assert not labels.phrase & labels.tag
    assert labels.conjunction | labels.tag_phrase <= labels.tag
    assert labels.only_punctuation <= labels.punctuation <= labels.tag
    assert not labels.wrapper & labels.known


def test_penn_is_prepared_as_it_always_was() -> None:
    penn = default_labels()
    assert parameters_of(penn) is BUILT_IN["collins"]
    assert not penn.changes_trees
    assert [penn.bare_tag(tag) for tag in ("-LRB-", "PRP$", "NN-1")] == [
        "-LRB-",
        "PRP$",
        "NN-1",
    ]
    assert penn.function_tags("NP-SBJ-TPC=2") == ("SBJ", "TPC")
    assert {group.name for group in penn.group} >= {"grammatical", "topicalisation"}


def test_an_inventory_stands_for_its_label_set(tmp_path: Path) -> None:
    (tmp_path / "mine.labels").write_text("phrase NP\ntag N\ndelete PU\n")
    (tmp_path / "mine.pat").write_text("labels mine.labels\nNP-t: (head:N)\n")
    mine = load_labels(str(tmp_path / "mine.pat"))
    assert mine.name == "mine"
    assert "PU" in parameters_of(mine).delete
    assert load_labels("english") is default_labels()


HISTORICAL = (
    "( (METADATA (AUTHOR X:1630)) (CODE <P_5>) (IP-MAT (NP-SBJ *con*) (VBDI kom-koma)"
    " (NP-OB1 (N-A mann$-maður) (D-A $inn-hinn)) (. .-.)) (ID A,1.2))\n"
)


def test_what_is_no_text_goes_as_trees_are_read() -> None:
    bank = read_trees(HISTORICAL, treebank="historical")
    assert (
        str(bank[0]) == "( (IP-MAT (VBDI kom) (NP-OB1 (N-A mann$) (D-A $inn)) (. .)))"
    )
    bank.check()
    # A parser may tag a word as CODE: it is one all the same.
    parsed = read_trees("(TOP (NP (CODE einfoldigir)))", treebank="historical")
    assert parsed[0].words == ["einfoldigir"]
    # A tree that is no text is no sentence either.
    assert len(read_trees("( (CODE <P_5>))", treebank="historical")) == 0
    # A word with a hyphen is no lemmatised text.
    hyphen = "( (NP (D the) (ADJ old) (N son-in-law)))"
    assert str(read_trees(hyphen, treebank="historical")[0]) == hyphen


def test_evalb_takes_a_treebank_as_the_parser_saw_it() -> None:
    parsed = "(TOP (IP*MAT (VBDI kom) (NP*OB1 (N*A mann$) (D*A $inn)) (. .)))"
    found = evalb(HISTORICAL, parsed, treebank="historical", by_label=True).summary
    assert (found.matched, found.gold, found.test) == (2, 2, 2)


@pytest.mark.parametrize("line", ["group x", "empty-word (", "tag-ending [2"])
def test_lines_that_say_nothing_are_refused(line: str) -> None:
    with pytest.raises(SettingsError):
        parse_labels(f"phrase NP\n{line}\n")


def test_the_name_of_the_default_label_set_does_not_move_the_signature() -> None:
    text = "NP-t: (head:TAG)\n"
    plain = parse_inventory(text)
    assert parse_inventory(f"labels penn\n{text}").hash == plain.hash
    assert parse_inventory(f"labels tiger\n{text}").hash != plain.hash
    assert load_inventory("english").hash == "3a99ffe2"


def test_classes_follow_the_label_set() -> None:
    patterns = "CNP-crd: (head:TAG) (TAG)* CONJ TAG\n"
    german = parse_inventory(f"labels tiger\n{patterns}")
    children = [Child(label, True) for label in ("NN", "KON", "NN")]
    assert [head for _, head in german.matches("CNP", children)] == [0]
    assert not parse_inventory(patterns).matches("CNP", children)


def test_default_heads_follow_the_label_set(tmp_path: Path) -> None:
    (tmp_path / "mine.labels").write_text("phrase NP\ntag N\nhead first any\n")
    (tmp_path / "mine.pat").write_text("labels mine.labels\nNP-t: N (head:N)\n")
    mine = load_inventory(tmp_path / "mine.pat")
    children = [Child("N", True), Child("N", True), Child("N", True)]
    assert mine.default_head("NP", children) == 0
    assert load_inventory("english").default_head("NP", children) == 2


def test_what_a_file_does_not_mention_is_as_in_the_penn_treebank() -> None:
    given = parse_labels("# mine\n\nphrase NP\ntag N #\nwrapper TOP ()", name="mine")
    assert (given.phrase, given.tag) == ({"NP"}, {"N", "#"})
    assert given.wrapper == {"TOP", ""}
    assert given.empty == default_labels().empty
    assert given.head == default_labels().head
    assert given.title == "mine"


@pytest.mark.parametrize("line", ["words N", "head N", "head first", "head first noun"])
def test_lines_that_mean_nothing(line: str) -> None:
    with pytest.raises(SettingsError, match="mine:2: "):
        parse_labels(f"phrase NP\n{line}\n", source="mine")


def test_unknown_label_sets() -> None:
    with pytest.raises(SettingsError, match=r"there are .*penn, tiger"):
        load_labels("klingon")
    with pytest.raises(PatternError, match=r":1:8: no file of labels 'klingon'"):
        parse_inventory("labels klingon\nNP-t: (head:TAG)")


@pytest.mark.parametrize("wrapper", ["TOP", "ROOT", "S1", "VROOT", "PSEUDO", ""])
def test_every_command_knows_the_same_wrappers(wrapper: str) -> None:
    tree = WRAPPED.format(wrapper)
    assert score(tree, tree).total.gold == 3  # wrappers have no construction
    assert WordStream.of([read_trees(tree)]).phrases.size == 3


# What texts have of each kind, by the thousand: most labels are of several schemes.
PHRASES = {
    "penn": {"NP": 400, "VP": 250, "S": 150, "PP": 130, "SBAR": 40, "ADVP": 30},
    "chinese": {"NP": 330, "VP": 270, "IP": 150, "ADVP": 70, "QP": 30, "DNP": 24},
    "historical": {"NP-SBJ": 460, "IP-MAT": 200, "PP": 150, "CP-REL": 75, "WNP-1": 6},
    "japanese": {"NP-SBJ": 390, "PP": 310, "IP-MAT": 200, "CP": 25, "NUMCLP": 9},
    "french": {"NP-SUJ": 400, "PP": 220, "VN": 125, "SENT": 66, "AP": 80},
    "tiger": {"NP-SB": 300, "PP-MO": 260, "S": 200, "VP-OC": 90, "CNP-NK": 20},
}


@pytest.mark.parametrize("used", PHRASES)
@pytest.mark.parametrize("right", PHRASES)
def test_related_schemes_are_told_apart(right: str, used: str) -> None:
    hint = label_hint(PHRASES[right], load_labels(used))
    assert (hint.labels.name if hint else used) == right


def test_a_label_or_two_that_are_unknown_suggest_nothing() -> None:
    slips = {**PHRASES["japanese"], "WNP": 2}  # historical has it
    assert label_hint(slips, load_labels("japanese")) is None
