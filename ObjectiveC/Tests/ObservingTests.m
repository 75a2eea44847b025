// Key-value observing, and notifications on the run loop of a thread.
#import "Models.h"
#import "Expectations.h"
#import "Models.inc"

@interface Watcher : NSObject {
@public
  int seen;
  id last;
}
@end
@implementation Watcher
- (void)observeValueForKeyPath:(NSString *)path
                      ofObject:(id)object
                        change:(NSDictionary *)change
                       context:(void *)context {
  seen++;
  last = [change objectForKey:NSKeyValueChangeNewKey];
}
@end

static void objectsInMemoryAreObserved(void) {
  Watcher *watcher = AUTORELEASE([[Watcher alloc] init]);
  Dog *dog = AUTORELEASE([[Dog alloc] init]);
  [dog addObserver:watcher forKeyPath:@"age" options:NSKeyValueObservingOptionNew context:NULL];
  [dog addObserver:watcher forKeyPath:@"name" options:NSKeyValueObservingOptionNew context:NULL];
  dog.age = 4;
  EXPECT(watcher->seen == 1);
  EXPECT_EQUAL(watcher->last, @4);
  dog.name = @"Rex";
  EXPECT(watcher->seen == 2);
  EXPECT_EQUAL(watcher->last, @"Rex");
  [dog setValue:@5 forKey:@"age"];
  EXPECT(watcher->seen == 3 && dog.age == 5);
  EXPECT([dog class] == [Dog class]);
  RLMRealm *realm = realmInMemory(@"observed");
  [realm beginWriteTransaction];
  EXPECT_THROWS(@"Cannot add an object with observers to a Realm", [realm addObject:dog]);
  [dog removeObserver:watcher forKeyPath:@"age"];
  [dog removeObserver:watcher forKeyPath:@"name"];
  [realm addObject:dog];
  [realm commitWriteTransaction];
  EXPECT(dog.age == 5 && dog.realm == realm);
}

@interface Pet : RLMObject
@property int age;
@end
@implementation Pet
@end

static void theFirstMessageToAnObservedObjectMayBeASetter(void) {
  Watcher *watcher = AUTORELEASE([[Watcher alloc] init]);
  Pet *pet = AUTORELEASE([[Pet alloc] init]);
  [pet addObserver:watcher forKeyPath:@"age" options:NSKeyValueObservingOptionNew context:NULL];
  pet.age = 6;
  EXPECT(watcher->seen == 1 && pet.age == 6);
  [pet removeObserver:watcher forKeyPath:@"age"];
}

static void managedObjectsAreObserved(void) {
  RLMRealm *realm = realmInMemory(@"watched");
  Watcher *watcher = AUTORELEASE([[Watcher alloc] init]);
  __block Dog *dog;
  [realm transactionWithBlock:^{
    dog = [Dog createInRealm:realm withValue:@{@"name" : @"Tom", @"age" : @1}];
  }];
  [dog addObserver:watcher forKeyPath:@"age" options:NSKeyValueObservingOptionNew context:NULL];
  [realm transactionWithBlock:^{
    dog.age = 7;
    [dog setValue:@8 forKey:@"age"];
  }];
  EXPECT(watcher->seen == 2 && dog.age == 8);
  EXPECT_EQUAL(watcher->last, @8);
  [dog removeObserver:watcher forKeyPath:@"age"];
  EXPECT_EQUAL([dog valueForKeyPath:@"name.length"], @3);
}

// Runs the loop until the condition holds, or a minute has passed.
static void waitUntil(BOOL (^condition)(void)) {
  NSDate *end = [NSDate dateWithTimeIntervalSinceNow:60];
  while (!condition() && [end timeIntervalSinceNow] > 0)
    [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode
                             beforeDate:[NSDate dateWithTimeIntervalSinceNow:0.05]];
}

