"""The edits of each sentence of a task, named and counted: for `repairs`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from analyzer.analyses.repair_links import EditLinks, HeadError, HeadErrors
from analyzer.derivation.columns import Derivation
from analyzer.derivation.syntax import SyntaxDeriver
from analyzer.editing.chinese import chinese
from analyzer.editing.mending import (
    Mended,
    Sentence,
    mended,
    sentence_of,
    written_tree,
)
from analyzer.editing.preparing import (
    Prepared,
    PreparedPair,
    prepare_as_reference,
    prepare_for_evalb,
)
from analyzer.editing.search import MOST_EDITS, MOVE, REMOVE, Edit, Path, repair
from analyzer.editing.types import ATTACHMENTS, kummerfeld, spinal
from analyzer.editing.workbench import FlatTree, has_same_brackets
from analyzer.exceptions import PairingError, Place
from analyzer.metrics.constructions import Comparison, compare
from analyzer.model.settings import Choice
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.in_step import NOTHING_MORE, Ending, PairTask, SentencePair
from analyzer.pairing.ledger import Ledger, LeftOut, Reason
from analyzer.pairing.mismatches import OnMismatch

CHINESE = "chinese"  # the label set of the Penn Chinese Treebank


class Classifier(Choice):
    """Whose rules say what kind of error an edit is, and how trees are prepared."""

    KUMMERFELD = "kummerfeld"
    SPINAL = "spinal"

    @classmethod
    def what(cls) -> str:
        return "classifier"


class Status(Choice):
    """What became of a sentence."""

    OK = "ok"
    REFUSED = "refused"  # it cannot be compared with gold
    NO_PATH = "no_path_found"  # more edits are needed than may be made

    @classmethod
    def what(cls) -> str:
        return "status"


class Touched(NamedTuple):
    """What an edit is about, by our classifier: a construction as `score` names it."""

    construction: str = ""
    head: str = ""  # the word that heads it
    governor: str = ""  # the phrase that it stands in, in gold if gold has it


class Repair(NamedTuple):
    """One error of a sentence."""

    step: int  # from 1
    error_type: str
    edit: Edit
    touched: Touched


class BracketError(NamedTuple):
    """A wrong or missing bracket, and the step that mends it."""

    construction: str
    is_missing: bool
    step: int


class RepairedSentence(NamedTuple):
    """A sentence, its errors, and the trees as they were compared."""

    sentence: int
    status: Status
    words: int
    errors: int  # wrong and missing brackets
    repairs: list[Repair]
    text: tuple[str, ...] = ()  # its words, if it has errors
    trees: Sentence | None = None  # if they were asked for
    brackets: tuple[BracketError, ...] = ()  # by our classifier, if kept
    heads: tuple[HeadError, ...] = ()


class TypeCounts(NamedTuple):
    """How often a type occurs, and how many bracket errors that makes."""

    errors: int = 0
    nodes: int = 0

    def plus(self, other: TypeCounts) -> TypeCounts:
        return TypeCounts(self.errors + other.errors, self.nodes + other.nodes)


class RepairCounts(NamedTuple):
    """What is found in a task."""

    types: dict[str, TypeCounts]
    ledger: Ledger
    sentences: int  # how many the task has
    kept: list[RepairedSentence]  # if they were asked for; numbered from the task's
    ending: Ending = NOTHING_MORE

    def change(self, item: Callable[[LeftOut], LeftOut]) -> RepairCounts:
        """The counts, with each item of their ledger changed."""
        return self._replace(ledger=self.ledger.change(item))


@dataclass(frozen=True)
class RepairWork:
    """How a task is searched: what another process has to know.

    `deriver` is needed by our classifier only.
    """

    classifier: Classifier
    deriver: SyntaxDeriver | None = None
    keep_sentences: bool = False
    keep_trees: bool = False
    on_mismatch: OnMismatch = OnMismatch.SKIP

    def __call__(self, task: PairTask) -> RepairCounts:
        types: dict[str, TypeCounts] = {}
        ledger = Ledger()
        kept: list[RepairedSentence] = []
        count = 0
        for pair in task.pairs():
            block = self.block(pair)
            far: list[LeftOut] = []
            for found in block.sentences():
                if found.status is Status.NO_PATH:
                    far.append(_too_far(pair, found.sentence))
                else:
                    for one in found.repairs:
                        known = types.get(one.error_type, TypeCounts())
                        types[one.error_type] = known.plus(
                            TypeCounts(1, one.edit.nodes)
                        )
                if self.keep_sentences:
                    number = count + found.sentence
                    kept.append(found._replace(sentence=number))
            count += len(pair.gold)
            own = block.prepared.alignment.ledger()
            if own.items and self.on_mismatch is OnMismatch.ERROR:
                raise own.items[0].error
            items = sorted([*own.items, *far], key=lambda item: item.sentence)
            scored = own.scored - len(far)
            ledger = ledger.plus(replace(own, items=tuple(items), scored=scored))
        return RepairCounts(types, ledger, count, kept, task.ending)

    @property
    def is_chinese(self) -> bool:
        """Whether labels are those of the Chinese Treebank: it has types of its own."""
        return (
            self.deriver is not None and self.deriver.inventory.labels.name == CHINESE
        )

    def block(self, pair: SentencePair) -> RepairBlock:
        """A block of sentences, ready to be searched."""
        if self.classifier is Classifier.KUMMERFELD or self.deriver is None:
            return RepairBlock(self, pair, prepare_as_reference(pair), None)
        comparison = compare(pair, self.deriver)
        prepared = prepare_for_evalb(pair, self.deriver.tables, comparison.alignment)
        return RepairBlock(self, pair, prepared, comparison)


def _too_far(pair: SentencePair, number: int) -> LeftOut:
    """That a sentence, by its number in the block, needs too many edits."""
    tree = number - 1
    sentence = pair.first_sentence + tree
    place = Place(pair.parsed.source, int(pair.parsed.line[tree]), None, sentence)
    error = PairingError(
        "more than {most} edits from the parse to gold: its errors are not counted",
        place,
        code="E461",
        most=MOST_EDITS,
    )
    return LeftOut(sentence, Reason.TOO_FAR, error)


@dataclass(frozen=True)
class RepairBlock:
    """A block of sentences, as they are compared."""

    work: RepairWork
    pair: SentencePair
    prepared: PreparedPair
    comparison: Comparison | None  # by our classifier

    def sentences(self) -> Iterator[RepairedSentence]:
        """All sentences, numbered from 1 in the block; those left out, too."""
        trees = self.prepared.gold.trees(), self.prepared.parsed.trees()
        views: _Views | None = None
        if self.comparison and self.work.keep_sentences:
            views = _Views(
                _Namer(self.prepared, self.comparison), HeadErrors(self.comparison)
            )
        used = self.prepared.alignment.is_comparable.tolist()
        for number, is_comparable in enumerate(used):
            if not is_comparable:
                yield RepairedSentence(number + 1, Status.REFUSED, 0, 0, [])
                continue
            gold, parsed = trees[0](number), trees[1](number)
            if not self.work.keep_sentences and has_same_brackets(gold, parsed):
                yield RepairedSentence(number + 1, Status.OK, gold.last[0], 0, [])
                continue
            yield self._searched(number, gold, parsed, views)

    def _searched(
        self, number: int, gold: FlatTree, parsed: FlatTree, views: _Views | None
    ) -> RepairedSentence:
        """What a search finds in a sentence, by its number from 0."""
        path = repair(gold, parsed, SYMBOLS.name)
        status = Status.OK if path.is_complete else Status.NO_PATH
        found = RepairedSentence(number + 1, status, gold.last[0], path.errors, [])
        mends = Mended({}, {}, {})
        types: list[str] = []
        if path.is_complete:
            classify = kummerfeld if self.comparison is None else spinal
            types = types_of(path, classify, is_chinese=self.work.is_chinese)
            if self.work.keep_sentences:
                mends = mended(path)
        if self.work.keep_trees:
            found = found._replace(trees=self._trees(number, gold, parsed, mends))
        if not path.is_complete:
            return found
        touched = [Touched()] * len(types)
        if self.work.keep_sentences:
            found = found._replace(text=tuple(_words(self.prepared.gold, number)))
        if views:
            links = EditLinks(self.prepared, path, mends)
            touched = views.names.touched(number, path, types, mends)
            found = found._replace(
                brackets=views.names.bracket_errors(path, mends),
                heads=tuple(views.heads.of(number, links)),
            )
        both = zip(types, path.edits, touched, strict=True)
        repairs = [Repair(step, *one) for step, one in enumerate(both, start=1)]
        return found._replace(repairs=repairs)

    def _trees(
        self, number: int, gold: FlatTree, parsed: FlatTree, mends: Mended
    ) -> Sentence:
        sides = [
            (tree, written_tree(tree, SYMBOLS.name, _words(side, number)))
            for tree, side in (
                (gold, self.prepared.gold),
                (parsed, self.prepared.parsed),
            )
        ]
        return sentence_of(sides[0], sides[1], mends)


def types_of(
    path: Path, classify: Callable[[Edit], str], *, is_chinese: bool = False
) -> list[str]:
    """The type of each edit; of Chinese sentences, by the rules for these."""
    if not is_chinese:
        return [classify(edit) for edit in path.edits]
    tags, gold = (_tags(tree) for tree in (path.parsed, path.bench.gold))
    return [chinese(edit, tags, gold) for edit in path.edits]


def _tags(tree: FlatTree) -> list[str]:
    """The tags of a sentence's words."""
    both = zip(tree.label, tree.is_terminal, strict=True)
    return [SYMBOLS.name(label) for label, is_terminal in both if is_terminal]


def _words(side: Prepared, tree: int) -> list[str]:
    start, end = side.bank.leaf_start[tree : tree + 2].tolist()
    return side.bank.forms(np.arange(start, end))


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
        self, number: int, path: Path, types: list[str], mends: Mended
    ) -> list[Touched]:
        words = _words(self._prepared.parsed, number)
        return [
            self._touched(path, edit, error_type, mends, words)
            for edit, error_type in zip(path.edits, types, strict=True)
        ]

    def _touched(
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


class _Views(NamedTuple):
    """How the scores see a block: what edits touch, and what F-h counts."""

    names: _Namer
    heads: HeadErrors


def _principal(path: Path, edit: Edit, error_type: str) -> int:
    """The node that an edit is about: of several that move, what decided its type."""
    wanted = ATTACHMENTS.get(error_type, ())
    for node, label in zip(edit.targets, edit.children, strict=False):
        if edit.operation == MOVE and label in wanted:
            return node
    phrases = [node for node in edit.targets if path.bench.children[node] is not None]
    return phrases[0] if phrases else edit.targets[0]
