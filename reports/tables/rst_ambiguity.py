"""How ambiguous dependency trees are, as a table."""

from __future__ import annotations

from math import log10
from typing import Any

from analyzer.analyses.ambiguity import Ambiguity, AmbiguityCounts, AmbiguityRow
from reports.model import Column, Table, Value

# Python writes integers of up to 4,300 digits; longer ones are given by logarithm only.
_MOST_DIGITS = 4000
_SHOWN_DIGITS = 15


def ambiguity_table(result: AmbiguityCounts, *, exact: bool = False) -> Table:
    """One row a document, and the product over all of them.

    Long numbers are rounded for people, exact for programs.
    """
    rows = [[row.document, *_row(row, exact=exact)] for row in result.rows]
    if len(result.rows) > 1:
        rows.append(["all", *_row(result.total, exact=exact)])
    return Table(
        name="ambiguity",
        title="Constituent trees of dependency trees without order",
        columns=(
            Column("document"),
            Column("edus", "EDUs", "count"),
            Column("spiders", unit="count"),
            Column("binary", "binary trees", "number"),
            Column("binary_log10", "log10", "number", 1),
            Column("all", "n-ary too", "number"),
            Column("all_log10", "log10", "number", 1),
            Column("ordered", "with order", "count"),
        ),
        rows=rows,
        notes=(
            "spiders: heads with dependents on both sides; binary trees: Proposition "
            "4; n-ary too: dependents of one kind may be attached together; for all "
            "documents, the product",
            result.ledger.text("counted"),
            str(result.signature),
        ),
    )


def ambiguity_json(result: AmbiguityCounts) -> dict[str, Any]:
    """Exact numbers as strings: JSON readers round long integers."""
    return {
        "documents": [
            {"document": row.document, **_record(row)} for row in result.rows
        ],
        "all": _record(result.total),
        "ledger": result.ledger.as_json(),
        "signature": str(result.signature),
    }


def in_full(number: int) -> str | None:
    """All digits; None if there are thousands.

    >>> in_full(2**70)
    '1180591620717411303424'
    """
    return str(number) if log10(number) < _MOST_DIGITS else None


def rounded(number: int) -> str:
    """Exact if short, else to four digits.

    >>> rounded(1234567), rounded(2**100)
    ('1,234,567', '1.268e+30')
    """
    exponent = int(log10(number))
    if exponent < _SHOWN_DIGITS:
        return f"{number:,}"
    leading = number // 10 ** (exponent - 6)
    return f"{leading / 10**6:.3f}e+{exponent}"


def _row(found: Ambiguity | AmbiguityRow, *, exact: bool) -> list[Value]:
    shown = in_full if exact else rounded
    return [
        found.edus,
        found.spiders,
        shown(found.binary),
        log10(found.binary),
        shown(found.all),
        log10(found.all),
        1,
    ]


def _record(found: Ambiguity | AmbiguityRow) -> dict[str, Any]:
    return {
        "edus": found.edus,
        "spiders": found.spiders,
        "binary": in_full(found.binary),
        "all": in_full(found.all),
        "binary_log10": log10(found.binary),
        "all_log10": log10(found.all),
        "with_order": 1,
    }