static void collectionsNotify(void) {
  RLMRealm *realm = realmInMemory(@"collections");
  RLMResults *old = [Dog objectsInRealm:realm where:@"age > %d", 3];
  __block int initial = 0, updates = 0;
  __block NSUInteger inserted = 0;
  RLMNotificationToken *token =
      [old addNotificationBlock:^(RLMResults *results, RLMCollectionChange *change, NSError *error) {
        if (!change) {
          initial++;
          return;
        }
        updates++;
        inserted += change.insertions.count;
      }];
  waitUntil(^BOOL { return initial == 1; });
  EXPECT(initial == 1);
  [realm transactionWithBlock:^{
    for (int i = 0; i < 10; i++)
      [Dog createInRealm:realm withValue:@{@"age" : @(i)}];
  }];
  waitUntil(^BOOL { return updates == 1; });
  EXPECT(updates == 1 && inserted == 6 && old.count == 6);
  // Another thread commits.
  NSOperationQueue *queue = AUTORELEASE([[NSOperationQueue alloc] init]);
  [queue addOperationWithBlock:^{
    @autoreleasepool {
      RLMRealm *other = realmInMemory(@"collections");
      [other transactionWithBlock:^{ [Dog createInRealm:other withValue:@{@"age" : @50}]; }];
    }
  }];
  waitUntil(^BOOL { return updates == 2; });
  EXPECT(updates == 2 && inserted == 7 && old.count == 7);
  // What a block throws comes out of the run loop or the commit, never through the library.
  __block BOOL isReady = NO;
  RLMNotificationToken *thrower =
      [old addNotificationBlock:^(RLMResults *results, RLMCollectionChange *change, NSError *error) {
        isReady = YES;
        if (change) [NSException raise:@"Mine" format:@"mine"];
      }];
  waitUntil(^BOOL { return isReady; });
  EXPECT(isReady);
  __block BOOL caught = NO;
  waitUntil(^BOOL {
    @try {
      [realm transactionWithBlock:^{ [Dog createInRealm:realm withValue:@{@"age" : @60}]; }];
      [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode
                               beforeDate:[NSDate dateWithTimeIntervalSinceNow:0.05]];
    } @catch (NSException *exception) { caught = [exception.name isEqual:@"Mine"]; }
    return caught;
  });
  EXPECT(caught);
  [thrower invalidate];
  [token invalidate];
  int before = updates;
  [realm transactionWithBlock:^{ [realm deleteAllObjects]; }];
  [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode
                           beforeDate:[NSDate dateWithTimeIntervalSinceNow:0.1]];
  EXPECT(updates == before);
}

static void objectsAndRealmsNotify(void) {
  RLMRealm *realm = realmInMemory(@"objects");
  __block Dog *dog;
  [realm transactionWithBlock:^{
    dog = [Dog createInRealm:realm withValue:@{@"name" : @"Tom", @"age" : @1}];
  }];
  __block int changes = 0, deletions = 0, commits = 0;
  __block NSString *changed = nil;
  __block id value = nil;
  RLMNotificationToken *token =
      [dog addNotificationBlock:^(BOOL deleted, NSArray<RLMPropertyChange *> *list, NSError *error) {
        if (deleted) {
          deletions++;
          return;
        }
        changes++;
        changed = RETAIN([[list firstObject] name]);
        value = RETAIN([[list firstObject] value]);
      }];
  RLMNotificationToken *ofRealm =
      [realm addNotificationBlock:^(RLMNotification notification, RLMRealm *notified) {
        if ([notification isEqual:RLMRealmDidChangeNotification] && notified == realm) commits++;
      }];
  [realm transactionWithBlock:^{ dog.age = 5; }];
  waitUntil(^BOOL { return changes == 1 && commits == 1; });
  EXPECT(changes == 1 && commits == 1);
  EXPECT_EQUAL(changed, @"age");
  EXPECT_EQUAL(value, @5);
  [realm transactionWithBlock:^{ [realm deleteObject:dog]; }];
  waitUntil(^BOOL { return deletions == 1; });
  EXPECT(deletions == 1);
  [token invalidate];
  [ofRealm invalidate];
  EXPECT_THROWS(@"Only objects which are managed by a Realm support change notifications",
                [AUTORELEASE([[Dog alloc] init])
                    addNotificationBlock:^(BOOL deleted, NSArray *list, NSError *error){}]);
}

