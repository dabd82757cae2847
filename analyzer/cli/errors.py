"""spinal errors: the errors of a construction one by one; confusions."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from analyzer.analyses.errors import Kind
from analyzer.analyses.find_errors import ErrorList, find_errors
from analyzer.cli import inputs, numbers, options, tree_options
from analyzer.cli.output import emit, exit_code, hint_at_labels, warn_of
from analyzer.cli.progress import ReadingBar

if TYPE_CHECKING:
    from reports.model import Table

_EPILOG = """\
examples:
  spinal errors gold.mrg parsed.mrg --construction PP-t --kind att
  spinal errors gold.mrg parsed.mrg --kind head-missed --limit 50
  spinal errors gold.mrg parsed.mrg --confusions

kinds:
  head-missed    gold projects the construction for the word, the parser does not
  head-spurious  the parser does, gold does not
  span           both do, over different words
  span-right     both do, and the right edges differ
  attachment     both do, and it attaches to another word
  function       both have the bracket, with other function tags (--functions); and the
                 same of words
  word-function  of these, only the words
"""
_DEFAULT_LIMIT = 25
_SHORT = {"att": Kind.ATTACHMENT}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "List errors one by one, in context."
    parser.epilog = _EPILOG
    options.add_pair(parser)
    parser.add_argument(
        "--construction", metavar="NAME", help="only this construction (such as PP-t)"
    )
    parser.add_argument(
        "--kind",
        choices=[*(kind.value for kind in Kind), *_SHORT],
        help="only errors of this kind (default: all except span-right, which is part "
        "of span, and function, unless --functions)",
    )
    parser.add_argument(
        "--confusions",
        action="store_true",
        help="count what the parser projects for a word instead of what gold has",
    )
    parser.add_argument(
        "--limit",
        type=numbers.whole_number(least=0),
        default=_DEFAULT_LIMIT,
        metavar="N",
        help=f"how many to show, 0 for all (default: {_DEFAULT_LIMIT})",
    )
    options.add_sentence_option(parser)
    tree_options.add_construction_options(parser)
    tree_options.add_function_options(parser)
    tree_options.add_tree_options(parser, binarize="right")
    options.add_pairing_options(parser)
    options.add_input_options(parser)
    options.add_jobs_option(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import errors as errors_tables
    from reports.tables import functions as function_tables
    from reports.tables.omissions import relation_labels_json

    limit = args.limit or None
    with ReadingBar([args.gold, args.parsed], quiet=args.quiet) as bar:
        found = find_errors(
            *inputs.pair_of(args),
            kinds=[_SHORT.get(args.kind, args.kind)] if args.kind else None,
            construction=args.construction,
            sentences=args.sentence,
            limit=limit,
            jobs=args.jobs,
            **inputs.scoring_options(args, bar),
        )
    warn_of(args, found.ledger)
    hint_at_labels(args, found.deriver.label_hint)
    tables: list[Table] = []
    if args.confusions:
        table = errors_tables.confusion_table(
            found.confusions, limit=limit, notes=_notes(found)
        )
        data: dict[str, object] = {"confusions": table.records()}
    else:
        table = errors_tables.instance_table(
            found.rows, total=found.total, kinds=found.kinds, notes=_notes(found)
        )
        records = errors_tables.instance_records(found.rows)
        data = {"total": found.total, "errors": records}
    if args.confusions and found.functions:
        tables.append(function_tables.tag_confusion_table(found.functions, top=limit))
        data["function_confusions"] = tables[0].records()
        if words := found.functions.words:
            tables.append(
                function_tables.tag_confusion_table(words, top=limit, of_words=True)
            )
            data["word_function_confusions"] = tables[1].records()
    data |= relation_labels_json(found.relation_hint)
    data["ledger"] = found.ledger.as_json()
    data["signature"] = str(found.signature)
    emit(args, [table, *tables], data)
    return exit_code(found.ledger, args.gold, args.parsed)


def _notes(found: ErrorList) -> list[str]:
    return [found.ledger.text("looked at"), str(found.signature)]
