"""Every format, damaged in every way that its reader meets.

What is decoded and decompressed before any reader sees it goes wrong in one place for
all formats: of these damages each format has every third, by turns.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable, Iterator
from functools import partial

from tests.support.hostile.files import (
    BAD,
    ESCAPE,
    MEGABYTE,
    NOT_TEXT,
    NOT_UTF_8,
    OK,
    Hostile,
    Make,
    blanks_in_gz,
)
from tests.support.hostile.good_files import FORMATS

Damage = Callable[[bytes], bytes]


def _cut(percent: int) -> Damage:
    return lambda good: good[: len(good) * percent // 100]


def _with(piece: bytes) -> Damage:
    """A piece in the middle."""
    return lambda good: good[: len(good) // 2] + piece + good[len(good) // 2 :]


def _then(piece: Make) -> Damage:
    return lambda good: good + piece()


def _recoded(encoding: str) -> Damage:
    return lambda good: good.decode().encode(encoding)


def _line_ends(end: str) -> Damage:
    return lambda good: good.replace(b"\n", end.encode())


def _mixed_line_ends(good: bytes) -> bytes:
    ends = ("\n", "\r\n", "\r\n")
    lines = good.decode().splitlines()
    return "".join(f"{line}{ends[n % 3]}" for n, line in enumerate(lines)).encode()


def _gz_with_a_wrong_byte(good: bytes) -> bytes:
    data = bytearray(gzip.compress(good, mtime=0))
    data[len(data) // 2] ^= 0xFF
    return bytes(data)


def _zipped(good: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(zipfile.ZipInfo("inside"), good)
    return packed.getvalue()


def _gz_bomb(good: bytes) -> bytes:
    """A good start, then 24 MB of blanks."""
    return gzip.compress(good, mtime=0) + blanks_in_gz(24)


DAMAGES: dict[str, tuple[Damage, int, str]] = {
    "empty": (lambda good: b"", BAD, ""),
    "blank": (lambda good: b" \n\t\r\n ", BAD, ""),
    "cut to a tenth": (_cut(10), BAD, ""),
    "cut to a half": (_cut(50), BAD, ""),
    "cut to nine tenths": (_cut(90), BAD, ""),
    "NUL at the start": (lambda good: b"\0" + good, BAD, NOT_TEXT),
    "NUL in the middle": (_with(b"\0"), BAD, NOT_TEXT),
    "Latin-1": (_with(b"\xe9"), BAD, NOT_UTF_8),
    "half a surrogate pair": (_with(b"\xed\xa0\x80"), BAD, NOT_UTF_8),
    "overlong UTF-8": (_with(b"\xc0\xaf"), BAD, NOT_UTF_8),
    "UTF-16": (_recoded("utf-16"), OK, ""),
    "UTF-16 without a mark": (_recoded("utf-16-le"), BAD, NOT_TEXT),
    "UTF-32": (_recoded("utf-32"), OK, ""),
    "a byte order mark": (lambda good: b"\xef\xbb\xbf" + good, OK, ""),
    "two byte order marks": (lambda good: b"\xef\xbb\xbf" * 2 + good, BAD, ""),
    "CRLF": (_line_ends("\r\n"), OK, ""),
    "mixed line ends": (_mixed_line_ends, OK, ""),
    "CR": (_line_ends("\r"), OK, ""),
    "vertical tabs": (_line_ends("\x0b"), BAD, ""),
    "line separators": (_line_ends("\u2028"), BAD, ""),
    "escape sequences": (_with(ESCAPE.encode()), BAD, ""),
    "a long line": (_then(lambda: b"x" * (9 * MEGABYTE // 8)), BAD, ""),
    "many blanks": (_then(lambda: b" " * (9 * MEGABYTE // 8)), OK, ""),
    "many blank lines": (_then(lambda: b"\n" * 30_000), OK, ""),
    "many digits": (lambda good: b"7" * (9 * MEGABYTE // 8), BAD, ""),
    "brackets that open": (lambda good: b"(" * 30_000, BAD, ""),
    "brackets that close": (lambda good: b")" * 30_000, BAD, ""),
    "all bytes": (lambda good: bytes(range(256)) * 20, BAD, NOT_TEXT),
    "zip": (_zipped, BAD, NOT_TEXT),
    "gz bomb": (_gz_bomb, BAD, "expands to more than"),
    "gz cut": (lambda g: gzip.compress(g, mtime=0)[:-9], BAD, "damaged compressed"),
    "gz with a wrong byte": (_gz_with_a_wrong_byte, BAD, "damaged compressed"),
    "bz2 cut": (lambda good: bz2.compress(good)[:-9], BAD, "damaged compressed"),
    "xz cut": (lambda good: lzma.compress(good)[:-9], BAD, "damaged compressed"),
}
# Met where files are opened, whatever is in them.
_WHEN_OPENED = frozenset(
    (
        *("NUL at the start", "NUL in the middle", "all bytes", "Latin-1"),
        *("half a surrogate pair", "overlong UTF-8", "a byte order mark"),
        *("UTF-16", "UTF-16 without a mark", "UTF-32", "zip", "gz bomb"),
        *("gz cut", "gz with a wrong byte", "bz2 cut", "xz cut"),
    )
)
_EVERY = 3
# Formats that make no difference between line ends and other white space; and those
# whose lines Python's `splitlines` divides.
_LINES_DO_NOT_MATTER = ("dis", "brackets", "gcrf", "python", "spans")
_SPLIT_LINES = ("prm", "relmap", "inventory", "labels")
_TABLES = ("groups", "scores", "seg.scr", "rankings", "human")
_SETTINGS = ("prm", "pat", "relmap", "inventory", "labels")
_FINDINGS = 1
EXPECTED: dict[tuple[str, str], tuple[int, str]] = {
    # What is left is well formed.
    **{(name, "cut to a half"): (OK, "") for name in ("lines", "indented", "free")},
    **{(name, "vertical tabs"): (OK, "") for name in ("lines", "indented", "free")},
    **{
        (name, kind): (OK, "")
        for name in (*_LINES_DO_NOT_MATTER, *_SPLIT_LINES)
        for kind in ("vertical tabs", "line separators")
    },
    **{
        (name, f"cut to {share}"): (OK, "")
        for name in ("table", "triples", "decisions")
        for share in ("a half", "nine tenths")
    },
    ("segments", "cut to a half"): (OK, ""),
    # The XML parser decodes.
    **{
        ("tiger", kind): (BAD, "broken XML")
        for kind in ("Latin-1", "half a surrogate pair", "overlong UTF-8")
    },
    ("human", "cut to nine tenths"): (OK, ""),
    # Parts of words and names, or of what is skipped.
    **{
        (name, "escape sequences"): (OK, "")
        for name in (
            "rsd",
            "conllu",
            "triples",
            "brackets",
            "python",
            "human",
            "relmap",
        )
    },
    **{
        (name, "two byte order marks"): (OK, "")
        for name in (
            *("tiger", "rs3", "rs4", "json"),
            *("inventory", "groups", "rankings", "segments"),
        )
    },
    # evalb passes over lines that it does not know, and so do we, with a warning.
    **{("prm", kind): (OK, "") for kind in ("empty", "blank", "cut to a tenth")},
    **{
        ("prm", f"cut to {n}"): (OK, "without a value")
        for n in ("a half", "nine tenths")
    },
    **{
        ("prm", kind): (OK, "line passed over")
        for kind in (
            *("two byte order marks", "escape sequences"),
            *("brackets that open", "brackets that close"),
        )
    },
    **{
        ("relmap", kind): (OK, "")
        for kind in (
            *("empty", "blank", "cut to a tenth", "cut to a half"),
            "cut to nine tenths",
        )
    },
    # Fewer labels are known, so there are findings; where hardly any are, the treebank
    # is another's.
    **{
        (name, kind): (code, "")
        for name, code in (("inventory", _FINDINGS), ("labels", OK))
        for kind in ("empty", "blank", "cut to a tenth", "cut to a half")
    },
    ("labels", "cut to nine tenths"): (_FINDINGS, ""),
    ("labels", "escape sequences"): (OK, ""),
    ("inventory", "brackets that open"): (_FINDINGS, ""),
    ("inventory", "brackets that close"): (_FINDINGS, ""),
    # Nothing is known, as after a treebank without findings.
    **{("baseline", kind): (OK, "") for kind in ("empty", "blank")},
    ("baseline", "many blanks"): (BAD, "a line of more than 1 MB"),
    # Too large before it is out of proportion.
    **{
        (name, kind): (BAD, "is larger than 1 MB")
        for name in _SETTINGS
        for kind in ("many blanks", "gz bomb", "a long line", "many digits")
    },
    **{
        (name, kind): (BAD, "a line of more than 1 MB")
        for name in _TABLES
        for kind in ("many blanks", "gz bomb", "a long line", "many digits")
    },
}
# Messages about scores of several files, or about what a file lacks.
NAMES_NO_FILE = {
    ("groups", "cut to a half"),
    ("groups", "cut to nine tenths"),
    ("scores", "cut to a half"),
    ("scores", "cut to nine tenths"),
    ("scores", "escape sequences"),
    ("seg.scr", "cut to a tenth"),
    ("seg.scr", "cut to a half"),
    ("seg.scr", "two byte order marks"),
    ("seg.scr", "escape sequences"),
}


def damaged() -> Iterator[Hostile]:
    for place, (name, given) in enumerate(FORMATS.items()):
        for number, (kind, (damage, code, says)) in enumerate(DAMAGES.items()):
            if kind in _WHEN_OPENED and (number + place) % _EVERY:
                continue
            code, says = EXPECTED.get((name, kind), (code, says))
            command = given.commands[number % len(given.commands)]
            yield Hostile(
                f"{name}: {kind}",
                given.file,
                partial(damage, given.good.encode()),
                (command,),
                code,
                says,
                (name, kind) not in NAMES_NO_FILE,
                expands=kind == "gz bomb",
            )
