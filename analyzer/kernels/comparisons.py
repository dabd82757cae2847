"""Trees of files, by their names, and how alike they are by a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import AnalyzerError, InputError, PairingError, Place
from analyzer.files.inputs import Input
from analyzer.formats.blocks import fields_of
from analyzer.formats.reading import ReadOptions, Source, TreeReader, as_input
from analyzer.formats.registry import Family, family_of
from analyzer.kernels.tree_kernel import TreeKernel
from analyzer.model.arrays import Floats
from analyzer.model.discourse import Documents
from analyzer.model.treebank import Treebank
from analyzer.pairing.ledger import DOCUMENT, SENTENCE, Ledger, LeftOut, Reason
from analyzer.pairing.words import counted_roots
from analyzer.safe_text import numbered
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.labels import LabelSet
from analyzer.transform.parameters import EvalbParameters


class NamedTrees(NamedTuple):
    """The trees of one argument: sentences by their numbers, documents by name."""

    spec: str
    names: list[str]
    bank: Treebank
    is_readable: list[bool]  # per tree
    problems: list[AnalyzerError]
    documents: Documents | None = None  # if these are discourse trees


class PairValue(NamedTuple):
    """How alike two trees are; None if one of them could not be read."""

    a: str
    b: str
    value: float | None


class Neighbour(NamedTuple):
    """A tree, and one of those that are nearest to it, from rank 1."""

    tree: str
    rank: int
    nearest: str
    value: float


# -- reading -------------------------------------------------------------------------


def read_named_trees(
    source: Source,
    family: Family | None = None,
    *,
    encoding: str = "utf-8",
    strict: bool = False,
    labels: LabelSet | None = None,
    mend: bool = False,
    field: str | None = None,
    id: str | None = None,
    roots: str = "join",
) -> NamedTrees:
    """The trees of a file, glob, directory or '-'; the family is found out if None.

    What the labels say is no text is left out of sentences. With `mend`, sentences are
    mended, and `field` says where they stand in records, `id` where their ids do.
    `roots`: what becomes of documents of several trees.
    """
    given = as_input(source, encoding=encoding)
    fields = fields_of(field, id)
    is_known = family or (Family.SYNTAX if field or mend else None)
    if (is_known or family_of(given)) is Family.DISCOURSE:
        trees = _read_documents(given, strict, roots)
    else:
        options = ReadOptions(strict, mend=mend, labels=labels, fields=fields)
        trees = _read_sentences(given, options)
    if not any(trees.is_readable):
        raise InputError("E127 contains no trees", Place(given.name))
    return trees


def _read_sentences(given: Input, options: ReadOptions) -> NamedTrees:
    reader = TreeReader(given, options)
    # A blank line is a tree that is missing, unless blank lines separate trees.
    reader.keep_blank_lines = not reader.first_look().blanks_separate
    bank = Treebank.join(list(reader.banks()), given.name)
    ids = bank.ids or [""] * len(bank)
    names = [numbered(number, id) for number, id in enumerate(ids, start=1)]
    is_readable = [tree not in bank.problems for tree in range(len(bank))]
    problems: list[AnalyzerError] = list(bank.problems.values())
    return NamedTrees(given.name, names, bank, is_readable, problems)


def _read_documents(given: Input, strict: bool, roots: str) -> NamedTrees:
    from analyzer.formats.documents import read_rst

    read = read_rst(given, strict=strict, roots=roots)
    is_readable = [True] * len(read)
    problems: list[AnalyzerError] = list(read.problems)
    return NamedTrees(given.name, read.names, read.bank, is_readable, problems, read)


# -- comparing -----------------------------------------------------------------------


def pair_documents(
    a: NamedTrees, b: NamedTrees
) -> tuple[NamedTrees, NamedTrees, list[str]]:
    """Documents of the same name, in A's order, and the names that one side lacks.

    Sentences are taken as they come. Two single files need not be called alike.
    """
    if a.documents is None or b.documents is None:
        return a, b, []
    from analyzer.pairing.partners import names_to_pair
    from analyzer.pairing.same_text import shared_names

    shared = shared_names(*names_to_pair(a.documents, b.documents))
    if not shared.names:
        raise PairingError("E408 have no document in", spec=a.spec, spec_2=b.spec)
    return (
        _select(a, a.documents, [place for place, _ in shared.places]),
        _select(b, b.documents, [place for _, place in shared.places]),
        sorted(shared.missing),
    )


def pair_ledger(
    a: NamedTrees,
    b: NamedTrees,
    alone: Sequence[str],
    labels: LabelSet | None = None,
) -> Ledger:
    """What is compared of pairs, and what is left out; A is called gold.

    The labels say what is a root.
    """
    items = []
    if a.documents is not None and b.documents is not None:
        for name in alone:
            in_a = name in a.documents.names
            reason = Reason.ONLY_GOLD if in_a else Reason.ONLY_PARSED
            place = Place(f"left out {name}")
            error = PairingError("E448 it is on one side only", place)
            items.append(LeftOut(0, reason, error, document=name, in_gold=in_a))
        items += [
            LeftOut(0, Reason.BAD_TREE, problem, in_gold=False)
            for problem in (*a.problems, *b.problems)
        ]
    else:
        for side, reason in ((b, Reason.BAD_PARSE), (a, Reason.BAD_GOLD)):
            bad = {tree for tree, good in enumerate(side.is_readable) if not good}
            items = [item for item in items if item.sentence - 1 not in bad]
            items += [
                LeftOut(tree + 1, reason, side.bank.problems[tree])
                for tree in sorted(bad)
            ]
    lost, of_b = (sum(item.in_gold is side for item in items) for side in (True, False))
    pairs = len(a.names)
    if a.documents is not None:
        return Ledger(DOCUMENT, pairs + lost, pairs + of_b, pairs, tuple(items))
    parameters = EvalbParameters(given_labels=labels)
    tables = LabelTables(parameters, wrappers=parameters.labels.wrapper)
    both = np.array(a.is_readable) & np.array(b.is_readable)
    roots = counted_roots(a.bank, b.bank, tables, both)
    return Ledger(SENTENCE, pairs, pairs, pairs - lost, tuple(items), roots=roots)


def _select(
    trees: NamedTrees, documents: Documents, places: Sequence[int]
) -> NamedTrees:
    from analyzer.transform.documents import select_documents

    fewer = select_documents(documents, places)
    return trees._replace(
        names=fewer.names, bank=fewer.bank, is_readable=[True] * len(fewer)
    )


def kernel_pairs(kernel: TreeKernel, a: NamedTrees, b: NamedTrees) -> list[PairValue]:
    """The kernel of each tree of A with the tree of B at the same place."""
    if len(a.names) != len(b.names):
        raise PairingError(
            "E409 pairs need equally many",
            spec=a.spec,
            count=len(a.names),
            spec_2=b.spec,
            count_2=len(b.names),
        )
    values = kernel.pairwise(a.bank, b.bank).tolist()
    columns = (a.names, b.names, values, a.is_readable, b.is_readable)
    return [
        PairValue(name, other, value if is_known and other_is_known else None)
        for name, other, value, is_known, other_is_known in zip(*columns, strict=True)
    ]


def kernel_matrix(
    kernel: TreeKernel, a: NamedTrees, b: NamedTrees | None = None
) -> Floats:
    """Each tree of A with each of B, or of A; NaN where one could not be read."""
    values = kernel.gram(a.bank, None if b is None else b.bank)
    values[~np.array(a.is_readable)] = np.nan
    values[:, ~np.array((b or a).is_readable)] = np.nan
    return values


def nearest_trees(
    kernel: TreeKernel, a: NamedTrees, b: NamedTrees | None = None, *, most: int = 1
) -> list[Neighbour]:
    """For each tree of A the nearest of B, or of A's others; first ones first."""
    values = kernel_matrix(kernel, a, b)
    names = (b or a).names
    neighbours = []
    for row, name in enumerate(a.names):
        near = values[row]
        if b is None:
            near[row] = np.nan  # every tree is nearest to itself
        order = np.argsort(-near, kind="stable")  # undefined ones come last
        order = order[: min(most, np.count_nonzero(~np.isnan(near)))]
        neighbours += [
            Neighbour(name, rank, names[column], float(near[column]))
            for rank, column in enumerate(order.tolist(), start=1)
        ]
    return neighbours
