"""spinal rst train: a discourse parser from trees."""

from __future__ import annotations

import argparse
import time
from typing import get_args

from analyzer.cli import inputs, options
from analyzer.cli.output import BAD_INPUT, OK, emit, warn
from analyzer.cli.streams import tell
from analyzer.exceptions import SettingsError
from analyzer.rst_parser.parser import RstParser
from analyzer.rst_parser.stages import STAGES
from analyzer.transform.head_order import Transform

_TRANSFORMS = get_args(Transform)
_EPILOG = """\
examples:
  spinal rst train gum/dis --syntax gum/conllu --relations gum -o gum.model
  spinal rst train trees/ -o small.model                 no syntax: words alone
  spinal rst train gum/train/dis --syntax gum/train/conllu -o gum.model \\
    --dev gum/dev/dis --dev-syntax gum/dev/conllu         scored; scores in the model
  spinal rst train gum/dis --syntax gum/conllu --heuristics -o paper.model

Trees may be in any format that `spinal rst convert` reads. CoNLL-U files are in the
folder of --syntax, with the names of the documents. The model parses texts with syntax
and texts without. --heuristics is the parser of Morey, Muller and Asher (2018, section
4.1): two stages, a yes-or-no decision for each arc, nuclearity from the relation, order
by distance. --encoding is chain or tree, or the encoding of the files (both:
--transform tree --encoding latin-1). Training needs SciPy: pip install
'spinal[parser]'.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Train a discourse parser."
    parser.epilog = _EPILOG
    parser.add_argument("corpus", metavar="CORPUS", help="discourse trees")
    options.note_outputs(parser, "model")
    parser.add_argument(
        "-o", dest="model", metavar="MODEL", required=True, help="the file to write"
    )
    parser.add_argument(
        "--syntax", metavar="DIR", help="CoNLL-U files with the names of the documents"
    )
    parser.add_argument(
        "--transform",
        choices=_TRANSFORMS,
        help="the encoding of lists: nuclei depend on the one before them (chain, "
        "default), or all on the first (tree); `--encoding tree` is the same",
    )
    parser.add_argument(
        "--relations",
        metavar="MAP",
        default="fine",
        help="the classes of relations to predict: fine (as in the corpus, default), "
        "gum, rstdt, or a file of pairs",
    )
    parser.add_argument(
        "--stages",
        metavar="LIST",
        help=f"with commas, of {', '.join(STAGES)} (default: all of them; the last is "
        "always the document)",
    )
    parser.add_argument(
        "--heuristics", action="store_true", help="the parser of the 2018 paper"
    )
    parser.add_argument(
        "--dev", metavar="TREES", help="other documents, to score the parser on"
    )
    parser.add_argument(
        "--dev-syntax", metavar="DIR", help="CoNLL-U files of those documents"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="the order in which the tagger sees sentences; nothing else is random "
        "(default: 1)",
    )
    options.add_input_options(parser)
    options.add_output_options(parser)


def _transform(args: argparse.Namespace) -> Transform:
    """Chain or tree: by its own option, or as the papers' "encoding"."""
    found: Transform = args.transform or "chain"
    if args.encoding not in _TRANSFORMS:
        return found
    found, args.encoding = args.encoding, "utf-8"
    if args.transform not in (None, found):
        raise SettingsError(
            "--transform {one} and --encoding {other} contradict each other",
            code="E566",
            one=args.transform,
            other=found,
        )
    return found


def run(args: argparse.Namespace) -> int:
    from reports.tables.rst_parser import model_json, model_table

    transform = _transform(args)
    documents = inputs.read_documents(args, args.corpus, tells=False)
    started = time.process_time()

    def progress(what: str) -> None:
        if not args.quiet:
            tell(f"{time.process_time() - started:6.1f} s  {what}")

    problems: list[Exception] = []
    parser = RstParser.train(
        documents,
        syntax=args.syntax,
        encoding=transform,
        relations=args.relations,
        stages=args.stages.split(",") if args.stages else None,
        heuristics=args.heuristics,
        progress=progress,
        problems=problems,  # type: ignore[arg-type]
        text_encoding=args.encoding,
        seed=args.seed,
    )
    if args.dev:
        progress("scoring")
        other = inputs.read_documents(args, args.dev)
        parser = parser.scored_on(other, syntax=args.dev_syntax, encoding=args.encoding)
    parser.save(args.model)
    progress(f"wrote {args.model}")
    warn(problems, args)
    emit(args, [model_table(parser)], model_json(parser))
    return BAD_INPUT if problems else OK
