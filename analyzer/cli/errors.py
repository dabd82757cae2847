"""spinal errors: the errors of a construction one by one; confusions."""

from __future__ import annotations

import argparse
from collections import Counter

from analyzer.analyses.errors import (
    Instance,
    Kind,
    SentenceWords,
    confusions,
    instances,
)
from analyzer.cli import inputs, options
from analyzer.cli.output import OK, complain_of_lengths, emit, warn
from analyzer.cli.progress import ReadingBar
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import SettingsError
from analyzer.metrics.constructions import compare
from analyzer.pairing.in_step import lengths_differ

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
"""
_DEFAULT_LIMIT = 25
_SHORT = {"att": Kind.ATTACHMENT}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "List errors one by one, in context."
    parser.epilog = _EPILOG
    options.add_pair(parser)
    parser.add_argument(
        "--construction", metavar="NAME", help="only this construction (PP-t, say)"
    )
    parser.add_argument(
        "--kind",
        choices=[*(kind.value for kind in Kind), *_SHORT],
        help="only errors of this kind (default: all but span-right, which span has)",
    )
    parser.add_argument(
        "--confusions",
        action="store_true",
        help="count what the parser projects for a word instead of what gold has",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=_DEFAULT_LIMIT,
        metavar="N",
        help=f"how many to show, 0 for all (default: {_DEFAULT_LIMIT})",
    )
    options.add_construction_options(parser)
    options.add_tree_options(parser, binarize="right")
    options.add_input_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    from reports.tables import errors as errors_tables

    deriver = inputs.deriver_of(args, args.gold)
    kinds = _kinds(args.kind)
    limit = args.limit or None
    found: list[tuple[Instance, list[str]]] = []
    confused: Counter[tuple[str, str]] = Counter()
    total = 0
    bar = ReadingBar([args.gold, args.parsed], quiet=args.quiet)
    pairs, surplus = inputs.opened_pairs(args, args.gold, args.parsed, deriver, bar.add)
    left_out = []
    for pair in pairs:
        comparison = compare(pair, deriver)
        left_out += comparison.left_out
        if args.confusions:
            confused += confusions(comparison)
            continue
        text = SentenceWords(pair, comparison)
        listed = [
            one
            for kind in kinds
            for one in instances(pair, comparison, kind, args.construction)
        ]
        total += len(listed)
        for one in sorted(listed, key=lambda one: (one.sentence, one.position)):
            if limit is None or len(found) < limit:
                found.append((one, text.words(one.sentence - pair.first_sentence)))
    bar.close()
    warn([item.error for item in left_out], args)
    _check_name(args.construction, deriver)
    if args.confusions and args.construction:
        confused = Counter(
            {key: n for key, n in confused.items() if args.construction in key}
        )
    if args.confusions:
        table = errors_tables.confusion_table(confused, limit=limit)
        data: object = {"confusions": table.records()}
    else:
        table = errors_tables.instance_table(found, total=total, kinds=kinds)
        data = {"total": total, "errors": errors_tables.instance_records(found)}
    emit(args, [table], data)
    if any(surplus()):
        error = lengths_differ(args.gold, args.parsed, surplus())
        return complain_of_lengths(error)
    return OK


def _kinds(given: str | None) -> list[Kind]:
    if given is None:
        return [kind for kind in Kind if kind is not Kind.SPAN_RIGHT]
    return [_SHORT[given] if given in _SHORT else Kind(given)]


def _check_name(construction: str | None, deriver: Deriver) -> None:
    """A construction must occur in the data or at least in the inventory."""
    occurring = deriver.constructions.listed
    known = {*occurring, *(pattern.name for pattern in deriver.inventory.patterns)}
    if construction is not None and construction not in known:
        raise SettingsError(
            "no construction {construction!r}; in this data there are {occurring:list}",
            code="E809",
            construction=construction,
            occurring=sorted(occurring),
        )
