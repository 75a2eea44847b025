// Tests of collections.h.
#include "test.h"

#include <pthread.h>

// A realm with the classes that these tests use, and their numbers.
typedef struct fixture {
  openrealm_realm *realm;
  int32_t dog, part, name, age, friend, friends, pack, by_name, numbers, texts, scores, maybe, anything, anythings, parts,
      parts_by_name, mixed_set, part_size;
} fixture;

static fixture open_fixture(const char *folder) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Dog", false));
  add_property(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL);
  add_property(schema, "age", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "friend", OPENREALM_OBJECT, OPENREALM_SINGLE, 0, "Dog");
  add_property(schema, "friends", OPENREALM_OBJECT, OPENREALM_LIST, 0, "Dog");
  add_property(schema, "pack", OPENREALM_OBJECT, OPENREALM_SET, 0, "Dog");
  add_property(schema, "byName", OPENREALM_OBJECT, OPENREALM_MAP, 0, "Dog");
  add_property(schema, "numbers", OPENREALM_INT, OPENREALM_LIST, 0, NULL);
  add_property(schema, "texts", OPENREALM_STRING, OPENREALM_SET, 0, NULL);
  add_property(schema, "scores", OPENREALM_INT, OPENREALM_MAP, 0, NULL);
  add_property(schema, "maybe", OPENREALM_DOUBLE, OPENREALM_LIST, OPENREALM_OPTIONAL, NULL);
  add_property(schema, "anything", OPENREALM_MIXED, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "anythings", OPENREALM_MIXED, OPENREALM_LIST, 0, NULL);
  add_property(schema, "mixedSet", OPENREALM_MIXED, OPENREALM_SET, 0, NULL);
  add_property(schema, "parts", OPENREALM_OBJECT, OPENREALM_LIST, 0, "Part");
  add_property(schema, "partsByName", OPENREALM_OBJECT, OPENREALM_MAP, 0, "Part");
  OK(openrealm_schema_add_class(schema, "Part", true));
  add_property(schema, "size", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL);
  fixture known = {.realm = open_in(folder, schema)};
  CHECK(known.realm != NULL);
  known.dog = openrealm_class_number(known.realm, "Dog");
  known.part = openrealm_class_number(known.realm, "Part");
#define PROPERTY(member, text) known.member = openrealm_property_number(known.realm, known.dog, text)
  PROPERTY(name, "name");
  PROPERTY(age, "age");
  PROPERTY(friend, "friend");
  PROPERTY(friends, "friends");
  PROPERTY(pack, "pack");
  PROPERTY(by_name, "byName");
  PROPERTY(numbers, "numbers");
  PROPERTY(texts, "texts");
  PROPERTY(scores, "scores");
  PROPERTY(maybe, "maybe");
  PROPERTY(anything, "anything");
  PROPERTY(anythings, "anythings");
  PROPERTY(mixed_set, "mixedSet");
  PROPERTY(parts, "parts");
  PROPERTY(parts_by_name, "partsByName");
  known.part_size = openrealm_property_number(known.realm, known.part, "size");
  return known;
}

static openrealm_object add_dog(fixture *known, const char *name, int64_t age) {
  openrealm_object dog;
  int32_t properties[] = {known->name, known->age};
  openrealm_value values[] = {openrealm_string(name), openrealm_int(age)};
  OK(openrealm_create(known->realm, known->dog, 2, properties, values, &dog));
  return dog;
}

static size_t count_of(openrealm_collection *collection) {
  size_t count = 0;
  OK(openrealm_count(collection, &count));
  return count;
}

static int64_t int_at(openrealm_collection *collection, size_t index) {
  openrealm_value value;
  OK(openrealm_at(collection, index, &value));
  EQUAL(OPENREALM_INT, value.type);
  return value.as.integer;
}

static openrealm_value integer(int64_t number) { return openrealm_int(number); }

#define APPEND(list, ...) \
  do { openrealm_value appended = __VA_ARGS__; OK(openrealm_list_append(list, &appended)); } while (0)
#define REFUSE_APPEND(code, list, ...) \
  do { openrealm_value appended = __VA_ARGS__; REFUSED(code, openrealm_list_append(list, &appended)); } while (0)

