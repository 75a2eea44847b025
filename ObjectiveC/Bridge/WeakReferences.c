// Weak references. GNUstep Base counts references beside the object and ends in `-[NSObject release]`, which
// is replaced: counting down to zero, clearing the references and loading one happen under one lock, so that
// a load never returns an object that is about to be freed. There are many locks, each for the objects with
// one hash: releases on several threads hardly ever meet, and cost an atomic exchange more than GNUstep's.
//
// Classes with a `release` of their own are not cleared. GNUstep Base has a few, whose objects are never
// freed (constant strings, small numbers); blocks clear theirs in Blocks.c.
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>

#include "Runtime.h"

extern Object objc_retain(Object object);
extern Object objc_autorelease(Object object);
extern void objc_release(Object object);
// GNUstepBase/NSObject.h and Foundation/NSObject.h: takes one reference away, or answers true if there was
// only one.
extern signed char NSDecrementExtraRefCountWasZero(Object object);
extern Method class_replaceMethod(struct Class *class, Selector selector, Method method, const char *types);

struct Reference {
  Object object;
  Object *place;
  struct Reference *next;
};

// The references to all objects with one hash, and their lock. The lock is recursive, because a class may do
// anything in its `retain`.
struct Bucket {
  const void *owner; // the thread that holds the lock, by the address of a variable of it; NULL
  unsigned depth;
  struct Reference *first;
};

enum { bucketBits = 12 };
static struct Bucket buckets[1 << bucketBits];
static THREAD_LOCAL char thisThread;

static struct Bucket *bucketOf(Object object) {
  return &buckets[((uintptr_t)object >> 4) * 0x9E3779B97F4A7C15U >> (64 - bucketBits)];
}

static void lock(struct Bucket *bucket) {
  if (__atomic_load_n(&bucket->owner, __ATOMIC_RELAXED) == &thisThread) {
    bucket->depth++;
    return;
  }
  for (int attempt = 0;; attempt++) {
    const void *none = NULL;
    if (__atomic_compare_exchange_n(&bucket->owner, &none, &thisThread, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
      break;
    if (attempt > 100) sched_yield();
  }
  bucket->depth = 1;
}

static void unlock(struct Bucket *bucket) {
  if (--bucket->depth == 0) __atomic_store_n(&bucket->owner, NULL, __ATOMIC_RELEASE);
}

static void removeFrom(struct Reference **link) {
  struct Reference *reference = *link;
  *link = reference->next;
  free(reference);
}

static void clear(struct Bucket *bucket, Object object) {
  for (struct Reference **link = &bucket->first; *link;) {
    if ((*link)->object != object) {
      link = &(*link)->next;
      continue;
    }
    __atomic_store_n((*link)->place, NULL, __ATOMIC_RELEASE);
    removeFrom(link);
  }
}

void openrealm_bridge_clear_weak_references(Object object) {
  struct Bucket *bucket = bucketOf(object);
  lock(bucket);
  clear(bucket, object);
  unlock(bucket);
}

// In the place of -[NSObject release].
static void releaseObject(Object self, Selector selector) {
  (void)selector;
  struct Bucket *bucket = bucketOf(self);
  lock(bucket);
  bool isLast = NSDecrementExtraRefCountWasZero(self);
  if (isLast && bucket->first) clear(bucket, self);
  unlock(bucket);
  if (isLast) SEND(self, "dealloc");
}

void openrealm_bridge_set_up_weak_references(void) {
  struct Class *class = objc_lookUpClass("NSObject");
  if (!class) openrealm_bridge_refuse("GNUstep Base must be linked after -lrealm-objc", NULL);
  class_replaceMethod(class, sel_registerName("release"), (Method)releaseObject, "Vv16@0:8");
}

// MARK: What clang calls

// The object that a place refers to, with its bucket locked; NULL, and no lock, if it refers to none. The
// address is only used to find the bucket until the lock is held, because the object may be freed before.
static Object lockObjectAt(Object *place, struct Bucket **bucket) {
  for (;;) {
    Object object = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (!object) return NULL;
    *bucket = bucketOf(object);
    lock(*bucket);
    if (__atomic_load_n(place, __ATOMIC_ACQUIRE) == object) return object;
    unlock(*bucket);
  }
}

static void forget(Object *place) {
  struct Bucket *bucket;
  if (!lockObjectAt(place, &bucket)) return;
  struct Reference **link = &bucket->first;
  while (*link && (*link)->place != place)
    link = &(*link)->next;
  if (*link) removeFrom(link);
  __atomic_store_n(place, NULL, __ATOMIC_RELEASE);
  unlock(bucket);
}

// The caller holds a reference to the object.
static void remember(Object *place, Object object) {
  __atomic_store_n(place, NULL, __ATOMIC_RELEASE);
  if (!object) return;
  struct Reference *reference = malloc(sizeof *reference);
  if (!reference) openrealm_bridge_refuse("no memory is left", NULL);
  struct Bucket *bucket = bucketOf(object);
  lock(bucket);
  *reference = (struct Reference){object, place, bucket->first};
  bucket->first = reference;
  __atomic_store_n(place, object, __ATOMIC_RELEASE);
  unlock(bucket);
}

Object objc_initWeak(Object *place, Object object) {
  remember(place, object);
  return object;
}

Object objc_storeWeak(Object *place, Object object) {
  forget(place);
  remember(place, object);
  return object;
}

Object objc_loadWeakRetained(Object *place) {
  struct Bucket *bucket;
  Object object = lockObjectAt(place, &bucket);
  if (!object) return NULL;
  objc_retain(object);
  unlock(bucket);
  return object;
}

Object objc_loadWeak(Object *place) { return objc_autorelease(objc_loadWeakRetained(place)); }
void objc_destroyWeak(Object *place) { forget(place); }

// The source's object is kept alive meanwhile.
void objc_copyWeak(Object *place, Object *source) {
  Object object = objc_loadWeakRetained(source);
  remember(place, object);
  objc_release(object);
}

void objc_moveWeak(Object *place, Object *source) {
  objc_copyWeak(place, source);
  forget(source);
}
