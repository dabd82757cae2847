"""Corpora of discourse trees as columns: read, reshaped and selected.

Units are built only for the documents that need reshaping or are irregular; all else
stays in columns, which is what makes ten thousand documents a matter of seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import AnalyzerError, RstError
from analyzer.formats.registry import Family, detect, parse_documents
from analyzer.formats.rst.dis_scanner import scan_documents
from analyzer.formats.rst.reader import (
    document_files,
    document_name,
    file_text,
    read_corpus,
    without_collecting,
)
from analyzer.model.discourse import (
    NO_RELATION,
    SPAN,
    Corpus,
    Unit,
    corpus_of,
    split_label,
)
from analyzer.model.symbols import SYMBOLS, Ints
from analyzer.model.treebank import Treebank
from analyzer.runtime.executor import results
from analyzer.transform.binarise import Direction, binarised
from analyzer.transform.heuristics import constituents
from analyzer.transform.relations import RelationMap

_AT_ONCE = 64  # documents of a scan: about a block of the fast reader


class ReadFiles(NamedTuple):
    """Some documents as columns, and what is wrong with the others."""

    names: list[str]
    bank: Treebank
    problems: list[RstError]


@dataclass(frozen=True)
class ReadingWork:
    """How some .dis files are read: what another process has to know."""

    spec: str
    encoding: str

    def __call__(self, paths: Sequence[str]) -> ReadFiles:
        with without_collecting():
            texts = [file_text(path, encoding=self.encoding) for path in paths]
            bank = scan_documents(texts, self.spec)
            if bank is not None:
                return ReadFiles([document_name(path) for path in paths], bank, [])
            names: list[str] = []
            banks: list[Treebank] = []
            problems: list[RstError] = []
            for path, text in zip(paths, texts, strict=True):
                unit = _read(path, text, problems)
                if unit is not None:
                    names.append(document_name(path))
                    banks.append(corpus_of([(names[-1], unit)], self.spec).bank)
            return ReadFiles(names, Treebank.joined(banks, self.spec), problems)


def read_columns(
    spec: str,
    *,
    encoding: str = "utf-8",
    keep_texts: bool = False,
    jobs: int | None = 1,
) -> tuple[Corpus, list[RstError]]:
    """Documents as columns, and what is wrong with the others.

    Without texts, .dis is read fast, by so many processes; everything else as
    `read_corpus` reads it.
    """
    files = document_files(spec)
    if keep_texts or not files or not all(path.endswith(".dis") for path in files):
        documents, errors = read_corpus(spec, encoding=encoding)
        return corpus_of(documents, spec), errors
    tasks = [files[at : at + _AT_ONCE] for at in range(0, len(files), _AT_ONCE)]
    parts = list(results(ReadingWork(spec, encoding), tasks, jobs=jobs))
    names = [name for part in parts for name in part.names]
    problems = [problem for part in parts for problem in part.problems]
    _check_names(names, spec)
    banks = [part.bank for part in parts]
    return Corpus(names, Treebank.joined(banks, spec)), problems


def _read(path: str, text: str, problems: list[RstError]) -> Unit | None:
    try:
        documents = parse_documents(
            text, path, format="" if detect(text, Family.DISCOURSE) else "dis"
        )
        return constituents(documents[0].tree, path)
    except RstError as problem:
        problems.append(problem)
        return None


def _check_names(names: Sequence[str], spec: str) -> None:
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise AnalyzerError(f"{spec}: two documents are called {twice!r}")


def mapped_corpus(corpus: Corpus, relations: RelationMap | None) -> Corpus:
    """Classes for relations; what the map does not name is lower-cased."""
    if relations is None:
        return corpus
    bank = corpus.bank
    numbers, which = np.unique(bank.label, return_inverse=True)
    names = []
    for number in numbers.tolist():
        relation, nuclearity = split_label(SYMBOLS.name(number))
        if relation not in (SPAN, NO_RELATION):
            relation = relations.get(relation.lower(), relation.lower())
        names.append(f"{relation}/{nuclearity}")
    labels = np.array([SYMBOLS.id(name) for name in names], np.int32)
    return Corpus(corpus.names, bank.with_labels(labels[which]))


def binarised_corpus(corpus: Corpus, direction: Direction) -> Corpus:
    """Every unit with two children; documents that are binary stay as they are."""
    bank = corpus.bank
    children = np.bincount(bank.parent[bank.parent >= 0], minlength=bank.label.size)
    wide = np.flatnonzero(children > 2)
    if direction == "none" or not wide.size:
        return corpus
    pieces: list[Treebank] = []
    reshaped = np.unique(bank.tree_of_node[wide]).tolist()
    start = 0
    for tree in reshaped:
        pieces.append(bank[start:tree])
        unit = binarised(unit_of(bank, tree), direction)
        pieces.append(corpus_of([(corpus.names[tree], unit)]).bank)
        start = tree + 1
    pieces.append(bank[start:])
    return Corpus(corpus.names, Treebank.joined(pieces, bank.source))


def unit_of(bank: Treebank, tree: int) -> Unit:
    """A tree of the table as units."""
    view = bank[tree]
    units: dict[int, Unit] = {}
    for row in reversed(view.rows):
        relation, nuclearity = split_label(bank.label_name(row))
        children = [units.pop(child) for child in view.child_rows.get(row, [])]
        text = bank.form(int(bank.first[row])) if bank.is_leaf[row] else ""
        units[row] = Unit(nuclearity, relation, children, text)
    return units[view.root_rows[0]]


def selected(corpus: Corpus, wanted: Sequence[int]) -> Corpus:
    """Some of the documents, in the given order."""
    if list(wanted) == list(range(len(corpus))):
        return corpus
    names = [corpus.names[tree] for tree in wanted]
    runs = [corpus.bank[start:end] for start, end in _runs(wanted)]
    return Corpus(names, Treebank.joined(runs, corpus.bank.source))


def _runs(wanted: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Neighbours together: 3 4 5 9 -> (3, 6), (9, 10)."""
    start = 0
    for at in range(1, len(wanted) + 1):
        if at == len(wanted) or wanted[at] != wanted[at - 1] + 1:
            yield wanted[start], wanted[at - 1] + 1
            start = at


def edu_counts(corpus: Corpus) -> Ints:
    return np.diff(corpus.bank.leaf_start)
