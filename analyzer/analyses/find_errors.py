"""The errors of a parser one by one, and what it does instead: `find_errors`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.errors import (
    OF_BRACKETS,
    ErrorsOfBlock,
    Instance,
    Kind,
    confusions,
)
from analyzer.analyses.functions import FunctionScores
from analyzer.analyses.opening import ScoringOptions, TreeReading, Trees
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import InputError, Place, SettingsError
from analyzer.metrics.constructions import compare
from analyzer.metrics.function_counts import FunctionTally
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Flags
from analyzer.model.settings import require_number
from analyzer.pairing.in_step import NOTHING_MORE, Ending, PairTask
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.pairing.mismatches import OnMismatch, mismatch_setting
from analyzer.runtime.executor import Backend
from analyzer.safe_text import counted
from analyzer.transform.relations import RelationHint

if TYPE_CHECKING:
    import pandas as pd

# A wrong right edge is a wrong span, too; function tags are for whoever asks.
ALL_KINDS = tuple(
    kind for kind in OF_BRACKETS if kind not in (Kind.SPAN_RIGHT, Kind.FUNCTION)
)
_FUNCTIONS = (Kind.FUNCTION, Kind.WORD_FUNCTION)


class FoundError(NamedTuple):
    """An error, and the words of its sentence."""

    error: Instance
    words: list[str]


class ErrorCounts(NamedTuple):
    """What is found in a task."""

    rows: list[FoundError]  # the first ones
    total: int
    confusions: Counter[tuple[str, str]]
    constructions: list[str]  # that occur
    ledger: Ledger
    functions: FunctionTally | None = None  # if asked for
    sentences: int = 0  # of those that are wanted by name
    ending: Ending = NOTHING_MORE

    def change(self, item: Callable[[LeftOut], LeftOut]) -> ErrorCounts:
        """The counts, with each item of their ledger changed."""
        return self._replace(ledger=self.ledger.change(item))


@dataclass(frozen=True)
class ErrorWork:
    """How errors are found in a task."""

    deriver: Deriver
    kinds: tuple[Kind, ...]
    construction: str | None
    limit: int | None
    on_mismatch: OnMismatch = OnMismatch.SKIP
    sentences: frozenset[int | str] = frozenset()  # those that are wanted; none: all

    def __call__(self, task: PairTask) -> ErrorCounts:
        rows: list[FoundError] = []
        confused: Counter[tuple[str, str]] = Counter()
        ledger = Ledger()
        functions: FunctionTally | None = None
        total = wanted = 0
        for pair in task.pairs():
            comparison = compare(pair, self.deriver, on_mismatch=self.on_mismatch)
            if comparison.left_out and self.on_mismatch == "error":
                raise comparison.left_out[0].error
            ledger = ledger.plus(comparison.ledger)
            confused += confusions(comparison)
            if comparison.functions is not None:
                functions = functions or FunctionTally()
                functions.add(comparison.functions.tally())
            chosen: Flags | None = None
            if self.sentences:
                trees = range(pair.sentences)
                is_among = [pair.is_among(tree, self.sentences) for tree in trees]
                chosen = np.array(is_among, np.bool_)
                wanted += sum(is_among)
            errors = ErrorsOfBlock(pair, comparison)
            room = None if self.limit is None else self.limit - len(rows)
            of_block, found = errors.first(self.kinds, room, self.construction, chosen)
            total += of_block
            rows += [
                FoundError(one, errors.text.words(one.sentence - pair.first_sentence))
                for one in found
            ]
        names = self.deriver.constructions.listed
        return ErrorCounts(
            rows, total, confused, names, ledger, functions, wanted, task.ending
        )


@dataclass
class ErrorList:
    """What `find_errors` returns: errors in the order of the text."""

    deriver: Deriver
    kinds: tuple[Kind, ...]
    rows: list[FoundError] = field(default_factory=list)
    total: int = 0  # also of those that a limit leaves out of the rows
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    ledger: Ledger = field(default_factory=Ledger)
    relation_hint: RelationHint | None = None  # of documents: a map for their labels
    on_mismatch: OnMismatch = OnMismatch.SKIP
    function_tally: FunctionTally = field(default_factory=FunctionTally)

    def __repr__(self) -> str:
        told = self.ledger.text("looked at")
        errors = counted(self.total, "error")
        return f"<ErrorList: {errors}, {len(self.rows):,} listed, {told}>"

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences that cannot be compared with gold, and why."""
        return self.ledger.mismatches

    @property
    def functions(self) -> FunctionScores | None:
        """The scores of function tags, if asked for; they have confusions of tags."""
        tags = self.deriver.function_tags
        return FunctionScores.from_tally(self.function_tally, tags) if tags else None

    @property
    def signature(self) -> Signature:
        """How the errors were found."""
        mismatch = mismatch_setting(self.on_mismatch)
        return Signature.of(scorer="errors", **self.deriver.settings, **mismatch)

    def frame(self) -> pd.DataFrame:
        """One row an error; spans are in words from 0, as in words[first:last]."""
        import pandas as pd

        records = []
        has_ids = any(one.error.id for one in self.rows)
        for error, words in self.rows:
            present = error.gold or error.parsed
            record: dict[str, object] = {
                "sentence": error.sentence,
                **({"id": error.id} if has_ids else {}),
                "kind": error.kind.value,
                "construction": present.construction if present else None,
                "word": error.word,
                "position": error.position,
            }
            for side, found in (("gold", error.gold), ("parsed", error.parsed)):
                record[f"{side}_first"] = found.first if found else None
                record[f"{side}_last"] = found.last if found else None
                record[f"{side}_governor"] = found.governor if found else None
                if {*_FUNCTIONS} & {*self.kinds}:
                    tags = found.functions if found else None
                    record[f"{side}_functions"] = (
                        None if tags is None else " ".join(tags)
                    )
            record["text"] = " ".join(words)
            records.append(record)
        return pd.DataFrame(records)

    def confusions_frame(self) -> pd.DataFrame:
        """What gold has, what the parser has instead, and how often."""
        import pandas as pd

        rows = [(*pair, count) for pair, count in self.confusions.most_common()]
        return pd.DataFrame(rows, columns=["gold", "parsed", "count"])

    def _repr_html_(self) -> str:
        from reports.notebook import errors_html

        return errors_html(self)


