// Tests of collections.h: lists, sets and maps.
#include "collection_fixture.h"

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

TESTS(collections,
      {"a_list_of_ints_does_what_an_array_does", a_list_of_ints_does_what_an_array_does},
      {"sets_and_maps_do_what_tables_do", sets_and_maps_do_what_tables_do},
      {"wrong_values_are_refused", wrong_values_are_refused})
