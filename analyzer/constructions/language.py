"""The language of pattern inventories: a text to an Inventory, or what is wrong.

The grammar is `grammars/patterns.lark`; docs/patterns.md explains the language.

To parse the English inventory and compile its expressions takes longer than to score
thousands of sentences. So the outcome is kept in `patterns/__pycache__`, where Python
keeps its own: plain values, of which reading makes no code. It is used only if all
that it was made of is still the same, character by character. Where that folder
cannot be written, inventories are parsed each time.
"""

from __future__ import annotations

import copyreg
import marshal
import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import regex

import patterns
from analyzer.constructions.inventory import (
    ANY_MARKS,
    Example,
    Inventory,
    Pattern,
    built_in_classes,
    mark_character,
)
from analyzer.exceptions import PatternError, Place, SettingsError
from analyzer.files.small_files import read_text
from analyzer.model.settings import keywords
from analyzer.transform.labels import (
    DEFAULT_INVENTORY,
    LabelSet,
    default_labels,
    inventory_of_labels,
    load_labels,
)
from grammars import grammar_text, load

if TYPE_CHECKING:
    from lark import Token, Tree

# A comment, but not one that stands in quotes (which are kept).
_COMMENT = r"('[^'\n]+')|#[^\n]*"


def inventory_names() -> list[str]:
    """The inventories that come with the package."""
    return patterns.names(".pat")


def load_inventory(name_or_path: str | Path = DEFAULT_INVENTORY) -> Inventory:
    """An inventory by name (`english`) or from a file.

    The name of a label set means the inventory that comes with it.

    >>> load_inventory("tiger").name
    'german'
    """
    name = inventory_of_labels(str(name_or_path)) or str(name_or_path)
    if built_in := _built_in(name):
        return built_in
    path = Path(name)
    if not path.exists():
        raise SettingsError(
            "E513 no pattern file", name=name, inventory_names=inventory_names()
        )
    text = read_text(name)
    return parse_inventory(text, name=path.stem, source=name, folder=path.parent)


def _parse_built_in(text: str, name: str) -> Inventory:
    inventory = parse_inventory(text, name=name, source=f"patterns/{name}.pat")
    return replace(inventory, is_built_in=True)


@keywords()
def parse_inventory(
    text: str,
    *,
    name: str = "inventory",
    source: str = "<text>",
    folder: Path | None = None,
    labels: LabelSet | None = None,
) -> Inventory:
    r"""The inventory that a text describes; PatternError says where it does not.

    `folder` is where a file of labels is looked for; `labels`, if given, are those that
    the text names.

    >>> given = parse_inventory("NP-modr: ^(head:NP) (SBAR|S|VP|ADJP|PP|ADVP|NP)+$")
    >>> [(p.name, head) for p, head in given.matches(
    ...     "NP", given.children(["NP", "PP", "SBAR"]))]
    [('NP-modr', 0)]
    """
    from lark.exceptions import UnexpectedInput

    try:
        tree = load("patterns").parse(text)
    except UnexpectedInput as error:
        raise _syntax_error(text, source, error) from None
    try:
        return _Reader(text, source, folder, labels).read(tree, name)
    except RecursionError:
        raise PatternError("E601 nested too deep", Place(source)) from None


# -- built-in inventories as they were compiled last -----------------------------------

_FOLDER = os.path.join(patterns.__path__[0], "__pycache__")
_LAYOUT = 3  # of what is kept
# The code that makes an inventory of a text.
_CODE = ("inventory.py", "language.py", "../transform/labels.py")


def _built_in(name: str) -> Inventory | None:
    """The inventory of that name, parsed if it must be; None if there is none."""
    text = patterns.text(f"{name}.pat")
    if text is None:
        return None
    made_of = _made_of(text)
    path = os.path.join(_FOLDER, f"{name}.{sys.implementation.cache_tag}.inventory")
    # Nothing may have been kept, or nothing that can be used.
    with suppress(OSError, ValueError, EOFError, TypeError, LookupError):
        with open(path, "rb") as stream:
            kept = marshal.loads(stream.read())
        made_of_then, labels_name, labels_text, digest, marks, rows = kept
        labels = load_labels(labels_name)
        if (made_of_then, labels_text) == (made_of, labels.text):
            restored = tuple(map(_restored, rows))
            source = f"patterns/{name}.pat"
            inventory = Inventory(name, text, restored, source, labels, True, marks)
            vars(inventory).update(hash=digest)
            return inventory
    inventory = _parse_built_in(text, name)
    if made_of is not None:
        labels = inventory.labels
        rows = [_values(pattern) for pattern in inventory.patterns]
        named = labels.name, labels.text, inventory.hash, inventory.marks
        _keep(path, (made_of, *named, rows))
    return inventory


