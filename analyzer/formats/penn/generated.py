"""Trees as language models write them: found in their answers, and made well formed.

An answer that is no tree as it is written may hold one: between prose and code fences,
after the model's reasoning (`<think>`), in backticks. Such a tree is *extracted*. It is
*mended* if what it means is certain: brackets that are missing or too many at its end,
a root that is closed before the final punctuation, several words in a leaf, a word
beside a phrase, other brackets, spaces after brackets, words in quotes, characters
written with a backslash. What is left must be one tree. If it is not, the answer is
beyond repair, for a reason that is given: it holds no tree, it is cut off, it holds
several trees; else it is malformed. What is read by another grammar than the Treebank's
is extracted and closed, too.

In a file of answers a record is a tree with the text and code fences around it. One
begins with the line of its first bracket; it ends where its brackets do, or if they
never do, before the next tree, which is a line that begins with '(' or with text and a
'('. Lines that continue a tree are indented.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from analyzer.exceptions import Place, TreeSyntaxError
from analyzer.formats.penn.faults import decoded, placed
from analyzer.formats.penn.records import (
    Layout,
    Record,
    mark_tag,
    records,
    without_comments,
)
from analyzer.formats.penn.scanner import scan

_LINE_END = b"\v"  # of an answer that stands on one line: see `reader.as_lines`
_FENCE = re.compile(rb"```[\w+-]*")
_FENCED = re.compile(rb"```.*?(?:```|\Z)", re.DOTALL)
# To be matched at the start: up to the last end of it, or all if it never ends.
_THINKING = rb"think|thinking|thought|reasoning|analysis|scratchpad"
_REASONING = re.compile(
    rb"(?is)(?:.*</(?:%s)>|.*<\|channel\|>final\b[^()]*?<\|message\|>|\s*<(?:%s)>.*)"
    % (_THINKING, _THINKING)
)
_BRACKET = re.compile(rb"[()]")
# What can be of a broken tree, between brackets and after the last.
_NO_TEXT = b") \t\r\n\v\f"
_SURPLUS = re.compile(rb"[)\s]*+")
_LABEL = re.compile(rb"[^\s()]++")
_LEAF_LIKE = re.compile(rb"\([^\s()]++\s[^()]*+\)")
_LINE_ENDS = re.compile(rb"[)` \t\r]*+(?:\n|\(|\Z)")
_LEAF = re.compile(rb"\([^\s()]++\s++([^\s()]++)\s*+\)")
_LEAF_OF_WORDS = re.compile(
    rb"\(([^\s()]++)\s++([^\s()]++(?>(?:\s++[^\s()]++)+))\s*+\)"
)
_TOKEN = re.compile(rb"[()]|[^\s()]++")
# What stands for something that is left out, or makes a list, may be no word.
_NO_WORDS = (b"...", "…".encode(), b"-", b"*", "•".encode())
_SPACE_AFTER_BRACKET = re.compile(rb"\(\s++(?=[^\s()])")
# A word in quotes, all of it; straight ones, or those of print.
_QUOTED = re.compile('(?:"([^"]+)"|“([^”]+)”)'.encode())
_ODD_SPACE = "[\u00a0\u2000-\u200d\u202f\u2060\u3000\ufeff]+"
# In the indentation of a line, or right beside a bracket where no word can be.
_ODD_SPACES = re.compile(rf"(?m)(?:^[ \t]*|(?<=\))){_ODD_SPACE}|{_ODD_SPACE}(?=\()")
_QUOTE_MARK = re.compile(rb"(?m)^[ \t]*>[ \t]?")
_FULL_WIDTH = str.maketrans("（）", "()")
_QTREE_LABEL = re.compile(rb"\[\.(?=[^\s\[\]])")
_ESCAPED_BRACKET = re.compile(rb"\\([()])")
_BRACKET_WORDS = {b"(": b"-LRB-", b")": b"-RRB-"}
# Brackets that stand for round ones, where these can be of no tree.
_OTHER_BRACKETS = (bytes.maketrans(b"[]", b"()"), bytes.maketrans(b"{}", b"()"))
# Line ends and tabs as Python and JSON write them, and what stands after them.
_ESCAPED_SPACE = re.compile(rb"(?>(?:\\[nrt]\s*+)+)(?P<next>[()]?)")
_STRING = re.compile(
    rb"""\s*(?P<quote>["'])(?P<text>.*)(?P=quote)[\s,\]]*""", re.DOTALL
)
_ESCAPED_IN_STRING = re.compile(rb"""\\([nrt"'\\])""")
_INDENT = (b" ", b"\t")
# After the last bracket: tags, signs of models, bold face, the end of a JSON string.
_MARKUP_AFTER = re.compile(
    rb"""\)\s*(?>(?:</?\w[^<>()]*>|<\|\w+\|>|\*\*|`[.,;]?|"\s*\}|\s)+)\Z"""
)
_PROSE = re.compile(rb"\n[ \t]*\n(?=[^\s()])")
# The share of lines that are trees or can be mended, in a file of a tree a line.
_MOSTLY = 2 / 3
_MOST_TREES = 50  # that are looked at in an answer


class Mend(Enum):
    """What was wrong with an answer, and could be mended."""

    FENCE = "code fence"
    REASONING = "reasoning"
    TEXT = "text around"
    ESCAPES = "escaped characters"
    BRACKETS = "square or curly brackets"
    FULL_WIDTH = "full-width brackets"
    SPACES = "spaces after brackets"
    ODD_SPACES = "odd spaces"
    QUOTES = "words in quotes"
    MISSING = "missing bracket at the end"
    SURPLUS = "surplus bracket at the end"
    EARLY = "closed before the final punctuation"
    WORDS = "several words in a leaf"
    WORD = "word before a phrase"
    LATER_WORD = "word after a phrase"
    REPEATED = "the same tree again"


# The tree itself is as it is written.
_EXTRACTIONS = frozenset(
    kind.value for kind in (Mend.FENCE, Mend.REASONING, Mend.TEXT, Mend.REPEATED)
)


def is_extraction(mends: tuple[str, ...]) -> bool:
    """Whether a tree was only taken out of what stands around it.

    >>> is_extraction(("text around", "reasoning")), is_extraction(("code fence", "x"))
    (True, False)
    """
    return _EXTRACTIONS.issuperset(mends)


class Beyond(Enum):
    """Why an answer is no tree, and cannot be mended."""

    NO_TREE = "no tree in it"
    CUT_OFF = "cut off"
    SEVERAL = "several trees"
    MALFORMED = "malformed"  # the grammar says what is wrong


class Mended(NamedTuple):
    """A tree on one line, and what was done."""

    text: bytes
    mends: tuple[Mend, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What was done, for people."""
        return tuple(kind.value for kind in self.mends)


IsTree = Callable[[bytes], bool]


class Mendable(Mapping[int, tuple[str, ...]]):
    """How bad records of a block can be mended, by tree; found out when it is asked.

    >>> Mendable({0: b"(A a", 3: b"(B b) (C c))"}) == {}, dict(Mendable({2: b"(A a))"}))
    (True, {2: ('surplus bracket at the end',)})
    """

    def __init__(self, records: dict[int, bytes]) -> None:
        self._records = records

    @cached_property
    def _names_of_mends(self) -> dict[int, tuple[str, ...]]:
        mended = {tree: mend(record) for tree, record in self._records.items()}
        return {tree: answer.names for tree, answer in mended.items() if answer}

    def __getitem__(self, tree: int) -> tuple[str, ...]:
        return self._names_of_mends[tree]

    def __iter__(self) -> Iterator[int]:
        return iter(self._names_of_mends)

    def __len__(self) -> int:
        return len(self._names_of_mends)


def mend(record: bytes) -> Mended | None:
    """The tree that a record certainly means; None if that is not certain.

    >>> mended = mend(b"The parse is: (S (NP (PRP I)) (VP (VBP see))")
    >>> mended.text, [kind.value for kind in mended.mends]
    (b'(S (NP (PRP I)) (VP (VBP see)))', ['text around', 'missing bracket at the end'])
    >>> mend(b"(S (NP (PRP I))) (VP (VBP see)))") is None
    True
    """
    answer = read_answer(record)
    return answer if isinstance(answer, Mended) else None


def read_answer(record: bytes, is_tree: IsTree | None = None) -> Mended | Beyond:
    """The tree that an answer certainly means, or why that is not certain.

    `is_tree` tells whether a text is a tree of another dialect; words and their leaves
    are then left as they are.

    >>> [read_answer(text).name for text in (b"I cannot.", b"(S (NP (PRP I)) (VP (VB")]
    ['NO_TREE', 'CUT_OFF']
    >>> read_answer(b"(S (NP (NN big cat)) (VP (VB is))) (. .))").text
    b'(S (NP (NN big) (NN cat)) (VP (VB is)) (. .))'
    """
    mends: set[Mend] = set()
    given = without_comments(record).replace(_LINE_END, b"\n")
    text = _without_escapes(_in_json(given, mends), mends)
    if reasoning := _REASONING.match(text):
        mends.add(Mend.REASONING)
        text = text[reasoning.end() :]
        if not text.strip():
            return Beyond.CUT_OFF  # it was still thinking
    text = _with_usual_spaces(_unquoted(text, mends), mends)
    tree = _tree_in(text, mends, is_tree)
    if isinstance(tree, Mended):
        # If nothing had to be mended, something else is wrong with it.
        return tree if tree.mends else Beyond.MALFORMED
    for mend, other in _other_brackets(text, is_none=tree is Beyond.NO_TREE):
        read = _tree_in(other, mends | {mend}, is_tree)
        if isinstance(read, Mended) and b"(" in read.text[1:]:
            return read
    return tree


def _other_brackets(text: bytes, *, is_none: bool) -> Iterator[tuple[Mend, bytes]]:
    """What a text without a tree may mean, and the mend: without spaces after brackets,
    or with round brackets for others.

    Other brackets are replaced only where round ones make no tree (`is_none`).
    """
    if _SPACE_AFTER_BRACKET.search(text):
        yield Mend.SPACES, _SPACE_AFTER_BRACKET.sub(b"(", text)
    if not is_none:
        return
    plain = _BRACKET.sub(lambda bracket: _BRACKET_WORDS[bracket[0]], text)
    decoded_text = plain.decode("utf-8", "surrogateescape")
    wide = decoded_text.translate(_FULL_WIDTH)
    if wide != decoded_text:
        yield Mend.FULL_WIDTH, wide.encode("utf-8", "surrogateescape")
    for table in _OTHER_BRACKETS:
        yield Mend.BRACKETS, _QTREE_LABEL.sub(b"[", plain).translate(table)


def _in_json(text: bytes, mends: set[Mend]) -> bytes:
    """Of an answer in JSON, the only string with brackets; else the whole answer."""
    value = _FENCE.sub(b"", text).strip()
    if value[:1] not in (b"{", b"["):
        return text
    import json

    try:
        pending = [json.loads(value)]
    except (ValueError, RecursionError):
        return text
    strings = []
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            strings += [part] if "(" in part else []
        elif isinstance(part, dict | list):
            pending += part.values() if isinstance(part, dict) else part
    if len(strings) != 1:
        return text
    mends |= {Mend.TEXT}
    return strings[0].encode("utf-8", "surrogatepass")


def _unquoted(text: bytes, mends: set[Mend]) -> bytes:
    """A text without the marks of a quotation, if all lines with brackets have them."""
    lines = [line.lstrip() for line in text.split(b"\n") if _BRACKET.search(line)]
    if lines and all(line.startswith(b">") for line in lines):
        mends |= {Mend.TEXT}
        return _QUOTE_MARK.sub(b"", text)
    return text


def _with_usual_spaces(text: bytes, mends: set[Mend]) -> bytes:
    """No-break and other spaces as spaces, where no word has them."""
    if text.isascii():
        return text
    decoded_text = text.decode("utf-8", "surrogateescape")
    usual = _ODD_SPACES.sub(" ", decoded_text)
    if usual.strip() == decoded_text.strip().strip("\u200b\ufeff").strip():
        return text  # they stand around it
    mends |= {Mend.ODD_SPACES}
    return usual.encode("utf-8", "surrogateescape")


def brackets_in(answer: str) -> str:
    """What may be of trees in an answer, to tell the dialect of brackets by.

    >>> brackets_in("<think>(a b)</think> Sure (really): `(NP the cat)`")
    '(NP the cat)'
    """
    text = _without_escapes(answer.encode("utf-8", "surrogatepass"), set())
    if reasoning := _REASONING.match(text):
        text = text[reasoning.end() :]
    parts = [part for run in _runs(text) for part in run.parts]
    return b"\n".join(parts).decode("utf-8", "replace")


def problem_of_answer(why: Beyond, answer: bytes, place: Place) -> TreeSyntaxError:
    """Why an answer is beyond repair, where it is known of the answer as a whole."""
    try:
        text = decoded(answer, place)
    except TreeSyntaxError as not_text:
        return not_text
    at = len(text) - len(text.lstrip())
    if why is Beyond.NO_TREE:
        return placed(TreeSyntaxError("E203 no tree in this text"), text, at, place)
    if why is Beyond.CUT_OFF:
        end = len(text.rstrip())
        return placed(TreeSyntaxError("E204 ends before its tree"), text, end, place)
    return placed(TreeSyntaxError("E205 several trees"), text, at, place)


# -- the brackets of an answer ------------------------------------------------------


class _Run(NamedTuple):
    """Brackets of a text one after the other, nothing but space or ')' between them."""

    parts: list[bytes]
    start: int
    end: int
    is_closed: bool  # as all but those at the end of the text are
    has_gap: bool = False  # a ')' stands between them

    @property
    def is_nested(self) -> bool:
        return any(b"(" in part[1:] for part in self.parts)


def _runs(text: bytes) -> list[_Run]:
    """The brackets of a text that may be of trees; remarks in prose are none."""
    runs: list[_Run] = []
    start = depth = 0
    for bracket in _BRACKET.finditer(text):
        if bracket[0] == b"(":
            start = start if depth else bracket.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                _add(runs, text, start, bracket.end())
    if depth:
        _add(runs, text, start, len(text), is_closed=False)
    nested = [run for run in runs if run.is_nested]
    return nested or runs


def _add(
    runs: list[_Run], text: bytes, start: int, end: int, is_closed: bool = True
) -> None:
    part = text[start:end]
    last = runs[-1] if runs else _Run([], 0, 0, True)
    between = text[last.end : start]
    if runs and not between.strip(_NO_TEXT):
        has_gap = last.has_gap or b")" in between
        last.parts.append(part)
        runs[-1] = last._replace(end=end, is_closed=is_closed, has_gap=has_gap)
    elif _LEAF_LIKE.search(part, 1) or (b"(" in part[1:] and not is_closed):
        runs.append(_Run([part], start, end, is_closed))
    elif _LEAF_LIKE.match(part) or not is_closed:
        line = text[text.rfind(b"\n", 0, start) + 1 : start].strip(b" \t`")
        is_alone = (not line or line.endswith(b":")) and _LINE_ENDS.match(text, end)
        label = _LABEL.match(part, 1)
        # A tree of one word, or its start; or is it a remark, such as (see below)?
        if is_alone and label and (not line or label[0] == label[0].upper()):
            runs.append(_Run([part], start, end, is_closed))


def _tree_in(text: bytes, before: set[Mend], is_tree: IsTree | None) -> Mended | Beyond:
    """The one tree of a text, and all that was done to have it."""
    runs = _runs(text)
    if not runs:
        return Beyond.NO_TREE
    if len(runs) > 1 and not runs[-1].is_closed:
        return Beyond.SEVERAL
    # The same tree may stand there several times; in a code fence, it does so last.
    unlike = {b" ".join(run.parts): run for run in runs}
    if len(unlike) > _MOST_TREES:
        return Beyond.SEVERAL
    read = {run.start: _read(text, run, is_tree) for run in unlike.values()}
    trees = {at: tree for at, tree in read.items() if isinstance(tree, _Tree)}
    as_written = {at: tree for at, tree in trees.items() if not tree.mends}
    chosen = as_written or trees
    texts = {tree.text for tree in chosen.values()}
    # Parts of a tree may be explained before it.
    whole = [text for text in texts if all(other in text for other in texts)]
    if whole:
        chosen = {at: tree for at, tree in chosen.items() if tree.text == whole[0]}
    elif texts:
        ends = [end for fence in _FENCED.finditer(text) for end in fence.span()]
        chosen = {at: tree for at, tree in chosen.items() if bisect(ends, at) % 2}
        if len({tree.text for tree in chosen.values()}) != 1:
            return Beyond.SEVERAL
    if not chosen:
        first = next(iter(read.values()))
        assert isinstance(first, Beyond)
        return first
    start, tree = next(iter(chosen.items()))
    mends = before | tree.mends | _around(text[:start]) | _around(text[tree.end :])
    return Mended(tree.text, tuple(tree for tree in Mend if tree in mends))


class _Tree(NamedTuple):
    """The tree of a run."""

    text: bytes
    mends: frozenset[Mend]
    end: int  # of what it was made of, in the text of the answer


def _read(text: bytes, run: _Run, is_tree: IsTree | None) -> _Tree | Beyond:
    """The tree that some brackets mean, where that is certain."""
    again = run.is_closed and len(run.parts) > 1 and not run.has_gap
    if again and is_repeated(text[run.start : run.end]):
        run = run._replace(parts=run.parts[:1])
    else:
        again = False
    result = (_closed if run.is_closed else _open)(text, run)
    if isinstance(result, Beyond):
        return result
    tree, mends = b" ".join(result.text.split()), set(result.mends)
    mends |= {Mend.REPEATED} if again else set()
    if is_tree is None and not _is_tree(tree):
        if any(map(_LEAF_OF_WORDS.fullmatch, run.parts)):
            return Beyond.MALFORMED  # not below a bracket, they may be anything
        if _SPACE_AFTER_BRACKET.search(tree):
            return Beyond.MALFORMED  # where labels are is looked for elsewhere
        tree, count = _LEAF_OF_WORDS.subn(_a_leaf_a_word, tree)
        mends |= {Mend.WORDS} if count else set()
        tree = _with_leaves(tree, mends)
    if not (is_tree or _is_tree)(tree):
        return Beyond.MALFORMED
    words = [leaf[1] for leaf in _LEAF.finditer(tree)]
    if words and all(map(_QUOTED.fullmatch, words)):
        tree = _LEAF.sub(lambda leaf: _QUOTED.sub(rb"\1\2", leaf[0]), tree)
        mends.add(Mend.QUOTES)
    return result._replace(text=tree, mends=frozenset(mends))


def is_repeated(text: bytes) -> bool:
    """Whether a text is a tree of some words on several lines, and nothing else.

    On one line, they may be several sentences, as are those of one word.

    >>> is_repeated(b"(S (A a) (B b))\\n(S (A a) (B b))"), is_repeated(b"(A a)\\n(A a)")
    (True, False)
    """
    flat = b" ".join(text.replace(_LINE_END, b" ").split())
    again = b") " + flat[:8]
    end = flat.find(again) + 1  # mostly there is none
    while end and flat.count(b"(", 0, end) != flat.count(b")", 0, end):
        end = flat.find(again, end) + 1
    first = flat[:end]
    times, rest = divmod(len(flat) + 1, end + 1)
    is_same = first.count(b"(") > 2 and not rest and flat == b" ".join([first] * times)
    if not is_same:
        return False
    end = [word.end() for word in re.finditer(rb"\S+", text)][len(first.split()) - 1]
    between = text[end : text.index(b"(", end)]
    return b"\n" in between or _LINE_END in between


def _with_leaves(tree: bytes, mends: set[Mend]) -> bytes:
    """A tree whose words all have leaves of their own, if it is certain which.

    A word beside phrases has the label above it for its tag.
    """
    labels: list[bytes] = []  # of brackets that are open
    written: list[bytes] = []
    tokens = [match[0] for match in _TOKEN.finditer(tree)]
    for at, token in enumerate(tokens):
        before, after = tokens[at - 1], tokens[at + 1 : at + 2]
        if token == b"(":
            has_label = after[:1] not in ([b"("], [b")"])
            labels.append(after[0] if has_label and after else b"")
        elif token == b")":
            del labels[-1:]
        elif before != b"(":
            is_alone = after == [b")"] and at > 1 and tokens[at - 2] == b"("
            if is_alone:
                written.append(token)
                continue
            if token in _NO_WORDS or not labels or not (labels[-1] or _is_mark(token)):
                return tree
            if labels[-1].endswith(b",") and len(labels[-1]) > 1:
                return tree  # as in Python: a comma belongs to no label
            mends.add(_beside(tokens, at))
            token = _leaf(labels[-1], token)
        written.append(token)
    spaced = b" ".join(written)
    return spaced.replace(b"( ", b"(").replace(b" )", b")")


def _a_leaf_a_word(leaf: re.Match[bytes]) -> bytes:
    return b" ".join(_leaf(leaf[1], word) for word in leaf[2].split())


def _leaf(label: bytes, word: bytes) -> bytes:
    """A word with the label above it for its tag; a punctuation mark has its own."""
    tag = (
        mark_tag(word.decode("utf-8", "replace")).encode() if _is_mark(word) else label
    )
    return b"(%s %s)" % (tag, word)


def _is_mark(word: bytes) -> bool:
    return not any(map(str.isalnum, word.decode("utf-8", "replace")))


def _beside(tokens: list[bytes], at: int) -> Mend:
    """What a word stands beside that has no leaf of its own."""
    while tokens[at - 1] not in (b"(", b")"):
        at -= 1
    return Mend.LATER_WORD if tokens[at - 1] == b")" else Mend.WORD


def _closed(text: bytes, run: _Run) -> _Tree | Beyond:
    """Brackets that are closed, and perhaps more often than they were opened."""
    given, mends = b" ".join(run.parts), set()
    surplus = _SURPLUS.match(text, run.end)
    closing = surplus[0].count(b")") if surplus else 0
    if run.has_gap or (closing and len(run.parts) > 1):
        if not all(map(_is_punctuation, run.parts[1:])):
            return Beyond.MALFORMED
        given = b" ".join([run.parts[0][:-1], *run.parts[1:]]) + b")"
        mends.add(Mend.EARLY)
    if run.has_gap or closing > len(mends):
        mends.add(Mend.SURPLUS)
    end = surplus.end() if surplus and closing else run.end
    return _Tree(given, frozenset(mends), end)


def _open(text: bytes, run: _Run) -> _Tree | Beyond:
    """Brackets that are never closed."""
    if len(run.parts) > 1:
        return Beyond.MALFORMED
    given = _without_text_after(run.parts[0], text[: run.start])
    if _runs(run.parts[0][len(given) :]):
        return Beyond.SEVERAL
    if not given.endswith(b")"):
        return Beyond.CUT_OFF  # within a word, which may not be whole
    end = run.start + len(given)
    given += b")" * (given.count(b"(") - given.count(b")"))
    return _Tree(given, frozenset({Mend.MISSING}), end)


def _is_punctuation(part: bytes) -> bool:
    """Whether it is a leaf whose word has no letter and no digit."""
    leaf = _LEAF.fullmatch(part)
    return leaf is not None and _is_mark(leaf[1])


def _is_tree(text: bytes) -> bool:
    bank = scan(text, Layout.LINES, keep_blank_lines=False)
    return bank is not None and len(bank) == 1 and bool(bank.leaf_node.size)


def _without_text_after(text: bytes, before: bytes) -> bytes:
    """A tree that is never closed, without what can be of no tree after it."""
    if before.endswith(b"`") and not before.endswith(b"```") and b")`" in text:
        text = text[: text.rindex(b")`") + 1]
    text = _MARKUP_AFTER.sub(b")", text.partition(b"```")[0].rstrip())
    # After a blank line, a tree goes on with a bracket; remarks have some, too.
    if prose := _PROSE.search(text):
        text = text[: prose.start()]
    lines = text.split(b"\n")
    while len(lines) > 1 and not (
        lines[-1].startswith(_INDENT) or b"(" in lines[-1] or b")" in lines[-1]
    ):
        lines.pop()
    return b"\n".join(lines).rstrip()


def _around(text: bytes) -> set[Mend]:
    """What is left out with the text around a tree."""
    plain = _FENCE.sub(b"", text)
    mends = {Mend.FENCE} if plain != text else set()
    return mends | {Mend.TEXT} if plain.strip() else mends


def may_be_mended(text: bytes) -> bool:
    """Whether well-formed trees may mean something else than they say.

    Labels may end in what was a line end, and words may all be in quotes.
    """
    is_escaped = b"\\" in text and _with_real_space(text) != text
    quotes = b'")', "”)".encode(), "\u00a0".encode()
    return is_escaped or any(quote in text for quote in quotes)


def _without_escapes(text: bytes, mends: set[Mend]) -> bytes:
    if b"\\" not in text:
        return text
    given = text
    string = _STRING.fullmatch(text)
    if string:
        values = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
        text = _ESCAPED_IN_STRING.sub(
            lambda match: values.get(match[1], match[1]), string["text"]
        )
    text = _with_real_space(text)
    plain = _ESCAPED_BRACKET.sub(b"", text)
    if plain.count(b"(") >= text.count(b"\\("):
        text = _ESCAPED_BRACKET.sub(lambda match: _BRACKET_WORDS[match[1]], text)
    else:
        text = _ESCAPED_BRACKET.sub(rb"\1", text)
    if text != given:
        mends.add(Mend.ESCAPES)
    return text


def _with_real_space(text: bytes) -> bytes:
    """Spaces for escaped line ends and tabs, where no word can end in them.

    That is before '(', between two ')', and at the end.
    """

    def replaced(run: re.Match[bytes]) -> bytes:
        is_between = run["next"] != b")" or text[run.start() - 1 : run.start()] == b")"
        is_space = run["next"] or run.end() == len(text)
        return b" " + run["next"] if is_space and is_between else run[0]

    return _ESCAPED_SPACE.sub(replaced, text)


# -- how a file of answers divides -------------------------------------------------


def layout_of_answers(start: bytes, layout: Layout) -> Layout:
    """The layout to mend a file by, given its start and what that seems to be."""
    if scan(start, layout, keep_blank_lines=True) is not None:
        return layout
    lines = [line.rstrip() for line in without_comments(start).split(b"\n")]
    outer = [line for line in lines if line and not line.startswith(_INDENT)]
    texts = [line for line in outer if b"(" not in line and b")" not in line]
    has_fences = any(line.startswith(b"```") for line in texts)
    if has_fences or 2 * len(texts) >= max(1, len(outer) - len(texts)):
        return Layout.ANSWERS
    if layout is Layout.LINES:
        return layout
    if any(line.startswith(_INDENT) for line in lines):
        return Layout.ANSWERS if texts else layout
    # A tree over many lines could be mended from lines of several trees: only whole
    # ones count there.
    by_lines = _share_of_trees(start, Layout.LINES, can_mend=True)
    is_by_lines = by_lines >= _MOSTLY and by_lines > _share_of_trees(start, layout)
    return Layout.LINES if is_by_lines else layout


def _share_of_trees(start: bytes, layout: Layout, *, can_mend: bool = False) -> float:
    """The share of records that are trees, or can be mended; blank ones left out."""
    texts = (start[begin:end] for begin, end in records(start, layout))
    are_trees = [
        scan(text, layout, keep_blank_lines=False) is not None
        or (can_mend and mend(text) is not None)
        for text in texts
        if text.strip()
    ]
    return sum(are_trees) / max(1, len(are_trees))


def answer_records(block: bytes) -> Iterator[Record]:
    """The records of a block of answers; text after the last tree is part of it."""
    start = position = depth = 0
    is_open = has_tree = is_followed = False
    for line in block.split(b"\n"):
        text = line.strip()
        opens = line.find(b"(")
        closes_first = 0 <= line.find(b")") < opens
        begins = opens >= 0 and (
            not is_open or not (line.startswith(_INDENT) or closes_first)
        )
        # Text before a tree belongs to it, text right after one to that.
        if has_tree and (begins or (not is_open and is_followed and text)):
            yield start, position
            start, has_tree, is_open, is_followed = position, False, False, False
        if begins:
            depth, has_tree, is_open = 0, True, True
        if is_open:
            depth += line.count(b"(") - line.count(b")")
            is_text = not text or (b"(" not in line and b")" not in line)
            if depth <= 0 or (text and is_text and not line.startswith(_INDENT)):
                is_open = False
        elif has_tree and not text:
            is_followed = True
        position += len(line) + 1
    if has_tree:
        yield start, len(block)
