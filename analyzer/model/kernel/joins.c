#include "common.h"

/* Columns of two tables as one number a row, gold's rows first: see metrics/join.py. */
enum { MOST_KEYS = 4 };

typedef struct {
    const int64_t *gold[MOST_KEYS], *parsed[MOST_KEYS];
    int64_t columns, golds, parseds;
    int64_t *key; /* what is written */
    int64_t fits; /* whether the numbers are small enough for that */
} packed_t;

static void extremes(const int64_t *column, int64_t size, int64_t *low, int64_t *high)
{
    for (int64_t i = 0; i < size; i++) {
        *low = column[i] < *low ? column[i] : *low;
        *high = column[i] > *high ? column[i] : *high;
    }
}

EXPORT void spinal_packed(packed_t *p)
{
    int64_t room = 1, rows = p->golds + p->parseds;
    memset(p->key, 0, (size_t)rows * sizeof *p->key);
    for (int64_t column = 0; column < p->columns; column++) {
        int64_t low = 0, high = 0;
        extremes(p->gold[column], p->golds, &low, &high);
        extremes(p->parsed[column], p->parseds, &low, &high);
        /* As unsigned, the difference of any two fits. */
        uint64_t size = (uint64_t)high - (uint64_t)low + 1;
        p->fits = size != 0 && (uint64_t)room <= (uint64_t)INT64_MAX / size;
        if (!p->fits)
            return;
        for (int64_t i = 0; i < p->golds; i++)
            p->key[i] = p->key[i] * (int64_t)size + (p->gold[column][i] - low);
        int64_t *key = p->key + p->golds;
        for (int64_t i = 0; i < p->parseds; i++)
            key[i] = key[i] * (int64_t)size + (p->parsed[column][i] - low);
        room *= (int64_t)size;
    }
    p->fits = 1;
}

/* Rows of two tables that have equal keys, gold's first, then parsed's: see
 * metrics/join.py. */
typedef struct {
    const int64_t *key;
    int64_t gold, rows;
    int32_t *slots; /* zeros, a power of two of them and more than `rows` */
    int64_t slot_bits;
    int32_t *group; /* room to work in, per row, as are the next two */
    int32_t *golds, *parseds;
    int32_t *partner;
    /* what is written: key that one gold row and one parsed row have; all others that
     * two rows or more have */
    int64_t *gold_lone, *parsed_lone, *crowded;
    int64_t lone, crowd;
} pairs_t;

EXPORT void spinal_pairs(pairs_t *p)
{
    int64_t mask = ((int64_t)1 << p->slot_bits) - 1, lone = 0, crowd = 0;
    for (int64_t row = 0; row < p->rows; row++) {
        int64_t key = p->key[row];
        int64_t slot = (int64_t)(((uint64_t)key * GOLDEN) >> (64 - p->slot_bits));
        while (p->slots[slot] && p->key[p->slots[slot] - 1] != key)
            slot = (slot + 1) & mask;
        if (!p->slots[slot]) {
            p->slots[slot] = (int32_t)row + 1;
            p->golds[row] = p->parseds[row] = 0;
        }
        int32_t group = p->group[row] = p->slots[slot] - 1;
        if (row < p->gold) {
            p->golds[group]++;
        } else {
            p->parseds[group]++;
            p->partner[group] = (int32_t)row;
        }
    }
    for (int64_t row = 0; row < p->rows; row++) {
        int32_t group = p->group[row];
        if (p->golds[group] == 1 && p->parseds[group] == 1) {
            if (row < p->gold) {
                p->gold_lone[lone] = row;
                p->parsed_lone[lone++] = p->partner[group] - p->gold;
            }
        } else if (p->golds[group] + p->parseds[group] > 1) {
            p->crowded[crowd++] = row;
        }
    }
    p->lone = lone;
    p->crowd = crowd;
}

/* Of pairs of rows those that agree in up to two columns (or NULL). */
EXPORT void spinal_agree(const int64_t *gold_row, const int64_t *parsed_row,
                         int64_t pairs, const int64_t *left, const int64_t *right,
                         const int64_t *left_2, const int64_t *right_2, int64_t *partner,
                         uint8_t *gold_flag, uint8_t *parsed_flag)
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
