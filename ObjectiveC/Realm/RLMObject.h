#import <Realm/RLMObjectBase.h>

@class RLMResults<__covariant T>;

// The superclass of the classes that realms store.
@interface RLMObject : RLMObjectBase
+ (instancetype)createInDefaultRealmWithValue:(id)value;
+ (instancetype)createInRealm:(RLMRealm *)realm withValue:(id)value;
+ (instancetype)createOrUpdateInDefaultRealmWithValue:(id)value;
+ (instancetype)createOrUpdateModifiedInDefaultRealmWithValue:(id)value;
+ (instancetype)createOrUpdateInRealm:(RLMRealm *)realm withValue:(id)value;
+ (instancetype)createOrUpdateModifiedInRealm:(RLMRealm *)realm withValue:(id)value;

+ (RLMResults *)allObjects;
+ (RLMResults *)objectsWhere:(NSString *)predicateFormat, ...;
+ (RLMResults *)objectsWhere:(NSString *)predicateFormat args:(va_list)arguments;
+ (RLMResults *)objectsWithPredicate:(NSPredicate *)predicate;
+ (instancetype)objectForPrimaryKey:(id)primaryKey;
+ (RLMResults *)allObjectsInRealm:(RLMRealm *)realm;
+ (RLMResults *)objectsInRealm:(RLMRealm *)realm where:(NSString *)predicateFormat, ...;
+ (RLMResults *)objectsInRealm:(RLMRealm *)realm where:(NSString *)predicateFormat args:(va_list)arguments;
+ (RLMResults *)objectsInRealm:(RLMRealm *)realm withPredicate:(NSPredicate *)predicate;
+ (instancetype)objectInRealm:(RLMRealm *)realm forPrimaryKey:(id)primaryKey;

- (RLMNotificationToken *)addNotificationBlock:(RLMObjectChangeBlock)block;
- (RLMNotificationToken *)addNotificationBlock:(RLMObjectChangeBlock)block
                                      keyPaths:(NSArray<NSString *> *)keyPaths;
@end
