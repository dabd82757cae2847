"""Bracketed strings: one we write, and those that parsers do.

Written, and read: units with nuclearity and relation, as in Hayashi et al.'s HILDA
(2016), and texts in gCRF's delimiters, a document a line:

    (Root (Nucleus:span _!He left!_) (Satellite:reason _!because it rained.!_))

Also read, with a relation on the parent (attachment decisions; N nucleus, S satellite):

    (reason[N][S] _!He left!_ _!because it rained.!_)         gCRF (Feng and Hirst 2014)
    (NS-Reason (1) (2))                                       Braud et al. 2016
    (ROOT (NSReason (EDU He_left) (EDU because_it_rained.)))  Braud et al. 2017
    (nucleus-satellite:Reason (text 0) (text 1))              NTT, Kobayashi et al. 2020
    (reason (LeftToRight) (TEXT:He left) (TEXT:because …))    Surdeanu et al. 2015
    ParseTree('reason[N][S]', ['He left', 'because …'])       Hernault et al. 2010

The grammars are `grammars/rst_brackets.lark` and `grammars/rst_python.lark`.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import Any

from analyzer.exceptions import Place, RstError
from analyzer.formats.blocks import Family, Format
from analyzer.formats.rst.building import (
    NUCLEARITY_NAMES,
    Document,
    Lines,
    check_nucleus,
    decided,
    loaded_json,
    nuclearity_of,
    spans_of,
)
from analyzer.limits import limits
from analyzer.model.discourse import NO_RELATION, NUCLEUS, ROOT, SPAN, Unit, check_size
from grammars import MismatchError, Node, nodes_of, reader

_IS_PYTHON = re.compile(r"\s*(?:Parse)?Tree\(")
_BEGINS = re.compile(r"(?:(?:Parse)?Tree)?\(")
# A text in our delimiters, as `grammars/rst_brackets.lark` has it.
_TEXT = re.compile(r"_!(?s:.*?)(?:!_|_!)(?=\s*(?:[()]|_!|$))")
_UNIT_OR_END = re.compile(rf"{_TEXT.pattern}|[()]")
_OWN = re.compile(r"(?P<nuclearity>[Nn]ucleus|[Ss]atellite|N|S)[:=](?P<relation>.+)")
_DECISIONS = [
    re.compile(r"(?P<left>[ns])\w+-(?P<right>[ns])\w+:(?P<relation>.+)"),
    re.compile(r"(?P<relation>.+?)\[(?P<left>[NS])\]\[(?P<right>[NS])\]"),
    re.compile(r"(?P<left>[NS])(?P<right>[NS])-(?P<relation>.+)"),
    re.compile(r"(?P<left>[NS])(?P<right>[NS])(?P<relation>[A-Z].*)"),
    re.compile(r"(?P<relation>.+):(?P<left>[NS])(?P<right>[NS])"),
]
_DIRECTIONS = {"LeftToRight": "NS", "RightToLeft": "SN"}
_LEAVES = re.compile(r"(?:EDU|TEXT)(?:$|:)")
_NUMBER = re.compile(r"(?:leaf)?([0-9]{1,9})(?:_[0-9]+_[0-9]+)?")
_TOPS = ("root", "top")
_NUMBERED = "text"  # what NTT calls an EDU, of which it says the number, from 0


@dataclass
class _Bracket:
    """A bracket, or a text: its label, what is in it, and the unit that it becomes."""

    label: str
    place: Place
    is_text: bool = False
    items: list[_Bracket] = field(default_factory=list)  # brackets and texts
    words: list[str] = field(default_factory=list)
    unit: Unit = field(default_factory=lambda: Unit(NUCLEUS, SPAN))
    has_labels: bool = False  # its own, not to come from its parent
    number: int | None = None  # of an EDU that has one


def read_brackets(text: str, source: str = "<text>") -> list[Unit]:
    """The trees of bracketed strings, usually one.

    >>> tree, = read_brackets("(reason[N][S] _!He left!_ _!because it rained.!_)")
    >>> [(unit.label, unit.text) for unit in tree.walk()][1:]
    [('span/N', 'He left'), ('reason/S', 'because it rained.')]
    """
    lines = Lines(text, source)
    _check_size(text, lines)
    is_python = _IS_PYTHON.match(text) is not None
    try:
        nodes = nodes_of(reader("rst_python" if is_python else "rst_brackets"), text)
    except MismatchError as mismatch:
        raise _explained(text, mismatch, lines) from None
    if not nodes:
        raise RstError("E312 contains no tree", Place(source))
    return [_tree_of_brackets(_bracket(node, lines)) for node in nodes]


def _check_size(text: str, lines: Lines) -> None:
    """Refuse a monstrous tree before the grammar takes its time with it."""
    if text.count("(") + text.count("_!") <= limits().tree_nodes:
        return
    units = depth = 0
    for token in _UNIT_OR_END.finditer(text):
        if token[0] == ")":
            depth -= 1
            continue
        units = units + 1 if depth > 0 else 1
        check_size(units, lines.place(token.start()))
        depth += token[0] == "("


def _explained(text: str, mismatch: MismatchError, lines: Lines) -> RstError:
    if mismatch.is_end:
        end = lines.place(max(0, len(text.rstrip()) - 1))
        return RstError("E313 ends too early", end, count=len(mismatch.opened))
    place = lines.place(mismatch.at)
    if mismatch.kind == "CLOSE":
        return RstError("E317 without", place)
    if text.startswith("_!", mismatch.at) and not _IS_PYTHON.match(text):
        return RstError("E316 a text begins here that does not end", place)
    if mismatch.kind:
        return RstError("E318 outside of any bracket", place, found=mismatch.token)
    shown = text[mismatch.at : mismatch.at + 12]
    return RstError("E315 expected a bracket or a text", place, shown=shown)


def _bracket(top: Node, lines: Lines) -> _Bracket:
    """A node of the grammar with all below it; RstError if these are too many."""
    root = _Bracket("", Place())
    units = 0
    pending = [(top, root)]
    while pending:
        node, parent = pending.pop()
        tokens = node.tokens
        if "WORD" in tokens:
            parent.words.append(str(tokens["WORD"]))
            continue
        token = tokens.get("TEXT") or tokens["OPEN"]
        label = tokens.get("TEXT") or tokens.get("LABEL") or _label_in(token)
        place = lines.place(token.start_pos)
        bracket = _Bracket(_unquoted(label), place, is_text="TEXT" in tokens)
        units += 1
        check_size(units, place)
        parent.items.append(bracket)
        pending.extend((child, bracket) for child in reversed(node.children))
    return root.items[0]


def _label_in(opening: str) -> str:
    """The label of Python's `Tree('label', [`; of a bracket alone none."""
    return opening[opening.index("(") + 1 : opening.rfind(",")].strip()


