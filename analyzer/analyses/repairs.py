"""What kinds of error a parser makes, as edits from its trees to gold: `repairs`.

Kummerfeld, Hall, Curran and Klein (2012): every edit is an error, with a type such as
"PP Attachment" and a number of brackets. docs/repairs.md has the definitions. What only
our classifier needs is imported when it is asked for: a command should start quickly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.compared import Result, count_tasks, frame_of
from analyzer.analyses.opening import (
    ScoringOptions,
    TreeReading,
    Trees,
    family_of_trees,
    name_of,
    scoring_keywords,
)
from analyzer.editing.mending import KeptTrees, MendedError, Stage, mended, stages
from analyzer.editing.preparing import Prepared, prepare_as_reference, prepare_for_evalb
from analyzer.editing.search import MOST_EDITS, Edit, EditTarget, Path, repair
from analyzer.editing.types import kummerfeld, spinal
from analyzer.editing.workbench import (
    MOST_LOOKED_AT,
    UNCOUNTED,
    FlatTree,
    has_same_brackets,
)
from analyzer.exceptions import PairingError, Place, SettingsError
from analyzer.formats.registry import Family
from analyzer.metrics.ratios import ratio
from analyzer.metrics.signature import Signature
from analyzer.model.settings import Choice
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger, LeftOut, Reason
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.tasks import Blocks, Shards
from analyzer.runtime.executor import Backend
from analyzer.safe_text import counted
from analyzer.transform.label_tables import DELETED
from analyzer.transform.labels import DEFAULT_INVENTORY, default_labels
from analyzer.transform.pruning import some_trees

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.analyses.attribution import EditAttribution
    from analyzer.derivation.syntax import SyntaxDeriver

TOTAL = "total"
NO_EDIT = "no edit"  # the type of errors that none mends
CHINESE = "chinese"  # the label set of the Penn Chinese Treebank
_PUNCTUATION = "PU"  # its tag, which the reference names together with the word
_FOR_SCORES = ("params", "merge", "delete_label")


class Classifier(Choice, what="classifier"):
    """Whose rules say what kind of error an edit is, and how trees are prepared."""

    KUMMERFELD = "kummerfeld"
    SPINAL = "spinal"


class Status(Choice, what="status"):
    """What became of a sentence."""

    OK = "ok"
    REFUSED = "refused"  # it cannot be compared with gold
    NO_PATH = "no_path_found"  # more edits are needed than may be made
    CUT = "search_given_up"  # more brackets would have to be looked at than may be


NO_EDITS = (Status.NO_PATH, Status.CUT)


class Repair(NamedTuple):
    """One error of a sentence."""

    step: int  # from 1
    error_type: str
    edit: Edit
    touched: EditTarget


class RepairedSentence(NamedTuple):
    """A sentence and its errors."""

    sentence: int
    status: Status
    words: int = 0
    errors: int = 0  # wrong and missing brackets
    repairs: tuple[Repair, ...] = ()
    text: tuple[str, ...] = ()  # its words, if it has errors
    brackets: tuple[MendedError, ...] = ()  # by our classifier, if kept
    heads: tuple[MendedError, ...] = ()  # constructions, as F-h counts them
    id: str = ""  # what the file calls it
    tree: int = -1  # its place among the trees that are kept


# -- what is searched ----------------------------------------------------------------


class RepairCounts(NamedTuple):
    """What is found in some pairs; parts add up."""

    errors: Counter[str]  # by type
    nodes: Counter[str]  # the bracket errors that these make
    pairs: list[SearchedPair]


class SearchedPair(NamedTuple):
    """What is kept of a pair, if that is asked for."""

    size: int  # how many sentences it has
    kept: list[RepairedSentence]  # numbered from 1
    trees: tuple[KeptTrees, KeptTrees] | None  # gold and parsed


@dataclass(frozen=True)
class RepairCounter:
    """How a pair is searched: what another process has to know.

    `deriver` is needed by our classifier only.
    """

    classifier: Classifier
    deriver: SyntaxDeriver | None = None
    keep_sentences: bool = False
    keep_trees: bool = False
    on_mismatch: OnMismatch = OnMismatch.SKIP
    is_chinese: bool = False
    every: int = 1  # of so many sentences one is searched
    no_root: bool = False

    def __call__(self, whole: Pair) -> tuple[RepairCounts, Ledger]:
        pair = whole.word_by_word().one_in(self.every)
        block = _Block(self, pair)
        kept: list[RepairedSentence] = []
        far: list[LeftOut] = []
        counts = RepairCounts(Counter(), Counter(), [])
        for tree, sentence in enumerate(block.sentences()):
            count_types(sentence, counts.errors, counts.nodes)
            if sentence.status in NO_EDITS:
                far.append(_too_far(pair, tree, sentence.status))
            if self.keep_sentences:
                number = pair.number(tree) + 1 - whole.first_sentence
                kept.append(sentence._replace(sentence=number, id=pair.id_of(tree)))
        trees = block.trees if self.keep_trees else None
        counts.pairs.append(SearchedPair(whole.sentences, kept, trees))
        own = block.prepared.alignment.ledger()
        if own.items and self.on_mismatch is OnMismatch.ERROR:
            raise own.items[0].error
        items = tuple(sorted([*own.items, *far], key=lambda item: item.sentence))
        return counts, replace(own, items=items, scored=own.scored - len(far))


def count_types(
    sentence: RepairedSentence, errors: Counter[str], nodes: Counter[str]
) -> None:
    """Add the errors of a sentence, and their brackets, to those of each type."""
    for error in sentence.repairs:
        errors[error.error_type] += 1
        nodes[error.error_type] += error.edit.nodes


def _too_far(pair: Pair, tree: int, status: Status) -> LeftOut:
    """The item for a sentence that needs too many edits, or too long a search."""
    sentence = pair.number(tree)
    place = Place(pair.parsed.source, int(pair.parsed.line[tree]), None, sentence)
    if status is Status.CUT:
        error = PairingError("E274 was given up", place, most=MOST_LOOKED_AT)
        return LeftOut(sentence, Reason.TOO_LONG, error)
    error = PairingError("E461 edits from the parse to gold", place, most=MOST_EDITS)
    return LeftOut(sentence, Reason.TOO_FAR, error)


class _Block:
    """A block of sentences, as they are compared."""

    def __init__(self, work: RepairCounter, pair: Pair) -> None:
        self._work = work
        self._attribution: EditAttribution | None = None
        if work.deriver is None:
            self.prepared = prepare_as_reference(pair, no_root=work.no_root)
        else:
            from analyzer.metrics.constructions import compare

            comparison = compare(pair, work.deriver)
            tables = work.deriver.tables
            self.prepared = prepare_for_evalb(pair, tables, comparison.alignment)
            if work.keep_sentences:
                from analyzer.analyses.attribution import EditAttribution

                self._attribution = EditAttribution(self.prepared, comparison)
        gold, parsed = self.prepared.gold.bank, self.prepared.parsed.bank
        self.trees = KeptTrees.of(gold), KeptTrees.of(parsed)

    def sentences(self) -> Iterator[RepairedSentence]:
        """The sentences, not yet numbered; those left out, too."""
        refused = RepairedSentence(0, Status.REFUSED)
        for tree, is_used in enumerate(self.prepared.alignment.is_comparable.tolist()):
            yield self._searched(tree) if is_used else refused

    def _searched(self, tree: int) -> RepairedSentence:
        """What a search finds in a sentence."""
        work, prepared = self._work, self.prepared
        gold, parsed = prepared.gold.tree_at(tree), prepared.parsed.tree_at(tree)
        sentence = RepairedSentence(0, Status.OK, gold.last[0])
        if not work.keep_sentences and has_same_brackets(gold, parsed):
            return sentence
        by_reference = work.classifier is Classifier.KUMMERFELD
        marks: list[dict[int, str]] = [{}, {}]
        if by_reference:
            sides = (gold, prepared.gold), (parsed, prepared.parsed)
            marks = [_punctuation(*side, tree) for side in sides]
        path = repair(gold, parsed, special=marks[1], tags_dissolve=by_reference)
        sentence = sentence._replace(errors=path.errors)
        if not path.is_complete:
            return sentence._replace(
                status=Status.CUT if path.is_cut else Status.NO_PATH
            )
        types = types_of(path, work.classifier, marks, is_chinese=work.is_chinese)
        targets = [EditTarget()] * len(types)
        if work.keep_sentences:
            sentence = sentence._replace(text=tuple(prepared.gold.words(tree)))
        if work.keep_trees or self._attribution:
            mends = mended(path)
            self.trees[0].note(gold, mends.missing)
            self.trees[1].note(parsed, mends.extra)
        if self._attribution:
            targets = self._attribution.targets(tree, path, types, mends)
            sentence = sentence._replace(
                brackets=self._attribution.bracket_errors(path, mends),
                heads=self._attribution.head_errors(tree, path, mends),
            )
        each = zip(types, path.edits, targets, strict=True)
        repairs = tuple(
            Repair(step, *parts) for step, parts in enumerate(each, start=1)
        )
        return sentence._replace(repairs=repairs)


def types_of(
    path: Path,
    classifier: Classifier,
    marks: Sequence[Mapping[int, str]] = ({}, {}),
    *,
    is_chinese: bool = False,
) -> list[str]:
    """The type of each edit; in Chinese, by the rules for it.

    `marks` are the tags of punctuation marks by node, of gold and parsed.
    """
    is_ours = classifier is Classifier.SPINAL
    if not is_chinese:
        classify = spinal if is_ours else kummerfeld
        return [classify(edit) for edit in path.edits]
    from analyzer.editing.chinese import Tags, chinese, kummerfeld_chinese

    gold = path.bench.gold
    tags = Tags(_tags(path.parsed, marks[1]), _tags(gold, marks[0]), _tags(gold, {}))
    classify_chinese = chinese if is_ours else kummerfeld_chinese
    return [classify_chinese(edit, tags) for edit in path.edits]


def _punctuation(tree: FlatTree, side: Prepared, number: int) -> dict[int, str]:
    """The tags of punctuation marks together with their words, by node."""
    mark = SYMBOLS.id(_PUNCTUATION)
    if mark not in tree.label:
        return {}
    words = side.words(number)
    return {
        node: f"{_PUNCTUATION}{words[tree.first[node]]}"
        for node, label in enumerate(tree.label)
        if label == mark and tree.is_terminal[node]
    }


def _tags(tree: FlatTree, marks: Mapping[int, str]) -> list[str]:
    """The tags of a sentence's words."""
    return [
        marks.get(node) or SYMBOLS.name(label)
        for node, label in enumerate(tree.label)
        if tree.is_terminal[node]
    ]


