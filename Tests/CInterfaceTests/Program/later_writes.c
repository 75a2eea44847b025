// Tests of asynchronous write transactions in realm.h, and of what observers of objects are told of other threads' changes.
#include <poll.h>
#include <pthread.h>

#include "test.h"

// A schema with a class "Hut" (name, beds, any, tags, next), and backlinks of `next`.
static openrealm_schema *huts(void) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Hut", false));
  add_property(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_OPTIONAL, NULL);
  add_property(schema, "beds", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "any", OPENREALM_MIXED, OPENREALM_SINGLE, OPENREALM_OPTIONAL, NULL);
  add_property(schema, "tags", OPENREALM_STRING, OPENREALM_LIST, 0, NULL);
  add_property(schema, "next", OPENREALM_OBJECT, OPENREALM_SINGLE, OPENREALM_OPTIONAL, "Hut");
  openrealm_property previous = {
      .name = "previous", .type = OPENREALM_BACKLINKS, .target = "Hut", .origin = "next"};
  OK(openrealm_schema_add_property(schema, &previous));
  return schema;
}

static int32_t property(openrealm_realm *realm, const char *name) {
  return openrealm_property_number(realm, openrealm_class_number(realm, "Hut"), name);
}

static openrealm_object add_hut(openrealm_realm *realm) {
  openrealm_object hut;
  OK(openrealm_create(realm, openrealm_class_number(realm, "Hut"), 0, NULL, NULL, &hut));
  return hut;
}

static size_t hut_count(openrealm_realm *realm) {
  openrealm_collection *all = openrealm_objects(realm, openrealm_class_number(realm, "Hut"));
  size_t count;
  OK(openrealm_count(all, &count));
  openrealm_release(all);
  return count;
}

// Waits until the descriptor of the thread can be read, and performs.
static void perform(void) {
  struct pollfd entry = {openrealm_loop_descriptor(), POLLIN, 0};
  CHECK(poll(&entry, 1, 60000) == 1);
  OK(openrealm_loop_perform());
}

static void perform_ready(void) {
  struct pollfd entry = {openrealm_loop_descriptor(), POLLIN, 0};
  while (poll(&entry, 1, 0) == 1) OK(openrealm_loop_perform());
}

static void perform_until(const int *number, int least) {
  while (*number < least) perform();
}

// What callbacks have noted, and what they are to do.
typedef struct notes {
  openrealm_realm *realm;
  int begun, committed, destroyed, refused, order;
  int32_t code;
  bool commits, groups;
  struct notes *first;  // which counts the order
} notes;

static void destroy(void *context) { ((notes *)context)->destroyed++; }

static void committed(void *context, const openrealm_error *error) {
  notes *notes = context;
  CHECK(notes->destroyed < 2);
  notes->committed++;
  notes->code = error ? error->code : OPENREALM_OK;
  if (error) CHECK(strlen(error->message) > 0);
  // No write transaction begins here.
  REFUSED(OPENREALM_IN_WRITE, openrealm_begin(notes->realm));
}

static void begun(void *context, const openrealm_error *error) {
  notes *notes = context;
  CHECK(notes->destroyed == 0);
  notes->begun++;
  if (notes->first) notes->order = ++notes->first->order;
  if (error) {
    notes->refused++;
    notes->code = error->code;
    CHECK(!openrealm_is_writing(notes->realm));
    return;
  }
  CHECK(openrealm_is_writing(notes->realm));
  CHECK(openrealm_has_later_writes(notes->realm));
  REFUSED(OPENREALM_IN_WRITE, openrealm_begin(notes->realm));
  add_hut(notes->realm);
  if (notes->commits)
    OK(openrealm_commit_later(notes->realm, notes->groups, committed, notes, destroy, NULL));
}

static void note_begun(void *context, const openrealm_error *error) {
  ((notes *)context)->begun++;
  CHECK(!error);
}

// Another thread, which holds the writer lock until it is told to go on.
typedef struct writer {
  const char *folder;
  pthread_barrier_t barrier;
  pthread_t thread;
} writer;

