// The realm that tests of collections use.
#ifndef COLLECTION_FIXTURE_H
#define COLLECTION_FIXTURE_H

#include "test.h"

// A realm with the classes that these tests use, and their numbers.
typedef struct fixture {
  openrealm_realm *realm;
  int32_t dog, part, name, age, friend, friends, pack, by_name, numbers, texts, scores, maybe, anything, anythings, parts,
      parts_by_name, mixed_set, part_size;
} fixture;

static inline fixture open_fixture(const char *folder) {
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

static inline openrealm_object add_dog(fixture *known, const char *name, int64_t age) {
  openrealm_object dog;
  int32_t properties[] = {known->name, known->age};
  openrealm_value values[] = {openrealm_string(name), openrealm_int(age)};
  OK(openrealm_create(known->realm, known->dog, 2, properties, values, &dog));
  return dog;
}

static inline size_t count_of(openrealm_collection *collection) {
  size_t count = 0;
  OK(openrealm_count(collection, &count));
  return count;
}

static inline int64_t int_at(openrealm_collection *collection, size_t index) {
  openrealm_value value;
  OK(openrealm_at(collection, index, &value));
  EQUAL(OPENREALM_INT, value.type);
  return value.as.integer;
}

static inline openrealm_value integer(int64_t number) { return openrealm_int(number); }

#define APPEND(list, ...) \
  do { openrealm_value appended = __VA_ARGS__; OK(openrealm_list_append(list, &appended)); } while (0)
#define REFUSE_APPEND(code, list, ...) \
  do { openrealm_value appended = __VA_ARGS__; REFUSED(code, openrealm_list_append(list, &appended)); } while (0)

// A sequence of numbers that a seed decides.
static inline uint64_t next_random(uint64_t *state) {
  uint64_t bits = *state += 0x9E3779B97F4A7C15u;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

#endif
