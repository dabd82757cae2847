"""TIGER-XML that is wrong: the sentence is named, the others are read."""

from __future__ import annotations

import io
import tracemalloc
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer import InputError, TreeSyntaxError, read_trees
from analyzer.exceptions import InputWarning
from analyzer.formats.blocks import BlockSettings
from analyzer.formats.tiger import TigerFile
from analyzer.limits import Limits, limited
from tests.support.command import spinal
from tests.support.tiger_xml import (
    SEEN,
    YES,
    brackets,
    corpus,
    phrase,
    sentence,
    words,
)

GOOD_PHRASE = phrase("p1", "S", "HD:w1")
BAD_SENTENCES = {
    "no terminals": ("", "p1", "no terminals"),
    "no root": (words("a/A"), "", "the graph has no root"),
    "root not there": (words("a/A"), "p9", "the root p9 does not exist"),
    "root with a parent": (
        words("a/A") + GOOD_PHRASE,
        "w1",
        "the root w1 has a parent",
    ),
    "no id": ('<t word="a" pos="A"/>', "w1", "a <t> has no id"),
    "no word": ('<t id="w1" pos="A"/>', "w1", "t w1 has no word"),
    "no tag": ('<t id="w1" word="a"/>', "w1", "t w1 has no pos"),
    "no category": (words("a/A") + '<nt id="p1"/>', "p1", "nt p1 has no cat"),
    "no idref": (
        words("a/A") + '<nt id="p1" cat="S"><edge/></nt>',
        "p1",
        "has no idref",
    ),
    "stray edge": ('<edge idref="w1"/>' + words("a/A"), "w1", "outside of any <nt>"),
    "same id": (words("a/A") + GOOD_PHRASE + GOOD_PHRASE, "p1", "id p1 a second time"),
    "dangling": (
        words("a/A") + phrase("p1", "S", "HD:w2"),
        "p1",
        "an edge to w2, which",
    ),
    "two parents": (
        words("a/A") + GOOD_PHRASE + phrase("p2", "S", "HD:p1", "HD:w1"),
        "p2",
        "w1 has two parents",
    ),
    "cycle": (
        words("a/A") + phrase("p1", "S", "HD:p2") + phrase("p2", "S", "HD:p1"),
        "w1",
        "a cycle: p[12] is above itself",
    ),
    "own parent": (
        words("a/A") + phrase("p1", "S", "HD:p1"),
        "w1",
        "a cycle: p1 is above",
    ),
    "too deep": (
        words("a/A")
        + phrase("p0", "S", "HD:w1")
        + "".join(phrase(f"p{n}", "S", f"HD:p{n - 1}") for n in range(1, 1000)),
        "p999",
        "more than 200 levels deep",
    ),
}


@pytest.mark.parametrize("name", BAD_SENTENCES)
def test_a_bad_sentence_is_named_and_the_others_are_read(name: str) -> None:
    body, root, message = BAD_SENTENCES[name]
    xml = corpus(YES, sentence(body, root, "s7"), YES)
    with pytest.warns(UserWarning, match=rf"<text>:3: sentence 2 \(s7\): .*{message}"):
        bank = read_trees(xml)
    assert [str(tree) for tree in bank] == [
        "(ROOT (PTKANT Ja))",
        "",
        "(ROOT (PTKANT Ja))",
    ]
    with pytest.raises(TreeSyntaxError, match=rf":3: sentence 2 \(s7\): .*{message}"):
        read_trees(xml, strict=True)


