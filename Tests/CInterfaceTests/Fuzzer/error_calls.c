// errors.h and the rest of values.h.
#include "fuzzer.h"

static int32_t last_error(fuzzer *f) {
  openrealm_error error;
  openrealm_last_error(maybe(f, &error));
  return NO_CODE;
}

static int32_t code_name(fuzzer *f) {
  const char *name = openrealm_code_name(one_in(f, 2) ? (int32_t)below(f, 70) : (int32_t)random_integer(f));
  if (!name || strncmp(name, "OPENREALM_", 10) != 0)
    stop(f, "%s: a code without a name %ld", "openrealm_code_name", 0);
  return NO_CODE;
}

static int32_t retain(fuzzer *f) {
  void *handle = any_handle(f);
  if (openrealm_retain(handle) != handle) stop(f, "%s: another handle %ld", "openrealm_retain", 0);
  openrealm_release(handle);
  return NO_CODE;
}

static int32_t release(fuzzer *f) {
  int kind = (int)below(f, KIND_COUNT);
  int place = (int)below(f, POOL_SIZE);
  if (kind == REALM && place == 0 && !one_in(f, 200)) place = 1;
  void *freed = f->pools[kind][place];
  drop(f, kind, place);
  openrealm_release(NULL);
  // A handle that was freed is refused as long as its memory has not been used again.
  if (freed && f->settings->uses_freed) {
    openrealm_collection_kind(freed);
    openrealm_schema_class_count(freed);
  }
  return NO_CODE;
}

static int32_t version(fuzzer *f) {
  if (!openrealm_version()) stop(f, "%s: no version %ld", "openrealm_version", 0);
  return NO_CODE;
}

static void print_fault(void *context, const char *message) {
  (void)context;
  fprintf(stderr, "The library ends the process: %s\n", message);
}

static int32_t set_fatal_handler(fuzzer *f) {
  openrealm_set_fatal_handler(NULL, NULL);
  openrealm_set_fatal_handler(print_fault, f);
  return NO_CODE;
}

static void ignore_message(void *context, int32_t level, const char *message) {
  (void)context;
  if (!message || level < OPENREALM_LOG_OFF || level > OPENREALM_LOG_DEBUG) abort();
}

static int32_t set_logger(fuzzer *f) {
  int32_t level = one_in(f, 8) ? (int32_t)random_integer(f) : (int32_t)below(f, 7);
  int32_t code = openrealm_set_logger(level, ignore_message, NULL);
  openrealm_set_logger(OPENREALM_LOG_OFF, NULL, NULL);
  return code;
}

static int32_t value_clear(fuzzer *f) {
  openrealm_value value = random_value(f, OPENREALM_STRING, -1);
  openrealm_value_clear(maybe(f, &value));
  return NO_CODE;
}

static int32_t object_id_new(fuzzer *f) {
  openrealm_object_id object_id = openrealm_object_id_new();
  (void)f;
  (void)object_id;
  return NO_CODE;
}

static int32_t object_id_parse(fuzzer *f) {
  openrealm_object_id object_id;
  const char *text = one_in(f, 2) ? "5f43a1b2c3d4e5f601020304" : random_text(f);
  return openrealm_object_id_parse(maybe(f, (void *)text), maybe(f, &object_id));
}

static int32_t decimal128_parse(fuzzer *f) {
  static const char *const numbers[] = {"0",
                                        "-0",
                                        "1.5E-3",
                                        "NaN",
                                        "-Infinity",
                                        "1E6144",
                                        "1E-6176",
                                        "1E999999999999",
                                        "9999999999999999999999999999999999999999",
                                        ".",
                                        "+",
                                        "1e",
                                        " 1",
                                        "0x10"};
  openrealm_decimal128 decimal;
  const char *text = one_in(f, 4) ? random_text(f) : numbers[below(f, sizeof numbers / sizeof *numbers)];
  return openrealm_decimal128_parse(maybe(f, (void *)text), maybe(f, &decimal));
}

static int32_t decimal128_print(fuzzer *f) {
  char text[49];
  memset(text, 'x', sizeof text);
  size_t capacity = below(f, sizeof text);
  size_t length = openrealm_decimal128_print(random_decimal(f), capacity ? text : maybe(f, text), capacity);
  if (length > 47) stop(f, "%s: %ld characters", "openrealm_decimal128_print", (long)length);
  if (capacity > 0 && !memchr(text, 0, capacity))
    stop(f, "%s: no zero byte in %ld", "decimal128_print", (long)capacity);
  return NO_CODE;
}

const call error_calls[] = {
    {"openrealm_last_error", 4, last_error}, {"openrealm_code_name", 2, code_name},
    {"openrealm_retain", 6, retain},         {"openrealm_release", 60, release},
    {"openrealm_version", 1, version},       {"openrealm_set_fatal_handler", 1, set_fatal_handler},
    {"openrealm_set_logger", 1, set_logger}, {NULL, 0, NULL},
};

const call value_calls[] = {
    {"openrealm_value_clear", 4, value_clear},           {"openrealm_object_id_new", 2, object_id_new},
    {"openrealm_object_id_parse", 3, object_id_parse},   {"openrealm_decimal128_parse", 3, decimal128_parse},
    {"openrealm_decimal128_print", 3, decimal128_print}, {NULL, 0, NULL},
};
