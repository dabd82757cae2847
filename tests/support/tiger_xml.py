"""Sentences in TIGER-XML, from a short notation."""

from __future__ import annotations

import io
import warnings
from xml.sax.saxutils import quoteattr

from analyzer.exceptions import InputWarning
from analyzer.formats.blocks import BlockSettings
from analyzer.formats.tiger import TigerFile


def corpus(*sentences: str) -> str:
    return f"<corpus><body>\n{''.join(sentences)}</body></corpus>\n"


def sentence(body: str, root: str = "p1", name: str = "s1") -> str:
    return f'<s id="{name}"><graph root="{root}">{body}</graph></s>\n'


def words(*tagged: str) -> str:
    """`Ihn/PPER` → <t id="w1" …/>."""
    pairs = [one.rsplit("/", 1) for one in tagged]
    return "".join(
        f'<t id="w{number}" word={quoteattr(word)} pos={quoteattr(tag)}/>'
        for number, (word, tag) in enumerate(pairs, start=1)
    )


def phrase(name: str, category: str, *edges: str) -> str:
    """`HD:w1` → <edge label="HD" idref="w1"/>."""
    pairs = [edge.split(":") for edge in edges]
    inside = "".join(f'<edge label="{label}" idref="{to}"/>' for label, to in pairs)
    return f'<nt id="{name}" cat="{category}">{inside}</nt>'


SEEN = sentence(
    words("Ihn/PPER", "hat/VAFIN", ",/$,", "er/PPER", "gesehen/VVPP", "./$.")
    + phrase("p1", "VP", "OA:w1", "HD:w5")
    + phrase("p2", "S", "SB:w4", "HD:w2", "OC:p1")
    + phrase("p3", "VROOT", "--:p2", "--:w3", "--:w6"),
    root="p3",
)
SEEN_IN_BRACKETS = (
    "(ROOT (S (PPER Ihn) (VAFIN hat) ($, ,) (PPER er) (VP-OC (VVPP gesehen))) ($. .))"
)
YES = sentence(words("Ja/PTKANT"), root="w1", name="s2")


def brackets(xml: str) -> list[str]:
    """The trees of some XML, without warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        file = TigerFile(io.BytesIO(xml.encode()), "a.xml")
        trees = file.available(1, BlockSettings())
        bank = file.take(trees, 1, BlockSettings()).read()
    return [str(tree) for tree in bank]
