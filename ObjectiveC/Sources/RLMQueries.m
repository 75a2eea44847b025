// Queries, order, aggregates and key-value coding of all collections.
#import "RLMCollection_Private.h"

RLMResults *RLMMakeResults(openrealm_collection *handle, RLMRealm *realm) {
  if (!handle) RLMThrowLastFailure();
  return [[[RLMResults alloc] initWithHandle:handle realm:realm property:nil ownerName:nil] autorelease];
}

openrealm_collection *RLMAllObjects(RLMRealm *realm, const RLMClassInfo *info) {
  openrealm_collection *handle = openrealm_objects(realm->_handle, info->classNumber);
  if (!handle) RLMThrowLastFailure();
  return handle;
}

// MARK: Formats

enum { greatestArgumentCount = 4096 };

// A format for the library with its arguments. Lists become as many placeholders as they have elements.
struct Query {
  NSMutableString *format;
  NSMutableData *values; // openrealm_value
  size_t count;
};

static openrealm_value *nextValue(struct Query *query) {
  if (query->count == greatestArgumentCount)
    RLMThrow(@"A predicate may have up to %d arguments.", greatestArgumentCount);
  [query->values increaseLengthBy:sizeof(openrealm_value)];
  return (openrealm_value *)[query->values mutableBytes] + query->count++;
}

static void addObject(struct Query *query, id object) {
  if (RLMIsEnumerable(object) && ![object isKindOfClass:[NSDictionary class]]) {
    [query->format appendString:@"{"];
    NSString *separator = @"";
    for (id element in object) {
      [query->format appendString:separator];
      separator = @", ";
      addObject(query, element);
    }
    [query->format appendString:@"}"];
    return;
  }
  [query->format appendString:@"%@"];
  openrealm_value value;
  if (!RLMConvertArgument(object, &value))
    RLMThrow(@"Invalid value '%@' of type '%@' in a predicate.", object, NSStringFromClass([object class]));
  *nextValue(query) = value;
}

// Takes the arguments in the order of the format. The library reads the format itself; here only the C types
// count.
static struct Query readFormat(NSString *format, va_list list) {
  struct Query query = {[NSMutableString string], [NSMutableData data], 0};
  NSUInteger length = [format length];
  unichar quote = 0;
  for (NSUInteger i = 0; i < length; i++) {
    unichar c = [format characterAtIndex:i];
    if (c != '%' || quote || i + 1 == length || [format characterAtIndex:i + 1] == '%') {
      NSUInteger width = quote ? (c == '\\' ? 2 : 1) : (c == '%' ? 2 : 1);
      if (i + width > length) width = 1;
      [query.format appendString:[format substringWithRange:NSMakeRange(i, width)]];
      if (c == quote)
        quote = 0;
      else if (!quote && (c == '"' || c == '\''))
        quote = c;
      i += width - 1;
      continue;
    }
    NSUInteger start = i++;
    BOOL isLong = NO;
    for (c = [format characterAtIndex:i]; (c == 'l' || c == 'q' || c == 'z' || c == 'h') && i + 1 < length;
         c = [format characterAtIndex:++i])
      if (c != 'h') isLong = YES;
    if (c == '@') {
      addObject(&query, va_arg(list, id));
      continue;
    }
    [query.format appendString:[format substringWithRange:NSMakeRange(start, i + 1 - start)]];
    switch (c) {
    case 'K': *nextValue(&query) = openrealm_string([va_arg(list, NSString *) UTF8String]); break;
    case 'd':
    case 'i':
    case 'c': *nextValue(&query) = openrealm_int(isLong ? va_arg(list, long) : va_arg(list, int)); break;
    case 'u':
    case 'x': {
      unsigned long number = isLong ? va_arg(list, unsigned long) : va_arg(list, unsigned);
      if (number > INT64_MAX) RLMThrow(@"The number %lu in a predicate is too large.", number);
      *nextValue(&query) = openrealm_int((int64_t)number);
      break;
    }
    case 'f':
    case 'g':
    case 'e': *nextValue(&query) = openrealm_double(va_arg(list, double)); break;
    case 's': *nextValue(&query) = openrealm_string(va_arg(list, const char *)); break;
    default: RLMThrow(@"Unable to parse the format string \"%@\"", format);
    }
  }
  return query;
}

