// Contents that replace themselves or fail to, and callbacks that throw.
#import "Models.h"
#import "Expectations.h"
#import "Models.inc"

// A class that is used before its +initialize goes to super.
static int describedCount;
@interface Hasty : RLMObject
@property NSString *name;
@property Toy *toy;
@end
@implementation Hasty
+ (void)initialize {
  describedCount += [self className] != nil;
  [super initialize];
}
+ (NSDictionary *)defaultPropertyValues {
  return @{@"toy" : @{@"name" : @"Ball"}};
}
@end

// Links to the next, so that many are added at once.
@interface Link : RLMObject
@property int number;
@property Link *next;
@end
@implementation Link
@end

static Person *personIn(RLMRealm *realm) {
  __block Person *person;
  [realm transactionWithBlock:^{
    person = [Person createInRealm:realm
                         withValue:@{
                           @"_id" : @1,
                           @"scores" : @{@"a" : @1, @"b" : @2},
                           @"hobbies" : @[ @"tea", @"go" ],
                           @"holidays" : @[ @{@"city" : @"Oslo"}, @{@"city" : @"Rome"} ],
                           @"dogs" : @[
                             @{@"name" : @"Rex",
                               @"nicknames" : @[ @"R", @"Re" ]}
                           ]
                         }];
  }];
  return person;
}

static void contentsMayReplaceThemselves(void) {
  RLMRealm *realm = realmInMemory(@"themselves");
  Person *person = personIn(realm), *again = [Person allObjectsInRealm:realm].firstObject;
  [realm transactionWithBlock:^{
    person.scores = person.scores;
    [person.scores setDictionary:again.scores];
    person.hobbies = again.hobbies;
    person.holidays = again.holidays;
    person.dogs = again.dogs;
    [Person createOrUpdateModifiedInRealm:realm withValue:again];
  }];
  EXPECT(person.scores.count == 2 && [person.scores[@"b"] isEqual:@2]);
  EXPECT(person.hobbies.count == 2 && person.dogs.count == 1);
  EXPECT(person.holidays.count == 2 && [person.holidays[1].city isEqual:@"Rome"]);
  // A loop over a list of values that the list is changed in has an end.
  RLMArray *names = person.dogs[0].nicknames;
  [realm transactionWithBlock:^{ [names addObjects:names]; }];
  EXPECT(names.count == 4);
}

static void nothingIsRemovedForAWrongValue(void) {
  RLMRealm *realm = realmInMemory(@"wrong");
  Person *person = personIn(realm);
  [realm beginWriteTransaction];
  EXPECT_THROWS(@"Cannot add entries from object of class", [person.scores setDictionary:(id) @[ @1 ]]);
  EXPECT_THROWS(@"value is not enumerable", person.hobbies = (id) @3);
  NSArray *twice = [NSArray arrayWithObjects:person.holidays[0], person.holidays[0], nil];
  EXPECT_THROWS(@"Cannot add an existing managed embedded object to a List.", person.holidays = (id)twice);
  [realm commitWriteTransaction];
  EXPECT(person.scores.count == 2 && person.hobbies.count == 2 && person.holidays.count == 2);
}

static void embeddedObjectsAreFilledAsOthers(void) {
  RLMRealm *realm = realmInMemory(@"embedded");
  Person *person = personIn(realm);
  Place *place = AUTORELEASE([[Place alloc] init]);
  place.city = @"Bern";
  [realm transactionWithBlock:^{ person.home = place; }];
  EXPECT([person.home.city isEqual:@"Bern"] && [place.realm isEqual:realm] && place.street == nil);
}

