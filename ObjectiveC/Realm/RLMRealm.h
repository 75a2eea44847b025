#import <Realm/RLMConstants.h>
#import <Realm/RLMNotificationToken.h>
#import <Realm/RLMThreadSafeReference.h>

@class RLMObject, RLMObjectBase, RLMRealm, RLMRealmConfiguration, RLMResults<__covariant T>, RLMSchema;

typedef void (^RLMNotificationBlock)(RLMNotification notification, RLMRealm *realm);
typedef unsigned RLMAsyncTransactionId;

// A realm as one thread sees it.
@interface RLMRealm : NSObject
+ (instancetype)defaultRealm;
+ (instancetype)realmWithConfiguration:(RLMRealmConfiguration *)configuration error:(NSError **)error;
+ (instancetype)realmWithURL:(NSURL *)fileURL;
@property(nonatomic, readonly) RLMSchema *schema;
@property(nonatomic, readonly) RLMRealmConfiguration *configuration;
@property(nonatomic, readonly) BOOL inWriteTransaction;
@property(nonatomic, readonly) BOOL isEmpty;
@property(nonatomic, readonly, getter=isFrozen) BOOL frozen;
@property(nonatomic) BOOL autorefresh;

// MARK: Files
+ (BOOL)fileExistsForConfiguration:(RLMRealmConfiguration *)configuration;
+ (BOOL)deleteFilesForConfiguration:(RLMRealmConfiguration *)configuration error:(NSError **)error;
+ (BOOL)performMigrationForConfiguration:(RLMRealmConfiguration *)configuration error:(NSError **)error;
+ (uint64_t)schemaVersionAtURL:(NSURL *)fileURL encryptionKey:(NSData *)key error:(NSError **)error;
- (BOOL)writeCopyToURL:(NSURL *)fileURL encryptionKey:(NSData *)key error:(NSError **)error;
- (BOOL)writeCopyForConfiguration:(RLMRealmConfiguration *)configuration error:(NSError **)error;

// MARK: Write transactions
- (void)beginWriteTransaction;
- (void)beginWriteTransactionWithError:(NSError **)error;
- (void)commitWriteTransaction;
- (BOOL)commitWriteTransaction:(NSError **)error;
- (BOOL)commitWriteTransactionWithoutNotifying:(NSArray<RLMNotificationToken *> *)tokens
                                         error:(NSError **)error;
- (void)cancelWriteTransaction;
- (void)transactionWithBlock:(void (^)(void))block;
- (BOOL)transactionWithBlock:(void (^)(void))block error:(NSError **)error;
- (void)transactionWithoutNotifying:(NSArray<RLMNotificationToken *> *)tokens block:(void (^)(void))block;
- (BOOL)transactionWithoutNotifying:(NSArray<RLMNotificationToken *> *)tokens
                              block:(void (^)(void))block
                              error:(NSError **)error;

// MARK: Asynchronous write transactions, on the run loop of this thread
@property(nonatomic, readonly) BOOL isPerformingAsynchronousWriteOperations;
- (RLMAsyncTransactionId)beginAsyncWriteTransaction:(void (^)(void))block;
// With grouping the commit may become one version with those of the transactions that wait.
- (RLMAsyncTransactionId)commitAsyncWriteTransaction:(void (^)(NSError *error))completionBlock
                                       allowGrouping:(BOOL)allowGrouping;
- (RLMAsyncTransactionId)commitAsyncWriteTransaction:(void (^)(NSError *error))completionBlock;
- (RLMAsyncTransactionId)commitAsyncWriteTransaction;
- (void)cancelAsyncTransaction:(RLMAsyncTransactionId)asyncTransactionId;
- (RLMAsyncTransactionId)asyncTransactionWithBlock:(void (^)(void))block
                                        onComplete:(void (^)(NSError *error))completionBlock;
- (RLMAsyncTransactionId)asyncTransactionWithBlock:(void (^)(void))block;

// MARK: Versions
- (BOOL)refresh;
- (void)invalidate;
- (RLMRealm *)freeze;
- (RLMRealm *)thaw;
- (id)resolveThreadSafeReference:(RLMThreadSafeReference *)reference;

// MARK: Objects
- (void)addObject:(RLMObject *)object;
- (void)addObjects:(id<NSFastEnumeration>)objects;
- (void)addOrUpdateObject:(RLMObject *)object;
- (void)addOrUpdateObjects:(id<NSFastEnumeration>)objects;
- (void)deleteObject:(RLMObjectBase *)object;
- (void)deleteObjects:(id<NSFastEnumeration>)objects;
- (void)deleteAllObjects;
// Objects of a class by its name.
- (RLMResults *)allObjects:(NSString *)className;
- (RLMResults *)objects:(NSString *)className where:(NSString *)predicateFormat, ...;
- (RLMResults *)objects:(NSString *)className withPredicate:(NSPredicate *)predicate;
- (RLMObject *)objectWithClassName:(NSString *)className forPrimaryKey:(id)primaryKey;
- (RLMObject *)createObject:(NSString *)className withValue:(id)value;

// MARK: Notifications
- (RLMNotificationToken *)addNotificationBlock:(RLMNotificationBlock)block;
@end
