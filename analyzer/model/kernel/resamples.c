#include "common.h"

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

/* Random numbers that are counted: see metrics/pools.py. */
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

typedef struct {
    const double *rows; /* kinds x COLUMNS, whole numbers */
    int64_t kinds;
    const int32_t *kind_of; /* per sentence that counts */
    int64_t sentences;
    /* distribution functions: of draws that count, and of kinds, one after the other */
    const double *hits;
    int64_t last_hit, fewest_hits;
    const double *chances;
    const int64_t *starts, *which; /* where they begin; which is each kind's */
    const int32_t *hit_guide, *guides;
    uint64_t start;
    int64_t resamples;
    uint64_t *place; /* room to work in, per resample */
    int64_t *drawn;  /* the same */
    double *sums;    /* resamples x COLUMNS */
} drawn_t;

/* The next draw of a kind, for some resamples. */
static inline void draw_kind(const drawn_t *d, int64_t kind, uint64_t offset, int64_t from,
                             int64_t to)
{
    int64_t which = d->which[kind], first = d->starts[which];
    int64_t last = d->starts[which + 1] - first - 1;
    const double *chance = d->chances + first, *row = d->rows + kind * COLUMNS;
    const int32_t *guide = d->guides + which * GUIDES;
    for (int64_t r = from; r < to; r++) {
        int32_t times = looked_up(chance, last, guide, uniform(d->place[r] + offset));
        d->drawn[r] += times;
        for (int column = 0; column < COLUMNS; column++)
            d->sums[r * COLUMNS + column] += times * row[column];
    }
}

EXPORT void spinal_drawn(const drawn_t *d)
{
    int64_t kinds = d->kinds, resamples = d->resamples;
    for (int64_t r = 0; r < resamples; r++) {
        d->place[r] = mix(d->start + (uint64_t)r) + 1;
        d->drawn[r] = 0;
    }
    memset(d->sums, 0, (size_t)(resamples * COLUMNS) * sizeof *d->sums);
    /* Kind by kind, so that what belongs to one is at hand. */
    for (int64_t kind = 0; kind < kinds; kind++)
        draw_kind(d, kind, (uint64_t)kind, 0, resamples);
    for (int64_t r = 0; r < resamples; r++) {
        double *sums = d->sums + r * COLUMNS, more[COLUMNS] = {0};
        uint64_t place = d->place[r] + (uint64_t)kinds;
        int64_t hits = d->fewest_hits + looked_up(d->hits, d->last_hit, d->hit_guide,
                                                  uniform(d->place[r] - 1));
        for (; d->drawn[r] > hits; place += (uint64_t)kinds) {
            memset(sums, 0, COLUMNS * sizeof *sums);
            d->drawn[r] = 0;
            d->place[r] = place;
            for (int64_t kind = 0; kind < kinds; kind++)
                draw_kind(d, kind, (uint64_t)kind, r, r + 1);
        }
        for (int64_t drawn = d->drawn[r]; drawn < hits; drawn++) {
            int64_t one = (int64_t)(uniform(place++) * (double)d->sentences);
            int64_t kind = d->kind_of[one < d->sentences ? one : d->sentences - 1];
            for (int column = 0; column < COLUMNS; column++)
                more[column] += d->rows[kind * COLUMNS + column];
        }
        for (int column = 0; column < COLUMNS; column++)
            sums[column] += more[column];
    }
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
EXPORT void spinal_swapped(const int64_t *rows, int64_t kinds, int64_t columns,
                           const int64_t *times, uint64_t start, int64_t resamples,
                           double *sums)
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
