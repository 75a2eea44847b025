// Objects: in memory, created, added, changed and deleted.
#import "Models.h"
#import "Expectations.h"
#import "Models.inc"

@interface Puppet : Toy
@property int weeks;
@end
@implementation Puppet
@end

@class Friend;
RLM_COLLECTION_TYPE(Friend)
@interface Friend : RLMObject
@property NSString *name;
@property RLMArray<Friend *><Friend> *friends;
@property RLMSet<Friend *><Friend> *known;
@property RLMDictionary<NSString *, Friend *><RLMString, Friend> *byName;
@end
@implementation Friend
@end

static int initializeCount;
@interface Careless : RLMObject
@property int value;
@property(nonatomic) NSString *custom;
@end
@implementation Careless
+ (void)initialize {
  initializeCount++;
}
- (void)setCustom:(NSString *)custom {
  _custom = [[custom uppercaseString] copy];
}
@end

@interface Unstorable : RLMObject
@property NSURL *url;
@end
@implementation Unstorable
+ (BOOL)shouldIncludeInDefaultSchema {
  return NO;
}
@end

static void subclassesHaveInheritedProperties(void) {
  RLMRealm *realm = realmInMemory(@"subclasses");
  Puppet *puppet = AUTORELEASE(([[Puppet alloc] initWithValue:@{@"name" : @"Bo", @"weeks" : @6}]));
  EXPECT(puppet.weeks == 6);
  [realm transactionWithBlock:^{
    [realm addObject:puppet];
    puppet.weeks = 7;
  }];
  EXPECT(puppet.weeks == 7 && [Toy allObjectsInRealm:realm].count == 0);
  EXPECT([[[Puppet allObjectsInRealm:realm] firstObject] weeks] == 7);
  EXPECT_EQUAL(puppet.name, @"Bo");
}

static void classesMayInitializeThemselves(void) {
  RLMRealm *realm = realmInMemory(@"careless");
  Careless *object = AUTORELEASE([[Careless alloc] init]);
  object.value = 5;
  object.custom = @"shout";
  EXPECT(initializeCount == 1);
  EXPECT_EQUAL(object.custom, @"SHOUT");
  [realm transactionWithBlock:^{ [realm addObject:object]; }];
  EXPECT(object.value == 5 && [Careless objectsInRealm:realm where:@"value == 5"].count == 1);
  EXPECT_EQUAL(object.custom, @"SHOUT");
}

static void classesThatCannotBeStoredAreRefused(void) {
  RLMRealmConfiguration *configuration = [RLMRealmConfiguration defaultConfiguration];
  EXPECT_THROWS(@"Property 'Unstorable.url' is of the class NSURL",
                configuration.objectClasses = @[ Unstorable.class ]);
  EXPECT_THROWS(@"Property 'Unstorable.url' is of the class NSURL", (void)[[Unstorable alloc] init]);
}

static void objectsInMemoryKeepTheirValues(void) {
  Dog *rex = AUTORELEASE([[Dog alloc] init]);
  EXPECT(rex.name == nil && rex.age == 0 && !rex.isGood && rex.realm == nil && !rex.invalidated);
  rex.name = @"Rex";
  rex.age = -10;
  rex.isGood = YES;
  rex.weight = 20.5;
  rex.height = 0.5f;
  rex.rank = -3;
  rex.number = 1LL << 40;
  rex.chip = @77;
  EXPECT_EQUAL(rex.name, @"Rex");
  EXPECT(rex.age == -10 && rex.isGood && rex.weight == 20.5 && rex.height == 0.5f && rex.rank == -3);
  EXPECT(rex.number == 1LL << 40);
  EXPECT_EQUAL([rex valueForKey:@"age"], @-10);
  [rex setValue:@4 forKey:@"age"];
  EXPECT(rex.age == 4);
  EXPECT_EQUAL(rex[@"chip"], @77);
  [rex.nicknames addObject:@"King"];
  EXPECT(rex.nicknames.count == 1 && rex.nicknames == rex.nicknames);
  rex.nicknames = (id) @[ @"a", @"b" ];
  EXPECT_EQUAL(rex.nicknames[1], @"b");
  EXPECT_THROWS(@"Invalid property name 'noSuch' for class 'Dog'.", [rex valueForKey:@"noSuch"]);
}

