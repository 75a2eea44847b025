#import "RLMConversion.h"
#import "RLMFailure.h"

@implementation RLMDecimal128

- (instancetype)init {
  return [self initWithString:@"0" error:NULL];
}

- (instancetype)initWithDecimal:(openrealm_decimal128)value {
  if ((self = [super init])) _value = value;
  return self;
}

- (instancetype)initWithNumber:(NSNumber *)number {
  // The shortest text that reads as the number.
  NSString *text = [number stringValue];
  const char *type = [number objCType];
  if (*type == 'd' || *type == 'f') {
    double value = [number doubleValue];
    char digits[40];
    for (int precision = *type == 'f' ? 6 : 15; precision <= 17; precision++) {
      snprintf(digits, sizeof digits, "%.*g", precision, value);
      if (*type == 'f' ? strtof(digits, NULL) == (float)value : strtod(digits, NULL) == value) break;
    }
    text = [NSString stringWithUTF8String:isnan(value)   ? "NaN"
                                          : isinf(value) ? (value < 0 ? "-Infinity" : "Infinity")
                                                         : digits];
  }
  return [self initWithString:text error:NULL];
}

- (instancetype)initWithValue:(id)value {
  if ([value isKindOfClass:[RLMDecimal128 class]])
    return [self initWithDecimal:((RLMDecimal128 *)value)->_value];
  if ([value isKindOfClass:[NSNumber class]]) return [self initWithNumber:value];
  if ([value isKindOfClass:[NSString class]]) {
    self = [self initWithString:value error:NULL];
    if (self) return self;
  } else {
    [self release];
  }
  RLMThrow(@"Cannot convert value '%@' of type '%@' to decimal128", value, NSStringFromClass([value class]));
}

- (instancetype)initWithString:(NSString *)string error:(NSError **)error {
  if (!(self = [super init])) return nil;
  if (openrealm_decimal128_parse([string UTF8String], &_value) == OPENREALM_OK) return self;
  if (error) *error = RLMErrorOfLastFailure();
  [self release];
  return nil;
}

+ (instancetype)decimalWithNumber:(NSNumber *)number {
  return [[[self alloc] initWithNumber:number] autorelease];
}

+ (instancetype)minimumDecimalNumber {
  return [[[self alloc] initWithString:@"-9.999999999999999999999999999999999E6144" error:NULL] autorelease];
}

+ (instancetype)maximumDecimalNumber {
  return [[[self alloc] initWithString:@"9.999999999999999999999999999999999E6144" error:NULL] autorelease];
}

- (id)copyWithZone:(NSZone *)zone {
  return [self retain];
}

- (NSString *)stringValue {
  char text[64];
  openrealm_decimal128_print(_value, text, sizeof text);
  return [NSString stringWithUTF8String:text];
}

- (NSString *)description {
  return [self stringValue];
}

- (double)doubleValue {
  return strtod([[self stringValue] UTF8String], NULL);
}

- (BOOL)isNaN {
  return isnan([self doubleValue]);
}

- (RLMDecimal128 *)magnitude {
  openrealm_decimal128 value = _value;
  value.high &= ~(1ULL << 63); // the sign
  return [[[RLMDecimal128 alloc] initWithDecimal:value] autorelease];
}

// MARK: Order

// Digits and exponent of a number, without a sign: 0.ddd × 10^exponent, or no digits for zero.
static NSString *digitsOf(NSString *text, long *exponent) {
  NSArray *parts = [[text uppercaseString] componentsSeparatedByString:@"E"];
  NSString *mantissa = [[parts objectAtIndex:0]
      stringByTrimmingCharactersInSet:[NSCharacterSet characterSetWithCharactersInString:@"+-"]];
  *exponent = [parts count] > 1 ? strtol([[parts objectAtIndex:1] UTF8String], NULL, 10) : 0;
  NSRange point = [mantissa rangeOfString:@"."];
  NSUInteger whole = point.length ? point.location : [mantissa length];
  NSString *digits = [mantissa stringByReplacingOccurrencesOfString:@"." withString:@""];
  *exponent += (long)whole;
  NSUInteger zeroes = 0;
  while (zeroes < [digits length] && [digits characterAtIndex:zeroes] == '0')
    zeroes++;
  *exponent -= (long)zeroes;
  digits = [digits substringFromIndex:zeroes];
  while ([digits hasSuffix:@"0"])
    digits = [digits substringToIndex:[digits length] - 1];
  return digits;
}

static BOOL isInfinity(RLMDecimal128 *number) {
  return [[[number stringValue] uppercaseString] rangeOfString:@"INF"].length > 0;
}

- (NSComparisonResult)compare:(RLMDecimal128 *)other {
  double first = [self doubleValue], second = [other doubleValue];
  if (isnan(first) || isnan(second))
    return isnan(first) == isnan(second) ? NSOrderedSame
           : isnan(first)                ? NSOrderedAscending
                                         : NSOrderedDescending;
  if (first < second) return NSOrderedAscending;
  if (first > second) return NSOrderedDescending;
  // Infinity, and a number that is too large for a double.
  BOOL isInfinite = isInfinity(self), isOtherInfinite = isInfinity(other);
  if (isInfinite && isOtherInfinite) return NSOrderedSame;
  if (isInfinite || isOtherInfinite)
    return isInfinite == (first > 0) ? NSOrderedDescending : NSOrderedAscending;
  // Equal as doubles: the digits decide.
  long firstExponent, secondExponent;
  NSString *firstDigits = digitsOf([self stringValue], &firstExponent);
  NSString *secondDigits = digitsOf([other stringValue], &secondExponent);
  if (![firstDigits length] && ![secondDigits length]) return NSOrderedSame;
  NSComparisonResult result = firstExponent == secondExponent
                                  ? [firstDigits compare:secondDigits options:NSLiteralSearch]
                              : firstExponent < secondExponent ? NSOrderedAscending
                                                               : NSOrderedDescending;
  return [[self stringValue] hasPrefix:@"-"] ? -result : result;
}

- (BOOL)isEqual:(id)other {
  return [other isKindOfClass:[RLMDecimal128 class]] && [self compare:other] == NSOrderedSame;
}

- (NSUInteger)hash {
  return [[NSNumber numberWithDouble:[self doubleValue]] hash];
}

- (BOOL)isGreaterThan:(RLMDecimal128 *)other {
  return [self compare:other] == NSOrderedDescending;
}

- (BOOL)isGreaterThanOrEqualTo:(RLMDecimal128 *)other {
  return [self compare:other] != NSOrderedAscending;
}

- (BOOL)isLessThan:(RLMDecimal128 *)other {
  return [self compare:other] == NSOrderedAscending;
}

- (BOOL)isLessThanOrEqualTo:(RLMDecimal128 *)other {
  return [self compare:other] != NSOrderedDescending;
}

@end