// A sequence of numbers that a seed decides.
static uint64_t next_random(uint64_t *state) {
  uint64_t bits = *state += 0x9E3779B97F4A7C15u;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

static void a_list_of_ints_does_what_an_array_does(const char *folder) {
  uint64_t random = 38;
  printf("seed: 38\n");
  fixture known = open_fixture(folder);
  OK(openrealm_begin(known.realm));
  openrealm_object dog = add_dog(&known, "Rex", 1);
  openrealm_collection *list = openrealm_collection_of(known.realm, dog, known.numbers);
  EQUAL(OPENREALM_LIST, openrealm_collection_kind(list));
  EQUAL(OPENREALM_INT, openrealm_collection_type(list));
  EQUAL(-1, openrealm_collection_class(list));
  static int64_t model[6000];
  size_t count = 0;
  for (int step = 0; step < 5000; step++) {
    size_t place = next_random(&random) % (count + 1);
    openrealm_value value = integer((int64_t)(next_random(&random) % 100));
    switch (next_random(&random) % 8) {
      case 0: case 1:
        OK(openrealm_list_append(list, &value));
        model[count++] = value.as.integer;
        break;
      case 2: case 3:
        OK(openrealm_list_insert(list, place, &value));
        memmove(model + place + 1, model + place, (count - place) * sizeof *model);
        model[place] = value.as.integer;
        count++;
        break;
      case 4:
        if (place == count) { REFUSED(OPENREALM_OUT_OF_BOUNDS, openrealm_list_set(list, place, &value)); break; }
        OK(openrealm_list_set(list, place, &value));
        model[place] = value.as.integer;
        break;
      case 5:
        if (place == count) { REFUSED(OPENREALM_OUT_OF_BOUNDS, openrealm_list_remove(list, place)); break; }
        OK(openrealm_list_remove(list, place));
        count--;
        memmove(model + place, model + place + 1, (count - place) * sizeof *model);
        break;
      case 6: {
        if (count == 0) break;
        size_t from = next_random(&random) % count, to = next_random(&random) % count;
        OK(openrealm_list_move(list, from, to));
        int64_t moved = model[from];
        memmove(model + from, model + from + 1, (count - from - 1) * sizeof *model);
        memmove(model + to + 1, model + to, (count - to - 1) * sizeof *model);
        model[to] = moved;
        break;
      }
      default: {
        if (count == 0) break;
        size_t first = next_random(&random) % count, second = next_random(&random) % count;
        OK(openrealm_list_swap(list, first, second));
        int64_t kept = model[first];
        model[first] = model[second];
        model[second] = kept;
      }
    }
    EQUAL(count, count_of(list));
    if (step % 100 == 0) {
      for (size_t i = 0; i < count; i++) EQUAL(model[i], int_at(list, i));
    }
    if (step % 500 == 499) {
      OK(openrealm_commit(known.realm));
      OK(openrealm_begin(known.realm));
    }
  }
  size_t found;
  for (size_t i = 0; i < count; i += 37) {
    openrealm_value value = integer(model[i]);
    OK(openrealm_index_of(list, &value, &found));
    EQUAL(model[i], model[found]);
    for (size_t before = 0; before < found; before++) CHECK(model[before] != model[i]);
  }
  openrealm_value absent = integer(1000);
  REFUSED(OPENREALM_NOT_FOUND, openrealm_index_of(list, &absent, &found));
  OK(openrealm_clear(list));
  EQUAL(0, count_of(list));
  OK(openrealm_commit(known.realm));
  openrealm_release(list);
  openrealm_release(known.realm);
}

static void sets_and_maps_do_what_tables_do(const char *folder) {
  uint64_t random = 5;
  printf("seed: 5\n");
  fixture known = open_fixture(folder);
  OK(openrealm_begin(known.realm));
  openrealm_object dog = add_dog(&known, "Rex", 1);
  openrealm_collection *set = openrealm_collection_of(known.realm, dog, known.texts);
  openrealm_collection *map = openrealm_collection_of(known.realm, dog, known.scores);
  bool in_set[50] = {false}, in_map[50] = {false};
  int64_t scores[50] = {0};
  size_t set_count = 0, map_count = 0;
  for (int step = 0; step < 3000; step++) {
    size_t which = next_random(&random) % 50;
    char key[16];
    snprintf(key, sizeof key, "key %zu", which);
    openrealm_value text = openrealm_string(key), score = integer((int64_t)(next_random(&random) % 1000));
    bool changed;
    switch (next_random(&random) % 5) {
      case 0:
        OK(openrealm_set_insert(set, &text, &changed));
        CHECK(changed == !in_set[which]);
        set_count += changed;
        in_set[which] = true;
        break;
      case 1:
        OK(openrealm_set_remove(set, &text, &changed));
        CHECK(changed == in_set[which]);
        set_count -= changed;
        in_set[which] = false;
        break;
      case 2:
        OK(openrealm_map_set(map, key, strlen(key), &score));
        map_count += !in_map[which];
        in_map[which] = true;
        scores[which] = score.as.integer;
        break;
      case 3:
        if (in_map[which]) {
          OK(openrealm_map_remove(map, key, strlen(key)));
          map_count--;
        } else {
          REFUSED(OPENREALM_NOT_FOUND, openrealm_map_remove(map, key, strlen(key)));
        }
        in_map[which] = false;
        break;
      default: {
        openrealm_value value;
        if (in_map[which]) {
          OK(openrealm_map_get(map, key, strlen(key), &value));
          EQUAL(scores[which], value.as.integer);
        } else {
          REFUSED(OPENREALM_NOT_FOUND, openrealm_map_get(map, key, strlen(key), &value));
        }
      }
    }
    EQUAL(set_count, count_of(set));
    EQUAL(map_count, count_of(map));
  }
  for (size_t i = 0; i < map_count; i++) {
    openrealm_value key, value;
    OK(openrealm_map_key_at(map, i, &key));
    OK(openrealm_at(map, i, &value));
    size_t which = (size_t)atoi(key.as.bytes.bytes + 4);
    CHECK(in_map[which]);
    EQUAL(scores[which], value.as.integer);
    openrealm_value_clear(&key);
  }
  for (size_t i = 0; i < set_count; i++) {
    openrealm_value text;
    OK(openrealm_at(set, i, &text));
    CHECK(in_set[atoi(text.as.bytes.bytes + 4)]);
    size_t found;
    OK(openrealm_index_of(set, &text, &found));
    EQUAL(i, found);
    openrealm_value_clear(&text);
  }
  OK(openrealm_cancel(known.realm));
  REFUSED(OPENREALM_INVALIDATED, openrealm_clear(set));
  openrealm_release(set);
  openrealm_release(map);
  openrealm_release(known.realm);
}

static void wrong_values_are_refused(const char *folder) {
  fixture known = open_fixture(folder);
  OK(openrealm_begin(known.realm));
  openrealm_object rex = add_dog(&known, "Rex", 1), fido = add_dog(&known, "Fido", 2);
  openrealm_collection *numbers = openrealm_collection_of(known.realm, rex, known.numbers);
  REFUSE_APPEND(OPENREALM_WRONG_TYPE, numbers, openrealm_string("a"));
  REFUSE_APPEND(OPENREALM_WRONG_TYPE, numbers, openrealm_double(1));
  REFUSE_APPEND(OPENREALM_WRONG_TYPE, numbers, openrealm_empty_list());
  REFUSE_APPEND(OPENREALM_IS_NULL, numbers, openrealm_null());
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_list_append(numbers, NULL));
  openrealm_value unknown = openrealm_null();
  unknown.type = 99;
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_list_append(numbers, &unknown));
  openrealm_value one = integer(1);
  REFUSED(OPENREALM_OUT_OF_BOUNDS, openrealm_list_insert(numbers, 1, &one));
  REFUSED(OPENREALM_OUT_OF_BOUNDS, openrealm_list_insert(numbers, SIZE_MAX, &one));
  REFUSED(OPENREALM_OUT_OF_BOUNDS, openrealm_list_move(numbers, 0, 0));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_set_insert(numbers, &one, NULL));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_map_set(numbers, "a", 1, &one));
  REFUSED(OPENREALM_EMBEDDED, openrealm_list_insert_embedded(
      openrealm_collection_of(known.realm, rex, known.friends), 0, NULL));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_list_insert_embedded(numbers, 0, NULL));

  openrealm_collection *friends = openrealm_collection_of(known.realm, rex, known.friends);
  EQUAL(OPENREALM_OBJECT, openrealm_collection_type(friends));
  EQUAL(known.dog, openrealm_collection_class(friends));
  REFUSE_APPEND(OPENREALM_IS_NULL, friends, openrealm_null());
  REFUSE_APPEND(OPENREALM_NO_SUCH_OBJECT, friends, openrealm_link((openrealm_object){known.dog, 99}));
  REFUSE_APPEND(OPENREALM_NO_SUCH_CLASS, friends, openrealm_link((openrealm_object){77, 0}));
  openrealm_collection *parts = openrealm_collection_of(known.realm, rex, known.parts);
  openrealm_object part;
  OK(openrealm_list_insert_embedded(parts, 0, &part));
  EQUAL(known.part, part.class_number);
  OK(openrealm_set_int(known.realm, part, known.part_size, 7));
  REFUSE_APPEND(OPENREALM_EMBEDDED, parts, openrealm_link(part));
  REFUSE_APPEND(OPENREALM_WRONG_TYPE, friends, openrealm_link(part));
  OK(openrealm_list_remove(parts, 0));
  CHECK(!openrealm_is_valid(known.realm, part));
  openrealm_collection *parts_by_name = openrealm_collection_of(known.realm, rex, known.parts_by_name);
  OK(openrealm_map_set_embedded(parts_by_name, "a", 1, &part));
  openrealm_object second;
  OK(openrealm_map_set_embedded(parts_by_name, "a", 1, &second));
  CHECK(!openrealm_is_valid(known.realm, part));
  CHECK(openrealm_is_valid(known.realm, second));

  openrealm_collection *map = openrealm_collection_of(known.realm, rex, known.scores);
  REFUSED(OPENREALM_INVALID_VALUE, openrealm_map_set(map, "a.b", 3, &one));
  REFUSED(OPENREALM_INVALID_VALUE, openrealm_map_set(map, "$a", 2, &one));
  REFUSED(OPENREALM_INVALID_VALUE, openrealm_map_set(map, "\xff", 1, &one));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_map_set(map, NULL, 1, &one));
  openrealm_collection *by_name = openrealm_collection_of(known.realm, rex, known.by_name);
  openrealm_value link = openrealm_link(fido), null = openrealm_null();
  OK(openrealm_map_set(by_name, "Fido", 4, &link));
  OK(openrealm_map_set(by_name, "nobody", 6, &null));
  int64_t rows[4];
  size_t copied;
  OK(openrealm_rows(by_name, 0, 4, rows, &copied));
  EQUAL(2, copied);
  EQUAL(fido.row, rows[0]);
  EQUAL(-1, rows[1]);
  openrealm_collection *texts = openrealm_collection_of(known.realm, rex, known.texts);
  openrealm_value broken = openrealm_text("\xc3(", 2);
  REFUSED(OPENREALM_INVALID_VALUE, openrealm_set_insert(texts, &broken, NULL));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_rows(texts, 0, 4, rows, &copied));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_delete_objects(texts));
  NO_HANDLE(OPENREALM_WRONG_TYPE, openrealm_snapshot(texts));
  openrealm_collection *mixed_set = openrealm_collection_of(known.realm, rex, known.mixed_set);
  openrealm_value list = openrealm_empty_list();
  REFUSED(OPENREALM_INVALID_VALUE, openrealm_set_insert(mixed_set, &list, NULL));

  NO_HANDLE(OPENREALM_WRONG_TYPE, openrealm_collection_of(known.realm, rex, known.age));
  NO_HANDLE(OPENREALM_NO_SUCH_PROPERTY, openrealm_collection_of(known.realm, rex, 99));
  NO_HANDLE(OPENREALM_NO_SUCH_CLASS, openrealm_objects(known.realm, 99));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_objects(NULL, known.dog));
  size_t count;
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_count((openrealm_collection *)known.realm, &count));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_count(numbers, NULL));
  openrealm_collection *dogs = openrealm_objects(known.realm, known.dog);
  REFUSED(OPENREALM_READ_ONLY, openrealm_clear(dogs));
  openrealm_value value;
  REFUSED(OPENREALM_OUT_OF_BOUNDS, openrealm_at(dogs, 2, &value));
  REFUSED(OPENREALM_OUT_OF_BOUNDS, openrealm_at(dogs, SIZE_MAX, &value));
  openrealm_value name = openrealm_string("same");
  REFUSED(OPENREALM_PRIMARY_KEY, openrealm_set_all(dogs, known.name, &name));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_set_all(dogs, known.age, &name));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_set_all(dogs, known.numbers, &one));
  openrealm_value eight = integer(8);
  OK(openrealm_set_all(dogs, known.age, &eight));
  OK(openrealm_set_all(dogs, known.friend, &link));
  int64_t age;
  OK(openrealm_get_int(known.realm, rex, known.age, &age));
  EQUAL(8, age);
  OK(openrealm_commit(known.realm));
  REFUSED(OPENREALM_NOT_IN_WRITE, openrealm_list_append(numbers, &one));
  REFUSED(OPENREALM_NOT_IN_WRITE, openrealm_set_all(dogs, known.age, &eight));
  REFUSED(OPENREALM_NOT_IN_WRITE, openrealm_delete_objects(dogs));
  openrealm_realm *frozen = openrealm_freeze(known.realm);
  openrealm_collection *frozen_numbers = openrealm_collection_in(numbers, frozen);
  REFUSED(OPENREALM_FROZEN, openrealm_list_append(frozen_numbers, &one));
}