// Also where the compiler's setter only assigns, as it does without automatic reference counting.
static void objectsInMemoryKeepTheirObjects(void) {
  Dog *dog = AUTORELEASE([[Dog alloc] init]);
  @autoreleasepool {
    dog.name = [NSString stringWithFormat:@"a name that is made at run time: %d", 5];
  }
  EXPECT_EQUAL(dog.name, @"a name that is made at run time: 5");
}

static void valuesComeFromDictionariesArraysAndObjects(void) {
  Dog *pluto = AUTORELEASE(([[Dog alloc] initWithValue:@{@"name" : @"Pluto", @"age" : @3, @"unknown" : @1}]));
  EXPECT(pluto.age == 3);
  Dog *max = AUTORELEASE(([[Dog alloc] initWithValue:@[ @"Max", @1, @YES ]]));
  EXPECT(max.age == 1 && max.isGood);
  Dog *copy = AUTORELEASE([[Dog alloc] initWithValue:max]);
  EXPECT_EQUAL(copy.name, @"Max");
  Person *kim = AUTORELEASE(([[Person alloc] initWithValue:@{
    @"_id" : @1,
    @"home" : @{@"city" : @"Oslo"},
    @"dogs" : @[ @{@"name" : @"Buster"}, @[ @"Bo", @5 ] ]
  }]));
  EXPECT_EQUAL(kim.home.city, @"Oslo");
  EXPECT(kim.dogs.count == 2 && [kim.dogs[1] age] == 5);
  EXPECT_THROWS(@"Invalid array input: more values (3) than properties (2).",
                (void)[[Place alloc] initWithValue:@[ @"a", @"b", @"c" ]]);
  EXPECT_THROWS(@"Must provide a non-nil value.", (void)[[Dog alloc] initWithValue:nil]);
  EXPECT_THROWS(@"Invalid value 'x' of type", (void)[[Dog alloc] initWithValue:@{@"age" : @"x"}]);
}

static void addedObjectsAreManaged(void) {
  RLMRealm *realm = realmInMemory(@"added");
  Dog *rex = AUTORELEASE(([[Dog alloc] initWithValue:@{@"name" : @"Rex", @"age" : @10, @"chip" : @77}]));
  rex.favoriteToy = AUTORELEASE([[Toy alloc] initWithValue:@{@"name" : @"Ball"}]);
  [rex.nicknames addObject:@"King"];
  rex.born = [NSDate dateWithTimeIntervalSince1970:1.25];
  rex.picture = [@"abc" dataUsingEncoding:NSUTF8StringEncoding];
  Person *ali = AUTORELEASE(([[Person alloc] initWithValue:@{@"_id" : @1, @"home" : @{@"city" : @"Oslo"}}]));
  [ali.dogs addObject:rex];
  RLMArray *dogs = ali.dogs;
  [realm transactionWithBlock:^{ [realm addObject:ali]; }];
  EXPECT(rex.realm == realm && ali.realm == realm && ali.dogs.count == 1 && dogs.count == 1);
  EXPECT_EQUAL(rex.name, @"Rex");
  EXPECT(rex.age == 10);
  EXPECT_EQUAL(rex.chip, @77);
  EXPECT_EQUAL(rex.born, [NSDate dateWithTimeIntervalSince1970:1.25]);
  EXPECT_EQUAL(rex.picture, [@"abc" dataUsingEncoding:NSUTF8StringEncoding]);
  EXPECT_EQUAL(rex.favoriteToy.name, @"Ball");
  EXPECT_EQUAL(rex.nicknames.firstObject, @"King");
  EXPECT_EQUAL(ali.home.city, @"Oslo");
  EXPECT(rex.owners.count == 1 && [[rex.owners firstObject] isEqual:ali]);
  EXPECT_THROWS(@"Attempting to modify object outside of a write transaction", rex.age = 1);
  [realm transactionWithBlock:^{
    rex.age = 11;
    rex.weight = 1.5;
    rex.height = 2.5f;
    rex.rank = -7;
    rex.number = 1LL << 50;
    rex.isGood = YES;
    rex.favoriteToy = nil;
    rex.chip = nil;
    rex.name = @"Rexy";
    [rex setValue:@"x" forKeyPath:@"name"];
    ali.home.city = @"Bergen";
    ali.holidays = (id) @[ @{@"city" : @"Rome"} ];
  }];
  EXPECT(rex.age == 11 && rex.weight == 1.5 && rex.height == 2.5f && rex.rank == -7
         && rex.number == 1LL << 50);
  EXPECT(rex.isGood && !rex.favoriteToy && !rex.chip);
  EXPECT_EQUAL(rex.name, @"x");
  EXPECT_EQUAL(ali.home.city, @"Bergen");
  EXPECT_EQUAL([ali.holidays[0] city], @"Rome");
  [realm transactionWithBlock:^{ [realm deleteObject:rex]; }];
  EXPECT(rex.invalidated && rex.realm == nil && ali.dogs.count == 0);
  EXPECT_THROWS(@"Object has been deleted or invalidated.", (void)rex.age);
}

