"""A stream of trees in a format that is known, opened to be read in blocks.

What reads a format is imported when a file in it is opened.
"""

from __future__ import annotations

from analyzer.files.sources import Readable
from analyzer.formats.blocks import Progress, TreeFile
from analyzer.formats.penn.reader import BracketFile


def tree_file(
    format: str,
    stream: Readable,
    name: str,
    *,
    is_recoded: bool = True,
    must_hold_trees: bool = False,
    progress: Progress | None = None,
    mend: bool = False,
) -> TreeFile:
    """The trees of a stream in a format of `registry`; Penn brackets if it is none.

    `is_recoded`: the stream is UTF-8, whatever is declared in it.
    """
    if format == "tiger":
        from analyzer.formats.tiger.reader import TigerFile

        return TigerFile(
            stream,
            name,
            is_utf8=is_recoded,
            must_hold_trees=must_hold_trees,
            progress=progress,
        )
    if format in ("export", "discbracket", "conll-2012"):
        from analyzer.formats.conll_2012 import Conll2012File
        from analyzer.formats.discbracket import DiscbracketFile
        from analyzer.formats.export import ExportFile

        files = {
            "export": ExportFile,
            "discbracket": DiscbracketFile,
            "conll-2012": Conll2012File,
        }
        return files[format](
            stream, name, must_hold_trees=must_hold_trees, progress=progress
        )
    if format == "ancora":
        from analyzer.formats.lemmas import without_lemmas

        stream = without_lemmas(stream)
    if format == "markup":
        from analyzer.formats.penn.identifiers import markup_as_comments

        stream = markup_as_comments(stream)
    if format == "corpus-search":
        from analyzer.formats.penn.corpus_search import without_comments

        stream = without_comments(stream)
    return BracketFile(
        stream,
        name,
        must_hold_trees=must_hold_trees,
        progress=progress,
        mend=mend,
        has_markup=format == "markup",
    )
