"""Discourse trees in columns, brackets and lists that nobody should have written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from tests.support.hostile.files import (
    BAD,
    DEEP,
    ESCAPE,
    LONG_NUMBER,
    MEGABYTE,
    OK,
    RST_COMMANDS,
    TOO_MANY,
    Hostile,
    discourse_file,
    lines_of,
)


def _rows(count: int, *, head: Callable[[int], object], tail: str = "") -> bytes:
    return lines_of(*(f"{n} {head(n)} list{tail}" for n in range(1, count + 1)))


def dependency_files() -> Iterator[Hostile]:
    """.rsd, CoNLL-U and triples."""
    triples = partial(discourse_file, "doc.dep")
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
    yield triples("its own head", lambda: lines_of("1 0 a", "2 2 a"), BAD, "a cycle")
    yield triples("two roots", lambda: lines_of("1 0 a", "2 0 a"), OK)
    yield triples(
        "an EDU twice", lambda: lines_of("1 0 a", "1 1 a"), BAD, "a second time"
    )
    yield triples("a gap", lambda: lines_of("1 0 a", "3 1 a"), BAD, "a gap")
    yield triples("no such head", lambda: lines_of("1 0 a", "2 9 a"), BAD, "has head 9")
    yield triples(
        "a long number", lambda: lines_of("1 0 a", f"2 {LONG_NUMBER} a"), BAD, "found"
    )
    yield triples(
        "a long EDU", lambda: lines_of("1 0 a", f"{LONG_NUMBER} 1 a"), BAD, "found"
    )
    yield triples("crossing", lambda: lines_of("1 3 a", "2 4 a", "3 0 a", "4 3 a"), BAD)
    yield triples(
        "too many EDUs",
        lambda: _rows(TOO_MANY, head=lambda n: n - 1),
        BAD,
        "--max-tree-nodes",
    )
    yield triples(
        "a huge relation", lambda: lines_of("1 0 a", "2 1 " + "a" * (4 * MEGABYTE)), OK
    )
    yield triples(
        "escapes", lambda: lines_of("1 0 a", f"2 {ESCAPE} a"), BAD, "expected the head"
    )
    row = "{}\t{}\t{}\t_\t_\t{}\t{}\t{}\t_\t_"
    rsd = partial(discourse_file, "doc.rsd")
    first = row.format(1, "a", 0, "_", 0, "ROOT")
    yield rsd(
        "a long height",
        lambda: lines_of(first, row.format(2, "b", LONG_NUMBER, "_", 1, "a_r")),
    )
    yield rsd(
        "a long sentence",
        lambda: lines_of(first, row.format(2, "b", 0, f"sid={LONG_NUMBER}", 1, "a_r")),
        OK,
    )
    yield rsd(
        "a negative head",
        lambda: lines_of(first, row.format(2, "b", 0, "_", -1, "a_r")),
    )
    yield rsd(
        "a fraction", lambda: lines_of(first, row.format(2, "b", 0, "_", "1.5", "a_r"))
    )
    yield rsd("too few columns", lambda: lines_of(first, "2\tb"), BAD, "expected 10")
    yield rsd("many columns", lambda: lines_of(first, "\t" * (4 * MEGABYTE)), OK)
    yield rsd(
        "a huge text",
        lambda: lines_of(first, row.format(2, "b" * (20 * MEGABYTE), 0, "_", 1, "a_r")),
        OK,
    )
    conllu = partial(discourse_file, "doc.conllu")
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
            name, lambda f=feature, m=misc: lines_of(root, entry.format(2, f, 1, m))
        )
    yield conllu(
        "many features",
        lambda: lines_of(root, entry.format(2, "a=b|" * MEGABYTE, 1, "_")),
        OK,
    )
    table = partial(discourse_file, "doc.tsv")
    yield table(
        "only a header", lambda: lines_of("edu\thead\trelation"), BAD, "no EDUs"
    )
    yield table(
        "no head", lambda: lines_of("edu\trelation", "1\ta"), BAD, "no column head"
    )
    yield table("many columns", lambda: lines_of("edu" + "\thead" * 100_000, "1\t0"))


def bracketed_files() -> Iterator[Hostile]:
    """Bracketed strings, lists of spans and of decisions."""
    own = partial(discourse_file, "doc.brackets")
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
    several = own("many small trees", lambda: b"(1)\n" * 20_000, OK)
    yield several._replace(commands=RST_COMMANDS[:2])
    yield own(
        "a huge text", lambda: b"(NN-a _!a!_ _!" + b"b" * (4 * MEGABYTE) + b"!_)", OK
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
    python = partial(discourse_file, "doc.pred")
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
        lambda: b"Tree('a[N][S]', ['b', '" + b"\\c" * MEGABYTE + b"'])",
        OK,
    )
    yield python(
        "a string that does not end", lambda: b"Tree('a[N][S]', ['" + b"\\'" * MEGABYTE
    )
    yield python(
        "a call", lambda: b"Tree('a[N][S]', [__import__('os').system('false'), 'b'])"
    )
    spans = partial(discourse_file, "doc.out")
    span = "((1, 1), 'Nucleus', 'span')\n(({}, {}), 'Satellite', 'a')\n"
    yield spans("a span twice", lambda: span.format(1, 1).encode(), BAD, "given twice")
    yield spans("a gap", lambda: span.format(3, 3).encode(), BAD, "a gap")
    yield spans("backwards", lambda: span.format(3, 2).encode(), BAD, "is not a span")
    yield spans("a long number", lambda: span.format(2, LONG_NUMBER).encode())
    yield spans(
        "an enormous span", lambda: span.format(2, 999_999_999).encode(), BAD, "a gap"
    )
    yield spans("no end of a relation", lambda: b"1:Nucleus=" * 100_000)
    yield spans("crossing", lambda: b"1-Nucleus:a-3 2-Nucleus:b-4 1-Nucleus:a-1")
    yield spans(
        "too many",
        lambda: lines_of(
            *(f"(({n}, {n}), 'Nucleus', 'a')" for n in range(1, TOO_MANY + 1))
        ),
        BAD,
        "--max-tree-n",
    )
    decisions = partial(discourse_file, "doc.txt")
    yield decisions("many blanks", lambda: b"1" + b" " * 4000 + b"x\n1 2 NS a\n")
    yield decisions("many brackets", lambda: b"(" * 4000 + b"1 2 NS a\n" + b"[" * 4000)
    yield decisions("many digits, then NS", lambda: b"1" * MEGABYTE + b" NS a\n")
    yield decisions("an overlap", lambda: b"1-2 2 NS a\n", BAD, "an overlap")
    yield decisions("a long number", lambda: f"1 {LONG_NUMBER} NS a\n".encode())
    yield decisions(
        "deep",
        lambda: lines_of(*(f"1-{n} {n + 1} NS a" for n in range(1, DEEP // 2))),
        OK,
    )
