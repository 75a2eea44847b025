// Tests of notifications.h.
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

// A schema with a class "Hut" (name, beds, tags, next, prices).
static openrealm_schema *huts(void) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Hut", false));
  add_property(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "beds", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "tags", OPENREALM_STRING, OPENREALM_LIST, 0, NULL);
  add_property(schema, "prices", OPENREALM_INT, OPENREALM_MAP, 0, NULL);
  add_property(schema, "next", OPENREALM_OBJECT, OPENREALM_SINGLE, 0, "Hut");
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

// Waits until the descriptor of the thread can be read, and performs.
static void perform(void) {
  struct pollfd entry = {openrealm_loop_descriptor(), POLLIN, 0};
  CHECK(poll(&entry, 1, 60000) == 1);
  OK(openrealm_loop_perform());
}

// Performs what there is without waiting.
static void perform_ready(void) {
  struct pollfd entry = {openrealm_loop_descriptor(), POLLIN, 0};
  while (poll(&entry, 1, 0) == 1) OK(openrealm_loop_perform());
}

// What an observer has noted.
typedef struct notes {
  int calls, initial, deleted, destroyed;
  size_t deletions, insertions, modifications;
  size_t first_insertion, old_modification, new_modification;
  size_t property_count;
  int32_t first_property;
  char keys[64];
  openrealm_token *token;
  openrealm_realm *realm;
  openrealm_object object;
} notes;

static void destroy(void *context) { ((notes *)context)->destroyed++; }

static void collection_changed(void *context, const openrealm_changes *changes) {
  notes *notes = context;
  CHECK(notes->destroyed == 0);
  notes->calls++;
  notes->initial += changes->is_initial;
  notes->deleted += changes->is_deleted;
  notes->deletions = changes->deletion_count;
  notes->insertions = changes->insertion_count;
  notes->modifications = changes->modification_count;
  if (changes->insertion_count) notes->first_insertion = changes->insertions[0];
  if (changes->modification_count) {
    notes->old_modification = changes->old_modifications[0];
    notes->new_modification = changes->new_modifications[0];
  }
  notes->keys[0] = 0;
  const openrealm_bytes *keys[] = {changes->deleted_keys, changes->inserted_keys, changes->modified_keys};
  size_t counts[] = {changes->deletion_count, changes->insertion_count, changes->modification_count};
  for (int kind = 0; kind < 3; kind++) {
    if (!keys[kind]) continue;
    for (size_t i = 0; i < counts[kind]; i++) {
      snprintf(notes->keys + strlen(notes->keys), 20, "%c%.*s", "-+*"[kind], (int)keys[kind][i].size, keys[kind][i].bytes);
    }
  }
}

static void object_changed(void *context, const openrealm_object_change *change) {
  notes *notes = context;
  notes->calls++;
  notes->deleted += change->is_deleted;
  notes->property_count = change->property_count;
  if (change->property_count) notes->first_property = change->properties[0];
}

static void realm_changed(void *context, bool needs_refresh) {
  notes *notes = context;
  notes->calls++;
  if (needs_refresh) notes->initial++;
}

static void without_an_event_loop_observers_are_refused(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts());
  REFUSED(OPENREALM_NO_EVENT_LOOP, openrealm_loop_perform());
  notes notes = {0};
  NO_HANDLE(OPENREALM_NO_EVENT_LOOP, openrealm_observe_realm(realm, realm_changed, &notes, destroy));
  openrealm_error error;
  openrealm_last_error(&error);
  CHECK(strstr(error.message, "openrealm_loop_descriptor"));
  EQUAL(0, notes.destroyed);
  openrealm_release(realm);
}

