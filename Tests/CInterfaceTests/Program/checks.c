// What tests check with: see test.h.
#include <stdarg.h>

#include "test.h"

void fail_test(const char *file, int line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("%s:%d: ", file, line);
  vprintf(format, arguments);
  va_end(arguments);
  openrealm_error error;
  openrealm_last_error(&error);
  printf("\nlast error: %d %s%s%s\n", error.code, error.message, error.path ? ", file " : "",
         error.path ? error.path : "");
  fflush(stdout);
  exit(1);
}

static void check_last_error(int32_t expected, const char *call, const char *file, int line) {
  openrealm_error error;
  int32_t code = openrealm_last_error(&error);
  if (code != expected || error.code != expected)
    fail_test(file, line, "%s: the last error has code %d instead of %d", call, error.code, expected);
  if (!error.message || !*error.message) fail_test(file, line, "%s: the last error has no message", call);
}

void check_code(int32_t expected, int32_t code, const char *call, const char *file, int line) {
  if (code != expected) fail_test(file, line, "%s returned %d instead of %d", call, code, expected);
  if (expected != OPENREALM_OK) check_last_error(expected, call, file, line);
}

void check_no_handle(int32_t expected, void *handle, const char *call, const char *file, int line) {
  if (handle) fail_test(file, line, "%s returned a handle instead of NULL", call);
  check_last_error(expected, call, file, line);
}

void check_equal(int64_t expected, int64_t found, const char *text, const char *file, int line) {
  if (expected != found)
    fail_test(file, line, "%s is %lld instead of %lld", text, (long long)found, (long long)expected);
}

void check_text(const char *expected, openrealm_value *value, const char *text, const char *file, int line) {
  if (value->type != OPENREALM_STRING) fail_test(file, line, "%s has type %d instead of a string", text, value->type);
  openrealm_bytes bytes = value->as.bytes;
  if (bytes.size != strlen(expected) || memcmp(bytes.bytes, expected, bytes.size) != 0)
    fail_test(file, line, "%s is \"%.*s\" instead of \"%s\"", text, (int)bytes.size, bytes.bytes, expected);
  openrealm_value_clear(value);
}

const char *path_in(const char *folder, const char *name) {
  size_t size = strlen(folder) + strlen(name) + 2;
  char *path = malloc(size);
  snprintf(path, size, "%s/%s", folder, name);
  return path;
}

openrealm_configuration *configuration_in(const char *folder, openrealm_schema *schema) {
  openrealm_configuration *configuration = openrealm_configuration_new();
  CHECK(configuration);
  OK(openrealm_configuration_set_path(configuration, path_in(folder, "test.realm")));
  if (schema) OK(openrealm_configuration_set_schema(configuration, schema));
  openrealm_release(schema);
  return configuration;
}

openrealm_realm *open_in(const char *folder, openrealm_schema *schema) {
  openrealm_configuration *configuration = configuration_in(folder, schema);
  openrealm_realm *realm = openrealm_open(configuration);
  CHECK(realm);
  openrealm_release(configuration);
  return realm;
}

void add_property(openrealm_schema *schema, const char *name, int32_t type, int32_t collection, int32_t flags,
                  const char *target) {
  openrealm_property property = {0};
  property.name = name;
  property.type = type;
  property.collection = collection;
  property.flags = flags;
  property.target = target;
  OK(openrealm_schema_add_property(schema, &property));
}
