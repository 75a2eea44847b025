#import <objc/runtime.h>
#import "RLMCollection_Private.h"

Class RLMCollectionClass(RLMProperty *property) {
  if (property->_type == RLMPropertyTypeLinkingObjects) return [RLMLinkingObjects class];
  switch (property->_collectionKind) {
  case OPENREALM_LIST: return [RLMArray class];
  case OPENREALM_SET: return [RLMSet class];
  case OPENREALM_MAP: return [RLMDictionary class];
  default: return [RLMResults class];
  }
}

@implementation RLMCollectionBase
@synthesize type = _type, optional = _optional, objectClassName = _objectClassName;

// MARK: Making

- (instancetype)initWithHandle:(openrealm_collection *)handle
                         realm:(RLMRealm *)realm
                      property:(RLMProperty *)property
                     ownerName:(NSString *)ownerName {
  if (!(self = [super init])) return nil;
  _handle = handle;
  _realm = [realm retain];
  _property = [property retain];
  _ownerName = [ownerName copy];
  _type = openrealm_collection_type(handle);
  if (property && property->_type != RLMPropertyTypeLinkingObjects) {
    _optional = property->_optional;
    _objectClassName = [property->_objectClassName copy];
  }
  if (_type == RLMPropertyTypeObject && !_objectClassName) {
    const RLMClassInfo *info = RLMInfoForNumber(realm, openrealm_collection_class(handle));
    if (info) _objectClassName = [info->schema->_className copy];
  }
  return self;
}

- (instancetype)initInMemoryWithKind:(int32_t)kind
                                type:(RLMPropertyType)type
                           className:(NSString *)className
                            optional:(BOOL)optional {
  RLMProperty *property = [[[RLMProperty alloc] init] autorelease];
  property->_collectionKind = kind;
  property->_type = type;
  property->_objectClassName = [className copy];
  property->_optional = optional;
  return [self initInMemoryForProperty:property ownerName:nil];
}

- (instancetype)initInMemoryForProperty:(RLMProperty *)property ownerName:(NSString *)ownerName {
  if (!(self = [super init])) return nil;
  _property = [property retain];
  _ownerName = [ownerName copy];
  _type = property->_type;
  _optional = property->_optional;
  _objectClassName = [property->_objectClassName copy];
  _elements = property->_collectionKind == OPENREALM_MAP   ? (id)[[NSMutableDictionary alloc] init]
              : property->_collectionKind == OPENREALM_SET ? (id)[[NSMutableOrderedSet alloc] init]
                                                           : (id)[[NSMutableArray alloc] init];
  return self;
}

- (void)adoptHandle:(openrealm_collection *)handle realm:(RLMRealm *)realm {
  _handle = handle;
  _realm = [realm retain];
  [_elements release];
  _elements = nil;
}

- (void)dealloc {
  openrealm_release(_handle);
  [_realm release];
  [_property release];
  [_ownerName release];
  [_objectClassName release];
  [_elements release];
  [super dealloc];
}

// MARK: Replacing

- (BOOL)isOfEmbedded {
  return _type == RLMPropertyTypeObject &&
         [NSClassFromString(_objectClassName) isSubclassOfClass:[RLMEmbeddedObject class]];
}

- (NSArray *)replacementsFrom:(id)value {
  if (!RLMIsNull(value) && (!RLMIsEnumerable(value) || [value isKindOfClass:[NSDictionary class]]))
    RLMThrow(@"Invalid value (%@) for '%@' %@ property '%@.%@': value is not enumerable.", value,
             _objectClassName ?: [_property typeName], [self kindName], _ownerName, _property -> _name);
  NSMutableArray *elements = [NSMutableArray array];
  if (!RLMIsNull(value))
    for (id element in value)
      [elements addObject:element];
  return elements;
}

- (BOOL)needsEmbedded:(NSArray *)elements {
  if (!_handle) return YES;
  NSUInteger count = [self count], same = 0;
  BOOL isStored = NO;
  for (NSUInteger index = 0; index < [elements count]; index++) {
    RLMObjectBase *element = [elements objectAtIndex:index];
    if (![element isKindOfClass:[RLMObjectBase class]] || !element->_info) continue;
    isStored = YES;
    if (index < count && [element isEqualToObject:[self elementAtIndex:index]]) same++;
  }
  if (isStored && same == count && count == [elements count]) return NO;
  if (isStored)
    RLMThrow(@"Cannot add an existing managed embedded object to a %@.",
             [self isKindOfClass:[RLMDictionary class]] ? @"Dictionary" : @"List");
  return YES;
}

// MARK: Elements

- (NSString *)kindName {
  return @"array";
}