static void nested_values_follow_their_element(const char *folder) {
  fixture known = open_fixture(folder);
  OK(openrealm_begin(known.realm));
  openrealm_object dog = add_dog(&known, "Rex", 1);
  openrealm_value list = openrealm_empty_list(), map = openrealm_empty_map();
  OK(openrealm_set_value(known.realm, dog, known.anything, &list));
  openrealm_value nested;
  OK(openrealm_get_value(known.realm, dog, known.anything, &nested));
  EQUAL(OPENREALM_LIST_VALUE, nested.type);
  openrealm_collection *outer = nested.as.collection;
  EQUAL(OPENREALM_MIXED, openrealm_collection_type(outer));
  APPEND(outer, openrealm_int(5));
  APPEND(outer, openrealm_empty_map());
  APPEND(outer, openrealm_link(dog));
  openrealm_value inner_value;
  OK(openrealm_at(outer, 1, &inner_value));
  EQUAL(OPENREALM_MAP_VALUE, inner_value.type);
  openrealm_collection *inner = inner_value.as.collection;
  openrealm_value text = openrealm_string("deep");
  OK(openrealm_map_set(inner, "key", 3, &text));
  OK(openrealm_map_set(inner, "map", 3, &map));
  REFUSED(OPENREALM_INVALID_VALUE, openrealm_map_set(inner, "a.b", 3, &text));
  OK(openrealm_list_move(outer, 1, 0));
  openrealm_value read;
  OK(openrealm_map_get(inner, "key", 3, &read));
  TEXT("deep", &read);
  OK(openrealm_map_get(inner, "map", 3, &read));
  EQUAL(OPENREALM_MAP_VALUE, read.type);
  EQUAL(0, count_of(read.as.collection));
  openrealm_value_clear(&read);
  OK(openrealm_commit(known.realm));
  openrealm_realm *frozen = openrealm_freeze(known.realm);
  openrealm_collection *frozen_inner = openrealm_collection_in(inner, frozen);
  EQUAL(2, count_of(frozen_inner));
  OK(openrealm_begin(known.realm));
  OK(openrealm_list_remove(outer, 0));
  CHECK(!openrealm_collection_is_valid(inner));
  REFUSED(OPENREALM_INVALIDATED, openrealm_map_set(inner, "key", 3, &text));
  NO_HANDLE(OPENREALM_INVALIDATED, openrealm_collection_in(inner, frozen));
  CHECK(openrealm_collection_is_valid(frozen_inner));
  openrealm_value five = integer(5);
  OK(openrealm_set_value(known.realm, dog, known.anything, &five));
  REFUSED(OPENREALM_INVALIDATED, openrealm_list_append(outer, &five));

  // As deep as it goes, and no deeper.
  OK(openrealm_set_value(known.realm, dog, known.anything, &list));
  OK(openrealm_get_value(known.realm, dog, known.anything, &read));
  int depth = 1;
  while (true) {
    int32_t code = openrealm_list_append(read.as.collection, &list);
    if (code != OPENREALM_OK) {
      EQUAL(OPENREALM_INVALID_VALUE, code);
      break;
    }
    depth++;
    openrealm_value deeper;
    OK(openrealm_at(read.as.collection, 0, &deeper));
    openrealm_value_clear(&read);
    read = deeper;
  }
  EQUAL(1000, depth);
  openrealm_value_clear(&read);
  OK(openrealm_commit(known.realm));
  openrealm_value_clear(&nested);
  openrealm_value_clear(&inner_value);
  openrealm_release(frozen_inner);
  openrealm_release(frozen);
  openrealm_release(known.realm);
}