static void wrong_observers_are_refused(const char *folder) {
  CHECK(openrealm_loop_descriptor() >= 0);
  EQUAL(openrealm_loop_descriptor(), openrealm_loop_descriptor());
  openrealm_realm *realm = open_in(folder, huts());
  openrealm_collection *all = openrealm_objects(realm, openrealm_class_number(realm, "Hut"));
  notes notes = {0};
  const char *paths[] = {"beds", "hat"};
  NO_HANDLE(OPENREALM_NO_SUCH_PROPERTY, openrealm_observe_collection(all, 2, paths, collection_changed, &notes, destroy));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_observe_collection(all, 2, NULL, collection_changed, &notes, destroy));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_observe_collection(all, 0, NULL, NULL, &notes, destroy));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT,
            openrealm_observe_collection((openrealm_collection *)realm, 0, NULL, collection_changed, &notes, destroy));
  openrealm_object none = {openrealm_class_number(realm, "Hut"), 12};
  NO_HANDLE(OPENREALM_NO_SUCH_OBJECT, openrealm_observe_object(realm, none, 0, NULL, object_changed, &notes, destroy));
  openrealm_realm *frozen = openrealm_freeze(realm);
  NO_HANDLE(OPENREALM_FROZEN, openrealm_observe_realm(frozen, realm_changed, &notes, destroy));
  OK(openrealm_begin(realm));
  openrealm_object hut = add_hut(realm);
  NO_HANDLE(OPENREALM_IN_WRITE, openrealm_observe_object(realm, hut, 0, NULL, object_changed, &notes, destroy));
  OK(openrealm_commit(realm));
  openrealm_collection *tags = openrealm_collection_of(realm, hut, property(realm, "tags"));
  NO_HANDLE(OPENREALM_NO_SUCH_PROPERTY, openrealm_observe_collection(tags, 1, paths, collection_changed, &notes, destroy));
  OK(openrealm_close(realm));
  NO_HANDLE(OPENREALM_CLOSED, openrealm_observe_realm(realm, realm_changed, &notes, destroy));
  EQUAL(0, notes.destroyed);
  openrealm_release(tags);
  openrealm_release(frozen);
  openrealm_release(all);
  openrealm_release(realm);
}

static void observers_are_told_of_own_writes(const char *folder) {
  openrealm_loop_descriptor();
  openrealm_realm *realm = open_in(folder, huts());
  OK(openrealm_begin(realm));
  openrealm_object first = add_hut(realm), hut = add_hut(realm);
  OK(openrealm_commit(realm));
  openrealm_collection *all = openrealm_objects(realm, openrealm_class_number(realm, "Hut"));
  openrealm_collection *prices = openrealm_collection_of(realm, hut, property(realm, "prices"));
  notes of_all = {0}, of_prices = {0}, of_hut = {0}, of_beds = {0}, of_realm = {0};
  const char *beds = "beds";
  openrealm_token *tokens[] = {
      openrealm_observe_collection(all, 0, NULL, collection_changed, &of_all, destroy),
      openrealm_observe_collection(prices, 0, NULL, collection_changed, &of_prices, destroy),
      openrealm_observe_object(realm, hut, 0, NULL, object_changed, &of_hut, destroy),
      openrealm_observe_object(realm, hut, 1, &beds, object_changed, &of_beds, destroy),
      openrealm_observe_realm(realm, realm_changed, &of_realm, destroy)};
  for (int i = 0; i < 5; i++) CHECK(tokens[i]);
  perform();
  EQUAL(1, of_all.initial);
  EQUAL(1, of_prices.initial);
  EQUAL(0, of_hut.calls);
  OK(openrealm_begin(realm));
  OK(openrealm_delete(realm, first));
  add_hut(realm);
  OK(openrealm_set_string(realm, hut, property(realm, "name"), "Fir", 3));
  openrealm_value ten = openrealm_int(10);
  OK(openrealm_map_set(prices, "summer", 6, &ten));
  OK(openrealm_map_set(prices, "winter", 6, &ten));
  OK(openrealm_commit(realm));
  EQUAL(1, of_realm.calls);
  EQUAL(1, of_all.calls);
  perform();
  EQUAL(2, of_all.calls);
  EQUAL(1, of_all.deletions);
  EQUAL(1, of_all.insertions);
  EQUAL(1, of_all.first_insertion);
  EQUAL(1, of_all.modifications);
  EQUAL(1, of_all.old_modification);
  EQUAL(0, of_all.new_modification);
  CHECK(strcmp("+summer+winter", of_prices.keys) == 0);
  EQUAL(1, of_hut.calls);
  EQUAL(2, of_hut.property_count);
  EQUAL(property(realm, "name"), of_hut.first_property);
  EQUAL(0, of_beds.calls);
  OK(openrealm_begin(realm));
  OK(openrealm_map_remove(prices, "summer", 6));
  OK(openrealm_set_int(realm, hut, property(realm, "beds"), 5));
  OK(openrealm_commit(realm));
  perform();
  CHECK(strcmp("-summer", of_prices.keys) == 0);
  EQUAL(1, of_beds.calls);
  EQUAL(property(realm, "beds"), of_beds.first_property);
  // Not told of a commit that skips it.
  OK(openrealm_begin(realm));
  add_hut(realm);
  OK(openrealm_commit_without_notifying(realm, 1, tokens));
  perform_ready();
  EQUAL(3, of_all.calls);
  OK(openrealm_begin(realm));
  OK(openrealm_delete(realm, hut));
  OK(openrealm_commit(realm));
  perform();
  EQUAL(1, of_hut.deleted);
  EQUAL(1, of_beds.deleted);
  EQUAL(1, of_prices.deleted);
  EQUAL(4, of_all.calls);
  OK(openrealm_token_invalidate(tokens[0]));
  EQUAL(1, of_all.destroyed);
  for (int i = 0; i < 5; i++) openrealm_release(tokens[i]);
  EQUAL(1, of_all.destroyed);
  EQUAL(1, of_prices.destroyed);
  EQUAL(1, of_hut.destroyed);
  EQUAL(1, of_realm.destroyed);
  openrealm_release(prices);
  openrealm_release(all);
  openrealm_release(realm);
}

