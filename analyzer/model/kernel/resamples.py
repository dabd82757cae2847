"""Sentences that are drawn, or chosen: see metrics/significance.py."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analyzer.model.arrays import Ids
from analyzer.model.kernel.library import INT64, functions, pointer


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
