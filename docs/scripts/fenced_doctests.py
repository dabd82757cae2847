"""What the reference of the API needs of the code: its doctests, its public names.

Doctests in docstrings become blocks of code: in Markdown `>>>` would be three
quotations. What `spinal` hands on at run time are the imports of analyzer's stub.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Alias, Extension, GriffeLoader, Module, Object

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


class PublicNames(Extension):
    """Gives `spinal` the names of analyzer's stub."""

    def on_package(self, *, pkg: Module, loader: GriffeLoader, **_: Any) -> None:
        if pkg.name == "spinal":
            members = loader.modules_collection["analyzer"].members
            for name in [name for name, member in members.items() if member.is_alias]:
                pkg.set_member(name, Alias(name, f"analyzer.{name}", parent=pkg))
