// The realm that tests of queries and columns use.
#ifndef QUERY_FIXTURE_H
#define QUERY_FIXTURE_H

#include "test.h"

typedef struct fixture {
  openrealm_realm *realm;
  int32_t dog, id, name, age, weight, single, good, born, owner, object_id, uuid, decimal, notes, maybe, anything, numbers,
      friends;
} fixture;

static inline fixture open_fixture(const char *folder) {
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
static inline void add_dogs(fixture *known, openrealm_object *dogs) {
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

static inline size_t count_of(openrealm_collection *collection) {
  CHECK(collection != NULL);
  size_t count = 0;
  OK(openrealm_count(collection, &count));
  return count;
}

#endif
