"""Gold and parsed, in any form that an analysis takes, opened to be scored.

What `score`, `errors`, `derive`, `domains`, `compare`, `agree`
and `report` have in common: the options of `TreeOptions`, and that they take
syntax and discourse alike; of these, `evalb` has `PairOptions`. What only one family
needs is imported when it is met: a command should start quickly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypedDict, TypeGuard, Union, cast

from analyzer.exceptions import SettingsError
from analyzer.files.inputs import Input
from analyzer.formats import reading
from analyzer.formats.blocks import Block, Fields, Progress, fields_of
from analyzer.formats.reading import (
    Pairing,
    ReadOptions,
    Tags,
    TreeReader,
    open_trees,
    trees_by_file,
)
from analyzer.formats.registry import Family, family_of
from analyzer.model.settings import keywords, require_percent
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import NOTHING_LEFT_OVER, Ledger
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.tasks import Blocks, Shards, group_tasks, groups_of, open_input
from analyzer.runtime.executor import Backend
from analyzer.transform.labels import DEFAULT_INVENTORY, LabelSet
from analyzer.transform.parameters import EvalbParameters
from analyzer.transform.pruning import without_nontext

if TYPE_CHECKING:
    from analyzer.constructions.inventory import Inventory
    from analyzer.constructions.names import Merge
    from analyzer.derivation.deriver import Deriver
    from analyzer.derivation.syntax import SyntaxDeriver
    from analyzer.model.discourse import Documents
    from analyzer.transform.documents import Direction, DocumentShape, Roots
    from analyzer.transform.relations import RelationHint, RelationMap

# A file, glob, directory or URL; several; an open file; text that holds trees; or trees
# that were read.
Trees = Union[reading.Trees, "Documents"]
# The same once it is known which files are meant: what they hold can be looked at.
OpenedTrees = Union[Input, Treebank, "Documents"]

_RIGHT, _FINE, _JOIN = "right", "fine", "join"  # the defaults of discourse


class ReadingOptions(TypedDict, total=False):
    """How trees are read: see `TreeOptions`."""

    strict: bool
    encoding: str
    grammar: str | None
    progress: Progress | None
    max_left_out: float | None
    mend: bool
    field: str | None
    gold_field: str | None
    id: str | None


class PairOptions(ReadingOptions, total=False):
    """How trees are read, and sentences paired: see `ScoringOptions`."""

    pair: Pairing | str
    tags: Tags | str


class TreeOptions(ReadingOptions, total=False):
    """How trees are read, and how derivation trees are made of them.

    `patterns`, `params` (of evalb; None: those of the patterns' treebank) and
    `merge` (constructions that are scored as others: {"NP-pos": "NP-t"}, or
    {"NP-t": ["NP-t", "NP-pos"]}) are for syntax; `binarize` (right,
    left, none), `relations` (fine, coarse, a map), `roots` (join, drop, forest, error:
    of documents of several trees) and `merge` for discourse. `strict` stops at the
    first malformed tree, and `progress` is called with the bytes that were read.
    `grammar` names the dialect of brackets, or a file of one (docs/grammars.md). If
    more than `max_left_out` percent of gold is left out, that is an error.
    `mend` mends parsed sentences whose meaning is certain, and `field` says where they
    stand in records of JSON or rows of a table, `gold_field` where gold does, and `id`
    where their ids do (docs/generated.md).
    `functions` also scores function tags, which `function_separator` separates from
    labels (docs/functions.md); `delete_label` names further labels to delete. `no_root`
    leaves the roots of trees out (TOP, ROOT, no label ...; docs/evalb.md).
    """

    patterns: str | Inventory
    params: str | EvalbParameters | None
    merge: Merge | None
    binarize: Direction | str
    relations: str | RelationMap | None
    roots: Roots | str
    functions: bool
    function_separator: str | None
    delete_label: Sequence[str]
    no_root: bool


DocumentNames = str | Sequence[str]  # FILE.tsv:COLUMN, or those of each sentence


class ScoringOptions(TreeOptions, PairOptions, total=False):
    """Those of `TreeOptions`, and what becomes of parses that cannot be compared.

    `on_mismatch`: they are left out (skip), count as finding nothing (zero), are scored
    by the words they share with gold (align), or stop the run (error). `pair`: which
    sentences are compared, the n-th with the n-th (order), those that say the same,
    wherever they stand (text), or those of the same id (id); or brackets are compared
    over one text, whatever its sentences and tokens (characters; jp-evalb, as that
    program aligns words). `tags`: whose tags both sides have, each its own (own), those
    of gold or of parsed, where the other has none. `units`: the document of each
    sentence, or a file and its column (`dev.tsv:document`), or either by the name of a
    data set: intervals are then by documents.
    """

    on_mismatch: OnMismatch | str
    units: DocumentNames | Mapping[str, DocumentNames] | None


def can_be_read_again(trees: OpenedTrees) -> bool:
    """Whether trees are in memory or in files, not in a pipe."""
    return not isinstance(trees, Input) or not any(
        file.is_read_once for file in trees.files
    )


class Opened(NamedTuple):
    """Gold and parsed as tasks, and what is known of them beforehand."""

    tasks: Blocks | Shards
    unpaired: Ledger  # documents that cannot be paired
    relation_hint: RelationHint | None = None  # of documents: a map for their labels

    def left_over(self) -> Ledger:
        """What the counts of tasks do not tell, once all are read."""
        return self.unpaired + self.tasks.ledger()


@dataclass(frozen=True)
class TreeReading:
    """The options of `TreeOptions`, with their defaults, put to use."""

    patterns: str | Inventory = DEFAULT_INVENTORY
    params: str | EvalbParameters | None = None
    merge: Merge | None = None
    binarize: Direction | str = _RIGHT
    relations: str | RelationMap | None = _FINE
    roots: Roots | str = _JOIN
    strict: bool = False
    encoding: str = "utf-8"
    grammar: str | None = None
    progress: Progress | None = None
    max_left_out: float | None = None
    on_mismatch: OnMismatch | str = OnMismatch.SKIP
    pair: Pairing | str = Pairing.ORDER
    tags: Tags | str = Tags.OWN
    units: DocumentNames | Mapping[str, DocumentNames] | None = None
    mend: bool = False
    field: str | None = None
    gold_field: str | None = None
    id: str | None = None
    functions: bool = False
    function_separator: str | None = None
    delete_label: Sequence[str] = ()
    no_root: bool = False
    has_gold: bool = True  # else both sides are read alike: neither is gold

    def warn_left_out(self, ledger: Ledger, parsed: OpenedTrees | str) -> None:
        """Warn of what was left out."""
        name = parsed if isinstance(parsed, str) else name_of(parsed)
        ledger.check(name, self.max_left_out)

    def __post_init__(self) -> None:
        # Making them says what is wrong with the settings.
        _ = self.mismatch, Pairing(self.pair), Tags(self.tags), self.fields
        given = self.binarize, self.relations, self.roots
        if given != (_RIGHT, _FINE, _JOIN):
            _ = self.shape
        require_percent("max_left_out", self.max_left_out)

    def require_same_words(self, what: str) -> None:
        """SettingsError if sentences are to be compared by places in one text."""
        if Pairing(self.pair).is_over_one_text:
            raise SettingsError(
                "E463 compare sentences word by word", what=what, pairing=self.pair
            )

    def resolve(self, trees: Trees, *, again: bool = False) -> OpenedTrees:
        """Trees as they are, anything else as the files that it stands for.

        With `again`, a pipe is kept: it is read for each of several systems.
        """
        if _are_documents(trees):
            return trees
        opened = open_trees(cast(reading.Trees, trees), self.encoding, self.grammar)
        if again and isinstance(opened, Input):
            opened.keep()
        return opened

    def deriver_for(self, trees: OpenedTrees) -> Deriver:
        """What makes derivation trees of them, of syntax or of discourse."""
        if family_of_trees(trees) is Family.DISCOURSE:
            from analyzer.derivation.discourse import discourse_deriver

            of_syntax = self.functions, self.function_separator, self.delete_label
            if any((*of_syntax, self.no_root, self.tags != Tags.OWN)):
                raise SettingsError(
                    "E591 contains discourse trees", trees=name_of(trees)
                )
            return discourse_deriver(
                binarize=self.binarize,
                relations=self.shape.relations_name,
                roots=self.shape.roots,
                merge=self.merge,
            )
        return self.syntax_deriver()

    def syntax_deriver(self) -> SyntaxDeriver:
        """What makes derivation trees of sentences."""
        from analyzer.derivation.syntax import syntax_deriver

        return syntax_deriver(
            patterns=self.patterns,
            params=self.params,
            merge=self.merge,
            delete_label=self.delete_label,
            no_root=self.no_root,
            functions=self.functions,
            function_separator=self.function_separator,
        )

    def of_data_set(self, name: str, names: Sequence[str]) -> TreeReading:
        """As one of several data sets is read: by its own units, if they have names."""
        if not isinstance(self.units, Mapping):
            return self
        for given in self.units:
            if given not in names:
                raise SettingsError("E808 no data set", reference=given, names=names)
        return replace(self, units=self.units.get(name))

    def open(
        self,
        gold: OpenedTrees,
        parsed: OpenedTrees,
        deriver: Deriver,
        backend: Backend | None = None,
        *,
        by_number: bool = False,
    ) -> Opened:
        """Gold and parsed as tasks.

        With `by_number`, sentences must know their number, which in a shard they do
        not; documents are then in gold's order, those left out too.
        """
        if deriver.family is Family.SYNTAX:
            if isinstance(self.units, Mapping):
                raise SettingsError("E485 --units names", names=list(self.units))
            units = groups_of(self.units, 1, "--units")
            tasks = self.open_sentences(
                gold,
                parsed,
                None if by_number or units is not None else backend,
                labels=deriver.inventory.labels,
            )
            if units is not None:
                assert isinstance(tasks, Blocks)  # since sentences have numbers
                tasks.tasks = group_tasks(tasks.tasks, units, "units")
            return Opened(tasks, NOTHING_LEFT_OVER)
        if backend is not None and backend.is_for_shards:
            raise SettingsError("E818 is not for discourse trees")
        return self._open_documents(gold, parsed, in_order=by_number)

    def open_sentences(
        self,
        gold: OpenedTrees,
        parsed: OpenedTrees,
        backend: Backend | None = None,
        *,
        labels: LabelSet | None = None,
        by_line: bool = False,
    ) -> Blocks | Shards:
        """Trees of sentences as tasks; with `by_line`, a blank line is a sentence."""
        options = ReadOptions(
            self.strict,
            self.encoding,
            self.progress,
            self.mend,
            labels,
            by_line,
            pairing=Pairing(self.pair),
            tags=Tags(self.tags),
            fields=self.fields,
            has_gold=self.has_gold,
        )
        as_shards = backend is not None and backend.is_for_shards
        sides = _sentences(gold), _sentences(parsed)
        return open_input(*sides, options, as_shards=as_shards)

    def open_alone(self, trees: OpenedTrees, deriver: Deriver) -> Opened:
        """Trees of one side, each set beside itself."""
        if deriver.family is Family.DISCOURSE:
            return self._open_documents(trees, trees)
        name = name_of(trees)
        pairs = self._alone(_sentences(trees), deriver.inventory.labels)
        tasks = Blocks(pairs, (name, name))
        return Opened(tasks, NOTHING_LEFT_OVER)

    def _alone(self, trees: Input | Treebank, labels: LabelSet) -> Iterator[Pair]:
        if isinstance(trees, Treebank):
            bank = without_nontext(trees, labels)
            yield Pair(bank, bank, 1)
            return
        for block in self.blocks_alone(trees, labels):
            bank = block.read()
            yield Pair(bank, bank, block.first_sentence)

    def blocks_alone(self, trees: Input, labels: LabelSet) -> Iterator[Block]:
        """Trees of sentences of one side in blocks, which any process can read."""
        options = ReadOptions(
            self.strict,
            progress=self.progress,
            mend=self.mend,
            labels=labels,
            fields=self.fields,
        )
        reader = TreeReader(trees, options)
        # A blank line is a tree that is missing, unless blank lines separate trees.
        reader.keep_blank_lines = not reader.first_look().blanks_separate
        return reader.blocks()

    def _open_documents(
        self, gold: OpenedTrees, parsed: OpenedTrees, *, in_order: bool = False
    ) -> Opened:
        from analyzer.pairing.partners import document_pairs, documents_in_order

        sides = self.documents(gold), self.documents(parsed)
        if in_order:
            pairs = documents_in_order(*sides, self.shape, self.mismatch)
        else:
            pairs = document_pairs(*sides, self.shape, on_mismatch=self.mismatch)
        names = (name_of(gold), name_of(parsed))
        tasks = Blocks(iter(pairs.pairs), names)
        return Opened(tasks, pairs.ledger, pairs.relation_hint)

    def sentences(self, trees: OpenedTrees, labels: LabelSet) -> list[Treebank]:
        """Trees of sentences, read if need be; without what is no text by `labels`."""
        options = ReadOptions(strict=self.strict, labels=labels)
        return trees_by_file(_sentences(trees), options)

    @property
    def fields(self) -> Fields:
        """Where sentences stand in records, if they do."""
        gold = self.gold_field if self.has_gold else self.gold_field or self.field
        return fields_of(self.field, self.id, gold)

    @property
    def mismatch(self) -> OnMismatch:
        """What becomes of parses that cannot be compared."""
        return OnMismatch(self.on_mismatch)

    @cached_property
    def shape(self) -> DocumentShape:
        """How documents are reshaped before they are compared."""
        from analyzer.transform.documents import DocumentShape

        return DocumentShape(self.binarize, self.relations, self.roots)

    def documents(self, trees: OpenedTrees) -> Documents:
        """Discourse trees, read if need be."""
        if _are_documents(trees):
            return trees
        if isinstance(trees, Treebank):
            raise SettingsError("E501 one side has documents, the other sentences")
        from analyzer.formats.documents import read_rst

        return read_rst(cast(Input, trees), strict=self.strict)


def _are_documents(trees: Trees | OpenedTrees) -> TypeGuard[Documents]:
    """Whether these are documents that were read."""
    if isinstance(trees, Input | Treebank | str):
        return False  # as nearly always, and told without an import
    from analyzer.model.discourse import Documents

    return isinstance(trees, Documents)


def family_of_trees(trees: OpenedTrees) -> Family:
    """Whether these are trees of sentences or of documents."""
    if _are_documents(trees):
        return Family.DISCOURSE
    if isinstance(trees, Treebank):
        return Family.SYNTAX
    return family_of(cast(Input, trees))


def _sentences(trees: OpenedTrees) -> Input | Treebank:
    if _are_documents(trees):
        raise SettingsError("E501 one side has documents, the other sentences")
    return cast("Input | Treebank", trees)


def name_of(trees: OpenedTrees) -> str:
    """What to call them in a message."""
    if isinstance(trees, Input):
        return trees.name
    return trees.source if isinstance(trees, Treebank) else trees.bank.source


# What functions that take these options are declared with.
scoring_keywords = keywords(ScoringOptions.__annotations__, TreeReading)
