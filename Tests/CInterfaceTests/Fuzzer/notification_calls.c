// notifications.h
#include "fuzzer.h"

// A context of an observer. `destroy` has to be called once, after the last callback.
typedef struct observer {
  fuzzer *f;
  int destroyed;
} observer;

static observer *new_observer(fuzzer *f) {
  observer *made = calloc(1, sizeof *made);
  made->f = f;
  return made;
}

static void destroy(void *pointer) {
  observer *made = pointer;
  if (made->destroyed++) abort();
  free(made);
}

// `destroy` is not called when there is no token.
static int32_t keep_token(fuzzer *f, openrealm_token *token, observer *made) {
  if (!token) free(made);
  return keep(f, TOKEN, token);
}

static void check_positions(fuzzer *f, const size_t *positions, size_t count) {
  for (size_t i = 1; i < count; i++) {
    if (positions[i] <= positions[i - 1]) stop(f, "%s: position %ld is out of order", "changes", (long)positions[i]);
  }
}

static void collection_changed(void *pointer, const openrealm_changes *changes) {
  fuzzer *f = ((observer *)pointer)->f;
  if (!changes) stop(f, "%s: no changes %ld", "observer", 0);
  if (changes->deletion_count && changes->deletions) check_positions(f, changes->deletions, changes->deletion_count);
  if (changes->insertion_count && changes->insertions)
    check_positions(f, changes->insertions, changes->insertion_count);
  if (one_in(f, 3)) call_back(f);
}

static void object_changed(void *pointer, const openrealm_object_change *change) {
  fuzzer *f = ((observer *)pointer)->f;
  if (change->property_count && !change->properties)
    stop(f, "%s: no properties %ld", "observer", (long)change->property_count);
  for (size_t i = 0; i < change->backlink_count; i++) {
    if (!change->backlinks[i][0]) stop(f, "%s: backlinks without a name %ld", "observer", (long)i);
  }
  if (change->old_values && change->property_count && change->old_values[0].type == OPENREALM_STRING &&
      !change->old_values[0].as.bytes.bytes)
    stop(f, "%s: an old text without bytes %ld", "observer", 0);
  if (one_in(f, 3)) call_back(f);
}

static void realm_changed(void *pointer, bool needs_refresh) {
  (void)needs_refresh;
  fuzzer *f = ((observer *)pointer)->f;
  if (one_in(f, 3)) call_back(f);
}

static void later_done(void *pointer, const openrealm_error *error) {
  observer *made = pointer;
  if (made->destroyed || (error && (!error->message || !error->code))) abort();
  fuzzer *f = made->f;
  call_back(f);
  if (one_in(f, 2)) call_back_to(f, object_calls);
}

static int32_t keep_later(int32_t code, observer *made) {
  if (code != OPENREALM_OK) free(made);
  return code;
}

static int32_t begin_later(fuzzer *f) {
  observer *made = new_observer(f);
  uint32_t number;
  return keep_later(
      openrealm_begin_later(a_realm(f), one_in(f, 64) ? NULL : later_done, made, destroy, maybe(f, &number)), made);
}

static int32_t commit_later(fuzzer *f) {
  observer *made = new_observer(f);
  uint32_t number;
  return keep_later(openrealm_commit_later(a_realm(f), one_in(f, 2), one_in(f, 8) ? NULL : later_done, made, destroy,
                                           maybe(f, &number)),
                    made);
}

static int32_t cancel_later(fuzzer *f) { return openrealm_cancel_later(a_realm(f), (uint32_t)random_index(f)); }

static int32_t has_later_writes(fuzzer *f) {
  openrealm_has_later_writes(a_realm(f));
  return NO_CODE;
}

static size_t random_key_paths(fuzzer *f, const char *paths[2]) {
  paths[0] = random_key_path(f);
  paths[1] = random_key_path(f);
  return one_in(f, 32) ? SIZE_MAX : one_in(f, 3) ? below(f, 3) : 0;
}

static int32_t loop_descriptor(fuzzer *f) {
  (void)f;
  openrealm_loop_descriptor();
  return NO_CODE;
}

static int32_t loop_perform(fuzzer *f) {
  (void)f;
  return openrealm_loop_perform();
}

static int32_t observe_collection(fuzzer *f) {
  const char *paths[2];
  size_t count = random_key_paths(f, paths);
  observer *made = new_observer(f);
  openrealm_token *token = openrealm_observe_collection(a_collection(f), count, maybe(f, paths),
                                                        one_in(f, 64) ? NULL : collection_changed, made, destroy);
  return keep_token(f, token, made);
}

static int32_t observe_object(fuzzer *f) {
  const char *paths[2];
  size_t count = random_key_paths(f, paths);
  observer *made = new_observer(f);
  openrealm_token *token = openrealm_observe_object(a_realm(f), an_object(f), count, maybe(f, paths),
                                                    one_in(f, 64) ? NULL : object_changed, made, destroy);
  return keep_token(f, token, made);
}

static int32_t observe_realm(fuzzer *f) {
  observer *made = new_observer(f);
  openrealm_token *token = openrealm_observe_realm(a_realm(f), one_in(f, 64) ? NULL : realm_changed, made, destroy);
  return keep_token(f, token, made);
}

static int32_t token_invalidate(fuzzer *f) { return openrealm_token_invalidate(a_token(f)); }

const call notification_calls[] = {
    {"openrealm_loop_descriptor", 2, loop_descriptor},
    {"openrealm_loop_perform", 20, loop_perform},
    {"openrealm_observe_collection", 16, observe_collection},
    {"openrealm_observe_object", 10, observe_object},
    {"openrealm_observe_realm", 6, observe_realm},
    {"openrealm_token_invalidate", 6, token_invalidate},
    {"openrealm_begin_later", 16, begin_later},
    {"openrealm_commit_later", 16, commit_later},
    {"openrealm_cancel_later", 2, cancel_later},
    {"openrealm_has_later_writes", 2, has_later_writes},
    {NULL, 0, NULL},
};