static void cyclesAreAdded(void) {
  RLMRealm *realm = realmInMemory(@"cycles");
  Club *club = AUTORELEASE([[Club alloc] initWithValue:@{@"name" : @"Pals"}]);
  Person *kim = AUTORELEASE([[Person alloc] initWithValue:@{@"_id" : @5}]);
  [club.members addObject:kim];
  [club.members addObject:kim];
  [realm transactionWithBlock:^{ [realm addObject:club]; }];
  EXPECT(club.members.count == 2 && [Person allObjectsInRealm:realm].count == 1);
  EXPECT(kim.clubs.count == 2);
}

static void objectsAreCreatedAndUpdated(void) {
  RLMRealm *realm = realmInMemory(@"created");
  [realm transactionWithBlock:^{
    [Person createInRealm:realm
                withValue:@{
                  @"_id" : @9,
                  @"name" : @"Jones",
                  @"dogs" : @[ @[ @"Buster", @5 ] ]
                }];
    [Person createOrUpdateModifiedInRealm:realm withValue:@{@"_id" : @9, @"name" : @"Bowie"}];
  }];
  Person *bowie = [Person objectInRealm:realm forPrimaryKey:@9];
  EXPECT_EQUAL(bowie.name, @"Bowie");
  EXPECT(bowie.dogs.count == 1 && [bowie.dogs[0] age] == 5);
  EXPECT([Person objectInRealm:realm forPrimaryKey:@8] == nil);
  [realm beginWriteTransaction];
  EXPECT_THROWS(@"existing primary key value '9'", [Person createInRealm:realm withValue:@{@"_id" : @9}]);
  EXPECT_THROWS(@"does not have a primary key", [realm addOrUpdateObject:AUTORELEASE([[Dog alloc] init])]);
  EXPECT_THROWS(@"Invalid value", [Dog createInRealm:realm withValue:@{@"age" : @"many"}]);
  EXPECT_THROWS(@"Primary key can't be changed", bowie._id = 4);
  Person *other = AUTORELEASE(([[Person alloc] initWithValue:@{@"_id" : @9, @"name" : @"Third"}]));
  [realm addOrUpdateObject:other];
  [realm commitWriteTransaction];
  EXPECT_EQUAL(bowie.name, @"Third");
  EXPECT([other isEqual:bowie] && other.hash == bowie.hash);
  EXPECT_THROWS(@"in a write transaction", [realm addObject:AUTORELEASE([[Dog alloc] init])]);
}

