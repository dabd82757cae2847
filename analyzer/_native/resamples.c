#include "common.h"

/* Random numbers that are counted: see metrics/significance.py. */
static inline double uniform(uint64_t place)
{
    return (double)(int64_t)(mix(place) >> 11) * 0x1p-53;
}

/* Where to begin to look in a distribution function, for numbers from 0 to 1/GUIDES,
 * and so on. */
enum { GUIDES = 512 };

static inline int32_t looked_up(const double *chance, int64_t last, const int32_t *guide,
                                double found)
{
    int32_t k = guide[(int)(found * GUIDES)];
    while (k < last && chance[k] <= found)
        k++;
    return k;
}

/* Sentences drawn with replacement, by how many there are of each kind. */
enum { COLUMNS = 4 };

/* What the draws of a kind take: its counts, and its distribution function. */
typedef struct {
    const double *row, *chances;
    int64_t last;
    const int32_t *guide;
} kind_t;

/* The next draw of a kind, for one resample. */
static inline void draw_kind(const kind_t *kind, uint64_t place, int64_t *drawn,
                             double *sums)
{
    int32_t times = looked_up(kind->chances, kind->last, kind->guide, uniform(place));
    *drawn += times;
    for (int column = 0; column < COLUMNS; column++)
        sums[column] += times * kind->row[column];
}

/* `rows` are kinds x COLUMNS, whole numbers, `sums` are resamples x COLUMNS; `kind_of`
 * is per sentence that counts. Distribution functions are of draws that count (`hits`),
 * and of kinds, one after the other: where they begin, and which is each kind's. There
 * is room to work in, per resample. */
FUNCTION(void, drawn, const double *rows, int64_t kinds, const int32_t *kind_of,
         int64_t sentences, const double *hits, int64_t last_hit, int64_t fewest_hits,
         const double *chances, const int64_t *starts, const int64_t *which,
         const int32_t *hit_guide, const int32_t *guides, uint64_t start,
         int64_t resamples, uint64_t *places, int64_t *drawn, double *sums)
{
#define KIND(k)                                                                \
    {rows + (k) * COLUMNS, chances + starts[which[k]],                         \
     starts[which[k] + 1] - starts[which[k]] - 1, guides + which[k] * GUIDES}
    for (int64_t r = 0; r < resamples; r++) {
        places[r] = mix(start + (uint64_t)r) + 1;
        drawn[r] = 0;
    }
    memset(sums, 0, (size_t)(resamples * COLUMNS) * sizeof *sums);
    /* Kind by kind, so that what belongs to one is at hand. */
    for (int64_t k = 0; k < kinds; k++) {
        const kind_t kind = KIND(k);
        for (int64_t r = 0; r < resamples; r++)
            draw_kind(&kind, places[r] + (uint64_t)k, drawn + r, sums + r * COLUMNS);
    }
    for (int64_t r = 0; r < resamples; r++, sums += COLUMNS) {
        double more[COLUMNS] = {0};
        uint64_t place = places[r] + (uint64_t)kinds;
        int64_t wanted = fewest_hits +
                         looked_up(hits, last_hit, hit_guide, uniform(places[r] - 1));
        while (drawn[r] > wanted) {
            memset(sums, 0, COLUMNS * sizeof *sums);
            drawn[r] = 0;
            for (int64_t k = 0; k < kinds; k++) {
                const kind_t kind = KIND(k);
                draw_kind(&kind, place++, drawn + r, sums);
            }
        }
        for (int64_t so_far = drawn[r]; so_far < wanted; so_far++) {
            int64_t one = (int64_t)(uniform(place++) * (double)sentences);
            int64_t k = kind_of[one < sentences ? one : sentences - 1];
            for (int column = 0; column < COLUMNS; column++)
                more[column] += rows[k * COLUMNS + column];
        }
        for (int column = 0; column < COLUMNS; column++)
            sums[column] += more[column];
    }
#undef KIND
}

/* How many bits are set: quicker than the function that compilers call for any
 * processor. */
static inline int64_t ones(uint64_t bits)
{
    bits -= (bits >> 1) & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + ((bits >> 2) & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (int64_t)((bits * 0x0101010101010101u) >> 56);
}

/* Sentences each chosen with probability one half, by how many there are of a kind. */
FUNCTION(void, swapped, const int64_t *rows, int64_t kinds, int64_t columns,
         const int64_t *times, uint64_t start, int64_t resamples, double *sums)
{
    for (int64_t resample = 0; resample < resamples; resample++, sums += columns) {
        uint64_t place = mix(start + (uint64_t)resample);
        for (int64_t kind = 0; kind < kinds; kind++) {
            int64_t chosen = 0, left = times[kind];
            for (; left >= 64; left -= 64)
                chosen += ones(mix(place++));
            if (left > 0)
                chosen += ones(mix(place++) & (~(uint64_t)0 >> (64 - left)));
            for (int64_t column = 0; column < columns; column++)
                sums[column] += (double)(chosen * rows[kind * columns + column]);
        }
    }
}
