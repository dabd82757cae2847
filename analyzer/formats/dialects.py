"""Bracketed languages other than plain Penn brackets: each is a grammar.

A dialect is a grammar of `grammars/`, or somebody's own (`--grammar`); docs/grammars.md
says how to write one. Lark reads one record at a time. A file divides into records as
one of Penn brackets does, by what opens and closes a tree: so the text is looked at
with round brackets in their place, and with none in what may hold any.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.exceptions import (
    BadSentenceError,
    InputWarning,
    Place,
    SettingsError,
    TreeSyntaxError,
)
from analyzer.files.inputs import Input
from analyzer.files.small_files import read_text
from analyzer.files.sources import Readable
from analyzer.formats.blocks import (
    AS_USUAL,
    Block,
    BlockAround,
    BlockSettings,
    Family,
    FileOptions,
    Format,
    never_begins,
)
from analyzer.formats.crossing import (
    NO_PARENT,
    Graph,
    add_graph,
    check_paths,
    too_large,
    written_label,
)
from analyzer.formats.incremental import BuiltBlock, BuiltTree, crossing_notes
from analyzer.formats.penn.faults import Fault, Kind, decoded, explained, placed
from analyzer.formats.penn.reader import LINE_END, BracketFile, Draft, TextBlock, drafts
from analyzer.formats.penn.records import Layout, blank_comments, mark_tag, sniff
from analyzer.limits import limits
from analyzer.model.tree import written
from analyzer.model.treebank import Treebank, TreebankBuilder
from analyzer.transform.labels import default_labels, label_set_names, load_labels
from grammars import MismatchError, Node, nodes_of, reader

if TYPE_CHECKING:
    from lark import Lark

# Those of `grammars/` that `--grammar` may name.
NAMES = (
    *("cgel", "discbracket", "floresta", "lemmas", "ptb", "slash", "square"),
    *("unlabelled", "untagged"),
)
_ENDING = ".lark"
# Lark takes its time, and no treebank's trees are as long.
_LONG = 1 << 17
# What opens and closes trees: our names for the terminals, and those that Lark gives.
_BRACKETS = (
    ("OPEN", "CLOSE"),
    ("LPAR", "RPAR"),
    ("LSQB", "RSQB"),
    ("LBRACE", "RBRACE"),
    ("LESSTHAN", "MORETHAN"),
)
# Terminals in which brackets are text.
_STRINGS = ("QUOTED", "STRING")
_CALLED = {
    "$END": "the end",
    "LABEL": "a label",
    "TAG": "a tag",
    "WORD": "a word",
    "QUOTED": "a word in quotes",
    "TAGGED": "a word with its tag",
    "NUMBERED": "a numbered word",
}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
# disco-dop writes round brackets so; TIGER's tag is $(.
_ESCAPED_BRACKETS = (("#LRB#", "("), ("#RRB#", ")"))
_TAGS = {"$[": "$("}


class Grammar(NamedTuple):
    """A grammar as it travels between processes."""

    name: str
    text: str | None = None  # None: one of ours
    folder: str = ""  # that it imports from

    @property
    def dialect(self) -> Dialect:
        return _dialect(self)


@cache
def _dialect(grammar: Grammar) -> Dialect:
    return Dialect(grammar)


class Dialect:
    """What a grammar reads, and how a text divides that it is for."""

    def __init__(self, grammar: Grammar) -> None:
        self.parser = _parser(grammar)
        self._terminals = {
            terminal.name: terminal.pattern for terminal in self.parser.terminals
        }
        self.is_numbered = "NUMBERED" in self._terminals
        self.has_edges = "EDGE" in self._terminals
        self.brackets = self._find_brackets()
        table = bytearray(bytes.maketrans(b"()", b"||"))
        for bracket, shown in zip(self.brackets, b"()", strict=False):
            table[ord(bracket)] = shown
        self._table = bytes(table)
        strings = [
            self._terminals[name].to_regexp()
            for name in _STRINGS
            if name in self._terminals
        ]
        self._strings = re.compile("|".join(strings).encode()) if strings else None

    def _find_brackets(self) -> list[str]:
        """What opens and what closes a tree, if these are characters; or nothing."""
        for names in _BRACKETS:
            both = [self._terminals[n].value for n in names if n in self._terminals]
            if [len(bracket) for bracket in both if bracket.isascii()] == [1, 1]:
                return both
        return []

    def shape(self, text: bytes) -> bytes:
        """The text, byte for byte, with round brackets for those of trees only.

        >>> Grammar("square").dialect.shape(b"[S [A (a)]]")
        b'(S (A |a|))'
        """
        if self._strings is not None:
            text = self._strings.sub(lambda it: it[0].translate(_NO_BRACKETS), text)
        return text.translate(self._table)

    def named(self, terminal: str) -> str:
        """A terminal as messages call it."""
        pattern = self._terminals.get(terminal)
        if pattern is not None and pattern.type == "str":
            return repr(pattern.value)
        return _CALLED.get(terminal, terminal.lower().replace("_", " ").strip())


_NO_BRACKETS = bytes.maketrans(b"()[]{}<>", b"|" * 8)


def _parser(grammar: Grammar) -> Lark:
    """SettingsError if somebody's grammar is wrong."""
    if grammar.text is None:
        return reader(grammar.name)
    from lark.exceptions import LarkError

    try:
        parser = reader(grammar.name, grammar.text, grammar.folder)
    except (LarkError, OSError, re.error) as error:
        reason = str(error).strip().split("\n")[0]
        at = getattr(error, "line", None), getattr(error, "column", None)
        place = Place(grammar.name, *at)
        raise SettingsError(
            "E567 this grammar cannot be used", place, reason=reason
        ) from None
    rules = {str(rule.alias or rule.origin.name) for rule in parser.rules}
    missing = [name for name in ("phrase", "leaf") if name not in rules]
    if missing:
        raise SettingsError(
            "E568 no rule is called", Place(grammar.name), missing=missing[0]
        )
    return parser