static void everyTypeIsStored(void) {
  RLMRealm *realm = realmInMemory(@"types");
  NSUUID *uuid = [NSUUID UUID];
  RLMObjectId *objectId = [RLMObjectId objectId];
  RLMDecimal128 *decimal = [RLMDecimal128 decimalWithNumber:@1.1];
  __block Everything *object;
  [realm transactionWithBlock:^{
    object = [Everything createInRealm:realm
                             withValue:@{
                               @"_id" : objectId,
                               @"uuid" : uuid,
                               @"decimal" : decimal,
                               @"any" : @"text",
                               @"maybe" : @YES,
                               @"single" : @0.5f,
                               @"renamed" : @"r"
                             }];
  }];
  EXPECT_EQUAL(object._id, objectId);
  EXPECT_EQUAL(object.uuid, uuid);
  EXPECT_EQUAL(object.decimal, decimal);
  EXPECT_EQUAL(object.decimal.stringValue, @"1.1");
  EXPECT_EQUAL(object.any, @"text");
  EXPECT_EQUAL(object.maybe, @YES);
  EXPECT_EQUAL(object.single, @0.5f);
  EXPECT_EQUAL(object.number, @1.5);
  EXPECT_EQUAL(object.required, @"default");
  EXPECT_EQUAL(object.computed, @"DEFAULT");
  EXPECT_EQUAL(object.renamed, @"r");
  id values[] = {
    @1,
    @YES,
    @2.5,
    @"s",
    [NSDate dateWithTimeIntervalSince1970:5],
    uuid,
    objectId,
    decimal,
    nil
  };
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    id value = values[i];
    [realm transactionWithBlock:^{ object.any = value; }];
    EXPECT_EQUAL(object.any, value);
  }
  [realm beginWriteTransaction];
  Toy *toy = [Toy createInRealm:realm withValue:@[ @"Rope" ]];
  object.any = toy;
  EXPECT([(RLMObject *)object.any isEqualToObject:toy]);
  EXPECT_THROWS(@"", object.required = nil);
  [realm cancelWriteTransaction];
  EXPECT(realm.schema[@"Everything"][@"ignored"] == nil && realm.schema[@"Everything"][@"computed"] == nil);
  EXPECT_EQUAL(realm.schema[@"Everything"][@"renamed"].columnName, @"column");
  EXPECT([object.description rangeOfString:@"maybe = 1"].length > 0);
}

// They would be stored as negative ones.
static void numbersBeyondTheRangeAreRefused(void) {
  RLMRealm *realm = realmInMemory(@"numbers");
  NSNumber *great = [NSNumber numberWithUnsignedLongLong:UINT64_MAX];
  NSNumber *greatest = [NSNumber numberWithUnsignedLongLong:INT64_MAX];
  [realm beginWriteTransaction];
  EXPECT_THROWS(@"Invalid value '18446744073709551615'",
                [Dog createInRealm:realm withValue:@{@"number" : great}]);
  Dog *dog = [Dog createInRealm:realm withValue:@{@"number" : greatest}];
  EXPECT(dog.number == INT64_MAX);
  EXPECT_THROWS(@"Invalid value", dog.chip = (NSNumber<RLMInt> *)great);
  EXPECT_THROWS(@"Invalid value", dog[@"number"] = great);
  Dog *inMemory = AUTORELEASE([[Dog alloc] init]);
  inMemory.chip = (NSNumber<RLMInt> *)great;
  EXPECT_THROWS(@"Invalid value", [realm addObject:inMemory]);
  EXPECT(!dog.chip && dog.number == INT64_MAX);
  dog[@"weight"] = great;
  EXPECT(dog.weight == 0x1p64);
  Everything *everything = [Everything createInRealm:realm withValue:@{@"decimal" : great}];
  EXPECT_EQUAL(everything.decimal.stringValue, @"18446744073709551615");
  EXPECT_THROWS(@"Invalid value", everything.any = great);
  EXPECT_THROWS(@"", [Dog objectsInRealm:realm where:@"number == %@", great]);
  EXPECT_THROWS(@"too large", [Dog objectsInRealm:realm where:@"number == %lu", ULONG_MAX]);
  EXPECT([Dog objectsInRealm:realm where:@"number == %lu", (unsigned long)INT64_MAX].count == 1);
  [realm cancelWriteTransaction];
}

static void objectsThatReachThemselvesHaveADescription(void) {
  RLMRealm *realm = realmInMemory(@"friends");
  Friend *ann = AUTORELEASE([[Friend alloc] initWithValue:@{@"name" : @"Ann"}]);
  Friend *bob = AUTORELEASE([[Friend alloc] initWithValue:@{@"name" : @"Bob"}]);
  [ann.friends addObject:bob];
  [bob.friends addObject:ann];
  EXPECT([ann.description rangeOfString:@"Maximum depth exceeded"].length > 0);
  [realm transactionWithBlock:^{
    [realm addObject:ann];
    [ann.known addObject:ann];
    ann.byName[@"bob"] = bob;
    bob.byName[@"ann"] = ann;
  }];
  EXPECT([ann.description rangeOfString:@"Maximum depth exceeded"].length > 0);
  EXPECT([ann.friends.description rangeOfString:@"name = Bob"].length > 0);
  EXPECT([ann.known.description rangeOfString:@"name = Ann"].length > 0);
  EXPECT([ann.byName.description rangeOfString:@"[bob]: Friend {"].length > 0);
  [realm transactionWithBlock:^{ [realm deleteAllObjects]; }];
}

