// Tests of migrations and of the other functions of a configuration.

#include "test.h"

// The first version: a class "Hut" with "height", and a class "Guide".
static openrealm_schema *first_version(void) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Hut", false));
  add_property(schema, "height", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL);
  OK(openrealm_schema_add_class(schema, "Guide", false));
  add_property(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, 0, NULL);
  return schema;
}

// The second: "height" is "altitude", there is a "label", and no "Guide".
static openrealm_schema *second_version(void) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Hut", false));
  add_property(schema, "altitude", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "label", OPENREALM_STRING, OPENREALM_SINGLE, 0, NULL);
  return schema;
}

static void write_first_version(const char *folder) {
  openrealm_realm *realm = open_in(folder, first_version());
  OK(openrealm_begin(realm));
  int32_t hut = openrealm_class_number(realm, "Hut"), height = openrealm_property_number(realm, hut, "height");
  for (int64_t i = 1; i <= 3; i++) {
    openrealm_value value = openrealm_int(i * 1000);
    OK(openrealm_create(realm, hut, 1, &height, &value, NULL));
  }
  OK(openrealm_create(realm, openrealm_class_number(realm, "Guide"), 0, NULL, NULL, NULL));
  OK(openrealm_commit(realm));
  openrealm_release(realm);
}

typedef struct migrated {
  int calls, destroyed;
  int32_t answer;
  uint64_t old_version;
  const char *folder;
  openrealm_migration *migration;
  openrealm_realm *old_realm, *new_realm;
} migrated;

static void destroy(void *context) { ((migrated *)context)->destroyed++; }

// Whether a realm's schema has a class with a property.
static bool has_property(openrealm_realm *realm, const char *class_name, const char *name) {
  openrealm_schema *schema = openrealm_schema_of_realm(realm);
  bool found = false;
  for (size_t place = 0; place < openrealm_schema_class_count(schema); place++) {
    if (strcmp(openrealm_schema_class_at(schema, place, NULL), class_name) != 0) continue;
    for (size_t i = 0; i < openrealm_schema_property_count(schema, place); i++) {
      openrealm_property property;
      OK(openrealm_schema_property_at(schema, place, i, &property));
      if (strcmp(property.name, name) == 0) found = true;
    }
  }
  openrealm_release(schema);
  return found;
}

static int32_t migrate(void *context, openrealm_migration *migration, uint64_t old_version) {
  migrated *migrated = context;
  migrated->calls++;
  migrated->old_version = old_version;
  // Kept against the rules, to be refused later.
  migrated->migration = openrealm_retain(migration);
  migrated->old_realm = openrealm_migration_old_realm(migration);
  migrated->new_realm = openrealm_migration_new_realm(migration);
  openrealm_realm *old = migrated->old_realm, *new = migrated->new_realm;
  CHECK(old && new);
  // Each realm has its own classes, also those that the other lacks.
  CHECK(has_property(old, "Hut", "height") && has_property(old, "Guide", "name"));
  CHECK(!has_property(old, "Hut", "altitude") && !has_property(old, "Hut", "label"));
  CHECK(has_property(new, "Hut", "altitude") && has_property(new, "Hut", "label"));
  REFUSED(OPENREALM_MIGRATION_FAILED, openrealm_migration_rename(migration, "Hut", "width", "altitude"));
  REFUSED(OPENREALM_MIGRATION_FAILED, openrealm_migration_rename(migration, "Hat", "width", "altitude"));
  REFUSED(OPENREALM_MIGRATION_FAILED, openrealm_migration_rename(migration, "Hut", "height", "label"));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_migration_rename(migration, NULL, "height", "label"));
  OK(openrealm_migration_rename(migration, "Hut", "height", "altitude"));
  OK(openrealm_migration_delete_data(migration, "Guide"));
  REFUSED(OPENREALM_NO_SUCH_CLASS, openrealm_migration_delete_data(migration, "Hat"));
  // The transaction is not the function's.
  REFUSED(OPENREALM_IN_WRITE, openrealm_begin(new));
  REFUSED(OPENREALM_IN_WRITE, openrealm_commit(new));
  REFUSED(OPENREALM_IN_WRITE, openrealm_cancel(new));
  REFUSED(OPENREALM_IN_WRITE, openrealm_invalidate(new));
  REFUSED(OPENREALM_IN_WRITE, openrealm_close(new));
  REFUSED(OPENREALM_IN_WRITE, openrealm_close(old));
  REFUSED(OPENREALM_IN_WRITE, openrealm_refresh(new, NULL));
  NO_HANDLE(OPENREALM_IN_WRITE, openrealm_freeze(new));
  NO_HANDLE(OPENREALM_IN_WRITE, openrealm_thaw(old));
  // The file that is being opened cannot be opened again.
  openrealm_configuration *configuration = configuration_in(migrated->folder, NULL);
  NO_HANDLE(OPENREALM_ALREADY_OPEN, openrealm_open(configuration));
  REFUSED(OPENREALM_ALREADY_OPEN, openrealm_compact(configuration, NULL));
  openrealm_release(configuration);
  int32_t hut = openrealm_class_number(new, "Hut"), label = openrealm_property_number(new, hut, "label");
  int32_t old_hut = openrealm_class_number(old, "Hut"), height = openrealm_property_number(old, old_hut, "height");
  openrealm_collection *huts = openrealm_objects(old, old_hut);
  size_t count;
  OK(openrealm_count(huts, &count));
  EQUAL(3, count);
  int64_t rows[3];
  OK(openrealm_rows(huts, 0, 3, rows, &count));
  for (size_t i = 0; i < count; i++) {
    openrealm_object object = {hut, rows[i]};
    int64_t number;
    OK(openrealm_get_int(old, object, height, &number));
    REFUSED(OPENREALM_FROZEN, openrealm_set_int(old, object, height, 1));
    char text[20];
    snprintf(text, sizeof text, "%d m", (int)number);
    OK(openrealm_set_string(new, object, label, text, strlen(text)));
  }
  openrealm_release(huts);
  return migrated->answer;
}

