"""What kinds of error a parser makes, as edits from its trees to gold: `repairs`.

Kummerfeld, Hall, Curran and Klein (2012): every edit is an error, with a type such as
"PP Attachment" and a number of brackets. docs/repairs.md has the definitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Unpack

from analyzer.analyses.opening import (
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
    family_of_trees,
)
from analyzer.analyses.repair_records import (
    Classifier,
    RepairCounts,
    RepairedSentence,
    TypeCounts,
)
from analyzer.analyses.repair_search import CHINESE, RepairWork
from analyzer.constructions.language import DEFAULT_INVENTORY
from analyzer.exceptions import SettingsError
from analyzer.formats.registry import Family
from analyzer.metrics.ratios import ratio
from analyzer.metrics.signature import Signature
from analyzer.model.values import Value
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.pairing.mismatches import OnMismatch
from analyzer.runtime.executor import Backend
from analyzer.safe_text import counted

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.derivation.syntax import SyntaxDeriver

TOTAL = "total"
_FOR_SCORES = ("parameters", "merge", "delete")
NO_EDIT = "no edit"


class TypeRow(NamedTuple):
    """A type of error; None where a ratio is undefined."""

    error_type: str
    errors: int
    nodes: int  # the wrong and missing brackets that these errors make
    nodes_per_error: float | None
    share: float | None  # of all bracket errors
    per_sentence: float | None  # bracket errors a sentence


@dataclass(eq=False)
class Repairs(Value):
    """What `repairs` returns: types of error, and the errors if asked for."""

    classifier: Classifier
    settings: Mapping[str, object] = field(default_factory=dict)
    deriver: SyntaxDeriver | None = None  # if trees are kept: what scores them
    types: dict[str, TypeCounts] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=Ledger)
    kept: list[RepairedSentence] | None = None
    _seen: int = 0

    def __repr__(self) -> str:
        found = counted(self.total.errors, "error")
        return f"<Repairs ({self.classifier}): {found}, {self.scored_text()}>"

    def add(self, counts: RepairCounts) -> None:
        """Count what was found in the sentences that come next."""
        for name, found in counts.types.items():
            self.types[name] = self.types.get(name, TypeCounts()).plus(found)
        self.ledger = self.ledger.plus(counts.ledger)
        if self.kept is not None:
            before = self._seen
            self.kept += [
                one._replace(sentence=one.sentence + before) for one in counts.kept
            ]
        self._seen += counts.sentences

    @property
    def read(self) -> int:
        """How many sentences were read, searched or not."""
        return self._seen

    @property
    def rows(self) -> list[TypeRow]:
        """One row a type, the most frequent first."""
        total = sum(found.nodes for found in self.types.values())
        names = sorted(self.types, key=lambda name: (*self.types[name], name))
        return [self._row(name, self.types[name], total) for name in reversed(names)]

    @property
    def total(self) -> TypeRow:
        """All types together."""
        sums = TypeCounts()
        for found in self.types.values():
            sums = sums.plus(found)
        return self._row(TOTAL, sums, sums.nodes)

    def _row(self, name: str, found: TypeCounts, total: int) -> TypeRow:
        return TypeRow(
            name,
            found.errors,
            found.nodes,
            ratio(found.nodes, found.errors),
            ratio(found.nodes, total),
            ratio(found.nodes, self.ledger.scored),
        )

    @property
    def sentences(self) -> list[RepairedSentence]:
        """One entry for each sentence, if sentences are kept."""
        if self.kept is None:
            raise SettingsError(
                "sentences were not kept: pass by_sentence=True", code="E503"
            )
        return self.kept

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences whose errors are not counted, and why."""
        return self.ledger.mismatches

    @property
    def signature(self) -> Signature:
        """How the errors were found."""
        return Signature.of(
            scorer="repairs",
            classifier=self.classifier,
            **self.settings,
            words="equal" if self.classifier is Classifier.SPINAL else "equally many",
        )

    def scored_text(self) -> str:
        """What was searched, and what was left out, in a sentence."""
        return self.ledger.text("searched")

    def _repr_html_(self) -> str:
        from reports.notebook import repairs_html

        return repairs_html(self)

    def frame(self) -> pd.DataFrame:
        """The rows and the total as a DataFrame, indexed by type."""
        import pandas as pd

        table = pd.DataFrame([*self.rows, self.total], columns=TypeRow._fields)
        return table.set_index("error_type")

    def errors_frame(self) -> pd.DataFrame:
        """One row an error: what is edited, and how."""
        import pandas as pd

        found = [(one.id, row) for one in self.sentences for row in error_rows(one)]
        frame = pd.DataFrame([row for _, row in found], columns=ErrorRow._fields)
        if self.has_ids:
            frame.insert(1, "id", [name for name, _ in found])
        return frame

    @property
    def has_ids(self) -> bool:
        """Whether the files name their sentences."""
        return any(one.id for one in self.sentences)

    def place_of(self, wanted: str) -> int:
        """Which of the sentences is called so, from 0; else the one of that number."""
        names = [one.id or str(one.sentence) for one in self.sentences]
        if wanted in names:
            return names.index(wanted)
        if wanted.isdecimal() and 0 < int(wanted) <= len(names):
            return int(wanted) - 1
        raise SettingsError(
            "there is no sentence {number}: there are {n:sentence}",
            code="E862",
            number=wanted,
            n=len(names),
        )

    def crossed(self, what: str = "brackets") -> dict[tuple[str, str], int]:
        """How many errors there are by construction and type of the edit that mends
        them: wrong and missing `brackets`, or `heads`, which F-h counts.

        Our classifier names constructions. Heads that no edit explains are of the type
        NO_EDIT.
        """
        if self.classifier is not Classifier.SPINAL:
            raise SettingsError(
                "constructions are named by the classifier spinal only", code="E553"
            )
        found: Counter[tuple[str, str]] = Counter()
        for one in self.sentences:
            for error in one.brackets if what == "brackets" else one.heads:
                kind = one.repairs[error.step - 1].error_type if error.step else NO_EDIT
                found[error.construction, kind] += 1
        return dict(found)


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


