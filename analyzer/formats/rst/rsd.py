""".rsd, GUM's dependencies: ten columns with tabs between them, an EDU a line.

    1  How to Tell a Joke  8  _  _  pos1=WRB|sid=1  24  organization-heading_r  _  _

number, text, height of attachment, two unused, features (`sid` is the sentence), head,
relation with `_m` (nucleus) or `_r` (satellite), secondary edges, signals. The height
is how many groups of .rs3 stand between the head and what the EDU joins; the dependents
of one head are attached in the order of their heights: these are ranks from 0 on.
"""

from __future__ import annotations

import re

from analyzer.exceptions import Place, RstError
from analyzer.formats.rst.dependency_rows import (
    Row,
    integer,
    joined_relation,
    split_relation,
    tree_of_rows,
)
from analyzer.model.dependencies import ROOT_RELATION, DependencyTree
from analyzer.model.discourse import check_size
from analyzer.safe_text import counted

_COLUMNS = 10
_SENTENCE = re.compile(r"(?:^|\|)sid=([0-9]{1,9})(?:$|\|)")


def read_rsd(
    text: str, source: str = "<text>", warnings: list[str] | None = None
) -> DependencyTree:
    """The dependency tree of an .rsd document.

    >>> tree = read_rsd("1\\tA\\t0\\t_\\t_\\t_\\t0\\tROOT\\t_\\t_\\n"
    ...     "2\\tB\\t0\\t_\\t_\\t_\\t1\\tcause_r\\t_\\t_\\n")
    >>> tree.heads, tree.relations, tree.nuclearities, tree.ranks
    ([0, 1], ['ROOT', 'cause'], ['N', 'S'], [1, 1])
    """
    rows: list[Row] = []
    heights: list[int] = []
    left_out = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("# "):
            continue
        place = Place(source, number)
        check_size(len(rows) + 1, place)
        columns = line.rstrip("\r").split("\t")
        if len(columns) != _COLUMNS:
            raise RstError(
                "found {count:column}; expected {columns}",
                place,
                code="E364",
                count=len(columns),
                columns=_COLUMNS,
            )
        relation, nuclearity = split_relation(columns[7])
        sentence = _SENTENCE.search(columns[5])
        rows.append(
            Row(
                integer(columns[0], "the number of an EDU", place),
                integer(columns[6], "the head, a number", place),
                relation,
                number,
                nuclearity,
                text=columns[1],
                sentence=int(sentence[1]) if sentence else None,
            )
        )
        has_height = columns[2] != "_"
        height = integer(columns[2], "a height", place) if has_height else -1
        heights.append(height)
        left_out += sum(column not in ("", "_") for column in columns[8:])
    if warnings is not None and left_out:
        what = counted(left_out, "column")
        message = f"{what} of secondary edges and signals left out"
        warnings.append(f"{source}: {message}: not part of the tree")
    if all(height >= 0 or not r.head for r, height in zip(rows, heights, strict=True)):
        rows = _ranked(rows, heights)
    return tree_of_rows(rows, source)


def _ranked(rows: list[Row], heights: list[int]) -> list[Row]:
    """Ranks from heights: those of one head, counted from 1 without holes."""
    levels: dict[int, set[int]] = {}
    for row, height in zip(rows, heights, strict=True):
        levels.setdefault(row.head, set()).add(height)
    rank_of = {
        (head, height): rank
        for head, found in levels.items()
        for rank, height in enumerate(sorted(found), start=1)
    }
    return [
        row._replace(rank=rank_of[row.head, height])
        for row, height in zip(rows, heights, strict=True)
    ]


def write_rsd(tree: DependencyTree) -> str:
    """The tree in .rsd; white space in a text becomes blanks."""
    lines = []
    for at, (head, relation, text) in enumerate(
        zip(tree.heads, tree.relations, tree.texts, strict=True)
    ):
        nuclearity = tree.nuclearities[at] if tree.nuclearities else None
        height = "_" if tree.ranks is None else str(tree.ranks[at] - 1)
        features = f"sid={tree.sentences[at]}" if tree.sentences else "_"
        label = joined_relation(relation, nuclearity) if head else ROOT_RELATION
        columns = [str(at + 1), " ".join(text.split()), height, "_", "_"]
        columns += [features, str(head), label, "_", "_"]
        lines.append("\t".join(columns))
    return "\n".join(lines) + "\n"
