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
    score_nbest             n-best lists: the first parses, the best, and their ranks
    ConstructionMetric      `score` for a training loop: update, compute, reset, merge
    BracketMetric           `evalb` for a training loop
    score_rst               RST-Parseval, attachment decisions, UAS and LAS
    score_rst_constructions, classify_relations   constructions and labels of discourse
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
    find_pairs              whether a query finds the same in the parse as in gold
    write_report            all of it as a page; of several parsers, write_comparison

Comparisons
    compare_systems         two parsers, with intervals and p-values
    compare_runs            several runs of each: better, or the seed?
    compare_domains         one parser on several data sets
    generalise              one parser on its training data and on other data
    compare_repairs         parsers by type of error; `repairs_by_domain`: data sets
    agree                   two annotators; `cgel_agreement` as CGELBank measures it

Treebanks
    find                    where trees have what a query describes
    check                   where a treebank contradicts itself; on what was decided:
                            read_decisions, write_decisions, merged_decisions
    check_patterns          which productions no construction covers
    draft_patterns          an inventory for a treebank that has none, as a draft
    head_agreement          heads beside dependencies of the same sentences
    read_trees, read_rst    trees as values; also from_nltk; write_rst, convert
    RstParser, ambiguity    a discourse parser; discourse trees with several readings

Translations (DiscoTK)
    discotk_score           by their discourse trees; discotk_represent: the trees
    discotk_tune            metrics weighed by people's rankings; discotk_correlate

Settings
    load_inventory          constructions: "english", a file of patterns; from a text,
                            parse_inventory
    load_parameters         evalb's: "collins", a file; load_relations: discourse's
    load_queries            queries by name, from a file: constructions of your own

Everything that is wrong with the input is an AnalyzerError or an InputWarning.
help(spinal.score) explains one function; docs/ has the definitions.
"""

from __future__ import annotations

import sys
from typing import Any

from spinal._own_packages import find_own_packages

find_own_packages()

import analyzer  # noqa: E402 -- found by now

__version__ = analyzer.__version__
__dir__ = analyzer.__dir__


def __getattr__(name: str) -> Any:
    """What is public comes from there when it is first used; `import *` takes it all.

    `help(spinal)` asks for the same list, and would show 6,000 lines: without the list
    it shows what stands above and nothing else.
    """
    if name == "__all__" and sys._getframe(1).f_globals.get("__name__") != "pydoc":
        return analyzer.__all__
    return analyzer.__getattr__(name)
