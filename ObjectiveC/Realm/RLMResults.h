#import <Realm/RLMCollection.h>

// What RLMArray, RLMSet, RLMDictionary, RLMResults and RLMLinkingObjects have in common.
@interface RLMCollectionBase : NSObject <RLMCollection>
@end

// Objects that a query finds, or all of a class. Results follow later changes.
@interface RLMResults<__covariant RLMObjectType> : RLMCollectionBase
- (RLMObjectType)objectAtIndex:(NSUInteger)index;
- (RLMObjectType)objectAtIndexedSubscript:(NSUInteger)index;
- (NSArray<RLMObjectType> *)objectsAtIndexes:(NSIndexSet *)indexes;
- (RLMObjectType)firstObject;
- (RLMObjectType)lastObject;
- (NSUInteger)indexOfObject:(RLMObjectType)object;
- (NSUInteger)indexOfObjectWhere:(NSString *)predicateFormat, ...;
- (NSUInteger)indexOfObjectWhere:(NSString *)predicateFormat args:(va_list)arguments;
- (NSUInteger)indexOfObjectWithPredicate:(NSPredicate *)predicate;
- (RLMResults<RLMObjectType> *)objectsWhere:(NSString *)predicateFormat, ...;
- (RLMResults<RLMObjectType> *)objectsWithPredicate:(NSPredicate *)predicate;
- (RLMResults<RLMObjectType> *)sortedResultsUsingKeyPath:(NSString *)keyPath ascending:(BOOL)ascending;
- (RLMResults<RLMObjectType> *)sortedResultsUsingDescriptors:(NSArray<RLMSortDescriptor *> *)properties;
- (RLMResults<RLMObjectType> *)distinctResultsUsingKeyPaths:(NSArray<NSString *> *)keyPaths;
// Results with the present objects, to which later changes add nothing.
- (RLMResults<RLMObjectType> *)snapshot;
- (RLMNotificationToken *)addNotificationBlock:(void (^)(RLMResults<RLMObjectType> *results,
                                                         RLMCollectionChange *change, NSError *error))block;
- (RLMNotificationToken *)addNotificationBlock:(void (^)(RLMResults<RLMObjectType> *results,
                                                         RLMCollectionChange *change, NSError *error))block
                                      keyPaths:(NSArray<NSString *> *)keyPaths;
@end
