#include "common.h"

static void extremes(const int64_t *column, int64_t size, int64_t *low, int64_t *high)
{
    for (int64_t i = 0; i < size; i++) {
        *low = column[i] < *low ? column[i] : *low;
        *high = column[i] > *high ? column[i] : *high;
    }
}

/* Columns of two tables as one number a row, gold's rows first: see metrics/join.py.
 * The next column is added to `key`, which has numbers below `room`. 0 if they would
 * become too large. */
FUNCTION(int, add_key, const int64_t *gold, int64_t golds, const int64_t *parsed,
         int64_t parseds, int64_t *room, int64_t *key)
{
    int64_t low = 0, high = 0;
    extremes(gold, golds, &low, &high);
    extremes(parsed, parseds, &low, &high);
    /* As unsigned, the difference of any two fits. */
    uint64_t size = (uint64_t)high - (uint64_t)low + 1;
    if (size == 0 || (uint64_t)*room > (uint64_t)INT64_MAX / size)
        return 0;
    for (int64_t i = 0; i < golds; i++)
        key[i] = key[i] * (int64_t)size + (gold[i] - low);
    for (int64_t i = 0; i < parseds; i++)
        key[golds + i] = key[golds + i] * (int64_t)size + (parsed[i] - low);
    *room *= (int64_t)size;
    return 1;
}

/* Rows of two tables that have equal keys, gold's first, then parsed's: see
 * metrics/join.py. `slots` are zeros, a power of two of them and more than `rows`; there
 * is room to work in, per row. What is written: rows whose key one gold row and one
 * parsed row have; all others whose key two rows or more have; how many of both. */
FUNCTION(void, pairs, const int64_t *key, int64_t gold, int64_t rows, int32_t *slots,
         int64_t slot_bits, int32_t *group_of, int32_t *golds, int32_t *parseds,
         int32_t *partner, int64_t *gold_lone, int64_t *parsed_lone, int64_t *crowded,
         int64_t *counts)
{
    int64_t mask = ((int64_t)1 << slot_bits) - 1, lone = 0, crowd = 0;
    for (int64_t row = 0; row < rows; row++) {
        int64_t slot = (int64_t)(((uint64_t)key[row] * GOLDEN) >> (64 - slot_bits));
        while (slots[slot] && key[slots[slot] - 1] != key[row])
            slot = (slot + 1) & mask;
        if (!slots[slot]) {
            slots[slot] = (int32_t)row + 1;
            golds[row] = parseds[row] = 0;
        }
        int32_t group = group_of[row] = slots[slot] - 1;
        if (row < gold) {
            golds[group]++;
        } else {
            parseds[group]++;
            partner[group] = (int32_t)row;
        }
    }
    for (int64_t row = 0; row < rows; row++) {
        int32_t group = group_of[row];
        if (golds[group] == 1 && parseds[group] == 1) {
            if (row < gold) {
                gold_lone[lone] = row;
                parsed_lone[lone++] = partner[group] - gold;
            }
        } else if (golds[group] + parseds[group] > 1) {
            crowded[crowd++] = row;
        }
    }
    counts[0] = lone;
    counts[1] = crowd;
}

/* Of pairs of rows those that agree in up to two columns (or NULL). */
FUNCTION(void, agree, const int64_t *gold_row, const int64_t *parsed_row, int64_t pairs,
         const int64_t *left, const int64_t *right, const int64_t *left_2,
         const int64_t *right_2, int64_t *partner, uint8_t *gold_flag,
         uint8_t *parsed_flag)
{
    for (int64_t i = 0; i < pairs; i++) {
        int64_t gold = gold_row[i], parsed = parsed_row[i];
        int agrees = (!left || left[gold] == right[parsed]) &&
                     (!left_2 || left_2[gold] == right_2[parsed]);
        if (agrees) {
            partner[gold] = parsed;
            gold_flag[gold] = parsed_flag[parsed] = 1;
        }
    }
}
