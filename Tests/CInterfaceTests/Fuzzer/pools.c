// Handles and objects that a thread keeps, and those that threads lend each other.
#include <pthread.h>

#include "fuzzer.h"

// Handles that any thread may use for a call. Most of those calls have to be refused: the realm belongs to another
// thread.
static struct {
  pthread_mutex_t lock;
  void *handles[KIND_COUNT][POOL_SIZE];
} lent = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_lent(int kind) { return kind == REALM || kind == COLLECTION || kind == TOKEN; }

static void lend(fuzzer *f, int kind, void *handle) {
  void *reference = openrealm_retain(handle);
  pthread_mutex_lock(&lent.lock);
  void **place = &lent.handles[kind][below(f, POOL_SIZE)];
  void *former = *place;
  *place = reference;
  pthread_mutex_unlock(&lent.lock);
  openrealm_release(former);
}

// Releases a handle when the call in progress has returned.
static void hold(fuzzer *f, void *handle) {
  if (!handle) return;
  if (f->held_count == HELD_COUNT)
    stop(f, "%s: more than %ld handles wait for their release", f->recent[f->done % 16]->name, HELD_COUNT);
  f->held[f->held_count++] = handle;
}

static void *borrow(fuzzer *f, int kind) {
  pthread_mutex_lock(&lent.lock);
  void *handle = openrealm_retain(lent.handles[kind][below(f, POOL_SIZE)]);
  pthread_mutex_unlock(&lent.lock);
  hold(f, handle);
  return handle;
}

void release_held(fuzzer *f, int count) {
  while (f->held_count > count) openrealm_release(f->held[--f->held_count]);
}

static void *of_pool(fuzzer *f, int kind) {
  for (int attempt = 0; attempt < 6; attempt++) {
    void *handle = f->pools[kind][below(f, POOL_SIZE)];
    if (handle) return handle;
  }
  return NULL;
}

static void *pick(fuzzer *f, int kind) {
  switch (below(f, 48)) {
    case 0:
      return NULL;
    case 1:
      return any_handle(f);
    case 2:
    case 3:
      if (f->settings->threads > 1 && is_lent(kind)) return borrow(f, kind);
      break;
    default:
      break;
  }
  return of_pool(f, kind);
}

openrealm_realm *a_realm(fuzzer *f) {
  // Most calls go to the first realm, which is the one that is written to.
  if (f->is_careful && one_in(f, 16)) {
    // Frozen realms of other threads can be used, too.
    bool is_borrowed = f->settings->threads > 1 && one_in(f, 2);
    openrealm_realm *realm = is_borrowed ? borrow(f, REALM) : of_pool(f, REALM);
    if (openrealm_version_number(realm) != 0) return realm;
  }
  if ((f->is_careful || !one_in(f, 4)) && f->pools[REALM][0]) return f->pools[REALM][0];
  return pick(f, REALM);
}
openrealm_schema *a_schema(fuzzer *f) { return pick(f, SCHEMA); }
openrealm_configuration *a_configuration(fuzzer *f) { return pick(f, CONFIGURATION); }
openrealm_collection *a_collection(fuzzer *f) { return a_collection_of(f, 0); }
openrealm_token *a_token(fuzzer *f) { return pick(f, TOKEN); }
openrealm_migration *a_migration(fuzzer *f) {
  return f->is_careful && f->migration ? f->migration : pick(f, MIGRATION);
}

size_t count_of(openrealm_collection *collection) {
  size_t count = 0;
  return openrealm_count(collection, &count) == OPENREALM_OK ? count : 0;
}

// One that can be used, of a kind unless it is 0, with objects of a class unless it is -1. NULL if none was found.
static openrealm_collection *usable_collection(fuzzer *f, int32_t kind, int32_t class_number) {
  openrealm_collection *empty = NULL;
  for (int attempt = 0; attempt < 10; attempt++) {
    // Frozen collections of other threads can be used, too.
    bool is_borrowed = f->settings->threads > 1 && one_in(f, 16);
    openrealm_collection *found = is_borrowed ? borrow(f, COLLECTION) : f->pools[COLLECTION][below(f, POOL_SIZE)];
    if (!found || !openrealm_collection_is_valid(found)) continue;
    if (kind != 0 && openrealm_collection_kind(found) != kind) continue;
    if (class_number >= 0 && openrealm_collection_class(found) != class_number) continue;
    if (count_of(found) > 0) return found;
    empty = found;
  }
  return empty;
}

openrealm_collection *a_collection_of(fuzzer *f, int32_t kind) {
  if (!f->is_careful) {
    openrealm_collection *collection = NULL;
    for (int attempt = 0; attempt < 6; attempt++) {
      collection = pick(f, COLLECTION);
      if (kind == 0 || openrealm_collection_kind(collection) == kind) break;
    }
    return collection;
  }
  openrealm_collection *found = usable_collection(f, kind, -1);
  if (found) return found;
  if (kind == 0 || kind == OPENREALM_RESULTS) return objects_of(f, class_named("Item"));
  openrealm_object object = an_object_of(f, class_named("Item"));
  int32_t property = random_property(f, object.class_number, OPENREALM_NULL, kind);
  found = openrealm_collection_of(f->pools[REALM][0], object, property);
  if (!found) return of_pool(f, COLLECTION);
  keep(f, COLLECTION, found);
  return found;
}

