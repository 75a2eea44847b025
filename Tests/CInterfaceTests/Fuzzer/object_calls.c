// objects.h: reading, creating, deleting.
#include "fuzzer.h"

// Chooses an object and a property of a type, and calls a getter.
#define GETTER(function, name, number, value_type)                                        \
  static int32_t name(fuzzer *f) {                                                        \
    value_type value;                                                                     \
    openrealm_object object = an_object_of(f, class_with(f, number));                     \
    int32_t property = random_property(f, object.class_number, number, OPENREALM_SINGLE); \
    return function(a_realm(f), object, property, maybe(f, &value));                      \
  }

GETTER(openrealm_get_int, get_int, OPENREALM_INT, int64_t)
GETTER(openrealm_get_bool, get_bool, OPENREALM_BOOL, bool)
GETTER(openrealm_get_float, get_float, OPENREALM_FLOAT, float)
GETTER(openrealm_get_double, get_double, OPENREALM_DOUBLE, double)
GETTER(openrealm_get_date, get_date, OPENREALM_DATE, openrealm_date)
GETTER(openrealm_get_object_id, get_object_id, OPENREALM_OBJECT_ID, openrealm_object_id)
GETTER(openrealm_get_decimal128, get_decimal128, OPENREALM_DECIMAL128, openrealm_decimal128)
GETTER(openrealm_get_uuid, get_uuid, OPENREALM_UUID, openrealm_uuid)

// Reads all bytes, which have to be readable until the next call.
static int32_t check_bytes(int32_t code, const openrealm_bytes *bytes, fuzzer *f) {
  if (code != OPENREALM_OK) return code;
  if (!bytes->bytes) stop(f, "%s: no bytes, size %ld", "get_string or get_data", (long)bytes->size);
  volatile unsigned char sum = 0;
  for (size_t i = 0; i < bytes->size; i++) sum = (unsigned char)(sum + (unsigned char)bytes->bytes[i]);
  return code;
}

static int32_t get_string(fuzzer *f) {
  openrealm_bytes bytes;
  openrealm_object object = an_object(f);
  int32_t property = random_property(f, object.class_number, OPENREALM_STRING, OPENREALM_SINGLE);
  return check_bytes(openrealm_get_string(a_realm(f), object, property, maybe(f, &bytes)), &bytes, f);
}

static int32_t get_data(fuzzer *f) {
  openrealm_bytes bytes;
  openrealm_object object = an_object(f);
  int32_t property = random_property(f, object.class_number, OPENREALM_DATA, OPENREALM_SINGLE);
  return check_bytes(openrealm_get_data(a_realm(f), object, property, maybe(f, &bytes)), &bytes, f);
}

static int32_t get_object(fuzzer *f) {
  openrealm_object target;
  openrealm_object object = an_object_of(f, class_with(f, OPENREALM_OBJECT));
  int32_t property = random_property(f, object.class_number, OPENREALM_OBJECT, OPENREALM_SINGLE);
  int32_t code = openrealm_get_object(a_realm(f), object, property, maybe(f, &target));
  if (code == OPENREALM_OK) keep_object(f, target);
  return code;
}

static int32_t get_value(fuzzer *f) {
  openrealm_value value = openrealm_null();
  openrealm_object object = an_object(f);
  int32_t property =
      random_property(f, object.class_number, one_in(f, 2) ? OPENREALM_MIXED : OPENREALM_NULL, OPENREALM_SINGLE);
  return finish_value(f, openrealm_get_value(a_realm(f), object, property, maybe(f, &value)), &value);
}

// The arguments for creating an object.
typedef struct creation {
  openrealm_realm *realm;
  int32_t class_number;
  size_t count;
  int32_t properties[8];
  openrealm_value values[8];
} creation;

static creation random_creation(fuzzer *f) {
  creation made = {.realm = a_realm(f), .class_number = random_class(f), .count = below(f, 8)};
  if (f->is_careful && made.class_number == class_named("Home")) made.class_number = class_named("Item");
  for (size_t i = 0; i < made.count; i++) {
    made.properties[i] = random_property(f, made.class_number, OPENREALM_NULL, OPENREALM_SINGLE);
    int32_t target = target_of_property(made.class_number, made.properties[i]);
    made.values[i] = random_value(f, type_of_property(made.class_number, made.properties[i]), target);
    // Existing embedded objects are refused.
    if (f->is_careful && target >= 0 && target == class_named("Home")) made.values[i] = openrealm_null();
  }
  // Mostly with a primary key.
  if (!one_in(f, 8)) {
    int32_t key = openrealm_property_number(made.realm, made.class_number, "id");
    int32_t name = openrealm_property_number(made.realm, made.class_number, "name");
    if (made.count == 0) made.count = 1;
    made.properties[0] = key >= 0 ? key : name;
    made.values[0] = key >= 0 ? openrealm_int((int64_t)below(f, 300)) : openrealm_string(random_text(f));
  }
  if (!f->is_careful && one_in(f, 16)) made.count = SIZE_MAX - below(f, 4);
  return made;
}

static int32_t create(fuzzer *f) {
  openrealm_object object;
  bool has_place = !one_in(f, 16);
  creation made = random_creation(f);
  int32_t code = openrealm_create(made.realm, made.class_number, made.count, maybe(f, made.properties),
                                  maybe(f, made.values), has_place ? &object : NULL);
  if (code == OPENREALM_OK && has_place) keep_object(f, object);
  return code;
}

