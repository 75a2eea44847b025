// Tests of schema.h, configuration.h, realm.h and files.h.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

// A schema with a class "Hut" of the properties name (key), beds and next (a link).
static openrealm_schema *huts(void) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Hut", false));
  add_property(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL);
  add_property(schema, "beds", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_INDEXED, NULL);
  add_property(schema, "next", OPENREALM_OBJECT, OPENREALM_SINGLE, 0, "Hut");
  return schema;
}

static int64_t count(openrealm_realm *realm) {
  openrealm_collection *all = openrealm_objects(realm, openrealm_class_number(realm, "Hut"));
  CHECK(all);
  size_t number;
  OK(openrealm_count(all, &number));
  openrealm_release(all);
  return (int64_t)number;
}

static openrealm_object add_hut(openrealm_realm *realm, const char *name) {
  int32_t number = openrealm_class_number(realm, "Hut");
  int32_t property = openrealm_property_number(realm, number, "name");
  openrealm_value value = openrealm_string(name);
  openrealm_object hut;
  OK(openrealm_create(realm, number, 1, &property, &value, &hut));
  return hut;
}

static void a_schema_comes_back_as_it_was_described(const char *folder) {
  (void)folder;
  openrealm_schema *schema = huts();
  OK(openrealm_schema_check(schema));
  openrealm_value json;
  OK(openrealm_schema_json(schema, &json));
  openrealm_schema *copy = openrealm_schema_from_json(json.as.bytes.bytes, json.as.bytes.size);
  CHECK(copy);
  openrealm_value_clear(&json);
  EQUAL(1, openrealm_schema_class_count(copy));
  bool embedded = true;
  CHECK(strcmp("Hut", openrealm_schema_class_at(copy, 0, &embedded)) == 0);
  CHECK(!embedded);
  EQUAL(3, openrealm_schema_property_count(copy, 0));
  openrealm_property property;
  OK(openrealm_schema_property_at(copy, 0, 0, &property));
  CHECK(strcmp("name", property.name) == 0);
  CHECK(property.column_name == NULL);
  EQUAL(OPENREALM_PRIMARY_KEY_FLAG, property.flags);
  OK(openrealm_schema_property_at(copy, 0, 2, &property));
  EQUAL(OPENREALM_OBJECT, property.type);
  EQUAL(OPENREALM_OPTIONAL, property.flags);
  CHECK(strcmp("Hut", property.target) == 0);
  openrealm_release(schema);
  openrealm_release(copy);
}

static void wrong_schemas_are_refused(const char *folder) {
  openrealm_schema *schema = openrealm_schema_new();
  openrealm_property property = {0};
  property.name = "name";
  REFUSED(OPENREALM_NO_SUCH_CLASS, openrealm_schema_add_property(schema, &property));
  REFUSED(OPENREALM_NO_SUCH_CLASS, openrealm_schema_add_index(schema, OPENREALM_INDEX_PLAIN, 0, NULL));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_schema_add_class(schema, NULL, false));
  REFUSED(OPENREALM_INVALID_VALUE, openrealm_schema_add_class(schema, "\xff", false));
  OK(openrealm_schema_add_class(schema, "Hut", false));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_schema_add_property(schema, NULL));
  property.type = 99;
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_schema_add_property(schema, &property));
  property.type = OPENREALM_INT;
  property.flags = 1 << 20;
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_schema_add_property(schema, &property));
  property.flags = 0;
  property.delete_rule = -1;
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_schema_add_property(schema, &property));
  property.delete_rule = 0;
  property.collection = OPENREALM_RESULTS;
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_schema_add_property(schema, &property));
  add_property(schema, "guide", OPENREALM_OBJECT, OPENREALM_SINGLE, 0, "Guide");
  add_property(schema, "number", OPENREALM_DOUBLE, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL);
  REFUSED(OPENREALM_INVALID_SCHEMA, openrealm_schema_check(schema));
  // Both problems are in the message.
  openrealm_error error;
  openrealm_last_error(&error);
  CHECK(strstr(error.message, "guide") && strstr(error.message, "number"));
  openrealm_configuration *configuration = configuration_in(folder, schema);
  NO_HANDLE(OPENREALM_INVALID_SCHEMA, openrealm_open(configuration));
  openrealm_release(configuration);
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_schema_from_json("[{}]", 4));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_schema_from_json("[", 1));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_schema_from_json(NULL, 0));
  NO_HANDLE(OPENREALM_FILE_NOT_FOUND, openrealm_schema_of_file(path_in(folder, "none.realm"), NULL));
}