- (NSString *)typeName {
  static NSString *const names[] = {
      @"int",    @"bool",   @"string",          @"data",  @"date",      @"float",
      @"double", @"object", @"linking objects", @"mixed", @"object id", @"decimal128",
      @"uuid",
  };
  NSString *name = names[_type];
  return _optional && _type != RLMPropertyTypeAny ? [name stringByAppendingString:@"?"] : name;
}

- (void)refuse:(id)element {
  if (RLMIsNull(element))
    RLMThrow(@"Invalid nil value for %@ of '%@'.", [self kindName], _objectClassName ?: [self typeName]);
  if (_property)
    RLMThrow(@"Invalid value '%@' of type '%@' for '%@' %@ property '%@.%@'.", element,
             NSStringFromClass([element class]), [self typeName], [self kindName], _ownerName,
             _property -> _name);
  RLMThrow(@"Invalid value '%@' of type '%@' for expected type '%@'.", element,
           NSStringFromClass([element class]), [self typeName]);
}

- (openrealm_value)valueForElement:(id)element policy:(int32_t)policy {
  openrealm_value value = openrealm_null();
  if (RLMIsNull(element)) {
    if (!_optional && _type != RLMPropertyTypeAny) [self refuse:element];
    return value;
  }
  if (_type == RLMPropertyTypeObject) {
    if ([element isKindOfClass:[RLMObjectBase class]]) {
      NSString *name = ((RLMObjectBase *)element).objectSchema->_className;
      if (![name isEqual:_objectClassName])
        RLMThrow(@"Object of type '%@' does not match %@ type '%@'.", name, NSStringFromClass([self class]),
                 _objectClassName);
    }
    RLMProperty *link = _property;
    openrealm_object target;
    if (!RLMLinkTarget(_realm, link, element, policy, &target)) [self refuse:element];
    return openrealm_link(target);
  }
  if ([element isKindOfClass:[RLMObjectBase class]] && !((RLMObjectBase *)element)->_info
      && _type == RLMPropertyTypeAny)
    RLMAddObject(element, _realm, policy);
  if (!RLMConvert(element, _type, &value)) [self refuse:element];
  return value;
}

- (id)elementInMemory:(id)element {
  if (RLMIsNull(element)) {
    if (!_optional && _type != RLMPropertyTypeAny) [self refuse:element];
    return [NSNull null];
  }
  if (_type == RLMPropertyTypeObject) {
    if (![element isKindOfClass:[RLMObjectBase class]]) {
      Class objectClass = NSClassFromString(_objectClassName);
      if (![objectClass isSubclassOfClass:[RLMObjectBase class]]) [self refuse:element];
      return [[[objectClass alloc] initWithValue:element] autorelease];
    }
    NSString *name = ((RLMObjectBase *)element).objectSchema->_className;
    if (![name isEqual:_objectClassName])
      RLMThrow(@"Object of type '%@' does not match %@ type '%@'.", name, NSStringFromClass([self class]),
               _objectClassName);
    return element;
  }
  openrealm_value value;
  if (_type != RLMPropertyTypeAny && !RLMConvert(element, _type, &value)) [self refuse:element];
  return element;
}

- (NSUInteger)count {
  if (!_handle) return [_elements count];
  size_t count = 0;
  RLMCheck(openrealm_count(_handle, &count));
  return count;
}

- (id)elementAtIndex:(size_t)index {
  openrealm_value value;
  if (_type == RLMPropertyTypeObject) {
    int64_t row;
    size_t copied = 0;
    RLMCheck(openrealm_rows(_handle, index, 1, &row, &copied));
    const RLMClassInfo *info = RLMInfoForNumber(_realm, openrealm_collection_class(_handle));
    if (copied == 1 && info) return row < 0 ? nil : RLMMakeAccessor(_realm, info, row);
  }
  RLMCheck(openrealm_at(_handle, index, &value));
  return RLMTakeValue(&value, _realm);
}

- (void)replaceContentsBy:(id)value policy:(int32_t)policy {
  RLMThrow(@"%@ cannot be changed.", NSStringFromClass([self class]));
}

// MARK: Going through the elements

- (NSArray *)elementsInMemory {
  return [_elements isKindOfClass:[NSArray class]] ? _elements : [(NSOrderedSet *)_elements array];
}

// A loop has a snapshot of the elements, so that it may change the collection, and delete objects.
static const size_t batch = 64;

- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(__unsafe_unretained id *)buffer
                                    count:(NSUInteger)length {
  static unsigned long unchanged;
  state->mutationsPtr = &unchanged;
  if (!_handle) {
    if (state->state == 0) state->extra[0] = (unsigned long)[[[self elementsInMemory] copy] autorelease];
    return [self copyFrom:(NSArray *)state->extra[0] state:state buffer:buffer length:length];
  }
  if (state->state == 0 && _type == RLMPropertyTypeObject
      && openrealm_collection_kind(_handle) != OPENREALM_MAP) {
    openrealm_collection *snapshot = openrealm_snapshot(_handle);
    if (!snapshot) RLMThrowLastFailure();
    state->extra[0] = (unsigned long)RLMMakeResults(snapshot, _realm);
  } else if (state->state == 0) {
    NSMutableArray *values = [NSMutableArray array];
    NSUInteger count = [self count];
    for (NSUInteger index = 0; index < count; index++) {
      id value = [self elementAtIndex:index];
      [values addObject:value ? value : [NSNull null]];
    }
    state->extra[0] = (unsigned long)values;
  }
  state->itemsPtr = buffer;
  if (_type == RLMPropertyTypeObject && openrealm_collection_kind(_handle) != OPENREALM_MAP) {
    RLMCollectionBase *source = (RLMCollectionBase *)state->extra[0];
    int64_t rows[batch];
    size_t copied = 0;
    RLMCheck(openrealm_rows(source->_handle, state->state, length < batch ? length : batch, rows, &copied));
    const RLMClassInfo *info = RLMInfoForNumber(_realm, openrealm_collection_class(source->_handle));
    for (size_t i = 0; i < copied; i++)
      buffer[i] = rows[i] < 0 ? (id)[NSNull null] : RLMMakeAccessor(_realm, info, rows[i]);
    state->state += copied;
    return copied;
  }
  return [self copyFrom:(NSArray *)state->extra[0] state:state buffer:buffer length:length];
}

- (NSUInteger)copyFrom:(NSArray *)elements
                 state:(NSFastEnumerationState *)state
                buffer:(__unsafe_unretained id *)buffer
                length:(NSUInteger)length {
  NSUInteger filled = 0, count = [elements count];
  while (filled < length && state->state < count)
    buffer[filled++] = [elements objectAtIndex:state->state++];
  state->itemsPtr = buffer;
  return filled;
}

// MARK: State

- (RLMRealm *)realm {
  return [[_realm retain] autorelease];
}

- (BOOL)isInvalidated {
  return _handle && !openrealm_collection_is_valid(_handle);
}

- (BOOL)isFrozen {
  return _handle && [_realm isFrozen];
}

static id inRealm(RLMCollectionBase *self, RLMRealm *realm) {
  openrealm_collection *handle = openrealm_collection_in(self->_handle, realm->_handle);
  if (!handle) return nil;
  return [[[[self class] alloc] initWithHandle:handle
                                         realm:realm
                                      property:self->_property
                                     ownerName:self->_ownerName] autorelease];
}

- (instancetype)freeze {
  if (!_handle)
    RLMThrow(@"This method may only be called on %@ instances retrieved from an RLMRealm",
             NSStringFromClass([self class]));
  if ([self isFrozen]) return self;
  id frozen = inRealm(self, [_realm freeze]);
  if (!frozen) RLMThrowLastFailure();
  return frozen;
}

- (instancetype)thaw {
  if (!_handle)
    RLMThrow(@"This method may only be called on %@ instances retrieved from an RLMRealm",
             NSStringFromClass([self class]));
  return [self isFrozen] ? inRealm(self, [_realm thaw]) : self;
}

- (BOOL)isEqual:(id)other {
  return self == other;
}

- (NSUInteger)hash {
  return (NSUInteger)self >> 4;
}

- (NSString *)description {
  return [self descriptionWithDepth:RLMGreatestDescriptionDepth];
}

- (NSString *)descriptionWithDepth:(int)depth {
  enum { greatestCount = 100 };
  if ([self isInvalidated]) return @"[invalid collection]";
  if (depth == 0) return @"<Maximum depth exceeded>";
  NSMutableString *text =
      [NSMutableString stringWithFormat:@"%@<%@> <%p> (\n", NSStringFromClass([self class]),
                                        _objectClassName ?: [self typeName], self];
  RLMDictionary *dictionary = [self isKindOfClass:[RLMDictionary class]] ? (RLMDictionary *)self : nil;
  NSUInteger index = 0;
  for (id element in self) {
    if (index == greatestCount) break;
    // A dictionary goes through its keys.
    if (dictionary)
      [text appendFormat:@"\t[%@]: %@,\n", element,
                         RLMDescription([dictionary objectForKey:element], depth - 1)];
    else
      [text appendFormat:@"\t[%lu] %@,\n", (unsigned long)index, RLMDescription(element, depth - 1)];
    index++;
  }
  NSUInteger count = [self count];
  if (count > index) [text appendFormat:@"\t... %lu objects skipped.\n", (unsigned long)(count - index)];
  [text appendString:@")"];
  return text;
}

@end
