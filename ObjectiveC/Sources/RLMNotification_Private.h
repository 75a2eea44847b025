#import "RLMRealm_Private.h"

@interface RLMNotificationToken () {
@public
  openrealm_token *_handle;
  RLMRealm *_realm; // retained, so that it stays open while it is observed
}
// Takes over the handle; throws the last failure if it is NULL.
- (instancetype)initWithHandle:(openrealm_token *)handle realm:(RLMRealm *)realm;
@end

// The handle of a token of a realm, also of one that was invalidated. Throws if it belongs to another realm.
openrealm_token *RLMTokenHandle(RLMNotificationToken *token, RLMRealm *realm);
