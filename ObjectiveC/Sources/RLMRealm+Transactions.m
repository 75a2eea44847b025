#import "RLMCollection_Private.h"
#import "RLMNotification_Private.h"

@implementation RLMRealm (Transactions)

// MARK: On this thread

- (BOOL)inWriteTransaction {
  return openrealm_is_writing(_handle);
}

- (void)beginWriteTransaction {
  [self beginWriteTransactionWithError:NULL];
}

- (void)beginWriteTransactionWithError:(NSError **)error {
  int32_t code = openrealm_begin(_handle);
  // An observer has thrown, which is called before the transaction is the caller's.
  if (code == OPENREALM_OK && RLMHasKeptException()) openrealm_cancel(_handle);
  RLMThrowKept();
  if (code != OPENREALM_OK) RLMFail(error);
}

- (void)commitWriteTransaction {
  [self commitWriteTransaction:NULL];
}

- (BOOL)commitWriteTransaction:(NSError **)error {
  return [self commitWriteTransactionWithoutNotifying:nil error:error];
}

- (BOOL)commitWriteTransactionWithoutNotifying:(NSArray<RLMNotificationToken *> *)tokens
                                         error:(NSError **)error {
  NSUInteger count = 0;
  openrealm_token *handles[[tokens count] + 1];
  for (RLMNotificationToken *token in tokens) {
    openrealm_token *handle = RLMTokenHandle(token, self);
    if (handle) handles[count++] = handle;
  }
  int32_t code =
      count ? openrealm_commit_without_notifying(_handle, count, handles) : openrealm_commit(_handle);
  RLMThrowKept();
  return code == OPENREALM_OK ? YES : RLMFail(error);
}

- (void)cancelWriteTransaction {
  RLMCheck(openrealm_cancel(_handle));
}

- (void)transactionWithBlock:(void (^)(void))block {
  [self transactionWithoutNotifying:nil block:block error:NULL];
}

- (BOOL)transactionWithBlock:(void (^)(void))block error:(NSError **)error {
  return [self transactionWithoutNotifying:nil block:block error:error];
}

- (void)transactionWithoutNotifying:(NSArray<RLMNotificationToken *> *)tokens block:(void (^)(void))block {
  [self transactionWithoutNotifying:tokens block:block error:NULL];
}

// The block may have committed or cancelled the transaction itself.
- (BOOL)transactionWithoutNotifying:(NSArray<RLMNotificationToken *> *)tokens
                              block:(void (^)(void))block
                              error:(NSError **)error {
  // Throws for tokens of another realm, while there is no transaction yet.
  for (RLMNotificationToken *token in tokens)
    RLMTokenHandle(token, self);
  [self beginWriteTransaction];
  @try {
    block();
  } @catch (id exception) {
    if (self.inWriteTransaction) [self cancelWriteTransaction];
    @throw;
  }
  return self.inWriteTransaction ? [self commitWriteTransactionWithoutNotifying:tokens error:error] : YES;
}

// MARK: Later, on the run loop of this thread

static NSString *const waitingKey = @"RLMAsyncTransactions";

// Blocks that wait for their turn, by number. They belong to this thread, so that its dictionary keeps them.
static NSMutableDictionary *waitingBlocks(void) {
  NSMutableDictionary *values = [[NSThread currentThread] threadDictionary];
  NSMutableDictionary *blocks = [values objectForKey:waitingKey];
  if (!blocks) [values setObject:blocks = [NSMutableDictionary dictionary] forKey:waitingKey];
  return blocks;
}

- (BOOL)isPerformingAsynchronousWriteOperations {
  for (NSArray *realmAndBlock in [waitingBlocks() allValues])
    if ([realmAndBlock objectAtIndex:0] == self) return YES;
  return NO;
}

- (RLMAsyncTransactionId)performLater:(void (^)(void))block {
  static RLMAsyncTransactionId last;
  RLMAsyncTransactionId number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  NSArray *realmAndBlock = [NSArray arrayWithObjects:self, [[block copy] autorelease], nil];
  [waitingBlocks() setObject:realmAndBlock forKey:[NSNumber numberWithUnsignedInt:number]];
  [self performSelector:@selector(performWaiting:)
             withObject:[NSNumber numberWithUnsignedInt:number]
             afterDelay:0];
  return number;
}

- (void)performWaiting:(NSNumber *)number {
  NSArray *realmAndBlock = [[[waitingBlocks() objectForKey:number] retain] autorelease];
  if (!realmAndBlock) return;
  [waitingBlocks() removeObjectForKey:number];
  void (^block)(void) = [realmAndBlock objectAtIndex:1];
  block();
}

- (RLMAsyncTransactionId)beginAsyncWriteTransaction:(void (^)(void))block {
  if ([self isFrozen]) RLMThrow(@"Can't perform transactions on a frozen Realm");
  return [self performLater:^{
    [self beginWriteTransaction];
    @try {
      block();
    } @catch (id exception) {
      if (self.inWriteTransaction) [self cancelWriteTransaction];
      @throw;
    }
  }];
}

- (RLMAsyncTransactionId)commitAsyncWriteTransaction:(void (^)(NSError *error))completionBlock {
  NSError *error = nil;
  [self commitWriteTransaction:&error];
  return [self performLater:^{
    if (completionBlock) completionBlock(error);
  }];
}

- (RLMAsyncTransactionId)commitAsyncWriteTransaction {
  return [self commitAsyncWriteTransaction:NULL];
}

- (void)cancelAsyncTransaction:(RLMAsyncTransactionId)number {
  [waitingBlocks() removeObjectForKey:[NSNumber numberWithUnsignedInt:number]];
}

- (RLMAsyncTransactionId)asyncTransactionWithBlock:(void (^)(void))block
                                        onComplete:(void (^)(NSError *error))completionBlock {
  return [self beginAsyncWriteTransaction:^{
    block();
    if (!self.inWriteTransaction) return;
    NSError *error = nil;
    [self commitWriteTransaction:&error];
    if (completionBlock) completionBlock(error);
  }];
}

- (RLMAsyncTransactionId)asyncTransactionWithBlock:(void (^)(void))block {
  return [self asyncTransactionWithBlock:block onComplete:NULL];
}

@end
