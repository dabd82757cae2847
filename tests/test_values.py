"""Public results are values: they can be copied, sent to another process, compared.

A public class that has no example here fails the first test.
"""

from __future__ import annotations

import copy
import inspect
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import analyzer
from analyzer import (
    Backend,
    Direction,
    Domain,
    Labeller,
    OnMismatch,
    RstParser,
    RstSettings,
    SettingsError,
    TreeKernel,
    Unit,
    agree,
    ambiguity,
    breakdown,
    cgel_agreement,
    check,
    check_patterns,
    classify_relations,
    compare_conventions,
    compare_domains,
    compare_repairs,
    compare_runs,
    compare_systems,
    convert,
    derive,
    discotk_represent,
    discotk_score,
    draft_patterns,
    evalb,
    faithfulness,
    find,
    find_errors,
    find_pairs,
    generalise,
    head_agreement,
    instances,
    load_inventory,
    load_parameters,
    load_relations,
    read_rst,
    read_trees,
    repairs,
    score,
    score_nbest,
    score_rst,
    score_rst_constructions,
    similarity,
    worth_of,
    write_report,
)
from analyzer.checks.decisions import Decision
from analyzer.transform.head_order import dependency_tree
from tests.support.conllu import conllu
from tests.support.data_paths import ROOT

GOLD = """(S (NP (PRP I)) (VP (VBP see) (NP (NP (NN cats)) (PP (IN on) (NN it)))))
(S (NP (NN snow)) (VP (VBZ falls)))
(S (NP (NN a)) (VP (VBZ b)))
"""
PARSED = """(S (NP (PRP I)) (VP (VBP see) (NP (NN cats)) (PP (IN on) (NN it))))
(S (NP (NN snow)) (VP (VBZ falls)))
(S (NP (NN a)))
"""
OTHER = GOLD.replace("PP", "ADVP")
RST, RST_PARSED = "(NS-Cause (1) (NN-List (2) (3)))", "(NN-List (NS-Cause (1) (2)) (3))"
TEXT_TREE, OTHER_TREE = "(NS-Cause _!it rained!_ _!we left!_)", "(NN-List _!a!_ _!b!_)"
SYSTEMS = [("one", PARSED), ("two", OTHER)]
RUNS = {"one": [PARSED, OTHER], "two": [OTHER]}
SAMPLES = ROOT / "examples" / "discourse"


@cache
def _other_parser() -> RstParser:
    return RstParser.train(SAMPLES / "train.tsv")


def _report() -> object:
    with TemporaryDirectory() as folder:
        return write_report([("a", GOLD, PARSED)], f"{folder}/page.html")


