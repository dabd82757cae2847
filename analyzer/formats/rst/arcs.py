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

Such words alone (`.conllu`, `.tok`) are a segmentation: EDUs that nothing attaches.

None says who is a nucleus or in which order EDUs are attached, so they are scored as
arcs; only where a constituent tree is asked for, the rest is guessed.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, NamedTuple

from analyzer.exceptions import Place, RstError
from analyzer.files.small_files import LARGEST_FILE, read_text
from analyzer.formats.blocks import Family, Format
from analyzer.formats.rst.building import Document, loaded_json
from analyzer.formats.rst.dependencies import Row, tree_of_rows
from analyzer.model.discourse import (
    ROOT_RELATION,
    UNATTACHED,
    Arc,
    DependencyTree,
    Enhancements,
    Reading,
    check_size,
)
from analyzer.safe_text import counted
from analyzer.transform.relations import (
    SAME_UNIT,
    load_relations,
    normal_form,
    relation_class,
)

_SENTENCE_END = "<S>"


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
    for entry in _field(loaded_json(text, source), "root", list, place)[1:]:
        edu, head = (_field(entry, name, int, place) for name in ("id", "parent"))
        relation, words = (
            _field(entry, name, str, place) for name in ("relation", "text")
        )
        words = words.strip()
        ends = words.endswith(_SENTENCE_END)
        words = words.removesuffix(_SENTENCE_END).strip()
        known = {"text": words, "sentence": sentence}
        # Parent -1, which the root entry has, is also that of EDUs left unattached.
        rows.append(Row(edu, 0 if head == -1 else head, relation, place, **known))
        sentence += ends
    return replace(tree_of_rows(rows, source), is_of_arcs=True)


# -- dialogues ------------------------------------------------------------------------


def read_dialogues(text: str, source: str = "<text>") -> list[Document]:
    """The graphs of some dialogues.

    >>> [graph] = read_dialogues('[{"edus": [{"text": "a"}, {"text": "b"}], '
    ...     '"relations": [{"x": 0, "y": 1, "type": "QAP"}]}]')
    >>> graph.tree.heads, graph.tree.relations
    ([0, 1], ['ROOT', 'QAP'])
    """
    data = loaded_json(text, source)
    listed = data if isinstance(data, list) else [data]
    if not listed:
        raise RstError("E330 contains no EDUs", Place(source))
    return [
        _dialogue(dialogue, number, source) for number, dialogue in enumerate(listed, 1)
    ]


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
        noun = counted(len(speakers), "speaker")
        warnings.append(f"{place}: {noun} left out: not part of the graph")
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
    label: str  # as its corpus has it
    place: Place


class RelsInstance(NamedTuple):
    """A relation as the shared task has it: its label is to be found, no more."""

    document: str
    unit1: str  # tokens
    unit2: str
    label: str  # of the last column


_RELS_HEADER = ("doc", "unit1_toks", "unit2_toks")
_RUN = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_SEGMENT = re.compile(r"(?:^|\|)(?:Seg=B-seg|BeginSeg=Y)")
_CONNECTIVE = re.compile(r"[\t|](?:Seg=B-conn|Conn=B)")


def read_rels(text: str, source: str = "<text>") -> list[Document]:
    """The dependencies of each document of a `.rels` file.

    EDUs and their texts come from the `.conllu` file beside it. Without one, there are
    only the EDUs that relations name, and that is said.
    """
    rows = list(_rows(text, source))
    if not rows:
        raise RstError("E330 contains no EDUs", Place(source))
    beside = f"{source.removesuffix('.rels')}.conllu"
    segments = {}
    if os.path.isfile(beside):
        words = read_text(beside, largest=LARGEST_FILE)
        if _CONNECTIVE.search(words):
            raise RstError("E961 connectives", Place(beside))
        segments = dict(_segments(words))
    relations: dict[str, list[_Relation]] = {}
    for place, row in rows:
        relations.setdefault(row["doc"], []).append(_relation(row, place))
    names = dict.fromkeys((*segments, *relations))
    return [
        _document(name, relations.get(name, []), segments.get(name), source)
        for name in names
    ]


