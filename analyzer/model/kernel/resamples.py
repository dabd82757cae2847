"""Sentences that are drawn, or chosen: see metrics/significance.py."""

from __future__ import annotations

import ctypes
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from analyzer.model.arrays import Floats, Ids, Ints
from analyzer.model.kernel.library import (
    FLOATS,
    IDS,
    INT64,
    INTS,
    NUMBERS,
    WORDS,
    functions,
    pointer,
    structure,
)


def resampled(
    values: npt.NDArray[np.uint32] | npt.NDArray[np.uint8], group: Ids, groups: int
) -> npt.NDArray[np.float32]:
    """Per resample, a row of the values: how often each group is drawn, or chosen.

    Numbers of 32 bits are what is drawn, those of 8 bits say what is chosen.
    """
    out = np.zeros((len(values), groups), np.float32)
    library = functions()
    is_drawn = values.dtype == np.uint32
    count = library.spinal_draws if is_drawn else library.spinal_choices
    sizes = INT64(values.shape[0]), INT64(values.shape[1])
    count(pointer(values), *sizes, pointer(group), INT64(groups), pointer(out))
    return out


_GUIDES = 512  # as in the C source

_Drawn = structure(
    "_Drawn",
    (FLOATS, "rows"),
    (NUMBERS, "kinds"),
    (IDS, "kind_of"),
    (NUMBERS, "sentences"),
    (FLOATS, "hits"),
    (NUMBERS, "last_hit fewest_hits"),
    (FLOATS, "chances"),
    (INTS, "starts which"),
    (IDS, "hit_guide guides"),
    (ctypes.c_uint64, "start"),
    (NUMBERS, "resamples"),
    (WORDS, "place"),
    (INTS, "drawn"),
    (FLOATS, "sums"),
)


def drawn(
    rows: Ints,
    times: Ints,
    *,
    hits: Floats,
    fewest_hits: int,
    chances: Floats,
    starts: Ints,
    which: Ints,
    start: int,
    resamples: int,
) -> Floats:
    """Sums of the counts of sentences drawn with replacement: see metrics/pools.py.

    A row has four counts.
    """
    kind_of = np.repeat(np.arange(times.size, dtype=np.int32), times)
    sums = np.empty((resamples, rows.shape[1]))
    guides = [_guide(chances[a:b]) for a, b in pairwise(starts.tolist())]
    given = _Drawn(
        rows=rows,
        kinds=times.size,
        kind_of=kind_of,
        sentences=kind_of.size,
        hits=hits,
        last_hit=hits.size - 1,
        fewest_hits=fewest_hits,
        chances=chances,
        starts=starts,
        which=which,
        hit_guide=_guide(hits),
        guides=np.concatenate(guides),
        start=start,
        resamples=resamples,
        place=np.empty(resamples, np.uint64),
        drawn=np.empty(resamples, np.int64),
        sums=sums,
    )
    functions().spinal_drawn(ctypes.byref(given))
    return sums


def _guide(chances: Floats) -> Ids:
    """Where to begin to look, for each of so many parts of what is from 0 to 1."""
    parts = np.arange(_GUIDES) / _GUIDES
    return np.searchsorted(chances[:-1], parts, side="right").astype(np.int32)


def swapped(rows: Ints, times: Ints, start: int, resamples: int) -> Floats:
    """Sums of the counts of sentences that are chosen with probability one half."""
    rows, times = (np.ascontiguousarray(one, np.int64) for one in (rows, times))
    sums = np.zeros((resamples, rows.shape[1]))
    functions().spinal_swapped(
        pointer(rows),
        *map(INT64, rows.shape),
        pointer(times),
        ctypes.c_uint64(start),
        INT64(resamples),
        pointer(sums),
    )
    return sums
