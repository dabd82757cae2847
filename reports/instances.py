"""Rows of instances as CSV, TSV, JSON lines or Parquet, a block at a time.

In CSV and TSV what stands in a treebank is made safe as in all tables (`render`); JSON
and Parquet have it as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from analyzer.analyses.instance_rows import COLUMNS, InstanceRows
from analyzer.exceptions import SettingsError
from analyzer.files.atomic import replacing
from reports.model import Column, Table
from reports.render import render

_INTEGERS = frozenset(
    (
        *("sentence", "position", "first", "last", "length", "depth"),
        *("governor_position", "distance", "sentence_length"),
    )
)
# An object a line, so that nobody has to have all of it in memory.
TEXT_FORMATS = ("csv", "tsv", "jsonl")


def instances_text(rows: InstanceRows, form: str, *, with_header: bool) -> str:
    """The rows of a block as text."""
    if form == "jsonl":
        records = zip(*rows.columns.values(), strict=True)
        return "".join(
            json.dumps(dict(zip(COLUMNS, record, strict=True)), ensure_ascii=False)
            + "\n"
            for record in records
        )
    table = Table(
        "instances",
        [Column(name, name) for name in COLUMNS],
        [
            [_shown(value) for value in record]
            for record in zip(*rows.columns.values(), strict=True)
        ],
    )
    text = render(table, form)
    return text if with_header else text.partition("\n")[2]


def _shown(value: Any) -> Any:
    """1 and 0 for yes and no: sums of a column are counts."""
    return int(value) if isinstance(value, bool) else value


@contextmanager
def parquet_writer(path: str) -> Iterator[Callable[[InstanceRows], None]]:
    """What writes the rows of a block to a Parquet file, which is there at the end."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise SettingsError(
            "Parquet needs pyarrow: pip install 'spinal[parquet]'", code="E595"
        ) from error
    schema = pa.schema([(name, _parquet_type(pa, name)) for name in COLUMNS])
    with replacing(path) as file, pq.ParquetWriter(file, schema) as writer:

        def write(rows: InstanceRows) -> None:
            writer.write_table(pa.table(rows.columns, schema=schema))

        yield write


def _parquet_type(pa: Any, name: str) -> Any:
    if name in _INTEGERS:
        return pa.int32()
    return pa.bool_() if name.startswith("matched_") else pa.string()
