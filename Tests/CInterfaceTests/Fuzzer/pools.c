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

static void *borrow(fuzzer *f, int kind) {
  if (f->borrowed_count == BORROWED_COUNT) return NULL;
  pthread_mutex_lock(&lent.lock);
  void *handle = openrealm_retain(lent.handles[kind][below(f, POOL_SIZE)]);
  pthread_mutex_unlock(&lent.lock);
  if (handle) f->borrowed[f->borrowed_count++] = handle;
  return handle;
}

void return_borrowed(fuzzer *f, int count) {
  while (f->borrowed_count > count) openrealm_release(f->borrowed[--f->borrowed_count]);
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
  if (!one_in(f, 4) && f->pools[REALM][0]) return f->pools[REALM][0];
  return pick(f, REALM);
}
openrealm_schema *a_schema(fuzzer *f) { return pick(f, SCHEMA); }
openrealm_configuration *a_configuration(fuzzer *f) { return pick(f, CONFIGURATION); }
openrealm_collection *a_collection(fuzzer *f) { return pick(f, COLLECTION); }
openrealm_token *a_token(fuzzer *f) { return pick(f, TOKEN); }
openrealm_migration *a_migration(fuzzer *f) { return pick(f, MIGRATION); }

void *any_handle(fuzzer *f) { return of_pool(f, (int)below(f, KIND_COUNT)); }

void drop(fuzzer *f, int kind, int place) {
  void *handle = f->pools[kind][place];
  f->pools[kind][place] = NULL;
  // Collections may keep the realm open, and other threads the collections: its transaction would keep all writers
  // waiting.
  if (kind == REALM && f->settings->threads > 1 && handle) openrealm_cancel(handle);
  openrealm_release(handle);
}

void drop_all(fuzzer *f) {
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
  drop(f, kind, place);
  f->pools[kind][place] = handle;
  return OPENREALM_OK;
}

openrealm_object an_object(fuzzer *f) {
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
