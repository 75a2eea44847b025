// The runtime's reflection of stored properties, as `Mirror` uses it: names, types and offsets. The calling conventions
// of C and Swift agree for these functions. A runtime may lack them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *_Nullable name;
  void (*_Nullable freeName)(const char *_Nullable);
  bool isStrong, isVariable;
} ReflectedFieldNotes;

intptr_t swift_reflectionMirror_recursiveCount(const void *_Nonnull type) __attribute__((weak));
intptr_t swift_reflectionMirror_recursiveChildOffset(const void *_Nonnull type, intptr_t index)
    __attribute__((weak));
const void *_Nonnull swift_reflectionMirror_recursiveChildMetadata(
    const void *_Nonnull type, intptr_t index, ReflectedFieldNotes *_Nonnull notes) __attribute__((weak));

static inline bool hasFieldReflection(void) {
  return swift_reflectionMirror_recursiveCount && swift_reflectionMirror_recursiveChildOffset &&
         swift_reflectionMirror_recursiveChildMetadata;
}

static inline intptr_t reflectedFieldCount(const void *_Nonnull type) {
  return swift_reflectionMirror_recursiveCount(type);
}

static inline intptr_t reflectedFieldOffset(const void *_Nonnull type, intptr_t index) {
  return swift_reflectionMirror_recursiveChildOffset(type, index);
}

static inline const void *_Nonnull reflectedFieldType(
    const void *_Nonnull type, intptr_t index, ReflectedFieldNotes *_Nonnull notes) {
  return swift_reflectionMirror_recursiveChildMetadata(type, index, notes);
}
