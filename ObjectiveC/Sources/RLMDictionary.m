#import "RLMCollection_Private.h"

static NSArray *valuesForKeys(id dictionary, NSArray *keys);

@implementation RLMDictionary

- (instancetype)initWithObjectType:(RLMPropertyType)type
                         className:(NSString *)className
                          optional:(BOOL)optional
                           keyType:(RLMPropertyType)keyType {
  if (keyType != RLMPropertyTypeString) RLMThrow(@"Dictionary keys must be of type 'string'.");
  return [self initInMemoryWithKind:OPENREALM_MAP type:type className:className optional:optional];
}

- (instancetype)initWithObjectClassName:(NSString *)objectClassName keyType:(RLMPropertyType)keyType {
  return [self initWithObjectType:RLMPropertyTypeObject
                        className:objectClassName
                         optional:YES
                          keyType:keyType];
}

- (instancetype)initWithObjectType:(RLMPropertyType)type
                          optional:(BOOL)optional
                           keyType:(RLMPropertyType)keyType {
  return [self initWithObjectType:type className:nil optional:optional keyType:keyType];
}

- (NSString *)kindName {
  return @"dictionary";
}

- (RLMPropertyType)keyType {
  return RLMPropertyTypeString;
}

// MARK: Reading

- (NSArray *)allKeys {
  if (!_handle) return [_elements allKeys];
  NSMutableArray *keys = [NSMutableArray array];
  NSUInteger count = [self count];
  for (NSUInteger index = 0; index < count; index++) {
    openrealm_value key;
    RLMCheck(openrealm_map_key_at(_handle, index, &key));
    [keys addObject:RLMTakeValue(&key, _realm)];
  }
  return keys;
}

- (NSArray *)allValues {
  return valuesForKeys(self, [self allKeys]);
}

static void checkKey(id key) {
  if (![key isKindOfClass:[NSString class]])
    RLMThrow(@"Invalid key '%@' of type '%@' for expected type 'string'.", key,
             NSStringFromClass([key class]));
}

static size_t sizeOf(NSString *key) { return [key lengthOfBytesUsingEncoding:NSUTF8StringEncoding]; }

- (id)objectForKey:(id)key {
  checkKey(key);
  if (!_handle) {
    id element = [_elements objectForKey:key];
    return element == [NSNull null] ? nil : element;
  }
  openrealm_value value;
  int32_t code = openrealm_map_get(_handle, [key UTF8String], sizeOf(key), &value);
  if (code == OPENREALM_NOT_FOUND) return nil;
  RLMCheck(code);
  return RLMTakeValue(&value, _realm);
}

- (id)objectForKeyedSubscript:(id)key {
  return [self objectForKey:key];
}

- (id)valueForKey:(NSString *)key {
  if ([key hasPrefix:@"@"]) return [self valueForKeyPath:key];
  if ([key isEqual:@"invalidated"]) return [NSNumber numberWithBool:[self isInvalidated]];
  return [self objectForKey:key];
}

- (void)setValue:(id)value forKey:(NSString *)key {
  [self setObject:value forKey:key];
}

// A loop goes through the keys, as in NSDictionary.
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(__unsafe_unretained id *)buffer
                                    count:(NSUInteger)length {
  static unsigned long unchanged;
  if (state->state == 0) state->extra[0] = (unsigned long)[self allKeys];
  NSArray *keys = (NSArray *)state->extra[0];
  NSUInteger filled = 0, count = [keys count];
  while (filled < length && state->state < count)
    buffer[filled++] = [keys objectAtIndex:state->state++];
  state->itemsPtr = buffer;
  state->mutationsPtr = &unchanged;
  return filled;
}

- (void)enumerateKeysAndObjectsUsingBlock:(void (^)(id key, id object, BOOL *stop))block {
  BOOL stop = NO;
  for (NSString *key in [self allKeys]) {
    id value = [self objectForKey:key];
    block(key, value ? value : [NSNull null], &stop);
    if (stop) break;
  }
}

- (id)aggregate:(int32_t)kind ofProperty:(NSString *)property {
  if (_handle) return [super aggregate:kind ofProperty:property];
  static NSString *const operators[] = {@"", @"@min", @"@max", @"@sum", @"@avg"};
  NSArray *values = [_elements allValues];
  if (![values count]) return kind == OPENREALM_SUM ? (id)[NSNumber numberWithInt:0] : nil;
  return [values valueForKeyPath:[NSString stringWithFormat:@"%@.%@", operators[kind], property]];
}

