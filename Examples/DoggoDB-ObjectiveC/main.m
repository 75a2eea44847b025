// DoggoDB: every operation of the documentation's pages, each with a check of what it left in the file.
//
//   Version1 FOLDER        writes version1.realm, the file of an earlier release
//   DoggoDB FOLDER         runs all pages in dogs.realm, prints one line for each, and leaves the dogs of leave() there
//   DoggoDB FOLDER read    checks, in another process, what was left
//
// The exit status is 1 when a check failed.
#import "Checks.h"
#include <stdio.h>
#include <string.h>

// Leaves a file for other programs: two persons with three dogs, two toys and a club.
static void leave(void) {
  RLMRealm *realm = openEmptied();
  [realm transactionWithBlock:^{
    Toy *ball = [Toy createInRealm:realm withValue:@[ @"Ball" ]];
    Dog *rex = [Dog createInRealm:realm
                        withValue:@{
                          @"name" : @"Rex",
                          @"age" : @4,
                          @"color" : @"grey",
                          @"weight" : @30.5,
                          @"favoriteToy" : ball,
                          @"toys" : @[ ball, @{@"name" : @"Bone"} ],
                          @"companion" : @"Tom the cat",
                          @"citiesVisited" : @[ @"Oslo", @"Rome" ],
                          @"parks" : @{@"Oslo" : @"Frogner", @"Rome" : @"Pincio"}
                        }];
    Dog *bo = [Dog createInRealm:realm withValue:@{@"name" : @"Bo", @"age" : @2, @"companion" : rex}];
    Dog *ida = [Dog createInRealm:realm withValue:@{@"name" : @"Ida", @"color" : NSNull.null, @"companion" : @7}];
    Person *ann = [Person createInRealm:realm
                              withValue:@{
                                @"_id" : @1,
                                @"name" : @"Ann",
                                @"address" : @[ @"1 Bark Lane", @"Leeds", @"UK" ],
                                @"dogs" : @[ rex, bo ]
                              }];
    Person *ben = [Person createInRealm:realm withValue:@{@"_id" : @2, @"name" : @"Ben", @"dogs" : @[ ida, rex ]}];
    [DogClub createInRealm:realm
                 withValue:@{
                   @"name" : @"Pals",
                   @"members" : @[ ben, ann ],
                   @"offices" : @[ @{@"city" : @"Leeds"}, @{@"city" : @"Hull"} ]
                 }];
  }];
}

static void readWhatIsLeft(void) {
  RLMRealm *realm = openDogs();
  HOLDS([Dog allObjectsInRealm:realm].count == 3 && [Toy allObjectsInRealm:realm].count == 2);
  Person *ann = [Person objectInRealm:realm forPrimaryKey:@1];
  HOLDS([[ann.dogs valueForKey:@"name"] isEqual:@[ @"Rex", @"Bo" ]]);
  HOLDS([ann.address.street isEqual:@"1 Bark Lane"] && [ann.address.country isEqual:@"UK"]);
  Dog *rex = ann.dogs[0], *bo = ann.dogs[1];
  HOLDS(rex.age == 4 && [rex.color isEqual:@"grey"] && [rex.weight isEqual:@30.5]);
  HOLDS([rex.favoriteToy isEqualToObject:rex.toys[0]] && [rex.toys[1].name isEqual:@"Bone"]);
  HOLDS([[rex.citiesVisited.allObjects sortedArrayUsingSelector:@selector(compare:)]
      isEqual:@[ @"Oslo", @"Rome" ]]);
  HOLDS(rex.parks.count == 2 && [rex.parks[@"Rome"] isEqual:@"Pincio"]);
  HOLDS([rex.companion isEqual:@"Tom the cat"] && [(Dog *)bo.companion isEqualToObject:rex]);
  HOLDS(rex.owners.count == 2 && bo.weight == nil && [bo.color isEqual:@"brown"]);
  HOLDS([Dog objectsInRealm:realm where:@"color == nil AND companion == 7 AND age == 0"].count == 1);
  DogClub *pals = ann.clubs.firstObject;
  HOLDS([[pals.members valueForKey:@"_id"] isEqual:@[ @2, @1 ]]);
  HOLDS([[pals.offices valueForKey:@"city"] isEqual:@[ @"Leeds", @"Hull" ]]);
}

static void run(const char *page, void (*function)(void)) {
  int failuresBefore = failureCount;
  checkCount = 0;
  @autoreleasepool {
    @try {
      function();
    } @catch (NSException *exception) {
      failureCount++;
      printf("%s: %s\n", page, exception.reason.UTF8String);
    }
  }
  int failures = failureCount - failuresBefore;
  printf("%s %s: %d checks, %d failed\n", failures ? "✘" : "✔", page, checkCount, failures);
}

int main(int count, const char **arguments) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  BOOL onlyReads = count == 3 && strcmp(arguments[2], "read") == 0;
  if (count != 2 && !onlyReads) {
    fprintf(stderr, "usage: DoggoDB FOLDER [read]\n");
    return 2;
  }
  @autoreleasepool {
    folder = RETAIN([NSString stringWithUTF8String:arguments[1]]);
    if (!onlyReads) {
      run("Create", create);
      run("Read", readObjects);
      run("Update", update);
      run("Delete", delete);
      run("Writes", writes);
      run("Relationships", relationships);
      run("Migrations", migrations);
      run("React to changes", react);
      @autoreleasepool {
        leave();
      }
    }
    run("What is left", readWhatIsLeft);
  }
  return failureCount != 0;
}