openrealm_collection *objects_of(fuzzer *f, int32_t class_number) {
  if (!f->is_careful) return pick(f, COLLECTION);
  openrealm_collection *found = usable_collection(f, 0, class_number);
  if (found) return found;
  found = openrealm_objects(f->pools[REALM][0], class_number);
  if (!found) return of_pool(f, COLLECTION);
  keep(f, COLLECTION, found);
  return found;
}

void *any_handle(fuzzer *f) { return of_pool(f, (int)below(f, KIND_COUNT)); }

// Takes a handle out of its pool. The caller releases it.
static void *take(fuzzer *f, int kind, int place) {
  void *handle = f->pools[kind][place];
  f->pools[kind][place] = NULL;
  // Collections may keep the realm open, and other threads the collections: its transaction would keep all writers
  // waiting.
  if (kind == REALM && f->settings->threads > 1 && handle &&
      (place == 0 || !openrealm_is_same(handle, f->pools[REALM][0])))
    openrealm_cancel(handle);
  return handle;
}

void drop(fuzzer *f, int kind, int place) { openrealm_release(take(f, kind, place)); }

void drop_all(fuzzer *f) {
  openrealm_release(f->migrated);
  f->migrated = NULL;
  release_held(f, 0);
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    for (int place = 0; place < POOL_SIZE; place++) drop(f, kind, place);
  }
  if (f->number != 0) return;
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    for (int place = 0; place < POOL_SIZE; place++) {
      openrealm_release(lent.handles[kind][place]);
      lent.handles[kind][place] = NULL;
    }
  }
}

int32_t keep(fuzzer *f, int kind, void *handle) {
  if (!handle) {
    int32_t code = openrealm_last_error(NULL);
    if (code == OPENREALM_OK) stop(f, "%s: NULL without an error %ld", f->recent[f->done % 16]->name, 0);
    return code;
  }
  if (f->settings->threads > 1 && is_lent(kind) && one_in(f, 8)) lend(f, kind, handle);
  // The first realm of a thread stays, so that there are objects to work with.
  int first = kind == REALM && f->pools[REALM][0] ? 1 : 0;
  int place = first + (int)below(f, POOL_SIZE - first);
  if (kind == REALM && !f->pools[REALM][0]) place = 0;
  // The call may have taken the former handle for an argument.
  hold(f, take(f, kind, place));
  f->pools[kind][place] = handle;
  return OPENREALM_OK;
}

openrealm_object an_object(fuzzer *f) { return an_object_of(f, -1); }

// An object that exists, from the first realm's objects of a class.
static openrealm_object object_of_realm(fuzzer *f, int32_t class_number) {
  int64_t rows[16];
  size_t copied = 0;
  openrealm_collection *results = openrealm_objects(f->pools[REALM][0], class_number);
  size_t count = count_of(results);
  openrealm_rows(results, count > 16 ? below(f, count - 15) : 0, 16, rows, &copied);
  openrealm_release(results);
  for (size_t i = 0; i < copied; i++) keep_object(f, (openrealm_object){class_number, rows[i]});
  if (copied == 0) return f->objects[below(f, OBJECT_COUNT)];
  return (openrealm_object){class_number, rows[below(f, copied)]};
}

static openrealm_object an_existing_object(fuzzer *f, int32_t class_number) {
  for (int attempt = 0; attempt < 12; attempt++) {
    openrealm_object object = f->objects[below(f, OBJECT_COUNT)];
    if (class_number >= 0 && object.class_number != class_number) continue;
    if (openrealm_is_valid(f->pools[REALM][0], object)) return object;
  }
  return object_of_realm(f, class_number >= 0 ? class_number : random_class(f));
}

openrealm_object an_object_of(fuzzer *f, int32_t class_number) {
  if (f->is_careful) return an_existing_object(f, class_number);
  openrealm_object object = f->objects[below(f, OBJECT_COUNT)];
  switch (below(f, 80)) {
    case 0:
      object.row = random_integer(f);
      break;
    case 1:
      object.row = -1 - (int64_t)below(f, 3);
      break;
    case 2:
      object.class_number = random_class(f);
      break;
    case 3:
      object.row = INT64_MAX - (int64_t)below(f, 3);
      break;
    case 4:
      object.row = (int64_t)below(f, 3000);
      break;
    default:
      break;
  }
  return object;
}

void keep_object(fuzzer *f, openrealm_object object) { f->objects[below(f, OBJECT_COUNT)] = object; }

int32_t finish_value(fuzzer *f, int32_t code, openrealm_value *value) {
  if (code != OPENREALM_OK) return code;
  switch (value->type) {
    case OPENREALM_OBJECT:
      keep_object(f, value->as.object);
      break;
    case OPENREALM_LIST_VALUE:
    case OPENREALM_MAP_VALUE:
      if (one_in(f, 2)) keep(f, COLLECTION, openrealm_retain(value->as.collection));
      break;
    case OPENREALM_STRING:
    case OPENREALM_DATA:
      if (!value->as.bytes.bytes)
        stop(f, "%s: a text without bytes of size %ld", "value", (long)value->as.bytes.size);
      break;
    default:
      break;
  }
  openrealm_value_clear(value);
  openrealm_value_clear(value);
  return code;
}
