"""Tell the packages that spinal consists of from others of the same name.

spinal is installed as five packages, and two of their names, `analyzer` and `reports`,
are names that people give to their own folders too. Python takes the first that it
finds, often that in the current folder.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

PACKAGES = ("analyzer", "grammars", "patterns", "reports")
_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def find_own_packages() -> None:
    """Have our packages found; ImportError if others of these names are in the way.

    The command is a program of its own, so it puts its packages first. An import is
    part of somebody else's program, in which these names may mean something else.
    """
    if _is_the_command():
        sys.path.insert(0, _HOME)
    for name in PACKAGES:
        if (place := _foreign(name)) is not None:
            raise ImportError(
                f"spinal needs its own package '{name}' "
                f"({os.path.join(_HOME, name)}), but Python finds another one first: "
                f"{place}. Rename that one, or start Python in another folder.",
                name=name,
                path=place,
            )


def _foreign(name: str) -> str | None:
    """Where the package of this name is, if it is not ours."""
    loaded = sys.modules.get(name)
    spec = find_spec(name) if loaded is None else loaded.__spec__
    if spec is None:  # an import will say that it is missing
        return None
    place = next(iter(spec.submodule_search_locations or ()), spec.origin or name)
    is_own = os.path.realpath(place) == os.path.realpath(os.path.join(_HOME, name))
    return None if is_own else os.path.abspath(place)


def _is_the_command() -> bool:
    """Whether this process was started as `spinal` or `python -m spinal`."""
    if sys.argv[0] == "-m":  # as it is while Python looks for what it is to run
        return "spinal" in sys.orig_argv
    program = os.path.basename(sys.argv[0])
    return program.removesuffix(".exe") == "spinal"
