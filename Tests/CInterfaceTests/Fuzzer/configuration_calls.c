// configuration.h
#include <unistd.h>

#include "fuzzer.h"

static int32_t configuration_new(fuzzer *f) {
  return keep(f, CONFIGURATION, one_in(f, 2) ? main_configuration(f->settings) : openrealm_configuration_new());
}

static int32_t copy(fuzzer *f) { return keep(f, CONFIGURATION, openrealm_configuration_copy(a_configuration(f))); }

// A copy of an official file, which is made once for each thread and name.
static void own_sample(fuzzer *f, char *path, size_t size) {
  const uint8_t *key;
  snprintf(path, size, "%s/official-%d-%d.realm", f->settings->folder, f->number, (int)below(f, 3));
  if (access(path, F_OK) != 0) copy_sample(f, path, &key);
}

static int32_t set_path(fuzzer *f) {
  char path[4096];
  static const char *const names[] = {"fuzz.realm", "other.realm", "no-folder/a.realm", "", "."};
  if (one_in(f, 4))
    snprintf(path, sizeof path, "%s/%s", f->settings->folder, names[below(f, 5)]);
  else if (one_in(f, 8))
    own_sample(f, path, sizeof path);
  else
    snprintf(path, sizeof path, "%s/own-%d-%d.realm", f->settings->folder, f->number, (int)below(f, 4));
  return openrealm_configuration_set_path(a_configuration(f), one_in(f, 16) ? "" : maybe(f, path));
}

static int32_t path(fuzzer *f) {
  openrealm_value value = openrealm_null();
  return finish_value(f, openrealm_configuration_path(a_configuration(f), maybe(f, &value)), &value);
}

static int32_t set_memory_name(fuzzer *f) {
  return openrealm_configuration_set_memory_name(a_configuration(f),
                                                 one_in(f, 2) ? "fuzz" : maybe(f, (void *)random_text(f)));
}

static int32_t set_schema(fuzzer *f) { return openrealm_configuration_set_schema(a_configuration(f), a_schema(f)); }

static int32_t set_schema_version(fuzzer *f) {
  uint64_t version = one_in(f, 8) ? next_random(f) : below(f, 4);
  return openrealm_configuration_set_schema_version(a_configuration(f), one_in(f, 16) ? UINT64_MAX : version);
}

static int32_t set_read_only(fuzzer *f) {
  return openrealm_configuration_set_read_only(a_configuration(f), one_in(f, 4));
}

static int32_t set_durable(fuzzer *f) {
  return openrealm_configuration_set_durable(a_configuration(f), one_in(f, 16));
}

static int32_t set_key(fuzzer *f) {
  size_t size = one_in(f, 4) ? random_index(f) : one_in(f, 2) ? 64 : 0;
  return openrealm_configuration_set_key(a_configuration(f), size == 0 ? NULL : maybe(f, (void *)test_key), size);
}

static int32_t set_delete_if_migration_needed(fuzzer *f) {
  return openrealm_configuration_set_delete_if_migration_needed(a_configuration(f), one_in(f, 3));
}

static int32_t set_convert_official(fuzzer *f) {
  return openrealm_configuration_set_convert_official(a_configuration(f), one_in(f, 2));
}

static int32_t set_seed(fuzzer *f) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", f->settings->folder, one_in(f, 2) ? "seed.realm" : "nothing.realm");
  return openrealm_configuration_set_seed(a_configuration(f), one_in(f, 2) ? NULL : path);
}

static int32_t set_maximum_versions(fuzzer *f) {
  return openrealm_configuration_set_maximum_versions(a_configuration(f),
                                                      one_in(f, 4) ? next_random(f) : below(f, 9));
}

// A context that counts its uses: `destroy` has to be called once.
typedef struct context {
  fuzzer *f;
  int destroyed;
} context;

static context *new_context(fuzzer *f) {
  context *made = calloc(1, sizeof *made);
  made->f = f;
  return made;
}

static void destroy(void *pointer) {
  context *made = pointer;
  if (made->destroyed++) abort();
  free(made);
}

// The name of a property of the class "Extra" in a version of the classes. Valid until the next call but one.
static const char *extra_name(uint64_t version) {
  static _Thread_local char names[2][32];
  static _Thread_local int place;
  char *name = names[place = !place];
  snprintf(name, sizeof names[0], "property%llu", (unsigned long long)version);
  return name;
}

static int32_t migrate(void *pointer, openrealm_migration *migration, uint64_t old_version) {
  fuzzer *f = ((context *)pointer)->f;
  (void)old_version;
  openrealm_migration *outer = f->migration;
  f->migration = migration;
  // Kept beyond the migration: used later, they have to be refused.
  keep(f, MIGRATION, openrealm_retain(migration));
  keep(f, REALM, openrealm_migration_old_realm(migration));
  keep(f, REALM, openrealm_migration_new_realm(migration));
  for (int i = 0; i < 10; i++) call_back(f);
  for (int i = 0; i < 4; i++) call_back_to(f, migration_calls);
  f->migration = outer;
  return one_in(f, 6) ? (int32_t)next_random(f) : 0;
}