openrealm_collection *RLMFilter(openrealm_collection *collection, NSString *format, va_list arguments) {
  struct Query query = readFormat(format, arguments);
  openrealm_collection *found =
      openrealm_filter(collection, [query.format UTF8String], query.count, [query.values bytes]);
  if (!found) RLMThrowLastFailure();
  return found;
}

@implementation RLMCollectionBase (Queries)

- (void)checkManaged {
  if (!_handle)
    RLMThrow(@"This method may only be called on %@ instances retrieved from an RLMRealm",
             NSStringFromClass([self class]));
}

- (RLMResults *)objectsWhere:(NSString *)predicateFormat, ... {
  va_list arguments;
  va_start(arguments, predicateFormat);
  RLMResults *results = [self objectsWhere:predicateFormat args:arguments];
  va_end(arguments);
  return results;
}

- (RLMResults *)objectsWhere:(NSString *)predicateFormat args:(va_list)arguments {
  [self checkManaged];
  return RLMMakeResults(RLMFilter(_handle, predicateFormat, arguments), _realm);
}

- (RLMResults *)objectsWithPredicate:(NSPredicate *)predicate {
  [self checkManaged];
  return RLMMakeResults(RLMFilterByPredicate(_handle, predicate), _realm);
}

// MARK: Order

- (RLMResults *)sortedResultsUsingKeyPath:(NSString *)keyPath ascending:(BOOL)ascending {
  return
      [self sortedResultsUsingDescriptors:[NSArray arrayWithObject:[RLMSortDescriptor
                                                                       sortDescriptorWithKeyPath:keyPath
                                                                                       ascending:ascending]]];
}

- (RLMResults *)sortedResultsUsingDescriptors:(NSArray<RLMSortDescriptor *> *)descriptors {
  [self checkManaged];
  openrealm_sort_key keys[[descriptors count] + 1];
  size_t count = 0;
  for (RLMSortDescriptor *descriptor in descriptors)
    keys[count++] = (openrealm_sort_key){[descriptor.keyPath UTF8String], !descriptor.ascending};
  return RLMMakeResults(openrealm_sort(_handle, count, keys), _realm);
}

- (RLMResults *)distinctResultsUsingKeyPaths:(NSArray<NSString *> *)keyPaths {
  [self checkManaged];
  const char *paths[[keyPaths count] + 1];
  size_t count = 0;
  for (NSString *path in keyPaths)
    paths[count++] = [path UTF8String];
  return RLMMakeResults(openrealm_distinct(_handle, count, paths), _realm);
}

// MARK: Aggregates

- (id)aggregate:(int32_t)kind ofProperty:(NSString *)property {
  if (!_handle) {
    static NSString *const operators[] = {@"", @"@min", @"@max", @"@sum", @"@avg"};
    if (![self count]) return kind == OPENREALM_SUM ? (id)[NSNumber numberWithInt:0] : nil;
    NSMutableArray *all = [NSMutableArray array];
    for (id element in self)
      [all addObject:element];
    return [all valueForKeyPath:[NSString stringWithFormat:@"%@.%@", operators[kind], property]];
  }
  openrealm_value value;
  RLMCheck(openrealm_aggregate(_handle, kind, [property UTF8String], &value));
  return RLMTakeValue(&value, _realm);
}

- (id)minOfProperty:(NSString *)property {
  return [self aggregate:OPENREALM_MINIMUM ofProperty:property];
}

- (id)maxOfProperty:(NSString *)property {
  return [self aggregate:OPENREALM_MAXIMUM ofProperty:property];
}

