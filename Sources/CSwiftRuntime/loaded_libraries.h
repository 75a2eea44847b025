// The program and its libraries as they lie in memory and in their files, and where their thread-local variables are.
#pragma once

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

// What <link.h> calls dl_phdr_info, and only shows to programs that ask for all of GNU's names.
typedef struct {
  Elf64_Addr address;
  const char *_Nullable name;
  const Elf64_Phdr *_Nullable headers;
  Elf64_Half headerCount;
  unsigned long long additions, removals;
  size_t module;
  const void *_Nullable threadLocals;
} LoadedLibrary;

int forEachLoadedLibrary(
    int (*_Nonnull body)(const LoadedLibrary *_Nonnull, size_t, void *_Nullable),
    void *_Nullable context) __asm__("dl_iterate_phdr");

// The variables of one library on the current thread.
typedef struct {
  const void *_Nullable start;
  size_t size;
} ThreadLocalBlock;

typedef struct {
  ThreadLocalBlock *_Nonnull blocks;
  size_t limit, count;
} ThreadLocalBlocks;

static int noteThreadLocalBlock(const LoadedLibrary *_Nonnull library, size_t size, void *_Nullable context) {
  ThreadLocalBlocks *found = (ThreadLocalBlocks *)context;
  if (size < sizeof(LoadedLibrary) || !library->threadLocals) return 0;
  for (int index = 0; index < library->headerCount && found->count < found->limit; index++)
    if (library->headers[index].p_type == PT_TLS)
      found->blocks[found->count++] =
          (ThreadLocalBlock){library->threadLocals, library->headers[index].p_memsz};
  return 0;
}

// Fills in the blocks of the current thread. Returns their number, which is at most the limit.
static inline size_t threadLocalBlocks(ThreadLocalBlock *_Nonnull blocks, size_t limit) {
  ThreadLocalBlocks found = {blocks, limit, 0};
  forEachLoadedLibrary(noteThreadLocalBlock, &found);
  return found.count;
}
