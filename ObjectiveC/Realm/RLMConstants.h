#import <Foundation/Foundation.h>

// Declares a protocol with the name of a class, by which collections say what they hold: RLMArray<Dog *><Dog>
// *dogs.
#define RLM_COLLECTION_TYPE(CLASS) \
  @protocol CLASS <NSObject> \
  @end
#define RLM_ARRAY_TYPE(CLASS) RLM_COLLECTION_TYPE(CLASS)

// Types of properties.
typedef NS_ENUM(int32_t, RLMPropertyType) {
  RLMPropertyTypeInt = 0,
  RLMPropertyTypeBool = 1,
  RLMPropertyTypeString = 2,
  RLMPropertyTypeData = 3,
  RLMPropertyTypeDate = 4,
  RLMPropertyTypeFloat = 5,
  RLMPropertyTypeDouble = 6,
  RLMPropertyTypeObject = 7,
  RLMPropertyTypeLinkingObjects = 8,
  RLMPropertyTypeAny = 9,
  RLMPropertyTypeObjectId = 10,
  RLMPropertyTypeDecimal128 = 11,
  RLMPropertyTypeUUID = 12
};

// The name of the exceptions that report errors of a program.
extern NSString *const RLMExceptionName;

// A schema version that no realm can have.
extern const uint64_t RLMNotVersioned;

// Names of realm notifications.
typedef NSString *RLMNotification;
extern RLMNotification const RLMRealmDidChangeNotification;
extern RLMNotification const RLMRealmRefreshRequiredNotification;
