#include "common.h"

/* The words of both sides that are compared: see pairing/words.py. */

/* Leaves whose labels are not deleted, and where each tree's begin. How many. */
FUNCTION(int64_t, kept, const int32_t *label, const int64_t *leaf_node,
         const int64_t *leaf_start, int64_t trees, const uint8_t *deletes,
         /* what is written, with room for every leaf */
         int64_t *leaves, int64_t *starts)
{
    int64_t kept = 0;
    for (int64_t tree = 0; tree < trees; tree++) {
        starts[tree] = kept;
        for (int64_t leaf = leaf_start[tree]; leaf < leaf_start[tree + 1]; leaf++) {
            leaves[kept] = leaf;
            kept += !deletes[label[leaf_node[leaf]]];
        }
    }
    return starts[trees] = kept;
}

/* Of trees that are asked for, those with words that differ; they have as many words on
 * both sides. Words are spans of a text; of all leaves, some are compared. */
FUNCTION(void, trees_differ, const uint8_t *gold_text, const int64_t *gold_start,
         const int64_t *gold_end, const int64_t *gold_leaves, const int64_t *gold_starts,
         const uint8_t *parsed_text, const int64_t *parsed_start,
         const int64_t *parsed_end, const int64_t *parsed_leaves,
         const int64_t *parsed_starts, int64_t trees, const uint8_t *is_asked,
         uint8_t *differs)
{
    for (int64_t tree = 0; tree < trees; tree++) {
        differs[tree] = 0;
        if (!is_asked[tree])
            continue;
        const int64_t *other = parsed_leaves + parsed_starts[tree];
        for (int64_t i = gold_starts[tree]; i < gold_starts[tree + 1]; i++, other++) {
            int64_t one = gold_start[gold_leaves[i]], start = parsed_start[*other];
            int64_t length = gold_end[gold_leaves[i]] - one;
            if (length != parsed_end[*other] - start ||
                memcmp(gold_text + one, parsed_text + start, (size_t)length) != 0) {
                differs[tree] = 1;
                break;
            }
        }
    }
}

/* Per leaf the number of the word that it is, and of the next one, given the leaves
 * that are compared; `end` is of zeros. */
FUNCTION(void, positions, const int64_t *leaves, const int64_t *starts,
         const int64_t *leaf_start, int64_t trees, const uint8_t *is_comparable,
         int64_t *start, int64_t *end)
{
    int64_t before = 0;
    for (int64_t i = 0; i < starts[trees]; i++)
        end[leaves[i]]++;
    for (int64_t tree = 0; tree < trees; tree++) {
        int64_t word = before;
        for (int64_t leaf = leaf_start[tree]; leaf < leaf_start[tree + 1]; leaf++) {
            start[leaf] = word;
            end[leaf] = word += end[leaf];
        }
        if (is_comparable[tree])
            before = word;
    }
}

/* Per tree that is comparable, the words that have tags of one class on both sides. */
FUNCTION(void, equal_tags, const int32_t *gold_label, const int64_t *gold_leaf_node,
         const int64_t *gold_leaves, const int64_t *gold_starts,
         const int32_t *parsed_label, const int64_t *parsed_leaf_node,
         const int64_t *parsed_leaves, const int64_t *parsed_starts, int64_t trees,
         const uint8_t *is_comparable,
         /* per label */
         const int32_t *classes, int64_t *equal)
{
    for (int64_t tree = 0; tree < trees; tree++) {
        int64_t found = 0;
        if (is_comparable[tree]) {
            const int64_t *other = parsed_leaves + parsed_starts[tree];
            for (int64_t i = gold_starts[tree]; i < gold_starts[tree + 1]; i++)
                found += classes[gold_label[gold_leaf_node[gold_leaves[i]]]] ==
                         classes[parsed_label[parsed_leaf_node[*other++]]];
        }
        equal[tree] = found;
    }
}
