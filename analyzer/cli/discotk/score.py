"""spinal discotk score: kernel scores of translations and their combinations."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

from analyzer.cli import inputs, options
from analyzer.cli.discotk.options import add_metric_options, add_missing_option
from analyzer.cli.output import OK, emit, warn
from analyzer.discotk.inputs import (
    read_score_tables,
    shapes_of,
)
from analyzer.discotk.mt_metrics import METRICS, metric_names
from analyzer.discotk.representations import LEAVES
from analyzer.discotk.score_table import ScoreTable
from analyzer.discotk.scoring import (
    Combined,
    DiscoSettings,
    break_ties,
    combine,
    score_translations,
)
from analyzer.discotk.segments import Segments, read_segments
from analyzer.discotk.tuning import read_model
from analyzer.exceptions import SettingsError

_EPILOG = """\
examples:
  spinal discotk score --reference ref.brackets --system A=a.brackets --system B=b.brackets
  spinal discotk score --reference ref/ --system A=a/ --with bleu,ter --model m.json
  spinal discotk score --reference ref.txt --system A=a.txt --parser gum.model
  spinal discotk score --metrics scores.tsv --model m.json --format tsv

A file has one bracketed tree on each line, a folder one file for each segment, in any
format that `spinal rst convert` reads; with --parser, a file has one raw segment on each
line. CSV and TSV have the segment scores, which `spinal discotk tune` and `correlate`
read; text has the system scores.
"""  # noqa: E501 -- a command to copy stands on one line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Score translations by their discourse trees."
    parser.epilog = _EPILOG
    parser.add_argument("--reference", metavar="REF", help="the reference's trees")
    parser.add_argument(
        "--system",
        action="append",
        default=[],
        metavar="NAME=HYP",
        help="may be repeated",
    )
    trees = parser.add_argument_group("trees")
    trees.add_argument(
        "--as", dest="shapes", metavar="SHAPES", help="some representations, not all"
    )
    trees.add_argument(
        "--parser",
        metavar="MODEL",
        help="the files are raw text, one segment on each line, which this model of "
        "`spinal rst train` parses",
    )
    trees.add_argument("--leaves", choices=LEAVES, default=DiscoSettings.leaves)
    trees.add_argument("--kernel", choices=("sst", "st", "ptk"), default="sst")
    trees.add_argument("--decay", type=float, default=DiscoSettings.decay)
    trees.add_argument("--no-normalize", action="store_true")
    trees.add_argument("--lowercase", action="store_true")
    trees.add_argument(
        "--single-edu",
        choices=("Root", "Nucleus"),
        default="Root",
        help="nuclearity of the only EDU of a tree (default: Root, unlike any other "
        "EDU)",
    )
    more = parser.add_argument_group("further metrics")
    more.add_argument("--metrics", action="append", default=[], metavar="FILE")
    add_metric_options(parser)
    more.add_argument(
        "--with",
        dest="computed",
        default="",
        metavar="NAMES",
        help=f"{','.join(METRICS)}; needs spinal[mt]",
    )
    more.add_argument("--model", metavar="FILE", help="weights of `discotk tune`")
    parser.add_argument(
        "--break-ties", action="store_true", help="segment scores as in section 3.3"
    )
    parser.add_argument("--pair", default="", metavar="fr-en", help="language pair")
    add_missing_option(parser)
    parser.add_argument("--encoding", default="utf-8")
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import discotk as discotk_tables

    settings = DiscoSettings(
        leaves=args.leaves,
        decay=args.decay,
        normalize=not args.no_normalize,
        kernel=args.kernel,
        lowercase=args.lowercase,
        single=args.single_edu,
    )
    model = read_model(args.model) if args.model else None
    notes: list[str] = []
    table = _table(args, settings, notes)
    combined = combine(table, model=model, missing=args.missing, notes=notes)
    if args.break_ties:
        combined = Combined(break_ties(combined.segments), combined.systems)
    how = str(settings.signature) if args.reference else ""
    if args.parser:
        from analyzer.rst_parser.model_file import model_hash

        how += f"|parser:{model_hash(args.parser)[:8]}"
    if model is not None:
        how = f"{how} + {model.signature}" if how else model.signature
    warn(notes, args)
    systems = discotk_tables.system_table(combined.systems, how)
    segments = discotk_tables.segment_table(combined.segments)
    is_read = args.format in ("csv", "tsv") or args.output
    emit(
        args,
        [systems, segments] if is_read else [systems],
        discotk_tables.scores_json(combined, how, notes),
        main=segments,
    )
    return OK


def _table(
    args: argparse.Namespace, settings: DiscoSettings, notes: list[str]
) -> ScoreTable:
    given = read_score_tables(args.metrics, args.negate) if args.metrics else []
    if len(given) > 1:
        chosen = [one for one in given if one.pair == args.pair]
        if not chosen:
            names = ", ".join(one.pair for one in given)
            raise SettingsError(
                "several language pairs ({names}); choose with --pair",
                code="E901",
                names=names,
            )
        given = chosen
    computed = [name for name in args.computed.lower().split(",") if name]
    metric_names(computed)
    if not args.reference:
        if args.system or computed or not given:
            raise SettingsError(
                "trees need --reference, or give scores with --metrics", code="E902"
            )
        return given[0]
    reader = _reader(args)
    return score_translations(
        reader(args.reference),
        {
            name: reader(path)
            for name, path in inputs.systems_of(args.system, expected="NAME=HYP")
        },
        settings=settings,
        shapes=shapes_of(args.shapes),
        computed=computed,
        given=given[0] if given else None,
        missing=args.missing,
        pair=args.pair,
        notes=notes,
    )


def _reader(args: argparse.Namespace) -> Callable[[str], Segments]:
    """What gives the trees of a file: a reader, or a parser of its text."""
    if not args.parser:
        return partial(read_segments, encoding=args.encoding)
    from analyzer.discotk.parsing import parse_segments
    from analyzer.rst_parser.parser import RstParser

    parser = RstParser.load(args.parser)
    return partial(parse_segments, parser, encoding=args.encoding)
