"""Whose labels these look like, where the label set in use does not know many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import patterns
from analyzer.transform.labels import LabelSet, label_set_names, load_labels

# Of all phrases: known to the label set in use at most, to the other one at least, and
# how many more these must be.
_KNOWN_HERE, _KNOWN_THERE, _MORE = 0.95, 0.97, 0.03
_FEW = 10  # phrases tell nothing


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
    here = _known(phrases, labels)
    if total < _FEW or here > _KNOWN_HERE * total:
        return None
    found = [
        (_known(phrases, load_labels(name)), name)
        for name in label_set_names()
        if name != labels.name and inventory_of_labels(name)
    ]
    known, name = max(found, default=(0, ""))
    if known < _KNOWN_THERE * total or known - here < _MORE * total:
        return None
    inventory = inventory_of_labels(name) or name
    return LabelHint(load_labels(name), inventory, here / total)


def _known(phrases: Mapping[str, int], labels: LabelSet) -> int:
    known = labels.known | labels.wrapper
    return sum(
        count for label, count in phrases.items() if labels.bare_phrase(label) in known
    )


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
