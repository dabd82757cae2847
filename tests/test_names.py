"""An option has one name: in the command, in the function, in messages and in JSON."""

from __future__ import annotations

import ast
import inspect
import pickle
import re
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import analyzer
import spinal
from analyzer.analyses.opening import (
    PairOptions,
    ScoringOptions,
    TreeOptions,
    TreeReading,
)
from analyzer.analyses.show import ShownOptions
from analyzer.checks.inventory import DeriverOptions
from analyzer.cli.declarations import Group
from analyzer.cli.main import COMMANDS
from analyzer.exceptions import SettingsError, for_commands, templates
from analyzer.model import settings
from analyzer.rst_parser.parser import RstParser
from analyzer.safe_text import as_keywords
from tests.support.command import spinal as run
from tests.support.data_paths import ROOT
from tests.support.golden import WEB

TREE, OTHER = "(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))"
# What each command calls.
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "score": (spinal.score, spinal.score_nbest),
    "derive": (spinal.derive,),
    "errors": (spinal.errors,),
    "repairs": (spinal.repairs, spinal.worth_of),
    "breakdown": (spinal.breakdown,),
    "instances": (spinal.instances,),
    "domains": (spinal.domains, spinal.repairs_by_domain),
    "generalise": (spinal.generalise,),
    "compare": (spinal.compare, spinal.compare_runs, spinal.compare_repairs),
    "agree": (spinal.agree, spinal.cgel_agreement),
    "report": (spinal.report, spinal.write_comparison),
    "rst score": (
        *(spinal.score_rst, spinal.score_rst_constructions, spinal.classify_relations),
    ),
    "rst convert": (spinal.convert,),
    "rst similarity": (spinal.similarity,),
    "rst ambiguity": (spinal.ambiguity,),
    "rst train": (RstParser.train,),
    "rst parse": (RstParser.load, RstParser.parse),
    "rst segment": (RstParser.segment,),
    "kernel": (spinal.TreeKernel, spinal.read_trees),
    "discotk represent": (spinal.discotk_represent,),
    "discotk score": (spinal.discotk_score,),
    "discotk tune": (spinal.discotk_tune,),
    "discotk correlate": (spinal.discotk_correlate,),
    "find": (spinal.find, spinal.find_pairs),
    "check": (spinal.check,),
    "patterns": (spinal.check_patterns, spinal.draft_patterns, spinal.head_agreement),
    "evalb": (spinal.evalb, spinal.compare_conventions),
    "show": (spinal.show,),
}
# What a command shows of a result, and where it writes it: a result in Python has all.
OF_COMMANDS = (
    "cluster color columns dark format output picture quiet sort style svg top "
    "verbose wide width min_share limit o q v"
)
# Others that one of the two does not have, or has by another name, and why.
APART = {
    "score": "fail_under nbest",  # the exit code; another function
    "errors": "confusions",  # the result has them
    "repairs": "crossed draw list worth",  # of the result; `worth_of`
    "breakdown": "min_gold",  # which rows are shown
    "instances": "construction",  # which rows are shown
    "domains": "measure repairs",  # which table; another function
    "compare": "details repairs",  # which tables; another function
    "agree": "examples metric",  # which table; another function
    "report": "html",  # `path` is no option there
    "rst score": "by_document by_relation classification constructions published",
    "rst show": "",
    "rst train": "dev dev_syntax strict transform",  # of the parser that is trained
    "rst parse": "input strict to",  # of the texts that are parsed
    "rst segment": "encoding gold input strict words",
    "kernel": "kernel matrix nearest no_root roots trees",  # what is compared
    "discotk represent": "as",  # a word of Python; --shapes is the same
    "discotk score": "as no_normalize system with",  # the same; `normalize`, `systems`
    "discotk tune": "model",  # where it is written
    "find": "draw queries",  # a picture; `load_queries`
    # What is done with findings.
    "check": "apply calibrate level merge_decisions patch write_baseline "
    "write_calibration write_decisions",
    "patterns": "grammar min_coverage",
    "evalb": "conventions",  # another function
}
# Keywords that a command has no option for.
OF_PYTHON = (
    "backend progress warn describe show each keep_trees every classifier "
    "instances functions binarize relations roots units jobs by normalize "
    "systems labels name keep_blank_lines sigma notes problems text_encoding "
    "kind"
)


