"""Every metric of Morey, Muller and Asher (2017, 2018), and constructions."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from analyzer.analyses.rst_encodings import encode
from analyzer.analyses.rst_results import (
    RstScores,
    RstSettings,
)
from analyzer.analyses.score import ConstructionScores
from analyzer.derivation.discourse import discourse_deriver
from analyzer.exceptions import PairingError, Place
from analyzer.formats.documents import DocumentSource, as_documents, read_written
from analyzer.metrics.constructions import compare, tally
from analyzer.model.arrays import Ints
from analyzer.model.dependencies import DependencyTree
from analyzer.model.discourse import Documents
from analyzer.model.settings import require_percent
from analyzer.pairing.by_name import (
    DocumentPairs,
    check_documents,
    compare_labels,
    document_pairs,
    pair_documents,
)
from analyzer.pairing.ledger import Fate, Ledger
from analyzer.pairing.mismatches import OnMismatch
from analyzer.transform.binarize import Direction
from analyzer.transform.documents import (
    DocumentShape,
    select_documents,
)
from analyzer.transform.relations import FINE, RelationMap


class RstConstructionScores(NamedTuple):
    """Scores per construction, and the documents they are of."""

    scores: ConstructionScores
    names: list[str]

    @property
    def ledger(self) -> Ledger:
        """What was scored, what was left out and why."""
        return self.scores.ledger


def score_rst(
    gold: DocumentSource,
    parsed: DocumentSource,
    *,
    binarize: Direction | str = Direction.RIGHT,
    relations: str | RelationMap | None = FINE,
    count_root: bool = True,
    parseval_root: bool = False,
    as_released: bool = False,
    by_offsets: bool = False,
    strict: bool = False,
    encoding: str = "utf-8",
    jobs: int | None = 1,
    on_mismatch: OnMismatch | str = OnMismatch.SKIP,
    max_left_out: float | None = None,
) -> RstScores:
    """Every metric of the papers for documents of the same names and EDUs.

    `relations` is a map of relations to classes, its name or its file; `fine`: labels
    as they are. `count_root`: the root's attachment counts in dependency scores;
    `parseval_root`: the root counts in RST-Parseval too; `as_released`: as the papers'
    own program does; `by_offsets`: EDUs may differ, units are compared by characters.
    `on_mismatch`: documents without partner are left out (skip), count as finding
    nothing (zero), or are an error; so are more than `max_left_out` percent left out.

    >>> score_rst("(NS-Cause (1) (2))", "(NS-Reason (1) (2))")
    <RstScores: 1 document, S 1.000, F 0.500, UAS 1.000, LAS-F 0.500>
    """
    on_mismatch = OnMismatch(on_mismatch)
    require_percent("max_left_out", max_left_out)
    settings = RstSettings(
        binarize=binarize,
        relations=relations,
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
    result = score_documents(sides[0], sides[1], settings, on_mismatch=on_mismatch)
    result.ledger.check(sides[1].bank.source, max_left_out)
    return result


def score_documents(
    gold: Documents,
    parsed: Documents,
    settings: RstSettings,
    *,
    on_mismatch: OnMismatch = OnMismatch.SKIP,
) -> RstScores:
    """Scores of documents that were read; by offsets, their texts must be there.

    With `zero`, what is not predicted counts as finding nothing.
    """
    pairs, missed, ledger = pair_documents(gold, parsed, by_text=settings.by_offsets)
    check_documents(ledger, on_mismatch)
    found_by_none = missed if on_mismatch == "zero" else []
    ledger = _counting(ledger, len(pairs), len(found_by_none))
    gold = select_documents(gold, [*(at for at, _ in pairs), *found_by_none])
    parsed = select_documents(parsed, [at for _, at in pairs])
    hint = compare_labels(gold, parsed, settings.relation_map)
    encoded = encode(gold, parsed, settings)
    return RstScores(
        settings,
        gold.names,
        encoded.counts,
        encoded.relation_rows,
        ledger,
        hint,
    )


def _counting(ledger: Ledger, pairs: int, zero: int) -> Ledger:
    """The ledger of all documents; so many of the left-out ones count as zero."""
    settled = [item._replace(fate=Fate.ZERO) for item in ledger.items[:zero]]
    return replace(
        ledger,
        gold=ledger.gold + pairs,
        parsed=ledger.parsed + pairs,
        scored=pairs + zero,
        items=(*settled, *ledger.items[zero:]),
    )


# -- constructions --------------------------------------------------------------------


def score_rst_constructions(
    gold: DocumentSource,
    parsed: DocumentSource,
    *,
    binarize: Direction | str = Direction.RIGHT,
    relations: str | RelationMap | None = FINE,
    by_offsets: bool = False,
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

    >>> found = score_rst_constructions("(NS-Cause (1) (2))", "(NS-Reason (1) (2))")
    >>> [row.construction for row in found.scores.rows]
    ['root', 'Cause-modr', 'Cause-s', 'Reason-modr', 'Reason-s']
    """
    on_mismatch = OnMismatch(on_mismatch)
    require_percent("max_left_out", max_left_out)
    shape = DocumentShape(binarize, relations)
    sides = [
        as_documents(
            source, encoding=encoding, strict=strict, jobs=jobs, keep_texts=by_offsets
        )
        for source in (gold, parsed)
    ]
    found = document_pairs(
        sides[0], sides[1], shape, by_text=by_offsets, on_mismatch=on_mismatch
    )
    if not found.names:
        raise PairingError(
            "no document could be scored", Place(sides[0].bank.source), code="E404"
        )
    sentences = _sentences(levels, found) if levels else None
    deriver = discourse_deriver(
        binarize=shape.binarize, relations=shape.relations_name, sentences=sentences
    )
    scores = ConstructionScores(
        deriver, on_mismatch=on_mismatch, relation_hint=found.relation_hint
    )
    compared = compare(found.pair, deriver, on_mismatch=on_mismatch)
    scores.tally.add(tally(compared))
    scores.tally.ledger = scores.tally.ledger.plus(found.ledger)
    scores.ledger.check(sides[1].bank.source, max_left_out)
    return RstConstructionScores(scores, found.names)


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