def _made_of(text: str) -> tuple[Any, ...] | None:
    """All that the outcome depends on, but for labels that the text may name."""
    code = []
    try:
        for name in _CODE:
            with open(os.path.join(os.path.dirname(__file__), name), "rb") as stream:
                code.append(stream.read())
    except OSError:  # in an archive, say
        return None
    versions = _LAYOUT, sys.version, regex.__version__
    return *versions, text, default_labels().text, grammar_text("patterns"), *code


def _keep(path: str, kept: tuple[Any, ...]) -> None:
    part = f"{path}.{os.getpid()}"
    with suppress(OSError):
        os.makedirs(_FOLDER, exist_ok=True)
        try:
            with open(part, "xb") as stream:
                stream.write(marshal.dumps(kept))
            os.replace(part, path)
        except OSError:
            with suppress(OSError):
                os.unlink(part)


def _values(pattern: Pattern) -> tuple[Any, ...]:
    """A pattern as plain values: its fields, then what is worked out from them."""
    *values, examples = (getattr(pattern, field.name) for field in fields(Pattern))
    # What an expression is restored from when it is pickled: plain values too.
    code = _reduced(pattern.compiled)[1]
    return *values, [tuple(example) for example in examples], pattern.is_recursive, code


def _restored(kept: tuple[Any, ...]) -> Pattern:
    *values, examples, is_recursive, code = kept
    values.append(tuple(Example(*example) for example in examples))
    pattern = Pattern(*values)
    restore = _reduced(regex.compile(""))[0]
    vars(pattern).update(is_recursive=is_recursive, compiled=restore(*code))
    return pattern


def _reduced(expression: regex.Pattern[str]) -> tuple[Callable[..., Any], Any]:
    """What restores a compiled expression, and from which values, as pickle asks."""
    reduced: Any = copyreg.dispatch_table[type(expression)](expression)
    return reduced[0], reduced[1]


# -- from a parsed file to patterns ----------------------------------------------------


