"""Sentences for files that are out of step."""

from __future__ import annotations

WORDS = ("rain", "snow", "hail", "wind", "fog", "storm", "frost", "sleet")
TREES = [
    f"(S (NP (DT the) (NN {word})) (VP (VBD stopped) (ADVP {'(RB very) ' * n}"
    "(RB suddenly))))"
    for n, word in enumerate(WORDS)
]
PROSE = "(Here is (the next tree))"


def lines(trees: list[str]) -> str:
    return "".join(f"{tree}\n" for tree in trees)
