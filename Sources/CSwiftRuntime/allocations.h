// Memory as the runtime takes it from the C library.
#pragma once

#include <malloc.h>
#include <string.h>

// A copy of some bytes in memory of malloc(). It stops the program when there is no more.
static inline void *_Nonnull copyOf(const void *_Nonnull bytes, size_t size) {
  void *copy = malloc(size);
  if (!copy) __builtin_trap();
  return memcpy(copy, bytes, size);
}