class _Reader:
    """Turns the parsed file into patterns, in the order of the file."""

    def __init__(
        self, text: str, source: str, folder: Path | None, labels: LabelSet | None
    ) -> None:
        self._given = labels
        self._text = text
        self._source = source
        self._folder = folder
        self._labels = default_labels()
        self._classes = built_in_classes(self._labels)
        self._patterns: dict[str, Pattern] = {}
        self._examples: dict[str, list[Example]] = {}
        self._latest: list[str] = []
        self._marks: dict[str, int] = {}  # tags of punctuation that may be named
        self._mark_names: dict[str, str] = {}  # and what each name matches
        self._sees_marks = False  # the pattern that is being read

    def read(self, tree: Tree[Token], name: str) -> Inventory:
        read: dict[str, Callable[[Any], None]] = {
            "labels": self._take_labels,
            "class_definition": self._define_class,
            "mark_definition": self._define_mark,
            "pattern": self._add_patterns,
            "example": self._add_example,
        }
        for statement in _trees(tree):
            read[statement.data](statement)
        patterns = tuple(
            replace(pattern, examples=tuple(self._examples[pattern.name]))
            for pattern in self._patterns.values()
        )
        if not patterns:
            raise PatternError("E602 no patterns", Place(self._source, 1, 1))
        given = name, self._text, patterns, self._source, self._labels
        return Inventory(*given, marks=tuple(self._marks))

    # -- statements ---------------------------------------------------------------

    def _take_labels(self, statement: Any) -> None:
        name = _tokens(statement, "CHILD")[0]
        try:
            self._labels = self._given or load_labels(str(name), folder=self._folder)
        except SettingsError as error:
            if error.place is not None:
                raise
            at = name.line, name.column
            placed = _placed(error.as_a(PatternError), self._text, self._source, *at)
            raise placed from None
        self._classes = built_in_classes(self._labels)

    def _define_class(self, statement: Any) -> None:
        name = _tokens(statement, "LABEL")[0]
        if name == "CONJ":
            self._define_conjunctions(statement, name)
            return
        self._check_name(name)
        expressions = {
            part.data: "|".join(self._item(item) for item in _items(part))
            for part in _trees(statement)
        }
        but = expressions.get("exceptions")
        is_none_of = "" if but is None else f"(?!{but})"
        self._classes[str(name)] = f"{is_none_of}(?>{expressions['members']})"

    def _check_name(self, name: Any) -> None:
        """Whether a class or a mark may have that name."""
        if name in self._classes or name in self._mark_names:
            raise self._error("E603 is defined twice", name, name=name)
        if name in self._labels.known:
            raise self._error("E604 would hide the label", name, name=name)

    def _define_mark(self, statement: Any) -> None:
        """`mark COMMA = ','`: where it stands, between children, is all that counts."""
        name = _tokens(statement, "LABEL")[0]
        self._check_name(name)
        characters = ""
        for item in _items(next(iter(_trees(statement)))):
            token = item.children[0] if hasattr(item, "children") else item
            tag = str(token).strip("'")
            if tag in self._classes or tag not in self._labels.punctuation:
                title, known = self._labels.title, sorted(self._labels.punctuation)
                fields = {"tag": tag, "title": title, "known": " ".join(known)}
                raise self._error("E640 no punctuation", token, **fields)
            characters += mark_character(self._marks.setdefault(tag, len(self._marks)))
        # Other marks may follow at the same place.
        self._mark_names[str(name)] = f"(?<=[{characters}]{ANY_MARKS})"

    def _define_conjunctions(self, statement: Any, name: Any) -> None:
        """`class CONJ = CC | 'KON'`: what TAG leaves out follows from it."""
        classes = built_in_classes(self._labels)
        parts = {part.data: part for part in _trees(statement)}
        labels = [
            str(item.children[0]).strip("'")
            for item in _items(parts["members"])
            if hasattr(item, "children")
        ]
        is_plain = len(labels) == len(_items(parts["members"]))
        is_plain &= not classes.keys() & set(labels)
        is_first = self._classes == classes and not self._patterns
        if "exceptions" in parts or not is_plain or not is_first:
            raise self._error("E614 CONJ must be a list of tags and come before", name)
        self._labels = replace(self._labels, conjunction=frozenset(labels))
        self._classes = built_in_classes(self._labels)

    def _add_patterns(self, statement: Any) -> None:
        *parts, body = _trees(statement)
        names = [part.children[0] for part in parts]
        heads = sorted(body.find_data("head"), key=lambda h: h.children[0].start_pos)
        if len(heads) != 1:
            at = heads[1].children[0] if heads else names[0]
            count = "no head" if not heads else "two heads"
            raise self._error(
                "E605 expected exactly one group", at, names=names[0], found=count
            )
        alternatives = next(iter(_trees(body)))
        low, high = _head_count(alternatives)
        if (low, high) != (1, 1):
            raise self._error("E606 the head of", heads[0].children[0], names=names[0])
        head_items = self._head_items(heads[0], names[0])
        named = alternatives.scan_values(lambda value: str(value) in self._mark_names)
        self._sees_marks = any(True for _ in named)
        expression = self._alternatives(alternatives)
        if self._sees_marks:
            expression = f"{ANY_MARKS}+(?:{expression})"
        try:
            regex.compile(expression, regex.V1)
        except regex.error as error:
            raise self._error(
                "E610 this does not compile", names[0], error=error
            ) from None
        self._latest = []
        for name in names:
            if str(name) in self._patterns:
                first = self._patterns[str(name)].line
                raise self._error(
                    "E611 is already used on line", name, name=name, first=first
                )
            nonterminal = str(name).split("-", 1)[0]
            self._patterns[str(name)] = Pattern(
                name=str(name),
                nonterminal=nonterminal,
                source=self._source_of(statement),
                expression=expression,
                head_items=head_items,
                line=name.line,
                comment=comment_above(self._text, names[0].line),
                sees_marks=self._sees_marks,
            )
            self._examples[str(name)] = []
            self._latest.append(str(name))

    def _add_example(self, statement: Any) -> None:
        tokens = statement.children
        if not self._latest:
            raise self._error("E607 an example", tokens[0])
        example = Example(
            line=tokens[0].line,
            is_positive=str(tokens[0]) == "yes:",
            parent=str(tokens[1]),
            children=tuple(str(child) for child in tokens if child.type == "CHILD"),
        )
        known = {self._patterns[name].nonterminal for name in self._latest}
        if example.parent not in known:
            raise self._error(
                "E608 an example of",
                tokens[1],
                parent=example.parent,
                latest=self._latest,
                known=" or ".join(sorted(known)),
            )
        for name in self._latest:
            self._examples[name].append(example)

    # -- expressions ---------------------------------------------------------------

    def _alternatives(self, tree: Any) -> str:
        return "|".join(
            "".join(self._piece(piece) for piece in sequence.children)
            for sequence in _trees(tree)
        )

    def _piece(self, piece: Any) -> str:
        kind = getattr(piece, "data", None)
        if kind == "repeated":
            inner, quantifier = piece.children
            self._check_quantifier(quantifier)
            return f"(?:{self._piece(inner)}){quantifier}"
        if kind in ("group", "head", "lookahead"):
            inner = self._alternatives(next(iter(_trees(piece))))
            if kind == "group":
                # A group of single children never needs a second try: atomic, so
                # that classes which overlap cannot make matching exponential.
                is_one_child = _is_one_child(piece, self._mark_names)
                return f"(?>{inner})" if is_one_child else f"(?:{inner})"
            if kind == "head":
                return f"(?P<head>{inner})"
            return f"{_tokens(piece, 'LOOKAHEAD')[0]}{inner})"
        if _name_of(piece) in self._mark_names:
            return self._mark_names[_name_of(piece)]
        # A pattern that names punctuation passes over what it does not name.
        passed_over = f"{ANY_MARKS}+" if self._sees_marks else ""
        return f"(?:{self._item(piece)}){passed_over}"

    def _check_quantifier(self, quantifier: Any) -> None:
        if quantifier in ("*", "+", "?"):
            return
        try:
            regex.compile(f"x{quantifier}")
        except (regex.error, OverflowError):
            raise self._error(
                "E612 does not compile", quantifier, quantifier=quantifier
            ) from None

    def _item(self, item: Any) -> str:
        token = item.children[0] if hasattr(item, "children") else item
        text = str(token)
        if token.type == "ANY":
            return self._classes["ANY"]
        if token.type == "QUOTED":
            return f"[nt]:{regex.escape(text[1:-1])} "
        if text in self._classes:
            return self._classes[text]
        if text in self._mark_names:
            raise self._error("E641 is a punctuation mark", token, text=text)
        if text not in self._labels.known:
            raise self._error(
                "E609 unknown class or label",
                token,
                text=text,
                title=self._labels.title,
                classes=self._classes,
            )
        return f"{'n' if text in self._labels.phrase else 't'}:{text} "

    def _head_items(self, head: Any, name: Any) -> tuple[str, ...]:
        items = []
        for sequence in _trees(next(iter(_trees(head)))):
            pieces = sequence.children
            if len(pieces) != 1 or getattr(pieces[0], "data", "label") != "label":
                raise self._error("E613 the head of", head.children[0], name=name)
            items.append(self._item(pieces[0]))
        return tuple(items)

    def _source_of(self, statement: Any) -> str:
        tokens = [*statement.scan_values(lambda value: hasattr(value, "end_pos"))]
        start = next(t for t in tokens if t.type == "NAME").start_pos
        line_end = self._text.find("\n", tokens[-1].end_pos)
        end = line_end if line_end >= 0 else len(self._text)
        source = regex.sub(_COMMENT, r"\1", self._text[start:end])
        return " ".join(source.partition(":")[2].split())

    def _error(self, code: str, token: Any, **fields: Any) -> PatternError:
        error = PatternError(code, **fields)
        return _placed(error, self._text, self._source, token.line, token.column)


