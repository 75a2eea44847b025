// Goes through the interface on real data: peaks of the Alps, the huts below them and the people who look after them.
#include <openrealm.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

// Ends the program with the library's own sentence when a call fails.
static void check(int32_t code, const char *call) {
  openrealm_error error;
  if (code == OPENREALM_OK) return;
  openrealm_last_error(&error);
  fprintf(stderr, "%s: %s: %s\n", call, openrealm_code_name(code), error.message);
  exit(1);
}
#define CHECK(call) check(call, #call)

// Ends the program when something else than expected was found.
#define EXPECT(condition) \
  do { if (!(condition)) { fprintf(stderr, "line %d: false: %s\n", __LINE__, #condition); exit(1); } } while (0)

static void *made(void *handle, const char *call) {
  if (!handle) check(openrealm_last_error(NULL), call);
  return handle;
}
#define MADE(call) made(call, #call)

static void add(openrealm_schema *schema, const char *name, int32_t type, int32_t collection, int32_t flags,
                const char *target, const char *origin) {
  openrealm_property property = {NULL, NULL, 0, 0, 0, 0, NULL, NULL};
  property.name = name;
  property.type = type;
  property.collection = collection;
  property.flags = flags;
  property.target = target;
  property.origin = origin;
  CHECK(openrealm_schema_add_property(schema, &property));
}

// schema.h
static openrealm_schema *describe_classes(void) {
  openrealm_schema *schema = MADE(openrealm_schema_new());
  CHECK(openrealm_schema_add_class(schema, "Peak", false));
  add(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL, NULL);
  add(schema, "height", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_INDEXED, NULL, NULL);
  add(schema, "climbed", OPENREALM_DATE, OPENREALM_SINGLE, OPENREALM_OPTIONAL, NULL, NULL);
  add(schema, "notes", OPENREALM_MIXED, OPENREALM_SINGLE, OPENREALM_OPTIONAL, NULL, NULL);
  add(schema, "huts", OPENREALM_OBJECT, OPENREALM_LIST, 0, "Hut", NULL);
  CHECK(openrealm_schema_add_class(schema, "Hut", false));
  add(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL, NULL);
  add(schema, "beds", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL, NULL);
  add(schema, "tags", OPENREALM_STRING, OPENREALM_SET, 0, NULL, NULL);
  add(schema, "prices", OPENREALM_DOUBLE, OPENREALM_MAP, 0, NULL, NULL);
  add(schema, "keeper", OPENREALM_OBJECT, OPENREALM_SINGLE, OPENREALM_OPTIONAL, "Keeper", NULL);
  add(schema, "peaks", OPENREALM_BACKLINKS, OPENREALM_SINGLE, 0, "Peak", "huts");
  CHECK(openrealm_schema_add_class(schema, "Keeper", true));
  add(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, 0, NULL, NULL);
  CHECK(openrealm_schema_check(schema));
  return schema;
}

// configuration.h, realm.h
static openrealm_realm *open_file(const char *path) {
  openrealm_schema *schema = describe_classes();
  openrealm_configuration *configuration = MADE(openrealm_configuration_new());
  openrealm_realm *realm;
  CHECK(openrealm_configuration_set_path(configuration, path));
  CHECK(openrealm_configuration_set_schema(configuration, schema));
  CHECK(openrealm_delete_files(configuration, NULL));
  realm = MADE(openrealm_open(configuration));
  openrealm_release(configuration);
  openrealm_release(schema);
  return realm;
}

static int32_t class_of(openrealm_realm *realm, const char *name) {
  int32_t number = openrealm_class_number(realm, name);
  EXPECT(number >= 0);
  return number;
}

static int32_t property_of(openrealm_realm *realm, const char *class_name, const char *name) {
  int32_t number = openrealm_property_number(realm, class_of(realm, class_name), name);
  EXPECT(number >= 0);
  return number;
}

// objects.h: creating
static openrealm_object create(openrealm_realm *realm, const char *class_name, const char *name,
                               const char *number_name, int64_t number) {
  int32_t properties[2];
  openrealm_value values[2];
  openrealm_object object;
  properties[0] = property_of(realm, class_name, "name");
  properties[1] = property_of(realm, class_name, number_name);
  values[0] = openrealm_string(name);
  values[1] = openrealm_int(number);
  CHECK(openrealm_create(realm, class_of(realm, class_name), 2, properties, values, &object));
  return object;
}

// collections.h: lists, sets and maps; objects.h: links and embedded objects
static void fill_hut(openrealm_realm *realm, openrealm_object hut) {
  openrealm_collection *tags = MADE(openrealm_collection_of(realm, hut, property_of(realm, "Hut", "tags")));
  openrealm_collection *prices = MADE(openrealm_collection_of(realm, hut, property_of(realm, "Hut", "prices")));
  openrealm_value tag = openrealm_string("view"), price = openrealm_double(32.5);
  openrealm_object keeper;
  bool has_changed;
  CHECK(openrealm_set_insert(tags, &tag, &has_changed));
  EXPECT(has_changed);
  CHECK(openrealm_set_insert(tags, &tag, &has_changed));
  EXPECT(!has_changed);
  CHECK(openrealm_map_set(prices, "member", 6, &price));
  CHECK(openrealm_set_embedded(realm, hut, property_of(realm, "Hut", "keeper"), &keeper));
  CHECK(openrealm_set_string(realm, keeper, property_of(realm, "Keeper", "name"), "Ada", 3));
  openrealm_release(tags);
  openrealm_release(prices);
}

static void fill(openrealm_realm *realm) {
  static const struct {
    const char *name;
    int64_t height;
  } peaks[] = {{"Mont Blanc", 4806}, {"Dufourspitze", 4634}, {"Matterhorn", 4478}, {"Piz Bernina", 4049},
               {"Zugspitze", 2962}};
  size_t i;
  openrealm_object hut;
  CHECK(openrealm_begin(realm));
  hut = create(realm, "Hut", "Goûter", "beds", 120);
  fill_hut(realm, hut);
  for (i = 0; i < sizeof peaks / sizeof *peaks; i++) {
    openrealm_object peak = create(realm, "Peak", peaks[i].name, "height", peaks[i].height);
    openrealm_value link = openrealm_link(hut);
    openrealm_collection *huts;
    if (i != 0) continue;
    huts = MADE(openrealm_collection_of(realm, peak, property_of(realm, "Peak", "huts")));
    CHECK(openrealm_list_append(huts, &link));
    openrealm_release(huts);
  }
  CHECK(openrealm_commit(realm));
}

// objects.h: finding, reading, mixed values; errors.h: codes
static void read_and_change(openrealm_realm *realm) {
  openrealm_value key = openrealm_string("Matterhorn"), list = openrealm_empty_list(), note = openrealm_int(1865);
  openrealm_value found;
  openrealm_object peak;
  openrealm_date date = {-3291494400, 0};
  int64_t height;
  int32_t height_of = property_of(realm, "Peak", "height"), notes = property_of(realm, "Peak", "notes");
  CHECK(openrealm_find(realm, class_of(realm, "Peak"), &key, &peak));
  CHECK(openrealm_get_int(realm, peak, height_of, &height));
  EXPECT(height == 4478);
  EXPECT(openrealm_set_int(realm, peak, height_of, 4477) == OPENREALM_NOT_IN_WRITE);

  CHECK(openrealm_begin(realm));
  CHECK(openrealm_set_date(realm, peak, property_of(realm, "Peak", "climbed"), date));
  CHECK(openrealm_set_value(realm, peak, notes, &list));
  CHECK(openrealm_get_value(realm, peak, notes, &found));
  CHECK(openrealm_list_append(found.as.collection, &note));
  openrealm_value_clear(&found);
  CHECK(openrealm_commit(realm));

  CHECK(openrealm_begin(realm));
  CHECK(openrealm_delete(realm, peak));
  EXPECT(!openrealm_is_valid(realm, peak));
  CHECK(openrealm_cancel(realm));
  EXPECT(openrealm_is_valid(realm, peak));
}

// queries.h, columns.h
static void query(openrealm_realm *realm) {
  openrealm_collection *all = MADE(openrealm_objects(realm, class_of(realm, "Peak")));
  openrealm_value limit = openrealm_int(4000), average;
  openrealm_collection *high = MADE(openrealm_filter(all, "height > %@", 1, &limit));
  openrealm_sort_key order = {"height", true};
  openrealm_collection *sorted = MADE(openrealm_sort(high, 1, &order));
  openrealm_error error;
  int64_t heights[8];
  size_t count, i;
  CHECK(openrealm_count(sorted, &count));
  EXPECT(count == 4);
  CHECK(openrealm_column(sorted, property_of(realm, "Peak", "height"), 0, count, heights, NULL));
  EXPECT(heights[0] == 4806 && heights[3] == 4049);
  CHECK(openrealm_aggregate(sorted, OPENREALM_AVERAGE, "height", &average));
  printf("%d peaks above 4,000 m, %.0f m on average\n", (int)count, average.as.number);
  for (i = 0; i < count; i++) printf("%d\n", (int)heights[i]);
  openrealm_value_clear(&average);

  EXPECT(openrealm_filter(all, "heigth > 1", 0, NULL) == NULL);
  EXPECT(openrealm_last_error(&error) == OPENREALM_INVALID_QUERY);
  openrealm_release(sorted);
  openrealm_release(high);
  openrealm_release(all);
}

// notifications.h
static void count_changes(void *context, const openrealm_changes *changes) {
  if (!changes->is_initial) *(size_t *)context += changes->insertion_count;
}

static void observe(openrealm_realm *realm, int descriptor) {
  openrealm_collection *peaks = MADE(openrealm_objects(realm, class_of(realm, "Peak")));
  struct pollfd entry;
  size_t insertions = 0;
  int turns;
  openrealm_token *token = MADE(openrealm_observe_collection(peaks, 0, NULL, count_changes, &insertions, NULL));
  entry.fd = descriptor;
  entry.events = POLLIN;
  // The first call says that the collection is ready.
  if (poll(&entry, 1, 1000) > 0) CHECK(openrealm_loop_perform());
  CHECK(openrealm_begin(realm));
  create(realm, "Peak", "Ortler", "height", 3905);
  CHECK(openrealm_commit(realm));
  for (turns = 0; turns < 100 && insertions == 0; turns++) {
    if (poll(&entry, 1, 100) > 0) CHECK(openrealm_loop_perform());
  }
  EXPECT(insertions == 1);
  openrealm_release(token);
  openrealm_release(peaks);
}

// realm.h: versions; files.h
static void keep(openrealm_realm *realm, const char *path) {
  openrealm_realm *frozen = MADE(openrealm_freeze(realm));
  openrealm_collection *before, *now;
  size_t count, faults;
  char copy[4096];
  CHECK(openrealm_begin(realm));
  CHECK(openrealm_delete_all(realm));
  CHECK(openrealm_cancel(realm));
  before = MADE(openrealm_objects(frozen, class_of(frozen, "Peak")));
  now = MADE(openrealm_collection_in(before, realm));
  CHECK(openrealm_count(now, &count));
  EXPECT(count == 6);
  snprintf(copy, sizeof copy, "%s-copy", path);
  remove(copy);
  CHECK(openrealm_write_copy(realm, copy, NULL));
  CHECK(openrealm_verify(copy, NULL, &faults, NULL));
  EXPECT(faults == 0);
  remove(copy);
  openrealm_release(now);
  openrealm_release(before);
  openrealm_release(frozen);
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "tour.realm";
  // Before the realm is opened, so that its notifications go there.
  int descriptor = openrealm_loop_descriptor();
  openrealm_realm *realm = open_file(path);
  EXPECT(descriptor >= 0);
  fill(realm);
  read_and_change(realm);
  query(realm);
  observe(realm, descriptor);
  keep(realm, path);
  CHECK(openrealm_close(realm));
  openrealm_release(realm);
  return 0;
}