def error_rows(found: RepairedSentence) -> list[ErrorRow]:
    """The errors of a sentence, in the order in which they are mended."""
    rows = []
    for step, error_type, edit, touched in found.repairs:
        label = f"{edit.label}->{edit.new_label}" if edit.new_label else edit.label
        parent = f"{edit.parent}->{edit.new_parent}" if edit.new_parent else edit.parent
        rows.append(
            ErrorRow(
                found.sentence,
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
                " ".join(found.text[edit.first : edit.last]),
            )
        )
    return rows


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
    chosen = Classifier(classifier)
    if chosen is Classifier.KUMMERFELD and not keep_trees:
        for name in _FOR_SCORES:
            if options.get(name):
                raise SettingsError(
                    "the option {name} changes nothing here: the classifier kummerfeld "
                    "prepares trees in its own way; the classifier spinal uses it",
                    code="E556",
                    name=name,
                )
    found, warn = searched(
        gold,
        parsed,
        classifier=chosen,
        by_sentence=by_sentence,
        keep_trees=keep_trees,
        backend=backend or Backend(jobs),
        **options,
    )
    warn()
    return found


def searched(
    gold: Trees,
    parsed: Trees,
    *,
    classifier: Classifier | str,
    by_sentence: bool,
    keep_trees: bool,
    backend: Backend,
    every: int = 1,
    **options: Unpack[ScoringOptions],
) -> tuple[Repairs, Callable[[], None]]:
    """What `repairs` gives back, and what warns of sentences that were left out: to be
    called by the function that the user called. Of `every` so many sentences one is
    searched."""
    reading = TreeReading(**options)
    chosen = Classifier(classifier)
    opened = reading.given(gold), reading.given(parsed)
    if family_of_trees(opened[0]) is Family.DISCOURSE:
        raise SettingsError("repairs are for sentences, not for documents", code="E551")
    if reading.mismatch not in (OnMismatch.SKIP, OnMismatch.ERROR):
        raise SettingsError(
            "no edit mends words that differ: for repairs, on_mismatch must be skip or "
            "error",
            code="E552",
        )
    is_ours = chosen is Classifier.SPINAL
    deriver: SyntaxDeriver | None = None
    if is_ours or keep_trees or reading.patterns != DEFAULT_INVENTORY:
        deriver = _deriver_for(reading, opened[0])
    is_chinese = deriver is not None and deriver.inventory.labels.name == CHINESE
    own = deriver if is_ours else None  # the reference's rules need none
    labels = own.inventory.labels if own else None
    keep = by_sentence or keep_trees
    work = RepairWork(
        chosen, own, keep, keep_trees, reading.mismatch, is_chinese, every
    )
    settings = dict(own.settings) if own else {}
    if is_chinese and not is_ours:
        settings["rules"] = CHINESE
    result = Repairs(
        chosen,
        settings,
        deriver if keep_trees else None,
        kept=[] if keep else None,
    )
    tasks = reading.open_sentences(*opened, backend, labels=labels, by_line=not is_ours)
    for counts in tasks.counts(work, backend):
        result.add(counts)
    result.ledger = result.ledger.plus(tasks.ledger())
    return result, partial(reading.finish, result.ledger, opened[1])


def _deriver_for(reading: TreeReading, trees: OpenedTrees) -> SyntaxDeriver:
    from analyzer.derivation.syntax import SyntaxDeriver

    found = reading.deriver_for(trees)
    assert isinstance(found, SyntaxDeriver)
    return found
