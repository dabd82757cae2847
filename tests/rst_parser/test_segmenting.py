"""Where EDUs begin: a second look sees what the first said of the tokens around."""

from __future__ import annotations

import numpy as np

from analyzer.rst_parser.plain import of_edus
from analyzer.rst_parser.second_look import SECOND, around, sentence_starts
from analyzer.rst_parser.segmenting import segmented, train_segments
from analyzer.rst_parser.units import parsed

TEXT = of_edus(["The man", "who came", "left.", "We stayed."])


def test_what_a_first_look_says_is_seen_of_each_token() -> None:
    """The man | who came | left . || We stayed ."""
    starts = sentence_starts([TEXT])
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


def test_two_looks_find_what_they_were_shown() -> None:
    texts = [
        of_edus([f"The {who}", f"who {verb}", "left.", "We stayed."])
        for who in ("man", "woman", "boy", "girl")
        for verb in ("came", "sang", "spoke")
    ]
    shown = {"strength": 0.1, "least": 1, "steps": 40}
    once = train_segments(texts, **shown)  # type: ignore[arg-type]
    twice = train_segments(texts, **shown, looks_twice=True)  # type: ignore[arg-type]
    assert once.second is None
    assert twice.second is not None
    for text in segmented(twice, [text.without_syntax() for text in texts]):
        assert text.edu_starts == [0, 2, 4, 6]
    alone = train_segments(texts[:1], **shown, looks_twice=True)  # type: ignore[arg-type]
    assert alone.second is None  # there is no other half to learn from
