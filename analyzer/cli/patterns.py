"""spinal patterns: list, check, explain or draft a pattern inventory; its heads."""

from __future__ import annotations

import shutil
from argparse import Namespace
from typing import Any

from analyzer.checks.explanations import explain_construction
from analyzer.checks.inventory import InventoryCheck, check_patterns, explain
from analyzer.cli import inputs, options
from analyzer.cli.declarations import Option, at_least, command
from analyzer.cli.output import (
    FINDINGS,
    OK,
    emit,
    exit_code,
    say,
    warn,
    warn_of,
)
from analyzer.cli.streams import put
from analyzer.exceptions import SettingsError
from analyzer.files.inputs import Input
from analyzer.pairing.ledger import united

_WIDTH = 100  # of explanations, at most


@command(
    Option("{list,check,explain,heads,draft}", dest="action"),
    Option(
        "TREEBANK  treebank files; for explain, a production, or a construction and "
        "then treebank files",
        nargs="*",
        dest="inputs",
    ),
    Option(
        "--min-coverage P  check: fail (exit 1) if less than P %% of the brackets are "
        "covered",
        at_least(0, float),
    ),
    Option(
        "--limit N  check: uncovered productions to show; heads: constructions and "
        "examples; 0 for all (default: 25)",
        at_least(0),
        25,
    ),
    Option(
        "--dependencies FILE  heads, draft: CoNLL-U of the same sentences, files or "
        "folders; sentences are found by their text",
        nargs="+",
        is_input=True,
    ),
    Option(
        "-o NAME  draft: write NAME.labels and NAME.pat, which must not exist yet",
        dest="draft",
        is_output=True,
    ),
    options.constructions(),
    options.FUNCTION_TAGS,
    options.TREE_INPUT,
    options.OUTPUT,
)
def run_patterns(args: Namespace) -> int:
    """Look at a pattern inventory.

    examples:
      spinal patterns list                         the English inventory
      spinal patterns list wsj/                    with counts on a treebank
      spinal patterns check gold.mrg --min-coverage 98.7
      spinal patterns explain "NP -> NP CC NP"     what matches it, and its head
      spinal patterns explain S-vp wsj/            what it is, with counts
      spinal patterns check --patterns mine.pat gold.mrg
      spinal patterns heads gold.mrg --dependencies gold.conllu
      spinal patterns draft treebank/ -o mine      an inventory for other labels
      spinal patterns draft treebank/ --dependencies ud/ -o mine
    """
    actions = {"list": _list, "check": _check, "explain": _explain}
    actions |= {"heads": _heads, "draft": _draft}
    return actions[args.action](args)


def _treebanks(args: Namespace) -> list[Input]:
    return [inputs.input_of(args, spec) for spec in args.inputs]


def _reading(args: Namespace) -> dict[str, Any]:
    return {"strict": args.strict, "encoding": args.encoding}


def _checked(args: Namespace) -> InventoryCheck:
    result = check_patterns(
        *_treebanks(args), **_reading(args), **inputs.deriver_options(args)
    )
    warn_of(args, result.ledger, hint=result.label_hint)
    return result


def _list(args: Namespace) -> int:
    result = _checked(args)
    # Counts follow from the order of patterns that match the same; `check` lists them.
    warn(united(result.labeller.constructions.overlaps), args)
    emit(args, result, action="list", has_treebank=bool(args.inputs))
    return _code(args, result, has_findings=False)


def _check(args: Namespace) -> int:
    if args.min_coverage is not None and not args.inputs:
        raise SettingsError("E546 --min-coverage needs a treebank")
    result = _checked(args)
    limit, has_treebank = args.limit or None, bool(args.inputs)
    emit(args, result, action="check", has_treebank=has_treebank, limit=limit)
    if args.format == "text" and not result.findings:
        patterns = len(result.inventory.patterns)
        overlap = ", no overlap" if args.inputs else ""
        put(f"{patterns} patterns, all well formed, all examples hold{overlap}")
    is_too_low = bool(args.inputs) and _is_below(result.coverage, args.min_coverage)
    if is_too_low:
        say(f"coverage is below {args.min_coverage} %")
    return _code(args, result, has_findings=bool(result.findings) or is_too_low)


def _code(args: Namespace, result: InventoryCheck, *, has_findings: bool) -> int:
    if not args.inputs:
        return FINDINGS if has_findings else OK
    source = args.inputs[0]
    return exit_code(
        result.ledger, source, source, has_findings=has_findings, verb="read"
    )


def _is_below(coverage: float | None, least: float | None) -> bool:
    """Whether less than `least` percent is covered; nothing at all counts as less."""
    return least is not None and (coverage is None or 100 * coverage < least)


def _explain(args: Namespace) -> int:
    from reports.model import View
    from reports.tables.findings import (
        construction_data,
        construction_explanation,
        explanation,
    )

    options = inputs.deriver_options(args)
    given = " ".join(args.inputs)
    name, *files = args.inputs or [""]
    if "->" not in given and name and " " not in name:
        treebanks = [inputs.input_of(args, spec) for spec in files]
        explained = explain_construction(name, *treebanks, **_reading(args), **options)
        if args.format == "json":
            emit(args, View([], lambda: construction_data(explained)))
        else:
            width = shutil.get_terminal_size((_WIDTH, 24)).columns
            put(construction_explanation(explained, width=min(width, _WIDTH)))
        if explained.ledger is None:
            return OK
        warn_of(args, explained.ledger)
        return exit_code(explained.ledger, files[0], files[0], verb="read")
    result = explain(given, **options)
    if args.format == "json":
        production = result.production
        data = {
            "production": str(production),
            "construction": production.construction,
            "matches": list(production.matches),
            "head": production.head,
        }
        emit(args, View([], lambda: data))
    else:
        put(explanation(result))
    return OK


# -- heads and drafts ------------------------------------------------------------------


def _heads(args: Namespace) -> int:
    from analyzer.checks.heads import head_agreement

    if not args.inputs or not args.dependencies:
        raise SettingsError("E634 heads needs a treebank and")
    result = head_agreement(
        *_treebanks(args),
        dependencies=args.dependencies,
        **_reading(args),
        **inputs.deriver_options(args),
    )
    emit(args, result, limit=args.limit or None)
    return OK


def _draft(args: Namespace) -> int:
    from pathlib import Path

    from analyzer.checks.draft import draft_patterns

    if not args.inputs or not args.draft:
        raise SettingsError("E635 draft needs a treebank and")
    path = Path(args.draft.removesuffix(".pat"))
    result = draft_patterns(
        *_treebanks(args),
        name=path.name,
        dependencies=args.dependencies,
        **_reading(args),
    )
    written = result.save(path.parent)
    warn_of(args, result.check.ledger)
    emit(args, result, files=[str(file) for file in written])
    has_findings = bool(result.check.findings)
    return _code(args, result.check, has_findings=has_findings)
