// Files: configurations, errors, encryption, copies and migrations.
#import "Models.h"
#import "Expectations.h"
#import "Models.inc"

// What was Dog in version 0 of a file.
@interface Hound : RLMObject
@property NSString *fullName;
@property int years;
@property NSString *color;
@end
@implementation Hound
+ (BOOL)shouldIncludeInDefaultSchema {
  return NO;
}
@end

static RLMRealmConfiguration *configurationAt(NSString *name, NSArray *classes) {
  RLMRealmConfiguration *configuration = [RLMRealmConfiguration defaultConfiguration];
  NSString *folder = [[NSFileManager defaultManager] currentDirectoryPath];
  configuration.fileURL = [NSURL fileURLWithPath:[folder stringByAppendingPathComponent:name]];
  configuration.objectClasses = classes;
  return configuration;
}

static void objectsSurviveClosing(void) {
  RLMRealmConfiguration *configuration =
      configurationAt(@"kept.realm", @[ Dog.class, Toy.class, Person.class, Place.class, Club.class ]);
  EXPECT(![RLMRealm fileExistsForConfiguration:configuration]);
  @autoreleasepool {
    RLMRealm *realm = [RLMRealm realmWithConfiguration:configuration error:nil];
    [realm transactionWithBlock:^{ [Dog createInRealm:realm withValue:@{@"name" : @"Rex", @"age" : @4}]; }];
    NSError *error = nil;
    EXPECT(![RLMRealm deleteFilesForConfiguration:configuration error:&error]
           && error.code == RLMErrorAlreadyOpen);
  }
  @autoreleasepool {
    RLMRealm *realm = [RLMRealm realmWithConfiguration:configuration error:nil];
    EXPECT([Dog objectsInRealm:realm where:@"name == 'Rex' AND age == 4"].count == 1);
    NSURL *copy = configurationAt(@"copy.realm", nil).fileURL;
    NSError *error = nil;
    EXPECT([realm writeCopyToURL:copy encryptionKey:nil error:&error]);
    EXPECT(![realm writeCopyToURL:copy encryptionKey:nil error:&error] && error.code == RLMErrorFileExists);
    EXPECT_EQUAL(error.domain, RLMErrorDomain);
  }
  @autoreleasepool {
    RLMRealmConfiguration *dynamic = configurationAt(@"copy.realm", nil);
    dynamic.dynamic = YES;
    RLMRealm *realm = [RLMRealm realmWithConfiguration:dynamic error:nil];
    RLMObject *dog = [[realm objects:@"Dog" where:@"age == 4"] firstObject];
    EXPECT_EQUAL(dog[@"name"], @"Rex");
    EXPECT_THROWS(@"is not managed by the Realm", [realm allObjects:@"Cat"]);
  }
  NSError *error = nil;
  EXPECT([RLMRealm schemaVersionAtURL:configuration.fileURL encryptionKey:nil error:&error] == 0);
  EXPECT([RLMRealm deleteFilesForConfiguration:configuration error:&error]);
  EXPECT(![RLMRealm fileExistsForConfiguration:configuration]);
}

static void failuresAreErrors(void) {
  RLMRealmConfiguration *missing = configurationAt(@"missing.realm", nil);
  missing.readOnly = YES;
  NSError *error = nil;
  EXPECT(![RLMRealm realmWithConfiguration:missing error:&error]);
  EXPECT(error.code == RLMErrorFileNotFound);
  EXPECT([error.localizedDescription rangeOfString:@"No such file or directory"].length > 0);
  EXPECT_THROWS(@"No such file or directory", [RLMRealm realmWithConfiguration:missing error:nil]);
  RLMRealmConfiguration *garbage = configurationAt(@"garbage.realm", nil);
  [[@"no realm" dataUsingEncoding:NSUTF8StringEncoding] writeToURL:garbage.fileURL atomically:YES];
  EXPECT(![RLMRealm realmWithConfiguration:garbage error:&error] && error.code == RLMErrorInvalidDatabase);
  EXPECT_THROWS(@"Encryption key must be exactly 64 bytes long", garbage.encryptionKey = [NSData data]);
  EXPECT_THROWS(@"Realm path must not be empty", garbage.fileURL = [NSURL URLWithString:@""]);
  EXPECT_THROWS(@"Cannot set schema version to", garbage.schemaVersion = RLMNotVersioned);
  EXPECT_THROWS(@"Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.",
                missing.deleteRealmIfMigrationNeeded = YES);
}

static void encryptedFilesNeedTheirKey(void) {
  RLMRealmConfiguration *configuration = configurationAt(@"secret.realm", @[ Toy.class ]);
  NSMutableData *key = [NSMutableData dataWithLength:64];
  memset([key mutableBytes], 7, 64);
  configuration.encryptionKey = key;
  @autoreleasepool {
    RLMRealm *realm = [RLMRealm realmWithConfiguration:configuration error:nil];
    [realm transactionWithBlock:^{ [Toy createInRealm:realm withValue:@[ @"Ball" ]]; }];
    EXPECT_EQUAL([[[Toy allObjectsInRealm:realm] firstObject] name], @"Ball");
  }
  configuration.encryptionKey = nil;
  NSError *error = nil;
  EXPECT(![RLMRealm realmWithConfiguration:configuration error:&error]
         && error.code == RLMErrorInvalidDatabase);
}

