// Create: objects with and without primary keys, with links, embedded objects and collections.
#import "Checks.h"

static void createOneObject(RLMRealm *realm) {
  Dog *rex = AUTORELEASE([[Dog alloc] init]);
  rex.name = @"Rex";
  rex.age = 3;
  rex.selected = YES;
  HOLDS(rex.realm == nil && [rex.color isEqual:@"brown"]);
  [realm transactionWithBlock:^{ [realm addObject:rex]; }];
  HOLDS(rex.realm == realm && rex.selected);
  LEFT([Dog objectsInRealm:file where:@"name == 'Rex' AND age == 3 AND color == 'brown'"].count == 1);
  LEFT(![[Dog allObjectsInRealm:file].firstObject selected]);
}

static void createFromValues(RLMRealm *realm) {
  Dog *fromDictionary = AUTORELEASE(([[Dog alloc] initWithValue:@{@"name" : @"Milo", @"age" : @1}]));
  Dog *fromArray = AUTORELEASE(([[Dog alloc] initWithValue:@[ @"Lola", @2, @"white", @7.5 ]]));
  [realm transactionWithBlock:^{
    [realm addObjects:@[ fromDictionary, fromArray ]];
    [Dog createInRealm:realm withValue:@{@"name" : @"Otto", @"color" : NSNull.null}];
    [Dog createInRealm:realm withValue:fromArray];
  }];
  LEFT([Dog objectsInRealm:file where:@"name == 'Milo' AND age == 1 AND weight == nil"].count == 1);
  LEFT([Dog objectsInRealm:file where:@"name == 'Lola' AND color == 'white' AND weight == 7.5"].count == 2);
  LEFT([Dog objectsInRealm:file where:@"name == 'Otto' AND age == 0 AND color == nil"].count == 1);
}

static void createWithAPrimaryKey(RLMRealm *realm) {
  [realm transactionWithBlock:^{
    [Person createInRealm:realm withValue:@{@"_id" : @1, @"name" : @"Ann"}];
    [Person createOrUpdateInRealm:realm withValue:@{@"_id" : @1, @"name" : @"Anna"}];
    [Person createOrUpdateInRealm:realm withValue:@{@"_id" : @2, @"name" : @"Ben"}];
  }];
  LEFT([Person allObjectsInRealm:file].count == 2);
  LEFT([[[Person objectInRealm:file forPrimaryKey:@1] name] isEqual:@"Anna"]);
  REFUSED(@"existing primary key value '1'", [realm transactionWithBlock:^{
            [Person createInRealm:realm withValue:@{@"_id" : @1, @"name" : @"Impostor"}];
          }]);
  LEFT([Person objectsInRealm:file where:@"name == 'Impostor'"].count == 0);
}

static void createLinksAndEmbeddedObjects(RLMRealm *realm) {
  Address *home = AUTORELEASE(([[Address alloc] initWithValue:@[ @"1 Bark Lane", @"Leeds", @"UK" ]]));
  Person *cleo = AUTORELEASE(([[Person alloc] initWithValue:@{@"_id" : @3, @"name" : @"Cleo"}]));
  cleo.address = home;
  Dog *fido = AUTORELEASE([[Dog alloc] initWithValue:@{@"name" : @"Fido"}]);
  fido.favoriteToy = AUTORELEASE([[Toy alloc] initWithValue:@{@"name" : @"Rubber duck"}]);
  [cleo.dogs addObject:fido];
  [realm transactionWithBlock:^{
    [realm addObject:cleo];
    [Person createInRealm:realm
                withValue:@{
                  @"_id" : @4,
                  @"name" : @"Dan",
                  @"address" : @{@"city" : @"York"},
                  @"dogs" : @[ fido, @{@"name" : @"Gigi", @"toys" : @[ @{@"name" : @"Ball"} ]} ]
                }];
    [DogClub createInRealm:realm
                 withValue:@{
                   @"name" : @"Pals",
                   @"members" : @[ cleo ],
                   @"offices" : @[ @{@"city" : @"Leeds"}, @{@"city" : @"Hull"} ]
                 }];
  }];
  LEFT([[[Person objectInRealm:file forPrimaryKey:@3] address].street isEqual:@"1 Bark Lane"]);
  LEFT([Person objectsInRealm:file where:@"ANY dogs.favoriteToy.name == 'Rubber duck'"].count == 2);
  LEFT([Dog objectsInRealm:file where:@"name == 'Fido'"].count == 1);
  LEFT([[[Person objectInRealm:file forPrimaryKey:@4] dogs][1].toys[0].name isEqual:@"Ball"]);
  LEFT([[DogClub objectInRealm:file forPrimaryKey:@"Pals"] offices].count == 2);
  LEFT([[[[DogClub objectInRealm:file forPrimaryKey:@"Pals"] members] firstObject] _id] == 3);
}

static void createCollectionsAndMixedValues(RLMRealm *realm) {
  NSString *key = [@"St. Ives" stringByReplacingOccurrencesOfString:@"." withString:@"%2E"];
  [realm transactionWithBlock:^{
    Dog *hugo = [Dog createInRealm:realm
                         withValue:@{
                           @"name" : @"Hugo",
                           @"citiesVisited" : @[ @"Rome", @"Oslo", @"Rome" ],
                           @"parks" : @{@"Rome" : @"Villa Ada", @"Oslo" : @"Frogner"},
                           @"companion" : @"Tom the cat"
                         }];
    hugo.parks[key] = @"Trenwith";
    Dog *ida = [Dog createInRealm:realm withValue:@{@"name" : @"Ida"}];
    ida.companion = hugo;
  }];
  LEFT([[[Dog objectsInRealm:file where:@"name == 'Hugo'"].firstObject citiesVisited] count] == 2);
  LEFT([[[Dog objectsInRealm:file where:@"name == 'Hugo'"].firstObject parks][key] isEqual:@"Trenwith"]);
  LEFT([[[Dog objectsInRealm:file where:@"name == 'Hugo'"].firstObject companion] isEqual:@"Tom the cat"]);
  LEFT([[(Dog *)[[Dog objectsInRealm:file where:@"name == 'Ida'"].firstObject companion] name] isEqual:@"Hugo"]);
}

static void copyToAnotherRealm(RLMRealm *realm) {
  RLMRealmConfiguration *memory = configurationOf(@"");
  memory.inMemoryIdentifier = @"copies";
  RLMRealm *other = [RLMRealm realmWithConfiguration:memory error:nil];
  Person *cleo = [Person objectInRealm:realm forPrimaryKey:@3];
  [other transactionWithBlock:^{ [Person createInRealm:other withValue:cleo]; }];
  Person *copy = [Person objectInRealm:other forPrimaryKey:@3];
  HOLDS([copy.address.city isEqual:@"Leeds"] && [[copy.dogs[0] favoriteToy].name isEqual:@"Rubber duck"]);
  REFUSED(@"already managed by another Realm", [other transactionWithBlock:^{ [other addObject:cleo]; }]);
  LEFT([Person allObjectsInRealm:file].count == 4);
}

void create(void) {
  RLMRealm *realm = openEmptied();
  createOneObject(realm);
  createFromValues(realm);
  createWithAPrimaryKey(realm);
  createLinksAndEmbeddedObjects(realm);
  createCollectionsAndMixedValues(realm);
  copyToAnotherRealm(realm);
}
