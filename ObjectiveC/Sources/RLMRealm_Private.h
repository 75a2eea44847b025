#import <openrealm.h>
#import "Realm/Realm.h"

// The numbers that a class and its properties have in a file.
typedef struct RLMClassInfo {
  openrealm_realm *realm; // not retained: the realm owns this
  int32_t classNumber;
  Class objectClass;
  RLMObjectSchema *schema;
  int32_t numbers[]; // of the properties by slot; -1 for linking objects
} RLMClassInfo;

@interface RLMRealm () {
@public
  openrealm_realm *_handle;
  RLMSchema *_schema;
  RLMRealmConfiguration *_configuration;
  RLMClassInfo **_infos; // by class number
  size_t _infoCount;
}
// Takes over the handle.
- (instancetype)initWithHandle:(openrealm_realm *)handle
                        schema:(RLMSchema *)schema
                 configuration:(RLMRealmConfiguration *)configuration;
- (const RLMClassInfo *)infoForClassName:(NSString *)className; // throws if the realm has no such class
// Looks up the numbers of the properties of a class again, which a migration changes with their names.
- (void)propertiesOfClassWereRenamed:(NSString *)className;
@end

@interface RLMRealmConfiguration ()
// A handle, which the caller releases. Throws if the settings contradict each other.
- (openrealm_configuration *)makeHandle;
- (RLMSchema *)schema; // nil: the classes of the file
// What distinguishes realms of one thread.
- (NSString *)cacheKey;
@end

// The class with a number; objects of links always have one.
static inline const RLMClassInfo *RLMInfoForNumber(RLMRealm *realm, int32_t number) {
  return number >= 0 && (size_t)number < realm->_infoCount ? realm->_infos[number] : NULL;
}

// Watches the descriptor of the C interface with the run loop of this thread, so that realms which are opened
// afterwards follow commits of other threads and processes.
void RLMWatchRunLoop(void);
// Keeps an exception that a callback of the C interface must not let through; thrown by RLMThrowKept on the
// same thread.
void RLMKeepException(id exception);
void RLMThrowKept(void);
// Whether RLMThrowKept will throw: what the caller holds has to be released before.
BOOL RLMHasKeptException(void);

// Runs what a callback of the C interface does. Exceptions wait until the library has returned.
#define RLM_GUARDED(...) \
  do { \
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init]; \
    @try { \
      __VA_ARGS__; \
    } @catch (id exception) { RLMKeepException(exception); } \
    [pool drain]; \
  } while (0)
