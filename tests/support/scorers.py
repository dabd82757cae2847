"""Every scorer of the project behind one face: pairs in, measures out.

What all of them obey is in `tests/test_common.py`. A new scorer gets an adapter here,
and is then tested with the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from hypothesis import strategies as st

from analyzer import agree, compare_conventions, evalb, find_pairs, score
from analyzer.analyses.agreement import Agreement
from analyzer.analyses.conventions import ConventionScores
from analyzer.analyses.evalb import BracketScores
from analyzer.analyses.find_pairs import FoundPairs
from analyzer.analyses.rst_scores import RstScores, score_rst, score_rst_constructions
from analyzer.analyses.score import ConstructionScores
from analyzer.formats.reading import read_trees
from analyzer.metrics.measures import Row
from analyzer.model.discourse import Documents, Unit
from analyzer.model.treebank import Treebank
from tests.support.edited_trees import SMALL, tree_pairs
from tests.support.rst_strategies import discourse_trees
from tests.support.strategies import one_line, pair_lists

Pairs = list[tuple[Any, Any]]  # gold and parsed of a sentence or a document


class Measure(NamedTuple):
    """Counts, and the ratios that the scorer makes of them (None: it has no such)."""

    gold: int = 0
    parsed: int = 0
    matched_gold: int = 0  # matched among those of gold
    matched_parsed: int = 0
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None

    @property
    def counts(self) -> tuple[int, int, int, int]:
        return self[:4]

    @property
    def ratios(self) -> tuple[float | None, float | None, float | None]:
        return self[4:]

    @property
    def swapped(self) -> Measure:
        gold, parsed, in_gold, in_parsed, precision, recall, f1 = self
        return Measure(parsed, gold, in_parsed, in_gold, recall, precision, f1)


class Scored(NamedTuple):
    """What a scorer says of some pairs."""

    scored: int  # how many pairs could be compared
    measures: dict[str, Measure]
    faults: int = 0  # what else it counts that is 0 where both sides are alike


class Scorer(NamedTuple):
    name: str
    pairs: st.SearchStrategy[Pairs]
    score: Callable[[Pairs], Scored]
    score_files: Callable[[str, str, int], Scored] | None = None  # with jobs


# -- syntax ----------------------------------------------------------------------------


def _banks(pairs: Pairs) -> tuple[Treebank, Treebank]:
    """Each side is a tree, or several in a list."""

    def text(side: int) -> str:
        roots = [pair[side] for pair in pairs]
        lists = [one if isinstance(one, list) else [one] for one in roots]
        return "".join(" ".join(map(one_line, one)) + "\n" for one in lists)

    gold, parsed = (read_trees(text(side), keep_blank_lines=True) for side in (0, 1))
    return gold, parsed


def _of_brackets(result: BracketScores) -> Scored:
    total = result.summary
    found = {
        "all": Measure(
            *(total.gold, total.test, total.matched, total.matched),
            *(total.precision, total.recall, total.f1),
        ),
        "tags": Measure(*[total.words] * 2, *[total.correct_tags] * 2),
    }
    for label, counts in result.labels.items():
        found[f"label {label}"] = Measure(*counts)
    faults = total.crossing + (total.valid - total.complete)
    return Scored(total.valid, found, faults + (total.macro_f1 not in (None, 1.0)))


def _evalb(**options: Any) -> Callable[[Pairs], Scored]:
    return lambda pairs: _of_brackets(evalb(*_banks(pairs), by_label=True, **options))


def _evalb_files(gold: str, parsed: str, jobs: int) -> Scored:
    return _of_brackets(evalb(gold, parsed, by_label=True, jobs=jobs))


def _of_conventions(result: ConventionScores) -> Scored:
    """Conventions have ratios alone, of sums over sentences.

    What becomes of pairs that differ is not symmetric: a parse without words finds
    nothing, gold without words is left out.
    """
    measures = {
        row.name: Measure(precision=row.precision, recall=row.recall, f1=row.f1)
        for row in result.rows
        if not row.name.startswith("on mismatch")
    }
    return Scored(result.rows[0].sentences, measures)


def _conventions(pairs: Pairs) -> Scored:
    return _of_conventions(compare_conventions(*_banks(pairs)))


def _convention_files(gold: str, parsed: str, jobs: int) -> Scored:
    return _of_conventions(compare_conventions(gold, parsed, jobs=jobs))


def _of_rows(rows: Iterable[Row]) -> dict[str, Measure]:
    found = {}
    for row in rows:
        name, sizes = row.construction, (row.gold, row.parsed)
        found[f"{name} h"] = Measure(
            *(*sizes, *[row.matched_h] * 2, row.precision_h, row.recall_h, row.f_h)
        )
        found[f"{name} s"] = Measure(
            *(*sizes, *[row.matched_s] * 2, row.precision_s, row.recall_s, row.f_s)
        )
        found[f"{name} right"] = Measure(*sizes, *[row.matched_span_right] * 2)
        found[f"{name} left"] = Measure(*sizes, *[row.matched_span_left] * 2)
        if row.matched_att is not None and name != "total":
            found[f"{name} att"] = Measure(*sizes, *[row.matched_att] * 2)
    return found


def _of_constructions(result: ConstructionScores) -> Scored:
    parts = result.reconciliation
    measures = _of_rows([*result.rows, result.total])
    for name, count in parts._asdict().items():
        measures[name] = Measure(*[count] * 4)
    sides = (result.tally.gold_coverage, result.tally.parsed_coverage)
    for name, *counts in zip(sides[0]._fields, *sides, strict=True):
        measures[f"coverage {name}"] = Measure(*counts, *counts)
    evalb_counts = result.tally.evalb
    measures["evalb"] = Measure(
        *(evalb_counts.gold, evalb_counts.parsed, *[evalb_counts.matched] * 2)
    )
    faults = parts.same_head_other_construction + parts.other_head
    return Scored(result.ledger.scored, measures, faults)


def _score(pairs: Pairs) -> Scored:
    return _of_constructions(score(*_banks(pairs), patterns=SMALL))


def _score_files(gold: str, parsed: str, jobs: int) -> Scored:
    return _of_constructions(score(gold, parsed, jobs=jobs))


def _of_agreement(result: Agreement) -> Scored:
    measures = {}
    for row in (*result.rows, result.total):
        for key in ("h", "s"):
            matched, f1 = getattr(row, f"matched_{key}"), getattr(row, f"f_{key}")
            # A ratio of agreement has no direction.
            measures[f"{row.construction} {key}"] = Measure(
                row.a, row.b, matched, matched, f1=f1
            )
    kappas = {one.kappa for one in result.kappas.values()}
    for factor in result.documents.factors if result.documents else ():
        measures[f"factor {factor.factor}"] = Measure(
            factor.a, factor.b, factor.matched, factor.matched, f1=factor.f1
        )
        kappas |= {factor.kappa.kappa} if factor.kappa else set()
    faults = len(result.groups) + len(kappas - {1.0, None})
    return Scored(result.ledger.scored, measures, faults)


def _agree(**options: Any) -> Callable[[Pairs], Scored]:
    return lambda pairs: _of_agreement(agree(*_banks(pairs), patterns=SMALL, **options))


# Nothing named, several nodes, one that need not be there, words, heads, constructions.
QUERIES = {
    "phrases": "@NP",
    "parts": "__=whole < __=part",
    "perhaps": "@NP=phrase ?< @VP=verb",
    "later": "/^N/=first .. /^V/=second",
    "words": "__ <: /e/=word",
    "headed": "__=whole <# __=head",
    "constructions": "__{construction=/-t$/}",
}


def _of_queries(result: FoundPairs) -> Scored:
    [system] = result.systems
    found = {}
    for row in result.rows:
        sizes = row.gold, row.parsed, row.matched, row.matched
        found[row.query] = Measure(*sizes, row.precision, row.recall, row.f1)
    missed = sum(counts.total() for counts in system.instead.values())
    unmatched = sum(row.gold + row.parsed - 2 * row.matched for row in result.rows)
    assert missed == unmatched  # what stands there instead sums to the misses
    return Scored(result.ledger.scored, found, len(result.matches))


def _queries(**options: Any) -> Callable[[Pairs], Scored]:
    def of(pairs: Pairs) -> Scored:
        settings = {"resamples": 1, **options}
        return _of_queries(find_pairs(QUERIES, *_banks(pairs), **settings))

    return of


def _query_files(gold: str, parsed: str, jobs: int) -> Scored:
    return _of_queries(find_pairs(QUERIES, gold, parsed, resamples=1, jobs=jobs))


# -- discourse -------------------------------------------------------------------------


@st.composite
def _document_pairs(draw: st.DrawFn, *, binary: bool = False) -> Pairs:
    """Documents over the same EDUs; of some, both trees are equal."""
    found = []
    for _ in range(draw(st.integers(1, 4))):
        edus = draw(st.integers(1, 8))
        one = discourse_trees(edus=edus, least=edus, binary=binary)
        gold = draw(one)
        found.append((gold, draw(one) if draw(st.integers(0, 4)) else gold))
    return found


def _documents(pairs: Pairs) -> tuple[Documents, Documents]:
    def side(trees: list[Unit]) -> Documents:
        return Documents.of_units([(f"d{n}", tree) for n, tree in enumerate(trees)])

    return side([gold for gold, _ in pairs]), side([parsed for _, parsed in pairs])


def _of_documents(result: RstScores) -> Scored:
    found = {}
    for row in result.rows:
        if row.matched is not None and row.predicted is not None:  # no macro average
            found[f"{row.encoding} {row.metric}"] = Measure(
                *(row.gold, row.predicted, row.matched, row.matched),
                *(row.precision, row.recall, row.f1),
            )
    for one in result.relation_rows:
        found[f"{one.encoding} relation {one.relation}"] = Measure(
            *(one.gold, one.predicted, one.matched, one.matched),
            *(one.precision, one.recall, one.f1),
        )
    return Scored(len(result.names), found)


def _rst(**options: Any) -> Callable[[Pairs], Scored]:
    return lambda pairs: _of_documents(score_rst(*_documents(pairs), **options))


def _rst_files(gold: str, parsed: str, jobs: int) -> Scored:
    return _of_documents(score_rst(gold, parsed, jobs=jobs))


def _rst_constructions(pairs: Pairs) -> Scored:
    return _of_constructions(score_rst_constructions(*_documents(pairs)).scores)


def _rst_construction_files(gold: str, parsed: str, jobs: int) -> Scored:
    return _of_constructions(score_rst_constructions(gold, parsed, jobs=jobs).scores)


def _agree_documents(**options: Any) -> Callable[[Pairs], Scored]:
    return lambda pairs: _of_agreement(agree(*_documents(pairs), **options))


SYNTAX_SCORERS = (
    Scorer("evalb", pair_lists(), _evalb(), _evalb_files),
    Scorer("evalb, no parameters", pair_lists(), _evalb(params="none")),
    Scorer("conventions", pair_lists(), _conventions, _convention_files),
    Scorer("score", tree_pairs(), _score, _score_files),
    Scorer("queries", tree_pairs(), _queries(), _query_files),
    Scorer("queries by head", tree_pairs(), _queries(key="head")),
    Scorer("agree", pair_lists(), _agree()),
    Scorer("agree by characters", pair_lists(), _agree(segmentation="offsets")),
)
_ANY, _BINARY = _document_pairs(), _document_pairs(binary=True)
DISCOURSE_SCORERS = (
    # Only gold is binarised, so trees of any shape are compared as they are.
    Scorer("rst", _BINARY, _rst(), _rst_files),
    Scorer("rst, not binarized", _ANY, _rst(binarize="none")),
    Scorer("rst by offsets", _BINARY, _rst(segmentation="offsets")),
    Scorer("rst by ends of EDUs", _BINARY, _rst(segmentation="edu-ends")),
    Scorer("rst with root", _ANY, _rst(binarize="none", parseval_root=True)),
    Scorer("rst, no root arc", _ANY, _rst(binarize="none", no_root=True)),
    Scorer("rst as released", _BINARY, _rst(as_released=True)),
    Scorer("rst constructions", _ANY, _rst_constructions, _rst_construction_files),
    Scorer("agree on documents", _ANY, _agree_documents()),
    Scorer("agree by offsets", _ANY, _agree_documents(by_characters=True)),
)
