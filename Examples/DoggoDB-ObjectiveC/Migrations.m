// Migrations: the file of Version1 is moved to the present classes, with a primary key, a renamed property, a
// property of another type, an embedded object from a text, and without the class Cat.
#import "Checks.h"

static RLMRealmConfiguration *copyOfVersion1(NSString *name) {
  RLMRealmConfiguration *configuration = configurationOf(name);
  [RLMRealm deleteFilesForConfiguration:configuration error:nil];
  NSString *source = [folder stringByAppendingPathComponent:@"version1.realm"];
  HOLDS([[NSFileManager defaultManager] copyItemAtPath:source toPath:configuration.fileURL.path error:NULL]);
  return configuration;
}

// One step for each version, so that a file of any earlier release is moved.
static RLMMigrationBlock steps(void) {
  RLMMigrationBlock block = ^(RLMMigration *migration, uint64_t oldSchemaVersion) {
    if (oldSchemaVersion < 2) {
      [migration renamePropertyForClass:@"Dog" oldName:@"years" newName:@"age"];
      [migration enumerateObjects:@"Dog"
                            block:^(RLMObject *oldObject, RLMObject *newObject) {
                              newObject[@"weight"] = @([oldObject[@"weight"] doubleValue]);
                              if ([oldObject[@"breed"] isEqual:@"Poodle"]) newObject[@"color"] = @"white";
                            }];
    }
    if (oldSchemaVersion < 3) {
      __block int next = 1;
      [migration enumerateObjects:@"Person"
                            block:^(RLMObject *oldObject, RLMObject *newObject) {
                              newObject[@"_id"] = @(next++);
                              newObject[@"name"] = [NSString
                                  stringWithFormat:@"%@ %@", oldObject[@"firstName"], oldObject[@"lastName"]];
                              newObject[@"address"] = @{@"city" : oldObject[@"city"]};
                            }];
      [migration enumerateObjects:@"Cat"
                            block:^(RLMObject *oldObject, RLMObject *newObject) {
                              [migration createObject:@"Toy" withValue:@{@"name" : oldObject[@"name"]}];
                            }];
      [migration deleteDataForClassName:@"Cat"];
    }
    if (oldSchemaVersion < 4)
      [migration enumerateObjects:@"Dog"
                            block:^(RLMObject *oldObject, RLMObject *newObject) {
                              if ([newObject[@"age"] intValue] < 3) [migration deleteObject:newObject];
                            }];
  };
  return AUTORELEASE([block copy]);
}

static void checkMigrated(RLMRealm *realm) {
  Person *ann = [Person objectsInRealm:realm where:@"name == 'Ann Hill'"].firstObject;
  HOLDS(ann && ann._id > 0 && [ann.address.city isEqual:@"Leeds"]);
  HOLDS(ann.dogs.count == 1 && ann.dogs[0].age == 4 && [ann.dogs[0].weight isEqual:@30.0]);
  HOLDS([Person objectsInRealm:realm where:@"name == 'Ben Dale' AND address.city == 'York'"].count == 1);
  HOLDS([[[Toy allObjectsInRealm:realm].firstObject name] isEqual:@"Tom"]);
  HOLDS([Dog allObjectsInRealm:realm].count == 1);
}

static void migrateOnOpening(void) {
  RLMRealmConfiguration *configuration = copyOfVersion1(@"migrated.realm");
  NSError *error = nil;
  HOLDS([RLMRealm schemaVersionAtURL:configuration.fileURL encryptionKey:nil error:nil] == 1);
  // A changed class is refused while the version is that of the file.
  configuration.schemaVersion = 1;
  HOLDS(![RLMRealm realmWithConfiguration:configuration error:&error] && error != nil);
  configuration.schemaVersion = 4;
  configuration.migrationBlock = steps();
  @autoreleasepool {
    RLMRealm *realm = [RLMRealm realmWithConfiguration:configuration error:&error];
    HOLDS(realm != nil);
    if (realm) checkMigrated(realm);
  }
  HOLDS([RLMRealm schemaVersionAtURL:configuration.fileURL encryptionKey:nil error:nil] == 4);
  // What the migration left in the file, without the classes of this program.
  @autoreleasepool {
    RLMRealmConfiguration *dynamic = [RLMRealmConfiguration defaultConfiguration];
    dynamic.fileURL = configuration.fileURL;
    dynamic.schemaVersion = 4;
    dynamic.dynamic = YES;
    RLMRealm *realm = [RLMRealm realmWithConfiguration:dynamic error:nil];
    HOLDS([realm.schema schemaForClassName:@"Cat"] == nil);
    HOLDS([[realm objects:@"Dog" where:@"age == 4"] count] == 1);
    HOLDS([realm.schema[@"Person"].primaryKeyProperty.name isEqual:@"_id"]);
  }
  // An older program is refused.
  configuration.schemaVersion = 3;
  HOLDS(![RLMRealm realmWithConfiguration:configuration error:&error] && error != nil);
  HOLDS([RLMRealm deleteFilesForConfiguration:configuration error:nil]);
}

