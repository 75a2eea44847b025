#import <Realm/RLMConstants.h>
#import <Realm/RLMNotificationToken.h>
#import <Realm/RLMThreadSafeReference.h>

@class RLMObjectBase, RLMRealm, RLMResults<__covariant T>, RLMSortDescriptor;

// What has changed in a collection.
@interface RLMCollectionChange : NSObject
// Positions before the change.
@property(nonatomic, readonly) NSArray<NSNumber *> *deletions;
// Positions after the change.
@property(nonatomic, readonly) NSArray<NSNumber *> *insertions;
// Positions before the change.
@property(nonatomic, readonly) NSArray<NSNumber *> *modifications;
// Positions after the change.
@property(nonatomic, readonly) NSArray<NSNumber *> *modificationsInNew;
- (NSArray<NSIndexPath *> *)deletionsInSection:(NSUInteger)section;
- (NSArray<NSIndexPath *> *)insertionsInSection:(NSUInteger)section;
- (NSArray<NSIndexPath *> *)modificationsInSection:(NSUInteger)section;
@end

// What all collections have. Elements are objects of classes or values.
@protocol RLMCollection <NSFastEnumeration, RLMThreadConfined>
@property(nonatomic, readonly) NSUInteger count;
@property(nonatomic, readonly) RLMPropertyType type;
@property(nonatomic, readonly, getter=isOptional) BOOL optional;
@property(nonatomic, readonly) NSString *objectClassName;
@property(nonatomic, readonly) RLMRealm *realm;
@property(nonatomic, readonly, getter=isFrozen) BOOL frozen;
- (id)valueForKey:(NSString *)key;
- (void)setValue:(id)value forKey:(NSString *)key;
- (RLMResults *)objectsWhere:(NSString *)predicateFormat, ...;
- (RLMResults *)objectsWhere:(NSString *)predicateFormat args:(va_list)arguments;
- (RLMResults *)objectsWithPredicate:(NSPredicate *)predicate;
- (RLMResults *)sortedResultsUsingKeyPath:(NSString *)keyPath ascending:(BOOL)ascending;
- (RLMResults *)sortedResultsUsingDescriptors:(NSArray<RLMSortDescriptor *> *)properties;
- (RLMResults *)distinctResultsUsingKeyPaths:(NSArray<NSString *> *)keyPaths;
- (id)minOfProperty:(NSString *)property;
- (id)maxOfProperty:(NSString *)property;
- (NSNumber *)sumOfProperty:(NSString *)property;
- (NSNumber *)averageOfProperty:(NSString *)property;
- (instancetype)freeze;
- (instancetype)thaw;
@end
