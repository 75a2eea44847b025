// How objects get into a realm: from dictionaries, arrays and other objects, and from objects in memory.
#import <objc/runtime.h>
#import "RLMCollection_Private.h"

// MARK: Values of a source

// The value that a dictionary, array or object has for a property; nil when it has none, NSNull for null.
static id valueInSource(id source, RLMProperty *property, NSString *className) {
  RLMKind kind = RLMKindOf(source);
  if (kind == RLMKindDictionary) return [source objectForKey:property->_name];
  if (kind == RLMKindArray)
    return property->_slot < [source count] ? [source objectAtIndex:property->_slot] : nil;
  id value = nil;
  if (kind == RLMKindObject) {
    RLMObjectBase *object = source;
    RLMProperty *own = object.objectSchema[property->_name];
    if (!own)
      RLMThrow(@"Invalid value '%@' to initialize object of type '%@': missing key '%@'", source, className,
               property->_name);
    value = [object valueOfProperty:own];
  } else {
    @try {
      value = [source valueForKey:property->_name];
    } @catch (NSException *exception) {
      RLMThrow(@"Invalid value '%@' to initialize object of type '%@': missing key '%@'", source, className,
               property->_name);
    }
  }
  return value ? value : [NSNull null];
}

static void checkSource(id source, RLMObjectSchema *schema) {
  if (RLMIsNull(source)) RLMThrow(@"Must provide a non-nil value.");
  NSUInteger count = schema->_count;
  if (RLMKindOf(source) == RLMKindArray && [source count] > count)
    RLMThrow(@"Invalid array input: more values (%llu) than properties (%llu).",
             (unsigned long long)[source count], (unsigned long long)count);
}

// MARK: Objects in memory

id RLMObjectInMemory(RLMProperty *property, id value) {
  if (property->_collectionKind != OPENREALM_SINGLE || property->_type != RLMPropertyTypeObject) return value;
  if (RLMIsNull(value) || RLMKindOf(value) == RLMKindObject) return value;
  Class objectClass = [property objectClass];
  return objectClass ? [[[objectClass alloc] initWithValue:value] autorelease] : value;
}

@implementation RLMObjectBase (Creation)

- (instancetype)initWithValue:(id)value {
  if (!(self = [self init])) return nil;
  RLMObjectSchema *schema = self.objectSchema;
  checkSource(value, schema);
  for (RLMProperty *property in schema->_slots) {
    if (property->_type == RLMPropertyTypeLinkingObjects) continue;
    id given = valueInSource(value, property, schema->_className);
    if (!given) continue;
    if (property->_collectionKind == OPENREALM_SINGLE) {
      given = RLMObjectInMemory(property, given);
      if (property->_type != RLMPropertyTypeObject && !RLMIsNull(given)
          && RLMKindOf(given) != RLMKindObject && property->_type != RLMPropertyTypeAny)
        (void)RLMValueForProperty(given, property, schema->_className);
    }
    [self setValue:given ofProperty:property];
  }
  return self;
}

@end

// MARK: Links

static void checkClass(RLMObjectBase *object, RLMProperty *property) {
  NSString *name = object.objectSchema->_className;
  if (![name isEqual:property->_objectClassName])
    RLMThrow(@"Can't set object of type '%@' to property of type '%@'", name, property->_objectClassName);
}

BOOL RLMLinkTarget(RLMRealm *realm, RLMProperty *property, id value, int32_t policy,
                   openrealm_object *target) {
  if (RLMIsNull(value)) return NO;
  const RLMClassInfo *info = [realm infoForClassName:property->_objectClassName];
  RLMObjectBase *object = value;
  if (RLMKindOf(value) == RLMKindObject) {
    if (object->_info && object->_realm == realm) {
      checkClass(object, property);
      RLMCheckObject(object);
    } else if (object->_info) {
      // An object of another realm is copied.
      object = RLMCreateObject(realm, info, object, policy);
    } else {
      checkClass(object, property);
      RLMAddObject(object, realm, policy);
    }
  } else {
    object = RLMCreateObject(realm, info, value, policy);
  }
  *target = object->_row;
  return YES;
}

