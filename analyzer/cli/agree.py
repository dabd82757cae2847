"""spinal agree: how far two annotations of the same text agree, and where not."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator

from analyzer.analyses.agreement import Agreement, agree_into
from analyzer.analyses.score import ConstructionScores, parsed_merges
from analyzer.cli import inputs, options
from analyzer.cli.output import BAD_INPUT, OK, complain, emit, warn
from analyzer.cli.progress import ReadingBar
from analyzer.exceptions import PairingError, Place, SettingsError
from analyzer.formats.reading import read_trees
from analyzer.pairing.in_step import SentencePair, Surplus, open_blocks
from analyzer.pairing.words import MALFORMED
from analyzer.safe_text import counted

_EPILOG = """\
examples:
  spinal agree anna.mrg ben.mrg
  spinal agree anna.mrg ben.mrg --segmentation offsets
  spinal agree treebank-1.0/ treebank-2.0/ --pair text --limit 40
  spinal agree anna/ ben/ --relations gum            (discourse trees)

Neither side is gold. F-h: both project the construction for the same head word; F-s:
over the same words; att, spanR: of the F-h matches, those that attach alike, end
alike. kappa corrects for chance. Disagreements come in groups, the largest first.
"""
_DEFAULT_LIMIT = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Compare two annotations of the same text."
    parser.epilog = _EPILOG
    parser.add_argument("a", metavar="A")
    parser.add_argument("b", metavar="B")
    parser.add_argument("--top", type=int, metavar="N", help="only N constructions")
    parser.add_argument(
        "--limit",
        type=int,
        default=_DEFAULT_LIMIT,
        metavar="N",
        help=f"groups of disagreements, 0 for all (default: {_DEFAULT_LIMIT})",
    )
    parser.add_argument(
        "--examples",
        type=int,
        choices=range(4),
        default=1,
        metavar="N",
        help="examples of a group, up to 3 (default: 1)",
    )
    parser.add_argument(
        "--segmentation",
        choices=("same", "offsets"),
        default="same",
        help="same: the same words or EDUs on both sides (default); offsets: they may "
        "differ and are compared by characters, white space ignored",
    )
    parser.add_argument(
        "--pair",
        choices=("order", "text"),
        default="order",
        help="order: the n-th sentence of A with the n-th of B (default); text: those "
        "with the same text, for releases that add or drop sentences",
    )
    options.add_construction_options(parser)
    options.add_tree_options(parser, binarize="right")
    options.add_input_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import agreement as agreement_tables

    for name in ("top", "limit"):
        value = getattr(args, name)
        if value is not None and value < (name == "top"):
            raise SettingsError(
                "--{name} must not be {value}", code="E801", name=name, value=value
            )
    is_discourse = inputs.is_discourse(args.a)
    result, code = _documents(args) if is_discourse else _sentences(args)
    emit(
        args,
        agreement_tables.agreement_tables(
            result, top=args.top, limit=args.limit or None, examples=args.examples
        ),
        agreement_tables.agreement_json(result),
        main=agreement_tables.construction_table(result, top=args.top),
    )
    if not result.scores.tally.scored:
        return complain(
            PairingError(
                "nothing could be compared: {scores}",
                Place(args.b),
                code="E802",
                scores=result.scores.scored_text(),
            )
        )
    if any(result.scores.surplus) and args.pair == "order":
        number = counted(max(result.scores.surplus), "sentence")
        message = f"{args.a} and {args.b} differ in length by {number}; compared the "
        message += "ones they share in order (--pair text: those with the same text)"
        return complain(PairingError(message))
    return code


def _sentences(args: argparse.Namespace) -> tuple[Agreement, int]:
    deriver = inputs.syntax_deriver_of(args)
    bar = ReadingBar([args.a, args.b], quiet=args.quiet)
    pairs, surplus = _opened(args, bar)
    scores = ConstructionScores(deriver)
    result = Agreement(scores, args.segmentation == "offsets")
    try:
        agree_into(result, pairs)
    finally:
        bar.close()
    scores.surplus = surplus()
    left_out = scores.tally.left_out
    warn([sides_named(str(item.error)) for item in left_out], args)
    malformed = any(item.reason in MALFORMED for item in left_out)
    return result, BAD_INPUT if malformed else OK


def _opened(
    args: argparse.Namespace, bar: ReadingBar
) -> tuple[Iterator[SentencePair], Callable[[], Surplus]]:
    if args.pair == "order":
        blocks = open_blocks(
            args.a,
            args.b,
            strict=args.strict,
            encoding=args.encoding,
            progress=bar.add,
        )
        return blocks.pairs(), lambda: blocks.surplus
    from analyzer.pairing.by_text import pairs_by_text

    a, b = (
        read_trees(spec, strict=args.strict, encoding=args.encoding)
        for spec in (args.a, args.b)
    )
    pairs, unpaired = pairs_by_text(a, b)
    return iter(pairs), lambda: unpaired


def _documents(args: argparse.Namespace) -> tuple[Agreement, int]:
    from analyzer.analyses.agreement import agree_documents
    from analyzer.analyses.rst_results import RstSettings
    from analyzer.transform.relations import load_relations, relations_name

    a, b = (inputs.read_documents(args, spec) for spec in (args.a, args.b))
    settings = RstSettings(
        binarize=args.binarize,
        relations=relations_name(args.relations),
        relation_map=load_relations(args.relations),
        by_offsets=args.segmentation == "offsets",
    )
    result = agree_documents(a, b, settings, merge=parsed_merges(args.merge))
    skipped = result.documents.skipped if result.documents else []
    warn([f"{one.document}: {sides_named(one.reason)}" for one in skipped], args)
    return result, BAD_INPUT if a.problems or b.problems else OK


_SIDES = {
    "not predicted": "only in A",
    "not in gold": "only in B",
    "gold": "A",
    "parsed": "B",
    "predicted": "B",
    "the prediction": "B",
}
# Names of sides, but not in what is quoted from a text.
_NAMED = re.compile(rf"'[^']*'|\"[^\"]*\"|\b(?:{'|'.join(_SIDES)})\b")


def sides_named(message: str) -> str:
    """A message about gold and parsed, where neither is.

    >>> sides_named("word 2 differs: gold 'gold', parsed 'silver'")
    "word 2 differs: A 'gold', B 'silver'"
    """
    return _NAMED.sub(lambda found: _SIDES.get(found[0], found[0]), message)
