// Tests of queries.h and columns.h.
#include "test.h"

typedef struct fixture {
  openrealm_realm *realm;
  int32_t dog, id, name, age, weight, single, good, born, owner, object_id, uuid, decimal, notes, maybe, anything, numbers,
      friends;
} fixture;

static fixture open_fixture(const char *folder) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Dog", false));
  add_property(schema, "id", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL);
  add_property(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "age", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_INDEXED, NULL);
  add_property(schema, "weight", OPENREALM_DOUBLE, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "single", OPENREALM_FLOAT, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "good", OPENREALM_BOOL, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "born", OPENREALM_DATE, OPENREALM_SINGLE, OPENREALM_OPTIONAL, NULL);
  add_property(schema, "owner", OPENREALM_OBJECT, OPENREALM_SINGLE, 0, "Dog");
  add_property(schema, "objectId", OPENREALM_OBJECT_ID, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "uuid", OPENREALM_UUID, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "decimal", OPENREALM_DECIMAL128, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "notes", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_FULL_TEXT, NULL);
  add_property(schema, "maybe", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_OPTIONAL, NULL);
  add_property(schema, "anything", OPENREALM_MIXED, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "numbers", OPENREALM_INT, OPENREALM_LIST, OPENREALM_OPTIONAL, NULL);
  add_property(schema, "friends", OPENREALM_OBJECT, OPENREALM_LIST, 0, "Dog");
  fixture known = {.realm = open_in(folder, schema)};
  CHECK(known.realm != NULL);
  known.dog = openrealm_class_number(known.realm, "Dog");
#define PROPERTY(member, text) known.member = openrealm_property_number(known.realm, known.dog, text)
  PROPERTY(id, "id");
  PROPERTY(name, "name");
  PROPERTY(age, "age");
  PROPERTY(weight, "weight");
  PROPERTY(single, "single");
  PROPERTY(good, "good");
  PROPERTY(born, "born");
  PROPERTY(owner, "owner");
  PROPERTY(object_id, "objectId");
  PROPERTY(uuid, "uuid");
  PROPERTY(decimal, "decimal");
  PROPERTY(notes, "notes");
  PROPERTY(maybe, "maybe");
  PROPERTY(anything, "anything");
  PROPERTY(numbers, "numbers");
  PROPERTY(friends, "friends");
  return known;
}

enum { COUNT = 2500 };

// Dogs whose values follow from their number; the owner of each but the first is the one before.
static void add_dogs(fixture *known, openrealm_object *dogs) {
  OK(openrealm_begin(known->realm));
  for (int i = 0; i < COUNT; i++) {
    char name[24], notes[48];
    snprintf(name, sizeof name, "dog %04d", (i * 7919) % COUNT);
    snprintf(notes, sizeof notes, "%s in the snow", i % 5 == 0 ? "bridge bridge" : "forest");
    openrealm_decimal128 decimal;
    OK(openrealm_decimal128_parse(i % 2 ? "1.5" : "-3", &decimal));
    openrealm_uuid uuid = {{(uint8_t)i, (uint8_t)(i >> 8)}};
    openrealm_object_id object_id = {{(uint8_t)i, 9}};
    int32_t properties[] = {known->id, known->name, known->age, known->weight, known->single, known->good, known->born,
                            known->owner, known->object_id, known->uuid, known->decimal, known->notes, known->maybe};
    openrealm_value values[] = {
        openrealm_int(i), openrealm_string(name), openrealm_int(i % 17), openrealm_double(i / 4.0),
        openrealm_float((float)i), openrealm_bool(i % 3 == 0),
        i % 4 == 0 ? openrealm_null() : openrealm_date_value(1000000 + i, 500000000),
        i == 0 ? openrealm_null() : openrealm_link(dogs[i - 1]), openrealm_object_id_value(object_id),
        openrealm_uuid_value(uuid), openrealm_decimal128_value(decimal), openrealm_string(notes),
        i % 10 == 0 ? openrealm_null() : openrealm_int(i)};
    OK(openrealm_create(known->realm, known->dog, sizeof properties / sizeof *properties, properties, values, &dogs[i]));
  }
  OK(openrealm_commit(known->realm));
}

static size_t count_of(openrealm_collection *collection) {
  CHECK(collection != NULL);
  size_t count = 0;
  OK(openrealm_count(collection, &count));
  return count;
}