static void anObserverThatThrowsLeavesNoTransaction(void) {
  RLMRealm *realm = realmInMemory(@"observers");
  RLMNotificationToken *token = [realm addNotificationBlock:^(NSString *name, RLMRealm *changed) {
    [NSException raise:@"Observer" format:@"thrown"];
  }];
  NSOperationQueue *queue = AUTORELEASE([[NSOperationQueue alloc] init]);
  [queue addOperationWithBlock:^{
    @autoreleasepool {
      RLMRealm *other = realmInMemory(@"observers");
      [other transactionWithBlock:^{ [Toy createInRealm:other withValue:@{@"name" : @"Rope"}]; }];
    }
  }];
  [queue waitUntilAllOperationsAreFinished];
  EXPECT_THROWS(@"thrown", [realm beginWriteTransaction]);
  EXPECT(!realm.inWriteTransaction);
  [token invalidate];
  RLMNotificationToken *foreign =
      [realmInMemory(@"foreign") addNotificationBlock:^(NSString *name, RLMRealm *changed){}];
  NSArray *tokens = @[ foreign ];
  EXPECT_THROWS(@"", [realm transactionWithoutNotifying:tokens block:^{}]);
  EXPECT(!realm.inWriteTransaction);
  [foreign invalidate];
}

static void anExceptionWhileOpeningLeavesTheFileClosed(void) {
  RLMRealmConfiguration *configuration = [RLMRealmConfiguration defaultConfiguration];
  configuration.fileURL = [NSURL fileURLWithPath:@"compacted.realm"];
  @autoreleasepool {
    [RLMRealm realmWithConfiguration:configuration error:NULL];
  }
  configuration.shouldCompactOnLaunch = ^BOOL(NSUInteger total, NSUInteger used) {
    [NSException raise:@"Compaction" format:@"thrown"];
    return NO;
  };
  EXPECT_THROWS(@"thrown", [RLMRealm realmWithConfiguration:configuration error:NULL]);
  EXPECT_THROWS(@"thrown", [RLMRealm performMigrationForConfiguration:configuration error:NULL]);
  configuration.shouldCompactOnLaunch = nil;
  EXPECT([RLMRealm deleteFilesForConfiguration:configuration error:NULL]);
}

static void longChainsAreAdded(void) {
  RLMRealm *realm = realmInMemory(@"chains");
  Link *first = nil;
  for (int i = 0; i < 2000; i++) {
    Link *link = AUTORELEASE([[Link alloc] init]);
    link.number = i;
    link.next = first;
    first = link;
  }
  [realm transactionWithBlock:^{ [realm addObject:first]; }];
  EXPECT([Link allObjectsInRealm:realm].count == 2000);
}

static void classesAreDescribedOnce(void) {
  Hasty *hasty = AUTORELEASE([[Hasty alloc] init]);
  hasty.name = @"once";
  EXPECT([hasty.name isEqual:@"once"] && describedCount > 0);
  EXPECT([hasty.toy.name isEqual:@"Ball"]);
}

static void valuesKeepTheirMeaning(void) {
  RLMRealm *realm = realmInMemory(@"values");
  __block Dog *dog;
  NSString *withZero = [NSString stringWithUTF8String:"é"];
  withZero = [withZero stringByAppendingFormat:@"%C", (unichar)0];
  [realm transactionWithBlock:^{
    dog = [Dog createInRealm:realm
                   withValue:@{@"name" : withZero, @"born" : [NSDate dateWithTimeIntervalSince1970:1e300]}];
  }];
  EXPECT_EQUAL(dog.name, withZero);
  EXPECT(dog.born.timeIntervalSince1970 > 9e18);
  EXPECT([[dog freeze] isEqual:[dog freeze]]);
  RLMDecimal128 *infinity = [RLMDecimal128 decimalWithNumber:@(INFINITY)];
  RLMDecimal128 *large = AUTORELEASE([[RLMDecimal128 alloc] initWithString:@"1E400" error:NULL]);
  EXPECT([infinity isGreaterThan:large] && [large isLessThan:infinity] && ![infinity isEqual:large]);
}

int main(void) {
  @autoreleasepool {
    contentsMayReplaceThemselves();
    nothingIsRemovedForAWrongValue();
    embeddedObjectsAreFilledAsOthers();
    anObserverThatThrowsLeavesNoTransaction();
    anExceptionWhileOpeningLeavesTheFileClosed();
    longChainsAreAdded();
    classesAreDescribedOnce();
    valuesKeepTheirMeaning();
  }
  return failureCount != 0;
}
