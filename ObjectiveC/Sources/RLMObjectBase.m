#import <objc/runtime.h>
#import "RLMCollection_Private.h"

id RLMMakeAccessor(RLMRealm *realm, const RLMClassInfo *info, int64_t row) {
  RLMObjectBase *object = NSAllocateObject(info->objectClass, 0, NULL);
  object->_realm = [realm retain];
  object->_info = info;
  object->_row = (openrealm_object){info->classNumber, row};
  return [object autorelease];
}

void RLMCheckObject(RLMObjectBase *object) {
  if (object->_info && openrealm_is_valid(object->_info->realm, object->_row)) return;
  // Reading a property says what is wrong: the thread, the realm, or the object.
  openrealm_value value;
  for (RLMProperty *property in object->_info ? object->_info->schema->_slots : [NSArray array])
    if (property->_collectionKind == OPENREALM_SINGLE && property->_type != RLMPropertyTypeLinkingObjects) {
      RLMCheck(openrealm_get_value(object->_info->realm, object->_row,
                                   object->_info->numbers[property->_slot], &value));
      openrealm_value_clear(&value);
    }
  RLMThrow(@"Object has been deleted or invalidated.");
}

@implementation RLMObjectBase

+ (void)initialize {
  RLMDescribeClass(self);
}

- (instancetype)init {
  if (!(self = [super init])) return nil;
  RLMObjectSchema *schema = RLMDescribedSchema(object_getClass(self));
  if (schema->_problem) RLMThrow(@"%@", schema->_problem);
  NSDictionary *defaults = [[self class] defaultPropertyValues];
  for (NSString *name in defaults) {
    RLMProperty *property = [schema propertyNamed:name];
    [self setValue:RLMObjectInMemory(property, [defaults objectForKey:name]) ofProperty:property];
  }
  return self;
}

- (void)dealloc {
  [_memory release];
  [_realm release];
  [super dealloc];
}

// MARK: Classes

+ (NSString *)className {
  RLMObjectSchema *schema = RLMDescribedSchema(self);
  return schema ? schema->_className : NSStringFromClass(self);
}
+ (NSString *)primaryKey {
  return nil;
}
+ (NSArray *)indexedProperties {
  return [NSArray array];
}
+ (NSArray *)requiredProperties {
  return [NSArray array];
}
+ (NSArray *)ignoredProperties {
  return nil;
}
+ (NSDictionary *)defaultPropertyValues {
  return nil;
}
+ (NSDictionary *)linkingObjectsProperties {
  return [NSDictionary dictionary];
}
+ (NSDictionary *)propertiesMapping {
  return [NSDictionary dictionary];
}
+ (BOOL)shouldIncludeInDefaultSchema {
  return YES;
}
+ (RLMObjectSchema *)sharedSchema {
  return RLMDescribedSchema(self);
}

// MARK: State

- (RLMRealm *)realm {
  return _info && openrealm_is_valid(_info->realm, _row) ? [[_realm retain] autorelease] : nil;
}

- (RLMObjectSchema *)objectSchema {
  return _info ? _info->schema : RLMObjectSchemaOfClass(object_getClass(self));
}

- (BOOL)isInvalidated {
  return _info && !openrealm_is_valid(_info->realm, _row);
}

- (BOOL)isFrozen {
  return _info && openrealm_is_frozen(_info->realm);
}

- (instancetype)freeze {
  if (!_info) RLMThrow(@"Unmanaged objects cannot be frozen.");
  if ([self isFrozen]) return self;
  RLMCheckObject(self);
  RLMRealm *frozen = [_realm freeze];
  RLMObjectBase *object = RLMMakeAccessor(frozen, RLMInfoForNumber(frozen, _row.class_number), _row.row);
  if ([object isInvalidated])
    RLMThrow(@"Cannot freeze an object in the same write transaction as it was created in.");
  return (id)object;
}

