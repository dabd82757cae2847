"""The pages' scripts under a linter: each as a browser gets it, in one scope."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reports.page.html import page_script, template

CONFIGURATION = {
    "env": {"browser": True, "es2024": True},
    "categories": {"correctness": "error", "suspicious": "error"},
    "rules": {
        **dict.fromkeys(
            ["no-undef", "no-unused-vars", "eqeqeq", "prefer-const", "no-var"], "error"
        ),
        # The parts of the script are in one scope, where short names are used again.
        "no-shadow": "off",
        "unicorn/consistent-function-scoping": "off",
        "unicorn/no-array-reverse": "off",  # the other needs browsers of 2023
        "unicorn/no-array-sort": "off",
    },
}
OXLINT = shutil.which("oxlint", path=str(Path(sys.executable).parent))


def complaints(script: str, folder: Path) -> str:
    """What the linter says of a script; nothing if it is clean."""
    if OXLINT is None:
        pytest.skip("NOT RUN: oxlint is not installed (pip install -e '.[dev]')")
    (folder / "oxlint.json").write_text(json.dumps(CONFIGURATION), "utf-8")
    (folder / "script.js").write_text(script, "utf-8")
    command = [OXLINT, "-c", "oxlint.json", "--format", "unix", "script.js"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return ran.stdout if ran.returncode else ""


@pytest.mark.parametrize("name", ["page", "review", "copy"])
def test_scripts_are_clean(name: str, tmp_path: Path) -> None:
    scripts = {
        "page": page_script(),
        "review": template("review.js"),
        "copy": template("js/copy.js") + "setUpCopying();\n",
    }
    script = scripts[name]
    assert complaints(script, tmp_path) == ""


@pytest.mark.parametrize(
    ("slip", "named"),
    [
        ("console.log(unknownName);", "no-undef"),
        ("const never = 1;", "no-unused-vars"),
        ("if (location.hash == '') history.back();", "eqeqeq"),
    ],
)
def test_a_slip_is_found(slip: str, named: str, tmp_path: Path) -> None:
    script = page_script().replace("(() => {\n", f"(() => {{\n{slip}\n", 1)
    assert named in complaints(script, tmp_path)
