"""Every reference output of the Berkeley Parser Analyser comes out equal.

Statuses, errors before, and all edits in order: type, brackets, operation, label,
parent, span, children.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import repairs
from analyzer.analyses.repairs import Repairs, error_rows
from tests.support.data_paths import SHARED, SYNTAX

REFERENCE = SHARED / "repairs"
pytestmark = pytest.mark.skipif(
    not REFERENCE.exists(),
    reason="NOT RUN: the shared data (../shared/data/repairs) is not here",
)

Pair = tuple[Path, Path]
PAIRS: dict[str, Pair] = {
    "dev.berkeley-sm4": (
        SYNTAX / "gold/dev.gold.mrg",
        SYNTAX / "parsed/dev.berkeley-sm4.mrg",
    ),
    "tricky/tricky": (SYNTAX / "tricky/tricky.gld", SYNTAX / "tricky/tricky.tst"),
    "edge/edge": (REFERENCE / "edge/edge.gld", REFERENCE / "edge/edge.tst"),
    "random/random": (REFERENCE / "random/random.gld", REFERENCE / "random/random.tst"),
}
PARSERS = sorted(
    path.name.removesuffix(".counts.tsv")
    for path in (REFERENCE / "wsj_sample").glob("*.counts.tsv")
)
PAIRS |= {
    f"wsj_sample/{name}": (
        SYNTAX / "wsj_sample/wsj01.mrg",
        SYNTAX / f"wsj_sample/{name}.mrg",
    )
    for name in PARSERS
}
LARGE: dict[str, Pair] = {
    f"{part}.berkeley-{grammar}": (
        SYNTAX / f"gold/{part}.gold.mrg",
        SYNTAX / f"parsed/{part}.berkeley-{grammar}.mrg",
    )
    for part, grammar in (
        ("dev", "sm1"),
        ("train_sample", "sm4"),
        ("train_sample", "sm1"),
    )
}


def table(name: str, kind: str) -> list[list[str]]:
    lines = (REFERENCE / f"{name}.{kind}.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


def sentences_of(found: Repairs) -> list[list[str]]:
    rows = []
    for one in found.sentences:
        row = [str(one.sentence), str(one.status)]
        if one.status == "ok":
            types = "; ".join(error.error_type for error in one.repairs)
            row += [str(one.words), str(one.errors), str(len(one.repairs)), types]
        rows.append(row)
    return rows


def check(name: str, pair: Pair) -> None:
    found = repairs(*map(str, pair), by_sentence=True)
    statuses = table(name, "sentences")
    # Where the reference crashes, there is nothing to be equal to.
    crashed = {row[0] for row in statuses if row[1].startswith("crash")}
    expected = [
        row if row[1] == "ok" else [row[0], row[1].partition(":")[0]]
        for row in statuses
        if row[0] not in crashed
    ]
    assert [row for row in sentences_of(found) if row[0] not in crashed] == expected
    edits = [
        [str(value) or "-" for value in row[:9]]
        for one in found.sentences
        for row in error_rows(one)
    ]
    steps = [row[:9] for row in table(name, "steps")]
    assert [row for row in edits if row[0] not in crashed] == [
        row for row in steps if row[0] not in crashed
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_reference(name: str) -> None:
    check(name, PAIRS[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_reference_of_treebanks(name: str) -> None:
    check(name, LARGE[name])
