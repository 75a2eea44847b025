// Accessors of properties. Each knows the slot of its property, so that reading one is a comparison, an
// indexed load and a call of the C interface. Objects in memory go on to the accessors that the compiler
// made.
#import <objc/runtime.h>
#import "RLMCollection_Private.h"

// MARK: Objects in memory

static RLMProperty *propertyAt(RLMObjectBase *self, int slot) {
  RLMObjectSchema *schema = RLMObjectSchemaOfClass(object_getClass(self));
  return schema->_list[slot];
}

#define READ(TYPE) ((TYPE(*)(id, SEL))property->_originalGetter)(self, property->_getter)
#define WRITE(TYPE, VALUE) \
  ((void (*)(id, SEL, TYPE))property->_originalSetter)(self, property->_setter, VALUE)

static id valueInMemory(RLMObjectBase *self, RLMProperty *property) {
  if (property->_collectionKind != OPENREALM_SINGLE || property->_type == RLMPropertyTypeLinkingObjects) {
    id collection = [self->_memory objectForKey:property->_name];
    if (collection) return collection;
    if (!self->_memory) self->_memory = [[NSMutableDictionary alloc] init];
    NSString *owner = RLMObjectSchemaOfClass(object_getClass(self))->_className;
    collection = [[RLMCollectionClass(property) alloc] initInMemoryForProperty:property ownerName:owner];
    [self->_memory setObject:collection forKey:property->_name];
    return [collection autorelease];
  }
  if (!property->_originalGetter) return [self->_memory objectForKey:property->_name];
  switch (property->_code) {
  case 'c':
  case 'C':
  case 'B': return [NSNumber numberWithBool:READ(BOOL)];
  case 's': return [NSNumber numberWithShort:READ(short)];
  case 'i': return [NSNumber numberWithInt:READ(int)];
  case 'l':
  case 'q': return [NSNumber numberWithLongLong:READ(long long)];
  case 'f': return [NSNumber numberWithFloat:READ(float)];
  case 'd': return [NSNumber numberWithDouble:READ(double)];
  default: return READ(id);
  }
}

static void setValueInMemory(RLMObjectBase *self, RLMProperty *property, id value) {
  if (property->_collectionKind != OPENREALM_SINGLE) {
    RLMCollectionBase *collection = valueInMemory(self, property);
    if (collection != value) [collection replaceContentsBy:value policy:OPENREALM_UPDATE_ERROR];
    return;
  }
  if (RLMIsNull(value)) value = nil;
  if (!property->_originalSetter || property->_isAssigned) {
    if (!self->_memory) self->_memory = [[NSMutableDictionary alloc] init];
    [self->_memory setValue:value forKey:property->_name];
    if (!property->_originalSetter) return;
  }
  switch (property->_code) {
  case 'c':
  case 'C':
  case 'B': WRITE(BOOL, [value boolValue]); break;
  case 's': WRITE(short, (short)[value intValue]); break;
  case 'i': WRITE(int, [value intValue]); break;
  case 'l':
  case 'q': WRITE(long long, [value longLongValue]); break;
  case 'f': WRITE(float, [value floatValue]); break;
  case 'd': WRITE(double, [value doubleValue]); break;
  default: WRITE(id, value); break;
  }
}

// MARK: Getters

// A null in a property of a C type can come from classes with another schema only, and reads as zero.
static int64_t getInt(RLMObjectBase *self, int slot) {
  const RLMClassInfo *info = self->_info;
  if (__builtin_expect(!info, 0)) return [valueInMemory(self, propertyAt(self, slot)) longLongValue];
  int64_t value = 0;
  int32_t code = openrealm_get_int(info->realm, self->_row, info->numbers[slot], &value);
  if (__builtin_expect(code != OPENREALM_OK && code != OPENREALM_IS_NULL, 0)) RLMThrowLastFailure();
  return value;
}

static BOOL getBool(RLMObjectBase *self, int slot) {
  const RLMClassInfo *info = self->_info;
  if (__builtin_expect(!info, 0)) return [valueInMemory(self, propertyAt(self, slot)) boolValue];
  bool value = false;
  int32_t code = openrealm_get_bool(info->realm, self->_row, info->numbers[slot], &value);
  if (__builtin_expect(code != OPENREALM_OK && code != OPENREALM_IS_NULL, 0)) RLMThrowLastFailure();
  return value;
}

