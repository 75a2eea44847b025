// Expectations of the programs in this folder: each prints what is not as expected and ends with the
// status 1.
#import <Foundation/Foundation.h>
#include <stdio.h>

static int failureCount;

#define EXPECT(...) \
  do { \
    if (!(__VA_ARGS__)) { \
      failureCount++; \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
    } \
  } while (0)

#define EXPECT_EQUAL(GOT, WANTED) \
  do { \
    id got_ = (GOT), wanted_ = (WANTED); \
    if (got_ != wanted_ && ![got_ isEqual:wanted_]) { \
      failureCount++; \
      printf("%s:%d: %s is %s instead of %s\n", __FILE__, __LINE__, #GOT, [[got_ description] UTF8String], \
             [[wanted_ description] UTF8String]); \
    } \
  } while (0)

// The statement throws an exception whose reason contains the text.
#define EXPECT_THROWS(TEXT, ...) \
  do { \
    NSString *reason_ = nil; \
    @try { \
      __VA_ARGS__; \
    } @catch (NSException * exception_) { reason_ = [exception_ reason]; } \
    if (!reason_ || [reason_ rangeOfString:(TEXT)].location == NSNotFound) { \
      failureCount++; \
      printf("%s:%d: %s throws \"%s\"\n", __FILE__, __LINE__, #__VA_ARGS__, \
             [reason_ UTF8String] ?: "nothing"); \
    } \
  } while (0)

// Foundation of GNUstep defines RELEASE and AUTORELEASE for both ways of counting references.
#if __has_feature(objc_arc)
#define SUPER_DEALLOC
#else
#define SUPER_DEALLOC [super dealloc]
#endif
