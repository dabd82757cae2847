/* Contexts of choices by number, what was chosen in them: see checks/leave_one_out.py. */

#include "common.h"

/* One number for what several columns say together: the next column is added to it. */
FUNCTION(void, add_context, const int64_t *column, int64_t size, uint64_t number,
         uint64_t *hashed)
{
    for (int64_t i = 0; i < size; i++)
        hashed[i] = mix(hashed[i] * GOLDEN + (uint64_t)column[i] + number);
}

/* A number for each slot that occurs twice or more, in the order in which that is seen;
 * 0 for others. `table` has an entry for each slot. */
FUNCTION(void, rows, const int32_t *slot, int64_t size, int32_t *table, int64_t slots,
         int32_t *row)
{
    int32_t numbers = 0;
    memset(table, 0, (size_t)slots * sizeof *table);
    for (int64_t i = 0; i < size; i++) {
        int32_t seen = table[slot[i]];
        row[i] = 0;
        if (seen > 0) {
            row[i] = seen;
        } else if (seen == 0) {
            table[slot[i]] = -(int32_t)i - 1; /* seen once, there */
        } else {
            row[i] = row[-seen - 1] = table[slot[i]] = ++numbers;
        }
    }
}

/* How often each class was chosen in each context; `counts` are zeros. */
FUNCTION(void, counts, const int32_t *row, const int64_t *chosen, int64_t size,
         int64_t classes, float *counts)
{
    for (int64_t i = 0; i < size; i++)
        counts[row[i] * classes + chosen[i]]++;
}

/* To each row of `sums` one of a table is added. */
FUNCTION(void, add_rows, float *sums, int64_t size, int64_t classes, const float *table,
         const int32_t *row)
{
    for (int64_t i = 0; i < size; i++) {
        float *sum = sums + i * classes;
        const float *added = table + row[i] * classes;
        for (int64_t j = 0; j < classes; j++)
            sum[j] += added[j];
    }
}
