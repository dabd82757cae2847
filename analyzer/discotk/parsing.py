"""Raw translations as discourse trees: a segment a line, parsed."""

from __future__ import annotations

from dataclasses import replace

from analyzer.discotk.segments import Segments
from analyzer.formats.documents import file_text
from analyzer.model.discourse import Unit
from analyzer.rst_parser.parser import RstParser
from analyzer.rst_parser.plain import read_plain
from analyzer.rst_parser.tokens import TokenText

_AT_ONCE = 500  # segments that are parsed together


def parse_segments(
    parser: RstParser, spec: str, *, encoding: str = "utf-8"
) -> Segments:
    """The trees of a file with a segment a line; an empty line is one without tree.

    Words stand apart in the trees, with blanks between them, as kernels count them.
    """
    lines = file_text(spec, encoding=encoding).removeprefix("\ufeff").split("\n")
    if lines and not lines[-1].strip():
        lines.pop()
    found: dict[str, Unit | None] = {}
    for start in range(0, len(lines), _AT_ONCE):
        numbers = range(start + 1, min(start + _AT_ONCE, len(lines)) + 1)
        texts = [_words_apart(lines[number - 1], str(number)) for number in numbers]
        full = [text for text in texts if len(text)]
        trees = iter(parser.parse_together(full))
        for text in texts:
            found[text.name] = next(trees).unit if len(text) else None
    return Segments(spec, found)


def _words_apart(line: str, name: str) -> TokenText:
    text = read_plain(line, name)
    return replace(text, spaces=[True] * len(text))
