"""CGELBank's agreement: worked by hand, beside a plain definition, and as published."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.analyses.cgel_agreement import CgelAgreement, cgel_agreement
from analyzer.exceptions import PairingError, SettingsError
from analyzer.formats.reading import read_trees
from tests.support.command import spinal
from tests.support.data_paths import SHARED, needs_shared_data
from tests.support.examples import some

FOLDER = SHARED / "syntax_more" / "cgel"
WHAT = '(Clause :Prenucleus (x / NP :t "what") :Head (VP :Head (V :t "see") {}))'
GAP = ":Obj (x / GAP)"


def _costs(a: str, b: str, measure: str = "flex") -> tuple[int, int, int]:
    """Nodes inserted, nodes deleted, and quarters for aligned ones."""
    return tuple(cgel_agreement(a, b).counts.costs[measure])


def test_each_difference_of_aligned_nodes_costs_a_quarter() -> None:
    one, other = '(S :A (N :t "a"))', '(S :B (M :t "b"))'
    for measure, quarters in {
        **{"unlab": 1, "nocat": 2, "nofxn": 2, "flex": 3},
        "strict": 4,
    }.items():
        assert _costs(one, other, measure) == (0, 0, quarters), measure
    changes = [tuple(row) for row in cgel_agreement(one, other).changes]
    assert changes == [
        ("category", "N", "M", 1),
        ("function", "A", "B", 1),
        ("word", "a", "b", 1),
    ]


def test_what_only_one_has_costs_a_node() -> None:
    without, with_gap = WHAT.format(""), WHAT.format(GAP)
    assert _costs(without, with_gap) == (1, 0, 0)
    assert _costs(with_gap, without) == (0, 1, 0)
    rows = {row.measure: row for row in cgel_agreement(without, with_gap).rows}
    # What B has and A has not counts against recall, as in CGELBank's program.
    assert (rows["flex"].precision, rows["flex"].recall) == (1.0, 3 / 4)
    assert (rows["flex"].cost, rows["flex"].recall_cost) == (1.0, 1.0)
    assert (rows["gaps"].precision, rows["gaps"].recall) == (0.0, None)


def test_gaps_agree_if_what_fills_them_does() -> None:
    """The same gap, which is filled by another word."""
    one = '(S :A (x / N :t "a") :B (N :t "b") :C (x / GAP))'
    other = '(S :A (N :t "a") :B (x / N :t "b") :C (x / GAP))'
    result = cgel_agreement(one, other)
    assert (result.counts.gaps, result.counts.other_fillers) == (1, 1)
    assert _costs(one, other) == (0, 0, 1)
    assert _costs(one, other, "strict") == (0, 0, 4)
    assert result.tree_accuracy == 0
    assert cgel_agreement(one, one).tree_accuracy == 1
    # A gap that nothing fills, on both sides.
    nothing = '(S :A (N :t "a") :C (x / GAP))'
    assert _costs(nothing, nothing) == (0, 0, 0)


def test_a_word_is_its_correction() -> None:
    wrong = '(S :A (N :t "its"))'
    assert _costs(wrong, '(S :A (N :t "its" :correct "it\'s"))') == (0, 0, 1)
    # One that should not be there is neither the word nor a phrase without one.
    assert _costs(wrong, '(S :A (N :t "its" :correct ""))') == (0, 0, 1)
    assert _costs("(S :A (N))", '(S :A (N :t "its" :correct ""))') == (0, 0, 1)


def test_what_cannot_be_read_is_left_out_and_named() -> None:
    good, bad = '(S :A (N :t "a"))', '(S :A (N :t "a")'
    with pytest.warns(UserWarning, match="left out"):
        result = cgel_agreement([good, good, good], [good, bad])
    assert result.counts.trees == 1
    assert result.scored_text() == (
        "compared 1 of 3 sentences; 2 left out: 1 malformed B, 1 only in A"
    )
    with pytest.raises(PairingError, match="left out"):
        cgel_agreement([good, good], [good, bad], max_left_out=10)


def test_trees_without_functions_are_refused() -> None:
    with pytest.raises(SettingsError, match="no functions on edges"):
        cgel_agreement("(S (NN a))", "(S (NN a))")
    with pytest.raises(SettingsError, match="no functions on edges"):
        cgel_agreement(read_trees("(S (NN a))"), read_trees("(S (NN a))"))


# -- beside a definition that is as plain as it can be ---------------------------------

CATEGORIES, FUNCTIONS = st.sampled_from(["N", "M"]), st.sampled_from(["F", "G"])
Plain = tuple[str, str, tuple["Plain", ...]]


def _nodes(children: st.SearchStrategy[Plain]) -> st.SearchStrategy[Plain]:
    return st.tuples(CATEGORIES, FUNCTIONS, st.lists(children, max_size=3).map(tuple))


NODES = st.recursive(
    st.tuples(CATEGORIES, FUNCTIONS, st.just(())), _nodes, max_leaves=5
)
TREES = st.tuples(CATEGORIES, st.just(""), st.lists(NODES, max_size=3).map(tuple))


def _written(tree: Plain) -> str:
    category, function, children = tree
    inner = f"({category}{''.join(' ' + _written(child) for child in children)})"
    return f":{function} {inner}" if function else inner


@cache
def _least(one: tuple[Plain, ...], other: tuple[Plain, ...], costs: str) -> float:
    """The least cost of making one forest of another, by its definition."""
    if not one and not other:
        return 0
    found = []
    if one:
        found.append(1 + _least(one[:-1] + one[-1][2], other, costs))
    if other:
        found.append(1 + _least(one, other[:-1] + other[-1][2], costs))
    if one and other:
        same = [a == b for a, b in zip(one[-1][:2], other[-1][:2], strict=True)]
        counted = {"unlab": [], "nocat": same[1:], "nofxn": same[:1]}.get(costs, same)
        each = 1 if costs == "strict" else 0.25
        cost = each * (counted.count(False) if each < 1 else not all(counted))
        below = _least(one[-1][2], other[-1][2], costs)
        found.append(cost + below + _least(one[:-1], other[:-1], costs))
    return min(found)


@settings(max_examples=some(60))
@given(TREES, TREES)
def test_the_distance_is_the_least(one: Plain, other: Plain) -> None:
    result = cgel_agreement([_written(one)], [_written(other)], grammar="cgel")
    for measure, (inserted, deleted, changed) in result.counts.costs.items():
        expected = _least((one,), (other,), measure)
        assert inserted + deleted + changed / 4 == expected, measure
    back = cgel_agreement([_written(other)], [_written(one)], grammar="cgel")
    assert [sum(row[4:5]) for row in back.rows[:5]] == [
        sum(row[4:5]) for row in result.rows[:5]
    ]


# -- as published ---------------------------------------------------------------------


def _as_published(result: CgelAgreement) -> str:
    """The lines of CGELBank's `iaa.out`."""
    counts, rows = result.counts, result.rows
    *measures, gaps = rows
    accuracy = result.tree_accuracy
    lines = [
        "",
        f"count={counts.trees}, gold_constits={counts.a_nodes} ({counts.a_gaps} gaps), "
        f"pred_constits={counts.b_nodes} ({counts.b_gaps} gaps)",
        " " * 9 + "".join(f"{row.measure:8}" for row in measures) + "TreeAcc Gaps",
    ]
    ends = [f"{accuracy:.1%}   {gaps.f1:.1%}", *(f"{'':8}{x:.1%}" for x in gaps[2:4])]
    ends += [f"{'':8}{counts.gaps:>5} aligned gaps"]
    ends += [
        f"{'':8}{counts.other_fillers:>5} aligned gaps w/ unaligned antecedents",
        "",
    ]
    names = ["microF", "microP", "microR", "avgcost", "avgPcost", "avgRcost"]
    for at, (name, end) in enumerate(zip(names, ends, strict=True), start=1):
        form = ".1%" if at <= 3 else ">5.2f"
        values = "".join(f"{row[at]:{form}}   " for row in measures)
        lines.append(f"{name:9}{values}{end}")
    by_edit = {row.edit: row.cost for row in result.cost_rows}
    lines += ["", "Flex metric total cost breakdown:"]
    for edit in ("insertion", "deletion"):
        lines.append(f"   {by_edit.pop(edit):>6.2f} {edit} @ 1")
    lines.append(f"   {sum(by_edit.values()):>6.2f} substitution")
    called = {"word": "lexical token string", "gap's antecedent": "gap antecedent"}
    for edit, cost in by_edit.items():
        changes = {
            f"{row.a}->{row.b}": row.nodes for row in result.changes if row.part == edit
        }
        listed = f": {changes}" if edit in ("category", "function", "word") else ""
        lines.append(f"        {cost:>6.2f} {called.get(edit, edit)} @ .25{listed}")
    return "\n".join([*lines, ""])


