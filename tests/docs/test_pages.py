"""What the documentation shows is run: every command, every block of Python.

Each page runs from top to bottom in a folder of its own, which has `examples/` and the
stand-ins for the readers' files that `stand_ins.toml` lists (`gold.mrg` is a sample).
Output that is shown must be what the command prints. See `tests/support/doc_blocks.py`
for the kinds of blocks. UPDATE_GOLDEN=1 writes the present output into the pages.
"""

from __future__ import annotations

import contextlib
import doctest
import gzip
import os
import re
import shutil
import sys
import tomllib
import warnings
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest

from analyzer.checks import inventory, run  # noqa: F401 -- they declare their checks
from analyzer.checks.registry import CHECKS
from analyzer.exceptions import InputWarning
from tests.support import doc_shell
from tests.support.data_paths import EXAMPLES, ROOT
from tests.support.doc_blocks import (
    Block,
    all_pages,
    blocks,
    page_name,
)

STAND_INS = tomllib.loads((Path(__file__).parent / "stand_ins.toml").read_text("utf-8"))
# Pages that take more than half a second.
SLOW = frozenset(STAND_INS["slow"])
# Libraries that are too large to be installed for a test; the pages say so.
TOO_LARGE = {
    # SciPy asks for Tensor.
    "torch": {"no_grad": contextlib.nullcontext, "Tensor": type("Tensor", (), {})},
    "transformers": {"Trainer": dict},
    "torchmetrics": {"Metric": object},
    "wandb": {},
}
PAGES = [
    pytest.param(page, id=name, marks=[pytest.mark.slow] if name in SLOW else [])
    for page in all_pages()
    for name in [page_name(page)]
    if page.name != "gallery.md"  # which test_gallery.py runs
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A reader's folder: the samples, and wide enough a terminal."""
    (tmp_path / "examples").symlink_to(EXAMPLES)
    (tmp_path / "patterns").symlink_to(ROOT / "patterns")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name, members in TOO_LARGE.items():
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    with patch.dict(CHECKS):  # what a page declares is gone after it
        yield tmp_path


def put_stand_ins(folder: Path, name: str) -> None:
    given = {**STAND_INS["everywhere"], **STAND_INS.get(name, {})}
    setup = given.pop("setup", [])
    for place, source in given.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if "\n" in source:
            target.write_text(source.lstrip("\n"), "utf-8")
        elif place.endswith(".gz"):
            target.write_bytes(gzip.compress((ROOT / source).read_bytes()))
        elif (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, target)
        else:
            shutil.copyfile(ROOT / source, target)
    for command in setup:
        printed(command, "stand_ins.toml")


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_is_true(page: Path, folder: Path) -> None:
    text = page.read_text("utf-8")
    put_stand_ins(folder, page_name(page))
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = text
    for block in blocks(text):
        if block.not_run:
            continue
        where = f"{page_name(page)}:{block.first_line}"
        if block.language == "console":
            shown = shown.replace(block.text, refreshed(block, where), 1)
        elif block.language == "sh":
            for command in doc_shell.commands(block.lines):
                printed(command, where)
        elif block.language == "python":
            run_python(block, names, where)
    if os.environ.get("UPDATE_GOLDEN"):
        page.write_text(shown, "utf-8")
    assert shown == page.read_text("utf-8")
    for name in re.findall(r"\]\((?:\.\./)?pictures/([\w.]+\.svg)\)", text):
        if (folder / name).exists():  # by Python, on this page
            compare_picture(folder / name)


def compare_picture(made: Path) -> None:
    """A picture that a page makes says what the one that it shows does."""
    kept = ROOT / "docs" / "pictures" / made.name
    if os.environ.get("UPDATE_GOLDEN"):
        kept.write_bytes(made.read_bytes())
    said = [re.findall(">([^<>]+)</text>", one.read_text()) for one in (kept, made)]
    assert said[0] == said[1]
    assert said[0]


def printed(command: str, where: str) -> str:
    ran = doc_shell.run(command)
    if ran is None:
        return ""
    assert ran.code in (0, 1), f"{where}: {command}\nends with {ran.code}\n{ran.err}"
    return ran.out


def refreshed(block: Block, where: str) -> str:
    """The block with what its commands print now; `…` stays where it stands."""
    lines: list[str] = []
    for command, shown in sessions(block):
        output = printed(command, where).splitlines()
        lines += [f"$ {command}", *elided(output, shown)]
    return "".join(f"{line}\n" for line in lines)


def sessions(block: Block) -> list[tuple[str, list[str]]]:
    """Commands, each with the lines that are shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def elided(output: list[str], shown: list[str]) -> list[str]:
    """The lines of the output that take the place of those shown.

    Between two `…`, the lines that follow the first of those shown.
    """
    parts = [list(part) for is_gap, part in groupby(shown, "…".__eq__) if not is_gap]
    if "…" not in shown:
        return output
    first, last = shown[0] != "…", shown[-1] != "…"
    lines: list[str] = []
    for number, part in enumerate(parts):
        if first and number == 0:
            start = 0
        elif last and number == len(parts) - 1:
            start = len(output) - len(part)
        else:
            assert part[0] in output, f"not printed: {part[0]}"
            start = output.index(part[0])
        lines += [*(["…"] if start else []), *output[start : start + len(part)]]
    return lines if last else [*lines, "…"]


def run_python(block: Block, names: dict[str, Any], where: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        if not block.text.startswith(">>> "):
            exec(compile(block.text, where, "exec"), names)
            return
        test = doctest.DocTestParser().get_doctest(block.text, names, where, where, 0)
        runner = doctest.DocTestRunner(verbose=False)
        found: list[str] = []
        runner.run(test, out=found.append, clear_globs=False)
        names.update(test.globs)
        assert runner.failures == 0, "".join(found)