static void *hold_lock(void *context) {
  writer *writer = context;
  openrealm_realm *realm = open_in(writer->folder, huts());
  OK(openrealm_begin(realm));
  add_hut(realm);
  pthread_barrier_wait(&writer->barrier);
  pthread_barrier_wait(&writer->barrier);
  OK(openrealm_commit(realm));
  openrealm_release(realm);
  return NULL;
}

static void start(writer *writer, const char *folder) {
  writer->folder = folder;
  CHECK(pthread_barrier_init(&writer->barrier, NULL, 2) == 0);
  CHECK(pthread_create(&writer->thread, NULL, hold_lock, writer) == 0);
  pthread_barrier_wait(&writer->barrier);
}

static void finish(writer *writer) {
  pthread_barrier_wait(&writer->barrier);
  CHECK(pthread_join(writer->thread, NULL) == 0);
}

static void transactions_begin_later_in_their_order(const char *folder) {
  openrealm_loop_descriptor();
  openrealm_realm *realm = open_in(folder, huts());
  writer writer;
  start(&writer, folder);
  notes first = {.realm = realm, .commits = true}, second = {.realm = realm, .commits = true, .groups = true},
        third = {.realm = realm}, cancelled = {.realm = realm};
  first.first = second.first = third.first = &first;
  uint32_t number = 0;
  OK(openrealm_begin_later(realm, begun, &first, destroy, NULL));
  OK(openrealm_begin_later(realm, begun, &cancelled, destroy, &number));
  OK(openrealm_begin_later(realm, begun, &second, destroy, NULL));
  OK(openrealm_begin_later(realm, begun, &third, destroy, NULL));
  CHECK(openrealm_has_later_writes(realm));
  OK(openrealm_cancel_later(realm, number));
  OK(openrealm_cancel_later(realm, number + 1000));
  EQUAL(1, cancelled.destroyed);
  // The other thread is writing: this one goes on.
  perform_ready();
  EQUAL(0, first.begun);
  EQUAL(0, hut_count(realm));
  finish(&writer);
  perform_until(&third.destroyed, 1);
  perform_until(&second.committed, 1);
  EQUAL(0, cancelled.begun);
  // The third has not committed: what it added is gone.
  EQUAL(3, hut_count(realm));
  EQUAL(3, first.order);
  EQUAL(2, second.order);
  EQUAL(1, first.committed);
  EQUAL(OPENREALM_OK, second.code);
  CHECK(!openrealm_is_writing(realm));
  CHECK(!openrealm_has_later_writes(realm));
  // Each of the two that commit has two contexts.
  EQUAL(2, first.destroyed);
  EQUAL(2, second.destroyed);
  openrealm_release(realm);
}

static void a_transaction_is_committed_later(const char *folder) {
  openrealm_loop_descriptor();
  openrealm_realm *realm = open_in(folder, huts());
  notes notes = {.realm = realm}, discarded = {.realm = realm};
  REFUSED(OPENREALM_NOT_IN_WRITE, openrealm_commit_later(realm, false, committed, &notes, destroy, NULL));
  OK(openrealm_begin(realm));
  add_hut(realm);
  OK(openrealm_commit_later(realm, false, committed, &notes, destroy, NULL));
  CHECK(!openrealm_is_writing(realm));
  CHECK(openrealm_has_later_writes(realm));
  EQUAL(1, hut_count(realm));
  EQUAL(0, notes.committed);
  OK(openrealm_begin(realm));
  uint32_t number;
  OK(openrealm_commit_later(realm, false, committed, &discarded, destroy, &number));
  OK(openrealm_cancel_later(realm, number));
  EQUAL(1, discarded.destroyed);
  OK(openrealm_begin(realm));
  OK(openrealm_commit_later(realm, true, NULL, NULL, NULL, NULL));
  while (openrealm_has_later_writes(realm)) perform();
  EQUAL(1, notes.committed);
  EQUAL(1, notes.destroyed);
  EQUAL(OPENREALM_OK, notes.code);
  EQUAL(0, discarded.committed);
  openrealm_release(realm);
}

