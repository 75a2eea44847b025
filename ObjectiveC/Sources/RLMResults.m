#import "RLMCollection_Private.h"

// What RLMResults and RLMArray have in common: elements by position.
#define ORDERED_ELEMENTS \
  -(id)objectAtIndexedSubscript : (NSUInteger)index { \
    return [self objectAtIndex:index]; \
  } \
  -(id)firstObject { \
    return [self count] ? [self objectAtIndex:0] : nil; \
  } \
  -(id)lastObject { \
    NSUInteger count = [self count]; \
    return count ? [self objectAtIndex:count - 1] : nil; \
  } \
  -(NSArray *)objectsAtIndexes : (NSIndexSet *)indexes { \
    NSUInteger count = [self count]; \
    if ([indexes count] && [indexes lastIndex] >= count) return nil; \
    NSMutableArray *found = [NSMutableArray array]; \
    for (NSUInteger i = [indexes firstIndex]; i != NSNotFound; i = [indexes indexGreaterThanIndex:i]) \
      [found addObject:[self objectAtIndex:i] ?: [NSNull null]]; \
    return found; \
  } \
  -(NSUInteger)indexOfObjectWhere : (NSString *)predicateFormat, ... { \
    va_list arguments; \
    va_start(arguments, predicateFormat); \
    NSUInteger index = [self indexOfObjectWhere:predicateFormat args:arguments]; \
    va_end(arguments); \
    return index; \
  } \
  -(NSUInteger)indexOfObjectWhere : (NSString *)predicateFormat args : (va_list)arguments { \
    return [self indexOfFirstIn:[self objectsWhere:predicateFormat args:arguments]]; \
  } \
  -(NSUInteger)indexOfObjectWithPredicate : (NSPredicate *)predicate { \
    return [self indexOfFirstIn:[self objectsWithPredicate:predicate]]; \
  } \
  -(NSUInteger)indexOfFirstIn : (RLMResults *)results { \
    id first = [results firstObject]; \
    return first ? [self indexOfObject:first] : NSNotFound; \
  }

static NSUInteger indexOf(RLMCollectionBase *collection, id object) {
  openrealm_value value;
  size_t index = 0;
  if ([object isKindOfClass:[RLMObjectBase class]]) {
    RLMObjectBase *managed = object;
    if (!managed->_info || managed->_realm != collection->_realm) return NSNotFound;
    RLMCheckObject(managed);
  }
  if (!RLMConvert(object, collection->_type, &value)) return NSNotFound;
  int32_t code = openrealm_index_of(collection->_handle, &value, &index);
  if (code == OPENREALM_NOT_FOUND) return NSNotFound;
  RLMCheck(code);
  return index;
}

static void checkIndex(RLMCollectionBase *collection, NSUInteger index) {
  NSUInteger count = [collection count];
  if (index >= count)
    RLMThrow(@"Index %llu is out of bounds (must be less than %llu).", (unsigned long long)index,
             (unsigned long long)count);
}

@implementation RLMResults
ORDERED_ELEMENTS
@dynamic count;

- (NSString *)kindName {
  return @"results";
}

- (id)objectAtIndex:(NSUInteger)index {
  checkIndex(self, index);
  return [self elementAtIndex:index];
}

- (NSUInteger)indexOfObject:(id)object {
  return indexOf(self, object);
}

- (RLMResults *)snapshot {
  return RLMMakeResults(openrealm_snapshot(_handle), _realm);
}

@end

@implementation RLMLinkingObjects
@end

@implementation RLMArray
ORDERED_ELEMENTS

- (instancetype)initWithObjectClassName:(NSString *)objectClassName {
  return [self initInMemoryWithKind:OPENREALM_LIST
                               type:RLMPropertyTypeObject
                          className:objectClassName
                           optional:NO];
}

- (instancetype)initWithObjectType:(RLMPropertyType)type optional:(BOOL)optional {
  return [self initInMemoryWithKind:OPENREALM_LIST type:type className:nil optional:optional];
}

static id orNil(id element) { return element == [NSNull null] ? nil : element; }

- (id)objectAtIndex:(NSUInteger)index {
  checkIndex(self, index);
  return _handle ? [self elementAtIndex:index] : orNil([_elements objectAtIndex:index]);
}

