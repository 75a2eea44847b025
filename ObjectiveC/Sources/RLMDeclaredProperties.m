// The properties that a class declares, as the compiler wrote them down. Never from instance variables, whose
// order and names are the class's own concern.
#import <objc/runtime.h>
#import "RLMFailure.h"
#import "RLMSchema_Private.h"

// MARK: The compiler's list

typedef void (^PropertyBlock)(const char *name, const char *attributes, const char *getter,
                              const char *setter);

#if __OBJC_GNUSTEP_RUNTIME_ABI__ < 20
extern const void *openrealm_bridge_properties(Class objectClass);

// Source: clang/lib/CodeGen/CGObjCGNU.cpp, PushPropertyAttributes and MakePropertyEncodingString.
struct PropertyRecord {
  const char *encoded; // a zero, a length, the attributes, a zero, and the name
  char flags[4];
  const char *getter, *getterTypes, *setter, *setterTypes;
};
struct PropertyRecords {
  int count;
  struct PropertyRecords *next;
  struct PropertyRecord list[];
};
_Static_assert(sizeof(struct PropertyRecord) == 6 * sizeof(void *), "as clang writes it");

static void forEachProperty(Class objectClass, PropertyBlock block) {
  const struct PropertyRecords *records = openrealm_bridge_properties(objectClass);
  for (; records; records = records->next)
    for (int i = 0; i < records->count; i++) {
      const struct PropertyRecord *record = &records->list[i];
      const char *attributes = record->encoded + 2;
      block(attributes + strlen(attributes) + 1, attributes, record->getter, record->setter);
    }
}
#else
static void forEachProperty(Class objectClass, PropertyBlock block) {
  unsigned count = 0;
  objc_property_t *list = class_copyPropertyList(objectClass, &count);
  for (unsigned i = 0; i < count; i++) {
    const char *name = property_getName(list[i]), *attributes = property_getAttributes(list[i]);
    NSString *own = [NSString stringWithUTF8String:name], *getter = own;
    NSString *setter = [NSString
        stringWithFormat:@"set%@%@:", [[own substringToIndex:1] uppercaseString], [own substringFromIndex:1]];
    for (NSString *part in [[NSString stringWithUTF8String:attributes] componentsSeparatedByString:@","]) {
      if ([part hasPrefix:@"G"]) getter = [part substringFromIndex:1];
      if ([part hasPrefix:@"S"]) setter = [part substringFromIndex:1];
      if ([part isEqual:@"R"]) setter = nil;
    }
    block(name, attributes, [getter UTF8String], [setter UTF8String]);
  }
  free(list);
}
#endif

// MARK: Types

static const struct {
  NSString *protocol;
  RLMPropertyType type;
} valueProtocols[] = {
    {@"RLMInt", RLMPropertyTypeInt},       {@"RLMBool", RLMPropertyTypeBool},
    {@"RLMFloat", RLMPropertyTypeFloat},   {@"RLMDouble", RLMPropertyTypeDouble},
    {@"RLMString", RLMPropertyTypeString}, {@"RLMData", RLMPropertyTypeData},
    {@"RLMDate", RLMPropertyTypeDate},     {@"RLMObjectId", RLMPropertyTypeObjectId},
    {@"RLMUUID", RLMPropertyTypeUUID},     {@"RLMDecimal128", RLMPropertyTypeDecimal128},
    {@"RLMValue", RLMPropertyTypeAny},
};

static const struct {
  NSString *name;
  RLMPropertyType type;
} valueClasses[] = {
    {@"NSString", RLMPropertyTypeString}, {@"NSData", RLMPropertyTypeData},
    {@"NSDate", RLMPropertyTypeDate},     {@"RLMObjectId", RLMPropertyTypeObjectId},
    {@"NSUUID", RLMPropertyTypeUUID},     {@"RLMDecimal128", RLMPropertyTypeDecimal128},
};

