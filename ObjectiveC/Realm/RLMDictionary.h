#import <Realm/RLMResults.h>

// The keys whose values have changed.
@interface RLMDictionaryChange : NSObject
@property(nonatomic, readonly) NSArray *insertions;
@property(nonatomic, readonly) NSArray *modifications;
@property(nonatomic, readonly) NSArray *deletions;
@end

// Objects or values by text, of a property or in memory. A loop goes through the keys.
@interface RLMDictionary<RLMKeyType, RLMObjectType> : RLMCollectionBase
@property(nonatomic, readonly) RLMPropertyType keyType;
@property(nonatomic, readonly) NSArray<RLMKeyType> *allKeys;
@property(nonatomic, readonly) NSArray<RLMObjectType> *allValues;
- (instancetype)initWithObjectClassName:(NSString *)objectClassName keyType:(RLMPropertyType)keyType;
- (instancetype)initWithObjectType:(RLMPropertyType)type
                          optional:(BOOL)optional
                           keyType:(RLMPropertyType)keyType;
- (RLMObjectType)objectForKey:(RLMKeyType)key;
- (RLMObjectType)objectForKeyedSubscript:(RLMKeyType)key;
- (void)setObject:(RLMObjectType)object forKey:(RLMKeyType)key;
- (void)setObject:(RLMObjectType)object forKeyedSubscript:(RLMKeyType)key;
- (void)removeObjectForKey:(RLMKeyType)key;
- (void)removeObjectsForKeys:(NSArray<RLMKeyType> *)keys;
- (void)removeAllObjects;
- (void)enumerateKeysAndObjectsUsingBlock:(void (^)(RLMKeyType key, RLMObjectType object, BOOL *stop))block;
- (void)setDictionary:(id)dictionary;
- (void)addEntriesFromDictionary:(id<NSFastEnumeration>)dictionary;
- (RLMResults<RLMObjectType> *)objectsWhere:(NSString *)predicateFormat, ...;
- (RLMResults<RLMObjectType> *)sortedResultsUsingKeyPath:(NSString *)keyPath ascending:(BOOL)ascending;
- (RLMNotificationToken *)addNotificationBlock:(void (^)(RLMDictionary<RLMKeyType, RLMObjectType> *dictionary,
                                                         RLMDictionaryChange *changes, NSError *error))block;
- (RLMNotificationToken *)addNotificationBlock:(void (^)(RLMDictionary<RLMKeyType, RLMObjectType> *dictionary,
                                                         RLMDictionaryChange *changes, NSError *error))block
                                      keyPaths:(NSArray<NSString *> *)keyPaths;
@end
