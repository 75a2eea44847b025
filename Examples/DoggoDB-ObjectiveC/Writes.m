// Writes: transactions that are committed, cancelled, undone by an exception, on other threads and asynchronous.
#import "Checks.h"

static void commitAndCancel(RLMRealm *realm) {
  [realm beginWriteTransaction];
  HOLDS(realm.inWriteTransaction);
  [Toy createInRealm:realm withValue:@[ @"Ball" ]];
  LEFT([Toy allObjectsInRealm:file].count == 0);
  [realm commitWriteTransaction];
  HOLDS(!realm.inWriteTransaction);
  LEFT([Toy allObjectsInRealm:file].count == 1);
  [realm beginWriteTransaction];
  Toy *rope = [Toy createInRealm:realm withValue:@[ @"Rope" ]];
  [realm cancelWriteTransaction];
  HOLDS(rope.invalidated);
  LEFT([sortedValues([Toy allObjectsInRealm:file], @"name") isEqual:@[ @"Ball" ]]);
}

static void commitWithErrors(RLMRealm *realm) {
  NSError *error = nil;
  HOLDS([realm transactionWithBlock:^{ [Toy createInRealm:realm withValue:@[ @"Bone" ]]; } error:&error]);
  LEFT([Toy objectsInRealm:file where:@"name == 'Bone'"].count == 1);
  [realm beginWriteTransaction];
  [Toy createInRealm:realm withValue:@[ @"Duck" ]];
  HOLDS([realm commitWriteTransaction:&error] && !error);
  LEFT([Toy allObjectsInRealm:file].count == 3);
}

static void exceptionsUndo(RLMRealm *realm) {
  REFUSED(@"second thoughts", [realm transactionWithBlock:^{
            [realm deleteAllObjects];
            [NSException raise:@"DoggoDB" format:@"second thoughts"];
          }]);
  HOLDS(!realm.inWriteTransaction);
  LEFT([Toy allObjectsInRealm:file].count == 3);
  // A transaction that the block has cancelled is not committed.
  [realm transactionWithBlock:^{
    [realm deleteAllObjects];
    [realm cancelWriteTransaction];
  }];
  LEFT([Toy allObjectsInRealm:file].count == 3);
}

static void misuseIsRefused(RLMRealm *realm) {
  REFUSED(@"in a write transaction", [Toy createInRealm:realm withValue:@[ @"Late" ]]);
  REFUSED(@"write transaction", [realm commitWriteTransaction]);
  [realm beginWriteTransaction];
  REFUSED(@"already in a write transaction", [realm beginWriteTransaction]);
  [realm cancelWriteTransaction];
  REFUSED(@"frozen", [[realm freeze] beginWriteTransaction]);
  LEFT([Toy allObjectsInRealm:file].count == 3);
}

static void writeOnAnotherThread(RLMRealm *realm) {
  RLMResults *before = [[Toy allObjectsInRealm:realm] freeze];
  RLMThreadSafeReference *reference =
      [RLMThreadSafeReference referenceWithThreadConfined:[Toy objectsInRealm:realm where:@"name == 'Duck'"]
                                                              .firstObject];
  NSOperationQueue *queue = AUTORELEASE([[NSOperationQueue alloc] init]);
  [queue addOperationWithBlock:^{
    @autoreleasepool {
      RLMRealm *other = openDogs();
      Toy *duck = [other resolveThreadSafeReference:reference];
      [other transactionWithBlock:^{
        duck.name = @"Rubber duck";
        [Toy createInRealm:other withValue:@[ @"Sock" ]];
      }];
    }
  }];
  [queue waitUntilAllOperationsAreFinished];
  LEFT([Toy objectsInRealm:file where:@"name == 'Rubber duck'"].count == 1);
  [realm refresh];
  HOLDS([Toy allObjectsInRealm:realm].count == 4 && before.count == 3);
  HOLDS([before objectsWhere:@"name == 'Duck'"].count == 1);
}

static void writeAsynchronously(RLMRealm *realm) {
  __block BOOL isComplete = NO;
  [realm asyncTransactionWithBlock:^{ [Toy createInRealm:realm withValue:@[ @"Later" ]]; }
                        onComplete:^(NSError *error) { isComplete = !error; }];
  HOLDS(waitUntil(^BOOL { return isComplete; }));
  LEFT([Toy objectsInRealm:file where:@"name == 'Later'"].count == 1);
  __block BOOL isCommitted = NO;
  [realm beginAsyncWriteTransaction:^{
    [Toy createInRealm:realm withValue:@[ @"Last" ]];
    [realm commitAsyncWriteTransaction:^(NSError *error) { isCommitted = !error; }];
  }];
  HOLDS(waitUntil(^BOOL { return isCommitted; }));
  LEFT([Toy objectsInRealm:file where:@"name == 'Last'"].count == 1);
  RLMAsyncTransactionId cancelled = [realm asyncTransactionWithBlock:^{ [realm deleteAllObjects]; }];
  [realm cancelAsyncTransaction:cancelled];
  runLoopForAWhile();
  LEFT([Toy allObjectsInRealm:file].count == 6);
}

static void copyFile(RLMRealm *realm) {
  NSMutableData *key = [NSMutableData dataWithLength:64];
  RLMRealmConfiguration *copy = configurationOf(@"copy.realm");
  copy.encryptionKey = key;
  HOLDS([realm writeCopyToURL:copy.fileURL encryptionKey:key error:nil]);
  @autoreleasepool {
    RLMRealm *copied = [RLMRealm realmWithConfiguration:copy error:nil];
    HOLDS([Toy allObjectsInRealm:copied].count == 6);
  }
  copy.encryptionKey = nil;
  NSError *error = nil;
  HOLDS(![RLMRealm realmWithConfiguration:copy error:&error] && error.code == RLMErrorInvalidDatabase);
  HOLDS([RLMRealm deleteFilesForConfiguration:copy error:nil]);
}

void writes(void) {
  RLMRealm *realm = openEmptied();
  commitAndCancel(realm);
  commitWithErrors(realm);
  exceptionsUndo(realm);
  misuseIsRefused(realm);
  writeOnAnotherThread(realm);
  writeAsynchronously(realm);
  copyFile(realm);
}
