"""spinal: derivation-tree error analysis for parsers.

The packages, in the order in which data flows through them; each imports only
from those above it, and within each its `__init__` has the order
(`tests/test_layers.py` checks that):

    safe_text      text that is safe to show, whatever stands in the input
    exceptions     what can go wrong, with its code, its place and its fields
    limits         how much one input may ask of the machine
    model          the treebank as a table of columns, and views of it for people
    _native        the kernel: what is compiled from C, and what calls it
    files          path, glob, directory, URL or '-' -> bytes; files written whole
    runtime        work divided among processes or a cluster, results in order
    transform      trees into other trees: normalised, binarised, mapped, reordered
    formats        what trees look like in files; which format a file is in
    pairing        gold beside parsed, and which of it can be compared
    constructions  patterns over children that name constructions
    derivation     heads, spines and how they attach
    queries        configurations of nodes that people describe, found in trees
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

import re
from importlib import import_module
from sys import modules
from typing import Any

__version__ = "1.0.0"


def _public_names() -> dict[str, str]:
    """Each public name and the module that defines it, as the stub has them."""
    stub = __spec__.loader.get_data(f"{__path__[0]}/__init__.pyi").decode()
    imports = re.findall(r"^from ([\w.]+) import \(?\s*(\w+) as", stub, re.MULTILINE)
    return {name: module for module, name in imports}


_PUBLIC = _public_names()
# Names that people try, mostly of commands: where to find what they mean.
_ELSEWHERE = {
    "conventions": "compare_conventions",
    "discotk": "discotk_score, discotk_represent, discotk_tune or discotk_correlate",
    "kernel": "TreeKernel",
    "load": "read_trees or read_rst",
    "parse": "RstParser",
    "patterns": "check_patterns, draft_patterns or load_inventory",
    "read": "read_trees or read_rst",
    "rst": "score_rst, score_rst_constructions, convert, ambiguity or RstParser",
    "trees": "read_trees",
}
__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    """Import a public name on first use: `import analyzer` and --help stay quick."""
    if name not in _PUBLIC:
        message = f"spinal has no attribute {name!r}"
        if name in _ELSEWHERE:
            message += f"; use {_ELSEWHERE[name]}"
        # With these two, Python itself suggests the name that was meant.
        raise AttributeError(message, name=name, obj=modules[__name__])
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
