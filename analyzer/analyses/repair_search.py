"""The edits of each sentence of a task, named and counted: for `repairs`.

What only our classifier needs is imported when it is asked for: a command should
start quickly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analyzer.analyses.repair_records import (
    Classifier,
    Repair,
    RepairCounts,
    RepairedSentence,
    Status,
    Touched,
    TypeCounts,
)
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
from analyzer.editing.search import MOST_EDITS, Path, repair
from analyzer.editing.types import kummerfeld, spinal
from analyzer.editing.workbench import FlatTree, has_same_brackets
from analyzer.exceptions import PairingError, Place
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.in_step import PairTask, SentencePair
from analyzer.pairing.ledger import Ledger, LeftOut, Reason
from analyzer.pairing.mismatches import OnMismatch

if TYPE_CHECKING:
    from analyzer.analyses.repair_views import Views
    from analyzer.derivation.syntax import SyntaxDeriver
    from analyzer.metrics.constructions import Comparison

CHINESE = "chinese"  # the label set of the Penn Chinese Treebank
PUNCTUATION = "PU"  # its tag, which the reference names together with the word


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
    is_chinese: bool = False
    every: int = 1  # of so many sentences one is searched

    def __call__(self, task: PairTask) -> RepairCounts:
        types: dict[str, TypeCounts] = {}
        ledger = Ledger()
        kept: list[RepairedSentence] = []
        count = 0
        for whole in task.pairs():
            pair = whole.one_in(self.every)
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
                    tree = found.sentence - 1
                    number = count + 1 + pair.number(tree) - whole.first_sentence
                    kept.append(found._replace(sentence=number, id=pair.id_of(tree)))
            count += whole.sentences
            own = block.prepared.alignment.ledger()
            if own.items and self.on_mismatch is OnMismatch.ERROR:
                raise own.items[0].error
            items = sorted([*own.items, *far], key=lambda item: item.sentence)
            scored = own.scored - len(far)
            ledger = ledger.plus(replace(own, items=tuple(items), scored=scored))
        return RepairCounts(types, ledger, count, kept, task.ending)

    def block(self, pair: SentencePair) -> RepairBlock:
        """A block of sentences, ready to be searched."""
        if self.classifier is Classifier.KUMMERFELD or self.deriver is None:
            return RepairBlock(self, pair, prepare_as_reference(pair), None)
        from analyzer.metrics.constructions import compare

        comparison = compare(pair, self.deriver)
        prepared = prepare_for_evalb(pair, self.deriver.tables, comparison.alignment)
        return RepairBlock(self, pair, prepared, comparison)


def _too_far(pair: SentencePair, number: int) -> LeftOut:
    """That a sentence, by its number in the block, needs too many edits."""
    tree = number - 1
    sentence = pair.number(tree)
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
        """The sentences, numbered from 1 in the block; those left out, too."""
        trees = self.prepared.gold.trees(), self.prepared.parsed.trees()
        views: Views | None = None
        if self.comparison and self.work.keep_sentences:
            from analyzer.analyses.repair_views import Views

            views = Views(self.prepared, self.comparison)
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
        self, number: int, gold: FlatTree, parsed: FlatTree, views: Views | None
    ) -> RepairedSentence:
        """What a search finds in a sentence, by its number from 0."""
        special: Mapping[int, str] = {}
        by_reference = self.work.classifier is Classifier.KUMMERFELD
        if by_reference:
            special = with_words(parsed, self.prepared.parsed, number)
        path = repair(
            gold, parsed, SYMBOLS.name, special=special, tags_dissolve=by_reference
        )
        status = Status.OK if path.is_complete else Status.NO_PATH
        found = RepairedSentence(number + 1, status, gold.last[0], path.errors, [])
        mends = Mended({}, {}, {})
        if path.is_complete and self.work.keep_sentences:
            mends = mended(path)
        if self.work.keep_trees:
            found = found._replace(trees=self._trees(number, gold, parsed, mends))
        if not path.is_complete:
            return found
        types = self._types(number, path)
        touched = [Touched()] * len(types)
        if self.work.keep_sentences:
            found = found._replace(text=tuple(self.prepared.gold.words(number)))
        if views:
            touched = views.touched(number, path, types, mends)
            found = found._replace(
                brackets=views.bracket_errors(path, mends),
                heads=views.head_errors(number, path, mends),
            )
        both = zip(types, path.edits, touched, strict=True)
        repairs = [Repair(step, *one) for step, one in enumerate(both, start=1)]
        return found._replace(repairs=repairs)

    def _types(self, number: int, path: Path) -> list[str]:
        """The types of the edits of a sentence."""
        if self.work.classifier is Classifier.SPINAL:
            return types_of(path, is_chinese=self.work.is_chinese)
        if not self.work.is_chinese:
            return [kummerfeld(edit) for edit in path.edits]
        from analyzer.editing.chinese_reference import Tags, kummerfeld_chinese

        gold = path.bench.gold
        tags = Tags(
            _tags(path.parsed, with_words(path.parsed, self.prepared.parsed, number)),
            _tags(gold, with_words(gold, self.prepared.gold, number)),
            _tags(gold),
        )
        return [kummerfeld_chinese(edit, tags) for edit in path.edits]

    def _trees(
        self, number: int, gold: FlatTree, parsed: FlatTree, mends: Mended
    ) -> Sentence:
        sides = [
            (tree, written_tree(tree, SYMBOLS.name, side.words(number)))
            for tree, side in (
                (gold, self.prepared.gold),
                (parsed, self.prepared.parsed),
            )
        ]
        return sentence_of(sides[0], sides[1], mends)


def types_of(path: Path, *, is_chinese: bool = False) -> list[str]:
    """The type of each edit by our classifier; in Chinese, by the rules for it."""
    if not is_chinese:
        return [spinal(edit) for edit in path.edits]
    from analyzer.editing.chinese import chinese

    tags, gold = (_tags(tree) for tree in (path.parsed, path.bench.gold))
    return [chinese(edit, tags, gold) for edit in path.edits]


def with_words(tree: FlatTree, side: Prepared, number: int) -> dict[int, str]:
    """The tags of punctuation marks together with their words, by node."""
    mark = SYMBOLS.id(PUNCTUATION)
    if mark not in tree.label:
        return {}
    text = side.words(number)
    return {
        node: f"{PUNCTUATION}{text[tree.first[node]]}"
        for node, label in enumerate(tree.label)
        if label == mark and tree.is_terminal[node]
    }


def _tags(tree: FlatTree, special: Mapping[int, str] | None = None) -> list[str]:
    """The tags of a sentence's words."""
    special = special or {}
    return [
        special.get(node) or SYMBOLS.name(label)
        for node, label in enumerate(tree.label)
        if tree.is_terminal[node]
    ]