// MARK: Creating

// What is put into a new object after it exists: links, which may lead back to it, and collections.
static BOOL comesLater(RLMProperty *property) {
  return property->_collectionKind != OPENREALM_SINGLE || property->_type == RLMPropertyTypeObject;
}

static void setLater(RLMRealm *realm, const RLMClassInfo *info, openrealm_object row, RLMProperty *property,
                     id value, int32_t policy) {
  int32_t number = info->numbers[property->_slot];
  if (property->_collectionKind != OPENREALM_SINGLE) {
    openrealm_collection *handle = openrealm_collection_of(info->realm, row, number);
    if (!handle) RLMThrowLastFailure();
    RLMCollectionBase *collection =
        [[RLMCollectionClass(property) alloc] initWithHandle:handle
                                                       realm:realm
                                                    property:property
                                                   ownerName:info->schema->_className];
    [collection autorelease];
    [collection replaceContentsBy:value policy:policy];
    return;
  }
  openrealm_object target;
  if (RLMIsNull(value)) {
    RLMCheck(openrealm_set_null(info->realm, row, number));
  } else if ([property isEmbedded]) {
    RLMCheck(openrealm_set_embedded(info->realm, row, number, &target));
    RLMFillEmbedded(realm, target, value, policy);
  } else if (RLMLinkTarget(realm, property, value, policy, &target)) {
    RLMCheck(openrealm_set_object(info->realm, row, number, target));
  }
}

// The values of a source, sorted by when they are written.
typedef struct Given {
  NSUInteger used; // how many are written at once
  int32_t *numbers;
  openrealm_value *values;
  id *later; // by slot; nil for those without a value
} Given;

typedef id (*ValueForKey)(id dictionary, SEL selector, id key);

// Fills in what a source and the defaults of the class have. Objects in memory that mixed values hold are
// added.
static void gather(Given *given, RLMRealm *realm, const RLMClassInfo *info, id source, BOOL hasDefaults,
                   int32_t policy) {
  RLMObjectSchema *schema = info->schema;
  RLMKind kind = RLMKindOf(source);
  BOOL isObject = kind == RLMKindObject;
  // The method of a dictionary is looked up once for all properties.
  ValueForKey valueForKey =
      kind == RLMKindDictionary
          ? (ValueForKey)class_getMethodImplementation(object_getClass(source), @selector(objectForKey:))
          : NULL;
  // Asked for when the first value is missing.
  NSDictionary *defaults = nil;
  BOOL knowsDefaults = isObject || !hasDefaults;
  for (NSUInteger slot = 0; slot < schema->_count; slot++) {
    RLMProperty *property = schema->_list[slot];
    given->later[slot] = nil;
    if (property->_type == RLMPropertyTypeLinkingObjects) continue;
    id value = valueForKey ? valueForKey(source, @selector(objectForKey:), property->_name)
                           : valueInSource(source, property, schema->_className);
    if (!value) {
      if (!knowsDefaults) defaults = [info->objectClass defaultPropertyValues];
      knowsDefaults = YES;
      value = [defaults objectForKey:property->_name];
    }
    if (!value) continue;
    if (comesLater(property)) {
      given->later[slot] = value;
      continue;
    }
    // A string that was never set is null in memory; where null is not allowed it stays empty.
    if (RLMIsNull(value) && isObject && !property->_optional && !property->_isPrimaryKey
        && property->_type != RLMPropertyTypeAny)
      continue;
    if (property->_type == RLMPropertyTypeAny && RLMKindOf(value) == RLMKindObject
        && !((RLMObjectBase *)value)->_info)
      RLMAddObject(value, realm, policy);
    given->numbers[given->used] = info->numbers[slot];
    given->values[given->used++] = RLMValueForProperty(value, property, schema->_className);
  }
}

// Makes an object in memory the accessor of a row, before its links are followed, so that cycles end.
static void adopt(RLMObjectBase *object, RLMRealm *realm, const RLMClassInfo *info, openrealm_object row) {
  object->_info = info;
  object->_row = row;
  object->_realm = [realm retain];
}

