#import "RLMFailure.h"
#import "RLMSchema_Private.h"

@implementation RLMProperty
@synthesize name = _name, columnName = _columnName, type = _type, indexed = _indexed, optional = _optional;
@synthesize objectClassName = _objectClassName, linkOriginPropertyName = _linkOriginPropertyName;

- (void)dealloc {
  [_name release];
  [_columnName release];
  [_objectClassName release];
  [_linkOriginPropertyName release];
  [super dealloc];
}

- (id)copyWithZone:(NSZone *)zone {
  RLMProperty *copy = [[RLMProperty allocWithZone:zone] init];
  copy->_name = [_name copy];
  copy->_columnName = [_columnName copy];
  copy->_objectClassName = [_objectClassName copy];
  copy->_linkOriginPropertyName = [_linkOriginPropertyName copy];
  copy->_type = _type;
  copy->_collectionKind = _collectionKind;
  copy->_indexed = _indexed;
  copy->_optional = _optional;
  copy->_isPrimaryKey = _isPrimaryKey;
  copy->_isAssigned = _isAssigned;
  copy->_code = _code;
  copy->_slot = _slot;
  copy->_getter = _getter;
  copy->_setter = _setter;
  copy->_originalGetter = _originalGetter;
  copy->_originalSetter = _originalSetter;
  return copy;
}

- (BOOL)array {
  return _collectionKind == OPENREALM_LIST;
}

- (BOOL)set {
  return _collectionKind == OPENREALM_SET;
}

- (BOOL)dictionary {
  return _collectionKind == OPENREALM_MAP;
}

- (BOOL)collection {
  return _collectionKind != OPENREALM_SINGLE;
}

- (Class)objectClass {
  return _objectClassName ? NSClassFromString(_objectClassName) : Nil;
}

- (BOOL)isEmbedded {
  return [[self objectClass] isSubclassOfClass:[RLMEmbeddedObject class]];
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

- (openrealm_property)description_c {
  openrealm_property property = {0};
  property.name = [_name UTF8String];
  property.column_name = [_columnName isEqual:_name] ? NULL : [_columnName UTF8String];
  property.type = _type;
  property.collection = _collectionKind;
  property.flags = (_optional ? OPENREALM_OPTIONAL : 0) | (_isPrimaryKey ? OPENREALM_PRIMARY_KEY_FLAG : 0)
                   | (_indexed && !_isPrimaryKey ? OPENREALM_INDEXED : 0);
  property.target = [_objectClassName UTF8String];
  property.origin = [_linkOriginPropertyName UTF8String];
  return property;
}

static BOOL areEqual(id first, id second) { return first == second || [first isEqual:second]; }

- (BOOL)isEqualToProperty:(RLMProperty *)property {
  return _type == property->_type && _collectionKind == property->_collectionKind
         && _indexed == property->_indexed && _optional == property->_optional
         && _isPrimaryKey == property->_isPrimaryKey && [_name isEqual:property->_name]
         && areEqual(_objectClassName, property->_objectClassName)
         && areEqual(_linkOriginPropertyName, property->_linkOriginPropertyName);
}

- (BOOL)isEqual:(id)other {
  return [other isKindOfClass:[RLMProperty class]] && [self isEqualToProperty:other];
}

- (NSUInteger)hash {
  return [_name hash];
}

- (NSString *)description {
  NSMutableString *text = [NSMutableString stringWithFormat:@"%@ {\n\ttype = %@;\n", _name, [self typeName]];
  if (_objectClassName) [text appendFormat:@"\tobjectClassName = %@;\n", _objectClassName];
  if (_linkOriginPropertyName)
    [text appendFormat:@"\tlinkOriginPropertyName = %@;\n", _linkOriginPropertyName];
  [text appendFormat:@"\tcolumnName = %@;\n", _columnName];
  NSString *answers[] = {@"NO", @"YES"};
  [text appendFormat:@"\tindexed = %@;\n\tisPrimary = %@;\n\tarray = %@;\n\tset = %@;\n\tdictionary = "
                     @"%@;\n\toptional = %@;\n}",
                     answers[_indexed], answers[_isPrimaryKey], answers[self.array], answers[self.set],
                     answers[self.dictionary], answers[_optional]];
  return text;
}

@end

@implementation RLMPropertyDescriptor {
  Class _objectClass;
  NSString *_propertyName;
}
@synthesize objectClass = _objectClass, propertyName = _propertyName;

+ (instancetype)descriptorWithClass:(Class)objectClass propertyName:(NSString *)propertyName {
  RLMPropertyDescriptor *descriptor = [[[self alloc] init] autorelease];
  descriptor->_objectClass = objectClass;
  descriptor->_propertyName = [propertyName copy];
  return descriptor;
}

- (void)dealloc {
  [_propertyName release];
  [super dealloc];
}

@end
