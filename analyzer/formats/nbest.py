"""n-best lists: several parses of each sentence, the parser's favourite first.

Four ways to write them down are read, told apart by how a text begins:

* BLLIP (Charniak and Johnson's parser): a line with the number of parses and the name
  of the sentence; then for each parse a line with its score (of the reranker, two),
  and the tree. Blank lines mean nothing. `0 NAME` is a sentence without a parse.
* numbered, as Stanford's parser writes them: `# Parse 1 with score -12.3` stands before
  a tree; the number 1 begins a sentence.
* blocks: trees, with a blank line between those of two sentences. A line may begin with
  numbers (`1 -12.3 (S …`, `-12.3<TAB>(S …`), or have nothing else: before a tree they
  are its score, and a whole number at the start of a block is the sentence's name.
* JSON, a line a sentence: a list of trees, or an object with one such list.

Lines that continue a tree are indented, or begin with ')'. A parse is a sentence of a
longer treebank; `NbestLists` says which sentence it is of. Without being asked, nobody
reads such a file as trees of one sentence each: its `Format` refuses to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, NoReturn, TypeGuard, cast

import numpy as np
import numpy.typing as npt

from analyzer.exceptions import InputError, Place, SettingsError
from analyzer.files.sources import Readable
from analyzer.formats.blocks import Family, FileOptions, Format
from analyzer.formats.reading import (
    AS_USUAL,
    ReadOptions,
    TreeReader,
    Trees,
    open_trees,
    tree_files,
)
from analyzer.model.arrays import Ints
from analyzer.model.treebank import Treebank

_HEADER = re.compile(r"([0-9]+)[ \t]+([^\s(].*)")
# Nothing is looked at twice (`++`): lines may be as long as files.
_NUMBER = (
    r"(?:[-+]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]++)?|[-+]?inf|nan)"
)
_NUMBERS = rf"{_NUMBER}(?>(?:[ \t]++{_NUMBER})*)"
_BEFORE_TREE = re.compile(rf"((?>(?:{_NUMBER}[.:)]?[ \t]++)*))(\(.*)", re.DOTALL)
_ONLY_NUMBERS = re.compile(_NUMBERS)
_NUMBERED = re.compile(r"#\s*[Pp]arse\s+([0-9]+)(?:\s+with\s+score\s+(\S+))?.*")
_IS_BLLIP = re.compile(
    r"(?>(?:\s*+0[ \t]++[^\s(][^\n(]*+\n)*)\s*+[0-9]++[ \t]++[^\s(][^\n(]*+\n"
    rf"\s*+{_NUMBERS}[ \t\r]*+\n\s*+\("
)
_WORD = re.compile(r"(?<![^\s()])[^\s()]++(?=\s*+\))")


class Parse(NamedTuple):
    """A tree of a list as text, its score if it has one, and its line."""

    text: str
    score: float | None
    line: int


class ParseList(NamedTuple):
    """The parses of a sentence, and what the file calls it."""

    id: str
    parses: list[Parse]
    line: int

    @property
    def words(self) -> set[tuple[str, ...]]:
        """What the sentence says: as a rule, the same in all parses."""
        return {tuple(_WORD.findall(parse.text)) for parse in self.parses}


class NbestLists(NamedTuple):
    """Several parses of each sentence: rows of one treebank, list after list.

    A sentence without a parse has one tree without nodes, so that it keeps its place.
    """

    bank: Treebank
    starts: Ints  # the first row of each list, and the number of rows
    parses: Ints  # of each list, as the file has them: 0 where there is none
    scores: npt.NDArray[np.float64]  # of each row; nan where it has none
    name: str

    def __len__(self) -> int:
        return self.parses.size

    @property
    def list_of(self) -> Ints:
        """The list that each row is in."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @property
    def out_of_order(self) -> int:
        """In how many lists a later parse has a higher score than the first."""
        best = np.fmax.reduceat(self.scores, self.starts[:-1])
        return int(np.count_nonzero(best > self.scores[self.starts[:-1]]))


