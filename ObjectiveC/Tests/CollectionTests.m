// Results, lists, sets and dictionaries: in memory and of a realm.
#import "Models.h"
#import "Expectations.h"
#import "Models.inc"

@interface Bag : RLMObject
@property RLMSet<id<RLMValue>><RLMValue> *values;
@end
@implementation Bag
@end

static NSArray *names(id<NSFastEnumeration> objects) {
  NSMutableArray *found = [NSMutableArray array];
  for (RLMObject *object in objects)
    [found addObject:[object valueForKey:@"name"]];
  return found;
}

static RLMRealm *realmWithDogs(NSString *name) {
  RLMRealm *realm = realmInMemory(name);
  [realm transactionWithBlock:^{
    for (int i = 0; i < 5; i++)
      [Dog createInRealm:realm
               withValue:@{
                 @"name" : [NSString stringWithFormat:@"Dog %d", i],
                 @"age" : @(i)
               }];
  }];
  return realm;
}

static void queriesFindObjects(void) {
  RLMRealm *realm = realmWithDogs(@"queries");
  EXPECT([Dog objectsInRealm:realm where:@"age > %d", 2].count == 2);
  EXPECT([Dog objectsInRealm:realm where:@"name == %@ OR age == %ld", @"Dog 1", 3L].count == 2);
  EXPECT([Dog objectsInRealm:realm where:@"%K BEGINSWITH[c] %@", @"name", @"dog"].count == 5);
  EXPECT([Dog objectsInRealm:realm where:@"name == '%d'"].count == 0);
  EXPECT([Dog objectsInRealm:realm where:@"age IN %@", @[ @1, @3, @9 ]].count == 2);
  EXPECT([Dog objectsInRealm:realm
                       where:@"name IN %@ AND weight < %f AND age < %d", @[ @"Dog 1", @"Dog 4" ], 3.5, 3]
             .count
         == 1);
  EXPECT([Dog objectsInRealm:realm where:@"name == \"%@ '\" OR name == '100%' OR age BETWEEN {%d, %d}", 1, 2]
             .count
         == 2);
  RLMResults *young = [[Dog allObjectsInRealm:realm] objectsWhere:@"age <= 1"];
  EXPECT_EQUAL(names([young sortedResultsUsingKeyPath:@"name" ascending:NO]), (@[ @"Dog 1", @"Dog 0" ]));
  EXPECT_EQUAL([[young firstObject] valueForKey:@"name"], @"Dog 0");
  EXPECT([young indexOfObject:[young lastObject]] == 1);
  EXPECT([[Dog allObjectsInRealm:realm] indexOfObjectWhere:@"age == 3"] == 3);
  EXPECT([[Dog allObjectsInRealm:realm] indexOfObjectWhere:@"age == 33"] == NSNotFound);
  EXPECT_THROWS(@"", [Dog objectsInRealm:realm where:@"age <<"]);
  EXPECT_THROWS(@"", [Dog objectsInRealm:realm where:@"noSuch == 1"]);
  EXPECT_THROWS(@"Index 5 is out of bounds (must be less than 5).", (void)[Dog allObjectsInRealm:realm][5]);
}

static void predicatesOfFoundationFindObjects(void) {
  RLMRealm *realm = realmWithDogs(@"predicates");
  RLMResults *all = [Dog allObjectsInRealm:realm];
  EXPECT([all objectsWithPredicate:[NSPredicate predicateWithFormat:@"age > 2 AND name CONTAINS '4'"]].count
         == 1);
  EXPECT([all objectsWithPredicate:[NSPredicate predicateWithFormat:@"NOT (age == 2)"]].count == 4);
  EXPECT([all objectsWithPredicate:[NSPredicate predicateWithFormat:@"name BEGINSWITH[c] %@", @"DOG"]].count
         == 5);
  EXPECT([all objectsWithPredicate:[NSPredicate predicateWithFormat:@"age IN %@", @[ @1, @3, @9 ]]].count
         == 2);
  EXPECT([all objectsWithPredicate:[NSPredicate predicateWithFormat:@"favoriteToy.name == nil"]].count == 5);
}

static void aggregatesAreComputed(void) {
  RLMRealm *realm = realmWithDogs(@"aggregates");
  RLMResults *all = [Dog allObjectsInRealm:realm];
  EXPECT_EQUAL([all minOfProperty:@"age"], @0);
  EXPECT_EQUAL([all maxOfProperty:@"age"], @4);
  EXPECT_EQUAL([all sumOfProperty:@"age"], @10);
  EXPECT_EQUAL([all averageOfProperty:@"age"], @2);
  EXPECT_EQUAL([all valueForKeyPath:@"@avg.age"], @2);
  EXPECT_EQUAL([all valueForKeyPath:@"@count"], @5);
  EXPECT_EQUAL([all valueForKey:@"age"], (@[ @0, @1, @2, @3, @4 ]));
  EXPECT([[all objectsWhere:@"age > 100"] maxOfProperty:@"age"] == nil);
}