static void dictionariesNotifyWithKeys(void) {
  RLMRealm *realm = realmInMemory(@"dictionaries");
  __block Person *person;
  [realm transactionWithBlock:^{
    person = [Person createInRealm:realm withValue:@{@"_id" : @1, @"scores" : @{@"a" : @1}}];
  }];
  __block RLMDictionaryChange *last = nil;
  __block int initial = 0;
  RLMNotificationToken *token = [person.scores
      addNotificationBlock:^(RLMDictionary *dictionary, RLMDictionaryChange *change, NSError *error) {
        if (!change)
          initial++;
        else
          last = RETAIN(change);
      }];
  waitUntil(^BOOL { return initial == 1; });
  [realm transactionWithBlock:^{
    person.scores[@"a"] = @2;
    person.scores[@"b"] = @3;
  }];
  waitUntil(^BOOL { return last != nil; });
  EXPECT_EQUAL(last.insertions, @[ @"b" ]);
  EXPECT_EQUAL(last.modifications, @[ @"a" ]);
  [token invalidate];
}

static NSString *firstLetter(id object) { return [[object valueForKey:@"name"] substringToIndex:1]; }

static void sectionsFollowChanges(void) {
  RLMRealm *realm = realmInMemory(@"sections");
  [realm transactionWithBlock:^{
    for (NSString *name in @[ @"bob", @"abe", @"ann", @"cid" ])
      [Toy createInRealm:realm withValue:@[ name ]];
  }];
  RLMSectionedResults *sections = [[Toy allObjectsInRealm:realm]
      sectionedResultsSortedUsingKeyPath:@"name"
                               ascending:YES
                                keyBlock:^id<RLMValue>(id toy) { return firstLetter(toy); }];
  EXPECT_EQUAL(sections.allKeys, (@[ @"a", @"b", @"c" ]));
  EXPECT([sections[0] count] == 2);
  EXPECT_EQUAL([(Toy *)sections[0][1] name], @"ann");
  __block RLMSectionedResultsChange *last = nil;
  __block int calls = 0;
  RLMNotificationToken *token =
      [sections addNotificationBlock:^(RLMSectionedResults *results, RLMSectionedResultsChange *change) {
        calls++;
        if (change) last = RETAIN(change);
      }];
  waitUntil(^BOOL { return calls == 1; });
  [realm transactionWithBlock:^{
    [[Toy objectsInRealm:realm where:@"name == 'abe'"] setValue:@"dan" forKey:@"name"];
    [realm deleteObjects:[Toy objectsInRealm:realm where:@"name == 'bob'"]];
    [Toy createInRealm:realm withValue:@[ @"cat" ]];
  }];
  waitUntil(^BOOL { return last != nil; });
  EXPECT_EQUAL(sections.allKeys, (@[ @"a", @"c", @"d" ]));
  EXPECT_EQUAL(last.sectionsToInsert, [NSIndexSet indexSetWithIndex:2]);
  EXPECT_EQUAL(last.sectionsToRemove, [NSIndexSet indexSetWithIndex:1]);
  EXPECT(last.deletions.count == 2 && last.insertions.count == 2);
  EXPECT([last insertionsInSection:1].count == 1 && [last deletionsInSection:0].count == 1);
  int seen = 0;
  for (RLMSection *section in sections)
    for (Toy *toy in section)
      seen += [firstLetter(toy) isEqual:section.key];
  EXPECT(seen == 4);
  [token invalidate];
}