# For each: a value, and another of the same class that is not equal to it.
TAGGED = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"
# Two analyses of the same words: the noun or the article heads the first phrase.
TAGGED_WORDS = (
    "the/the/DT/2/det cat/cat/NN/3/nsubj sleeps/sleep/VBZ/0/root",
    "",
    "the/the/DT/3/nsubj cat/cat/NN/1/det sleeps/sleep/VBZ/0/root",
)
EXAMPLES: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "Treebank": (lambda: read_trees(GOLD), lambda: read_trees(PARSED)),
    "Treebank, unreadable": (
        lambda: read_trees(GOLD + "(S (NP a)\n\n(S"),
        lambda: read_trees(GOLD),
    ),
    "Tree": (lambda: read_trees(GOLD)[0], lambda: read_trees(GOLD)[1]),
    "Node": (lambda: read_trees(GOLD)[0].root, lambda: read_trees(GOLD)[1].root),
    "Documents": (lambda: read_rst(RST), lambda: read_rst(RST_PARSED)),
    "Unit": (lambda: read_rst(RST).units[0], lambda: read_rst(RST_PARSED).units[0]),
    "DependencyTree": (
        lambda: dependency_tree(read_rst(RST).units[0]),
        lambda: dependency_tree(read_rst(RST_PARSED).units[0]),
    ),
    "TranslationScores": (
        lambda: discotk_score([TEXT_TREE], {"a": [TEXT_TREE], "b": [OTHER_TREE]}),
        lambda: discotk_score([TEXT_TREE], {"a": [OTHER_TREE], "b": [OTHER_TREE]}),
    ),
    "Representations": (
        lambda: discotk_represent([TEXT_TREE]),
        lambda: discotk_represent([OTHER_TREE]),
    ),
    "Inventory": (lambda: load_inventory("english"), lambda: load_inventory("rst")),
    "Labeller": (
        lambda: Labeller(load_inventory("rst")),
        lambda: Labeller(load_inventory("rst"), {"U-modr": "U-t"}),
    ),
    "EvalbParameters": (
        lambda: load_parameters("collins"),
        lambda: load_parameters("new"),
    ),
    "RstSettings": (lambda: RstSettings(), lambda: RstSettings(count_root=False)),
    "Direction": (lambda: Direction("left"), lambda: Direction.RIGHT),
    "OnMismatch": (lambda: OnMismatch("zero"), lambda: OnMismatch.SKIP),
    "Backend": (lambda: Backend(2), lambda: Backend(3)),
    "ConstructionScores": (
        lambda: score(GOLD, PARSED, by_sentence=True),
        lambda: score(GOLD, OTHER, by_sentence=True),
    ),
    "ConstructionScores, discourse": (
        lambda: score(read_rst(RST), read_rst(RST_PARSED)),
        lambda: score(read_rst(RST), read_rst(RST)),
    ),
    "BracketScores": (
        lambda: evalb(GOLD, PARSED, by_label=True, by_sentence=True),
        lambda: evalb(GOLD, OTHER, by_label=True, by_sentence=True),
    ),
    "Repairs": (lambda: repairs(GOLD, PARSED), lambda: repairs(GOLD, OTHER)),
    "RepairComparison": (
        lambda: compare_repairs(GOLD, SYSTEMS, resamples=2),
        lambda: compare_repairs(GOLD, SYSTEMS, resamples=3),
    ),
    "Worth": (
        lambda: worth_of(repairs(GOLD, PARSED, keep_trees=True)),
        lambda: worth_of(repairs(GOLD, OTHER, keep_trees=True)),
    ),
    "FoundPairs": (
        lambda: find_pairs("NP=n < __", GOLD, PARSED, resamples=5),
        lambda: find_pairs("NP=n < __", GOLD, OTHER, resamples=5),
    ),
    "PairedMatch": (
        lambda: find_pairs("NP", GOLD, PARSED, resamples=5).matches[0],
        lambda: find_pairs("PP", GOLD, OTHER, resamples=5).matches[0],
    ),
    "ErrorList": (lambda: find_errors(GOLD, PARSED), lambda: find_errors(GOLD, OTHER)),
    "Breakdown": (
        lambda: breakdown(GOLD, PARSED, by="tag", resamples=5),
        lambda: breakdown(GOLD, OTHER, by="tag", resamples=5),
    ),
    "RstParser": (lambda: RstParser.train(SAMPLES / "rain.tsv"), _other_parser),
    "ParsedTexts": (
        lambda: _other_parser().parse(SAMPLES / "rain.tsv"),
        lambda: _other_parser().parse(SAMPLES / "bakery.tsv"),
    ),
    "Instances": (lambda: instances(GOLD, PARSED), lambda: instances(GOLD, OTHER)),
    "Found": (lambda: find("NP=n < __", GOLD), lambda: find("VP=n < __", GOLD)),
    "Derivations": (lambda: derive(GOLD, PARSED), lambda: derive(GOLD, OTHER)),
    "GeneratedTrees": (
        lambda: faithfulness(GOLD, PARSED),
        lambda: faithfulness(GOLD, OTHER),
    ),
    "ConventionScores": (
        lambda: compare_conventions(GOLD, PARSED),
        lambda: compare_conventions(GOLD, OTHER),
    ),
    "NbestScores": (
        lambda: score_nbest(GOLD, [[one] for one in PARSED.splitlines()]),
        lambda: score_nbest(GOLD, [[one] for one in OTHER.splitlines()]),
    ),
    "DomainComparison": (
        lambda: compare_domains([("a", GOLD, PARSED), ("b", GOLD, OTHER)]),
        lambda: compare_domains([("a", GOLD, PARSED), ("b", GOLD, GOLD)]),
    ),
    "Generalisation": (
        lambda: generalise([("a", GOLD, PARSED), ("b", GOLD, OTHER)], resamples=5),
        lambda: generalise([("a", GOLD, PARSED), ("b", GOLD, GOLD)], resamples=5),
    ),
    "Domain": (
        lambda: Domain("a", score(GOLD, PARSED)),
        lambda: Domain("b", score(GOLD, PARSED)),
    ),
    "RunComparison": (
        lambda: compare_runs(GOLD, RUNS, resamples=20),
        lambda: compare_runs(GOLD, RUNS, resamples=30),
    ),
    "SystemComparison": (
        lambda: compare_systems(GOLD, SYSTEMS, resamples=20),
        lambda: compare_systems(GOLD, SYSTEMS, resamples=30),
    ),
    "SystemComparison, discourse": (
        lambda: compare_systems(
            read_rst(RST),
            [("one", read_rst(RST_PARSED)), ("two", read_rst(RST))],
            resamples=20,
        ),
        lambda: compare_systems(GOLD, SYSTEMS, resamples=20),
    ),
    "Agreement": (lambda: agree(GOLD, PARSED), lambda: agree(GOLD, OTHER)),
    "CgelAgreement": (
        lambda: cgel_agreement('(S :A (N :t "a"))', '(S :A (N :t "b"))'),
        lambda: cgel_agreement('(S :A (N :t "a"))', '(S :A (N :t "a"))'),
    ),
    "Agreement, discourse": (
        lambda: agree(read_rst(RST), read_rst(RST_PARSED)),
        lambda: agree(read_rst(RST), read_rst(RST)),
    ),
    "RstScores": (lambda: score_rst(RST, RST_PARSED), lambda: score_rst(RST, RST)),
    "RelationClassification": (
        lambda: classify_relations(RST, RST_PARSED),
        lambda: classify_relations(RST, RST),
    ),
    "RstConstructionScores": (
        lambda: score_rst_constructions(RST, RST_PARSED),
        lambda: score_rst_constructions(RST, RST),
    ),
    "Similarities": (
        lambda: similarity({"a": read_rst(RST), "b": read_rst(RST_PARSED)}),
        lambda: similarity({"a": read_rst(RST), "b": read_rst(RST)}),
    ),
    "AmbiguityCounts": (
        lambda: ambiguity(read_rst(RST)),
        lambda: ambiguity(read_rst(RST), read_rst(RST_PARSED)),
    ),
    "Conversion": (lambda: convert(RST, to="dis"), lambda: convert(RST, to="rsd")),
    "CheckResult": (lambda: check(GOLD), lambda: check(GOLD + "(S (NP) (VP (VB b)))")),
    "DraftedInventory": (
        lambda: draft_patterns([TAGGED] * 9),
        lambda: draft_patterns([TAGGED] * 8),
    ),
    "HeadAgreement": (
        lambda: head_agreement(TAGGED, dependencies=conllu(*TAGGED_WORDS)),
        lambda: head_agreement(TAGGED, dependencies=conllu(*TAGGED_WORDS[::-1])),
    ),
    "InventoryCheck": (lambda: check_patterns(GOLD), lambda: check_patterns(OTHER)),
    "TreeKernel": (lambda: TreeKernel(), lambda: TreeKernel(decay=0.5)),
    "Ledger": (lambda: score(GOLD, PARSED).ledger, lambda: score(GOLD, OTHER).ledger),
    "Signature": (
        lambda: evalb(GOLD, PARSED).signature,
        lambda: score(GOLD, PARSED).signature,
    ),
    "RelationMap": (lambda: load_relations("gum"), lambda: load_relations("rstdt")),
    "Report": (_report, lambda: None),
    "Decision": (lambda: Decision("a"), lambda: Decision("b")),
    "AnalyzerError": (
        lambda: SettingsError("E803", resamples=2),
        lambda: SettingsError("E803", resamples=3),
    ),
}
NO_VALUES = {
    "TreeOptions",  # names for what `options` may be
    "ScoringOptions",
    "MetricCorrelations",  # they need rankings; tests/discotk/test_functions.py
    "TunedMetrics",
    "ConstructionMetric",  # they count on; tests/analyses/test_metric_objects.py
    "BracketMetric",
    "ShownTrees",  # to look at; tests/reports/test_notebook.py
    "MergedDecisions",  # of files; tests/checks
    "str",
}


