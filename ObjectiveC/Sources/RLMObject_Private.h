#import "RLMFailure.h"
#import "RLMRealm_Private.h"
#import "RLMSchema_Private.h"

@interface RLMObjectBase () {
@public
  RLMRealm *_realm;          // retained
  const RLMClassInfo *_info; // of the realm; NULL in memory
  openrealm_object _row;
  NSMutableDictionary
      *_memory; // in memory: collections, and values of properties without accessors of the compiler
}
// Reads and writes a property as an object, in memory and managed.
- (id)valueOfProperty:(RLMProperty *)property;
- (void)setValue:(id)value ofProperty:(RLMProperty *)property;
@end

// How many objects and collections a description goes into each other: those that reach themselves have an
// end.
enum { RLMGreatestDescriptionDepth = 5 };
@interface RLMObjectBase (Description)
- (NSString *)descriptionWithDepth:(int)depth;
@end
@interface RLMCollectionBase (Description)
- (NSString *)descriptionWithDepth:(int)depth;
@end
// The description of a value within another one, with its lines indented.
NSString *RLMDescription(id value, int depth);

// A new accessor for an object of a realm, autoreleased. Its class is `info->objectClass`; -init is not sent.
id RLMMakeAccessor(RLMRealm *realm, const RLMClassInfo *info, int64_t row);
// Makes an object in memory one of the realm, with everything that it links to. `policy` is that of
// openrealm_create_or_update.
void RLMAddObject(RLMObjectBase *object, RLMRealm *realm, int32_t policy);
// Creates or updates an object from a dictionary, an array or an object.
id RLMCreateObject(RLMRealm *realm, const RLMClassInfo *info, id value, int32_t policy);
// Fills in a new embedded object.
void RLMFillEmbedded(RLMRealm *realm, openrealm_object row, id value, int32_t policy);
// The object that a value of a link stands for, in the realm: an object of the realm itself; another one is
// added, a dictionary or array is created. Throws if it is of another class. NO for nil and NSNull.
BOOL RLMLinkTarget(RLMRealm *realm, RLMProperty *property, id value, int32_t policy,
                   openrealm_object *target);
// The value of a property of an object in memory: dictionaries and arrays for links become objects.
id RLMObjectInMemory(RLMProperty *property, id value);
// Throws unless the object exists.
void RLMCheckObject(RLMObjectBase *object);