static void queries_find_what_loops_find(const char *folder) {
  fixture known = open_fixture(folder);
  static openrealm_object dogs[COUNT];
  add_dogs(&known, dogs);
  openrealm_collection *all = openrealm_objects(known.realm, known.dog);
  openrealm_value arguments[] = {openrealm_int(5), openrealm_string("dog 1")};
  openrealm_collection *found = openrealm_filter(all, "age < %d AND name BEGINSWITH %@", 2, arguments);
  size_t expected = 0;
  for (int i = 0; i < COUNT; i++) expected += i % 17 < 5 && (i * 7919) % COUNT / 1000 == 1;
  EQUAL(expected, count_of(found));
  openrealm_value owner = openrealm_link(dogs[41]);
  openrealm_collection *owned = openrealm_filter(all, "owner = %@", 1, &owner);
  EQUAL(1, count_of(owned));
  size_t place;
  openrealm_value dog = openrealm_link(dogs[42]), other = openrealm_link(dogs[43]);
  OK(openrealm_index_of(owned, &dog, &place));
  EQUAL(0, place);
  REFUSED(OPENREALM_NOT_FOUND, openrealm_index_of(owned, &other, &place));
  openrealm_value null = openrealm_null(), date = openrealm_date_value(1000101, 0);
  EQUAL(COUNT / 4, count_of(openrealm_filter(all, "born = %@", 1, &null)));
  size_t after = 0;
  for (int i = 0; i < COUNT; i++) after += i % 4 != 0 && i >= 101;
  EQUAL(after, count_of(openrealm_filter(all, "born > %@", 1, &date)));
  openrealm_decimal128 minus_three;
  OK(openrealm_decimal128_parse("-3.0", &minus_three));
  openrealm_value decimal = openrealm_decimal128_value(minus_three);
  EQUAL(COUNT / 2, count_of(openrealm_filter(all, "decimal = %@", 1, &decimal)));
  openrealm_value path[] = {openrealm_string("owner.age"), openrealm_int(3)};
  size_t by_path = 0;
  for (int i = 1; i < COUNT; i++) by_path += (i - 1) % 17 == 3;
  EQUAL(by_path, count_of(openrealm_filter(all, "%K = %d", 2, path)));

  // In a list, which has its own order, and as live results.
  OK(openrealm_begin(known.realm));
  openrealm_collection *friends = openrealm_collection_of(known.realm, dogs[0], known.friends);
  for (int i = 30; i > 10; i--) {
    openrealm_value friend = openrealm_link(dogs[i]);
    OK(openrealm_list_append(friends, &friend));
  }
  openrealm_collection *good = openrealm_filter(friends, "good = true", 0, NULL);
  EQUAL(7, count_of(good));
  int64_t rows[COUNT];
  size_t copied;
  OK(openrealm_rows(good, 0, COUNT, rows, &copied));
  EQUAL(7, copied);
  EQUAL(dogs[30].row, rows[0]);
  OK(openrealm_rows(good, 7, COUNT, rows, &copied));
  EQUAL(0, copied);
  OK(openrealm_set_bool(known.realm, dogs[30], known.good, false));
  EQUAL(6, count_of(good));
  OK(openrealm_commit(known.realm));
  openrealm_value text;
  OK(openrealm_explain(found, &text));
  CHECK(strstr(text.as.bytes.bytes, "Dog") != NULL);
  openrealm_value_clear(&text);
}

