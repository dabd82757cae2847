#include "common.h"

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

/* Which pairs of words differ: words are spans of two texts. */
EXPORT void spinal_words_differ(const uint8_t *gold, const int64_t *gold_start,
                                const int64_t *gold_end, const int64_t *gold_word,
                                const uint8_t *parsed, const int64_t *parsed_start,
                                const int64_t *parsed_end, const int64_t *parsed_word,
                                int64_t words, uint8_t *differs)
{
    for (int64_t i = 0; i < words; i++) {
        int64_t one = gold_start[gold_word[i]], other = parsed_start[parsed_word[i]];
        int64_t length = gold_end[gold_word[i]] - one;
        differs[i] = length != parsed_end[parsed_word[i]] - other ||
                     memcmp(gold + one, parsed + other, (size_t)length) != 0;
    }
}
