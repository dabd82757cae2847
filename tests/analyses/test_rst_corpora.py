"""Corpora as they come: every file is read, and both sides are treated alike."""

from __future__ import annotations

from functools import cache

import pytest

from analyzer.analyses.agreement import agree
from analyzer.analyses.rst_scores import MICRO, score_rst, score_rst_constructions
from analyzer.formats.documents import read_rst
from analyzer.model.discourse import Documents, Unit
from analyzer.transform.documents import Direction, Roots
from tests.support.data_paths import RST_CORPORA, needs_rst_corpora

pytestmark = needs_rst_corpora
FOLDERS = {"pcc2": 13, "apa": 13, "ru_rst": 8, "double/A": 66, "double/B": 66}
ROOTS = [roots.value for roots in Roots if roots is not Roots.ERROR]


@cache
def documents(folder: str) -> Documents:
    return read_rst(str(RST_CORPORA / folder))


@pytest.mark.parametrize(("folder", "files"), FOLDERS.items())
def test_every_file_is_read(folder: str, files: int) -> None:
    found = documents(folder)
    assert len(found) == files == len(list((RST_CORPORA / folder).iterdir()))
    assert not found.problems


@pytest.mark.parametrize("roots", ROOTS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_gold_against_itself(folder: str, roots: str) -> None:
    """100 on every metric, in every file, whatever the options."""
    gold = documents(folder)
    for options in (
        {},
        {"binarize": "left"},
        {"binarize": "none"},
        {"relations": "coarse", "parseval_root": True},
        {"no_root": True},
        {"segmentation": "offsets"},
    ):
        scores = score_rst(gold, gold, roots=roots, **options)
        assert len(scores.names) == len(gold)
        for row in scores.document_rows:
            assert row.matched == row.gold == row.predicted, (options, row)
            # A document of lone segments has no units to score, and says so.
            assert row.f1 == 1.0 or (not row.gold and row.f1 is None), (options, row)
    found = score_rst_constructions(gold, gold, roots=roots).scores
    assert {(row.f_h, row.f_s) for row in found.rows} == {(1.0, 1.0)}
    assert agree(gold, gold, roots=roots).total.f_s == 1.0


@pytest.mark.parametrize("roots", ROOTS)
@pytest.mark.parametrize("direction", [one.value for one in Direction])
def test_one_annotation_against_the_other_is_mirrored(
    roots: str, direction: str
) -> None:
    """Precision of A against B is recall of B against A, for every metric."""
    one, other = documents("double/A"), documents("double/B")
    for options in ({}, {"relations": "coarse"}, {"segmentation": "offsets"}):
        known = {"roots": roots, "binarize": direction, **options}
        forward, back = score_rst(one, other, **known), score_rst(other, one, **known)
        assert len(forward.names) >= 40  # with the same EDUs
        for there, here in zip(forward.rows, back.rows, strict=True):
            assert (there.precision, there.recall) == (here.recall, here.precision)
            assert there.f1 == here.f1
            if there.average == MICRO:
                assert (there.gold, there.predicted) == (here.predicted, here.gold)


def test_titles_are_dropped_from_both_sides() -> None:
    """A prediction that attaches the title loses it as well."""
    gold = documents("pcc2")
    edus = int(gold.edu_counts.sum())
    attached = Documents.of_units((name, _attached(root)) for name, root in gold)
    scores = score_rst(gold, attached, roots="drop")
    assert scores.counts["dependency", "UAS"].micro == (edus - 13,) * 3
    [of_gold, of_parsed] = scores.ledger.readings[:1] + scores.ledger.readings[-1:]
    assert of_gold[1].noun == "unattached segment"
    assert of_parsed == (1, of_parsed[1])
    assert of_parsed[1].noun == "EDU that the other side does not attach"


def _attached(root: Unit) -> Unit:
    """The title as a satellite of the rest."""
    copy = root.copy()
    title, rest = copy.children
    title.nuclearity, title.relation = "S", "preparation"
    rest.nuclearity, rest.relation = "N", "span"
    return copy