static void wrong_queries_say_where(const char *folder) {
  fixture known = open_fixture(folder);
  openrealm_collection *all = openrealm_objects(known.realm, known.dog);
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_filter(all, "name = 'ä\xf0\x9f\x90\x95' AND AND", 0, NULL));
  openrealm_error error;
  openrealm_last_error(&error);
  EQUAL(21, error.position);
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_filter(all, "", 0, NULL));
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_filter(all, "nothing = 1", 0, NULL));
  openrealm_last_error(&error);
  EQUAL(-1, error.position);
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_filter(all, "age = 'text'", 0, NULL));
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_filter(all, "age = %d", 0, NULL));
  openrealm_value argument = openrealm_int(1);
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_filter(all, "age = %d", 1, NULL));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_filter(all, NULL, 0, NULL));
  NO_HANDLE(OPENREALM_INVALID_VALUE, openrealm_filter(all, "name = '\xff'", 0, NULL));
  argument = openrealm_text("\xff", 1);
  NO_HANDLE(OPENREALM_INVALID_VALUE, openrealm_filter(all, "name = %@", 1, &argument));
  argument = openrealm_link((openrealm_object){known.dog, 5});
  NO_HANDLE(OPENREALM_NO_SUCH_OBJECT, openrealm_filter(all, "owner = %@", 1, &argument));
  argument = openrealm_empty_list();
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_filter(all, "age = %@", 1, &argument));
  REFUSED(OPENREALM_INVALID_QUERY, openrealm_query_check(known.realm, known.dog, "age <", 0, NULL));
  OK(openrealm_query_check(known.realm, known.dog, "age < 5", 0, NULL));
  REFUSED(OPENREALM_NO_SUCH_CLASS, openrealm_query_check(known.realm, 9, "age < 5", 0, NULL));

  openrealm_sort_key keys[] = {{"age", true}, {"nothing", false}};
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_sort(all, 2, keys));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_sort(all, 2, NULL));
  const char *paths[] = {"friends", NULL};
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_distinct(all, 1, paths));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_distinct(all, 2, paths));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_distinct(all, 0, NULL));
  const char *names[] = {"name"};
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_ranked(all, 1, names, "snow"));
  openrealm_value value;
  REFUSED(OPENREALM_NO_SUCH_PROPERTY, openrealm_aggregate(all, OPENREALM_SUM, "nothing", &value));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_aggregate(all, OPENREALM_SUM, "name", &value));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_aggregate(all, 99, "age", &value));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_aggregate(all, OPENREALM_SUM, NULL, &value));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_group(all, "age", OPENREALM_COUNT, NULL, NULL, NULL));
}

static void orders_and_distinct_values_are_those_of_the_query(const char *folder) {
  fixture known = open_fixture(folder);
  static openrealm_object dogs[COUNT];
  add_dogs(&known, dogs);
  openrealm_collection *all = openrealm_objects(known.realm, known.dog);
  openrealm_sort_key keys[] = {{"age", true}, {"name", false}};
  openrealm_collection *sorted = openrealm_sort(all, 2, keys);
  static int64_t rows[COUNT], ages[COUNT];
  size_t copied;
  OK(openrealm_rows(sorted, 0, COUNT, rows, &copied));
  EQUAL(COUNT, copied);
  OK(openrealm_column(sorted, known.age, 0, COUNT, ages, NULL));
  for (int i = 0; i < COUNT; i++) {
    openrealm_object dog = {known.dog, rows[i]};
    int64_t age;
    OK(openrealm_get_int(known.realm, dog, known.age, &age));
    EQUAL(age, ages[i]);
    CHECK(i == 0 || ages[i - 1] >= age);
  }
  const char *paths[] = {"age"};
  EQUAL(17, count_of(openrealm_distinct(sorted, 1, paths)));
  const char *notes[] = {"notes"};
  openrealm_collection *ranked = openrealm_ranked(all, 1, notes, "bridge");
  EQUAL(COUNT / 5, count_of(ranked));

  OK(openrealm_begin(known.realm));
  openrealm_collection *numbers = openrealm_collection_of(known.realm, dogs[0], known.numbers);
  int64_t given[] = {5, 3, 5, -1};
  for (int i = 0; i < 4; i++) {
    openrealm_value number = openrealm_int(given[i]);
    OK(openrealm_list_append(numbers, &number));
  }
  openrealm_value null = openrealm_null(), value;
  OK(openrealm_list_append(numbers, &null));
  openrealm_sort_key self = {"self", false};
  const char *selves[] = {"self"};
  openrealm_collection *in_order = openrealm_sort(openrealm_distinct(numbers, 1, selves), 1, &self);
  EQUAL(4, count_of(in_order));
  OK(openrealm_at(in_order, 1, &value));
  EQUAL(-1, value.as.integer);
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_sort(numbers, 2, keys));
  NO_HANDLE(OPENREALM_WRONG_TYPE, openrealm_filter(numbers, "self > 1", 0, NULL));
  OK(openrealm_aggregate(numbers, OPENREALM_SUM, "self", &value));
  EQUAL(12, value.as.integer);
  OK(openrealm_aggregate(numbers, OPENREALM_COUNT, "self", &value));
  EQUAL(4, value.as.integer);
  OK(openrealm_aggregate(numbers, OPENREALM_MAXIMUM, "self", &value));
  EQUAL(5, value.as.integer);
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_aggregate(numbers, OPENREALM_SUM, "age", &value));
  OK(openrealm_commit(known.realm));
}

