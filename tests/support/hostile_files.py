"""Files that nobody should have written: every input format, damaged in every way.

The same each time: nothing here is random. A file is made only when it is asked for,
as some are large. What is expected of a file holds for all commands that read it.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
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
    "tiger": Format(
        "corpus.xml",
        '<?xml version="1.0"?>\n<corpus id="c">\n<body>\n'
        + "".join(
            f'<s id="s{n}"><graph root="s{n}_500">\n<terminals>\n'
            f'<t id="s{n}_1" word="Ja" pos="ADV"/>\n'
            f'<t id="s{n}_2" word="da" pos="ADV"/>\n'
            f'</terminals>\n<nonterminals>\n<nt id="s{n}_500" cat="S">\n'
            f'<edge label="HD" idref="s{n}_1"/>\n<edge label="MO" idref="s{n}_2"/>\n'
            "</nt>\n</nonterminals>\n</graph></s>\n"
            for n in range(1, 5)
        )
        + "</body>\n</corpus>\n",
        _TREES,
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
    "brackets that open": (lambda good: b"(" * 300_000, BAD, ""),
    "brackets that close": (lambda good: b")" * 300_000, BAD, ""),
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
    ("tiger", "CR"): (OK, ""),
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
        for name in ("rs3", "rs4", "inventory", "groups", "rankings", "segments")
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


# -- files made on purpose -------------------------------------------------------------


def _lines(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _trees(name: str, make: Make, code: int, says: str = "") -> Hostile:
    return Hostile(f"trees: {name}", "trees.mrg", make, _TREES, code, says)


def _compressed(name: str, ending: str, make: Make, says: str) -> Hostile:
    return Hostile(f"trees: {name}", f"trees.mrg.{ending}", make, _TREES, BAD, says)


def syntactic() -> Iterator[Hostile]:
    """Brackets, and brackets in compressed files."""
    good = SENTENCE.encode() + b"\n"
    yield _trees("deep", lambda: b"(A " * DEEP + b"a" + b")" * DEEP, OK)
    yield _trees("deep, not closed", lambda: b"(A " * DEEP + b"a", BAD, "missing ')'")
    yield _trees("deep, over lines", lambda: b"(A\n" * DEEP + b"a" + b")" * DEEP, OK)
    yield _trees("too many nodes", lambda: b"(A a)" * TOO_MANY, BAD, "--max-tree-nodes")
    yield _trees(
        "too deep", lambda: b"(A " * TOO_MANY + b"a" + b")" * TOO_MANY, BAD, "nodes"
    )
    yield _trees("wide", lambda: b"(S" + b" (A a)" * DEEP + b")", OK)
    yield _trees("a huge word", lambda: b"(A " + b"a" * (12 * MEGABYTE) + b")", OK)
    yield _trees("a word too huge", lambda: b"(A " + b"a" * (20 * MEGABYTE), BAD)
    yield _trees("a huge label", lambda: b"(" + b"A" * (12 * MEGABYTE) + b" a)", OK)
    yield _trees(
        "a huge word beside a bracket",
        lambda: b"(A (B b) " + b"a" * (12 * MEGABYTE) + b")",
        BAD,
        "beside a bracket",
    )
    # Nothing to score, but something to show.
    for name, make in {
        "many empty trees": lambda: b"()\n" * 100_000,
        "only labels": lambda: b"(A (B (C)))\n" * 5,
        "no end of a comment": lambda: b"#" + b"x" * (12 * MEGABYTE),
    }.items():
        yield _trees(name, make, BAD)._replace(commands=_TREES[1:])
    yield _trees("many trees on a line", lambda: b"(A a)" * 90_000, OK)
    yield _trees("many bad trees", lambda: b"(A a))\n" * 100_000, BAD, "None of the")
    yield _trees("good trees, then bad", lambda: good + b"(A a))\n" * 3_000, BAD)
    yield _trees("many comments", lambda: b"# x\n" * 200_000 + good, OK)
    yield _trees("escapes as words", lambda: f"(A {ESCAPE})\n".encode(), OK)
    yield _trees("escapes beside", lambda: f"(A (B b) {ESCAPE})\n".encode(), BAD)
    yield _trees("escapes outside", lambda: f"{ESCAPE} (B b)\n".encode(), BAD)
    yield _trees("a line separator", lambda: "(A a\u2028b)\n".encode(), OK)
    yield _trees("a NUL later on", lambda: good * 200 + b"(A \0)\n", BAD, "NUL")
    yield _trees("Latin-1 later on", lambda: good * 200 + b"(A \xe9)\n", BAD, NOT_UTF_8)
    yield _trees("a number", lambda: f"({LONG_NUMBER} {LONG_NUMBER})\n".encode(), OK)

    bomb = partial(gzip.compress, b"(A a)\n" * (20 * MEGABYTE // 6), 6, mtime=0)
    repeated = _compressed("gz of one tree", "gz", bomb, "expands to more than")
    yield repeated._replace(commands=_TREES[1:])
    yield _compressed(
        "gz of zeros", "gz", lambda: gzip.compress(bytes(40 * MEGABYTE)), NOT_TEXT
    )
    yield _compressed("gz of blanks", "gz", lambda: _blanks_in_gz(300), "expands to")
    yield _compressed(
        "bz2 of blanks", "bz2", lambda: bz2.compress(b" " * (64 * MEGABYTE)), "expands"
    )
    yield _compressed(
        "xz of blanks", "xz", lambda: lzma.compress(b" " * (64 * MEGABYTE)), "expands"
    )
    yield _compressed(
        "gz in gz", "gz", lambda: gzip.compress(gzip.compress(good * 9)), NOT_TEXT
    )
    yield _compressed(
        "gz, then something", "gz", lambda: gzip.compress(good) + b"more", "damaged"
    )
    yield _compressed("only the start of gz", "gz", lambda: b"\x1f\x8b\x08", "damaged")
    yield _compressed("only the start of xz", "xz", lambda: b"\xfd7zXZ\0", "damaged")
    yield _compressed(
        "bz2 with a wrong byte",
        "bz2",
        lambda: bz2.compress(good * 99).replace(b"1AY", b"1AX", 1),
        "cannot be read",
    )


def _discourse(
    file: str, name: str, make: Make, code: int = BAD, says: str = ""
) -> Hostile:
    kind = file.rpartition(".")[2]
    return Hostile(f"{kind}: {name}", file, make, _RST, code, says)


def _dis(name: str, make: Make, code: int = BAD, says: str = "") -> Hostile:
    return _discourse("doc.dis", name, make, code, says)


def _leaf(number: object, kind: str = "Nucleus", text: str = "a") -> str:
    return f"( {kind} (leaf {number}) (rel2par list) (text _!{text}_!) )"


def _dis_chain(units: int, *, is_closed: bool = True) -> bytes:
    """EDUs on a chain of units, each the last nucleus of the one above."""
    edus = units // 2 + 1
    parts = [f"( Root (span 1 {edus})"]
    parts += [
        f"{_leaf(n)} ( Nucleus (span {n + 1} {edus}) (rel2par list)"
        for n in range(1, edus - 1)
    ]
    parts += [_leaf(edus - 1), _leaf(edus)]
    return _lines(*parts, ")" * (edus - 1) if is_closed else "")


def dis_files() -> Iterator[Hostile]:
    pair = f"( Root (span 1 2) {_leaf(1)} {{}} )"
    yield _dis("deep", lambda: _dis_chain(DEEP), OK)
    yield _dis("deep, not closed", lambda: _dis_chain(DEEP, is_closed=False))
    yield _dis("too many units", lambda: _dis_chain(TOO_MANY + 9), BAD, "--max-tree-n")
    yield _dis(
        "wide",
        lambda: _lines(
            f"( Root (span 1 {DEEP})", *(_leaf(n + 1) for n in range(DEEP)), ")"
        ),
        OK,
    )
    yield _dis(
        "an EDU twice", lambda: _lines(pair.format(_leaf(1))), BAD, "second time"
    )
    yield _dis("a gap", lambda: _lines(pair.format(_leaf(3))), BAD, "a gap")
    yield _dis(
        "two roots", lambda: _lines(pair.format(_leaf(2)) * 2), BAD, "second root"
    )
    yield _dis(
        "no nucleus", lambda: _lines("( Root (span 1 1)", _leaf(1, "Satellite"), ")")
    )
    yield _dis("a long number", lambda: _lines(pair.format(_leaf(LONG_NUMBER))), BAD)
    yield _dis("1e999", lambda: _lines(pair.format(_leaf("1e999"))), BAD, "e999")
    yield _dis(
        "a long number in a span",
        lambda: _lines(f"( Root (span 1 {LONG_NUMBER}) {_leaf(1)} {_leaf(2)} )"),
    )
    yield _dis(
        "a huge text",
        lambda: _lines(pair.format(_leaf(2, text="b" * (20 * MEGABYTE)))),
        OK,
    )
    yield _dis(
        "a huge text, and a gap",
        lambda: _lines(pair.format(_leaf(7, text="b_" * (10 * MEGABYTE)))),
        BAD,
        "a gap",
    )
    yield _dis(
        "texts that do not end",
        lambda: _lines(pair.format(_leaf(2)).replace("a_!", "a!_") * 20_000),
    )
    yield _dis(
        "a huge relation",
        lambda: _lines(pair.format(_leaf(2)).replace("list", "l/" * (4 * MEGABYTE), 1)),
        OK,
    )
    yield _dis("only errors", lambda: b"//TT_ERR " * 300_000)
    yield _dis("escapes", lambda: _lines(pair.format(_leaf(ESCAPE))))
    yield _dis(
        "larger than any", lambda: b"( Root " + b" " * (33 * MEGABYTE), BAD, "32 MB"
    )


def _xml(name: str, make: Make, code: int = BAD, says: str = "") -> Hostile:
    return _discourse("doc.rs3", name, make, code, says)


def _body(*parts: str, before: str = "", header: str = "") -> bytes:
    return _lines(f"{before}<rst>{header}<body>", *parts, "</body></rst>")


def _segment(
    name: object, parent: object = "", text: str = "a", rel: str = "span"
) -> str:
    above = f' parent="{parent}" relname="{rel}"' if parent else ""
    return f'<segment id="{name}"{above}>{text}</segment>'


def _group(name: object, parent: object = "", kind: str = "span") -> str:
    above = f' parent="{parent}" relname="span"' if parent else ""
    return f'<group id="{name}" type="{kind}"{above}/>'


REFUSED = "document types and entities are not read"
_LAUGHS = "\n".join(
    [
        '<!DOCTYPE rst [<!ENTITY a0 "ha">',
        *(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9)),
        "]>",
    ]
)


def rs3_files() -> Iterator[Hostile]:
    one = _segment(1)
    yield _xml(
        "entity bomb",
        lambda: _body(_segment(1, text="&a9;"), before=_LAUGHS),
        BAD,
        REFUSED,
    )
    yield _xml(
        "a file as an entity",
        lambda: _body(
            _segment(1, text="&x;"),
            before='<!DOCTYPE rst [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        ),
        BAD,
        REFUSED,
    )
    yield _xml(
        "a parameter entity",
        lambda: _body(
            one,
            before='<!DOCTYPE rst [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>',
        ),
        BAD,
        REFUSED,
    )
    yield _xml(
        "a document type elsewhere",
        lambda: _body(one, before='<!DOCTYPE rst SYSTEM "http://localhost:1/rst.dtd">'),
        BAD,
        REFUSED,
    )
    yield _xml(
        "an unknown entity", lambda: _body(_segment(1, text="&x;")), BAD, "broken XML"
    )
    yield _xml(
        "a character of number 0",
        lambda: _body(_segment(1, text="&#0;")),
        BAD,
        "broken",
    )
    yield _xml(
        "a long number of a character",
        lambda: _body(_segment(1, text=f"&#{LONG_NUMBER};")),
        BAD,
        "broken XML",
    )
    yield _xml("escapes", lambda: _body(_segment(1, text=ESCAPE)), BAD, "broken XML")
    yield _xml(
        "escapes in a parent", lambda: _body(_segment(1, "\x7f\x9b2J")), BAD, "parent"
    )
    for encoding in ("UTF-16", "UTF-7", "no-such-encoding"):
        yield _xml(
            f"says that it is {encoding}",
            lambda named=encoding: _body(
                one, before=f'<?xml version="1.0" encoding="{named}"?>'
            ),
            OK,
        )
    yield _xml(
        "is UTF-16 and says so",
        lambda: (
            _body(one, before='<?xml version="1.0" encoding="UTF-16"?>')
            .decode()
            .encode("utf-16")
        ),
        OK,
    )
    long = "a tag or comment of more than"
    yield _xml(
        "a huge attribute", lambda: _body(_segment("1" * (20 * MEGABYTE))), BAD, long
    )
    yield _xml(
        "a huge text", lambda: _body(_segment(1, text="a" * (20 * MEGABYTE))), OK
    )
    yield _xml(
        "a huge comment", lambda: _body(one, f"<!--{'-x' * MEGABYTE}-->"), BAD, long
    )
    yield _xml("a huge name", lambda: _body(one, f"<{'x' * 3 * MEGABYTE}/>"), BAD, long)
    yield _xml(
        "many attributes",
        lambda: _body(
            "<segment " + " ".join(f'a{n}=""' for n in range(100_000)) + "/>"
        ),
        BAD,
        "without an id",
    )
    yield _xml(
        "deep", lambda: b"<rst>" + b"<a>" * 100_000 + b"</a>" * 100_000 + b"</rst>"
    )
    yield _xml(
        "deep, not closed", lambda: b"<rst>" + b"<a>" * 100_000, BAD, "nested more than"
    )
    yield _xml("many elements", lambda: _body("<a/>" * 500_000), BAD, "no segments")
    yield _xml(
        "too many segments",
        lambda: _body(*(_segment(n, 1) for n in range(2, TOO_MANY + 3))),
        BAD,
        "--max-tree-nodes",
    )
    yield _xml(
        "a chain of groups",
        lambda: _body(
            _segment(1, 2), *(_group(n, n + 1) for n in range(2, DEEP)), _group(DEEP)
        ),
        OK,
    )
    yield _xml(
        "a chain of satellites",
        lambda: _body(
            _segment(1), *(_segment(n, n - 1, rel="a") for n in range(2, DEEP))
        ),
        OK,
    )
    yield _xml(
        "a segment above itself", lambda: _body(one, _segment(2, 2)), BAD, "cycle"
    )
    yield _xml(
        "a cycle", lambda: _body(one, _segment(2, 3), _segment(3, 2)), BAD, "cycle"
    )
    yield _xml(
        "a long cycle",
        lambda: _body(
            one, _group(2, DEEP), *(_group(n, n - 1) for n in range(3, DEEP + 1))
        ),
        BAD,
        "a cycle of parents",
    )
    yield _xml("no root", lambda: _body(_segment(1, 2), _segment(2, 1)), BAD, "cycle")
    yield _xml(
        "a parent that is not there", lambda: _body(_segment(1, 99)), BAD, "parent 99"
    )
    yield _xml("two roots", lambda: _body(one, _segment(2)), BAD, "a second root")
    yield _xml("an id twice", lambda: _body(one, _segment(1, 1)), BAD, "a second time")
    yield _xml("no id", lambda: _body("<segment>a</segment>"), BAD, "without an id")
    yield _xml(
        "a group of nothing",
        lambda: _body(_segment(1, 2), _group(2, 3), _group(3), _group(4, 3)),
    )
    yield _xml(
        "a gap",
        lambda: _body(
            _segment(1),
            _segment(2, 3, rel="a"),
            _segment(3, 1, rel="a"),
            _segment(4, 2, rel="a"),
        ),
    )
    yield _xml("a long number as an id", lambda: _body(_segment(LONG_NUMBER)), OK)
    yield _xml("two documents", lambda: _body(one) * 2, BAD, "broken XML")
    yield _xml("no XML at all", lambda: b"<rst", BAD, "broken XML")
    yield _xml("a tag in a tag", lambda: b"<rst><segment <segment>>", BAD, "broken XML")
    yield _xml("CDATA that does not end", lambda: b"<rst><![CDATA[" + b"]" * MEGABYTE)


def _tiger(
    name: str, *nonterminals: str, words: str = "", code: int = BAD, says: str = ""
) -> Hostile:
    """A corpus of one sentence; its first two words are w1 and w2."""

    def make() -> bytes:
        return _lines(
            '<corpus><body><s id="s1"><graph root="n1"><terminals>',
            '<t id="w1" word="a" pos="A"/><t id="w2" word="b" pos="B"/>',
            f"{words}</terminals><nonterminals>",
            *nonterminals,
            "</nonterminals></graph></s></body></corpus>",
        )

    return Hostile(f"tiger: {name}", "corpus.xml", make, _TREES, code, says)


def _nt(name: object, *children: object) -> str:
    edges = "".join(f'<edge label="X" idref="{child}"/>' for child in children)
    return f'<nt id="{name}" cat="S">{edges}</nt>'


def tiger_files() -> Iterator[Hostile]:
    """TIGER-XML: graphs that are no trees."""
    whole = _nt("n1", "w1", "w2")
    yield _tiger("good", whole, code=OK)
    yield _tiger(
        "a cycle", _nt("n1", "w1", "w2", "n2"), _nt("n2", "n3"), _nt("n3", "n2")
    )
    yield _tiger("its own child", _nt("n1", "w1", "w2", "n1"))
    yield _tiger("two parents", whole, _nt("n2", "w2"))
    yield _tiger("no such child", _nt("n1", "w1", "w2", "w9"))
    yield _tiger("an id twice", whole, whole)
    yield _tiger("escapes", _nt("n1", "w1", "w2", "\x7f\x9b2J"))
    yield _tiger("an unknown entity", _nt("n1", "&x;"), says="broken XML")
    yield _tiger("deep", *(_nt(f"n{n}", f"n{n + 1}") for n in range(1, DEEP)))
    yield _tiger(
        "wide",
        _nt("n1", "w1", "w2", *(f"v{n}" for n in range(DEEP))),
        words="".join(f'<t id="v{n}" word="a" pos="A"/>' for n in range(DEEP)),
        code=OK,
    )
    yield _tiger(
        "a huge word",
        whole,
        words=f'<t id="v" word="{"a" * (20 * MEGABYTE)}" pos="A"/>',
        says="a tag or comment of more than",
    )
    good = FORMATS["tiger"].good.partition("\n")[2]
    for name, before in {
        "entity bomb": _LAUGHS.replace("rst", "corpus"),
        "a file as an entity": '<!DOCTYPE corpus [<!ENTITY x SYSTEM "file:///x">]>',
        "a document type elsewhere": '<!DOCTYPE corpus SYSTEM "http://localhost:1/x">',
    }.items():
        text = f"{before}{good}".encode()
        yield Hostile(
            f"tiger: {name}", "corpus.xml", partial(bytes, text), _TREES, BAD, REFUSED
        )


def _rows(count: int, *, head: Callable[[int], object], tail: str = "") -> bytes:
    return _lines(*(f"{n} {head(n)} list{tail}" for n in range(1, count + 1)))


def dependency_files() -> Iterator[Hostile]:
    """.rsd, CoNLL-U and triples."""
    triples = partial(_discourse, "doc.dep")
    yield triples("a chain", lambda: _rows(DEEP, head=lambda n: n - 1), OK)
    yield triples("a star", lambda: _rows(DEEP, head=lambda n: int(n > 1)), OK)
    yield triples(
        "a cycle", lambda: _rows(DEEP, head=lambda n: n % DEEP + 1), BAD, "no root"
    )
    yield triples(
        "a cycle beside the root",
        lambda: _rows(DEEP, head=lambda n: 0 if n == 1 else n % (DEEP - 1) + 2),
        BAD,
        "a cycle of heads",
    )
    yield triples("its own head", lambda: _lines("1 0 a", "2 2 a"), BAD, "a cycle")
    yield triples("two roots", lambda: _lines("1 0 a", "2 0 a"), BAD, "a second root")
    yield triples(
        "an EDU twice", lambda: _lines("1 0 a", "1 1 a"), BAD, "a second time"
    )
    yield triples("a gap", lambda: _lines("1 0 a", "3 1 a"), BAD, "a gap")
    yield triples("no such head", lambda: _lines("1 0 a", "2 9 a"), BAD, "has head 9")
    yield triples(
        "a long number", lambda: _lines("1 0 a", f"2 {LONG_NUMBER} a"), BAD, "found"
    )
    yield triples(
        "a long EDU", lambda: _lines("1 0 a", f"{LONG_NUMBER} 1 a"), BAD, "found"
    )
    yield triples("crossing", lambda: _lines("1 3 a", "2 4 a", "3 0 a", "4 3 a"), BAD)
    yield triples(
        "too many EDUs",
        lambda: _rows(TOO_MANY, head=lambda n: n - 1),
        BAD,
        "--max-tree-nodes",
    )
    yield triples(
        "a huge relation", lambda: _lines("1 0 a", "2 1 " + "a" * (20 * MEGABYTE)), OK
    )
    yield triples(
        "escapes", lambda: _lines("1 0 a", f"2 {ESCAPE} a"), BAD, "expected the head"
    )
    row = "{}\t{}\t{}\t_\t_\t{}\t{}\t{}\t_\t_"
    rsd = partial(_discourse, "doc.rsd")
    first = row.format(1, "a", 0, "_", 0, "ROOT")
    yield rsd(
        "a long height",
        lambda: _lines(first, row.format(2, "b", LONG_NUMBER, "_", 1, "a_r")),
    )
    yield rsd(
        "a long sentence",
        lambda: _lines(first, row.format(2, "b", 0, f"sid={LONG_NUMBER}", 1, "a_r")),
        OK,
    )
    yield rsd(
        "a negative head", lambda: _lines(first, row.format(2, "b", 0, "_", -1, "a_r"))
    )
    yield rsd(
        "a fraction", lambda: _lines(first, row.format(2, "b", 0, "_", "1.5", "a_r"))
    )
    yield rsd("too few columns", lambda: _lines(first, "2\tb"), BAD, "expected 10")
    yield rsd("many columns", lambda: _lines(first, "\t" * (4 * MEGABYTE)), OK)
    yield rsd(
        "a huge text",
        lambda: _lines(first, row.format(2, "b" * (20 * MEGABYTE), 0, "_", 1, "a_r")),
        OK,
    )
    conllu = partial(_discourse, "doc.conllu")
    entry = "{}\ta\t_\t_\t_\t{}\t{}\tlist\t_\t{}"
    root = entry.format(1, "_", 0, "_")
    for name, feature, misc in (
        ("a long rank", f"Nuclearity=S|Rank={LONG_NUMBER}", "_"),
        ("a long sentence", "_", f"Sentence={LONG_NUMBER}"),
        ("an odd nuclearity", "Nuclearity=X", "_"),
        ("an odd nucleus", "_", f"NucleusRelation={LONG_NUMBER}:a"),
        ("a rank that is none", "Rank=first", "_"),
    ):
        yield conllu(
            name, lambda f=feature, m=misc: _lines(root, entry.format(2, f, 1, m))
        )
    yield conllu(
        "many features",
        lambda: _lines(root, entry.format(2, "a=b|" * MEGABYTE, 1, "_")),
        OK,
    )
    table = partial(_discourse, "doc.tsv")
    yield table("only a header", lambda: _lines("edu\thead\trelation"), BAD, "no EDUs")
    yield table(
        "no head", lambda: _lines("edu\trelation", "1\ta"), BAD, "no column head"
    )
    yield table("many columns", lambda: _lines("edu" + "\thead" * 100_000, "1\t0"))


def bracketed_files() -> Iterator[Hostile]:
    """Bracketed strings, lists of spans and of decisions."""
    own = partial(_discourse, "doc.brackets")
    deep = b"(NN-a (1) " * DEEP
    yield own("deep, not closed", lambda: deep, BAD, "ends too early")
    yield own(
        "deep",
        lambda: (
            b"".join(
                [
                    *(b"(NN-a (%d) " % n for n in range(1, DEEP // 2)),
                    b"(%d)" % (DEEP // 2),
                ]
            )
            + b")" * (DEEP // 2 - 1)
        ),
        OK,
    )
    yield own("wide", lambda: b"(list" + b" _!a!_" * DEEP + b")", OK)
    yield own(
        "too many units",
        lambda: b"(list" + b" _!a!_" * TOO_MANY + b")",
        BAD,
        "--max-tree-n",
    )
    several = own("many small trees", lambda: b"(1)\n" * 50_000, OK)
    yield several._replace(commands=_RST[:2])
    yield own(
        "a huge text", lambda: b"(NN-a _!a!_ _!" + b"b" * (20 * MEGABYTE) + b"!_)", OK
    )
    yield own("a huge word", lambda: b"(NN-a (1) (" + b"b" * (20 * MEGABYTE) + b"))")
    yield own(
        "texts that do not end", lambda: b"(a _!b " * 100_000, BAD, "does not end"
    )
    yield own("an EDU twice", lambda: b"(NN-a (1) (1))", BAD, "EDU 1 a second time")
    yield own("a gap", lambda: b"(NN-a (1) (3))", BAD, "a gap")
    yield own("a long number", lambda: f"(NN-a (1) ({LONG_NUMBER}))".encode())
    yield own("two satellites", lambda: b"(SS-a (1) (2))", BAD, "no nucleus")
    yield own("a bracket without label", lambda: b"(NN-a (1) ((2) (3)))", BAD, "label")
    yield own(
        "words beside brackets", lambda: b"(NN-a (1) (2)) and so on", BAD, "outside"
    )
    python = partial(_discourse, "doc.pred")
    yield python(
        "deep", lambda: b"Tree('a[N][S]', ['b', " * DEEP, BAD, "ends too early"
    )
    yield python(
        "a huge string",
        lambda: b"Tree('a[N][S]', ['b', '" + b"c" * (20 * MEGABYTE) + b"'])",
        OK,
    )
    yield python(
        "many backslashes",
        lambda: b"Tree('a[N][S]', ['b', '" + b"\\c" * (4 * MEGABYTE) + b"'])",
        OK,
    )
    yield python(
        "a string that does not end", lambda: b"Tree('a[N][S]', ['" + b"\\'" * MEGABYTE
    )
    yield python(
        "a call", lambda: b"Tree('a[N][S]', [__import__('os').system('false'), 'b'])"
    )
    spans = partial(_discourse, "doc.out")
    span = "((1, 1), 'Nucleus', 'span')\n(({}, {}), 'Satellite', 'a')\n"
    yield spans("a span twice", lambda: span.format(1, 1).encode(), BAD, "given twice")
    yield spans("a gap", lambda: span.format(3, 3).encode(), BAD, "a gap")
    yield spans("backwards", lambda: span.format(3, 2).encode(), BAD, "is no span")
    yield spans("a long number", lambda: span.format(2, LONG_NUMBER).encode())
    yield spans(
        "an enormous span", lambda: span.format(2, 999_999_999).encode(), BAD, "a gap"
    )
    yield spans("no end of a relation", lambda: b"1:Nucleus=" * 100_000)
    yield spans("crossing", lambda: b"1-Nucleus:a-3 2-Nucleus:b-4 1-Nucleus:a-1")
    yield spans(
        "too many",
        lambda: _lines(
            *(f"(({n}, {n}), 'Nucleus', 'a')" for n in range(1, TOO_MANY + 1))
        ),
        BAD,
        "--max-tree-n",
    )
    decisions = partial(_discourse, "doc.txt")
    yield decisions("many blanks", lambda: b"1" + b" " * 4000 + b"x\n1 2 NS a\n")
    yield decisions("many brackets", lambda: b"(" * 4000 + b"1 2 NS a\n" + b"[" * 4000)
    yield decisions("many digits, then NS", lambda: b"1" * MEGABYTE + b" NS a\n")
    yield decisions("an overlap", lambda: b"1-2 2 NS a\n", BAD, "an overlap")
    yield decisions("a long number", lambda: f"1 {LONG_NUMBER} NS a\n".encode())
    yield decisions(
        "deep",
        lambda: _lines(*(f"1-{n} {n + 1} NS a" for n in range(1, DEEP // 2))),
        OK,
    )


def _json(name: str, make: Make, code: int = BAD, says: str = "") -> Hostile:
    return _discourse("doc.json", name, make, code, says)


def _json_tree(*changes: tuple[str, object], edus: object = ("a", "b")) -> bytes:
    units: list[dict[str, object]] = [
        {"span": [1, 2], "nuclearity": "root", "relation": "---", "parent": None},
        {"span": [1, 1], "nuclearity": "nucleus", "relation": "span", "parent": 1},
        {"span": [2, 2], "nuclearity": "satellite", "relation": "a", "parent": 1},
    ]
    units[-1].update(changes)
    data = {"format": "rst", "version": 1, "edus": edus, "units": units}
    return json.dumps(data).encode()


def json_files() -> Iterator[Hostile]:
    start = b'{"format": "rst", "version": 1, "edus": '
    yield _json("deep lists", lambda: start + b"[" * 200_000, BAD, "nested too deep")
    yield _json(
        "deep objects", lambda: start + b'{"a":' * 200_000, BAD, "nested too deep"
    )
    yield _json(
        "a long number", lambda: start + LONG_NUMBER.encode() + b"}", BAD, "digits"
    )
    yield _json("1e999", lambda: start + b"1e999}", BAD, "expected 'edus'")
    yield _json("NaN", lambda: start + b"NaN}", BAD, "expected 'edus'")
    yield _json(
        "many lists", lambda: start + b"[" + b"[]," * 5_000_000 + b"[]]}", BAD, "'edus'"
    )
    yield _json("too large", lambda: start + b" " * (17 * MEGABYTE), BAD, "16 MB")
    yield _json(
        "a huge text", lambda: _json_tree(edus=["a", "b" * (12 * MEGABYTE)]), OK
    )
    yield _json(
        "half a pair, escaped", lambda: _json_tree(edus=["a", "\ud800"]), BAD, "half"
    )
    yield _json("a NUL in a text", lambda: _json_tree(edus=["a", "\0"]), OK)
    yield _json("escapes in a relation", lambda: _json_tree(("relation", ESCAPE)), OK)
    yield _json(
        "texts that are numbers", lambda: _json_tree(edus=[1, 2]), BAD, "'edus'"
    )
    yield _json("no texts", lambda: _json_tree(edus=[]), BAD, "0 texts")
    yield _json(
        "an enormous span", lambda: _json_tree(("span", [2, 10**30])), BAD, "span"
    )
    yield _json("a negative span", lambda: _json_tree(("span", [-2, -2])), BAD, "span")
    yield _json("its own parent", lambda: _json_tree(("parent", 3)), BAD, "parent 3")
    yield _json("no such parent", lambda: _json_tree(("parent", 10**30)), BAD, "parent")
    yield _json("two roots", lambda: _json_tree(("parent", None)), BAD, "a second root")
    yield _json(
        "true as a parent", lambda: _json_tree(("parent", True)), BAD, "parent True"
    )
    yield _json(
        "another version",
        lambda: _json_tree().replace(b'"version": 1', b'"version": [[]]'),
        BAD,
        "version",
    )
    yield _json(
        "too many units",
        lambda: json.dumps(
            {"format": "rst", "version": 1, "edus": [], "units": [0] * TOO_MANY}
        ).encode(),
        BAD,
        "--max-tree-n",
    )


def _settings(form: str, name: str, make: Make, code: int, says: str = "") -> Hostile:
    given = FORMATS[form]
    return Hostile(f"{form}: {name}", given.file, make, given.commands, code, says)


def settings_files() -> Iterator[Hostile]:
    """Parameters, patterns, maps, baselines, models, tables."""
    prm, pat = partial(_settings, "prm"), partial(_settings, "pat")
    yield prm(
        "a long number",
        lambda: f"CUTOFF_LEN {LONG_NUMBER}\n".encode(),
        OK,
        "wants a number",
    )
    yield prm(
        "many equal labels",
        lambda: b"".join(b"EQ_LABEL A%d B%d\n" % (n, n) for n in range(40_000)),
        OK,
    )
    yield prm(
        "a chain of equal labels",
        lambda: b"".join(b"EQ_LABEL A%d A%d\n" % (n, n + 1) for n in range(40_000)),
        BAD,
        "EQ_LABEL",
    )
    yield prm(
        "many labels",
        lambda: b"".join(b"DELETE_LABEL X%d\n" % n for n in range(50_000)),
        OK,
    )
    yield prm("many bad lines", lambda: b"NONSENSE 1\n" * 50_000, OK, "passed over")
    yield prm(
        "escapes",
        lambda: f"DELETE_LABEL\n{ESCAPE} 1\n".encode(),
        OK,
        "line passed over",
    )
    yield pat("deep", lambda: b"NP-t: " + b"(" * 2000 + b"head:NN" + b")" * 2000, BAD)
    yield pat("deep, not closed", lambda: b"NP-t: " + b"(" * 100_000, BAD)
    yield pat(
        "a long choice",
        lambda: (
            b"NP-t: (head:NN) (" + b"|".join(b"'A%d'" % n for n in range(5_000)) + b")"
        ),
        OK,
    )
    yield pat(
        "many patterns",
        lambda: b"".join(b"X%d-t: (head:NN)\n" % n for n in range(5_000)),
        OK,
    )
    yield pat("a pattern twice", lambda: b"NP-t: (head:NN)\nNP-t: (head:NN)\n", BAD)
    yield pat("an enormous repetition", lambda: b"NP-t: (head:NN){1,999999999}\n", BAD)
    yield pat("escapes", lambda: f"NP-t: (head:{ESCAPE})\n".encode(), BAD)
    relmap = partial(_settings, "relmap")
    yield relmap("three words", lambda: b"a b c\n", BAD, "found 3 words")
    yield relmap("a huge word", lambda: b"a " + b"b" * 900_000, OK)
    yield relmap(
        "many pairs", lambda: b"".join(b"a%d b\n" % n for n in range(80_000)), OK
    )
    labels = partial(_settings, "labels")
    yield labels(
        "another word", lambda: f"{ESCAPE} NP\n".encode(), BAD, "a line begins with"
    )
    inventory = partial(_settings, "inventory")
    yield inventory(
        "another word", lambda: f"list {ESCAPE}\n".encode(), BAD, "expected mono"
    )
    groups = partial(_settings, "groups")
    yield groups(
        "a long number",
        lambda: _lines("line\tgenre", f"{LONG_NUMBER}\ta"),
        BAD,
        "'line'",
    )
    yield groups(
        "a line twice", lambda: _lines("line\tgenre", "1\ta", "1\tb"), BAD, "'line'"
    )
    wide = groups("many columns", lambda: _lines("\t".join(["genre"] * 100_000)), BAD)
    yield wide._replace(is_named=False)
    yield groups(
        "no such column", lambda: _lines(f"{ESCAPE}\tother", "1\ta"), BAD, "no column"
    )
    baseline = partial(_settings, "baseline")
    for name, text in {
        "a list": "[]",
        "a number": "7",
        "deep": "[" * 200_000,
        "a long number": f'{{"version": {LONG_NUMBER}}}',
        "an infinite count": '{"version": 1, "findings": {"a": {"count": 1e999}}}',
        "no count": '{"version": 1, "findings": {"a": {}}}',
        "a count that is text": '{"version": 1, "findings": {"a": {"count": "x"}}}',
        "another version": '{"version": "\\u001b[2J"}',
        "findings that are a list": '{"version": 1, "findings": []}',
    }.items():
        yield baseline(name, lambda text=text: text.encode(), BAD, "baseline")
    model = partial(_settings, "model")
    whole = FORMATS["model"].good
    for name, old, new in (
        ("an infinite weight", "[1.0]", "[1e999]"),
        ("a weight that is none", "[1.0]", '["x"]'),
        ("a weight too many", "[1.0]", "[1.0, 2.0]"),
        ("no weights", "[1.0]", "null"),
        ("an infinite count", '"comparisons": 4', '"comparisons": Infinity'),
        ("a long number", '"comparisons": 4', f'"comparisons": {LONG_NUMBER}'),
        ("another version", '"version": 1', '"version": [[[]]]'),
        ("deep", "[1.0]", "[" * 200_000),
    ):
        yield model(
            name, lambda o=old, n=new: whole.replace(o, n).encode(), BAD, "model"
        )
    scores = partial(_settings, "scores")
    head = "system\tsegment\tM"
    yield scores("1e999", lambda: _lines(head, "A\t1\t1e999"), BAD, "finite")
    yield scores(
        "a long number", lambda: _lines(head, f"A\t1\t{LONG_NUMBER}"), BAD, "finite"
    )
    yield scores(
        "no number", lambda: _lines(head, f"A\t1\t{ESCAPE}"), BAD, "expected a number"
    )
    yield scores(
        "a score twice", lambda: _lines(head, "A\t1\t1", "A\t01\t1"), BAD, "a second"
    )
    yield scores(
        "hardly any",
        lambda: _lines(head, *(f"A{n}\t{n}\t1" for n in range(20_000))),
        BAD,
        "only 20,000",
    )
    yield scores(
        "a column too many", lambda: _lines(head, "A\t1\t1\t1"), BAD, "columns"
    )
    rankings = partial(_settings, "rankings")
    top = RANKINGS.splitlines()[0]
    yield rankings(
        "no number", lambda: _lines(top, f"fr,en,1,A,B,{ESCAPE},1"), BAD, "whole number"
    )
    yield rankings(
        "a long number",
        lambda: _lines(top, f"fr,en,1,A,B,{LONG_NUMBER},1"),
        BAD,
        "whole",
    )
    yield rankings(
        "a quote that does not end",
        lambda: _lines(top, 'fr,en,"' + "x\n" * 200_000),
        BAD,
        "CSV",
    )
    yield rankings("a short row", lambda: _lines(top, "fr,en"), BAD, "another length")
    yield rankings(
        "a huge field", lambda: _lines(top, "x" * 900_000), BAD, "field larger"
    )


def all_files() -> list[Hostile]:
    return [
        *damaged(),
        *syntactic(),
        *dis_files(),
        *rs3_files(),
        *tiger_files(),
        *dependency_files(),
        *bracketed_files(),
        *json_files(),
        *settings_files(),
    ]
