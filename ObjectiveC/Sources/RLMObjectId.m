#import "RLMConversion.h"
#import "RLMFailure.h"

@implementation RLMObjectId

+ (instancetype)objectId {
  return [[[self alloc] initWithObjectId:openrealm_object_id_new()] autorelease];
}

- (instancetype)init {
  return [self initWithObjectId:(openrealm_object_id){{0}}];
}

- (instancetype)initWithObjectId:(openrealm_object_id)value {
  if ((self = [super init])) _value = value;
  return self;
}

- (instancetype)initWithString:(NSString *)string error:(NSError **)error {
  if (!(self = [super init])) return nil;
  if (openrealm_object_id_parse([string UTF8String], &_value) == OPENREALM_OK) return self;
  [self release];
  if (!error) return nil;
  NSString *text =
      [NSString stringWithFormat:@"Invalid Object ID string '%@': must be 24 hex digits", string];
  *error = [NSError errorWithDomain:RLMErrorDomain
                               code:RLMErrorInvalidInput
                           userInfo:[NSDictionary dictionaryWithObject:text
                                                                forKey:NSLocalizedDescriptionKey]];
  return nil;
}

- (instancetype)initWithTimestamp:(NSDate *)timestamp
                machineIdentifier:(int)machine
                processIdentifier:(int)process {
  if (!(self = [super init])) return nil;
  // The last three bytes are a counter.
  _value = openrealm_object_id_new();
  uint32_t seconds = (uint32_t)[timestamp timeIntervalSince1970];
  for (int i = 0; i < 4; i++)
    _value.bytes[i] = (uint8_t)(seconds >> (24 - 8 * i));
  for (int i = 0; i < 3; i++)
    _value.bytes[4 + i] = (uint8_t)(machine >> (16 - 8 * i));
  for (int i = 0; i < 2; i++)
    _value.bytes[7 + i] = (uint8_t)(process >> (8 - 8 * i));
  return self;
}

- (id)copyWithZone:(NSZone *)zone {
  return [self retain];
}

- (NSString *)stringValue {
  char text[2 * sizeof _value.bytes + 1];
  for (size_t i = 0; i < sizeof _value.bytes; i++)
    snprintf(text + 2 * i, 3, "%02x", _value.bytes[i]);
  return [NSString stringWithUTF8String:text];
}

- (NSString *)description {
  return [self stringValue];
}

- (NSDate *)timestamp {
  uint32_t seconds = 0;
  for (int i = 0; i < 4; i++)
    seconds = seconds << 8 | _value.bytes[i];
  return [NSDate dateWithTimeIntervalSince1970:seconds];
}

- (BOOL)isEqual:(id)other {
  return [other isKindOfClass:[RLMObjectId class]]
         && !memcmp(&_value, &((RLMObjectId *)other)->_value, sizeof _value);
}

- (NSUInteger)hash {
  NSUInteger hash = 0;
  for (size_t i = 0; i < sizeof _value.bytes; i++)
    hash = hash * 31 + _value.bytes[i];
  return hash;
}

- (BOOL)isGreaterThan:(RLMObjectId *)other {
  return memcmp(&_value, &other->_value, sizeof _value) > 0;
}

- (BOOL)isGreaterThanOrEqualTo:(RLMObjectId *)other {
  return memcmp(&_value, &other->_value, sizeof _value) >= 0;
}

- (BOOL)isLessThan:(RLMObjectId *)other {
  return memcmp(&_value, &other->_value, sizeof _value) < 0;
}

- (BOOL)isLessThanOrEqualTo:(RLMObjectId *)other {
  return memcmp(&_value, &other->_value, sizeof _value) <= 0;
}

@end
