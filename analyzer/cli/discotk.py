"""spinal discotk: discourse trees and kernels for judging machine translation."""

from __future__ import annotations

from argparse import Namespace

from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, command
from analyzer.cli.output import BAD_INPUT, OK, emit, note, warn
from analyzer.cli.streams import put, put_json
from analyzer.discotk.evaluation import (
    DEFAULT_FOLDS,
    OTHER_NAMES,
    TABLE_VARIANTS,
    VARIANTS,
)
from analyzer.discotk.functions import (
    discotk_correlate,
    discotk_represent,
    discotk_score,
    discotk_tune,
)
from analyzer.discotk.representations import LEAVES, REPRESENTATIONS, shapes_of
from analyzer.discotk.scoring import METRICS, DiscoSettings
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
_ROOTS = Option(
    "--roots {join,drop,error}  segments of several trees: a unit over them (default), "
    "those of one EDU left out, or an error",
    default="join",
)


@command(
    Option("--reference REF  the reference's trees", is_input=True),
    Option("--system NAME=HYP  may be repeated", action="append", is_input=True),
    Group(
        "trees",
        Option("--shapes --as SHAPES  some representations, not all", dest="shapes"),
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
        _ROOTS,
    ),
    Group("further metrics", Option("--metrics FILE", action="append", is_input=True)),
    _NEGATE,
    Group(
        "further metrics",
        Option(
            f"--computed --with NAMES  {','.join(METRICS)}; needs spinal[mt]",
            default="",
            dest="computed",
        ),
        Option("--model FILE  weights of `discotk tune`", is_input=True),
    ),
    Option("--break-ties  of segment scores, as in section 3.3 of the paper"),
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
    from reports.views import view_of

    systems: dict[str, str] = dict.fromkeys(args.system or (), "")
    if systems and args.reference:
        systems = dict(inputs.systems_of(args.system, expected="NAME=HYP"))
    scores = discotk_score(
        args.reference,
        systems,
        shapes=args.shapes or REPRESENTATIONS,
        normalize=not args.no_normalize,
        metrics=args.metrics or (),
        negate=args.negate or (),
        computed=[name for name in args.computed.split(",") if name],
        break_ties=args.break_ties,
        **inputs.passed_on(
            args,
            "parser leaves kernel decay lowercase single_edu model pair missing "
            "roots encoding",
        ),
    )
    note(scores.notes, args)
    is_read = args.format in options.ONE_TABLE or bool(args.output)
    emit(args, view_of(scores, with_segments=is_read))
    return OK


@command(
    Option("DOC", dest="document"),
    Option(
        "--shapes --as SHAPE  one or several of "
        f"{', '.join(REPRESENTATIONS)} (default: all)",
        dest="shapes",
    ),
    Option(
        "--leaves  dummy: each word over a leaf `*`, as in the paper (default); bow: "
        "words are leaves",
        default="dummy",
        choices=LEAVES,
    ),
    Option("--lowercase"),
    _ROOTS,
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
    representations = discotk_represent(
        args.document,
        args.shapes or REPRESENTATIONS,
        leaves=args.leaves,
        lowercase=args.lowercase,
        roots=args.roots,
        encoding=args.encoding,
    )
    segments = representations.segments
    missing = [f"{args.document}: segment {n} has no tree" for n in segments.missing]
    warn([*missing, *segments.notes], args)
    data: dict[str, dict[str, str]] = {name: {} for name in segments.trees}
    for row in representations.rows:
        data[row.segment][row.metric] = row.tree
    if args.format == "json":
        put_json(data)
    else:
        shapes = len(shapes_of(args.shapes))
        for name, shown in data.items():
            _print(name, shown, shapes, len(segments.trees))
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
        "--only METRICS  only these metrics, comma-separated (default: all but "
        "DiscoTK's combinations)"
    ),
    Option("--folds", int, DEFAULT_FOLDS),
    Option("--seed", int, 0),
    Option("--cost  C of the logistic regression (default: 1)", float, 1.0),
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
    from reports.views import view_of

    tuned = discotk_tune(
        args.scores,
        args.rankings,
        only=_names(args.only),
        negate=args.negate or (),
        **inputs.passed_on(args, "folds seed cost missing"),
    )
    note(tuned.notes, args)
    if args.model:
        tuned.save(args.model)
    emit(args, view_of(tuned))
    return OK


@command(
    *_RANKINGS,
    Option(
        f"--tau WAYS  some of {', '.join([*VARIANTS, *OTHER_NAMES])} (default: "
        f"{','.join(TABLE_VARIANTS)})",
        default=",".join(TABLE_VARIANTS),
    ),
    Option("--human-scores FILE  human scores of systems: .sys.scr", is_input=True),
    Option("--only METRICS  only these metrics, comma-separated"),
    Option("--break-ties  of segment scores, as in section 3.3 of the paper"),
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
    from reports.views import view_of

    result = discotk_correlate(
        args.scores,
        args.rankings,
        only=_names(args.only),
        break_ties=args.break_ties,
        negate=args.negate or (),
        **inputs.passed_on(args, "tau human_scores bootstrap seed missing"),
    )
    note(result.notes, args)
    emit(args, view_of(result))
    return OK


def _names(listed: str | None) -> list[str] | None:
    """The metrics of `--only`, also as the headings of our own tables have them."""
    return [from_spreadsheet(name) for name in listed.split(",")] if listed else None
