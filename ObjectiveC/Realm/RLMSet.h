#import <Realm/RLMResults.h>

// Different objects or values in no particular order, of a property or in memory.
@interface RLMSet<RLMObjectType> : RLMCollectionBase
@property(nonatomic, readonly) NSArray<RLMObjectType> *allObjects;
- (instancetype)initWithObjectClassName:(NSString *)objectClassName;
- (instancetype)initWithObjectType:(RLMPropertyType)type optional:(BOOL)optional;
- (RLMObjectType)objectAtIndex:(NSUInteger)index;
- (RLMObjectType)objectAtIndexedSubscript:(NSUInteger)index;
- (RLMObjectType)firstObject;
- (RLMObjectType)lastObject;
- (void)addObject:(RLMObjectType)object;
- (void)addObjects:(id<NSFastEnumeration>)objects;
- (void)removeObject:(RLMObjectType)object;
- (void)removeAllObjects;
- (BOOL)containsObject:(RLMObjectType)object;
- (void)setSet:(RLMSet<RLMObjectType> *)set;
- (void)intersectSet:(RLMSet<RLMObjectType> *)set;
- (void)minusSet:(RLMSet<RLMObjectType> *)set;
- (void)unionSet:(RLMSet<RLMObjectType> *)set;
- (BOOL)intersectsSet:(RLMSet<RLMObjectType> *)set;
- (BOOL)isSubsetOfSet:(RLMSet<RLMObjectType> *)set;
- (BOOL)isEqualToSet:(RLMSet<RLMObjectType> *)set;
- (RLMResults<RLMObjectType> *)objectsWhere:(NSString *)predicateFormat, ...;
- (RLMResults<RLMObjectType> *)sortedResultsUsingKeyPath:(NSString *)keyPath ascending:(BOOL)ascending;
- (RLMNotificationToken *)addNotificationBlock:(void (^)(RLMSet<RLMObjectType> *set,
                                                         RLMCollectionChange *changes, NSError *error))block;
- (RLMNotificationToken *)addNotificationBlock:(void (^)(RLMSet<RLMObjectType> *set,
                                                         RLMCollectionChange *changes, NSError *error))block
                                      keyPaths:(NSArray<NSString *> *)keyPaths;
@end
