#import <Realm/RLMConstants.h>

// An identifier of twelve bytes: the time in seconds, and random bytes.
@interface RLMObjectId : NSObject <NSCopying>
// 24 hexadecimal digits.
@property(nonatomic, readonly) NSString *stringValue;
// The time in the first four bytes.
@property(nonatomic, readonly) NSDate *timestamp;
+ (instancetype)objectId;
- (instancetype)initWithString:(NSString *)string error:(NSError **)error;
- (instancetype)initWithTimestamp:(NSDate *)timestamp
                machineIdentifier:(int)machine
                processIdentifier:(int)process;
- (BOOL)isGreaterThan:(RLMObjectId *)objectId;
- (BOOL)isGreaterThanOrEqualTo:(RLMObjectId *)objectId;
- (BOOL)isLessThan:(RLMObjectId *)objectId;
- (BOOL)isLessThanOrEqualTo:(RLMObjectId *)objectId;
@end
