// schema.h
#include "fuzzer.h"

static int32_t schema_new(fuzzer *f) {
  return keep(f, SCHEMA, one_in(f, 4) ? test_schema() : openrealm_schema_new());
}

static int32_t add_class(fuzzer *f) { return openrealm_schema_add_class(a_schema(f), random_name(f), one_in(f, 4)); }

static int32_t add_property(fuzzer *f) {
  openrealm_property property = {0};
  property.name = one_in(f, 3) ? random_text(f) : random_property_name(f);
  if (one_in(f, 16)) property.column_name = random_text(f);
  property.type = random_type(f);
  property.collection = one_in(f, 16) ? (int32_t)random_integer(f) : (int32_t)below(f, 5);
  property.flags = one_in(f, 16) ? (int32_t)random_integer(f) : one_in(f, 2) ? 1 << below(f, 6) : 0;
  property.delete_rule = one_in(f, 16) ? (int32_t)random_integer(f) : (int32_t)below(f, 3);
  if (!one_in(f, 4)) property.target = random_name(f);
  if (one_in(f, 2)) property.origin = random_property_name(f);
  return openrealm_schema_add_property(a_schema(f), maybe(f, &property));
}

static int32_t add_index(fuzzer *f) {
  const char *names[4] = {random_property_name(f), random_text(f), random_property_name(f), maybe(f, "id")};
  size_t count = one_in(f, 32) ? SIZE_MAX - below(f, 3) : below(f, 5);
  return openrealm_schema_add_index(a_schema(f), one_in(f, 8) ? (int32_t)random_integer(f) : (int32_t)below(f, 3),
                                    count, maybe(f, names));
}

static int32_t check(fuzzer *f) { return openrealm_schema_check(a_schema(f)); }

static int32_t from_json(fuzzer *f) {
  static const char *const texts[] = {"[]",
                                      "{}",
                                      "[{\"name\": \"New\", \"properties\": []}]",
                                      "[[[[[[[[",
                                      "nonsense",
                                      "[1]",
                                      "[{\"name\": 1}]",
                                      "{\"classes\": []}",
                                      "\"\\u0000\"",
                                      "[{}]"};
  const char *text = texts[below(f, sizeof texts / sizeof *texts)];
  openrealm_value json = openrealm_null();
  if (one_in(f, 2) && openrealm_schema_json(a_schema(f), &json) == OPENREALM_OK) {
    size_t size = json.as.bytes.size;
    char *changed = malloc(size + 1);
    memcpy(changed, json.as.bytes.bytes, size);
    openrealm_value_clear(&json);
    if (one_in(f, 3) && size > 0) changed[below(f, size)] = (char)next_random(f);
    int32_t code = keep(f, SCHEMA, openrealm_schema_from_json(changed, size));
    free(changed);
    return code;
  }
  size_t size = one_in(f, 32) ? SIZE_MAX : strlen(text);
  return keep(f, SCHEMA, openrealm_schema_from_json(maybe(f, (void *)text), size));
}

static int32_t json(fuzzer *f) {
  openrealm_value text = openrealm_null();
  return finish_value(f, openrealm_schema_json(a_schema(f), maybe(f, &text)), &text);
}

static int32_t of_file(fuzzer *f) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", f->settings->folder, one_in(f, 4) ? "nothing.realm" : "fuzz.realm");
  const uint8_t *key = f->settings->storage == ENCRYPTED && !one_in(f, 4) ? test_key : NULL;
  return keep(f, SCHEMA, openrealm_schema_of_file(maybe(f, path), key));
}

static int32_t of_realm(fuzzer *f) { return keep(f, SCHEMA, openrealm_schema_of_realm(a_realm(f))); }

static int32_t class_count(fuzzer *f) {
  openrealm_schema_class_count(a_schema(f));
  return NO_CODE;
}

static int32_t class_at(fuzzer *f) {
  bool is_embedded;
  const char *name = openrealm_schema_class_at(a_schema(f), random_index(f), maybe(f, &is_embedded));
  if (name && strlen(name) > 1000)
    stop(f, "%s: a name of %ld bytes", "openrealm_schema_class_at", (long)strlen(name));
  return NO_CODE;
}

static int32_t property_count(fuzzer *f) {
  openrealm_schema_property_count(a_schema(f), random_index(f));
  return NO_CODE;
}

static int32_t property_at(fuzzer *f) {
  openrealm_property property;
  memset(&property, 0, sizeof property);
  openrealm_schema *schema = a_schema(f);
  size_t place = index_below(f, openrealm_schema_class_count(schema));
  size_t index = index_below(f, openrealm_schema_property_count(schema, place));
  int32_t code = openrealm_schema_property_at(schema, place, index, maybe(f, &property));
  if (code == OPENREALM_OK && !property.name) stop(f, "%s: no name %ld", "openrealm_schema_property_at", 0);
  return code;
}

const call schema_calls[] = {
    {"openrealm_schema_new", 6, schema_new},
    {"openrealm_schema_add_class", 8, add_class},
    {"openrealm_schema_add_property", 20, add_property},
    {"openrealm_schema_add_index", 4, add_index},
    {"openrealm_schema_check", 2, check},
    {"openrealm_schema_from_json", 2, from_json},
    {"openrealm_schema_json", 1, json},
    {"openrealm_schema_of_file", 1, of_file},
    {"openrealm_schema_of_realm", 1, of_realm},
    {"openrealm_schema_class_count", 4, class_count},
    {"openrealm_schema_class_at", 6, class_at},
    {"openrealm_schema_property_count", 4, property_count},
    {"openrealm_schema_property_at", 8, property_at},
    {NULL, 0, NULL},
};