static float getFloat(RLMObjectBase *self, int slot) {
  const RLMClassInfo *info = self->_info;
  if (__builtin_expect(!info, 0)) return [valueInMemory(self, propertyAt(self, slot)) floatValue];
  float value = 0;
  int32_t code = openrealm_get_float(info->realm, self->_row, info->numbers[slot], &value);
  if (__builtin_expect(code != OPENREALM_OK && code != OPENREALM_IS_NULL, 0)) RLMThrowLastFailure();
  return value;
}

static double getDouble(RLMObjectBase *self, int slot) {
  const RLMClassInfo *info = self->_info;
  if (__builtin_expect(!info, 0)) return [valueInMemory(self, propertyAt(self, slot)) doubleValue];
  double value = 0;
  int32_t code = openrealm_get_double(info->realm, self->_row, info->numbers[slot], &value);
  if (__builtin_expect(code != OPENREALM_OK && code != OPENREALM_IS_NULL, 0)) RLMThrowLastFailure();
  return value;
}

static id collectionOf(RLMObjectBase *self, const RLMClassInfo *info, RLMProperty *property) {
  openrealm_collection *handle;
  if (property->_type == RLMPropertyTypeLinkingObjects) {
    const RLMClassInfo *origin = [self->_realm infoForClassName:property->_objectClassName];
    RLMProperty *link = [origin->schema propertyNamed:property->_linkOriginPropertyName];
    handle = openrealm_backlinks(info->realm, self->_row, origin->classNumber, origin->numbers[link->_slot]);
  } else {
    handle = openrealm_collection_of(info->realm, self->_row, info->numbers[property->_slot]);
  }
  if (!handle) RLMThrowLastFailure();
  return [[[RLMCollectionClass(property) alloc] initWithHandle:handle
                                                         realm:self->_realm
                                                      property:property
                                                     ownerName:info->schema->_className] autorelease];
}

static id managedValue(RLMObjectBase *self, const RLMClassInfo *info, RLMProperty *property) {
  int32_t number = info->numbers[property->_slot];
  if (property->_collectionKind != OPENREALM_SINGLE || property->_type == RLMPropertyTypeLinkingObjects)
    return collectionOf(self, info, property);
  int32_t code;
  switch (property->_type) {
  case RLMPropertyTypeString: {
    openrealm_bytes bytes;
    code = openrealm_get_string(info->realm, self->_row, number, &bytes);
    if (code == OPENREALM_OK) return RLMStringOfBytes(bytes);
    break;
  }
  case RLMPropertyTypeObject: {
    openrealm_object target;
    code = openrealm_get_object(info->realm, self->_row, number, &target);
    if (code != OPENREALM_OK) break;
    const RLMClassInfo *targetInfo = RLMInfoForNumber(self->_realm, target.class_number);
    if (!targetInfo) [self->_realm infoForClassName:property->_objectClassName];
    return RLMMakeAccessor(self->_realm, targetInfo, target.row);
  }
  default: {
    openrealm_value value;
    code = openrealm_get_value(info->realm, self->_row, number, &value);
    if (code == OPENREALM_OK) return RLMTakeValue(&value, self->_realm);
    break;
  }
  }
  if (code != OPENREALM_IS_NULL) RLMThrowLastFailure();
  return nil;
}

static id getObject(RLMObjectBase *self, int slot) {
  const RLMClassInfo *info = self->_info;
  if (__builtin_expect(!info, 0)) return valueInMemory(self, propertyAt(self, slot));
  return managedValue(self, info, info->schema->_list[slot]);
}

// MARK: Setters

// What the library says of any change, in the words for a property.
static __attribute__((noinline)) void refuse(int32_t code) {
  if (code == OPENREALM_NOT_IN_WRITE)
    RLMThrow(@"Attempting to modify object outside of a write transaction - call beginWriteTransaction on an "
             @"RLMRealm "
             @"instance first.");
  if (code == OPENREALM_FROZEN)
    RLMThrow(@"Attempting to modify a frozen object - call thaw on the Object instance first.");
  RLMThrowLastFailure();
}

