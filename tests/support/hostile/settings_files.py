"""Parameters, patterns, maps, baselines, models and tables of that kind."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tests.support.hostile.files import (
    BAD,
    ESCAPE,
    LONG_NUMBER,
    OK,
    Hostile,
    Make,
    lines_of,
)
from tests.support.hostile.good_files import FORMATS, RANKINGS


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
        lambda: b"".join(b"X%d-t: (head:NN)\n" % n for n in range(2_000)),
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
        lambda: lines_of("line\tgenre", f"{LONG_NUMBER}\ta"),
        BAD,
        "'line'",
    )
    yield groups(
        "a line twice", lambda: lines_of("line\tgenre", "1\ta", "1\tb"), BAD, "'line'"
    )
    wide = groups("many columns", lambda: lines_of("\t".join(["genre"] * 100_000)), BAD)
    yield wide._replace(is_named=False)
    yield groups(
        "no such column", lambda: lines_of(f"{ESCAPE}\tother", "1\ta"), BAD, "no column"
    )
    baseline = partial(_settings, "baseline")
    for name, text in {
        "a list": "[]",
        "a number": "7",
        "deep": "[" * 200_000,
        "a long number": f'{{"confidence": {LONG_NUMBER}}}',
        "an infinite chance": '{"fingerprint": "a", "confidence": 1e999}',
        "no fingerprint": '{"verdict": "fine"}',
        "a number as a fingerprint": '{"fingerprint": 7}',
        "a list as an edit": '{"fingerprint": "a", "edit": []}',
        "a number beside fingerprints": '{"fingerprint": "a", "also": 7}',
        "another field": '{"fingerprint": "a", "\\u001b[2J": 1}',
        "the baseline of an earlier version": '{"version": 3, "findings": {}}',
    }.items():
        yield baseline(name, lambda text=text: text.encode(), BAD, "a decision")
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
    yield scores("1e999", lambda: lines_of(head, "A\t1\t1e999"), BAD, "finite")
    yield scores(
        "a long number", lambda: lines_of(head, f"A\t1\t{LONG_NUMBER}"), BAD, "finite"
    )
    yield scores(
        "no number", lambda: lines_of(head, f"A\t1\t{ESCAPE}"), BAD, "expected a number"
    )
    yield scores(
        "a score twice", lambda: lines_of(head, "A\t1\t1", "A\t01\t1"), BAD, "a second"
    )
    yield scores(
        "hardly any",
        lambda: lines_of(head, *(f"A{n}\t{n}\t1" for n in range(20_000))),
        BAD,
        "only 20,000",
    )
    yield scores(
        "a column too many", lambda: lines_of(head, "A\t1\t1\t1"), BAD, "columns"
    )
    rankings = partial(_settings, "rankings")
    top = RANKINGS.splitlines()[0]
    yield rankings(
        "no number",
        lambda: lines_of(top, f"fr,en,1,A,B,{ESCAPE},1"),
        BAD,
        "whole number",
    )
    yield rankings(
        "a long number",
        lambda: lines_of(top, f"fr,en,1,A,B,{LONG_NUMBER},1"),
        BAD,
        "whole",
    )
    yield rankings(
        "a quote that does not end",
        lambda: lines_of(top, 'fr,en,"' + "x\n" * 200_000),
        BAD,
        "CSV",
    )
    yield rankings("a short row", lambda: lines_of(top, "fr,en"), BAD, "another length")
    yield rankings(
        "a huge field", lambda: lines_of(top, "x" * 900_000), BAD, "field larger"
    )
