"""What is seen of EDUs, worked out by hand: with syntax, and without."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analyzer.rst_parser.edus import BAG, EduTable, edu_table
from analyzer.rst_parser.linear import NOTHING, hash_of
from analyzer.rst_parser.text import TokenText, of_edus, read_tokens
from tests.support.conllu import conllu

# News || The man | who came | left | , and then said nothing . || “ Why 12 men ? ”
PLAY = conllu(
    "# newpar",
    "News/news/NN/0/root/Seg=B-seg",
    "",
    "# newpar",
    "# speaker = Ann",
    "The/the/DT/2/det/Seg=B-seg man/man/NN/5/nsubj",
    "who/who/WP/4/nsubj/Seg=B-seg came/come/VBD/2/acl:relcl",
    "left/leave/VBD/0/root/Seg=B-seg",
    ",/,/,/9/punct/Seg=B-seg and/and/CC/9/cc then/then/RB/9/advmod",
    "said/say/VBD/5/conj nothing/nothing/NN/9/obj ./././5/punct",
    "",
    "# speaker = Bob",
    "“/“/``/4/punct/Seg=B-seg Why/why/WRB/4/advmod 12/12/CD/4/nsubj",
    "men/man/NNS/0/root ?/?/./4/punct ”/”/''/4/punct",
)
OF_PLAY = """
w1: news | the | who | left | , | why
w2: | man | came | | and | 12
w3: | | | | then | men
t1: NN | DT | WP | VBD | , | WRB
t2: | NN | VBD | | CC | CD
t3: | | | | RB | NNS
wl: news | man | came | left | . | ”
wl2: | the | who | | nothing | ?
tl: NN | NN | VBD | VBD | . | ''
tl2: | DT | WP | | NN | .
conn: | | who | | | why
open: | | | | | “
len: 0 | 1 | 1 | 0 | 3 | 3
end: | | | | . | ”
cap: first | first | none | none | none | first
quote: 0 | 0 | 0 | 0 | 0 | 0
digit: False | False | False | False | False | True
neg: False | False | False | False | True | False
q: False | False | False | False | False | True
say: | | | | say |
verb: | | VBD | VBD | VBD |
finite: False | False | True | True | True | False
hw: news | man | come | leave | say | man
ht: NN | NN | VBD | VBD | VBD | NNS
hf: root | nsubj | acl:relcl | root | conj | root
gt: | VBD | NN | | VBD |
gw: | leave | man | | leave |
side: | right | left | | left |
subj: | man | who | | | 12
inner: | | acl:relcl | | cc conj |
ps: 0 0 | 0 3 | 1 2 | 2 1 | 3 0 | 0 0
pp: 0 0 | 0 1 | 0 1 | 0 1 | 0 1 | 1 0
pd: 0 1 | 1 0 | 1 0 | 1 0 | 1 0 | 1 0
part: 0 | 0 | 1 | 2 | 2 | 3
heading: True | False | False | False | False | False
turn: | True | False | False | False | True
speaker: | Ann | Ann | Ann | Ann | Bob
w1<: ^ | news | the | who | left | ,
wl>: man | came | left | . | ” | $
conn>: | who | | | why | $
hf<: ^ | root | nsubj | acl:relcl | root | conj
len>: 1 | 1 | 0 | 3 | 3 | $
"""
LETTER = of_edus(
    [
        "“NASA did not fly,",
        "Mr. Li wrote in May 1999,",
        "because in order to win, they are waiting.<P>",
        "But is it over?",
        "“ It",
        "is.",
    ]
)
OF_LETTER = """
w1: nasa | mr. | because | but | it | is
t1: XX | Xx | because | but | it | is
t3: not | x | -er | it | |
tl2: x | 0 | -ing | over | “ | is
conn: | | because in order to | but | |
open: “ | | | | “ |
len: 3 | 3 | 4 | 3 | 1 | 1
end: , | , | . | ? | | .
cap: all | first | none | first | first | none
quote: 1 | 0 | 0 | 0 | 1 | 0
digit: False | True | False | False | False | False
neg: True | False | False | False | False | False
hw: | | | | |
hf: XX | Xx | because | but | it | is
gt: did | in | because | but | it | is
gw: not | may | in | is | |
ps: 0 2 | 1 1 | 2 0 | 0 0 | 0 1 | 1 0
pp: 0 0 | 0 0 | 0 0 | 0 1 | 1 0 | 1 0
pd: 0 1 | 0 1 | 0 1 | 1 0 | 1 0 | 1 0
heading: False | False | False | False | False | False
turn: | | | | |
"""


def play() -> TokenText:
    [text] = read_tokens(PLAY)
    return text


@pytest.mark.parametrize(
    ("text", "expected"),
    [(play(), OF_PLAY), (LETTER, OF_LETTER)],
    ids=["play", "letter"],
)
def test_what_is_seen_of_each_edu(text: TokenText, expected: str) -> None:
    table = edu_table([text])
    for line in expected.strip().splitlines():
        name, _, values = line.partition(":")
        hashed = [hash_of(value.strip()) for value in values.split("|")]
        if name == "hf" and not text.has_syntax:  # and the first verb, which is unknown
            hashed = [hash_of(value.strip() + " ") for value in values.split("|")]
        assert table.atoms[name].tolist() == hashed, name


def without_syntax(*tagged: str) -> EduTable:
    """EDUs as the tagger leaves them: `said/say/VBD` with tags and lemmas."""
    words = [[word.split("/") for word in edu.split()] for edu in tagged]
    text = of_edus([" ".join(word for word, _, _ in edu) for edu in words])
    _, lemmas, tags = zip(*(word for edu in words for word in edu), strict=True)
    return edu_table([replace(text, tags=tags, lemmas=lemmas)])


OF_TAGGED = """
hw: leave | rain | end
ht: VBN | VBD |
hf: PRP VBZ noun | CC IN VBD noun | DT?
side: VBZ | VBD |
gt: she | but | the
gw: has | because | of
subj: she | it |
verb: VBZ VBN | VBD |
finite: True | True | False
inner: VBN | CC |
"""


def test_verbs_and_what_an_edu_begins_with_stand_for_syntax() -> None:
    table = without_syntax(
        "She/she/PRP has/have/VBZ not/not/RB yet/yet/RB left/leave/VBN",
        "but/but/CC because/because/IN it/it/PRP rained/rain/VBD",
        "The/the/DT start/start/NN of/of/IN ends/end/NNS",
    )
    for line in OF_TAGGED.strip().splitlines():
        name, _, values = line.partition(":")
        texts = [value.strip().replace("?", " ") for value in values.split("|")]
        assert table.atoms[name].tolist() == list(map(hash_of, texts)), name


def test_documents_are_numbered_on() -> None:
    """`left` goes on with the clause that `The man` begins: that is its host."""
    table = edu_table([play(), LETTER, play()])
    assert table.document.tolist() == [0] * 6 + [1] * 6 + [2] * 6
    assert table.sentence.tolist() == [
        *(0, 1, 1, 1, 1, 2),
        *(3, 3, 3, 4, 5, 5),
        *(6, 7, 7, 7, 7, 8),
    ]
    assert table.paragraph.tolist() == [0, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, *[5] * 5]
    assert table.governor.tolist() == [
        -1,
        3,
        1,
        -1,
        3,
        -1,
        *[-1] * 6,
        -1,
        15,
        13,
        -1,
        15,
        -1,
    ]
    assert table.host.tolist() == [
        0,
        1,
        2,
        1,
        4,
        5,
        *range(6, 12),
        12,
        13,
        14,
        13,
        16,
        17,
    ]
    assert table.clause_governor.tolist() == [
        *(-1, -1, 1, -1, 1, -1),
        *[-1] * 6,
        *(-1, -1, 13, -1, 13, -1),
    ]
    assert not table.has_syntax  # one of them has none
    assert edu_table([play()]).has_syntax
    assert len(table) == 18


def test_lemmas_are_the_words_that_say_something() -> None:
    table = edu_table([play()])
    assert [set(lemmas) for lemmas in table.lemmas] == [
        *({"news"}, {"man"}, {"come"}, {"leave"}, {"say"}, {"man"}),
    ]
    known = [hash_of(lemma) for lemma in ("and", "then", "say", "nothing")]
    assert table.bag.shape == (6, BAG)
    assert table.bag[4].tolist() == known + [NOTHING] * (BAG - 4)
    many = of_edus(["a b c d e f g h i j k l m n a"])
    assert np.unique(edu_table([many]).bag).size == BAG


def test_the_head_is_the_highest_token_that_is_no_punctuation() -> None:
    """`, however` of `he left , however .`: both hang on `left`; the comma is first."""
    [text] = read_tokens(
        conllu(
            "he/he/PRP/2/nsubj/Seg=B-seg left/leave/VBD/0/root",
            ",/,/,/2/punct/Seg=B-seg however/however/RB/2/advmod ./././2/punct",
        )
    )
    atoms = edu_table([text]).atoms
    assert atoms["hf"].tolist() == [hash_of("root"), hash_of("advmod")]


@pytest.mark.parametrize(
    ("words", "bucket"),
    [(1, 0), (2, 1), (4, 2), (5, 3), (7, 3), (8, 4), (21, 6), (36, 7)],
)
def test_lengths_are_told_apart_roughly(words: int, bucket: int) -> None:
    atoms = edu_table([of_edus(["a " * words])]).atoms
    assert atoms["len"].tolist() == [hash_of(str(bucket))]
