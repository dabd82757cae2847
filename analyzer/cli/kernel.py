"""spinal kernel: how alike trees are, by tree kernels."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.cli import options
from analyzer.cli.output import BAD_INPUT, OK, emit, warn
from analyzer.exceptions import (
    AnalyzerError,
    InputError,
    PairingError,
    Place,
    SettingsError,
)
from analyzer.files.atomic import replacing, write_text
from analyzer.kernels import DEFAULT_DECAY, DEFAULT_MU, KERNELS, TreeKernel
from analyzer.safe_text import counted

if TYPE_CHECKING:
    from analyzer.model.arrays import Floats
    from analyzer.model.discourse import Documents
    from analyzer.model.treebank import Treebank
    from reports.tables.kernels import Neighbour

_EPILOG = """\
examples:
  spinal kernel gold.mrg parsed.mrg --normalize           line by line
  spinal kernel a.mrg b.mrg --matrix -o k.npy             all with all, for NumPy
  spinal kernel a.mrg --matrix --format csv               a file with itself
  spinal kernel queries.mrg corpus.mrg --nearest 3 --normalize
  spinal kernel gold/ parsed/ --trees discourse --kernel ptk

Kernels: sst (subset trees), st (complete subtrees), sst-bow (sst and equal words), ptk
(partial trees). docs/kernels.md defines them and says which to take.
"""


class Side(NamedTuple):
    """The trees of one argument."""

    spec: str
    names: list[str]
    bank: Treebank
    is_readable: list[bool]  # per tree
    problems: list[AnalyzerError]
    corpus: Documents | None = None  # if these are discourse trees


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "How alike trees are: the fragments that they share."
    parser.epilog = _EPILOG
    parser.add_argument("a", metavar="A", help="trees: file, glob, directory or '-'")
    parser.add_argument(
        "b", metavar="B", nargs="?", help="trees to compare with (else A's own)"
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
        help=f"what a production costs; for ptk, a level or a gap "
        f"(default: {DEFAULT_DECAY})",
    )
    group.add_argument(
        "--mu",
        type=float,
        default=DEFAULT_MU,
        metavar="μ",
        help=f"for ptk, what a node costs (default: {DEFAULT_MU})",
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
        help="what the files hold (default: by how they begin)",
    )
    parser.add_argument(
        "-o", dest="file", metavar="FILE", help="the matrix as .npy, .csv or .tsv"
    )
    options.add_input_options(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    kernel = TreeKernel(
        name=args.kernel, decay=args.decay, mu=args.mu, normalize=args.normalize
    )
    _check(args)
    a = _read(args, args.a)
    b = a if args.b is None else _read(args, args.b)
    if args.matrix:
        _matrix(args, kernel, a, b)
    elif args.nearest is not None:
        _nearest(args, kernel, a, b)
    else:
        _pairs(args, kernel, a, b)
    has_problems = a.problems or b.problems
    return BAD_INPUT if has_problems else OK


def _check(args: argparse.Namespace) -> None:
    if args.b is None and not args.matrix and args.nearest is None:
        raise SettingsError("pairs need two files; or take --matrix or --nearest")
    if args.nearest is not None and args.nearest < 1:
        raise SettingsError(f"--nearest {args.nearest}: one tree or more, please")
    if args.file and not args.matrix:
        raise SettingsError("-o writes a matrix; it needs --matrix")
    if args.file and Path(args.file).suffix not in (".npy", ".csv", ".tsv"):
        raise SettingsError(f"-o {args.file}: .npy, .csv or .tsv, please")
    if args.matrix and not args.file and args.format not in ("text", "csv", "tsv"):
        raise SettingsError(f"no matrix as {args.format}; there are text, csv, tsv")
    if args.a == args.b == "-":
        raise SettingsError("standard input can be read once only")


# -- reading -----------------------------------------------------------------------


def _read(args: argparse.Namespace, spec: str) -> Side:
    from analyzer.formats.registry import family_of

    kind = args.trees
    if kind == "auto":
        kind = family_of(spec).value
    side = _discourse(args, spec) if kind == "discourse" else _syntax(args, spec)
    warn(side.problems, args)
    if not any(side.is_readable):
        raise InputError("no trees in here", Place(spec))
    return side


def _syntax(args: argparse.Namespace, spec: str) -> Side:
    from analyzer.formats.reading import TreeReader
    from analyzer.model.treebank import Treebank

    reader = TreeReader(spec, encoding=args.encoding, strict=args.strict)
    # A blank line is a tree that is missing, unless blank lines separate trees.
    reader.keep_blank_lines = not reader.first_look().blanks_separate
    bank = Treebank.joined(list(reader.banks()), spec)
    names = [str(number) for number in range(1, len(bank) + 1)]
    is_readable = [tree not in bank.problems for tree in range(len(bank))]
    return Side(spec, names, bank, is_readable, list(bank.problems.values()))


def _discourse(args: argparse.Namespace, spec: str) -> Side:
    from analyzer.formats.documents import read_rst

    found = read_rst(spec, encoding=args.encoding, strict=args.strict)
    is_readable = [True] * len(found)
    problems: list[AnalyzerError] = list(found.problems)
    return Side(spec, found.names, found.bank, is_readable, problems, found)


# -- results -----------------------------------------------------------------------


def _pairs(args: argparse.Namespace, kernel: TreeKernel, a: Side, b: Side) -> None:
    from reports.tables.kernels import pair_table, pairs_json

    a, b = _by_name(args, a, b)
    if len(a.names) != len(b.names):
        raise PairingError(
            f"{a.spec} has {counted(len(a.names), 'tree')} and {b.spec} "
            f"{counted(len(b.names), 'tree')}; pairs need as many (or take --matrix)"
        )
    values = kernel.pairwise(a.bank, b.bank).tolist()
    are_readable = zip(a.is_readable, b.is_readable, strict=True)
    known = [
        value if all(both) else None
        for value, both in zip(values, are_readable, strict=True)
    ]
    pairs = list(zip(a.names, b.names, strict=True))
    table = pair_table(pairs, known, kernel.signature)
    emit(args, [table], pairs_json(pairs, known, kernel.signature))


def _by_name(args: argparse.Namespace, a: Side, b: Side) -> tuple[Side, Side]:
    """Documents of the same name, in A's order; unless these are two single files."""
    from analyzer.transform.documents import select_documents

    if a.corpus is None or b.corpus is None:
        return a, b
    if Path(a.spec).is_file() and Path(b.spec).is_file():
        return a, b
    place_in_b = {name: place for place, name in enumerate(b.names)}
    shared = [name for name in a.names if name in place_in_b]
    if not shared:
        raise PairingError(f"no document of {a.spec} is in {b.spec}, too")
    only = sorted({*a.names, *b.names} - set(shared))
    warn([f"left out {name}: it is on one side only" for name in only], args)

    def chosen(side: Side, corpus: Documents, places: list[int]) -> Side:
        fewer = select_documents(corpus, places)
        return side._replace(
            names=fewer.names, bank=fewer.bank, is_readable=[True] * len(fewer)
        )

    kept = set(shared)
    in_a = [place for place, name in enumerate(a.names) if name in kept]
    return (
        chosen(a, a.corpus, in_a),
        chosen(b, b.corpus, [place_in_b[name] for name in shared]),
    )