static inline void checkSet(int32_t code) {
  if (__builtin_expect(code != OPENREALM_OK, 0)) refuse(code);
}

static void setManagedValue(RLMObjectBase *self, const RLMClassInfo *info, RLMProperty *property, id value) {
  int32_t number = info->numbers[property->_slot];
  if (property->_type == RLMPropertyTypeLinkingObjects) RLMThrow(@"LinkingObjects properties are read-only");
  if (property->_collectionKind != OPENREALM_SINGLE) {
    RLMCollectionBase *collection = collectionOf(self, info, property);
    [collection replaceContentsBy:value policy:OPENREALM_UPDATE_MODIFIED];
    return;
  }
  if (property->_type == RLMPropertyTypeObject && !RLMIsNull(value)) {
    openrealm_object target;
    if ([property isEmbedded]) {
      if ([value isKindOfClass:[RLMObjectBase class]] && ((RLMObjectBase *)value)->_info)
        RLMThrow(@"Can't set link to existing managed embedded object");
      checkSet(openrealm_set_embedded(info->realm, self->_row, number, &target));
      RLMFillEmbedded(self->_realm, target, value, OPENREALM_UPDATE_MODIFIED);
      return;
    }
    if (!RLMLinkTarget(self->_realm, property, value, OPENREALM_UPDATE_ERROR, &target)) return;
    checkSet(openrealm_set_object(info->realm, self->_row, number, target));
    return;
  }
  if (property->_type == RLMPropertyTypeAny && [value isKindOfClass:[RLMObjectBase class]]
      && !((RLMObjectBase *)value)->_info)
    RLMAddObject(value, self->_realm, OPENREALM_UPDATE_ERROR);
  openrealm_value converted = RLMValueForProperty(value, property, info->schema->_className);
  checkSet(openrealm_set_value(info->realm, self->_row, number, &converted));
}

static void setInt(RLMObjectBase *self, int slot, int64_t value) {
  const RLMClassInfo *info = self->_info;
  if (__builtin_expect(!info, 0))
    setValueInMemory(self, propertyAt(self, slot), [NSNumber numberWithLongLong:value]);
  else
    checkSet(openrealm_set_int(info->realm, self->_row, info->numbers[slot], value));
}

static void setBool(RLMObjectBase *self, int slot, BOOL value) {
  const RLMClassInfo *info = self->_info;
  if (__builtin_expect(!info, 0))
    setValueInMemory(self, propertyAt(self, slot), [NSNumber numberWithBool:value]);
  else
    checkSet(openrealm_set_bool(info->realm, self->_row, info->numbers[slot], value != NO));
}

static void setFloat(RLMObjectBase *self, int slot, float value) {
  const RLMClassInfo *info = self->_info;
  if (__builtin_expect(!info, 0))
    setValueInMemory(self, propertyAt(self, slot), [NSNumber numberWithFloat:value]);
  else
    checkSet(openrealm_set_float(info->realm, self->_row, info->numbers[slot], value));
}

static void setDouble(RLMObjectBase *self, int slot, double value) {
  const RLMClassInfo *info = self->_info;
  if (__builtin_expect(!info, 0))
    setValueInMemory(self, propertyAt(self, slot), [NSNumber numberWithDouble:value]);
  else
    checkSet(openrealm_set_double(info->realm, self->_row, info->numbers[slot], value));
}

static void setObject(RLMObjectBase *self, int slot, id value) {
  const RLMClassInfo *info = self->_info;
  if (__builtin_expect(!info, 0))
    setValueInMemory(self, propertyAt(self, slot), value);
  else
    setManagedValue(self, info, info->schema->_list[slot], value);
}

// MARK: By property

@implementation RLMObjectBase (Accessors)

- (id)valueOfProperty:(RLMProperty *)property {
  return _info ? managedValue(self, _info, property) : valueInMemory(self, property);
}

- (void)setValue:(id)value ofProperty:(RLMProperty *)property {
  if (_info)
    setManagedValue(self, _info, property, value);
  else
    setValueInMemory(self, property, value);
}

@end

// MARK: One function for each slot

