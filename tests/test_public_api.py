"""What `import analyzer` offers: to people, and to type checkers."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import analyzer
from tests.support.data_paths import ROOT


def test_the_stub_is_the_list_of_public_names() -> None:
    """Each of its imports, however it is broken into lines, and nothing else."""
    stub = ast.parse((ROOT / "analyzer" / "__init__.pyi").read_text("utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    names = {name.name: node.module for node in imports for name in node.names}
    assert names == analyzer._PUBLIC


@pytest.mark.parametrize("name", analyzer._PUBLIC)
def test_each_name_is_there_and_says_what_it_is(name: str) -> None:
    value = getattr(analyzer, name)
    assert value.__module__ == analyzer._PUBLIC[name]
    assert value.__doc__
    assert name in dir(analyzer)


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        analyzer.scores  # type: ignore[attr-defined]  # noqa: B018


INPUTS = """
import nltk
from collections.abc import Iterator
from pathlib import Path
import spinal

def strings() -> Iterator[str]:
    yield "(S (NN a))"

def trees() -> Iterator[nltk.Tree]:
    yield nltk.Tree("S", [])

spinal.score(strings(), map(str, [1]))
spinal.score(list(trees()), trees())
spinal.score(Path("a"), open("b"))
spinal.evalb(["(S (NN a))", None], list(spinal.read_trees(trees())))
metric = spinal.ConstructionMetric()
metric.update("(S (NN a))", nltk.Tree("S", []))
metric.update(strings(), trees())
"""


@pytest.mark.slow
def test_type_checkers_take_trees_as_people_have_them(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(INPUTS)
    ran = _checked(program)
    assert ran.startswith("Success"), ran


@pytest.mark.slow
def test_no_name_is_any_to_a_type_checker(tmp_path: Path) -> None:
    """Nor what the functions give back."""
    names = list(analyzer._PUBLIC)
    asked = tmp_path / "asked.py"
    lines = [f"reveal_type(spinal.{name})" for name in names]
    asked.write_text("\n".join(["import spinal", *lines]) + "\n")
    ran = _checked(asked)
    told = re.findall(r'Revealed type is "(.*)"', ran)
    assert len(told) == len(names), ran
    for name, kind in zip(names, told, strict=True):
        assert kind != "Any", name
        assert not kind.endswith("-> Any"), name


def _checked(program: Path) -> str:
    """What mypy says of a program."""
    cache = str(ROOT / ".mypy_cache")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache]
    ran = subprocess.run(
        [*command, "--config-file", str(ROOT / "pyproject.toml"), str(program)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return ran.stdout
