#import <Realm/RLMConstants.h>

@class RLMRealm;

// Objects and collections of a realm, which belong to a thread.
@protocol RLMThreadConfined <NSObject>
@property(nonatomic, readonly) RLMRealm *realm;
@property(nonatomic, readonly, getter=isInvalidated) BOOL invalidated;
@end

// A reference to an object or a collection that any thread may resolve with a realm of its own, once.
@interface RLMThreadSafeReference<__covariant Confined> : NSObject
+ (instancetype)referenceWithThreadConfined:(Confined)threadConfined;
@property(nonatomic, readonly, getter=isInvalidated) BOOL invalidated;
@end