def find_errors(
    gold: Trees,
    parsed: Trees,
    *,
    kinds: Collection[Kind | str] | None = None,
    construction: str | None = None,
    sentences: Collection[int | str] = (),
    limit: int | None = None,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> ErrorList:
    """The errors of some kinds, of one construction or all; the first ones.

    `sentences` are numbers, or what the files call them; none: all.

    All kinds are looked for but `span-right`, which `span` has, and `function` unless
    `functions` are to be scored or the kind is named. What the parser has
    instead of what gold has (`confusions`) is counted for all errors. `ScoringOptions`
    lists the other options.

    >>> gold, parsed = "(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))"
    >>> found = find_errors(gold, parsed)
    >>> [(one.kind.value, one.word) for one, _ in found.rows]
    [('head-missed', 'I')]
    """
    chosen = _kinds(kinds, bool(options.get("functions")))
    if {*_FUNCTIONS} & {*chosen}:
        options["functions"] = True
    if limit is not None:
        require_number("limit", limit, least=0)
    reading, backend = TreeReading(**options), Backend(jobs)
    sides = reading.given(gold), reading.given(parsed)
    deriver = reading.deriver_for(sides[0])
    opened = reading.open(*sides, deriver, backend)
    result = ErrorList(
        deriver,
        chosen,
        ledger=Ledger(deriver.noun),
        relation_hint=opened.relation_hint,
        on_mismatch=reading.mismatch,
    )
    known = {pattern.name for pattern in deriver.inventory.patterns}
    occurring: set[str] = set()
    wanted = frozenset(sentences)
    work = ErrorWork(deriver, chosen, construction, limit, reading.mismatch, wanted)
    found = 0
    for counts in opened.tasks.counts(work, backend):
        room = None if limit is None else limit - len(result.rows)
        result.rows += counts.rows[:room]
        result.total += counts.total
        result.confusions += counts.confusions
        result.ledger = result.ledger.plus(counts.ledger)
        if counts.functions is not None:
            result.function_tally.add(counts.functions)
        occurring.update(counts.constructions)
        found += counts.sentences
    result.ledger = result.ledger.plus(opened.others())
    _require_sentences(wanted, found, opened.tasks.names[0])
    if result.functions and result.ledger.scored:
        result.functions.require_tags()
    if construction is not None and construction not in known | occurring:
        raise SettingsError(
            "no construction {construction!r}; in this data there are {occurring:list}",
            code="E809",
            construction=construction,
            occurring=sorted(occurring),
        )
    if construction is not None:
        if chosen == (Kind.ATTACHMENT,) and deriver.constructions.recurs(construction):
            raise SettingsError(
                "{construction} is recursive: it has no attachment of its own, and no "
                "errors of that kind",
                code="E544",
                construction=construction,
            )
        kept = {key: n for key, n in result.confusions.items() if construction in key}
        result.confusions = Counter(kept)
    reading.finish(result.ledger, opened.tasks.names[1])
    return result


def _kinds(
    given: Collection[Kind | str] | None, with_functions: bool
) -> tuple[Kind, ...]:
    """The kinds that are asked for; errors in function tags are of words as well."""
    if given is None:
        return (*ALL_KINDS, *_FUNCTIONS) if with_functions else ALL_KINDS
    names: Sequence[str] = [kind.value for kind in Kind]
    for kind in given:
        if not isinstance(kind, Kind) and kind not in names:
            raise SettingsError(
                "no errors of kind {kind!r}; there are {kinds:list}",
                code="E537",
                kind=kind,
                kinds=names,
            )
    chosen = dict.fromkeys(Kind(kind) for kind in given)
    if Kind.FUNCTION in chosen:
        chosen[Kind.WORD_FUNCTION] = None
    return tuple(chosen)


def _require_sentences(wanted: frozenset[int | str], found: int, source: str) -> None:
    """InputError if sentences were asked for and none of them is there."""
    if wanted and not found:
        raise InputError(
            "there is no sentence {missing}",
            Place(source),
            code="E849",
            missing=min(map(str, wanted)),
        )
