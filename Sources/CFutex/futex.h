// The kernel's futexes, for which the C library has no functions, and Swift no variadic ones.
//
// Nothing of the C library is included: Swift finds its declarations in one module only.

#ifndef OPENREALM_FUTEX_H
#define OPENREALM_FUTEX_H

#include <asm/unistd.h>

extern long syscall(long number, ...);

// Waits while the word has this value, but not longer than that. Returns 0 or -1 with an error number; never faults.
static inline long openrealm_futex_wait(const void *word, unsigned value, long seconds) {
  struct { long seconds, nanoseconds; } timeout = {seconds, 0};
  return syscall(__NR_futex, word, /* FUTEX_WAIT */ 0, value, &timeout, 0, 0);
}

// Wakes all who wait for the word, in all processes.
static inline void openrealm_futex_wake(const void *word) {
  syscall(__NR_futex, word, /* FUTEX_WAKE */ 1, 0x7fffffff, 0, 0, 0);
}

#endif