static openrealm_configuration *second_configuration(const char *folder, migrated *migrated) {
  openrealm_configuration *configuration = configuration_in(folder, second_version());
  OK(openrealm_configuration_set_schema_version(configuration, 3));
  migrated->folder = folder;
  OK(openrealm_configuration_set_migration(configuration, migrate, migrated, destroy));
  return configuration;
}

static void release_kept(migrated *migrated) {
  REFUSED(OPENREALM_CLOSED, openrealm_migration_delete_data(migrated->migration, "Hut"));
  NO_HANDLE(OPENREALM_CLOSED, openrealm_migration_old_realm(migrated->migration));
  EQUAL(-1, openrealm_class_number(migrated->old_realm, "Hut"));
  EQUAL(OPENREALM_CLOSED, openrealm_last_error(NULL));
  EQUAL(-1, openrealm_class_number(migrated->new_realm, "Hut"));
  EQUAL(OPENREALM_CLOSED, openrealm_last_error(NULL));
  REFUSED(OPENREALM_CLOSED, openrealm_begin(migrated->new_realm));
  openrealm_release(migrated->migration);
  openrealm_release(migrated->old_realm);
  openrealm_release(migrated->new_realm);
}

static void a_migration_moves_the_objects(const char *folder) {
  write_first_version(folder);
  migrated migrated = {0};
  openrealm_configuration *configuration = second_configuration(folder, &migrated), *copy = openrealm_configuration_copy(configuration);
  openrealm_realm *realm = openrealm_open(configuration);
  CHECK(realm);
  EQUAL(1, migrated.calls);
  EQUAL(0, migrated.old_version);
  uint64_t version;
  OK(openrealm_schema_version(realm, &version));
  EQUAL(3, version);
  int32_t hut = openrealm_class_number(realm, "Hut");
  EQUAL(-1, openrealm_class_number(realm, "Guide"));
  openrealm_object first = {hut, 0};
  openrealm_bytes label;
  OK(openrealm_get_string(realm, first, openrealm_property_number(realm, hut, "label"), &label));
  CHECK(label.size == 6 && memcmp(label.bytes, "1000 m", 6) == 0);
  int64_t altitude;
  OK(openrealm_get_int(realm, first, openrealm_property_number(realm, hut, "altitude"), &altitude));
  EQUAL(1000, altitude);
  release_kept(&migrated);
  openrealm_release(configuration);
  openrealm_release(realm);
  // Not called again.
  realm = openrealm_open(copy);
  CHECK(realm);
  EQUAL(1, migrated.calls);
  openrealm_release(realm);
  EQUAL(0, migrated.destroyed);
  OK(openrealm_configuration_set_migration(copy, NULL, NULL, NULL));
  EQUAL(1, migrated.destroyed);
  openrealm_release(copy);
  EQUAL(1, migrated.destroyed);
}

