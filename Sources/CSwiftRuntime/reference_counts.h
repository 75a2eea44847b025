// The reference counts of objects.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A runtime may lack it.
void *_Nullable swift_tryRetain(void *_Nonnull object) __attribute__((weak));

static inline bool hasTryRetain(void) { return swift_tryRetain != NULL; }

// Adds a reference to an object and returns the object, unless its last reference is gone: then null. One atomic step.
// The object's memory must be there.
static inline void *_Nullable tryRetain(void *_Nonnull object) { return swift_tryRetain(object); }

// The word of a Swift object that holds its reference counts. What comes before this in the program, releases and other
// references' retains above all, has happened by then: an optimiser is free to move retains past a plain load.
static inline uint64_t referenceCounts(const void *_Nonnull object) {
  __asm__ volatile("" ::: "memory");
  uint64_t counts = __atomic_load_n((const uint64_t *)object + 1, __ATOMIC_ACQUIRE);
  __asm__ volatile("" ::: "memory");
  return counts;
}