def read_nbest(
    source: Trees | Sequence[Sequence[str]], options: ReadOptions = AS_USUAL
) -> NbestLists:
    """The lists of a file, of several, of a text, or lists of bracketings.

    >>> lists = read_nbest([["(S (NN a))", "(X (NN a))"], [], ["(S (NN b))"]])
    >>> lists.parses.tolist(), lists.starts.tolist(), len(lists.bank)
    ([2, 0, 1], [0, 2, 3, 4], 4)
    """
    if _are_lists(source):
        name, rows = "<lists>", [_given(trees, n) for n, trees in enumerate(source, 1)]
    else:
        opened = open_trees(cast(Trees, source), options.encoding, options.grammar)
        if isinstance(opened, Treebank) or opened.strings is not None:
            raise SettingsError("E559 a list of trees for each")
        name, rows = opened.name, []
        for file in tree_files(opened):
            with file.open() as stream:
                data = b"".join(iter(lambda: stream.read(1 << 20), b""))
            if options.progress:
                options.progress(len(data))
            lists = list(parse_lists(data.decode("utf-8", "replace"), file.name))
            if len(lists) == 1:
                _require_list(lists[0], file.name)
            rows += lists
    if not any(row.parses for row in rows):
        raise InputError("E121 contains no trees", Place(name))
    return _as_lists(rows, name, options)


def parse_lists(text: str, source: str) -> Iterator[ParseList]:
    """The lists of a text, in whichever of the four ways it is written.

    >>> list(parse_lists("2 s7\\n-1.5\\n(A a)\\n\\n-2\\n(B a)\\n", ""))
    ... # doctest: +NORMALIZE_WHITESPACE
    [ParseList(id='s7', parses=[Parse(text='(A a)', score=-1.5, line=3),
                                Parse(text='(B a)', score=-2.0, line=6)], line=1)]
    >>> [len(row.parses) for row in parse_lists("(A a)\\n(B a)\\n\\n(A b)\\n", "")]
    [2, 1]
    """
    start = text.lstrip("\ufeff \t\r\n")[:2]
    lines = _whole_trees(text.removeprefix("\ufeff"))
    if start.startswith("{") or re.match(r'\[\s*["{\]]', start):
        return _in_json(lines, source)
    if _IS_BLLIP.match(text):
        return _of_bllip(lines, source)
    return _in_blocks(lines, source, is_numbered=bool(_NUMBERED.search(text)))


def _require_list(parses: ParseList, source: str) -> None:
    """InputError if neither numbers nor words tell that this is one list."""
    has_numbers = parses.line or any(parse.score is not None for parse in parses.parses)
    if not has_numbers and len(parses.words) > 1:
        trees = len(parses.words)
        raise InputError("E169 divides the trees", Place(source), trees=trees)


Lines = Iterator[tuple[int, str]]


def _whole_trees(text: str) -> Lines:
    """Lines with their numbers; those that continue a tree are part of its line."""
    number, depth = 0, 0
    parts: list[str] = []
    for at, line in enumerate(text.split("\n"), start=1):
        if depth <= 0 or not line.startswith((" ", "\t", ")")):
            if number:
                yield number, " ".join(parts)
            number, depth, parts = at, 0, []
        parts.append(line.strip())
        depth += line.count("(") - line.count(")")
    yield number, " ".join(parts)


def _of_bllip(lines: Lines, source: str) -> Iterator[ParseList]:
    """A header says how many parses follow, each with its score before it."""
    current = ParseList("", [], 0)
    expected, score = 0, None
    for number, line in lines:
        if not line:
            continue
        tree = _BEFORE_TREE.fullmatch(line)
        if len(current.parses) < expected:
            if tree:
                current.parses.append(Parse(tree[2], score, number))
                score = None
            elif _ONLY_NUMBERS.fullmatch(line) and score is None:
                score = float(line.split()[0])
            else:
                _refuse_count(current, expected, source, number, line)
            continue
        header = _HEADER.fullmatch(line)
        if header is None:
            _refuse_count(current, expected, source, number, line)
        if current.line:
            yield current
        expected, current = int(header[1]), ParseList(header[2], [], number)
    if len(current.parses) < expected:
        _refuse_count(current, expected, source, current.line, "the end of the file")
    yield current


def _refuse_count(
    parses: ParseList, expected: int, source: str, line: int, shown: str
) -> NoReturn:
    raise InputError(
        "E165 the list of line",
        Place(source, line, id=parses.id),
        name=parses.id,
        expected=expected,
        found=len(parses.parses),
        line=parses.line,
        shown=shown[:40],
    )


