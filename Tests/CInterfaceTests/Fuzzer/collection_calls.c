// collections.h: what holds for every kind of collection. columns.h.
#include "fuzzer.h"

static int32_t objects(fuzzer *f) { return keep(f, COLLECTION, openrealm_objects(a_realm(f), random_class(f))); }

static int32_t collection_of(fuzzer *f) {
  openrealm_object object = an_object_of(f, class_named(one_in(f, 16) ? "Owner" : "Item"));
  int32_t kind = OPENREALM_LIST + (int32_t)below(f, 3);
  int32_t property = random_property(f, object.class_number, OPENREALM_NULL, kind);
  return keep(f, COLLECTION, openrealm_collection_of(a_realm(f), object, property));
}

static int32_t collection_kind(fuzzer *f) {
  openrealm_collection_kind(a_collection(f));
  return NO_CODE;
}

static int32_t collection_type(fuzzer *f) {
  openrealm_collection_type(a_collection(f));
  return NO_CODE;
}

static int32_t collection_class(fuzzer *f) {
  openrealm_collection_class(a_collection(f));
  return NO_CODE;
}

static int32_t collection_realm(fuzzer *f) { return keep(f, REALM, openrealm_collection_realm(a_collection(f))); }

static int32_t collection_is_valid(fuzzer *f) {
  openrealm_collection_is_valid(a_collection(f));
  return NO_CODE;
}

static int32_t collection_in(fuzzer *f) {
  return keep(f, COLLECTION, openrealm_collection_in(a_collection(f), a_realm(f)));
}

static int32_t snapshot(fuzzer *f) { return keep(f, COLLECTION, openrealm_snapshot(a_collection(f))); }

static int32_t count(fuzzer *f) {
  size_t number;
  return openrealm_count(a_collection(f), maybe(f, &number));
}

static int32_t rows(fuzzer *f) {
  int64_t found[40];
  size_t copied = 0;
  size_t capacity = below(f, 40);
  bool has_place = !one_in(f, 16);
  openrealm_collection *collection = a_collection(f);
  int32_t code = openrealm_rows(collection, random_index(f), capacity, capacity ? maybe(f, found) : NULL,
                                has_place ? &copied : NULL);
  if (code != OPENREALM_OK || !has_place) return code;
  if (copied > capacity) stop(f, "%s: copied %ld", "openrealm_rows", (long)copied);
  int32_t class_number = openrealm_collection_class(collection);
  for (size_t i = 0; i < copied; i++) keep_object(f, (openrealm_object){class_number, found[i]});
  return code;
}

static int32_t at(fuzzer *f) {
  openrealm_value value = openrealm_null();
  openrealm_collection *collection = a_collection(f);
  size_t index = index_below(f, count_of(collection));
  return finish_value(f, openrealm_at(collection, index, maybe(f, &value)), &value);
}

static int32_t index_of(fuzzer *f) {
  size_t index;
  openrealm_collection *collection = a_collection(f);
  openrealm_value value =
      random_value(f, openrealm_collection_type(collection), openrealm_collection_class(collection));
  openrealm_value present = openrealm_null();
  if (f->is_careful && openrealm_at(collection, index_below(f, count_of(collection)), &present) == OPENREALM_OK)
    value = present;
  int32_t code = openrealm_index_of(collection, maybe(f, &value), maybe(f, &index));
  openrealm_value_clear(&present);
  return code;
}

static int32_t clear(fuzzer *f) {
  return openrealm_clear(a_collection_of(f, OPENREALM_LIST + (int32_t)below(f, f->is_careful ? 3 : 4)));
}

static int32_t set_all(fuzzer *f) {
  openrealm_collection *collection = objects_of(f, class_named("Item"));
  int32_t class_number = openrealm_collection_class(collection);
  int32_t property = random_property(f, class_number, OPENREALM_NULL, OPENREALM_SINGLE);
  openrealm_value value =
      random_value(f, type_of_property(class_number, property), target_of_property(class_number, property));
  return openrealm_set_all(collection, property, maybe(f, &value));
}

static int32_t delete_objects(fuzzer *f) { return openrealm_delete_objects(objects_of(f, random_class(f))); }

static int32_t column(fuzzer *f) {
  uint8_t values[16 * 64];
  uint8_t validity[8];
  static const int32_t types[] = {OPENREALM_INT,        OPENREALM_BOOL, OPENREALM_FLOAT,
                                  OPENREALM_DOUBLE,     OPENREALM_DATE, OPENREALM_OBJECT_ID,
                                  OPENREALM_DECIMAL128, OPENREALM_UUID, OPENREALM_NULL};
  openrealm_collection *collection = objects_of(f, class_named("Item"));
  int32_t type = types[below(f, sizeof types / sizeof *types)];
  int32_t property = random_property(f, openrealm_collection_class(collection), type, OPENREALM_SINGLE);
  size_t number = one_in(f, 8) ? SIZE_MAX - below(f, 99) : below(f, 64);
  size_t count = count_of(collection);
  size_t start = index_below(f, count);
  if (f->is_careful && count > 0) number = below(f, count - start < 64 ? count - start + 1 : 65);
  return openrealm_column(collection, property, start, number, maybe(f, values), one_in(f, 2) ? validity : NULL);
}

const call collection_calls[] = {
    {"openrealm_objects", 30, objects},
    {"openrealm_collection_of", 100, collection_of},
    {"openrealm_collection_kind", 6, collection_kind},
    {"openrealm_collection_type", 6, collection_type},
    {"openrealm_collection_class", 6, collection_class},
    {"openrealm_collection_realm", 2, collection_realm},
    {"openrealm_collection_is_valid", 6, collection_is_valid},
    {"openrealm_collection_in", 12, collection_in},
    {"openrealm_snapshot", 6, snapshot},
    {"openrealm_count", 30, count},
    {"openrealm_rows", 30, rows},
    {"openrealm_at", 80, at},
    {"openrealm_index_of", 20, index_of},
    {"openrealm_clear", 4, clear, true},
    {"openrealm_set_all", 4, set_all, true},
    {"openrealm_delete_objects", 1, delete_objects, true},
    {"openrealm_column", 30, column},
    {NULL, 0, NULL},
};
