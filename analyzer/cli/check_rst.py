"""spinal check --rst: discourse trees that break a rule."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import PurePath

from analyzer.checks.discourse import RstFinding, check_documents, findings_of_errors
from analyzer.checks.findings import LEVELS
from analyzer.cli.output import FINDINGS, OK, emit
from analyzer.exceptions import InputError, Place, RstError, SettingsError
from analyzer.formats.documents import read_rst
from analyzer.model.discourse import Unit
from analyzer.transform.relations import COARSE, load_relation_inventory, load_relations

_SECOND = "a second document"
_SYNTAX_ONLY = ("kind", "baseline", "write_baseline")


def run_rst(args: argparse.Namespace) -> int:
    """Check the documents; the same exit codes as for sentences."""
    from reports.tables.findings import rst_table

    _refuse_options_of_syntax(args)
    documents: list[tuple[str, Unit]] = []
    errors: list[RstError] = []
    specs = list(args.inputs)
    while specs:
        read = read_rst(specs.pop(0), encoding=args.encoding)
        documents += list(read)
        for problem in read.problems:
            # A document in two formats is read from both: they should say the same.
            source = problem.place.source if problem.place else None
            if source and problem.message.startswith(_SECOND):
                specs.append(source)
            elif args.strict:
                raise problem
            else:
                errors.append(problem)
    if not documents and not errors:
        raise InputError("no discourse trees in here", Place(args.inputs[0]))
    relations = load_relation_inventory(args.labels) if args.labels else None
    found = [
        *findings_of_errors(errors, lambda source: PurePath(source).stem),
        *check_documents(documents, relations, classes=load_relations(COARSE)),
    ]
    if args.select:
        codes = tuple(code.strip().upper() for code in args.select.split(","))
        found = [one for one in found if one.code.startswith(codes)]
    shown = found[: args.limit] if args.limit else found
    whole = args.format in ("csv", "tsv")
    data = {
        "summary": {"documents": len(documents), "findings": len(found)},
        "findings": [one._asdict() for one in found],
    }
    emit(args, [rst_table(found if whole else shown, len(found))], data)
    return FINDINGS if _any_counts(found, args.level) else OK


def _refuse_options_of_syntax(args: argparse.Namespace) -> None:
    """What would be left out in silence is refused."""
    for name in _SYNTAX_ONLY:
        if getattr(args, name):
            option = "--" + name.replace("_", "-")
            raise SettingsError(f"{option} is for sentences, not for --rst")
    if args.format == "sarif":
        raise SettingsError("--format sarif is for sentences, not for --rst")


def _any_counts(found: Sequence[RstFinding], level: str) -> bool:
    most = LEVELS.index(level)
    return any(LEVELS.index(one.level) <= most for one in found)