typedef struct groups {
  openrealm_collection *all;
  int64_t keys[32], values[32];
  size_t count, limit;
} groups;

static bool take_group(void *context, const openrealm_value *key, const openrealm_value *value) {
  groups *found = context;
  found->keys[found->count] = key->type == OPENREALM_NULL ? -1 : key->as.integer;
  found->values[found->count++] = value->as.integer;
  // Calls in between are allowed.
  size_t count;
  OK(openrealm_count(found->all, &count));
  return found->count < found->limit;
}

static void aggregates_and_groups_are_those_of_loops(const char *folder) {
  fixture known = open_fixture(folder);
  static openrealm_object dogs[COUNT];
  add_dogs(&known, dogs);
  openrealm_collection *all = openrealm_objects(known.realm, known.dog);
  int64_t sum = 0, counted = 0, maximum = 0;
  for (int i = 0; i < COUNT; i++) {
    if (i % 10 == 0) continue;
    sum += i;
    counted++;
    maximum = i;
  }
  openrealm_value value;
  OK(openrealm_aggregate(all, OPENREALM_SUM, "maybe", &value));
  EQUAL(sum, value.as.integer);
  OK(openrealm_aggregate(all, OPENREALM_COUNT, "maybe", &value));
  EQUAL(counted, value.as.integer);
  OK(openrealm_aggregate(all, OPENREALM_MAXIMUM, "maybe", &value));
  EQUAL(maximum, value.as.integer);
  OK(openrealm_aggregate(all, OPENREALM_AVERAGE, "maybe", &value));
  EQUAL(OPENREALM_DOUBLE, value.type);
  CHECK(value.as.number == (double)sum / (double)counted);
  OK(openrealm_aggregate(all, OPENREALM_MINIMUM, "born", &value));
  EQUAL(OPENREALM_DATE, value.type);
  EQUAL(1000001, value.as.date.seconds);
  openrealm_collection *none = openrealm_filter(all, "FALSEPREDICATE", 0, NULL);
  OK(openrealm_aggregate(none, OPENREALM_AVERAGE, "maybe", &value));
  EQUAL(OPENREALM_NULL, value.type);
  OK(openrealm_aggregate(none, OPENREALM_SUM, "maybe", &value));
  EQUAL(0, value.as.integer);

  groups found = {.all = all, .limit = 32};
  OK(openrealm_group(all, "age", OPENREALM_COUNT, NULL, take_group, &found));
  EQUAL(17, found.count);
  int64_t expected[17] = {0}, with_value[17] = {0}, sums[17] = {0};
  for (int i = 0; i < COUNT; i++) {
    expected[i % 17]++;
    if (i % 10) {
      with_value[i % 17]++;
      sums[i % 17] += i;
    }
  }
  for (int i = 0; i < 17; i++) {
    EQUAL(i, found.keys[i]);
    EQUAL(expected[i], found.values[i]);
  }
  found.count = 0;
  OK(openrealm_group(all, "age", OPENREALM_COUNT, "maybe", take_group, &found));
  for (int i = 0; i < 17; i++) EQUAL(with_value[i], found.values[i]);
  found.count = 0;
  OK(openrealm_group(all, "age", OPENREALM_SUM, "maybe", take_group, &found));
  for (int i = 0; i < 17; i++) EQUAL(sums[i], found.values[i]);
  found.count = 0;
  OK(openrealm_group(all, "owner.age", OPENREALM_COUNT, NULL, take_group, &found));
  EQUAL(18, found.count);
  EQUAL(-1, found.keys[0]);
  found.count = 0;
  found.limit = 3;
  OK(openrealm_group(all, "age", OPENREALM_COUNT, NULL, take_group, &found));
  EQUAL(3, found.count);
  REFUSED(OPENREALM_INVALID_QUERY, openrealm_group(all, "friends", OPENREALM_COUNT, NULL, take_group, &found));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_group(all, "age", OPENREALM_SUM, NULL, take_group, &found));
}

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

TESTS(queries,
      {"queries_find_what_loops_find", queries_find_what_loops_find},
      {"wrong_queries_say_where", wrong_queries_say_where},
      {"orders_and_distinct_values_are_those_of_the_query", orders_and_distinct_values_are_those_of_the_query},
      {"aggregates_and_groups_are_those_of_loops", aggregates_and_groups_are_those_of_loops},
      {"columns_hold_what_getters_return", columns_hold_what_getters_return})
