"""Dependency trees in columns: CoNLL-U with an EDU a line, tables, and triples.

CoNLL-U, as written here: EDUs instead of words, their text in FORM, nuclearity and
order in FEATS, the sentence in MISC:

    # newdoc id = wsj_0601
    1  He said  _  _  _  Nuclearity=S|Rank=1  2  attribution  _  Sentence=1

A table has a header that names its columns (`edu head relation nuclearity rank sentence
text`, in any order, the last four as known). Triples, as Hayashi et al. (2016) wrote
them, are `dependent head relation`, with blanks between.
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.exceptions import Place, RstError
from analyzer.formats.rst.building import nuclearity_of
from analyzer.formats.rst.dependency_rows import (
    Row,
    integer,
    split_relation,
    tree_of_rows,
)
from analyzer.model.dependencies import ROOT_RELATION, DependencyTree
from analyzer.model.discourse import ROOT, check_size

_COLUMNS = 10
_EMPTY = ("", "_")
_TABLE_NAMES = {
    "edu": "edu",
    "id": "edu",
    "head": "head",
    "relation": "relation",
    "label": "relation",
    "deprel": "relation",
    "nuclearity": "nuclearity",
    "nuc": "nuclearity",
    "peer_nuc": "nuclearity",
    "rank": "rank",
    "peer_rank": "rank",
    "order": "rank",
    "sent": "sentence",
    "sentence": "sentence",
    "text": "text",
    "form": "text",
}


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line.rstrip("\r")


def read_conllu(text: str, source: str = "<text>") -> DependencyTree:
    """The dependency tree of a CoNLL-U document with an EDU a line."""
    rows: list[Row] = []
    odd: dict[tuple[int, int], str] = {}
    for number, line in _lines(text):
        place = Place(source, number)
        check_size(len(rows) + 1, place)
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            raise RstError(
                "found {count:column}; expected {columns}, with tabs between them",
                place,
                code="E327",
                count=len(columns),
                columns=_COLUMNS,
            )
        features = _features(columns[5])
        misc = _features(columns[9])
        edu = integer(columns[0], "the number of an EDU", place)
        values = {
            "edu": columns[0],
            "head": columns[6],
            "relation": columns[7],
            "nuclearity": features.get("Nuclearity", ""),
            "rank": features.get("Rank", ""),
            "sentence": misc.get("Sentence", ""),
        }
        rows.append(_row(values, number, place)._replace(text=columns[1]))
        for pair in filter(None, misc.get("NucleusRelation", "").split(",")):
            rank, _, relation = pair.partition(":")
            odd[edu, integer(rank, "a rank", place)] = relation
    tree = tree_of_rows(rows, source)
    tree.odd_nuclei = odd
    if all(text in _EMPTY for text in tree.texts):
        tree.texts = [""] * len(tree)  # not known
    return tree


def read_table(text: str, source: str = "<text>") -> DependencyTree:
    """The dependency tree of a table with a header.

    >>> read_table("edu\\thead\\tlabel\\n1\\t0\\tROOT\\n2\\t1\\tcause\\n").heads
    [0, 1]
    """
    lines = list(_lines(text))
    header = [_TABLE_NAMES.get(name.strip().lower(), "") for name in _cells(lines[0])]
    missing = {"edu", "head", "relation"} - set(header)
    if missing:
        raise RstError(
            "no column {missing} in the header",
            Place(source, lines[0][0]),
            code="E325",
            missing=" or ".join(sorted(missing)),
        )
    rows: list[Row] = []
    for number, line in lines[1:]:
        place = Place(source, number)
        check_size(len(rows) + 1, place)
        cells = _cells((number, line))
        if len(cells) != len(header):
            raise RstError(
                "found {count:column}; expected {count_2}",
                place,
                code="E328",
                count=len(cells),
                count_2=len(header),
            )
        rows.append(_row(dict(zip(header, cells, strict=True)), number, place))
    return tree_of_rows(rows, source)


def _cells(line: tuple[int, str]) -> list[str]:
    return line[1].split("\t") if "\t" in line[1] else line[1].split(",")


def read_triples(text: str, source: str = "<text>") -> DependencyTree:
    """The dependency tree of lines `dependent head relation`.

    >>> read_triples("1 2 attribution\\n2 0 root\\n").relations
    ['attribution', 'ROOT']
    """
    rows: list[Row] = []
    for number, line in _lines(text):
        place = Place(source, number)
        check_size(len(rows) + 1, place)
        words = line.split()
        if len(words) != 3:
            raise RstError(
                "found {count:word}; expected an EDU, its head and a relation",
                place,
                code="E329",
                count=len(words),
            )
        values = dict(zip(("edu", "head", "relation"), words, strict=True))
        rows.append(_row(values, number, place))
    return tree_of_rows(rows, source)


def _features(column: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in column.split("|") if pair not in _EMPTY)
    return {name: value for name, _, value in pairs}


def _row(values: dict[str, str], line: int, place: Place) -> Row:
    relation, suffix = split_relation(values["relation"])
    head = integer(values["head"], "the head, a number", place)
    given = values.get("nuclearity", "")
    nuclearity = suffix if given in _EMPTY else nuclearity_of(given)
    if nuclearity in (None, ROOT) and given not in _EMPTY and head:
        raise RstError(
            "found nuclearity {given!r}; expected N or S",
            place,
            code="E326",
            given=given,
        )
    rank, sentence = (values.get(name, "") for name in ("rank", "sentence"))
    return Row(
        integer(values["edu"], "the number of an EDU", place),
        head,
        relation,
        line,
        nuclearity,
        None if rank in _EMPTY else integer(rank, "a rank", place),
        values.get("text", ""),
        None if sentence in _EMPTY else integer(sentence, "a sentence", place),
    )


def write_conllu(tree: DependencyTree, name: str = "") -> str:
    """The tree in CoNLL-U, an EDU a line; white space in a text becomes blanks."""
    lines = [f"# newdoc id = {name}"] if name else []
    odd: dict[int, list[str]] = {}
    for (head, rank), relation in sorted(tree.odd_nuclei.items()):
        odd.setdefault(head, []).append(f"{rank}:{relation}")
    for at, (head, relation, text) in enumerate(
        zip(tree.heads, tree.relations, tree.texts, strict=True)
    ):
        features = []
        if tree.nuclearities is not None:
            features.append(f"Nuclearity={tree.nuclearities[at]}")
        if tree.ranks is not None:
            features.append(f"Rank={tree.ranks[at]}")
        misc = [f"NucleusRelation={','.join(odd[at + 1])}"] if at + 1 in odd else []
        if tree.sentences is not None:
            misc.append(f"Sentence={tree.sentences[at]}")
        columns = [str(at + 1), " ".join(text.split()) or "_", "_", "_", "_"]
        columns += ["|".join(features) or "_", str(head)]
        columns += [relation if head else ROOT_RELATION, "_", "|".join(misc) or "_"]
        lines.append("\t".join(columns))
    return "\n".join(lines) + "\n\n"
