// Update: properties, upserts, many objects at once, embedded objects and collections.
#import "Checks.h"

static Dog *dogNamed(RLMRealm *realm, NSString *name) {
  return [Dog objectsInRealm:realm where:@"name == %@", name].firstObject;
}

static void updateProperties(RLMRealm *realm) {
  Dog *rex = dogNamed(realm, @"Rex");
  [realm transactionWithBlock:^{
    rex.age += 1;
    rex[@"color"] = @"grey";
    [rex setValue:@31.5 forKey:@"weight"];
    [rex setValue:@"Rope" forKeyPath:@"favoriteToy.name"];
  }];
  LEFT([Dog objectsInRealm:file where:@"age == 5 AND color == 'grey' AND weight == 31.5"].count == 1);
  LEFT([dogNamed(file, @"Rex").favoriteToy.name isEqual:@"Rope"] && [Toy allObjectsInRealm:file].count == 1);
  [realm transactionWithBlock:^{
    rex.weight = nil;
    rex.color = nil;
  }];
  LEFT(dogNamed(file, @"Rex").weight == nil && dogNamed(file, @"Rex").color == nil);
  REFUSED(@"outside of a write transaction", rex.age = 50);
  REFUSED(@"Dog.name", [realm transactionWithBlock:^{ rex.name = nil; }]);
  REFUSED(@"Invalid value", [realm transactionWithBlock:^{ rex[@"age"] = @"old"; }]);
  LEFT(dogNamed(file, @"Rex").age == 5);
}

static void upsert(RLMRealm *realm) {
  Person *given = AUTORELEASE(([[Person alloc] initWithValue:@{@"_id" : @1, @"name" : @"Annabel"}]));
  [realm transactionWithBlock:^{
    [Person createOrUpdateModifiedInRealm:realm withValue:@{@"_id" : @1, @"name" : @"Anna"}];
  }];
  LEFT([[[Person objectInRealm:file forPrimaryKey:@1] name] isEqual:@"Anna"]);
  LEFT([[Person objectInRealm:file forPrimaryKey:@1] dogs].count == 1);
  [realm transactionWithBlock:^{ [realm addOrUpdateObject:given]; }];
  LEFT([[[Person objectInRealm:file forPrimaryKey:@1] name] isEqual:@"Annabel"]);
  // An object in memory has all properties, also the list that is empty.
  LEFT([[Person objectInRealm:file forPrimaryKey:@1] dogs].count == 0);
  [realm transactionWithBlock:^{
    [realm addOrUpdateObjects:@[ AUTORELEASE(([[Person alloc] initWithValue:@[ @5, @"Eve" ]])) ]];
    [Person createOrUpdateInRealm:realm withValue:@{@"_id" : @1, @"dogs" : @[ dogNamed(realm, @"Rex") ]}];
  }];
  LEFT([Person allObjectsInRealm:file].count == 2);
  LEFT([[[Person objectInRealm:file forPrimaryKey:@1].dogs[0] name] isEqual:@"Rex"]);
  LEFT([[[Person objectInRealm:file forPrimaryKey:@1] name] isEqual:@"Annabel"]);
}

static void updateMany(RLMRealm *realm) {
  [realm transactionWithBlock:^{
    for (int i = 0; i < 4; i++) [Dog createInRealm:realm withValue:@{@"name" : @"Pup", @"age" : @(i)}];
    [[Dog objectsInRealm:realm where:@"name == 'Pup'"] setValue:@"white" forKey:@"color"];
  }];
  LEFT([Dog objectsInRealm:file where:@"color == 'white'"].count == 4);
  // A dog leaves the results while the loop goes through them.
  [realm transactionWithBlock:^{
    for (Dog *dog in [Dog objectsInRealm:realm where:@"color == 'white' AND age < 2"]) dog.color = @"black";
  }];
  LEFT([Dog objectsInRealm:file where:@"color == 'black'"].count == 2);
}

static void updateEmbeddedObjects(RLMRealm *realm) {
  Person *ann = [Person objectInRealm:realm forPrimaryKey:@1];
  [realm transactionWithBlock:^{ ann.address = (id) @{@"street" : @"2 Paw Road", @"city" : @"York"}; }];
  LEFT([[Person objectInRealm:file forPrimaryKey:@1].address.street isEqual:@"2 Paw Road"]);
  [realm transactionWithBlock:^{ ann.address.country = @"UK"; }];
  LEFT([[Person objectInRealm:file forPrimaryKey:@1].address.country isEqual:@"UK"]);
  Address *former = ann.address;
  [realm transactionWithBlock:^{
    ann.address = AUTORELEASE([[Address alloc] initWithValue:@{@"city" : @"Bath"}]);
  }];
  HOLDS(former.invalidated);
  LEFT([[Person objectInRealm:file forPrimaryKey:@1].address.city isEqual:@"Bath"]);
  LEFT([Person objectInRealm:file forPrimaryKey:@1].address.street == nil);
}