static void migrateWithoutOpening(void) {
  RLMRealmConfiguration *configuration = copyOfVersion1(@"performed.realm");
  configuration.schemaVersion = 4;
  configuration.migrationBlock = steps();
  NSError *error = nil;
  HOLDS([RLMRealm performMigrationForConfiguration:configuration error:&error]);
  configuration.migrationBlock = nil;
  @autoreleasepool {
    checkMigrated([RLMRealm realmWithConfiguration:configuration error:nil]);
  }
  HOLDS([RLMRealm deleteFilesForConfiguration:configuration error:nil]);
}

static void exceptionsLeaveTheFile(void) {
  RLMRealmConfiguration *configuration = copyOfVersion1(@"failed.realm");
  configuration.schemaVersion = 4;
  configuration.migrationBlock = ^(RLMMigration *migration, uint64_t oldSchemaVersion) {
    [migration deleteDataForClassName:@"Cat"];
    [NSException raise:@"DoggoDB" format:@"not today"];
  };
  REFUSED(@"not today", [RLMRealm realmWithConfiguration:configuration error:nil]);
  HOLDS([RLMRealm schemaVersionAtURL:configuration.fileURL encryptionKey:nil error:nil] == 1);
  @autoreleasepool {
    RLMRealmConfiguration *dynamic = [RLMRealmConfiguration defaultConfiguration];
    dynamic.fileURL = configuration.fileURL;
    dynamic.schemaVersion = 1;
    dynamic.dynamic = YES;
    HOLDS([[[RLMRealm realmWithConfiguration:dynamic error:nil] allObjects:@"Cat"] count] == 1);
  }
  HOLDS([RLMRealm deleteFilesForConfiguration:configuration error:nil]);
}

static void deleteInsteadOfMigrating(void) {
  RLMRealmConfiguration *configuration = copyOfVersion1(@"renewed.realm");
  configuration.deleteRealmIfMigrationNeeded = YES;
  @autoreleasepool {
    RLMRealm *realm = [RLMRealm realmWithConfiguration:configuration error:nil];
    HOLDS(realm.isEmpty && realm.schema[@"Person"][@"address"] != nil);
  }
  configuration.deleteRealmIfMigrationNeeded = NO;
  HOLDS([RLMRealm deleteFilesForConfiguration:configuration error:nil]);
}

static void furtherClassesNeedNoMigration(void) {
  RLMRealmConfiguration *smaller = configurationOf(@"larger.realm"), *larger = configurationOf(@"larger.realm");
  // Inverse relationships name the class that they come from, which has to be there.
  smaller.objectClasses = @[ Toy.class ];
  @autoreleasepool {
    REFUSED(@"unknown object type 'Dog'", [RLMRealm realmWithConfiguration:smaller error:nil]);
  }
  smaller.objectClasses = @[ Address.class ];
  @autoreleasepool {
    RLMRealm *realm = [RLMRealm realmWithConfiguration:smaller error:nil];
    HOLDS([realm.schema schemaForClassName:@"DogClub"] == nil);
  }
  @autoreleasepool {
    RLMRealm *realm = [RLMRealm realmWithConfiguration:larger error:nil];
    HOLDS(realm.schema[@"DogClub"] != nil);
  }
  HOLDS([RLMRealm deleteFilesForConfiguration:larger error:nil]);
}

void migrations(void) {
  migrateOnOpening();
  migrateWithoutOpening();
  exceptionsLeaveTheFile();
  deleteInsteadOfMigrating();
  furtherClassesNeedNoMigration();
}
