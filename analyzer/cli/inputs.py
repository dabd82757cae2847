"""What score, derive, errors and patterns share: their options and settings."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from analyzer.analyses.score import parsed_merges, settings
from analyzer.cli import common
from analyzer.constructions.labeller import DISCOURSE, Labeller
from analyzer.constructions.language import DEFAULT_INVENTORY
from analyzer.exceptions import AnalyzerError, SettingsError
from analyzer.files.sources import STDIN, files_of, opened
from analyzer.formats.penn.reader import Progress
from analyzer.pairing.in_step import CountedPairs, SentencePair, Surplus, open_tasks
from analyzer.pairing.shards import Blocks, Shards, open_pieces
from analyzer.pairing.sidecar import read_groups
from analyzer.runtime.executor import Workplace
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.parameters import BUILT_IN

_LOOKED_AT = 8192
# Formats that cannot be mistaken for syntax: plain brackets can.
_DISCOURSE_FORMATS = ("dis", "rs3", "rsd", "json")


def add_options(parser: argparse.ArgumentParser, *, merge: bool = True) -> None:
    group = parser.add_argument_group("constructions")
    group.add_argument(
        "--patterns",
        default=DEFAULT_INVENTORY,
        metavar="INVENTORY",
        help=f"pattern inventory, by name or file (default: {DEFAULT_INVENTORY})",
    )
    group.add_argument(
        "--params",
        default="collins",
        metavar="SET",
        help=f"evalb parameters: {', '.join(BUILT_IN)}, or a .prm file "
        "(default: collins); roots never count here",
    )
    if merge:
        group.add_argument(
            "--merge",
            action="append",
            default=[],
            metavar="NAME=NAME,NAME",
            help="score constructions as one, as NP-t=NP-t,NP-pos; may be repeated",
        )


def add_group_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--group-by",
        metavar="FILE.tsv:COLUMN",
        help="make the data sets from one: each sentence's is in a column of a file "
        "with a line a sentence",
    )
    parser.add_argument(
        "--reference", metavar="NAME", help="the data set to compare with"
    )


def groups_of(spec: str) -> list[str]:
    """The group of each sentence: FILE.tsv:COLUMN."""
    path, separator, column = spec.rpartition(":")
    if not separator or not path or not column:
        raise SettingsError(
            f"cannot read --group-by {spec!r}; expected FILE.tsv:COLUMN"
        )
    return read_groups(path, column)


def settings_of(
    args: argparse.Namespace, spec: str | None = None
) -> tuple[LabelTables, Labeller]:
    """How trees become derivation trees; `spec` tells discourse from syntax."""
    merge = parsed_merges(getattr(args, "merge", []))
    if spec is not None and is_discourse(spec):
        from analyzer.derivation.discourse import RstLabeller
        from analyzer.pairing.by_name import document_tables

        return document_tables(), RstLabeller(merge)
    return settings(
        patterns=args.patterns,
        parameters=args.params,
        merge=merge,
        warn=lambda message: common.warn([message], args),
    )


def opened_pairs(
    args: argparse.Namespace,
    gold: str,
    parsed: str,
    labeller: Labeller,
    progress: Progress | None = None,
) -> tuple[Iterator[SentencePair], Callable[[], Surplus]]:
    """Gold and parsed in step, sentences or discourse trees."""
    tasks, surplus = opened_tasks(args, gold, parsed, labeller, progress)
    return (pair for task in tasks for pair in task.pairs()), surplus


def opened_pieces(
    args: argparse.Namespace,
    gold: str,
    parsed: str,
    labeller: Labeller,
    where: Workplace,
    progress: Progress | None = None,
) -> Blocks | Shards:
    """The same as pieces that can be scored anywhere, by files if that is better."""
    if labeller.kind == DISCOURSE:
        refuse_discourse(labeller, where)
        opened = opened_tasks(args, gold, parsed, labeller, progress)
        return Blocks(*opened, (gold, parsed))
    return open_pieces(
        gold,
        parsed,
        # The groups are given by the numbers of sentences, which in a shard are not
        # known.
        as_shards=where.is_for_shards and not args.group_by,
        strict=args.strict,
        encoding=args.encoding,
        progress=progress,
    )


def refuse_discourse(labeller: Labeller, where: Workplace) -> None:
    """An error if discourse trees are to be scored elsewhere."""
    if labeller.kind == DISCOURSE and where.is_for_shards:
        raise SettingsError(
            "discourse trees are scored in one piece: without --cluster and "
            "--checkpoint"
        )


def opened_tasks(
    args: argparse.Namespace,
    gold: str,
    parsed: str,
    labeller: Labeller,
    progress: Progress | None = None,
) -> tuple[Iterator[CountedPairs], Callable[[], Surplus]]:
    """The same in pieces that can be scored anywhere."""
    if labeller.kind != DISCOURSE:
        return open_tasks(
            gold,
            parsed,
            strict=args.strict,
            encoding=args.encoding,
            progress=progress,
        )
    from analyzer.analyses.rst_scores import RstSettings
    from analyzer.cli.rst.documents import read_documents
    from analyzer.model.discourse import corpus_of
    from analyzer.pairing.by_name import document_pairs
    from analyzer.transform.relations import load_relations

    documents, _ = read_documents(args, gold)
    others, _ = read_documents(args, parsed)
    found = document_pairs(
        corpus_of(documents),
        corpus_of(others),
        RstSettings(
            binarize=args.binarize,
            relations=args.relations,
            relation_map=load_relations(args.relations),
        ),
    )
    common.warn([f"{one.document}: {one.reason}" for one in found.skipped], args)
    return iter([found.pair]), lambda: Surplus(0, 0)


def is_discourse(spec: str) -> bool:
    """Whether the first file of an argument is a discourse tree."""
    if spec == STDIN:
        return False
    from analyzer.formats.detecting import detect

    with suppress(AnalyzerError), opened(first_file(spec)) as stream:
        start = stream.read(_LOOKED_AT).decode("utf-8", "replace")
        if detect(start) not in _DISCOURSE_FORMATS:
            return False
        from analyzer.files.xml import root_element

        # Not all XML is .rs3: TIGER-XML is syntax.
        return root_element(start) in (None, "rst")
    return False


def first_file(spec: str) -> str:
    """The file to look at: the first of a directory, whatever is in it."""
    if os.path.isdir(spec):
        below = sorted(str(path) for path in Path(spec).rglob("*") if path.is_file())
        if below:
            return below[0]
    return files_of(spec)[0]