static void a_refused_migration_leaves_the_file_as_it_was(const char *folder) {
  write_first_version(folder);
  migrated migrated = {0};
  migrated.answer = 7;
  openrealm_configuration *configuration = second_configuration(folder, &migrated);
  NO_HANDLE(OPENREALM_MIGRATION_FAILED, openrealm_open(configuration));
  openrealm_error error;
  openrealm_last_error(&error);
  CHECK(strstr(error.message, "7"));
  release_kept(&migrated);
  openrealm_release(configuration);
  EQUAL(1, migrated.destroyed);
  openrealm_realm *realm = open_in(folder, first_version());
  CHECK(openrealm_class_number(realm, "Guide") >= 0);
  uint64_t version;
  OK(openrealm_schema_version(realm, &version));
  EQUAL(0, version);
  openrealm_release(realm);
}

static int32_t leave_a_name_behind(void *context, openrealm_migration *migration, uint64_t old_version) {
  (void)context;
  (void)old_version;
  OK(openrealm_migration_rename(migration, "Hut", "height", "width"));
  return 0;
}

static void a_property_that_keeps_a_provisional_name_fails_the_migration(const char *folder) {
  write_first_version(folder);
  openrealm_configuration *configuration = configuration_in(folder, second_version());
  OK(openrealm_configuration_set_schema_version(configuration, 1));
  OK(openrealm_configuration_set_migration(configuration, leave_a_name_behind, NULL, NULL));
  NO_HANDLE(OPENREALM_MIGRATION_FAILED, openrealm_open(configuration));
  openrealm_release(configuration);
  openrealm_release(open_in(folder, first_version()));
}

static bool compacts(void *context, uint64_t file_size, uint64_t used_size) {
  migrated *migrated = context;
  migrated->calls++;
  CHECK(file_size >= used_size && used_size > 0);
  openrealm_configuration *configuration = configuration_in(migrated->folder, NULL);
  NO_HANDLE(OPENREALM_ALREADY_OPEN, openrealm_open(configuration));
  openrealm_release(configuration);
  return true;
}

static void the_compaction_function_is_asked_at_the_first_opening(const char *folder) {
  write_first_version(folder);
  migrated migrated = {0};
  migrated.folder = folder;
  openrealm_configuration *configuration = configuration_in(folder, first_version());
  OK(openrealm_configuration_set_compaction(configuration, compacts, &migrated, destroy));
  openrealm_realm *first = openrealm_open(configuration), *second = openrealm_open(configuration);
  CHECK(first && second);
  EQUAL(1, migrated.calls);
  openrealm_release(configuration);
  openrealm_release(first);
  EQUAL(0, migrated.destroyed);
  openrealm_release(second);
  EQUAL(1, migrated.destroyed);
}

static void a_file_that_would_need_a_migration_can_be_deleted(const char *folder) {
  write_first_version(folder);
  openrealm_configuration *configuration = configuration_in(folder, second_version());
  NO_HANDLE(OPENREALM_SCHEMA_MISMATCH, openrealm_open(configuration));
  OK(openrealm_configuration_set_delete_if_migration_needed(configuration, true));
  openrealm_realm *realm = openrealm_open(configuration);
  CHECK(realm);
  openrealm_release(realm);
  openrealm_release(configuration);
}

// A class "Hut" whose key is "height" or "code".
static openrealm_schema *keyed(const char *key) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Hut", false));
  static const char *const names[] = {"height", "code"};
  for (int i = 0; i < 2; i++)
    add_property(schema, names[i], OPENREALM_INT, OPENREALM_SINGLE,
                 strcmp(names[i], key) == 0 ? OPENREALM_PRIMARY_KEY_FLAG : 0, NULL);
  return schema;
}

