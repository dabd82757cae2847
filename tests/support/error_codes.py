"""Where the codes of errors are used; run it to write the docs' page."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from analyzer import exceptions
from analyzer.exceptions import AnalyzerError, templates
from tests.support.data_paths import ROOT

PAGE = ROOT / "docs" / "messages.md"
CLASSES = {
    name
    for name, value in vars(exceptions).items()
    if isinstance(value, type) and issubclass(value, AnalyzerError)
}
# Methods and functions that make an error of a template and its fields.
_MAKERS = {"_error": "PatternError", "error": "InputError"}
_HEAD = """\
# Messages: the codes of errors

Every error has a code that does not change, its place, and fields with the details. The
text is made from these:

```python
from spinal import AnalyzerError, read_trees

try:
    read_trees("(S (NP (NN it))", strict=True)
except AnalyzerError as error:
    error.code, error.fields["count"], str(error.place)  # 'E213', 1, '<text>:1:1'
```

In the table, `{name}` is a field, `{n:word}` a number with its noun, `{names:list}`
a list; `{gold}` and `{parsed}` are the names of the two sides.

Codes are grouped: E0xx internal errors and the cluster, E1xx files, E2xx trees, E3xx
discourse trees, E4xx pairing, E5xx settings, E6xx patterns, E7xx reports, E8xx the
command line, E9xx discotk. The codes of *findings* (S101, V301, R102 …) are in
[check.md](check.md) and [patterns.md](patterns.md).

| code | error | message |
|---|---|---|
"""


class Raised(NamedTuple):
    """An error as it is made somewhere."""

    code: str | None  # None: that of its class
    words: str  # what stands beside the code
    kind: str
    fields: frozenset[str] | None  # None: not all are written there
    path: Path
    line: int


@cache
def raised() -> list[Raised]:
    """Everywhere that an error is made of a code."""
    return [
        one
        for package in ("analyzer", "reports")
        for path in sorted((ROOT / package).rglob("*.py"))
        if path.name != "exceptions.py"
        for one in _raised_in(path)
    ]


def _raised_in(path: Path) -> Iterator[Raised]:
    constants = {}
    tree = ast.parse(path.read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            constants[node.targets[0].id] = node.value
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        kind, told = _kind(node.func), node.args[0]
        if isinstance(told, ast.Name):
            told = constants.get(told.id, told)
        if kind is None or not isinstance(told, ast.Constant):
            continue  # handed on
        code, _, words = str(told.value).partition(" ")
        if code not in templates():
            if isinstance(node.func, ast.Name):
                yield Raised(None, words, kind, None, path, node.lineno)
            continue
        names = [one.arg for one in node.keywords]
        fields = None if None in names else frozenset(map(str, names))
        yield Raised(code, words, kind, fields, path, node.lineno)


def _kind(function: ast.expr) -> str | None:
    if isinstance(function, ast.Name):
        return function.id if function.id in CLASSES else None
    if isinstance(function, ast.Attribute):
        return _MAKERS.get(function.attr)
    return None


def page() -> str:
    """docs/messages.md."""
    rows = {(one.code, one.kind) for one in raised() if one.code}
    lines = [
        f"| {code} | {kind} | `{templates()[code].replace('|', '&#124;')}` |"
        for code, kind in sorted(rows)
    ]
    return _HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
