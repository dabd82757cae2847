"""What evalb deletes, equates and cuts off; its `.prm` parameter files.

Keywords are evalb's: DEBUG, MAX_ERROR, CUTOFF_LEN, LABELED, DELETE_LABEL,
DELETE_LABEL_FOR_LENGTH, QUOTE_LABEL, EQ_LABEL, EQ_WORD.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from analyzer.exceptions import SettingsError
from analyzer.files.small_files import read_text
from analyzer.model.settings import keywords
from analyzer.transform.labels import LabelSet, default_labels

Warn = Callable[[str], None]

_PUNCTUATION = (",", ":", "``", "''", ".")
# What grammar induction leaves out beside what evalb deletes: with these, what is left
# of the Penn Treebank are the words with one of the 36 tags of words.
NOT_INDUCED = ("-LRB-", "-RRB-", "$", "#")


@dataclass(frozen=True)
class EvalbParameters:
    """How brackets are prepared before they are compared.

    A deleted label that is a tag takes its word along; one that is a phrase label
    only loses its brackets. Function tags (everything after the first '-' or
    '=', unless `labels` say otherwise) are cut off phrase labels, never off tags.
    """

    name: str = "none"
    labeled: bool = True
    cutoff_length: int = 40
    max_error: int | None = None  # None: never stop
    debug: int = 0
    delete: tuple[str, ...] = ()
    delete_brackets: tuple[str, ...] = ()  # phrase labels only; a word never goes
    delete_for_length: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    equal_labels: tuple[tuple[str, str], ...] = ()
    equal_words: tuple[tuple[str, str], ...] = ()
    features: str = ""  # what stands around features, which are cut off all labels
    given_labels: LabelSet | None = field(default=None, repr=False)  # None: Penn's

    @property
    def labels(self) -> LabelSet:
        """The label set that they are for: what is cut off labels, which wrappers trees
        have."""
        return self.given_labels or default_labels()

    @property
    def deleted_names(self) -> tuple[str, ...]:
        """What is deleted, for people: `()` is a bracket without a label."""
        return tuple(label or "()" for label in self.delete)

    def with_deleted(self, *labels: str) -> EvalbParameters:
        name = "+".join([self.name, *labels])
        return replace(self, name=name, delete=(*self.delete, *labels))

    def without_roots(self) -> EvalbParameters:
        """Parameters by which wrappers of whole trees do not count either."""
        wrappers = tuple(sorted(self.labels.wrapper))
        return replace(self, name=f"{self.name}, no root", delete_brackets=wrappers)

    def classes_of_labels(self) -> dict[str, str]:
        """Label -> the label that represents all labels equal to it.

        evalb compares labels pair by pair. Only if equality is transitive does
        that not depend on the order of the brackets; if not, SettingsError.
        """
        group_of: dict[str, set[str]] = {}
        for left, right in self.equal_labels:
            group = group_of.get(left, {left})
            more = group_of.get(right, {right})
            smaller, larger = sorted((group, more), key=len)
            larger |= smaller
            group_of.update(dict.fromkeys(smaller, larger))
            group_of.update({left: larger, right: larger})
        groups = list({id(group): group for group in group_of.values()}.values())
        known = {frozenset(pair) for pair in self.equal_labels}
        for group in groups:
            for left in sorted(group):
                for right in sorted(group):
                    if left < right and frozenset((left, right)) not in known:
                        raise SettingsError(
                            "E532 but does not say",
                            name=self.name,
                            group=" = ".join(sorted(group)),
                            one=left,
                            other=right,
                        )
        return {label: min(group) for group in groups for label in group}


BUILT_IN = {
    "collins": EvalbParameters(
        name="collins",
        delete=("TOP", "-NONE-", *_PUNCTUATION),
        delete_for_length=("-NONE-",),
        equal_labels=(("ADVP", "PRT"),),
    ),
    "new": EvalbParameters(
        name="new",
        delete=("TOP", "S1", "-NONE-", *_PUNCTUATION, "?", "!"),
        delete_for_length=("-NONE-",),
        quotes=("``", "''", "POS", "NN", "CD", "VBZ", ":"),
        equal_labels=(("ADVP", "PRT"),),
    ),
    "none": EvalbParameters(name="none"),
    "spmrl": EvalbParameters(
        name="spmrl",
        cutoff_length=70,
        delete=("TOP", "ROOT", "S1", "VROOT", "-NONE-"),
        features="##",
        delete_for_length=("-NONE-",),
    ),
}


@keywords()
def load_parameters(name_or_path: str, *, warn: Warn | None = None) -> EvalbParameters:
    """A built-in set by name, or an evalb parameter file.

    >>> load_parameters("collins").delete[:2]
    ('TOP', '-NONE-')
    """
    if name_or_path in BUILT_IN:
        return BUILT_IN[name_or_path]
    path = Path(name_or_path)
    if not path.exists():
        raise SettingsError(
            "E531 no parameter file", name_or_path=name_or_path, built_in=BUILT_IN
        )
    return parse_parameters(read_text(name_or_path), name=path.name, warn=warn)


def parameters_of(labels: LabelSet) -> EvalbParameters:
    """How trees with these labels are prepared, where no parameters are given.

    Wrappers, empty elements and the tags that the labels say are deleted; the Penn
    Treebank's labels name a built-in set.

    >>> parameters_of(default_labels()) is BUILT_IN["collins"]
    True
    """
    if labels.parameters:
        return parameters_for(labels, labels.parameters)
    deleted = {*labels.wrapper, *labels.empty, *labels.delete}
    return EvalbParameters(
        name=labels.name,
        delete=tuple(sorted(deleted)),
        delete_for_length=tuple(sorted(labels.empty)),
        given_labels=labels,
    )


def parameters_for(
    labels: LabelSet,
    given: str | EvalbParameters | None = None,
    *,
    warn: Warn | None = None,
) -> EvalbParameters:
    """The given parameters, or those of the labels, for trees with these labels."""
    if given is None:
        return parameters_of(labels)
    if isinstance(given, str):
        given = load_parameters(given, warn=warn)
    return given if given.labels == labels else replace(given, given_labels=labels)


_NUMBER = re.compile(r"-?[0-9]{1,9}")
# evalb's keywords, by what they take, and the parameters that they set.
_NUMBERS = {
    **{"DEBUG": "debug", "MAX_ERROR": "max_error"},
    **{"CUTOFF_LEN": "cutoff_length", "LABELED": "labeled"},
}
_LISTS = {
    **{"DELETE_LABEL": "delete", "DELETE_LABEL_FOR_LENGTH": "delete_for_length"},
    **{"QUOTE_LABEL": "quotes"},
}
_PAIRS = {"EQ_LABEL": "equal_labels", "EQ_WORD": "equal_words"}


def parse_parameters(
    text: str, *, name: str = "<text>", warn: Warn | None = None
) -> EvalbParameters:
    """The parameters of a `.prm` text.

    As in evalb, a line that cannot be used is passed over; `warn` is called with it.

    >>> parse_parameters("CUTOFF_LEN 20\\nDELETE_LABEL TOP", name="mine")
    ... # doctest: +ELLIPSIS
    EvalbParameters(name='mine', labeled=True, cutoff_length=20, ... delete=('TOP',)...)
    """
    given: dict[str, Any] = {"max_error": 10}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#") or len(line.rstrip()) < 3:
            continue
        keyword, *rest = line.split(None, 1)
        value = rest[0].strip() if rest else ""
        complaint = _set(given, keyword, value)
        if complaint and warn:
            warn(f"{name}:{number}: {complaint}; line passed over, as evalb does")
    given["labeled"] = given.get("labeled", 1) != 0
    lists = {
        name: tuple(values)
        for name, values in given.items()
        if isinstance(values, list)
    }
    return EvalbParameters(name=name, **given | lists)


def _set(given: dict[str, Any], keyword: str, value: str) -> str | None:
    """Take one line in, or say what is wrong with it."""
    if not value:
        return f"{keyword} without a value"
    if keyword in _NUMBERS:
        if not _NUMBER.fullmatch(value):
            return f"{keyword} wants a number, found {value!r}"
        given[_NUMBERS[keyword]] = int(value)
    elif keyword in _LISTS:
        given.setdefault(_LISTS[keyword], []).append(value)
    elif keyword in _PAIRS:
        values = tuple(value.split())
        if len(values) != 2:
            return f"{keyword} wants two values, found {len(values)}"
        given.setdefault(_PAIRS[keyword], []).append(values)
    else:
        known = ", ".join((*_NUMBERS, *_LISTS, *_PAIRS))
        return f"unknown keyword {keyword!r} (known are {known})"
    return None