def _unquoted(text: str) -> str:
    if text.startswith("_!"):
        return text[2:-2].strip()
    if text[-1:] in ("'", '"') and text.lstrip("uU")[:1] == text[-1:]:
        try:
            words = str(ast.literal_eval(text.replace("\n", "\\n")))
            return words.encode("utf-8", "replace").decode("utf-8")  # no '\ud800'
        except (SyntaxError, ValueError):  # not quite Python: a NUL, a lone backslash
            return text.lstrip("uU")[1:-1]
    return text


# -- what labels mean: who is a nucleus, by which relation ---------------------------


def _tree_of_brackets(top: _Bracket) -> Unit:
    """The tree that brackets stand for."""
    order = [top]
    for bracket in order:  # grows while it is read
        order.extend(_below(bracket))
    for bracket in reversed(order):
        bracket.unit.line = bracket.place.line or 0
        own = _OWN.fullmatch(bracket.label)
        if own and not bracket.is_text:
            bracket.has_labels = True
            bracket.unit.nuclearity = nuclearity_of(own["nuclearity"]) or ""
            bracket.unit.relation = own["relation"]
        inside = _below(bracket)
        if inside:
            _join(bracket, inside)
        else:
            _fill(bracket)
    root = top.unit
    root.nuclearity, root.relation = ROOT, NO_RELATION
    _check(root, {id(bracket.unit): bracket for bracket in order})
    return root


