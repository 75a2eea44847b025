// Calls of the system for which the C library has no functions that Swift could call.
//
// Nothing of the C library is included: Swift finds its declarations in one module only.

#ifndef OPENREALM_SYSTEM_CALLS_H
#define OPENREALM_SYSTEM_CALLS_H

#include <asm/unistd.h>

extern long syscall(long number, ...);
// Older C libraries do not have it.
extern int renameat2(int, const char *, int, const char *, unsigned) __attribute__((weak));

// Waits while the word has this value, but not longer than that. Returns 0 or -1 with an error number; never faults.
static inline long openrealm_futex_wait(const void *word, unsigned value, long seconds) {
  struct { long seconds, nanoseconds; } timeout = {seconds, 0};
  return syscall(__NR_futex, word, /* FUTEX_WAIT */ 0, value, &timeout, 0, 0);
}

// Wakes all who wait for the word, in all processes.
static inline void openrealm_futex_wake(const void *word) {
  syscall(__NR_futex, word, /* FUTEX_WAKE */ 1, 0x7fffffff, 0, 0, 0);
}

// Gives a file another name unless there is one with it. Returns 0 or -1 with an error number.
static inline long openrealm_rename_unless_there(const char *from, const char *to) {
  const int here = /* AT_FDCWD */ -100, flags = /* RENAME_NOREPLACE */ 1;
  return renameat2 ? renameat2(here, from, here, to, flags) : syscall(__NR_renameat2, here, from, here, to, flags);
}

#endif
