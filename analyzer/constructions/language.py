"""The language of pattern inventories: a text to an Inventory, or what is wrong.

The grammar is `grammars/patterns.lark`; docs/patterns.md explains the language.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import regex

import patterns
from analyzer.constructions import compiled
from analyzer.constructions import pattern_syntax as syntax
from analyzer.constructions.inventory import (
    Example,
    Inventory,
    Pattern,
    built_in_classes,
)
from analyzer.exceptions import PatternError, Place, SettingsError
from analyzer.files.small_files import read_text
from analyzer.transform.label_hints import inventory_of_labels
from analyzer.transform.labels import default_labels, load_labels
from grammars import load

if TYPE_CHECKING:
    from lark import Token, Tree

DEFAULT_INVENTORY = "english"
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
    if built_in := compiled.built_in(name, _parse_built_in):
        return built_in
    path = Path(name)
    if not path.exists():
        raise SettingsError(
            "no pattern file {name!r}, and no inventory of that "
            "name; there are {inventory_names:list}",
            code="E513",
            name=name,
            inventory_names=inventory_names(),
        )
    return parse_inventory(
        read_text(name), name=path.stem, source=name, folder=path.parent
    )


def _parse_built_in(text: str, name: str) -> Inventory:
    return parse_inventory(text, name=name, source=f"patterns/{name}.pat")


def parse_inventory(
    text: str,
    *,
    name: str = "inventory",
    source: str = "<text>",
    folder: Path | None = None,
) -> Inventory:
    r"""The inventory that a text describes; PatternError says where it does not.

    `folder` is where a file of labels is looked for.

    >>> given = parse_inventory("NP-modr: ^(head:NP) (SBAR|S|VP|ADJP|PP|ADVP|NP)+$")
    >>> [(p.name, head) for p, head in given.matches(
    ...     "NP", given.children(["NP", "PP", "SBAR"]))]
    [('NP-modr', 0)]
    """
    from lark.exceptions import UnexpectedInput

    try:
        tree = load("patterns", "start").parse(text)
    except UnexpectedInput as error:
        raise syntax.syntax_error(text, source, error) from None
    try:
        return _Reader(text, source, folder).read(tree, name)
    except RecursionError:
        raise PatternError("nested too deep", Place(source), code="E601") from None


class _Reader:
    """Turns the parsed file into patterns, in the order of the file."""

    def __init__(self, text: str, source: str, folder: Path | None) -> None:
        self._text = text
        self._source = source
        self._folder = folder
        self._labels = default_labels()
        self._classes = built_in_classes(self._labels)
        self._patterns: dict[str, Pattern] = {}
        self._examples: dict[str, list[Example]] = {}
        self._latest: list[str] = []

    def read(self, tree: Tree[Token], name: str) -> Inventory:
        for statement in tree.children:
            kind = getattr(statement, "data", None)
            if kind == "labels":
                self._take_labels(statement)
            elif kind == "class_definition":
                self._define_class(statement)
            elif kind == "pattern":
                self._add_patterns(statement)
            elif kind == "example":
                self._add_example(statement)
        patterns = tuple(
            replace(pattern, examples=tuple(self._examples[pattern.name]))
            for pattern in self._patterns.values()
        )
        by_nonterminal: dict[str, list[Pattern]] = {}
        for pattern in patterns:
            by_nonterminal.setdefault(pattern.nonterminal, []).append(pattern)
        if not patterns:
            raise PatternError(
                "no patterns; expected lines such as NP-modr: (head:NP) PP+",
                Place(self._source, 1, 1),
                code="E602",
            )
        return Inventory(
            name, self._text, patterns, self._source, by_nonterminal, self._labels
        )

    # -- statements ---------------------------------------------------------------

    def _take_labels(self, statement: Any) -> None:
        name = syntax.tokens(statement, "CHILD")[0]
        try:
            self._labels = load_labels(str(name), folder=self._folder)
        except SettingsError as error:
            if error.place is not None:
                raise
            at = name.line, name.column
            placed = syntax.placed(
                error.as_a(PatternError), self._text, self._source, *at
            )
            raise placed from None
        self._classes = built_in_classes(self._labels)

    def _define_class(self, statement: Any) -> None:
        name = syntax.tokens(statement, "LABEL")[0]
        if name == "CONJ":
            self._define_conjunctions(statement, name)
            return
        if name in self._classes:
            raise self._error(
                "class {name} is defined twice; expected a new name",
                name,
                code="E603",
                name=name,
            )
        if name in self._labels.known:
            raise self._error(
                "class {name} would hide the label {name}; expected a new name",
                name,
                code="E604",
                name=name,
            )
        parts = {part.data: part for part in syntax.trees(statement)}
        members = "|".join(self._item(item) for item in syntax.items(parts["members"]))
        if "exceptions" in parts:
            but = "|".join(
                self._item(item) for item in syntax.items(parts["exceptions"])
            )
            self._classes[str(name)] = f"(?!{but})(?>{members})"
        else:
            self._classes[str(name)] = f"(?>{members})"

    def _define_conjunctions(self, statement: Any, name: Any) -> None:
        """`class CONJ = CC | 'KON'`: what TAG leaves out follows from it."""
        classes = built_in_classes(self._labels)
        parts = {part.data: part for part in syntax.trees(statement)}
        labels = [
            str(item.children[0]).strip("'")
            for item in syntax.items(parts["members"])
            if hasattr(item, "children")
        ]
        is_plain = len(labels) == len(syntax.items(parts["members"]))
        is_plain &= not classes.keys() & set(labels)
        is_first = self._classes == classes and not self._patterns
        if "exceptions" in parts or not is_plain or not is_first:
            raise self._error(
                "CONJ is a list of tags, and stands before other classes and patterns, "
                "for TAG follows from it; expected class CONJ = CC | 'KON'",
                name,
                code="E614",
            )
        self._labels = replace(self._labels, conjunction=frozenset(labels))
        self._classes = built_in_classes(self._labels)

    def _add_patterns(self, statement: Any) -> None:
        names = [
            part.children[0] for part in syntax.trees(statement) if part.data == "name"
        ]
        body = next(
            part for part in syntax.trees(statement) if part.data == "expression"
        )
        heads = sorted(body.find_data("head"), key=lambda h: h.children[0].start_pos)
        if len(heads) != 1:
            at = heads[1].children[0] if heads else names[0]
            found = "no head" if not heads else "two heads"
            raise self._error(
                "{names} has {found}; expected exactly one group (head:…)",
                at,
                code="E605",
                names=names[0],
                found=found,
            )
        alternatives = next(iter(syntax.trees(body)))
        low, high = syntax.head_count(alternatives)
        if (low, high) != (1, 1):
            raise self._error(
                "the head of {names} may be missing or repeated; "
                "expected it on every way through the pattern, once",
                heads[0].children[0],
                code="E606",
                names=names[0],
            )
        head_items = self._head_items(heads[0], names[0])
        expression = self._alternatives(alternatives)
        try:
            regex.compile(expression, regex.V1)
        except regex.error as error:
            raise self._error(
                "this does not compile: {error}", names[0], code="E610", error=error
            ) from None
        self._latest = []
        for name in names:
            if str(name) in self._patterns:
                first = self._patterns[str(name)].line
                raise self._error(
                    "the name {name} is already used on line {first}; "
                    "expected a new one",
                    name,
                    code="E611",
                    name=name,
                    first=first,
                )
            nonterminal = str(name).split("-", 1)[0]
            self._patterns[str(name)] = Pattern(
                name=str(name),
                nonterminal=nonterminal,
                source=self._source_of(statement),
                expression=expression,
                head_items=head_items,
                line=name.line,
                comment=syntax.comment_above(self._text, names[0].line),
            )
            self._examples[str(name)] = []
            self._latest.append(str(name))

    def _add_example(self, statement: Any) -> None:
        tokens = statement.children
        if not self._latest:
            raise self._error(
                "an example; expected a pattern above it", tokens[0], code="E607"
            )
        example = Example(
            line=tokens[0].line,
            is_positive=str(tokens[0]) == "yes:",
            parent=str(tokens[1]),
            children=tuple(str(child) for child in tokens if child.type == "CHILD"),
        )
        known = {self._patterns[name].nonterminal for name in self._latest}
        if example.parent not in known:
            raise self._error(
                "an example of {parent} under {latest:list}; expected one of {known}",
                tokens[1],
                code="E608",
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
            for sequence in syntax.trees(tree)
        )

    def _piece(self, piece: Any) -> str:
        kind = getattr(piece, "data", None)
        if kind == "repeated":
            inner, quantifier = piece.children
            self._check_quantifier(quantifier)
            return f"(?:{self._piece(inner)}){quantifier}"
        if kind in ("group", "head", "lookahead"):
            inner = self._alternatives(next(iter(syntax.trees(piece))))
            if kind == "group":
                # A group of single children never needs a second try: atomic, so
                # that classes which overlap cannot make matching exponential.
                is_one_child = syntax.is_one_child(piece)
                return f"(?>{inner})" if is_one_child else f"(?:{inner})"
            if kind == "head":
                return f"(?P<head>{inner})"
            return f"{syntax.tokens(piece, 'LOOKAHEAD')[0]}{inner})"
        return f"(?:{self._item(piece)})"

    def _check_quantifier(self, quantifier: Any) -> None:
        if quantifier in ("*", "+", "?"):
            return
        try:
            regex.compile(f"x{quantifier}")
        except (regex.error, OverflowError):
            raise self._error(
                "{quantifier} does not compile; expected *, +, ?, {{2}}, "
                "{{2,}} or {{2,3}}, the smaller number first",
                quantifier,
                code="E612",
                quantifier=quantifier,
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
        if text not in self._labels.known:
            raise self._error(
                "unknown class or label {text!r}; expected a {title} "
                "label, a class ({classes:list}), or a label in quotes "
                "('{text}')",
                token,
                code="E609",
                text=text,
                title=self._labels.title,
                classes=self._classes,
            )
        return f"{'n' if text in self._labels.phrase else 't'}:{text} "

    def _head_items(self, head: Any, name: Any) -> tuple[str, ...]:
        items = []
        for sequence in syntax.trees(next(iter(syntax.trees(head)))):
            pieces = sequence.children
            if len(pieces) != 1 or getattr(pieces[0], "data", "label") != "label":
                raise self._error(
                    "the head of {name} must be one child; expected labels "
                    "or classes separated by '|'",
                    head.children[0],
                    code="E613",
                    name=name,
                )
            items.append(self._item(pieces[0]))
        return tuple(items)

    def _source_of(self, statement: Any) -> str:
        tokens = [*statement.scan_values(lambda value: hasattr(value, "end_pos"))]
        start = next(t for t in tokens if t.type == "NAME").start_pos
        line_end = self._text.find("\n", tokens[-1].end_pos)
        end = line_end if line_end >= 0 else len(self._text)
        source = regex.sub(_COMMENT, r"\1", self._text[start:end])
        return " ".join(source.partition(":")[2].split())

    def _error(
        self, template: str, token: Any, *, code: str, **fields: Any
    ) -> PatternError:
        error = PatternError(template, code=code, **fields)
        return syntax.placed(error, self._text, self._source, token.line, token.column)