- (NSNumber *)sumOfProperty:(NSString *)property {
  return [self aggregate:OPENREALM_SUM ofProperty:property];
}

- (NSNumber *)averageOfProperty:(NSString *)property {
  return [self aggregate:OPENREALM_AVERAGE ofProperty:property];
}

// MARK: Key-value coding

// "@count", "@min.age" and so on; other keys are read from each element, null as NSNull.
- (id)valueForKeyPath:(NSString *)keyPath {
  if (![keyPath hasPrefix:@"@"]) return [super valueForKeyPath:keyPath];
  NSRange point = [keyPath rangeOfString:@"."];
  NSString *operator= point.length ? [keyPath substringToIndex:point.location] : keyPath;
  NSString *property = point.length ? [keyPath substringFromIndex:point.location + 1] : @"self";
  if ([operator isEqual:@"@count"]) return [NSNumber numberWithUnsignedInteger:[self count]];
  if ([operator isEqual:@"@min"]) return [self minOfProperty:property];
  if ([operator isEqual:@"@max"]) return [self maxOfProperty:property];
  if ([operator isEqual:@"@sum"]) return [self sumOfProperty:property];
  if ([operator isEqual:@"@avg"]) return [self averageOfProperty:property];
  NSMutableArray *all = [NSMutableArray array];
  for (id element in self)
    [all addObject:element];
  return [all valueForKeyPath:keyPath];
}

- (id)valueForKey:(NSString *)key {
  if ([key isEqual:@"@count"]) return [NSNumber numberWithUnsignedInteger:[self count]];
  if ([key isEqual:@"invalidated"]) return [NSNumber numberWithBool:[self isInvalidated]];
  if (_type == RLMPropertyTypeObject && _handle && ![key isEqual:@"self"]) {
    const RLMClassInfo *info = RLMInfoForNumber(_realm, openrealm_collection_class(_handle));
    if (info) [info->schema propertyNamed:key];
  }
  NSMutableArray *values = [NSMutableArray array];
  for (id element in self) {
    id value = [key isEqual:@"self"] ? element : [element valueForKey:key];
    [values addObject:value ? value : [NSNull null]];
  }
  return values;
}

- (void)setValue:(id)value forKey:(NSString *)key {
  const RLMClassInfo *info = _handle ? RLMInfoForNumber(_realm, openrealm_collection_class(_handle)) : NULL;
  RLMProperty *property = info ? [info->schema propertyNamed:key] : nil;
  if (!property || property->_collectionKind != OPENREALM_SINGLE || [property isEmbedded]) {
    NSMutableArray *all = [NSMutableArray array];
    for (id element in self)
      [all addObject:element];
    for (id element in all)
      [element setValue:value forKey:key];
    return;
  }
  openrealm_value converted;
  openrealm_object target;
  if (property->_type != RLMPropertyTypeObject)
    converted = RLMValueForProperty(value, property, info->schema->_className);
  else if (RLMLinkTarget(_realm, property, value, OPENREALM_UPDATE_ERROR, &target))
    converted = openrealm_link(target);
  else
    converted = openrealm_null();
  RLMCheck(openrealm_set_all(_handle, info->numbers[property->_slot], &converted));
}

@end

@implementation RLMSortDescriptor {
  NSString *_keyPath;
  BOOL _ascending;
}
@synthesize keyPath = _keyPath, ascending = _ascending;

+ (instancetype)sortDescriptorWithKeyPath:(NSString *)keyPath ascending:(BOOL)ascending {
  RLMSortDescriptor *descriptor = [[[self alloc] init] autorelease];
  descriptor->_keyPath = [keyPath copy];
  descriptor->_ascending = ascending;
  return descriptor;
}

- (void)dealloc {
  [_keyPath release];
  [super dealloc];
}

- (instancetype)reversedSortDescriptor {
  return [RLMSortDescriptor sortDescriptorWithKeyPath:_keyPath ascending:!_ascending];
}

@end
