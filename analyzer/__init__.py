"""spinal: derivation-tree error analysis for parsers.

The packages, in the order in which data flows through them; each imports only
from those above it, and within each its `__init__` has the order
(`tests/test_layers.py` checks that):

    safe_text      text that is safe to show, whatever stands in the input
    exceptions     what can go wrong, with its code, its place and its fields
    limits         how much one input may ask of the machine
    model          the treebank as a table of columns, and views of it for people
    files          path, glob, directory, URL or '-' -> bytes; files written whole
    runtime        work divided among processes or a cluster, results in order
    transform      trees into other trees: normalised, binarised, mapped, reordered
    formats        what trees look like in files; which format a file is in
    pairing        gold beside parsed, and which of it can be compared
    constructions  patterns over children that name constructions
    derivation     heads, spines and how they attach
    metrics        keys, the one join, counts and ratios
    editing        from a parse to gold by edits, and what kinds of error they are
    analyses       one function a question
    rst_parser     a discourse parser: trained on trees, from texts to trees
    checks         where a treebank contradicts itself
    kernels        tree kernels: how alike two trees are
    discotk        discourse trees and kernels for judging translations
    cli            the command line
"""

from __future__ import annotations

from importlib import import_module
from sys import modules
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# What type checkers see; `_PUBLIC` says the same (tests/test_public_api.py).
if TYPE_CHECKING:
    from analyzer.analyses.agreement import Agreement as Agreement
    from analyzer.analyses.agreement import agree as agree
    from analyzer.analyses.ambiguity import ambiguity as ambiguity
    from analyzer.analyses.bracket_scores import BracketScores as BracketScores
    from analyzer.analyses.breakdown import Breakdown as Breakdown
    from analyzer.analyses.breakdown import breakdown as breakdown
    from analyzer.analyses.conventions import ConventionScores as ConventionScores
    from analyzer.analyses.conventions import compare_conventions as compare_conventions
    from analyzer.analyses.convert import convert as convert
    from analyzer.analyses.derive import Derivations as Derivations
    from analyzer.analyses.derive import derive as derive
    from analyzer.analyses.domains import DomainComparison as DomainComparison
    from analyzer.analyses.domains import compare_domains as compare_domains
    from analyzer.analyses.evalb import MaxErrorError as MaxErrorError
    from analyzer.analyses.evalb import evalb as evalb
    from analyzer.analyses.find_errors import ErrorList as ErrorList
    from analyzer.analyses.find_errors import find_errors as find_errors
    from analyzer.analyses.gap import Domain as Domain
    from analyzer.analyses.generated import GeneratedTrees as GeneratedTrees
    from analyzer.analyses.generated import faithfulness as faithfulness
    from analyzer.analyses.instances import Instances as Instances
    from analyzer.analyses.instances import instances as instances
    from analyzer.analyses.metric_objects import BracketMetric as BracketMetric
    from analyzer.analyses.metric_objects import (
        ConstructionMetric as ConstructionMetric,
    )
    from analyzer.analyses.opening import ScoringOptions as ScoringOptions
    from analyzer.analyses.opening import TreeOptions as TreeOptions
    from analyzer.analyses.repair_comparisons import (
        RepairComparison as RepairComparison,
    )
    from analyzer.analyses.repair_comparisons import compare_repairs as compare_repairs
    from analyzer.analyses.repair_comparisons import (
        repairs_by_domain as repairs_by_domain,
    )
    from analyzer.analyses.repairs import Repairs as Repairs
    from analyzer.analyses.repairs import repairs as repairs
    from analyzer.analyses.rst_results import RstScores as RstScores
    from analyzer.analyses.rst_results import RstSettings as RstSettings
    from analyzer.analyses.rst_scores import score_rst as score_rst
    from analyzer.analyses.rst_scores import (
        score_rst_constructions as score_rst_constructions,
    )
    from analyzer.analyses.score import ConstructionScores as ConstructionScores
    from analyzer.analyses.score import score as score
    from analyzer.analyses.similarity import similarity as similarity
    from analyzer.analyses.systems import SystemComparison as SystemComparison
    from analyzer.analyses.systems import compare_systems as compare_systems
    from analyzer.analyses.worth import Worth as Worth
    from analyzer.analyses.worth import worth_of as worth_of
    from analyzer.checks.inventory import InventoryCheck as InventoryCheck
    from analyzer.checks.inventory import check_patterns as check_patterns
    from analyzer.checks.run import CheckResult as CheckResult
    from analyzer.checks.run import check as check
    from analyzer.constructions.inventory import Inventory as Inventory
    from analyzer.constructions.labeller import Labeller as Labeller
    from analyzer.constructions.language import load_inventory as load_inventory
    from analyzer.constructions.language import parse_inventory as parse_inventory
    from analyzer.exceptions import AnalyzerError as AnalyzerError
    from analyzer.exceptions import InputError as InputError
    from analyzer.exceptions import InputWarning as InputWarning
    from analyzer.exceptions import LeftOutWarning as LeftOutWarning
    from analyzer.exceptions import PairingError as PairingError
    from analyzer.exceptions import PatternError as PatternError
    from analyzer.exceptions import RstError as RstError
    from analyzer.exceptions import SettingsError as SettingsError
    from analyzer.exceptions import TreeSyntaxError as TreeSyntaxError
    from analyzer.formats.documents import read_rst as read_rst
    from analyzer.formats.objects import from_nltk as from_nltk
    from analyzer.formats.reading import read_trees as read_trees
    from analyzer.formats.registry import write_rst as write_rst
    from analyzer.kernels.tree_kernel import TreeKernel as TreeKernel
    from analyzer.model.dependencies import DependencyTree as DependencyTree
    from analyzer.model.discourse import Documents as Documents
    from analyzer.model.discourse import Unit as Unit
    from analyzer.model.tree import Node as Node
    from analyzer.model.tree import Tree as Tree
    from analyzer.model.treebank import Treebank as Treebank
    from analyzer.pairing.ledger import Ledger as Ledger
    from analyzer.pairing.mismatches import OnMismatch as OnMismatch
    from analyzer.rst_parser.parsed import ParsedTexts as ParsedTexts
    from analyzer.rst_parser.parser import RstParser as RstParser
    from analyzer.runtime.executor import Backend as Backend
    from analyzer.transform.binarize import Direction as Direction
    from analyzer.transform.parameters import EvalbParameters as EvalbParameters
    from analyzer.transform.parameters import load_parameters as load_parameters
    from analyzer.transform.relations import load_relations as load_relations
    from reports.page.report import Report as Report
    from reports.page.report import write_comparison as write_comparison
    from reports.page.report import write_report as write_report

