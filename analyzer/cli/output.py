"""Where results go: standard output in one format, or a directory in all of them."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.files.atomic import make_folder, write_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from reports.model import Table

_ENDINGS = {
    "text": "txt",
    "markdown": "md",
    "latex": "tex",
    "csv": "csv",
    "tsv": "tsv",
    "html": "html",
}

Plots = Callable[[], Mapping[str, "Figure"]]


def emit(
    args: argparse.Namespace,
    tables: Sequence[Table],
    data: Any,
    *,
    plots: Plots | None = None,
    words: Sequence[str] = (),
    main: Table | None = None,
    text: str | None = None,
) -> None:
    """Print the result; with --output, write all tables and plots as well.

    `words` are paragraphs that stand before the tables where people read; `main` is
    the one table of a CSV or TSV, if not the last; `text` is printed as it is, in a
    format of the command's own.
    """
    from reports.render import render

    if getattr(args, "output", None):
        write_all(Path(args.output), tables, data, plots=plots, words=words)
    if text is not None:
        print(text)
        return
    if args.format == "json":
        json.dump(data, sys.stdout, indent=2, ensure_ascii=False)
        print()
        return
    if args.format in ("text", "markdown"):
        for paragraph in words:
            print(f"{paragraph}\n")
    if args.format in ("csv", "tsv"):  # one table a file
        tables = [main or tables[-1]] if tables else []
    print("\n".join(render(table, args.format) for table in tables), end="")


def write_all(
    folder: Path,
    tables: Sequence[Table],
    data: Any,
    *,
    plots: Plots | None = None,
    words: Sequence[str] = (),
) -> None:
    """Every table in every format, the data as JSON, every plot as SVG, PNG, PDF."""
    from reports.render import render

    make_folder(folder)
    written = []
    for table in tables:
        for form, ending in _ENDINGS.items():
            path = folder / f"{file_name(table.name)}.{ending}"
            write_text(path, render(table, form))
            written.append(path)
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    write_text(folder / "data.json", text)
    written.append(folder / "data.json")
    if words:
        write_text(folder / "summary.txt", "\n\n".join(words) + "\n")
        written.append(folder / "summary.txt")
    if plots is not None:
        written += _write_plots(folder, plots)
    print(f"wrote {len(written)} files to {folder}", file=sys.stderr)


def _write_plots(folder: Path, plots: Plots) -> list[Path]:
    from reports.plots.scores import IMAGE_FORMATS, save

    written = []
    for name, figure in plots().items():
        for ending in IMAGE_FORMATS:
            path = folder / f"{file_name(name)}.{ending}"
            save(figure, path)
            written.append(path)
    return written


def file_name(name: str) -> str:
    """A name that every file system takes.

    >>> file_name("gap_f_s_web/forum")
    'gap_f_s_web-forum'
    """
    return re.sub(r"[^\w.-]+", "-", name).strip("-") or "table"
