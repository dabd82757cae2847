"""What a user of spinal and its extras gets installed, as a requirements file.

    python .ci/requirements.py            as pyproject.toml has it
    python .ci/requirements.py --oldest   the oldest versions that it allows

The oldest versions are the lower bounds themselves, so a bound must name a version
that exists: `lark>=1.2.1`, not `lark>=1.2`. Extras for developers are left out, but
must have lower bounds too.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
FOR_DEVELOPERS = {"test", "dev", "docs", "benchmarks"}
# name and extras of a distribution, its lower bound; then perhaps upper bounds
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+(\[[\w,]+\])?)>=(?P<oldest>[\w.]+)(,.*)?")


def oldest(requirement: str) -> str:
    """The oldest version that is allowed: `lark>=1.2.1,<2` gives `lark==1.2.1`."""
    found = REQUIREMENT.fullmatch(requirement.replace(" ", ""))
    if found is None:
        sys.exit(f"{PROJECT.name}: no lower bound in {requirement!r}")
    return f"{found['name']}=={found['oldest']}"


def main(arguments: list[str]) -> None:
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    lines = set()
    for group, requirements in groups.items():
        for requirement in requirements:
            if requirement.startswith(f"{project['name']}["):
                continue  # extras of our own, which have their turn
            pinned = oldest(requirement)
            if group not in FOR_DEVELOPERS:
                lines.add(pinned if "--oldest" in arguments else requirement)
    print(*sorted(lines), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