static void the_realm_stays_open_for_transactions_that_wait(const char *folder) {
  openrealm_loop_descriptor();
  openrealm_realm *realm = open_in(folder, huts());
  writer writer;
  start(&writer, folder);
  notes notes = {.realm = realm, .commits = true}, closed = {.realm = realm};
  OK(openrealm_begin_later(realm, begun, &notes, destroy, NULL));
  openrealm_realm *other = open_in(folder, huts());
  OK(openrealm_begin_later(other, begun, &closed, destroy, NULL));
  OK(openrealm_close(other));
  REFUSED(OPENREALM_CLOSED, openrealm_begin_later(other, begun, &closed, destroy, NULL));
  openrealm_release(other);
  finish(&writer);
  perform_until(&notes.committed, 1);
  perform_until(&closed.destroyed, 1);
  EQUAL(0, closed.begun);
  EQUAL(2, hut_count(realm));
  openrealm_release(realm);
}

static void *never_performs(void *context) {
  notes *notes = context;
  openrealm_loop_descriptor();
  notes->realm = open_in((const char *)notes->first, huts());
  notes->first = NULL;
  OK(openrealm_begin_later(notes->realm, begun, notes, destroy, NULL));
  openrealm_release(notes->realm);
  return NULL;
}

static void a_thread_that_ends_blocks_no_writer(const char *folder) {
  openrealm_release(open_in(folder, huts()));
  notes notes = {.first = (void *)folder};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, never_performs, &notes) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  openrealm_realm *realm = open_in(folder, huts());
  OK(openrealm_begin(realm));
  add_hut(realm);
  OK(openrealm_commit(realm));
  EQUAL(1, hut_count(realm));
  EQUAL(0, notes.begun);
  EQUAL(1, notes.destroyed);
  openrealm_release(realm);
}

static void too_many_versions_are_reported(const char *folder) {
  openrealm_loop_descriptor();
  openrealm_configuration *configuration = configuration_in(folder, huts());
  OK(openrealm_configuration_set_maximum_versions(configuration, 2));
  openrealm_realm *realm = openrealm_open(configuration), *frozen[4];
  for (int i = 0; i < 4; i++) {
    frozen[i] = openrealm_freeze(realm);
    if (openrealm_begin(realm) != OPENREALM_OK) break;
    add_hut(realm);
    OK(openrealm_commit(realm));
  }
  REFUSED(OPENREALM_TOO_MANY_VERSIONS, openrealm_begin(realm));
  notes refused = {.realm = realm, .commits = true}, next = {.realm = realm};
  OK(openrealm_begin_later(realm, begun, &refused, destroy, NULL));
  OK(openrealm_begin_later(realm, begun, &next, destroy, NULL));
  perform_until(&next.destroyed, 1);
  EQUAL(1, refused.refused);
  EQUAL(OPENREALM_TOO_MANY_VERSIONS, refused.code);
  EQUAL(1, next.refused);
  // The lock was released.
  writer writer;
  start(&writer, folder);
  finish(&writer);
  openrealm_release(configuration);
}

static void wrong_later_writes_are_refused(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts());
  notes notes = {.realm = realm};
  REFUSED(OPENREALM_NO_EVENT_LOOP, openrealm_begin_later(realm, begun, &notes, destroy, NULL));
  OK(openrealm_begin(realm));
  REFUSED(OPENREALM_NO_EVENT_LOOP, openrealm_commit_later(realm, false, committed, &notes, destroy, NULL));
  OK(openrealm_cancel(realm));
  openrealm_loop_descriptor();
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_begin_later(realm, NULL, &notes, destroy, NULL));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_begin_later(NULL, begun, &notes, destroy, NULL));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_cancel_later(NULL, 1));
  CHECK(!openrealm_has_later_writes(NULL));
  openrealm_realm *frozen = openrealm_freeze(realm);
  REFUSED(OPENREALM_FROZEN, openrealm_begin_later(frozen, begun, &notes, destroy, NULL));
  EQUAL(0, notes.destroyed);
  openrealm_release(frozen);
  openrealm_release(realm);
}

