#import "Checks.h"
#include <stdio.h>

NSString *folder;
int checkCount, failureCount;

RLMRealmConfiguration *configurationOf(NSString *fileName) {
  RLMRealmConfiguration *configuration = [RLMRealmConfiguration defaultConfiguration];
  configuration.fileURL = [NSURL fileURLWithPath:[folder stringByAppendingPathComponent:fileName]];
  configuration.objectClasses = @[ Dog.class, Toy.class, Person.class, Address.class, DogClub.class ];
  return configuration;
}

static RLMRealm *open(void) {
  NSError *error = nil;
  RLMRealm *realm = [RLMRealm realmWithConfiguration:configurationOf(@"dogs.realm") error:&error];
  if (!realm) [NSException raise:@"DoggoDB" format:@"dogs.realm cannot be opened: %@", error];
  return realm;
}

RLMRealm *openDogs(void) { return open(); }

RLMRealm *openEmptied(void) {
  RLMRealm *realm = open();
  [realm transactionWithBlock:^{ [realm deleteAllObjects]; }];
  return realm;
}

BOOL leftInFile(BOOL (^condition)(RLMRealm *file)) {
  __block BOOL holds = NO;
  NSOperationQueue *queue = AUTORELEASE([[NSOperationQueue alloc] init]);
  [queue addOperationWithBlock:^{
    @autoreleasepool {
      @try {
        RLMRealm *file = open();
        [file refresh];
        holds = condition(file);
      } @catch (NSException *exception) { printf("%s\n", exception.reason.UTF8String); }
    }
  }];
  [queue waitUntilAllOperationsAreFinished];
  return holds;
}

BOOL waitUntil(BOOL (^condition)(void)) {
  NSDate *end = [NSDate dateWithTimeIntervalSinceNow:30];
  while (!condition() && [end timeIntervalSinceNow] > 0)
    [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode
                             beforeDate:[NSDate dateWithTimeIntervalSinceNow:0.05]];
  return condition();
}

void runLoopForAWhile(void) {
  NSDate *end = [NSDate dateWithTimeIntervalSinceNow:0.2];
  while ([end timeIntervalSinceNow] > 0)
    [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode beforeDate:end];
}

NSArray *sortedValues(id<NSFastEnumeration> objects, NSString *key) {
  NSMutableArray *values = [NSMutableArray array];
  for (id object in objects) [values addObject:[object valueForKey:key]];
  return [values sortedArrayUsingSelector:@selector(compare:)];
}

void expect(BOOL holds, const char *text, const char *file, int line) {
  checkCount++;
  if (holds) return;
  failureCount++;
  printf("%s:%d: not as expected: %s\n", file, line, text);
}

BOOL isRefused(NSString *reason, void (^block)(void)) {
  @try {
    block();
  } @catch (NSException *exception) {
    if ([exception.reason rangeOfString:reason].location != NSNotFound) return YES;
    printf("%s\n", exception.reason.UTF8String);
  }
  return NO;
}
