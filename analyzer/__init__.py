"""spinal: derivation-tree error analysis for parsers.

The packages, in the order in which data flows through them; each imports only
from those above it, and within each its `__init__` has the order
(`tests/test_layers.py` checks that):

    exceptions     what can go wrong, with its place
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
    analyses       one function a question
    checks         where a treebank contradicts itself
    kernels        tree kernels: how alike two trees are
    discotk        discourse trees and kernels for judging translations
    cli            the command line
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

# Public names and the modules that define them. They are imported on first use,
# so that `import analyzer` and `spinal --help` stay quick.
_PUBLIC = {
    "AnalyzerError": "exceptions",
    "InputError": "exceptions",
    "InputWarning": "exceptions",
    "PairingError": "exceptions",
    "SettingsError": "exceptions",
    "TreeSyntaxError": "exceptions",
    "Treebank": "model.treebank",
    "Tree": "model.tree",
    "Node": "model.tree",
    "from_nltk": "model.tree",
    "read_trees": "formats.penn.reader",
    "EvalbParameters": "transform.parameters",
    "load_parameters": "transform.parameters",
    "evalb": "analyses.evalb",
    "BracketScores": "analyses.evalb",
    "compare_conventions": "analyses.conventions",
    "PatternError": "exceptions",
    "Inventory": "constructions.inventory",
    "load_inventory": "constructions.language",
    "parse_inventory": "constructions.language",
    "Labeller": "constructions.labeller",
    "score": "analyses.score",
    "ConstructionScores": "analyses.score",
    "compare_domains": "analyses.domains",
    "read_corpus": "formats.rst.reader",
    "score_documents": "analyses.rst_scores",
    "RstSettings": "analyses.rst_scores",
    "compare_systems": "analyses.systems",
    "TreeKernel": "kernels",
    "agree": "analyses.agreement",
    "Agreement": "analyses.agreement",
}

__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'analyzer' has no attribute {name!r}")
    return getattr(importlib.import_module(f"analyzer.{_PUBLIC[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