def _rows(text: str, source: str) -> Iterator[tuple[Place, dict[str, str]]]:
    """The lines of a `.rels` file by the names of its columns."""
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
        yield place, dict(zip(header, cells, strict=True))


def _relation(row: dict[str, str], place: Place) -> _Relation:
    units = [
        _Unit(_runs(row[f"unit{n}_toks"], place), row.get(f"unit{n}_txt", ""))
        for n in (1, 2)
    ]
    if row["dir"] not in ("1>2", "1<2"):
        raise RstError("E955 expected 1>2 or 1<2", place, found=row["dir"])
    dependent, governor = units if row["dir"] == "1>2" else units[::-1]
    return _Relation(dependent, governor, row.get("orig_label") or row["label"], place)


def read_instances(text: str, source: str = "<text>") -> list[RelsInstance]:
    """The relations of a `.rels` file, of PDTB's too, with what `label` says.

    A unit may be `_` (an argument that nobody said), and so may the direction.
    """
    names = ("doc", "unit1_toks", "unit2_toks", "label")
    return [
        RelsInstance(*(row[name] for name in names)) for _, row in _rows(text, source)
    ]


def _runs(cell: str, place: Place) -> list[tuple[int, int]]:
    runs = []
    for part in cell.split(","):
        run = _RUN.fullmatch(part)
        if run is None:
            raise RstError("E956 expected tokens such as", place, found=cell[:20])
        runs.append((int(run[1]), int(run[2] or run[1])))
    return sorted(runs)


class _Segments(NamedTuple):
    """The EDUs of a document: their first tokens, from 1, texts, sentences, words."""

    starts: list[int]
    texts: list[str]
    sentences: list[int]
    words: list[list[str]]

    @staticmethod
    def none() -> _Segments:
        return _Segments([], [], [], [])


def _segments(text: str) -> Iterator[tuple[str, _Segments]]:
    """The EDUs of each document of a CoNLL-U file."""
    name = ""
    segments = _Segments.none()
    token, sentence = 0, 0
    for line in text.split("\n"):
        if line.startswith("# newdoc"):
            if segments.starts:
                yield name, segments
            name = line.partition("=")[2].strip()
            segments, token, sentence = _Segments.none(), 0, 0
        columns = line.rstrip("\r").split("\t")
        if len(columns) != 10 or not columns[0].isdigit():
            continue  # several words written as one, words that are not written
        token += 1
        sentence += columns[0] == "1"
        if _SEGMENT.search(columns[9]) or token == 1:
            segments.starts.append(token)
            segments.texts.append("")
            segments.sentences.append(sentence)
            segments.words.append([])
        segments.words[-1].append(columns[1])
        space = "" if "SpaceAfter=No" in columns[9] else " "
        segments.texts[-1] += columns[1] + space
    if segments.starts:
        yield name, segments


def read_segments(text: str, source: str = "<text>") -> list[Document]:
    r"""The EDUs of each document of words with `Seg=`: nothing attaches them.

    >>> rows = "1\tHi\t{0}\tSeg=B-seg\n2\tall\t{0}\tSeg=O\n3\tBye\t{0}\tSeg=B-seg\n"
    >>> [document] = read_segments(rows.format("\t".join("_" * 7)))
    >>> document.tree.texts, document.tree.heads
    (['Hi all', 'Bye'], [0, 0])
    """
    return [_document(name, [], segments, source) for name, segments in _segments(text)]


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
        words = segments.words
        graph = replace(graph, sentences=segments.sentences, words=words)
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
    return _Segments(starts, [texts[start] for start in starts], [0] * len(starts), [])


# -- DISRPT, written ------------------------------------------------------------------

RELS_COLUMNS = (
    *("doc", "unit1_toks", "unit2_toks", "unit1_txt", "unit2_txt", "u1_raw", "u2_raw"),
    *("s1_toks", "s2_toks", "unit1_sent", "unit2_sent"),
    *("dir", "rel_type", "orig_label", "label"),
)
_GAP = "<*>"
_UNKNOWN = "_"


