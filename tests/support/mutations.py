"""Mutants of a module: its source with one place changed, as a slip would change it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from typing import NamedTuple, TypeVar

Syntax = TypeVar("Syntax", bound=ast.AST)
_Functions = (ast.FunctionDef, ast.AsyncFunctionDef)

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In},
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult},
    **{ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr},
    **{ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.MatMult: ast.Mult},
}
_OTHER_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
# f(x) becomes x.
_TRANSPARENT = frozenset({"sorted", "reversed", "set", "abs", "dict.fromkeys"})
_SYMMETRIC = frozenset(
    {"min", "max", "np.minimum", "np.maximum", "np.union1d", "suppress"}
)
# Their arguments are for people who read or for the type checker.
_FOR_READERS = frozenset({"cast", "TypeVar", "NewType", "assert_never"})


class Mutant(NamedTuple):
    place: str  # the function, with its class, or "" at the top of the module
    before: str
    after: str
    start: int  # in bytes of the source, as is `end`
    end: int
    first_line: int  # of the statement, as is `last_line`
    last_line: int

    def source(self, original: bytes) -> bytes:
        return original[: self.start] + self.after.encode() + original[self.end :]


def _changed(node: Syntax, **fields: object) -> Syntax:
    copy = deepcopy(node)
    for name, value in fields.items():
        setattr(copy, name, value)
    return copy


def _expressions(node: ast.AST) -> Iterator[ast.AST]:  # noqa: C901
    """What stands in place of an expression."""
    match node:
        case ast.Compare(ops=operators):
            for index, operator in enumerate(operators):
                changed = [*operators]
                changed[index] = _COMPARISONS[type(operator)]()
                yield _changed(node, ops=changed)
        case ast.BinOp(op=operation):
            yield _changed(node, op=_OPERATORS[type(operation)]())
        case ast.BoolOp(op=junction):
            yield _changed(
                node, op=ast.Or() if isinstance(junction, ast.And) else ast.And()
            )
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Constant(value=bool(truth)):
            yield ast.Constant(not truth)
        case ast.Constant(value=int(number) | float(number)):
            yield ast.Constant(number + 1)
            yield ast.Constant(number - 1)
        case ast.IfExp(test=test):
            yield _changed(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Subscript(ctx=ast.Load(), slice=ast.Slice() as bounds):
            for end in ("lower", "upper"):
                if getattr(bounds, end) is not None:
                    yield _changed(node, slice=_changed(bounds, **{end: None}))
        case ast.Call():
            yield from _calls(node)


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    """Another function, its argument alone, two swapped, a keyword left out."""
    name, arguments, keywords = ast.unparse(node.func), node.args, node.keywords
    if name in _OTHER_NAMES:
        yield _changed(node, func=ast.Name(_OTHER_NAMES[name]))
    if name in _TRANSPARENT and len(arguments) == 1 and not keywords:
        yield arguments[0]
    is_starred = any(isinstance(argument, ast.Starred) for argument in arguments[:2])
    if len(arguments) > 1 and not is_starred and name not in _SYMMETRIC:
        yield _changed(node, args=[arguments[1], arguments[0], *arguments[2:]])
    for index, keyword in enumerate(keywords):
        if keyword.arg not in (None, "strict"):
            yield _changed(node, keywords=keywords[:index] + keywords[index + 1 :])


def _statements(node: ast.stmt) -> Iterator[ast.AST]:
    """What stands in place of a statement."""
    match node:
        case ast.Return(value=ast.expr() as value):
            if not (isinstance(value, ast.Constant) and value.value is None):
                yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.AugAssign(op=operation):
            yield ast.Pass()
            yield _changed(node, op=_OPERATORS[type(operation)]())


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """What is executed in it: no annotations, no decorators, no text for people."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases"):
            continue
        if name == "keywords" and isinstance(node, ast.ClassDef):
            continue
        yield from (
            child
            for child in (value if isinstance(value, list) else [value])
            if isinstance(child, ast.AST)
        )


def _is_left_alone(node: ast.AST) -> bool:
    match node:
        # Python 3.11 does not say where the parts of an f-string stand.
        case ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.If(test=ast.Name("TYPE_CHECKING")) | ast.keyword(arg="strict"):
            return True
        case ast.Call(func=ast.Name(name)):
            return name in _FOR_READERS
        case ast.FunctionDef(decorator_list=decorators):
            return any(ast.unparse(one) == "overload" for one in decorators)
    return False


class _Source:
    def __init__(self, text: bytes) -> None:
        self.text = text
        self.line_starts = [0]
        for line in text.splitlines(keepends=True):
            self.line_starts.append(self.line_starts[-1] + len(line))

    def mutant(
        self, place: str, node: ast.expr | ast.stmt, other: ast.AST, lines: range
    ) -> Mutant:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.line_starts[node.lineno - 1] + node.col_offset
        end = self.line_starts[node.end_lineno - 1] + node.end_col_offset
        after = ast.unparse(ast.fix_missing_locations(other))
        if isinstance(node, ast.expr):
            after = f"({after})"
        before = ast.unparse(node)
        return Mutant(place, before, after, start, end, lines.start, lines.stop - 1)

    def mutants(self, node: ast.AST, place: str, lines: range) -> Iterator[Mutant]:
        if _is_left_alone(node):
            return
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            lines = range(node.lineno, max(node.lineno, last) + 1)
            for other in _statements(node):
                yield self.mutant(place, node, other, lines)
            if isinstance(node, ast.If | ast.While):
                opposite = ast.UnaryOp(ast.Not(), node.test)
                yield self.mutant(place, node.test, opposite, lines)
        if isinstance(node, ast.expr):
            for other in _expressions(node):
                yield self.mutant(place, node, other, lines)
        for child in _children(node):
            inner = place
            if isinstance(node, (*_Functions, ast.ClassDef)) and child in node.body:
                inner = f"{place}.{node.name}".lstrip(".")
            yield from self.mutants(child, inner, lines)


def mutants(text: bytes) -> list[Mutant]:
    """All mutants of a module, in the order of their places.

    >>> source = b"def larger(a, b):\\n    return a if a > b else b\\n"
    >>> for mutant in mutants(source):
    ...     print(mutant.source(source).decode().splitlines()[1].strip())
    return None
    return (a if not a > b else b)
    return a if (a >= b) else b
    """
    tree = ast.parse(text)
    return [
        mutant
        for mutant in _Source(text).mutants(tree, "", range(1, 2))
        if mutant.after != f"({mutant.before})"
    ]
