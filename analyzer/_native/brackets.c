#include "common.h"

/* Brackets that count, of one side of an alignment: see derivation/brackets.py. How
 * many there are, and how many wrappers, is written to `counts`; what is written before
 * has room for every phrase. */
FUNCTION(void, brackets,
         /* of the treebank */
         const int32_t *label, const int32_t *first, const int32_t *last,
         const uint8_t *is_leaf, const int64_t *node_start, int64_t trees,
         /* of the alignment; where words start and end, per leaf */
         const uint8_t *is_comparable, const int64_t *word_start,
         const int64_t *word_end,
         /* of the parameters, per label */
         const int32_t *phrase_class, const int32_t *phrase, int32_t deleted,
         /* what is written */
         int64_t *row, int64_t *bracket_first, int64_t *bracket_last,
         int32_t *bracket_label, int32_t *key_label, int64_t *starts,
         int64_t *wrapper, int64_t *wrapper_starts, int64_t *counts)
{
    int64_t rows = 0, wrappers = 0;
    for (int64_t tree = 0; tree < trees; tree++) {
        starts[tree] = rows;
        wrapper_starts[tree] = wrappers;
        if (!is_comparable[tree])
            continue;
        for (int64_t node = node_start[tree]; node < node_start[tree + 1]; node++) {
            if (is_leaf[node] || first[node] >= last[node])
                continue;
            int64_t begin = word_start[first[node]];
            int64_t end = word_end[last[node] - 1];
            if (begin >= end)
                continue;
            int32_t compared = phrase_class[label[node]];
            if (compared < deleted) {
                wrapper[wrappers++] = node;
            } else if (compared > deleted) {
                row[rows] = node;
                bracket_first[rows] = begin;
                bracket_last[rows] = end;
                bracket_label[rows] = phrase[label[node]];
                key_label[rows++] = compared;
            }
        }
    }
    starts[trees] = counts[0] = rows;
    wrapper_starts[trees] = counts[1] = wrappers;
}

/* Parsed brackets that overlap one of gold, neither being inside the other: see
 * metrics/brackets.py. Larger brackets stand before those in them. There is room to
 * work in, per word: where the largest bracket that begins there ends, and where the
 * one that ends there begins; zeros, and `words`. */
FUNCTION(void, crossing, const int64_t *gold_first, const int64_t *gold_last,
         int64_t golds, const int64_t *parsed_first, const int64_t *parsed_last,
         int64_t parseds, const uint8_t *is_asked, int64_t *furthest_end,
         int64_t *earliest_start, uint8_t *crosses)
{
    for (int64_t i = golds - 1; i >= 0; i--) {
        furthest_end[gold_first[i]] = gold_last[i];
        earliest_start[gold_last[i]] = gold_first[i];
    }
    for (int64_t i = 0; i < parseds; i++) {
        int64_t first = parsed_first[i], last = parsed_last[i];
        crosses[i] = 0;
        if (!is_asked[i])
            continue;
        for (int64_t word = first + 1; word < last; word++)
            if (furthest_end[word] > last || earliest_start[word] < first) {
                crosses[i] = 1;
                break;
            }
    }
}
