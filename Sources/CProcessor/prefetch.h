// The processor's instruction that asks for memory before it is needed, which Swift has no function for.

#ifndef OPENREALM_PREFETCH_H
#define OPENREALM_PREFETCH_H

// Has the cache line at an address fetched while the program goes on. Any address will do, also none that there is.
static inline void openrealm_prefetch(const void *address) { __builtin_prefetch(address); }

// The same for a number of cache lines of 64 bytes.
static inline void openrealm_prefetch_lines(const void *address, long count) {
  for (long line = 0; line < count; line++) __builtin_prefetch((const char *)address + line * 64);
}

#endif
