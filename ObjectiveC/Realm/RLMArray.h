#import <Realm/RLMResults.h>

// A list of objects or values, of a property or in memory.
@interface RLMArray<RLMObjectType> : RLMCollectionBase
- (instancetype)initWithObjectClassName:(NSString *)objectClassName;
- (instancetype)initWithObjectType:(RLMPropertyType)type optional:(BOOL)optional;
- (RLMObjectType)objectAtIndex:(NSUInteger)index;
- (RLMObjectType)objectAtIndexedSubscript:(NSUInteger)index;
- (NSArray<RLMObjectType> *)objectsAtIndexes:(NSIndexSet *)indexes;
- (RLMObjectType)firstObject;
- (RLMObjectType)lastObject;
- (void)addObject:(RLMObjectType)object;
- (void)addObjects:(id<NSFastEnumeration>)objects;
- (void)insertObject:(RLMObjectType)object atIndex:(NSUInteger)index;
- (void)removeObjectAtIndex:(NSUInteger)index;
- (void)removeLastObject;
- (void)removeAllObjects;
- (void)replaceObjectAtIndex:(NSUInteger)index withObject:(RLMObjectType)object;
- (void)setObject:(RLMObjectType)object atIndexedSubscript:(NSUInteger)index;
- (void)moveObjectAtIndex:(NSUInteger)sourceIndex toIndex:(NSUInteger)destinationIndex;
- (void)exchangeObjectAtIndex:(NSUInteger)index1 withObjectAtIndex:(NSUInteger)index2;
- (NSUInteger)indexOfObject:(RLMObjectType)object;
- (NSUInteger)indexOfObjectWhere:(NSString *)predicateFormat, ...;
- (NSUInteger)indexOfObjectWhere:(NSString *)predicateFormat args:(va_list)arguments;
- (NSUInteger)indexOfObjectWithPredicate:(NSPredicate *)predicate;
- (RLMResults<RLMObjectType> *)objectsWhere:(NSString *)predicateFormat, ...;
- (RLMResults<RLMObjectType> *)sortedResultsUsingKeyPath:(NSString *)keyPath ascending:(BOOL)ascending;
- (RLMNotificationToken *)addNotificationBlock:(void (^)(RLMArray<RLMObjectType> *array,
                                                         RLMCollectionChange *changes, NSError *error))block;
- (RLMNotificationToken *)addNotificationBlock:(void (^)(RLMArray<RLMObjectType> *array,
                                                         RLMCollectionChange *changes, NSError *error))block
                                      keyPaths:(NSArray<NSString *> *)keyPaths;
@end
