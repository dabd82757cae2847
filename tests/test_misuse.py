"""What people get wrong when they call functions: a message, or what they meant."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

import pytest

import analyzer
import spinal
from analyzer.model import settings
from spinal import SettingsError

TREE = "(ROOT (S (NP-SBJ (PRP it)) (VP (VBZ rains)) (. .)))"
OTHER = "(ROOT (S (NP (NN it)) (VP (VBZ rains)) (. .)))"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("score", ()),
        ("errors", ()),
        ("repairs", ()),
        ("derive", ()),
        ("instances", ()),
        ("agree", ()),
        ("ConstructionMetric", None),
    ],
)
def test_options_that_there_are_not(
    name: str, arguments: tuple[object, ...] | None
) -> None:
    """They are named, with those that are much like them; no class of ours is."""
    given = () if arguments is None else (TREE, TREE, *arguments)
    with pytest.raises(SettingsError) as caught:
        getattr(spinal, name)(*given, paterns="english")
    assert caught.value.code == "E585"
    assert (
        str(caught.value) == f"{name} has no option 'paterns'; did you mean 'patterns'?"
    )


@pytest.mark.parametrize(
    ("name", "given", "options", "message"),
    [
        ("score", (TREE,), {}, "missing a required argument: 'parsed'; write score("),
        ("score", (TREE,) * 3, {}, "too many positional arguments; write score(gold"),
        ("check", (), {}, "no trees are given; write check(treebank)"),
        ("breakdown", (TREE,) * 2, {}, "'by'; write breakdown(gold, parsed, by="),
        ("report", ({"a": (TREE, TREE)},), {}, "'path'; write report({"),
        ("domains", (TREE, TREE), {}, 'write domains({"news": (gold, parsed)'),
        ("show", (TREE, 3), {}, "expected; write show(gold, parsed, sentence=3)"),
        ("errors", (TREE,) * 2, {"construction": ["A"]}, "takes the name of one"),
        ("compare", (TREE,) * 3, {}, 'write compare(gold, {"A": parsed_a, "B"'),
        ("compare", (TREE, TREE), {}, "has no name; write compare(gold, {"),
        ("compare", (TREE, [TREE, TREE]), {}, "has no name; write compare(gold, {"),
        ("compare_repairs", (TREE, ["ab", "cd"]), {}, "'ab' has no name"),
        ("compare_runs", (TREE, {"A": TREE, "B": TREE}), {}, "'A' has no list of runs"),
        (
            "similarity",
            (["(NS-Cause (1) (2))"],),
            {},
            "the systems have no names; write",
        ),
        ("ConstructionMetric", (TREE,), {}, "too many positional arguments"),
    ],
)
def test_arguments_that_are_missing_or_too_many(
    name: str, given: tuple[Any, ...], options: dict[str, Any], message: str
) -> None:
    """What to write instead is said, with the names of the arguments."""
    with pytest.raises(SettingsError) as caught:
        getattr(spinal, name)(*given, **options)
    assert caught.value.code == "E589"
    assert str(caught.value).startswith(f"{name}: ")
    assert message in str(caught.value)


def test_systems_are_asked_for_by_their_names() -> None:
    found = spinal.compare([TREE, OTHER], {"a": [TREE, TREE], "b": [OTHER, OTHER]})
    for ask in (found.differences, found.agreement):
        assert ask("b") == ask(found.systems[1])
        with pytest.raises(SettingsError, match="no system 'c'; there are a, b"):
            ask("c")


def test_several_values_may_be_one_text_as_in_commands() -> None:
    assert spinal.check(TREE, select="S1").findings == []
    assert spinal.check(TREE, ignore="S101,V3").findings == []
    by_both = spinal.breakdown(TREE, OTHER, by="tag,length", resamples=10)
    assert by_both.keys == ("tag", "length")


def test_what_to_write_can_be_written() -> None:
    """Each call names a function that there is, with its own keywords."""
    for name, call in settings._CALLS.items():
        tree = ast.parse(call, mode="eval").body
        assert isinstance(tree, ast.Call)
        assert ast.unparse(tree.func) == name
        keywords = {one.arg: None for one in tree.keywords}
        inspect.signature(getattr(spinal, name)).bind(*tree.args, **keywords)


@pytest.mark.parametrize("name", analyzer._ELSEWHERE)
def test_names_that_are_tried_lead_to_those_there_are(name: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}'; use ") as caught:
        getattr(spinal, name)
    _, listed = str(caught.value).split("; use ")
    assert {*re.split(", | or ", listed)} <= {*analyzer.__all__}


def test_constructions_are_merged_one_by_one_or_several_at_once() -> None:
    one = spinal.score(TREE, TREE, merge={"NP-pos": "NP-t"})
    several = spinal.score(TREE, TREE, merge={"NP-t": ["NP-t", "NP-pos"]})
    assert str(one.signature) == str(several.signature)
    with pytest.raises(SettingsError, match="cannot merge 'NP-t' and 3") as error:
        spinal.score(TREE, TREE, merge={"NP-t": 3})  # type: ignore[dict-item]
    assert error.value.code == "E586"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_list_is_of_trees_if_one_of_it_is(place: int) -> None:
    answers = [TREE] * 3
    answers[place] = f"Here is the parse: {TREE}"
    with pytest.warns(spinal.InputWarning):
        scores = spinal.score([TREE] * 3, answers)
    assert scores.scored_text().startswith("scored 2 of 3 sentences")


def test_kernels_of_what_was_not_read() -> None:
    with pytest.raises(SettingsError, match="as read_trees gives one") as error:
        spinal.TreeKernel()(TREE, TREE)  # type: ignore[arg-type]
    assert error.value.code == "E587"


@pytest.mark.parametrize(
    "options",
    [
        {"delete_label": ["NP"]},
        {"functions": True},
        {"functions": True, "function_separator": "-"},
        {"merge": {"NP-t": "VP-t"}, "on_mismatch": "zero"},
    ],
)
def test_metrics_have_the_options_of_score(options: dict[str, Any]) -> None:
    metric = spinal.ConstructionMetric(**options)
    metric.update([TREE, OTHER], [OTHER, TREE])
    whole = spinal.score([TREE, OTHER], [OTHER, TREE], **options)
    assert metric.compute().total == whole.total
    assert metric.compute().signature == whole.signature
    assert (whole.functions is None) == (metric.compute().functions is None)
    assert metric.compute().tally == whole.tally


@pytest.mark.parametrize(
    "options",
    [
        {"delete_label": ["NP"]},
        {"function_separator": "="},
        {"cutoff": 1},
        {"raised": True},
        {"faithfulness": True},
    ],
)
def test_metrics_have_the_options_of_evalb(options: dict[str, Any]) -> None:
    metric = spinal.BracketMetric(**options)
    metric.update([TREE, OTHER], [OTHER, OTHER])
    whole = spinal.evalb([TREE, OTHER], [OTHER, OTHER], **options)
    result = metric.compute()
    assert (result.counts, result.signature) == (whole.counts, whole.signature)
    assert (result.faithfulness is None) == (whole.faithfulness is None)


def test_data_sets_may_be_the_values_of_their_names() -> None:
    names = {"a": (TREE, TREE), "b": (TREE, OTHER)}
    rows = [(name, *sides) for name, sides in names.items()]
    ours, same = spinal.domains(names), spinal.domains(rows)
    assert [one.name for one in ours.domains] == ["a", "b"]
    assert ours.frame().equals(same.frame())


@pytest.mark.parametrize("given", ["gold.mrg", ["gold.mrg", "parsed.mrg"], [(1, 2)]])
@pytest.mark.parametrize("function", [spinal.domains, spinal.generalise])
def test_what_is_no_data_set_is_named(function: Any, given: Any) -> None:
    with pytest.raises(SettingsError, match="is not a data set; expected") as caught:
        function(given)
    assert caught.value.code == "E588"


def test_kinds_of_errors_have_the_short_names_of_the_command() -> None:
    short = spinal.errors(TREE, OTHER, kind="att")
    assert short.kinds == spinal.errors(TREE, OTHER, kind=["attachment"]).kinds


def test_merges_may_be_written_as_on_the_command_line() -> None:
    named = spinal.score(TREE, OTHER, merge={"NP-t": ["NP-t", "VP-t"]})
    for merge in ("NP-t=NP-t,VP-t", ["NP-t=VP-t"]):
        assert spinal.score(TREE, OTHER, merge=merge).rows == named.rows
