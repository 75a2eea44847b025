#import "RLMConversion.h"
#import "RLMCollection_Private.h"
#import <objc/runtime.h>

// MARK: From the library

NSString *RLMStringOfBytes(openrealm_bytes bytes) {
  return [[[NSString alloc] initWithBytes:bytes.bytes length:bytes.size
                                 encoding:NSUTF8StringEncoding] autorelease];
}

NSDate *RLMDateOf(openrealm_date date) {
  return [NSDate dateWithTimeIntervalSince1970:(double)date.seconds + date.nanoseconds / 1e9];
}

openrealm_date RLMDateValue(NSDate *date) {
  // Dates beyond what whole seconds can hold are the last ones that they can.
  double interval = fmax(-9.2e18, fmin(9.2e18, [date timeIntervalSince1970])), seconds = floor(interval);
  openrealm_date value = {(int64_t)seconds, (int32_t)round((interval - seconds) * 1e9)};
  if (value.nanoseconds == 1000000000) {
    value.nanoseconds = 0;
    value.seconds++;
  }
  return value;
}

id RLMObjectOfValue(const openrealm_value *value, RLMRealm *realm) {
  switch (value->type) {
  case OPENREALM_INT: return [NSNumber numberWithLongLong:value->as.integer];
  case OPENREALM_BOOL: return [NSNumber numberWithBool:value->as.boolean];
  case OPENREALM_FLOAT: return [NSNumber numberWithFloat:value->as.single];
  case OPENREALM_DOUBLE: return [NSNumber numberWithDouble:value->as.number];
  case OPENREALM_STRING: return RLMStringOfBytes(value->as.bytes);
  case OPENREALM_DATA: return [NSData dataWithBytes:value->as.bytes.bytes length:value->as.bytes.size];
  case OPENREALM_DATE: return RLMDateOf(value->as.date);
  case OPENREALM_OBJECT_ID: return [[[RLMObjectId alloc] initWithObjectId:value->as.object_id] autorelease];
  case OPENREALM_DECIMAL128:
    return [[[RLMDecimal128 alloc] initWithDecimal:value->as.decimal128] autorelease];
  case OPENREALM_UUID:
    return [[[NSUUID alloc] initWithUUIDBytes:(uint8_t *)value->as.uuid.bytes] autorelease];
  case OPENREALM_OBJECT: {
    const RLMClassInfo *info = RLMInfoForNumber(realm, value->as.object.class_number);
    return info ? RLMMakeAccessor(realm, info, value->as.object.row) : nil;
  }
  case OPENREALM_LIST_VALUE:
  case OPENREALM_MAP_VALUE: {
    RLMProperty *property = [[[RLMProperty alloc] init] autorelease];
    property->_type = RLMPropertyTypeAny;
    property->_optional = YES;
    property->_collectionKind = value->type == OPENREALM_LIST_VALUE ? OPENREALM_LIST : OPENREALM_MAP;
    return [[[RLMCollectionClass(property) alloc] initWithHandle:openrealm_retain(value->as.collection)
                                                           realm:realm
                                                        property:property
                                                       ownerName:nil] autorelease];
  }
  default: return nil;
  }
}

id RLMTakeValue(openrealm_value *value, RLMRealm *realm) {
  id object = RLMObjectOfValue(value, realm);
  openrealm_value_clear(value);
  return object;
}

// MARK: To the library

uint64_t RLMKnownKinds[256];

static BOOL isSubclass(Class class, Class wanted) {
  for (; class; class = class_getSuperclass(class))
    if (class == wanted) return YES;
  return NO;
}

static RLMKind kindOfNumbers(Class class) {
  // The classes that Foundation itself makes numbers of, each for one type.
  const struct {
    id sample;
    RLMKind kind;
  } samples[] = {{[NSNumber numberWithBool:YES], RLMKindBoolean},
                 {[NSNumber numberWithInt:INT_MAX], RLMKindInteger},
                 {[NSNumber numberWithLongLong:INT64_MAX], RLMKindInteger},
                 {[NSNumber numberWithUnsignedLongLong:UINT64_MAX], RLMKindUnsigned},
                 {[NSNumber numberWithFloat:0.5f], RLMKindFloat},
                 {[NSNumber numberWithDouble:0.5], RLMKindDouble}};
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    if (object_getClass(samples[i].sample) == class) return samples[i].kind;
  return RLMKindNumber;
}

