// The smallest and the largest of many integers, with the vectors of processors that have AVX2: the ones that all x86-64
// processors have cannot compare integers of 64 bits, and Swift compiles no function for some processors only.

#ifndef OPENREALM_INTEGER_RANGE_H
#define OPENREALM_INTEGER_RANGE_H

typedef struct {
  long long low, high;
} openrealm_integer_range;

// Extends a range by the `count` integers in memory, which need not be aligned.
static inline openrealm_integer_range openrealm_extend_range(
  openrealm_integer_range range, const void *memory, long count
) {
  const char *values = (const char *)memory;
  // Each comparison waits for the one before it: two rows of them wait less.
  openrealm_integer_range other = range;
  for (long index = 0; index < count; index++) {
    long long value;
    __builtin_memcpy(&value, values + index * 8, 8);
    range.low = __builtin_elementwise_min(range.low, value);
    range.high = __builtin_elementwise_max(range.high, value);
    if (++index == count) break;
    __builtin_memcpy(&value, values + index * 8, 8);
    other.low = __builtin_elementwise_min(other.low, value);
    other.high = __builtin_elementwise_max(other.high, value);
  }
  range.low = __builtin_elementwise_min(range.low, other.low);
  range.high = __builtin_elementwise_max(range.high, other.high);
  return range;
}

#if defined(__x86_64__)
typedef long long openrealm_4_integers __attribute__((vector_size(32)));

// The same, sixteen at a time. Only where the processor has AVX2.
__attribute__((target("avx2"))) static inline openrealm_integer_range openrealm_extend_range_avx2(
  openrealm_integer_range range, const void *memory, long count
) {
  openrealm_4_integers lows[4], highs[4];
  for (int row = 0; row < 4; row++) {
    lows[row] = (openrealm_4_integers){range.low, range.low, range.low, range.low};
    highs[row] = (openrealm_4_integers){range.high, range.high, range.high, range.high};
  }
  const char *values = (const char *)memory;
  long index = 0;
  for (; index + 16 <= count; index += 16) {
    for (int row = 0; row < 4; row++) {
      openrealm_4_integers value;
      __builtin_memcpy(&value, values + index * 8 + row * 32, 32);
      lows[row] = __builtin_elementwise_min(lows[row], value);
      highs[row] = __builtin_elementwise_max(highs[row], value);
    }
  }
  for (int row = 0; row < 4; row++) {
    for (int lane = 0; lane < 4; lane++) {
      range.low = __builtin_elementwise_min(range.low, (long long)lows[row][lane]);
      range.high = __builtin_elementwise_max(range.high, (long long)highs[row][lane]);
    }
  }
  return openrealm_extend_range(range, values + index * 8, count - index);
}
#else
static inline openrealm_integer_range openrealm_extend_range_avx2(
  openrealm_integer_range range, const void *memory, long count
) {
  return openrealm_extend_range(range, memory, count);
}
#endif

#endif
