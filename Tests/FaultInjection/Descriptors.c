/* Which files the descriptors of the process stand for. */
#include "Internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LIMIT = 1 << 16 };

static struct descriptor descriptors[LIMIT];
static const char *prefix;

__attribute__((constructor(102))) static void configure(void) { prefix = getenv("FAULT_PREFIX"); }

bool fault_path_concerns(const char *path) {
  return prefix && path && strncmp(path, prefix, strlen(prefix)) == 0;
}

const char *fault_named_path(const char *path, char buffer[FAULT_PATH_SIZE]) {
  static const char folders[] = "/proc/self/fd/";
  if (!path || strncmp(path, folders, sizeof folders - 1) != 0) return path;
  const char *rest = strchr(path + sizeof folders - 1, '/');
  if (!rest || (size_t)(rest - path) >= 64) return path;
  char link[64] = {0};
  memcpy(link, path, (size_t)(rest - path));
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, FAULT_PATH_SIZE - 1);
  if (length <= 0 || (size_t)length + strlen(rest) >= FAULT_PATH_SIZE) return path;
  strcpy(buffer + length, rest);
  return buffer;
}

void fault_opened(int number) {
  if (!prefix || number < 0 || number >= LIMIT) return;
  char link[64], path[4096];
  struct stat information;
  struct descriptor new = {0};
  snprintf(link, sizeof link, "/proc/self/fd/%d", number);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length > 0) {
    path[length] = 0;
    if (fault_path_concerns(path) && syscall(SYS_newfstatat, number, "", &information, AT_EMPTY_PATH) == 0
        && (S_ISREG(information.st_mode) || S_ISDIR(information.st_mode))) {
      long flags = syscall(SYS_fcntl, number, F_GETFL);
      new.concerns = true;
      new.is_synchronous = (flags & O_DSYNC) != 0;
      new.appends = (flags & O_APPEND) != 0;
      new.is_marks = length > 6 && strcmp(path + length - 6, ".marks") == 0;
      new.file = (uint32_t)information.st_ino;
    }
  }
  descriptors[number] = new;
}

void fault_closed(int number) {
  if (number >= 0 && number < LIMIT) descriptors[number].concerns = false;
}

const struct descriptor *fault_descriptor(int number) {
  if (number < 0 || number >= LIMIT || !descriptors[number].concerns) return NULL;
  return &descriptors[number];
}
