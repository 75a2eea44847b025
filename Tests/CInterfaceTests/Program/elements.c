// Elements of every type in lists, sets and maps.
#include "test.h"

enum { TYPES = 11, VALUES = 3 };

static const int32_t types[TYPES] = {
    OPENREALM_INT,    OPENREALM_BOOL,      OPENREALM_STRING,     OPENREALM_DATA, OPENREALM_DATE, OPENREALM_FLOAT,
    OPENREALM_DOUBLE, OPENREALM_OBJECT_ID, OPENREALM_DECIMAL128, OPENREALM_UUID, OPENREALM_MIXED};
static const int32_t kinds[3] = {OPENREALM_LIST, OPENREALM_SET, OPENREALM_MAP};

// A value of a type, different for each number but for the two Booleans.
static openrealm_value value_of(int32_t type, int number) {
  static const char *const texts[VALUES] = {"", "a\0b\xc3\xa4", "a longer text that is stored elsewhere"};
  static const size_t sizes[VALUES] = {0, 5, 38};
  openrealm_decimal128 decimal;
  switch (type) {
    case OPENREALM_INT: return openrealm_int(number == 2 ? INT64_MIN : number);
    case OPENREALM_BOOL: return openrealm_bool(number != 0);
    case OPENREALM_STRING: return openrealm_text(texts[number], sizes[number]);
    case OPENREALM_DATA: return openrealm_data(texts[number], sizes[number]);
    case OPENREALM_DATE: return openrealm_date_value(number - 1, number * 250000000);
    case OPENREALM_FLOAT: return openrealm_float((float)number / 2 - 1);
    case OPENREALM_DOUBLE: return openrealm_double(number / 8.0 - 1);
    case OPENREALM_OBJECT_ID: return openrealm_object_id_value((openrealm_object_id){{(uint8_t)number, 2, 3}});
    case OPENREALM_DECIMAL128:
      OK(openrealm_decimal128_parse(number == 0 ? "-1E5" : number == 1 ? "0.25" : "3", &decimal));
      return openrealm_decimal128_value(decimal);
    case OPENREALM_UUID: return openrealm_uuid_value((openrealm_uuid){{(uint8_t)number, 2, 3}});
    default: return number == 0 ? openrealm_text("mixed", 5) : number == 1 ? openrealm_int(7) : openrealm_double(0.5);
  }
}

static bool are_equal(const openrealm_value *first, const openrealm_value *second) {
  if (first->type != second->type) return false;
  switch (first->type) {
    case OPENREALM_NULL: return true;
    case OPENREALM_INT: return first->as.integer == second->as.integer;
    case OPENREALM_BOOL: return first->as.boolean == second->as.boolean;
    case OPENREALM_FLOAT: return first->as.single == second->as.single;
    case OPENREALM_DOUBLE: return first->as.number == second->as.number;
    case OPENREALM_STRING:
    case OPENREALM_DATA:
      return first->as.bytes.size == second->as.bytes.size &&
             memcmp(first->as.bytes.bytes, second->as.bytes.bytes, first->as.bytes.size) == 0;
    case OPENREALM_DATE:
      return first->as.date.seconds == second->as.date.seconds &&
             first->as.date.nanoseconds == second->as.date.nanoseconds;
    case OPENREALM_OBJECT_ID: return memcmp(&first->as.object_id, &second->as.object_id, 12) == 0;
    case OPENREALM_UUID: return memcmp(&first->as.uuid, &second->as.uuid, 16) == 0;
    default:
      return first->as.decimal128.low == second->as.decimal128.low &&
             first->as.decimal128.high == second->as.decimal128.high;
  }
}

static void put(openrealm_collection *collection, int number, const openrealm_value *value) {
  char key[8];
  int size = snprintf(key, sizeof key, "%d", number);
  switch (openrealm_collection_kind(collection)) {
    case OPENREALM_LIST: OK(openrealm_list_append(collection, value)); break;
    case OPENREALM_SET: OK(openrealm_set_insert(collection, value, NULL)); break;
    default: OK(openrealm_map_set(collection, key, (size_t)size, value));
  }
}

