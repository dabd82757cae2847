"""Every metric of Morey, Muller and Asher (2017, 2018), and constructions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analyzer.analyses.rst_results import (
    DECISIONS,
    DEPENDENCY,
    PARSEVAL,
    SEGMENTATION,
    RelationRow,
    RstScores,
    RstSettings,
)
from analyzer.analyses.score import ConstructionScores
from analyzer.derivation.characters import (
    dependencies_by_characters,
    units_by_characters,
)
from analyzer.derivation.discourse import discourse_deriver
from analyzer.derivation.units import Dependencies, dependencies, unit_columns
from analyzer.exceptions import PairingError, Place, RstError
from analyzer.formats.documents import DocumentSource, as_documents, read_written
from analyzer.metrics.constructions import compare, tally
from analyzer.metrics.join import match
from analyzer.metrics.ratios import ratio
from analyzer.metrics.rst import (
    CONSTITUENT_METRICS,
    DEPENDENCY_METRICS,
    Constituents,
    DocumentCounts,
    attachment_decisions,
    count_matches,
    dependency_key,
    rst_parseval,
    segmentation_counts,
)
from analyzer.model.arrays import Ints, number_densely
from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import Documents
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.by_name import (
    DocumentLeftOut,
    DocumentPairs,
    compare_labels,
    document_pairs,
    pair_documents,
)
from analyzer.pairing.characters import edu_spans
from analyzer.transform.binarize import Direction, binarize_documents
from analyzer.transform.documents import (
    DocumentShape,
    map_documents,
    select_documents,
)
from analyzer.transform.relations import FINE, RelationMap, named_relations


class RstConstructionScores(NamedTuple):
    """Scores per construction, the documents they are of, and those left out."""

    scores: ConstructionScores
    names: list[str]
    left_out: list[DocumentLeftOut]
    problems: list[RstError]


def score_rst(
    gold: DocumentSource,
    parsed: DocumentSource,
    *,
    binarize: Direction = "right",
    relations: str | RelationMap | None = FINE,
    count_root: bool = True,
    parseval_root: bool = False,
    as_released: bool = False,
    by_offsets: bool = False,
    strict: bool = False,
    encoding: str = "utf-8",
    jobs: int | None = 1,
) -> RstScores:
    """Every metric of the papers for documents of the same names and EDUs.

    `relations` is a map of relations to classes, its name or its file; `fine`: labels
    as they are. `count_root`: the root's attachment counts in dependency scores;
    `parseval_root`: the root counts in RST-Parseval too; `as_released`: as the papers'
    own program does; `by_offsets`: EDUs may differ, units are compared by characters.

    >>> score_rst("(NS-Cause (1) (2))", "(NS-Reason (1) (2))")
    <RstScores: 1 document, S 1.000, F 0.500, UAS 1.000, LAS-F 0.500>
    """
    name, relation_map = named_relations(relations)
    settings = RstSettings(
        binarize=binarize,
        relations=name,
        relation_map=relation_map,
        count_root=count_root,
        as_released=as_released,
        by_offsets=by_offsets,
        parseval_root=parseval_root,
    )
    sides = [
        as_documents(
            source, encoding=encoding, strict=strict, jobs=jobs, keep_texts=by_offsets
        )
        for source in (gold, parsed)
    ]
    return score_documents(sides[0], sides[1], settings)


def score_documents(
    gold: Documents, parsed: Documents, settings: RstSettings
) -> RstScores:
    """Scores of documents that were read; by offsets, their texts must be there."""
    problems = [*gold.problems, *parsed.problems]
    pairs, left_out = pair_documents(gold, parsed, by_text=settings.by_offsets)
    gold = select_documents(gold, [at for at, _ in pairs])
    parsed = select_documents(parsed, [at for _, at in pairs])
    size = len(gold)
    hint = compare_labels(gold, parsed, settings.relation_map)
    gold = map_documents(gold, settings.relation_map)
    parsed = map_documents(parsed, settings.relation_map)

    # The reference is binarised as asked; what is parsed is scored as it is. Only
    # attachment decisions need binary trees on both sides.
    shaped = binarize_documents(gold, settings.binarize)
    units = [unit_columns(shaped), unit_columns(parsed)]
    binary = []
    for documents, columns in zip((shaped, parsed), units, strict=True):
        in_twos = binarize_documents(documents, _binary(settings.binarize))
        binary.append(columns if in_twos is documents else unit_columns(in_twos))
    arcs = [dependencies(columns) for columns in units]
    counts: dict[tuple[str, str], DocumentCounts] = {}
    if settings.by_offsets:
        spans = edu_spans(gold, parsed)
        for at, of_edus in enumerate(spans):
            units[at] = units_by_characters(units[at], of_edus)
            binary[at] = units_by_characters(binary[at], of_edus)
            arcs[at] = dependencies_by_characters(arcs[at], of_edus)
        counts[SEGMENTATION, "boundaries"] = segmentation_counts(gold, parsed, spans)
    with_root = settings.parseval_root
    encodings: dict[str, tuple[Constituents, Constituents]] = {
        PARSEVAL: (
            rst_parseval(units[0], with_root=with_root),
            rst_parseval(units[1], with_root=with_root),
        ),
        DECISIONS: (attachment_decisions(binary[0]), attachment_decisions(binary[1])),
    }
    for encoding, (left, right) in encodings.items():
        for metric in CONSTITUENT_METRICS:
            # The released program forgets the head in F+H.
            key = "F" if settings.as_released and metric == "F+H" else metric
            counts[encoding, metric] = count_matches(
                left.key(key), right.key(key), left.document, right.document, size
            )
    for metric, found in _dependency_counts(arcs[0], arcs[1], settings, size).items():
        counts[DEPENDENCY, metric] = found
    rows = _relation_rows(encodings)
    return RstScores(settings, gold.names, counts, rows, left_out, problems, hint)


def _binary(direction: Direction) -> Direction:
    return "right" if direction == "none" else direction


def _dependency_counts(
    left: Dependencies, right: Dependencies, settings: RstSettings, size: int
) -> dict[str, DocumentCounts]:
    found = {}
    for metric in DEPENDENCY_METRICS:
        # The released program asks for the order of attachment in its F.
        released = settings.as_released and metric == "LAS-F"
        key = "LAS-F+order" if released else metric
        keys = [dependency_key(side, key) for side in (left, right)]
        documents = [left.document, right.document]
        if not settings.count_root:
            for at, side in enumerate((left, right)):
                inner = side.governor >= 0
                keys[at] = [column[inner] for column in keys[at]]
                documents[at] = documents[at][inner]
        found[metric] = count_matches(
            keys[0], keys[1], documents[0], documents[1], size
        )
    return found


def _relation_rows(
    encodings: dict[str, tuple[Constituents, Constituents]],
) -> list[RelationRow]:
    """Micro scores of each relation class under F (span, nuclearity, relation)."""
    rows = []
    for encoding, (left, right) in encodings.items():
        found = match(left.key("F"), right.key("F"))
        used, which = number_densely(np.concatenate([left.relation, right.relation]))
        in_gold, in_parsed = which[: left.relation.size], which[left.relation.size :]
        matched, gold, parsed = (
            np.bincount(chosen, minlength=used.size).tolist()
            for chosen in (in_gold[found.gold], in_gold, in_parsed)
        )
        names = [SYMBOLS.name(number) for number in used.tolist()]
        for at in sorted(range(len(names)), key=lambda n: (-gold[n], names[n])):
            m, g, p = matched[at], gold[at], parsed[at]
            precision, recall = ratio(m, p), ratio(m, g)
            rows.append(
                RelationRow(
                    encoding,
                    names[at],
                    m,
                    g,
                    p,
                    precision,
                    recall,
                    ratio(2 * m, g + p),
                )
            )
    return rows


# -- constructions --------------------------------------------------------------------


def score_rst_constructions(
    gold: DocumentSource,
    parsed: DocumentSource,
    *,
    binarize: Direction = "right",
    relations: str | RelationMap | None = FINE,
    by_offsets: bool = False,
    levels: str | None = None,
    strict: bool = False,
    encoding: str = "utf-8",
    jobs: int | None = 1,
) -> RstConstructionScores:
    """Scores of each schema and link.

    `levels`, a file or folder of .rsd documents that number the sentences, tells
    constructions within a sentence from those across.

    >>> found = score_rst_constructions("(NS-Cause (1) (2))", "(NS-Reason (1) (2))")
    >>> [row.construction for row in found.scores.rows]
    ['root', 'Cause-modr', 'Cause-s', 'Reason-modr', 'Reason-s']
    """
    shape = DocumentShape.of(binarize, relations)
    sides = [
        as_documents(
            source, encoding=encoding, strict=strict, jobs=jobs, keep_texts=by_offsets
        )
        for source in (gold, parsed)
    ]
    found = document_pairs(sides[0], sides[1], shape, by_text=by_offsets)
    if not found.names:
        raise PairingError(
            "no document could be scored", Place(sides[0].bank.source), code="E404"
        )
    sentences = _sentences(levels, found) if levels else None
    deriver = discourse_deriver(
        binarize=shape.binarize, relations=shape.relations, sentences=sentences
    )
    scores = ConstructionScores(deriver, relation_hint=found.relation_hint)
    scores.tally.add(tally(compare(found.pair, deriver)))
    problems = [*sides[0].problems, *sides[1].problems]
    return RstConstructionScores(scores, found.names, found.left_out, problems)


def _sentences(spec: str, found: DocumentPairs) -> Ints:
    """The sentence of each EDU, from documents that number sentences."""
    documents, _ = read_written(spec)
    known = {
        one.name: one.document.tree.sentences
        for one in documents
        if isinstance(one.document.tree, DependencyTree)
    }
    numbers: list[int] = []
    sizes = np.diff(found.pair.gold.leaf_start).tolist()
    for name, size in zip(found.names, sizes, strict=True):
        sentences = known.get(name)
        if sentences is None or len(sentences) != size:
            raise PairingError(
                "no sentence numbers for the {size} EDUs of {name}",
                Place(spec),
                code="E405",
                size=size,
                name=name,
            )
        numbers += sentences
    return np.array(numbers, np.int64)
