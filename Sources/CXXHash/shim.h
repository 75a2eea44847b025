// XXH3 of the library xxHash, compiled into whoever imports it: programs link no library for it.

#ifndef OPENREALM_XXHASH_H
#define OPENREALM_XXHASH_H

#if !__has_include(<xxhash.h>)
#error "<xxhash.h> is missing: install xxHash with: apt-get install libxxhash-dev"
#endif

#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct { unsigned long long low, high; } openrealm_sum128;

// XXH3-128 of some bytes.
static inline openrealm_sum128 openrealm_xxh3(const void *bytes, unsigned long size) {
  const XXH128_hash_t sum = XXH3_128bits(bytes, size);
  const openrealm_sum128 result = {sum.low64, sum.high64};
  return result;
}

#endif
