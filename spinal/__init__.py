"""spinal: which constructions a parser gets wrong, and how.

    import spinal

    scores = spinal.score("gold.mrg", "parsed.mrg")
    print(scores)           # F-s and what was left out
    scores.frame()          # a DataFrame, one row for each construction
    scores.total.f_h        # numbers are fractions

Trees are given as a path, a glob, a folder, a URL, an open file, a text, a list of
bracketings, or as trees of NLTK, Stanza or spinal itself; None is a parse that failed.

Scores
    score                   F-h, F-s, attachment and right edge of each construction
    evalb                   labelled brackets, as EVALB counts them
    ConstructionMetric      `score` for a training loop: update, compute, reset, merge
    BracketMetric           `evalb` for a training loop
    score_rst               RST-Parseval, attachment decisions, UAS and LAS
    score_rst_constructions `score` for discourse trees
    similarity, TreeKernel  how similar trees are
    faithfulness            what is wrong with trees that a language model wrote
    compare_conventions     how F1 depends on what is counted

Errors
    find_errors             every error, with its construction and its kind
    repairs, worth_of       errors by type: edits from the parse to gold, and the
                            points of F1 that they are worth
    breakdown               scores by word, length, governor, distance and more
    instances               every construction of gold and parser as a row
    derive                  derivation trees of single sentences
    write_report            all of it as one HTML page; of several parsers,
                            write_comparison

Comparisons
    compare_systems         two parsers, with intervals and p-values
    compare_domains         one parser on several data sets
    compare_repairs         parsers by type of error; `repairs_by_domain`: data sets
    agree                   two annotators

Treebanks
    check                   where a treebank contradicts itself
    check_patterns          which productions no construction covers
    read_trees, read_rst    trees as values; `write_rst` and `convert` write them
    from_nltk               trees of NLTK as values of ours
    RstParser               a discourse parser: train, load, parse
    ambiguity               discourse trees with several readings

Settings
    load_inventory          constructions: "english", a file of patterns; from a text,
                            parse_inventory
    load_parameters         evalb's parameters: "collins", a .prm file
    load_relations          maps of discourse relations

Everything that is wrong with the input is an AnalyzerError or an InputWarning.
help(spinal.score) explains one function; docs/ has the definitions.
"""

from __future__ import annotations

import typing

from spinal._own_packages import find_own_packages

find_own_packages()

if typing.TYPE_CHECKING:  # real types, and the names that analyzer has
    from analyzer import Agreement as Agreement
    from analyzer import AnalyzerError as AnalyzerError
    from analyzer import Backend as Backend
    from analyzer import BracketMetric as BracketMetric
    from analyzer import BracketScores as BracketScores
    from analyzer import Breakdown as Breakdown
    from analyzer import CheckResult as CheckResult
    from analyzer import ConstructionMetric as ConstructionMetric
    from analyzer import ConstructionScores as ConstructionScores
    from analyzer import ConventionScores as ConventionScores
    from analyzer import DependencyTree as DependencyTree
    from analyzer import Derivations as Derivations
    from analyzer import Direction as Direction
    from analyzer import Documents as Documents
    from analyzer import Domain as Domain
    from analyzer import DomainComparison as DomainComparison
    from analyzer import ErrorList as ErrorList
    from analyzer import EvalbParameters as EvalbParameters
    from analyzer import GeneratedTrees as GeneratedTrees
    from analyzer import InputError as InputError
    from analyzer import InputWarning as InputWarning
    from analyzer import Instances as Instances
    from analyzer import Inventory as Inventory
    from analyzer import InventoryCheck as InventoryCheck
    from analyzer import Labeller as Labeller
    from analyzer import Ledger as Ledger
    from analyzer import LeftOutWarning as LeftOutWarning
    from analyzer import MaxErrorError as MaxErrorError
    from analyzer import Node as Node
    from analyzer import OnMismatch as OnMismatch
    from analyzer import PairingError as PairingError
    from analyzer import ParsedTexts as ParsedTexts
    from analyzer import PatternError as PatternError
    from analyzer import RepairComparison as RepairComparison
    from analyzer import Repairs as Repairs
    from analyzer import Report as Report
    from analyzer import RstError as RstError
    from analyzer import RstParser as RstParser
    from analyzer import RstScores as RstScores
    from analyzer import RstSettings as RstSettings
    from analyzer import ScoringOptions as ScoringOptions
    from analyzer import SettingsError as SettingsError
    from analyzer import SystemComparison as SystemComparison
    from analyzer import Tree as Tree
    from analyzer import Treebank as Treebank
    from analyzer import TreeKernel as TreeKernel
    from analyzer import TreeOptions as TreeOptions
    from analyzer import TreeSyntaxError as TreeSyntaxError
    from analyzer import Unit as Unit
    from analyzer import Worth as Worth
    from analyzer import __version__ as __version__
    from analyzer import agree as agree
    from analyzer import ambiguity as ambiguity
    from analyzer import breakdown as breakdown
    from analyzer import check as check
    from analyzer import check_patterns as check_patterns
    from analyzer import compare_conventions as compare_conventions
    from analyzer import compare_domains as compare_domains
    from analyzer import compare_repairs as compare_repairs
    from analyzer import compare_systems as compare_systems
    from analyzer import convert as convert
    from analyzer import derive as derive
    from analyzer import evalb as evalb
    from analyzer import faithfulness as faithfulness
    from analyzer import find_errors as find_errors
    from analyzer import from_nltk as from_nltk
    from analyzer import instances as instances
    from analyzer import load_inventory as load_inventory
    from analyzer import load_parameters as load_parameters
    from analyzer import load_relations as load_relations
    from analyzer import parse_inventory as parse_inventory
    from analyzer import read_rst as read_rst
    from analyzer import read_trees as read_trees
    from analyzer import repairs as repairs
    from analyzer import repairs_by_domain as repairs_by_domain
    from analyzer import score as score
    from analyzer import score_rst as score_rst
    from analyzer import score_rst_constructions as score_rst_constructions
    from analyzer import similarity as similarity
    from analyzer import worth_of as worth_of
    from analyzer import write_comparison as write_comparison
    from analyzer import write_report as write_report
    from analyzer import write_rst as write_rst
else:
    import analyzer

    # They come from there when they are first used. As they are no functions of this
    # module, `help(spinal)` shows what stands above and nothing else.
    __version__ = analyzer.__version__
    __getattr__ = analyzer.__getattr__
    __dir__ = analyzer.__dir__
