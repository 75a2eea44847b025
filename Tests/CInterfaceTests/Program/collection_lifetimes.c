// Tests of collections.h: what becomes of collections when their objects and realms go, in snapshots, and on other threads.
#include <pthread.h>

#include "collection_fixture.h"

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

static openrealm_schema *schema_with(const char *second) {
  openrealm_schema *schema = openrealm_schema_new();
  const char *names[] = {"Dog", second};
  for (int i = 0; i < (second ? 2 : 1); i++) {
    OK(openrealm_schema_add_class(schema, names[i], false));
    add_property(schema, "age", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL);
  }
  return schema;
}

typedef struct old_version {
  const char *folder;
  openrealm_realm *frozen;
} old_version;

// A thread opens a realm of its own, with a class that the frozen realm lacks.
static void *look_in_old_version(void *argument) {
  old_version *old = argument;
  openrealm_realm *realm = open_in(old->folder, schema_with("Cat"));
  CHECK(realm != NULL);
  openrealm_collection *cats = openrealm_objects(realm, openrealm_class_number(realm, "Cat"));
  CHECK(cats != NULL);
  openrealm_collection *grown = openrealm_filter(cats, "age > 5", 0, NULL);
  CHECK(grown != NULL);
  NO_HANDLE(OPENREALM_INVALIDATED, openrealm_collection_in(cats, old->frozen));
  NO_HANDLE(OPENREALM_INVALIDATED, openrealm_collection_in(grown, old->frozen));
  openrealm_release(grown);
  openrealm_release(cats);
  openrealm_release(realm);
  return NULL;
}

static void versions_without_the_class_do_not_have_the_collection(const char *folder) {
  openrealm_realm *realm = open_in(folder, schema_with(NULL));
  old_version old = {folder, openrealm_freeze(realm)};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, look_in_old_version, &old) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  openrealm_release(old.frozen);
  openrealm_release(realm);
}

static void other_files_do_not_have_the_collection(const char *folder) {
  openrealm_realm *realm = open_in(folder, schema_with(NULL));
  openrealm_collection *dogs = openrealm_objects(realm, openrealm_class_number(realm, "Dog"));
  char path[512];
  snprintf(path, sizeof path, "%s/other.realm", folder);
  openrealm_configuration *configuration = configuration_in(folder, schema_with(NULL));
  OK(openrealm_configuration_set_path(configuration, path));
  openrealm_realm *other = openrealm_open(configuration);
  CHECK(other != NULL);
  NO_HANDLE(OPENREALM_OTHER_REALM, openrealm_collection_in(dogs, other));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_collection_in(dogs, NULL));
  openrealm_release(configuration);
  openrealm_release(other);
  openrealm_release(dogs);
  openrealm_release(realm);
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

TESTS(collection_lifetimes,
      {"nested_values_follow_their_element", nested_values_follow_their_element},
      {"snapshots_keep_the_places_of_deleted_objects", snapshots_keep_the_places_of_deleted_objects},
      {"deleted_owners_and_invalidated_realms_are_told", deleted_owners_and_invalidated_realms_are_told},
      {"versions_without_the_class_do_not_have_the_collection",
       versions_without_the_class_do_not_have_the_collection},
      {"other_files_do_not_have_the_collection", other_files_do_not_have_the_collection},
      {"other_threads_read_frozen_collections_only", other_threads_read_frozen_collections_only})
