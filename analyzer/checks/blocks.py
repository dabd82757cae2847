"""The trees to check, block by block: files, folders, URLs, text or treebanks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analyzer.exceptions import AnalyzerError
from analyzer.formats.blocks import Progress
from analyzer.formats.reading import TreeReader
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Trees, open_trees


def blocks_of(
    treebanks: Iterable[Trees],
    *,
    strict: bool = False,
    encoding: str = "utf-8",
    progress: Progress | None = None,
    left_out: list[AnalyzerError],
    sizes: list[int] | None = None,
) -> Iterator[Treebank]:
    """All trees, a treebank after the other; the unreadable go to `left_out`.

    How many trees a block has goes to `sizes`.
    """
    for given in treebanks:
        for bank in _blocks(given, strict, encoding, progress):
            left_out.extend(bank.problems.values())
            if sizes is not None:
                sizes.append(len(bank))
            yield bank


def _blocks(
    given: Trees, strict: bool, encoding: str, progress: Progress | None
) -> Iterator[Treebank]:
    opened = open_trees(given, encoding)
    if isinstance(opened, Treebank):
        yield opened
    else:
        yield from TreeReader(opened, strict=strict, progress=progress).banks()
