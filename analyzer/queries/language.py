"""The language of queries: tregex's and tgrep2's common core, and what only we have.

The grammar is `grammars/query.lark`; docs/find.md says what everything means. A query
becomes a `Pattern`: what a node is, and what it requires of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from time import monotonic
from typing import Any, Final, NamedTuple

import regex

from analyzer.exceptions import Place, QueryError

_KEPT = 500  # queries, and expressions, that are not read again
ROOT_NAME: Final = "match"  # of the first node, if it has no name
# So many characters, and parentheses within each other, are more than people write.
_LONGEST, _DEEPEST = 20_000, 60
# What a regular expression may take: on all labels or words, and more for each.
_SECONDS, _SECONDS_EACH = 5.0, 50e-6
ANY, IS, FOLDED, REGEX = "any", "is", "folded", "regex"

# What conditions in braces are about: words, and numbers.
_OF_TEXT = {
    "construction": "the construction of its bracket",
    "head": "the word that heads it",
    "headtag": "the tag of the word that heads it",
    "governor": "the word that its spine attaches to",
    "function": "one of its function tags",
    "label": "its label, of a phrase or a tag",
    "tag": "its label, if it is the tag above a word",
    "word": "itself, if it is a word",
    "text": "its words, with blanks between them",
    "relation": "the relation of a discourse unit",
    "nuclearity": "the nuclearity of a discourse unit, N or S",
}
_OF_NUMBERS = {"words": "how many words it spans", "units": "how many units it spans"}
ATTRIBUTES: Final = {**_OF_TEXT, **_OF_NUMBERS}
_OF_DERIVATION = {"construction", "head", "headtag", "governor"}
_OPERATORS_OF_DERIVATION = {"<#", ">#", "<<#", ">>#", "~>", "<~"}

# What is written for the same relation, by tgrep2, tregex or NLTK.
_SPELLINGS = {
    **{"<,": "<1", ">,": ">1", "<'": "<-1", ">'": ">-1", "<-": "<-1", ">-": ">-1"},
    **{"<<'": "<<-", ">>'": ">>-", "<<1": "<<,", "$+": "$.", "$-": "$,"},
    **{"$++": "$..", "$--": "$,,"},
    **{"<`": "<-1", ">`": ">-1", "<<`": "<<-", ">>`": ">>-"},
}


class Text(NamedTuple):
    """What a label or word, or another value, has to be."""

    kind: str  # ANY, IS, FOLDED (in any case) or REGEX (somewhere in it)
    text: str = ""

    def accepts(self, value: str, seconds: float | None = None) -> bool:
        """Whether a value is so; TimeoutError if a regex takes longer than that.

        >>> Text(REGEX, "^N").accepts("NP"), Text(IS, "N").accepts("NP")
        (True, False)
        """
        if self.kind == REGEX:
            return compiled(self.text).search(value, timeout=seconds) is not None
        if self.kind == FOLDED:
            return value.lower() == self.text
        return self.kind == ANY or value == self.text

    def __str__(self) -> str:
        return {REGEX: f"/{self.text}/", ANY: "__", FOLDED: f"i@{self.text}"}.get(
            self.kind, self.text
        )


@lru_cache(_KEPT)
def compiled(expression: str) -> regex.Pattern[str]:
    """A regular expression, compiled once."""
    return regex.compile(expression)


def accepted(texts: Sequence[Text], values: Sequence[str]) -> list[bool]:
    """Which of some values are one of the texts.

    QueryError if that takes far longer than a regex needs that does not run wild.
    """
    if all(text.kind == IS for text in texts):
        wanted = {text.text for text in texts}
        return [value in wanted for value in values]
    end = monotonic() + _SECONDS + _SECONDS_EACH * len(values)
    try:
        return [
            any(text.accepts(value, max(end - monotonic(), 0.001)) for text in texts)
            for value in values
        ]
    except TimeoutError:
        shown = "|".join(map(str, texts))
        raise QueryError("E664 takes too long", given=shown) from None


@dataclass(frozen=True)
class Condition:
    """What stands in braces: an attribute, and what it has to be."""

    attribute: str
    comparison: str  # = or !=; of numbers <, <=, > and >= as well
    values: tuple[Text, ...]
    number: int = 0  # of the attributes that are numbers

    def __str__(self) -> str:
        values = "|".join(map(str, self.values)) if self.values else self.number
        return f"{self.attribute}{self.comparison}{values}"


@dataclass(frozen=True)
class Description:
    """What a node is by itself."""

    alternatives: tuple[Text, ...]
    is_negated: bool = False
    is_basic: bool = False  # of the label without function tags and indices
    conditions: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        signs = "!" * self.is_negated + "@" * self.is_basic
        inside = ", ".join(map(str, self.conditions))
        braces = f"{{{inside}}}" if inside else ""
        return f"{signs}{'|'.join(map(str, self.alternatives))}{braces}"

    @property
    def accepts_all(self) -> bool:
        """Whether every node is so, apart from the conditions."""
        is_any = any(alternative.kind == ANY for alternative in self.alternatives)
        return is_any and not self.is_negated


@dataclass(frozen=True)
class Relation:
    """A node that there has to be: how it stands to the one that requires it."""

    operator: str  # as tgrep2 spells it; <N for the N-th child
    target: Pattern
    number: int = 0  # of <N and >N; from 1, or from -1 where it is counted from the end
    is_negated: bool = False
    is_optional: bool = False


@dataclass(frozen=True)
class Choice:
    """Requirements in brackets: those of one of the branches have to hold."""

    branches: tuple[tuple[Requirement, ...], ...]
    is_negated: bool = False
    is_optional: bool = False


Requirement = Relation | Choice


@dataclass(frozen=True)
class Pattern:
    """A node: what it is, what it is called, and what it requires."""

    description: Description | None  # None: anything that a name is given to
    name: str = ""
    reference: str = ""  # the name of the node that it has to be
    requirements: tuple[Requirement, ...] = ()

    @cached_property
    def defined(self) -> tuple[str, ...]:
        """The names that it gives, to itself and to what it requires, in order."""
        inner = (
            name for requirement in self.requirements for name in defined(requirement)
        )
        return tuple(dict.fromkeys([self.name, *inner] if self.name else inner))

    @cached_property
    def used(self) -> frozenset[str]:
        """The names that it refers to, given within it or outside."""
        inner = [used(requirement) for requirement in self.requirements]
        return frozenset([self.reference] if self.reference else []).union(*inner)

    @property
    def is_plain(self) -> bool:
        """Whether it has to do with no name: nodes can be asked whether they are so."""
        return not self.defined and not self.used

    def patterns(self) -> Iterator[tuple[Pattern, bool]]:
        """All patterns in it, and whether a match needs each."""
        yield self, True
        for requirement in self.requirements:
            yield from _patterns(requirement, is_needed=True)


def _patterns(
    requirement: Requirement, *, is_needed: bool
) -> Iterator[tuple[Pattern, bool]]:
    is_needed &= not (requirement.is_negated or requirement.is_optional)
    if isinstance(requirement, Relation):
        for pattern, inner in requirement.target.patterns():
            yield pattern, inner and is_needed
        return
    is_needed &= len(requirement.branches) == 1
    for branch in requirement.branches:
        for part in branch:
            yield from _patterns(part, is_needed=is_needed)


def defined(requirement: Requirement) -> tuple[str, ...]:
    """The names that a requirement gives, in order."""
    if isinstance(requirement, Relation):
        return requirement.target.defined
    inner = (
        name
        for branch in requirement.branches
        for part in branch
        for name in defined(part)
    )
    return tuple(dict.fromkeys(inner))


def used(requirement: Requirement) -> frozenset[str]:
    """The names that a requirement refers to."""
    if isinstance(requirement, Relation):
        return requirement.target.used
    inner = (used(part) for branch in requirement.branches for part in branch)
    return frozenset[str]().union(*inner)


def is_plain(requirement: Requirement) -> bool:
    """Whether a requirement has to do with no name."""
    return not defined(requirement) and not used(requirement)


@dataclass(frozen=True)
class Query:
    """A query that was read: its text, and the node that it looks for."""

    text: str
    pattern: Pattern

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The named nodes, in the order in which they stand; the first is the root."""
        return tuple(
            dict.fromkeys([self.pattern.name or ROOT_NAME, *self.pattern.defined])
        )

    @cached_property
    def needs_derivation(self) -> bool:
        """Whether it asks for constructions, heads or attachment."""
        return any(
            condition.attribute in _OF_DERIVATION
            for pattern, _ in self.patterns()
            if pattern.description
            for condition in pattern.description.conditions
        ) or any(
            relation.operator in _OPERATORS_OF_DERIVATION
            for relation in self.relations()
        )

    def patterns(self) -> Iterator[tuple[Pattern, bool]]:
        """All patterns in it, and whether a match needs each."""
        return self.pattern.patterns()

    def descriptions(self) -> list[Description]:
        """What a match needs nodes to be, each once, in the order of the query."""
        needed = (pattern.description for pattern, is_so in self.patterns() if is_so)
        return list(dict.fromkeys(description for description in needed if description))

    def relations(self) -> Iterator[Relation]:
        """All relations in it."""
        pending = [
            requirement
            for pattern, _ in self.patterns()
            for requirement in pattern.requirements
        ]
        while pending:
            requirement = pending.pop()
            if isinstance(requirement, Relation):
                yield requirement
            else:
                pending += [
                    inner for branch in requirement.branches for inner in branch
                ]

    def __str__(self) -> str:
        return self.text


