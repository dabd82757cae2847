"""Rows of instances as CSV, TSV, JSON lines or Parquet, a block at a time.

In CSV and TSV what stands in a treebank is made safe as in all tables (`render`); JSON
and Parquet have it as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from analyzer.analyses.instances import InstanceRows
from analyzer.exceptions import SettingsError
from analyzer.files.atomic import replacing
from analyzer.safe_text import spreadsheet_cell, visible
from reports.render import separated

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
    header = [tuple(rows.columns)] if with_header else []
    columns = map(_cells, rows.columns.values())
    delimiter = "," if form == "csv" else "\t"
    return separated([*header, *zip(*columns, strict=True)], delimiter)


def _cells(values: Sequence[Any]) -> list[Any]:
    """A column as CSV has it; each of its values is made safe once."""
    shown = {value: _shown(value) for value in set(values)}
    return [shown[value] for value in values]


def _shown(value: Any) -> Any:
    """1 and 0 for yes and no: sums of a column are counts."""
    if isinstance(value, str):
        value = visible(value)
    return spreadsheet_cell(int(value) if isinstance(value, bool) else value)


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