RLMKind RLMFindKind(Class class) {
  const struct {
    Class class;
    RLMKind kind;
  } classes[] = {{[NSNull class], RLMKindNull},
                 {[NSNumber class], RLMKindNumber},
                 {[NSString class], RLMKindString},
                 {[RLMObjectBase class], RLMKindObject},
                 {[NSDate class], RLMKindDate},
                 {[NSData class], RLMKindData},
                 {[NSUUID class], RLMKindUUID},
                 {[RLMObjectId class], RLMKindObjectId},
                 {[RLMDecimal128 class], RLMKindDecimal128},
                 {[NSDictionary class], RLMKindDictionary},
                 {[NSArray class], RLMKindArray}};
  RLMKind kind = RLMKindOther;
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (isSubclass(class, classes[i].class)) kind = classes[i].kind;
  if (kind == RLMKindNumber) kind = kindOfNumbers(class);
  uint64_t number = (uint64_t)(uintptr_t)class;
  __atomic_store_n(RLMPlaceOfKind(number), number << 8 | kind, __ATOMIC_RELAXED);
  return kind;
}

// The kind of a number that has to be asked.
static RLMKind kindOfNumber(NSNumber *number) {
  switch (*[number objCType]) {
  case 'B': return RLMKindBoolean;
  case 'f': return RLMKindFloat;
  case 'd': return RLMKindDouble;
  case 'L':
  case 'Q': return RLMKindUnsigned;
  default: return RLMKindInteger;
  }
}

static BOOL isFloating(RLMKind kind) { return kind == RLMKindFloat || kind == RLMKindDouble; }

static BOOL convertNumber(NSNumber *number, RLMKind kind, RLMPropertyType type, openrealm_value *value) {
  if (kind == RLMKindNumber) kind = kindOfNumber(number);
  // It would become a negative number.
  BOOL isTooLarge = kind == RLMKindUnsigned && [number unsignedLongLongValue] > INT64_MAX;
  switch (type) {
  case RLMPropertyTypeInt:
    if (isFloating(kind) || isTooLarge) return NO;
    *value = openrealm_int([number longLongValue]);
    return YES;
  case RLMPropertyTypeBool:
    if (isFloating(kind) || (kind != RLMKindBoolean && [number longLongValue] & ~1LL)) return NO;
    *value = openrealm_bool([number boolValue]);
    return YES;
  case RLMPropertyTypeFloat:
    if (kind == RLMKindBoolean) return NO;
    if (isFloating(kind) && isfinite([number doubleValue]) && isinf([number floatValue])) return NO;
    *value = openrealm_float([number floatValue]);
    return YES;
  case RLMPropertyTypeDouble:
    if (kind == RLMKindBoolean) return NO;
    *value = openrealm_double([number doubleValue]);
    return YES;
  case RLMPropertyTypeDecimal128: {
    RLMDecimal128 *decimal = [RLMDecimal128 decimalWithNumber:number];
    *value = openrealm_decimal128_value(decimal->_value);
    return YES;
  }
  case RLMPropertyTypeAny: {
    if (isTooLarge) return NO;
    if (kind == RLMKindBoolean)
      *value = openrealm_bool([number boolValue]);
    else if (kind == RLMKindFloat)
      *value = openrealm_float([number floatValue]);
    else if (kind == RLMKindDouble)
      *value = openrealm_double([number doubleValue]);
    else
      *value = openrealm_int([number longLongValue]);
    return YES;
  }
  default: return NO;
  }
}

// The size of the UTF-8 of a string, of which the bytes are given. A text may contain zeroes.
static size_t sizeOf(NSString *string, const char *bytes) {
  NSUInteger length = [string length], ascii = 0;
  while (ascii < length && bytes[ascii] > 0)
    ascii++;
  return ascii == length ? length : [string lengthOfBytesUsingEncoding:NSUTF8StringEncoding];
}

