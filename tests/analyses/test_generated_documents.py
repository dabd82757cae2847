"""What was changed in the text of generated documents."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.analyses.generated_documents import faithful_documents
from analyzer.analyses.rst_scores import score_rst
from analyzer.model.discourse import Documents, Unit
from tests.support.command import spinal
from tests.support.examples import some


def tree(*edus: str) -> Unit:
    """A list of EDUs."""
    return Unit("R", "---", [Unit("N", "list", text=edu) for edu in edus])


def documents(**trees: Unit) -> Documents:
    return Documents.of_units(trees.items())


GOLD = documents(
    same=tree("One day", "it rained."),
    moved=tree("One day", "it rained."),
    changed=tree("The old cat sat on the mat,", "and then it left."),
    cut=tree("The old cat sat on the mat,", "and then it left again."),
    other=tree("Something else", "entirely."),
    missing=tree("Nobody", "wrote it."),
)
PARSED = documents(
    same=tree("one  day", "it rained."),
    moved=tree("One", "day it", "rained."),
    changed=tree("The old dog sat on the mat,", "and then it left."),
    cut=tree("The old cat sat on the mat,", "and then it left"),
    other=tree("qqqqqq", "zzzzz"),
)


def test_counts_by_hand() -> None:
    found = faithful_documents(GOLD, PARSED)
    assert (found.documents, found.malformed, found.missing) == (6, 0, 1)
    rows = {row.document: row for row in found.rows}
    assert list(rows) == ["moved", "changed", "cut", "other"]
    moved = rows["moved"]
    assert moved.has_text
    assert (moved.edus, moved.predicted_edus, moved.moved_boundaries) == (2, 3, 1)
    changed = rows["changed"]
    assert (changed.changed, changed.missing, changed.added) == (3, 0, 0)
    assert (changed.changed_edus, changed.changed_predicted_edus) == (1, 1)
    assert changed.is_alike
    cut = rows["cut"]
    assert (cut.changed, cut.missing, cut.added) == (0, 6, 0)
    assert (cut.changed_edus, cut.changed_predicted_edus) == (1, 0)
    assert not rows["other"].is_alike


@settings(max_examples=some(40))
@given(
    st.lists(st.text("ab ,", min_size=1, max_size=12), min_size=1, max_size=5),
    st.lists(st.text("ab ,", min_size=1, max_size=12), min_size=1, max_size=5),
)
def test_characters_add_up(one: list[str], other: list[str]) -> None:
    def sides(*edus: list[str]) -> list[Documents]:
        return [documents(a=tree(*some_edus)) for some_edus in edus]

    [row] = faithful_documents(*sides(one, other)).compared
    size = len("".join("".join(other).split()))
    replaced = size - (row.characters - row.changed - row.missing) - row.added
    assert replaced >= 0
    assert (replaced > 0) == (row.changed > 0)
    assert faithful_documents(*sides(one, one)).compared[0].is_faithful
    [mirrored] = faithful_documents(*sides(other, one)).compared
    assert mirrored.has_text == row.has_text


def test_command_and_python(tmp_path: Path) -> None:
    names = "gold", "parsed"
    for name, one in zip(names, (GOLD, PARSED), strict=True):
        folder = tmp_path / name
        folder.mkdir()
        for document, root in one:
            from analyzer.formats.registry import write_rst

            (folder / f"{document}.dis").write_text(write_rst(root, "dis"))
    (tmp_path / "parsed" / "missing.dis").write_text("( Root (span 1 2)")
    sides = [str(tmp_path / name) for name in names]
    options = ("--on-mismatch", "align", "--faithfulness")
    done = spinal("rst", "score", *sides, *options)
    assert "malformed                             1" in done.out
    assert "EDUs changed                          3" in done.out
    data = json.loads(spinal("rst", "score", *sides, *options, "--format", "json").out)
    found = data["faithfulness"]
    assert found["total"]["missing"] == 6
    assert len(found["unfaithful"]) == 4
    scores = score_rst(*sides, faithfulness=True, on_mismatch="align")
    assert scores.faithfulness is not None
    assert scores.faithfulness.malformed == 1
    assert len(scores.faithfulness.frame()) == 5
