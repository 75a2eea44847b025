/* The record of what changes the files: one after the other, little-endian,

     u32 kind, u32 file, u64 offset, u64 length, u64 flags, u64 sequence, then `length` bytes

   in the order in which the changes took effect, numbered from 1. A file is known by the lower half of its inode's number.

     1 open          data: path; flags: those of the call, and bit 63 when the file was made by it
     2 write         offset, data; bit 0 of flags: the call is a synchronisation of itself, and is followed by a record 4
     3 truncate      offset: the new size
     4 synchronised  flags: the number of the record 5, or of the write, that began it
     5 synchronising everything of the file that was recorded before is on the disk when it has ended
     6 rename        data: old path, 0, new path
     7 unlink        data: path
     8 link          data: old path, 0, new path
     9 mark          data: what the program wrote to a file whose path ends with ".marks"
    10 allocate      offset, data: u64 length
    11 not synchronised: a synchronisation of the file that was let fail */
#include "Internal.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int record = -1;
/* Shared by all processes that record to the same place. */
static uint64_t *sequence;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Out of the way of descriptors that a program counts or closes. */
static int open_high(const char *path) {
  long low = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (low < 0) return -1;
  long high = syscall(SYS_fcntl, low, F_DUPFD_CLOEXEC, 900);
  if (high < 0) return (int)low;
  syscall(SYS_close, low);
  return (int)high;
}

/* Another open file for a child, as locks between the two would not work through the same one. */
static void start(void) {
  const char *path = getenv("FAULT_RECORD");
  if (!path) return;
  char counter[4096];
  snprintf(counter, sizeof counter, "%s.sequence", path);
  long file = syscall(SYS_openat, AT_FDCWD, counter, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0 || syscall(SYS_ftruncate, file, 4096) != 0) return;
  void *mapped = (void *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)0);
  syscall(SYS_close, file);
  if (mapped == MAP_FAILED) return;
  sequence = mapped;
  record = open_high(path);
}

__attribute__((constructor(103))) static void configure(void) {
  start();
  if (record >= 0) pthread_atfork(NULL, NULL, start);
}

bool fault_records(void) { return record >= 0; }

void fault_begin_record(void) {
  pthread_mutex_lock(&mutex);
  while (syscall(SYS_flock, record, LOCK_EX) != 0) {}
}

void fault_end_record(void) {
  syscall(SYS_flock, record, LOCK_UN);
  pthread_mutex_unlock(&mutex);
}

uint64_t fault_record(
  enum kind kind, uint32_t file, uint64_t offset, uint64_t flags, const struct part *parts, int count
) {
  struct {
    uint32_t kind, file;
    uint64_t offset, length, flags, sequence;
  } header = {kind, file, offset, 0, flags, ++*sequence};
  struct iovec vectors[16];
  vectors[0] = (struct iovec){&header, sizeof header};
  if (count > 15) abort();
  for (int number = 0; number < count; number++) {
    header.length += parts[number].length;
    vectors[number + 1] = (struct iovec){(void *)parts[number].data, parts[number].length};
  }
  if (syscall(SYS_writev, record, vectors, count + 1) != (ssize_t)(sizeof header + header.length)) abort();
  return header.sequence;
}