static void snapshots_keep_the_places_of_deleted_objects(const char *folder) {
  fixture known = open_fixture(folder);
  OK(openrealm_begin(known.realm));
  openrealm_object dogs[10];
  for (int i = 0; i < 10; i++) {
    char name[8];
    snprintf(name, sizeof name, "dog %d", i);
    dogs[i] = add_dog(&known, name, i);
  }
  openrealm_collection *all = openrealm_objects(known.realm, known.dog);
  openrealm_collection *young = openrealm_filter(all, "age < 5", 0, NULL);
  openrealm_collection *snapshot = openrealm_snapshot(young);
  for (size_t i = 0; i < 5; i++) {
    int64_t row;
    size_t copied;
    OK(openrealm_rows(snapshot, i, 1, &row, &copied));
    EQUAL(dogs[i].row, row);
    openrealm_value older = integer(50);
    if (i == 2) OK(openrealm_delete(known.realm, dogs[i]));
    else OK(openrealm_set_int(known.realm, dogs[i], known.age, older.as.integer));
  }
  EQUAL(0, count_of(young));
  EQUAL(5, count_of(snapshot));
  int64_t rows[8];
  size_t copied;
  OK(openrealm_rows(snapshot, 0, 8, rows, &copied));
  EQUAL(5, copied);
  EQUAL(-1, rows[2]);
  openrealm_value value;
  OK(openrealm_at(snapshot, 2, &value));
  EQUAL(OPENREALM_NULL, value.type);
  openrealm_collection *old = openrealm_filter(snapshot, "age = 50", 0, NULL);
  EQUAL(4, count_of(old));
  OK(openrealm_commit(known.realm));
  openrealm_realm *frozen = openrealm_freeze(known.realm);
  openrealm_collection *frozen_old = openrealm_collection_in(old, frozen);
  EQUAL(4, count_of(frozen_old));
  OK(openrealm_begin(known.realm));
  OK(openrealm_delete_objects(all));
  EQUAL(0, count_of(all));
  EQUAL(0, count_of(old));
  EQUAL(5, count_of(snapshot));
  OK(openrealm_commit(known.realm));
  EQUAL(4, count_of(frozen_old));
}