static void sectionsOfValuesFollowChanges(void) {
  RLMRealm *realm = realmInMemory(@"value sections");
  __block Dog *dog;
  [realm transactionWithBlock:^{
    dog = [Dog createInRealm:realm withValue:@{@"nicknames" : @[ @"bo", @"al", @"bo", @"cy", @"ab" ]}];
  }];
  RLMSectionedResults *sections = [dog.nicknames
      sectionedResultsSortedUsingKeyPath:@"self"
                               ascending:YES
                                keyBlock:^id<RLMValue>(id name) { return [name substringToIndex:1]; }];
  EXPECT_EQUAL(sections.allKeys, (@[ @"a", @"b", @"c" ]));
  EXPECT([sections[1] count] == 2);
  EXPECT_EQUAL(sections[0][1], @"al");
  __block RLMSectionedResultsChange *last = nil;
  __block int calls = 0;
  RLMNotificationToken *token =
      [sections addNotificationBlock:^(RLMSectionedResults *results, RLMSectionedResultsChange *change) {
        calls++;
        if (change) last = RETAIN(change);
      }];
  waitUntil(^BOOL { return calls == 1; });
  // One of two equal names goes, a section goes, and one comes.
  [realm transactionWithBlock:^{
    [dog.nicknames removeObjectAtIndex:2];
    [dog.nicknames removeObjectAtIndex:2];
    [dog.nicknames addObject:@"dot"];
  }];
  waitUntil(^BOOL { return last != nil; });
  EXPECT_EQUAL(sections.allKeys, (@[ @"a", @"b", @"d" ]));
  EXPECT_EQUAL(last.sectionsToRemove, [NSIndexSet indexSetWithIndex:2]);
  EXPECT_EQUAL(last.sectionsToInsert, [NSIndexSet indexSetWithIndex:2]);
  EXPECT(last.deletions.count == 2 && last.insertions.count == 1 && last.modifications.count == 0);
  EXPECT([last deletionsInSection:1].count == 1 && [last deletionsInSection:2].count == 1);
  EXPECT([last insertionsInSection:2].count == 1);
  int seen = 0;
  for (RLMSection *section in sections)
    for (NSString *name in section)
      seen += [name hasPrefix:(NSString *)section.key];
  EXPECT(seen == 4);
  [token invalidate];
}

static void aSectionIsToldOfItsOwnChanges(void) {
  RLMRealm *realm = realmInMemory(@"one section");
  [realm transactionWithBlock:^{
    for (NSString *name in @[ @"bob", @"abe", @"ann" ])
      [Toy createInRealm:realm withValue:@[ name ]];
  }];
  RLMSectionedResults *sections = [[Toy allObjectsInRealm:realm]
      sectionedResultsSortedUsingKeyPath:@"name"
                               ascending:YES
                                keyBlock:^id<RLMValue>(id toy) { return firstLetter(toy); }];
  RLMSection *section = sections[1];
  EXPECT_EQUAL(section.key, @"b");
  RLMSection *frozen = [section freeze];
  __block RLMSectionedResultsChange *last = nil;
  __block int initial = 0, calls = 0, others = 0;
  RLMNotificationToken *token =
      [section addNotificationBlock:^(RLMSection *told, RLMSectionedResultsChange *change) {
        if (!change) {
          initial++;
          return;
        }
        calls++;
        last = RETAIN(change);
      }];
  RLMNotificationToken *ofAll =
      [sections addNotificationBlock:^(RLMSectionedResults *results, RLMSectionedResultsChange *change) {
        if (change) others++;
      }];
  waitUntil(^BOOL { return initial == 1; });
  [realm transactionWithBlock:^{ [Toy createInRealm:realm withValue:@[ @"ada" ]]; }];
  waitUntil(^BOOL { return others == 1; });
  EXPECT(others == 1 && calls == 0);
  [realm transactionWithBlock:^{
    [realm deleteObjects:[Toy objectsInRealm:realm where:@"name BEGINSWITH 'a'"]];
    [Toy createInRealm:realm withValue:@[ @"bea" ]];
  }];
  waitUntil(^BOOL { return calls == 1; });
  EXPECT(calls == 1 && last.insertions.count == 1 && last.deletions.count == 0);
  EXPECT([last.insertions[0] indexAtPosition:0] == 0 && [last.insertions[0] indexAtPosition:1] == 0);
  EXPECT(section.count == 2 && frozen.count == 1 && frozen.frozen && !section.frozen);
  EXPECT([frozen thaw].count == 2 && section.realm == realm);
  [token invalidate];
  [ofAll invalidate];
}

