"""A document as the checks of discourse trees look at it.

Sentences end where an EDU ends in a full stop, a question mark or an exclamation mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analyzer.formats.rst.building import edus_of, spans_of
from analyzer.model.discourse import NUCLEUS, Unit

_SENTENCE_END = re.compile(r"[.?!…]['\"”’)\]]*$")
_PLACEHOLDER = re.compile(r"(?i)^[\W_]*(edu|text|unit|segment|leaf)?[\W_]*\d*[\W_]*$")


@dataclass(frozen=True, eq=False)
class Text:
    """A document: its units, their EDUs, and the sentences that these are in."""

    number: int
    root: Unit

    @cached_property
    def spans(self) -> dict[int, tuple[int, int]]:
        return spans_of(self.root)

    @cached_property
    def words(self) -> list[list[str]]:
        """The words of each EDU; none where its text only holds its place."""
        texts = [edu.text.strip() for edu in edus_of(self.root)]
        held = sum(bool(_PLACEHOLDER.match(text)) for text in texts)
        if 2 * held > len(texts):
            return [[] for _ in texts]
        return [text.lower().split() for text in texts]

    @cached_property
    def ends(self) -> list[bool]:
        """Whether a sentence ends with each EDU."""
        return [bool(w and _SENTENCE_END.search(w[-1])) for w in self.words]

    @cached_property
    def sentence(self) -> list[int]:
        """The sentence of each EDU."""
        return np.cumsum([0, *self.ends[:-1]]).tolist() if self.ends else []

    @cached_property
    def parents(self) -> dict[int, Unit]:
        return {id(c): unit for unit in self.root.walk() for c in unit.children}

    def first(self, unit: Unit) -> int:
        return self.spans[id(unit)][0] - 1

    def last(self, unit: Unit) -> int:
        return self.spans[id(unit)][1] - 1

    def head(self, unit: Unit) -> int:
        """The EDU that a unit's first nucleus leads to."""
        while unit.children:
            nuclei = [c for c in unit.children if c.nuclearity == NUCLEUS]
            unit = (nuclei or unit.children)[0]
        return self.first(unit)

    def opening(self, edu: int, size: int = 1) -> str:
        return " ".join(self.words[edu][:size]) if 0 <= edu < len(self.words) else ""
