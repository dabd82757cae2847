#include "common.h"

/* How often each group is drawn, resample by resample: see metrics/significance.py.
 * `out` is of zeros. */
EXPORT void spinal_draws(const uint32_t *drawn, int64_t resamples, int64_t size,
                         const int32_t *group, int64_t groups, float *out)
{
    for (int64_t row = 0; row < resamples; row++, drawn += size, out += groups)
        for (int64_t i = 0; i < size; i++)
            out[group[drawn[i]]] += 1;
}

/* How many of each group are chosen, resample by resample. */
EXPORT void spinal_choices(const uint8_t *chosen, int64_t resamples, int64_t size,
                           const int32_t *group, int64_t groups, float *out)
{
    for (int64_t row = 0; row < resamples; row++, chosen += size, out += groups)
        for (int64_t i = 0; i < size; i++)
            out[group[i]] += chosen[i];
}
