// What SharedFileTests.swift runs: files that typed Swift classes read or have written.
#include "test.h"

static openrealm_schema *pet_schema(void) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Pet", false));
  add_property(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL);
  add_property(schema, "age", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_INDEXED, NULL);
  add_property(schema, "weight", OPENREALM_DOUBLE, OPENREALM_SINGLE, OPENREALM_OPTIONAL, NULL);
  add_property(schema, "born", OPENREALM_DATE, OPENREALM_SINGLE, OPENREALM_OPTIONAL, NULL);
  add_property(schema, "any", OPENREALM_MIXED, OPENREALM_SINGLE, OPENREALM_OPTIONAL, NULL);
  add_property(schema, "best", OPENREALM_OBJECT, OPENREALM_SINGLE, OPENREALM_OPTIONAL, "Pet");
  add_property(schema, "friends", OPENREALM_OBJECT, OPENREALM_LIST, 0, "Pet");
  add_property(schema, "tags", OPENREALM_STRING, OPENREALM_SET, 0, NULL);
  add_property(schema, "scores", OPENREALM_INT, OPENREALM_MAP, 0, NULL);
  return schema;
}

static int32_t property(openrealm_realm *realm, const char *name) {
  int32_t number = openrealm_property_number(realm, openrealm_class_number(realm, "Pet"), name);
  CHECK(number >= 0);
  return number;
}

static openrealm_object pet(openrealm_realm *realm, const char *name, int64_t age) {
  int32_t properties[] = {property(realm, "name"), property(realm, "age")};
  openrealm_value values[] = {openrealm_string(name), openrealm_int(age)};
  openrealm_object object;
  OK(openrealm_create(realm, openrealm_class_number(realm, "Pet"), 2, properties, values, &object));
  return object;
}

static void with_swift_writes(const char *folder) {
  openrealm_realm *realm = open_in(folder, pet_schema());
  OK(openrealm_begin(realm));
  openrealm_object rex = pet(realm, "Rex", 3), ada = pet(realm, "Ada", 9);
  OK(openrealm_set_double(realm, rex, property(realm, "weight"), 12.5));
  openrealm_date born = {1600000000, 500000000};
  OK(openrealm_set_date(realm, rex, property(realm, "born"), born));
  openrealm_value any = openrealm_string("anything"), link = openrealm_link(ada), score = openrealm_int(7);
  OK(openrealm_set_value(realm, rex, property(realm, "any"), &any));
  OK(openrealm_set_object(realm, rex, property(realm, "best"), ada));
  openrealm_collection *friends = openrealm_collection_of(realm, rex, property(realm, "friends"));
  OK(openrealm_list_append(friends, &link));
  openrealm_collection *tags = openrealm_collection_of(realm, rex, property(realm, "tags"));
  OK(openrealm_set_insert(tags, &any, NULL));
  openrealm_collection *scores = openrealm_collection_of(realm, rex, property(realm, "scores"));
  OK(openrealm_map_set(scores, "agility", 7, &score));
  OK(openrealm_commit(realm));
  openrealm_release(friends);
  openrealm_release(tags);
  openrealm_release(scores);
  openrealm_release(realm);
}

static void with_swift_reads(const char *folder) {
  openrealm_realm *realm = open_in(folder, pet_schema());
  openrealm_value name = openrealm_string("Tom"), value;
  openrealm_object tom, best;
  OK(openrealm_find(realm, openrealm_class_number(realm, "Pet"), &name, &tom));
  int64_t age;
  OK(openrealm_get_int(realm, tom, property(realm, "age"), &age));
  EQUAL(5, age);
  REFUSED(OPENREALM_IS_NULL, openrealm_get_double(realm, tom, property(realm, "weight"), &(double){0}));
  openrealm_date born;
  OK(openrealm_get_date(realm, tom, property(realm, "born"), &born));
  EQUAL(1600000000, born.seconds);
  EQUAL(250000000, born.nanoseconds);
  OK(openrealm_get_value(realm, tom, property(realm, "any"), &value));
  EQUAL(OPENREALM_INT, value.type);
  EQUAL(42, value.as.integer);
  OK(openrealm_get_object(realm, tom, property(realm, "best"), &best));
  OK(openrealm_get_value(realm, best, property(realm, "name"), &value));
  TEXT("Mia", &value);
  openrealm_collection *scores = openrealm_collection_of(realm, tom, property(realm, "scores"));
  OK(openrealm_map_get(scores, "speed", 5, &value));
  EQUAL(8, value.as.integer);
  openrealm_release(scores);
  openrealm_release(realm);
}

TESTS(with_swift, {"with_swift_writes", with_swift_writes}, {"with_swift_reads", with_swift_reads})