# -- a parsed file: its parts, and the place of what is wrong in it --------------------


def _head_count(tree: Any) -> tuple[int, int]:
    """How often, at least and at most, a head stands on a way through a pattern."""
    if not hasattr(tree, "data") or tree.data in ("label", "lookahead"):
        return 0, 0  # what is only looked at is not marked
    if tree.data == "head":
        return 1, 1
    if tree.data == "repeated":
        low, high = _head_count(tree.children[0])
        quantifier = str(tree.children[1])
        once_at_most = quantifier == "?"
        optional = quantifier[0] in "*?" or quantifier.startswith("{0")
        return (0 if optional else low), (high if once_at_most else 2 * high)
    counts = [_head_count(child) for child in tree.children]
    if tree.data == "alternatives":
        counts = [_head_count(sequence) for sequence in _trees(tree)]
        return min(c[0] for c in counts), max(c[1] for c in counts)
    return sum(c[0] for c in counts), sum(c[1] for c in counts)


def _name_of(item: Any) -> str:
    """The label, class or mark that an item names."""
    return str(item.children[0] if hasattr(item, "children") else item)


def _is_one_child(group: Any, marks: Collection[str]) -> bool:
    """Whether every alternative of a group is a single label or class, and no mark."""
    alternatives = next(iter(_trees(group)))
    return all(
        len(sequence.children) == 1
        and getattr(sequence.children[0], "data", "label") == "label"
        and _name_of(sequence.children[0]) not in marks
        for sequence in _trees(alternatives)
    )


