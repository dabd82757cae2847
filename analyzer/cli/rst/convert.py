"""spinal rst convert: discourse trees from one format to another."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.cli import options
from analyzer.cli.output import BAD_INPUT, OK, warn
from analyzer.exceptions import AnalyzerError, InputError, Place, SettingsError
from analyzer.files.atomic import make_folder, write_text
from analyzer.formats.registry import WRITTEN
from analyzer.safe_text import counted

if TYPE_CHECKING:
    from analyzer.formats.documents import NamedDocument
    from analyzer.model.dependencies import DependencyTree, DiscourseTree
    from analyzer.model.discourse import Unit
    from analyzer.transform.relations import RelationMap

_EPILOG = """\
examples:
  spinal rst convert wsj_0601.dis --to rs3                 to standard output
  spinal rst convert gold/*.rs4 --to dis -o converted      each into a directory
  spinal rst convert gold --to conllu --transform chain -o chains
  spinal rst convert arcs.tsv --to dis --multinuclear joint,same-unit
  spinal rst convert arcs.tsv --to dis --multinuclear training/

Formats are recognised by what is in the files; docs/rst_formats.md shows them. A
dependency tree without nuclearity or order gets them by the rules of Morey et al.
(2018, section 4.1): nuclei are dependents whose relation is multinuclear, which
--multinuclear lists or a training set shows.
"""
_DEPENDENCIES = ("rsd", "conllu")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Convert discourse trees between formats."
    parser.epilog = _EPILOG
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="IN",
        help="files, globs or directories, '-' is standard input",
    )
    parser.add_argument("--to", required=True, choices=WRITTEN, help="the format")
    parser.add_argument(
        "-o",
        dest="out",
        metavar="OUT",
        help="a file; for several documents a directory (default: standard output)",
    )
    options.add_tree_options(parser, binarize="none")
    group = parser.add_argument_group("dependencies")
    group.add_argument(
        "--order",
        choices=("weak", "strict"),
        default="weak",
        help="units of one n-ary unit attached together (default) or one by one",
    )
    group.add_argument(
        "--transform",
        choices=("chain", "tree"),
        default="tree",
        help="nuclei depend on the one before them, or all on the first (default)",
    )
    group.add_argument(
        "--multinuclear",
        metavar="LIST",
        help="relations between nuclei, with commas; or a file of them; or trees to "
        "learn them from (default: joint, same-unit, textual)",
    )
    options.add_input_options(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="all warnings, not just ten"
    )


def run(args: argparse.Namespace) -> int:
    from analyzer.transform.relations import load_relations

    relations = load_relations(args.relations)
    multinuclear = _multinuclear(args)
    problems: list[AnalyzerError] = []
    warnings: list[str] = []
    written = []
    documents = list(_documents(args, problems))
    _check_out(args, documents)
    for named in documents:
        try:
            tree = _shaped(args, named, relations, multinuclear)
            text = _as_text(args.to, tree, named, warnings)
        except AnalyzerError as error:
            if error.place is None or error.place.source is None:
                error.place = Place(named.source)
            problems.append(error)
            continue
        written.append((named.name, text))
        warnings += named.document.warnings
    if problems and args.strict:
        raise problems[0]
    warn([*problems, *warnings], args)
    _write(args, written)
    return BAD_INPUT if problems else OK


def _documents(
    args: argparse.Namespace, problems: list[AnalyzerError]
) -> Iterator[NamedDocument]:
    from analyzer.formats.documents import read_written

    taken: dict[str, str] = {}
    for spec in args.inputs:
        documents, errors = read_written(spec, encoding=args.encoding)
        problems += errors
        for named in documents:
            if named.name in taken:
                message = f"a second document {named.name!r}; the first is in "
                place = Place(named.source)
                problems.append(InputError(f"{message}{taken[named.name]}", place))
                continue
            taken[named.name] = named.source
            yield named


def _multinuclear(args: argparse.Namespace) -> Collection[str]:
    from analyzer.formats.documents import file_text, read_rst
    from analyzer.formats.registry import Family, detect
    from analyzer.transform.heuristics import (
        RELEASED_MULTINUCLEAR,
        multinuclear_relations,
    )

    given: str | None = args.multinuclear
    if given is None:
        return RELEASED_MULTINUCLEAR
    if os.path.isfile(given):
        text = file_text(given, encoding=args.encoding)
        if detect(text, Family.DISCOURSE) is None:
            return frozenset(text.replace(",", " ").split())
    if os.path.exists(given) or "*" in given:
        training = read_rst(given, encoding=args.encoding)
        errors = training.problems
        if errors:
            raise errors[0]
        return multinuclear_relations(root for _, root in training)
    if os.sep in given:
        raise InputError("no such file", Place(given))
    return frozenset(label.strip() for label in given.split(",") if label.strip())


def _shaped(
    args: argparse.Namespace,
    named: NamedDocument,
    relations: RelationMap | None,
    multinuclear: Collection[str],
) -> DiscourseTree:
    """The tree as it is to be written: of the kind that the format is for."""
    from analyzer.model.discourse import Unit
    from analyzer.transform.binarize import binarize
    from analyzer.transform.head_order import (
        constituent_tree,
        dependency_tree,
        transformed,
    )
    from analyzer.transform.heuristics import complete
    from analyzer.transform.relations import map_relations

    tree = named.document.tree
    wants_arcs = args.to in _DEPENDENCIES
    is_reshaped = (
        args.binarize != "none" or args.order == "strict" or args.transform == "chain"
    )
    if not isinstance(tree, Unit):
        tree = _mapped_arcs(tree, relations)
        if wants_arcs and not is_reshaped and args.multinuclear is None:
            return tree  # with no more in it than there was
        # Relations are mapped first: the heuristics ask for those that are written.
        tree = complete(tree, multinuclear, source=named.source)
        if wants_arcs and not is_reshaped:
            return tree
        root: Unit = constituent_tree(tree, source=named.source)
    else:
        root = map_relations(tree, relations)
    root = binarize(root, args.binarize)
    if not wants_arcs:
        return root
    if args.transform == "chain":
        return transformed(root, "chain", source=named.source)
    return dependency_tree(root, order=args.order, source=named.source)


def _mapped_arcs(tree: DependencyTree, relations: RelationMap | None) -> DependencyTree:
    from analyzer.model.dependencies import ROOT_RELATION
    from analyzer.transform.relations import relation_class

    if relations is None:
        return tree
    return replace(
        tree,
        relations=[
            label if label == ROOT_RELATION else relation_class(label, relations)
            for label in tree.relations
        ],
        odd_nuclei={
            key: relation_class(label, relations)
            for key, label in tree.odd_nuclei.items()
        },
    )


def _as_text(
    to: str, tree: DiscourseTree, named: NamedDocument, warnings: list[str]
) -> str:
    from analyzer.formats.registry import write_rst
    from analyzer.formats.rst.rs3_writer import rs3_losses
    from analyzer.model.discourse import Unit

    text = write_rst(tree, to, name=named.name)
    if to == "rs3" and isinstance(tree, Unit):
        warnings += [f"{named.source}: {loss}" for loss in rs3_losses(tree)]
    if to == "rsd" and not isinstance(tree, Unit) and tree.odd_nuclei:
        nuclei = counted(len(tree.odd_nuclei), "first nucleus's relation")
        warnings.append(f"{named.source}: {nuclei} left out: .rsd has no place for it")
    return text


def _check_out(args: argparse.Namespace, documents: list[NamedDocument]) -> None:
    if len(documents) > 1 and not args.out:
        raise SettingsError(
            f"{counted(len(documents), 'document')}: name a directory for them (-o DIR)"
        )
    if len(documents) > 1 and os.path.isfile(args.out):
        raise InputError(
            "is a file; several documents need a directory", Place(args.out)
        )


def _write(args: argparse.Namespace, written: list[tuple[str, str]]) -> None:
    if not args.out:
        for _, text in written:
            sys.stdout.write(text)
        return
    out = Path(args.out)
    is_folder = out.is_dir() or args.out.endswith(os.sep) or len(written) > 1
    if is_folder:
        make_folder(out)
    for name, text in written:
        write_text(out / f"{name}.{args.to}" if is_folder else out, text)
    if not args.quiet:
        print(f"wrote {counted(len(written), 'document')} to {out}", file=sys.stderr)
