"""What the arguments of any command name: files that are read, and written."""

from __future__ import annotations

import argparse
import os


def read_and_written(args: argparse.Namespace) -> tuple[list[str], list[str]]:
    """All files and folders that arguments may name, and those that are outputs.

    What is read may stand in a longer argument: NAME=GOLD:PARSED, FILE.tsv:COLUMN.
    """
    outputs = getattr(args, "outputs", ())
    written = [getattr(args, name) for name in outputs if getattr(args, name)]
    read = []
    for name, value in vars(args).items():
        values = value if isinstance(value, list) else [value]
        for text in values if name not in outputs else ():
            if isinstance(text, str):
                read += _paths_in(text)
    return read, written


def _paths_in(text: str) -> list[str]:
    import glob

    parts = {text, text.partition("=")[2]}
    parts |= {file for part in parts for file in part.split(":")}
    found = [part for part in parts if part and os.path.exists(part)]
    for part in parts:
        if glob.has_magic(part):
            found += glob.glob(part, recursive=True)
    return found