// The last change that an observer was told of.
typedef struct changes {
  int calls;
  size_t count, backlink_count;
  bool has_old_values;
  int32_t types[5];
  int64_t integer;
  char text[16], backlink[16];
  openrealm_object object;
} changes;

static void changed(void *context, const openrealm_object_change *change) {
  changes *changes = context;
  changes->calls++;
  changes->count = change->property_count;
  changes->has_old_values = change->old_values != NULL;
  changes->backlink_count = change->backlink_count;
  if (change->backlink_count) snprintf(changes->backlink, sizeof changes->backlink, "%s", change->backlinks[0]);
  if (!change->old_values) return;
  for (size_t i = 0; i < change->property_count && i < 5; i++) {
    openrealm_value value = change->old_values[i];
    changes->types[i] = value.type;
    if (value.type == OPENREALM_INT) changes->integer = value.as.integer;
    if (value.type == OPENREALM_OBJECT) changes->object = value.as.object;
    if (value.type == OPENREALM_STRING)
      snprintf(changes->text, sizeof changes->text, "%.*s", (int)value.as.bytes.size, value.as.bytes.bytes);
  }
}

typedef struct change {
  const char *folder;
  openrealm_object hut, other;
} change;

static void *change_hut(void *context) {
  change *change = context;
  openrealm_realm *realm = open_in(change->folder, huts());
  OK(openrealm_begin(realm));
  OK(openrealm_set_string(realm, change->hut, property(realm, "name"), "Larch", 5));
  OK(openrealm_set_int(realm, change->hut, property(realm, "beds"), 8));
  OK(openrealm_set_null(realm, change->hut, property(realm, "any")));
  OK(openrealm_set_null(realm, change->hut, property(realm, "next")));
  openrealm_collection *tags = openrealm_collection_of(realm, change->hut, property(realm, "tags"));
  openrealm_value tag = openrealm_string("warm");
  OK(openrealm_list_append(tags, &tag));
  openrealm_release(tags);
  OK(openrealm_set_object(realm, change->other, property(realm, "next"), change->hut));
  OK(openrealm_commit(realm));
  openrealm_release(realm);
  return NULL;
}

static void observers_of_objects_get_old_values(const char *folder) {
  openrealm_loop_descriptor();
  openrealm_realm *realm = open_in(folder, huts());
  OK(openrealm_begin(realm));
  change change = {folder, add_hut(realm), add_hut(realm)};
  OK(openrealm_set_string(realm, change.hut, property(realm, "name"), "Fir", 3));
  openrealm_value list = openrealm_empty_list();
  OK(openrealm_set_value(realm, change.hut, property(realm, "any"), &list));
  OK(openrealm_set_object(realm, change.hut, property(realm, "next"), change.other));
  OK(openrealm_commit(realm));
  changes all = {0}, previous = {0}, beds = {0};
  const char *paths[] = {"previous", "beds"};
  openrealm_token *tokens[] = {openrealm_observe_object(realm, change.hut, 0, NULL, changed, &all, NULL),
                               openrealm_observe_object(realm, change.hut, 1, paths, changed, &previous, NULL),
                               openrealm_observe_object(realm, change.hut, 1, paths + 1, changed, &beds, NULL)};
  for (int i = 0; i < 3; i++) CHECK(tokens[i]);
  // Its own changes come without old values.
  OK(openrealm_begin(realm));
  OK(openrealm_set_int(realm, change.hut, property(realm, "beds"), 5));
  OK(openrealm_commit(realm));
  perform_until(&all.calls, 1);
  EQUAL(1, all.count);
  CHECK(!all.has_old_values);
  EQUAL(0, previous.calls);

  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, change_hut, &change) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  perform_until(&previous.calls, 1);
  EQUAL(2, all.calls);
  EQUAL(5, all.count);
  CHECK(all.has_old_values);
  EQUAL(OPENREALM_STRING, all.types[0]);
  CHECK(strcmp("Fir", all.text) == 0);
  EQUAL(OPENREALM_INT, all.types[1]);
  EQUAL(5, all.integer);
  // Collections have no old value.
  EQUAL(OPENREALM_NULL, all.types[2]);
  EQUAL(OPENREALM_NULL, all.types[3]);
  EQUAL(OPENREALM_OBJECT, all.types[4]);
  EQUAL(change.other.row, all.object.row);
  EQUAL(1, all.backlink_count);
  CHECK(strcmp("previous", all.backlink) == 0);
  EQUAL(0, previous.count);
  EQUAL(1, previous.backlink_count);
  EQUAL(2, beds.calls);
  EQUAL(5, beds.integer);
  for (int i = 0; i < 3; i++) openrealm_release(tokens[i]);
  openrealm_release(realm);
}

