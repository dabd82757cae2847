"""How the scores see the edits of a sentence: what they touch, and what they mend."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.analyses.repair_links import EditLinks, HeadErrors
from analyzer.analyses.repair_records import BracketError, HeadError, Touched
from analyzer.derivation.columns import Derivation
from analyzer.editing.mending import Mended
from analyzer.editing.preparing import Prepared, PreparedPair
from analyzer.editing.search import MOVE, REMOVE, Edit, Path
from analyzer.editing.types import ATTACHMENTS
from analyzer.editing.workbench import FlatTree
from analyzer.metrics.constructions import Comparison
from analyzer.model.symbols import SYMBOLS


class Views:
    """How the scores see the edits of the sentences of a block."""

    def __init__(self, prepared: PreparedPair, comparison: Comparison) -> None:
        self._prepared = prepared
        self._names = _Namer(prepared, comparison)
        self._heads = HeadErrors(comparison)

    def touched(
        self, number: int, path: Path, types: Sequence[str], mends: Mended
    ) -> list[Touched]:
        """What each edit of a sentence is about."""
        words = self._prepared.parsed.words(number)
        return [
            self._names.touched(path, edit, error_type, mends, words)
            for edit, error_type in zip(path.edits, types, strict=True)
        ]

    def bracket_errors(self, path: Path, mends: Mended) -> tuple[BracketError, ...]:
        """All wrong and missing brackets of a sentence, as `score` names them."""
        return self._names.bracket_errors(path, mends)

    def head_errors(
        self, number: int, path: Path, mends: Mended
    ) -> tuple[HeadError, ...]:
        """What F-h counts, with the edits that mend it."""
        links = EditLinks(self._prepared, path, mends)
        return tuple(self._heads.of(number, links))


class _Namer:
    """Says which construction an edit is about."""

    def __init__(self, prepared: PreparedPair, comparison: Comparison) -> None:
        self._prepared = prepared
        self._comparison = comparison
        self._rows = [
            {row: at for at, row in enumerate(side.row.tolist())}
            for side in (comparison.gold, comparison.parsed)
        ]

    def touched(
        self, path: Path, edit: Edit, error_type: str, mends: Mended, words: list[str]
    ) -> Touched:
        bench = path.bench
        node = _principal(path, edit, error_type)
        governor = edit.new_parent if edit.operation == MOVE else edit.parent
        if edit.operation != REMOVE and edit.parents:
            partner = mends.partner.get(edit.parents[-1])
            if partner is not None:
                governor = SYMBOLS.name(bench.gold.label[partner])
        if bench.children[node] is None:
            tag = SYMBOLS.name(bench.label[node])
            return Touched(tag, words[bench.first[node]], governor)
        partner = mends.partner.get(node)
        if partner is not None:
            name, head = self._of_gold(bench.gold, partner)
        else:
            name, head = self._of_parsed(path, node)
        return Touched(name, "" if head < 0 else words[head], governor)

    def bracket_errors(self, path: Path, mends: Mended) -> tuple[BracketError, ...]:
        """All wrong and missing brackets of a sentence, as `score` names them."""
        missing = [
            BracketError(self._of_gold(path.bench.gold, node)[0], True, edit + 1)
            for node, edit in mends.missing.items()
        ]
        extra = [
            BracketError(self._of_parsed(path, node)[0], False, edit + 1)
            for node, edit in mends.extra.items()
        ]
        return (*missing, *extra)

    def _of_gold(self, gold: FlatTree, node: int) -> tuple[str, int]:
        found = self._named(self._prepared.gold, self._comparison.gold, 0, gold, node)
        return found or (SYMBOLS.name(gold.label[node]), -1)

    def _of_parsed(self, path: Path, node: int) -> tuple[str, int]:
        found = None
        if node < len(path.parsed.row):
            found = self._named(
                self._prepared.parsed, self._comparison.parsed, 1, path.parsed, node
            )
        return found or (SYMBOLS.name(path.bench.label[node]), -1)

    def _named(
        self,
        side: Prepared,
        derivation: Derivation,
        which: int,
        tree: FlatTree,
        node: int,
    ) -> tuple[str, int] | None:
        """The construction of a bracket, and its head's position in the sentence."""
        if tree.row[node] < 0:
            return None
        at = self._rows[which].get(int(side.row[tree.row[node]]))
        if at is None:
            return None  # around a whole tree: it has none
        names = self._comparison.constructions
        head = int(derivation.head[at] - derivation.first[at]) + tree.first[node]
        return names[int(derivation.construction[at])], head


def _principal(path: Path, edit: Edit, error_type: str) -> int:
    """The node that an edit is about: of several that move, what decided its type."""
    wanted = ATTACHMENTS.get(error_type, ())
    for node, label in zip(edit.targets, edit.children, strict=False):
        if edit.operation == MOVE and label in wanted:
            return node
    phrases = [node for node in edit.targets if path.bench.children[node] is not None]
    return phrases[0] if phrases else edit.targets[0]
