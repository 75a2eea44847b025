// objects.h: writing.
#include "fuzzer.h"

// Chooses an object and a property of a type, and calls a setter.
#define SETTER(function, name, number, value)                                             \
  static int32_t name(fuzzer *f) {                                                        \
    openrealm_object object = an_object(f);                                               \
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
SETTER(openrealm_set_object, set_object, OPENREALM_OBJECT, an_object(f))
SETTER(openrealm_add_int, add_int, OPENREALM_INT, random_integer(f))

static int32_t set_string(fuzzer *f) {
  openrealm_object object = an_object(f);
  openrealm_bytes bytes = random_bytes(f);
  int32_t property = random_property(f, object.class_number, OPENREALM_STRING, OPENREALM_SINGLE);
  return openrealm_set_string(a_realm(f), object, property, bytes.bytes, bytes.size);
}

static int32_t set_data(fuzzer *f) {
  openrealm_object object = an_object(f);
  openrealm_bytes bytes = random_bytes(f);
  int32_t property = random_property(f, object.class_number, OPENREALM_DATA, OPENREALM_SINGLE);
  return openrealm_set_data(a_realm(f), object, property, bytes.bytes, bytes.size);
}

static int32_t set_null(fuzzer *f) {
  openrealm_object object = an_object(f);
  int32_t property = random_property(f, object.class_number, OPENREALM_NULL, OPENREALM_SINGLE);
  return openrealm_set_null(a_realm(f), object, property);
}

static int32_t set_value(fuzzer *f) {
  openrealm_object object = an_object(f);
  int32_t type = one_in(f, 3) ? OPENREALM_MIXED : OPENREALM_NULL;
  int32_t property = random_property(f, object.class_number, type, OPENREALM_SINGLE);
  openrealm_value value = random_value(f, type_of_property(object.class_number, property));
  return openrealm_set_value(a_realm(f), object, property, maybe(f, &value));
}

static int32_t set_embedded(fuzzer *f) {
  openrealm_object object = an_object(f);
  openrealm_object embedded;
  int32_t property = one_in(f, 2) ? openrealm_property_number(f->pools[REALM][0], object.class_number, "home")
                                  : random_property(f, object.class_number, OPENREALM_OBJECT, OPENREALM_SINGLE);
  bool has_place = !one_in(f, 16);
  int32_t code = openrealm_set_embedded(a_realm(f), object, property, has_place ? &embedded : NULL);
  if (code == OPENREALM_OK && has_place) keep_object(f, embedded);
  return code;
}

const call setter_calls[] = {
    {"openrealm_set_int", 40, set_int},
    {"openrealm_set_bool", 12, set_bool},
    {"openrealm_set_float", 12, set_float},
    {"openrealm_set_double", 12, set_double},
    {"openrealm_set_string", 40, set_string},
    {"openrealm_set_data", 16, set_data},
    {"openrealm_set_date", 16, set_date},
    {"openrealm_set_object_id", 12, set_object_id},
    {"openrealm_set_decimal128", 12, set_decimal128},
    {"openrealm_set_uuid", 12, set_uuid},
    {"openrealm_set_object", 30, set_object},
    {"openrealm_set_null", 20, set_null},
    {"openrealm_set_value", 60, set_value},
    {"openrealm_add_int", 16, add_int},
    {"openrealm_set_embedded", 16, set_embedded},
    {NULL, 0, NULL},
};
