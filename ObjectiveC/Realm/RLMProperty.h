#import <Realm/RLMConstants.h>

// A property of a class that realms store.
@interface RLMProperty : NSObject <NSCopying>
@property(nonatomic, readonly) NSString *name;
// The name of the property in the file.
@property(nonatomic, readonly) NSString *columnName;
@property(nonatomic, readonly) RLMPropertyType type;
@property(nonatomic, readonly) BOOL indexed;
// The class at the other end of links and backlinks.
@property(nonatomic, readonly) NSString *objectClassName;
// The property whose links a property of the type RLMLinkingObjects follows back.
@property(nonatomic, readonly) NSString *linkOriginPropertyName;
@property(nonatomic, readonly) BOOL optional;
@property(nonatomic, readonly) BOOL array;
@property(nonatomic, readonly) BOOL set;
@property(nonatomic, readonly) BOOL dictionary;
@property(nonatomic, readonly) BOOL collection;
- (BOOL)isEqualToProperty:(RLMProperty *)property;
@end

// The property of another class that links to objects of a class.
@interface RLMPropertyDescriptor : NSObject
@property(nonatomic, readonly) Class objectClass;
@property(nonatomic, readonly) NSString *propertyName;
+ (instancetype)descriptorWithClass:(Class)objectClass propertyName:(NSString *)propertyName;
@end
