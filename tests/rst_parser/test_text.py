"""Texts as tokens: from CoNLL-U, EDUs, trees and raw text."""

from __future__ import annotations

import textwrap
from collections import Counter
from pathlib import Path

import pytest

from analyzer.exceptions import InputError, PairingError, SettingsError
from analyzer.rst_parser.text import (
    TokenText,
    edu_tokens,
    of_edus,
    read_plain,
    read_texts,
    read_tokens,
    sentence_starts,
    syntax_files,
    tokenize,
)
from tests.support.conllu import conllu

TWO = conllu(
    "# newdoc id = a",
    "# newpar",
    "# speaker = Ann",
    "He/he/PRP/2/nsubj/Seg=B-seg left/_/VBD/0/root/SpaceAfter=No ././_/2/punct",
    "",
    "# newpar",
    "Why/why/WRB/0/root/BeginSeg=Yes|SpaceAfter=No",
    "",
)


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, "utf-8")
    return folder


def test_every_column_of_conllu() -> None:
    [text] = read_tokens(TWO)
    assert text == TokenText(
        forms=["He", "left", ".", "Why"],
        lemmas=["he", "left", ".", "why"],  # of `_`, the form in small letters
        tags=["PRP", "VBD", "_", "WRB"],
        governors=[1, -1, 1, -1],
        functions=["nsubj", "root", "punct", "root"],
        sentences=[0, 0, 0, 1],
        paragraphs=[0, 0, 0, 1],
        speakers=["Ann", "Ann", "Ann", ""],  # a speaker is that of one sentence
        spaces=[True, False, True, False],
        edu_starts=[0, 3],
        has_syntax=True,
        name="a",
    )
    assert text.edus() == [(0, 3), (3, 4)]
    assert text.edu_texts() == ["He left.", "Why"]
    assert text.sentence_spans() == [(0, 3), (3, 4)]
    assert [text.depth(at) for at in range(4)] == [1, 0, 1, 0]
    plain = text.without_syntax()
    assert (plain.tags, plain.functions) == (["_"] * 4, ["_"] * 4)
    assert (plain.governors, plain.has_syntax, plain.has_tags) == (
        [-1] * 4,
        False,
        False,
    )
    assert (plain.lemmas, plain.forms) == (["he", "left", ".", "why"], text.forms)


def test_words_that_are_not_written_are_passed_over() -> None:
    lines = [
        "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tdo\tdo\tAUX\t_\t_\t3\taux\t_\t_",
        "2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_",
        "2.1\tgo\tgo\tVERB\t_\t_\t_\t_\t_\t_",
        "3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_",
    ]
    [text] = read_tokens("\r\n".join(lines))
    assert (text.forms, text.governors) == (["do", "n't", "go"], [2, 2, -1])
    assert text.tags == ["AUX", "PART", "VERB"]  # the coarse ones, for want of others
    assert text.edus() == [(0, 3)]  # nothing marks EDUs: it is one


def test_an_edu_begins_with_the_text_even_if_it_is_not_marked() -> None:
    [text] = read_tokens(conllu("a/a/X/0/root b/b/X/1/x/Seg=B-seg"))
    assert text.edu_starts == [0, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing\n", "no tokens"),
        ("1\ta\tb\n", "a.conllu:1: found 3"),
        (conllu("a/a/X/7/root"), "7"),
        ("\n" + conllu("a/a/X/0/root", "", "b/b/X/9/x"), "a.conllu:4: found head .9"),
    ],
)
def test_what_is_no_conllu_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_tokens(text, "a.conllu")


def test_a_cycle_has_an_end() -> None:
    [text] = read_tokens(conllu("a/a/X/2/x b/b/X/1/x"))
    assert text.depth(0) == 60


def test_masked_texts_are_recognised() -> None:
    assert of_edus(["__ _ __ a"]).is_masked
    assert not of_edus(["__ a"]).is_masked


# -- raw text --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("can't we're", "ca n't we 're"),
        ("Dr. Li's e-mail: a.b@c.org!", "Dr. Li 's e - mail : a.b@c.org !"),
        ("see https://x.org/a?b=1 now", "see https://x.org/a?b=1 now"),
        ("at 10:30, 1,000.5 or 7...", "at 10:30 , 1,000.5 or 7 ..."),
        ("U.S. law -- in the U.K.", "U.S. law -- in the U.K."),
        ("isn’t it’s", "is n’t it ’s"),
    ],
)
def test_words_are_split_as_in_the_penn_treebank(text: str, words: str) -> None:
    assert [word for word, _ in tokenize(text)] == words.split()


def test_spaces_are_remembered() -> None:
    assert tokenize("a-b c") == [("a", False), ("-", False), ("b", True), ("c", True)]