static int32_t set_migration(fuzzer *f) {
  openrealm_configuration *configuration = a_configuration(f);
  // Threads share no context: another thread may be the one that releases it, but only the opening one calls back.
  if (one_in(f, 6)) return openrealm_configuration_set_migration(configuration, NULL, NULL, NULL);
  context *made = new_context(f);
  int32_t code = openrealm_configuration_set_migration(configuration, migrate, made, destroy);
  if (code != OPENREALM_OK) free(made);
  return code;
}

openrealm_configuration *migrating_configuration(fuzzer *f) {
  char path[4096];
  snprintf(path, sizeof path, "%s/migrated-%d.realm", f->settings->folder, f->number);
  openrealm_configuration *configuration = openrealm_configuration_new();
  openrealm_configuration_set_path(configuration, path);
  openrealm_configuration_set_durable(configuration, false);
  openrealm_schema *schema = test_schema();
  openrealm_schema_add_class(schema, "Extra", false);
  openrealm_property property = {.name = extra_name(f->version), .type = OPENREALM_INT};
  openrealm_schema_add_property(schema, &property);
  openrealm_configuration_set_schema(configuration, schema);
  openrealm_release(schema);
  openrealm_configuration_set_schema_version(configuration, f->version++);
  context *made = new_context(f);
  if (openrealm_configuration_set_migration(configuration, migrate, made, destroy) != OPENREALM_OK) free(made);
  return configuration;
}

static bool compacts(void *pointer, uint64_t file_size, uint64_t used_size) {
  fuzzer *f = ((context *)pointer)->f;
  return used_size <= file_size && one_in(f, 2);
}

static int32_t set_compaction(fuzzer *f) {
  openrealm_configuration *configuration = a_configuration(f);
  if (one_in(f, 3)) return openrealm_configuration_set_compaction(configuration, NULL, NULL, NULL);
  context *made = new_context(f);
  int32_t code = openrealm_configuration_set_compaction(configuration, compacts, made, destroy);
  if (code != OPENREALM_OK) free(made);
  return code;
}

// Careful calls are made in migrations only.
static bool is_out_of_place(fuzzer *f) { return f->is_careful && !f->migration; }

static int32_t old_realm(fuzzer *f) {
  if (is_out_of_place(f)) return NOT_CALLED;
  return keep(f, REALM, openrealm_migration_old_realm(a_migration(f)));
}

static int32_t new_realm(fuzzer *f) {
  if (is_out_of_place(f)) return NOT_CALLED;
  return keep(f, REALM, openrealm_migration_new_realm(a_migration(f)));
}

static int32_t rename_property(fuzzer *f) {
  if (is_out_of_place(f)) return NOT_CALLED;
  if ((f->is_careful || one_in(f, 4)) && f->version > 1)
    return openrealm_migration_rename(a_migration(f), "Extra", extra_name(f->migrated_version),
                                      extra_name(f->version - 1));
  const char *old_name = random_property_name(f);
  return openrealm_migration_rename(a_migration(f), random_name(f), maybe(f, (void *)old_name),
                                    random_property_name(f));
}

static int32_t delete_data(fuzzer *f) {
  if (is_out_of_place(f)) return NOT_CALLED;
  return openrealm_migration_delete_data(a_migration(f), random_name(f));
}

const call configuration_calls[] = {
    {"openrealm_configuration_new", 6, configuration_new},
    {"openrealm_configuration_copy", 3, copy},
    {"openrealm_configuration_set_path", 12, set_path},
    {"openrealm_configuration_path", 2, path},
    {"openrealm_configuration_set_memory_name", 1, set_memory_name},
    {"openrealm_configuration_set_schema", 8, set_schema},
    {"openrealm_configuration_set_schema_version", 8, set_schema_version},
    {"openrealm_configuration_set_read_only", 2, set_read_only},
    {"openrealm_configuration_set_durable", 2, set_durable},
    {"openrealm_configuration_set_key", 2, set_key},
    {"openrealm_configuration_set_delete_if_migration_needed", 1, set_delete_if_migration_needed},
    {"openrealm_configuration_set_convert_official", 1, set_convert_official},
    {"openrealm_configuration_set_seed", 1, set_seed},
    {"openrealm_configuration_set_maximum_versions", 1, set_maximum_versions},
    {"openrealm_configuration_set_migration", 6, set_migration},
    {"openrealm_configuration_set_compaction", 3, set_compaction},
    {NULL, 0, NULL},
};

const call migration_calls[] = {
    {"openrealm_migration_old_realm", 2, old_realm},
    {"openrealm_migration_new_realm", 2, new_realm},
    {"openrealm_migration_rename", 6, rename_property},
    {"openrealm_migration_delete_data", 3, delete_data},
    {NULL, 0, NULL},
};
