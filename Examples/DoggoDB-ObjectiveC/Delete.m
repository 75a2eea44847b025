// Delete: one object, several, what an object owns, elements of collections, and everything.
#import "Checks.h"

static void fill(RLMRealm *realm) {
  [realm transactionWithBlock:^{
    Dog *rex = [Dog createInRealm:realm
                        withValue:@{
                          @"name" : @"Rex",
                          @"age" : @9,
                          @"toys" : @[ @{@"name" : @"Ball"}, @{@"name" : @"Bone"} ],
                          @"citiesVisited" : @[ @"Rome", @"Oslo" ],
                          @"parks" : @{@"Rome" : @"Pincio", @"Oslo" : @"Frogner", @"Bern" : @"Rose Garden"}
                        }];
    for (int i = 0; i < 6; i++) [Dog createInRealm:realm withValue:@{@"name" : @"Pup", @"age" : @(i)}];
    Person *ann = [Person createInRealm:realm
                              withValue:@{
                                @"_id" : @1,
                                @"name" : @"Ann",
                                @"address" : @{@"city" : @"Leeds"},
                                @"dogs" : @[ rex ]
                              }];
    [DogClub createInRealm:realm
                 withValue:@{
                   @"name" : @"Pals",
                   @"members" : @[ ann ],
                   @"offices" : @[ @{@"city" : @"Leeds"}, @{@"city" : @"Hull"} ]
                 }];
  }];
}

static void deleteElements(RLMRealm *realm) {
  Dog *rex = [Dog objectsInRealm:realm where:@"name == 'Rex'"].firstObject;
  [realm transactionWithBlock:^{
    [rex.citiesVisited removeObject:@"Rome"];
    [rex.parks removeObjectForKey:@"Rome"];
    rex.parks[@"Oslo"] = nil;
    [rex.toys removeObjectAtIndex:0];
  }];
  LEFT([[[Dog objectsInRealm:file where:@"name == 'Rex'"].firstObject citiesVisited].allObjects
      isEqual:@[ @"Oslo" ]]);
  LEFT([[[Dog objectsInRealm:file where:@"name == 'Rex'"].firstObject parks].allKeys isEqual:@[ @"Bern" ]]);
  // A toy that is removed from the list is still in the file.
  LEFT([[[Dog objectsInRealm:file where:@"name == 'Rex'"].firstObject toys] count] == 1);
  LEFT([Toy allObjectsInRealm:file].count == 2);
  [realm transactionWithBlock:^{
    [rex.toys removeAllObjects];
    [rex.citiesVisited removeAllObjects];
    [rex.parks removeAllObjects];
  }];
  LEFT([Dog objectsInRealm:file where:@"name == 'Rex' AND toys.@count == 0 AND parks.@count == 0"].count == 1);
}

static void deleteEmbeddedObjects(RLMRealm *realm) {
  Person *ann = [Person objectInRealm:realm forPrimaryKey:@1];
  DogClub *pals = [DogClub objectInRealm:realm forPrimaryKey:@"Pals"];
  Address *home = ann.address;
  [realm transactionWithBlock:^{
    ann.address = nil;
    [pals.offices removeLastObject];
  }];
  HOLDS(home.invalidated);
  LEFT([Person objectInRealm:file forPrimaryKey:@1].address == nil);
  LEFT([[[DogClub objectInRealm:file forPrimaryKey:@"Pals"].offices valueForKey:@"city"] isEqual:@[ @"Leeds" ]]);
  Address *office = pals.offices[0];
  [realm transactionWithBlock:^{ [realm deleteObject:pals]; }];
  HOLDS(office.invalidated);
  LEFT([DogClub allObjectsInRealm:file].count == 0 && [[file allObjects:@"Address"] count] == 0);
}

static void deleteObjects(RLMRealm *realm) {
  Dog *rex = [Dog objectsInRealm:realm where:@"name == 'Rex'"].firstObject;
  REFUSED(@"write transaction", [realm deleteObject:rex]);
  [realm transactionWithBlock:^{
    rex.toys = (id)[Toy allObjectsInRealm:realm];
    // The toys first: links are followed while the dog exists.
    [realm deleteObjects:rex.toys];
    [realm deleteObject:rex];
  }];
  HOLDS(rex.invalidated);
  REFUSED(@"deleted or invalidated", (void)rex.name);
  LEFT([Toy allObjectsInRealm:file].count == 0 && [Dog objectsInRealm:file where:@"name == 'Rex'"].count == 0);
  LEFT([Person objectInRealm:file forPrimaryKey:@1].dogs.count == 0);
  [realm transactionWithBlock:^{ [realm deleteObjects:[Dog objectsInRealm:realm where:@"age < 2"]]; }];
  LEFT([sortedValues([Dog allObjectsInRealm:file], @"age") isEqual:@[ @2, @3, @4, @5 ]]);
  [realm transactionWithBlock:^{
    [realm deleteObjects:@[ [Dog objectsInRealm:realm where:@"age == 4"].firstObject ]];
  }];
  LEFT([sortedValues([Dog allObjectsInRealm:file], @"age") isEqual:@[ @2, @3, @5 ]]);
  [realm transactionWithBlock:^{ [realm deleteObjects:[Dog allObjectsInRealm:realm]]; }];
  LEFT([Dog allObjectsInRealm:file].count == 0 && [Person allObjectsInRealm:file].count == 1);
}

static void deleteFiles(void) {
  RLMRealmConfiguration *configuration = configurationOf(@"deleted.realm");
  @autoreleasepool {
    RLMRealm *realm = [RLMRealm realmWithConfiguration:configuration error:nil];
    [realm transactionWithBlock:^{ [Toy createInRealm:realm withValue:@[ @"Ball" ]]; }];
    NSError *error = nil;
    HOLDS(![RLMRealm deleteFilesForConfiguration:configuration error:&error]);
    HOLDS(error.code == RLMErrorAlreadyOpen && [RLMRealm fileExistsForConfiguration:configuration]);
  }
  HOLDS([RLMRealm deleteFilesForConfiguration:configuration error:nil]);
  HOLDS(![RLMRealm fileExistsForConfiguration:configuration]);
}

void delete(void) {
  RLMRealm *realm = openEmptied();
  fill(realm);
  deleteElements(realm);
  deleteEmbeddedObjects(realm);
  deleteObjects(realm);
  [realm transactionWithBlock:^{ [realm deleteAllObjects]; }];
  LEFT(file.isEmpty && [Person allObjectsInRealm:file].count == 0);
  deleteFiles();
}