class _Words:
    """The words of a document's EDUs, numbered from 1."""

    def __init__(self, tree: DependencyTree, name: str) -> None:
        self.texts = tree.texts
        self.of_edu = tree.words or [text.split() for text in tree.texts]
        for edu, words in enumerate(self.of_edu, start=1):
            if not words:
                raise RstError("E952 has no text", Place(name or None), edu=edu)
        self.last = list(accumulate(map(len, self.of_edu)))
        self.first = [end + 1 for end in (0, *self.last[:-1])]
        self.sentences = tree.sentences

    def runs(self, edus: Sequence[int]) -> list[list[int]]:
        """EDUs that follow each other, from 1, together."""
        runs: list[list[int]] = []
        for edu in sorted(edus):
            if runs and runs[-1][-1] == edu - 1:
                runs[-1].append(edu)
            else:
                runs.append([edu])
        return runs

    def numbers(self, edus: Sequence[int]) -> str:
        """Their numbers, such as 1-5,9."""
        ends = [
            (self.first[run[0] - 1], self.last[run[-1] - 1]) for run in self.runs(edus)
        ]
        return ",".join(f"{a}-{b}" if a < b else str(a) for a, b in ends)

    def text(self, edus: Sequence[int], *, is_raw: bool = False) -> str:
        """What they say: words with blanks between, or as it was written."""
        chosen = [text.split() for text in self.texts] if is_raw else self.of_edu
        parts = [
            " ".join(" ".join(chosen[edu - 1]) for edu in run)
            for run in self.runs(edus)
        ]
        return f" {_GAP} ".join(parts)

    def sentence(self, edus: Sequence[int]) -> list[int]:
        """The EDUs of the sentences that these begin in; none if that is not known."""
        if self.sentences is None:
            return []
        own = self.sentences[min(edus) - 1]
        return [
            edu for edu, number in enumerate(self.sentences, start=1) if number == own
        ]


def write_rels(tree: DependencyTree, name: str = "") -> str:
    """The relations of a document as DISRPT has them, a line each below the names.

    The first part of a unit that others interrupt stands for all of them (same-unit);
    what depends on a later part does so alone. Words are those that were read, else
    what stands between blanks. `label` is the class of DISRPT
    2025; a relation that it does not know stands there as it is.

    >>> tree = DependencyTree([0, 1], ["ROOT", "List"], texts=["I came", "and saw"])
    >>> write_rels(tree, "letter").split("\\n")[1].split("\\t")[:3]
    ['letter', '1-2', '3-4']
    """
    words = _Words(tree, name)
    classes = load_relations("disrpt") or {}
    arcs = [arc for arc in tree.arcs() if arc.head]
    whole = _interrupted(arcs, len(tree))
    lines = ["\t".join(RELS_COLUMNS)]
    for arc in sorted(arcs, key=lambda arc: arc.edu):  # the first governor first
        if _is_same_unit(arc.relation) or arc.relation == UNATTACHED:
            continue  # no relations between units
        ends = [whole[arc.edu], whole[arc.head]]
        units = sorted(ends)
        around = [words.sentence(unit) for unit in units]
        row = [
            name or _UNKNOWN,
            *(words.numbers(unit) for unit in units),
            *(words.text(unit) for unit in units),
            *(words.text(unit, is_raw=True) for unit in units),
            *(words.numbers(edus) if edus else _UNKNOWN for edus in around),
            *(words.text(edus) if edus else _UNKNOWN for edus in around),
            "1>2" if units[0] is ends[0] else "1<2",
            "none",
            arc.relation,
            relation_class(arc.relation, classes),
        ]
        lines.append("\t".join(row))
    return "\n".join(lines) + "\n"


def _is_same_unit(relation: str) -> bool:
    return normal_form(relation) == normal_form(SAME_UNIT)


def _interrupted(arcs: Iterable[Arc], size: int) -> list[list[int]]:
    """Of each EDU, from 1: it, and if it is the first part of a unit, the others."""
    first = list(range(size + 1))
    for arc in sorted(arcs):
        if _is_same_unit(arc.relation):
            joined = sorted((first[arc.edu], first[arc.head]))
            first = [joined[0] if number == joined[1] else number for number in first]
    parts: dict[int, list[int]] = {}
    for edu, number in enumerate(first):
        parts.setdefault(number, []).append(edu)
    return [parts.get(edu, [edu]) for edu in range(size + 1)]


