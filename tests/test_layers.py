"""The order of the modules: each imports only from those above it.

The order is that of the list in the docstring of `analyzer/__init__.py`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from data_paths import ROOT

import analyzer

LISTED = re.compile(r"^    ((?:\w+, )*\w+) +\S", re.MULTILINE)
ORDER = [
    name
    for names in LISTED.findall(analyzer.__doc__ or "")
    for name in names.split(", ")
]
# Not part of the flow: the package itself, and the way to start it.
APART = {"__init__", "__main__"}


def imports(path: Path, *, nested: bool = True) -> Iterator[str]:
    """Modules that a file imports; without `nested`, as it is imported itself."""
    tree = ast.parse(path.read_text("utf-8"))
    outer = list(ast.walk(tree)) if nested else list(_outside_functions(tree))
    for node in outer:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        is_for_types = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(
            child.test
        )
        if isinstance(child, ast.FunctionDef) or is_for_types:
            continue
        yield child
        yield from _outside_functions(child)


def layer(module: str) -> str:
    """The layer that a module of analyzer belongs to: `scorers.evalb` -> `scorers`."""
    return module.removeprefix("analyzer.").split(".")[0]


def modules() -> list[Path]:
    return sorted((ROOT / "analyzer").rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT / "analyzer").with_suffix("").parts
    return layer(".".join(parts))


def test_every_module_is_in_the_list() -> None:
    there = {name_of(path) for path in modules()} - APART
    assert sorted(there) == sorted(set(ORDER))
    assert len(ORDER) == len(set(ORDER))


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_modules_import_only_from_above(path: Path) -> None:
    name = name_of(path)
    if name not in ORDER:  # the test above complains of it
        return
    for imported in imports(path, nested=False):
        if not imported.startswith("analyzer."):
            continue
        target = layer(imported)
        if target in ORDER and target != name:
            assert ORDER.index(target) < ORDER.index(name), f"{name} imports {target}"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_reports_are_imported_late(path: Path) -> None:
    outer = {module.split(".")[0] for module in imports(path, nested=False)}
    assert "reports" not in outer


@pytest.mark.parametrize("package", ["grammars", "patterns"])
def test_data_packages_know_nothing_of_the_analyzer(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    for path in files:
        used = {module.split(".")[0] for module in imports(path)}
        assert not used & {"analyzer", "reports"}
