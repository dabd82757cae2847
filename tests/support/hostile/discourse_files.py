"""Discourse trees in .dis, .rs3 and JSON that nobody should have written."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.support.hostile.files import (
    BAD,
    DEEP,
    ENTITY_BOMB,
    ESCAPE,
    LONG_NUMBER,
    MEGABYTE,
    OK,
    REFUSED,
    TOO_MANY,
    Hostile,
    Make,
    discourse_file,
    lines_of,
)


def _dis(name: str, make: Make, code: int = BAD, says: str = "") -> Hostile:
    return discourse_file("doc.dis", name, make, code, says)


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
    return lines_of(*parts, ")" * (edus - 1) if is_closed else "")


def dis_files() -> Iterator[Hostile]:
    pair = f"( Root (span 1 2) {_leaf(1)} {{}} )"
    yield _dis("deep", lambda: _dis_chain(DEEP), OK)
    yield _dis("deep, not closed", lambda: _dis_chain(DEEP, is_closed=False))
    yield _dis("too many units", lambda: _dis_chain(TOO_MANY + 9), BAD, "--max-tree-n")
    yield _dis(
        "wide",
        lambda: lines_of(
            f"( Root (span 1 {DEEP})", *(_leaf(n + 1) for n in range(DEEP)), ")"
        ),
        OK,
    )
    yield _dis(
        "an EDU twice", lambda: lines_of(pair.format(_leaf(1))), BAD, "second time"
    )
    yield _dis("a gap", lambda: lines_of(pair.format(_leaf(3))), BAD, "a gap")
    yield _dis(
        "two roots", lambda: lines_of(pair.format(_leaf(2)) * 2), BAD, "second root"
    )
    yield _dis(
        "no nucleus", lambda: lines_of("( Root (span 1 1)", _leaf(1, "Satellite"), ")")
    )
    yield _dis("a long number", lambda: lines_of(pair.format(_leaf(LONG_NUMBER))), BAD)
    yield _dis("1e999", lambda: lines_of(pair.format(_leaf("1e999"))), BAD, "e999")
    yield _dis(
        "a long number in a span",
        lambda: lines_of(f"( Root (span 1 {LONG_NUMBER}) {_leaf(1)} {_leaf(2)} )"),
    )
    yield _dis(
        "a huge text",
        lambda: lines_of(pair.format(_leaf(2, text="b" * (20 * MEGABYTE)))),
        OK,
    )
    yield _dis(
        "a huge text, and a gap",
        lambda: lines_of(pair.format(_leaf(7, text="b_" * (10 * MEGABYTE)))),
        BAD,
        "a gap",
    )
    yield _dis(
        "texts that do not end",
        lambda: lines_of(pair.format(_leaf(2)).replace("a_!", "a!_") * 20_000),
    )
    yield _dis(
        "a huge relation",
        lambda: lines_of(pair.format(_leaf(2)).replace("list", "l/" * MEGABYTE, 1)),
        OK,
    )
    yield _dis("only errors", lambda: b"//TT_ERR " * 300_000)
    yield _dis("escapes", lambda: lines_of(pair.format(_leaf(ESCAPE))))
    yield _dis(
        "larger than any", lambda: b"( Root " + b" " * (33 * MEGABYTE), BAD, "32 MB"
    )


def _xml(name: str, make: Make, code: int = BAD, says: str = "") -> Hostile:
    return discourse_file("doc.rs3", name, make, code, says)


def _body(*parts: str, before: str = "", header: str = "") -> bytes:
    return lines_of(f"{before}<rst>{header}<body>", *parts, "</body></rst>")


def _segment(
    name: object, parent: object = "", text: str = "a", rel: str = "span"
) -> str:
    above = f' parent="{parent}" relname="{rel}"' if parent else ""
    return f'<segment id="{name}"{above}>{text}</segment>'


def _group(name: object, parent: object = "", kind: str = "span") -> str:
    above = f' parent="{parent}" relname="span"' if parent else ""
    return f'<group id="{name}" type="{kind}"{above}/>'


def rs3_files() -> Iterator[Hostile]:
    one = _segment(1)
    yield _xml(
        "entity bomb",
        lambda: _body(_segment(1, text="&a9;"), before=ENTITY_BOMB),
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
        "an unknown entity", lambda: _body(_segment(1, text="&x;")), OK, "bare &"
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
    yield _xml("a huge text", lambda: _body(_segment(1, text="a" * (4 * MEGABYTE))), OK)
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
    yield _xml("two roots", lambda: _body(one, _segment(2)), OK)
    yield _xml("an id twice", lambda: _body(one, _segment(1, 1)), BAD, "a second time")
    yield _xml("no id", lambda: _body("<segment>a</segment>"), BAD, "without an id")
    yield _xml(
        "a group of nothing",
        lambda: _body(_segment(1, 2), _group(2, 3), _group(3), _group(4, 3)),
        OK,  # it is left out, and the ledger says so
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


def _json(name: str, make: Make, code: int = BAD, says: str = "") -> Hostile:
    return discourse_file("doc.json", name, make, code, says)


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
        "many lists", lambda: start + b"[" + b"[]," * 1_000_000 + b"[]]}", BAD, "'edus'"
    )
    yield _json("too large", lambda: start + b" " * (17 * MEGABYTE), BAD, "16 MB")
    yield _json("a huge text", lambda: _json_tree(edus=["a", "b" * (3 * MEGABYTE)]), OK)
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
