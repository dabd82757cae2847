"""spinal kernel: how alike trees are, by tree kernels."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import numpy as np

from analyzer.cli import inputs, options
from analyzer.cli.declarations import Group, Option, command
from analyzer.cli.output import BAD_INPUT, OK, emit, exit_code, note, warn, warn_of
from analyzer.cli.streams import put, tell
from analyzer.exceptions import SettingsError
from analyzer.files.atomic import replacing, write_text
from analyzer.formats.registry import Family
from analyzer.kernels import comparisons
from analyzer.kernels.comparisons import NamedTrees
from analyzer.kernels.tree_kernel import DEFAULT_DECAY, DEFAULT_MU, KERNELS, TreeKernel
from analyzer.pairing.ledger import ROOTS_IN_FRAGMENTS, reading_lines
from analyzer.transform.labels import LabelSet, default_labels, load_labels


@command(
    Option("A  trees: file, glob, directory or '-'"),
    Option("B  trees to compare with (default: A itself)", nargs="?"),
    Group(
        "kernel",
        Option(
            f"--kernel NAME  {', '.join(KERNELS)} (default: sst)",
            default="sst",
            choices=KERNELS,
        ),
        Option(
            "--decay λ  factor for each production; for ptk, for each level or gap "
            "(default: %(default)s)",
            float,
            DEFAULT_DECAY,
        ),
        Option(f"--mu μ  for ptk, factor for each node (default: {DEFAULT_MU})", float),
        Option("--normalize  divide by √(K(a,a) K(b,b))"),
    ),
    Group(
        "what to compare",
        Option("--matrix  each tree of A with each of B"),
        Option("--nearest K  the K most similar trees of B", int),
        is_exclusive=True,
    ),
    Option(
        "--trees {auto,syntax,discourse}  the kind of trees (default: recognised by "
        "content)",
        default="auto",
    ),
    options.TREEBANK,
    options.NO_ROOT,
    options.ROOTS,
    Option("-o FILE  the matrix as .npy, .csv or .tsv", dest="file", is_output=True),
    Group("answers of language models", *options.ANSWERS_ALONE, is_rare=True),
    options.TREE_INPUT,
    options.OUTPUT,
)
def run_kernel(args: Namespace) -> int:
    """How similar trees are: the fragments that they share.

    examples:
      spinal kernel gold.mrg parsed.mrg --normalize           line by line
      spinal kernel a.mrg b.mrg --matrix -o k.npy             all with all, for NumPy
      spinal kernel a.mrg --matrix --format csv               a file with itself
      spinal kernel queries.mrg corpus.mrg --nearest 3 --normalize
      spinal kernel gold/ parsed/ --trees discourse --kernel ptk

    Kernels: sst (subset trees), st (complete subtrees), sst-bow (sst and equal words), ptk
    (partial trees). docs/kernels.md defines them and says which to use.
    """  # noqa: E501 -- as it is printed
    if args.mu is not None and args.kernel != "ptk":
        raise SettingsError("E543 --mu is for --kernel ptk")
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


def _check(args: Namespace) -> None:
    if args.b is None and not args.matrix and args.nearest is None:
        raise SettingsError("E821 pairs need two files")
    if args.nearest is not None and args.nearest < 1:
        raise SettingsError(
            "E822 --nearest must be at least 1, not", nearest=args.nearest
        )
    if args.file and not args.matrix:
        raise SettingsError("E823 -o writes a matrix")
    if args.file and Path(args.file).suffix not in (".npy", ".csv", ".tsv"):
        raise SettingsError("E824 expected .npy, .csv or .tsv", file=args.file)
    if args.matrix and not args.file and args.format not in ("text", "csv", "tsv"):
        raise SettingsError("E825 no matrix as", format=args.format)
    if args.a == args.b == "-":
        raise SettingsError("E826 standard input can be read once only")


def _read(args: Namespace, spec: str) -> NamedTrees:
    family = None if args.trees == "auto" else Family(args.trees)
    given = inputs.input_of(args, spec)
    labels = _labels(args)
    if args.no_root:
        labels = (labels or default_labels()).roots_left_out()
    trees = comparisons.read_named_trees(
        given,
        family,
        labels=labels,
        **inputs.passed_on(args, "strict mend field id roots"),
    )
    note(trees.problems, args)
    if trees.documents is not None:
        warn(reading_lines((-1, reading) for reading in trees.documents.readings), args)
    return trees


def _labels(args: Namespace) -> LabelSet | None:
    return load_labels(args.treebank) if args.treebank else None


def _signature(args: Namespace, kernel: TreeKernel) -> str:
    given = {"no_root": args.no_root, "mend": args.mend, "field": args.field}
    settings = {name: value for name, value in given.items() if value}
    settings |= {} if args.roots == "join" else {"roots": args.roots}
    return str(kernel.signature.replace(**settings))


def _pairs(args: Namespace, kernel: TreeKernel, a: NamedTrees, b: NamedTrees) -> int:
    from reports.tables.kernels import pairs_view

    problems = {str(problem) for problem in (*a.problems, *b.problems)}
    whole = a, b
    a, b, alone = comparisons.pair_documents(a, b)
    pairs = comparisons.kernel_pairs(kernel, a, b)
    both = a._replace(documents=whole[0].documents), b
    ledger = comparisons.pair_ledger(*both, alone, _labels(args))
    new = [item for item in ledger.items if str(item) not in problems]
    warn_of(args, replace(ledger, items=tuple(new)), sides=("A", "B"))
    view = pairs_view(pairs, ledger, _signature(args, kernel))
    emit(args, view.with_notes(ledger.root_notes(ROOTS_IN_FRAGMENTS)))
    return exit_code(ledger, args.a, args.b, verb="compared")


def _nearest(
    args: Namespace, kernel: TreeKernel, a: NamedTrees, b: NamedTrees | None
) -> None:
    from reports.tables.kernels import nearest_view

    nearest = comparisons.nearest_trees(kernel, a, b, most=args.nearest)
    emit(args, nearest_view(nearest, _signature(args, kernel)))


def _matrix(
    args: Namespace, kernel: TreeKernel, a: NamedTrees, b: NamedTrees | None
) -> None:
    from reports.tables.kernels import matrix_text

    values = comparisons.kernel_matrix(kernel, a, b)
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
        tell(f"wrote {args.file}: {shape}, {_signature(args, kernel)}")