# -- what comes of it ----------------------------------------------------------------


class TypeRow(NamedTuple):
    """A type of error; None where a ratio is undefined."""

    error_type: str
    errors: int
    nodes: int  # the wrong and missing brackets that these errors make
    nodes_per_error: float | None
    share: float | None  # of all bracket errors
    per_sentence: float | None  # bracket errors a sentence


@dataclass(eq=False, repr=False)
class Repairs(Result):
    """What `repairs` returns: types of error, and the errors if asked for."""

    classifier: Classifier
    settings: Mapping[str, object] = field(default_factory=dict)
    deriver: SyntaxDeriver | None = None  # if trees are kept: what scores them
    errors: Counter[str] = field(default_factory=Counter)  # by type
    nodes: Counter[str] = field(default_factory=Counter)
    ledger: Ledger = field(default_factory=Ledger)
    kept: list[RepairedSentence] | None = None
    trees: tuple[KeptTrees, KeptTrees] | None = None  # gold and parsed, if kept
    read: int = 0  # how many sentences were read, searched or not

    verb: ClassVar[str] = "searched"
    counts_roots: ClassVar[bool] = True

    def __repr__(self) -> str:
        errors = counted(self.total.errors, "error")
        return f"<Repairs ({self.classifier}): {errors}, {self.scored_text()}>"

    @property
    def rows(self) -> list[TypeRow]:
        """One row a type, the most frequent first."""
        names = sorted(
            self.errors, key=lambda name: (self.errors[name], self.nodes[name], name)
        )
        return [
            self._row(name, self.errors[name], self.nodes[name])
            for name in reversed(names)
        ]

    @property
    def total(self) -> TypeRow:
        """All types together."""
        return self._row(TOTAL, self.errors.total(), self.nodes.total())

    def _row(self, name: str, errors: int, nodes: int) -> TypeRow:
        return TypeRow(
            name,
            errors,
            nodes,
            ratio(nodes, errors),
            ratio(nodes, self.nodes.total()),
            ratio(nodes, self.ledger.scored),
        )

    @property
    def sentences(self) -> list[RepairedSentence]:
        """One entry for each sentence, if sentences are kept."""
        if self.kept is None:
            raise SettingsError("E503 sentences were not kept")
        return self.kept

    def only(self, sentences: list[RepairedSentence]) -> Repairs:
        """The errors of some of the sentences."""
        part = replace(self, errors=Counter(), nodes=Counter(), kept=sentences)
        for sentence in sentences:
            count_types(sentence, part.errors, part.nodes)
        numbers = {sentence.sentence for sentence in sentences}
        items = tuple(item for item in self.ledger.items if item.sentence in numbers)
        scored = sum(sentence.status is Status.OK for sentence in sentences)
        part.read = size = len(sentences)
        part.ledger = Ledger(gold=size, parsed=size, scored=scored, items=items)
        return part

    @property
    def signature(self) -> Signature:
        """How the errors were found."""
        return Signature.of(
            scorer="repairs",
            classifier=self.classifier,
            **self.settings,
            **self.ledger.settings,
            words="equal" if self.classifier is Classifier.SPINAL else "equally many",
        )

    def frame(self) -> pd.DataFrame:
        """The rows and the total as a DataFrame, indexed by type."""
        return frame_of([*self.rows, self.total], TypeRow._fields, "error_type")

    def errors_frame(self) -> pd.DataFrame:
        """One row an error: what is edited, and how."""
        listed = [
            (sentence.id, row)
            for sentence in self.sentences
            for row in error_rows(sentence)
        ]
        frame = frame_of([row for _, row in listed], ErrorRow._fields)
        if self.has_ids:
            frame.insert(1, "id", [name for name, _ in listed])
        return frame

    @property
    def has_ids(self) -> bool:
        """Whether the files name their sentences."""
        return any(sentence.id for sentence in self.sentences)

    def sentence_of(self, wanted: str) -> RepairedSentence:
        """The sentence that is called so; else the one of that number."""
        names = [sentence.id or str(sentence.sentence) for sentence in self.sentences]
        if wanted in names:
            return self.sentences[names.index(wanted)]
        if wanted.isdecimal() and 0 < int(wanted) <= len(names):
            return self.sentences[int(wanted) - 1]
        raise SettingsError("E862 there is no sentence", number=wanted, n=len(names))

    def kept_trees(self) -> tuple[KeptTrees, KeptTrees]:
        """Gold trees and parses, as they were compared, if trees are kept."""
        if self.trees is None:
            raise SettingsError("E554 trees were not kept")
        return self.trees

    def stages(self, sentence: RepairedSentence) -> list[Stage]:
        """The edits of a sentence, each with the trees before and after it."""
        _, parses = self.kept_trees()
        if not sentence.repairs:
            return []
        bank = some_trees(parses.bank, np.array([sentence.tree]))
        compared = np.where(bank.is_leaf, UNCOUNTED, bank.label)
        if self.classifier is Classifier.SPINAL and self.deriver:
            of_root = self.deriver.tables.phrase_class(bank.label[:1])
            compared[:1][of_root == DELETED] = UNCOUNTED
        rows, labels = np.arange(bank.label.size), default_labels()
        if self.deriver:
            labels = self.deriver.inventory.labels
        parsed = Prepared(bank, compared, rows, not labels.no_root).tree_at(0)
        edits = [error.edit for error in sentence.repairs]
        types = [error.error_type for error in sentence.repairs]
        return stages(parsed, edits, types, bank[0].words)

    def crossed(self, what: str = "brackets") -> dict[tuple[str, str], int]:
        """How many errors there are by construction and type of the edit that mends
        them: wrong and missing `brackets`, or `heads`, which F-h counts.

        Our classifier names constructions. Heads that no edit explains are of the type
        NO_EDIT.
        """
        if self.classifier is not Classifier.SPINAL:
            raise SettingsError("E553 names constructions")
        counts: Counter[tuple[str, str]] = Counter()
        for sentence in self.sentences:
            for error in sentence.brackets if what == "brackets" else sentence.heads:
                kind = (
                    sentence.repairs[error.step - 1].error_type
                    if error.step
                    else NO_EDIT
                )
                counts[error.construction, kind] += 1
        return dict(counts)


