// Relationships: to one, to many, inverse, embedded, and circles of them.
#import "Checks.h"

static void toOne(RLMRealm *realm) {
  [realm transactionWithBlock:^{
    Toy *ball = [Toy createInRealm:realm withValue:@[ @"Ball" ]];
    [Dog createInRealm:realm withValue:@{@"name" : @"Rex", @"favoriteToy" : ball}];
    [Dog createInRealm:realm withValue:@{@"name" : @"Bo", @"favoriteToy" : ball}];
  }];
  LEFT([Toy allObjectsInRealm:file].count == 1);
  LEFT([Dog objectsInRealm:file where:@"favoriteToy.name == 'Ball'"].count == 2);
  LEFT([sortedValues([[Toy allObjectsInRealm:file].firstObject fans], @"name") isEqual:@[ @"Bo", @"Rex" ]]);
  Dog *bo = [Dog objectsInRealm:realm where:@"name == 'Bo'"].firstObject;
  [realm transactionWithBlock:^{ bo.favoriteToy = nil; }];
  LEFT([[Toy allObjectsInRealm:file].firstObject fans].count == 1);
  // Links to a deleted object are nil.
  [realm transactionWithBlock:^{ [realm deleteObjects:[Toy allObjectsInRealm:realm]]; }];
  LEFT([Dog objectsInRealm:file where:@"favoriteToy == nil"].count == 2);
}

static void toMany(RLMRealm *realm) {
  RLMResults<Dog *> *dogs = [Dog allObjectsInRealm:realm];
  [realm transactionWithBlock:^{
    [Person createInRealm:realm withValue:@{@"_id" : @1, @"name" : @"Ann", @"dogs" : dogs}];
    [Person createInRealm:realm withValue:@{@"_id" : @2, @"name" : @"Ben", @"dogs" : @[ dogs[0], dogs[0] ]}];
  }];
  LEFT([[[Person objectInRealm:file forPrimaryKey:@1].dogs valueForKey:@"name"] isEqual:@[ @"Rex", @"Bo" ]]);
  LEFT([Person objectInRealm:file forPrimaryKey:@2].dogs.count == 2);
  // A list that has a dog twice links to it twice.
  LEFT([[Dog objectsInRealm:file where:@"name == 'Rex'"].firstObject owners].count == 3);
  LEFT([Dog objectsInRealm:file where:@"ANY owners._id == 2"].count == 1);
  [realm transactionWithBlock:^{ [realm deleteObject:dogs[0]]; }];
  LEFT([Person objectInRealm:file forPrimaryKey:@2].dogs.count == 0);
  LEFT([Person objectInRealm:file forPrimaryKey:@1].dogs.count == 1);
}

static void inverse(RLMRealm *realm) {
  Person *ann = [Person objectInRealm:realm forPrimaryKey:@1];
  HOLDS(ann.clubs.count == 0);
  [realm transactionWithBlock:^{
    [DogClub createInRealm:realm withValue:@{@"name" : @"Pals", @"members" : @[ ann ]}];
    [DogClub createInRealm:realm withValue:@{@"name" : @"Chums", @"members" : @[ ann ]}];
  }];
  HOLDS(ann.clubs.count == 2);
  LEFT([sortedValues([Person objectInRealm:file forPrimaryKey:@1].clubs, @"name") isEqual:@[ @"Chums", @"Pals" ]]);
  LEFT([Dog objectsInRealm:file where:@"ANY owners.clubs.name == 'Chums'"].count == 1);
  [realm transactionWithBlock:^{ [realm deleteObjects:[ann.clubs objectsWhere:@"name == 'Chums'"]]; }];
  LEFT([[[Person objectInRealm:file forPrimaryKey:@1].clubs.firstObject name] isEqual:@"Pals"]);
}

static void embedded(RLMRealm *realm) {
  [realm transactionWithBlock:^{
    Person *ann = [Person objectInRealm:realm forPrimaryKey:@1];
    ann.address = AUTORELEASE([[Address alloc] initWithValue:@{@"city" : @"Leeds"}]);
    DogClub *pals = [DogClub objectInRealm:realm forPrimaryKey:@"Pals"];
    [pals.offices addObject:AUTORELEASE([[Address alloc] initWithValue:@{@"city" : @"Hull"}])];
  }];
  LEFT([[file allObjects:@"Address"] count] == 2);
  LEFT([DogClub objectsInRealm:file where:@"ANY offices.city == 'Hull'"].count == 1);
  Address *home = [Person objectInRealm:realm forPrimaryKey:@1].address;
  // An embedded object belongs to one other object.
  REFUSED(@"existing managed embedded object",
          [realm transactionWithBlock:^{ [Person objectInRealm:realm forPrimaryKey:@2].address = home; }]);
  LEFT([Person objectInRealm:file forPrimaryKey:@2].address == nil);
  [realm transactionWithBlock:^{ [realm deleteObject:[Person objectInRealm:realm forPrimaryKey:@1]]; }];
  HOLDS(home.invalidated);
  LEFT([[file allObjects:@"Address"] count] == 1);
  LEFT([DogClub objectInRealm:file forPrimaryKey:@"Pals"].members.count == 0);
}

static void circles(RLMRealm *realm) {
  Dog *yin = AUTORELEASE([[Dog alloc] initWithValue:@{@"name" : @"Yin"}]);
  Dog *yang = AUTORELEASE([[Dog alloc] initWithValue:@{@"name" : @"Yang"}]);
  [realm transactionWithBlock:^{
    [realm addObjects:@[ yin, yang ]];
    yin.companion = yang;
    yang.companion = yin;
  }];
  LEFT([[(Dog *)[(Dog *)[[Dog objectsInRealm:file where:@"name == 'Yin'"].firstObject companion] companion] name]
      isEqual:@"Yin"]);
  [realm transactionWithBlock:^{ [realm deleteObject:yang]; }];
  LEFT([[Dog objectsInRealm:file where:@"name == 'Yin'"].firstObject companion] == nil);
}

void relationships(void) {
  RLMRealm *realm = openEmptied();
  toOne(realm);
  toMany(realm);
  inverse(realm);
  embedded(realm);
  circles(realm);
}
