#import "BridgeModuleTests.h"

@implementation Base
@end

@implementation Base (Additions)
- (NSString *)nickname {
  return [@"little " stringByAppendingString:self.name];
}
@end
