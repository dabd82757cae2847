"""Dependency trees in columns, an EDU a row: CoNLL-U, .rsd, tables, and triples.

CoNLL-U, as written here: EDUs instead of words, their text in FORM, nuclearity and
order in FEATS, the sentence in MISC:

    # newdoc id = wsj_0601
    1  He said  _  _  _  Nuclearity=S|Rank=1  2  attribution  _  Sentence=1

.rsd, GUM's dependencies, has ten columns as well:

    1  How to Tell a Joke  8  _  _  pos1=WRB|sid=1  24  organization-heading_r  _  _

number, text, height of attachment, two unused, features (`sid` is the sentence), head,
relation with `_m` (nucleus) or `_r` (satellite), secondary edges, signals. The height
is how many groups of .rs3 stand between the head and what the EDU joins; the dependents
of one head are attached in the order of their heights: these are ranks from 0 on.

A table has a header that names its columns (`edu head relation nuclearity rank sentence
text`, in any order, the last four as known). Triples, as Hayashi et al. (2016) wrote
them, are `dependent head relation`, with blanks between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from analyzer.exceptions import Place, RstError
from analyzer.formats.blocks import Family, Format
from analyzer.formats.rst.building import Document, nuclearity_of
from analyzer.limits import limits
from analyzer.model.discourse import (
    NUCLEUS,
    ROOT,
    ROOT_RELATION,
    SATELLITE,
    DependencyTree,
    check_size,
)

_COLUMNS = 10
_EMPTY = ("", "_")
_NUMBER = re.compile("[0-9]{1,9}")
_SUFFIXES = {"_m": NUCLEUS, "_r": SATELLITE}
_SENTENCE = re.compile(r"(?:^|\|)sid=([0-9]{1,9})(?:$|\|)")
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


class Row(NamedTuple):
    """What a file says of one EDU; None is what it does not say."""

    edu: int
    head: int
    relation: str
    place: Place
    nuclearity: str | None = None
    rank: int | None = None
    text: str = ""
    sentence: int | None = None


def tree_of_rows(given: Sequence[Row], source: str) -> DependencyTree:
    """The rows, in any order, as a tree; RstError with its line if it is none.

    >>> here = Place("<text>")
    >>> rows = [Row(2, 1, "cause", here), Row(1, 0, "root", here)]
    >>> tree = tree_of_rows(rows, "<text>")
    >>> tree.heads, tree.relations, tree.ranks
    ([0, 1], ['ROOT', 'cause'], None)
    """
    if not given:
        raise RstError("E330 contains no EDUs", Place(source))
    most = limits().tree_nodes
    if len(given) > most:
        check_size(most + 1, given[most].place)
    rows = sorted(given, key=lambda row: row.edu)
    _check_numbers(rows)
    _check_heads(rows)
    _check_cycles(rows)
    others = [row for row in rows if row.head]
    nuclearities = [row.nuclearity or NUCLEUS for row in rows]
    ranks = [row.rank or 1 for row in rows]
    sentences = [row.sentence or 0 for row in rows]
    return DependencyTree(
        heads=[row.head for row in rows],
        relations=[row.relation if row.head else ROOT_RELATION for row in rows],
        nuclearities=nuclearities if all(r.nuclearity for r in others) else None,
        ranks=ranks if all(row.rank for row in others) else None,
        texts=[row.text for row in rows],
        sentences=sentences if all(row.sentence for row in rows) else None,
    )


def _check_numbers(rows: Sequence[Row]) -> None:
    before = 0
    for row in rows:
        if row.edu == before:
            raise RstError("E333 a second time", row.place, edu=row.edu)
        if row.edu != before + 1:
            raise RstError("E334 a gap", row.place, edu=row.edu, before=before)
        before = row.edu


def _check_heads(rows: Sequence[Row]) -> None:
    for row in rows:
        if not 0 <= row.head <= len(rows):
            message = f"EDU {row.edu} has head {row.head}; there are EDUs 1 to "
            raise RstError("E335 ", row.place, message=message, count=len(rows))
    if all(row.head for row in rows):
        raise RstError("E331 no root", rows[0].place)


def _check_cycles(rows: Sequence[Row]) -> None:
    """Follow heads from each EDU as far as one that is known to reach the root."""
    reaches_root = [False] * (len(rows) + 1)
    reaches_root[0] = True
    for row in rows:
        path: dict[int, None] = {}  # EDUs, in order
        at = row.edu
        while not reaches_root[at]:
            if at in path:
                edus = list(path)
                cycle = [*edus[edus.index(at) :], at]
                shown = " → ".join(map(str, cycle[:9]))
                place = rows[at - 1].place
                raise RstError("E337 a cycle of heads", place, shown=shown)
            path[at] = None
            at = rows[at - 1].head
        for edu in path:
            reaches_root[edu] = True


def split_relation(label: str) -> tuple[str, str | None]:
    """A relation and its nuclearity, where a suffix tells: `_m` multinuclear, `_r` not.

    >>> split_relation("joint-list_m"), split_relation("cause")
    (('joint-list', 'N'), ('cause', None))
    """
    nuclearity = _SUFFIXES.get(label[-2:])
    return (label[:-2] if nuclearity else label), nuclearity


def _integer(text: str, what: str, place: Place) -> int:
    """A number that is not negative, or an RstError."""
    if not _NUMBER.fullmatch(text):
        raise RstError("E332 expected", place, text=text[:20], what=what)
    return int(text)


def _row(values: dict[str, str], place: Place) -> Row:
    """What a line says of an EDU, by the names of columns."""
    relation, suffix = split_relation(values["relation"])
    edu = _integer(values["edu"], "the number of an EDU", place)
    head = _integer(values["head"], "the head, a number", place)
    given = values.get("nuclearity", "")
    nuclearity = suffix if given in _EMPTY else nuclearity_of(given)
    if nuclearity in (None, ROOT) and given not in _EMPTY and head:
        raise RstError("E326 expected N or S", place, given=given)
    rank, sentence = (
        None if values.get(name, "") in _EMPTY else _integer(values[name], what, place)
        for name, what in (("rank", "a rank"), ("sentence", "a sentence"))
    )
    text = values.get("text", "")
    return Row(edu, head, relation, place, nuclearity, rank, text, sentence)


def _lines(text: str, source: str) -> Iterator[tuple[Place, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            yield Place(source, number), line.rstrip("\r")


# -- reading --------------------------------------------------------------------------


def read_conllu(text: str, source: str = "<text>") -> DependencyTree:
    """The dependency tree of a CoNLL-U document with an EDU a line."""
    rows: list[Row] = []
    odd: dict[tuple[int, int], str] = {}
    for place, line in _lines(text, source):
        columns = line.split("\t")
        count = len(columns)
        if count != _COLUMNS:
            raise RstError(
                "E327 with tabs between them", place, count=count, columns=_COLUMNS
            )
        if not {*columns[3:5]} <= {*_EMPTY}:
            raise RstError("E336 words", place)
        features, misc = _features(columns[5]), _features(columns[9])
        values = {
            "edu": columns[0],
            "head": columns[6],
            "relation": columns[7],
            "nuclearity": features.get("Nuclearity", ""),
            "rank": features.get("Rank", ""),
            "sentence": misc.get("Sentence", ""),
            "text": columns[1],
        }
        rows.append(_row(values, place))
        for pair in filter(None, misc.get("NucleusRelation", "").split(",")):
            rank, _, relation = pair.partition(":")
            odd[rows[-1].edu, _integer(rank, "a rank", place)] = relation
    tree = tree_of_rows(rows, source)
    tree.odd_nuclei = odd
    if all(text in _EMPTY for text in tree.texts):
        tree.texts = [""] * len(tree)  # not known
    return tree


def _features(column: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in column.split("|") if pair not in _EMPTY)
    return {name: value for name, _, value in pairs}


def read_rsd(text: str, source: str = "<text>") -> Document:
    """The dependency tree of an .rsd document, and what it has beside the tree.

    >>> tree = read_rsd("1\\tA\\t0\\t_\\t_\\t_\\t0\\tROOT\\t_\\t_\\n"
    ...     "2\\tB\\t0\\t_\\t_\\t_\\t1\\tcause_r\\t_\\t_\\n").tree
    >>> tree.heads, tree.relations, tree.nuclearities, tree.ranks
    ([0, 1], ['ROOT', 'cause'], ['N', 'S'], [1, 1])
    """
    rows: list[Row] = []
    enhancements: list[tuple[str, str]] = []
    begins: list[bool] = []
    for place, line in _lines(text, source):
        columns = line.split("\t")
        count = len(columns)
        if count != _COLUMNS:
            raise RstError("E364 expected", place, count=count, columns=_COLUMNS)
        sentence = _SENTENCE.search(columns[5])
        names = ("edu", "text", "head", "relation")
        values = dict(zip(names, (*columns[:2], *columns[6:8]), strict=True))
        row = _row({**values, "sentence": sentence[1] if sentence else ""}, place)
        has_height = columns[2] != "_"
        height = _integer(columns[2], "a height", place) if has_height else None
        rows.append(row._replace(rank=height))
        enhancements.append((columns[8], columns[9]))
        # `para=para`, `heading=heading`: a block of text begins here.
        begins.append(any(a and a == b for a, b in _features(columns[5]).items()))
    tree = tree_of_rows(_ranked(rows), source)
    if any(begins):
        tree.paragraphs = list(accumulate(map(int, begins)))
    if any(set(columns).difference(_EMPTY) for columns in enhancements):
        tree.enhancements = enhancements
    return Document(tree)


def _ranked(rows: list[Row]) -> list[Row]:
    """Ranks from heights: those of one head, counted from 1 without holes."""
    if any(row.rank is None and row.head for row in rows):
        return [row._replace(rank=None) for row in rows]
    levels: dict[int, set[int]] = {}
    for row in rows:
        levels.setdefault(row.head, set()).add(row.rank or 0)
    rank_of = {
        (head, height): rank
        for head, heights in levels.items()
        for rank, height in enumerate(sorted(heights), start=1)
    }
    return [row._replace(rank=rank_of[row.head, row.rank or 0]) for row in rows]


def read_table(text: str, source: str = "<text>") -> DependencyTree:
    """The dependency tree of a table with a header.

    >>> read_table("edu\\thead\\tlabel\\n1\\t0\\tROOT\\n2\\t1\\tcause\\n").heads
    [0, 1]
    """
    (first, names), *lines = (
        (place, line.split("\t" if "\t" in line else ","))
        for place, line in _lines(text, source)
    )
    header = [_TABLE_NAMES.get(name.strip().lower(), "") for name in names]
    if missing := {"edu", "head", "relation"} - set(header):
        shown = " or ".join(sorted(missing))
        raise RstError("E325 in the header", first, missing=shown)
    rows: list[Row] = []
    for place, cells in lines:
        count, expected = len(cells), len(header)
        if count != expected:
            raise RstError("E328 expected", place, count=count, count_2=expected)
        rows.append(_row(dict(zip(header, cells, strict=True)), place))
    return tree_of_rows(rows, source)


def read_triples(text: str, source: str = "<text>") -> DependencyTree:
    """The dependency tree of lines `dependent head relation`.

    >>> read_triples("1 2 attribution\\n2 0 root\\n").relations
    ['attribution', 'ROOT']
    """
    rows: list[Row] = []
    for place, line in _lines(text, source):
        words = line.split()
        count = len(words)
        if count != 3:
            raise RstError(
                "E329 expected an EDU, its head and a relation", place, count=count
            )
        values = dict(zip(("edu", "head", "relation"), words, strict=True))
        rows.append(_row(values, place))
    return tree_of_rows(rows, source)


# -- writing --------------------------------------------------------------------------


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


def write_rsd(tree: DependencyTree, name: str = "") -> str:
    """The tree in .rsd; white space in a text becomes blanks."""
    lines = []
    for at, (head, relation, text) in enumerate(
        zip(tree.heads, tree.relations, tree.texts, strict=True)
    ):
        nuclearity = tree.nuclearities[at] if tree.nuclearities else None
        height = "_" if tree.ranks is None else str(tree.ranks[at] - 1)
        features = f"sid={tree.sentences[at]}" if tree.sentences else "_"
        suffix = {NUCLEUS: "_m", SATELLITE: "_r"}.get(nuclearity or "", "")
        label = f"{relation}{suffix}" if head else ROOT_RELATION
        columns = [str(at + 1), " ".join(text.split()), height, "_", "_"]
        beside = tree.enhancements[at] if tree.enhancements else ("_", "_")
        columns += [features, str(head), label, *beside]
        lines.append("\t".join(columns))
    return "\n".join(lines) + "\n"


# -- the formats --------------------------------------------------------------------

_ROW = re.compile(r"\d+(?:\t[^\n\t]*){7}")
_HEIGHT = 2  # the third column of .rsd; of CoNLL-U that is a lemma
_SUFFIXED = re.compile(r"(?m)\t\d+\t[^\t\n]+_[rm](?:\t|$)")
_NUCLEARITY = re.compile(r"\d+(?:\t[^\n\t]*){4}\t[^\n\t]*\bNuclearity=")
_HEADER = re.compile(r"(?:edu|id)[\t,]", re.IGNORECASE)
_TRIPLE = re.compile(r"\d+[ \t]+\d+[ \t]+\S+[ \t]*(?:\r?\n|$)")


def _begins_with_heights(start: str) -> bool:
    row = _ROW.match(start)
    if row is None:
        return False
    columns = row[0].split("\t")
    has_height = columns[_HEIGHT].isdigit() and columns[_HEIGHT + 1] in _EMPTY
    return has_height or _SUFFIXED.search(start) is not None


def _is_table_of_edus(start: str) -> bool:
    """Whether the first line names the columns that a table of EDUs must have."""
    names = set(re.split(r"[\t,]", start.partition("\n")[0].strip().lower()))
    return {"edu", "head"} <= names and not names.isdisjoint(("relation", "label"))


_DISCOURSE = Family.DISCOURSE
RSD = Format(
    *("rsd", _DISCOURSE, _begins_with_heights, read_rsd, write_rsd),
    is_of_dependencies=True,
)
CONLLU = Format(
    *("conllu", _DISCOURSE, _ROW.match, read_conllu, write_conllu),
    is_of_dependencies=True,
    tells_family=_NUCLEARITY.match,
)
TABLE = Format(
    "table", _DISCOURSE, _HEADER.match, read_table, tells_family=_is_table_of_edus
)
TRIPLES = Format("triples", _DISCOURSE, _TRIPLE.match, read_triples)
