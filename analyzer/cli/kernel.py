"""spinal kernel: how alike trees are, by tree kernels."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from analyzer.cli import inputs, options, tree_options
from analyzer.cli.output import BAD_INPUT, OK, emit, exit_code, warn, warn_of
from analyzer.cli.streams import put, tell
from analyzer.exceptions import SettingsError
from analyzer.files.atomic import replacing, write_text
from analyzer.formats.registry import Family
from analyzer.kernels.comparisons import (
    NamedTrees,
    kernel_matrix,
    kernel_pairs,
    nearest_trees,
    pair_documents,
    pair_ledger,
    read_named_trees,
)
from analyzer.kernels.tree_kernel import DEFAULT_DECAY, DEFAULT_MU, KERNELS, TreeKernel
from analyzer.transform.labels import load_labels

_EPILOG = """\
examples:
  spinal kernel gold.mrg parsed.mrg --normalize           line by line
  spinal kernel a.mrg b.mrg --matrix -o k.npy             all with all, for NumPy
  spinal kernel a.mrg --matrix --format csv               a file with itself
  spinal kernel queries.mrg corpus.mrg --nearest 3 --normalize
  spinal kernel gold/ parsed/ --trees discourse --kernel ptk

Kernels: sst (subset trees), st (complete subtrees), sst-bow (sst and equal words), ptk
(partial trees). docs/kernels.md defines them and says which to use.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "How similar trees are: the fragments that they share."
    parser.epilog = _EPILOG
    parser.add_argument("a", metavar="A", help="trees: file, glob, directory or '-'")
    parser.add_argument(
        "b", metavar="B", nargs="?", help="trees to compare with (default: A itself)"
    )
    group = parser.add_argument_group("kernel")
    group.add_argument(
        "--kernel",
        choices=KERNELS,
        default="sst",
        metavar="NAME",
        help=f"{', '.join(KERNELS)} (default: sst)",
    )
    group.add_argument(
        "--decay",
        type=float,
        default=DEFAULT_DECAY,
        metavar="λ",
        help="factor for each production; for ptk, for each level or gap "
        f"(default: {DEFAULT_DECAY})",
    )
    group.add_argument(
        "--mu",
        type=float,
        metavar="μ",
        help=f"for ptk, factor for each node (default: {DEFAULT_MU})",
    )
    group.add_argument(
        "--normalize", action="store_true", help="divide by √(K(a,a) K(b,b))"
    )
    what = parser.add_argument_group("what to compare").add_mutually_exclusive_group()
    what.add_argument(
        "--matrix", action="store_true", help="each tree of A with each of B"
    )
    what.add_argument(
        "--nearest", type=int, metavar="K", help="the K most similar trees of B"
    )
    parser.add_argument(
        "--trees",
        choices=("auto", "syntax", "discourse"),
        default="auto",
        help="the kind of trees (default: recognised by content)",
    )
    tree_options.add_treebank_option(parser)
    options.note_outputs(parser, "file")
    parser.add_argument(
        "-o", dest="file", metavar="FILE", help="the matrix as .npy, .csv or .tsv"
    )
    options.add_input_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    if args.mu is not None and args.kernel != "ptk":
        raise SettingsError("--mu is for --kernel ptk", code="E543")
    kernel = TreeKernel(
        name=args.kernel,
        decay=args.decay,
        mu=DEFAULT_MU if args.mu is None else args.mu,
        normalize=args.normalize,
    )
    _check(args)
    a = _read(args, args.a)
    b = None if args.b is None else _read(args, args.b)
    if args.matrix:
        _matrix(args, kernel, a, b)
    elif args.nearest is not None:
        _nearest(args, kernel, a, b)
    else:
        assert b is not None
        return _pairs(args, kernel, a, b)
    has_problems = a.problems or (b is not None and b.problems)
    return BAD_INPUT if has_problems else OK


def _check(args: argparse.Namespace) -> None:
    if args.b is None and not args.matrix and args.nearest is None:
        raise SettingsError(
            "pairs need two files; or take --matrix or --nearest", code="E821"
        )
    if args.nearest is not None and args.nearest < 1:
        raise SettingsError(
            "--nearest must be at least 1, not {nearest}",
            code="E822",
            nearest=args.nearest,
        )
    if args.file and not args.matrix:
        raise SettingsError("-o writes a matrix; it needs --matrix", code="E823")
    if args.file and Path(args.file).suffix not in (".npy", ".csv", ".tsv"):
        raise SettingsError(
            "-o {file}: expected .npy, .csv or .tsv", code="E824", file=args.file
        )
    if args.matrix and not args.file and args.format not in ("text", "csv", "tsv"):
        raise SettingsError(
            "no matrix as {format}; there are text, csv, tsv",
            code="E825",
            format=args.format,
        )
    if args.a == args.b == "-":
        raise SettingsError("standard input can be read once only", code="E826")


def _read(args: argparse.Namespace, spec: str) -> NamedTrees:
    family = None if args.trees == "auto" else Family(args.trees)
    given = inputs.input_of(args, spec)
    labels = load_labels(args.treebank) if args.treebank else None
    found = read_named_trees(given, family, strict=args.strict, labels=labels)
    warn(found.problems, args)
    return found


def _pairs(
    args: argparse.Namespace, kernel: TreeKernel, a: NamedTrees, b: NamedTrees
) -> int:
    from reports.tables.kernels import pair_table, pairs_json

    problems = {str(problem) for problem in (*a.problems, *b.problems)}
    whole = a, b
    a, b, alone = pair_documents(a, b)
    pairs = kernel_pairs(kernel, a, b)
    both = a._replace(documents=whole[0].documents), b
    ledger = pair_ledger(*both, alone)
    new = [item for item in ledger.items if str(item) not in problems]
    warn_of(args, replace(ledger, items=tuple(new)), sides=("A", "B"))
    how = str(kernel.signature)
    line = ledger.text("compared", ("A", "B"))
    data = {**pairs_json(pairs, how), "ledger": ledger.as_json()}
    emit(args, [pair_table(pairs, line, how)], data)
    return exit_code(ledger, args.a, args.b, verb="compared")


def _nearest(
    args: argparse.Namespace, kernel: TreeKernel, a: NamedTrees, b: NamedTrees | None
) -> None:
    from reports.tables.kernels import nearest_json, nearest_table

    found = nearest_trees(kernel, a, b, most=args.nearest)
    how = str(kernel.signature)
    emit(args, [nearest_table(found, how)], nearest_json(found, how))


def _matrix(
    args: argparse.Namespace, kernel: TreeKernel, a: NamedTrees, b: NamedTrees | None
) -> None:
    from reports.tables.kernels import matrix_text

    values = kernel_matrix(kernel, a, b)
    rows, columns = a.names, (b or a).names
    ending = Path(args.file).suffix if args.file else f".{args.format}"
    separator = "," if ending == ".csv" else "\t"
    if not args.file:
        put(matrix_text(values, rows, columns, separator), end="")
        return
    if ending == ".npy":
        with replacing(args.file) as stream:
            np.save(stream, values)
    else:
        write_text(args.file, matrix_text(values, rows, columns, separator))
    if not args.quiet:
        shape = f"{len(rows):,} × {len(columns):,}"
        tell(f"wrote {args.file}: {shape}, {kernel.signature}")
