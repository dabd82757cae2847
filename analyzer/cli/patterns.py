"""spinal patterns: list, check and explain a pattern inventory."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from analyzer.checks.inventory import InventoryCheck, check_patterns, explain
from analyzer.cli import inputs, numbers, options, tree_options
from analyzer.cli.output import (
    FINDINGS,
    OK,
    emit,
    exit_code,
    hint_at_labels,
    say,
    warn,
    warn_of,
)
from analyzer.cli.streams import put
from analyzer.exceptions import SettingsError

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
        type=numbers.number(least=0),
        metavar="P",
        help="check: fail (exit 1) if less than P %% of the brackets are covered",
    )
    parser.add_argument(
        "--limit",
        type=numbers.whole_number(least=0),
        default=25,
        metavar="N",
        help="check: uncovered productions to show, 0 for all (default: 25)",
    )
    tree_options.add_construction_options(parser, merge=False)
    tree_options.add_function_options(parser, scored=False)
    options.add_input_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    action = {"list": _list, "check": _check, "explain": _explain}[args.action]
    return action(args)


def _checked(args: argparse.Namespace) -> InventoryCheck:
    result = check_patterns(
        *(inputs.input_of(args, spec) for spec in args.inputs),
        patterns=args.patterns,
        parameters=args.params,
        delete=args.delete_label,
        function_separator=args.function_separator,
        strict=args.strict,
        encoding=args.encoding,
        warn=lambda message: warn([message], args),
    )
    warn_of(args, result.ledger)
    hint_at_labels(args, result.label_hint)
    return result


def _list(args: argparse.Namespace) -> int:
    from reports.tables.patterns import inventory_table

    result = _checked(args)
    table = inventory_table(result.inventory, result.usage if args.inputs else None)
    if args.inputs:
        table = replace(table, notes=(*table.notes, result.ledger.text("read")))
    data: dict[str, Any] = {"patterns": table.records()}
    if args.inputs:
        data["ledger"] = result.ledger.as_json()
    emit(args, [table], data)
    return _code(args, result, has_findings=False)


def _check(args: argparse.Namespace) -> int:
    from reports.tables.findings import inventory_finding_table
    from reports.tables.patterns import uncovered_table

    if args.min_coverage is not None and not args.inputs:
        raise SettingsError("--min-coverage needs a treebank: name one", code="E546")
    result = _checked(args)
    shown = []
    data: dict[str, Any] = {}
    if args.inputs:
        usage = result.usage
        table = uncovered_table(result.uncovered, usage, limit=args.limit or None)
        shown.append(replace(table, notes=(*table.notes, result.ledger.text("read"))))
        data["ledger"] = result.ledger.as_json()
        data["coverage"] = {"brackets": usage.brackets, "covered": result.covered}
        data["uncovered"] = shown[0].records()
    listed = inventory_finding_table(result.findings)
    data["findings"] = listed.records()
    if result.findings:
        shown.insert(0, listed)
    emit(args, shown, data)
    if args.format == "text" and not result.findings:
        patterns = len(result.inventory.patterns)
        overlap = ", no overlap" if args.inputs else ""
        put(f"{patterns} patterns, all well formed, all examples hold{overlap}")
    is_too_low = bool(args.inputs) and _is_below(result.coverage, args.min_coverage)
    if is_too_low:
        say(f"coverage is below {args.min_coverage} %")
    return _code(args, result, has_findings=bool(result.findings) or is_too_low)


def _code(
    args: argparse.Namespace, result: InventoryCheck, *, has_findings: bool
) -> int:
    if not args.inputs:
        return FINDINGS if has_findings else OK
    source = args.inputs[0]
    return exit_code(
        result.ledger, source, source, has_findings=has_findings, verb="read"
    )


def _is_below(coverage: float | None, least: float | None) -> bool:
    """Whether less than `least` percent is covered; nothing at all counts as less."""
    return least is not None and (coverage is None or 100 * coverage < least)


def _explain(args: argparse.Namespace) -> int:
    from reports.tables.patterns import explanation

    found = explain(
        " ".join(args.inputs),
        patterns=args.patterns,
        parameters=args.params,
        delete=args.delete_label,
        function_separator=args.function_separator,
        warn=lambda message: warn([message], args),
    )
    if args.format == "json":
        production = found.production
        data = {
            "production": str(production),
            "construction": production.construction,
            "matches": list(production.matches),
            "head": production.head,
        }
        emit(args, [], data)
    else:
        put(explanation(found))
    return OK
