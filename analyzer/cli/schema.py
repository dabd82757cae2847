"""spinal schema: what the JSON of a command contains."""

from __future__ import annotations

from argparse import Namespace

from analyzer.cli.declarations import Option, command
from analyzer.cli.output import OK
from analyzer.cli.streams import put
from analyzer.exceptions import SettingsError


@command(
    Option("COMMAND  such as score or rst score; nothing: list them", nargs="*"),
)
def run_schema(args: Namespace) -> int:
    """Print the JSON Schema of a command's output (--format json).

    examples:
      spinal schema
      spinal schema score > score.schema.json
      spinal schema rst score
    """
    from reports.schemas import described_commands, schema_text

    known = described_commands()
    name = " ".join(args.command)
    if not name:
        put("\n".join(known))
    elif name in known:
        put(schema_text(name).rstrip("\n"))
    else:
        raise SettingsError("E648 no command", name=name, known=known)
    return OK
