/* The system calls as the program sees them. Those of the library itself go to the system directly. */
#include "Internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int fail(void) {
  errno = fault_error();
  return -1;
}

/* Judges a call on a descriptor. */
static enum verdict judge(enum call call, int number) {
  return fault_descriptor(number) ? fault_judge(call) : PASS;
}

// MARK: Opening and closing

static int open_at(int folder, const char *path, int flags, mode_t mode) {
  char buffer[FAULT_PATH_SIZE];
  const char *named = fault_named_path(path, buffer);
  bool concerns = fault_path_concerns(named);
  if (concerns && fault_judge(CALL_OPEN) != PASS) return fail();
  /* The path of a file without a name is that of its folder. */
  bool records = concerns && fault_records() && (flags & __O_TMPFILE) != __O_TMPFILE;
  if (records) fault_begin_record();
  bool is_new = records && (flags & O_CREAT) && syscall(SYS_faccessat, folder, path, F_OK) != 0;
  int number = (int)syscall(SYS_openat, folder, path, flags, mode);
  int error = errno;
  if (number >= 0) {
    fault_opened(number);
    const struct descriptor *opened = fault_descriptor(number);
    if (records && opened) {
      struct part part = {named, strlen(named)};
      fault_record(KIND_OPEN, opened->file, 0, (uint32_t)flags | (uint64_t)is_new << 63, &part, 1);
      if (flags & O_TRUNC) fault_record(KIND_TRUNCATE, opened->file, 0, 0, NULL, 0);
    }
  }
  if (records) fault_end_record();
  errno = error;
  return number;
}

static mode_t mode_of(int flags, va_list *arguments) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(*arguments, mode_t) : 0;
}

#define OPEN(name)                                         \
  int name(const char *path, int flags, ...) {             \
    va_list arguments;                                     \
    va_start(arguments, flags);                            \
    mode_t mode = mode_of(flags, &arguments);              \
    va_end(arguments);                                     \
    return open_at(AT_FDCWD, path, flags, mode);           \
  }
#define OPENAT(name)                                       \
  int name(int folder, const char *path, int flags, ...) { \
    va_list arguments;                                     \
    va_start(arguments, flags);                            \
    mode_t mode = mode_of(flags, &arguments);              \
    va_end(arguments);                                     \
    return open_at(folder, path, flags, mode);             \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode); }

int close(int number) {
  fault_closed(number);
  return (int)syscall(SYS_close, number);
}

int dup(int number) {
  int copy = (int)syscall(SYS_dup, number);
  if (copy >= 0) fault_opened(copy);
  return copy;
}

int dup2(int number, int wanted) {
  int copy = (int)syscall(SYS_dup3, number, wanted, 0);
  if (number == wanted) return (int)syscall(SYS_fcntl, number, F_GETFD) < 0 ? -1 : wanted;
  if (copy >= 0) fault_opened(copy);
  return copy;
}

// MARK: Reading

ssize_t read(int number, void *bytes, size_t size) {
  return judge(CALL_READ, number) != PASS ? fail() : syscall(SYS_read, number, bytes, size);
}

ssize_t pread(int number, void *bytes, size_t size, off_t offset) {
  return judge(CALL_PREAD, number) != PASS ? fail() : syscall(SYS_pread64, number, bytes, size, offset);
}
ssize_t pread64(int, void *, size_t, off_t) __attribute__((alias("pread")));

// MARK: Writing

/* Half of what was to be written, rounded up to a sector when that is less. */
static size_t half(size_t size) { return size > 1024 ? size / 2 & ~(size_t)511 : size / 2; }

/* Writes at an offset, or where the descriptor is when that is negative. */
static ssize_t write_at(enum call call, int number, const void *bytes, size_t size, off_t offset) {
  const struct descriptor *found = fault_descriptor(number);
  enum verdict verdict = found ? fault_judge(call) : PASS;
  if (verdict == FAIL) return fail();
  if (verdict == CUT_SHORT) size = half(size);
  if (!found || !fault_records()) {
    return offset < 0 ? syscall(SYS_write, number, bytes, size) : syscall(SYS_pwrite64, number, bytes, size, offset);
  }
  struct descriptor descriptor = *found;
  fault_begin_record();
  off_t place = offset >= 0 ? offset : syscall(SYS_lseek, number, 0, descriptor.appends ? SEEK_END : SEEK_CUR);
  ssize_t written =
    offset < 0 ? syscall(SYS_write, number, bytes, size) : syscall(SYS_pwrite64, number, bytes, size, offset);
  int error = errno;
  if (written > 0) {
    struct part part = {bytes, written};
    if (descriptor.is_marks) {
      fault_record(KIND_MARK, descriptor.file, 0, 0, &part, 1);
    } else {
      uint64_t sequence = fault_record(KIND_WRITE, descriptor.file, place, descriptor.is_synchronous, &part, 1);
      if (descriptor.is_synchronous) {
        // Others go on meanwhile.
        fault_end_record();
        fault_delay();
        fault_begin_record();
        fault_record(KIND_SYNCHRONISED, descriptor.file, 0, sequence, NULL, 0);
      }
    }
  }
  fault_end_record();
  errno = error;
  return written;
}

