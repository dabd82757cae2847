"""RST-DT's .dis format.

`grammars/rst_dis.lark` defines what is well formed. Many documents are read at once, by
one expression that splits each at its units; what stands between them may only be
closing brackets, which give the depths. What that does not take goes through the
grammar, which says what is wrong, or reads it after all; Lark takes thirty times as
long. The tests compare the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from sys import intern
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import Place, RstError
from analyzer.formats.blocks import Family, Format
from analyzer.formats.rst.building import (
    NUCLEARITY_NAMES,
    Lines,
    check_nucleus,
    named,
    spans_of,
)
from analyzer.limits import limits
from analyzer.model.arrays import (
    Flags,
    Ids,
    Ints,
    follow_links,
    parents_and_levels,
)
from analyzer.model.discourse import NO_RELATION, NUCLEUS, ROOT, Unit, check_size
from analyzer.model.symbols import SYMBOLS, by_name
from analyzer.model.treebank import Treebank
from grammars import MismatchError, Node, nodes_of, reader

_NUCLEARITY = {name: short for short, name in NUCLEARITY_NAMES.items()}

# A unit up to where the next begins; brackets that close are taken along, so that
# there is one match a unit.
UNIT = re.compile(
    r"""
    ( \( \s* (Root|Nucleus|Satellite) \s*
    \( \s* (?: span \s+ ([0-9]{1,9}) \s+ ([0-9]{1,9}) | leaf \s+ ([0-9]{1,9}) ) \s* \)
    (?: \s* //TT_ERR )* \s*
    (?: \( \s* rel2par \s+ ( (?> (?: [^\s()/]++ | /(?!/TT_ERR) )+ ) )
        (?: \s* //TT_ERR )* \s* \) (?: \s* //TT_ERR )* \s* )?
    (?: \( \s* text \s+
        (?: _! (?> ( [^_]*+ [\s\S]*? ) _! )
          | (?:<s>)? \s* <EDU> (?> ( [^<]*+ [\s\S]*? ) </EDU> )
            \s* (?:</s>)? )
        (?: \s* //TT_ERR )* \s* \) (?: \s* //TT_ERR )* \s* )?
    ( (?: \) (?: \s* //TT_ERR )* \s* )* ) )
    """,
    re.VERBOSE,
)
_FIELDS = 10  # of a unit in a split: its nine groups, and what follows it
_LEADING = re.compile(r"(?>(?:\s++|//TT_ERR)*)")
_UNIT_START = re.compile(r"\(\s*(?:Root|Nucleus|Satellite)\b")
_SHORTEST_UNIT = len("(Root(leaf 1)")
# Brackets: the grammar takes its time, and no treebank's documents are as large.
_MOST_EXPLAINED = 50_000


def read_dis(text: str, source: str = "<text>") -> Unit:
    """The tree of a .dis document; RstError says what is wrong with it.

    >>> root = read_dis(
    ...     "( Root (span 1 2) ( Nucleus (leaf 1) (rel2par span) (text _!A_!) ) "
    ...     "( Satellite (leaf 2) (rel2par cause) (text _!B_!) ) )")
    >>> [unit.label for unit in root.walk()]
    ['---/R', 'span/N', 'cause/S']
    """
    _check_size(text, source)
    tree = quickly_read(text)
    if tree is not None:
        return tree
    if text.count("(") > _MOST_EXPLAINED:
        message = "not well formed from here on; expected a unit, such as"
        example = "( Nucleus (leaf 7) (rel2par span) (text _!…_!) )"
        place = Lines(text, source).place(_end_of_units(text))
        raise RstError("E339 ", place, message=message, example=example)
    return read_by_grammar(text, source)


def _check_size(text: str, source: str) -> None:
    """Whether the document has more units than are read of one."""
    if len(text) < limits().tree_nodes * _SHORTEST_UNIT:
        return
    for number, start in enumerate(_UNIT_START.finditer(text), start=1):
        if number > limits().tree_nodes:
            check_size(number, Lines(text, source).place(start.start()))


def quickly_read(text: str) -> Unit | None:
    """The tree of a document that the fast reader takes; None of any other."""
    fields = _fields([text])
    bank = None if fields is None else _scanned(fields, "<rst>")
    if fields is None or bank is None:
        return None
    whole, nuclearities, _, _, _, relations, words, tagged, _, _ = fields.columns
    above: list[Unit] = []  # units, the innermost last
    line = 1 + text.count("\n", 0, text.index("("))
    for at, depth in enumerate(bank.depth.tolist()):
        # Relations are few: one string each, however many units have it.
        label = intern(relations[at] or NO_RELATION)
        nuclearity = _NUCLEARITY[str(nuclearities[at])]
        unit = Unit(nuclearity, label, [], words[at] or tagged[at] or "", line)
        line += str(whole[at]).count("\n")
        del above[depth:]
        if above:
            above[-1].children.append(unit)
        above.append(unit)
    return above[0]


def _end_of_units(text: str) -> int:
    """How far a text is units and nothing else."""
    leading = _LEADING.match(text)
    position = leading.end() if leading else 0
    for unit in UNIT.finditer(text, position):
        if unit.start() != position:
            break
        position = unit.end()
    return position


# -- the fast reader ----------------------------------------------------------------


class _Fields(NamedTuple):
    """What is said of each unit of some documents, and where documents start."""

    columns: list[list[str | None]]
    starts: Ints


def scan_documents(texts: Sequence[str], source: str = "<rst>") -> Treebank | None:
    """The trees of well-formed .dis documents, without their texts; or None."""
    fields = _fields(texts)
    return None if fields is None else _scanned(fields, source)


def _fields(texts: Sequence[str]) -> _Fields | None:
    columns: list[list[str | None]] = [[] for _ in range(_FIELDS)]
    starts = [0]
    for text in texts:
        parts = UNIT.split(text)
        units = len(parts) // _FIELDS
        leading = _LEADING.fullmatch(parts[0])
        if leading is None or not 1 <= units <= limits().tree_nodes:
            return None
        for at, column in enumerate(columns):
            column += parts[at + 1 :: _FIELDS]
        starts.append(len(columns[0]))
    return _Fields(columns, np.array(starts))


def _scanned(fields: _Fields, source: str) -> Treebank | None:
    _, nuclearity, first, last, edu, relation, words, tagged, closed, between = (
        fields.columns
    )
    labels = _labels(relation, nuclearity)
    if labels is None or any(between):
        return None
    is_leaf = np.array([number is not None for number in edu], np.bool_)
    closes = np.array([str(brackets).count(")") for brackets in closed], np.int64)
    has_text = [
        plain is not None or marked is not None
        for plain, marked in zip(words, tagged, strict=True)
    ]
    depth = _depths(closes, fields.starts, is_leaf)
    if depth is None or has_text != is_leaf.tolist():
        return None
    if (depth == 0).tolist() != [kind == "Root" for kind in nuclearity]:
        return None
    bank = _assembled(labels, depth, is_leaf, fields.starts, source)
    numbers = [
        np.array([int(number) for number in column if number is not None], np.int64)
        for column in (first, last, edu)
    ]
    return bank if _is_sound(bank, *numbers) else None


def _labels(
    relation: Sequence[str | None], nuclearity: Sequence[str | None]
) -> Ids | None:
    """`cause/S` for each unit; None if a root has a relation, or another has none."""
    pairs = list(zip(relation, nuclearity, strict=True))
    numbers: dict[tuple[str | None, str | None], int] = {}
    for name, kind in dict.fromkeys(pairs):  # in their order
        if (name is None) != (kind == "Root"):
            return None
        label = f"{name or NO_RELATION}/{_NUCLEARITY[str(kind)]}"
        numbers[name, kind] = SYMBOLS.id(label)
    return np.array([numbers[pair] for pair in pairs], np.int32)


def _depths(closes: Ints, starts: Ints, is_leaf: Flags) -> Ids | None:
    """Depth of each unit; None unless each document is one tree.

    A unit opens one bracket, so it is as deep as units stand before it that are not
    closed. A leaf is closed at once; what is not a leaf has units in it.
    """
    if np.any((closes == 0) == is_leaf):
        return None
    closed = np.append(0, np.cumsum(closes))
    opened = np.arange(closes.size)
    if not np.array_equal(closed[starts], starts):
        return None  # a document ends before, or after, its brackets do
    depth: Ints = opened - closed[:-1]
    is_root = np.zeros(closes.size, np.bool_)
    is_root[starts[:-1]] = True
    if np.any(depth < 0) or not np.array_equal(depth == 0, is_root):
        return None
    return depth.astype(np.int32)


def _assembled(
    label: Ids, depth: Ids, is_leaf: Flags, starts: Ints, source: str
) -> Treebank:
    leaf_node = np.flatnonzero(is_leaf)
    leaves_before: Ints = np.cumsum(is_leaf, dtype=np.int64) - is_leaf
    parent, by_level = parents_and_levels(depth)
    # Siblings come in order, so the last one written is the last child; followed
    # down, it leads to the last leaf.
    last_child = np.arange(label.size)
    children = by_level[parent[by_level] >= 0]
    last_child[parent[children]] = children
    last = leaves_before[follow_links(last_child)] + 1
    nothing = np.zeros(leaf_node.size, np.int64)
    return Treebank.of_reader(
        label=label,
        depth=depth,
        first=leaves_before.astype(np.int32),
        last=last.astype(np.int32),
        is_leaf=is_leaf,
        leaf_node=leaf_node,
        form_start=nothing,
        form_end=nothing,
        node_start=starts,
        leaf_start=np.searchsorted(leaf_node, starts),
        line=np.ones(starts.size - 1, np.int64),
        text=b"",
        source=source,
    )


def _is_sound(bank: Treebank, first: Ints, last: Ints, edu: Ints) -> bool:
    """Whether units are numbered as they stand, and each has a nucleus."""
    inner = np.flatnonzero(~bank.is_leaf)
    document = bank.tree_of_node
    before = bank.leaf_start[document]
    ending = f"/{NUCLEUS}"
    is_nucleus = by_name(bank.label, lambda name: name.endswith(ending), np.bool_)
    has_nucleus = bank.is_leaf.copy()
    has_nucleus[bank.parent[is_nucleus]] = True
    leaf_before = before[bank.leaf_node]
    return bool(
        np.array_equal(edu, np.arange(edu.size) - leaf_before + 1)
        and np.array_equal(first, bank.first[inner] - before[inner] + 1)
        and np.array_equal(last, bank.last[inner] - before[inner])
        and has_nucleus.all()
    )


# -- the grammar ----------------------------------------------------------------------

_FOUND = re.compile(r"\S{1,20}")
_TAGGED = re.compile(r"(?:<s>)?\s*<EDU>(.*)</EDU>\s*(?:</s>)?", re.DOTALL)
_TEXTS = re.compile(r"_![^_]*+[\s\S]*?_!|<EDU>[^<]*+[\s\S]*?</EDU>")
_EXPECTED = {
    "OPEN": "'('",
    "CLOSE": "')'",
    "NUCLEARITY": "Root, Nucleus or Satellite",
    "SPAN": "span",
    "LEAF": "leaf",
    "REL2PAR": "rel2par",
    "RELATION": "a relation",
    "TEXT_KEYWORD": "text",
    "TEXT": "a text, _!…_! or <EDU>…</EDU>",
    "NUMBER": "a number",
    "FIRST": "a number",
    "LAST": "a number",
    "$END": "the end",
}


def read_by_grammar(text: str, source: str) -> Unit:
    """The tree of a .dis document, or an RstError that says what is wrong."""
    lines = Lines(text, source)
    if not text.strip():
        raise RstError("E342 is empty", Place(source))
    try:
        nodes = nodes_of(reader("rst_dis"), text)
    except MismatchError as mismatch:
        raise _explained(text, mismatch, lines) from None
    if len(nodes) > 1:
        first, second = (lines.place(_start(node)) for node in nodes[:2])
        raise RstError("E343 a second root", second, first=first.line)
    units = list(_units(nodes[0]))
    _check_labels(units, lines)
    _check_numbers(units, lines)
    return units[0].unit


class _Read(NamedTuple):
    """A unit as it was read, before anything is checked."""

    unit: Unit
    at: int
    numbers_at: int
    first: int  # the EDUs that it is said to have
    last: int


def _start(node: Node) -> int:
    return int(node.tokens["NUCLEARITY"].start_pos)


def _units(top: Node) -> Iterator[_Read]:
    """What nodes stand for, parents first, from left to right."""
    pending: list[tuple[Node, Unit | None]] = [(top, None)]
    while pending:
        node, parent = pending.pop()
        tokens = node.tokens
        unit = Unit(
            _NUCLEARITY[tokens["NUCLEARITY"]],
            str(tokens.get("RELATION", NO_RELATION)),
            text=_words(str(tokens.get("TEXT", ""))),
            line=tokens["NUCLEARITY"].line,
        )
        if parent is not None:
            parent.children.append(unit)
        first = tokens.get("NUMBER") or tokens["FIRST"]
        last = tokens.get("LAST", first)
        yield _Read(unit, _start(node), first.start_pos, int(first), int(last))
        pending.extend((child, unit) for child in reversed(node.children))


def _words(text: str) -> str:
    tagged = _TAGGED.fullmatch(text)
    return tagged[1] if tagged else text[2:-2]


def _check_labels(units: Sequence[_Read], lines: Lines) -> None:
    """The outermost unit, and no other, is the root; all others have a relation."""
    for number, read in enumerate(units):
        is_root = read.unit.nuclearity == ROOT
        has_relation = read.unit.relation != NO_RELATION
        if is_root is (number == 0) and has_relation is not is_root:
            continue
        place, name = lines.place(read.at), named(read.first, read.last)
        if number == 0 and not is_root:
            raise RstError("E344 the outermost unit is not a Root", place)
        if number == 0:
            raise RstError("E346 a root with", place)
        if is_root:
            raise RstError("E347 a second root", place, name=name)
        raise RstError("E348 has no", place, name=name)


def _check_numbers(units: Sequence[_Read], lines: Lines) -> None:
    """EDUs are numbered 1, 2, 3 … and spans say which of them are below."""
    read_of = {id(read.unit): read for read in units}
    seen = 0
    pending: list[tuple[Unit, bool]] = [(units[0].unit, False)]
    while pending:
        unit, is_done = pending.pop()
        _, _, at, first, last = read_of[id(unit)]
        place = lines.place(at)
        if is_done:
            if last != seen:
                name = f"span {first}-{last}"
                raise RstError("E345 the units of", place, name=name, seen=seen)
            check_nucleus(unit, first, last, place)
        elif unit.children:
            if first != seen + 1:
                raise RstError(
                    "E349 the units of span",
                    place,
                    first=first,
                    last=last,
                    seen=seen + 1,
                )
            pending.append((unit, True))
            pending.extend((child, False) for child in reversed(unit.children))
        else:
            _check_leaf(first, seen, place)
            seen = first


def _check_leaf(number: int, seen: int, place: Place) -> None:
    if number == seen + 1:
        return
    if number > seen and not seen:
        raise RstError("E386 the first EDU is", place, number=number)
    if number > seen:
        raise RstError("E387 a gap", place, number=number, seen=seen)
    raise RstError("E340 a second time", place, number=number, seen=seen + 1)


def _explained(text: str, mismatch: MismatchError, lines: Lines) -> RstError:
    """What Lark stumbled over, in the words of someone who edits these files."""
    at, expected = mismatch.at, mismatch.expected
    if at >= len(text.rstrip()):
        outside = _TEXTS.sub("", text)  # brackets in texts do not count
        depth = outside.count("(") - outside.count(")")
        end = lines.place(max(0, len(text.rstrip()) - 1))
        if not depth:
            return RstError("E388 ends too early", end)
        return RstError("E389 ends too early", end, depth=depth)
    shown = _FOUND.match(text, at)
    token = repr(shown[0] if shown else text[at])
    if token.startswith("')") and "CLOSE" not in expected and "$END" in expected:
        return RstError("E317 without", lines.place(at))
    names = sorted({_EXPECTED.get(name, name) for name in expected})
    return RstError(
        "E341 expected", lines.place(at), found=token, names=" or ".join(names)
    )


# -- writing --------------------------------------------------------------------------


def write_dis(root: Unit) -> str:
    """The document in .dis, one unit a line."""
    ends = spans_of(root)
    lines: list[str] = []
    pending: list[tuple[Unit | None, int]] = [(root, 0)]
    while pending:
        unit, depth = pending.pop()
        indent = "  " * min(depth, 50)
        if unit is None:
            lines.append(f"{indent})")
            continue
        first, last = ends[id(unit)]
        where = f"(leaf {first})" if unit.is_edu else f"(span {first} {last})"
        relation = f" (rel2par {unit.relation})" if unit.nuclearity != ROOT else ""
        head = f"{indent}( {NUCLEARITY_NAMES[unit.nuclearity]} {where}{relation}"
        if unit.is_edu:
            lines.append(f"{head} (text {_delimited(unit.text, first)}) )")
            continue
        lines.append(head)
        pending.append((None, depth))
        pending.extend((child, depth + 1) for child in reversed(unit.children))
    return "\n".join(lines) + "\n"


def _delimited(text: str, edu: int) -> str:
    if "_!" not in text:
        return f"_!{text}_!"
    if "</EDU>" not in text:
        return f"<EDU>{text}</EDU>"
    message = f"the text of EDU {edu} contains both '_!' and '</EDU>', which end texts"
    raise RstError("E338 in .dis", Place(), message=message)


_STARTS = re.compile(
    r"(?://TT_ERR\s*)*\(\s*(?:Root|Nucleus|Satellite)\s*(?:\(\s*|$)(?:(?:span|leaf)\b|$)"
)


DIS = Format("dis", Family.DISCOURSE, _STARTS.match, read_dis, write_dis)