class ErrorRow(NamedTuple):
    """An error as it is listed; `old->new` where an edit changes something.

    Spans are in words from 0, the last one excluded, deleted ones left out.
    """

    sentence: int
    step: int
    error_type: str
    nodes: int
    operation: str
    label: str
    parent: str
    span: str
    children: str  # of a move, what moved
    added: str  # the label of a bracket that a move adds
    construction: str
    head: str
    governor: str
    words: str


def error_rows(sentence: RepairedSentence) -> list[ErrorRow]:
    """The errors of a sentence, in the order in which they are mended."""
    rows = []
    for step, error_type, edit, touched in sentence.repairs:
        label = f"{edit.label}->{edit.new_label}" if edit.new_label else edit.label
        parent = f"{edit.parent}->{edit.new_parent}" if edit.new_parent else edit.parent
        rows.append(
            ErrorRow(
                sentence.sentence,
                step,
                error_type,
                edit.nodes,
                edit.operation,
                label,
                parent,
                f"{edit.first}-{edit.last}",
                " ".join(edit.children),
                edit.added,
                *touched,
                " ".join(sentence.text[edit.first : edit.last]),
            )
        )
    return rows


@scoring_keywords
def repairs(
    gold: Trees,
    parsed: Trees,
    *,
    classifier: Classifier | str = Classifier.KUMMERFELD,
    by_sentence: bool = False,
    keep_trees: bool = False,
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[ScoringOptions],
) -> Repairs:
    """The errors of a parser by type: edits that turn its trees into gold.

    The classifier `kummerfeld` counts as the program of Kummerfeld et al. does, its
    slips included: trees are prepared in its way, and words need not be equal, only
    equally many. `spinal` prepares trees as `score` does, mends the slips, and names
    the construction that each error touches. With `patterns="chinese"` either has the
    types for Chinese. With `by_sentence` the result has the errors of each sentence;
    with `keep_trees`, which `worth` needs, the trees too.

    >>> gold = "(S (NP (PRP I)) (VP (VBP see) (NP (PRP it)) (PP (IN on) (NN TV))))"
    >>> parsed = gold.replace("(NP (PRP it))", "(NP (NP (PRP it))") + ")"
    >>> [(row.error_type, row.nodes) for row in repairs(gold, parsed).rows]
    [('PP Attachment', 1)]
    """
    if Classifier(classifier) is Classifier.KUMMERFELD and not keep_trees:
        for name in _FOR_SCORES:
            if options.get(name):
                raise SettingsError("E556 changes nothing here", name=name)
    return run_search(
        gold,
        parsed,
        classifier=classifier,
        by_sentence=by_sentence,
        keep_trees=keep_trees,
        backend=backend or Backend(jobs),
        **options,
    )


