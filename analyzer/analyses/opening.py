"""Gold and parsed, in any form that an analysis takes, opened to be scored."""

from __future__ import annotations

from analyzer.formats.blocks import Progress
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import open_tasks
from analyzer.pairing.shards import Blocks, Shards, open_pieces

# A file, glob, directory or URL; text that holds trees; or trees that were read.
Trees = str | Treebank


def open_input(
    gold: Trees,
    parsed: Trees,
    *,
    as_shards: bool = False,
    strict: bool = False,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> Blocks | Shards:
    """Gold and parsed as tasks; files as shards if that is asked for and fits."""
    if isinstance(gold, str) and isinstance(parsed, str):
        return open_pieces(
            gold,
            parsed,
            as_shards=as_shards,
            strict=strict,
            encoding=encoding,
            progress=progress,
        )
    opened = open_tasks(
        gold, parsed, strict=strict, encoding=encoding, progress=progress
    )
    return Blocks(*opened, (name_of(gold), name_of(parsed)))


def name_of(trees: Trees) -> str:
    """What to call them in a message."""
    return trees if isinstance(trees, str) else trees.source
