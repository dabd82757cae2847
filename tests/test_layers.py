"""The order of the house: every module imports only from those listed above it.

`analyzer/__init__.py` lists the packages in the order in which data flows; the
`__init__` of each package lists its modules in theirs. Imports within functions and
those for types count as well: a lazy import is one all the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.data_paths import ROOT

LISTED = re.compile(r"^    ((?:\w+, )*\w+)(?: {2,}\S|$)", re.MULTILINE)
# Not part of the flow: the ways to start it.
APART = {"__init__", "__main__"}
# Directly in analyzer/, and nothing else.
AT_THE_TOP = {"__init__", "__main__", "exceptions", "limits", "safe_text"}
# Modules that one other of their package uses and nobody else.
MOST_LONE = 18
# What a module may import though it is below it, and why.
ALLOWED = {
    # A treebank gives out views of itself.
    ("analyzer.model.treebank", "analyzer.model.tree"),
}


@cache
def listed(package: Path) -> list[str]:
    """The modules of a package, in the order of the list in its docstring."""
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text("utf-8")))
    return [name for names in LISTED.findall(text or "") for name in names.split(", ")]


def children(package: Path) -> set[str]:
    """Modules and packages directly in a package."""
    modules = {path.stem for path in package.glob("*.py")} - APART
    return modules | {path.parent.name for path in package.glob("*/__init__.py")}


def packages() -> list[Path]:
    found = [path.parent for path in (ROOT / "analyzer").rglob("__init__.py")]
    return sorted(
        [*found, *(p.parent for p in (ROOT / "reports").rglob("__init__.py"))]
    )


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imports(path: Path) -> frozenset[str]:
    """Modules that a file imports, anywhere in it."""
    return frozenset(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            there = {f"{module}.{alias.name}" for alias in node.names}
            of_package = {name for name in there if name in MODULES}
            yield from of_package
            if len(of_package) < len(there):
                yield module


MODULES = {dotted(path) for name in ("analyzer", "reports") for path in modules(name)}


@cache
def rank(module: str) -> list[int]:
    """Where a module stands: its place in the list of each package around it."""
    parts = module.split(".")
    places = []
    for depth in range(1, len(parts)):
        order = listed(ROOT.joinpath(*parts[:depth]))
        places.append(order.index(parts[depth]))
    return places


def test_packages_list_their_modules() -> None:
    for package in packages():
        order = listed(package)
        assert sorted(order) == sorted(children(package)), dotted(package)


def test_few_modules_lie_directly_in_the_package() -> None:
    assert {path.stem for path in (ROOT / "analyzer").glob("*.py")} == AT_THE_TOP


def test_modules_import_only_from_above() -> None:
    for path in modules("analyzer"):
        module = dotted(path)
        if path.stem in APART and path.parent == ROOT / "analyzer":
            continue
        for imported in imports(path):
            if imported not in MODULES or not imported.startswith("analyzer."):
                continue
            if imported == module or (module, imported) in ALLOWED:
                continue
            if module.startswith(f"{imported}."):
                continue  # a constant of the package around it
            assert rank(imported) < rank(module), f"{module} imports {imported}"


def test_few_modules_serve_one_sibling_alone() -> None:
    """A module is an idea: what only its neighbour uses is mostly a part of that."""
    users: dict[str, set[str]] = {}
    for name in ("analyzer", "reports", "spinal"):
        for path in modules(name):
            for imported in imports(path) - {dotted(path)}:
                users.setdefault(imported, set()).add(dotted(path))
    lone = sorted(
        module
        for module in MODULES
        if len(users.get(module, ())) == 1
        and next(iter(users[module])).rpartition(".")[0] == module.rpartition(".")[0]
    )
    assert len(lone) <= MOST_LONE, lone


def test_reports_use_nothing_of_the_command_line() -> None:
    for path in modules("reports"):
        used = set(imports(path))
        assert not [name for name in used if name.startswith("analyzer.cli")], path
        for imported in used & MODULES:
            if imported.startswith("reports.") and dotted(path) != imported:
                assert rank(imported) < rank(dotted(path)), f"{path} imports {imported}"


def outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        is_for_types = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(
            child.test
        )
        if isinstance(child, ast.FunctionDef) or is_for_types:
            continue
        yield child
        yield from outside_functions(child)


def uses_of_reports(path: Path) -> Iterator[tuple[str, str]]:
    """Functions that import reports, and what they import; '' is the module itself."""
    tree = parsed(path)
    inside: dict[ast.AST, str] = {}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                inside.setdefault(node, function.name)
    for node in ast.walk(tree):
        module = (
            getattr(node, "module", None) if isinstance(node, ast.ImportFrom) else None
        )
        if module and module.split(".")[0] == "reports":
            yield inside.get(node, ""), module


def test_only_commands_and_notebook_views_use_reports() -> None:
    for path in modules("analyzer"):
        if dotted(path) == "analyzer":
            continue  # the public names: `write_report` is one of reports
        if dotted(path).startswith("analyzer.cli."):
            outer = {
                getattr(n, "module", "") or ""
                for n in outside_functions(parsed(path))
                if isinstance(n, ast.ImportFrom)
            }
            assert not [name for name in outer if name.startswith("reports")], path
            continue
        for function, module in uses_of_reports(path):
            is_view = function.startswith("_repr_") or function == "plot"
            assert is_view, f"{path}: {function} imports {module}"


@pytest.mark.parametrize("package", ["grammars", "patterns"])
def test_data_packages_know_nothing_of_the_analyzer(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    for path in files:
        used = {module.split(".")[0] for module in imports(path)}
        assert not used & {"analyzer", "reports"}


def test_no_test_imports_another() -> None:
    imported = re.compile(r"^\s*(?:from|import) [\w.]*\b(test_\w+)", re.MULTILINE)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        found = set(imported.findall(path.read_text("utf-8")))
        assert found <= {path.stem}, path
