"""Doctests in docstrings as blocks of code, for the reference of the API.

In Markdown `>>>` would be three quotations.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

_DOCTEST = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)


def fenced(text: str) -> str:
    """The text with each doctest, down to the next blank line, between fences.

    >>> fenced("Twice two.\\n\\n>>> 2 * 2\\n4\\n").splitlines()[2:]
    ['```pycon', '>>> 2 * 2', '4', '```']
    """
    return _DOCTEST.sub(lambda found: f"```pycon\n{found[0]}\n```", text)


class FencedDoctests(Extension):
    """Rewrites all docstrings that are loaded."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
