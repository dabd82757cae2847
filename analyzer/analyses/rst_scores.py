"""Every metric of Morey, Muller and Asher (2017, 2018), and constructions of discourse.

Documents are set beside each other by name and encoded in three ways: RST-Parseval,
attachment decisions, dependencies. What each metric counts is joined by document.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer.analyses.compared import Result, frame_of, texts_of
from analyzer.analyses.erst import (
    EnhancedScores,
    EnhancedSide,
    enhancements_of,
    score_enhancements,
)
from analyzer.analyses.generated_documents import (
    GeneratedDocuments,
    faithful_documents,
)
from analyzer.analyses.score import ConstructionScores, tally_and_units
from analyzer.derivation.discourse import discourse_deriver
from analyzer.exceptions import (
    AnalyzerError,
    PairingError,
    Place,
    SettingsError,
)
from analyzer.formats.documents import (
    DocumentSource,
    as_documents,
    multinuclear_of,
    read_written,
)
from analyzer.metrics.constructions import compare
from analyzer.metrics.counts import Counts
from analyzer.metrics.intervals import Units
from analyzer.metrics.join import Key
from analyzer.metrics.measures import Measure, Row, row_type
from analyzer.metrics.ratios import SCORED, harmonic
from analyzer.metrics.rst import (
    DECISIONS,
    DEPENDENCY,
    PARSEVAL,
    ClassCounts,
    EncodedPairs,
    RstSettings,
    encode,
    wide_note,
)
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import (
    Ints,
    begins,
)
from analyzer.model.discourse import DependencyTree, Documents
from analyzer.model.settings import (
    is_by_offsets,
    keywords,
    require_percent,
)
from analyzer.pairing.ledger import DOCUMENT, Fate, Ledger
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.partners import (
    check_documents,
    compare_labels,
    document_pairs,
    pair_documents,
    rooted_alike,
    with_aligned,
)
from analyzer.safe_text import counted
from analyzer.transform.documents import (
    Direction,
    DocumentShape,
    Roots,
    select_documents,
)
from analyzer.transform.head_order import RELEASED_MULTINUCLEAR, Multinuclear
from analyzer.transform.relations import FINE, RelationHint, RelationMap

if TYPE_CHECKING:
    import pandas as pd

MICRO, MACRO = "micro", "macro"
COUNT_FIELDS = ("matched", "gold", "parsed")
MICRO_F1 = Measure("f1", "2 matched", "gold + parsed", "F1")
_SHOWN = {PARSEVAL: ("S", "F"), DEPENDENCY: ("UAS", "LAS-F")}  # in a short view


class MetricRow(NamedTuple):
    """A metric under an encoding, averaged; counts are None for macro averages."""

    encoding: str
    metric: str
    average: str
    matched: int | None
    gold: int
    predicted: int | None
    precision: float | None
    recall: float | None
    f1: float | None
    low: float | None = None  # the 95 % interval of a micro F1, by documents
    high: float | None = None


class DocumentRow(NamedTuple):
    document: str
    encoding: str
    metric: str
    matched: int
    gold: int
    predicted: int
    f1: float | None


# A metric at one level: within sentences, within paragraphs, above, micro.
LevelRow = row_type(
    *("LevelRow", "encoding", "metric", "level", *SCORED), module=__name__
)
# One relation class under an encoding.
RelationRow = row_type(
    *("RelationRow", "encoding", "relation", *SCORED), module=__name__
)


@dataclass(eq=False, repr=False)
class RstScores(Result):
    """What `score_rst` gives back."""

    settings: RstSettings
    names: list[str]
    counts: dict[tuple[str, str], ClassCounts]
    relation_rows: list[Row] = field(default_factory=list)
    ledger: Ledger = field(default_factory=lambda: Ledger(DOCUMENT))
    relation_hint: RelationHint | None = None  # a map that labels should be under
    # Predicted, of more than two parts, where the reference has none.
    wide_units: int = 0
    enhanced: EnhancedScores | None = None  # of secondary edges and signals, if asked
    level_rows: list[Row] = field(default_factory=list)  # if asked
    # EDUs of gold, and of predicted, with characters that the other side lacks.
    changed_edus: tuple[int, int] = (0, 0)
    faithfulness: GeneratedDocuments | None = None  # of the texts, if asked

    @property
    def notes(self) -> list[str]:
        wide = wide_note(self.wide_units, self.settings.binarize)
        beside = []
        if self.enhanced is not None and not self.enhanced.rows:
            beside = [
                "no secondary edges and no signals are predicted: none are scored"
            ]
        if any(self.changed_edus):
            gold, parsed = self.changed_edus
            beside.append(
                f"{counted(gold, 'EDU')} of gold and {parsed:,} predicted have text "
                "that the other side lacks: no unit and no arc with them matches"
            )
        return [*super().notes, *wide, *beside, *texts_of(self.relation_hint)]

    @property
    def problems(self) -> list[AnalyzerError]:
        """What could not be read."""
        return self.ledger.unread

    @property
    def signature(self) -> Signature:
        units = metric_units(self.counts)
        intervals = {"intervals": units.setting} if units.number > 1 else {}
        return self.settings.signature.replace(**intervals)

    @property
    def rows(self) -> list[MetricRow]:
        rows = []
        intervals = metric_units(self.counts).intervals(MICRO_F1, COUNT_FIELDS)
        for at, ((encoding, metric), counts) in enumerate(self.counts.items()):
            low, high = intervals[at]
            micro = _micro(encoding, metric, counts)
            rows.append(micro._replace(low=low, high=high))
            rows.append(self._macro(encoding, metric, counts))
        return rows

    @property
    def document_rows(self) -> list[DocumentRow]:
        return [
            DocumentRow(name, encoding, metric, matched, gold, predicted, f1)
            for (encoding, metric), counts in self.counts.items()
            for name, matched, gold, predicted, f1 in zip(
                self.names,
                counts.matched.tolist(),
                counts.gold.tolist(),
                counts.parsed.tolist(),
                [_none_if_nan(value) for value in _ratios(counts)[2]],
                strict=True,
            )
        ]

    def _macro(self, encoding: str, metric: str, counts: ClassCounts) -> MetricRow:
        """Means over documents of P, R and F1 (2018: `per_doc`).

        A document without items (one EDU) has no score and is left out; the released
        program counts it as 0.
        """
        ratios = _ratios(counts)
        if self.settings.as_released:
            means = [float(np.nan_to_num(values).mean()) for values in ratios]
        else:
            has_items = counts.gold + counts.parsed > 0
            means = [
                float(np.nan_to_num(values[has_items]).mean())
                if has_items.any()
                else float("nan")
                for values in ratios
            ]
        precision, recall, f1 = (_none_if_nan(mean) for mean in means)
        total = int(counts.gold.sum())
        return MetricRow(
            encoding, metric, MACRO, None, total, None, precision, recall, f1
        )

    def frame(self) -> pd.DataFrame:
        """The rows as a table of pandas."""
        return frame_of(self.rows, MetricRow._fields)

    def __repr__(self) -> str:
        f1 = [
            f"{row.metric} {row.f1:.3f}"
            for row in self.rows
            if row.average == MICRO
            and row.metric in _SHOWN.get(row.encoding, ())
            and row.f1 is not None
        ]
        return f"<RstScores: {counted(len(self.names), 'document')}, {', '.join(f1)}>"


def metric_units(counts: Mapping[tuple[str, str], ClassCounts]) -> Units:
    """Documents, and what each metric counts of them."""
    names = [f"{encoding} {metric}" for encoding, metric in counts]
    nothing = np.zeros(0, np.int64)
    columns = [
        np.concatenate(
            [
                nothing,
                *(getattr(metric_counts, field) for metric_counts in counts.values()),
            ]
        )
        for field in COUNT_FIELDS
    ]
    documents = columns[0].size // max(1, len(names))
    table = Counts(
        names,
        documents,
        np.tile(np.arange(documents), len(names)),
        np.repeat(np.arange(len(names)), documents),
        np.stack(columns, axis=1),
    )
    return Units("documents", documents, table)


def _micro(encoding: str, metric: str, counts: ClassCounts) -> MetricRow:
    micro = counts.micro
    row = MetricRow(encoding, metric, MICRO, *micro.scored)
    return row._replace(f1=harmonic(micro.precision, micro.recall))


def _ratios(counts: ClassCounts) -> list[npt.NDArray[np.float64]]:
    """Precision, recall and F1 of each document; nan where undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = counts.matched / counts.parsed
        recall = counts.matched / counts.gold
        f1 = 2 * precision * recall / (precision + recall)
        f1 = np.where(counts.matched == 0, np.where(counts.gold > 0, 0.0, np.nan), f1)
    return [precision, recall, f1]