static void wrong_settings_are_refused(const char *folder) {
  openrealm_configuration *configuration = openrealm_configuration_new();
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_configuration_set_path(configuration, NULL));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_configuration_set_path(configuration, ""));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_configuration_set_path(NULL, "x"));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_configuration_set_memory_name(configuration, ""));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_configuration_set_schema_version(configuration, UINT64_MAX));
  uint8_t key[64] = {1};
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_configuration_set_key(configuration, key, 32));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_configuration_set_key(configuration, NULL, 64));
  OK(openrealm_configuration_set_key(configuration, NULL, 0));
  OK(openrealm_configuration_set_path(configuration, path_in(folder, "a.realm")));
  OK(openrealm_configuration_set_read_only(configuration, true));
  NO_HANDLE(OPENREALM_FILE_NOT_FOUND, openrealm_open(configuration));
  OK(openrealm_configuration_set_delete_if_migration_needed(configuration, true));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_open(configuration));
  openrealm_value path;
  OK(openrealm_configuration_path(configuration, &path));
  TEXT(path_in(folder, "a.realm"), &path);
  OK(openrealm_configuration_set_memory_name(configuration, "m"));
  OK(openrealm_configuration_path(configuration, &path));
  EQUAL(OPENREALM_NULL, path.type);
  // A realm is no configuration.
  openrealm_realm *realm = open_in(folder, huts());
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_configuration_set_read_only((openrealm_configuration *)realm, true));
  openrealm_release(realm);
  openrealm_release(configuration);
}

static void file_errors_have_their_codes_and_the_path(const char *folder) {
  openrealm_configuration *configuration = configuration_in(folder, huts());
  OK(openrealm_configuration_set_path(configuration, path_in(folder, "none/x.realm")));
  NO_HANDLE(OPENREALM_FILE_NOT_FOUND, openrealm_open(configuration));
  openrealm_error error;
  openrealm_last_error(&error);
  CHECK(error.path && strstr(error.path, "none/x.realm"));
  OK(openrealm_configuration_set_path(configuration, folder));
  NO_HANDLE(OPENREALM_FILE_ACCESS, openrealm_open(configuration));
  const char *path = path_in(folder, "text.realm");
  FILE *file = fopen(path, "w");
  for (int i = 0; i < 5000; i++) fputs("no realm ", file);
  fclose(file);
  OK(openrealm_configuration_set_path(configuration, path));
  NO_HANDLE(OPENREALM_INVALID_DATABASE, openrealm_open(configuration));
  openrealm_release(configuration);
  // Another key, and classes that do not fit.
  openrealm_release(open_in(folder, huts()));
  configuration = configuration_in(folder, huts());
  uint8_t key[64] = {1};
  OK(openrealm_configuration_set_key(configuration, key, 64));
  NO_HANDLE(OPENREALM_INVALID_DATABASE, openrealm_open(configuration));
  OK(openrealm_configuration_set_key(configuration, NULL, 0));
  openrealm_schema *schema = huts();
  add_property(schema, "height", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL);
  OK(openrealm_configuration_set_schema(configuration, schema));
  openrealm_release(schema);
  NO_HANDLE(OPENREALM_SCHEMA_MISMATCH, openrealm_open(configuration));
  openrealm_last_error(&error);
  CHECK(strstr(error.message, "height") && error.path);
  openrealm_release(configuration);
  // A file that the new one is copied from.
  configuration = configuration_in(folder, huts());
  OK(openrealm_configuration_set_path(configuration, path_in(folder, "copied.realm")));
  OK(openrealm_configuration_set_seed(configuration, path_in(folder, "missing.realm")));
  NO_HANDLE(OPENREALM_FILE_NOT_FOUND, openrealm_open(configuration));
  openrealm_last_error(&error);
  CHECK(error.path && strstr(error.path, "missing.realm") && strstr(error.message, "missing.realm"));
  openrealm_release(configuration);
}

