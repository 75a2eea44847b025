#import <Realm/RLMConstants.h>

// A decimal number with 34 digits.
@interface RLMDecimal128 : NSObject <NSCopying>
// The number as text, which may be "NaN" or "Inf".
@property(nonatomic, readonly) NSString *stringValue;
@property(nonatomic, readonly) double doubleValue;
@property(nonatomic, readonly) BOOL isNaN;
@property(nonatomic, readonly) RLMDecimal128 *magnitude;
- (instancetype)initWithNumber:(NSNumber *)number;
- (instancetype)initWithValue:(id)value;
- (instancetype)initWithString:(NSString *)string error:(NSError **)error;
+ (instancetype)decimalWithNumber:(NSNumber *)number;
+ (instancetype)minimumDecimalNumber;
+ (instancetype)maximumDecimalNumber;
- (NSComparisonResult)compare:(RLMDecimal128 *)other;
- (BOOL)isGreaterThan:(RLMDecimal128 *)decimal;
- (BOOL)isGreaterThanOrEqualTo:(RLMDecimal128 *)decimal;
- (BOOL)isLessThan:(RLMDecimal128 *)decimal;
- (BOOL)isLessThanOrEqualTo:(RLMDecimal128 *)decimal;
@end
