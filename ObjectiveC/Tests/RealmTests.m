// Realms: versions, threads, classes by name, and transactions that skip observers.
#import "Models.h"
#import "Expectations.h"
#import "Models.inc"

static void otherThreadsSeeCommits(void) {
  RLMRealm *realm = realmInMemory(@"threads");
  realm.autorefresh = NO;
  EXPECT(!realm.autorefresh);
  RLMResults *dogs = [Dog allObjectsInRealm:realm];
  EXPECT(dogs.count == 0);
  NSOperationQueue *queue = AUTORELEASE([[NSOperationQueue alloc] init]);
  [queue addOperationWithBlock:^{
    @autoreleasepool {
      RLMRealm *other = realmInMemory(@"threads");
      [other transactionWithBlock:^{ [Dog createInRealm:other withValue:@{@"age" : @1}]; }];
    }
  }];
  [queue waitUntilAllOperationsAreFinished];
  EXPECT(dogs.count == 0);
  EXPECT([realm refresh] && dogs.count == 1 && ![realm refresh]);
}

static void manyThreadsWrite(void) {
  enum { threads = 4, rounds = 50 };
  RLMRealm *realm = realmInMemory(@"writers");
  [realm transactionWithBlock:^{ [Person createInRealm:realm withValue:@{@"_id" : @1}]; }];
  NSOperationQueue *queue = AUTORELEASE([[NSOperationQueue alloc] init]);
  [queue setMaxConcurrentOperationCount:threads];
  for (int thread = 0; thread < threads; thread++)
    [queue addOperationWithBlock:^{
      for (int round = 0; round < rounds; round++)
        @autoreleasepool {
          RLMRealm *own = realmInMemory(@"writers");
          [own transactionWithBlock:^{
            Person *person = [Person objectInRealm:own forPrimaryKey:@1];
            [person.dogs addObject:AUTORELEASE([[Dog alloc] initWithValue:@{@"age" : @(round)}])];
          }];
        }
    }];
  [queue waitUntilAllOperationsAreFinished];
  [realm refresh];
  EXPECT([[Person objectInRealm:realm forPrimaryKey:@1] dogs].count == threads * rounds);
  EXPECT([Dog allObjectsInRealm:realm].count == threads * rounds);
}

static void classesAreFoundByName(void) {
  RLMRealm *realm = realmInMemory(@"names");
  [realm transactionWithBlock:^{
    [realm createObject:@"Person" withValue:@{@"_id" : @3, @"name" : @"Kim"}];
  }];
  EXPECT_EQUAL([realm objectWithClassName:@"Person" forPrimaryKey:@3][@"name"], @"Kim");
  EXPECT([realm objects:@"Person" where:@"name == %@", @"Kim"].count == 1);
  EXPECT([realm objects:@"Person" withPredicate:[NSPredicate predicateWithFormat:@"_id == 3"]].count == 1);
  EXPECT_THROWS(@"is not managed by the Realm", [realm allObjects:@"Cat"]);
  RLMObjectSchema *person = realm.schema[@"Person"];
  EXPECT_EQUAL(person.primaryKeyProperty.name, @"_id");
  EXPECT(person[@"dogs"].array && person[@"hobbies"].set && person[@"scores"].dictionary);
  EXPECT_EQUAL(person[@"dogs"].objectClassName, @"Dog");
  EXPECT(person[@"scores"].type == RLMPropertyTypeInt && realm.schema[@"Place"].isEmbedded);
  EXPECT([[RLMSchema sharedSchema] isEqualToSchema:realm.schema]);
  NSMutableArray *order = [NSMutableArray array];
  for (RLMProperty *property in realm.schema[@"Toy"].properties)
    [order addObject:property.name];
  EXPECT_EQUAL(order, @[ @"name" ]);
}

static void commitsSkipObservers(void) {
  RLMRealm *realm = realmInMemory(@"skipped");
  __block int calls = 0;
  RLMResults *dogs = [Dog allObjectsInRealm:realm];
  RLMNotificationToken *token = [dogs
      addNotificationBlock:^(RLMResults *results, RLMCollectionChange *change, NSError *error) { calls++; }];
  for (int i = 0; i < 200 && calls == 0; i++)
    [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode
                             beforeDate:[NSDate dateWithTimeIntervalSinceNow:0.05]];
  EXPECT(calls == 1);
  NSError *error = nil;
  EXPECT([realm transactionWithoutNotifying:@[ token ]
                                      block:^{
                                        [Dog createInRealm:realm withValue:@{@"age" : @1}];
                                      }
                                      error:&error]);
  EXPECT(error == nil);
  [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode
                           beforeDate:[NSDate dateWithTimeIntervalSinceNow:0.1]];
  EXPECT(calls == 1);
  [realm beginWriteTransaction];
  EXPECT_THROWS(@"Incorrect Realm", [realmInMemory(@"other") commitWriteTransactionWithoutNotifying:@[ token ]
                                                                                              error:nil]);
  [realm cancelWriteTransaction];
  [token invalidate];
}

static void invalidatedRealmsGoOn(void) {
  RLMRealm *realm = realmInMemory(@"invalidated");
  [realm transactionWithBlock:^{ [Dog createInRealm:realm withValue:@{@"age" : @1}]; }];
  [realm invalidate];
  EXPECT([Dog allObjectsInRealm:realm].count == 1);
  RLMRealm *frozen = [realm freeze];
  EXPECT(frozen.frozen && [frozen freeze] == frozen && [[frozen thaw] isEqual:realm]);
  EXPECT(![frozen refresh]);
}

static RLMRealm *realmOfClasses(NSArray *classes, NSError **error) {
  RLMRealmConfiguration *configuration = [RLMRealmConfiguration defaultConfiguration];
  configuration.inMemoryIdentifier = @"listed";
  configuration.objectClasses = classes;
  return [RLMRealm realmWithConfiguration:configuration error:error];
}

static RLMRealm *realmWithListedClasses(void) {
  return realmOfClasses(@[ Dog.class, Toy.class, Person.class, Place.class, Club.class ], NULL);
}

static void configurationsWithTheSameClassesShareARealm(void) {
  RLMRealm *realm = realmWithListedClasses();
  EXPECT(realmWithListedClasses() == realm);
  // Some of the classes are a realm of their own; other classes are refused while this one is open.
  RLMRealm *some = realmOfClasses(@[ Toy.class ], NULL);
  EXPECT(some && some != realm);
  NSError *error = nil;
  EXPECT(realmOfClasses(@[ Everything.class ], &error) == nil && error != nil);
  __block Dog *dog;
  [realm transactionWithBlock:^{ dog = [Dog createInRealm:realm withValue:@{@"age" : @4}]; }];
  RLMThreadSafeReference *reference = [RLMThreadSafeReference referenceWithThreadConfined:dog];
  __block int age = 0;
  NSOperationQueue *queue = AUTORELEASE([[NSOperationQueue alloc] init]);
  [queue addOperationWithBlock:^{
    @autoreleasepool {
      age = [[realmWithListedClasses() resolveThreadSafeReference:reference] age];
    }
  }];
  [queue waitUntilAllOperationsAreFinished];
  EXPECT(age == 4);
}

int main(void) {
  @autoreleasepool {
    otherThreadsSeeCommits();
    manyThreadsWrite();
    classesAreFoundByName();
    commitsSkipObservers();
    invalidatedRealmsGoOn();
    configurationsWithTheSameClassesShareARealm();
  }
  return failureCount != 0;
}