def _below(bracket: _Bracket) -> list[_Bracket]:
    """The units in a bracket: a direction is none."""
    if _LEAVES.match(bracket.label):
        return []
    items = [item for item in bracket.items if item.label not in _DIRECTIONS]
    if len(items) == 1 and _is_edu(items[0]) and _is_unit(bracket):
        return []
    return items


def _is_edu(bracket: _Bracket) -> bool:
    """Whether it is what an EDU has in its bracket: a text, or a number."""
    return bracket.is_text or (bracket.label == _NUMBERED and not bracket.items)


def _is_unit(bracket: _Bracket) -> bool:
    """Whether it says itself what it is."""
    return bool(_OWN.fullmatch(bracket.label)) or bracket.label.lower() in _TOPS


def _fill(bracket: _Bracket) -> None:
    """The text of an EDU, or its number."""
    label, words, unit = bracket.label, bracket.words, bracket.unit
    if bracket.is_text:
        unit.text = label
    elif bracket.items and bracket.items[0].is_text:
        unit.text = bracket.items[0].label
    elif bracket.items:
        _fill(bracket.items[0])
        bracket.number = bracket.items[0].number
    elif _LEAVES.match(label):
        unit.text = " ".join(filter(None, [label.partition(":")[2], *words]))
    elif number := _NUMBER.fullmatch(words[0] if len(words) == 1 else label):
        bracket.number = int(number[1])
    elif words and _is_unit(bracket):
        unit.text = " ".join(words)
    else:
        raise RstError(
            "E311 expected units or a text in it", bracket.place, value=label or "()"
        )


def _join(bracket: _Bracket, inside: list[_Bracket]) -> None:
    """The unit of several, which get their labels from it if they have none."""
    units = [item.unit for item in inside]
    is_top = bracket.label.lower() in _TOPS
    if is_top and len(units) == 1 and not inside[0].has_labels:
        bracket.unit = units[0]  # a root that is only a wrapper
        return
    bracket.unit.children = units
    if bracket.has_labels or is_top:
        if not all(item.has_labels for item in inside):
            raise RstError(
                "E307 a unit without nuclearity and relation, such", bracket.place
            )
        bracket.has_labels = True
        return
    pattern, relation = _decision(bracket)
    count = len(units)
    if count < 2 or (count > 2 and pattern != "NN"):
        raise RstError(
            "E305 joins two units", bracket.place, label=bracket.label, count=count
        )
    for child, labels in zip(units, decided(pattern, relation, count), strict=True):
        child.nuclearity, child.relation = labels


def _decision(bracket: _Bracket) -> tuple[str, str]:
    """Nuclearity of the two units in a bracket, and their relation."""
    label, place = bracket.label, bracket.place
    for item in bracket.items:
        if item.label in _DIRECTIONS:
            return _DIRECTIONS[item.label], label
    for shape in _DECISIONS:
        if decision := shape.fullmatch(label):
            pattern = (decision["left"] + decision["right"]).upper()
            if pattern == "SS":
                raise RstError(
                    "E310 has no nucleus among its units", place, label=label
                )
            return pattern, decision["relation"]
    if not label:
        raise RstError("E306 a bracket without a label", place)
    return "NN", label  # Surdeanu et al.: no direction is multinuclear


def _check(root: Unit, bracket_of: dict[int, _Bracket]) -> None:
    """Numbered EDUs are in order, and every unit has a nucleus."""
    spans = spans_of(root)
    numbers = [
        bracket.number for bracket in bracket_of.values() if bracket.number is not None
    ]
    from_zero = min(numbers, default=1) == 0
    for key, (first, _) in spans.items():
        number, place = bracket_of[key].number, bracket_of[key].place
        expected = first - from_zero
        if number is not None and number < expected:
            raise RstError("E308 a second time", place, number=number, first=expected)
        if number is not None and number > expected:
            raise RstError("E309 a gap", place, number=number, first=expected)
    for unit in root.walk():
        if not unit.is_edu:
            check_nucleus(unit, *spans[id(unit)], bracket_of[id(unit)].place)


# -- writing --------------------------------------------------------------------------