def grammar_format(spec: str) -> Format:
    """The format of what a grammar describes: one of ours, or that of a file.

    >>> grammar_format("square").name
    'square'
    """
    if spec in NAMES:
        grammar = Grammar(spec)
    elif spec.endswith(_ENDING) or os.path.exists(spec):
        grammar = Grammar(spec, read_text(spec), os.path.dirname(spec) or ".")
    else:
        raise SettingsError("E569 no grammar", grammar=spec, names=NAMES)
    _ = grammar.dialect  # which says what is wrong with it
    reader = partial(DialectFile, grammar)
    return Format(spec, Family.SYNTAX, never_begins, reader, is_dialect=True)


def read_by(spec: str, given: Input) -> None:
    """Have all files of an input read by a grammar."""
    format = grammar_format(spec)
    given.grammar = spec
    for file in given.files:
        file.formats = dict.fromkeys((None, Family.SYNTAX), format)


# -- files and blocks ---------------------------------------------------------------


@dataclass(frozen=True)
class DialectBlock(BlockAround):
    """Whole trees of one file, as text that is still to be read by a grammar."""

    block: TextBlock
    grammar: Grammar

    def read(self) -> Treebank:
        """The trees, good and bad; if it is strict, the first bad one is raised."""
        return self.block.checked(_Reading(self.block, self.grammar).bank)

    def nodes(self) -> tuple[Treebank, list[list[Node]]]:
        """The trees, and what the grammar read of each: of bad ones nothing."""
        kept: list[list[Node]] = []
        reading = _Reading(self.block, self.grammar, kept)
        return self.block.checked(reading.bank), kept


