"""spinal patterns: list, check and explain a pattern inventory."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from analyzer.checks.inventory import (
    check_inventory,
    check_overlap,
    labels_of,
    seen,
    usage_of,
)
from analyzer.cli import inputs, options
from analyzer.cli.output import FINDINGS, OK, emit, say, warn
from analyzer.exceptions import SettingsError
from analyzer.formats.reading import TreeReader
from analyzer.metrics.ratios import ratio
from analyzer.model.treebank import Treebank
from analyzer.transform.label_tables import phrase_label

_EPILOG = """\
examples:
  spinal patterns list                         the English inventory
  spinal patterns list wsj/                    with counts on a treebank
  spinal patterns check gold.mrg --min-coverage 98.7
  spinal patterns explain "NP -> NP CC NP"
  spinal patterns check --patterns mine.pat gold.mrg
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Look at a pattern inventory."
    parser.epilog = _EPILOG
    parser.add_argument("action", choices=("list", "check", "explain"))
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar="TREEBANK",
        help="treebank files; for explain, a production",
    )
    parser.add_argument(
        "--min-coverage",
        type=float,
        metavar="P",
        help="check: fail (exit 1) if less than P %% of the brackets are covered",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=25,
        metavar="N",
        help="check: uncovered productions to show, 0 for all (default: 25)",
    )
    options.add_construction_options(parser, merge=False)
    options.add_input_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    action = {"list": _list, "check": _check, "explain": _explain}[args.action]
    return action(args)


def _banks(args: argparse.Namespace) -> Iterator[Treebank]:
    for path in args.inputs:
        reader = TreeReader(path, encoding=args.encoding, strict=args.strict)
        for bank in reader.banks():
            warn(bank.problems.values(), args)
            yield bank


def _list(args: argparse.Namespace) -> int:
    from reports.tables.patterns import inventory_table

    deriver = inputs.syntax_deriver_of(args)
    usage = usage_of(_banks(args), deriver) if args.inputs else None
    table = inventory_table(deriver.inventory, usage)
    emit(args, [table], {"patterns": table.records()})
    return OK


def _check(args: argparse.Namespace) -> int:
    from reports.tables.patterns import finding_table, uncovered_table

    deriver = inputs.syntax_deriver_of(args)
    labeller = deriver.labeller
    usage = usage_of(_banks(args), deriver)
    findings = [
        *check_inventory(labeller.inventory, labels_of(usage, labeller)),
        *check_overlap(usage, labeller),
    ]
    shown = []
    data: dict[str, Any] = {}
    too_low = False
    if args.inputs:
        uncovered = seen(usage, labeller, covered=False)
        shown.append(uncovered_table(uncovered, usage, limit=args.limit or None))
        covered = usage.brackets - usage.uncovered
        share = ratio(covered, usage.brackets)
        too_low = args.min_coverage is not None and (
            share is None or 100 * share < args.min_coverage
        )
        data["coverage"] = {"brackets": usage.brackets, "covered": covered}
        data["uncovered"] = shown[0].records()
    listed = finding_table(findings)
    data["findings"] = listed.records()
    if findings:
        shown.insert(0, listed)
    emit(args, shown, data)
    if args.format == "text" and not findings:
        patterns = len(labeller.inventory.patterns)
        overlap = ", no overlap" if args.inputs else ""
        print(f"{patterns} patterns, all well formed, all examples hold{overlap}")
    if too_low:
        message = f"coverage is below {args.min_coverage} %"
        say(message)
    return FINDINGS if findings or too_low else OK


def _explain(args: argparse.Namespace) -> int:
    from reports.tables.patterns import explanation

    text = " ".join(args.inputs)
    parent, arrow, labels = text.partition("->")
    children = labels.split()
    if not arrow or not parent.strip() or not children:
        raise SettingsError(
            f"cannot read the production {text!r}; expected PARENT -> CHILD CHILD, "
            'such as "NP -> NP CC NP"'
        )
    deriver = inputs.syntax_deriver_of(args)
    labeller, deleted = deriver.labeller, deriver.tables.parameters.delete
    bare = [phrase_label(label) or label for label in children if label not in deleted]
    if not bare:
        raise SettingsError(f"nothing is left of {text!r} without {' '.join(deleted)}")
    production = labeller.label(
        phrase_label(parent.strip()), labeller.inventory.children(bare)
    )
    if args.format == "json":
        data = {
            "production": str(production),
            "construction": production.construction,
            "matches": list(production.matches),
            "head": production.head,
        }
        emit(args, [], data)
    else:
        print(explanation(production, labeller))
    return OK