static void changesNeedAWriteTransaction(void) {
  RLMRealm *realm = realmInMemory(@"outside");
  __block Toy *toy;
  [realm transactionWithBlock:^{ toy = [Toy createInRealm:realm withValue:@[ @"Rope" ]]; }];
  NSString *text = @"Can only add, remove, or create objects in a Realm in a write transaction";
  EXPECT_THROWS(text, [realm addObject:AUTORELEASE([[Toy alloc] init])]);
  EXPECT_THROWS(text, [Toy createInRealm:realm withValue:@[ @"Ball" ]]);
  EXPECT_THROWS(text, [realm deleteObject:toy]);
  EXPECT_THROWS(text, [realm deleteObjects:@[ toy ]]);
  EXPECT_THROWS(text, [realm deleteAllObjects]);
  EXPECT_THROWS(@"write transaction", [realm deleteObjects:[Toy allObjectsInRealm:realm]]);
  EXPECT_THROWS(@"write transaction", [realm commitWriteTransaction]);
  [realm beginWriteTransaction];
  EXPECT_THROWS(@"The Realm is already in a write transaction", [realm beginWriteTransaction]);
  [realm cancelWriteTransaction];
  EXPECT_THROWS(@"frozen", [[realm freeze] beginWriteTransaction]);
}

static void exceptionsUndoTransactions(void) {
  RLMRealm *realm = realmInMemory(@"undone");
  EXPECT_THROWS(@"mine", [realm transactionWithBlock:^{
                  [Toy createInRealm:realm withValue:@[ @"Rope" ]];
                  [NSException raise:@"Mine" format:@"mine"];
                }]);
  EXPECT(!realm.inWriteTransaction && [Toy allObjectsInRealm:realm].count == 0 && realm.isEmpty);
}

static void realmsOfAThreadAreTheSame(void) {
  RLMRealm *realm = realmInMemory(@"same");
  EXPECT(realmInMemory(@"same") == realm);
  NSConditionLock *done = AUTORELEASE([[NSConditionLock alloc] initWithCondition:0]);
  __block BOOL isOther = NO, refused = NO;
  __block Dog *dog;
  [realm transactionWithBlock:^{ dog = [Dog createInRealm:realm withValue:@{@"age" : @2}]; }];
  NSOperationQueue *queue = AUTORELEASE([[NSOperationQueue alloc] init]);
  [queue addOperationWithBlock:^{
    @autoreleasepool {
      isOther = realmInMemory(@"same") != realm;
      @try {
        (void)dog.age;
      } @catch (NSException *exception) {
        refused = [exception.reason rangeOfString:@"Realm accessed from incorrect thread"].length > 0;
      }
    }
    [done lock];
    [done unlockWithCondition:1];
  }];
  EXPECT([done lockWhenCondition:1 beforeDate:[NSDate dateWithTimeIntervalSinceNow:30]]);
  [done unlock];
  EXPECT(isOther && refused);
}

int main(void) {
  @autoreleasepool {
    objectsInMemoryKeepTheirValues();
    subclassesHaveInheritedProperties();
    classesMayInitializeThemselves();
    classesThatCannotBeStoredAreRefused();
    objectsInMemoryKeepTheirObjects();
    valuesComeFromDictionariesArraysAndObjects();
    addedObjectsAreManaged();
    cyclesAreAdded();
    objectsAreCreatedAndUpdated();
    everyTypeIsStored();
    numbersBeyondTheRangeAreRefused();
    objectsThatReachThemselvesHaveADescription();
    changesNeedAWriteTransaction();
    exceptionsUndoTransactions();
    realmsOfAThreadAreTheSame();
  }
  return failureCount != 0;
}
