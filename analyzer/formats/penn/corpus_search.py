"""Comments of CorpusSearch, the search program of the Penn historical corpora.

What it writes has the text of a sentence, and where things were found, between trees:

    /~*
    He came to the city
    *~/
    /*
    1 IP-MAT:  1 IP-MAT, 4 NP-SBJ
    */

    ( (IP-MAT (NP-SBJ (PRO He)) (VBD came)) (ID A,1.2))

Such lines are read as comments.
"""

from __future__ import annotations

import re

from analyzer.files.changed_lines import ChangedLines
from analyzer.files.sources import Readable

_START = re.compile(rb"/~?\*")
_END = re.compile(rb"\*~?/\s*$")


def has_comments(start: str) -> bool:
    """Whether a line of a file that starts like this begins a comment.

    >>> has_comments("/*\\nPREFACE\\n*/\\n( (S (X a)))"), has_comments("( (S (X /*)))")
    (True, False)
    """
    return bool(re.search(r"(?m)^/~?\*", start))


def without_comments(stream: Readable) -> Readable:
    """A stream whose comments begin with `#`, line by line.

    >>> import io
    >>> text = b"/~*\\nHe came\\n*~/\\n( (S (X a)))\\n"
    >>> without_comments(io.BytesIO(text)).read(99)
    b'#/~*\\n#He came\\n#*~/\\n( (S (X a)))\\n'
    """
    return ChangedLines(stream, _Comments())


class _Comments:
    """Marks the lines of comments; remembers whether it is inside of one."""

    def __init__(self) -> None:
        self._is_inside = False

    def __call__(self, lines: bytes) -> bytes:
        return b"".join(map(self._line, lines.splitlines(keepends=True)))

    def _line(self, line: bytes) -> bytes:
        if not self._is_inside and not _START.match(line):
            return line
        self._is_inside = not _END.search(line)
        return b"#" + line
