#import <Realm/RLMConstants.h>

@class RLMObject, RLMSchema;

typedef void (^RLMObjectMigrationBlock)(RLMObject *oldObject, RLMObject *newObject);

// Moves the objects of a file to new versions of their classes. Values are read and written by name:
// object[@"name"].
@interface RLMMigration : NSObject
@property(nonatomic, readonly) RLMSchema *oldSchema;
// The name begins with "new", which would make the caller the owner.
@property(nonatomic, readonly) RLMSchema *newSchema __attribute__((ns_returns_not_retained));
- (void)enumerateObjects:(NSString *)className block:(RLMObjectMigrationBlock)block;
- (RLMObject *)createObject:(NSString *)className withValue:(id)value;
- (void)deleteObject:(RLMObject *)object;
- (BOOL)deleteDataForClassName:(NSString *)name;
- (void)renamePropertyForClass:(NSString *)className oldName:(NSString *)oldName newName:(NSString *)newName;
@end
