// The thread's NSRunLoop watches the descriptor of the C interface, through which commits of other threads
// and processes arrive.
#import <objc/runtime.h>
#import "RLMFailure.h"
#import "RLMRealm_Private.h"

static NSString *const loopKey = @"RLMLoop", *const exceptionKey = @"RLMKeptException";

// An exception must not pass the library, which is not made for it. What a callback throws is kept until the
// library has returned.
void RLMKeepException(id exception) {
  NSMutableDictionary *values = [[NSThread currentThread] threadDictionary];
  if (![values objectForKey:exceptionKey]) [values setObject:exception forKey:exceptionKey];
}

BOOL RLMHasKeptException(void) {
  return [[[NSThread currentThread] threadDictionary] objectForKey:exceptionKey] != nil;
}

void RLMThrowKept(void) {
  NSMutableDictionary *values = [[NSThread currentThread] threadDictionary];
  id exception = [[[values objectForKey:exceptionKey] retain] autorelease];
  if (!exception) return;
  [values removeObjectForKey:exceptionKey];
  @throw exception;
}

@interface RLMLoop : NSObject <RunLoopEvents>
@end

@implementation RLMLoop

- (void)receivedEvent:(void *)data type:(RunLoopEventType)type extra:(void *)extra forMode:(NSString *)mode {
  openrealm_loop_perform();
  RLMThrowKept();
}

@end

void RLMWatchRunLoop(void) {
  NSMutableDictionary *values = [[NSThread currentThread] threadDictionary];
  if ([values objectForKey:loopKey]) return;
  int descriptor = openrealm_loop_descriptor();
  if (descriptor < 0) RLMThrowLastFailure();
  RLMLoop *loop = [[[RLMLoop alloc] init] autorelease];
  [values setObject:loop forKey:loopKey];
  for (NSString *mode in [NSArray arrayWithObjects:NSDefaultRunLoopMode, NSRunLoopCommonModes, nil])
    [[NSRunLoop currentRunLoop] addEvent:(void *)(intptr_t)descriptor
                                    type:ET_RDESC
                                 watcher:loop
                                 forMode:mode];
}