@pytest.mark.parametrize(
    ("words", "starts"),
    [
        ("A . B", [0]),  # a stop after one capital belongs to it
        ("Go . B", [0, 2]),
        ("Go . b", [0]),
        ("Go ! ) ” B", [0, 4]),
        ("Mr . B", [0]),
        ("at 5 p.m. He", [0, 3]),
        ("at 5 p.m. he", [0]),
        ("Oh ? ! , B", [0]),
        ("Go . 5", [0, 2]),
        (". Go", [0, 1]),
        ("Go . [ 5 ] [ 12 ] B", [0, 8]),  # the numbers of two notes
        ("Go . [ a ] B", [0, 2]),
        ('Go . " Why ? " I said . " No', [0, 2, 6, 9]),
        ("", []),
    ],
)
def test_where_sentences_begin(words: str, starts: list[int]) -> None:
    assert sentence_starts(words.split()) == starts


SENTENCES = "It rained all day . Nobody left the house . We read . Then we slept ."


def layout(text: str) -> tuple[list[int], list[int]]:
    """How many words each sentence has, and how many sentences each paragraph."""
    read = read_plain(text)
    sentences = Counter(read.sentences)
    paragraph_of = dict(zip(read.sentences, read.paragraphs, strict=True))
    return list(sentences.values()), list(Counter(paragraph_of.values()).values())


def test_full_lines_end_nothing() -> None:
    wrapped = textwrap.fill(" ".join([SENTENCES] * 4), 38)
    assert layout(wrapped) == ([5, 5, 3, 4] * 4, [16])
    twice = f"{wrapped}\n\n{wrapped}"
    assert layout(twice) == ([5, 5, 3, 4] * 8, [16, 16])


def test_lines_end_sentences() -> None:
    """A sentence a line, with and without stops; headings and items of a block."""
    lines = "so I went there\nand nobody was in\nat all\nI waited for an hour or two"
    assert layout(lines) == ([4, 4, 2, 7], [4])
    assert layout(SENTENCES.replace(" . ", " .\n")) == ([5, 5, 3, 4], [4])
    block = f"Rain\n{SENTENCES}\n\nYou need\na book\na bed and some time for both"
    assert layout(block) == ([1, 5, 5, 3, 4, 2, 2, 7], [5, 3])


def test_long_lines_are_paragraphs() -> None:
    text = f"{SENTENCES}\n{SENTENCES} {SENTENCES}\nThe end ."
    assert layout(text) == ([5, 5, 3, 4] * 3 + [3], [4, 8, 1])


def test_paragraphs_of_raw_text() -> None:
    text = read_plain("One. Two\n \t\nThree.\r\n\r\n\n -- \n\nFour", "n")
    assert text.forms == ["One", ".", "Two", "Three", ".", "--", "Four"]
    assert text.paragraphs == [0, 0, 0, 1, 1, 2, 3]
    assert text.sentences == [0, 0, 1, 2, 2, 3, 4]
    assert (text.edu_starts, text.name) == (None, "n")


@pytest.mark.parametrize(
    ("edus", "sentences", "paragraphs"),
    [
        (["He left.", "we stayed."], [0, 0], [0, 0]),
        (["He left.", "We stayed."], [0, 1], [0, 0]),
        (["He left.”", "(We stayed."], [0, 1], [0, 0]),
        (["at 5 p.m.", "We stayed"], [0, 1], [0, 0]),
        (["He left <s>", "we stayed"], [0, 1], [0, 0]),
        (["He left <P>", "we stayed"], [0, 1], [0, 1]),
        (["He left.", "“"], [0, 1], [0, 0]),
        (["He left.", ""], [0, 1], [0, 0]),
        (["He left", "", "Why?"], [0, 0, 0], [0, 0, 0]),
    ],
)
def test_sentences_and_paragraphs_of_edus(
    edus: list[str], sentences: list[int], paragraphs: list[int]
) -> None:
    text = of_edus(edus)
    assert text.edu_starts is not None
    assert [text.sentences[at] for at in text.edu_starts] == sentences
    assert [text.paragraphs[at] for at in text.edu_starts] == paragraphs
    assert all(text.edu_texts()[at] for at in range(len(edus)))  # `_` for an empty one


# -- EDUs over tokens of another file --------------------------------------------------


def laid_over(folder: Path, edus: list[str]) -> TokenText:
    files = written(folder, a__conllu=TWO, notes__txt="no syntax")
    return edu_tokens("a", edus, syntax_files(files))


def test_edus_are_laid_over_tokens(tmp_path: Path) -> None:
    text = laid_over(tmp_path, ["H e", "left .", "Wh y"])
    assert (text.name, text.edu_starts) == ("a", [0, 1, 3])
    assert text.tags[0] == "PRP"
    assert edu_tokens("b", ["He left."], syntax_files(tmp_path)).tags[0] == "_"
    assert syntax_files(None) == {}


