"""Files that nobody should have written: every input format, damaged in every way.

The same each time: nothing here is random. A file is made only when it is asked for,
as some are large. What is expected of a file holds for all commands that read it.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import NamedTuple

from analyzer.limits import Limits

MEGABYTE = 1 << 20
DEEP = 50_000  # fewer nodes than are allowed
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


class Format(NamedTuple):
    file: str
    good: str
    commands: tuple[str, ...]


SENTENCE = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))"
SCORES = "".join(
    f"{system}\t{segment}\t{0.1 * segment + shift:.2f}\n"
    for system, shift in (("A", 0.0), ("B", 0.2))
    for segment in range(1, 5)
)
RANKINGS = "srclang,trglang,segmentId,system1Id,system2Id,system1rank,system2rank\n" + (
    "".join(f"fr,en,{n},A,B,{1 + n % 2},{2 - n % 2}\n" for n in range(1, 5))
)

_TREES = ("show {file} --style line", "evalb {file} {file}", "score {file} {file}")
_RST = (
    "rst show {file} --style line",
    "rst score {file} {file}",
    "rst convert {file} --to json",
)
_SCORED = "{good}/gold.mrg {good}/gold.mrg"

FORMATS = {
    "lines": Format("trees.mrg", f"{SENTENCE}\n" * 8, _TREES),
    "indented": Format(
        "trees.mrg",
        "( (S\n    (NP (DT the) (NN cat))\n    (VP (VBD sat))))\n" * 8,
        _TREES,
    ),
    "free": Format(
        "trees.mrg", "(S (NP\n(DT the) (NN cat))\n(VP (VBD sat)))\n" * 8, _TREES
    ),
    "dis": Format(
        "doc.dis",
        "( Root (span 1 3)\n"
        "  ( Nucleus (span 1 2) (rel2par list)\n"
        "    ( Nucleus (leaf 1) (rel2par span) (text _!He left_!) )\n"
        "    ( Satellite (leaf 2) (rel2par reason) (text _!because it rained._!) ) )\n"
        "  ( Nucleus (leaf 3) (rel2par list) (text _!She stayed._!) ) )\n",
        _RST,
    ),
    "rs3": Format(
        "doc.rs3",
        '<rst>\n<header>\n<relations>\n<rel name="reason" type="rst"/>\n'
        '<rel name="list" type="multinuc"/>\n</relations>\n</header>\n<body>\n'
        '<segment id="1" parent="4" relname="span">He left</segment>\n'
        '<segment id="2" parent="1" relname="reason">because it rained.</segment>\n'
        '<segment id="3" parent="5" relname="list">She stayed.</segment>\n'
        '<group id="4" type="span" parent="5" relname="list"/>\n'
        '<group id="5" type="multinuc"/>\n</body>\n</rst>\n',
        _RST,
    ),
    "rs4": Format(
        "doc.rs4",
        '<?xml version="1.0"?>\n<rst>\n<body>\n'
        '<segment id="1" parent="3" relname="span">He left</segment>\n'
        '<segment id="2" parent="1" relname="reason">because it rained.</segment>\n'
        '<group id="3" type="span"/>\n'
        '<signals><signal source="2" type="dm" tokens="3"/></signals>\n'
        '<secedge id="1-2" source="1" target="2" relname="list"/>\n'
        "</body>\n</rst>\n",
        _RST,
    ),
    "rsd": Format(
        "doc.rsd",
        "1\tHe left\t0\t_\t_\tsid=1\t0\tROOT\t_\t_\n"
        "2\tbecause it rained.\t0\t_\t_\tsid=1\t1\treason_r\t_\t_\n"
        "3\tShe stayed.\t1\t_\t_\tsid=2\t1\tlist_m\t_\t_\n",
        _RST,
    ),
    "conllu": Format(
        "doc.conllu",
        "# newdoc id = doc\n"
        "1\tHe left\t_\t_\t_\tNuclearity=N|Rank=1\t0\tROOT\t_\tSentence=1\n"
        "2\tbecause\t_\t_\t_\tNuclearity=S|Rank=1\t1\treason\t_\tSentence=1\n"
        "3\tShe stayed.\t_\t_\t_\tNuclearity=N|Rank=2\t1\tlist\t_\tSentence=2\n",
        _RST,
    ),
    "table": Format(
        "doc.tsv",
        "edu\thead\trelation\ttext\n1\t0\tROOT\tHe left\n2\t1\treason\tbecause\n"
        "3\t1\tlist\tShe stayed.\n",
        _RST,
    ),
    "triples": Format("doc.dep", "1 0 root\n2 1 reason\n3 1 list\n", _RST),
    "brackets": Format(
        "doc.brackets",
        "(Root (Nucleus:list (Nucleus:span _!He left!_) "
        "(Satellite:reason _!because it rained.!_)) (Nucleus:list _!She stayed.!_))\n",
        _RST,
    ),
    "gcrf": Format(
        "doc.tree",
        "(list[N][N] (reason[N][S] _!He left!_ _!because it rained.!_) "
        "_!She stayed.!_)\n",
        _RST,
    ),
    "python": Format(
        "doc.pred",
        "ParseTree('list[N][N]', [ParseTree('reason[N][S]', ['He left', 'because'])"
        ", 'She stayed.'])\n",
        _RST,
    ),
    "spans": Format(
        "doc.out",
        "((1, 2), 'Nucleus', 'list')\n((1, 1), 'Nucleus', 'span')\n"
        "((2, 2), 'Satellite', 'reason')\n((3, 3), 'Nucleus', 'list')\n",
        _RST,
    ),
    "decisions": Format("doc.txt", "1 2 NS reason\n1-2 3 NN list\n", _RST),
    "json": Format(
        "doc.json",
        '{"format": "rst", "version": 1,\n "edus": ["He left", "because it rained."],\n'
        ' "units": [\n'
        '  {"span": [1, 2], "nuclearity": "root", "relation": "---", "parent": null},\n'
        '  {"span": [1, 1], "nuclearity": "nucleus", "relation": "span",'
        ' "parent": 1},\n'
        '  {"span": [2, 2], "nuclearity": "satellite", "relation": "reason",'
        ' "parent": 1}]}\n',
        _RST,
    ),
    "prm": Format(
        "mine.prm",
        "# parameters\nLABELED 1\nCUTOFF_LEN 40\nDELETE_LABEL TOP\n"
        "DELETE_LABEL -NONE-\nDELETE_LABEL_FOR_LENGTH -NONE-\nEQ_LABEL ADVP PRT\n",
        (f"evalb {_SCORED} --params {{file}}", f"score {_SCORED} --params {{file}}"),
    ),
    "pat": Format(
        "mine.pat",
        "# patterns\nNP-t, S-t, VP-t: ^(TAG|NT|NML)*(head:TAG|NT)$\n"
        "PP-t: (head:TAG) NT\n    yes: PP -> IN NP\n    no: PP -> NP IN\n",
        (f"score {_SCORED} --patterns {{file}}", "patterns list --patterns {file}"),
    ),
    "relmap": Format(
        "mine.relmap",
        "# classes\nlist joint\nreason explanation\n",
        (
            "rst score {good}/doc.dis {good}/doc.dis --relations {file}",
            "rst convert {good}/doc.dis --to dis --relations {file}",
        ),
    ),
    "inventory": Format(
        "mine.txt",
        "# relations\nlist multi\nreason mono\n",
        ("check --rst {good}/doc.dis --labels {file}",),
    ),
    "labels": Format(
        "mine.labels",
        "# labels\nphrase S NP VP PP\ntag DT NN VBD IN\n",
        ("check {good}/gold.mrg --kind shape --labels {file}",),
    ),
    "groups": Format(
        "groups.tsv",
        "line\tgenre\n"
        + "".join(f"{n}\t{'news' if n % 2 else 'web'}\n" for n in range(1, 9)),
        ("domains all={good}/gold.mrg:{good}/gold.mrg --group-by {file}:genre",),
    ),
    "baseline": Format(
        "known.json",
        '{"version": 1,\n "findings": {\n'
        '  "0123456789abcdef": {"count": 1, "code": "S001",\n'
        '   "words": "the cat", "message": "odd"}}}\n',
        ("check {good}/gold.mrg --kind shape --baseline {file}",),
    ),
    "model": Format(
        "model.json",
        '{"format": "spinal-discotk-model", "version": 1, "metrics": ["M"],\n'
        ' "weights": [1.0], "comparisons": 4, "signature": "none"}\n',
        (
            "discotk score --reference {good}/doc.brackets "
            "--system A={good}/doc.brackets --model {file} --metrics {good}/one.tsv",
        ),
    ),
    "scores": Format(
        "scores.tsv",
        f"system\tsegment\tM\n{SCORES}",
        ("discotk correlate --scores {file} --rankings {good}/rankings.csv",),
    ),
    "seg.scr": Format(
        "m.seg.scr",
        "".join(
            "M\tfr-en\ttest\t{}\t{}\t{}\n".format(*line.split("\t"))
            for line in SCORES.splitlines()
        ),
        ("discotk correlate --scores {file} --rankings {good}/rankings.csv",),
    ),
    "rankings": Format(
        "rankings.csv",
        RANKINGS,
        ("discotk correlate --scores {good}/scores.tsv --rankings {file}",),
    ),
    "human": Format(
        "human.sys.scr",
        "system\tscore\nA\t0.4\nB\t0.7\n",
        (
            "discotk correlate --scores {good}/scores.tsv "
            "--rankings {good}/rankings.csv --human-scores {file}",
        ),
    ),
    "segments": Format(
        "system.brackets",
        "(Root (Nucleus:span _!He left!_) (Satellite:reason _!because!_))\n" * 4,
        (
            "discotk represent {file}",
            "discotk score --reference {file} --system A={file}",
        ),
    ),
}
GOOD_FILES = {
    "gold.mrg": FORMATS["lines"].good,
    "doc.dis": FORMATS["dis"].good,
    "doc.brackets": FORMATS["brackets"].good,
    "scores.tsv": FORMATS["scores"].good,
    "one.tsv": "system\tsegment\tM\nA\t1\t0.5\n",
    "rankings.csv": FORMATS["rankings"].good,
}


# -- damage to any file ----------------------------------------------------------------

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
    ends = ("\n", "\r\n", "\n\n", "\r\n\r\n")
    lines = good.decode().split("\n")
    return "".join(f"{line}{ends[n % 4]}" for n, line in enumerate(lines)).encode()


def _gz_with_a_wrong_byte(good: bytes) -> bytes:
    data = bytearray(gzip.compress(good, mtime=0))
    data[len(data) // 2] ^= 0xFF
    return bytes(data)


def _zipped(good: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(zipfile.ZipInfo("inside"), good)
    return packed.getvalue()


@cache
def _blanks_in_gz(megabytes: int) -> bytes:
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream:
        for _ in range(megabytes):
            stream.write(b" " * MEGABYTE)
    return packed.getvalue()


def _gz_bomb(good: bytes) -> bytes:
    """A good start, then 64 MB of blanks."""
    return gzip.compress(good, mtime=0) + _blanks_in_gz(64)


OK, BAD = 0, 2
NOT_TEXT, NOT_UTF_8 = "is not text", "is not UTF-8"
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
    "CR": (_line_ends("\r"), BAD, ""),
    "vertical tabs": (_line_ends("\x0b"), BAD, ""),
    "line separators": (_line_ends("\u2028"), BAD, ""),
    "escape sequences": (_with(ESCAPE.encode()), BAD, ""),
    "a long line": (_then(lambda: b"x" * (4 * MEGABYTE)), BAD, ""),
    "many blanks": (_then(lambda: b" " * (4 * MEGABYTE)), OK, ""),
    "many blank lines": (_then(lambda: b"\n" * 100_000), OK, ""),
    "many digits": (lambda good: b"7" * (4 * MEGABYTE), BAD, ""),
    "brackets that open": (lambda good: b"(" * MEGABYTE, BAD, ""),
    "brackets that close": (lambda good: b")" * MEGABYTE, BAD, ""),
    "all bytes": (lambda good: bytes(range(256)) * 20, BAD, NOT_TEXT),
    "zip": (_zipped, BAD, NOT_TEXT),
    "gz bomb": (_gz_bomb, BAD, "expands to more than"),
    "gz cut": (lambda g: gzip.compress(g, mtime=0)[:-9], BAD, "damaged compressed"),
    "gz with a wrong byte": (_gz_with_a_wrong_byte, BAD, "damaged compressed"),
    "bz2 cut": (lambda good: bz2.compress(good)[:-9], BAD, "damaged compressed"),
    "xz cut": (lambda good: lzma.compress(good)[:-9], BAD, "damaged compressed"),
}
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
    **{(name, "CR"): (OK, "") for name in ("lines", "indented", "free")},
    **{(name, "vertical tabs"): (OK, "") for name in ("lines", "indented", "free")},
    **{
        (name, kind): (OK, "")
        for name in (*_LINES_DO_NOT_MATTER, *_SPLIT_LINES)
        for kind in ("CR", "vertical tabs", "line separators")
    },
    **{(name, "CR"): (OK, "") for name in ("rs3", "rs4", "json", "baseline", "model")},
    **{
        (name, f"cut to {share}"): (OK, "")
        for name in ("table", "triples", "decisions")
        for share in ("a half", "nine tenths")
    },
    ("segments", "cut to a half"): (OK, ""),
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
        for name in ("rs3", "rs4", "inventory", "groups", "rankings", "segments")
    },
    # A blank line is a segment without a tree.
    ("segments", "mixed line ends"): (BAD, "segment 4 has no tree"),
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
    # Fewer labels are known, so there are findings.
    **{
        (name, kind): (_FINDINGS, "")
        for name in ("inventory", "labels")
        for kind in ("empty", "blank", "cut to a tenth", "cut to a half")
    },
    ("labels", "cut to nine tenths"): (_FINDINGS, ""),
    ("labels", "escape sequences"): (_FINDINGS, ""),
    ("inventory", "brackets that open"): (_FINDINGS, ""),
    ("inventory", "brackets that close"): (_FINDINGS, ""),
    # Too large before it is out of proportion.
    **{
        (name, kind): (BAD, "holds more than 1 MB")
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
    for name, given in FORMATS.items():
        for number, (kind, (damage, code, says)) in enumerate(DAMAGES.items()):
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
            )