static void transactions_in_a_wrong_state_are_refused(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts());
  REFUSED(OPENREALM_NOT_IN_WRITE, openrealm_commit(realm));
  REFUSED(OPENREALM_NOT_IN_WRITE, openrealm_cancel(realm));
  REFUSED(OPENREALM_NOT_IN_WRITE, openrealm_delete_all(realm));
  OK(openrealm_begin(realm));
  CHECK(openrealm_is_writing(realm));
  REFUSED(OPENREALM_IN_WRITE, openrealm_begin(realm));
  add_hut(realm, "Larch");
  NO_HANDLE(OPENREALM_IN_WRITE, openrealm_freeze(realm));
  OK(openrealm_commit(realm));
  uint64_t version = openrealm_version_number(realm);
  OK(openrealm_begin(realm));
  OK(openrealm_delete_all(realm));
  EQUAL(0, count(realm));
  OK(openrealm_cancel(realm));
  EQUAL(1, count(realm));
  EQUAL(version, openrealm_version_number(realm));
  openrealm_realm *frozen = openrealm_freeze(realm);
  CHECK(frozen && openrealm_is_frozen(frozen));
  REFUSED(OPENREALM_FROZEN, openrealm_begin(frozen));
  REFUSED(OPENREALM_FROZEN, openrealm_refresh(frozen, NULL));
  REFUSED(OPENREALM_FROZEN, openrealm_set_autorefresh(frozen, true));
  openrealm_realm *live = openrealm_thaw(frozen);
  CHECK(openrealm_is_same(live, realm) && !openrealm_is_same(frozen, realm));
  OK(openrealm_begin(live));
  CHECK(openrealm_is_writing(realm));
  OK(openrealm_delete_all(realm));
  OK(openrealm_commit(realm));
  EQUAL(0, count(live));
  EQUAL(1, count(frozen));
  OK(openrealm_invalidate(realm));
  EQUAL(0, count(realm));
  openrealm_release(live);
  openrealm_release(frozen);
  openrealm_release(realm);
}

static void names_that_do_not_exist_have_no_number(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts());
  int32_t hut = openrealm_class_number(realm, "Hut");
  CHECK(hut >= 0);
  EQUAL(-1, openrealm_class_number(realm, "Hat"));
  EQUAL(OPENREALM_NO_SUCH_CLASS, openrealm_last_error(NULL));
  EQUAL(-1, openrealm_property_number(realm, hut, "hat"));
  EQUAL(OPENREALM_NO_SUCH_PROPERTY, openrealm_last_error(NULL));
  EQUAL(-1, openrealm_property_number(realm, 77, "name"));
  EQUAL(OPENREALM_NO_SUCH_CLASS, openrealm_last_error(NULL));
  EQUAL(-1, openrealm_property_number(realm, hut, NULL));
  EQUAL(hut, openrealm_target_class(realm, hut, openrealm_property_number(realm, hut, "next")));
  EQUAL(-1, openrealm_target_class(realm, hut, openrealm_property_number(realm, hut, "beds")));
  openrealm_value name;
  OK(openrealm_class_name(realm, hut, &name));
  TEXT("Hut", &name);
  REFUSED(OPENREALM_NO_SUCH_CLASS, openrealm_class_name(realm, -1, &name));
  openrealm_schema *schema = openrealm_schema_of_realm(realm);
  EQUAL(1, openrealm_schema_class_count(schema));
  openrealm_release(schema);
  openrealm_release(realm);
}

static void a_closed_handle_is_refused_and_others_go_on(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts()), *other = open_in(folder, huts());
  CHECK(openrealm_is_same(realm, other));
  openrealm_collection *huts = openrealm_objects(realm, openrealm_class_number(realm, "Hut"));
  OK(openrealm_begin(other));
  OK(openrealm_close(realm));
  REFUSED(OPENREALM_CLOSED, openrealm_close(realm));
  REFUSED(OPENREALM_CLOSED, openrealm_begin(realm));
  REFUSED(OPENREALM_CLOSED, openrealm_refresh(realm, NULL));
  size_t number;
  REFUSED(OPENREALM_CLOSED, openrealm_count(huts, &number));
  EQUAL(-1, openrealm_class_number(realm, "Hut"));
  EQUAL(0, openrealm_version_number(realm));
  // The transaction of the other handle is still open.
  CHECK(openrealm_is_writing(other));
  add_hut(other, "Larch");
  OK(openrealm_close(other));
  openrealm_release(huts);
  openrealm_release(other);
  openrealm_release(realm);
  realm = open_in(folder, NULL);
  EQUAL(0, count(realm));
  OK(openrealm_begin(realm));
  OK(openrealm_cancel(realm));
  openrealm_release(realm);
}

typedef struct other {
  openrealm_realm *realm;
  const char *folder;
} other;

static void *use_elsewhere(void *context) {
  other *other = context;
  REFUSED(OPENREALM_WRONG_THREAD, openrealm_begin(other->realm));
  REFUSED(OPENREALM_WRONG_THREAD, openrealm_close(other->realm));
  REFUSED(OPENREALM_WRONG_THREAD, openrealm_invalidate(other->realm));
  NO_HANDLE(OPENREALM_WRONG_THREAD, openrealm_freeze(other->realm));
  EQUAL(0, openrealm_version_number(other->realm));
  openrealm_realm *own = open_in(other->folder, NULL);
  CHECK(!openrealm_is_same(own, other->realm));
  OK(openrealm_begin(own));
  add_hut(own, "Fir");
  OK(openrealm_commit(own));
  openrealm_release(own);
  return NULL;
}

