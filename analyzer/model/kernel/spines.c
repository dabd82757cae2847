#include "common.h"

/* A derivation: see derivation/columns.py. */
typedef struct {
    /* the brackets, and all kept leaves, in order */
    const int64_t *row;
    int64_t rows;
    const int64_t *leaves; /* no leaf twice */
    int64_t leaf_count;
    /* of the treebank, labels as patterns know them */
    const int32_t *label, *first, *last;
    const int64_t *leaf_node;
    /* of the labeller */
    const uint64_t *mixed; /* per label, as a phrase and as a tag */
    table_t productions;
    /* what is written: per bracket */
    uint64_t *key;
    int64_t *production; /* -1 where it is unknown */
    uint64_t *power;     /* room to work in */
    int64_t unknown;
    /* per kept node: its parent among brackets or -1, its number among sisters */
    int32_t *parent, *position;
    int32_t *node_bracket; /* which bracket it is, or -1 */
    int64_t *node_leaf;    /* which leaf it is, or -1 */
    int32_t *open;         /* room to work in */
    int64_t nodes;
} family_t;

/* Who is whose child among kept nodes, and the production of each bracket. */
EXPORT void spinal_families(family_t *f)
{
    int64_t node = 0, row = 0, leaf = 0, depth = 0, unknown = 0;
    while (row < f->rows || leaf < f->leaf_count) {
        int64_t place = leaf < f->leaf_count ? f->leaf_node[f->leaves[leaf]] : -1;
        int is_leaf = row >= f->rows || (place >= 0 && place < f->row[row]);
        int64_t first = is_leaf ? f->leaves[leaf] : f->first[f->row[row]];
        while (depth && f->last[f->row[f->open[depth - 1]]] <= first)
            depth--;
        int32_t parent = depth ? f->open[depth - 1] : -1;
        int32_t label = f->label[is_leaf ? place : f->row[row]];
        f->parent[node] = parent;
        f->position[node] = 0;
        if (parent >= 0) {
            f->position[node] = (int32_t)f->production[parent]++;
            f->key[parent] += f->mixed[2 * (int64_t)label + is_leaf] * f->power[parent];
            f->power[parent] *= GOLDEN;
        }
        if (is_leaf) {
            f->node_bracket[node] = -1;
            f->node_leaf[node] = f->leaves[leaf++];
        } else {
            f->node_bracket[node] = (int32_t)row;
            f->node_leaf[node] = -1;
            f->key[row] = f->mixed[2 * (int64_t)label];
            f->power[row] = GOLDEN;
            f->production[row] = 0; /* children so far */
            f->open[depth++] = (int32_t)row++;
        }
        node++;
    }
    f->nodes = node;
    for (row = 0; row < f->rows; row++) {
        f->production[row] = look_up(&f->productions, f->key[row]);
        unknown += f->production[row] < 0;
    }
    f->unknown = unknown;
}

/* Heads, spines and attachments, of what `spinal_families` found. */
typedef struct {
    int64_t nodes;
    const int32_t *parent, *position, *node_bracket;
    const int64_t *node_leaf, *production;
    const int64_t *leaf_word; /* per leaf of the treebank */
    /* of the labeller, per production; of its names, per construction */
    const int32_t *construction_of, *head_of;
    const uint8_t *covered, *is_recursive;
    /* what is written, per bracket */
    int32_t *construction;
    int64_t *head, *attachment, *governor;
    uint8_t *is_covered;
    int64_t *head_leaf; /* room to work in */
    int32_t *top;       /* per leaf of the treebank, as are the next; all -1 */
    int32_t *top_simple;
} spines_t;

EXPORT void spinal_spines(spines_t *s)
{
    /* Children come after parents: backwards, a head is known before it is asked. */
    for (int64_t node = s->nodes - 1; node >= 0; node--) {
        int32_t parent = s->parent[node], own = s->node_bracket[node];
        if (parent >= 0 && s->position[node] == s->head_of[s->production[parent]])
            s->head_leaf[parent] = own < 0 ? s->node_leaf[node] : s->head_leaf[own];
    }
    for (int64_t node = 0; node < s->nodes; node++) {
        int32_t own = s->node_bracket[node];
        if (own < 0)
            continue;
        int64_t production = s->production[own], leaf = s->head_leaf[own];
        int32_t construction = s->construction_of[production];
        if (s->top[leaf] < 0)
            s->top[leaf] = (int32_t)node;
        int32_t above = s->parent[s->top[leaf]];
        int64_t governor =
            above < 0 ? ROOT_WORD : s->leaf_word[s->head_leaf[above]];
        int carries = 0;
        if (!s->is_recursive[construction] && s->top_simple[leaf] < 0) {
            s->top_simple[leaf] = (int32_t)node;
            carries = 1;
        }
        s->construction[own] = construction;
        s->is_covered[own] = s->covered[production];
        s->head[own] = s->leaf_word[leaf];
        s->governor[own] = governor;
        s->attachment[own] = carries ? governor : NO_WORD;
    }
}
