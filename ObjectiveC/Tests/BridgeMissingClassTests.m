// A class without its superclass: the program is told which class is missing when it uses the other one.
// Scripts/test-objc links it with unresolved symbols allowed, and expects the message and the status 70.
#import <Foundation/Foundation.h>

@interface Absent : NSObject
@end
@interface Orphan : Absent
@end
@implementation Orphan
@end

int main(void) {
  @autoreleasepool {
    NSLog(@"%@", [Orphan description]);
  }
  return 0;
}
