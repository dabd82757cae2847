"""Trees in brackets and in TIGER-XML that nobody should have written."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Iterator
from functools import partial

from tests.support.hostile.files import (
    BAD,
    DEEP,
    ENTITY_BOMB,
    ESCAPE,
    LONG_NUMBER,
    MEGABYTE,
    NOT_TEXT,
    NOT_UTF_8,
    OK,
    REFUSED,
    SENTENCE,
    TOO_MANY,
    TREE_COMMANDS,
    Hostile,
    Make,
    blanks_in_gz,
    lines_of,
)
from tests.support.hostile.good_files import FORMATS


def _trees(name: str, make: Make, code: int, says: str = "") -> Hostile:
    return Hostile(f"trees: {name}", "trees.mrg", make, TREE_COMMANDS, code, says)


def _compressed(name: str, ending: str, make: Make, says: str) -> Hostile:
    file = f"trees.mrg.{ending}"
    given = Hostile(f"trees: {name}", file, make, TREE_COMMANDS, BAD, says)
    return given._replace(expands=True)


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
    yield _trees("a huge word", lambda: b"(A " + b"a" * (3 * MEGABYTE) + b")", OK)
    yield _trees("a word too huge", lambda: b"(A " + b"a" * (20 * MEGABYTE), BAD)
    yield _trees("a huge label", lambda: b"(" + b"A" * (3 * MEGABYTE) + b" a)", OK)
    yield _trees(
        "a huge word beside a bracket",
        lambda: b"(A (B b) " + b"a" * (3 * MEGABYTE) + b")",
        BAD,
        "next to a bracket",
    )
    # Nothing to score, but something to show.
    for name, make in {
        "many empty trees": lambda: b"()\n" * 40_000,
        "only labels": lambda: b"(A (B (C)))\n" * 5,
        "no end of a comment": lambda: b"#" + b"x" * (3 * MEGABYTE),
    }.items():
        yield _trees(name, make, BAD)._replace(commands=TREE_COMMANDS[1:])
    yield _trees("many trees on a line", lambda: b"(A a)" * 90_000, OK)
    yield _trees("many bad trees", lambda: b"(A a))\n" * 40_000, BAD, "None of the")
    yield _trees("good trees, then bad", lambda: good + b"(A a))\n" * 1_000, BAD)
    yield _trees("many comments", lambda: b"# x\n" * 50_000 + good, OK)
    yield _trees("escapes as words", lambda: f"(A {ESCAPE})\n".encode(), OK)
    yield _trees("escapes beside", lambda: f"(A (B b) {ESCAPE})\n".encode(), BAD)
    yield _trees("escapes outside", lambda: f"{ESCAPE} (B b)\n".encode(), BAD)
    yield _trees("a line separator", lambda: "(A a\u2028b)\n".encode(), OK)
    yield _trees("a NUL later on", lambda: good * 200 + b"(A \0)\n", BAD, "NUL")
    yield _trees("Latin-1 later on", lambda: good * 200 + b"(A \xe9)\n", BAD, NOT_UTF_8)
    yield _trees("a number", lambda: f"({LONG_NUMBER} {LONG_NUMBER})\n".encode(), OK)

    bomb = partial(gzip.compress, b"(A a)\n" * (20 * MEGABYTE // 6), 6, mtime=0)
    repeated = _compressed("gz of one tree", "gz", bomb, "expands to more than")
    yield repeated._replace(commands=TREE_COMMANDS[1:])
    yield _compressed(
        "gz of zeros", "gz", lambda: gzip.compress(bytes(20 * MEGABYTE)), NOT_TEXT
    )
    yield _compressed("gz of blanks", "gz", lambda: blanks_in_gz(64), "expands to")
    yield _compressed(
        "bz2 of blanks", "bz2", lambda: bz2.compress(b" " * (24 * MEGABYTE)), "expands"
    )
    yield _compressed(
        "xz of blanks", "xz", lambda: lzma.compress(b" " * (24 * MEGABYTE)), "expands"
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


def _tiger(
    name: str, *nonterminals: str, words: str = "", code: int = BAD, says: str = ""
) -> Hostile:
    """A corpus of one sentence; its first two words are w1 and w2."""

    def make() -> bytes:
        return lines_of(
            '<corpus><body><s id="s1"><graph root="n1"><terminals>',
            '<t id="w1" word="a" pos="A"/><t id="w2" word="b" pos="B"/>',
            f"{words}</terminals><nonterminals>",
            *nonterminals,
            "</nonterminals></graph></s></body></corpus>",
        )

    return Hostile(f"tiger: {name}", "corpus.xml", make, TREE_COMMANDS, code, says)


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
        "entity bomb": ENTITY_BOMB.replace("rst", "corpus"),
        "a file as an entity": '<!DOCTYPE corpus [<!ENTITY x SYSTEM "file:///x">]>',
        "a document type elsewhere": '<!DOCTYPE corpus SYSTEM "http://localhost:1/x">',
    }.items():
        text = f"{before}{good}".encode()
        yield Hostile(
            f"tiger: {name}",
            "corpus.xml",
            partial(bytes, text),
            TREE_COMMANDS,
            BAD,
            REFUSED,
        )


def _graph(name: str, file: str, make: Make, code: int, says: str = "") -> Hostile:
    return Hostile(f"graphs: {name}", file, make, TREE_COMMANDS, code, says)


def graph_files() -> Iterator[Hostile]:
    """Export, discbracket and columns: graphs that are no trees, and far too much."""
    chain = [f"#{n}\tS\t--\t--\t{n + 1}" for n in range(500, 5_000)]
    word = "a\tA\t--\t--\t500"
    yield _graph(
        "export without an end", "a.export", lambda: b"#BOS 1\n" + b"a " * 999, BAD
    )
    yield _graph(
        "a deep export",
        "a.export",
        lambda: lines_of("#BOS 1", word, *chain, "#5000\tS\t--\t--\t0", "#EOS 1"),
        BAD,
        "levels deep",
    )
    yield _graph(
        "a line without end",
        "a.export",
        lambda: b"#BOS 1\n" + b"a" * (17 * MEGABYTE),
        BAD,
        "a line of more than",
    )
    yield _graph(
        "a number that is none",
        "a.dbr",
        lambda: f"(S (A 0=a))\n(S (A {LONG_NUMBER}=a))\n".encode(),
        BAD,
    )
    yield _graph(
        "numbered words without end", "a.dbr", lambda: b"(S (A 0=a)\n" * 50_000, BAD
    )
    yield _graph(
        "columns without a tree", "a.conll", lambda: b"d 0 0 a A (S*\n\n" * 500, BAD
    )
    yield _graph("markup alone", "a.fid", lambda: b"<DOC>\n" * 50_000, BAD)
    codes = b"( (CODE <x>))\n" * 50_000
    yield _graph("codes alone", "a.psd", lambda: codes, BAD)
    endless = b"/*\n( (S (A a)))\n" * 50_000
    yield _graph("a comment without end", "a.psd", lambda: endless, BAD)
    nested = b"( (METADATA (A " * 5_000 + b"\n"
    yield _graph("metadata without end", "a.psd", lambda: codes[:140] + nested, BAD)
    words = b"( " + b"(NP (N a) (ID A,1)) " * 20_000 + b"(ID A,2))\n"
    yield _graph("names everywhere", "a.psd", lambda: words * 2, OK)
