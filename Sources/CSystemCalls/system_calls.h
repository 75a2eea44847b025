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

// Starts the writeback of a part of a file and does not wait for its end. Returns 0 or -1 with an error number. The next fdatasync
// still reports an error of the disk.
static inline long openrealm_start_writeback(int descriptor, long offset, long count) {
  return syscall(__NR_sync_file_range, descriptor, offset, count, /* SYNC_FILE_RANGE_WRITE */ 2);
}

// Gives a file another name unless there is one with it. Returns 0 or -1 with an error number.
static inline long openrealm_rename_unless_there(const char *from, const char *to) {
  const int here = /* AT_FDCWD */ -100, flags = /* RENAME_NOREPLACE */ 1;
  return renameat2 ? renameat2(here, from, here, to, flags) : syscall(__NR_renameat2, here, from, here, to, flags);
}

// Exchanges the names of two files. Returns 0 or -1 with an error number.
static inline long openrealm_exchange(const char *first, const char *second) {
  const int here = /* AT_FDCWD */ -100, flags = /* RENAME_EXCHANGE */ 2;
  return renameat2 ? renameat2(here, first, here, second, flags) : syscall(__NR_renameat2, here, first, here, second, flags);
}

// Makes a file without a name, in memory, that can be sealed and not executed. Returns a descriptor, or -1 with an error number.
static inline int openrealm_memory_file(const char *name) {
  const unsigned close_on_exec = /* MFD_CLOEXEC */ 1, sealable = /* MFD_ALLOW_SEALING */ 2, not_executable = /* MFD_NOEXEC_SEAL */ 8;
  long descriptor = syscall(__NR_memfd_create, name, close_on_exec | sealable | not_executable);
  // Before Linux 6.3 the last flag is invalid.
  if (descriptor < 0) descriptor = syscall(__NR_memfd_create, name, close_on_exec | sealable);
  return (int)descriptor;
}

// Reads the POSIX access control list of the file at a path, or of a descriptor when the path is empty, as the kernel stores it.
// Returns its size in bytes, which is all it does when the size given is 0, or -1 with an error number, as where there is none.
static inline long openrealm_access_list(int descriptor, const char *path, void *list, long size) {
  const char *name = "system.posix_acl_access";
  return path[0] != 0 ? syscall(__NR_getxattr, path, name, list, size)
                      : syscall(__NR_fgetxattr, descriptor, name, list, size);
}

// Gives a file an access control list. Returns 0 or -1 with an error number.
static inline long openrealm_set_access_list(int descriptor, const void *list, long size) {
  return syscall(__NR_fsetxattr, descriptor, "system.posix_acl_access", list, size, 0);
}

// Takes a file's access control list away, also one that it has inherited from its folder. Returns 0 or -1 with an error number.
static inline long openrealm_remove_access_list(int descriptor) {
  return syscall(__NR_fremovexattr, descriptor, "system.posix_acl_access");
}

// What tells a file from all others: `created`, in nanoseconds, is 0 where the file system does not know it. And how many names it has.
typedef struct { unsigned long long device, inode, created; unsigned names; } openrealm_identity;

// The identity of the file at a path, or of a descriptor when the path is empty. Returns 0 or -1 with an error number.
//
// Unlike stat and fstat it does not ask for the times at which the file changed. Who has been told these must see other ones after the next
// write, so that each write changes the file's node, which each synchronisation then brings to the disk as well: a
// synchronisation after a write took twice as long (since Linux 6.13, where they count in nanoseconds).
static inline int openrealm_identify(int descriptor, const char *path, openrealm_identity *identity) {
  struct {
    unsigned mask, block_size;
    unsigned long long attributes;
    unsigned names, user, group, mode;
    unsigned long long inode, size, blocks, known_attributes, accessed[2];
    long long created;
    unsigned created_nanoseconds, unused;
    unsigned long long times[4];
    unsigned special_major, special_minor, major, minor;
    unsigned long long others[14];
  } information;
  const int here = /* AT_FDCWD */ -100, of_descriptor = /* AT_EMPTY_PATH */ 0x1000;
  const int wanted = /* STATX_NLINK | STATX_INO | STATX_BTIME */ 0x904;
  long result = path[0] != 0 ? syscall(__NR_statx, here, path, 0, wanted, &information)
                             : syscall(__NR_statx, descriptor, "", of_descriptor, wanted, &information);
  if (result != 0) return -1;
  const unsigned long long major = information.major, minor = information.minor;
  // As the C library puts them together.
  identity->device = (major & 0xfffff000) << 32 | (major & 0xfff) << 8 | (minor & 0xffffff00) << 12 | (minor & 0xff);
  identity->inode = information.inode;
  identity->names = information.names;
  const int knows_created = (information.mask & /* STATX_BTIME */ 0x800) != 0;
  identity->created = knows_created ? information.created * 1000000000ull + information.created_nanoseconds : 0;
  return 0;
}

// Writes the name under which a process finds its own descriptor, without anything that a child of fork() may not use.
static inline void openrealm_descriptor_name(int descriptor, char *name, unsigned long size) {
  static const char folder[] = "/proc/self/fd/";
  char digits[12];
  unsigned long length = 0, count = 0;
  for (; folder[length] != 0 && length + 1 < size; length++) name[length] = folder[length];
  do {
    digits[count++] = (char)('0' + descriptor % 10);
    descriptor /= 10;
  } while (descriptor > 0);
  while (count > 0 && length + 1 < size) name[length++] = digits[--count];
  name[length] = 0;
}

#endif
