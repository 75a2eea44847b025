// Exceptions in code that clang compiled: handlers by class, `@finally`, rethrowing, and the way through
// blocks and through code that GCC compiled.
#import "Expectations.h"

@interface Oddity : NSObject
@end
@implementation Oddity
@end

static NSMutableString *steps;

static int callThrough(int (^block)(int), int value) { return block(value); }

enum { goesOn, throws, returns };

static void runWithFinally(int way) {
  @try {
    @try {
      if (way == throws) [NSException raise:@"One" format:@"first"];
      if (way == returns) return;
      [steps appendString:@"body "];
    } @finally { [steps appendString:@"inner "]; }
  } @catch (NSException *exception) {
    [steps appendString:@"caught "];
    @throw;
  } @finally { [steps appendString:@"outer "]; }
}

static void finallyRunsOnEveryWayOut(void) {
  steps = [NSMutableString string];
  runWithFinally(goesOn);
  EXPECT_EQUAL(steps, @"body inner outer ");
  [steps setString:@""];
  runWithFinally(returns);
  EXPECT_EQUAL(steps, @"inner outer ");
  [steps setString:@""];
  NSString *name = nil;
  @try {
    runWithFinally(throws);
  } @catch (NSException *exception) { name = exception.name; }
  EXPECT_EQUAL(name, @"One");
  EXPECT_EQUAL(steps, @"inner caught outer ");
}

static void handlersAreChosenByClass(void) {
  NSString *handler = nil;
  @try {
    [NSException raise:NSRangeException format:@"-"];
  } @catch (Oddity *oddity) { handler = @"Oddity"; } @catch (NSException *exception) {
    handler = @"NSException";
  } @catch (id object) { handler = @"id"; }
  EXPECT_EQUAL(handler, @"NSException");
  @try {
    @throw AUTORELEASE([[Oddity alloc] init]);
  } @catch (NSException *exception) { handler = @"NSException"; } @catch (id object) {
    handler = NSStringFromClass([object class]);
  }
  EXPECT_EQUAL(handler, @"Oddity");
  @try {
    @throw @"text";
  } @catch (Oddity *oddity) { handler = @"Oddity"; } @catch (NSString *text) {
    handler = text;
  }
  EXPECT_EQUAL(handler, @"text");
}

static void exceptionsPassBlocksAndGNUstep(void) {
  int result = 0;
  @try {
    callThrough(
        ^int(int value) {
          [NSException raise:@"Two" format:@"-"];
          return value;
        },
        1);
  } @catch (id object) { result = 1; }
  EXPECT(result == 1);
  __block NSUInteger seen = 0;
  @try {
    @try {
      [@[ @1, @2, @3 ] enumerateObjectsUsingBlock:^(id object, NSUInteger index, BOOL *stop) {
        seen++;
        if (index == 1) [NSException raise:@"Three" format:@"-"];
      }];
    } @catch (Oddity *never) { result = 2; }
  } @catch (NSException *exception) { result += 10; }
  EXPECT(result == 11 && seen == 2);
  // Thrown by code of GCC's.
  EXPECT_THROWS(@"", [@[] objectAtIndex:7]);
}

static void aHandlerMayThrow(void) {
  NSString *name = nil;
  @try {
    @try {
      [NSException raise:@"A" format:@"-"];
    } @catch (NSException *exception) { [NSException raise:@"B" format:@"-"]; }
  } @catch (NSException *exception) { name = exception.name; }
  EXPECT_EQUAL(name, @"B");
  NSException *kept = nil;
  @try {
    @try {
      [NSException raise:@"C" format:@"-"];
    } @catch (id object) { @throw object; }
  } @catch (NSException *exception) { kept = exception; }
  EXPECT_EQUAL(kept.name, @"C");
}

static void synchronizedIsLeftByExceptions(void) {
  NSObject *guard = AUTORELEASE([[NSObject alloc] init]);
  @try {
    @synchronized(guard) {
      @synchronized(guard) {
        [NSException raise:@"D" format:@"-"];
      }
    }
  } @catch (NSException *exception) {}
  // Another thread gets the lock only if this one has left it.
  NSConditionLock *done = AUTORELEASE([[NSConditionLock alloc] initWithCondition:0]);
  [NSThread detachNewThreadSelector:@selector(enter:)
                           toTarget:AUTORELEASE([[Oddity alloc] init])
                         withObject:@[ guard, done ]];
  EXPECT([done lockWhenCondition:1 beforeDate:[NSDate dateWithTimeIntervalSinceNow:20]]);
  [done unlock];
}

@interface Oddity (Threads)
- (void)enter:(NSArray *)guardAndDone;
@end
@implementation Oddity (Threads)
- (void)enter:(NSArray *)guardAndDone {
  @autoreleasepool {
    NSConditionLock *done = guardAndDone[1];
    @synchronized(guardAndDone[0]) {
      [done lock];
      [done unlockWithCondition:1];
    }
  }
}
@end

int main(void) {
  @autoreleasepool {
    finallyRunsOnEveryWayOut();
    handlersAreChosenByClass();
    exceptionsPassBlocksAndGNUstep();
    aHandlerMayThrow();
    synchronizedIsLeftByExceptions();
  }
  return failureCount != 0;
}
