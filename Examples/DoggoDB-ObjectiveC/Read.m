// Read: look-ups, queries, orders, aggregates and sections. Nothing that is read changes the file.
#import "Checks.h"

static void fill(RLMRealm *realm) {
  [realm transactionWithBlock:^{
    Dog *rex = [Dog createInRealm:realm
                        withValue:@{
                          @"name" : @"Rex",
                          @"age" : @9,
                          @"weight" : @30,
                          @"favoriteToy" : @{@"name" : @"Stick"},
                          @"citiesVisited" : @[ @"Rome" ],
                          @"parks" : @{@"Rome" : @"Villa Ada"}
                        }];
    Dog *bo = [Dog createInRealm:realm
                       withValue:@{
                         @"name" : @"Bo",
                         @"age" : @2,
                         @"weight" : @12,
                         @"color" : @"black",
                         @"companion" : rex,
                         @"favoriteToy" : @{@"name" : @"Ball"}
                       }];
    [Dog createInRealm:realm withValue:@{@"name" : @"Ada", @"age" : @2, @"companion" : @7}];
    Person *ann = [Person createInRealm:realm
                              withValue:@{
                                @"_id" : @1,
                                @"name" : @"Ann",
                                @"address" : @{@"city" : @"Leeds"},
                                @"dogs" : @[ rex, bo ]
                              }];
    [Person createInRealm:realm withValue:@{@"_id" : @2, @"name" : @"Ben", @"dogs" : @[ bo ]}];
    [DogClub createInRealm:realm withValue:@{@"name" : @"Pals", @"members" : @[ ann ]}];
  }];
}

static void lookUp(RLMRealm *realm) {
  HOLDS([[[Person objectInRealm:realm forPrimaryKey:@2] name] isEqual:@"Ben"]);
  HOLDS([Person objectInRealm:realm forPrimaryKey:@99] == nil);
  HOLDS([Dog allObjectsInRealm:realm].count == 3);
  HOLDS([[realm allObjects:@"Dog"] count] == 3);
  HOLDS([[[realm objectWithClassName:@"Person" forPrimaryKey:@1] valueForKey:@"name"] isEqual:@"Ann"]);
}

static void query(RLMRealm *realm) {
  RLMResults<Dog *> *dogs = [Dog allObjectsInRealm:realm];
  HOLDS([dogs objectsWhere:@"age < %d AND color == %@", 5, @"black"].count == 1);
  HOLDS([dogs objectsWithPredicate:[NSPredicate predicateWithFormat:@"name BEGINSWITH[c] 'r'"]].count == 1);
  HOLDS([dogs objectsWhere:@"age IN {2, 3}"].count == 2);
  HOLDS([dogs objectsWhere:@"age BETWEEN {3, 9}"].count == 1);
  HOLDS([dogs objectsWhere:@"favoriteToy.name == 'Ball'"].count == 1);
  HOLDS([dogs objectsWhere:@"favoriteToy == nil"].count == 1);
  HOLDS([dogs objectsWhere:@"ANY owners.name == 'Ben'"].count == 1);
  HOLDS([dogs objectsWhere:@"owners.@count == 0"].count == 1);
  HOLDS([dogs objectsWhere:@"ANY citiesVisited == 'Rome'"].count == 1);
  HOLDS([dogs objectsWhere:@"parks['Rome'] == 'Villa Ada'"].count == 1);
  HOLDS([dogs objectsWhere:@"companion == 7"].count == 1);
  HOLDS([Person objectsInRealm:realm where:@"address.city == 'Leeds'"].count == 1);
  HOLDS([Person objectsInRealm:realm where:@"dogs.@avg.age > 5"].count == 1);
  HOLDS([Person objectsInRealm:realm where:@"SUBQUERY(dogs, $dog, $dog.age == 2).@count == 1"].count == 2);
  HOLDS([Person objectsInRealm:realm where:@"ANY clubs.name == 'Pals'"].count == 1);
  RLMResults<Dog *> *young = [dogs objectsWhere:@"age == 2"];
  HOLDS([young objectsWhere:@"weight == nil"].count == 1);
  HOLDS([dogs indexOfObject:young.firstObject] == [dogs indexOfObjectWhere:@"name == 'Bo'"]);
  REFUSED(@"'wings' not found", [dogs objectsWhere:@"wings == 2"]);
}

