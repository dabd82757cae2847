#include "common.h"

/* How many '(' and line ends there are, whether other bytes than ASCII, whether 0. */
FUNCTION(void, census, const uint8_t *text, int64_t size, int64_t *counts)
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
FUNCTION(int, is_utf8, const uint8_t *text, int64_t size)
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
FUNCTION(int, may_comment, const uint8_t *text, int64_t size)
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

/* Where lines end: the places after '\n', if `ends` is not NULL. How many. */
FUNCTION(int64_t, line_ends, const uint8_t *text, int64_t size, int64_t *ends)
{
    const uint8_t *at = text, *end = text + size;
    int64_t found = 0;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        at++;
        if (ends)
            ends[found] = at - text;
        found++;
    }
    return found;
}

/* Whether ' ()' or ' ))' is somewhere in a text. */
FUNCTION(int, has_bracket_word, const uint8_t *text, int64_t size)
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

/* Eight bytes as a number, the first one lowest: see `Symbols`. */
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
FUNCTION(int, scan, const uint8_t *text, int64_t size, const uint8_t *kinds, int by_lines,
         /* names that are known */
         const int64_t *slots, const uint64_t *keys, int64_t names, int32_t slot_bits,
         int32_t first_has_key,
         /* what is written, with room for every node; a label is -1 where the name is
          * unknown or long, and then the node and the length of its name are listed */
         int32_t *label, int32_t *depths, int32_t *first, int32_t *last,
         uint8_t *is_leaf, int64_t *label_start, int64_t *leaf_node,
         int64_t *form_start, int64_t *form_end, int64_t *unknown_node,
         int64_t *unknown_length,
         /* nodes and leaves before the end of each line */
         int64_t *line_nodes, int64_t *line_leaves,
         /* room to work in; how many leaves, lines and unknown names there are */
         int32_t *open, int64_t *counts)
{
    const table_t known = {slots, keys, names, slot_bits, first_has_key};
    int64_t nodes = 0, leaves = 0, lines = 0, unknown = 0, depth = 0, i = 0;
    while (i < size) {
        uint8_t byte = text[i];
        uint8_t kind = kinds[byte];
        if (kind == SPACE) {
            if (byte == '\n' && i > 0) {
                if (by_lines && depth)
                    return 0;
                line_nodes[lines] = nodes;
                line_leaves[lines++] = leaves;
            }
            i++;
            continue;
        }
        if (kind == CLOSE) {
            if (depth == 0)
                return 0;
            last[open[--depth]] = (int32_t)leaves;
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
        int64_t number = length > 8 ? -1 : look_up(&known, key);
        if (number < 0) {
            unknown_node[unknown] = node;
            unknown_length[unknown++] = length;
        }
        label[node] = (int32_t)number;
        label_start[node] = start;
        depths[node] = (int32_t)depth;
        first[node] = (int32_t)leaves;
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
            is_leaf[node] = 1;
            last[node] = (int32_t)leaves + 1;
            leaf_node[leaves] = node;
            form_start[leaves] = has_word ? word : label_end;
            form_end[leaves++] = has_word ? word_end : label_end;
            for (; newlines > 0; newlines--) {
                line_nodes[lines] = nodes;
                line_leaves[lines++] = leaves;
            }
            if (kinds[text[++i]] == ATOM && i < size)
                return 0;
            continue;
        }
        if (has_word)
            return 0;
        is_leaf[node] = 0;
        open[depth++] = (int32_t)node;
        i = label_end;
    }
    if (depth)
        return 0;
    counts[0] = leaves;
    counts[1] = lines;
    counts[2] = unknown;
    return 1;
}

/* Kinds of faults, as in formats/penn/faults.py, and bytes that are no text. */
enum { END = 1, NOT_OPEN, AFTER_WORD, SECOND_WORD, OUTSIDE, BESIDE, NO_TEXT };

/* The lines that are not well formed, of a text as `spinal_scan` takes it: for each its
 * number, start, end, the kind of its first fault, where what is at fault starts and
 * ends, and how many brackets are open. How many lines these are. `out` has room for
 * seven numbers a line, `open` for every bracket. */
FUNCTION(int64_t, faults, const uint8_t *text, int64_t size, const uint8_t *kinds,
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