static void deleted_owners_and_invalidated_realms_are_told(const char *folder) {
  fixture known = open_fixture(folder);
  OK(openrealm_begin(known.realm));
  openrealm_object rex = add_dog(&known, "Rex", 1), fido = add_dog(&known, "Fido", 2);
  openrealm_collection *friends = openrealm_collection_of(known.realm, rex, known.friends);
  APPEND(friends, openrealm_link(fido));
  openrealm_collection *of_list = openrealm_filter(friends, "age > 0", 0, NULL);
  openrealm_collection *links = openrealm_backlinks(known.realm, fido, known.dog, known.friends);
  EQUAL(1, count_of(links));
  EQUAL(OPENREALM_RESULTS, openrealm_collection_kind(links));
  NO_HANDLE(OPENREALM_WRONG_TYPE, openrealm_backlinks(known.realm, fido, known.dog, known.age));
  OK(openrealm_commit(known.realm));
  openrealm_realm *frozen = openrealm_freeze(known.realm);
  openrealm_collection *frozen_links = openrealm_collection_in(links, frozen);
  OK(openrealm_begin(known.realm));
  OK(openrealm_delete(known.realm, rex));
  CHECK(!openrealm_collection_is_valid(friends));
  size_t count;
  REFUSED(OPENREALM_INVALIDATED, openrealm_count(friends, &count));
  EQUAL(0, count_of(of_list));
  EQUAL(0, count_of(links));
  OK(openrealm_delete(known.realm, fido));
  REFUSED(OPENREALM_INVALIDATED, openrealm_count(links, &count));
  EQUAL(1, count_of(frozen_links));
  OK(openrealm_commit(known.realm));
  openrealm_collection *all = openrealm_objects(known.realm, known.dog);
  EQUAL(0, count_of(all));
  OK(openrealm_invalidate(known.realm));
  CHECK(!openrealm_collection_is_valid(all));
  REFUSED(OPENREALM_INVALIDATED, openrealm_count(all, &count));
  openrealm_collection *again = openrealm_objects(known.realm, known.dog);
  EQUAL(0, count_of(again));
  openrealm_realm *of_collection = openrealm_collection_realm(again);
  CHECK(openrealm_is_same(of_collection, known.realm));
  OK(openrealm_close(known.realm));
  REFUSED(OPENREALM_CLOSED, openrealm_count(again, &count));
  EQUAL(1, count_of(frozen_links));
}