def run_search(
    gold: Trees,
    parsed: Trees,
    *,
    classifier: Classifier | str,
    by_sentence: bool,
    keep_trees: bool = False,
    backend: Backend,
    every: int = 1,
    **options: Unpack[ScoringOptions],
) -> Repairs:
    """What `repairs` gives back; of `every` so many sentences one is searched.

    To be called by the function that the user called, on whose behalf it warns.
    """
    reading = TreeReading(**options)
    chosen = Classifier(classifier)
    opened = reading.resolve(gold), reading.resolve(parsed)
    if family_of_trees(opened[0]) is Family.DISCOURSE:
        raise SettingsError("E551 repairs are for sentences, not for documents")
    if reading.mismatch not in (OnMismatch.SKIP, OnMismatch.ERROR):
        raise SettingsError("E552 no edit can correct words that differ")
    reading.require_same_words("repairs")
    is_ours = chosen is Classifier.SPINAL
    deriver: SyntaxDeriver | None = None
    needs_labels = reading.no_root or reading.patterns != DEFAULT_INVENTORY
    if is_ours or keep_trees or needs_labels:
        from analyzer.derivation.syntax import SyntaxDeriver

        made = reading.deriver_for(opened[0])
        assert isinstance(made, SyntaxDeriver)
        deriver = made
    labels = deriver.inventory.labels if deriver and is_ours else None
    tasks = reading.open_sentences(*opened, backend, labels=labels, by_line=not is_ours)
    result = search_tasks(
        tasks,
        chosen,
        deriver,
        by_sentence=by_sentence,
        keep_trees=keep_trees,
        on_mismatch=reading.mismatch,
        backend=backend,
        every=every,
    )
    result.ledger.check(name_of(opened[1]), reading.max_left_out)
    return result


