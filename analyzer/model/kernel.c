/* The inner loops of reading and deriving, for machines that have a C compiler.
 *
 * Each function does what the NumPy code that calls it does, to the same outcome
 * (tests/model/test_kernel.py holds them equal); without this file compiled, that
 * code does it. Plain C, no Python: arrays come as pointers, and what they hold is
 * said where they are made. hatch_build.py compiles it.
 */

#include <stdint.h>
#include <string.h>

#ifndef SPINAL_SOURCE
#define SPINAL_SOURCE 0
#endif

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* Kinds of bytes, as in formats/penn/scanner.py. */
enum { ATOM = 0, SPACE = 1, OPEN = 3, CLOSE = 5 };

/* Words that are none, as in derivation/columns.py. */
enum { NO_WORD = -1, ROOT_WORD = -2 };

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

/* A checksum of this text: what was compiled from another one is not used. */
EXPORT uint32_t spinal_source(void) { return SPINAL_SOURCE; }

/* How many '(' and line ends there are, whether other bytes than ASCII, whether 0. */
EXPORT void spinal_census(const uint8_t *text, int64_t size, int64_t *counts)
{
    memset(counts, 0, 4 * sizeof *counts);
    for (int64_t start = 0; start < size; start += 128) {
        /* So few at a time that counts fit a byte: compilers make good code of that. */
        int64_t end = start + 128 < size ? start + 128 : size;
        uint8_t opens = 0, lines = 0, high = 0, nul = 0;
        for (int64_t i = start; i < end; i++) {
            opens += text[i] == '(';
            lines += text[i] == '\n';
            high |= text[i];
            nul |= text[i] == 0;
        }
        counts[0] += opens;
        counts[1] += lines;
        counts[2] |= high >> 7;
        counts[3] |= nul;
    }
}

/* Whether a text is UTF-8, as Python has it: shortest forms only, no surrogates. */
EXPORT int spinal_is_utf8(const uint8_t *text, int64_t size)
{
    int64_t i = 0;
    while (i < size) {
        uint8_t a = text[i];
        if (a < 0x80) {
            i++;
            continue;
        }
        int more = a >= 0xF0 ? 3 : a >= 0xE0 ? 2 : 1;
        if (a < 0xC2 || a > 0xF4 || i + more >= size)
            return 0;
        uint8_t b = text[i + 1];
        uint8_t low = a == 0xE0 ? 0xA0 : a == 0xF0 ? 0x90 : 0x80;
        uint8_t high = a == 0xED ? 0x9F : a == 0xF4 ? 0x8F : 0xBF;
        if (b < low || b > high)
            return 0;
        for (int n = 2; n <= more; n++)
            if ((text[i + n] & 0xC0) != 0x80)
                return 0;
        i += more + 1;
    }
    return 1;
}

/* Whether a line begins with '#' or '*', and so may be a comment. */
EXPORT int spinal_may_comment(const uint8_t *text, int64_t size)
{
    const uint8_t *at = text, *end = text + size;
    while (at < end) {
        if (*at == '#' || *at == '*')
            return 1;
        at = memchr(at, '\n', (size_t)(end - at));
        if (at == NULL)
            return 0;
        at++;
    }
    return 0;
}

/* Whether ' ()' or ' ))' is somewhere in a text. */
EXPORT int spinal_has_bracket_word(const uint8_t *text, int64_t size)
{
    for (int64_t start = 2; start < size; start += 4096) {
        int64_t end = start + 4096 < size ? start + 4096 : size;
        uint8_t found = 0;
        for (int64_t i = start; i < end; i++)
            found |= (text[i] == ')') & (text[i - 2] == ' ') &
                     ((text[i - 1] == '(') | (text[i - 1] == ')'));
        if (found)
            return 1;
    }
    return 0;
}

/* Names that are known, by their first eight bytes: see model/arrays.KeyTable. */
typedef struct {
    const int64_t *slots;
    const uint64_t *keys;
    int64_t size; /* of keys */
    int32_t slot_bits;
    int32_t first_has_key;
} table_t;