class DialectFile(BracketFile):
    """An open file of a dialect; a `TreeFile`.

    >>> import io
    >>> from analyzer.formats.blocks import read_all
    >>> text = io.BytesIO(b"(S (VP (A 0=a) (B 2=c)) (C 1=b))")
    >>> print(read_all(DialectFile(Grammar("discbracket"), text, "a"), "a")[0])
    (S (VP (A a)) (C b) (B c))
    """

    def __init__(
        self,
        grammar: Grammar,
        stream: Readable,
        name: str,
        options: FileOptions = AS_USUAL,
        note: str = "",
    ) -> None:
        super().__init__(stream, name, options._replace(mend=False))
        self._mend = options.mend
        if note:
            warnings.warn(InputWarning(name, note), stacklevel=2)
        self._grammar = grammar
        self._sentences = self._raised = self._lowered = 0

    def take(self, trees: int, first_sentence: int, settings: BlockSettings) -> Block:
        block = super().take(trees, first_sentence, settings)
        assert isinstance(block, TextBlock)
        block = block._replace(mend=self._mend)
        if not self._grammar.dialect.is_numbered:
            return DialectBlock(block, self._grammar)
        # A warning names what brackets cannot keep when the file is closed.
        reading = _Reading(block, self._grammar)
        self._sentences += trees
        self._raised += sum(tree.was_raised for tree in reading.built)
        self._lowered += sum(tree.was_lowered for tree in reading.built)
        return BuiltBlock(block.checked(reading.bank), first_sentence, is_numbered=True)

    def close(self) -> None:
        notes = crossing_notes(self._sentences, self._raised, self._lowered)
        self._raised = self._lowered = 0
        if notes:
            warnings.warn(InputWarning(self._name, "; ".join(notes)), stacklevel=2)

    def _layout_of(self, start: bytes) -> Layout:
        shape = self._shape(start)
        if self._mend:  # a bad tree must not take the lines after it
            lines = [line for line in shape.splitlines() if line.strip()]
            trees = [line for line in lines if b"(" in line and b")" in line]
            are_outer = not any(line[:1].isspace() for line in lines)
            if are_outer and 2 * len(trees) > len(lines):
                return Layout.LINES
        return sniff(shape, is_whole=self._ahead_is_all)

    def _bank(self, block: TextBlock) -> Treebank:
        return _Reading(block, self._grammar).bank

    def _escaped(self, text: bytes) -> bytes:
        return text

    def _shape(self, text: bytes) -> bytes:
        return self._grammar.dialect.shape(text)

    _words = BracketFile._words_read


# -- records ------------------------------------------------------------------------


class _Reading:
    """The trees of a block, read record by record."""

    def __init__(
        self, block: TextBlock, grammar: Grammar, kept: list[list[Node]] | None = None
    ) -> None:
        self._dialect = grammar.dialect
        self._builder = TreebankBuilder(
            block.source, may_cross=self._dialect.is_numbered
        )
        self.built: list[BuiltTree] = []  # those that may have crossing branches
        shape = self._dialect.shape(block.text)
        mends: dict[int, tuple[str, ...]] = {}
        for number, draft in enumerate(drafts(block, shape), block.first_sentence):
            problem = None
            nodes: list[Node] = []
            at = Place(block.source, draft.first_line, None, number)
            try:
                nodes = self._read(draft, at)
            except TreeSyntaxError as error:
                mended = self._mended(draft, at, error) if block.mend else error
                if isinstance(mended, TreeSyntaxError):
                    problem = mended
                else:
                    text, mends[number - block.first_sentence] = mended
                    nodes = self._read(draft._replace(text=text), at)
            except BadSentenceError as error:
                place = Place(block.source, draft.tree_line, None, number)
                problem = error.as_a(TreeSyntaxError).at(place)
            self._builder.end_tree(draft.tree_line, problem)
            if kept is not None:
                kept.append(nodes)
        self.bank = self._builder.finish()
        if mends:
            self.bank = replace(self.bank, mends=mends)

    def _mended(
        self, draft: Draft, place: Place, error: TreeSyntaxError
    ) -> tuple[bytes, tuple[str, ...]] | TreeSyntaxError:
        """The tree that an answer certainly means and what was done to have it; or what
        is wrong with it."""
        from analyzer.formats.penn.generated import (
            Beyond,
            Mended,
            problem_of_answer,
            read_answer,
        )

        brackets = "".join(self._dialect.brackets).encode()
        # The other way round, and back again.
        swapped = bytes.maketrans(b"()" + brackets, brackets + b"()")

        def is_tree(text: bytes) -> bool:
            own = text.translate(swapped).decode("utf-8", "replace")
            try:
                return len(nodes_of(self._dialect.parser, own)) == 1
            except MismatchError:
                return False

        answer = read_answer(draft.text.translate(swapped), is_tree)
        if isinstance(answer, Mended):
            return answer.text.translate(swapped), answer.names
        if answer is Beyond.MALFORMED:
            return error
        text = blank_comments(draft.text).replace(LINE_END, b" ")
        return problem_of_answer(answer, text, place)

    def _read(self, draft: Draft, place: Place) -> list[Node]:
        text = decoded(blank_comments(draft.text), place)
        shape = self._dialect.shape(draft.text)
        opened = shape.count(b"(")
        if opened > limits().tree_nodes:
            raise too_large(limits().tree_nodes)
        if len(shape) > _LONG and opened > shape.count(b")"):
            raise BadSentenceError("E270 missing")
        try:
            nodes = nodes_of(self._dialect.parser, text)
        except MismatchError as mismatch:
            if self._dialect.is_numbered:
                raise _bad_numbering(mismatch) from None
            at = mismatch.at
            if mismatch.is_end:
                at = mismatch.opened[-1] if mismatch.opened else len(text.rstrip())
            raise placed(self._problem(mismatch), text, at, place) from None
        if self._dialect.is_numbered:
            self.built.append(add_graph(*_graph(nodes[0]), self._builder))
        else:
            _add(nodes, self._builder)
        return nodes

    def _problem(self, mismatch: MismatchError) -> TreeSyntaxError:
        """What is wrong, in the words that are used of Penn brackets where they fit."""
        has_round = self._dialect.brackets == ["(", ")"]
        if has_round and mismatch.is_end and mismatch.opened:
            return explained("", Fault(Kind.END, 0, "", len(mismatch.opened)))
        if has_round and mismatch.kind == "CLOSE" and not mismatch.opened:
            return explained("", Fault(Kind.CLOSE, 0, ")", 0))
        if has_round and mismatch.kind and not mismatch.opened:
            return explained("", Fault(Kind.OUTSIDE, 0, mismatch.token, 0))
        expected = " or ".join(sorted(map(self._dialect.named, mismatch.expected)))
        if mismatch.is_end:
            return TreeSyntaxError("E220 ends too early; expected", expected=expected)
        return TreeSyntaxError(
            "E221 does not fit the grammar; expected",
            found=mismatch.token,
            expected=expected,
        )