static int32_t create_or_update(fuzzer *f) {
  openrealm_object object;
  bool is_created;
  bool has_place = !one_in(f, 16);
  creation made = random_creation(f);
  int32_t policy = one_in(f, 16) ? (int32_t)random_integer(f) : 1 + (int32_t)below(f, 3);
  int32_t code =
      openrealm_create_or_update(made.realm, made.class_number, policy, made.count, maybe(f, made.properties),
                                 maybe(f, made.values), has_place ? &object : NULL, maybe(f, &is_created));
  if (code == OPENREALM_OK && has_place) keep_object(f, object);
  return code;
}

static int32_t import_json(fuzzer *f) {
  static const char *const texts[] = {
      "[]",
      "{\"id\": 1}",
      "[{\"id\": 2, \"name\": \"a\"}, {\"id\": 3}]",
      "{\"id\": 4}\n{\"id\": 5}",
      "{",
      "[1]",
      "{\"id\": \"x\"}",
      "{\"id\": 6, \"friend\": {\"id\": 7, \"friends\": [{\"id\": 8}]}}",
      "{\"id\": 9, \"nope\": 1}",
      "{\"id\": 1e400}",
      "{\"id\": 10, \"home\": {\"street\": \"s\"}, \"homes\": [{}, {}], \"mixed\": {\"a\": [1, {\"b\": null}]}}",
      "{\"id\": 11, \"l_int\": [1, 2], \"s_string\": [\"a\", \"a\"], \"m_double\": {\"k\": 1.5}}",
      "",
      "null",
      "{\"id\": 12, \"homesByName\": {\"a\": {\"rooms\": [1]}}, \"toys\": [{\"code\": \"x\"}]}",
      "[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
      "{\"id\": 13, \"r_data\": \"!!\", \"r_date\": \"yesterday\"}",
      "{\"id\": 14, \"mixed\": \"\\ud800\"}"};
  const char *text = one_in(f, 8) ? random_text(f) : texts[below(f, sizeof texts / sizeof *texts)];
  size_t size = one_in(f, 64) ? SIZE_MAX - below(f, 2) : strlen(text);
  size_t count;
  int32_t policy = one_in(f, 16) ? (int32_t)random_integer(f) : 1 + (int32_t)below(f, 3);
  int32_t class_number = f->is_careful ? class_named("Item") : random_class(f);
  return openrealm_import_json(a_realm(f), class_number, policy, maybe(f, (void *)text), size, one_in(f, 2),
                               maybe(f, &count));
}

static int32_t find(fuzzer *f) {
  openrealm_object object;
  int32_t class_number = random_class(f);
  openrealm_value key = one_in(f, 4) ? random_value(f, OPENREALM_MIXED, -1) : openrealm_int((int64_t)below(f, 300));
  openrealm_value known = openrealm_null();
  if (f->is_careful) {
    // The key of an object that exists.
    class_number = class_named(one_in(f, 4) ? "Named" : "Item");
    openrealm_realm *realm = f->pools[REALM][0];
    int32_t property = openrealm_property_number(realm, class_number, one_in(f, 2) ? "id" : "name");
    openrealm_get_value(realm, an_object_of(f, class_number), property, &known);
    key = known;
  }
  int32_t code = openrealm_find(a_realm(f), class_number, maybe(f, &key), maybe(f, &object));
  openrealm_value_clear(&known);
  if (code == OPENREALM_OK) keep_object(f, object);
  return code;
}

static int32_t delete_object(fuzzer *f) { return openrealm_delete(a_realm(f), an_object(f)); }

static int32_t is_valid(fuzzer *f) {
  openrealm_is_valid(a_realm(f), an_object(f));
  return NO_CODE;
}

static int32_t backlinks(fuzzer *f) {
  int32_t origin, property;
  openrealm_object object = an_object(f);
  random_link(f, object.class_number, &origin, &property);
  return keep(f, COLLECTION, openrealm_backlinks(a_realm(f), object, origin, property));
}

static int32_t backlink_count(fuzzer *f) {
  int64_t count;
  return openrealm_backlink_count(a_realm(f), an_object(f), maybe(f, &count));
}

const call object_calls[] = {
    {"openrealm_get_int", 60, get_int},
    {"openrealm_get_bool", 20, get_bool},
    {"openrealm_get_float", 20, get_float},
    {"openrealm_get_double", 20, get_double},
    {"openrealm_get_string", 60, get_string},
    {"openrealm_get_data", 20, get_data},
    {"openrealm_get_date", 20, get_date},
    {"openrealm_get_object_id", 20, get_object_id},
    {"openrealm_get_decimal128", 20, get_decimal128},
    {"openrealm_get_uuid", 20, get_uuid},
    {"openrealm_get_object", 40, get_object},
    {"openrealm_get_value", 60, get_value},
    {"openrealm_create", 80, create, true},
    {"openrealm_create_or_update", 40, create_or_update, true},
    {"openrealm_import_json", 12, import_json, true},
    {"openrealm_find", 20, find},
    {"openrealm_delete", 16, delete_object, true},
    {"openrealm_is_valid", 10, is_valid},
    {"openrealm_backlinks", 12, backlinks},
    {"openrealm_backlink_count", 12, backlink_count},
    {NULL, 0, NULL},
};