def _in_blocks(lines: Lines, source: str, *, is_numbered: bool) -> Iterator[ParseList]:
    """A blank line ends a list; or, if parses are numbered, the number 1 begins one."""
    current = ParseList("", [], 0)
    score: float | None = None
    for number, line in lines:
        mark = _NUMBERED.fullmatch(line)
        ends = mark is not None and mark[1] == "1" if is_numbered else not line
        if ends and current.parses:
            yield current
            current = ParseList("", [], 0)
        if not line:
            continue
        if mark:
            score = float(mark[2]) if mark[2] else None
        elif tree := _BEFORE_TREE.fullmatch(line):
            before = _score_in(tree[1])
            parse = Parse(tree[2], score if before is None else before, number)
            current.parses.append(parse)
            score = None
        elif line.isdecimal() and not current.parses:
            current = ParseList(line, [], number)
        elif _ONLY_NUMBERS.fullmatch(line):
            score = _score_in(line)
        elif not line.startswith("#"):
            raise InputError(
                "E166 is neither a tree", Place(source, number), shown=line
            )
    if current.parses:
        yield current


def _score_in(numbers: str) -> float | None:
    """The first number that is no rank: ranks are whole and positive.

    >>> _score_in("3 -12.5 "), _score_in("3. "), _score_in("-7")
    (-12.5, None, -7.0)
    """
    given = [number.rstrip(":)").removesuffix(".") for number in numbers.split()]
    return next((float(number) for number in given if not number.isdecimal()), None)


def _in_json(lines: Lines, source: str) -> Iterator[ParseList]:
    for number, line in lines:
        if not line:
            continue
        try:
            value = json.loads(line)
        except ValueError:
            value = None
        trees = value
        if isinstance(value, dict):
            fields = [field for field in value.values() if isinstance(field, list)]
            trees = fields[0] if len(fields) == 1 else None
        if not isinstance(trees, list) or not all(isinstance(x, str) for x in trees):
            raise InputError(
                "E167 is no list of trees", Place(source, number), shown=line
            )
        yield _given(trees, number)


def _given(trees: Sequence[str], line: int) -> ParseList:
    return ParseList("", [Parse(tree, None, line) for tree in trees], line)


def _are_lists(source: Any) -> TypeGuard[Sequence[Sequence[str]]]:
    """Whether these are bracketings, a list for each sentence."""
    return isinstance(source, list | tuple) and any(
        isinstance(item, list | tuple) for item in source
    )


def _as_lists(rows: list[ParseList], name: str, options: ReadOptions) -> NbestLists:
    nothing = Parse("", None, 0)
    flat = [
        (parse._replace(line=parse.line or row.line), number, row.id)
        for number, row in enumerate(rows, start=1)
        for parse in row.parses or [nothing]
    ]
    texts = [parse.text for parse, _, _ in flat]
    opened = open_trees(texts, grammar=options.grammar)
    bank = Treebank.join(list(TreeReader(opened, options).banks()), name)
    problems = {
        row: problem.at(
            Place(name, flat[row][0].line, sentence=flat[row][1], id=flat[row][2])
        )
        for row, problem in bank.problems.items()
    }
    ids = tuple(id for _, _, id in flat)
    bank = replace(
        bank,
        line=np.array([parse.line for parse, _, _ in flat], np.int64),
        ids=ids if any(ids) else (),
        problems=problems,
    )
    parses = np.array([len(row.parses) for row in rows], np.int64)
    scores = [np.nan if parse.score is None else parse.score for parse, _, _ in flat]
    starts = np.append(0, np.cumsum(np.maximum(parses, 1)))
    return NbestLists(bank, starts, parses, np.array(scores, np.float64), name)


# -- files that are recognised as lists, and nobody asked for lists -------------------


def _begins(start: str) -> bool:
    """Whether a text holds lists for sure: numbers say so, or blank lines and words.

    Without numbers, two blocks must have several trees of one sentence each, and no
    block trees of two: EVALB's own sample has a block of parses of one sentence.

    >>> block = "(S (A {0}) (B b) (C c))\\n(X (A {0}) (B b) (C c))\\n\\n"
    >>> _begins(block.format("a") + block.format("b")), _begins(block.format("a"))
    (True, False)
    """
    if _IS_BLLIP.match(start) or re.match(r"\s*#\s*Parse 1 with score", start):
        return True
    # The last tree may be cut off.
    whole = start[: start.rfind("\n") + 1]
    if not whole or whole[0] in "{[":
        return False
    several = set()
    try:
        for parses in parse_lists(whole, ""):
            if len(parses.words) > 1:
                return False
            if len({parse.text for parse in parses.parses}) > 1:
                several |= parses.words
                if all(parse.score is not None for parse in parses.parses):
                    return True
    except (InputError, ValueError):
        return False
    return len(several) > 1


def _refuse(stream: Readable, name: str, options: FileOptions) -> NoReturn:
    raise InputError("E168 contains several parses", Place(name))


NBEST = Format("nbest", Family.SYNTAX, _begins, _refuse, sees_comments=True)