static BOOL convertString(NSString *string, RLMPropertyType type, openrealm_value *value) {
  switch (type) {
  case RLMPropertyTypeString:
  case RLMPropertyTypeAny: {
    const char *bytes = [string UTF8String];
    if (bytes) *value = openrealm_text(bytes, sizeOf(string, bytes));
    return bytes != NULL;
  }
  case RLMPropertyTypeDecimal128: {
    openrealm_decimal128 decimal;
    if (openrealm_decimal128_parse([string UTF8String], &decimal) != OPENREALM_OK) return NO;
    *value = openrealm_decimal128_value(decimal);
    return YES;
  }
  case RLMPropertyTypeUUID: {
    NSUUID *uuid = [[[NSUUID alloc] initWithUUIDString:string] autorelease];
    return uuid && RLMConvert(uuid, type, value);
  }
  default: return NO;
  }
}

BOOL RLMConvert(id object, RLMPropertyType type, openrealm_value *value) {
  BOOL isAny = type == RLMPropertyTypeAny;
  RLMKind kind = RLMKindOf(object);
  switch (kind) {
  case RLMKindNull: *value = openrealm_null(); return YES;
  case RLMKindBoolean:
  case RLMKindInteger:
  case RLMKindUnsigned:
  case RLMKindFloat:
  case RLMKindDouble:
  case RLMKindNumber: return convertNumber(object, kind, type, value);
  case RLMKindString: return convertString(object, type, value);
  case RLMKindObject: {
    RLMObjectBase *linked = object;
    if ((!isAny && type != RLMPropertyTypeObject) || !linked->_info) return NO;
    *value = openrealm_link(linked->_row);
    return YES;
  }
  case RLMKindDate: {
    openrealm_date date = RLMDateValue(object);
    *value = openrealm_date_value(date.seconds, date.nanoseconds);
    return isAny || type == RLMPropertyTypeDate;
  }
  case RLMKindData:
    *value = openrealm_data([object bytes], [object length]);
    return isAny || type == RLMPropertyTypeData;
  case RLMKindUUID: {
    openrealm_uuid uuid;
    [object getUUIDBytes:uuid.bytes];
    *value = openrealm_uuid_value(uuid);
    return isAny || type == RLMPropertyTypeUUID;
  }
  case RLMKindObjectId:
    *value = openrealm_object_id_value(((RLMObjectId *)object)->_value);
    return isAny || type == RLMPropertyTypeObjectId;
  case RLMKindDecimal128:
    *value = openrealm_decimal128_value(((RLMDecimal128 *)object)->_value);
    return isAny || type == RLMPropertyTypeDecimal128;
  default: return NO;
  }
}

openrealm_value RLMValueForProperty(id object, RLMProperty *property, NSString *className) {
  openrealm_value value;
  if ((!RLMIsNull(object) || property->_optional || property->_type == RLMPropertyTypeAny)
      && RLMConvert(object, property->_type, &value))
    return value;
  RLMThrow(@"Invalid value '%@' of type '%@' for '%@' property '%@.%@'.", object,
           NSStringFromClass([object class]), [property typeName], className, property -> _name);
}

// MARK: Types of values

#define CONFORMS(CLASS, TYPE) \
  @implementation CLASS (RLMValue) \
  -(RLMPropertyType)rlm_valueType { \
    return TYPE; \
  } \
  @end

CONFORMS(NSNull, RLMPropertyTypeAny)
CONFORMS(NSString, RLMPropertyTypeString)
CONFORMS(NSData, RLMPropertyTypeData)
CONFORMS(NSDate, RLMPropertyTypeDate)
CONFORMS(NSUUID, RLMPropertyTypeUUID)
CONFORMS(RLMObjectId, RLMPropertyTypeObjectId)
CONFORMS(RLMDecimal128, RLMPropertyTypeDecimal128)
CONFORMS(RLMObjectBase, RLMPropertyTypeObject)

@implementation NSNumber (RLMValue)
- (RLMPropertyType)rlm_valueType {
  RLMKind kind = RLMKindOf(self);
  switch (kind == RLMKindNumber ? kindOfNumber(self) : kind) {
  case RLMKindBoolean: return RLMPropertyTypeBool;
  case RLMKindFloat: return RLMPropertyTypeFloat;
  case RLMKindDouble: return RLMPropertyTypeDouble;
  default: return RLMPropertyTypeInt;
  }
}
@end