@pytest.mark.parametrize(
    ("edus", "told"),
    [
        (["He", "let.", "Why"], ["2 of a", "let."]),
        (["H", "e left.", "Why"], ["2 of a", "eleft."]),  # within a token
        (["He left.", "Why", "now"], ["3 of a", "now"]),  # no tokens are left
        (["He left."], ["1 of a", "Why"]),  # tokens are left
        (["He left.", "W"], ["2 of a", "hy"]),
    ],
)
def test_edus_that_do_not_fit_are_named(
    tmp_path: Path, edus: list[str], told: list[str]
) -> None:
    with pytest.raises(PairingError) as caught:
        laid_over(tmp_path, edus)
    assert all(piece in str(caught.value) for piece in told)


def test_a_file_of_syntax_has_one_document(tmp_path: Path) -> None:
    files = written(tmp_path, a__conllu=TWO + TWO)
    with pytest.raises(InputError, match="2"):
        edu_tokens("a", ["He"], syntax_files(files))


def test_files_called_otherwise_are_syntax_if_none_is_called_so(tmp_path: Path) -> None:
    files = written(tmp_path, a__tsv=TWO)
    assert list(syntax_files(files)) == ["a"]
    assert list(syntax_files(written(tmp_path, b__tok=TWO))) == ["b"]


# -- files -----------------------------------------------------------------------------


def test_files_are_told_apart_by_what_is_in_them(tmp_path: Path) -> None:
    files = written(
        tmp_path,
        a__conllu=TWO,
        b__edus="He left.\n\n  We stayed. \n",
        c__txt="He left. We stayed.",
        d__tsv="edu\thead\trelation\tnuclearity\ttext\n"
        "1\t0\tROOT\tN\tHe left.\n2\t1\tcause\tS\tWe stayed.\n",
        e__txt=" \n ",
    )
    read = read_texts(files)
    starts = {text.name: text.edu_starts for text in read.texts}
    assert starts == {"a": [0, 3], "b": [0, 3], "c": None, "d": [0, 3]}
    [empty] = map(str, read.problems)
    assert "e.txt" in empty
    assert "is empty" in empty
    [lines] = read_texts(files / "c.txt", kind="edus").texts
    assert lines.edus() == [(0, 6)]
    [as_text] = read_texts(files / "b.edus", kind="text").texts
    assert as_text.edu_starts is None
    with pytest.raises(SettingsError):
        read_texts(files, kind="words")


RSD = (
    "1\tHe left\t0\t_\t_\tlen=2\t0\tROOT\t_\t_\n"
    "2\tas it rained.\t1\t_\t_\tlen=3\t1\tcause_r\t_\t_\n"
)


def test_trees_are_never_read_as_words(tmp_path: Path) -> None:
    """Files of .rsd have ten columns as CoNLL-U has, but an EDU in each row."""
    files = written(
        tmp_path,
        a__rsd=RSD,
        b=RSD,  # no ending: by its columns
        c__txt=RSD.replace("\t0\t_", "\t_\t_").replace("\t1\t_", "\t_\t_"),
        d__txt="(NS-Cause (1) (2))",
        e__txt="(He left. We stayed)",  # no tree
        f__txt="1 2 cause\n2 0 root\n",
        g__conllu="1\t2024\t2024\tNUM\tCD\t_\t0\troot\t_\t_\n",
        h__txt="1 2 come with me.",
    )
    read = read_texts(files)
    assert read.problems == []
    edus = {one.name: len(one.edus()) if one.edu_starts else 0 for one in read.texts}
    assert edus == dict(zip("abcdefgh", (2, 2, 2, 2, 0, 2, 0, 0), strict=True))
    (tmp_path / "damaged").mkdir()
    damaged = written(tmp_path / "damaged", x__rsd="He left.", y__brackets="(He (")
    assert len(read_texts(damaged).problems) == 2


def test_documents_of_one_name_are_numbered(tmp_path: Path) -> None:
    for folder in ("one", "two", "three"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder, a__txt="He left.")
    paths = [str(tmp_path / folder / "a.txt") for folder in ("one", "two", "three")]
    names = [text.name for text in read_texts(paths).texts]
    assert names == ["a", "a:2", "a:3"]


def test_documents_without_a_name_are_called_by_their_file(tmp_path: Path) -> None:
    nameless = TWO.replace("# newdoc id = a", "# newdoc")
    files = written(tmp_path, x__conllu=nameless + nameless + TWO)
    assert [text.name for text in read_texts(files).texts] == ["x:1", "x:2", "a"]
