// Automatic reference counting: strong and weak references, also while another thread releases. Weak
// references need ARC; without it the program tests that objects in instance variables are its own concern.
#import "Expectations.h"
#include <pthread.h>

static int freed; // counted atomically

@interface Node : NSObject
#if __has_feature(objc_arc)
@property(nonatomic, strong) Node *next;
@property(nonatomic, weak) Node *other;
@property(strong) NSMutableArray *atomicArray;
@property(nonatomic, copy) int (^block)(int);
#else
@property(nonatomic, retain) Node *next;
#endif
@end
@implementation Node
- (void)dealloc {
  __atomic_add_fetch(&freed, 1, __ATOMIC_RELAXED);
#if !__has_feature(objc_arc)
  [_next release];
  [super dealloc];
#endif
}
@end

static void instanceVariablesAreReleased(void) {
  freed = 0;
  @autoreleasepool {
    Node *first = [[Node alloc] init];
    Node *second = [[Node alloc] init];
    first.next = second;
    RELEASE(second);
    second = nil;
    EXPECT(freed == 0);
    RELEASE(first);
  }
  EXPECT(freed == 2);
}

#if __has_feature(objc_arc)
static BOOL make(Node *__autoreleasing *node, NSError **error) {
  *node = [[Node alloc] init];
  if (error) *error = [NSError errorWithDomain:@"test" code:7 userInfo:nil];
  return YES;
}

static void outParametersAreAutoreleased(void) {
  freed = 0;
  @autoreleasepool {
    Node *node = nil;
    NSError *error = nil;
    EXPECT(make(&node, &error) && node && error.code == 7);
  }
  EXPECT(freed == 1);
}

static void weakReferencesBecomeNil(void) {
  freed = 0;
  Node *stays = [[Node alloc] init];
  __weak Node *weak = nil;
  __weak NSString *nothing = nil;
  @autoreleasepool {
    Node *strong = [[Node alloc] init];
    weak = strong;
    EXPECT(weak == strong && nothing == nil);
    strong.other = stays;
    stays.other = strong;
    EXPECT(stays.other == strong);
    __weak Node *copied = weak;
    int (^reader)(int) = ^int(int value) { return copied ? value : -value; };
    EXPECT(reader(7) == 7);
    Node *keeps = strong;
    strong = nil;
    EXPECT(weak != nil);
    EXPECT(keeps == weak);
    keeps = nil;
  }
  EXPECT(weak == nil && stays.other == nil && freed == 1);
}

static void aWeakCaptureBreaksACycle(void) {
  freed = 0;
  @autoreleasepool {
    Node *owner = [[Node alloc] init];
    __weak Node *weak = owner;
    owner.block = ^int(int value) { return weak.block ? value : 0; };
    EXPECT(owner.block(3) == 3);
  }
  EXPECT(freed == 1);
}

static void weakReferencesToBlocksBecomeNil(void) {
  __weak int (^weak)(void) = nil;
  @autoreleasepool {
    int number = freed;
    int (^block)(void) = [^{ return number + 1; } copy];
    weak = block;
    EXPECT(weak && weak() == number + 1);
    block = nil;
  }
  EXPECT(weak == nil);
}

// MARK: A thread loads what another one releases

static __weak Node *raced;
static int ended;
static long loadedCount;

static void *load(void *unused) {
  @autoreleasepool {
    while (!__atomic_load_n(&ended, __ATOMIC_ACQUIRE)) {
      @autoreleasepool {
        Node *node = raced;
        if (node && [node isKindOfClass:[Node class]]) __atomic_add_fetch(&loadedCount, 1, __ATOMIC_RELAXED);
      }
    }
  }
  return NULL;
}

static void loadingNeverReturnsAFreedObject(void) {
  freed = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, load, NULL);
  int rounds = 0;
  // Goes on until the other thread has met living objects, too: otherwise the test would show nothing.
  while (rounds < 50000 || __atomic_load_n(&loadedCount, __ATOMIC_RELAXED) < 100) {
    rounds++;
    Node *strong = [[Node alloc] init];
    raced = strong;
    if (rounds % 64 == 0) sched_yield();
    strong = nil;
  }
  __atomic_store_n(&ended, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  EXPECT(freed == rounds && raced == nil);
}

// MARK: Threads that share weak references

enum { sharedCount = 8, threadCount = 4, roundCount = 20000 };
static __weak Node *shared[sharedCount];
static int madeCount;

// A variable that several threads store to needs a lock, weak ones as well.
static pthread_mutex_t placeLocks[sharedCount];

// Stores new objects and loads those of other threads, which are alive and have what they were made with.
static void *storeAndLoad(void *seed) {
  unsigned state = (unsigned)(uintptr_t)seed;
  for (int round = 0; round < roundCount; round++) {
    @autoreleasepool {
      state = state * 1664525 + 1013904223;
      unsigned place = state >> 16 & (sharedCount - 1);
      Node *node = [[Node alloc] init];
      node.next = [[Node alloc] init];
      __atomic_add_fetch(&madeCount, 2, __ATOMIC_RELAXED);
      __weak Node *own = node;
      __weak Node *copied = own;
      pthread_mutex_lock(&placeLocks[place]);
      Node *other = shared[place];
      shared[place] = node;
      pthread_mutex_unlock(&placeLocks[place]);
      if (other && ![other.next isKindOfClass:[Node class]]) abort();
      if (own != node || copied != node) abort();
    }
  }
  return NULL;
}

static void everyObjectIsFreedOnceByManyThreads(void) {
  freed = 0;
  pthread_t threads[threadCount];
  for (int i = 0; i < sharedCount; i++)
    pthread_mutex_init(&placeLocks[i], NULL);
  for (int i = 0; i < threadCount; i++)
    pthread_create(&threads[i], NULL, storeAndLoad, (void *)(uintptr_t)(i + 1));
  for (int i = 0; i < threadCount; i++)
    pthread_join(threads[i], NULL);
  EXPECT(madeCount == 2 * threadCount * roundCount && freed == madeCount);
  for (int i = 0; i < sharedCount; i++)
    EXPECT(shared[i] == nil);
}
#endif

int main(void) {
  @autoreleasepool {
    instanceVariablesAreReleased();
#if __has_feature(objc_arc)
    outParametersAreAutoreleased();
    weakReferencesBecomeNil();
    aWeakCaptureBreaksACycle();
    weakReferencesToBlocksBecomeNil();
    loadingNeverReturnsAFreedObject();
    everyObjectIsFreedOnceByManyThreads();
#endif
  }
  return failureCount != 0;
}
