#import <Realm/RLMResults.h>

// The objects that link to an object by a property.
@interface RLMLinkingObjects<RLMObjectType> : RLMResults <RLMObjectType>
@end