def options_of(command: str) -> Iterator[str]:
    for item in COMMANDS[command].load(command).arguments:
        for row in item.rows if isinstance(item, Group) else [item]:
            for name in row.names:
                if name.startswith("-"):
                    yield name.lstrip("-").replace("-", "_")


def keywords_of(functions: tuple[Any, ...]) -> Iterator[str]:
    for function in functions:
        for one in inspect.signature(function).parameters.values():
            if one.kind is one.KEYWORD_ONLY:
                yield one.name


def every_keyword(functions: tuple[Any, ...]) -> set[str]:
    names = {
        name
        for function in functions
        for name in inspect.signature(function).parameters
    }
    synonyms = {"patterns", "treebank"}
    return names | synonyms if names & synonyms else names


@pytest.mark.parametrize("command", FUNCTIONS)
def test_an_option_has_one_name(command: str) -> None:
    options, keywords = {*options_of(command)}, every_keyword(FUNCTIONS[command])
    apart = set(APART.get(command, "").split())
    assert apart <= options, "no longer there"
    assert options - keywords - {*OF_COMMANDS.split()} == apart
    assert {*keywords_of(FUNCTIONS[command])} - options <= {*OF_PYTHON.split()}


def test_all_commands_are_looked_at() -> None:
    apart = {"rst show", "schema"}  # no functions: a drawing, a file
    commands = {name for name, entry in COMMANDS.items() if not entry.family}
    assert commands - apart == {*FUNCTIONS}


# -- signatures ------------------------------------------------------------------------


def public_functions() -> list[str]:
    return [
        name for name in analyzer._PUBLIC if inspect.isfunction(getattr(analyzer, name))
    ]


OPTIONS = {
    "Unpack[ScoringOptions]": ScoringOptions,
    "Unpack[TreeOptions]": TreeOptions,
    "Unpack[PairOptions]": PairOptions,
    "Unpack[DeriverOptions]": DeriverOptions,
    "Unpack[ShownOptions]": ShownOptions,
}


@pytest.mark.parametrize("name", public_functions())
def test_a_signature_is_that_of_the_stub(name: str) -> None:
    """Type checkers read the definition; help shows the same, all options spelt out."""
    function = getattr(analyzer, name)
    path = ROOT / (function.__module__.replace(".", "/") + ".py")
    tree = ast.parse(path.read_text("utf-8"))
    [node] = [
        one
        for one in tree.body
        if isinstance(one, ast.FunctionDef) and one.name == function.__name__
    ]
    given = node.args
    expected = [one.arg for one in (*given.args, *given.kwonlyargs)]
    expected += [given.vararg.arg] if given.vararg else []
    if given.kwarg:
        assert given.kwarg.annotation is not None
        expected += OPTIONS[ast.unparse(given.kwarg.annotation)].__annotations__
    shown = inspect.signature(function).parameters
    assert sorted(shown) == sorted(expected)
    assert not any(one.kind is one.VAR_KEYWORD for one in shown.values())


def test_options_have_the_defaults_that_count() -> None:
    shown = inspect.signature(spinal.score).parameters
    for name in ScoringOptions.__annotations__:
        default = getattr(TreeReading, name)
        assert shown[name].default == default, name
    assert inspect.signature(spinal.find).parameters["binarize"].default == "none"


