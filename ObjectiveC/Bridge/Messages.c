// Sending messages and throwing: functions that clang calls for the GNUstep ABI, and that GCC's runtime has
// under other names.
#include <stdlib.h>
#include <string.h>

#include "Runtime.h"

// MARK: Messages

// `struct objc_slot` of the GNUstep runtime; the caller reads `method` only, at once.
struct Slot {
  void *owner, *cachedFor;
  const char *types;
  int version;
  Method method;
};
_Static_assert(offsetof(struct Slot, method) == 4 * sizeof(void *), "CGObjCGNUstep: SlotStructTy");

static THREAD_LOCAL struct Slot slot;

struct Slot *objc_msg_lookup_sender(Object *receiver, Selector selector, Object sender) {
  (void)sender;
  slot.method = objc_msg_lookup(*receiver, selector);
  return &slot;
}

struct Slot *objc_slot_lookup_super(struct Super *super, Selector selector) {
  slot.method = objc_msg_lookup_super(super, selector);
  return &slot;
}

// MARK: Exceptions

extern int __gnu_objc_personality_v0(int version, int actions, uint64_t kind, void *exception, void *context);

int __gnustep_objc_personality_v0(int version, int actions, uint64_t kind, void *exception, void *context) {
  return __gnu_objc_personality_v0(version, actions, kind, exception, context);
}

// GCC's personality hands the landing pad the object, not the header of the unwinder, and has deleted the
// header: there is nothing to begin or end.
Object objc_begin_catch(Object exception) { return exception; }
void objc_end_catch(void) {}
void objc_exception_rethrow(Object exception) { objc_exception_throw(exception); }

// `@catch (id)` asks for a class named "@id" (CGObjCGNUstep::GetEHType), which is one that matches every
// exception here.
static char everything[sizeof(struct Class)];

typedef struct Class *(*UnknownClassHandler)(const char *name);
typedef int (*ExceptionMatcher)(struct Class *wanted, Object exception);
extern UnknownClassHandler objc_setGetUnknownClassHandler(UnknownClassHandler handler);
extern ExceptionMatcher objc_setExceptionMatcher(ExceptionMatcher matcher);
static UnknownClassHandler previousHandler;
static ExceptionMatcher previousMatcher;

static struct Class *unknownClass(const char *name) {
  if (!strcmp(name, "@id")) return (struct Class *)everything;
  const char *missing = openrealm_bridge_missing_superclass(name);
  if (missing) {
    char detail[256];
    strncpy(detail, name, sizeof detail - 1);
    detail[sizeof detail - 1] = 0;
    strncat(detail, ", because there is no class ", sizeof detail - strlen(detail) - 1);
    strncat(detail, missing, sizeof detail - strlen(detail) - 1);
    openrealm_bridge_refuse("a class of this program could not be loaded", detail);
  }
  return previousHandler ? previousHandler(name) : NULL;
}

static int matches(struct Class *wanted, Object exception) {
  return wanted == (struct Class *)everything || previousMatcher(wanted, exception);
}

void openrealm_bridge_set_up_exceptions(void) {
  previousHandler = objc_setGetUnknownClassHandler(unknownClass);
  previousMatcher = objc_setExceptionMatcher(matches);
}
