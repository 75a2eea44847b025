// Looking for two bytes at once that stand at a fixed distance, with the processor's vectors. Swift has no function that
// makes bits of the lanes of a vector, and none for vectors that only some processors have.
//
// Nothing of the C library is included: Swift finds its declarations in one module only.

#ifndef OPENREALM_PAIR_SEARCH_H
#define OPENREALM_PAIR_SEARCH_H

// How many bytes ahead of what is compared memory is asked for: the processor itself looks no further than to the end of a
// page of 4,096 bytes.
#define OPENREALM_SEARCH_AHEAD 1024

typedef unsigned char openrealm_16_bytes __attribute__((vector_size(16)));
typedef unsigned long long openrealm_2_words __attribute__((vector_size(16)));

// The first place in start..<end where `a` is in the first memory and `b` in the second; `end` when there is none. Both
// have `end` bytes at least.
static inline long openrealm_find_pair_rest(
  const unsigned char *first, unsigned char a, const unsigned char *second, unsigned char b, long start, long end
) {
  for (; start < end; start++) {
    if (first[start] == a && second[start] == b) return start;
  }
  return end;
}

// The same, sixteen places at a time.
static inline long openrealm_find_pair(
  const void *first_memory, unsigned char a, const void *second_memory, unsigned char b, long start, long end
) {
  const unsigned char *first = (const unsigned char *)first_memory, *second = (const unsigned char *)second_memory;
  for (; start + 16 <= end; start += 16) {
    openrealm_16_bytes x, y;
    __builtin_prefetch(first + start + OPENREALM_SEARCH_AHEAD);
    __builtin_memcpy(&x, first + start, 16);
    __builtin_memcpy(&y, second + start, 16);
    openrealm_2_words found = (openrealm_2_words)((x == a) & (y == b));
    if ((found[0] | found[1]) == 0) continue;
    return found[0] != 0 ? start + __builtin_ctzll(found[0]) / 8 : start + 8 + __builtin_ctzll(found[1]) / 8;
  }
  return openrealm_find_pair_rest(first, a, second, b, start, end);
}

#if defined(__x86_64__)
typedef char openrealm_32_bytes __attribute__((vector_size(32)));

static inline int openrealm_processor_has_avx2(void) { return __builtin_cpu_supports("avx2") != 0; }

// The same, thirty-two places at a time. Only where the processor has AVX2.
__attribute__((target("avx2"))) static inline long openrealm_find_pair_avx2(
  const void *first_memory, unsigned char a, const void *second_memory, unsigned char b, long start, long end
) {
  const unsigned char *first = (const unsigned char *)first_memory, *second = (const unsigned char *)second_memory;
  for (; start + 32 <= end; start += 32) {
    openrealm_32_bytes x, y;
    __builtin_prefetch(first + start + OPENREALM_SEARCH_AHEAD);
    __builtin_memcpy(&x, first + start, 32);
    __builtin_memcpy(&y, second + start, 32);
    unsigned found = (unsigned)__builtin_ia32_pmovmskb256((x == (char)a) & (y == (char)b));
    if (found != 0) return start + __builtin_ctz(found);
  }
  return openrealm_find_pair_rest(first, a, second, b, start, end);
}
#else
static inline int openrealm_processor_has_avx2(void) { return 0; }
static inline long openrealm_find_pair_avx2(
  const void *first, unsigned char a, const void *second, unsigned char b, long start, long end
) {
  return openrealm_find_pair(first, a, second, b, start, end);
}
#endif

#endif