def _add(nodes: list[Node], builder: TreebankBuilder) -> None:
    """Trees of brackets into the builder; BadSentenceError if they are too large."""
    left = limits().tree_nodes
    pending: list[Node | None] = list(reversed(nodes))
    while pending:
        node = pending.pop()
        if node is None:
            builder.close()
            continue
        left -= 1
        if left < 0:
            raise too_large(limits().tree_nodes)
        if node.kind == "phrase":
            builder.open(_label(node))
            pending.append(None)
            pending.extend(reversed(node.children))
        else:
            tag, word, _ = word_of(node)
            builder.leaf(
                written_label(tag), written(word), written_label(edge_of(node))
            )


def _label(node: Node) -> str:
    label, edge = str(node.tokens.get("LABEL", "")), edge_of(node)
    return written_label(f"{label}-{edge}" if edge else label)


def edge_of(node: Node) -> str:
    """The label of the edge above a node, which may stand before it or in it."""
    return node.edge or str(node.tokens.get("EDGE", ""))


def word_of(node: Node) -> tuple[str, str, str]:
    """Tag, word and number of a leaf."""
    tokens: dict[str, Any] = node.tokens
    tag = str(tokens.get("TAG", tokens.get("LABEL", "")))
    if "WORD" in tokens:
        return tag, str(tokens["WORD"]), ""
    if "QUOTED" in tokens:
        return tag, _ESCAPE.sub(r"\1", tokens["QUOTED"][1:-1]), ""
    if "TAGGED" in tokens:
        word, _, tag = tokens["TAGGED"].rpartition("/")
        return tag, word, ""
    if "MARK" in tokens:
        return mark_tag(str(tokens["MARK"])), str(tokens["MARK"]), ""
    number, _, word = tokens.get("NUMBERED", "").partition("=")
    return tag, word, number


# -- numbered words -----------------------------------------------------------------


