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
  if (one_in(f, 3)) call_back(f);
}

static void realm_changed(void *pointer, bool needs_refresh) {
  (void)needs_refresh;
  fuzzer *f = ((observer *)pointer)->f;
  if (one_in(f, 3)) call_back(f);
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
    {NULL, 0, NULL},
};
