// Damaged copies of a file.
#include <unistd.h>

#include "fuzzer.h"

enum { COPY_COUNT = 16 };

static char *content;  // of the file that was prepared
static size_t content_size;

static bool read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  fseek(file, 0, SEEK_END);
  content_size = (size_t)ftell(file);
  rewind(file);
  content = malloc(content_size);
  bool is_read = fread(content, 1, content_size, file) == content_size;
  fclose(file);
  return is_read;
}

bool prepare_file(const settings *settings) {
  fuzzer *f = calloc(1, sizeof *f);
  static struct settings plain;
  plain = *settings;
  plain.storage = PLAIN;
  plain.threads = 1;
  f->settings = &plain;
  f->state = 42;
  openrealm_configuration *configuration = main_configuration(&plain);
  openrealm_realm *realm = openrealm_open(configuration);
  openrealm_release(configuration);
  if (!realm) return false;
  learn_numbers(realm);
  keep(f, REALM, realm);
  const call *writes[4] = {object_calls, setter_calls, list_calls, collection_calls};
  for (int transaction = 0; transaction < 8; transaction++) {
    openrealm_begin(realm);
    for (int i = 0; i < 4000; i++) {
      const call *table = writes[below(f, 4)];
      size_t count = 0;
      while (table[count].name) count++;
      const call *chosen = &table[below(f, count)];
      if (strcmp(chosen->name, "openrealm_delete_objects") == 0 ||
          strcmp(chosen->name, "openrealm_collection_realm") == 0)
        continue;
      if (is_left_out(f, chosen)) continue;
      f->recent[f->done % 16] = chosen;
      f->is_careful = !one_in(f, 4);
      chosen->make(f);
      release_held(f, 0);
    }
    openrealm_commit(realm);
  }
  drop_all(f);
  free(f);
  char path[4096];
  snprintf(path, sizeof path, "%s/fuzz.realm", settings->folder);
  return read_file(path);
}

size_t damage(fuzzer *f, char *changed, size_t size) {
  int flips = 1 + (int)below(f, one_in(f, 3) ? 200 : 4);
  size_t start = one_in(f, 4) ? below(f, size) / 4096 * 4096 : 0;
  size_t length = start ? 4096 : size;
  for (int i = 0; i < flips; i++) {
    size_t place = start + below(f, length);
    if (place < size) changed[place] = (char)(changed[place] ^ (1 << below(f, 8)));
  }
  return one_in(f, 16) ? below(f, size) : size;
}

// Each copy has a name of its own for some time, so that a file is not written while it is open.
const char *damaged_copy(fuzzer *f) {
  static _Thread_local char path[4096];
  static _Thread_local unsigned number;
  snprintf(path, sizeof path, "%s/damaged-%d-%u.realm", f->settings->folder, f->number, number - COPY_COUNT);
  unlink(path);
  snprintf(path, sizeof path, "%s/damaged-%d-%u.realm", f->settings->folder, f->number, number++);
  char *copy = malloc(content_size);
  memcpy(copy, content, content_size);
  size_t size = damage(f, copy, content_size);
  FILE *file = fopen(path, "wb");
  if (file) {
    fwrite(copy, 1, size, file);
    fclose(file);
  }
  free(copy);
  return path;
}