def _bad_numbering(mismatch: MismatchError) -> BadSentenceError:
    if mismatch.is_end:
        return BadSentenceError("E270 missing")
    if mismatch.kind == "CLOSE" and not mismatch.opened:
        return BadSentenceError("E268 without")
    if mismatch.kind == "OPEN" and not mismatch.opened:
        return BadSentenceError("E269 a second root")
    return BadSentenceError(
        "E271 expected a tag with a numbered word, as", atom=mismatch.token
    )


def _graph(root: Node) -> tuple[Graph, list[str]]:
    """A tree whose branches may cross, and its words in order.

    The nodes are numbered: words in order, then the others. A label that ends in `-HD`
    is a head.
    """
    nodes: list[Node] = []
    parents: list[int] = []
    tag_of: dict[int, int] = {}  # by the number of the word
    pending = [(root, NO_PARENT)]
    while pending:
        node, parent = pending.pop()
        if node.kind != "phrase":
            number = int(word_of(node)[2])
            if number in tag_of:
                raise BadSentenceError("E272 twice", number=number)
            tag_of[number] = len(nodes)
        pending.extend((child, len(nodes)) for child in reversed(node.children))
        nodes.append(node)
        parents.append(parent)
    if sorted(tag_of) != list(range(len(tag_of))) or not tag_of:
        raise BadSentenceError("E273 words are numbered from 0 on, without a gap")
    tags = [tag_of[number] for number in range(len(tag_of))]
    is_tag = set(tags)
    order = [*tags, *(at for at in range(len(nodes)) if at not in is_tag)]
    place_of = {at: place for place, at in enumerate(order)}
    place_of[NO_PARENT] = NO_PARENT
    moved = [place_of[parents[at]] for at in order]
    labels = [str(nodes[at].tokens.get("LABEL", "")) for at in order]
    labels = [_TAGS.get(label, label) for label in labels]
    check_paths(moved, labels)
    if moved.index(NO_PARENT) < len(tags):
        # A word alone: brackets need something above it.
        moved = [len(order) if parent == NO_PARENT else parent for parent in moved]
        moved.append(NO_PARENT)
        labels.append("ROOT")
    heads = {at for at, label in enumerate(labels) if label.endswith("-HD")}
    words = [word_of(nodes[at])[1] for at in tags]
    for escaped, bracket in _ESCAPED_BRACKETS:
        words = [word.replace(escaped, bracket) for word in words]
    is_phrase = labels[moved.index(NO_PARENT)] not in default_labels().wrapper
    return Graph(moved, labels, heads, [""] * len(words), is_phrase), words


# -- the dialects -------------------------------------------------------------------

_LEAF = re.compile(r"\([^\s()]+[ \t]+([^()]*[^\s()])[ \t]*\)")
_NUMBERED_WORD = re.compile(r"[0-9]+=\S*")
_ANY_LEAF = re.compile(r"\([^\s()]+\s+[^()]*[^\s()]\s*\)")
_WITH_LEMMA = re.compile(r"\([^\s()]+\s+[^\s()]+\s+[^\s()]+\s*\)")
# Another bracket right after the first label: not `[ I/PRP ] see/VBP`.
_LABEL_IN_SQUARES = re.compile(r"\[[^\s()\[\]\"',]*\s*\[[^\s()\[\]\"',]+\s")
_MOST = 0.9
# A label that a function follows, and a bracket or a string.
_FUNCTION = re.compile(r"\(\s*(?:\S+\s+/\s+)?[^\s()\"]+\s+:[^\s()\"]+\s*[(\"]")


def _begins_numbered(start: str) -> bool:
    """Brackets: the words of the first tree are numbered, from 0 on.

    >>> _begins_numbered("(S (A 1=b) (B 0=a))"), _begins_numbered("(S (A 0=1) (B a))")
    (True, False)
    """
    words = _LEAF.findall(_first_tree(start))
    has_first = any(word.startswith("0=") for word in words)
    return has_first and all(_NUMBERED_WORD.fullmatch(word) for word in words)


def _first_tree(start: str) -> str:
    """The text up to where its first bracket closes; all if it does not."""
    depth = 0
    for bracket in re.finditer(r"[()]", start):
        depth += 1 if bracket[0] == "(" else -1
        if depth <= 0:
            return start[: bracket.end()]
    return start