- (NSUInteger)indexOfObject:(id)object {
  if (_handle) return indexOf(self, object);
  return [_elements indexOfObject:object ? object : [NSNull null]];
}

// MARK: Changing

- (void)insert:(id)object atIndex:(NSUInteger)index policy:(int32_t)policy {
  if (!_handle) {
    [_elements insertObject:[self elementInMemory:object] atIndex:index];
    return;
  }
  if ([self isOfEmbedded]) {
    if ([object isKindOfClass:[RLMObjectBase class]] && ((RLMObjectBase *)object)->_info)
      RLMThrow(@"Cannot add an existing managed embedded object to a List.");
    openrealm_object embedded;
    RLMCheck(openrealm_list_insert_embedded(_handle, index, &embedded));
    RLMFillEmbedded(_realm, embedded, object, policy);
    return;
  }
  openrealm_value value = [self valueForElement:object policy:policy];
  RLMCheck(openrealm_list_insert(_handle, index, &value));
}

- (void)addObject:(id)object {
  [self insert:object atIndex:[self count] policy:OPENREALM_UPDATE_ERROR];
}

- (void)addObjects:(id<NSFastEnumeration>)objects {
  for (id object in objects)
    [self addObject:object];
}

- (void)insertObject:(id)object atIndex:(NSUInteger)index {
  NSUInteger count = [self count];
  if (index > count)
    RLMThrow(@"Index %llu is out of bounds (must be less than %llu).", (unsigned long long)index,
             (unsigned long long)count + 1);
  [self insert:object atIndex:index policy:OPENREALM_UPDATE_ERROR];
}

- (void)removeObjectAtIndex:(NSUInteger)index {
  checkIndex(self, index);
  if (_handle)
    RLMCheck(openrealm_list_remove(_handle, index));
  else
    [_elements removeObjectAtIndex:index];
}

- (void)removeLastObject {
  NSUInteger count = [self count];
  if (count) [self removeObjectAtIndex:count - 1];
}

- (void)removeAllObjects {
  if (_handle)
    RLMCheck(openrealm_clear(_handle));
  else
    [_elements removeAllObjects];
}

- (void)replaceObjectAtIndex:(NSUInteger)index withObject:(id)object {
  checkIndex(self, index);
  if (!_handle) {
    [_elements replaceObjectAtIndex:index withObject:[self elementInMemory:object]];
  } else if ([self isOfEmbedded]) {
    [self insert:object atIndex:index policy:OPENREALM_UPDATE_ERROR];
    [self removeObjectAtIndex:index + 1];
  } else {
    openrealm_value value = [self valueForElement:object policy:OPENREALM_UPDATE_ERROR];
    RLMCheck(openrealm_list_set(_handle, index, &value));
  }
}

- (void)setObject:(id)object atIndexedSubscript:(NSUInteger)index {
  [self replaceObjectAtIndex:index withObject:object];
}

- (void)moveObjectAtIndex:(NSUInteger)sourceIndex toIndex:(NSUInteger)destinationIndex {
  checkIndex(self, sourceIndex);
  checkIndex(self, destinationIndex);
  if (_handle) {
    RLMCheck(openrealm_list_move(_handle, sourceIndex, destinationIndex));
    return;
  }
  id object = [[_elements objectAtIndex:sourceIndex] retain];
  [_elements removeObjectAtIndex:sourceIndex];
  [_elements insertObject:object atIndex:destinationIndex];
  [object release];
}

- (void)exchangeObjectAtIndex:(NSUInteger)index1 withObjectAtIndex:(NSUInteger)index2 {
  checkIndex(self, index1);
  checkIndex(self, index2);
  if (_handle)
    RLMCheck(openrealm_list_swap(_handle, index1, index2));
  else
    [_elements exchangeObjectAtIndex:index1 withObjectAtIndex:index2];
}

- (void)replaceContentsBy:(id)value policy:(int32_t)policy {
  if (value == self) return;
  NSArray *elements = [self replacementsFrom:value];
  if ([self isOfEmbedded] && ![self needsEmbedded:elements]) return;
  if ([self count]) [self removeAllObjects];
  NSUInteger index = 0;
  for (id element in elements)
    [self insert:element atIndex:index++ policy:policy];
}

@end