static void order(RLMRealm *realm) {
  RLMResults<Dog *> *dogs = [Dog allObjectsInRealm:realm];
  RLMResults<Dog *> *byName = [dogs sortedResultsUsingKeyPath:@"name" ascending:NO];
  HOLDS([[byName valueForKey:@"name"] isEqual:@[ @"Rex", @"Bo", @"Ada" ]]);
  RLMResults<Dog *> *byBoth = [dogs sortedResultsUsingDescriptors:@[
    [RLMSortDescriptor sortDescriptorWithKeyPath:@"age" ascending:YES],
    [RLMSortDescriptor sortDescriptorWithKeyPath:@"name" ascending:YES]
  ]];
  HOLDS([[byBoth valueForKey:@"name"] isEqual:@[ @"Ada", @"Bo", @"Rex" ]]);
  RLMResults *byToy = [[dogs objectsWhere:@"favoriteToy != nil"] sortedResultsUsingKeyPath:@"favoriteToy.name"
                                                                                 ascending:YES];
  HOLDS([[byToy valueForKey:@"name"] isEqual:@[ @"Bo", @"Rex" ]]);
  HOLDS([dogs distinctResultsUsingKeyPaths:@[ @"age" ]].count == 2);
  NSArray<Dog *> *firstTwo = [byBoth objectsAtIndexes:[NSIndexSet indexSetWithIndexesInRange:NSMakeRange(0, 2)]];
  HOLDS(firstTwo.count == 2 && [firstTwo[1].name isEqual:@"Bo"]);
}

static void aggregate(RLMRealm *realm) {
  RLMResults<Dog *> *dogs = [Dog allObjectsInRealm:realm];
  HOLDS([[dogs sumOfProperty:@"age"] isEqual:@13]);
  HOLDS([[dogs minOfProperty:@"age"] isEqual:@2] && [[dogs maxOfProperty:@"age"] isEqual:@9]);
  HOLDS([[dogs averageOfProperty:@"weight"] isEqual:@21]);
  HOLDS([[[Person objectInRealm:realm forPrimaryKey:@1].dogs sumOfProperty:@"age"] isEqual:@11]);
  HOLDS([[dogs valueForKeyPath:@"@max.age"] isEqual:@9]);
}

static void readValues(RLMRealm *realm) {
  Dog *rex = [Dog objectsInRealm:realm where:@"name == 'Rex'"].firstObject;
  HOLDS([rex.citiesVisited containsObject:@"Rome"] && [rex.parks[@"Rome"] isEqual:@"Villa Ada"]);
  HOLDS(rex.parks[@"Oslo"] == nil && [rex.parks.allKeys isEqual:@[ @"Rome" ]]);
  Dog *bo = [Dog objectsInRealm:realm where:@"name == 'Bo'"].firstObject;
  HOLDS(bo.companion.rlm_valueType == RLMPropertyTypeObject && [(Dog *)bo.companion isEqualToObject:rex]);
  int sum = 0;
  for (Dog *dog in [Dog allObjectsInRealm:realm]) sum += dog.age;
  HOLDS(sum == 13);
  HOLDS([[Person objectInRealm:realm forPrimaryKey:@1].address.city isEqual:@"Leeds"]);
}

static void sections(RLMRealm *realm) {
  RLMSectionedResults *byAge = [[Dog allObjectsInRealm:realm]
      sectionedResultsSortedUsingKeyPath:@"age"
                               ascending:YES
                                keyBlock:^id<RLMValue>(id dog) { return @([dog age]); }];
  HOLDS([byAge.allKeys isEqual:@[ @2, @9 ]]);
  HOLDS([byAge[0] count] == 2 && [[byAge[1][0] name] isEqual:@"Rex"]);
}

void readObjects(void) {
  RLMRealm *realm = openEmptied();
  fill(realm);
  lookUp(realm);
  query(realm);
  order(realm);
  aggregate(realm);
  readValues(realm);
  sections(realm);
  LEFT([Dog allObjectsInRealm:file].count == 3 && [Person allObjectsInRealm:file].count == 2);
}
