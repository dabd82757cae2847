"""Is the spinal that is installed here right, and is its kernel compiled?

    python .ci/wheel_check.py [--pure]

It runs the README's first example and compares what is printed with the README. It is
what cibuildwheel runs for each wheel, on each platform, and `make release-check` here;
`--pure` is for the wheel of pure Python.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_EXAMPLE = re.compile(r"```console\n\$ spinal (?P<command>.+)\n(?P<output>[^`]+?)\n…")


def main() -> None:
    sys.path = [path for path in sys.path if Path(path or ".").resolve() != ROOT]
    from analyzer import __file__ as place
    from analyzer._native import has_kernel

    if ROOT in Path(place).parents:
        sys.exit(f"{place} is the checkout, not what was installed")
    if has_kernel() == ("--pure" in sys.argv):
        sys.exit(f"the kernel is {'' if has_kernel() else 'not '}compiled")
    readme = (ROOT / "README.md").read_text("utf-8")
    example = _EXAMPLE.search(readme)
    if example is None:
        sys.exit("README.md begins with no example")
    # Isolated (-I): what is imported is what was installed, not the folder we are in.
    ran = subprocess.run(
        [sys.executable, "-I", "-m", "spinal", *example["command"].split()],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    if ran.returncode or not ran.stdout.startswith(example["output"]):
        sys.exit(f"other output than in README.md:\n{ran.stdout}{ran.stderr}")
    print(f"{Path(place).parent}: the README's example is right")


if __name__ == "__main__":
    main()