def _nearest(args: argparse.Namespace, kernel: TreeKernel, a: Side, b: Side) -> None:
    from reports.tables.kernels import nearest_json, nearest_table

    found = _neighbours(_values(kernel, a, b), a, b, args.nearest)
    table = nearest_table(found, kernel.signature)
    emit(args, [table], nearest_json(found, kernel.signature))


def _neighbours(values: Floats, a: Side, b: Side, most: int) -> list[Neighbour]:
    """For each tree the nearest others; of equally near ones, the first."""
    from reports.tables.kernels import Neighbour

    found = []
    for row, name in enumerate(a.names):
        near = values[row].copy()
        if a is b:
            near[row] = np.nan  # every tree is nearest to itself
        order = np.argsort(-near, kind="stable")  # undefined ones come last
        order = order[: min(most, np.count_nonzero(~np.isnan(near)))]
        found += [
            Neighbour(name, rank, b.names[column], float(near[column]))
            for rank, column in enumerate(order.tolist(), start=1)
        ]
    return found


def _values(kernel: TreeKernel, a: Side, b: Side) -> Floats:
    """The matrix; undefined where a tree could not be read."""
    values = kernel.gram(a.bank, None if a is b else b.bank)
    values[~np.array(a.is_readable)] = np.nan
    values[:, ~np.array(b.is_readable)] = np.nan
    return values


def _matrix(args: argparse.Namespace, kernel: TreeKernel, a: Side, b: Side) -> None:
    from reports.tables.kernels import matrix_text

    values = _values(kernel, a, b)
    ending = Path(args.file).suffix if args.file else f".{args.format}"
    separator = "," if ending == ".csv" else "\t"
    if not args.file:
        print(matrix_text(values, a.names, b.names, separator), end="")
        return
    if ending == ".npy":
        with replacing(args.file) as stream:
            np.save(stream, values)
    else:
        write_text(args.file, matrix_text(values, a.names, b.names, separator))
    if not args.quiet:
        shape = f"{len(a.names):,} × {len(b.names):,}"
        print(f"wrote {args.file}: {shape}, {kernel.signature}", file=sys.stderr)
