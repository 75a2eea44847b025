// Tests of columns.h.
#include "query_fixture.h"

static void check_columns(fixture *known, openrealm_collection *collection) {
  static int64_t rows[COUNT];
  size_t count;
  OK(openrealm_rows(collection, 0, COUNT, rows, &count));
  EQUAL(count_of(collection), count);
  static int64_t integers[COUNT], links[COUNT], dates[COUNT];
  static double doubles[COUNT];
  static float floats[COUNT];
  static uint8_t bools[COUNT], validity[COUNT / 8 + 1];
  static openrealm_object_id object_ids[COUNT];
  static openrealm_uuid uuids[COUNT];
  static openrealm_decimal128 decimals[COUNT];
  // All at once and from somewhere in the middle.
  for (int part = 0; part < 2; part++) {
    size_t start = part ? count / 3 : 0, size = part ? count / 2 : count;
    OK(openrealm_column(collection, known->weight, start, size, doubles, NULL));
    OK(openrealm_column(collection, known->single, start, size, floats, NULL));
    OK(openrealm_column(collection, known->good, start, size, bools, NULL));
    OK(openrealm_column(collection, known->object_id, start, size, object_ids, NULL));
    OK(openrealm_column(collection, known->uuid, start, size, uuids, NULL));
    OK(openrealm_column(collection, known->decimal, start, size, decimals, NULL));
    OK(openrealm_column(collection, known->owner, start, size, links, NULL));
    OK(openrealm_column(collection, known->born, start, size, dates, NULL));
    memset(validity, 0x5A, sizeof validity);
    OK(openrealm_column(collection, known->maybe, start, size, integers, validity));
    if (size % 8) EQUAL(0, validity[size / 8] >> (size % 8));
    for (size_t i = 0; i < size; i++) {
      openrealm_object dog = {known->dog, rows[start + i]};
      bool is_valid = validity[i / 8] >> (i % 8) & 1;
      if (dog.row < 0) {
        CHECK(!is_valid && integers[i] == 0 && doubles[i] == 0 && links[i] == 0);
        continue;
      }
      double number;
      float single;
      bool flag;
      openrealm_object_id object_id;
      openrealm_uuid uuid;
      openrealm_decimal128 decimal;
      OK(openrealm_get_double(known->realm, dog, known->weight, &number));
      OK(openrealm_get_float(known->realm, dog, known->single, &single));
      OK(openrealm_get_bool(known->realm, dog, known->good, &flag));
      OK(openrealm_get_object_id(known->realm, dog, known->object_id, &object_id));
      OK(openrealm_get_uuid(known->realm, dog, known->uuid, &uuid));
      OK(openrealm_get_decimal128(known->realm, dog, known->decimal, &decimal));
      CHECK(number == doubles[i] && single == floats[i] && flag == bools[i]);
      CHECK(memcmp(&object_id, &object_ids[i], sizeof object_id) == 0);
      CHECK(memcmp(&uuid, &uuids[i], sizeof uuid) == 0);
      CHECK(decimal.low == decimals[i].low && decimal.high == decimals[i].high);
      int64_t integer;
      int32_t code = openrealm_get_int(known->realm, dog, known->maybe, &integer);
      CHECK(code == (is_valid ? OPENREALM_OK : OPENREALM_IS_NULL));
      EQUAL(is_valid ? integer : 0, integers[i]);
      openrealm_object owner;
      code = openrealm_get_object(known->realm, dog, known->owner, &owner);
      EQUAL(code == OPENREALM_OK ? owner.row : 0, links[i]);
      openrealm_date date;
      code = openrealm_get_date(known->realm, dog, known->born, &date);
      EQUAL(code == OPENREALM_OK ? date.seconds * 1000000 + date.nanoseconds / 1000 : 0, dates[i]);
    }
  }
}

static void columns_hold_what_getters_return(const char *folder) {
  fixture known = open_fixture(folder);
  static openrealm_object dogs[COUNT];
  add_dogs(&known, dogs);
  openrealm_collection *all = openrealm_objects(known.realm, known.dog);
  openrealm_collection *many = openrealm_filter(all, "age < 15", 0, NULL);
  openrealm_collection *few = openrealm_filter(all, "age = 3 AND good = true", 0, NULL);
  openrealm_sort_key key = {"name", true};
  openrealm_collection *sorted = openrealm_sort(all, 1, &key);
  openrealm_collection *snapshot = openrealm_snapshot(sorted);
  openrealm_collection *friends = openrealm_collection_of(known.realm, dogs[7], known.friends);
  OK(openrealm_begin(known.realm));
  for (int i = 0; i < COUNT; i += 3) {
    openrealm_value friend = openrealm_link(dogs[(i * 31) % COUNT]);
    OK(openrealm_list_append(friends, &friend));
  }
  openrealm_collection *collections[] = {all, many, few, sorted, snapshot, friends};
  for (int i = 0; i < 6; i++) check_columns(&known, collections[i]);
  for (int i = 0; i < COUNT; i += 11) {
    if (i != 7) OK(openrealm_delete(known.realm, dogs[i]));
  }
  for (int i = 0; i < 6; i++) check_columns(&known, collections[i]);
  OK(openrealm_commit(known.realm));
  for (int i = 0; i < 6; i++) check_columns(&known, collections[i]);

  int64_t values[8];
  size_t count = count_of(all);
  OK(openrealm_column(all, known.age, count, 0, values, NULL));
  OK(openrealm_column(all, known.age, count - 1, 1, values, NULL));
  REFUSED(OPENREALM_OUT_OF_BOUNDS, openrealm_column(all, known.age, count - 1, 2, values, NULL));
  REFUSED(OPENREALM_OUT_OF_BOUNDS, openrealm_column(all, known.age, SIZE_MAX, 2, values, NULL));
  REFUSED(OPENREALM_OUT_OF_BOUNDS, openrealm_column(all, known.age, SIZE_MAX / 2, SIZE_MAX / 2, values, NULL));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_column(all, known.name, 0, 1, values, NULL));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_column(all, known.anything, 0, 1, values, NULL));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_column(all, known.numbers, 0, 1, values, NULL));
  REFUSED(OPENREALM_NO_SUCH_PROPERTY, openrealm_column(all, 99, 0, 1, values, NULL));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_column(all, known.age, 0, 1, NULL, NULL));
  openrealm_collection *numbers = openrealm_collection_of(known.realm, dogs[7], known.numbers);
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_column(numbers, known.age, 0, 1, values, NULL));
}

TESTS(columns,
      {"columns_hold_what_getters_return", columns_hold_what_getters_return})
