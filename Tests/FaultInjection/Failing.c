/* Which calls fail. */
#include "Internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const names[CALL_KINDS] = {
  "open", "read", "pread", "write", "pwrite", "fdatasync", "fsync", "msync", "ftruncate", "fallocate", "mmap", "flock",
  "fcntl", "fstat", "rename", "renameat2", "link", "unlink", "mkdir", "rmdir", "pthread_create", "madvise",
};

static bool is_chosen[CALL_KINDS];
static bool is_active, cuts_short;
static long first, count = 1, signal_number;
static int error_number = EIO;
static const char *armed, *report;
static atomic_long calls, counts[CALL_KINDS];
/* Of what brings something to the disk, in microseconds. */
static long longest_delay;

static bool lists(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *place = list; place; place = strchr(place, ',') ? strchr(place, ',') + 1 : NULL) {
    if (strncmp(place, name, length) == 0 && (place[length] == ',' || place[length] == 0)) return true;
  }
  return false;
}

__attribute__((constructor(101))) static void configure(void) {
  const char *word = getenv("FAULT_DELAY");
  if (word) longest_delay = atol(word);
  const char *list = getenv("FAULT_CALLS");
  if (!list) return;
  for (int call = 0; call < CALL_KINDS; call++) {
    is_chosen[call] = strcmp(list, "all") == 0 || lists(list, names[call]);
  }
  if ((word = getenv("FAULT_AT"))) first = atol(word);
  if ((word = getenv("FAULT_COUNT"))) count = atol(word);
  if ((word = getenv("FAULT_ERRNO"))) error_number = atoi(word);
  if ((word = getenv("FAULT_SIGNAL"))) signal_number = atol(word);
  cuts_short = getenv("FAULT_SHORT") != NULL;
  armed = getenv("FAULT_ARMED");
  report = getenv("FAULT_REPORT");
  is_active = true;
}

static void tell(const char *text) {
  long file = syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return;
  syscall(SYS_write, file, text, strlen(text));
  syscall(SYS_close, file);
}

__attribute__((destructor)) static void summarise(void) {
  if (!is_active || !report) return;
  for (int call = 0; call < CALL_KINDS; call++) {
    char text[64];
    snprintf(text, sizeof text, "%s %ld\n", names[call], atomic_load(&counts[call]));
    if (is_chosen[call]) tell(text);
  }
}

enum verdict fault_judge(enum call call) {
  if (!is_active || !is_chosen[call]) return PASS;
  if (armed && syscall(SYS_faccessat, AT_FDCWD, armed, F_OK) != 0) return PASS;
  long number = atomic_fetch_add(&calls, 1) + 1;
  atomic_fetch_add(&counts[call], 1);
  if (first == 0 || number < first || (count > 0 && number >= first + count)) return PASS;
  if (report) {
    char text[64];
    snprintf(text, sizeof text, "failed %ld %s\n", number, names[call]);
    tell(text);
  }
  if (signal_number) syscall(SYS_kill, syscall(SYS_getpid), signal_number);
  return cuts_short && (call == CALL_WRITE || call == CALL_PWRITE) ? CUT_SHORT : FAIL;
}

void fault_delay(void) {
  static _Thread_local unsigned seed;
  if (longest_delay <= 0) return;
  if (seed == 0) seed = (unsigned)syscall(SYS_gettid);
  usleep(rand_r(&seed) % longest_delay);
}

int fault_error(void) { return error_number; }
