"""Function tags: what labels say beyond the phrase (`NP-SBJ-1`, `NP*SBJ`, `NP=2`).

What separates them is in a treebank's label set. Indices, which are nothing but
digits, are no tags. A tag that a label has twice counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import SettingsError
from analyzer.model.arrays import Ids, Ints, number_densely
from analyzer.model.symbols import SYMBOLS
from analyzer.transform.labels import FunctionGroup, LabelSet

_BETWEEN = " "  # the tags of a set, in its name; no label holds one


def with_separators(labels: LabelSet, separators: str) -> LabelSet:
    """The label set with other characters between labels and function tags.

    >>> from analyzer.transform.labels import default_labels
    >>> with_separators(default_labels(), "*").function_tags("IP*SUB*SPE")
    ('SUB', 'SPE')
    """
    bad = any(mark.isalnum() or mark.isspace() or mark in "()" for mark in separators)
    if bad or not separators:
        raise SettingsError("E590 cannot divide labels at", separators=separators)
    characters = frozenset(separators)
    shown = " ".join(sorted(characters))
    return replace(
        labels,
        text=f"{labels.text}\nfunction {shown}\ntag-function {shown}\n",
        function=characters,
        tag_function=characters,
    )


class LabelParts(NamedTuple):
    """A label taken apart."""

    bare: str
    tags: tuple[str, ...] = ()  # each once, in alphabetical order


@dataclass(frozen=True)
class FunctionTags:
    """Which function tags labels have, and which groups these fall into.

    >>> from analyzer.transform.labels import default_labels
    >>> FunctionTags(default_labels()).parts("NP-TMP-SBJ-1")
    LabelParts(bare='NP', tags=('SBJ', 'TMP'))
    """

    labels: LabelSet

    @property
    def separators(self) -> str:
        """What parts tags from labels."""
        return "".join(sorted(self.labels.function))

    @property
    def groups(self) -> tuple[FunctionGroup, ...]:
        return self.labels.group

    @cached_property
    def group_of(self) -> dict[str, str]:
        """The group of each tag that is in one."""
        return {tag: group.name for group in self.groups for tag in group.tags}

    def parts(self, label: str, *, of_word: bool = False) -> LabelParts:
        """A label's phrase or tag, and its function tags."""
        labels = self.labels
        bare = labels.bare_tag(label) if of_word else labels.bare_phrase(label)
        tags = labels.function_tags(label, of_word=of_word) if bare else ()
        return LabelParts(bare, tuple(sorted(set(tags))))

    def columns(
        self, label: Ids, *, of_words: bool = False, edges: Sequence[str] | None = None
    ) -> TagColumns:
        """Labels taken apart; `edges` have a further tag of each, as in graphs."""
        used, which = number_densely(label)
        names = [SYMBOLS.name(number) for number in used.tolist()]
        parts = [self.parts(name, of_word=of_words) for name in names]
        bare = np.array([SYMBOLS.id(part.bare) for part in parts], np.int32)
        sets = np.array([_set_number(part.tags) for part in parts], np.int32)
        columns = TagColumns(bare[which], sets[which])
        if not edges:
            return columns
        merged = [
            _with_tag(own, edge)
            for own, edge in zip(columns.tags.tolist(), edges, strict=True)
        ]
        return columns._replace(tags=np.array(merged, np.int32))


class TagColumns(NamedTuple):
    """Per label: the number of what is left without tags, and of its set of tags."""

    bare: Ids
    tags: Ids


NO_TAGS = SYMBOLS.id("")


def tags_of(sets: Ids) -> tuple[Ints, Ints]:
    """One row a tag: which of the sets it is in, and its number."""
    used, which = number_densely(sets)
    members = [
        [SYMBOLS.id(tag) for tag in _tags_in(number)] for number in used.tolist()
    ]
    sizes = np.array([len(tags) for tags in members], np.int64)
    starts = np.cumsum(sizes) - sizes
    flat = np.array([tag for tags in members for tag in tags], np.int64)
    count = sizes[which]
    owner = np.repeat(np.arange(sets.size), count)
    within = np.arange(owner.size) - np.repeat(np.cumsum(count) - count, count)
    return owner, flat[np.repeat(starts[which], count) + within]


def _tags_in(number: int) -> list[str]:
    return SYMBOLS.name(number).split(_BETWEEN) if number != NO_TAGS else []


def _set_number(tags: Iterable[str]) -> int:
    return SYMBOLS.id(_BETWEEN.join(sorted(tags)))


@lru_cache(maxsize=1 << 12)
def _with_tag(number: int, tag: str) -> int:
    """The set with one more tag; "" is none."""
    return _set_number({*_tags_in(number), tag} - {""})
