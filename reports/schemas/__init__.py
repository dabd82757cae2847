"""What the JSON of each command contains: a JSON Schema each, as files.

They are written by `python -m tests.support.schemas`, from what commands print and from
the units of their tables' columns; a field that is added keeps the version, one that
goes or changes its meaning raises it.
"""

from __future__ import annotations

from importlib import resources

VERSION = 1


def schema_name(command: str) -> str:
    """What the output of a command calls its schema.

    >>> schema_name("rst score")
    'spinal/rst-score/1'
    """
    return f"spinal/{command.replace(' ', '-')}/{VERSION}"


def schema_text(command: str) -> str:
    """The schema of a command's JSON; FileNotFoundError if it prints none."""
    name = f"{command.replace(' ', '-')}.json"
    return resources.files(__name__).joinpath(name).read_text("utf-8")


def described_commands() -> list[str]:
    """The commands that have a schema."""
    files = [file.name for file in resources.files(__name__).iterdir()]
    names = [name.removesuffix(".json") for name in files if name.endswith(".json")]
    return sorted(name.replace("-", " ") for name in names)