SLOW = ("Report", "RstParser", "ParsedTexts")
NAMES = [
    pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
    for name in EXAMPLES
]


@cache
def kept(name: str) -> Any:
    """A value that tests do not change."""
    return made(name)


def made(name: str, which: int = 0) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return EXAMPLES[name][which]()


def public_classes() -> set[str]:
    """The public classes, and what public functions give back."""
    found = set()
    for name in analyzer.__all__:
        public = getattr(analyzer, name)
        if inspect.isclass(public):
            if not issubclass(public, BaseException):
                found.add(name)
        elif inspect.isfunction(public):
            given = inspect.signature(public).return_annotation
            if inspect.isclass(getattr(sys.modules[public.__module__], given, None)):
                found.add(given)
    return found


def test_every_public_class_has_an_example() -> None:
    assert public_classes() - NO_VALUES - set(EXAMPLES) == set()


COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
}


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_is_equal(name: str) -> None:
    value = kept(name)
    seen = shown(value)
    for how, copied in COPIES.items():
        assert copied(value) == value, how
        assert shown(copied(value)) == seen, how


@pytest.mark.parametrize("name", NAMES)
def test_values_made_alike_are_equal_and_others_are_not(name: str) -> None:
    value = kept(name)
    if name != "Report":  # each has a file of its own
        assert made(name) == value
    assert made(name, 1) != value
    assert value != "a text"


