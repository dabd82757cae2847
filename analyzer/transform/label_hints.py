"""Whose labels these look like, where the label set in use does not know many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import patterns
from analyzer.transform.labels import LabelSet, label_set_names, load_labels

# Of all phrases: unknown to the label set in use at least, unknown to the other one at
# most; and how many times as many the first must be. Related schemes share most labels
# (NP, IP, CP ...), so a few per cent tell them apart if the other set knows those too.
_UNKNOWN_HERE, _UNKNOWN_THERE, _TIMES = 0.005, 0.03, 4
_FEW, _FEW_UNKNOWN = 10, 3  # phrases tell nothing


class LabelHint(NamedTuple):
    """A label set that suits better, and the inventory to ask for it."""

    labels: LabelSet
    inventory: str
    known: float  # of all phrases, by the set in use

    def __str__(self) -> str:
        return (
            f"these look like {self.labels.title} labels: --patterns {self.inventory} "
            f"(of the phrases here, {100 * self.known:.0f} % have a known label)"
        )


def label_hint(phrases: Mapping[str, int], labels: LabelSet) -> LabelHint | None:
    """The label set that knows these phrases, if the one in use does not.

    `phrases` are phrase labels, as written, and how often each occurs.

    >>> from analyzer.transform.labels import default_labels
    >>> hint = label_hint({"NP": 50, "VP": 40, "IP": 20, "DNP": 9}, default_labels())
    >>> hint.inventory if hint else None
    'chinese'
    >>> label_hint({"NP": 50, "VP": 40, "S": 20}, default_labels())
    """
    total = sum(phrases.values())
    here = _unknown(phrases, labels)
    if total < _FEW or here < max(_FEW_UNKNOWN, _UNKNOWN_HERE * total):
        return None
    found = [
        (_unknown(phrases, load_labels(name)), name)
        for name in label_set_names()
        if name != labels.name and inventory_of_labels(name)
    ]
    there, name = min(found, default=(total, ""))
    if there > _UNKNOWN_THERE * total or _TIMES * there > here:
        return None
    inventory = inventory_of_labels(name) or name
    return LabelHint(load_labels(name), inventory, 1 - here / total)


def _unknown(phrases: Mapping[str, int], labels: LabelSet) -> int:
    known = labels.known | labels.wrapper | labels.no_text
    bare = labels.bare_phrase
    return sum(count for label, count in phrases.items() if bare(label) not in known)


def inventory_of_labels(name: str) -> str | None:
    """The inventory that comes with the package for a label set; None if none does.

    >>> inventory_of_labels("tiger"), inventory_of_labels("english")
    ('german', None)
    """
    if patterns.text(f"{name}.labels") is None:
        return None
    if patterns.text(f"{name}.pat") is not None:
        return name
    others = (one for one in patterns.names(".pat") if load_labels(one).name == name)
    return next(others, None)