# Public names and the modules that define them. They are imported on first use,
# so that `import analyzer` and `spinal --help` stay quick.
_PUBLIC = {
    # reading and writing
    "read_trees": "analyzer.formats.reading",
    "read_rst": "analyzer.formats.documents",
    "write_rst": "analyzer.formats.registry",
    "from_nltk": "analyzer.formats.objects",
    # trees
    "Treebank": "analyzer.model.treebank",
    "Tree": "analyzer.model.tree",
    "Node": "analyzer.model.tree",
    "Documents": "analyzer.model.discourse",
    "Unit": "analyzer.model.discourse",
    "DependencyTree": "analyzer.model.dependencies",
    # settings
    "load_inventory": "analyzer.constructions.language",
    "parse_inventory": "analyzer.constructions.language",
    "Inventory": "analyzer.constructions.inventory",
    "Labeller": "analyzer.constructions.labeller",
    "load_parameters": "analyzer.transform.parameters",
    "EvalbParameters": "analyzer.transform.parameters",
    "load_relations": "analyzer.transform.relations",
    "RstSettings": "analyzer.analyses.rst_results",
    "TreeOptions": "analyzer.analyses.opening",
    "Direction": "analyzer.transform.binarize",
    "OnMismatch": "analyzer.pairing.mismatches",
    "ScoringOptions": "analyzer.analyses.opening",
    "Backend": "analyzer.runtime.executor",
    # analyses, and what they give back
    "score": "analyzer.analyses.score",
    "ConstructionScores": "analyzer.analyses.score",
    "evalb": "analyzer.analyses.evalb",
    "BracketScores": "analyzer.analyses.bracket_scores",
    "ConstructionMetric": "analyzer.analyses.metric_objects",
    "BracketMetric": "analyzer.analyses.metric_objects",
    "find_errors": "analyzer.analyses.find_errors",
    "ErrorList": "analyzer.analyses.find_errors",
    "repairs": "analyzer.analyses.repairs",
    "Repairs": "analyzer.analyses.repairs",
    "compare_repairs": "analyzer.analyses.repair_comparisons",
    "RepairComparison": "analyzer.analyses.repair_comparisons",
    "repairs_by_domain": "analyzer.analyses.repair_comparisons",
    "worth_of": "analyzer.analyses.worth",
    "Worth": "analyzer.analyses.worth",
    "breakdown": "analyzer.analyses.breakdown",
    "Breakdown": "analyzer.analyses.breakdown",
    "instances": "analyzer.analyses.instances",
    "Instances": "analyzer.analyses.instances",
    "derive": "analyzer.analyses.derive",
    "Derivations": "analyzer.analyses.derive",
    "compare_conventions": "analyzer.analyses.conventions",
    "ConventionScores": "analyzer.analyses.conventions",
    "faithfulness": "analyzer.analyses.generated",
    "GeneratedTrees": "analyzer.analyses.generated",
    "compare_domains": "analyzer.analyses.domains",
    "DomainComparison": "analyzer.analyses.domains",
    "Domain": "analyzer.analyses.gap",
    "compare_systems": "analyzer.analyses.systems",
    "SystemComparison": "analyzer.analyses.systems",
    "agree": "analyzer.analyses.agreement",
    "Agreement": "analyzer.analyses.agreement",
    "score_rst": "analyzer.analyses.rst_scores",
    "score_rst_constructions": "analyzer.analyses.rst_scores",
    "similarity": "analyzer.analyses.similarity",
    "ambiguity": "analyzer.analyses.ambiguity",
    "convert": "analyzer.analyses.convert",
    "RstScores": "analyzer.analyses.rst_results",
    "RstParser": "analyzer.rst_parser.parser",
    "ParsedTexts": "analyzer.rst_parser.parsed",
    "check": "analyzer.checks.run",
    "CheckResult": "analyzer.checks.run",
    "check_patterns": "analyzer.checks.inventory",
    "InventoryCheck": "analyzer.checks.inventory",
    "TreeKernel": "analyzer.kernels.tree_kernel",
    "Ledger": "analyzer.pairing.ledger",
    # The names from `reports`, which may use analyses, as analyses may not use it.
    "write_comparison": "reports.page.report",
    "write_report": "reports.page.report",
    "Report": "reports.page.report",
    # what can go wrong
    "AnalyzerError": "analyzer.exceptions",
    "InputError": "analyzer.exceptions",
    "InputWarning": "analyzer.exceptions",
    "LeftOutWarning": "analyzer.exceptions",
    "MaxErrorError": "analyzer.analyses.evalb",
    "PairingError": "analyzer.exceptions",
    "PatternError": "analyzer.exceptions",
    "RstError": "analyzer.exceptions",
    "SettingsError": "analyzer.exceptions",
    "TreeSyntaxError": "analyzer.exceptions",
}

__all__ = ["__version__", *_PUBLIC]


if not TYPE_CHECKING:  # to a type checker it would make every name Any

    def __getattr__(name: str) -> Any:
        if name not in _PUBLIC:
            told = f"spinal has no attribute {name!r}"
            # With these two, Python itself suggests the name that was meant.
            raise AttributeError(told, name=name, obj=modules[__name__])
        return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
