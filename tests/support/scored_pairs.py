"""Random pairs, written down and scored."""

from __future__ import annotations

from analyzer import ConstructionScores, read_trees, score
from tests.support.edited_trees import SMALL
from tests.support.strategies import Plain, one_line

Pairs = list[tuple[list[Plain], list[Plain]]]


def texts(pairs: Pairs) -> tuple[str, str]:
    def text(side: int) -> str:
        lines = [" ".join(one_line(root) for root in pair[side]) for pair in pairs]
        return "".join(line + "\n" for line in lines)

    return text(0), text(1)


def scored(pairs: Pairs, **options: object) -> ConstructionScores:
    gold, parsed = (read_trees(text, keep_blank_lines=True) for text in texts(pairs))
    return score(gold, parsed, patterns=SMALL, **options)