static void run(RLMRealm *realm, void (^block)(RLMRealm *realm)) {
  NSString *name = realm.configuration.inMemoryIdentifier;
  NSOperationQueue *queue = AUTORELEASE([[NSOperationQueue alloc] init]);
  [queue addOperationWithBlock:^{
    @autoreleasepool {
      block(realmInMemory(name));
    }
  }];
  [queue waitUntilAllOperationsAreFinished];
}

static void changesOfOthersHavePreviousValues(void) {
  RLMRealm *realm = realmInMemory(@"previous");
  __block Dog *dog;
  [realm transactionWithBlock:^{
    dog = [Dog createInRealm:realm withValue:@{@"name" : @"Tom", @"age" : @1, @"favoriteToy" : @[ @"ball" ]}];
  }];
  __block NSArray<RLMPropertyChange *> *last = nil;
  RLMNotificationToken *token =
      [dog addNotificationBlock:^(BOOL deleted, NSArray<RLMPropertyChange *> *changes, NSError *error) {
        last = RETAIN(changes);
      }];
  [realm transactionWithBlock:^{ dog.age = 2; }];
  waitUntil(^BOOL { return last != nil; });
  EXPECT(last.count == 1 && !last[0].previousValue);
  last = nil;
  run(realm, ^(RLMRealm *other) {
    [other transactionWithBlock:^{
      Dog *same = [Dog allObjectsInRealm:other].firstObject;
      same.name = @"Rex";
      same.age = 3;
      same.chip = @9;
      same.favoriteToy = [Toy createInRealm:other withValue:@[ @"rope" ]];
      [same.nicknames addObject:@"R"];
      [Person createInRealm:other withValue:@{@"_id" : @1, @"dogs" : @[ same ]}];
    }];
  });
  waitUntil(^BOOL { return last != nil; });
  NSMutableDictionary *byName = [NSMutableDictionary dictionary];
  for (RLMPropertyChange *change in last)
    byName[change.name] = change;
  EXPECT(byName.count == 6);
  EXPECT_EQUAL([byName[@"name"] previousValue], @"Tom");
  EXPECT_EQUAL([byName[@"name"] value], @"Rex");
  EXPECT_EQUAL([byName[@"age"] previousValue], @2);
  EXPECT_EQUAL([byName[@"age"] value], @3);
  EXPECT(![byName[@"chip"] previousValue] && [[byName[@"chip"] value] isEqual:@9]);
  EXPECT_EQUAL([(Toy *)[byName[@"favoriteToy"] previousValue] name], @"ball");
  EXPECT(byName[@"nicknames"] && ![byName[@"nicknames"] previousValue]);
  EXPECT(byName[@"owners"] && [[byName[@"owners"] value] count] == 1);
  [token invalidate];
}

int main(void) {
  @autoreleasepool {
    objectsInMemoryAreObserved();
    theFirstMessageToAnObservedObjectMayBeASetter();
    managedObjectsAreObserved();
    collectionsNotify();
    objectsAndRealmsNotify();
    dictionariesNotifyWithKeys();
    sectionsFollowChanges();
    sectionsOfValuesFollowChanges();
    aSectionIsToldOfItsOwnChanges();
    changesOfOthersHavePreviousValues();
  }
  return failureCount != 0;
}
