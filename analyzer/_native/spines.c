#include "common.h"

/* A derivation: see derivation/columns.py. */

/* Who is whose child among kept nodes, and the production of each bracket, or -1 where
 * it is unknown. Beside it, marks: punctuation that was deleted and stands right below
 * brackets whose patterns see it. How many productions are unknown; if none is, and none
 * with marks, brackets with marks have theirs. No leaf may stand twice. */
FUNCTION(int64_t, parents,
         /* the brackets, and all kept leaves, in order; all leaves of the treebank */
         const int64_t *row, int64_t rows, const int64_t *leaves, int64_t leaf_count,
         int64_t all_leaves,
         /* of the treebank, labels as patterns know them */
         const int32_t *labels, const int32_t *firsts, const int32_t *lasts,
         const int64_t *leaf_node,
         /* of the labeller: per label, as a phrase and as a tag; of productions */
         const uint64_t *mixed, const int64_t *slots, const uint64_t *keys, int64_t size,
         int32_t slot_bits, int32_t first_has_key,
         /* per label: a kind of mark, from 1, or -1 if it is a phrase whose patterns see
          * marks; NULL if none does. Of productions with marks, the same as of
          * productions, and the production of each */
         const int32_t *kinds, const int64_t *marked_slots, const uint64_t *marked_keys,
         int64_t marked_size, int32_t marked_bits, int32_t first_marked_has_key,
         const int64_t *marked,
         /* what is written, per bracket; room to work in, the last of zeros */
         int64_t *production, uint64_t *key, uint64_t *power, int32_t *open,
         uint64_t *mark_key,
         /* per kept node: its parent among brackets or -1, its number among sisters;
          * which bracket it is, or -1; which leaf it is, or -1 */
         int32_t *parent_of, int32_t *position, int32_t *node_bracket,
         int64_t *node_leaf,
         /* per mark: its bracket, so many children before it, its kind; room to work in;
          * how many there are, 0 if all is known */
         int32_t *owner, int32_t *before, int32_t *kind, int64_t *numbers,
         int64_t *marks)
{
    const table_t productions = {slots, keys, size, slot_bits, first_has_key};
    const table_t with_marks = {marked_slots, marked_keys, marked_size, marked_bits,
                                first_marked_has_key};
    int64_t node = 0, bracket = 0, leaf = 0, depth = 0, unknown = 0;
    int64_t seen = kinds ? 0 : all_leaves, found = 0;
    for (;;) {
        int is_end = bracket >= rows && leaf >= leaf_count;
        int64_t place = leaf < leaf_count ? leaf_node[leaves[leaf]] : -1;
        int is_leaf = bracket >= rows || (place >= 0 && place < row[bracket]);
        int64_t first = is_end    ? all_leaves
                        : is_leaf ? leaves[leaf]
                                  : firsts[row[bracket]];
        for (; seen < first; seen++) { /* what was deleted, up to here */
            int32_t own_kind = kinds[labels[leaf_node[seen]]];
            if (own_kind <= 0)
                continue;
            while (depth && lasts[row[open[depth - 1]]] <= seen)
                depth--;
            if (!depth || kinds[labels[row[open[depth - 1]]]] >= 0)
                continue;
            int32_t own = owner[found] = open[depth - 1];
            before[found] = (int32_t)production[own];
            kind[found++] = own_kind;
            /* As in Labeller.with_marks. */
            mark_key[own] += mix((uint64_t)production[own] << 8 | (uint64_t)own_kind);
        }
        if (is_end)
            break;
        while (depth && lasts[row[open[depth - 1]]] <= first)
            depth--;
        int32_t parent = depth ? open[depth - 1] : -1;
        int64_t label = labels[is_leaf ? place : row[bracket]];
        parent_of[node] = parent;
        position[node] = 0;
        if (parent >= 0) {
            position[node] = (int32_t)production[parent]++;
            key[parent] += mixed[2 * label + is_leaf] * power[parent];
            power[parent] *= GOLDEN;
        }
        if (is_leaf) {
            node_bracket[node] = -1;
            node_leaf[node] = leaves[leaf++];
            seen = kinds ? first + 1 : seen;
        } else {
            node_bracket[node] = (int32_t)bracket;
            node_leaf[node] = -1;
            key[bracket] = mixed[2 * label];
            power[bracket] = GOLDEN;
            production[bracket] = 0; /* children so far */
            open[depth++] = (int32_t)bracket++;
        }
        node++;
    }
    for (bracket = 0; bracket < rows; bracket++) {
        production[bracket] = look_up(&productions, key[bracket]);
        unknown += production[bracket] < 0;
    }
    *marks = found;
    if (unknown)
        return unknown;
    for (int64_t mark = 0; mark < found; mark++) {
        uint64_t base = mix((uint64_t)production[owner[mark]]);
        numbers[mark] = look_up(&with_marks, mark_key[owner[mark]] + base);
        if (numbers[mark] < 0)
            return 0;
    }
    for (int64_t mark = 0; mark < found; mark++)
        production[owner[mark]] = marked[numbers[mark]];
    *marks = 0;
    return 0;
}

