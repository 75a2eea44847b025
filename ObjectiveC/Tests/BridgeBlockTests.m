// Blocks as objects: in properties, arrays and dictionaries, with what they capture.
#import "Expectations.h"

static int freed;

@interface Captured : NSObject
@property(nonatomic) int number;
@end
@implementation Captured
- (void)dealloc {
  freed++;
  SUPER_DEALLOC;
}
@end

@interface Keeper : NSObject
@property(nonatomic, copy) int (^block)(int);
@end
@implementation Keeper
#if !__has_feature(objc_arc)
- (void)dealloc {
  [_block release];
  [super dealloc];
}
#endif
@end

static void aBlockInAPropertyKeepsWhatItCaptures(void) {
  freed = 0;
  @autoreleasepool {
    Keeper *keeper = [[Keeper alloc] init];
    @autoreleasepool {
      Captured *captured = [[Captured alloc] init];
      captured.number = 40;
      keeper.block = ^int(int value) { return value + captured.number; };
      RELEASE(captured);
    }
    EXPECT(freed == 0 && keeper.block(2) == 42);
    keeper.block = nil;
    EXPECT(freed == 1);
    RELEASE(keeper);
  }
}

static void blocksAreElementsOfCollections(void) {
  NSMutableArray *blocks = [NSMutableArray array];
  for (int i = 0; i < 3; i++) {
    int (^block)(void) = ^{ return i * 10; };
    [blocks addObject:AUTORELEASE([block copy])];
  }
  EXPECT(((int (^)(void))blocks[2])() == 20);
  EXPECT([[blocks[0] description] length] > 0);
  EXPECT([blocks[0] isEqual:blocks[0]] && ![blocks[0] isEqual:blocks[1]] &&
         [blocks indexOfObject:blocks[1]] == 1);
  NSDictionary *named = @{@"first" : blocks[0]};
  EXPECT([named[@"first"] respondsToSelector:@selector(copy)]
         && ![named[@"first"] respondsToSelector:@selector(count)]);
  EXPECT([blocks[0] isKindOfClass:NSClassFromString(@"NSBlock")]);
}

static void blocksCaptureBlocksAndVariables(void) {
  freed = 0;
  @autoreleasepool {
    __block int sum = 0;
    Captured *captured = [[Captured alloc] init];
    captured.number = 3;
    void (^inner)(void) = ^{ sum += captured.number; };
    void (^outer)(void) = ^{
      inner();
      inner();
    };
    void (^copied)(void) = [outer copy];
    RELEASE(captured);
    copied();
    copied();
    EXPECT(sum == 12);
#if __has_feature(objc_arc)
    inner = nil, outer = nil, copied = nil;
#else
    [copied release];
#endif
  }
  EXPECT(freed == 1);
}

static void aBlockIsCalledByAnotherThread(void) {
  NSConditionLock *done = AUTORELEASE([[NSConditionLock alloc] initWithCondition:0]);
  NSBlockOperation *operation = [NSBlockOperation blockOperationWithBlock:^{
    [done lock];
    [done unlockWithCondition:1];
  }];
  NSOperationQueue *queue = AUTORELEASE([[NSOperationQueue alloc] init]);
  [queue addOperation:operation];
  EXPECT([done lockWhenCondition:1 beforeDate:[NSDate dateWithTimeIntervalSinceNow:20]]);
  [done unlock];
  [queue waitUntilAllOperationsAreFinished];
}

int main(void) {
  @autoreleasepool {
    aBlockInAPropertyKeepsWhatItCaptures();
    blocksAreElementsOfCollections();
    blocksCaptureBlocksAndVariables();
    aBlockIsCalledByAnotherThread();
  }
  return failureCount != 0;
}
