// Weak references. GNUstep Base counts references beside the object and ends in `-[NSObject release]`, which
// is replaced: once there are weak references, counting down to zero, clearing the references and loading one
// happen under one lock, so that a load never returns an object that is about to be freed.
//
// Classes with a `release` of their own are not cleared. GNUstep Base has a few, whose objects are never
// freed (constant strings, small numbers); blocks clear theirs in Blocks.c.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

#include "Runtime.h"

extern Object objc_retain(Object object);
extern Object objc_autorelease(Object object);
// GNUstepBase/NSObject.h and Foundation/NSObject.h: takes one reference away, or answers true if there was
// only one.
extern signed char NSDecrementExtraRefCountWasZero(Object object);
extern Method class_replaceMethod(struct Class *class, Selector selector, Method method, const char *types);

struct Reference {
  Object object;
  Object *place;
  struct Reference *next;
};

enum { listBits = 12 };
static struct Reference *lists[1 << listBits];
static long referenceCount;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static struct Reference **listOf(Object object) {
  return &lists[((uintptr_t)object >> 4) * 0x9E3779B97F4A7C15U >> (64 - listBits)];
}

void openrealm_bridge_lock_weak_references(void) { pthread_mutex_lock(&lock); }
void openrealm_bridge_unlock_weak_references(void) { pthread_mutex_unlock(&lock); }
bool openrealm_bridge_has_weak_references(void) {
  return __atomic_load_n(&referenceCount, __ATOMIC_ACQUIRE) != 0;
}

static void removeFrom(struct Reference **link) {
  struct Reference *reference = *link;
  *link = reference->next;
  free(reference);
  __atomic_sub_fetch(&referenceCount, 1, __ATOMIC_RELEASE);
}

void openrealm_bridge_clear_weak_references(Object object) {
  for (struct Reference **link = listOf(object); *link;) {
    if ((*link)->object != object) {
      link = &(*link)->next;
      continue;
    }
    *(*link)->place = NULL;
    removeFrom(link);
  }
}

// In the place of -[NSObject release].
static void releaseObject(Object self, Selector selector) {
  (void)selector;
  bool isLast;
  if (openrealm_bridge_has_weak_references()) {
    openrealm_bridge_lock_weak_references();
    isLast = NSDecrementExtraRefCountWasZero(self);
    if (isLast) openrealm_bridge_clear_weak_references(self);
    openrealm_bridge_unlock_weak_references();
  } else {
    // The caller's reference is the last one, so that no other thread can make a weak reference now.
    isLast = NSDecrementExtraRefCountWasZero(self);
  }
  if (isLast) SEND(self, "dealloc");
}

void openrealm_bridge_set_up_weak_references(void) {
  struct Class *class = objc_lookUpClass("NSObject");
  if (!class) openrealm_bridge_refuse("GNUstep Base must be linked after -lrealm-objc", NULL);
  class_replaceMethod(class, sel_registerName("release"), (Method)releaseObject, "Vv16@0:8");
}

// MARK: What clang calls

static void forget(Object *place) {
  if (!*place) return;
  struct Reference **link = listOf(*place);
  while (*link && (*link)->place != place)
    link = &(*link)->next;
  if (*link) removeFrom(link);
  *place = NULL;
}

static void remember(Object *place, Object object) {
  *place = object;
  if (!object) return;
  struct Reference *reference = malloc(sizeof *reference), **list = listOf(object);
  if (!reference) openrealm_bridge_refuse("no memory is left", NULL);
  *reference = (struct Reference){object, place, *list};
  *list = reference;
  __atomic_add_fetch(&referenceCount, 1, __ATOMIC_RELEASE);
}

Object objc_initWeak(Object *place, Object object) {
  pthread_mutex_lock(&lock);
  remember(place, object);
  pthread_mutex_unlock(&lock);
  return object;
}

Object objc_storeWeak(Object *place, Object object) {
  pthread_mutex_lock(&lock);
  forget(place);
  remember(place, object);
  pthread_mutex_unlock(&lock);
  return object;
}

Object objc_loadWeakRetained(Object *place) {
  pthread_mutex_lock(&lock);
  Object object = objc_retain(*place);
  pthread_mutex_unlock(&lock);
  return object;
}

Object objc_loadWeak(Object *place) { return objc_autorelease(objc_loadWeakRetained(place)); }

void objc_destroyWeak(Object *place) {
  pthread_mutex_lock(&lock);
  forget(place);
  pthread_mutex_unlock(&lock);
}

void objc_copyWeak(Object *place, Object *source) {
  pthread_mutex_lock(&lock);
  remember(place, *source);
  pthread_mutex_unlock(&lock);
}

void objc_moveWeak(Object *place, Object *source) {
  pthread_mutex_lock(&lock);
  Object object = *source;
  forget(source);
  remember(place, object);
  pthread_mutex_unlock(&lock);
}
