// files.h
#include <unistd.h>

#include "fuzzer.h"

// The path of a file of this thread that may be deleted at any time. Valid until the next call on this thread.
static const char *own_path(fuzzer *f, const char *name) {
  static _Thread_local char path[4096];
  snprintf(path, sizeof path, "%s/%s-%d-%d.realm", f->settings->folder, name, f->number, (int)below(f, 3));
  return path;
}

static const uint8_t *random_key(fuzzer *f) { return one_in(f, 4) ? test_key : NULL; }

static int32_t write_copy(fuzzer *f) {
  const char *path = own_path(f, "copy");
  if (f->is_careful || one_in(f, 2)) unlink(path);
  return openrealm_write_copy(a_realm(f), maybe(f, (void *)path), random_key(f));
}

static int32_t compact(fuzzer *f) {
  bool is_compacted;
  return openrealm_compact(a_configuration(f), maybe(f, &is_compacted));
}

static int32_t file_exists(fuzzer *f) {
  bool exists;
  return openrealm_file_exists(a_configuration(f), maybe(f, &exists));
}

static int32_t delete_files(fuzzer *f) {
  bool is_deleted;
  return openrealm_delete_files(a_configuration(f), maybe(f, &is_deleted));
}

// A file that may be there, whole or damaged.
static const char *a_file(fuzzer *f) {
  if (f->settings->storage == DAMAGED && one_in(f, 2)) return damaged_copy(f);
  return own_path(f, one_in(f, 2) ? "copy" : "own");
}

static int32_t verify(fuzzer *f) {
  size_t count;
  openrealm_value report = openrealm_null();
  bool has_place = one_in(f, 2);
  const char *path = a_file(f);
  int32_t code =
      openrealm_verify(maybe(f, (void *)path), random_key(f), maybe(f, &count), has_place ? &report : NULL);
  if (code == OPENREALM_OK && has_place) openrealm_value_clear(&report);
  return code;
}

static int32_t salvage(fuzzer *f) {
  size_t count;
  openrealm_value report = openrealm_null();
  bool has_place = one_in(f, 2);
  char path[4096];
  snprintf(path, sizeof path, "%s", a_file(f));
  const char *target = own_path(f, "saved");
  if (one_in(f, 2)) unlink(target);
  int32_t code = openrealm_salvage(maybe(f, path), maybe(f, (void *)target), random_key(f), maybe(f, &count),
                                   has_place ? &report : NULL);
  if (code == OPENREALM_OK && has_place) openrealm_value_clear(&report);
  return code;
}

static int32_t convert_official(fuzzer *f) {
  openrealm_value report = openrealm_null();
  bool has_place = one_in(f, 2);
  char path[4096];
  const uint8_t *key = random_key(f);
  if (f->is_careful) {
    snprintf(path, sizeof path, "%s", own_path(f, "official-source"));
    if (!copy_sample(f, path, &key)) return NOT_CALLED;
  } else {
    snprintf(path, sizeof path, "%s", a_file(f));
  }
  const char *target = own_path(f, "converted");
  if (f->is_careful) unlink(target);
  int32_t code =
      openrealm_convert_official(maybe(f, path), maybe(f, (void *)target), key, has_place ? &report : NULL);
  if (code == OPENREALM_OK && has_place) openrealm_value_clear(&report);
  return code;
}

const call file_calls[] = {
    {"openrealm_write_copy", 2, write_copy},
    {"openrealm_compact", 2, compact},
    {"openrealm_file_exists", 3, file_exists},
    {"openrealm_delete_files", 3, delete_files},
    {"openrealm_verify", 1, verify},
    {"openrealm_salvage", 1, salvage},
    {"openrealm_convert_official", 1, convert_official},
    {NULL, 0, NULL},
};
