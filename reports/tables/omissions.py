"""What a table does not show, told below it and in JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analyzer.pairing.words import LeftOut
from analyzer.transform.relations import RelationHint


def hidden_notes(count: int) -> list[str]:
    """A line for constructions that are left out of a table; none if all are in it."""
    return [f"{count} constructions not shown, but in the total"] if count else []


def left_out_records(left_out: Iterable[LeftOut]) -> list[dict[str, Any]]:
    """Sentences that were not compared, and why, as JSON has them."""
    return [
        {
            "sentence": item.sentence,
            "reason": item.reason.value,
            "message": str(item.error),
        }
        for item in left_out
    ]


def relation_labels_json(hint: RelationHint | None) -> dict[str, Any]:
    """What is to be said of the relation labels of documents, if anything is."""
    return {} if hint is None else {"relation_labels": hint._asdict()}
