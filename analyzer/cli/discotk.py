"""spinal discotk: discourse trees and kernels for judging machine translation."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial

from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, command
from analyzer.cli.output import BAD_INPUT, OK, emit, note, warn
from analyzer.cli.streams import put, put_json
from analyzer.discotk.evaluation import OTHER_NAMES, TABLE_VARIANTS, VARIANTS, correlate
from analyzer.discotk.representations import (
    LEAVES,
    REPRESENTATIONS,
    metric_of,
    represent,
    shapes_of,
)
from analyzer.discotk.score_tables import (
    ScoreTable,
    break_ties,
    read_score_tables,
    read_scores_and_rankings,
    read_system_scores,
)
from analyzer.discotk.scoring import (
    METRICS,
    Combined,
    DiscoSettings,
    combine,
    metric_names,
    score_translations,
)
from analyzer.discotk.segments import Segments, parse_segments, read_segments
from analyzer.discotk.tuning import DEFAULT_FOLDS, read_model, tune_metrics, write_model
from analyzer.exceptions import SettingsError
from analyzer.metrics.significance import DEFAULT_SEED
from analyzer.safe_text import from_spreadsheet

_NEGATE = Option(
    "--negate METRIC  a metric of the files that is better when lower, such as TER",
    action="append",
)
# Scores of segments and what people say of them.
_RANKINGS = (
    Option(
        "--scores FILE  segment scores: system, segment and metrics, or .seg.scr; may "
        "be repeated",
        action="append",
        required=True,
        is_input=True,
    ),
    Option(
        "--rankings HUMAN.csv  human rankings in WMT's CSV; may be repeated",
        action="append",
        required=True,
        is_input=True,
    ),
    _NEGATE,
)
_MISSING = Option(
    "--missing {error,worst}  a missing tree or value: an error (default), or the "
    "worst: 0 for a tree, a metric's lowest value",
    default="error",
)
_ENCODING = Option("--encoding", default="utf-8")


@command(
    Option("--reference REF  the reference's trees", is_input=True),
    Option("--system NAME=HYP  may be repeated", action="append", is_input=True),
    Group(
        "trees",
        Option("--as SHAPES  some representations, not all", dest="shapes"),
        Option(
            "--parser MODEL  the files are raw text, one segment on each line, which "
            "this model of `spinal rst train` parses",
            is_input=True,
        ),
        Option("--leaves", default=DiscoSettings.leaves, choices=LEAVES),
        Option("--kernel {sst,st,ptk}", default="sst"),
        Option("--decay", float, DiscoSettings.decay),
        Option("--no-normalize"),
        Option("--lowercase"),
        Option(
            "--single-edu {Root,Nucleus}  nuclearity of the only EDU of a tree "
            "(default: Root, unlike any other EDU)",
            default="Root",
        ),
    ),
    Group("further metrics", Option("--metrics FILE", action="append", is_input=True)),
    _NEGATE,
    Group(
        "further metrics",
        Option(
            f"--with NAMES  {','.join(METRICS)}; needs spinal[mt]",
            default="",
            dest="computed",
        ),
        Option("--model FILE  weights of `discotk tune`", is_input=True),
    ),
    Option("--break-ties  segment scores as in section 3.3"),
    Option("--pair fr-en  language pair", default=""),
    _MISSING,
    _ENCODING,
    options.OUTPUT,
)
def run_score(args: Namespace) -> int:
    """Score translations by their discourse trees.

    examples:
      spinal discotk score --reference ref.brackets --system A=a.brackets --system B=b.brackets
      spinal discotk score --reference ref/ --system A=a/ --with bleu,ter --model m.json
      spinal discotk score --reference ref.txt --system A=a.txt --parser gum.model
      spinal discotk score --metrics scores.tsv --model m.json --format tsv

    A file has one bracketed tree on each line, a folder one file for each segment, in any
    format that `spinal rst convert` reads; with --parser, a file has one raw segment on each
    line. CSV and TSV have the segment scores, which `spinal discotk tune` and `correlate`
    read; text has the system scores.
    """  # noqa: E501 -- as it is printed
    from reports.tables.kernels import scores_view

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
        from analyzer.rst_parser.storage import model_hash

        how += f"|parser:{model_hash(args.parser)[:8]}"
    if model is not None:
        how = f"{how} + {model.signature}" if how else model.signature
    note(notes, args)
    is_read = args.format in options.ONE_TABLE or bool(args.output)
    view = scores_view(combined, signature=how, notes=notes, with_segments=is_read)
    emit(args, view)
    return OK


def _table(args: Namespace, settings: DiscoSettings, notes: list[str]) -> ScoreTable:
    given = read_score_tables(args.metrics, args.negate) if args.metrics else []
    if len(given) > 1:
        chosen = [one for one in given if one.pair == args.pair]
        if not chosen:
            names = ", ".join(one.pair for one in given)
            raise SettingsError("E901 several language pairs", names=names)
        given = chosen
    computed = [name for name in args.computed.lower().split(",") if name]
    metric_names(computed)
    if not args.reference:
        if args.system or computed or not given:
            raise SettingsError("E902 trees need --reference, or give scores with")
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


def _reader(args: Namespace) -> Callable[[str], Segments]:
    """What gives the trees of a file: a reader, or a parser of its text."""
    if not args.parser:
        return partial(read_segments, encoding=args.encoding)
    from analyzer.rst_parser.parser import RstParser

    parser = RstParser.load(args.parser)
    return partial(parse_segments, parser, encoding=args.encoding)


@command(
    Option("DOC", dest="document"),
    Option(
        f"--as SHAPE  one or several of {', '.join(REPRESENTATIONS)} (default: all)",
        dest="shapes",
    ),
    Option(
        "--leaves  dummy: each word over a leaf `*`, as in the paper (default); bow: "
        "words are leaves",
        default="dummy",
        choices=LEAVES,
    ),
    Option("--lowercase"),
    Option("--format {text,json}", default="text"),
    Option("-q --quiet"),
    Option("-v --verbose"),
    _ENCODING,
)
def run_represent(args: Namespace) -> int:
    """Discourse trees as DiscoTK's kernels see them.

    examples:
      spinal discotk represent sentence.dis
      spinal discotk represent reference.brackets --as lex2.1

    With one representation, each line is a tree that `spinal kernel` can read.
    """
    shapes = shapes_of(args.shapes)
    settings = {"leaves": args.leaves, "lowercase": args.lowercase}
    segments = read_segments(args.document, encoding=args.encoding)
    missing = [f"{args.document}: segment {n} has no tree" for n in segments.missing]
    warn(missing, args)
    data = {}
    for name, tree in segments.trees.items():
        shown = {
            metric_of(shape): str(represent([tree], shape, **settings)[0])
            for shape in shapes
            if tree is not None
        }
        data[name] = shown
        if args.format == "text":
            _print(name, shown, len(shapes), len(segments.trees))
    if args.format == "json":
        put_json(data)
    return BAD_INPUT if missing else OK


def _print(name: str, shown: dict[str, str], shapes: int, segments: int) -> None:
    if shapes == 1:
        # A segment without tree stays an empty line, so that lines stay segments.
        put("".join(shown.values()))
        return
    if segments > 1:
        put(f"segment {name}")
    for metric, tree in shown.items():
        put(f"{metric:<9} {tree}")


@command(
    *_RANKINGS,
    Option("--model OUT.json  where to write the weights", is_output=True),
    Option(
        "--only METRICS  some metrics, with commas (default: all but DiscoTK's own "
        "combinations)"
    ),
    Option("--folds", int, DEFAULT_FOLDS),
    Option("--seed", int, 0),
    Option("--cost  C (default: 1)", float, 1.0),
    _MISSING,
    options.OUTPUT,
)
def run_tune(args: Namespace) -> int:
    """Learn weights: pairwise logistic regression.

    examples:
      spinal discotk tune --scores scores.tsv --rankings wmt13.csv --model weights.json

    The correlations are of weights learned without the segment that is scored (folds of
    segments); the weights written are learned from all of them.
    """
    from reports.tables.kernels import tuning_view

    tables, human = read_scores_and_rankings(args.scores, args.rankings, args.negate)
    notes: list[str] = []
    model, evaluation, signature = tune_metrics(
        tables,
        human,
        only=_names(args.only),
        folds=args.folds,
        seed=args.seed,
        cost=args.cost,
        missing=args.missing,
        notes=notes,
    )
    note(notes, args)
    if args.model:
        write_model(model, args.model)
    emit(args, tuning_view(model, evaluation, str(signature)))
    return OK


@command(
    *_RANKINGS,
    Option(
        f"--tau WAYS  some of {', '.join([*VARIANTS, *OTHER_NAMES])} (default: "
        f"{','.join(TABLE_VARIANTS)})",
        default=",".join(TABLE_VARIANTS),
    ),
    Option("--human-scores FILE  human scores of systems: .sys.scr", is_input=True),
    Option("--only METRICS  some metrics, with commas"),
    Option("--break-ties  as in section 3.3"),
    Option("--bootstrap N  resamples for intervals", int, 0),
    Option("--seed", int, DEFAULT_SEED),
    _MISSING,
    options.OUTPUT,
)
def run_correlate(args: Namespace) -> int:
    """Correlation of metrics with human judgements.

    examples:
      spinal discotk correlate --scores scores.tsv --rankings wmt13.csv
      spinal discotk correlate --scores s.tsv --rankings wmt13.csv --bootstrap 1000 --output o/

    tau: Kendall's tau at segment level, as in WMT's tasks, which differ in the
    treatment of ties. rho, r: Spearman and Pearson at system level, with expected wins or
    --human-scores.
    """  # noqa: E501 -- as it is printed
    from reports.tables.kernels import correlation_view

    tables, human = read_scores_and_rankings(args.scores, args.rankings, args.negate)
    given = read_system_scores(args.human_scores) if args.human_scores else None
    notes: list[str] = []
    result, signature = correlate(
        tables,
        human,
        variants=args.tau.split(","),
        human_scores=given,
        only=_names(args.only),
        ties_broken=args.break_ties,
        missing=args.missing,
        resamples=args.bootstrap,
        seed=args.seed,
        notes=notes,
    )
    note([*notes, *result.notes], args)
    emit(args, correlation_view(result, str(signature)))
    return OK


def _names(listed: str | None) -> list[str] | None:
    """The metrics of `--only`, also as the headings of our own tables have them."""
    return [from_spreadsheet(name) for name in listed.split(",")] if listed else None