def search_tasks(
    tasks: Blocks | Shards,
    classifier: Classifier,
    deriver: SyntaxDeriver | None,
    *,
    by_sentence: bool = False,
    keep_trees: bool = False,
    on_mismatch: OnMismatch = OnMismatch.SKIP,
    backend: Backend,
    every: int = 1,
) -> Repairs:
    """The errors in all pairs of some tasks; see `run_search`."""
    labels = deriver.inventory.labels if deriver else default_labels()
    own = deriver if classifier is Classifier.SPINAL else None
    settings = dict(own.settings) if own else {}
    is_chinese = labels.name == CHINESE
    if own is None:  # the reference's rules need no deriver
        settings |= {"rules": CHINESE} if is_chinese else {}
        settings |= labels.root_settings
    keep = by_sentence or keep_trees
    counter = RepairCounter(
        *(classifier, own, keep, keep_trees, on_mismatch, is_chinese, every),
        no_root=labels.no_root,
    )
    counts, ledger = count_tasks(tasks, counter, backend)
    counts = counts or RepairCounts(Counter(), Counter(), [])
    kept: list[RepairedSentence] = []
    read = 0
    for pair in counts.pairs:
        for sentence in pair.kept:
            place = len(kept) if keep_trees else -1
            kept.append(
                sentence._replace(sentence=sentence.sentence + read, tree=place)
            )
        read += pair.size
    trees = None
    if keep_trees:
        both = [pair.trees for pair in counts.pairs if pair.trees]
        sides = zip(*both, strict=True) if both else ([], [])
        gold, parsed = (KeptTrees.joined(list(side)) for side in sides)
        trees = gold, parsed
    return Repairs(
        classifier,
        settings,
        deriver if keep_trees else None,
        counts.errors,
        counts.nodes,
        ledger + tasks.ledger(),
        kept if keep else None,
        trees,
        read,
    )
