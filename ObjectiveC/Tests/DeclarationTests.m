// Every method that the public headers declare exists: classes are implemented in several files, so that the
// compiler does not see a missing one.
#import <Realm/Realm.h>
#import <objc/runtime.h>
#import "Expectations.h"

static int count;

static void check(const char *name, char level, const char *selector) {
  Class class = objc_getClass(name);
  count++;
  Method method = level == '+' ? class_getClassMethod(class, sel_registerName(selector))
                               : class_getInstanceMethod(class, sel_registerName(selector));
  if (method) return;
  failureCount++;
  printf("%c[%s %s] is missing\n", level, name, selector);
}
#define DECLARED(CLASS, LEVEL, SELECTOR) check(CLASS, LEVEL, SELECTOR);

int main(void) {
  @autoreleasepool {
#include "Declarations.inc"
    EXPECT(count > 200);
  }
  return failureCount != 0;
}