// MARK: Changing

- (void)set:(id)object forKey:(NSString *)key policy:(int32_t)policy {
  checkKey(key);
  if (!_handle) {
    [_elements setObject:[self elementInMemory:object] forKey:key];
    return;
  }
  if ([self isOfEmbedded] && !RLMIsNull(object)) {
    if ([object isKindOfClass:[RLMObjectBase class]] && ((RLMObjectBase *)object)->_info)
      RLMThrow(@"Cannot add an existing managed embedded object to a Dictionary.");
    openrealm_object embedded;
    RLMCheck(openrealm_map_set_embedded(_handle, [key UTF8String], sizeOf(key), &embedded));
    RLMFillEmbedded(_realm, embedded, object, policy);
    return;
  }
  openrealm_value value = [self valueForElement:object policy:policy];
  RLMCheck(openrealm_map_set(_handle, [key UTF8String], sizeOf(key), &value));
}

// NSNull stores null; nil removes the key, as official dictionaries do.
- (void)setObject:(id)object forKey:(id)key {
  if (!object)
    [self removeObjectForKey:key];
  else
    [self set:object forKey:key policy:OPENREALM_UPDATE_ERROR];
}

- (void)setObject:(id)object forKeyedSubscript:(id)key {
  [self setObject:object forKey:key];
}

- (void)removeObjectForKey:(id)key {
  checkKey(key);
  if (!_handle) {
    [_elements removeObjectForKey:key];
    return;
  }
  int32_t code = openrealm_map_remove(_handle, [key UTF8String], sizeOf(key));
  if (code != OPENREALM_NOT_FOUND) RLMCheck(code);
}

- (void)removeObjectsForKeys:(NSArray *)keys {
  for (id key in keys)
    [self removeObjectForKey:key];
}

- (void)removeAllObjects {
  if (_handle)
    RLMCheck(openrealm_clear(_handle));
  else
    [_elements removeAllObjects];
}

static void checkEntries(id dictionary) {
  if (![dictionary isKindOfClass:[NSDictionary class]] && ![dictionary isKindOfClass:[RLMDictionary class]])
    RLMThrow(@"Cannot add entries from object of class '%@'", NSStringFromClass([dictionary class]));
}

// The values of a dictionary of either kind; NSNull for null.
static NSArray *valuesForKeys(id dictionary, NSArray *keys) {
  NSMutableArray *values = [NSMutableArray array];
  for (id key in keys) {
    id value = [dictionary objectForKey:key];
    [values addObject:value ? value : [NSNull null]];
  }
  return values;
}

- (void)addEntries:(id)dictionary policy:(int32_t)policy {
  checkEntries(dictionary);
  NSArray *keys = [dictionary allKeys], *values = valuesForKeys(dictionary, keys);
  NSUInteger index = 0;
  for (id key in keys)
    [self set:[values objectAtIndex:index++] forKey:key policy:policy];
}

- (void)addEntriesFromDictionary:(id<NSFastEnumeration>)dictionary {
  [self addEntries:dictionary policy:OPENREALM_UPDATE_ERROR];
}

- (void)setDictionary:(id)dictionary {
  [self replaceContentsBy:dictionary policy:OPENREALM_UPDATE_ERROR];
}

- (void)replaceContentsBy:(id)value policy:(int32_t)policy {
  if (value == self) return;
  // The entries may come from this dictionary, and are checked before anything is removed.
  NSArray *keys = nil, *values = nil;
  if (!RLMIsNull(value)) {
    checkEntries(value);
    keys = [value allKeys];
    values = valuesForKeys(value, keys);
  }
  for (id key in keys)
    checkKey(key);
  if ([self isOfEmbedded] && ![self needsEmbedded:values]) {
    if ([keys isEqual:[self allKeys]]) return;
    RLMThrow(@"Cannot add an existing managed embedded object to a Dictionary.");
  }
  if ([self count]) [self removeAllObjects];
  NSUInteger index = 0;
  for (id key in keys)
    [self set:[values objectAtIndex:index++] forKey:key policy:policy];
}

@end
