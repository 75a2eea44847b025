// The classes of the files that are fuzzed.
#include "fuzzer.h"

const uint8_t test_key[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static const int32_t value_types[] = {OPENREALM_INT,        OPENREALM_BOOL,  OPENREALM_STRING, OPENREALM_DATA,
                                      OPENREALM_DATE,       OPENREALM_FLOAT, OPENREALM_DOUBLE, OPENREALM_OBJECT_ID,
                                      OPENREALM_DECIMAL128, OPENREALM_UUID};
static const char *const type_names[] = {"int",   "bool",   "string",    "data",       "date",
                                         "float", "double", "object_id", "decimal128", "uuid"};
enum { TYPE_COUNT = 10 };

// A property as it was found in the realm.
typedef struct known_property {
  char name[32];
  int32_t class_number, number, type, collection, target;
  bool is_optional;
} known_property;

static known_property known[NAME_COUNT];
static int known_count;
static int32_t classes[CLASS_COUNT];
static char class_names[CLASS_COUNT][32];
static int class_count;
static int32_t main_class;  // the one with most properties

static void add(openrealm_schema *schema, const char *name, int32_t type, int32_t collection, int32_t flags,
                const char *target, const char *origin) {
  openrealm_property property = {0};
  property.name = name;
  property.type = type;
  property.collection = collection;
  property.flags = flags;
  property.target = target;
  property.origin = origin;
  openrealm_schema_add_property(schema, &property);
}

// A property of each type and collection, with and without nulls.
static void add_values(openrealm_schema *schema) {
  static const struct {
    const char *prefix;
    int32_t collection, flags;
  } forms[] = {{"r_", OPENREALM_SINGLE, 0},
               {"o_", OPENREALM_SINGLE, OPENREALM_OPTIONAL},
               {"l_", OPENREALM_LIST, 0},
               {"lo_", OPENREALM_LIST, OPENREALM_OPTIONAL},
               {"s_", OPENREALM_SET, 0},
               {"m_", OPENREALM_MAP, 0},
               {"mo_", OPENREALM_MAP, OPENREALM_OPTIONAL}};
  for (size_t form = 0; form < sizeof forms / sizeof *forms; form++) {
    for (int type = 0; type < TYPE_COUNT; type++) {
      char name[32];
      snprintf(name, sizeof name, "%s%s", forms[form].prefix, type_names[type]);
      add(schema, name, value_types[type], forms[form].collection, forms[form].flags, NULL, NULL);
    }
  }
}

openrealm_schema *test_schema(void) {
  openrealm_schema *schema = openrealm_schema_new();
  openrealm_schema_add_class(schema, "Item", false);
  add(schema, "id", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL, NULL);
  add(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_INDEXED, NULL, NULL);
  add(schema, "text", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_FULL_TEXT, NULL, NULL);
  add(schema, "indexed", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_INDEXED | OPENREALM_OPTIONAL, NULL, NULL);
  add(schema, "friend", OPENREALM_OBJECT, OPENREALM_SINGLE, OPENREALM_OPTIONAL, "Item", NULL);
  add(schema, "home", OPENREALM_OBJECT, OPENREALM_SINGLE, OPENREALM_OPTIONAL, "Home", NULL);
  add(schema, "mixed", OPENREALM_MIXED, OPENREALM_SINGLE, OPENREALM_OPTIONAL, NULL, NULL);
  add(schema, "friends", OPENREALM_OBJECT, OPENREALM_LIST, 0, "Item", NULL);
  add(schema, "homes", OPENREALM_OBJECT, OPENREALM_LIST, 0, "Home", NULL);
  add(schema, "toys", OPENREALM_OBJECT, OPENREALM_SET, 0, "Toy", NULL);
  add(schema, "byName", OPENREALM_OBJECT, OPENREALM_MAP, OPENREALM_OPTIONAL, "Named", NULL);
  add(schema, "homesByName", OPENREALM_OBJECT, OPENREALM_MAP, OPENREALM_OPTIONAL, "Home", NULL);
  add(schema, "mixedList", OPENREALM_MIXED, OPENREALM_LIST, OPENREALM_OPTIONAL, NULL, NULL);
  add(schema, "mixedSet", OPENREALM_MIXED, OPENREALM_SET, OPENREALM_OPTIONAL, NULL, NULL);
  add(schema, "mixedMap", OPENREALM_MIXED, OPENREALM_MAP, OPENREALM_OPTIONAL, NULL, NULL);
  add(schema, "owners", OPENREALM_BACKLINKS, OPENREALM_SINGLE, 0, "Owner", "owned");
  add_values(schema);

  openrealm_schema_add_class(schema, "Home", true);
  add(schema, "street", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_OPTIONAL, NULL, NULL);
  add(schema, "tenant", OPENREALM_OBJECT, OPENREALM_SINGLE, OPENREALM_OPTIONAL, "Item", NULL);
  add(schema, "rooms", OPENREALM_INT, OPENREALM_LIST, 0, NULL, NULL);
  // These make it a point of GeoJSON.
  add(schema, "type", OPENREALM_STRING, OPENREALM_SINGLE, 0, NULL, NULL);
  add(schema, "coordinates", OPENREALM_DOUBLE, OPENREALM_LIST, 0, NULL, NULL);

  openrealm_schema_add_class(schema, "Toy", false);
  add(schema, "id", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG | OPENREALM_AUTO_INCREMENT, NULL,
      NULL);
  add(schema, "code", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_UNIQUE | OPENREALM_OPTIONAL, NULL, NULL);

  openrealm_schema_add_class(schema, "Named", false);
  add(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL, NULL);
  add(schema, "weight", OPENREALM_DOUBLE, OPENREALM_SINGLE, 0, NULL, NULL);

  openrealm_schema_add_class(schema, "Owner", false);
  add(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, 0, NULL, NULL);
  add(schema, "rank", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL, NULL);
  openrealm_property owned = {.name = "owned",
                              .type = OPENREALM_OBJECT,
                              .collection = OPENREALM_LIST,
                              .delete_rule = OPENREALM_DELETE_CASCADE,
                              .target = "Item"};
  openrealm_schema_add_property(schema, &owned);
  openrealm_property kept = {.name = "kept",
                             .type = OPENREALM_OBJECT,
                             .flags = OPENREALM_OPTIONAL,
                             .delete_rule = OPENREALM_DELETE_DENY,
                             .target = "Toy"};
  openrealm_schema_add_property(schema, &kept);
  static const char *const columns[] = {"name", "rank"};
  openrealm_schema_add_index(schema, OPENREALM_INDEX_PLAIN, 2, columns);
  return schema;
}

void learn_numbers(openrealm_realm *realm) {
  class_count = 0;
  known_count = 0;
  openrealm_schema *schema = openrealm_schema_of_realm(realm);
  size_t count = openrealm_schema_class_count(schema);
  for (size_t place = 0; place < count && class_count < CLASS_COUNT; place++) {
    const char *name = openrealm_schema_class_at(schema, place, NULL);
    int32_t class_number = openrealm_class_number(realm, name);
    snprintf(class_names[class_count], sizeof class_names[0], "%s", name);
    classes[class_count++] = class_number;
    if (strcmp(name, "Item") == 0) main_class = class_number;
    size_t properties = openrealm_schema_property_count(schema, place);
    for (size_t i = 0; i < properties && known_count < NAME_COUNT; i++) {
      openrealm_property property;
      if (openrealm_schema_property_at(schema, place, i, &property) != OPENREALM_OK) continue;
      known_property *found = &known[known_count++];
      snprintf(found->name, sizeof found->name, "%s", property.name);
      found->class_number = class_number;
      found->number = openrealm_property_number(realm, class_number, property.name);
      found->type = property.type;
      found->collection = property.collection;
      found->is_optional = property.flags & OPENREALM_OPTIONAL;
      found->target = property.target ? openrealm_class_number(realm, property.target) : -1;
    }
  }
  openrealm_release(schema);
}

int32_t random_class(fuzzer *f) {
  static const int32_t edges[] = {-1, 5, 6, 77, INT32_MAX, INT32_MIN};
  if (class_count == 0 || (!f->is_careful && one_in(f, 8))) return edges[below(f, sizeof edges / sizeof *edges)];
  return one_in(f, 2) ? main_class : classes[below(f, (uint64_t)class_count)];
}

int32_t random_property(fuzzer *f, int32_t class_number, int32_t type, int32_t collection) {
  static const int32_t edges[] = {-1, 0, 150, INT32_MAX, INT32_MIN};
  if (known_count == 0 || (!f->is_careful && one_in(f, 16))) return edges[below(f, sizeof edges / sizeof *edges)];
  bool is_exact = f->is_careful || !one_in(f, 4);
  for (int attempt = 0; attempt < 400; attempt++) {
    const known_property *found = &known[below(f, (uint64_t)known_count)];
    if (found->class_number != class_number) continue;
    if (!is_exact) return found->number;
    bool has_type = type == found->type || type == OPENREALM_NULL;
    if (has_type && (collection == found->collection || collection < 0)) return found->number;
  }
  return known[below(f, (uint64_t)known_count)].number;
}

int32_t type_of_property(int32_t class_number, int32_t property) {
  for (int i = 0; i < known_count; i++) {
    if (known[i].class_number == class_number && known[i].number == property) return known[i].type;
  }
  return OPENREALM_INT;
}

int32_t target_of_property(int32_t class_number, int32_t property) {
  for (int i = 0; i < known_count; i++) {
    if (known[i].class_number == class_number && known[i].number == property) return known[i].target;
  }
  return -1;
}

int32_t class_named(const char *name) {
  for (int i = 0; i < class_count; i++) {
    if (strcmp(class_names[i], name) == 0) return classes[i];
  }
  return -1;
}

int32_t class_with(fuzzer *f, int32_t type) {
  for (int attempt = 0; attempt < 200 && known_count > 0; attempt++) {
    const known_property *found = &known[below(f, (uint64_t)known_count)];
    if (found->type == type && found->collection == OPENREALM_SINGLE) return found->class_number;
  }
  return main_class;
}

int32_t optional_property(fuzzer *f, int32_t class_number) {
  for (int attempt = 0; f->is_careful && attempt < 200; attempt++) {
    const known_property *found = &known[below(f, (uint64_t)known_count)];
    if (found->class_number == class_number && found->collection == OPENREALM_SINGLE && found->is_optional)
      return found->number;
  }
  return random_property(f, class_number, OPENREALM_NULL, OPENREALM_SINGLE);
}

void random_link(fuzzer *f, int32_t target, int32_t *class_number, int32_t *property) {
  for (int attempt = 0; f->is_careful && attempt < 400; attempt++) {
    const known_property *found = &known[below(f, (uint64_t)known_count)];
    if (found->type != OPENREALM_OBJECT || found->target != target) continue;
    *class_number = found->class_number;
    *property = found->number;
    return;
  }
  *class_number = random_class(f);
  *property = random_property(f, *class_number, OPENREALM_OBJECT, -1);
}

const char *name_in_class(fuzzer *f, int32_t class_number, bool is_number) {
  for (int attempt = 0; f->is_careful && attempt < 400; attempt++) {
    const known_property *found = &known[below(f, (uint64_t)known_count)];
    if (found->class_number != class_number || found->collection != OPENREALM_SINGLE) continue;
    bool has_numbers = found->type == OPENREALM_INT || found->type == OPENREALM_DOUBLE ||
                       found->type == OPENREALM_FLOAT || found->type == OPENREALM_DECIMAL128;
    if (found->type != OPENREALM_OBJECT && found->type != OPENREALM_BACKLINKS && (has_numbers || !is_number))
      return found->name;
  }
  return random_property_name(f);
}

const char *random_property_name(fuzzer *f) {
  if (known_count == 0 || (!f->is_careful && one_in(f, 16))) return random_text(f);
  return known[below(f, (uint64_t)known_count)].name;
}

openrealm_configuration *main_configuration(const settings *settings) {
  openrealm_configuration *configuration = openrealm_configuration_new();
  char path[4096];
  snprintf(path, sizeof path, "%s/fuzz.realm", settings->folder);
  if (settings->storage == IN_MEMORY)
    openrealm_configuration_set_memory_name(configuration, "fuzz");
  else
    openrealm_configuration_set_path(configuration, path);
  if (settings->storage == ENCRYPTED) openrealm_configuration_set_key(configuration, test_key, 64);
  openrealm_configuration_set_durable(configuration, false);
  openrealm_schema *schema = test_schema();
  openrealm_configuration_set_schema(configuration, schema);
  openrealm_release(schema);
  return configuration;
}