def write_brackets(root: Unit) -> str:
    """The document as one line of brackets; white space in a text becomes blanks."""
    parts: list[str] = []
    edu = 0
    pending: list[Unit | None] = [root]
    while pending:
        unit = pending.pop()
        if unit is None:
            parts.append(")")
            continue
        name = NUCLEARITY_NAMES[unit.nuclearity]
        label = name if unit.nuclearity == ROOT else f"{name}:{unit.relation}"
        parts.append(f" ({label}")
        if unit.is_edu:
            edu += 1
            parts.append(f" {_delimited(unit.text, edu)})")
            continue
        pending.append(None)
        pending.extend(reversed(unit.children))
    return "".join(parts).strip() + "\n"


def _delimited(text: str, edu: int) -> str:
    words = " ".join(text.split())
    whole = f"_!{words}!_"
    first = _TEXT.match(whole)
    if first is None or first.end() != len(whole):
        raise RstError("E314 the text of EDU", Place(), edu=edu)
    return whole


# -- records of NTT's parsers and of RSTFinder ----------------------------------------

# The trees of a record; the first that is there is read.
_NTT_TREES = ("rst_tree", "binarised_rst_tree", "attach_tree", "pred_tree")


def _trees_and_texts(record: dict[str, Any]) -> tuple[list[Any], Any]:
    """The trees of a record, and the texts of its EDUs; of RSTFinder, the best tree.

    RSTFinder (Heilman and Sagae 2015) writes words, and trees with the best one first.
    """
    texts = record.get("edu_strings")
    trees = [tree for name in _NTT_TREES if (tree := record.get(name))]
    match record:
        case {"edu_tokens": [*edus], "scored_rst_trees": [{"tree": best}, *_]}:
            return [best], [
                " ".join(map(str, words)) if isinstance(words, list) else None
                for words in edus
            ]
    return trees, texts


def read_ntt_json(text: str, source: str = "<text>") -> list[Document]:
    """The documents of JSON with trees whose leaves are numbers, and texts beside.

    >>> [document] = read_ntt_json('{"doc_id": "a", "edu_strings": ["He left", "so"], '
    ...     '"attach_tree": "(nucleus-satellite:Reason (text 0) (text 1))"}')
    >>> document.name, [unit.text for unit in document.tree.walk() if unit.is_edu]
    ('a', ['He left', 'so'])
    """
    data = loaded_json(text, source)
    records = data if isinstance(data, list) else [data]
    documents = []
    for number, record in enumerate(records, start=1):
        place = Place(source, sentence=number if len(records) > 1 else None)
        given = record if isinstance(record, dict) else {}
        trees, texts = _trees_and_texts(given)
        is_sound = all(isinstance(part, str) for part in (*trees[:1], *(texts or ())))
        if not trees or not isinstance(texts, list) or not is_sound:
            raise RstError("E969 expected 'edu_strings'", place)
        [root] = read_brackets(trees[0], source)
        edus = [unit for unit in root.walk() if unit.is_edu]
        if len(edus) != len(texts):
            raise RstError(
                "E970 in edu_strings, but the tree has",
                place,
                texts=len(texts),
                leaves=len(edus),
            )
        for edu, words in zip(edus, texts, strict=True):
            edu.text = words.strip()
        name = str(given.get("doc_id") or "")
        documents.append(Document(root, name=name))
    if not documents:
        raise RstError("E330 contains no EDUs", Place(source))
    return documents


_NTT_RECORD = re.compile(
    r'[\[{](?s:.)*?"(?:edu_strings|edu_tokens|(?:binarised_)?rst_tree|attach_tree'
    r'|scored_rst_trees|doc_id)"\s*:'
)
NTT_JSON = Format("ntt-json", Family.DISCOURSE, _NTT_RECORD.match, read_ntt_json)
_NTT_BEGINS = re.compile(r"\((?:ROOT\s*\()?(?:nucleus|satellite)[:-]")
NTT = Format("ntt", Family.DISCOURSE, _NTT_BEGINS.match, read_brackets)
BRACKETS = Format(
    "brackets", Family.DISCOURSE, _BEGINS.match, read_brackets, write_brackets
)