static void what_opening_refuses_has_a_code(const char *folder) {
  openrealm_configuration *second = configuration_in(folder, keyed("height"));
  OK(openrealm_configuration_set_schema_version(second, 2));
  openrealm_realm *realm = openrealm_open(second);
  OK(openrealm_begin(realm));
  int32_t hut = openrealm_class_number(realm, "Hut"), height = openrealm_property_number(realm, hut, "height");
  for (int64_t i = 1; i <= 2; i++) {
    openrealm_value value = openrealm_int(i);
    OK(openrealm_create(realm, hut, 1, &height, &value, NULL));
  }
  OK(openrealm_commit(realm));
  // While it is open, with other settings.
  openrealm_configuration *read_only = configuration_in(folder, keyed("height"));
  OK(openrealm_configuration_set_schema_version(read_only, 2));
  OK(openrealm_configuration_set_read_only(read_only, true));
  NO_HANDLE(OPENREALM_ALREADY_OPEN, openrealm_open(read_only));
  openrealm_error error;
  openrealm_last_error(&error);
  CHECK(strstr(error.message, "already opened with different read permissions"));
  CHECK(error.path && strstr(error.path, "test.realm"));
  openrealm_configuration *encrypted = configuration_in(folder, keyed("height"));
  OK(openrealm_configuration_set_schema_version(encrypted, 2));
  OK(openrealm_configuration_set_key(encrypted, (const uint8_t[64]){1}, 64));
  NO_HANDLE(OPENREALM_ALREADY_OPEN, openrealm_open(encrypted));
  openrealm_release(realm);

  openrealm_configuration *first = configuration_in(folder, keyed("height"));
  OK(openrealm_configuration_set_schema_version(first, 1));
  NO_HANDLE(OPENREALM_SCHEMA_VERSION, openrealm_open(first));
  openrealm_last_error(&error);
  CHECK(strstr(error.message, "is less than last set version 2"));
  OK(openrealm_configuration_set_schema_version(read_only, 3));
  NO_HANDLE(OPENREALM_SCHEMA_VERSION, openrealm_open(read_only));
  // Both huts have the code 0.
  openrealm_configuration *third = configuration_in(folder, keyed("code"));
  OK(openrealm_configuration_set_schema_version(third, 3));
  NO_HANDLE(OPENREALM_DUPLICATE_KEY, openrealm_open(third));
  openrealm_last_error(&error);
  CHECK(strstr(error.message, "has duplicate values after migration"));
  // Nothing has changed.
  realm = openrealm_open(second);
  CHECK(realm != NULL);
  openrealm_release(realm);
}

static void note_message(void *context, int32_t level, const char *message) {
  CHECK(level <= OPENREALM_LOG_DEBUG && *message);
  ++*(int *)context;
}

static void log_messages_come_to_the_program(const char *folder) {
  int messages = 0;
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_set_logger(99, note_message, &messages));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_set_logger(-1, note_message, &messages));
  OK(openrealm_set_logger(OPENREALM_LOG_DEBUG, note_message, &messages));
  openrealm_release(open_in(folder, first_version()));
  CHECK(messages > 0);
  OK(openrealm_set_logger(OPENREALM_LOG_INFO, NULL, NULL));
}

static void codes_have_names(const char *folder) {
  (void)folder;
  CHECK(strcmp("OPENREALM_OK", openrealm_code_name(OPENREALM_OK)) == 0);
  CHECK(strcmp("OPENREALM_WRONG_THREAD", openrealm_code_name(OPENREALM_WRONG_THREAD)) == 0);
  CHECK(strcmp("OPENREALM_ALREADY_OPEN", openrealm_code_name(OPENREALM_ALREADY_OPEN)) == 0);
  CHECK(strcmp("OPENREALM_SCHEMA_VERSION", openrealm_code_name(OPENREALM_SCHEMA_VERSION)) == 0);
  CHECK(strcmp("OPENREALM_ERROR", openrealm_code_name(-7)) == 0);
}

TESTS(migrations, {"a_migration_moves_the_objects", a_migration_moves_the_objects},
      {"a_refused_migration_leaves_the_file_as_it_was", a_refused_migration_leaves_the_file_as_it_was},
      {"a_property_that_keeps_a_provisional_name_fails_the_migration",
       a_property_that_keeps_a_provisional_name_fails_the_migration},
      {"the_compaction_function_is_asked_at_the_first_opening", the_compaction_function_is_asked_at_the_first_opening},
      {"a_file_that_would_need_a_migration_can_be_deleted", a_file_that_would_need_a_migration_can_be_deleted},
      {"log_messages_come_to_the_program", log_messages_come_to_the_program},
      {"what_opening_refuses_has_a_code", what_opening_refuses_has_a_code},
      {"codes_have_names", codes_have_names})