def _has_lemmas(start: str) -> bool:
    """Whether nearly all words of a file that starts like this have lemmas.

    >>> _has_lemmas("(S (sn (da0ms0 El el) (nc perro perro)))")
    True
    >>> _has_lemmas("(S (A a))")
    False
    """
    leaves = _ANY_LEAF.findall(start)
    with_lemma = [leaf for leaf in leaves if _WITH_LEMMA.fullmatch(leaf)]
    return len(with_lemma) > _MOST * len(leaves)


# -- words that are not in leaves of their own, or that stand where labels do --------

_TOKEN = re.compile(r"[()]|[^\s()]+", re.ASCII)  # a no-break space is part of a word
_COMMENT = re.compile(r"(?m)^(?:#|\*x\*).*")  # as grammars/common.lark has it
_AFTER_BRACKET = re.compile(r"\(([^\s()]+)")
_LOOKS_LIKE_A_WORD = re.compile(r"[^\W\d_]*[^\W\d_A-Z][^\W\d_]*(?:['’-][^\W\d_]*)*")
_LABEL_BEFORE_MORE = re.compile(r"\(([^\s()]+)(?=[\s(])")
# No other treebank has forms in small letters after a function: (P+D du) is French.
_FUNCTION_AND_FORM = re.compile(r"[A-Z<>?|/0-9]+[^\s()+]*\+[a-z][^\s()+]*")
_WITH_SLASH = re.compile(r"\S+/[A-Z$.,:`'#-]+\S*")
# Labels are a closed class: of so many, at least this share of different ones is none.
_MANY, _OPEN_CLASS = 200, 0.2
_SOME = 3


class _Brackets(NamedTuple):
    """The brackets at the start of a file, counted."""

    labels: list[str]  # what follows a bracket at once
    loose: list[str]  # words that are not alone in a bracket with a label
    leaves: int  # others
    bare: int  # trees with a bracket without a label that joins two, or is in another
    trees: int
    above: list[str]  # labels of brackets that hold loose words

    @classmethod
    def of(cls, start: str) -> _Brackets:
        labels, loose, leaves, bare, trees, above = [], [], 0, 0, 0, []
        is_bare = False
        open_brackets: list[tuple[list[str], list[int]]] = []  # atoms; brackets in them
        for token in _TOKEN.findall(_COMMENT.sub("", start)):
            if token == "(":
                if open_brackets:
                    open_brackets[-1][1].append(len(open_brackets[-1][0]))
                open_brackets.append(([], []))
            elif token != ")":
                if open_brackets:
                    open_brackets[-1][0].append(token)
            elif open_brackets:
                atoms, within = open_brackets.pop()
                has_label = bool(atoms) and not (within and within[0] == 0)
                labels += atoms[:1] if has_label else []
                words = atoms[1:] if has_label else atoms
                is_leaf = len(words) == 1 and has_label and not within
                leaves += is_leaf
                loose += [] if is_leaf else words
                above += atoms[:1] if has_label and words and not is_leaf else []
                is_bare |= not has_label and (len(within) > 1 or bool(open_brackets))
                if not open_brackets:
                    bare, trees, is_bare = bare + is_bare, trees + 1, False
        return cls(labels, loose, leaves, bare, trees, above)

    @property
    def have_loose_words(self) -> bool:
        """Whether most words are not in leaves of their own, below labels we know.

        Below tags, as in (NN big cat), they are in bad leaves.
        """
        if 2 * sum(label in default_labels().tag for label in self.above) > len(
            self.above
        ):
            return False
        known = [label for label in self.labels if _is_known(label)]
        return len(self.loose) > self.leaves and 2 * len(known) > len(self.labels)

    @property
    def have_slashes(self) -> bool:
        """Whether most of these have their tags behind a slash."""
        slashes = [word for word in self.loose if _WITH_SLASH.fullmatch(word)]
        return 2 * len(slashes) > len(self.loose)


@cache
def _known_labels() -> frozenset[str]:
    """Labels of all treebanks that we know; those of Penn's in small letters too."""
    sets = [load_labels(name) for name in label_set_names()]
    known = {
        label
        for labels in sets
        for label in labels.known | labels.wrapper | labels.empty
    }
    return frozenset({*known, *(label.lower() for label in default_labels().known)})


