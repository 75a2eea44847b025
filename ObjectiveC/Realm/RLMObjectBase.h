#import <Realm/RLMConstants.h>
#import <Realm/RLMThreadSafeReference.h>

@class RLMNotificationToken, RLMObjectBase, RLMObjectSchema, RLMPropertyChange, RLMPropertyDescriptor,
    RLMRealm;

// Called after a transaction that changed or deleted an object.
typedef void (^RLMObjectChangeBlock)(BOOL deleted, NSArray<RLMPropertyChange *> *changes, NSError *error);
typedef void (^RLMObjectNotificationBlock)(RLMObjectBase *object, NSArray<NSString *> *propertyNames,
                                           NSArray *oldValues, NSArray *newValues, NSError *error);

// What RLMObject and RLMEmbeddedObject have in common.
@interface RLMObjectBase : NSObject <RLMThreadConfined>
@property(nonatomic, readonly) RLMRealm *realm;
@property(nonatomic, readonly) RLMObjectSchema *objectSchema;
@property(nonatomic, readonly, getter=isInvalidated) BOOL invalidated;
@property(nonatomic, readonly, getter=isFrozen) BOOL frozen;

// An object that no realm manages yet.
- (instancetype)init;
// An object with values from a dictionary, an array in the order of the properties, or another object.
- (instancetype)initWithValue:(id)value;

+ (NSString *)className;
- (id)objectForKeyedSubscript:(NSString *)key;
- (void)setObject:(id)value forKeyedSubscript:(NSString *)key;
- (BOOL)isEqualToObject:(RLMObjectBase *)object;
// An object of the same row that never changes, for any thread.
- (instancetype)freeze;
// The live object of the same row for this thread; nil if it was deleted.
- (instancetype)thaw;

// MARK: What classes say about themselves

+ (NSString *)primaryKey;
+ (NSArray<NSString *> *)indexedProperties;
+ (NSArray<NSString *> *)requiredProperties;
+ (NSArray<NSString *> *)ignoredProperties;
+ (NSDictionary *)defaultPropertyValues;
+ (NSDictionary<NSString *, RLMPropertyDescriptor *> *)linkingObjectsProperties;
// The names that properties have in the file.
+ (NSDictionary<NSString *, NSString *> *)propertiesMapping;
+ (BOOL)shouldIncludeInDefaultSchema;
+ (RLMObjectSchema *)sharedSchema;
@end

// One property of an object that has changed; also linking objects, when other objects link to it.
// `previousValue` is nil for collections, and when a transaction of this thread has made the change.
@interface RLMPropertyChange : NSObject
@property(nonatomic, readonly) NSString *name;
@property(nonatomic, readonly) id previousValue;
@property(nonatomic, readonly) id value;
@end
