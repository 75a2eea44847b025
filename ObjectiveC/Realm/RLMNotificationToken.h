#import <Realm/RLMConstants.h>

// Keeps a block notified until the token is released or invalidated.
@interface RLMNotificationToken : NSObject
- (void)invalidate;
@end