static BOOL typeOfProtocol(NSString *protocol, RLMPropertyType *type) {
  for (size_t i = 0; i < sizeof valueProtocols / sizeof *valueProtocols; i++)
    if ([protocol isEqual:valueProtocols[i].protocol]) {
      *type = valueProtocols[i].type;
      return YES;
    }
  return NO;
}

static int32_t kindOfClass(NSString *name) {
  if ([name isEqual:@"RLMArray"]) return OPENREALM_LIST;
  if ([name isEqual:@"RLMSet"]) return OPENREALM_SET;
  if ([name isEqual:@"RLMDictionary"]) return OPENREALM_MAP;
  return OPENREALM_SINGLE;
}

// Sets type and element type of a property by the name of a class and the last of its protocols: of
// `RLMDictionary<NSString *, Dog *><RLMString, Dog>` Dog. Returns what is wrong, or nil.
static NSString *setObjectType(RLMProperty *property, NSString *class, NSString *protocol) {
  property->_optional = YES;
  property->_collectionKind = kindOfClass(class);
  if (property->_collectionKind != OPENREALM_SINGLE) {
    if (!protocol)
      return [NSString
          stringWithFormat:@"must have a protocol with the type of the elements, such as %@<T>", class];
    if (typeOfProtocol(protocol, &property->_type)) return nil;
    property->_type = RLMPropertyTypeObject;
    property->_objectClassName = [protocol copy];
    property->_optional = property->_collectionKind == OPENREALM_MAP;
    return nil;
  }
  if ([class length] == 0) {
    if (![protocol isEqual:@"RLMValue"])
      return @"must be of the type id<RLMValue> to hold values of any type";
    property->_type = RLMPropertyTypeAny;
    return nil;
  }
  if ([class isEqual:@"NSNumber"]) {
    if (!protocol || !typeOfProtocol(protocol, &property->_type) || property->_type > RLMPropertyTypeDouble)
      return @"must be of the type NSNumber<RLMInt>, NSNumber<RLMBool>, NSNumber<RLMFloat> or "
             @"NSNumber<RLMDouble>";
    return nil;
  }
  for (size_t i = 0; i < sizeof valueClasses / sizeof *valueClasses; i++)
    if ([class isEqual:valueClasses[i].name]) {
      property->_type = valueClasses[i].type;
      return nil;
    }
  if ([class isEqual:@"RLMLinkingObjects"]) {
    property->_type = RLMPropertyTypeLinkingObjects;
    property->_optional = NO;
    return nil;
  }
  if (![NSClassFromString(class) isSubclassOfClass:[RLMObjectBase class]])
    return [NSString stringWithFormat:@"is of the class %@, which realms cannot store", class];
  property->_type = RLMPropertyTypeObject;
  property->_objectClassName = [class copy];
  return nil;
}

// `attributes` are such as T@"RLMArray<Dog>",&,V_dogs.
static NSString *setType(RLMProperty *property, const char *attributes) {
  property->_code = attributes[1];
  switch (property->_code) {
  case 'c':
  case 'C':
  case 'B': property->_type = RLMPropertyTypeBool; return nil;
  case 's':
  case 'i':
  case 'l':
  case 'q': property->_type = RLMPropertyTypeInt; return nil;
  case 'f': property->_type = RLMPropertyTypeFloat; return nil;
  case 'd': property->_type = RLMPropertyTypeDouble; return nil;
  case '@': break;
  default:
    return [NSString stringWithFormat:@"is of the C type '%c', which realms cannot store", property->_code];
  }
  const char *end = attributes[2] == '"' ? strchr(attributes + 3, '"') : NULL;
  if (!end) return @"must be of the type id<RLMValue> to hold values of any type";
  NSString *type = [[[NSString alloc] initWithBytes:attributes + 3
                                             length:(NSUInteger)(end - attributes - 3)
                                           encoding:NSUTF8StringEncoding] autorelease];
  NSMutableCharacterSet *brackets = [[[NSMutableCharacterSet alloc] init] autorelease];
  [brackets addCharactersInString:@"<,>"];
  NSArray *parts = [type componentsSeparatedByCharactersInSet:brackets];
  NSString *protocol = nil;
  for (NSUInteger i = 1; i < [parts count]; i++)
    if ([[parts objectAtIndex:i] length]) protocol = [parts objectAtIndex:i];
  return setObjectType(property, [parts objectAtIndex:0], protocol);
}