def _is_known(label: str) -> bool:
    """Whether some treebank has a label, without its functions."""
    return not _known_labels().isdisjoint((label, re.split(r"[-=]", label)[0]))


def _has_words_for_labels(start: str) -> bool:
    """Whether words follow brackets at once, where labels would.

    They look like words, no treebank has them as labels, and there are brackets that
    could have a label and have none; or they are too many different ones for labels.

    >>> _has_words_for_labels("((the cat) (sat (on (the mat))))")
    True
    >>> _has_words_for_labels("((the cat) (sat))")
    True
    >>> _has_words_for_labels("(sentence (subject (noun cats)) (predicate (verb sat)))")
    False
    """
    tokens = _AFTER_BRACKET.findall(start)
    labels = {*tokens}
    like_words = {label for label in labels if _LOOKS_LIKE_A_WORD.fullmatch(label)}
    if not labels or len(like_words) < 0.8 * len(labels):
        return False  # nearly always
    unknown = [label for label in like_words if not _is_known(label)]
    if 2 * len(unknown) < len(labels):
        return False
    if len(labels) < _SOME and max(map(len, [*unknown, ""])) < _SOME:
        return False  # letters, as in examples: ((a b) (c d))
    if len(tokens) >= _MANY:
        return len(labels) > _OPEN_CLASS * len(tokens)
    brackets = _Brackets.of(start)
    return 2 * brackets.bare >= max(1, brackets.trees)


def _has_no_tags(start: str) -> bool:
    """Whether words stand in their phrases without tags.

    >>> _has_no_tags("(S (NP the cat) (VP sat))"), _has_no_tags("(S (NP (NN cat)))")
    (True, False)
    """
    brackets = _Brackets.of(start)
    return brackets.have_loose_words and not brackets.have_slashes


def _has_slashes(start: str) -> bool:
    """Whether words have their tags behind a slash.

    >>> _has_slashes("(S (NP the/DT cat/NN) (VP sat/VBD))")
    True
    """
    brackets = _Brackets.of(start)
    return brackets.have_loose_words and brackets.have_slashes


def _has_functions_before_forms(start: str) -> bool:
    """Whether labels are functions and forms, as Floresta writes them.

    >>> _has_functions_before_forms("(STA+fcl (SUBJ+np (>N+art O) (H+n gato)) (.))")
    True
    >>> _has_functions_before_forms("(S (NP (P+D du) (N+C chat)) (+ +))")
    False
    """
    labels = _LABEL_BEFORE_MORE.findall(_COMMENT.sub("", start))
    fitting = [label for label in labels if _FUNCTION_AND_FORM.fullmatch(label)]
    return len(fitting) >= _SOME and len(fitting) > _MOST * len(labels)


def _dialect_format(
    name: str, begins: Callable[[str], object], grammar: str = "", note: str = ""
) -> Format:
    reader = partial(DialectFile, Grammar(grammar or name), note=note)
    return Format(name, Family.SYNTAX, begins, reader, is_dialect=True)


DISCBRACKET = _dialect_format("discbracket", _begins_numbered)
ANCORA = _dialect_format("ancora", _has_lemmas, "lemmas")
SQUARE = _dialect_format("square", _LABEL_IN_SQUARES.match)
CGEL = _dialect_format("cgel", _FUNCTION.match)
FLORESTA = _dialect_format(
    "floresta",
    _has_functions_before_forms,
    note="labels are a function and a form (SUBJ+np): read as np-SUBJ, as by --grammar "
    "floresta (--grammar ptb: as they are written)",
)
UNLABELLED = _dialect_format(
    "unlabelled",
    _has_words_for_labels,
    note="brackets have no labels, and words no tags: read so, as by --grammar "
    "unlabelled (--grammar ptb: the first word in a bracket is a label)",
)
UNTAGGED = _dialect_format(
    "untagged",
    _has_no_tags,
    note="words have no tags: read so, as by --grammar untagged (--grammar ptb: they "
    "are malformed)",
)
SLASH = _dialect_format(
    "slash",
    _has_slashes,
    note="words have their tags behind a slash: read so, as by --grammar slash",
)