def with_edges(tree: DependencyTree, given: Enhancements) -> DependencyTree:
    """The dependencies with the secondary edges of .rs4 as further governors.

    An edge is between the heads of its two units. As in GUM's own .rels, a pair that
    has a relation gets no second one.
    """

    def head(node: str) -> int:
        first, last = given.nodes[node].own
        inside = range(first, last + 1)
        return next(edu for edu in inside if tree.heads[edu - 1] not in inside)

    related = {frozenset(pair) for pair in enumerate(tree.heads, start=1)}
    more = list(tree.more)
    for edge in given.edges:
        edu, governor = head(edge.source), head(edge.target)
        if edu != governor and frozenset((edu, governor)) not in related:
            related.add(frozenset((edu, governor)))
            more.append(Arc(edu, governor, edge.relation))
    return replace(tree, more=more)


def unknown_to_disrpt(tree: DependencyTree) -> list[str]:
    """The relations that have no label of DISRPT 2025."""
    classes = load_relations("disrpt") or {}
    known = {*classes, *classes.values()}
    used = dict.fromkeys(arc.relation for arc in tree.arcs())
    ours = {normal_form(SAME_UNIT), normal_form(ROOT_RELATION), UNATTACHED}
    return [
        label
        for label in used
        if label.lower() not in known and normal_form(label) not in ours
    ]


def write_segments(tree: DependencyTree, name: str = "") -> str:
    """The words of a document in CoNLL-U, with `Seg=` where EDUs begin.

    >>> tree = DependencyTree([0], ["ROOT"], texts=["Hi ."])
    >>> [line.split("\\t")[-1] for line in write_segments(tree, "a").splitlines()]
    ['# newdoc id = a', 'Seg=B-seg', 'Seg=O', '']
    """
    words = _Words(tree, name)
    lines = [f"# newdoc id = {name or _UNKNOWN}"]
    number, sentence = 0, None
    for edu, written in enumerate(words.of_edu):
        own = words.sentences[edu] if words.sentences else None
        if own != sentence and number:
            lines.append("")
        number = number if own == sentence else 0
        sentence = own
        rest = tree.texts[edu]
        for at, word in enumerate(written):
            number += 1
            rest = rest.lstrip().removeprefix(word)
            beside = "Seg=O" if at else "Seg=B-seg"
            if rest and not rest[0].isspace():
                beside += "|SpaceAfter=No"
            lines.append("\t".join([str(number), word, *[_UNKNOWN] * 7, beside]))
    return "\n".join(lines) + "\n\n"


# -- the formats ----------------------------------------------------------------------

_SCIDTB_START = re.compile(r'\{\s*"root"\s*:\s*\[')
_DIALOGUE_START = re.compile(
    r'[\[{](?s:.)*?"(?:edus"\s*:\s*\[\s*\{|relations"\s*:\s*\[)'
)
# The first word begins an EDU; a line for several words written as one may precede it.
_SEGMENTS_START = re.compile(
    r"(?:\d+-\d+\t[^\n]*\n)?1\t(?:[^\n\t]*\t){8}(?:[^\n\t]*\|)?(?:Seg=B-seg|BeginSeg=Y)"
)
SCIDTB = Format(
    *("scidtb", Family.DISCOURSE, _SCIDTB_START.match, read_scidtb),
    is_of_dependencies=True,
)
DIALOGUE = Format(
    *("dialogue", Family.DISCOURSE, _DIALOGUE_START.match, read_dialogues),
    is_of_dependencies=True,
)
SEGMENTS = Format("segments", Family.DISCOURSE, _SEGMENTS_START.match, read_segments)
RELS = Format(
    *(
        "rels",
        Family.DISCOURSE,
        lambda start: start.startswith("\t".join(_RELS_HEADER)),
    ),
    read_rels,
    write_rels,
    is_of_dependencies=True,
)