ssize_t write(int number, const void *bytes, size_t size) { return write_at(CALL_WRITE, number, bytes, size, -1); }

ssize_t pwrite(int number, const void *bytes, size_t size, off_t offset) {
  return write_at(CALL_PWRITE, number, bytes, size, offset);
}
ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));

static ssize_t write_vectors(enum call call, int number, const struct iovec *vectors, int count, off_t offset) {
  if (!fault_descriptor(number)) {
    return offset < 0 ? syscall(SYS_writev, number, vectors, count)
                      : syscall(SYS_pwritev, number, vectors, count, offset, 0);
  }
  size_t size = 0;
  for (int index = 0; index < count; index++) size += vectors[index].iov_len;
  char *bytes = malloc(size), *end = bytes;
  for (int index = 0; index < count; index++) end = mempcpy(end, vectors[index].iov_base, vectors[index].iov_len);
  ssize_t written = write_at(call, number, bytes, size, offset);
  int error = errno;
  free(bytes);
  errno = error;
  return written;
}

ssize_t writev(int number, const struct iovec *vectors, int count) {
  return write_vectors(CALL_WRITE, number, vectors, count, -1);
}

ssize_t pwritev(int number, const struct iovec *vectors, int count, off_t offset) {
  return write_vectors(CALL_PWRITE, number, vectors, count, offset);
}

int ftruncate(int number, off_t size) {
  const struct descriptor *found = fault_descriptor(number);
  if (found && fault_judge(CALL_FTRUNCATE) != PASS) return fail();
  bool records = found && fault_records();
  if (records) fault_begin_record();
  int result = (int)syscall(SYS_ftruncate, number, size);
  int error = errno;
  if (records && result == 0) fault_record(KIND_TRUNCATE, found->file, size, 0, NULL, 0);
  if (records) fault_end_record();
  errno = error;
  return result;
}
int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));

int fallocate(int number, int mode, off_t offset, off_t size) {
  const struct descriptor *found = fault_descriptor(number);
  if (found && fault_judge(CALL_FALLOCATE) != PASS) return fail();
  bool records = found && fault_records();
  if (records) fault_begin_record();
  int result = (int)syscall(SYS_fallocate, number, mode, offset, size);
  int error = errno;
  if (records && result == 0) {
    uint64_t length = size;
    struct part part = {&length, sizeof length};
    fault_record(KIND_ALLOCATE, found->file, offset, mode, &part, 1);
  }
  if (records) fault_end_record();
  errno = error;
  return result;
}
int fallocate64(int, int, off_t, off_t) __attribute__((alias("fallocate")));

/* The system's library would write to the file where the file system can not do it; those here can. */
int posix_fallocate(int number, off_t offset, off_t size) {
  int before = errno;
  int result = fallocate(number, 0, offset, size) == 0 ? 0 : errno;
  errno = before;
  return result;
}
int posix_fallocate64(int, off_t, off_t) __attribute__((alias("posix_fallocate")));

// MARK: Synchronising

static int synchronise(enum call call, long system_call, int number) {
  const struct descriptor *found = fault_descriptor(number);
  if (found && fault_judge(call) != PASS) {
    if (fault_records()) {
      fault_begin_record();
      fault_record(KIND_NOT_SYNCHRONISED, found->file, 0, 0, NULL, 0);
      fault_end_record();
    }
    return fail();
  }
  if (!found || !fault_records()) return (int)syscall(system_call, number);
  uint32_t file = found->file;
  fault_begin_record();
  uint64_t sequence = fault_record(KIND_SYNCHRONISING, file, 0, 0, NULL, 0);
  fault_end_record();
  int result = (int)syscall(system_call, number);
  int error = errno;
  fault_delay();
  if (result == 0) {
    fault_begin_record();
    fault_record(KIND_SYNCHRONISED, file, 0, sequence, NULL, 0);
    fault_end_record();
  }
  errno = error;
  return result;
}

int fdatasync(int number) { return synchronise(CALL_FDATASYNC, SYS_fdatasync, number); }
int fsync(int number) { return synchronise(CALL_FSYNC, SYS_fsync, number); }

int msync(void *address, size_t size, int flags) {
  return fault_judge(CALL_MSYNC) != PASS ? fail() : (int)syscall(SYS_msync, address, size, flags);
}