/* The number of a key, or -1. */
static inline int64_t look_up(const table_t *table, uint64_t key)
{
    int64_t number = table->slots[(key * GOLDEN) >> (64 - table->slot_bits)];
    if (number >= table->size || table->keys[number] != key)
        return -1;
    return number == 0 && !table->first_has_key ? -1 : number;
}

/* What `spinal_scan` writes; all have room for every node, or every line. */
typedef struct {
    int32_t *label; /* -1 where the name is unknown or long */
    int32_t *depth;
    int32_t *first;
    int32_t *last;
    int32_t *open; /* room to work in */
    uint8_t *is_leaf;
    int64_t *label_start;
    int64_t *leaf_node;
    int64_t *form_start;
    int64_t *form_end;
    int64_t *unknown_node; /* whose label is -1 */
    int64_t *unknown_length;
    int64_t *line_nodes; /* nodes before the end of each line */
    int64_t *line_leaves;
    int64_t nodes, leaves, lines, unknown;
} scanned_t;

/* Eight bytes as a number, the first one lowest: see kernel.load. */
static inline uint64_t eight(const uint8_t *text)
{
    uint64_t value;
    memcpy(&value, text, 8);
    return value;
}

/* Where the atom ends that begins here, if any does. All bytes that end one are
 * smaller than LEAST_ATOM; some that do not are, too. */
enum { LEAST_ATOM = ')' + 1 };

static inline int64_t atom_end(const uint8_t *text, int64_t i, const uint8_t *kinds)
{
    const uint64_t each = 0x0101010101010101u;
    for (;;) {
        uint64_t value = eight(text + i);
        /* The lowest bit that is set is of the first byte that is so small. */
        uint64_t small = (value - each * LEAST_ATOM) & ~value & (each << 7);
        if (!small) {
            i += 8;
            continue;
        }
        i += __builtin_ctzll(small) >> 3;
        if (kinds[text[i]] != ATOM)
            return i;
        i++;
    }
}

/* The nodes of a text that begins with white space, and ends with sixteen bytes of it
 * that are not counted in `size`. 0 if it is irregular; if `by_lines`, also if a line
 * ends within a tree. */
EXPORT int spinal_scan(const uint8_t *text, int64_t size, const uint8_t *kinds,
                       const table_t *names, int by_lines, scanned_t *out)
{
    int64_t nodes = 0, leaves = 0, lines = 0, unknown = 0, depth = 0, i = 0;
    while (i < size) {
        uint8_t byte = text[i];
        uint8_t kind = kinds[byte];
        if (kind == SPACE) {
            if (byte == '\n' && i > 0) {
                if (by_lines && depth)
                    return 0;
                out->line_nodes[lines] = nodes;
                out->line_leaves[lines++] = leaves;
            }
            i++;
            continue;
        }
        if (kind == CLOSE) {
            if (depth == 0)
                return 0;
            out->last[out->open[--depth]] = (int32_t)leaves;
            /* An atom may not follow. */
            if (kinds[text[++i]] == ATOM && i < size)
                return 0;
            continue;
        }
        if (kind == ATOM)
            return 0; /* a word that is not in a leaf */
        int64_t start = ++i, node = nodes++;
        i = atom_end(text, i, kinds);
        int64_t length = i - start;
        uint64_t key = eight(text + start);
        if (length < 8)
            key &= ((uint64_t)1 << (8 * length)) - 1;
        int64_t number = length > 8 ? -1 : look_up(names, key);
        if (number < 0) {
            out->unknown_node[unknown] = node;
            out->unknown_length[unknown++] = length;
        }
        out->label[node] = (int32_t)number;
        out->label_start[node] = start;
        out->depth[node] = (int32_t)depth;
        out->first[node] = (int32_t)leaves;
        /* A leaf is '(', a label, white space, a word or none, ')'. */
        int64_t label_end = i, newlines = 0;
        while (i < size && kinds[text[i]] == SPACE)
            newlines += text[i++] == '\n';
        int64_t word = i, word_end = i = atom_end(text, i, kinds);
        while (i < size && kinds[text[i]] == SPACE)
            newlines += text[i++] == '\n';
        int has_word = word_end > word;
        if (i < size && kinds[text[i]] == CLOSE &&
            (has_word || (length > 0 && i > label_end))) {
            if (newlines && by_lines)
                return 0;
            out->is_leaf[node] = 1;
            out->last[node] = (int32_t)leaves + 1;
            out->leaf_node[leaves] = node;
            out->form_start[leaves] = has_word ? word : label_end;
            out->form_end[leaves++] = has_word ? word_end : label_end;
            for (; newlines > 0; newlines--) {
                out->line_nodes[lines] = nodes;
                out->line_leaves[lines++] = leaves;
            }
            if (kinds[text[++i]] == ATOM && i < size)
                return 0;
            continue;
        }
        if (has_word)
            return 0;
        out->is_leaf[node] = 0;
        out->open[depth++] = (int32_t)node;
        i = label_end;
    }
    if (depth)
        return 0;
    out->nodes = nodes;
    out->leaves = leaves;
    out->lines = lines;
    out->unknown = unknown;
    return 1;
}