static void loopsMayChangeWhatTheyGoThrough(void) {
  RLMRealm *realm = realmWithDogs(@"loops");
  __block int seen = 0;
  [realm transactionWithBlock:^{
    for (Dog *dog in [Dog objectsInRealm:realm where:@"age < 10"]) {
      dog.age += 10;
      seen++;
    }
  }];
  EXPECT(seen == 5 && [Dog objectsInRealm:realm where:@"age < 10"].count == 0);
  [realm transactionWithBlock:^{ [[Dog allObjectsInRealm:realm] setValue:@7 forKey:@"age"]; }];
  EXPECT([Dog objectsInRealm:realm where:@"age == 7"].count == 5);
  [realm transactionWithBlock:^{ [realm deleteObjects:[Dog objectsInRealm:realm where:@"name > 'Dog 1'"]]; }];
  EXPECT([Dog allObjectsInRealm:realm].count == 2);
}

static void tryList(RLMArray *list) {
  [list removeAllObjects];
  [list addObjects:@[ @"b", @"c" ]];
  [list insertObject:@"a" atIndex:0];
  EXPECT([list count] == 3 && [list indexOfObject:@"c"] == 2 && [list indexOfObject:@"x"] == NSNotFound);
  [list moveObjectAtIndex:0 toIndex:2];
  EXPECT_EQUAL(list[2], @"a");
  [list exchangeObjectAtIndex:0 withObjectAtIndex:1];
  EXPECT_EQUAL(list[0], @"c");
  list[0] = @"d";
  [list removeObjectAtIndex:1];
  EXPECT_EQUAL([list valueForKey:@"self"], (@[ @"d", @"a" ]));
  [list addObject:(id)[NSNull null]];
  EXPECT(list[2] == nil);
  [list removeLastObject];
  EXPECT_THROWS(@"Index 2 is out of bounds (must be less than 2).", (void)list[2]);
  EXPECT_THROWS(@"Invalid value '1' of type", [list addObject:(id) @1]);
}

static void trySet(RLMSet *set) {
  [set removeAllObjects];
  [set addObjects:@[ @"a", @"b", @"a" ]];
  EXPECT(set.count == 2 && [set containsObject:@"a"] && ![set containsObject:@"x"]);
  [set removeObject:@"a"];
  [set removeObject:@"x"];
  EXPECT_EQUAL(set.allObjects, @[ @"b" ]);
}

// A number and a boolean are different values, although the objects for them are equal.
static void tryMixedSet(RLMSet *set) {
  [set removeAllObjects];
  [set addObjects:@[ @1, @YES, @0, @NO, @YES, @1, @"1", [NSNull null] ]];
  EXPECT(set.count == 6);
  int numbers = 0, yes = 0, no = 0;
  for (id<RLMValue> each in set) {
    numbers += each.rlm_valueType == RLMPropertyTypeInt;
    yes += each.rlm_valueType == RLMPropertyTypeBool && [(NSNumber *)each boolValue];
    no += each.rlm_valueType == RLMPropertyTypeBool && ![(NSNumber *)each boolValue];
  }
  EXPECT(numbers == 2 && yes == 1 && no == 1 && set.allObjects.count == 6);
  EXPECT([set containsObject:@YES] && [set containsObject:@1] && ![set containsObject:@2]);
  [set removeObject:@1];
  [set removeObject:@NO];
  EXPECT([set containsObject:@YES] && [set containsObject:@0] && ![set containsObject:@1]
         && ![set containsObject:@NO]);
}

static void setsOfMixedValuesTellNumbersFromBooleans(void) {
  RLMRealm *realm = realmInMemory(@"mixed sets");
  Bag *bag = AUTORELEASE([[Bag alloc] init]);
  tryMixedSet(bag.values);
  [realm transactionWithBlock:^{
    [realm addObject:bag];
    EXPECT(bag.values.count == 4 && [bag.values containsObject:@YES] && ![bag.values containsObject:@1]);
    tryMixedSet(bag.values);
  }];
}