def test_help_fits_a_screen() -> None:
    import pydoc

    text = pydoc.render_doc(spinal.score, renderer=pydoc.plaintext)
    lines = sum(max(1, -(-len(line) // 80)) for line in text.splitlines())
    # From Python 3.13 on, each option stands on a line of its own.
    assert lines <= (40 if sys.version_info < (3, 13) else 70)
    assert "on_mismatch='skip'" in text


def test_functions_travel_and_their_examples_are_run() -> None:
    assert pickle.loads(pickle.dumps(spinal.score)) is spinal.score
    module = __import__("analyzer.analyses.score", fromlist=["score"])
    assert spinal.score.__globals__ is vars(module)  # as doctest wants it


# -- names that people guess -----------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "former"),
    [
        ("compare", "compare_systems"),
        ("domains", "compare_domains"),
        ("errors", "find_errors"),
        ("report", "write_report"),
    ],
)
def test_functions_are_called_as_their_commands_and_as_before(
    name: str, former: str
) -> None:
    assert getattr(spinal, name) is getattr(spinal, former)
    assert getattr(spinal, name).__name__ == name
    assert name in COMMANDS


@pytest.mark.parametrize("former", settings._FORMER)
def test_former_keywords_are_no_names_of_options(former: str) -> None:
    used = {
        name
        for functions in FUNCTIONS.values()
        for function in functions
        if (name := settings._FORMER[former][0])
        in inspect.signature(function).parameters
    }
    assert used, "what nobody takes needs no other name"


def test_former_keywords_work_and_say_so() -> None:
    with pytest.warns(DeprecationWarning, match="parameters= is now called") as told:
        before = spinal.evalb(TREE, OTHER, parameters="none")  # type: ignore[call-arg]
    assert told[0].filename == __file__  # whose line it is
    assert before.summary == spinal.evalb(TREE, OTHER, params="none").summary
    with pytest.warns(DeprecationWarning, match="by_characters= is now called"):
        spinal.agree(TREE, OTHER, by_characters=True)  # type: ignore[call-arg]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        spinal.score(TREE, OTHER, treebank="english")  # type: ignore[call-arg]
        spinal.evalb(TREE, OTHER, patterns="english")  # type: ignore[call-arg]
    with pytest.raises(SettingsError, match="another name of params=") as error:
        spinal.evalb(TREE, OTHER, params="none", parameters="none")  # type: ignore[call-arg]
    assert error.value.code == "E974"


def test_former_switches_are_values_now() -> None:
    rst = "(NS-Cause (1) (2))"
    with pytest.warns(DeprecationWarning, match="is now called"):
        found = spinal.score_rst(rst, rst, by_offsets=False, count_root=False)  # type: ignore[call-arg]
    assert found.settings == spinal.score_rst(rst, rst, no_root=True).settings


def test_no_unknown_keyword_names_a_class() -> None:
    for name in public_functions():
        shown = inspect.signature(getattr(spinal, name)).parameters.values()
        needed = [one for one in shown if one.default is one.empty]
        if not any(one.kind is one.KEYWORD_ONLY for one in shown):
            continue
        given = [TREE] * sum(one.kind is one.POSITIONAL_OR_KEYWORD for one in needed)
        called = getattr(spinal, name).__name__
        with pytest.raises(SettingsError) as error:
            getattr(spinal, name)(*given, encodign="utf-8")
        assert str(error.value).startswith(f"{called} has no option 'encodign'")
        if "encoding" in inspect.signature(getattr(spinal, name)).parameters:
            assert str(error.value).endswith("did you mean 'encoding'?")


# -- messages --------------------------------------------------------------------------


def test_messages_name_keywords_in_python_and_options_in_commands() -> None:
    with pytest.raises(SettingsError) as error:
        spinal.score(TREE, OTHER, jobs=0)
    assert str(error.value) == "jobs= must be at least 1, not 0"
    with for_commands():
        assert str(error.value) == "--jobs must be at least 1, not 0"
    assert "--jobs must be" in run("score", *WEB, "--jobs", "0").err


def test_keywords_in_messages_are_keywords() -> None:
    """All but those of errors that only commands raise."""
    known = {
        name
        for functions in (*FUNCTIONS.values(), (spinal.faithfulness, RstParser.train))
        for name in every_keyword(functions)
    }
    known |= {"cluster", "id", "field"}
    only_commands = (
        "top nearest list crossed constructions classification published system "
        "min_coverage limit"
    )
    for code, template in templates().items():
        for name in re.findall(
            r"(?<![\w{'])([a-z_]+)=(?!\w*\})", as_keywords(template)
        ):
            if as_keywords(template) != template:
                assert name in {*known, *only_commands.split()}, (code, name)


def test_names_in_json_are_those_of_options() -> None:
    """A signature has settings by the names of options, and what came of them."""
    outcomes = {"scorer", "deleted", "merged", "equal", "quotes", "wrappers", "labeled"}
    outcomes |= {"average", "intervals", "spinal", "cutoff", "not_in_length"}
    found = spinal.score(
        TREE,
        OTHER,
        on_mismatch="zero",
        pair="text",
        tags="gold",
        merge={"NP-t": "VP-t"},
    )
    names = {name for name, _ in found.signature.settings}
    assert names - outcomes <= {*ScoringOptions.__annotations__}
