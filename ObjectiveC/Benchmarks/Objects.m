// What reading, going through and creating objects costs: medians of rounds, in nanoseconds for each.
//
//   clang -O2 Objects.m $(pkg-config --cflags --libs realm-objc) -o objects && ./objects
#import <Realm/Realm.h>
#include <time.h>

@interface Hound : RLMObject
@property(nonatomic) int _id;
@property(nonatomic, retain) NSString *name;
@property(nonatomic) int age;
@property(nonatomic, retain) NSString *color;
@property(nonatomic) double weight;
@property(nonatomic) double height;
@property(nonatomic) BOOL vaccinated;
@end
@implementation Hound
+ (NSString *)primaryKey {
  return @"_id";
}
@end

enum { rounds = 9, objectCount = 100000, readCount = 1000000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int ascending(const void *first, const void *second) {
  double difference = *(const double *)first - *(const double *)second;
  return difference < 0 ? -1 : difference > 0;
}

static double median(double *values) {
  qsort(values, rounds, sizeof *values, ascending);
  return values[rounds / 2];
}

static NSDictionary *valuesOf(int number) {
  return @{
    @"_id" : @(number),
    @"name" : @"Dog number 12345",
    @"age" : @(number % 100),
    @"color" : @"brown",
    @"weight" : @12.5,
    @"height" : @0.5,
    @"vaccinated" : @YES
  };
}

static double create(RLMRealm *realm, int round) {
  double start = now();
  for (int i = 0; i < objectCount; i++)
    @autoreleasepool {
      [Hound createInRealm:realm withValue:valuesOf(round * objectCount + i)];
    }
  return (now() - start) / objectCount;
}

// Creates objects from dictionaries that were made before.
static double createFromMade(RLMRealm *realm, int round) {
  enum { batch = 1000 };
  double time = 0;
  for (int first = 0; first < objectCount; first += batch)
    @autoreleasepool {
      NSMutableArray *made = [NSMutableArray array];
      for (int i = 0; i < batch; i++)
        [made addObject:valuesOf(-1 - round * objectCount - first - i)];
      double start = now();
      for (int i = 0; i < batch; i++)
        @autoreleasepool {
          [Hound createInRealm:realm withValue:[made objectAtIndex:i]];
        }
      time += now() - start;
    }
  return time / objectCount;
}

// Makes objects, sets their properties and adds them.
static double add(RLMRealm *realm, int round) {
  double start = now();
  for (int i = 0; i < objectCount; i++)
    @autoreleasepool {
      Hound *hound = [[[Hound alloc] init] autorelease];
      hound._id = (rounds + round) * objectCount + i;
      hound.name = @"Dog number 12345";
      hound.age = i % 100;
      hound.color = @"brown";
      hound.weight = 12.5;
      hound.height = 0.5;
      hound.vaccinated = YES;
      [realm addObject:hound];
    }
  return (now() - start) / objectCount;
}

// Makes the dictionaries that `create` is given, without objects: a program makes them anyway.
static double makeDictionaries(int round) {
  double start = now();
  for (int i = 0; i < objectCount; i++)
    @autoreleasepool {
      [valuesOf(round * objectCount + i) count];
    }
  return (now() - start) / objectCount;
}

int main(void) {
  @autoreleasepool {
    RLMRealmConfiguration *configuration = [RLMRealmConfiguration defaultConfiguration];
    configuration.inMemoryIdentifier = @"benchmark";
    RLMRealm *realm = [RLMRealm realmWithConfiguration:configuration error:nil];
    double ints[rounds], strings[rounds], sets[rounds], walks[rounds], creations[rounds],
        fromMade[rounds], additions[rounds], dictionaries[rounds];
    long sum = 0;
    for (int round = 0; round < rounds; round++) {
      [realm beginWriteTransaction];
      creations[round] = create(realm, round);
      dictionaries[round] = makeDictionaries(round);
      Hound *hound = [[Hound allObjectsInRealm:realm] firstObject];
      double start = now();
      for (int i = 0; i < readCount; i++)
        hound.age = i;
      sets[round] = (now() - start) / readCount;
      [realm commitWriteTransaction];
      // Rolled back, so that the realm grows by as many objects in each round.
      [realm beginWriteTransaction];
      fromMade[round] = createFromMade(realm, round);
      additions[round] = add(realm, round);
      [realm cancelWriteTransaction];
      start = now();
      for (int i = 0; i < readCount; i++)
        sum += hound.age;
      ints[round] = (now() - start) / readCount;
      start = now();
      for (int i = 0; i < readCount / 10; i++)
        @autoreleasepool {
          sum += (long)[hound.name length];
        }
      strings[round] = (now() - start) / (readCount / 10);
      RLMResults<Hound *> *all = [Hound allObjectsInRealm:realm];
      NSUInteger count = all.count;
      start = now();
      @autoreleasepool {
        for (Hound *each in all)
          sum += each.age;
      }
      walks[round] = (now() - start) / (double)count;
    }
    printf("int get %.1f, string get %.0f, int set %.1f, walk %.0f ns (%ld)\n", median(ints), median(strings),
           median(sets), median(walks), sum);
    printf("create from a dictionary %.0f ns, of which making the dictionary %.0f; from one made before %.0f; "
           "init, set 7 properties and add %.0f\n",
           median(creations), median(dictionaries), median(fromMade), median(additions));
  }
  return 0;
}
