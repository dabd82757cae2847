#include "common.h"

/* Brackets that count, of one side of an alignment: see derivation/brackets.py. */
typedef struct {
    /* of the treebank */
    const int32_t *label, *first, *last;
    const uint8_t *is_leaf;
    const int64_t *node_start;
    int64_t trees;
    /* of the alignment */
    const uint8_t *is_comparable;
    const int64_t *word_start, *word_end; /* per leaf */
    /* of the parameters, per label */
    const int32_t *phrase_class, *phrase;
    int32_t deleted;
    /* what is written, with room for every node */
    int64_t *row, *bracket_first, *bracket_last, *starts;
    int32_t *bracket_label, *key_label;
    int64_t *wrapper; /* rows */
    int64_t *wrapper_starts;
    int64_t brackets, wrappers;
} brackets_t;

EXPORT void spinal_brackets(brackets_t *b)
{
    int64_t rows = 0, wrappers = 0;
    for (int64_t tree = 0; tree < b->trees; tree++) {
        b->starts[tree] = rows;
        b->wrapper_starts[tree] = wrappers;
        if (!b->is_comparable[tree])
            continue;
        for (int64_t node = b->node_start[tree]; node < b->node_start[tree + 1];
             node++) {
            if (b->is_leaf[node] || b->first[node] >= b->last[node])
                continue;
            int64_t first = b->word_start[b->first[node]];
            int64_t last = b->word_end[b->last[node] - 1];
            if (first >= last)
                continue;
            int32_t compared = b->phrase_class[b->label[node]];
            if (compared < b->deleted) {
                b->wrapper[wrappers++] = node;
            } else if (compared > b->deleted) {
                b->row[rows] = node;
                b->bracket_first[rows] = first;
                b->bracket_last[rows] = last;
                b->bracket_label[rows] = b->phrase[b->label[node]];
                b->key_label[rows++] = compared;
            }
        }
    }
    b->starts[b->trees] = b->brackets = rows;
    b->wrapper_starts[b->trees] = b->wrappers = wrappers;
}

/* Brackets that cross: see metrics/brackets.py. */
typedef struct {
    const int64_t *gold_first, *gold_last; /* larger ones before those in them */
    int64_t golds;
    const int64_t *parsed_first, *parsed_last;
    int64_t parseds;
    const uint8_t *is_asked;
    /* room to work in, per word: where the largest bracket that begins there ends, and
     * where the one that ends there begins; zeros, and `words` */
    int64_t *furthest_end, *earliest_start;
    uint8_t *crosses;
} crossing_t;

/* Parsed brackets that overlap one of gold, neither being inside the other. */
EXPORT void spinal_crossing(crossing_t *c)
{
    for (int64_t i = c->golds - 1; i >= 0; i--) {
        c->furthest_end[c->gold_first[i]] = c->gold_last[i];
        c->earliest_start[c->gold_last[i]] = c->gold_first[i];
    }
    for (int64_t i = 0; i < c->parseds; i++) {
        int64_t first = c->parsed_first[i], last = c->parsed_last[i];
        c->crosses[i] = 0;
        if (!c->is_asked[i])
            continue;
        for (int64_t word = first + 1; word < last; word++)
            if (c->furthest_end[word] > last || c->earliest_start[word] < first) {
                c->crosses[i] = 1;
                break;
            }
    }
}
