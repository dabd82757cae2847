#include "common.h"

/* The words of both sides that are compared: see pairing/words.py. */

typedef struct {
    const int32_t *label;
    const int64_t *leaf_node, *leaf_start; /* of the treebank */
    int64_t trees;
    const uint8_t *deletes;   /* per label */
    int64_t *leaves, *starts; /* what is written, with room for every leaf */
    int64_t kept;
} kept_t;

/* Leaves whose labels are not deleted, and where each tree's begin. */
EXPORT void spinal_kept(kept_t *k)
{
    int64_t kept = 0;
    for (int64_t tree = 0; tree < k->trees; tree++) {
        k->starts[tree] = kept;
        for (int64_t leaf = k->leaf_start[tree]; leaf < k->leaf_start[tree + 1]; leaf++) {
            k->leaves[kept] = leaf;
            kept += !k->deletes[k->label[k->leaf_node[leaf]]];
        }
    }
    k->starts[k->trees] = k->kept = kept;
}

/* Words as spans of a text: all of its leaves, and which are compared. */
typedef struct {
    const uint8_t *text;
    const int64_t *form_start, *form_end;
    const int64_t *leaves, *starts;
} words_t;

typedef struct {
    words_t gold, parsed;
    int64_t trees;
    const uint8_t *is_asked; /* trees that have as many words on both sides */
    uint8_t *differs;
} differ_t;

/* Of trees that are asked for, those with words that differ. */
EXPORT void spinal_trees_differ(differ_t *d)
{
    const words_t *gold = &d->gold, *parsed = &d->parsed;
    for (int64_t tree = 0; tree < d->trees; tree++) {
        d->differs[tree] = 0;
        if (!d->is_asked[tree])
            continue;
        const int64_t *other = parsed->leaves + parsed->starts[tree];
        for (int64_t i = gold->starts[tree]; i < gold->starts[tree + 1]; i++, other++) {
            int64_t one = gold->form_start[gold->leaves[i]];
            int64_t start = parsed->form_start[*other];
            int64_t length = gold->form_end[gold->leaves[i]] - one;
            if (length != parsed->form_end[*other] - start ||
                memcmp(gold->text + one, parsed->text + start, (size_t)length) != 0) {
                d->differs[tree] = 1;
                break;
            }
        }
    }
}

typedef struct {
    const int64_t *leaves, *starts; /* that are compared */
    const int64_t *leaf_start;      /* of the treebank */
    int64_t trees;
    const uint8_t *is_comparable;
    int64_t *start, *end; /* what is written, per leaf; `end` is of zeros */
} positions_t;

/* Per leaf the number of the word that it is, and of the next one. */
EXPORT void spinal_positions(positions_t *p)
{
    int64_t before = 0;
    for (int64_t i = 0; i < p->starts[p->trees]; i++)
        p->end[p->leaves[i]]++;
    for (int64_t tree = 0; tree < p->trees; tree++) {
        int64_t word = before;
        for (int64_t leaf = p->leaf_start[tree]; leaf < p->leaf_start[tree + 1]; leaf++) {
            p->start[leaf] = word;
            p->end[leaf] = word += p->end[leaf];
        }
        if (p->is_comparable[tree])
            before = word;
    }
}

/* Words as leaves that have labels. */
typedef struct {
    const int32_t *label;
    const int64_t *leaf_node;
    const int64_t *leaves, *starts;
} tags_t;

typedef struct {
    tags_t gold, parsed;
    int64_t trees;
    const uint8_t *is_comparable;
    const int32_t *classes; /* per label */
    int64_t *equal;
} equal_tags_t;

/* Per tree that is comparable, the words that have tags of one class on both sides. */
EXPORT void spinal_equal_tags(equal_tags_t *t)
{
    const tags_t *gold = &t->gold, *parsed = &t->parsed;
    for (int64_t tree = 0; tree < t->trees; tree++) {
        int64_t found = 0;
        if (t->is_comparable[tree]) {
            const int64_t *other = parsed->leaves + parsed->starts[tree];
            for (int64_t i = gold->starts[tree]; i < gold->starts[tree + 1]; i++)
                found += t->classes[gold->label[gold->leaf_node[gold->leaves[i]]]] ==
                         t->classes[parsed->label[parsed->leaf_node[*other++]]];
        }
        t->equal[tree] = found;
    }
}
