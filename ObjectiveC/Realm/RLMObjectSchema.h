#import <Realm/RLMConstants.h>

@class RLMProperty;

// A class that realms store.
@interface RLMObjectSchema : NSObject <NSCopying>
// The properties that are stored, those of superclasses first.
@property(nonatomic, readonly) NSArray<RLMProperty *> *properties;
@property(nonatomic, readonly) NSString *className;
// The class of the objects.
@property(nonatomic, readonly) Class objectClass;
@property(nonatomic, readonly) RLMProperty *primaryKeyProperty;
@property(nonatomic, readonly) BOOL isEmbedded;
- (RLMProperty *)objectForKeyedSubscript:(NSString *)propertyName;
- (BOOL)isEqualToObjectSchema:(RLMObjectSchema *)objectSchema;
@end
