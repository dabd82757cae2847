"""Of each line its first tree, whatever else stands there.

So the Berkeley Parser Analyser reads its files, which `repairs` has to follow: a line
counts up to where its brackets are balanced first; a bracket that holds `()`, such as
EVALB's failed parse `(())`, is passed over.
"""

from __future__ import annotations

import re

from analyzer.formats.penn.bad_lines import bad_lines

_BRACKET = re.compile(rb"[()]")
_NOTHING = b"()"


def needs_cutting(text: bytes) -> bool:
    """Whether a line that is well formed may hold more than the tree that counts."""
    return _NOTHING in text


def first_of_lines(text: bytes) -> bytes:
    """The text with spaces for what does not count in lines that need it.

    >>> first_of_lines(b"(A a) b\\n(()) (B b)\\n(C c)) (D d)\\n(E e) (F f)\\n(G g\\n")
    b'(A a)  \\n     (B b)\\n(C c)       \\n(E e) (F f)\\n(G g\\n'
    """
    lines = text.split(b"\n")
    bad = {one.number for one in bad_lines(text)}
    for number, line in enumerate(lines):
        if number in bad or _NOTHING in line:
            lines[number] = first_tree(line)
    return b"\n".join(lines)


def first_tree(line: bytes) -> bytes:
    """The line with spaces around its first tree; as it is if it has none."""
    start = -1  # where its first bracket opens
    begin = depth = 0
    for found in _BRACKET.finditer(line):
        opens = found[0] == b"("
        depth += 1 if opens else -1
        if start < 0 and opens:
            start = found.start()
        if depth or start < 0:
            continue
        end = found.end()
        if _NOTHING not in line[begin:end]:
            return b" " * start + line[start:end] + b" " * (len(line) - end)
        begin, start = end, -1
    return line