static void another_thread_and_a_child_process_are_refused(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts());
  other other = {realm, folder};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, use_elsewhere, &other) == 0);
  pthread_join(thread, NULL);
  bool changed = false;
  OK(openrealm_refresh(realm, &changed));
  CHECK(changed);
  EQUAL(1, count(realm));
  pid_t child = fork();
  if (child == 0) {
    REFUSED(OPENREALM_CLOSED, openrealm_begin(realm));
    REFUSED(OPENREALM_CLOSED, openrealm_close(realm));
    // Also a realm of its own.
    openrealm_configuration *configuration = configuration_in(folder, huts());
    for (int i = 0; i < 20; i++) NO_HANDLE(OPENREALM_CLOSED, openrealm_open(configuration));
    NO_HANDLE(OPENREALM_CLOSED, openrealm_schema_of_file(path_in(folder, "test.realm"), NULL));
    REFUSED(OPENREALM_CLOSED, openrealm_verify(path_in(folder, "test.realm"), NULL, NULL, NULL));
    REFUSED(OPENREALM_CLOSED, openrealm_compact(configuration, NULL));
    REFUSED(OPENREALM_CLOSED, openrealm_delete_files(configuration, NULL));
    _exit(0);
  }
  int end;
  CHECK(waitpid(child, &end, 0) == child);
  EQUAL(0, end);
  openrealm_release(realm);
}

static void *release_handle(void *realm) {
  openrealm_release(realm);
  return NULL;
}

static void the_last_reference_may_be_released_on_another_thread_in_a_write(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts());
  OK(openrealm_begin(realm));
  add_hut(realm, "Larch");
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, release_handle, realm) == 0);
  pthread_join(thread, NULL);
  realm = open_in(folder, NULL);
  EQUAL(0, count(realm));
  OK(openrealm_begin(realm));
  OK(openrealm_cancel(realm));
  openrealm_release(realm);
}

static void files_are_copied_compacted_verified_and_deleted(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts());
  OK(openrealm_begin(realm));
  add_hut(realm, "Larch");
  OK(openrealm_commit(realm));
  const char *copy = path_in(folder, "copy.realm");
  uint8_t key[64] = {7};
  OK(openrealm_write_copy(realm, copy, key));
  REFUSED(OPENREALM_FILE_EXISTS, openrealm_write_copy(realm, copy, key));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_write_copy(realm, "", NULL));
  openrealm_configuration *configuration = openrealm_realm_configuration(realm);
  bool done = true;
  OK(openrealm_compact(configuration, &done));
  CHECK(!done);
  REFUSED(OPENREALM_ALREADY_OPEN, openrealm_delete_files(configuration, NULL));
  openrealm_release(realm);
  OK(openrealm_compact(configuration, &done));
  CHECK(done);
  size_t faults = 9;
  openrealm_value report;
  OK(openrealm_verify(copy, key, &faults, &report));
  EQUAL(0, faults);
  TEXT("", &report);
  REFUSED(OPENREALM_INVALID_DATABASE, openrealm_verify(copy, NULL, &faults, NULL));
  REFUSED(OPENREALM_FILE_NOT_FOUND, openrealm_verify(path_in(folder, "none"), NULL, NULL, NULL));
  OK(openrealm_salvage(copy, path_in(folder, "saved.realm"), key, &faults, NULL));
  REFUSED(OPENREALM_FILE_EXISTS, openrealm_salvage(copy, path_in(folder, "saved.realm"), key, NULL, NULL));
  REFUSED(OPENREALM_INVALID_DATABASE, openrealm_convert_official(copy, path_in(folder, "new.realm"), NULL, NULL));
  openrealm_schema *schema = openrealm_schema_of_file(copy, key);
  EQUAL(1, openrealm_schema_class_count(schema));
  openrealm_release(schema);
  OK(openrealm_file_exists(configuration, &done));
  CHECK(done);
  OK(openrealm_delete_files(configuration, &done));
  CHECK(done);
  OK(openrealm_delete_files(configuration, &done));
  CHECK(!done);
  openrealm_release(configuration);
}

