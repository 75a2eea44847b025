#import <Realm/RLMConstants.h>

@class RLMMigration;

typedef void (^RLMMigrationBlock)(RLMMigration *migration, uint64_t oldSchemaVersion);
typedef BOOL (^RLMShouldCompactOnLaunchBlock)(NSUInteger totalBytes, NSUInteger bytesUsed);

// Which file to open, and how.
@interface RLMRealmConfiguration : NSObject <NSCopying>
+ (instancetype)defaultConfiguration;
+ (void)setDefaultConfiguration:(RLMRealmConfiguration *)configuration;
@property(nonatomic, copy) NSURL *fileURL;
@property(nonatomic, copy) NSString *inMemoryIdentifier;
@property(nonatomic, copy) NSData *encryptionKey;
@property(nonatomic) BOOL readOnly;
@property(nonatomic) uint64_t schemaVersion;
@property(nonatomic, copy) RLMMigrationBlock migrationBlock;
@property(nonatomic) BOOL deleteRealmIfMigrationNeeded;
@property(nonatomic, copy) RLMShouldCompactOnLaunchBlock shouldCompactOnLaunch;
@property(nonatomic, copy) NSArray *objectClasses;
@property(nonatomic) NSUInteger maximumNumberOfActiveVersions;
@property(nonatomic, copy) NSURL *seedFilePath;
// Whether the classes are those of the file.
@property(nonatomic) BOOL dynamic;
@end
