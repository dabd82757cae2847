"""What a hostile file is, and what is common to many of them."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from analyzer.limits import Limits

MEGABYTE = 1 << 20
DEEP = 20_000  # fewer nodes than are allowed
TOO_MANY = Limits().tree_nodes + 1
LONG_NUMBER = "9" * 5000
ESCAPE = "\x1b[2J\x1b]0;owned\x07"

Make = Callable[[], bytes]


class Hostile(NamedTuple):
    """A file, the commands that are to read it, and what they are to say."""

    name: str
    file: str
    make: Make
    commands: tuple[str, ...]  # {file} is the file, {good} a folder of good ones
    code: int
    says: str = ""
    is_named: bool = True  # whether a complaint names the file
    expands: bool = False  # compressed, and large when it is not


class Format(NamedTuple):
    file: str
    good: str
    commands: tuple[str, ...]


SENTENCE = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))"

TREE_COMMANDS = (
    "show {file} --style line",
    "evalb {file} {file}",
    "score {file} {file}",
)
RST_COMMANDS = (
    "rst show {file} --style line",
    "rst score {file} {file}",
    "rst convert {file} --to json",
)


@cache
def blanks_in_gz(megabytes: int) -> bytes:
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream:
        for _ in range(megabytes):
            stream.write(b" " * MEGABYTE)
    return packed.getvalue()


OK, BAD = 0, 2
NOT_TEXT, NOT_UTF_8 = "is not text", "is not UTF-8"


def lines_of(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def discourse_file(
    file: str, name: str, make: Make, code: int = BAD, says: str = ""
) -> Hostile:
    kind = file.rpartition(".")[2]
    return Hostile(f"{kind}: {name}", file, make, RST_COMMANDS, code, says)


REFUSED = "document types and entities are not read"
ENTITY_BOMB = "\n".join(
    [
        '<!DOCTYPE rst [<!ENTITY a0 "ha">',
        *(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9)),
        "]>",
    ]
)