def _none_if_nan(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


# -- the scores ------------------------------------------------------------------------


class RstConstructionScores(NamedTuple):
    """Scores per construction, and the documents they are of."""

    scores: ConstructionScores
    names: list[str]

    @property
    def ledger(self) -> Ledger:
        """What was scored, what was left out and why."""
        return self.scores.ledger


@keywords()
def score_rst(
    gold: DocumentSource,
    parsed: DocumentSource,
    *,
    binarize: Direction | str = Direction.RIGHT,
    relations: str | RelationMap | None = FINE,
    roots: Roots | str = Roots.JOIN,
    no_root: bool = False,
    parseval_root: bool = False,
    as_released: bool = False,
    binarize_parsed: bool | None = None,
    segmentation: str = "same",
    erst: bool = False,
    levels: str | None = None,
    faithfulness: bool = False,
    multinuclear: str | Iterable[str] | None = None,
    strict: bool = False,
    encoding: str = "utf-8",
    jobs: int | None = 1,
    on_mismatch: OnMismatch | str = OnMismatch.SKIP,
    max_left_out: float | None = None,
) -> RstScores:
    """Every metric of the papers for documents of the same names and EDUs.

    `relations` is a map of relations to classes, its name or its file; `fine`: labels
    as they are. `roots`: what becomes of documents of several trees. `no_root`: the
    root's attachment does not count in dependency scores; `parseval_root`: the root
    counts in RST-Parseval too; `as_released`: as the papers' own program does;
    `binarize_parsed`: both sides are binarised (default), or only gold, as that program
    does; `segmentation`: EDUs may differ, and units are compared by characters
    (offsets); or (edu-ends) they may, and a unit is the ends of its first and last
    EDU, as DMRST and isanlp count, the end of the text among the boundaries;
    `erst`: secondary edges and signals are scored too, and the tree by signals
    (`enhanced` of the result);
    `levels`: .rsd documents that number sentences, and mark paragraphs: scores within
    sentences, between those of a paragraph, and above (`level_rows` of the result);
    `faithfulness`: what was changed in the texts (`faithfulness` of the result);
    `multinuclear`: relations between nuclei, for dependencies without nuclearity: a
    collection, a text with commas, a file of them, or trees to learn them from.
    `on_mismatch`: documents without partner are left out (skip), count as finding
    nothing (zero), or are an error; so are more than `max_left_out` percent left out.
    With `align`, texts may differ: units with changed words match nothing.

    >>> score_rst("(NS-Cause (1) (2))", "(NS-Reason (1) (2))")
    <RstScores: 1 document, S 1.000, F 0.500, UAS 1.000, LAS-F 0.500>
    """
    on_mismatch = OnMismatch(on_mismatch)
    require_percent("max_left_out", max_left_out)
    settings = RstSettings(
        binarize=binarize,
        relations=relations,
        roots=roots,
        no_root=no_root,
        as_released=as_released,
        segmentation=segmentation,
        parseval_root=parseval_root,
        binarize_parsed=binarize_parsed,
        is_aligned=on_mismatch is OnMismatch.ALIGN,
    )
    if settings.is_aligned and (levels or erst):
        raise SettingsError("E968 --on-mismatch align does not go with")
    sides = both_sides(
        *(gold, parsed, settings),
        multinuclear=multinuclear,
        strict=strict,
        encoding=encoding,
        jobs=jobs,
        keep_texts=faithfulness or settings.segmentation != "same",
    )
    result = score_documents(
        *(*sides, settings),
        on_mismatch=on_mismatch,
        erst=erst,
        levels=levels,
    )
    if faithfulness:
        result.faithfulness = faithful_documents(*sides)
    result.ledger.check(sides[1].bank.source, max_left_out)
    return result


def both_sides(
    gold: DocumentSource,
    parsed: DocumentSource,
    settings: RstSettings,
    *,
    multinuclear: str | Iterable[str] | None,
    strict: bool,
    encoding: str,
    jobs: int | None,
    keep_texts: bool,
) -> tuple[Documents, Documents]:
    """Gold and parsed, read alike; dependencies that are no tree as arcs."""
    nuclei = known_multinuclear(multinuclear, settings.relation_map, encoding)
    first, second = (
        as_documents(
            source,
            encoding=encoding,
            strict=strict,
            jobs=jobs,
            keep_texts=keep_texts,
            multinuclear=nuclei,
            graphs=True,
        )
        for source in (gold, parsed)
    )
    return first, second


def known_multinuclear(
    given: str | Iterable[str] | None, classes: RelationMap | None, encoding: str
) -> Multinuclear:
    """Relations between nuclei, those included whose classes are."""
    relations = multinuclear_of(given, encoding)
    return Multinuclear.of(
        RELEASED_MULTINUCLEAR if relations is None else relations, classes
    )


def score_documents(
    gold: Documents,
    parsed: Documents,
    settings: RstSettings,
    *,
    on_mismatch: OnMismatch = OnMismatch.SKIP,
    erst: bool = False,
    levels: str | None = None,
) -> RstScores:
    """Scores of documents that were read; by offsets, their texts must be there.

    With `zero`, what is not predicted counts as finding nothing.
    """
    gold, parsed, chosen, ledger = set_beside(gold, parsed, settings, on_mismatch)
    beside = enhancements_of(gold, chosen[0]), enhancements_of(parsed, chosen[1])
    if erst and not any(beside[0]):
        raise PairingError("E966 no document of gold has", Place(gold.bank.source))
    gold = select_documents(gold, chosen[0])
    parsed = select_documents(parsed, chosen[1])
    hint = compare_labels(gold, parsed, settings.relation_map)
    encoded = encode(gold, parsed, settings)
    counts = encoded.counts, relation_rows(encoded)
    sides = encoded.sides
    result = RstScores(settings, gold.names, *counts, ledger, hint, sides[1].wide_units)
    result.changed_edus = sides[0].changed_edus, sides[1].changed_edus
    if levels:
        parts = _text_parts(levels, gold.names, gold.edu_counts.tolist())
        result.level_rows = _level_rows(encoded, parts)
    if erst:
        result.enhanced = score_enhancements(
            EnhancedSide(gold, beside[0], sides[0].edus.places),
            EnhancedSide(parsed, beside[1], sides[1].edus.places),
            settings.relation_map,
            settings.binarize,
            {} if encoded.graphs.any() else encoded.items(),
            decisions=DECISIONS,
            arcs=DEPENDENCY,
            count_root=not settings.no_root,
        )
    return result


def relation_rows(encoded: EncodedPairs) -> list[Row]:
    """Micro scores of each relation class."""
    return [
        RelationRow(encoding, name, *counts.scored)
        for encoding, name, counts in encoded.relation_counts
    ]


class SetBeside(NamedTuple):
    """Two sides with the same roots, which of their documents are pairs, and what is
    left out. Documents of gold beyond the pairs count as not found."""

    gold: Documents
    parsed: Documents
    chosen: tuple[list[int], list[int]]
    ledger: Ledger


def set_beside(
    gold: Documents, parsed: Documents, settings: RstSettings, on_mismatch: OnMismatch
) -> SetBeside:
    """The documents that are compared, pair by pair."""
    by_text = settings.segmentation != "same"
    gold, parsed = rooted_alike([gold, parsed], settings.roots, by_text=by_text)
    paired = pair_documents(gold, parsed, by_text=by_text)
    aligned = 0
    if settings.is_aligned:
        paired, aligned = with_aligned(gold, parsed, paired)
    else:
        check_documents(paired.ledger, on_mismatch)
    pairs, missed, ledger = paired
    found_by_none = missed if on_mismatch == "zero" else []
    settled = len(found_by_none) or aligned
    ledger = _counting(ledger, len(pairs) - aligned, settled)
    chosen = [*(at for at, _ in pairs), *found_by_none], [at for _, at in pairs]
    return SetBeside(gold, parsed, chosen, ledger)


def _counting(ledger: Ledger, pairs: int, zero: int) -> Ledger:
    """The ledger of all documents; so many that were not pairs are scored, too."""
    settled = [
        item if item.fate is Fate.ALIGNED else item._replace(fate=Fate.ZERO)
        for item in ledger.items[:zero]
    ]
    return replace(
        ledger,
        gold=ledger.gold + pairs,
        parsed=ledger.parsed + pairs,
        scored=pairs + zero,
        items=(*settled, *ledger.items[zero:]),
    )


# -- constructions --------------------------------------------------------------------


@keywords()
def score_rst_constructions(
    gold: DocumentSource,
    parsed: DocumentSource,
    *,
    binarize: Direction | str = Direction.RIGHT,
    relations: str | RelationMap | None = FINE,
    roots: Roots | str = Roots.JOIN,
    segmentation: str = "same",
    levels: str | None = None,
    strict: bool = False,
    encoding: str = "utf-8",
    jobs: int | None = 1,
    on_mismatch: OnMismatch | str = OnMismatch.SKIP,
    max_left_out: float | None = None,
) -> RstConstructionScores:
    """Scores of each schema and link.

    `levels`, a file or folder of .rsd documents that number the sentences,
    distinguishes constructions within a sentence from those across sentences.

    >>> scores = score_rst_constructions("(NS-Cause (1) (2))", "(NS-Reason (1) (2))")
    >>> [row.construction for row in scores.scores.rows]
    ['root', 'Cause-modr', 'Cause-s', 'Reason-modr', 'Reason-s']
    """
    on_mismatch = OnMismatch(on_mismatch)
    require_percent("max_left_out", max_left_out)
    shape = DocumentShape(binarize, relations, roots)
    by_offsets = is_by_offsets(segmentation)
    sides = [
        as_documents(
            source, encoding=encoding, strict=strict, jobs=jobs, keep_texts=by_offsets
        )
        for source in (gold, parsed)
    ]
    pairs = document_pairs(
        sides[0], sides[1], shape, by_text=by_offsets, on_mismatch=on_mismatch
    )
    if not pairs.names:
        raise PairingError(
            "E404 no document could be scored", Place(sides[0].bank.source)
        )
    sentences = None
    if levels:
        sizes = np.diff(pairs.pair.gold.leaf_start).tolist()
        sentences = _text_parts(levels, pairs.names, sizes)[0]
    deriver = discourse_deriver(
        binarize=shape.binarize,
        relations=shape.relations_name,
        roots=shape.roots,
        sentences=sentences,
    )
    compared = compare(pairs.pair, deriver, on_mismatch=on_mismatch)
    whole, units = tally_and_units(pairs.pair, compared, deriver)
    scores = ConstructionScores(
        deriver,
        on_mismatch,
        compared.ledger() + pairs.ledger,
        pairs.relation_hint,
        tally=whole,
        unit_counts=units,
    )
    scores.ledger.check(sides[1].bank.source, max_left_out)
    return RstConstructionScores(scores, pairs.names)


def _text_parts(
    spec: str, names: Sequence[str], sizes: Sequence[int]
) -> tuple[Ints, Ints]:
    """The sentence and the paragraph of each EDU, numbered through all documents.

    From documents that number sentences; where no paragraph is marked, each sentence
    is one.
    """
    documents, _ = read_written(spec)
    known = {
        named.name: named.document.tree
        for named in documents
        if isinstance(named.document.tree, DependencyTree)
    }
    numbers: list[tuple[int, int, int]] = []
    for at, (name, size) in enumerate(zip(names, sizes, strict=True)):
        tree = known.get(name)
        sentences = tree.sentences if tree else None
        if tree is None or sentences is None or len(sentences) != size:
            raise PairingError(
                "E405 no sentence numbers for the", Place(spec), size=size, name=name
            )
        paragraphs = tree.paragraphs or sentences
        numbers += [(at, *both) for both in zip(sentences, paragraphs, strict=True)]
    columns = np.array(numbers, np.int64).reshape(-1, 3).T
    sentence, paragraph = (
        np.cumsum((begins(columns[0]) | begins(part)).astype(np.int64))
        for part in columns[1:]
    )
    return sentence, paragraph


LEVELS = ("sentence", "paragraph", "document")


def _level_rows(encoded: EncodedPairs, parts: tuple[Ints, Ints]) -> list[Row]:
    """Micro scores of each level: the smallest part of the text that holds an item.

    An item is a unit, or an arc with both its EDUs; the root's is of the document.
    """
    places = encoded.sides[0].edus.places
    # Where each EDU of gold begins: where the one before it ends.
    starts = np.append(0, places.end[:-1])
    first = [starts[begins(part)] for part in parts]
    inside = int(
        encoded.settings.segmentation == "edu-ends"
    )  # ends stand behind their EDUs

    def levels(encoding: str, key: Key) -> Ints:
        if encoding == DEPENDENCY:
            ends = [side % places.room - 1 for side in key[:2]]
            is_apart = key[1] < 0
        else:
            ends = [key[0] - inside, key[0] - key[1] - 1]
            is_apart = np.zeros(key[0].size, np.bool_)
        numbers = np.full(key[0].size, len(LEVELS) - 1)
        for level in (1, 0):
            left, right = (np.searchsorted(first[level], end, "right") for end in ends)
            numbers[(left == right) & ~is_apart] = level
        return numbers

    rows = []
    for (encoding, metric), items in encoded.items().items():
        if encoding not in (PARSEVAL, DECISIONS, DEPENDENCY):
            continue
        sides = [levels(encoding, side.key) for side in items]
        counts = items.counts_by(sides[0], sides[1], len(LEVELS))
        rows += [
            LevelRow(encoding, metric, name, *level_counts.scored)
            for name, level_counts in zip(LEVELS, counts.of_each, strict=True)
        ]
    return rows
