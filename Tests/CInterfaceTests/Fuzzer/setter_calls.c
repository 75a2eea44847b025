// objects.h: writing.
#include "fuzzer.h"

// Chooses an object and a property of a type, and calls a setter.
#define SETTER(function, name, number, value)                                             \
  static int32_t name(fuzzer *f) {                                                        \
    openrealm_object object = an_object_of(f, class_with(f, number));                     \
    int32_t property = random_property(f, object.class_number, number, OPENREALM_SINGLE); \
    return function(a_realm(f), object, property, value);                                 \
  }

SETTER(openrealm_set_int, set_int, OPENREALM_INT, random_integer(f))
SETTER(openrealm_set_bool, set_bool, OPENREALM_BOOL, one_in(f, 2))
SETTER(openrealm_set_float, set_float, OPENREALM_FLOAT, (float)random_number(f))
SETTER(openrealm_set_double, set_double, OPENREALM_DOUBLE, random_number(f))
SETTER(openrealm_set_date, set_date, OPENREALM_DATE, random_date(f))
SETTER(openrealm_set_object_id, set_object_id, OPENREALM_OBJECT_ID, random_object_id(f))
SETTER(openrealm_set_decimal128, set_decimal128, OPENREALM_DECIMAL128, random_decimal(f))
SETTER(openrealm_set_uuid, set_uuid, OPENREALM_UUID, random_uuid(f))
SETTER(openrealm_add_int, add_int, OPENREALM_INT, random_integer(f))

static int32_t set_object(fuzzer *f) {
  openrealm_object object = an_object_of(f, class_with(f, OPENREALM_OBJECT));
  int32_t property = random_property(f, object.class_number, OPENREALM_OBJECT, OPENREALM_SINGLE);
  openrealm_object target = an_object_of(f, target_of_property(object.class_number, property));
  return openrealm_set_object(a_realm(f), object, property, target);
}

static int32_t set_string(fuzzer *f) {
  openrealm_object object = an_object_of(f, class_with(f, OPENREALM_STRING));
  openrealm_bytes bytes = random_bytes(f);
  int32_t property = random_property(f, object.class_number, OPENREALM_STRING, OPENREALM_SINGLE);
  return openrealm_set_string(a_realm(f), object, property, bytes.bytes, bytes.size);
}

static int32_t set_data(fuzzer *f) {
  openrealm_object object = an_object_of(f, class_with(f, OPENREALM_DATA));
  openrealm_bytes bytes = random_bytes(f);
  int32_t property = random_property(f, object.class_number, OPENREALM_DATA, OPENREALM_SINGLE);
  return openrealm_set_data(a_realm(f), object, property, bytes.bytes, bytes.size);
}

static int32_t set_null(fuzzer *f) {
  openrealm_object object = an_object(f);
  int32_t property = optional_property(f, object.class_number);
  return openrealm_set_null(a_realm(f), object, property);
}

static int32_t set_value(fuzzer *f) {
  openrealm_object object = an_object(f);
  int32_t type = one_in(f, 3) ? OPENREALM_MIXED : OPENREALM_NULL;
  int32_t property = random_property(f, object.class_number, type, OPENREALM_SINGLE);
  openrealm_value value = random_value(f, type_of_property(object.class_number, property),
                                       target_of_property(object.class_number, property));
  return openrealm_set_value(a_realm(f), object, property, maybe(f, &value));
}

static int32_t set_embedded(fuzzer *f) {
  openrealm_object object = an_object_of(f, class_named("Item"));
  openrealm_object embedded;
  int32_t property = f->is_careful || one_in(f, 2)
                         ? openrealm_property_number(f->pools[REALM][0], object.class_number, "home")
                         : random_property(f, object.class_number, OPENREALM_OBJECT, OPENREALM_SINGLE);
  bool has_place = !one_in(f, 16);
  int32_t code = openrealm_set_embedded(a_realm(f), object, property, has_place ? &embedded : NULL);
  if (code == OPENREALM_OK && has_place) keep_object(f, embedded);
  return code;
}

const call setter_calls[] = {
    {"openrealm_set_int", 40, set_int, true},
    {"openrealm_set_bool", 12, set_bool, true},
    {"openrealm_set_float", 12, set_float, true},
    {"openrealm_set_double", 12, set_double, true},
    {"openrealm_set_string", 40, set_string, true},
    {"openrealm_set_data", 16, set_data, true},
    {"openrealm_set_date", 16, set_date, true},
    {"openrealm_set_object_id", 12, set_object_id, true},
    {"openrealm_set_decimal128", 12, set_decimal128, true},
    {"openrealm_set_uuid", 12, set_uuid, true},
    {"openrealm_set_object", 30, set_object, true},
    {"openrealm_set_null", 20, set_null, true},
    {"openrealm_set_value", 60, set_value, true},
    {"openrealm_add_int", 16, add_int, true},
    {"openrealm_set_embedded", 16, set_embedded, true},
    {NULL, 0, NULL},
};
