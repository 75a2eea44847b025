// Dogs and their owners: a first program with the Objective-C layer. `dogs FOLDER` writes FOLDER/dogs.realm.
#import <Realm/Realm.h>
#include <stdio.h>

@interface Dog : RLMObject
@property NSString *name;
@property NSInteger age;
@property NSNumber<RLMInt> *chip;
@end
RLM_COLLECTION_TYPE(Dog)

@interface Owner : RLMObject
@property NSString *name;
@property RLMArray<Dog *><Dog> *dogs;
@end

@implementation Dog
+ (NSString *)primaryKey {
  return @"name";
}
+ (NSArray<NSString *> *)indexedProperties {
  return @[ @"age" ];
}
@end

@implementation Owner
@end

static void check(BOOL holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "failed: %s\n", what);
  exit(1);
}

int main(int argc, const char *argv[]) {
  @autoreleasepool {
    RLMRealmConfiguration *configuration = [[RLMRealmConfiguration alloc] init];
    NSString *folder = argc > 1 ? @(argv[1]) : @".";
    configuration.fileURL = [NSURL fileURLWithPath:[folder stringByAppendingPathComponent:@"dogs.realm"]];
    configuration.objectClasses = @[ Dog.class, Owner.class ];
    NSError *error = nil;
    RLMRealm *realm = [RLMRealm realmWithConfiguration:configuration error:&error];
    if (!realm) {
      fprintf(stderr, "%s\n", error.localizedDescription.UTF8String);
      return 1;
    }

    [realm transactionWithBlock:^{
      [realm deleteAllObjects];
      Owner *ada = [Owner createInRealm:realm
                              withValue:@{@"name" : @"Ada", @"dogs" : @[ @{@"name" : @"Rex", @"age" : @4} ]}];
      Dog *pluto = [[Dog alloc] initWithValue:@{@"name" : @"Pluto", @"age" : @11, @"chip" : @77}];
      [ada.dogs addObject:pluto];
    }];

    RLMResults<Dog *> *old = [Dog objectsInRealm:realm where:@"age > %d", 10];
    Dog *pluto = old.firstObject;
    check(old.count == 1 && [pluto.name isEqualToString:@"Pluto"], "the query finds Pluto");

    [realm transactionWithBlock:^{
      pluto.age += 1;
    }];
    check([Dog objectInRealm:realm forPrimaryKey:@"Pluto"].age == 12, "Pluto is twelve");

    RLMResults<Dog *> *sorted = [[Dog allObjectsInRealm:realm] sortedResultsUsingKeyPath:@"age" ascending:YES];
    for (Dog *dog in sorted) {
      printf("%s is %ld\n", dog.name.UTF8String, (long)dog.age);
    }

    [realm transactionWithBlock:^{
      [realm deleteObject:pluto];
    }];
    Owner *ada = [Owner allObjectsInRealm:realm].firstObject;
    check(ada.dogs.count == 1 && pluto.isInvalidated, "one dog is left");
  }
  return 0;
}
