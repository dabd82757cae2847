"""Baselines: what is new is told, and mending one place brings no other one back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer import check
from analyzer.checks.decisions import read_known
from analyzer.checks.findings import TreeFinding
from analyzer.checks.run import CheckResult
from tests.support.command import spinal

GOOD = "(ROOT (S (NP (DT the) (NN {a})) (VP (VBD {v}) (NP (DT a) (NN {b}))) (. .)))"
SLIPS = (
    ("(NN {b})", "(NNP {b})"),
    ("(NP (DT a)", "(ADJP (DT a)"),
    ("(NP (DT a) (NN {b}))", "(NP-TMP (DT a) (NN {b}))"),
    ("(NP (DT a) (NN {b}))", "(DT a) (NN {b})"),
    ("(NN {a})", "(NP (NN {a}))"),
)
# What is annotated in a tree: its words, and which of the slips it has.
TREE = st.tuples(
    st.sampled_from(["cat", "dog"]),
    st.sampled_from(["saw", "met"]),
    st.sampled_from(["man", "boy"]),
    st.sampled_from([None, None, None, *SLIPS]),
)
Annotated = tuple[str, str, str, tuple[str, str] | None]


def text(trees: list[Annotated]) -> str:
    return "\n".join(
        (GOOD.replace(*slip) if slip else GOOD).format(a=a, v=v, b=b)
        for a, v, b, slip in trees
    )


def places(found: list[TreeFinding]) -> set[tuple[int, str]]:
    return {(one.suspects[0].tree, one.code) for one in found}


def new(result: CheckResult, baseline: Path) -> list[TreeFinding]:
    return result.without_known(read_known(str(baseline))).findings


FIXTURE = [HealthCheck.function_scoped_fixture]


@pytest.mark.slow
@settings(suppress_health_check=FIXTURE, max_examples=25)
@given(st.lists(TREE, min_size=4, max_size=12), st.data())
def test_mending_brings_nothing_back(
    tmp_path: Path, trees: list[Annotated], data: st.DataObject
) -> None:
    known = tmp_path / "known.json"
    before = check(text(trees))
    before.write_decisions(str(known), is_baseline=True)
    assert new(before, known) == []
    at = data.draw(st.integers(0, len(trees) - 1))
    mended = [*trees[:at], (*trees[at][:3], None), *trees[at + 1 :]]
    # All that is new is about the tree that was changed: it may contradict others now.
    for one in new(check(text(mended)), known):
        assert at in {place.tree for place in one.suspects}


def test_a_fingerprint_does_not_depend_on_others(tmp_path: Path) -> None:
    """Of two equal sentences the first is changed: that is new, not the second."""
    known = tmp_path / "known.json"
    odd = SLIPS[1]
    trees: list[Annotated] = [
        *[("cat", "saw", "man", None)] * 3,
        *[("cat", "met", "man", odd)] * 2,
        ("dog", "met", "man", odd),
        ("cat", "met", "man", odd),
        ("dog", "met", "man", None),
    ]
    check(text(trees)).write_decisions(str(known), is_baseline=True)
    after = check(text([*trees[:5], ("dog", "met", "man", None), *trees[6:]]))
    suspected = {one.suspects[0].tree for one in after.findings}
    assert suspected >= {5, 7}
    assert {one.suspects[0].tree for one in new(after, known)} == {5}


@pytest.mark.slow
@settings(suppress_health_check=FIXTURE, max_examples=25)
@given(st.lists(TREE, min_size=4, max_size=12), TREE)
def test_what_is_new_is_told(
    tmp_path: Path, trees: list[Annotated], tree: Annotated
) -> None:
    """A tree that comes in addition, even one like another with the same slip."""
    known = tmp_path / "known.json"
    check(text(trees)).write_decisions(str(known), is_baseline=True)
    after = check(text([*trees, tree]))
    last = len(trees)
    found = [one for one in after.findings if one.suspects[0].tree == last]
    told = new(after, known)
    assert places(found) <= places(told)


def test_no_two_have_the_same_fingerprint(tmp_path: Path) -> None:
    """The same sentences with the same slip, in two folders and twice in a file."""
    good, bad = (
        text([("cat", "saw", "man", None)]),
        text([("cat", "saw", "man", SLIPS[0])]),
    )
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        lines = [good] * 5 + [bad, bad]
        (tmp_path / folder / "bank.mrg").write_text("\n".join(lines), "utf-8")
    found = check(str(tmp_path)).findings
    assert len({one.fingerprint for one in found}) == len(found) == 4


@pytest.mark.parametrize("name", ["text", "json", "csv", "sarif"])
def test_the_order_of_files_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [("cat", "saw", "man"), ("dog", "saw", "man"), ("cat", "met", "boy")]
    for file, slip in (("a", None), ("b", SLIPS[0]), ("c", SLIPS[1])):
        trees: list[Annotated] = [(*three, slip) for three in words]
        Path(f"{file}.mrg").write_text(text(trees), "utf-8")
    one, other = (
        spinal("check", *(f"{file}.mrg" for file in order), "--format", name).out
        for order in ("abc", "cba")
    )
    assert one == other
