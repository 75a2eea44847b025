// Values between Objective-C and the C interface.
#import <objc/runtime.h>
#import "RLMRealm_Private.h"
#import "RLMSchema_Private.h"

// The object for a value, autoreleased; nil for null. Clears the value.
id RLMTakeValue(openrealm_value *value, RLMRealm *realm);
// The object for a value that stays the library's, autoreleased; nil for null.
id RLMObjectOfValue(const openrealm_value *value, RLMRealm *realm);

// Converts an object to a value of a type, with the official conversions; NO if it does not fit. `type` may
// be RLMPropertyTypeAny. The bytes live as long as the object and the current autorelease pool. Links have to
// be managed objects.
BOOL RLMConvert(id object, RLMPropertyType type, openrealm_value *value);
// Converts an argument of a query, which may be an area of the Earth's surface. That lives as long as the
// object.
BOOL RLMConvertArgument(id object, openrealm_value *value);
// Converts an object to the value of a property or to an element of its collection. Throws the official
// exception if it does not fit.
openrealm_value RLMValueForProperty(id object, RLMProperty *property, NSString *className);

// A class by its name, looked up once: the compiler looks it up for each message.
#define RLM_CLASS(NAME) \
  ({ \
    static Class class; \
    if (__builtin_expect(!class, 0)) class = [NAME class]; \
    class; \
  })
// What an object is to conversions. Each class has one kind, which is looked up once.
typedef enum RLMKind {
  RLMKindOther = 1,
  RLMKindNull,
  RLMKindBoolean,
  RLMKindInteger,
  RLMKindUnsigned, // an integer that may be greater than INT64_MAX
  RLMKindFloat,
  RLMKindDouble,
  RLMKindNumber, // an NSNumber that has to be asked for its type
  RLMKindString,
  RLMKindObject, // RLMObjectBase
  RLMKindDate,
  RLMKindData,
  RLMKindUUID,
  RLMKindObjectId,
  RLMKindDecimal128,
  RLMKindDictionary,
  RLMKindArray
} RLMKind;

// The kinds of classes that were met: a class, shifted by 8 bits, and its kind. Classes are never freed.
extern uint64_t RLMKnownKinds[256];
static inline uint64_t *RLMPlaceOfKind(uint64_t class) {
  return &RLMKnownKinds[class * 0x9E3779B97F4A7C15 >> 56];
}
RLMKind RLMFindKind(Class class);

// The kind of an object, without messages; that of null for nil.
static inline RLMKind RLMKindOf(id object) {
  if (!object) return RLMKindNull;
  uint64_t class = (uint64_t)(uintptr_t)object_getClass(object);
  uint64_t known = __atomic_load_n(RLMPlaceOfKind(class), __ATOMIC_RELAXED);
  return known >> 8 == class ? (RLMKind)(known & 255) : RLMFindKind(object_getClass(object));
}

// What -isKindOfClass: answers, without messages.
static inline BOOL RLMIsKind(id object, Class wanted) {
  for (Class class = object ? object_getClass(object) : Nil; class; class = class_getSuperclass(class))
    if (class == wanted) return YES;
  return NO;
}

NSString *RLMStringOfBytes(openrealm_bytes bytes);
NSDate *RLMDateOf(openrealm_date date);
openrealm_date RLMDateValue(NSDate *date);
// GNUstep's collections have the method, but do not say that they conform to the protocol.
static inline BOOL RLMIsEnumerable(id object) {
  return [object respondsToSelector:@selector(countByEnumeratingWithState:objects:count:)];
}
static inline BOOL RLMIsNull(id object) { return RLMKindOf(object) == RLMKindNull; }

@interface RLMObjectId () {
@public
  openrealm_object_id _value;
}
- (instancetype)initWithObjectId:(openrealm_object_id)value;
@end
@interface RLMDecimal128 () {
@public
  openrealm_decimal128 _value;
}
- (instancetype)initWithDecimal:(openrealm_decimal128)value;
@end
