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

// What a transaction or a commit calls later.
struct Later {
  id block;           // of the transaction; nil for a commit
  id completionBlock; // nil for none
  RLMRealm *realm;    // retained, so that it stays open until then
};

static struct Later *makeLater(id block, id completionBlock, RLMRealm *realm) {
  struct Later *later = calloc(1, sizeof *later);
  *later = (struct Later){[block copy], [completionBlock copy], [realm retain]};
  return later;
}

static void freeLater(void *context) {
  struct Later *later = context;
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  [later->block release];
  [later->completionBlock release];
  [later->realm release];
  free(later);
  [pool drain];
}

// The number of what a function of the C interface has scheduled, which takes over the context unless it
// fails.
static RLMAsyncTransactionId numberOf(int32_t code, uint32_t number, struct Later *later) {
  if (code == OPENREALM_OK) return number;
  freeLater(later);
  RLMThrowLastFailure();
}

static void completed(void *context, const openrealm_error *error) {
  struct Later *later = context;
  RLM_GUARDED(((void (^)(NSError *))later->completionBlock)(error ? RLMErrorOfFailure(error) : nil));
}

static void begun(void *context, const openrealm_error *error) {
  struct Later *later = context;
  RLM_GUARDED({
    if (error) {
      NSError *failure = RLMErrorOfFailure(error);
      if (!later->completionBlock) RLMThrow(@"%@", failure.localizedDescription);
      ((void (^)(NSError *))later->completionBlock)(failure);
    } else {
      // What an exception leaves open is cancelled.
      ((void (^)(void))later->block)();
    }
  });
}

- (BOOL)isPerformingAsynchronousWriteOperations {
  return openrealm_has_later_writes(_handle);
}

- (RLMAsyncTransactionId)beginLater:(void (^)(void))block
                         completion:(void (^)(NSError *error))completionBlock {
  if (!block) RLMThrow(@"The block of an asynchronous transaction must not be nil.");
  struct Later *later = makeLater(block, completionBlock, self);
  uint32_t number;
  int32_t code = openrealm_begin_later(_handle, begun, later, freeLater, &number);
  return numberOf(code, number, later);
}

- (RLMAsyncTransactionId)beginAsyncWriteTransaction:(void (^)(void))block {
  return [self beginLater:block completion:NULL];
}

- (RLMAsyncTransactionId)commitAsyncWriteTransaction:(void (^)(NSError *error))completionBlock
                                       allowGrouping:(BOOL)allowGrouping {
  struct Later *later = makeLater(nil, completionBlock, self);
  uint32_t number;
  int32_t code = openrealm_commit_later(_handle, allowGrouping, completionBlock ? completed : NULL, later,
                                        freeLater, &number);
  number = numberOf(code, number, later);
  RLMThrowKept();
  return number;
}

- (RLMAsyncTransactionId)commitAsyncWriteTransaction:(void (^)(NSError *error))completionBlock {
  return [self commitAsyncWriteTransaction:completionBlock allowGrouping:NO];
}

- (RLMAsyncTransactionId)commitAsyncWriteTransaction {
  return [self commitAsyncWriteTransaction:NULL allowGrouping:NO];
}

- (void)cancelAsyncTransaction:(RLMAsyncTransactionId)number {
  RLMCheck(openrealm_cancel_later(_handle, number));
}

- (RLMAsyncTransactionId)asyncTransactionWithBlock:(void (^)(void))block
                                        onComplete:(void (^)(NSError *error))completionBlock {
  if (!block) RLMThrow(@"The block of an asynchronous transaction must not be nil.");
  // A block that ends the transaction itself is complete then.
  void (^whole)(void) = ^{
    block();
    if (self.inWriteTransaction)
      [self commitAsyncWriteTransaction:completionBlock];
    else if (completionBlock)
      completionBlock(nil);
  };
  return [self beginLater:whole completion:completionBlock];
}

- (RLMAsyncTransactionId)asyncTransactionWithBlock:(void (^)(void))block {
  return [self asyncTransactionWithBlock:block onComplete:NULL];
}

@end
