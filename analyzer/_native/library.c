#include "common.h"

/* A checksum of all these files: what was compiled from others is not used. */
#ifndef SPINAL_SOURCE
#define SPINAL_SOURCE 0
#endif

EXPORT uint32_t spinal_source(void) { return SPINAL_SOURCE; }
