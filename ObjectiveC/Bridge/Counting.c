// Automatic reference counting: the functions that clang calls (clang's documentation "Automatic Reference
// Counting", section "Runtime support"), by the messages `retain`, `release` and `autorelease` of GNUstep's
// NSObject and by its autorelease pools. The short ways that hand a returned object over without the pool are
// not taken: each function does what its name says.
#include "Runtime.h"

Object objc_retain(Object object) { return SEND(object, "retain"); }
void objc_release(Object object) { SEND(object, "release"); }
Object objc_autorelease(Object object) { return SEND(object, "autorelease"); }
Object objc_retainAutorelease(Object object) { return objc_autorelease(objc_retain(object)); }

Object objc_autoreleaseReturnValue(Object object) { return objc_autorelease(object); }
Object objc_retainAutoreleaseReturnValue(Object object) { return objc_retainAutorelease(object); }
Object objc_retainAutoreleasedReturnValue(Object object) { return objc_retain(object); }
Object objc_unsafeClaimAutoreleasedReturnValue(Object object) { return object; }

void objc_storeStrong(Object *place, Object object) {
  Object former = *place;
  *place = objc_retain(object);
  objc_release(former);
}

void *objc_autoreleasePoolPush(void) {
  static struct Class *class;
  if (!class) class = objc_getClass("NSAutoreleasePool");
  return SEND(SEND((Object) class, "alloc"), "init");
}
void objc_autoreleasePoolPop(void *pool) { SEND(pool, "drain"); }

// Allocation, which newer versions of clang ask for by function.
Object objc_alloc(struct Class *class) { return SEND((Object) class, "alloc"); }
Object objc_alloc_init(struct Class *class) { return SEND(SEND((Object) class, "alloc"), "init"); }

// MARK: Setters of properties

extern void objc_setProperty(Object object, Selector selector, ptrdiff_t offset, Object value,
                             unsigned char isAtomic, unsigned char copies);

void objc_setProperty_atomic(Object object, Selector selector, Object value, ptrdiff_t offset) {
  objc_setProperty(object, selector, offset, value, 1, 0);
}
void objc_setProperty_nonatomic(Object object, Selector selector, Object value, ptrdiff_t offset) {
  objc_setProperty(object, selector, offset, value, 0, 0);
}
void objc_setProperty_atomic_copy(Object object, Selector selector, Object value, ptrdiff_t offset) {
  objc_setProperty(object, selector, offset, value, 1, 1);
}
void objc_setProperty_nonatomic_copy(Object object, Selector selector, Object value, ptrdiff_t offset) {
  objc_setProperty(object, selector, offset, value, 0, 1);
}
