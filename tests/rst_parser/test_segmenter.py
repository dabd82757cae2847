"""Where EDUs begin: a second pass sees what the first said of the tokens around."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analyzer.rst_parser.features import parsed
from analyzer.rst_parser.linear import hashes
from analyzer.rst_parser.segmenter import (
    FIRST,
    SECOND,
    around,
    begins_sentence,
    first_half,
    segment,
    token_atoms,
    train_segments,
)
from analyzer.rst_parser.text import of_edus, read_tokens
from tests.support.conllu import conllu

TEXT = of_edus(["The man", "who came", "left.", "We stayed."])
# The man who came , left ( I said ) . || Why not
TOKENS = conllu(
    "The/the/DT/2/det man/man/NN/6/nsubj who/who/WP/4/nsubj came/come/VBD/2/acl",
    ",/,/,/4/punct left/leave/VBD/0/root (/(/-LRB-/9/punct I/I/PRP/9/nsubj",
    "said/say/VBD/6/parataxis )/)/-RRB-/9/punct ././_/6/punct",
    "",
    "Why/why/WRB/0/root not/not/RB/1/advmod",
)
OF_TOKENS = """
w: the | man | who | came | , | left | ( | i | said | ) | . | why | not
s: the | x | who | x | , | x | ( | i | x | ) | . | why | not
f: det | nsubj | nsubj | acl | punct | root | punct | nsubj | parataxis | punct | punct | root | advmod
t: DT | NN | WP | VBD | , | VBD | -LRB- | PRP | VBD | -RRB- | _ | WRB | RB
conn:  | | who | | | | | | | | | why |
say: False | False | False | False | False | False | False | False | True | False | False | False | False
w-2: edge-2 | edge-2 | the | man | who | came | , | left | ( | i | said | ) | .
t+2: WP | VBD | , | VBD | -LRB- | PRP | VBD | -RRB- | _ | WRB | RB | edge+2 | edge+2
f-1: edge-1 | det | nsubj | nsubj | acl | punct | root | punct | nsubj | parataxis | punct | punct | root
conn+1:  | who | | | | | | | | | why | | edge+1
say-1: edge-1 | False | False | False | False | False | False | False | False | True | False | False | False
shapes:  | | | | , | | ( | | | ) | . | |
begun: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 6 | 6 | 6 | 6 | 0 | 1
rest: 6 | 6 | 6 | 6 | 6 | 6 | 5 | 4 | 3 | 2 | 1 | 2 | 1
in: 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1 | 1 | 0 | 0 | 0
seen: 0 | 1 | 2 | 2 | 2 | 0 | 1 | 2 | 2 | 2 | 2 | 0 | 1
verbs: 0 3 | 0 2 | 0 1 | 0 0 | 1 1 | 0 0 | 1 2 | 1 1 | 1 0 | 2 none | 2 none | 0 none | 0 none
cc: False | True | True | True | True | False | True | True | True | True | True | False | True
top: root | | acl | | punct | | parataxis | nsubj | | punct | punct | root | advmod
topt: VBD | | VBD | | , | | VBD | PRP | | -RRB- | _ | WRB | RB
topsize: 5 | | 3 | | 1 | | 4 | 1 | | 1 | 1 | 2 | 1
ended:  | det | | nsubj | | nsubj | | punct | nsubj | | parataxis | root |
depth: 0 | | 2 | | 3 | | 1 | 2 | | 2 | 1 | 0 | 1
kids: 3 | | 2 | | 0 | | 3 | 0 | | 0 | 0 | 1 | 0
gt: NN | VBD | VBD | NN | VBD | | VBD | VBD | VBD | VBD | VBD | | WRB
side: right | right | right | left | left | | right | right | left | left | left | | left
"""  # noqa: E501
# Where nothing but tags is known.
OF_TAGS = """
past1: ^ | N | N | W | V | , | V | -LRB- | N | V | -RRB- | ^ | W
past3: ^ | ^ N | ^ N | ^ N W | N W V | W V , | V , V | , V -LRB- | V -LRB- N | -LRB- N V | N V -RRB- | ^ | ^ W
next2: N W | N W | W V | V , | , V | V -LRB- | -LRB- N | N V | V -RRB- | -RRB- _ | _ | W |
next4: N W V , | N W V , | W V , V | V , V -LRB- | , V -LRB- N | V -LRB- N V | -LRB- N V -RRB- | N V -RRB- _ | V -RRB- _ | -RRB- _ | _ | W |
"""  # noqa: E501
# What a first pass says, rounded; 8 is beyond the text, 9 the start of a sentence.
SCORES = [0.0, -2.2, 1.6, -7.0, 0.4, 2.0, -1.0, 0.3, -2.0, -3.0, -3.0, 0.0, -1.2]
OF_SCORES = """
q: 9 | -2 | 2 | -5 | 0 | 2 | -1 | 0 | -2 | -3 | -3 | 9 | -1
q-3: 8 | 8 | 8 | 9 | -2 | 2 | -5 | 0 | 2 | -1 | 0 | -2 | -3
q+1: -2 | 2 | -5 | 0 | 2 | -1 | 0 | -2 | -3 | -3 | 9 | -1 | 8
since: 0 | 1 | 2 | 1 | 2 | 1 | 1 | 2 | 1 | 2 | 3 | 0 | 1
since_w: the | the | the | who | who | , | left | left | i | i | i | why | why
since_t: DT | DT | DT | WP | WP | , | VBD | VBD | PRP | PRP | PRP | WRB | WRB
had: 0 | 0 | 0 | 0 | 1 | 0 | 1 | 1 | 0 | 1 | 1 | 0 | 0
until: 2 | 1 | 2 | 1 | 1 | 2 | 1 | 4 | 3 | 2 | 1 | 2 | 1
left: 0 | 0 | 1 | 1 | 0 | 1 | 0 | 1 | 1 | 0 | 0 | 0 | 0
"""


def expected(table: str) -> dict[str, list[int]]:
    lines = (line.partition(":") for line in table.strip().splitlines())
    return {
        name: hashes([value.strip() for value in values.split("|")]).tolist()
        for name, _, values in lines
    }


def test_what_is_seen_of_each_token() -> None:
    [text] = read_tokens(TOKENS)
    found = token_atoms([text])
    for name, values in expected(OF_TOKENS).items():
        assert found[name].tolist() == values, name
    of_tags = token_atoms([replace(text.without_syntax(), tags=text.tags)])
    for name, values in expected(OF_TAGS).items():
        assert of_tags[name].tolist() == values, name
    names = {name for template in parsed(FIRST) for name in template}
    assert not names - set(of_tags)
    phrases = {name for name in names if name.startswith(("past", "next"))}
    for known in (found, token_atoms([TEXT])):  # with syntax; without tags
        assert names - set(known) == phrases
    after = token_atoms([TEXT, text])
    assert after["w"].tolist()[len(TEXT) :] == found["w"].tolist()


def test_what_is_seen_of_the_tokens_around() -> None:
    [text] = read_tokens(TOKENS)
    found = around([text], np.array(SCORES), begins_sentence([text]))
    for name, values in expected(OF_SCORES).items():
        assert found[name].tolist() == values, name


def test_what_a_first_pass_says_is_seen_of_each_token() -> None:
    """The man | who came | left . || We stayed ."""
    starts = begins_sentence([TEXT])
    assert starts.tolist() == [True, *[False] * 5, True, False, False]
    scores = np.array([0.0, -2.2, 1.6, -7.0, 0.4, -1.0, 0.0, -3.0, -1.0])
    found = around([TEXT], scores, starts)
    assert {name for one in parsed(SECOND) for name in one} - set(found) == {"w", "t"}
    same = {
        # At "left" the EDU of "who" began two tokens ago; at "who", that of "The".
        "since": [0, 1, 2, 1, 2, 1, 0, 1, 2],
        "until": [2, 1, 2, 1, 2, 1, 3, 2, 1],
        "q": [9, -2, 2, -5, 0, -1, 9, -3, -1],
        "q-1": [8, 9, -2, 2, -5, 0, -1, 9, -3],
    }
    for name, values in same.items():
        alike = found[name][:, None] == found[name]
        expected = np.array(values)[:, None] == np.array(values)
        assert (alike == expected).all(), name


def test_two_passes_find_what_they_were_shown() -> None:
    texts = [
        of_edus([f"The {who}", f"who {verb}", "left.", "We stayed."])
        for who in ("man", "woman", "boy", "girl")
        for verb in ("came", "sang", "spoke")
    ]
    twice = train_segments(texts, strength=0.1, least=1)
    assert len(twice) == 2
    for starts in segment(twice, [text.without_syntax() for text in texts]):
        assert starts == [0, 2, 4, 6]
    alone = train_segments(texts[:1], strength=0.1, least=1)
    assert len(alone) == 1  # there is no other half to learn from


def test_each_half_has_one_of_two_neighbours() -> None:
    """Of the first and second text, of the third and fourth; a fifth stands alone."""
    texts = [of_edus(["word " * size]) for size in (1, 2, 3, 4, 5)]
    divisions = set()
    for seed in range(20):
        flags = first_half(texts, seed).tolist()
        assert flags == first_half(texts, seed).tolist()
        a, b, c, d, e = (flags[at] for at in (0, 1, 3, 6, 10))
        assert flags == [a, *[b] * 2, *[c] * 3, *[d] * 4, *[e] * 5]
        assert a != b
        assert c != d
        divisions.add((a, c))
    assert len(divisions) == 4
