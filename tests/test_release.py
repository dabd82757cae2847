"""Files that other tools look for: hooks, the action, the citation, templates."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import spinal
from tests.support.data_paths import EXAMPLES, ROOT

yaml = pytest.importorskip("yaml", reason="NOT RUN: PyYAML is not installed")


def loaded(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


@pytest.fixture
def action_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("action", ROOT / ".ci" / "action.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize(
    ("least", "code", "message"),
    [("f_s=80", 0, None), ("PP-t:att=85", 1, "att of PP-t is 84.31")],
)
def test_the_steps_of_the_action_run(
    action_script: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    least: str,
    code: int,
    message: str | None,
) -> None:
    monkeypatch.chdir(tmp_path)
    programs = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    inputs = {
        "treebank": str(EXAMPLES / "web.gold.mrg"),
        "check-options": "--level error",
        "gold": str(EXAMPLES / "web.gold.mrg"),
        "parsed": str(EXAMPLES / "web.chart.mrg"),
        "score-options": f"--top 3 --fail-under {least}",
    }
    ended, summary = action_script.run_steps(
        loaded("action.yml"), inputs, install=False
    )
    assert ended == code
    assert "## Treebank" in summary
    assert "| NP-t | 27.5 |" in summary
    assert (message or "") in summary
    assert "2.1.0" in (tmp_path / "spinal.sarif").read_text()


def test_nothing_that_is_given_to_the_action_is_run_as_a_command() -> None:
    for step in loaded("action.yml")["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_the_hooks_are_commands_of_ours() -> None:
    from analyzer.cli.main import COMMANDS

    for hook in loaded(".pre-commit-hooks.yaml"):
        program, command, *_ = hook["entry"].split()
        assert program == "spinal"
        assert command in COMMANDS
        assert hook["language"] == "python"
        assert hook["pass_filenames"] is False


def test_the_citation_names_this_version() -> None:
    assert loaded("CITATION.cff")["version"] == spinal.__version__


@pytest.mark.parametrize(
    "form", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"))
)
def test_issue_forms_are_complete(form: Path) -> None:
    """What GitHub requires of a form."""
    data = yaml.safe_load(form.read_text("utf-8"))
    assert {"name", "description", "body"} <= data.keys()
    for field in data["body"]:
        assert field["type"] in {"textarea", "input", "dropdown", "markdown"}
        assert re.fullmatch(r"[\w-]+", field["id"])
        assert field["attributes"]["label"]
