#import <objc/runtime.h>
#import "RLMFailure.h"
#import "RLMSchema_Private.h"

@implementation RLMSchema {
  NSArray *_objectSchema;
  NSMutableDictionary *_byName;
}
@synthesize objectSchema = _objectSchema;

- (instancetype)initWithObjectSchemas:(NSArray *)objectSchemas {
  if (!(self = [super init])) return nil;
  _objectSchema = [objectSchemas copy];
  _byName = [[NSMutableDictionary alloc] init];
  for (RLMObjectSchema *schema in objectSchemas)
    [_byName setObject:schema forKey:schema->_className];
  return self;
}

- (void)dealloc {
  [_objectSchema release];
  [_byName release];
  [super dealloc];
}

// MARK: Classes of the program

// All subclasses of RLMObject and RLMEmbeddedObject. Other classes get no message.
static NSArray *modelClasses(void) {
  int count = objc_getClassList(NULL, 0);
  Class *classes = malloc((size_t)count * sizeof *classes);
  count = objc_getClassList(classes, count);
  NSMutableArray *found = [NSMutableArray array];
  for (int i = 0; i < count; i++) {
    if (strncmp(class_getName(classes[i]), "GSKVO", 5) == 0) continue;
    for (Class parent = class_getSuperclass(classes[i]); parent; parent = class_getSuperclass(parent))
      if (parent == [RLMObject class] || parent == [RLMEmbeddedObject class]) {
        [found addObject:classes[i]];
        break;
      }
  }
  free(classes);
  return found;
}

+ (RLMSchema *)schemaWithClasses:(NSArray *)classes {
  NSMutableArray *schemas = [NSMutableArray array];
  NSMutableSet *names = [NSMutableSet set];
  for (Class objectClass in classes) {
    if (![objectClass isSubclassOfClass:[RLMObjectBase class]])
      RLMThrow(@"Can't add non-Object type '%@' to a schema.", NSStringFromClass(objectClass));
    RLMObjectSchema *schema = [objectClass sharedSchema];
    if ([names containsObject:schema->_className]) continue;
    [names addObject:schema->_className];
    if (schema->_problem) RLMThrow(@"%@", schema->_problem);
    [schemas addObject:schema];
  }
  NSSortDescriptor *byName = [[[NSSortDescriptor alloc] initWithKey:@"className" ascending:YES] autorelease];
  [schemas sortUsingDescriptors:[NSArray arrayWithObject:byName]];
  return [[[self alloc] initWithObjectSchemas:schemas] autorelease];
}

+ (instancetype)sharedSchema {
  static RLMSchema *shared;
  static int classCount;
  @synchronized([RLMSchema class]) {
    // A module that was loaded since may have brought classes.
    int present = objc_getClassList(NULL, 0);
    if (!shared || present != classCount) {
      NSMutableArray *included = [NSMutableArray array];
      for (Class objectClass in modelClasses())
        if ([objectClass shouldIncludeInDefaultSchema]) [included addObject:objectClass];
      RLMSchema *schema = [self schemaWithClasses:included];
      [shared autorelease];
      shared = [schema retain];
      classCount = present;
    }
    return [[shared retain] autorelease];
  }
}

// MARK: Handles

static RLMProperty *propertyOf(const openrealm_property *described, NSUInteger slot) {
  RLMProperty *property = [[[RLMProperty alloc] init] autorelease];
  property->_name = [[NSString alloc] initWithUTF8String:described->name];
  property->_columnName = described->column_name
                              ? [[NSString alloc] initWithUTF8String:described->column_name]
                              : [property->_name copy];
  property->_type = described->type;
  property->_collectionKind = described->collection;
  property->_optional = (described->flags & OPENREALM_OPTIONAL) != 0;
  property->_isPrimaryKey = (described->flags & OPENREALM_PRIMARY_KEY_FLAG) != 0;
  property->_indexed = property->_isPrimaryKey || described->flags & OPENREALM_INDEXED;
  if (described->target) property->_objectClassName = [[NSString alloc] initWithUTF8String:described->target];
  if (described->origin)
    property->_linkOriginPropertyName = [[NSString alloc] initWithUTF8String:described->origin];
  property->_code = '@';
  property->_slot = slot;
  return property;
}

+ (RLMSchema *)schemaOfHandle:(openrealm_schema *)handle {
  NSMutableArray *schemas = [NSMutableArray array];
  for (size_t place = 0; place < openrealm_schema_class_count(handle); place++) {
    bool isEmbedded = false;
    const char *name = openrealm_schema_class_at(handle, place, &isEmbedded);
    NSMutableArray *slots = [NSMutableArray array];
    for (size_t i = 0; i < openrealm_schema_property_count(handle, place); i++) {
      openrealm_property property;
      if (openrealm_schema_property_at(handle, place, i, &property) == OPENREALM_OK)
        [slots addObject:propertyOf(&property, [slots count])];
    }
    RLMObjectSchema *schema =
        [[RLMObjectSchema alloc] initWithClassName:[NSString stringWithUTF8String:name]
                                       objectClass:isEmbedded ? [RLMEmbeddedObject class] : [RLMObject class]
                                             slots:slots];
    schema->_isEmbedded = isEmbedded;
    [schemas addObject:schema];
    [schema release];
  }
  return [[[self alloc] initWithObjectSchemas:schemas] autorelease];
}

- (openrealm_schema *)makeHandle {
  openrealm_schema *handle = openrealm_schema_new();
  if (!handle) RLMThrowLastFailure();
  for (RLMObjectSchema *schema in _objectSchema) {
    int32_t code = openrealm_schema_add_class(handle, [schema->_className UTF8String], schema -> _isEmbedded);
    for (RLMProperty *property in schema->_slots) {
      openrealm_property described = [property description_c];
      if (code == OPENREALM_OK) code = openrealm_schema_add_property(handle, &described);
    }
    if (code != OPENREALM_OK) {
      openrealm_release(handle);
      RLMThrowLastFailure();
    }
  }
  return handle;
}

// MARK: Look-up

- (id)copyWithZone:(NSZone *)zone {
  return [self retain]; // it never changes
}

- (RLMObjectSchema *)schemaForClassName:(NSString *)className {
  return [_byName objectForKey:className];
}

- (RLMObjectSchema *)objectForKeyedSubscript:(NSString *)className {
  RLMObjectSchema *schema = [_byName objectForKey:className];
  if (!schema)
    RLMThrow(@"Object type '%@' is not managed by the Realm. If using a custom `objectClasses` / "
             @"`objectTypes` array in your "
             @"configuration, add `%@` to the list of `objectClasses` / `objectTypes`.",
             className, className);
  return schema;
}

- (BOOL)isEqualToSchema:(RLMSchema *)schema {
  return [_objectSchema isEqual:schema->_objectSchema];
}

- (BOOL)isEqual:(id)other {
  return [other isKindOfClass:[RLMSchema class]] && [self isEqualToSchema:other];
}

- (NSUInteger)hash {
  return [_objectSchema count];
}

- (NSString *)description {
  NSMutableString *text = [NSMutableString stringWithString:@"Schema {\n"];
  for (RLMObjectSchema *schema in _objectSchema)
    [text appendFormat:@"\t%@\n", [[schema description] stringByReplacingOccurrencesOfString:@"\n"
                                                                                  withString:@"\n\t"]];
  [text appendString:@"}"];
  return text;
}

@end