/* Heads, spines and attachments, of what `parents` found. */
FUNCTION(void, spines, int64_t nodes, const int32_t *parent_of, const int32_t *position,
         const int32_t *node_bracket, const int64_t *node_leaf,
         const int64_t *production_of,
         /* per leaf of the treebank */
         const int64_t *leaf_word,
         /* of the labeller, per production; of its names, per construction */
         const int32_t *construction_of, const int32_t *head_of, const uint8_t *covered,
         const uint8_t *is_recursive,
         /* what is written, per bracket */
         int32_t *constructions, int64_t *head, int64_t *attachment, int64_t *governors,
         uint8_t *is_covered,
         /* room to work in: per bracket, of zeros; per leaf of the treebank, all -1 */
         int64_t *head_leaf, int32_t *top, int32_t *top_simple)
{
    /* Children come after parents: backwards, a head is known before it is asked. */
    for (int64_t node = nodes - 1; node >= 0; node--) {
        int32_t parent = parent_of[node], own = node_bracket[node];
        if (parent >= 0 && position[node] == head_of[production_of[parent]])
            head_leaf[parent] = own < 0 ? node_leaf[node] : head_leaf[own];
    }
    for (int64_t node = 0; node < nodes; node++) {
        int32_t own = node_bracket[node];
        if (own < 0)
            continue;
        int64_t production = production_of[own], leaf = head_leaf[own];
        int32_t construction = construction_of[production];
        if (top[leaf] < 0)
            top[leaf] = (int32_t)node;
        int32_t above = parent_of[top[leaf]];
        int64_t governor = above < 0 ? ROOT_WORD : leaf_word[head_leaf[above]];
        int carries = 0;
        if (!is_recursive[construction] && top_simple[leaf] < 0) {
            top_simple[leaf] = (int32_t)node;
            carries = 1;
        }
        constructions[own] = construction;
        is_covered[own] = covered[production];
        head[own] = leaf_word[leaf];
        governors[own] = governor;
        attachment[own] = carries ? governor : NO_WORD;
    }
}

/* How often each bit is set in the codes of rows, by the cells of the rows. */
FUNCTION(void, count_bits, const int64_t *cell, const int32_t *code, int64_t rows,
         int64_t bits,
         /* what is added to: cells x bits */
         int32_t *counts)
{
    for (int64_t row = 0; row < rows; row++) {
        int32_t *of_cell = counts + bits * cell[row];
        for (uint32_t left = (uint32_t)code[row]; left; left >>= 1)
            *of_cell++ += (int32_t)(left & 1);
    }
}

/* Rows of numbers, added up by the cells of the rows. */
FUNCTION(void, sum_rows, const int64_t *cell, const int64_t *values, int64_t rows,
         int64_t columns,
         /* what is added to: cells x columns */
         int64_t *sums)
{
    for (int64_t row = 0; row < rows; row++) {
        int64_t *of_cell = sums + columns * cell[row];
        for (int64_t column = 0; column < columns; column++)
            of_cell[column] += *values++;
    }
}
