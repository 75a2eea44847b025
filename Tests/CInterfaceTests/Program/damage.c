// Tests of damaged files: each call answers with a code.

#include "test.h"

enum { page_size = 4096, object_count = 2000 };

// A class with every kind of index and link, and numbers of its properties in this order.
enum { property_id, property_name, property_next, property_any, property_others, property_anything, property_count };
static const char *const names[] = {"id", "name", "next", "any", "others", "anything"};

static openrealm_schema *things(void) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Thing", false));
  add_property(schema, "id", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL);
  add_property(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_INDEXED, NULL);
  add_property(schema, "next", OPENREALM_OBJECT, OPENREALM_SINGLE, 0, "Thing");
  add_property(schema, "any", OPENREALM_MIXED, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "others", OPENREALM_OBJECT, OPENREALM_LIST, 0, "Thing");
  add_property(schema, "anything", OPENREALM_MIXED, OPENREALM_LIST, 0, NULL);
  return schema;
}

static void find_numbers(openrealm_realm *realm, int32_t *class_number, int32_t *properties) {
  *class_number = openrealm_class_number(realm, "Thing");
  for (int i = 0; i < property_count; i++) properties[i] = openrealm_property_number(realm, *class_number, names[i]);
}

static void write_things(const char *folder) {
  openrealm_realm *realm = open_in(folder, things());
  int32_t class_number, properties[property_count];
  find_numbers(realm, &class_number, properties);
  OK(openrealm_begin(realm));
  openrealm_object before = {class_number, -1};
  for (int i = 0; i < object_count; i++) {
    char name[50];
    snprintf(name, sizeof name, "thing %d of all that there are", i);
    openrealm_value values[2] = {openrealm_int(i), openrealm_string(name)};
    openrealm_object object;
    OK(openrealm_create(realm, class_number, 2, properties, values, &object));
    if (i > 0) {
      OK(openrealm_set_object(realm, object, properties[property_next], before));
      openrealm_value link = openrealm_link(before);
      OK(openrealm_set_value(realm, object, properties[property_any], &link));
      openrealm_collection *others = openrealm_collection_of(realm, object, properties[property_others]);
      OK(openrealm_list_append(others, &link));
      openrealm_release(others);
    }
    before = object;
  }
  OK(openrealm_commit(realm));
  openrealm_release(realm);
}

// Calls what reads indexes, links and values. Whatever a call finds, it must return, and say why when it fails.
static void read_things(openrealm_realm *realm, int32_t class_number, const int32_t *properties) {
  openrealm_collection *all = openrealm_objects(realm, class_number);
  int64_t rows[object_count];
  size_t count = 0, number;
  if (all && openrealm_rows(all, 0, object_count, rows, &count) != OPENREALM_OK) count = 0;
  for (size_t i = 0; i < count; i += 1 + count / 40) {
    openrealm_object object = {class_number, rows[i]};
    int64_t links;
    openrealm_backlink_count(realm, object, &links);
    for (int property = property_next; property < property_count; property++) {
      openrealm_collection *origins = openrealm_backlinks(realm, object, class_number, properties[property]);
      if (origins) openrealm_count(origins, &number);
      openrealm_release(origins);
    }
    openrealm_value value;
    if (openrealm_get_value(realm, object, properties[property_any], &value) == OPENREALM_OK) openrealm_value_clear(&value);
  }
  openrealm_object found;
  openrealm_value key = openrealm_int(7);
  openrealm_find(realm, class_number, &key, &found);
  static const char *const queries[] = {"name == 'thing 7 of all that there are'", "ANY others.name BEGINSWITH 'thing 1'", "next.id > 50",
                                        "others.@count == 1", "any != nil"};
  for (size_t i = 0; all && i < sizeof queries / sizeof *queries; i++) {
    openrealm_collection *some = openrealm_filter(all, queries[i], 0, NULL);
    if (some) openrealm_count(some, &number);
    openrealm_release(some);
  }
  openrealm_release(all);
}

// Overwrites each page of a file in turn, and reads everything.
static void every_damaged_page_is_answered(const char *folder) {
  write_things(folder);
  const char *path = path_in(folder, "test.realm");
  FILE *file = fopen(path, "r+b");
  CHECK(file);
  static char content[4 << 20], damage[page_size];
  size_t size = fread(content, 1, sizeof content, file);
  CHECK(size > 10 * page_size && size < sizeof content);
  int damaged = 0;
  for (size_t page = 2; page < size / page_size; page++)
    for (int fill = 0; fill < 2; fill++) {
      memset(damage, fill ? 0xFF : 0, page_size);
      rewind(file);
      CHECK(fwrite(content, 1, size, file) == size);
      CHECK(fseek(file, (long)(page * page_size), SEEK_SET) == 0 && fwrite(damage, 1, page_size, file) == page_size);
      CHECK(fflush(file) == 0);
      openrealm_configuration *configuration = configuration_in(folder, NULL);
      openrealm_realm *realm = openrealm_open(configuration);
      openrealm_release(configuration);
      if (!realm) continue;
      int32_t class_number, properties[property_count];
      find_numbers(realm, &class_number, properties);
      if (class_number >= 0) read_things(realm, class_number, properties);
      if (openrealm_begin(realm) == OPENREALM_DAMAGED) damaged++;
      openrealm_release(realm);
    }
  fclose(file);
  // Otherwise nothing was shown.
  CHECK(damaged > 50);
}

TESTS(damage, {"every_damaged_page_is_answered", every_damaged_page_is_answered})