static void tryDictionary(RLMDictionary *dictionary) {
  [dictionary removeAllObjects];
  dictionary[@"one"] = @1;
  [dictionary setObject:@2 forKey:@"two"];
  dictionary[@"three"] = (id)[NSNull null];
  EXPECT(dictionary.count == 3);
  EXPECT_EQUAL(dictionary[@"two"], @2);
  EXPECT(dictionary[@"three"] == nil && dictionary[@"four"] == nil);
  EXPECT(
      [[NSSet setWithArray:dictionary.allKeys] isEqual:[NSSet setWithArray:@[ @"one", @"two", @"three" ]]]);
  [dictionary removeObjectForKey:@"three"];
  dictionary[@"one"] = nil;
  EXPECT_EQUAL(dictionary.allKeys, @[ @"two" ]);
  EXPECT_EQUAL(dictionary.allValues, @[ @2 ]);
  int seen = 0;
  for (NSString *key in dictionary)
    seen += [key isEqual:@"two"];
  EXPECT(seen == 1);
  EXPECT_THROWS(@"Invalid value 'x'", [dictionary setObject:(id) @"x" forKey:@"k"]);
}

static void collectionsChangeInMemoryAndInARealm(void) {
  RLMRealm *realm = realmInMemory(@"collections");
  Person *person = AUTORELEASE([[Person alloc] initWithValue:@{@"_id" : @1}]);
  Dog *dog = AUTORELEASE([[Dog alloc] init]);
  tryList(dog.nicknames);
  trySet(person.hobbies);
  tryDictionary(person.scores);
  EXPECT_THROWS(@"This method may only be called on RLMArray instances retrieved from an RLMRealm",
                [person.dogs objectsWhere:@"age > 1"]);
  [person.dogs addObject:dog];
  EXPECT_THROWS(@"Object of type 'Person' does not match RLMArray type 'Dog'.",
                [person.dogs addObject:(id)person]);
  [realm beginWriteTransaction];
  [realm addObject:person];
  EXPECT_EQUAL([dog.nicknames valueForKey:@"self"], (@[ @"d", @"a" ]));
  EXPECT_EQUAL(person.hobbies.allObjects, @[ @"b" ]);
  EXPECT_EQUAL(person.scores[@"two"], @2);
  tryList(dog.nicknames);
  trySet(person.hobbies);
  tryDictionary(person.scores);
  person.byRole[@"guard"] = dog;
  [person.walks addObject:dog];
  [person.walks addObject:dog];
  EXPECT(person.walks.count == 1 && [person.walks containsObject:dog] &&
         [person.byRole[@"guard"] isEqualToObject:dog]);
  [realm commitWriteTransaction];
  EXPECT_THROWS(@"", [dog.nicknames addObject:@"late"]);
  EXPECT([person.dogs objectsWhere:@"age == 0"].count == 1);
}

static void frozenCollectionsStay(void) {
  RLMRealm *realm = realmWithDogs(@"frozen");
  RLMResults *all = [Dog allObjectsInRealm:realm], *frozen = [all freeze];
  Dog *dog = [all firstObject], *frozenDog = [dog freeze];
  [realm transactionWithBlock:^{
    dog.age = 50;
    [realm deleteObject:[all lastObject]];
  }];
  EXPECT(all.count == 4 && frozen.count == 5 && frozen.frozen && frozenDog.frozen && frozenDog.age == 0);
  EXPECT([[frozenDog thaw] age] == 50 && [frozen thaw].count == 4);
  EXPECT_THROWS(@"Unmanaged objects cannot be frozen.", [AUTORELEASE([[Dog alloc] init]) freeze]);
}

static void referencesAreResolvedOnce(void) {
  RLMRealm *realm = realmWithDogs(@"references");
  RLMThreadSafeReference *reference =
      [RLMThreadSafeReference referenceWithThreadConfined:[[Dog allObjectsInRealm:realm] lastObject]];
  RLMThreadSafeReference *results =
      [RLMThreadSafeReference referenceWithThreadConfined:[Dog objectsInRealm:realm where:@"age > 2"]];
  __block int age = 0;
  __block NSUInteger count = 0;
  NSOperationQueue *queue = AUTORELEASE([[NSOperationQueue alloc] init]);
  [queue addOperationWithBlock:^{
    @autoreleasepool {
      RLMRealm *other = realmInMemory(@"references");
      age = [[other resolveThreadSafeReference:reference] age];
      count = [(RLMResults *)[other resolveThreadSafeReference:results] count];
    }
  }];
  [queue waitUntilAllOperationsAreFinished];
  EXPECT(age == 4 && count == 2);
  EXPECT_THROWS(@"Can only resolve a thread safe reference once.",
                [realm resolveThreadSafeReference:reference]);
}

int main(void) {
  @autoreleasepool {
    queriesFindObjects();
    predicatesOfFoundationFindObjects();
    aggregatesAreComputed();
    loopsMayChangeWhatTheyGoThrough();
    collectionsChangeInMemoryAndInARealm();
    setsOfMixedValuesTellNumbersFromBooleans();
    frozenCollectionsStay();
    referencesAreResolvedOnce();
  }
  return failureCount != 0;
}
