// What Swift's runtime knows of the images that are loaded.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const void *_Nullable start;
  uintptr_t size;
} MetadataSection;

// The beginning of what the runtime keeps for each image (swift/stdlib/public/runtime, MetadataSections).
typedef struct {
  uintptr_t version;
  const void *_Nullable baseAddress;
  const void *_Nullable unused[2];
  MetadataSection protocols, conformances, types;
} MetadataSections;

void swift_enumerateAllMetadataSections(
    bool (*_Nonnull body)(const void *_Nonnull sections, void *_Nullable context),
    void *_Nullable context) __attribute__((weak));

// Calls the body for each image; false when the runtime has no such function.
static inline bool forEachMetadataSections(
    bool (*_Nonnull body)(const void *_Nonnull sections, void *_Nullable context), void *_Nullable context) {
  if (!swift_enumerateAllMetadataSections) return false;
  swift_enumerateAllMetadataSections(body, context);
  return true;
}
