"""Rows of instances as CSV, TSV, JSON lines or Parquet, a block at a time.

In CSV and TSV what stands in a treebank is made safe as in all tables (`render`); JSON
and Parquet have it as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np

from analyzer.analyses.instances import Coded, InstanceRows
from analyzer.exceptions import SettingsError
from analyzer.files.atomic import replacing
from analyzer.model.arrays import Ints, number_densely
from analyzer.safe_text import spreadsheet_cell, visible
from reports.render import separated

_FEW = 4  # rows for each text, at least, if columns are to be one
_INTEGERS = frozenset(
    (
        *("sentence", "position", "first", "last", "length", "depth"),
        *("governor_position", "distance", "sentence_length"),
    )
)


def instances_text(rows: InstanceRows, form: str, *, with_header: bool) -> str:
    """The rows of a block as text."""
    if form == "jsonl":
        records = zip(*rows.columns.values(), strict=True)
        return "".join(
            json.dumps(dict(zip(rows.columns, record, strict=True)), ensure_ascii=False)
            + "\n"
            for record in records
        )
    delimiter = "," if form == "csv" else "\t"
    parts = [
        np.array(texts, object)[codes].tolist()
        for codes, texts in _adjacent(rows.columns.values(), delimiter)
    ]
    lines = [delimiter.join(rows.columns)] if with_header else []
    lines += map(delimiter.join, zip(*parts, strict=True))
    return "".join(f"{line}\n" for line in lines)


def _adjacent(
    columns: Iterable[Coded], delimiter: str
) -> Iterator[tuple[Ints, list[str]]]:
    """Adjacent columns joined into one, as long as few combinations of values occur.

    So most of a row's text is written once for many rows.
    """
    codes: Ints | None = None
    texts: list[str] = []
    for column in columns:
        used, which = number_densely(column.codes)
        cells = [_cell(column.values[at], delimiter) for at in used.tolist()]
        if codes is None:
            codes, texts = which, cells
            continue
        both, together = number_densely(codes * len(cells) + which)
        if both.size * _FEW > which.size:
            yield codes, texts
            codes, texts = which, cells
            continue
        ends = (side.tolist() for side in np.divmod(both, len(cells)))
        pairs = zip(*ends, strict=True)
        texts = [f"{texts[left]}{delimiter}{cells[right]}" for left, right in pairs]
        codes = together
    if codes is not None:
        yield codes, texts


@lru_cache(1 << 16)
def _cell(value: Any, delimiter: str) -> str:
    """A value as CSV has it, made safe; 1 and 0 for yes and no: sums are counts."""
    if isinstance(value, str):
        value = visible(value)
    shown = spreadsheet_cell(int(value) if isinstance(value, bool) else value)
    return separated([[shown, ""]], delimiter)[:-2]


@contextmanager
def parquet_writer(
    path: str, columns: Sequence[str]
) -> Iterator[Callable[[InstanceRows], None]]:
    """What writes the rows of a block to a Parquet file, which is there at the end."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise SettingsError("E595 Parquet needs pyarrow") from error
    schema = pa.schema([(name, _parquet_type(pa, name)) for name in columns])
    with replacing(path) as file, pq.ParquetWriter(file, schema) as writer:

        def write(rows: InstanceRows) -> None:
            writer.write_table(pa.table(rows.columns, schema=schema))

        yield write


def _parquet_type(pa: Any, name: str) -> Any:
    if name in _INTEGERS:
        return pa.int32()
    is_flag = name.startswith(("matched_", "known"))
    return pa.bool_() if is_flag else pa.string()
