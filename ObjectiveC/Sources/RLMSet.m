#import "RLMCollection_Private.h"

@implementation RLMSet

- (instancetype)initWithObjectClassName:(NSString *)objectClassName {
  return [self initInMemoryWithKind:OPENREALM_SET
                               type:RLMPropertyTypeObject
                          className:objectClassName
                           optional:NO];
}

- (instancetype)initWithObjectType:(RLMPropertyType)type optional:(BOOL)optional {
  return [self initInMemoryWithKind:OPENREALM_SET type:type className:nil optional:optional];
}

- (NSString *)kindName {
  return @"set";
}

// MARK: Elements

static id orNil(id element) { return element == [NSNull null] ? nil : element; }

// YES and 1 are equal objects but different values of a realm. These stand for booleans among the elements in
// memory.
static id booleans[2];

+ (void)initialize {
  if (self != [RLMSet class]) return;
  for (int value = 0; value < 2; value++)
    booleans[value] = [[NSObject alloc] init];
}

// What is kept in memory for an element.
- (id)kept:(id)element {
  if (!element) return [NSNull null];
  if (_type != RLMPropertyTypeAny || !RLMIsKind(element, RLM_CLASS(NSNumber))) return element;
  return [element rlm_valueType] == RLMPropertyTypeBool ? booleans[[element boolValue]] : element;
}

// The element that something is kept for.
static id elementOf(id kept) {
  for (int value = 0; value < 2; value++)
    if (kept == booleans[value]) return [NSNumber numberWithBool:value];
  return kept;
}

- (NSArray *)elementsInMemory {
  NSArray *kept = [super elementsInMemory];
  if (_type != RLMPropertyTypeAny) return kept;
  NSMutableArray *elements = [NSMutableArray arrayWithCapacity:[kept count]];
  for (id each in kept)
    [elements addObject:elementOf(each)];
  return elements;
}

- (NSArray *)allObjects {
  NSMutableArray *all = [NSMutableArray array];
  for (id element in self)
    [all addObject:element];
  return all;
}

- (id)objectAtIndex:(NSUInteger)index {
  NSUInteger count = [self count];
  if (index >= count)
    RLMThrow(@"Index %llu is out of bounds (must be less than %llu).", (unsigned long long)index,
             (unsigned long long)count);
  return _handle ? [self elementAtIndex:index] : orNil(elementOf([_elements objectAtIndex:index]));
}

- (id)objectAtIndexedSubscript:(NSUInteger)index {
  return [self objectAtIndex:index];
}

- (id)firstObject {
  return [self count] ? [self objectAtIndex:0] : nil;
}

- (id)lastObject {
  NSUInteger count = [self count];
  return count ? [self objectAtIndex:count - 1] : nil;
}

- (BOOL)containsObject:(id)object {
  if (!_handle) return [_elements containsObject:[self kept:object]];
  openrealm_value value;
  size_t index;
  if ([object isKindOfClass:[RLMObjectBase class]] && ((RLMObjectBase *)object)->_realm != _realm) return NO;
  if (!RLMConvert(object, _type, &value)) return NO;
  int32_t code = openrealm_index_of(_handle, &value, &index);
  if (code != OPENREALM_NOT_FOUND) RLMCheck(code);
  return code == OPENREALM_OK;
}

// MARK: Changing

- (void)add:(id)object policy:(int32_t)policy {
  if (!_handle) {
    [_elements addObject:[self kept:[self elementInMemory:object]]];
    return;
  }
  openrealm_value value = [self valueForElement:object policy:policy];
  RLMCheck(openrealm_set_insert(_handle, &value, NULL));
}

- (void)addObject:(id)object {
  [self add:object policy:OPENREALM_UPDATE_ERROR];
}

- (void)addObjects:(id<NSFastEnumeration>)objects {
  for (id object in objects)
    [self addObject:object];
}

- (void)removeObject:(id)object {
  if (!_handle) {
    [_elements removeObject:[self kept:object]];
    return;
  }
  openrealm_value value = openrealm_null();
  if ([object isKindOfClass:[RLMObjectBase class]] && ((RLMObjectBase *)object)->_realm != _realm) return;
  if (!RLMConvert(object, _type, &value)) [self refuse:object];
  RLMCheck(openrealm_set_remove(_handle, &value, NULL));
}

- (void)removeAllObjects {
  if (_handle)
    RLMCheck(openrealm_clear(_handle));
  else
    [_elements removeAllObjects];
}

- (void)replaceContentsBy:(id)value policy:(int32_t)policy {
  if (value == self) return;
  NSArray *elements = [self replacementsFrom:value];
  if ([self count]) [self removeAllObjects];
  for (id element in elements)
    [self add:element policy:policy];
}

// MARK: With another set

- (void)checkSet:(RLMSet *)set {
  if (_handle && !set->_handle) RLMThrow(@"Right hand side value must be a managed Set.");
}

- (void)setSet:(RLMSet *)set {
  [self checkSet:set];
  [self replaceContentsBy:set policy:OPENREALM_UPDATE_ERROR];
}

- (void)unionSet:(RLMSet *)set {
  [self checkSet:set];
  for (id element in [set allObjects])
    [self addObject:element];
}

- (void)minusSet:(RLMSet *)set {
  [self checkSet:set];
  for (id element in [set allObjects])
    [self removeObject:element];
}

- (void)intersectSet:(RLMSet *)set {
  [self checkSet:set];
  for (id element in [self allObjects])
    if (![set containsObject:element]) [self removeObject:element];
}

- (BOOL)intersectsSet:(RLMSet *)set {
  [self checkSet:set];
  for (id element in self)
    if ([set containsObject:element]) return YES;
  return NO;
}

- (BOOL)isSubsetOfSet:(RLMSet *)set {
  [self checkSet:set];
  for (id element in self)
    if (![set containsObject:element]) return NO;
  return YES;
}

- (BOOL)isEqualToSet:(RLMSet *)set {
  return [self count] == [set count] && [self isSubsetOfSet:set];
}

// The values of a key of all elements, each once.
- (id)valueForKey:(NSString *)key {
  id values = [super valueForKey:key];
  return [values isKindOfClass:[NSArray class]] ? (id)[NSSet setWithArray:values] : values;
}

@end