@lru_cache(_KEPT)
def parse_query(text: str) -> Query:
    """The query that a text is; QueryError, with what could stand there, if none.

    >>> parse_query("S < NP=subject < (VP << /^VB/=verb)").names
    ('match', 'subject', 'verb')
    """
    from lark.exceptions import UnexpectedInput

    import grammars

    if len(text) > _LONGEST:
        raise QueryError("E651 the query has", length=len(text), most=_LONGEST)
    try:
        tree = grammars.load("query").parse(text)
    except UnexpectedInput as error:
        raise _syntax_error(text, error) from None
    return _Reader(text).query(tree)


class _Reader:
    """Makes a query of what Lark read, and says where it makes no sense."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._named: dict[str, Any] = {}  # names, and where each is first given
        self._deep = 0

    def query(self, tree: Any) -> Query:
        expressions = list(_trees(tree))
        pattern = self._expression(expressions[0])
        # Segments, as tgrep2 has them: what is asked further, of any nodes.
        segments = (
            Relation(":", self._expression(expression))
            for expression in expressions[1:]
        )
        pattern = replace(pattern, requirements=(*pattern.requirements, *segments))
        if not pattern.name and ROOT_NAME in self._named:
            token = self._named[ROOT_NAME]
            raise self._error("E655 a node is called", token, given=ROOT_NAME)
        return Query(self._text, pattern)

    def _expression(self, tree: Any) -> Pattern:
        node, *rest = _trees(tree)
        pattern = self._node(node)
        if not rest:
            return pattern
        return replace(
            pattern, requirements=(*pattern.requirements, *self._disjunction(rest[0]))
        )

    def _node(self, tree: Any) -> Pattern:
        tokens = _tokens(tree, "NAME")
        if tree.data == "reference":
            name = str(tokens[0])[1:]
            if name not in self._named:
                raise self._error("E653 no node is called", tokens[0], given=name)
            return Pattern(None, reference=name)
        if tree.data == "group":
            with self._one_deeper(tree):
                pattern = self._expression(next(_trees(tree)))
            if tokens and (pattern.name or pattern.reference):
                given = pattern.name or pattern.reference
                raise self._error("E654 one node has two names", tokens[0], given=given)
        else:
            description, *more = _trees(tree)
            pattern = Pattern(self._description(description, *more))
        return self._named_so(pattern, tokens[0]) if tokens else pattern

    @contextmanager
    def _one_deeper(self, tree: Any) -> Iterator[None]:
        self._deep += 1
        if self._deep > _DEEPEST:
            token = _first(tree)
            raise self._error("E652 nested too deep", token, most=_DEEPEST)
        yield
        self._deep -= 1

    def _named_so(self, pattern: Pattern, token: Any) -> Pattern:
        """The pattern under a name; a name that is known is that of the same node."""
        name = str(token)[1:]
        if name in self._named:
            return replace(pattern, reference=name)
        self._named[name] = token
        return replace(pattern, name=name)

    def _disjunction(self, tree: Any) -> tuple[Requirement, ...]:
        """What stands between `|`: requirements, or one choice if there are several."""
        before = dict(self._named)
        branches, named = [], dict(before)
        for conjunction in _trees(tree):
            # Branches may give the same names: only one of them holds.
            self._named = dict(before)
            branches.append(tuple(map(self._requirement, _trees(conjunction))))
            named |= self._named
        self._named = named
        return branches[0] if len(branches) == 1 else (Choice(tuple(branches)),)

    def _requirement(self, tree: Any) -> Requirement:
        how = {
            "is_negated": bool(_tokens(tree, "NOT")),
            "is_optional": bool(_tokens(tree, "OPTIONAL")),
        }
        before = dict(self._named)
        requirement: Requirement
        if tree.data == "choice":
            with self._one_deeper(tree):
                inner = self._disjunction(next(_trees(tree)))
            is_choice = len(inner) == 1 and isinstance(inner[0], Choice)
            branches = inner[0].branches if is_choice else (inner,)  # type: ignore[union-attr]
            requirement = Choice(branches, **how)
        else:
            spelling = str(_tokens(tree, "RELATION")[0]).replace("%", "$")
            operator = _SPELLINGS.get(spelling, spelling)
            counted = re.fullmatch(r"([<>])(-?\d+)", operator)
            number = int(counted[2]) if counted else 0
            if counted and not number:
                token = _tokens(tree, "RELATION")[0]
                raise self._error("E656 is not a relation", token, given=spelling)
            operator = f"{counted[1]}N" if counted else operator
            requirement = Relation(
                operator, self._node(next(_trees(tree))), number, **how
            )
        new = [name for name in defined(requirement) if name not in before]
        if new and requirement.is_negated:
            raise self._error(
                "E657 names a node inside a negation",
                self._named[new[0]],
                given=new[0],
            )
        return requirement

    def _description(self, tree: Any, *more: Any) -> Description:
        alternatives: list[Text] = []
        conditions: list[Condition] = []
        for part in (*_trees(tree), *more):
            if part.data == "alternative":
                alternatives.append(self._text_of(part.children[0]))
            else:
                conditions += map(self._condition, _trees(part))
        return Description(
            tuple(alternatives),
            is_negated=bool(_tokens(tree, "NOT")),
            is_basic=bool(_tokens(tree, "BASIC")),
            conditions=tuple(conditions),
        )

    def _condition(self, tree: Any) -> Condition:
        named = _tokens(tree, "ATTRIBUTE")
        attribute = str(named[0]) if named else "construction"
        comparison = str(_tokens(tree, "COMPARISON")[0]) if named else "="
        tokens = [part.children[0] for part in _trees(tree)]
        if attribute not in ATTRIBUTES:
            raise self._error(
                "E658 nodes have no", named[0], given=attribute, known=list(ATTRIBUTES)
            )
        if attribute in _OF_NUMBERS:
            if len(tokens) != 1 or not re.fullmatch(r"\d{1,9}", tokens[0]):
                raise self._error("E659 is a number", tokens[-1], given=attribute)
            return Condition(attribute, comparison, (), int(tokens[0]))
        if comparison not in ("=", "!="):
            token = _tokens(tree, "COMPARISON")[0]
            raise self._error("E660 is no number", token, given=attribute)
        return Condition(attribute, comparison, tuple(map(self._text_of, tokens)))

    def _text_of(self, token: Any) -> Text:
        is_folded = token.type == "FOLDED"
        text = str(token)[2:] if is_folded else str(token)
        if text.startswith("/") and token.type != "VALUE":
            expression = text[1:-1].replace(r"\/", "/")
            expression = f"(?i:{expression})" if is_folded else expression
            try:
                compiled(expression)
            except (regex.error, OverflowError) as error:
                why = str(error)
                raise self._error("E661 does not compile", token, given=why) from None
            return Text(REGEX, expression)
        if text.startswith('"'):
            text = re.sub(r"\\(.)", r"\1", text[1:-1])
        elif text in ("__", "*"):
            return Text(ANY)
        return Text(FOLDED, text.lower()) if is_folded else Text(IS, text)

    def _error(self, code: str, token: Any, **fields: Any) -> QueryError:
        return _placed(QueryError(code, **fields), self._text, token.start_pos)


# -- what Lark read, and the place of what is wrong in it ------------------------------


def _trees(tree: Any) -> Iterator[Any]:
    """The children that are no tokens."""
    return (child for child in tree.children if hasattr(child, "data"))


def _tokens(tree: Any, kind: str) -> list[Any]:
    """The children that are tokens of a kind."""
    return [child for child in tree.children if getattr(child, "type", "") == kind]


def _first(tree: Any) -> Any:
    """The first token of a tree."""
    return next(tree.scan_values(lambda value: hasattr(value, "start_pos")))


_RELATIONS = "a relation such as <, <<, >, $.. or ."
_TERMINALS_IN_WORDS: Mapping[str, str] = {
    "LABEL": "a label or word",
    "REGEX": "a /regular expression/",
    "QUOTED": 'a word in "quotes"',
    "NAME": "=name",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "RELATION": _RELATIONS,
    "COMPARISON": "=, !=, <, <=, > or >=",
    "VALUE": "a value",
    "ATTRIBUTE": "an attribute such as head or words",
    "VBAR": "'|'",
    "OR": "'|'",
    "OR_ELSE": "'|'",
    "COMMA": "','",
    "$END": "the end of the query",
}


def _syntax_error(text: str, error: Any) -> QueryError:
    """What Lark complains of, in words for people who write queries."""
    token = getattr(error, "token", None)
    is_end = token is not None and token.type == "$END"
    at = len(text.rstrip()) if is_end else error.pos_in_stream
    shown = "the end of the query" if is_end else repr(str(token or text[at]))
    allowed = getattr(error, "accepts", None) or error.allowed or ()
    wanted = [words for name, words in _TERMINALS_IN_WORDS.items() if name in allowed]
    problem = QueryError(
        "E650 expected", found=shown, wanted=" or ".join(dict.fromkeys(wanted))
    )
    return _placed(problem, text, at)


def _placed(error: QueryError, text: str, at: int) -> QueryError:
    """The error at its place, with the line it is in."""
    line, start = text.count("\n", 0, at) + 1, text.rfind("\n", 0, at) + 1
    shown = text[start:].split("\n", 1)[0].expandtabs(1)
    excerpt = f"    {shown}\n    {' ' * (at - start)}^"
    return error.at(Place("query", line, at - start + 1), excerpt)
