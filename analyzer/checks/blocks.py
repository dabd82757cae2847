"""The trees to check, block by block: files, folders, URLs, text or treebanks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analyzer.exceptions import AnalyzerError
from analyzer.formats.blocks import Progress
from analyzer.formats.reading import TreeReader, Trees, open_trees
from analyzer.model.treebank import Treebank
from analyzer.transform.labels import LabelSet
from analyzer.transform.plain_text import plain_text


def blocks_of(
    treebanks: Iterable[Trees],
    *,
    strict: bool = False,
    encoding: str = "utf-8",
    progress: Progress | None = None,
    left_out: list[AnalyzerError],
    sizes: list[int] | None = None,
    labels: LabelSet | None = None,
) -> Iterator[Treebank]:
    """All trees, a treebank after the other; the unreadable go to `left_out`.

    How many trees a block has goes to `sizes`. What is no text by the `labels` is left
    out.
    """
    for given in treebanks:
        for bank in _blocks(given, strict, encoding, progress, labels):
            left_out.extend(bank.problems.values())
            if sizes is not None:
                sizes.append(len(bank))
            yield bank


def _blocks(
    given: Trees,
    strict: bool,
    encoding: str,
    progress: Progress | None,
    labels: LabelSet | None,
) -> Iterator[Treebank]:
    opened = open_trees(given, encoding)
    if isinstance(opened, Treebank):
        yield opened if labels is None else plain_text(opened, labels)
    else:
        reader = TreeReader(opened, strict=strict, progress=progress, labels=labels)
        yield from reader.banks()