static void *write_a_hut(void *folder) {
  openrealm_realm *realm = open_in(folder, NULL);
  OK(openrealm_begin(realm));
  add_hut(realm);
  OK(openrealm_commit(realm));
  openrealm_release(realm);
  return NULL;
}

// Also run as the second process of the next test.
static void a_process_writes_an_object(const char *folder) {
  openrealm_release(open_in(folder, huts()));
  write_a_hut((void *)folder);
}

static void commits_of_other_threads_and_processes_arrive(const char *folder) {
  // Opened before the thread has an event loop: it is followed as soon as something observes it.
  openrealm_realm *realm = open_in(folder, huts());
  int ends[2];
  CHECK(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    char byte;
    if (read(ends[0], &byte, 1) != 1) _exit(1);
    execl("/proc/self/exe", "CInterfaceProgram", "a_process_writes_an_object", folder, (char *)NULL);
    _exit(1);
  }
  CHECK(openrealm_loop_descriptor() >= 0);
  openrealm_collection *all = openrealm_objects(realm, openrealm_class_number(realm, "Hut"));
  notes notes = {0};
  openrealm_token *token = openrealm_observe_collection(all, 0, NULL, collection_changed, &notes, destroy);
  CHECK(token);
  perform();
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, write_a_hut, (void *)folder) == 0);
  while (notes.calls < 2) perform();
  pthread_join(thread, NULL);
  EQUAL(1, notes.insertions);
  CHECK(write(ends[1], "x", 1) == 1);
  while (notes.calls < 3) perform();
  EQUAL(1, notes.first_insertion);
  int end;
  CHECK(waitpid(child, &end, 0) == child);
  EQUAL(0, end);
  // A realm that does not refresh itself is only told that it could.
  openrealm_release(token);
  OK(openrealm_set_autorefresh(realm, false));
  struct notes of_realm = {0};
  token = openrealm_observe_realm(realm, realm_changed, &of_realm, destroy);
  CHECK(pthread_create(&thread, NULL, write_a_hut, (void *)folder) == 0);
  pthread_join(thread, NULL);
  while (of_realm.calls < 1) perform();
  EQUAL(1, of_realm.initial);
  size_t count;
  OK(openrealm_count(all, &count));
  EQUAL(2, count);
  openrealm_release(token);
  openrealm_release(all);
  openrealm_release(realm);
}

static void release_own_token(void *context, const openrealm_changes *changes) {
  (void)changes;
  notes *notes = context;
  openrealm_release(notes->token);
  // The context is destroyed after the call.
  EQUAL(0, notes->destroyed);
  notes->calls++;
}

static void write_in_callback(void *context, const openrealm_changes *changes) {
  notes *notes = context;
  notes->calls++;
  if (!changes->is_initial || notes->calls > 1) return;
  OK(openrealm_begin(notes->realm));
  add_hut(notes->realm);
  OK(openrealm_commit(notes->realm));
}

static void close_in_callback(void *context, const openrealm_changes *changes) {
  (void)changes;
  notes *notes = context;
  notes->calls++;
  OK(openrealm_close(notes->realm));
  OK(openrealm_loop_perform());
}

static void callbacks_may_release_write_and_close(const char *folder) {
  openrealm_loop_descriptor();
  openrealm_realm *realm = open_in(folder, huts());
  openrealm_collection *all = openrealm_objects(realm, openrealm_class_number(realm, "Hut"));
  notes released = {0}, written = {0}, closed = {0};
  written.realm = closed.realm = realm;
  released.token = openrealm_observe_collection(all, 0, NULL, release_own_token, &released, destroy);
  openrealm_token *writer = openrealm_observe_collection(all, 0, NULL, write_in_callback, &written, destroy);
  perform();
  EQUAL(1, released.calls);
  EQUAL(1, released.destroyed);
  perform_ready();
  EQUAL(2, written.calls);
  openrealm_token *closer = openrealm_observe_collection(all, 0, NULL, close_in_callback, &closed, destroy);
  perform_ready();
  EQUAL(1, closed.calls);
  write_a_hut((void *)folder);
  perform_ready();
  EQUAL(1, closed.calls);
  EQUAL(2, written.calls);
  openrealm_release(realm);
  openrealm_release(all);
  openrealm_release(writer);
  openrealm_release(closer);
  EQUAL(1, written.destroyed);
  EQUAL(1, closed.destroyed);
}