/* Kinds of faults, as in formats/penn/faults.py, and bytes that are no text. */
enum { END = 1, NOT_OPEN, AFTER_WORD, SECOND_WORD, OUTSIDE, BESIDE, NO_TEXT };

/* The lines that are not well formed, of a text as `spinal_scan` takes it: for each its
 * number, start, end, the kind of its first fault, where what is at fault starts and
 * ends, and how many brackets are open. How many lines these are. `out` has room for
 * seven numbers a line, `open` for every bracket. */
EXPORT int64_t spinal_faults(const uint8_t *text, int64_t size, const uint8_t *kinds,
                             int64_t *open, int64_t *out)
{
    int64_t faults = 0, line = 0;
    for (int64_t start = 1; start < size; line++) {
        const uint8_t *stop = memchr(text + start, '\n', (size_t)(size - start));
        int64_t end = stop ? stop - text : size;
        int64_t i = start, depth = 0, at = 0, at_end = 0;
        int takes_word = 0, has_word = 0, kind = 0;
        if (memchr(text + start, 0, (size_t)(end - start)) ||
            !spinal_is_utf8(text + start, end - start)) {
            kind = NO_TEXT;
        }
        while (i < end && !kind) {
            uint8_t byte = kinds[text[i]];
            at = i;
            if (byte == SPACE) {
                i++;
            } else if (byte == OPEN) {
                open[depth++] = i;
                i = at_end = atom_end(text, i + 1, kinds);
                kind = has_word ? AFTER_WORD : 0;
                takes_word = 1;
            } else if (byte == CLOSE) {
                i = at_end = i + 1;
                if (!depth)
                    kind = NOT_OPEN;
                else
                    depth--;
                takes_word = has_word = 0;
            } else {
                i = at_end = atom_end(text, i, kinds);
                if (!takes_word)
                    kind = !depth ? OUTSIDE : has_word ? SECOND_WORD : BESIDE;
                takes_word = 0;
                has_word = 1;
            }
        }
        if (!kind && depth) {
            kind = END;
            at = at_end = open[depth - 1];
        }
        if (kind) {
            int64_t *fault = out + 7 * faults++;
            fault[0] = line;
            fault[1] = start;
            fault[2] = end;
            fault[3] = kind;
            fault[4] = at;
            fault[5] = at_end;
            fault[6] = depth;
        }
        start = end + 1;
    }
    return faults;
}

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

/* How often each group is drawn, resample by resample: see metrics/significance.py.
 * `out` is of zeros. */
EXPORT void spinal_draws(const uint32_t *drawn, int64_t resamples, int64_t size,
                         const int32_t *group, int64_t groups, float *out)
{
    for (int64_t row = 0; row < resamples; row++, drawn += size, out += groups)
        for (int64_t i = 0; i < size; i++)
            out[group[drawn[i]]] += 1;
}

/* How many of each group are chosen, resample by resample. */
EXPORT void spinal_choices(const uint8_t *chosen, int64_t resamples, int64_t size,
                           const int32_t *group, int64_t groups, float *out)
{
    for (int64_t row = 0; row < resamples; row++, chosen += size, out += groups)
        for (int64_t i = 0; i < size; i++)
            out[group[i]] += chosen[i];
}
