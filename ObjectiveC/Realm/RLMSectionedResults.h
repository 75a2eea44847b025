#import <Realm/RLMResults.h>
#import <Realm/RLMValue.h>
#import <Realm/RLMSet.h>
#import <Realm/RLMArray.h>

// Returns the section of an object, or of a value.
typedef id<RLMValue> (^RLMSectionedResultsKeyBlock)(id object);

// What has changed in sectioned results. An index path is a section and a position in it.
@interface RLMSectionedResultsChange : NSObject
// Before the change.
@property(nonatomic, readonly) NSArray<NSIndexPath *> *deletions;
// After the change.
@property(nonatomic, readonly) NSArray<NSIndexPath *> *insertions;
// Of elements that stayed in their section, after the change.
@property(nonatomic, readonly) NSArray<NSIndexPath *> *modifications;
@property(nonatomic, readonly) NSIndexSet *sectionsToInsert;
@property(nonatomic, readonly) NSIndexSet *sectionsToRemove;
- (NSArray<NSIndexPath *> *)deletionsInSection:(NSUInteger)section;
- (NSArray<NSIndexPath *> *)insertionsInSection:(NSUInteger)section;
- (NSArray<NSIndexPath *> *)modificationsInSection:(NSUInteger)section;
@end

// The elements of one section, in the order of the results.
@interface RLMSection<RLMKeyType, RLMObjectType> : NSObject <NSFastEnumeration>
@property(nonatomic, readonly) RLMKeyType key;
@property(nonatomic, readonly) NSUInteger count;
@property(nonatomic, readonly) RLMRealm *realm;
@property(nonatomic, readonly, getter=isFrozen) BOOL frozen;
- (RLMObjectType)objectAtIndex:(NSUInteger)index;
- (RLMObjectType)objectAtIndexedSubscript:(NSUInteger)index;
- (instancetype)freeze;
- (instancetype)thaw;
// Called when the section is ready, and after changes of it, with those alone.
- (RLMNotificationToken *)addNotificationBlock:(void (^)(RLMSection<RLMKeyType, RLMObjectType> *section,
                                                         RLMSectionedResultsChange *change))block;
- (RLMNotificationToken *)addNotificationBlock:(void (^)(RLMSection<RLMKeyType, RLMObjectType> *section,
                                                         RLMSectionedResultsChange *change))block
                                      keyPaths:(NSArray<NSString *> *)keyPaths;
@end

// Results in sections, which follow later changes. Sections are in the order of their first elements.
@interface RLMSectionedResults<RLMKeyType, RLMObjectType> : NSObject <NSFastEnumeration>
@property(nonatomic, readonly) NSUInteger count;
@property(nonatomic, readonly) NSArray<RLMKeyType> *allKeys;
@property(nonatomic, readonly) RLMRealm *realm;
@property(nonatomic, readonly, getter=isFrozen) BOOL frozen;
- (RLMSection<RLMKeyType, RLMObjectType> *)objectAtIndex:(NSUInteger)index;
- (RLMSection<RLMKeyType, RLMObjectType> *)objectAtIndexedSubscript:(NSUInteger)index;
- (instancetype)freeze;
- (instancetype)thaw;
- (RLMNotificationToken *)addNotificationBlock:
    (void (^)(RLMSectionedResults<RLMKeyType, RLMObjectType> *results,
              RLMSectionedResultsChange *change))block;
- (RLMNotificationToken *)addNotificationBlock:
                              (void (^)(RLMSectionedResults<RLMKeyType, RLMObjectType> *results,
                                        RLMSectionedResultsChange *change))block
                                      keyPaths:(NSArray<NSString *> *)keyPaths;
@end

@interface RLMResults <RLMObjectType>(Sections)
- (RLMSectionedResults *)sectionedResultsSortedUsingKeyPath:(NSString *)keyPath
                                                  ascending:(BOOL)ascending
                                                   keyBlock:(RLMSectionedResultsKeyBlock)keyBlock;
- (RLMSectionedResults *)sectionedResultsUsingSortDescriptors:(NSArray<RLMSortDescriptor *> *)descriptors
                                                     keyBlock:(RLMSectionedResultsKeyBlock)keyBlock;
@end
@interface RLMArray <RLMObjectType>(Sections)
- (RLMSectionedResults *)sectionedResultsSortedUsingKeyPath:(NSString *)keyPath
                                                  ascending:(BOOL)ascending
                                                   keyBlock:(RLMSectionedResultsKeyBlock)keyBlock;
- (RLMSectionedResults *)sectionedResultsUsingSortDescriptors:(NSArray<RLMSortDescriptor *> *)descriptors
                                                     keyBlock:(RLMSectionedResultsKeyBlock)keyBlock;
@end
@interface RLMSet <RLMObjectType>(Sections)
- (RLMSectionedResults *)sectionedResultsSortedUsingKeyPath:(NSString *)keyPath
                                                  ascending:(BOOL)ascending
                                                   keyBlock:(RLMSectionedResultsKeyBlock)keyBlock;
- (RLMSectionedResults *)sectionedResultsUsingSortDescriptors:(NSArray<RLMSortDescriptor *> *)descriptors
                                                     keyBlock:(RLMSectionedResultsKeyBlock)keyBlock;
@end