static void *use_elsewhere(void *argument) {
  openrealm_collection **collections = argument;
  size_t count, copied;
  int64_t row;
  openrealm_value value, one = openrealm_int(1);
  REFUSED(OPENREALM_WRONG_THREAD, openrealm_count(collections[0], &count));
  REFUSED(OPENREALM_WRONG_THREAD, openrealm_at(collections[0], 0, &value));
  REFUSED(OPENREALM_WRONG_THREAD, openrealm_rows(collections[0], 0, 1, &row, &copied));
  REFUSED(OPENREALM_WRONG_THREAD, openrealm_set_all(collections[0], 1, &one));
  REFUSED(OPENREALM_WRONG_THREAD, openrealm_clear(collections[1]));
  REFUSED(OPENREALM_WRONG_THREAD, openrealm_aggregate(collections[0], OPENREALM_SUM, "age", &value));
  NO_HANDLE(OPENREALM_WRONG_THREAD, openrealm_filter(collections[0], "age > 0", 0, NULL));
  CHECK(!openrealm_collection_is_valid(collections[0]));
  for (int i = 0; i < 200; i++) {
    EQUAL(2, count_of(collections[2]));
    openrealm_collection *young = openrealm_filter(collections[2], "age < 2", 0, NULL);
    EQUAL(1, count_of(young));
    openrealm_release(young);
    EQUAL(3, int_at(collections[3], 1));
  }
  return NULL;
}

