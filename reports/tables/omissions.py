"""What a table does not show, told below it and in JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from analyzer.pairing.ledger import LeftOut
from reports.model import percent

if TYPE_CHECKING:
    from analyzer.transform.relations import RelationHint

_NOTICED = 0.0005  # of F1


def hidden_notes(count: int) -> list[str]:
    """A line for constructions that are left out of a table; none if all are in it."""
    return [f"{count} constructions not shown, but in the total"] if count else []


def zero_notes(f1: float | None, if_zero: float | None, measure: str) -> list[str]:
    """A line if leaving out moves the F1 so that it can be seen; else none."""
    if f1 is None or if_zero is None or abs(f1 - if_zero) <= _NOTICED:
        return []
    return [
        f"what was left out moves {measure} F1: {percent(f1)} without it, "
        f"{percent(if_zero)} if it counts as finding nothing (--on-mismatch zero)"
    ]


def left_out_records(left_out: Iterable[LeftOut]) -> list[dict[str, Any]]:
    """Sentences or documents that were not compared, and why, as JSON has them."""
    return [
        {"document": item.document, "reason": item.error.message}
        if item.document
        else {
            "sentence": item.sentence,
            **({"id": id} if (id := _id(item)) else {}),
            "reason": item.reason.value,
            "message": str(item.error),
        }
        for item in left_out
    ]


def _id(item: LeftOut) -> str:
    """What the file calls the sentence."""
    return item.error.place.id if item.error.place else ""


def relation_labels_json(hint: RelationHint | None) -> dict[str, Any]:
    """What is to be said of the relation labels of documents, if anything is."""
    return {} if hint is None else {"relation_labels": hint._asdict()}
