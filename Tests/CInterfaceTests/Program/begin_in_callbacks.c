// Observers that are called while another one begins a write transaction.
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

TESTS(begin_in_callbacks,
      {"a_transaction_begun_by_another_observer_is_not_waited_for",
       a_transaction_begun_by_another_observer_is_not_waited_for},
      {"a_handle_that_another_observer_closes_begins_no_transaction",
       a_handle_that_another_observer_closes_begins_no_transaction})
