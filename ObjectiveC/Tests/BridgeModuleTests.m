// Classes over several object files, whose superclasses come later: this file is linked before
// BridgeModuleTests-Base.m.
#import "BridgeModuleTests.h"
#import "Expectations.h"
#import <objc/runtime.h>

@implementation Top
@end

@implementation Middle
- (int)count {
  return first + third;
}
@end

@interface NSString (Doubled)
- (NSString *)doubled;
@end
@implementation NSString (Doubled)
- (NSString *)doubled {
  return [self stringByAppendingString:self];
}
@end

static void instanceVariablesOfAllClassesAreApart(void) {
  Top *top = AUTORELEASE([[Top alloc] init]);
  top->first = 1;
  top->second = 2.5;
  top->third = 3;
  top->fourth = 4;
  top->fifth = 5;
  top.name = @"top";
  EXPECT(top->first == 1 && top->second == 2.5 && top->third == 3 && top->fourth == 4 && top->fifth == 5);
  EXPECT_EQUAL(top.name, @"top");
  EXPECT([top count] == 4);
  EXPECT(class_getInstanceSize([Top class]) > class_getInstanceSize([Middle class]));
  EXPECT(class_getInstanceSize([Middle class]) > class_getInstanceSize([Base class]));
  EXPECT([Top superclass] == [Middle class] && [Middle superclass] == [Base class]);
}

static void protocolsAreConformedTo(void) {
  EXPECT([Top conformsToProtocol:@protocol(Counted)]);
  EXPECT([Top conformsToProtocol:@protocol(Named)]);
  EXPECT([Base conformsToProtocol:@protocol(Named)] && ![Base conformsToProtocol:@protocol(Counted)]);
  id<Named> named = AUTORELEASE([[Base alloc] init]);
  EXPECT([named respondsToSelector:@selector(nickname)]);
}

static void categoriesAddMethods(void) {
  EXPECT_EQUAL([@"ab" doubled], @"abab");
  Base *base = AUTORELEASE([[Base alloc] init]);
  base.name = @"Kim";
  EXPECT_EQUAL([base nickname], @"little Kim");
}

static void keyValueCodingFindsProperties(void) {
  Top *top = AUTORELEASE([[Top alloc] init]);
  [top setValue:@"x" forKey:@"name"];
  EXPECT_EQUAL([top valueForKeyPath:@"name.length"], @1);
}

int main(void) {
  @autoreleasepool {
    instanceVariablesOfAllClassesAreApart();
    protocolsAreConformedTo();
    categoriesAddMethods();
    keyValueCodingFindsProperties();
  }
  return failureCount != 0;
}