static void migrationsMoveObjects(void) {
  RLMRealmConfiguration *old = configurationAt(@"moved.realm", @[ Hound.class ]);
  @autoreleasepool {
    RLMRealm *realm = [RLMRealm realmWithConfiguration:old error:nil];
    [realm transactionWithBlock:^{
      [Hound createInRealm:realm withValue:@[ @"Rex King", @4, @"brown" ]];
      [Hound createInRealm:realm withValue:@[ @"Max Hill", @2, @"black" ]];
    }];
  }
  @autoreleasepool {
    RLMRealmConfiguration *larger =
        configurationAt(@"moved.realm", @[ Dog.class, Toy.class, Person.class, Place.class, Club.class ]);
    larger.schemaVersion = 3;
    __block uint64_t version = 99;
    __block int seen = 0;
    larger.migrationBlock = ^(RLMMigration *migration, uint64_t oldSchemaVersion) {
      version = oldSchemaVersion;
      [migration enumerateObjects:@"Hound"
                            block:^(RLMObject *oldObject, RLMObject *newObject) {
                              seen++;
                              NSString *name =
                                  [[oldObject[@"fullName"] componentsSeparatedByString:@" "] objectAtIndex:0];
                              [migration createObject:@"Dog"
                                            withValue:@{@"name" : name, @"age" : oldObject[@"years"]}];
                            }];
      EXPECT([migration deleteDataForClassName:@"Hound"] && ![migration deleteDataForClassName:@"Cat"]);
      EXPECT(migration.oldSchema[@"Hound"] && migration.newSchema[@"Dog"]);
    };
    NSError *error = nil;
    RLMRealm *realm = [RLMRealm realmWithConfiguration:larger error:&error];
    EXPECT_EQUAL(error, nil);
    EXPECT(version == 0 && seen == 2);
    EXPECT([Dog objectsInRealm:realm where:@"name == 'Rex' AND age == 4"].count == 1 &&
           [Dog allObjectsInRealm:realm].count == 2);
  }
  // An exception leaves the file as it is.
  @autoreleasepool {
    RLMRealmConfiguration *failing =
        configurationAt(@"moved.realm", @[ Dog.class, Toy.class, Person.class, Place.class, Club.class ]);
    failing.schemaVersion = 4;
    failing.migrationBlock = ^(RLMMigration *migration, uint64_t oldSchemaVersion) {
      [migration enumerateObjects:@"Dog"
                            block:^(RLMObject *oldObject, RLMObject *newObject) { newObject[@"age"] = @99; }];
      [migration deleteDataForClassName:@"Toy"];
      [NSException raise:@"Mine" format:@"not today"];
    };
    EXPECT_THROWS(@"not today", [RLMRealm realmWithConfiguration:failing error:nil]);
    failing.migrationBlock = ^(RLMMigration *migration, uint64_t oldSchemaVersion) {
      [migration enumerateObjects:@"Dog"
                            block:^(RLMObject *oldObject, RLMObject *newObject) {
                              EXPECT([oldObject[@"age"] intValue] < 10);
                              newObject[@"age"] = @([oldObject[@"age"] intValue] + 10);
                            }];
    };
    RLMRealm *realm = [RLMRealm realmWithConfiguration:failing error:nil];
    EXPECT([Dog objectsInRealm:realm where:@"age IN {12, 14}"].count == 2);
  }
  // An exception leaves a migration unreleased that ARC has retained: its realms are closed nevertheless.
  EXPECT([RLMRealm deleteFilesForConfiguration:old error:nil]);
}

static void aChangedClassNeedsAMigration(void) {
  RLMRealmConfiguration *configuration = configurationAt(@"changed.realm", @[ Toy.class ]);
  @autoreleasepool {
    [RLMRealm realmWithConfiguration:configuration error:nil];
  }
  RLMRealmConfiguration *same = configurationAt(@"changed.realm", nil);
  NSError *error = nil;
  // Further classes need none.
  @autoreleasepool {
    EXPECT([RLMRealm realmWithConfiguration:same error:&error]);
  }
  __block NSUInteger total = 0;
  same.shouldCompactOnLaunch = ^BOOL(NSUInteger totalBytes, NSUInteger usedBytes) {
    total = totalBytes;
    return YES;
  };
  @autoreleasepool {
    EXPECT([RLMRealm realmWithConfiguration:same error:&error]);
  }
  EXPECT(total > 0);
}

int main(void) {
  @autoreleasepool {
    objectsSurviveClosing();
    failuresAreErrors();
    encryptedFilesNeedTheirKey();
    migrationsMoveObjects();
    aChangedClassNeedsAMigration();
  }
  return failureCount != 0;
}
