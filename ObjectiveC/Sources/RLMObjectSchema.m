#import <objc/runtime.h>
#include <pthread.h>
#import "RLMFailure.h"
#import "RLMSchema_Private.h"

@implementation RLMObjectSchema
@synthesize className = _className, objectClass = _objectClass, isEmbedded = _isEmbedded;

- (instancetype)initWithClassName:(NSString *)className
                      objectClass:(Class)objectClass
                            slots:(NSArray *)slots {
  if (!(self = [super init])) return nil;
  _className = [className copy];
  _objectClass = objectClass;
  _slots = [slots copy];
  _byName = [[NSMutableDictionary alloc] init];
  _list = calloc([slots count] + 1, sizeof *_list);
  for (RLMProperty *property in slots) {
    _list[_count++] = property;
    if (property->_isPrimaryKey) _primaryKey = property;
  }
  for (RLMProperty *property in slots)
    [_byName setObject:property forKey:property->_name];
  return self;
}

- (void)dealloc {
  [_className release];
  [_slots release];
  [_byName release];
  free(_list);
  [_problem release];
  [super dealloc];
}

- (id)copyWithZone:(NSZone *)zone {
  return [self retain]; // it never changes
}

- (NSArray *)properties {
  NSMutableArray *stored = [NSMutableArray array];
  for (RLMProperty *property in _slots)
    if (property->_type != RLMPropertyTypeLinkingObjects) [stored addObject:property];
  return stored;
}

- (RLMProperty *)primaryKeyProperty {
  return _primaryKey;
}

- (RLMProperty *)objectForKeyedSubscript:(NSString *)propertyName {
  return [_byName objectForKey:propertyName];
}

- (RLMProperty *)propertyNamed:(NSString *)name {
  RLMProperty *property = [_byName objectForKey:name];
  if (!property) RLMThrow(@"Invalid property name '%@' for class '%@'.", name, _className);
  return property;
}

- (BOOL)isEqualToObjectSchema:(RLMObjectSchema *)other {
  return [_className isEqual:other->_className] && _isEmbedded == other->_isEmbedded &&
         [_slots isEqual:other->_slots];
}

- (BOOL)isEqual:(id)other {
  return [other isKindOfClass:[RLMObjectSchema class]] && [self isEqualToObjectSchema:other];
}

- (NSUInteger)hash {
  return [_className hash];
}

- (NSString *)description {
  NSMutableString *text = [NSMutableString stringWithFormat:@"%@ {\n", _className];
  for (RLMProperty *property in _slots)
    [text appendFormat:@"\t%@\n", [[property description] stringByReplacingOccurrencesOfString:@"\n"
                                                                                    withString:@"\n\t"]];
  [text appendString:@"}"];
  return text;
}

@end

// MARK: Descriptions of all classes

// A hash table from classes to descriptions that is read without a lock. Tables that became too small are
// kept: a reader may still look into them.
struct Entry {
  void *objectClass;
  RLMObjectSchema *schema;
};
struct Table {
  size_t capacity, count;
  struct Entry entries[];
};
static struct Table *table;
static pthread_mutex_t tableLock = PTHREAD_MUTEX_INITIALIZER; // for writing; nothing else is locked inside

static struct Entry *entryOf(struct Table *in, Class objectClass) {
  size_t place = ((uintptr_t)objectClass >> 4) * 0x9E3779B97F4A7C15U >> 20 & (in->capacity - 1);
  for (;;) {
    void *found = __atomic_load_n(&in->entries[place].objectClass, __ATOMIC_ACQUIRE);
    if (!found || found == (void *)objectClass) return &in->entries[place];
    place = (place + 1) & (in->capacity - 1);
  }
}

static void put(struct Table *in, Class objectClass, RLMObjectSchema *schema) {
  struct Entry *entry = entryOf(in, objectClass);
  entry->schema = schema;
  __atomic_store_n(&entry->objectClass, (void *)objectClass, __ATOMIC_RELEASE);
  in->count++;
}

