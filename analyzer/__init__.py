"""spinal: derivation-tree error analysis for parsers.

The modules, in the order in which data flows through them; each imports only
from those above it (`tests/test_layers.py` checks that):

    errors         what can go wrong, with its place
    limits         how much one input may ask of the machine
    writing        files written whole or not at all
    versions       which spinal this is
    plain          values as JSON and back
    checkpoints    finished pieces of work, kept in a folder
    cluster        work on the workers of a Dask scheduler
    processes      processes that do pieces of work and never outlive this one
    parallel       work divided among processes, results in order
    hardened_xml   XML from anywhere, and nothing that reaches outside
    raising        crossing branches resolved, so that brackets can be drawn
    tiger_sentence one sentence of TIGER-XML as a tree in brackets
    tiger          TIGER-XML -> brackets, as a stream
    symbols        label <-> integer, shared by gold and system
    treebank       a treebank as a table of columns
    tree           views of that table for people: Tree and Node
    urls           files by URL, through fsspec
    sources        path, glob, directory or '-' -> blocks of UTF-8 bytes
    whole_files    files read whole, as they are small: text, lines, JSON
    layout         how a file divides into records: one a line, or over many
    scanning       the fast reader: bytes -> columns
    bracket_grammar  the reference reader: Lark -> columns, or a precise error
    runs           whole trees as text, and how they are read
    reading        read_trees and the streaming reader
    parameters     what evalb deletes and equates; `.prm` files
    normalising    what the parameters mean for each label
    matching       the one multiset join behind every score
    counts         precision, recall, F and what is undefined
    pairing        gold beside parsed, read in step
    groups         one corpus as several: a column of a file beside it
    aligning       which pairs can be compared, word by word
    shards         files of gold beside files of parsed, each pair a task
    signature      every setting that can move a number, in one line
    inventory      patterns over children that name constructions
    pattern_language  the text of an inventory -> patterns
    constructions  patterns matched on distinct productions
    derivations    heads, spines and how they attach
    scorers        one file a family of scores
    scoring        score: the paper's tables for one data set
    pattern_checks is an inventory any good? overlap, coverage
    domains        data sets side by side; where the gap comes from
    system_counts  what is kept of each sentence of a system
    significance   paired bootstrap and approximate randomisation
    comparing      systems side by side
    instances      single errors and confusions
    offsets        different tokenisations: words by character offsets
    releases       sentences of two releases, paired by their text
    disagreements  what two annotators do differently, in groups
    agreement      agree: how far two annotations agree, also beyond chance
    spines         one sentence's derivation tree, for people
    checks         where a treebank contradicts itself
    conventions    one pair under all the scoring conventions in use
    kernels        tree kernels: how alike two trees are
    rst            discourse trees: formats, metrics, constructions
    discotk        discourse trees and kernels for judging translations
    commands, cli  the command line
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

# Public names and the modules that define them. They are imported on first use,
# so that `import analyzer` and `spinal --help` stay quick.
_PUBLIC = {
    "AnalyzerError": "errors",
    "InputError": "errors",
    "InputWarning": "errors",
    "PairingError": "errors",
    "SettingsError": "errors",
    "TreeSyntaxError": "errors",
    "Treebank": "treebank",
    "Tree": "tree",
    "Node": "tree",
    "from_nltk": "tree",
    "read_trees": "reading",
    "EvalbParameters": "parameters",
    "load_parameters": "parameters",
    "evalb": "scorers.evalb",
    "BracketScores": "scorers.evalb",
    "compare_conventions": "conventions",
    "PatternError": "inventory",
    "Inventory": "inventory",
    "load_inventory": "pattern_language",
    "parse_inventory": "pattern_language",
    "Labeller": "constructions",
    "score": "scoring",
    "ConstructionScores": "scoring",
    "compare_domains": "domains",
    "read_corpus": "rst.reading",
    "score_documents": "rst.scoring",
    "RstSettings": "rst.scoring",
    "compare_systems": "comparing",
    "TreeKernel": "kernels",
    "agree": "agreement",
    "Agreement": "agreement",
}

__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'analyzer' has no attribute {name!r}")
    return getattr(importlib.import_module(f"analyzer.{_PUBLIC[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
