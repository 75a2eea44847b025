// Copies of files that the official SDK wrote.
#include "fuzzer.h"

static const char *const names[] = {"schema.realm", "types-small.realm", "encrypted-small.realm",
                                    "collections-small.realm"};

// The key of the third file.
static const uint8_t *sample_key(void) {
  static _Thread_local uint8_t key[64];
  for (int i = 0; i < 64; i++) key[i] = (uint8_t)(i * 7 + 13);
  return key;
}

bool copy_sample(fuzzer *f, const char *path, const uint8_t **key) {
  if (!f->settings->samples) return false;
  // Mostly the small one.
  size_t number = one_in(f, 3) ? below(f, sizeof names / sizeof *names) : 0;
  *key = number == 2 ? sample_key() : NULL;
  char source[4096];
  snprintf(source, sizeof source, "%s/%s", f->settings->samples, names[number]);
  FILE *file = fopen(source, "rb");
  if (!file) stop(f, "%s: the sample is missing, %ld", names[number], (long)number);
  static _Thread_local char content[300000];
  size_t size = fread(content, 1, sizeof content, file);
  fclose(file);
  if (f->settings->storage == DAMAGED && one_in(f, 2)) size = damage(f, content, size);
  file = fopen(path, "wb");
  if (!file) return false;
  fwrite(content, 1, size, file);
  fclose(file);
  return true;
}
