"""Discourse dependencies and graphs that other people's corpora come in.

SciDTB's JSON, an abstract a file; entry 0 is the root (`.dep`):

    {"root": [{"id": 0, "parent": -1, "text": "ROOT", "relation": "null"},
              {"id": 1, "parent": 0, "text": "We parse . <S>", "relation": "ROOT"}]}

STAC's and Molweni's JSON, a list of dialogues; an EDU may have several governors:

    [{"edus": [{"text": "who ?", "speaker": "a"}, {"text": "me", "speaker": "b"}],
      "relations": [{"x": 0, "y": 1, "type": "QAP"}]}]

DISRPT's `.rels`, a relation a line, beside the `.conllu` whose `Seg=` marks the EDUs:

    doc  unit1_toks  unit2_toks  …  dir  rel_type  orig_label  label

`dir` 1>2: unit 1 depends on unit 2. The parts of a unit that others interrupt
(`1-5,9-12`) depend on its first part, as same-unit.

None says who is a nucleus or in which order EDUs are attached, so they are scored as
arcs; only where a constituent tree is asked for, the rest is guessed.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from analyzer.exceptions import InputError, Place, RstError
from analyzer.files.small_files import (
    LARGEST_FILE,
    LARGEST_JSON,
    parse_json,
    read_text,
    too_large,
)
from analyzer.formats.blocks import Family, Format
from analyzer.formats.rst.building import Document
from analyzer.formats.rst.dependencies import Row, tree_of_rows
from analyzer.model.discourse import (
    ROOT_RELATION,
    Arc,
    DependencyTree,
    Reading,
    check_size,
)
from analyzer.safe_text import counted

SAME_UNIT = "same-unit"
_SENTENCE_END = "<S>"


def _loaded(text: str, source: str) -> Any:
    if len(text) > LARGEST_JSON:
        raise too_large(source, LARGEST_JSON).as_a(RstError)
    try:
        return parse_json(text.removeprefix("\ufeff"), source)
    except InputError as error:
        raise error.as_a(RstError) from None


def _field(entry: Any, name: str, kind: type, place: Place) -> Any:
    """A field of an object, of a kind; RstError if there is none."""
    value = entry.get(name) if isinstance(entry, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        what = {int: "a number", str: "a text", list: "a list"}[kind]
        raise RstError("E953 expected", place, name=name, what=what)
    return value


# -- SciDTB ---------------------------------------------------------------------------


def read_scidtb(text: str, source: str = "<text>") -> DependencyTree:
    """The dependency tree of an abstract.

    >>> read_scidtb('{"root": [{"id": 0, "parent": -1}, {"id": 1, "parent": 0, '
    ...     '"text": "Hi . <S>", "relation": "ROOT"}]}').texts
    ['Hi .']
    """
    place = Place(source)
    rows: list[Row] = []
    sentence = 1
    for entry in _field(_loaded(text, source), "root", list, place)[1:]:
        edu, head = (_field(entry, name, int, place) for name in ("id", "parent"))
        relation, words = (
            _field(entry, name, str, place) for name in ("relation", "text")
        )
        words = words.strip()
        ends = words.endswith(_SENTENCE_END)
        words = words.removesuffix(_SENTENCE_END).strip()
        known = {"text": words, "sentence": sentence}
        rows.append(Row(edu, head, relation, place, **known))
        sentence += ends
    return replace(tree_of_rows(rows, source), is_of_arcs=True)


# -- dialogues ------------------------------------------------------------------------


def read_dialogues(text: str, source: str = "<text>") -> list[Document]:
    """The graphs of some dialogues.

    >>> [one] = read_dialogues('[{"edus": [{"text": "a"}, {"text": "b"}], '
    ...     '"relations": [{"x": 0, "y": 1, "type": "QAP"}]}]')
    >>> one.tree.heads, one.tree.relations
    ([0, 1], ['ROOT', 'QAP'])
    """
    data = _loaded(text, source)
    listed = data if isinstance(data, list) else [data]
    if not listed:
        raise RstError("E330 contains no EDUs", Place(source))
    return [_dialogue(one, number, source) for number, one in enumerate(listed, 1)]


def _dialogue(given: Any, number: int, source: str) -> Document:
    place = Place(source, sentence=number)
    edus = _field(given, "edus", list, place)
    arcs = []
    for relation in _field(given, "relations", list, place):
        ends = [_field(relation, name, int, place) for name in ("y", "x")]
        label = _field(relation, "type", str, place)
        for end in ends:
            if not 0 <= end < len(edus):
                raise RstError(
                    "E954 there are EDUs 0 to", place, end=end, last=len(edus) - 1
                )
        arcs.append(Arc(ends[0] + 1, ends[1] + 1, label))
    texts = [_field(edu, "text", str, place) for edu in edus]
    speakers = {str(edu["speaker"]) for edu in edus if "speaker" in edu}
    warnings = []
    if speakers:
        told = counted(len(speakers), "speaker")
        warnings.append(f"{place}: {told} left out: not part of the graph")
    return Document(graph_of(texts, arcs, source), warnings)


def graph_of(
    texts: Sequence[str], arcs: Iterable[Arc], source: str = "<graph>"
) -> DependencyTree:
    """Dependencies of any shape: the first governor of an EDU is its head.

    >>> graph = graph_of(["a", "b", "c"], [Arc(3, 1, "x"), Arc(3, 2, "y")])
    >>> graph.heads, graph.more
    ([0, 0, 1], [Arc(edu=3, head=2, relation='y')])
    """
    if not texts:
        raise RstError("E374 no EDUs", Place(source))
    check_size(len(texts), Place(source))
    tree = DependencyTree(
        [0] * len(texts), [ROOT_RELATION] * len(texts), texts=list(texts)
    )
    more: list[Arc] = []
    for arc in dict.fromkeys(arcs):
        if tree.heads[arc.edu - 1] or arc.edu == arc.head:
            more.append(arc)
        else:
            tree.heads[arc.edu - 1] = arc.head
            tree.relations[arc.edu - 1] = arc.relation
    return replace(tree, more=more, is_of_arcs=True)


# -- DISRPT ---------------------------------------------------------------------------


class _Unit(NamedTuple):
    """The runs of tokens of a unit, from 1, and its text."""

    runs: list[tuple[int, int]]
    text: str


class _Relation(NamedTuple):
    dependent: _Unit
    governor: _Unit
    label: str
    place: Place


_RELS_HEADER = ("doc", "unit1_toks", "unit2_toks")
_RUN = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_SEGMENT = re.compile(r"(?:^|\|)(?:Seg=B-seg|BeginSeg=Y)")
_CONNECTIVE = re.compile(r"[\t|](?:Seg=B-conn|Conn=B)")


def read_rels(text: str, source: str = "<text>") -> list[Document]:
    """The dependencies of each document of a `.rels` file.

    EDUs and their texts come from the `.conllu` file beside it. Without one, there are
    only the EDUs that relations name, and that is said.
    """
    relations: dict[str, list[_Relation]] = {}
    for name, relation in _relations(text, source):
        relations.setdefault(name, []).append(relation)
    if not relations:
        raise RstError("E330 contains no EDUs", Place(source))
    beside = f"{source.removesuffix('.rels')}.conllu"
    segments = {}
    if os.path.isfile(beside):
        words = read_text(beside, largest=LARGEST_FILE)
        if _CONNECTIVE.search(words):
            raise RstError("E961 connectives", Place(beside))
        segments = dict(_segments(words))
    names = dict.fromkeys((*segments, *relations))
    return [
        _document(name, relations.get(name, []), segments.get(name), source)
        for name in names
    ]


def _relations(text: str, source: str) -> Iterator[tuple[str, _Relation]]:
    header: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        place, cells = Place(source, number), line.rstrip("\r").split("\t")
        if not line.strip():
            continue
        if not header:
            header = cells
            continue
        if len(cells) != len(header):
            count, expected = len(cells), len(header)
            raise RstError("E328 expected", place, count=count, count_2=expected)
        row = dict(zip(header, cells, strict=True))
        units = [
            _Unit(_runs(row[f"unit{n}_toks"], place), row.get(f"unit{n}_txt", ""))
            for n in (1, 2)
        ]
        if row["dir"] not in ("1>2", "1<2"):
            raise RstError("E955 expected 1>2 or 1<2", place, found=row["dir"])
        dependent, governor = units if row["dir"] == "1>2" else units[::-1]
        label = row.get("orig_label") or row["label"]
        yield row["doc"], _Relation(dependent, governor, label, place)


def _runs(cell: str, place: Place) -> list[tuple[int, int]]:
    runs = []
    for part in cell.split(","):
        run = _RUN.fullmatch(part)
        if run is None:
            raise RstError("E956 expected tokens such as", place, found=cell[:20])
        runs.append((int(run[1]), int(run[2] or run[1])))
    return sorted(runs)


class _Segments(NamedTuple):
    """The EDUs of a document: their first tokens, from 1, texts and sentences."""

    starts: list[int]
    texts: list[str]
    sentences: list[int]


def _segments(text: str) -> Iterator[tuple[str, _Segments]]:
    """The EDUs of each document of a CoNLL-U file."""
    name = ""
    found = _Segments([], [], [])
    token, sentence = 0, 0
    for line in text.split("\n"):
        if line.startswith("# newdoc"):
            if name:
                yield name, found
            name = line.partition("=")[2].strip()
            found, token, sentence = _Segments([], [], []), 0, 0
        columns = line.rstrip("\r").split("\t")
        if len(columns) != 10 or not columns[0].isdigit():
            continue  # several words written as one, words that are not written
        token += 1
        sentence += columns[0] == "1"
        if _SEGMENT.search(columns[9]) or token == 1:
            found.starts.append(token)
            found.texts.append("")
            found.sentences.append(sentence)
        space = "" if "SpaceAfter=No" in columns[9] else " "
        found.texts[-1] += columns[1] + space
    if name:
        yield name, found


def _document(
    name: str,
    relations: Sequence[_Relation],
    segments: _Segments | None,
    source: str,
) -> Document:
    readings = []
    if segments is None:
        segments = _named_segments(relations)
        without = "read without its .conllu: EDUs that no relation names are missing"
        readings.append(Reading("document", without, 1))
    starts = segments.starts
    arcs: list[Arc] = []
    for relation in relations:
        ends = []
        for unit in (relation.dependent, relation.governor):
            parts = [bisect_right(starts, first) for first, _ in unit.runs]
            if not parts[0]:
                raise RstError("E957 in no EDU", relation.place, token=unit.runs[0][0])
            ends.append(parts[0])
            others = dict.fromkeys(part for part in parts[1:] if part != parts[0])
            arcs += [Arc(part, parts[0], SAME_UNIT) for part in others]
        if ends[0] != ends[1]:
            arcs.append(Arc(ends[0], ends[1], relation.label))
    graph = graph_of([text.strip() for text in segments.texts], arcs, source)
    if any(segments.sentences):
        graph = replace(graph, sentences=segments.sentences)
    return Document(graph, (), readings, name)


def _named_segments(relations: Sequence[_Relation]) -> _Segments:
    """The EDUs that relations name; of an interrupted one, its text is with the first
    part."""
    texts: dict[int, str] = {}
    for relation in relations:
        for unit in (relation.dependent, relation.governor):
            for at, (first, _) in enumerate(unit.runs):
                texts.setdefault(first, "" if at else unit.text)
    starts = sorted(texts)
    return _Segments(starts, [texts[start] for start in starts], [0] * len(starts))


# -- the formats ----------------------------------------------------------------------

_SCIDTB_START = re.compile(r'\{\s*"root"\s*:\s*\[')
_DIALOGUE_START = re.compile(
    r'[\[{](?s:.)*?"(?:edus"\s*:\s*\[\s*\{|relations"\s*:\s*\[)'
)
SCIDTB = Format(
    *("scidtb", Family.DISCOURSE, _SCIDTB_START.match, read_scidtb),
    is_of_dependencies=True,
)
DIALOGUE = Format(
    *("dialogue", Family.DISCOURSE, _DIALOGUE_START.match, read_dialogues),
    is_of_dependencies=True,
)
RELS = Format(
    *(
        "rels",
        Family.DISCOURSE,
        lambda start: start.startswith("\t".join(_RELS_HEADER)),
    ),
    read_rels,
    is_of_dependencies=True,
)
