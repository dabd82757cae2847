"""A small model of choices that has never seen the choice it judges.

Each *expert* looks at a choice through one context (the word, its left neighbour's
tag, the children of a phrase) and says how often each class was chosen in that context
elsewhere in the treebank: the choice that is judged is left out of the counts, so that
no folds are needed and every other sentence teaches. The experts are pooled
log-linearly; how far each is trusted, given how much it has seen, is fitted on a sample
of the same treebank. All is counting on columns: no pass over choices in Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from analyzer import _native
from analyzer.model.arrays import Flags, Floats, Ints, Words64, begins, mix

Singles = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int32]
Column = TypeVar("Column", Singles, Rows, Ints)
Pieces = Iterable[Sequence[Words64]]  # the contexts of some choices, then of others

# Contexts share a slot by chance where there are too few of them for each choice.
_SLOTS_EACH, _MOST_BITS = 16, 23
_DOUBT = 1.0  # occurrences that the overall distribution counts for in each context
_SEEN = np.array([2, 5, 20])  # occurrences elsewhere; between them, trust is one number
# Choices that are looked at, and pooled, at a time: in the processor's cache.
_PIECE, _CHUNK = 1 << 15, 1 << 12
_SAMPLE, _STEPS, _RATE = 2000, 60, 0.15
_SHRINK = 0.002  # of trust, a step: experts that say the same share it
_FIRST_TRUST = 0.3
_NEAR, _FAR = 4.0, 6.0  # a margin counts up to here, and beyond it apart up to so much


Templates = list[list[str]]
Columns = Mapping[str, npt.NDArray[np.integer] | Flags]


def templates(text: str) -> Templates:
    """Contexts by the names of their columns: `word, word tag` are two.

    >>> templates("word, word tag")
    [['word'], ['word', 'tag']]
    """
    return [names.split() for names in text.split(",")]


def hashed(made_of: Templates, columns: Columns) -> list[Words64]:
    """The contexts that templates make of columns."""
    return [context(*(columns[name] for name in names)) for names in made_of]


def context(*columns: npt.NDArray[np.integer] | Flags) -> Words64:
    """One number for what several columns say together."""
    if _native.has_kernel():
        return _native.context(columns)
    hashed = np.zeros(1, np.uint64)
    for number, column in enumerate(columns):
        part = np.asarray(column).astype(np.int64).view(np.uint64)
        hashed = mix(hashed * np.uint64(0x9E3779B97F4A7C15) + part + np.uint64(number))
    return hashed


class _Expert(NamedTuple):
    """Counts of one kind of context: rows are contexts that occur twice or more.

    Row 0 are those that occur nowhere else, and say nothing.
    """

    counts: Singles  # contexts x classes
    total: Singles

    def own(self, prior: Singles, row: Rows, chosen: Ints) -> Singles:
        """What leaving the judged choice out takes from the class chosen.

        Of choices with these contexts and classes.
        """
        count = self.counts[row, chosen]
        doubt = _DOUBT * prior[chosen]
        less = np.log((np.maximum(count - 1, 0) + doubt) / (count + doubt))
        return np.where(row > 0, less, 0).astype(np.float32)

    def band(self) -> Ints:
        """Per context: how much it has seen, in few bands."""
        bands: Ints = np.searchsorted(_SEEN, self.total - 1, side="right")
        return bands


# Contexts by number, in half the memory; and some choices to learn trust from.
Numbered = tuple[Sequence[Rows], Ints]


def _opinion(counts: Singles, total: Singles, prior: Singles) -> Singles:
    """Log of how far contexts raise each class; it takes the place of the counts."""
    counts += _DOUBT * prior
    counts /= total[:, None] + _DOUBT
    counts /= prior
    np.log(counts, out=counts)
    return counts


def _rows(slot: Rows, table: Rows) -> Rows:
    """A number for each slot that occurs twice or more, per choice; 0 for others.

    The table has an entry for each slot, to work in.
    """
    if _native.has_kernel():
        return _native.recurring(slot, table)
    recurring = np.flatnonzero(np.bincount(slot) > 1)
    table[slot] = 0
    table[recurring] = np.arange(1, recurring.size + 1)
    return table[slot]


def _expert(row: Rows, chosen: Ints, classes: int) -> _Expert:
    shape = int(row.max(initial=0)) + 1, classes
    if _native.has_kernel():
        counts = _native.choice_counts(row, chosen, shape)
    else:
        cell = row * np.int64(classes) + chosen
        times = np.bincount(cell, minlength=shape[0] * classes)
        counts = times.reshape(shape).astype(np.float32)
    return _Expert(counts, counts.sum(axis=1))


def _expert_on(
    row: Rows, chosen: Ints, classes: int, some: Ints
) -> tuple[_Expert, Rows]:
    """The counts of those contexts that some choices are in, and which each is in."""
    number = np.zeros(int(row.max(initial=0)) + 1, np.int32)
    used = np.unique(row[some])
    number[used] = np.arange(used.size) + (used[:1] > 0)
    number[0] = 0
    of_choice = number[row]
    return _expert(of_choice, chosen, classes), of_choice[some]


def support(
    known: Numbered, chosen: Ints, classes: int, rows: Ints, rivals: Ints, rival: Ints
) -> Floats:
    """What each context of a choice, and of its rival, says by itself.

    `rows` are choices, `rivals` those that the rivals would be, of the classes `rival`.
    Per choice: the share of its contexts that are for the rival, and the share in which
    nothing else is as it is; the largest share of such in a context; and the log of how
    much the context that is most for the rival is for it.
    """
    size = rows.size
    agreeing, unattested, count = np.zeros((3, size))
    attested, strongest = np.zeros(size), np.full(size, -9.0)
    for column in known[0]:
        both = np.concatenate([rows, rivals])
        expert, context = _expert_on(column, chosen, classes, both)
        total = np.where(context > 0, expert.total[context] - 1, 0)
        of_class = np.concatenate([chosen[rows], rival])
        times = np.where(context > 0, expert.counts[context, of_class], 0)
        times[:size] = np.maximum(times[:size] - 1, 0)  # the choice itself
        share = (times + 0.5) / (total + 2)
        is_seen = (total[:size] > 0) | (total[size:] > 0)
        count += is_seen
        agreeing += is_seen & (share[size:] > share[:size])
        unattested += (total[:size] > 0) & (times[:size] == 0)
        attested = np.maximum(attested, times[:size] / np.maximum(total[:size], 4))
        odds = np.log(share[size:] / share[:size])
        strongest = np.where(is_seen, np.maximum(strongest, odds), strongest)
    count = np.maximum(count, 1)
    return np.stack([agreeing / count, unattested / count, attested, strongest], axis=1)


def _add_rows(sums: Singles, table: Singles, row: Rows) -> None:
    """Add a row of the table to each of the sums."""
    if _native.has_kernel():
        _native.add_rows(sums, table, row)
    else:
        for part, which in zip(pieces(sums, _CHUNK), pieces(row, _CHUNK), strict=True):
            part += table[which]


def numbered(pieces: Pieces) -> Numbered:
    """What is to be known of contexts; they themselves are forgotten, piece by piece.

    A context's slot is how its number begins.
    """
    keys: list[Words64] = []
    slots: list[list[Rows]] = []
    for contexts in pieces:
        slots = slots or [[] for _ in contexts]
        key = np.zeros(1, np.uint64)
        for parts, numbers in zip(slots, contexts, strict=True):
            parts.append((numbers >> np.uint64(64 - _MOST_BITS)).astype(np.int32))
            key = key * np.uint64(31) + numbers
        keys.append(mix(key))
    sample = _lowest(np.concatenate(keys))
    size = sum(map(len, keys))
    bits = min(_MOST_BITS, (_SLOTS_EACH * size).bit_length())
    table = np.empty(1 << bits, np.int32)
    rows = []
    while slots:
        slot = np.concatenate(slots.pop(0)) >> (_MOST_BITS - bits)
        rows.append(_rows(slot, table))
    return rows, sample


def pieces(column: Column, size: int = _PIECE) -> Iterator[Column]:
    """Views of so many rows that what is computed of them takes little memory."""
    for start in range(0, len(column), size):
        yield column[start : start + size]


def judged(known: Numbered, chosen: Ints, classes: int) -> Singles:
    """Log-probability of each class, for each choice, by all that was chosen elsewhere.

    >>> words = np.array([7] * 6 + [8] * 6)
    >>> tags = np.array([0] * 6 + [1] * 5 + [0])
    >>> chances = judged(numbered([[context(words)]]), tags, 2)
    >>> bool(chances[-1, 1] > chances[-1, 0])
    True
    """
    size = chosen.size
    prior = np.bincount(chosen, minlength=classes).astype(np.float32) + 0.5
    prior /= prior.sum()
    start = np.log(prior)
    rows, sample = known
    opinions, bands = [], []
    for row in rows:
        expert, some = _expert_on(row, chosen, classes, sample)
        opinion = _opinion(expert.counts[some], expert.total[some], prior)
        opinion[some == 0] = 0
        own = expert.own(prior, some, chosen[sample])
        opinion[np.arange(sample.size), chosen[sample]] += own
        opinions.append(opinion)
        bands.append(expert.band()[some])
    trust = _fitted(np.stack(opinions), np.stack(bands), start, chosen[sample])
    pooled = np.full((size, classes), start, np.float32)
    lost = np.zeros(size, np.float32)
    for number, row in enumerate(rows):
        expert = _expert(row, chosen, classes)
        weight = trust[number][expert.band()]
        for part, some, classes_ in zip(
            pieces(lost), pieces(row), pieces(chosen), strict=True
        ):
            part += expert.own(prior, some, classes_) * weight[some]
        table = _opinion(*expert, prior)
        table[0] = 0
        table *= weight[:, None]
        _add_rows(pooled, table, row)
        del expert, table  # before the next one is made
    pooled[np.arange(size), chosen] += lost
    for part in pieces(pooled, _CHUNK):
        part -= _log_sum(part)[:, None]
    return pooled


def _lowest(keys: Words64) -> Ints:
    """Where the lowest keys are: the same choices whatever order sentences come in."""
    if keys.size > _SAMPLE:
        most = np.partition(keys, _SAMPLE - 1)[_SAMPLE - 1]
        places = np.flatnonzero(keys <= most)
        return places[np.argsort(keys[places], kind="stable")][:_SAMPLE]
    return np.argsort(keys, kind="stable")


def _fitted(opinions: Singles, bands: Ints, start: Singles, chosen: Ints) -> Singles:
    """How far to trust each expert in each band: those that explain a sample best.

    Adam on the log-likelihood; trust is never negative.
    """
    experts, size, _ = opinions.shape
    trust = np.full((experts, _SEEN.size + 1), _FIRST_TRUST, np.float32)
    mean, square = np.zeros_like(trust), np.zeros_like(trust)
    right = np.zeros(opinions.shape[1:], np.float32)
    right[np.arange(size), chosen] = 1
    which = np.arange(experts)[:, None]
    for step in range(1, _STEPS + 1):
        weight = trust[which, bands]
        pooled = start + np.einsum("es,esc->sc", weight, opinions)
        miss = right - np.exp(pooled - _log_sum(pooled)[:, None])
        slope = np.einsum("sc,esc->es", miss, opinions)
        gradient = np.zeros_like(trust)
        for band in range(trust.shape[1]):
            gradient[:, band] = np.where(bands == band, slope, 0).sum(axis=1)
        gradient = gradient / size - _SHRINK * trust
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        rate = _RATE * (1 - step / (_STEPS + 1))
        move = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
        trust = np.clip(trust + rate * move, 0, 2).astype(np.float32)
    return trust


def _log_sum(pooled: Singles) -> Singles:
    most = pooled.max(axis=1)
    total: Singles = most + np.log(np.exp(pooled - most[:, None]).sum(axis=1))
    return total


def verdict(known: Numbered, chosen: Ints, classes: int) -> tuple[Ints, Singles]:
    """For each choice, the most probable class that was not chosen.

    With it the log of how much more probable it is than the one that was.
    """
    chances = judged(known, chosen, classes)
    every = np.arange(chosen.size)
    mine = chances[every, chosen]
    chances[every, chosen] = -np.inf
    rival = chances.argmax(axis=1)
    return rival, chances[every, rival] - mine


def as_evidence(margin: float) -> tuple[float, float]:
    """A margin as two pieces of evidence: what is beyond says less.

    >>> as_evidence(5.5)
    (4.0, 1.5)
    """
    return min(margin, _NEAR), min(max(margin - _NEAR, 0.0), _FAR)


def best_sites(
    known: Numbered, mover: Ints, is_annotated: Flags
) -> tuple[Ints, Floats]:
    """For each mover, the row of the best site but for the one that is annotated.

    One row a site, those of a mover together. -1 where there is no other; with it how
    much better the other one is.
    """
    chances = judged(known, is_annotated.astype(np.int64), 2)
    score = (chances[:, 1] - chances[:, 0]).astype(float)
    start = np.flatnonzero(begins(mover))
    others = np.where(is_annotated, -np.inf, score)
    best = np.maximum.reduceat(others, start)
    group = np.repeat(np.arange(start.size), np.diff(np.append(start, others.size)))
    rows = np.flatnonzero((others == best[group]) & ~is_annotated)
    row = np.full(start.size, -1, np.int64)
    row[group[rows[::-1]]] = rows[::-1]
    return row, best - score[is_annotated]
