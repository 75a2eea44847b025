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

static BOOL isBoolean(NSNumber *number) {
  static Class booleanClass;
  if (!booleanClass) booleanClass = [[NSNumber numberWithBool:YES] class];
  const char *type = [number objCType];
  return [number class] == booleanClass || *type == 'B';
}

static BOOL isFloating(NSNumber *number) {
  const char *type = [number objCType];
  return *type == 'f' || *type == 'd';
}

static BOOL convertNumber(NSNumber *number, RLMPropertyType type, openrealm_value *value) {
  switch (type) {
  case RLMPropertyTypeInt:
    if (isFloating(number)) return NO;
    *value = openrealm_int([number longLongValue]);
    return YES;
  case RLMPropertyTypeBool:
    if (isFloating(number) || (!isBoolean(number) && [number longLongValue] & ~1LL)) return NO;
    *value = openrealm_bool([number boolValue]);
    return YES;
  case RLMPropertyTypeFloat:
    if (isBoolean(number)) return NO;
    if (isFloating(number) && isfinite([number doubleValue]) && isinf([number floatValue])) return NO;
    *value = openrealm_float([number floatValue]);
    return YES;
  case RLMPropertyTypeDouble:
    if (isBoolean(number)) return NO;
    *value = openrealm_double([number doubleValue]);
    return YES;
  case RLMPropertyTypeDecimal128: {
    RLMDecimal128 *decimal = [RLMDecimal128 decimalWithNumber:number];
    *value = openrealm_decimal128_value(decimal->_value);
    return YES;
  }
  case RLMPropertyTypeAny: {
    if (isBoolean(number))
      *value = openrealm_bool([number boolValue]);
    else if (*[number objCType] == 'f')
      *value = openrealm_float([number floatValue]);
    else if (isFloating(number))
      *value = openrealm_double([number doubleValue]);
    else
      *value = openrealm_int([number longLongValue]);
    return YES;
  }
  default: return NO;
  }
}

static BOOL convertString(NSString *string, RLMPropertyType type, openrealm_value *value) {
  switch (type) {
  case RLMPropertyTypeString:
  case RLMPropertyTypeAny: {
    const char *bytes = [string UTF8String];
    // With its size, as a text may contain zeroes.
    if (bytes) *value = openrealm_text(bytes, [string lengthOfBytesUsingEncoding:NSUTF8StringEncoding]);
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
  if (RLMIsNull(object)) {
    *value = openrealm_null();
    return YES;
  }
  if (RLMIsKind(object, RLM_CLASS(NSNumber))) return convertNumber(object, type, value);
  if (RLMIsKind(object, RLM_CLASS(NSString))) return convertString(object, type, value);
  if (RLMIsKind(object, RLM_CLASS(RLMObjectBase))) {
    RLMObjectBase *linked = object;
    if ((!isAny && type != RLMPropertyTypeObject) || !linked->_info) return NO;
    *value = openrealm_link(linked->_row);
    return YES;
  }
  if (RLMIsKind(object, RLM_CLASS(NSDate))) {
    openrealm_date date = RLMDateValue(object);
    *value = openrealm_date_value(date.seconds, date.nanoseconds);
    return isAny || type == RLMPropertyTypeDate;
  }
  if (RLMIsKind(object, RLM_CLASS(NSData))) {
    *value = openrealm_data([object bytes], [object length]);
    return isAny || type == RLMPropertyTypeData;
  }
  if (RLMIsKind(object, RLM_CLASS(NSUUID))) {
    openrealm_uuid uuid;
    [object getUUIDBytes:uuid.bytes];
    *value = openrealm_uuid_value(uuid);
    return isAny || type == RLMPropertyTypeUUID;
  }
  if (RLMIsKind(object, RLM_CLASS(RLMObjectId))) {
    *value = openrealm_object_id_value(((RLMObjectId *)object)->_value);
    return isAny || type == RLMPropertyTypeObjectId;
  }
  if (RLMIsKind(object, RLM_CLASS(RLMDecimal128))) {
    *value = openrealm_decimal128_value(((RLMDecimal128 *)object)->_value);
    return isAny || type == RLMPropertyTypeDecimal128;
  }
  return NO;
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
  if (isBoolean(self)) return RLMPropertyTypeBool;
  if (!isFloating(self)) return RLMPropertyTypeInt;
  return *[self objCType] == 'f' ? RLMPropertyTypeFloat : RLMPropertyTypeDouble;
}
@end