@pytest.mark.slow
@needs_shared_data
def test_all_that_cgelbank_published() -> None:
    """Two annotators before and after validation, and beside what was agreed on."""
    published = (FOLDER / "iaa.out").read_text("utf-8")
    sections = re.split(r"(\+python eval.py \S+/(\S+) \S+/(\S+)\n)", published)
    ours = sections[:1]
    for at in range(1, len(sections), 4):
        command, *files = sections[at : at + 3]
        result = cgel_agreement(*(FOLDER / name for name in files))
        rest = sections[at + 3].partition("\n#")
        ours += [command, _as_published(result), *(["\n#", rest[2]] if rest[1] else [])]
    assert len(sections) == 1 + 8 * 4
    assert "".join(ours) == published


# -- the command ----------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    texts = [WHAT.format(""), WHAT.format(GAP), WHAT.format(GAP.replace("Obj", "Comp"))]
    paths = [tmp_path / f"{name}.cgel" for name in "abc"]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(f"# sent_id = 1\n{text}\n", encoding="utf-8")
    return list(map(str, paths))


def test_the_command_prints_all_of_it(files: list[str]) -> None:
    ran = spinal("agree", *files[:2], "--metric", "cgel", "--format", "json")
    assert ran.code == 0, ran.err
    data = json.loads(ran.out)
    assert [row["measure"] for row in data["measures"]] == [
        *("unlab", "flex", "nocat", "nofxn", "strict", "gaps"),
    ]
    assert data["gaps"] == {"a": 0, "b": 1, "aligned": 0, "other_antecedents": 0}
    assert data["costs"][0] == {"edit": "insertion", "each": 1, "cost": 1}
    text = spinal("agree", *files[:2], "--metric", "cgel").out
    assert "flex" in text
    assert "equal trees: 0.0 % (0 of 1)" in text
    for form in ("csv", "html", "latex", "markdown"):
        assert (
            spinal("agree", *files[:2], "--metric", "cgel", "--format", form).code == 0
        )


def test_of_three_annotators_each_pair_is_compared(files: list[str]) -> None:
    ran = spinal("agree", *files, "--metric", "cgel", "--format", "json")
    pairs = json.loads(ran.out)["pairs"]
    assert [(one["a"], one["b"]) for one in pairs] == [
        (files[0], files[1]),
        (files[0], files[2]),
        (files[1], files[2]),
    ]
    assert pairs[2]["changes"] == [
        {"part": "function", "a": "Obj", "b": "Comp", "nodes": 1}
    ]


def test_what_has_no_effect_is_refused(files: list[str]) -> None:
    for option in (["--pair", "text"], ["--top", "3"], ["--patterns", "chinese"]):
        ran = spinal("agree", *files[:2], "--metric", "cgel", *option)
        assert ran.code == 2
        assert f"{option[0]} has no effect with --metric cgel" in ran.err


def test_strings_are_read_by_the_grammar_that_is_named() -> None:
    """Not by the one that they seem to be in."""
    assert len(read_trees(["(S (NP a))"], grammar="untagged")[0].words) == 1
    assert cgel_agreement(["(S)"], ["(S)"], grammar="cgel").tree_accuracy == 1