typedef struct left {
  const char *folder;
  notes notes;
  openrealm_token *token;
} left;

static void *observe_and_end(void *context) {
  left *left = context;
  CHECK(openrealm_loop_descriptor() >= 0);
  openrealm_realm *realm = open_in(left->folder, NULL);
  left->token = openrealm_observe_realm(realm, realm_changed, &left->notes, destroy);
  CHECK(left->token);
  openrealm_release(realm);
  return NULL;
}

static void a_thread_that_ends_leaves_tokens_that_can_be_released(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts());
  left left = {folder, {0}, NULL};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, observe_and_end, &left) == 0);
  pthread_join(thread, NULL);
  OK(openrealm_begin(realm));
  add_hut(realm);
  OK(openrealm_commit(realm));
  EQUAL(0, left.notes.calls);
  openrealm_release(left.token);
  EQUAL(1, left.notes.destroyed);
  openrealm_release(realm);
}

static void a_thousand_tokens_are_told(const char *folder) {
  enum { number = 1000 };
  openrealm_loop_descriptor();
  openrealm_realm *realm = open_in(folder, huts());
  OK(openrealm_begin(realm));
  openrealm_object hut = add_hut(realm);
  OK(openrealm_commit(realm));
  static notes notes[number];
  static openrealm_token *tokens[number];
  for (int i = 0; i < number; i++) {
    tokens[i] = openrealm_observe_object(realm, hut, 0, NULL, object_changed, &notes[i], destroy);
    CHECK(tokens[i]);
  }
  OK(openrealm_begin(realm));
  OK(openrealm_set_int(realm, hut, property(realm, "beds"), 5));
  OK(openrealm_commit(realm));
  perform();
  for (int i = 0; i < number; i++) {
    EQUAL(1, notes[i].calls);
    openrealm_release(tokens[i]);
    EQUAL(1, notes[i].destroyed);
  }
  openrealm_release(realm);
}

static void *ask_for_descriptor(void *context) {
  *(int32_t *)context = openrealm_loop_descriptor();
  return NULL;
}

static void without_descriptors_there_is_no_event_loop(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts());
  struct rlimit old, none;
  CHECK(getrlimit(RLIMIT_NOFILE, &old) == 0);
  none = old;
  none.rlim_cur = 0;
  CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
  EQUAL(-1, openrealm_loop_descriptor());
  EQUAL(OPENREALM_FILE_ACCESS, openrealm_last_error(NULL));
  NO_HANDLE(OPENREALM_NO_EVENT_LOOP, openrealm_observe_realm(realm, realm_changed, NULL, NULL));
  CHECK(setrlimit(RLIMIT_NOFILE, &old) == 0);
  CHECK(openrealm_loop_descriptor() >= 0);
  // The descriptor of a thread is closed when the thread ends: the process has few, and more threads.
  none.rlim_cur = 100;
  CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
  for (int i = 0; i < 200; i++) {
    int32_t descriptor = -1;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, ask_for_descriptor, &descriptor) == 0);
    pthread_join(thread, NULL);
    CHECK(descriptor >= 0);
  }
  openrealm_release(realm);
}

TESTS(notifications, {"without_an_event_loop_observers_are_refused", without_an_event_loop_observers_are_refused},
      {"wrong_observers_are_refused", wrong_observers_are_refused},
      {"observers_are_told_of_own_writes", observers_are_told_of_own_writes},
      {"a_process_writes_an_object", a_process_writes_an_object},
      {"commits_of_other_threads_and_processes_arrive", commits_of_other_threads_and_processes_arrive},
      {"callbacks_may_release_write_and_close", callbacks_may_release_write_and_close},
      {"a_thread_that_ends_leaves_tokens_that_can_be_released", a_thread_that_ends_leaves_tokens_that_can_be_released},
      {"a_thousand_tokens_are_told", a_thousand_tokens_are_told},
      {"without_descriptors_there_is_no_event_loop", without_descriptors_there_is_no_event_loop})
