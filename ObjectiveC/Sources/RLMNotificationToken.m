#import "RLMFailure.h"
#import "RLMNotification_Private.h"

@implementation RLMNotificationToken

- (instancetype)initWithHandle:(openrealm_token *)handle realm:(RLMRealm *)realm {
  if (!(self = [super init])) return nil;
  _handle = handle;
  _realm = [realm retain];
  if (handle) return self;
  [self release];
  RLMThrowLastFailure();
}

- (void)invalidate {
  openrealm_token_invalidate(_handle);
}

- (void)dealloc {
  openrealm_release(_handle);
  [_realm release];
  [super dealloc];
}

@end

openrealm_token *RLMTokenHandle(RLMNotificationToken *token, RLMRealm *realm) {
  if (token->_realm != realm)
    RLMThrow(@"Incorrect Realm: only notifications for the Realm being modified can be skipped.");
  return token->_handle;
}