static void check_contents(openrealm_collection *collection, int32_t type) {
  int32_t kind = openrealm_collection_kind(collection);
  EQUAL(type, openrealm_collection_type(collection));
  size_t count;
  OK(openrealm_count(collection, &count));
  bool merges = kind == OPENREALM_SET && type == OPENREALM_BOOL;
  EQUAL(merges ? VALUES : VALUES + 1, count);
  for (int number = 0; number <= VALUES; number++) {
    openrealm_value expected = number == VALUES ? openrealm_null() : value_of(type, number), found;
    size_t place;
    OK(openrealm_index_of(collection, &expected, &place));
    OK(openrealm_at(collection, place, &found));
    CHECK(are_equal(&expected, &found));
    openrealm_value_clear(&found);
    if (kind != OPENREALM_MAP) continue;
    char key[8];
    OK(openrealm_map_get(collection, key, (size_t)snprintf(key, sizeof key, "%d", number), &found));
    CHECK(are_equal(&expected, &found));
    openrealm_value_clear(&found);
  }
}

static void elements_of_every_type_come_back_as_they_were_put(const char *folder) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Box", false));
  for (int type = 0; type < TYPES; type++) {
    for (int kind = 0; kind < 3; kind++) {
      char name[16];
      snprintf(name, sizeof name, "p%d_%d", type, kind);
      int32_t flags = types[type] == OPENREALM_MIXED ? 0 : OPENREALM_OPTIONAL;
      add_property(schema, name, types[type], kinds[kind], flags, NULL);
    }
  }
  openrealm_realm *realm = open_in(folder, schema);
  int32_t box = openrealm_class_number(realm, "Box");
  openrealm_object object;
  OK(openrealm_begin(realm));
  OK(openrealm_create(realm, box, 0, NULL, NULL, &object));
  openrealm_collection *collections[TYPES][3];
  for (int type = 0; type < TYPES; type++) {
    for (int kind = 0; kind < 3; kind++) {
      char name[16];
      snprintf(name, sizeof name, "p%d_%d", type, kind);
      openrealm_collection *collection =
          openrealm_collection_of(realm, object, openrealm_property_number(realm, box, name));
      CHECK(collection != NULL);
      for (int number = 0; number < VALUES; number++) {
        openrealm_value value = value_of(types[type], number);
        put(collection, number, &value);
      }
      openrealm_value null = openrealm_null();
      put(collection, VALUES, &null);
      check_contents(collection, types[type]);
      collections[type][kind] = collection;
    }
  }
  OK(openrealm_commit(realm));
  openrealm_realm *frozen = openrealm_freeze(realm);
  for (int type = 0; type < TYPES; type++) {
    for (int kind = 0; kind < 3; kind++) {
      check_contents(collections[type][kind], types[type]);
      openrealm_collection *same = openrealm_collection_in(collections[type][kind], frozen);
      check_contents(same, types[type]);
      openrealm_release(same);
      // A value of another type is refused.
      OK(openrealm_begin(realm));
      openrealm_value other = value_of(types[(type + 1) % (TYPES - 1)], 1);
      openrealm_collection *collection = collections[type][kind];
      if (types[type] != OPENREALM_MIXED) {
        if (kind == 0) REFUSED(OPENREALM_WRONG_TYPE, openrealm_list_append(collection, &other));
        else if (kind == 1) REFUSED(OPENREALM_WRONG_TYPE, openrealm_set_insert(collection, &other, NULL));
        else REFUSED(OPENREALM_WRONG_TYPE, openrealm_map_set(collection, "x", 1, &other));
      }
      OK(openrealm_cancel(realm));
      openrealm_release(collection);
    }
  }
  openrealm_release(frozen);
  openrealm_release(realm);
}

TESTS(elements,
      {"elements_of_every_type_come_back_as_they_were_put", elements_of_every_type_come_back_as_they_were_put})