// MARK: Locks, maps and metadata

int madvise(void *address, size_t size, int advice) {
  return fault_judge(CALL_MADVISE) != PASS ? fail() : (int)syscall(SYS_madvise, address, size, advice);
}

void *mmap(void *address, size_t size, int protection, int flags, int number, off_t offset) {
  if (judge(CALL_MMAP, number) != PASS) {
    fail();
    return MAP_FAILED;
  }
  return (void *)syscall(SYS_mmap, address, size, protection, flags, number, offset);
}
void *mmap64(void *, size_t, int, int, int, off_t) __attribute__((alias("mmap")));

int flock(int number, int operation) {
  return judge(CALL_FLOCK, number) != PASS ? fail() : (int)syscall(SYS_flock, number, operation);
}

static int control(int number, int command, void *argument) {
  if (judge(CALL_FCNTL, number) != PASS) return fail();
  int result = (int)syscall(SYS_fcntl, number, command, argument);
  if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) fault_opened(result);
  return result;
}

#define FCNTL(name)                              \
  int name(int number, int command, ...) {       \
    va_list arguments;                           \
    va_start(arguments, command);                \
    void *argument = va_arg(arguments, void *);  \
    va_end(arguments);                           \
    return control(number, command, argument);   \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

int fstat(int number, struct stat *information) {
  if (judge(CALL_FSTAT, number) != PASS) return fail();
  return (int)syscall(SYS_newfstatat, number, "", information, AT_EMPTY_PATH);
}
int fstat64(int number, struct stat64 *information) { return fstat(number, (struct stat *)information); }

// MARK: Names

static int change_names(enum call call, enum kind kind, const char *old, const char *new, long result_of(void *), void *context) {
  char buffers[2][FAULT_PATH_SIZE];
  old = fault_named_path(old, buffers[0]);
  new = fault_named_path(new, buffers[1]);
  bool concerns = fault_path_concerns(old) || fault_path_concerns(new);
  if (concerns && fault_judge(call) != PASS) return fail();
  bool records = concerns && fault_records();
  if (records) fault_begin_record();
  int result = (int)result_of(context);
  int error = errno;
  if (records && result == 0) {
    struct part parts[2] = {{old, strlen(old) + (new ? 1 : 0)}, {new, new ? strlen(new) : 0}};
    fault_record(kind, 0, 0, 0, parts, new ? 2 : 1);
  }
  if (records) fault_end_record();
  errno = error;
  return result;
}

struct names {
  int old_folder, new_folder;
  const char *old, *new;
  unsigned flags;
};

static long do_rename(void *context) {
  struct names *names = context;
  return syscall(SYS_renameat2, names->old_folder, names->old, names->new_folder, names->new, names->flags);
}
static long do_link(void *context) {
  struct names *names = context;
  return syscall(SYS_linkat, names->old_folder, names->old, names->new_folder, names->new, names->flags);
}
static long do_unlink(void *context) {
  struct names *names = context;
  return syscall(SYS_unlinkat, names->old_folder, names->old, names->flags);
}

int renameat2(int old_folder, const char *old, int new_folder, const char *new, unsigned flags) {
  struct names names = {old_folder, new_folder, old, new, flags};
  return change_names(flags ? CALL_RENAMEAT2 : CALL_RENAME, KIND_RENAME, old, new, do_rename, &names);
}
int rename(const char *old, const char *new) { return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int old_folder, const char *old, int new_folder, const char *new) {
  return renameat2(old_folder, old, new_folder, new, 0);
}
int linkat(int old_folder, const char *old, int new_folder, const char *new, int flags) {
  struct names names = {old_folder, new_folder, old, new, (unsigned)flags};
  return change_names(CALL_LINK, KIND_LINK, old, new, do_link, &names);
}
int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }
int unlinkat(int folder, const char *path, int flags) {
  struct names names = {folder, 0, path, NULL, (unsigned)flags};
  enum call call = flags & AT_REMOVEDIR ? CALL_RMDIR : CALL_UNLINK;
  return change_names(call, KIND_UNLINK, path, NULL, do_unlink, &names);
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

/* Folders are not recorded: nothing depends on whether the disk has one that is empty. */
int mkdirat(int folder, const char *path, mode_t mode) {
  if (fault_path_concerns(path) && fault_judge(CALL_MKDIR) != PASS) return fail();
  return (int)syscall(SYS_mkdirat, folder, path, mode);
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

// MARK: Threads

int pthread_create(
  pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument
) {
  static int (*original)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!original) original = dlsym(RTLD_NEXT, "pthread_create");
  if (fault_judge(CALL_PTHREAD_CREATE) != PASS) return fault_error();
  return original(thread, attributes, body, argument);
}
