// A first program: stores dogs in people.realm in the current folder, and checks what it left there.
#import <Realm/Realm.h>
#include <stdio.h>

@interface Dog : RLMObject
@property NSString *name;
@property int age;
@end
RLM_COLLECTION_TYPE(Dog)

@interface Person : RLMObject
@property NSString *name;
@property RLMArray<Dog *><Dog> *dogs;
@end

@implementation Dog
+ (NSString *)primaryKey {
  return @"name";
}
+ (NSArray *)indexedProperties {
  return @[ @"age" ];
}
@end

@implementation Person
@end

static int failures;

static void expect(BOOL condition, const char *what) {
  if (condition) return;
  failures++;
  printf("Not as expected: %s\n", what);
}

static RLMRealmConfiguration *dogConfiguration(uint64_t version) {
  RLMRealmConfiguration *configuration = [RLMRealmConfiguration defaultConfiguration];
  configuration.fileURL = [NSURL fileURLWithPath:@"people.realm"];
  configuration.objectClasses = @[ Dog.class, Person.class ];
  configuration.schemaVersion = version;
  return configuration;
}

static void writeDogs(RLMRealm *realm) {
  [realm transactionWithBlock:^{
    Dog *rex = [Dog createInRealm:realm withValue:@{@"name" : @"Rex", @"age" : @1}];
    [Dog createInRealm:realm withValue:@{@"name" : @"Max", @"age" : @7}];
    [Person createInRealm:realm withValue:@{@"name" : @"Ann", @"dogs" : @[ rex ]}];
  }];
  RLMResults<Dog *> *young = [Dog objectsInRealm:realm where:@"age < %d", 2];
  for (Dog *dog in young) printf("%s is young\n", dog.name.UTF8String);
  expect(young.count == 1, "one dog is young");
  Dog *max = [Dog objectInRealm:realm forPrimaryKey:@"Max"];
  [realm transactionWithBlock:^{
    max.age = 8;
    [Dog createOrUpdateInRealm:realm withValue:@{@"name" : @"Rex", @"age" : @2}];
  }];
  expect(young.count == 0, "results follow changes");
  [realm transactionWithBlock:^{ [realm deleteObject:max]; }];
}

static void observeDogs(RLMRealm *realm) {
  __block NSUInteger calls = 0, inserted = 0;
  RLMNotificationToken *token = [[Dog allObjectsInRealm:realm]
      addNotificationBlock:^(RLMResults *dogs, RLMCollectionChange *change, NSError *error) {
        calls++;
        inserted += change.insertions.count;
      }];
  NSDate *end = [NSDate dateWithTimeIntervalSinceNow:60];
  while (inserted == 0 && end.timeIntervalSinceNow > 0) {
    [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode
                             beforeDate:[NSDate dateWithTimeIntervalSinceNow:0.05]];
    if (calls == 1 && [Dog allObjectsInRealm:realm].count == 1)
      [realm transactionWithBlock:^{ [Dog createInRealm:realm withValue:@{@"name" : @"Tom", @"age" : @3}]; }];
  }
  [token invalidate];
  expect(inserted == 1, "the observer is notified of Tom");
}

static void migrateDogs(void) {
  RLMRealmConfiguration *configuration = dogConfiguration(1);
  configuration.migrationBlock = ^(RLMMigration *migration, uint64_t oldVersion) {
    [migration enumerateObjects:@"Dog"
                          block:^(RLMObject *oldDog, RLMObject *newDog) {
                            newDog[@"age"] = @([oldDog[@"age"] intValue] + 10);
                          }];
  };
  NSError *error = nil;
  RLMRealm *realm = [RLMRealm realmWithConfiguration:configuration error:&error];
  expect(realm && !error, "the file is migrated");
  Person *ann = [[Person allObjectsInRealm:realm] firstObject];
  expect(ann.dogs.count == 1 && ann.dogs[0].age == 12, "Ann has Rex, who is 12");
  expect([Dog objectInRealm:realm forPrimaryKey:@"Max"] == nil, "Max is deleted");
  expect([Dog objectsInRealm:realm where:@"name == 'Tom' AND age == 13"].count == 1, "Tom is 13");
}

int main(void) {
  @autoreleasepool {
    [RLMRealm deleteFilesForConfiguration:dogConfiguration(0) error:nil];
  }
  @autoreleasepool {
    NSError *error = nil;
    RLMRealm *realm = [RLMRealm realmWithConfiguration:dogConfiguration(0) error:&error];
    if (!realm) {
      fprintf(stderr, "%s\n", error.localizedDescription.UTF8String);
      return 1;
    }
    writeDogs(realm);
    observeDogs(realm);
  }
  @autoreleasepool {
    migrateDogs();
  }
  return failures != 0;
}