def test_a_tree_has_no_more_nodes_than_the_limit() -> None:
    xml = corpus(sentence(words(*["a/A"] * 11), root="w1"), YES)
    with (
        limited(Limits(tree_nodes=10)),
        pytest.raises(TreeSyntaxError, match="10 nodes"),
    ):
        read_trees(xml, strict=True)


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BROKEN = {
    "billion laughs": (
        f'<!DOCTYPE corpus [<!ENTITY l0 "ha">{LAUGHS}]>\n{corpus(YES)}',
        r":1: document types and entities are not read",
    ),
    "external entity": (
        '<!DOCTYPE corpus [<!ENTITY f SYSTEM "file:///etc/passwd">]>\n'
        + corpus(YES.replace("Ja", "&f;")),
        r":1: document types and entities are not read",
    ),
    "document type": (
        f'<!DOCTYPE corpus SYSTEM "TigerXML.dtd">\n{corpus(YES)}',
        r":1: document types and entities are not read",
    ),
    "undeclared entity": (
        corpus(YES.replace("Ja", "&f;")),
        r":2:29: broken XML: undefined entity \(in sentence s2\)",
    ),
    "cut short": (
        corpus(YES, SEEN)[:-300],
        r":3:\d+: broken XML: .* \(in sentence s1\)",
    ),
    "nothing closed": ("<corpus>\n<body>\n", r":3:1: broken XML: no element found"),
    "tags that cross": (
        corpus("<s id='s5'></graph></s>"),
        r":2:14: .* \(in sentence s5\)",
    ),
    "two roots": (corpus(YES) + corpus(YES), r":4:1: broken XML: junk after document"),
    "deep": (f"<corpus>{'<a>' * 300}", r":1: elements nested more than 200 deep"),
    "long": (
        f"<corpus><!--{'-x' * 2_000_000}",
        r"a tag or comment of more than 1,048,576",
    ),
    "within": (corpus("<s id='s5'><s/></s>"), r"a sentence within a sentence"),
    "html": (
        "<!-- x -->\n<html/>",
        r":2: is XML, but not TIGER-XML: expected <corpus>",
    ),
    "discourse": ("<rst><body/></rst>\n", r"not TIGER-XML: .*found <rst> \(discourse"),
    **{
        encoding: (
            f"<?xml version='1.0' encoding='{encoding}'?>\n<corpus/>",
            ":1: an encoding that cannot be read",
        )
        for encoding in ("klingon", "hex", "shift_jis")
    },
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_and_hostile_xml(name: str, tmp_path: Path) -> None:
    text, message = BROKEN[name]
    path = tmp_path / "gold.xml"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_trees(path)
    assert str(caught.value).startswith(str(path))
    ran = spinal("evalb", path, path)
    assert ran.code == 2
    assert ran.err.count("\n") == 1


def test_sgml_around_brackets_is_no_xml() -> None:
    bank = read_trees("<DOC>\n(S (A a))\n")
    assert [str(tree) for tree in bank] == ["(S (A a))"]


class Endless(io.RawIOBase):
    """A stream that is made as it is read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return next(self._pieces, b"")


@pytest.mark.slow
def test_memory_does_not_grow_with_the_corpus() -> None:
    """What is read ahead takes 10 MB; if all were kept, it would be 16."""

    def pieces() -> Iterator[bytes]:
        yield b"<corpus><body>"
        for _ in range(110):
            yield (SEEN * 50).encode()
        yield b"</body></corpus>"

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        file = TigerFile(Endless(pieces()), "a.xml")
        tracemalloc.start()
        count = 0
        # Never all that there is, so that something always stays behind.
        while ready := file.available(1000, BlockSettings()):
            count += len(file.take(min(999, ready), count + 1, BlockSettings()).read())
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert count == 5_500
    assert peak < 12_000_000


def test_a_file_of_bad_sentences_only_is_refused() -> None:
    bad = sentence(words("a/A"), "p9", "s7")
    assert len(brackets(corpus(bad * 2000))) == 2000
    for text in (corpus(bad * 2000), corpus(bad * 1000, YES)):
        with pytest.raises(
            InputError, match=r"<text>:2: sentence 1 \(s7\): is this a file of"
        ):
            read_trees(text)
    with pytest.warns(UserWarning, match="999 of 1,000 trees could not be read"):
        assert len(read_trees(corpus(bad * 999, YES))) == 1000
