"""The Pythons from 3.11 up on this machine: the path of one for each version.

    python .ci/pythons.py            python3.11, python3.12 … on the PATH, and pyenv's
    python .ci/pythons.py --newest   that of the newest, if it is newer than this one

An interpreter counts if it runs and can make virtual environments.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OLDEST = 11  # 3.11, as pyproject.toml has it
ASKED = "import sys, venv, ensurepip; print(*sys.version_info[:2], sep='.')"


def candidates() -> Iterator[str]:
    """Where there may be an interpreter; the one that runs this comes first."""
    yield sys.executable
    for minor in range(OLDEST, OLDEST + 20):
        yield shutil.which(f"python3.{minor}") or ""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(root.glob("versions/3.*/bin/python")))


def version_of(path: str) -> tuple[int, ...] | None:
    """3.12 as (3, 12); None if there is no interpreter that we could use."""
    try:
        ran = subprocess.run([path, "-c", ASKED], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return tuple(map(int, ran.stdout.decode().split(".")))


def main() -> None:
    paths: dict[tuple[int, ...], str] = {}
    for path in filter(None, candidates()):
        version = version_of(path)
        if version is not None and version >= (3, OLDEST):
            paths.setdefault(version, path)
    versions = sorted(paths)
    if "--newest" in sys.argv:
        versions = [v for v in versions[-1:] if v > sys.version_info[:2]]
    print(*(paths[version] for version in versions), sep="\n")


if __name__ == "__main__":
    main()