def _trees(tree: Any) -> Iterator[Any]:
    """The children that are no tokens."""
    return (child for child in tree.children if hasattr(child, "data"))


def _tokens(tree: Any, kind: str) -> list[Any]:
    """The children that are tokens of a kind."""
    return [child for child in tree.children if getattr(child, "type", "") == kind]


def _items(tree: Any) -> list[Any]:
    """The labels and classes of a list, `ANY` among them."""
    return [
        child
        for child in tree.children
        if hasattr(child, "data") or getattr(child, "type", "") == "ANY"
    ]


def comment_above(text: str, line: int) -> str:
    """The comment lines directly above a line."""
    lines = text.splitlines()[: line - 1]
    comment: list[str] = []
    while lines and lines[-1].lstrip().startswith("#"):
        comment.insert(0, lines.pop().lstrip().lstrip("#").strip())
    return " ".join(comment)


def _syntax_error(text: str, source: str, error: Any) -> PatternError:
    """What Lark complains of, in words for people who write patterns."""
    token = getattr(error, "token", None)
    line = error.line if error.line and error.line > 0 else text.count("\n") + 1
    column = error.column if error.column and error.column > 0 else 1
    if token is None:
        shown = repr(text[error.pos_in_stream])
    elif token.type in ("$END", "_NEWLINE"):
        shown = "the end of the line"
        line, column = _end_of_token_before(text, token)
    else:
        shown = repr(str(token))
    expected = sorted(
        _TERMINALS_IN_WORDS[name]
        for name in {str(name) for name in getattr(error, "expected", ())}
        | {str(name) for name in getattr(error, "allowed", None) or ()}
        if name in _TERMINALS_IN_WORDS
    )
    wanted = " or ".join(dict.fromkeys(expected)) or "the end of the line"
    problem = PatternError("E690 expected", found=shown, wanted=wanted)
    return _placed(problem, text, source, line, column)


def _end_of_token_before(text: str, token: Any) -> tuple[int, int]:
    # At the end of the text, lark gives the place of the last token.
    position = len(text) if token.type == "$END" else token.start_pos
    before = text[:position].rstrip()
    return before.count("\n") + 1, len(before) - before.rfind("\n")


_TERMINALS_IN_WORDS = {
    "NAME": "a name such as NP-t, then ':'",
    "LABEL": "a label or class",
    "PARENT": "a label",
    "QUOTED": "a label in quotes",
    "ANY": "ANY",
    "COLON": "':'",
    "RPAR": "')'",
    "LPAR": "'('",
    "HEAD": "'(head:'",
    "EQUAL": "'='",
    "CLASS": "'class'",
    "MARK": "'mark'",
    "ARROW": "'->'",
    "CHILD": "a child",
    "QUANTIFIER": "'*', '+' or '?'",
}


def _placed(
    error: PatternError, text: str, source: str, line: int, column: int
) -> PatternError:
    """The error at its place, with the line it is in."""
    lines = text.splitlines()
    shown = lines[line - 1] if 0 < line <= len(lines) else ""
    excerpt = f"    {shown.expandtabs(1)}\n    {' ' * (column - 1)}^"
    return error.at(Place(source, line, column), excerpt)
