// Asynchronous write transactions.
#import "Models.h"
#import "Expectations.h"
#import "Models.inc"

static void waitUntil(BOOL (^condition)(void)) {
  NSDate *end = [NSDate dateWithTimeIntervalSinceNow:60];
  while (!condition() && [end timeIntervalSinceNow] > 0)
    [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode
                             beforeDate:[NSDate dateWithTimeIntervalSinceNow:0.05]];
}

static void transactionsRunLater(void) {
  RLMRealm *realm = realmInMemory(@"later");
  __block BOOL completed = NO;
  [realm
      asyncTransactionWithBlock:^{
        [Dog createInRealm:realm withValue:@{@"age" : @1}];
      }
      onComplete:^(NSError *error) { completed = !error; }];
  EXPECT(!completed && realm.isPerformingAsynchronousWriteOperations);
  EXPECT([Dog allObjectsInRealm:realm].count == 0);
  waitUntil(^BOOL { return completed; });
  EXPECT(completed && [Dog allObjectsInRealm:realm].count == 1);
  waitUntil(^BOOL { return !realm.isPerformingAsynchronousWriteOperations; });
  EXPECT(!realm.isPerformingAsynchronousWriteOperations);
  RLMAsyncTransactionId cancelled = [realm asyncTransactionWithBlock:^{ [realm deleteAllObjects]; }];
  [realm cancelAsyncTransaction:cancelled];
  [realm cancelAsyncTransaction:cancelled + 1000];
  EXPECT(!realm.isPerformingAsynchronousWriteOperations);
  EXPECT([Dog allObjectsInRealm:realm].count == 1);
}

static void theRunLoopGoesOnWhileAnotherThreadWrites(void) {
  RLMRealm *realm = realmInMemory(@"held");
  NSConditionLock *lock = AUTORELEASE([[NSConditionLock alloc] initWithCondition:0]);
  NSOperationQueue *queue = AUTORELEASE([[NSOperationQueue alloc] init]);
  [queue addOperationWithBlock:^{
    @autoreleasepool {
      RLMRealm *other = realmInMemory(@"held");
      [other beginWriteTransaction];
      [Dog createInRealm:other withValue:@{@"age" : @1}];
      [lock lockWhenCondition:0];
      [lock unlockWithCondition:1];
      [lock lockWhenCondition:2];
      [lock unlock];
      [other commitWriteTransaction];
    }
  }];
  [lock lockWhenCondition:1];
  [lock unlockWithCondition:1];
  __block NSUInteger seen = 0;
  __block BOOL isCommitted = NO;
  [realm beginAsyncWriteTransaction:^{
    seen = [Dog allObjectsInRealm:realm].count;
    [Dog createInRealm:realm withValue:@{@"age" : @2}];
    [realm commitAsyncWriteTransaction:^(NSError *error) { isCommitted = !error; } allowGrouping:YES];
  }];
  // A timer fires while the transaction waits.
  __block int turns = 0;
  waitUntil(^BOOL { return ++turns == 3; });
  EXPECT(turns == 3 && !seen && realm.isPerformingAsynchronousWriteOperations);
  [lock lockWhenCondition:1];
  [lock unlockWithCondition:2];
  waitUntil(^BOOL { return isCommitted; });
  EXPECT(isCommitted && seen == 1 && [Dog allObjectsInRealm:realm].count == 2);
  [queue waitUntilAllOperationsAreFinished];
}

static void whatIsNotCommittedIsUndone(void) {
  RLMRealm *realm = realmInMemory(@"undone");
  __block int done = 0;
  [realm beginAsyncWriteTransaction:^{
    [Dog createInRealm:realm withValue:@{@"age" : @1}];
    done++;
  }];
  waitUntil(^BOOL { return done == 1; });
  waitUntil(^BOOL { return !realm.isPerformingAsynchronousWriteOperations; });
  EXPECT(!realm.inWriteTransaction && [Dog allObjectsInRealm:realm].count == 0);
  // Blocks may end the transaction in any way.
  __block BOOL isComplete = NO;
  [realm
      asyncTransactionWithBlock:^{
        [Dog createInRealm:realm withValue:@{@"age" : @2}];
        [realm commitWriteTransaction];
      }
      onComplete:^(NSError *error) { isComplete = !error; }];
  waitUntil(^BOOL { return isComplete; });
  EXPECT(isComplete && [Dog allObjectsInRealm:realm].count == 1);
  // What a block throws comes out of the run loop, and undoes the transaction.
  __block BOOL isCaught = NO;
  [realm asyncTransactionWithBlock:^{
    [realm deleteAllObjects];
    [NSException raise:@"Mine" format:@"mine"];
  }];
  waitUntil(^BOOL {
    @try {
      [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode
                               beforeDate:[NSDate dateWithTimeIntervalSinceNow:0.05]];
    } @catch (NSException *exception) { isCaught = [exception.name isEqual:@"Mine"]; }
    return isCaught;
  });
  EXPECT(isCaught && !realm.inWriteTransaction && [Dog allObjectsInRealm:realm].count == 1);
}

static void wrongTransactionsAreRefused(void) {
  RLMRealm *realm = realmInMemory(@"refused");
  EXPECT_THROWS(@"Can't commit a non-existing write transaction", [realm commitAsyncWriteTransaction]);
  EXPECT_THROWS(@"Can't perform transactions on a frozen Realm",
                [[realm freeze] beginAsyncWriteTransaction:^{}]);
  __block BOOL isRefused = NO;
  [realm beginWriteTransaction];
  [realm commitAsyncWriteTransaction:^(NSError *error) {
    @try {
      [realm beginWriteTransaction];
    } @catch (NSException *exception) {
      isRefused =
          [exception.reason hasPrefix:@"Can't begin a write transaction from inside a commit completion"];
    }
  }];
  waitUntil(^BOOL { return isRefused; });
  EXPECT(isRefused);
}

int main(void) {
  @autoreleasepool {
    transactionsRunLater();
    theRunLoopGoesOnWhileAnotherThreadWrites();
    whatIsNotCommittedIsUndone();
    wrongTransactionsAreRefused();
  }
  return failureCount != 0;
}
