/* The inner loops of reading and deriving, for machines that have a C compiler.
 *
 * Each function does what the NumPy code that calls it does, to the same outcome
 * (tests/model/test_kernel.py holds them equal); where nothing is compiled, that code
 * does it. Plain C, no Python: arrays come as pointers, and what they hold is said
 * where they are made. hatch_build.py compiles all files of this folder to one library.
 */

#ifndef SPINAL_COMMON_H
#define SPINAL_COMMON_H

#include <stdint.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* A function that Python calls. The library carries its parameters as text, and Python
 * reads there what each of them takes: the two cannot disagree. Pointers to what is
 * const are arrays that are read, others are arrays that are written to. */
#define FUNCTION(result, name, ...)                                         \
    EXPORT const char spinal_parameters_##name[] = #result ", " #__VA_ARGS__; \
    EXPORT result spinal_##name(__VA_ARGS__)

/* Kinds of bytes, as in formats/penn/scanner.py. */
enum { ATOM = 0, SPACE = 1, OPEN = 3, CLOSE = 5 };

/* Words that are none, as in derivation/columns.py. */
enum { NO_WORD = -1, ROOT_WORD = -2 };

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

/* A number spread over 64 bits: see mix in model/arrays.py. */
static inline uint64_t mix(uint64_t value)
{
    value = (value + 1) * GOLDEN;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
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

#endif
