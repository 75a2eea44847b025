/* What the files of the library share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The kinds of calls that can be made to fail. */
enum call {
  CALL_OPEN, CALL_READ, CALL_PREAD, CALL_WRITE, CALL_PWRITE, CALL_FDATASYNC, CALL_FSYNC, CALL_MSYNC, CALL_FTRUNCATE,
  CALL_FALLOCATE, CALL_MMAP, CALL_FLOCK, CALL_FCNTL, CALL_FSTAT, CALL_RENAME, CALL_RENAMEAT2, CALL_LINK, CALL_UNLINK,
  CALL_MKDIR, CALL_RMDIR, CALL_PTHREAD_CREATE, CALL_MADVISE, CALL_KINDS
};

/* What is to become of a call. */
enum verdict { PASS, FAIL, CUT_SHORT };

/* Counts a call that concerns the library, and says what is to become of it. */
enum verdict fault_judge(enum call call);
/* The error number of a call that fails. */
int fault_error(void);
/* Takes as long as a disk may take. */
void fault_delay(void);

/* Descriptors. */
struct descriptor {
  bool concerns, is_synchronous, appends, is_marks;
  uint32_t file;
};
bool fault_path_concerns(const char *path);
enum { FAULT_PATH_SIZE = 4096 };
/* The path of a file in a folder that is given by its descriptor, in /proc/self/fd: written to the buffer. Any other path as it is. */
const char *fault_named_path(const char *path, char buffer[FAULT_PATH_SIZE]);
/* Looks at a descriptor that has just been opened. */
void fault_opened(int number);
void fault_closed(int number);
/* NULL when the descriptor does not concern the library. */
const struct descriptor *fault_descriptor(int number);

/* Recording. */
enum kind {
  KIND_OPEN = 1, KIND_WRITE, KIND_TRUNCATE, KIND_SYNCHRONISED, KIND_SYNCHRONISING, KIND_RENAME, KIND_UNLINK, KIND_LINK,
  KIND_MARK, KIND_ALLOCATE, KIND_NOT_SYNCHRONISED
};
struct part {
  const void *data;
  size_t length;
};
bool fault_records(void);
/* Everything between these happens in one order with the same of all threads and processes. */
void fault_begin_record(void);
void fault_end_record(void);
/* Between them: appends a record, and returns its number. */
uint64_t fault_record(
  enum kind kind, uint32_t file, uint64_t offset, uint64_t flags, const struct part *parts, int count);
