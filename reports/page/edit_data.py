"""The edits of a sentence as the error browser shows them."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from analyzer.analyses.errors import Instance, Kind
from analyzer.analyses.repair_links import EditLinks
from analyzer.analyses.repair_records import NO_EDIT
from analyzer.analyses.repair_search import types_of
from analyzer.analyses.repair_stages import Snapshot, marks, step_text, watched
from analyzer.editing.mending import mended
from analyzer.editing.preparing import PreparedPair

_MOST_DRAWN = 30  # edits of a sentence: the trees of more would fill the page


class Edits(NamedTuple):
    """The edits of a sentence: their texts and marks, and the trees between them."""

    links: EditLinks | None
    steps: list[tuple[str, list[int], list[int]]]
    trees: list[Snapshot]

    def links_to(self, error: Instance) -> int:
        """The place of the edit that mends an error, or -1."""
        if self.links is None:
            return -1
        step = NO_EDIT
        if error.gold and error.kind is Kind.ATTACHMENT:
            step = self.links.of_attachment(error.gold.row)
        elif error.gold:
            step = self.links.of_gold(error.gold.row)
        if not step and error.parsed:
            step = self.links.of_parsed(error.parsed.row)
        return step - 1


class SentenceEdits:
    """The edits of the sentences of a block, by our classifier."""

    def __init__(self, prepared: PreparedPair, *, is_chinese: bool = False) -> None:
        self._is_chinese = is_chinese
        self._prepared = prepared
        self._trees = prepared.gold.trees(), prepared.parsed.trees()

    def of(self, tree: int) -> Edits:
        """Those of a sentence; none if there are too many."""
        gold, parsed = self._trees[0](tree), self._trees[1](tree)
        path, seen = watched(gold, parsed)
        if not path.is_complete or len(path.edits) > _MOST_DRAWN:
            return Edits(None, [], [])
        types = types_of(path, is_chinese=self._is_chinese)
        steps = [
            (step_text(step, kind, edit), *marks(edit, *around))
            for step, (kind, edit, around) in enumerate(
                zip(types, path.edits, pairwise(seen), strict=True), start=1
            )
        ]
        links = EditLinks(self._prepared, path, mended(path))
        return Edits(links, steps, seen if steps else [])