def shown(value: Any) -> dict[str, str]:
    """What a person sees of a value: tables and texts."""
    found = {"repr": repr(value)}
    for name in ("frame", "sentences_frame", "labels_frame"):
        if hasattr(value, name):
            try:
                found[name] = getattr(value, name)().to_csv()
            except SettingsError as error:  # sentences that were not kept
                found[name] = str(error)
    for name in ("rows", "total", "signature", "left_out", "reconciliation"):
        if hasattr(value, name):
            found[name] = str(getattr(value, name))
    return found


CHILD = """
import pickle, sys
from analyzer.model.symbols import SYMBOLS
for name in ("VP", "cause/S", "of this process"):
    SYMBOLS.id(name)
values = pickle.load(sys.stdin.buffer)
from tests.test_values import shown
pickle.dump(({n: shown(v) for n, v in values.items()}, values), sys.stdout.buffer)
"""


@pytest.mark.slow
def test_values_survive_a_process_that_numbers_labels_otherwise() -> None:
    values = {name: kept(name) for name in EXAMPLES}
    ran = subprocess.run(
        [sys.executable, "-c", CHILD],
        input=pickle.dumps(values),
        capture_output=True,
        check=False,
        cwd=Path(__file__).parents[1],
    )
    assert ran.returncode == 0, ran.stderr.decode()
    texts, back = pickle.loads(ran.stdout)
    for name, value in values.items():
        assert back[name] == value, name
        assert texts[name] == shown(value), name


def test_a_unit_of_any_depth_is_a_value() -> None:
    """Deeper than Python's stack: a document that branches to the right throughout."""

    def chain(depth: int) -> Unit:
        unit = Unit("S", "last", [], "text", depth)
        for line in range(depth):
            unit = Unit("S", "list", [Unit("N", "span", [], str(line)), unit], "", line)
        return unit

    deep = chain(5_000)
    for how in ("pickle", "deepcopy"):
        assert COPIES[how](deep) == deep
    assert chain(5_000) == deep != chain(4_999)