#define ACCESSORS(N) \
  static int64_t getInt##N(id self, SEL _cmd) { return getInt(self, N); } \
  static BOOL getBool##N(id self, SEL _cmd) { return getBool(self, N); } \
  static float getFloat##N(id self, SEL _cmd) { return getFloat(self, N); } \
  static double getDouble##N(id self, SEL _cmd) { return getDouble(self, N); } \
  static id getObject##N(id self, SEL _cmd) { return getObject(self, N); } \
  static void setShort##N(id self, SEL _cmd, short value) { setInt(self, N, value); } \
  static void setInt##N(id self, SEL _cmd, int value) { setInt(self, N, value); } \
  static void setLong##N(id self, SEL _cmd, int64_t value) { setInt(self, N, value); } \
  static void setBool##N(id self, SEL _cmd, BOOL value) { setBool(self, N, value); } \
  static void setFloat##N(id self, SEL _cmd, float value) { setFloat(self, N, value); } \
  static void setDouble##N(id self, SEL _cmd, double value) { setDouble(self, N, value); } \
  static void setObject##N(id self, SEL _cmd, id value) { setObject(self, N, value); }

// clang-format off
#define FOR_16(M, H) \
  M(H##0) M(H##1) M(H##2) M(H##3) M(H##4) M(H##5) M(H##6) M(H##7) \
  M(H##8) M(H##9) M(H##A) M(H##B) M(H##C) M(H##D) M(H##E) M(H##F)
#define FOR_256(M) \
  FOR_16(M, 0x0) FOR_16(M, 0x1) FOR_16(M, 0x2) FOR_16(M, 0x3) FOR_16(M, 0x4) FOR_16(M, 0x5) FOR_16(M, 0x6) \
  FOR_16(M, 0x7) FOR_16(M, 0x8) FOR_16(M, 0x9) FOR_16(M, 0xA) FOR_16(M, 0xB) FOR_16(M, 0xC) FOR_16(M, 0xD) \
  FOR_16(M, 0xE) FOR_16(M, 0xF)

// clang-format on
FOR_256(ACCESSORS)

enum { intGetter, boolGetter, floatGetter, doubleGetter, objectGetter };
enum {
  shortSetter = objectGetter + 1,
  intSetter,
  longSetter,
  boolSetter,
  floatSetter,
  doubleSetter,
  objectSetter,
  kinds
};

#define ROW(N) \
  {(IMP)getInt##N,    (IMP)getBool##N,  (IMP)getFloat##N,  (IMP)getDouble##N, \
   (IMP)getObject##N, (IMP)setShort##N, (IMP)setInt##N,    (IMP)setLong##N, \
   (IMP)setBool##N,   (IMP)setFloat##N, (IMP)setDouble##N, (IMP)setObject##N},

static const IMP accessors[RLMGreatestPropertyCount][kinds] = {FOR_256(ROW)};

static int getterKind(char code) {
  switch (code) {
  case 'c':
  case 'C':
  case 'B': return boolGetter;
  case 'f': return floatGetter;
  case 'd': return doubleGetter;
  case '@': return objectGetter;
  default: return intGetter;
  }
}

static int setterKind(char code) {
  switch (code) {
  case 'c':
  case 'C':
  case 'B': return boolSetter;
  case 's': return shortSetter;
  case 'i': return intSetter;
  case 'f': return floatSetter;
  case 'd': return doubleSetter;
  case '@': return objectSetter;
  default: return longSetter;
  }
}

// Returns the method that was there, which may be missing with @dynamic.
static IMP replace(Class objectClass, SEL selector, IMP accessor, const char *format, char code) {
  Method former = class_getInstanceMethod(objectClass, selector);
  char types[16];
  snprintf(types, sizeof types, format, code);
  IMP original = former ? method_getImplementation(former) : NULL;
  // The runtime keeps the text.
  class_replaceMethod(objectClass, selector, accessor,
                      former ? method_getTypeEncoding(former) : strdup(types));
  return original;
}

void RLMInstallAccessors(Class objectClass, RLMProperty *property) {
  const IMP *row = accessors[property->_slot];
  if (property->_getter)
    property->_originalGetter = replace(objectClass, property->_getter, row[getterKind(property->_code)],
                                        "%c16@0:8", property->_code);
  if (property->_setter)
    property->_originalSetter = replace(objectClass, property->_setter, row[setterKind(property->_code)],
                                        "v24@0:8%c16", property->_code);
}