static void remember(Class objectClass, RLMObjectSchema *schema) {
  pthread_mutex_lock(&tableLock);
  struct Table *present = table;
  if (!present || 2 * (present->count + 1) > present->capacity) {
    size_t capacity = present ? 2 * present->capacity : 256;
    struct Table *larger = calloc(1, sizeof *larger + capacity * sizeof(struct Entry));
    larger->capacity = capacity;
    for (size_t i = 0; present && i < present->capacity; i++)
      if (present->entries[i].objectClass)
        put(larger, (Class)present->entries[i].objectClass, present->entries[i].schema);
    __atomic_store_n(&table, larger, __ATOMIC_RELEASE);
    present = larger;
  }
  put(present, objectClass, [schema retain]);
  pthread_mutex_unlock(&tableLock);
}

RLMObjectSchema *RLMObjectSchemaOfClass(Class objectClass) {
  struct Table *present = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
  for (; present && objectClass; objectClass = class_getSuperclass(objectClass)) {
    struct Entry *entry = entryOf(present, objectClass);
    if (entry->objectClass) return entry->schema;
  }
  return nil;
}

static BOOL isBase(Class objectClass) {
  return objectClass == [RLMObjectBase class] || objectClass == [RLMObject class]
         || objectClass == [RLMEmbeddedObject class];
}

// Key-value observing makes subclasses at run time, which stand for the class that is observed.
static BOOL isMadeAtRunTime(Class objectClass) {
  return strncmp(class_getName(objectClass), "GSKVO", 5) == 0;
}

void RLMDescribeClass(Class objectClass) {
  if (isBase(objectClass) || isMadeAtRunTime(objectClass)) return;
  // An +initialize that uses the class before it goes to super has described it already: the accessors would
  // take themselves for those of the compiler.
  RLMObjectSchema *known = RLMObjectSchemaOfClass(objectClass);
  if (known && known->_objectClass == objectClass) return;
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  Class parent = class_getSuperclass(objectClass);
  RLMObjectSchema *inherited = isBase(parent) ? nil : RLMDescribedSchema(parent);
  NSMutableArray *slots = [NSMutableArray array];
  NSString *key = [objectClass primaryKey];
  for (RLMProperty *property in inherited ? inherited->_slots : [NSArray array]) {
    RLMProperty *own = [[property copy] autorelease];
    if (key) own->_isPrimaryKey = [key isEqual:own->_name];
    if (own->_isPrimaryKey) own->_indexed = YES;
    [slots addObject:own];
  }
  NSString *problem = nil;
  NSArray *declared = RLMDeclaredProperties(objectClass, [slots count], &problem);
  [slots addObjectsFromArray:declared];
  RLMObjectSchema *schema = [[RLMObjectSchema alloc] initWithClassName:NSStringFromClass(objectClass)
                                                           objectClass:objectClass
                                                                 slots:slots];
  schema->_isEmbedded = [objectClass isSubclassOfClass:[RLMEmbeddedObject class]];
  if (!problem && key && !schema[key])
    problem = [NSString
        stringWithFormat:@"Primary key property '%@' does not exist on object '%@'", key, schema->_className];
  schema->_problem = [problem ? problem : inherited ? inherited->_problem : nil copy];
  remember(objectClass, schema);
  [schema release];
  if (!schema->_problem)
    for (RLMProperty *property in declared)
      RLMInstallAccessors(objectClass, property);
  [pool drain];
}

// A class with an +initialize of its own that does not send it to super is described when it is used first.
RLMObjectSchema *RLMDescribedSchema(Class objectClass) {
  RLMObjectSchema *schema = RLMObjectSchemaOfClass(objectClass);
  if (isBase(objectClass) || isMadeAtRunTime(objectClass) || (schema && schema->_objectClass == objectClass))
    return schema;
  @synchronized([RLMObjectBase class]) {
    schema = RLMObjectSchemaOfClass(objectClass);
    if (schema && schema->_objectClass == objectClass) return schema;
    RLMDescribeClass(objectClass);
    return RLMObjectSchemaOfClass(objectClass);
  }
}