static void other_threads_read_frozen_collections_only(const char *folder) {
  fixture known = open_fixture(folder);
  OK(openrealm_begin(known.realm));
  openrealm_object rex = add_dog(&known, "Rex", 1);
  add_dog(&known, "Fido", 2);
  openrealm_collection *dogs = openrealm_objects(known.realm, known.dog);
  openrealm_collection *numbers = openrealm_collection_of(known.realm, rex, known.numbers);
  APPEND(numbers, openrealm_int(2));
  APPEND(numbers, openrealm_int(3));
  OK(openrealm_commit(known.realm));
  openrealm_realm *frozen = openrealm_freeze(known.realm);
  openrealm_collection *collections[] = {
      dogs, numbers, openrealm_collection_in(dogs, frozen), openrealm_collection_in(numbers, frozen)};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], NULL, use_elsewhere, collections) == 0);
  for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

TESTS(collections,
      {"a_list_of_ints_does_what_an_array_does", a_list_of_ints_does_what_an_array_does},
      {"sets_and_maps_do_what_tables_do", sets_and_maps_do_what_tables_do},
      {"wrong_values_are_refused", wrong_values_are_refused},
      {"nested_values_follow_their_element", nested_values_follow_their_element},
      {"snapshots_keep_the_places_of_deleted_objects", snapshots_keep_the_places_of_deleted_objects},
      {"deleted_owners_and_invalidated_realms_are_told", deleted_owners_and_invalidated_realms_are_told},
      {"other_threads_read_frozen_collections_only", other_threads_read_frozen_collections_only})
