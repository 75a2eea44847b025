// realm.h
#include "fuzzer.h"

// Opens a file of this thread with other classes than before. It has to be closed for that.
static int32_t open_migrated(fuzzer *f) {
  if (f->migration) return NOT_CALLED;
  openrealm_close(f->migrated);
  openrealm_release(f->migrated);
  f->migrated = NULL;
  uint64_t version = f->version;
  openrealm_configuration *configuration = migrating_configuration(f);
  openrealm_realm *realm = openrealm_open(configuration);
  int32_t code = keep(f, REALM, realm);
  openrealm_release(configuration);
  if (!realm) return code;
  f->migrated = openrealm_retain(realm);
  f->migrated_version = version;
  return code;
}

// Opens the file of a configuration that the test made, or the file that all threads use, a damaged copy of it, or a
// file of this thread that needs a migration.
static int32_t open_realm(fuzzer *f) {
  if (f->settings->storage == DAMAGED && one_in(f, 2)) {
    openrealm_configuration *configuration = openrealm_configuration_new();
    openrealm_configuration_set_path(configuration, damaged_copy(f));
    if (one_in(f, 2)) {
      openrealm_schema *schema = test_schema();
      openrealm_configuration_set_schema(configuration, schema);
      openrealm_release(schema);
    }
    int32_t code = keep(f, REALM, openrealm_open(configuration));
    openrealm_release(configuration);
    return code;
  }
  openrealm_configuration *configuration = NULL;
  if (one_in(f, 4)) return open_migrated(f);
  if (one_in(f, 4)) configuration = main_configuration(f->settings);
  openrealm_realm *realm = openrealm_open(configuration ? configuration : a_configuration(f));
  int32_t code = keep(f, REALM, realm);
  openrealm_release(configuration);
  return code;
}

static int32_t close_realm(fuzzer *f) {
  openrealm_realm *realm = a_realm(f);
  // Mostly not the one that this thread works with.
  if (realm == f->pools[REALM][0] && !one_in(f, 64)) realm = f->pools[REALM][below(f, POOL_SIZE)];
  if (realm == f->pools[REALM][0] && !one_in(f, 64)) return NOT_CALLED;
  return openrealm_close(realm);
}

// One write transaction at a time in a thread: two of them in two files could wait for each other's writer.
static bool is_writing_anywhere(fuzzer *f) {
  for (int place = 0; place < POOL_SIZE; place++) {
    if (f->pools[REALM][place] && openrealm_is_writing(f->pools[REALM][place])) return true;
  }
  return false;
}

static bool is_own(fuzzer *f, openrealm_realm *realm) {
  for (int place = 0; place < POOL_SIZE; place++) {
    if (f->pools[REALM][place] == realm) return true;
  }
  return false;
}

static int32_t begin(fuzzer *f) {
  openrealm_realm *realm = a_realm(f);
  if (is_writing_anywhere(f) && !(realm && openrealm_is_writing(realm))) return NOT_CALLED;
  if (f->is_careful && realm && openrealm_is_writing(realm)) return NOT_CALLED;
  // Threads read for two of three stretches of time: all but one that write would wait.
  if (f->settings->threads > 1 && f->is_careful && (f->done / 256 + (uint64_t)f->number) % 3 != 0) return NOT_CALLED;
  // An observer may release the handle. If there are other threads, or half of the time, it stays valid here.
  openrealm_realm *held = f->settings->threads > 1 || one_in(f, 2) ? openrealm_retain(realm) : NULL;
  int32_t code = openrealm_begin(realm);
  // A transaction of a handle that this thread is about to lose would keep all other writers waiting.
  if (code == OPENREALM_OK && held && !is_own(f, held)) openrealm_cancel(held);
  openrealm_release(held);
  return code;
}

static int32_t commit(fuzzer *f) { return openrealm_commit(a_realm(f)); }

static int32_t commit_without_notifying(fuzzer *f) {
  openrealm_token *tokens[3] = {a_token(f), a_token(f), one_in(f, 8) ? any_handle(f) : NULL};
  size_t count = one_in(f, 32) ? SIZE_MAX : below(f, 4);
  return openrealm_commit_without_notifying(a_realm(f), count, maybe(f, tokens));
}