// MARK: Rules of the class

static void applyRules(RLMProperty *property, Class objectClass) {
  NSString *name = property->_name;
  property->_isPrimaryKey = [name isEqual:[objectClass primaryKey]];
  property->_indexed = property->_isPrimaryKey || [[objectClass indexedProperties] containsObject:name];
  if (property->_type != RLMPropertyTypeObject && property->_type != RLMPropertyTypeAny &&
      [[objectClass requiredProperties] containsObject:name])
    property->_optional = NO;
  if (property->_type == RLMPropertyTypeLinkingObjects) {
    RLMPropertyDescriptor *origin = [[objectClass linkingObjectsProperties] objectForKey:name];
    property->_objectClassName = [NSStringFromClass(origin.objectClass) copy];
    property->_linkOriginPropertyName = [origin.propertyName copy];
  }
  NSString *column = [[objectClass propertiesMapping] objectForKey:name];
  property->_columnName = [column ? column : name copy];
}

// Properties that are only read and have no instance variable are computed.
static BOOL isComputed(const char *attributes) {
  BOOL isReadOnly = NO;
  for (const char *part = strchr(attributes, ','); part; part = strchr(part + 1, ',')) {
    if (part[1] == 'R') isReadOnly = YES;
    if (part[1] == 'V') return NO;
  }
  return isReadOnly && !strstr(attributes, "RLMLinkingObjects");
}

// Neither retained, copied nor weak.
static BOOL isAssigned(const char *attributes) {
  for (const char *part = strchr(attributes, ','); part; part = strchr(part + 1, ','))
    if (part[1] == '&' || part[1] == 'C' || part[1] == 'W') return NO;
  return attributes[1] == '@';
}

NSArray *RLMDeclaredProperties(Class objectClass, NSUInteger firstSlot, NSString **problem) {
  NSMutableArray *properties = [NSMutableArray array];
  NSArray *ignored = [objectClass ignoredProperties];
  __block NSString *found = nil;
  forEachProperty(objectClass, ^(const char *name, const char *attributes, const char *getter,
                                 const char *setter) {
    NSString *text = [NSString stringWithUTF8String:name];
    if ([ignored containsObject:text] || isComputed(attributes)) return;
    RLMProperty *property = [[[RLMProperty alloc] init] autorelease];
    property->_name = [text copy];
    NSString *fault = setType(property, attributes);
    if (fault) {
      if (!found)
        found = [NSString
            stringWithFormat:
                @"Property '%@.%@' %@. Add it to the class's ignoredProperties, or change its type.",
                NSStringFromClass(objectClass), text, fault];
      return;
    }
    property->_isAssigned = isAssigned(attributes);
    applyRules(property, objectClass);
    if (property->_type == RLMPropertyTypeLinkingObjects && !property->_linkOriginPropertyName && !found)
      found = [NSString stringWithFormat:@"Property '%@.%@' is not in the class's linkingObjectsProperties.",
                                         NSStringFromClass(objectClass), text];
    property->_slot = firstSlot + [properties count];
    property->_getter = getter ? sel_registerName(getter) : NULL;
    property->_setter = setter ? sel_registerName(setter) : NULL;
    [properties addObject:property];
  });
  if (!found && firstSlot + [properties count] > RLMGreatestPropertyCount)
    found = [NSString stringWithFormat:@"Class '%@' has more than %d properties.",
                                       NSStringFromClass(objectClass), RLMGreatestPropertyCount];
  *problem = found;
  return properties;
}