static void updateLists(RLMRealm *realm) {
  Dog *rex = dogNamed(realm, @"Rex");
  [realm transactionWithBlock:^{
    rex.toys = (id) @[ @{@"name" : @"a"}, @{@"name" : @"b"}, @{@"name" : @"c"} ];
    [rex.toys addObject:AUTORELEASE([[Toy alloc] initWithValue:@[ @"d" ]])];
    [rex.toys insertObject:AUTORELEASE([[Toy alloc] initWithValue:@[ @"e" ]]) atIndex:0];
  }];
  LEFT([[dogNamed(file, @"Rex").toys valueForKey:@"name"] isEqual:@[ @"e", @"a", @"b", @"c", @"d" ]]);
  [realm transactionWithBlock:^{
    [rex.toys moveObjectAtIndex:0 toIndex:4];
    [rex.toys exchangeObjectAtIndex:0 withObjectAtIndex:1];
    rex.toys[2] = AUTORELEASE([[Toy alloc] initWithValue:@[ @"f" ]]);
  }];
  LEFT([[dogNamed(file, @"Rex").toys valueForKey:@"name"] isEqual:@[ @"b", @"a", @"f", @"d", @"e" ]]);
  [realm transactionWithBlock:^{ [rex.toys setValue:@"same" forKey:@"name"]; }];
  LEFT([[dogNamed(file, @"Rex").toys distinctResultsUsingKeyPaths:@[ @"name" ]] count] == 1);
}

static void updateSetsAndDictionaries(RLMRealm *realm) {
  Dog *rex = dogNamed(realm, @"Rex");
  __block Dog *traveller = nil;
  [realm transactionWithBlock:^{
    traveller = [Dog createInRealm:realm withValue:@{@"name" : @"Io", @"citiesVisited" : @[ @"Oslo", @"Bern" ]}];
    [rex.citiesVisited addObjects:@[ @"Rome", @"Oslo" ]];
    [rex.citiesVisited unionSet:traveller.citiesVisited];
  }];
  RLMSet<NSString *> *others = traveller.citiesVisited;
  LEFT(dogNamed(file, @"Rex").citiesVisited.count == 3);
  [realm transactionWithBlock:^{ [rex.citiesVisited minusSet:others]; }];
  LEFT([dogNamed(file, @"Rex").citiesVisited.allObjects isEqual:@[ @"Rome" ]]);
  [realm transactionWithBlock:^{
    [rex.citiesVisited addObject:@"Bern"];
    [rex.citiesVisited intersectSet:others];
  }];
  LEFT([dogNamed(file, @"Rex").citiesVisited.allObjects isEqual:@[ @"Bern" ]]);
  [realm transactionWithBlock:^{
    rex.parks = (id) @{@"Rome" : @"Villa Ada"};
    rex.parks[@"Rome"] = @"Pincio";
    [rex.parks setObject:@"Frogner" forKey:@"Oslo"];
    [rex.parks addEntriesFromDictionary:@{@"Bern" : @"Rose Garden"}];
  }];
  LEFT(dogNamed(file, @"Rex").parks.count == 3 && [dogNamed(file, @"Rex").parks[@"Rome"] isEqual:@"Pincio"]);
}

static void updateMixedValues(RLMRealm *realm) {
  Dog *rex = dogNamed(realm, @"Rex");
  for (id<RLMValue> value in @[ @"Tom", @5, @2.5, [NSDate dateWithTimeIntervalSince1970:9], [NSUUID UUID] ]) {
    [realm transactionWithBlock:^{ rex.companion = value; }];
    LEFT([dogNamed(file, @"Rex").companion isEqual:value]);
  }
  [realm transactionWithBlock:^{ rex.companion = nil; }];
  LEFT(dogNamed(file, @"Rex").companion == nil);
}

void update(void) {
  RLMRealm *realm = openEmptied();
  [realm transactionWithBlock:^{
    Dog *rex = [Dog createInRealm:realm
                        withValue:@{@"name" : @"Rex", @"age" : @4, @"favoriteToy" : @{@"name" : @"Ball"}}];
    [Person createInRealm:realm withValue:@{@"_id" : @1, @"name" : @"Ann", @"dogs" : @[ rex ]}];
  }];
  updateProperties(realm);
  upsert(realm);
  updateMany(realm);
  updateEmbeddedObjects(realm);
  updateLists(realm);
  updateSetsAndDictionaries(realm);
  updateMixedValues(realm);
}