- (instancetype)thaw {
  if (!_info) RLMThrow(@"Unmanaged objects cannot be thawed.");
  if (![self isFrozen]) return self;
  RLMRealm *live = [_realm thaw];
  const RLMClassInfo *info = RLMInfoForNumber(live, _row.class_number);
  return openrealm_is_valid(live->_handle, _row) ? RLMMakeAccessor(live, info, _row.row) : nil;
}

// MARK: Equality

- (BOOL)isEqualToObject:(RLMObjectBase *)other {
  if (self == other) return YES;
  return other && _info && other->_info && [_realm isEqual:other->_realm]
         && _row.class_number == other->_row.class_number && _row.row == other->_row.row
         && openrealm_is_valid(_info->realm, _row);
}

- (BOOL)isEqual:(id)other {
  if (self == other) return YES;
  if (![other isKindOfClass:[RLMObjectBase class]] || !_info) return NO;
  if (![self isFrozen] && !self.objectSchema.primaryKeyProperty) return NO;
  return [self isEqualToObject:other];
}

- (NSUInteger)hash {
  if (_info && ([self isFrozen] || self.objectSchema.primaryKeyProperty))
    return (NSUInteger)_row.row * 0x9E3779B97F4A7C15U ^ (NSUInteger)_row.class_number;
  return (NSUInteger)self >> 4;
}

// MARK: Key-value coding

- (id)valueForKey:(NSString *)key {
  RLMProperty *property = self.objectSchema[key];
  return property ? [self valueOfProperty:property] : [super valueForKey:key];
}

- (void)setValue:(id)value forKey:(NSString *)key {
  RLMProperty *property = self.objectSchema[key];
  if (!property) {
    [super setValue:value forKey:key];
    return;
  }
  [self willChangeValueForKey:key];
  @try {
    [self setValue:value ofProperty:property];
  } @finally { [self didChangeValueForKey:key]; }
}

// Foundation moves the object to a subclass that it makes at run time. Observers are notified of nothing when
// the first message that this class receives is a setter, so that another message is sent first.
- (void)addObserver:(NSObject *)observer
         forKeyPath:(NSString *)path
            options:(NSKeyValueObservingOptions)options
            context:(void *)context {
  [super addObserver:observer forKeyPath:path options:options context:context];
  [self self];
}

- (id)valueForUndefinedKey:(NSString *)key {
  RLMThrow(@"Invalid property name '%@' for class '%@'.", key, self.objectSchema->_className);
}

- (void)setValue:(id)value forUndefinedKey:(NSString *)key {
  RLMThrow(@"Invalid property name '%@' for class '%@'.", key, self.objectSchema->_className);
}

- (id)objectForKeyedSubscript:(NSString *)key {
  return [self valueForKey:key];
}

- (void)setObject:(id)value forKeyedSubscript:(NSString *)key {
  [self setValue:value forKey:key];
}

// MARK: Description

NSString *RLMDescription(id value, int depth) {
  if (!value) return @"(null)";
  NSString *text =
      [value isKindOfClass:[RLMObjectBase class]] || [value isKindOfClass:[RLMCollectionBase class]]
          ? [value descriptionWithDepth:depth]
          : [value description];
  return [text stringByReplacingOccurrencesOfString:@"\n" withString:@"\n\t"];
}

- (NSString *)descriptionWithDepth:(int)depth {
  RLMObjectSchema *schema = self.objectSchema;
  if ([self isInvalidated]) return @"[invalid object]";
  if (depth == 0) return @"<Maximum depth exceeded>";
  NSMutableString *text = [NSMutableString stringWithFormat:@"%@ {\n", schema->_className];
  for (RLMProperty *property in schema->_slots) {
    if (property->_type == RLMPropertyTypeLinkingObjects) continue;
    [text appendFormat:@"\t%@ = %@;\n", property->_name,
                       RLMDescription([self valueOfProperty:property], depth - 1)];
  }
  [text appendString:@"}"];
  return text;
}

- (NSString *)description {
  return [self descriptionWithDepth:RLMGreatestDescriptionDepth];
}

@end
