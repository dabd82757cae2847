"""An option has one name: in the command, in the function, and in JSON."""

from __future__ import annotations

import inspect
from typing import Any

import spinal
from analyzer.cli.declarations import Group
from analyzer.cli.main import COMMANDS
from analyzer.rst_parser.parser import RstParser

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
    "find": (spinal.find, spinal.find_pairs, spinal.load_queries),
    "check": (spinal.check,),
    "patterns": (spinal.check_patterns, spinal.draft_patterns, spinal.head_agreement),
    "evalb": (spinal.evalb, spinal.compare_conventions),
    # "show": (spinal.show,),
}
if __name__ == "__main__":
    for name, functions in FUNCTIONS.items():
        rows = [
            r
            for i in COMMANDS[name].load(name).arguments
            for r in (i.rows if isinstance(i, Group) else [i])
        ]
        cli = {n.lstrip("-").replace("-", "_") for r in rows for n in r.names}
        py = {p for f in functions for p in inspect.signature(f).parameters}
        print(name, "CLI only", sorted(cli - py), "PY only", sorted(py - cli))