static void too_many_versions_are_refused(const char *folder) {
  openrealm_configuration *configuration = configuration_in(folder, huts());
  OK(openrealm_configuration_set_maximum_versions(configuration, 2));
  openrealm_realm *realm = openrealm_open(configuration), *frozen = openrealm_freeze(realm);
  int32_t code = OPENREALM_OK;
  for (int i = 0; i < 10; i++) {
    code = openrealm_begin(realm);
    if (code != OPENREALM_OK) break;
    char name[20];
    snprintf(name, sizeof name, "hut %d", i);
    add_hut(realm, name);
    OK(openrealm_commit(realm));
  }
  EQUAL(OPENREALM_TOO_MANY_VERSIONS, code);
  CHECK(!openrealm_is_writing(realm));
  openrealm_release(frozen);
  OK(openrealm_begin(realm));
  OK(openrealm_commit(realm));
  openrealm_release(realm);
  openrealm_release(configuration);
}

static void other_classes_are_refused_while_the_file_is_open(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts());
  CHECK(realm);
  openrealm_configuration *configuration = configuration_in(folder, huts());
  OK(openrealm_configuration_set_schema_version(configuration, 2));
  NO_HANDLE(OPENREALM_ALREADY_OPEN, openrealm_open(configuration));
  openrealm_schema *schema = huts();
  add_property(schema, "height", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL);
  OK(openrealm_configuration_set_schema(configuration, schema));
  OK(openrealm_configuration_set_schema_version(configuration, 0));
  openrealm_release(schema);
  NO_HANDLE(OPENREALM_ALREADY_OPEN, openrealm_open(configuration));
  openrealm_error error;
  openrealm_last_error(&error);
  CHECK(strstr(error.message, "classes") && error.path);
  // The same classes, and those of the file, are those of the realm.
  openrealm_configuration *same = configuration_in(folder, huts()), *any = configuration_in(folder, NULL);
  openrealm_realm *again = openrealm_open(same), *dynamic = openrealm_open(any);
  CHECK(openrealm_is_same(realm, again) && openrealm_is_same(realm, dynamic));
  openrealm_release(again);
  openrealm_release(dynamic);
  openrealm_release(same);
  openrealm_release(any);
  openrealm_release(realm);
  // Once it is closed, the file gets what is asked for.
  OK(openrealm_configuration_set_schema_version(configuration, 2));
  realm = openrealm_open(configuration);
  CHECK(realm && openrealm_property_number(realm, openrealm_class_number(realm, "Hut"), "height") >= 0);
  openrealm_release(realm);
  openrealm_release(configuration);
}

static void a_realm_in_memory_exists_while_it_is_open(const char *folder) {
  (void)folder;
  openrealm_configuration *configuration = openrealm_configuration_new();
  OK(openrealm_configuration_set_memory_name(configuration, "huts"));
  openrealm_schema *schema = huts();
  OK(openrealm_configuration_set_schema(configuration, schema));
  openrealm_release(schema);
  openrealm_realm *realm = openrealm_open(configuration);
  OK(openrealm_begin(realm));
  add_hut(realm, "Larch");
  OK(openrealm_commit(realm));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_compact(configuration, NULL));
  openrealm_release(realm);
  realm = openrealm_open(configuration);
  EQUAL(0, count(realm));
  openrealm_release(realm);
  openrealm_release(configuration);
}

TESTS(realm, {"a_schema_comes_back_as_it_was_described", a_schema_comes_back_as_it_was_described},
      {"wrong_schemas_are_refused", wrong_schemas_are_refused},
      {"wrong_settings_are_refused", wrong_settings_are_refused},
      {"file_errors_have_their_codes_and_the_path", file_errors_have_their_codes_and_the_path},
      {"transactions_in_a_wrong_state_are_refused", transactions_in_a_wrong_state_are_refused},
      {"names_that_do_not_exist_have_no_number", names_that_do_not_exist_have_no_number},
      {"a_closed_handle_is_refused_and_others_go_on", a_closed_handle_is_refused_and_others_go_on},
      {"another_thread_and_a_child_process_are_refused", another_thread_and_a_child_process_are_refused},
      {"the_last_reference_may_be_released_on_another_thread_in_a_write",
       the_last_reference_may_be_released_on_another_thread_in_a_write},
      {"files_are_copied_compacted_verified_and_deleted", files_are_copied_compacted_verified_and_deleted},
      {"other_classes_are_refused_while_the_file_is_open", other_classes_are_refused_while_the_file_is_open},
      {"too_many_versions_are_refused", too_many_versions_are_refused},
      {"a_realm_in_memory_exists_while_it_is_open", a_realm_in_memory_exists_while_it_is_open})
