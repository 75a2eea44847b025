// Observers that are called while another one begins a write transaction.
#include <pthread.h>

#include "test.h"

// An observer that begins a transaction, or closes its handle, at its first call.
typedef struct observer {
  openrealm_realm *realm;
  bool closes;
  int calls;
  int32_t code;
} observer;

static void begin_or_close(void *context, const openrealm_changes *changes) {
  observer *observer = context;
  (void)changes;
  if (observer->calls++ == 0)
    observer->code = observer->closes ? openrealm_close(observer->realm) : openrealm_begin(observer->realm);
}

static openrealm_realm *open_observed(const char *folder) {
  CHECK(openrealm_loop_descriptor() >= 0);
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Hut", false));
  add_property(schema, "beds", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL);
  return open_in(folder, schema);
}

// Calls two observers of all objects. The first begins a transaction, for which the second is called before.
static void call_both(openrealm_realm *realm, observer *first, observer *second) {
  openrealm_collection *all = openrealm_objects(realm, openrealm_class_number(realm, "Hut"));
  openrealm_token *tokens[2] = {openrealm_observe_collection(all, 0, NULL, begin_or_close, first, NULL),
                                openrealm_observe_collection(all, 0, NULL, begin_or_close, second, NULL)};
  CHECK(tokens[0] && tokens[1]);
  OK(openrealm_loop_perform());
  EQUAL(1, first->calls);
  EQUAL(1, second->calls);
  openrealm_release(tokens[0]);
  openrealm_release(tokens[1]);
  openrealm_release(all);
}

static void a_transaction_begun_by_another_observer_is_not_waited_for(const char *folder) {
  openrealm_realm *realm = open_observed(folder);
  observer first = {.realm = realm}, second = {.realm = realm};
  call_both(realm, &first, &second);
  EQUAL(OPENREALM_OK, second.code);
  EQUAL(OPENREALM_IN_WRITE, first.code);
  CHECK(openrealm_is_writing(realm));
  OK(openrealm_create(realm, openrealm_class_number(realm, "Hut"), 0, NULL, NULL, NULL));
  OK(openrealm_commit(realm));
  OK(openrealm_begin(realm));
  OK(openrealm_cancel(realm));
  openrealm_release(realm);
}

static void a_handle_that_another_observer_closes_begins_no_transaction(const char *folder) {
  openrealm_realm *realm = open_observed(folder);
  openrealm_realm *other = open_in(folder, NULL);
  observer first = {.realm = realm}, second = {.realm = realm, .closes = true};
  call_both(realm, &first, &second);
  EQUAL(OPENREALM_OK, second.code);
  EQUAL(OPENREALM_CLOSED, first.code);
  CHECK(!openrealm_is_writing(other));
  OK(openrealm_begin(other));
  OK(openrealm_cancel(other));
  openrealm_release(other);
  openrealm_release(realm);
}

// An observer that releases a handle, closes it, or cancels its transaction, when that has begun.
typedef struct ending {
  openrealm_realm *realm;
  int32_t (*end)(openrealm_realm *realm);
  int calls;
  int32_t code;
} ending;

static int32_t release_handle(openrealm_realm *realm) {
  openrealm_release(realm);
  return OPENREALM_OK;
}

static int32_t cancel_and_close(openrealm_realm *realm) {
  OK(openrealm_cancel(realm));
  return openrealm_close(realm);
}

static void end_at_first_write(void *context, bool needs_refresh) {
  ending *ending = context;
  (void)needs_refresh;
  if (ending->calls++ == 0) ending->code = ending->end(ending->realm);
}

static void *write_elsewhere(void *folder) {
  openrealm_realm *realm = open_in(folder, NULL);
  OK(openrealm_begin(realm));
  OK(openrealm_create(realm, openrealm_class_number(realm, "Hut"), 0, NULL, NULL, NULL));
  OK(openrealm_commit(realm));
  openrealm_release(realm);
  return NULL;
}

// Begins a transaction, for which an observer is called because another thread has written, and which ends the handle or the
// transaction. Returns the code, and fails if a transaction remains open.
static int32_t begin_and_end(const char *folder, openrealm_realm *other, int32_t (*end)(openrealm_realm *realm)) {
  ending ending = {.realm = open_in(folder, NULL), .end = end};
  openrealm_token *token = openrealm_observe_realm(other, end_at_first_write, &ending, NULL);
  CHECK(token != NULL);
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, write_elsewhere, (void *)folder) == 0);
  pthread_join(thread, NULL);
  int32_t code = openrealm_begin(ending.realm);
  EQUAL(1, ending.calls);
  EQUAL(OPENREALM_OK, ending.code);
  openrealm_release(token);
  if (end != release_handle) {
    CHECK(!openrealm_is_writing(other));
    openrealm_release(ending.realm);
  } else {
    OK(openrealm_cancel(other));
  }
  OK(openrealm_begin(other));
  OK(openrealm_cancel(other));
  return code;
}

static void observers_may_end_what_begins(const char *folder) {
  openrealm_realm *realm = open_observed(folder);
  EQUAL(OPENREALM_OK, begin_and_end(folder, realm, openrealm_cancel));
  EQUAL(OPENREALM_CLOSED, begin_and_end(folder, realm, openrealm_close));
  EQUAL(OPENREALM_CLOSED, begin_and_end(folder, realm, cancel_and_close));
  EQUAL(OPENREALM_OK, begin_and_end(folder, realm, release_handle));
  openrealm_release(realm);
}

TESTS(begin_in_callbacks,
      {"a_transaction_begun_by_another_observer_is_not_waited_for",
       a_transaction_begun_by_another_observer_is_not_waited_for},
      {"a_handle_that_another_observer_closes_begins_no_transaction",
       a_handle_that_another_observer_closes_begins_no_transaction},
      {"observers_may_end_what_begins", observers_may_end_what_begins})