static int32_t cancel(fuzzer *f) { return openrealm_cancel(a_realm(f)); }

static int32_t is_writing(fuzzer *f) {
  openrealm_is_writing(a_realm(f));
  return NO_CODE;
}

static int32_t refresh(fuzzer *f) {
  bool has_changed;
  return openrealm_refresh(a_realm(f), maybe(f, &has_changed));
}

static int32_t set_autorefresh(fuzzer *f) { return openrealm_set_autorefresh(a_realm(f), !one_in(f, 3)); }

static int32_t autorefresh(fuzzer *f) {
  openrealm_autorefresh(a_realm(f));
  return NO_CODE;
}

static int32_t invalidate(fuzzer *f) { return openrealm_invalidate(a_realm(f)); }

static int32_t freeze(fuzzer *f) { return keep(f, REALM, openrealm_freeze(a_realm(f))); }

static int32_t thaw(fuzzer *f) { return keep(f, REALM, openrealm_thaw(a_realm(f))); }

static int32_t is_frozen(fuzzer *f) {
  openrealm_is_frozen(a_realm(f));
  return NO_CODE;
}

static int32_t is_same(fuzzer *f) {
  openrealm_is_same(a_realm(f), a_realm(f));
  return NO_CODE;
}

static int32_t version_number(fuzzer *f) {
  openrealm_version_number(a_realm(f));
  return NO_CODE;
}

static int32_t schema_version(fuzzer *f) {
  uint64_t version;
  return openrealm_schema_version(a_realm(f), maybe(f, &version));
}

static int32_t realm_configuration(fuzzer *f) {
  return keep(f, CONFIGURATION, openrealm_realm_configuration(a_realm(f)));
}

static int32_t class_number(fuzzer *f) {
  openrealm_class_number(a_realm(f), random_name(f));
  return NO_CODE;
}

static int32_t class_name(fuzzer *f) {
  openrealm_value name = openrealm_null();
  return finish_value(f, openrealm_class_name(a_realm(f), random_class(f), maybe(f, &name)), &name);
}

static int32_t property_number(fuzzer *f) {
  const char *name = random_property_name(f);
  openrealm_property_number(a_realm(f), random_class(f), maybe(f, (void *)name));
  return NO_CODE;
}

static int32_t target_class(fuzzer *f) {
  int32_t class_number = random_class(f);
  openrealm_target_class(a_realm(f), class_number, random_property(f, class_number, OPENREALM_OBJECT, -1));
  return NO_CODE;
}

static int32_t delete_all(fuzzer *f) {
  // There would be few objects to work with.
  if (f->is_careful && !one_in(f, 4)) return NOT_CALLED;
  return openrealm_delete_all(a_realm(f));
}

const call realm_calls[] = {
    {"openrealm_open", 10, open_realm},
    {"openrealm_close", 4, close_realm},
    {"openrealm_begin", 160, begin},
    {"openrealm_commit", 24, commit},
    {"openrealm_commit_without_notifying", 4, commit_without_notifying},
    {"openrealm_cancel", 6, cancel},
    {"openrealm_is_writing", 4, is_writing},
    {"openrealm_refresh", 12, refresh},
    {"openrealm_set_autorefresh", 2, set_autorefresh},
    {"openrealm_autorefresh", 2, autorefresh},
    {"openrealm_invalidate", 2, invalidate},
    {"openrealm_freeze", 3, freeze},
    {"openrealm_thaw", 2, thaw},
    {"openrealm_is_frozen", 4, is_frozen},
    {"openrealm_is_same", 2, is_same},
    {"openrealm_version_number", 4, version_number},
    {"openrealm_schema_version", 2, schema_version},
    {"openrealm_realm_configuration", 2, realm_configuration},
    {"openrealm_class_number", 6, class_number},
    {"openrealm_class_name", 6, class_name},
    {"openrealm_property_number", 6, property_number},
    {"openrealm_target_class", 6, target_class},
    {"openrealm_delete_all", 1, delete_all, true},
    {NULL, 0, NULL},
};