// Nothing is left then with which the program could end it.
static void a_transaction_without_handles_ends_for_those_that_wait(const char *folder) {
  CHECK(openrealm_loop_descriptor() >= 0);
  openrealm_realm *realm = open_in(folder, huts());
  notes waiting = {0};
  OK(openrealm_begin(realm));
  add_hut(realm);
  openrealm_collection *all = openrealm_objects(realm, openrealm_class_number(realm, "Hut"));
  OK(openrealm_begin_later(realm, note_begun, &waiting, destroy, NULL));
  openrealm_release(realm);
  perform_ready();
  EQUAL(0, waiting.begun);
  openrealm_release(all);
  perform_until(&waiting.destroyed, 1);
  EQUAL(1, waiting.begun);
  perform_ready();
  realm = open_in(folder, huts());
  EQUAL(0, hut_count(realm));
  OK(openrealm_begin(realm));
  openrealm_release(realm);
}

// The handle that waits is another one, which is released later.
static void a_transaction_of_a_released_handle_ends_when_the_waiting_one_is_released(const char *folder) {
  CHECK(openrealm_loop_descriptor() >= 0);
  openrealm_realm *first = open_in(folder, huts()), *second = open_in(folder, huts());
  notes waiting = {0};
  OK(openrealm_begin(first));
  add_hut(first);
  openrealm_release(first);
  OK(openrealm_begin_later(second, note_begun, &waiting, destroy, NULL));
  perform_ready();
  CHECK(openrealm_is_writing(second));
  openrealm_release(second);
  perform_until(&waiting.destroyed, 1);
  EQUAL(1, waiting.begun);
  first = open_in(folder, huts());
  EQUAL(0, hut_count(first));
  openrealm_release(first);
}

static void *release_handle(void *realm) {
  openrealm_release(realm);
  return NULL;
}

static void a_transaction_whose_handle_another_thread_releases_ends_for_those_that_wait(const char *folder) {
  CHECK(openrealm_loop_descriptor() >= 0);
  openrealm_realm *realm = open_in(folder, huts());
  notes waiting = {0};
  OK(openrealm_begin(realm));
  add_hut(realm);
  OK(openrealm_begin_later(realm, note_begun, &waiting, destroy, NULL));
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, release_handle, realm) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  perform_until(&waiting.destroyed, 1);
  EQUAL(1, waiting.begun);
  realm = open_in(folder, huts());
  EQUAL(0, hut_count(realm));
  openrealm_release(realm);
}

TESTS(later_writes, {"transactions_begin_later_in_their_order", transactions_begin_later_in_their_order},
      {"a_transaction_is_committed_later", a_transaction_is_committed_later},
      {"the_realm_stays_open_for_transactions_that_wait", the_realm_stays_open_for_transactions_that_wait},
      {"a_transaction_without_handles_ends_for_those_that_wait",
       a_transaction_without_handles_ends_for_those_that_wait},
      {"a_transaction_of_a_released_handle_ends_when_the_waiting_one_is_released",
       a_transaction_of_a_released_handle_ends_when_the_waiting_one_is_released},
      {"a_transaction_whose_handle_another_thread_releases_ends_for_those_that_wait",
       a_transaction_whose_handle_another_thread_releases_ends_for_those_that_wait},
      {"a_thread_that_ends_blocks_no_writer", a_thread_that_ends_blocks_no_writer},
      {"too_many_versions_are_reported", too_many_versions_are_reported},
      {"wrong_later_writes_are_refused", wrong_later_writes_are_refused},
      {"observers_of_objects_get_old_values", observers_of_objects_get_old_values})