static void adoptCollections(RLMObjectBase *object);

void RLMFillEmbedded(RLMRealm *realm, openrealm_object row, id value, int32_t policy) {
  const RLMClassInfo *info = RLMInfoForNumber(realm, row.class_number);
  checkSource(value, info->schema);
  NSUInteger count = info->schema->_count;
  int32_t numbers[count + 1];
  openrealm_value values[count + 1];
  id later[count + 1];
  Given given = {0, numbers, values, later};
  gather(&given, realm, info, value, YES, policy);
  for (NSUInteger i = 0; i < given.used; i++)
    RLMCheck(openrealm_set_value(info->realm, row, numbers[i], &values[i]));
  RLMObjectBase *object =
      RLMKindOf(value) == RLMKindObject && !((RLMObjectBase *)value)->_info ? value : nil;
  if (object) adopt(object, realm, info, row);
  for (NSUInteger slot = 0; slot < count; slot++)
    if (later[slot]) setLater(realm, info, row, info->schema->_list[slot], later[slot], policy);
  if (object) adoptCollections(object);
}

// Creates the row. `adopted`, unless nil, is the object in memory that becomes the accessor.
static openrealm_object createRow(RLMRealm *realm, const RLMClassInfo *info, id source, int32_t policy,
                                  RLMObjectBase *adopted) {
  RLMObjectSchema *schema = info->schema;
  checkSource(source, schema);
  if (schema->_isEmbedded) RLMThrow(@"Embedded objects cannot be created directly");
  NSUInteger count = schema->_count;
  int32_t numbers[count + 1];
  openrealm_value values[count + 1];
  id later[count + 1];
  Given given = {0, numbers, values, later};
  BOOL isUpdate = policy != OPENREALM_UPDATE_ERROR && schema->_primaryKey;
  gather(&given, realm, info, source, !isUpdate, policy);
  openrealm_object row;
  RLMCheck(openrealm_create_or_update(info->realm, info->classNumber,
                                      isUpdate ? policy : OPENREALM_UPDATE_ERROR, given.used, numbers, values,
                                      &row, NULL));
  if (adopted) adopt(adopted, realm, info, row);
  for (NSUInteger slot = 0; slot < count; slot++)
    if (later[slot]) setLater(realm, info, row, schema->_list[slot], later[slot], policy);
  return row;
}

id RLMCreateObject(RLMRealm *realm, const RLMClassInfo *info, id value, int32_t policy) {
  openrealm_object row = createRow(realm, info, value, policy, nil);
  return RLMMakeAccessor(realm, info, row.row);
}

// Collections of an object in memory stay the same objects.
static void adoptCollections(RLMObjectBase *object) {
  NSMutableDictionary *memory = object->_memory;
  object->_memory = nil;
  for (NSString *name in memory) {
    id collection = [memory objectForKey:name];
    RLMProperty *property = object->_info->schema[name];
    if (!RLMIsKind(collection, RLM_CLASS(RLMCollectionBase))
        || property->_type == RLMPropertyTypeLinkingObjects)
      continue;
    openrealm_collection *handle =
        openrealm_collection_of(object->_info->realm, object->_row, object->_info->numbers[property->_slot]);
    if (handle) [collection adoptHandle:handle realm:object->_realm];
  }
  [memory release];
}

void RLMAddObject(RLMObjectBase *object, RLMRealm *realm, int32_t policy) {
  if (object->_info) {
    if (![object isInvalidated] && object->_realm == realm) return;
    if ([object isInvalidated])
      RLMThrow(@"Adding a deleted or invalidated object to a Realm is not permitted");
    RLMThrow(@"Object is already managed by another Realm. Use create instead to copy it into this Realm.");
  }
  if ([object observationInfo]) RLMThrow(@"Cannot add an object with observers to a Realm");
  const RLMClassInfo *info = [realm infoForClassName:object.objectSchema->_className];
  createRow(realm, info, object, policy, object);
  adoptCollections(object);
}
