"""Run the steps of action.yml here, as a code host would, except for `uses:`.

    python .ci/action.py treebank=examples/web.gold.mrg check-options='--level error'

`--installed` leaves out the step that installs spinal. The summary is printed at the
end; the exit code is that of the first step that fails.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ACTION = Path(__file__).parents[1] / "action.yml"
_EXPRESSION = re.compile(r"\$\{\{ *inputs\.([\w-]+) *\}\}")
_CONDITION = re.compile(r"inputs\.([\w-]+) != ''(?: && !cancelled\(\))?")


def run_steps(
    action: dict[str, Any], given: dict[str, str], *, install: bool = True
) -> tuple[int, str]:
    """The exit code, and the summary in Markdown."""
    unknown = given.keys() - action["inputs"].keys()
    if unknown:
        raise SystemExit(f"action.yml has no input {', '.join(sorted(unknown))}")
    inputs = {name: row["default"] for name, row in action["inputs"].items()} | given

    def filled(text: str) -> str:
        return _EXPRESSION.sub(lambda found: inputs[found[1]], text)

    code = 0
    with tempfile.TemporaryDirectory() as folder:
        summary, outputs = Path(folder, "summary.md"), Path(folder, "outputs")
        host = {
            "GITHUB_ACTION_PATH": str(ACTION.parent),
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_OUTPUT": str(outputs),
        }
        for step in action["runs"]["steps"]:
            if "uses" in step or (step["name"] == "Install spinal" and not install):
                continue
            if condition := step.get("if"):
                asked = _CONDITION.fullmatch(condition)
                if asked is None:
                    raise SystemExit(f"{ACTION.name}: cannot decide: {condition}")
                if not inputs[asked[1]]:
                    continue
            settings = {key: filled(text) for key, text in step.get("env", {}).items()}
            # As GitHub runs `shell: bash`.
            bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]
            script = Path(folder, "step.sh")
            script.write_text(filled(step["run"]))
            ran = subprocess.run([*bash, str(script)], env=os.environ | host | settings)
            code = code or ran.returncode
        return code, summary.read_text() if summary.exists() else ""


def main() -> int:
    import yaml

    arguments = sys.argv[1:]
    given = dict(text.split("=", 1) for text in arguments if "=" in text)
    action = yaml.safe_load(ACTION.read_text())
    code, summary = run_steps(action, given, install="--installed" not in arguments)
    print(summary)
    return code


if __name__ == "__main__":
    sys.exit(main())
