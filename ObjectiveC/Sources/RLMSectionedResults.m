// Results in sections: the keys of all elements are computed once for each version of the realm. Elements are
// kept by row if they are objects, and by their position in the results if they are values, which may be
// equal.
#import "RLMCollection_Private.h"
#import "RLMNotification_Private.h"

// The sections of one version.
@interface RLMSectionList : NSObject {
@public
  NSMutableArray *_keys; // of all sections
  NSMutableArray *_rows; // for each section the rows or positions of its elements, as NSNumber
}
@end
@implementation RLMSectionList
- (void)dealloc {
  [_keys release];
  [_rows release];
  [super dealloc];
}

// Index paths by row or position.
- (NSDictionary *)places {
  NSMutableDictionary *places = [NSMutableDictionary dictionary];
  for (NSUInteger section = 0; section < [_rows count]; section++) {
    NSArray *rows = [_rows objectAtIndex:section];
    for (NSUInteger i = 0; i < [rows count]; i++) {
      NSUInteger indexes[] = {section, i};
      [places setObject:[NSIndexPath indexPathWithIndexes:indexes length:2] forKey:[rows objectAtIndex:i]];
    }
  }
  return places;
}
@end

@interface RLMSectionedResultsChange () {
@public
  NSMutableArray *_deletions, *_insertions, *_modifications;
  NSMutableIndexSet *_sectionsToInsert, *_sectionsToRemove;
}
- (RLMSectionedResultsChange *)inSection:(NSUInteger)old becoming:(NSUInteger)present;
@end

@interface RLMSection () {
@public
  RLMSectionedResults *_results;
  id _key;
}
@end

@interface RLMSectionedResults () {
@public
  RLMResults *_results;
  RLMSectionedResultsKeyBlock _block;
  RLMSectionList *_list;
  uint64_t _version;
}
- (RLMSectionList *)list;
- (BOOL)hasObjects;
- (id)objectOfRow:(NSNumber *)row;
@end

static RLMSection *makeSection(RLMSectionedResults *results, id key) {
  RLMSection *section = [[[RLMSection alloc] init] autorelease];
  section->_results = [results retain];
  section->_key = [key retain];
  return section;
}

@implementation RLMSectionedResults

- (instancetype)initWithResults:(RLMResults *)results block:(RLMSectionedResultsKeyBlock)block {
  if (!(self = [super init])) return nil;
  _results = [results retain];
  _block = [block copy];
  return self;
}

- (void)dealloc {
  [_results release];
  [_block release];
  [_list release];
  [super dealloc];
}

- (RLMSectionList *)makeList {
  RLMSectionList *list = [[[RLMSectionList alloc] init] autorelease];
  list->_keys = [[NSMutableArray alloc] init];
  list->_rows = [[NSMutableArray alloc] init];
  NSMutableDictionary *byKey = [NSMutableDictionary dictionary];
  BOOL hasObjects = [self hasObjects];
  NSUInteger position = 0;
  for (id element in _results) {
    id key = _block(element);
    if (!key) key = [NSNull null];
    if ([key isKindOfClass:[RLMObjectBase class]]) RLMThrow(@"Links are not supported as section keys.");
    NSMutableArray *rows = [byKey objectForKey:key];
    if (!rows) {
      [byKey setObject:rows = [NSMutableArray array] forKey:key];
      [list->_keys addObject:key];
      [list->_rows addObject:rows];
    }
    [rows addObject:hasObjects ? [NSNumber numberWithLongLong:((RLMObjectBase *)element)->_row.row]
                               : [NSNumber numberWithUnsignedInteger:position]];
    position++;
  }
  return list;
}

// In a write transaction each call computes the sections, because objects may have changed.
- (RLMSectionList *)list {
  uint64_t version = openrealm_version_number(_results->_realm->_handle);
  BOOL isWriting = openrealm_is_writing(_results->_realm->_handle);
  if (_list && version == _version && !isWriting) return _list;
  RLMSectionList *list = [[self makeList] retain];
  [_list autorelease];
  _list = list;
  _version = isWriting ? UINT64_MAX : version;
  return list;
}

- (BOOL)hasObjects {
  return _results->_type == RLMPropertyTypeObject;
}

- (id)objectOfRow:(NSNumber *)row {
  if (![self hasObjects]) return [_results objectAtIndex:[row unsignedIntegerValue]];
  const RLMClassInfo *info =
      RLMInfoForNumber(_results->_realm, openrealm_collection_class(_results->_handle));
  return RLMMakeAccessor(_results->_realm, info, [row longLongValue]);
}

- (NSUInteger)count {
  return [[self list]->_keys count];
}

- (NSArray *)allKeys {
  return [[[self list]->_keys copy] autorelease];
}

- (RLMRealm *)realm {
  return _results.realm;
}

- (BOOL)isFrozen {
  return _results.frozen;
}

- (RLMSection *)objectAtIndex:(NSUInteger)index {
  NSArray *keys = [self list]->_keys;
  if (index >= [keys count])
    RLMThrow(@"Requested index %llu in empty or smaller SectionedResults (%llu sections).",
             (unsigned long long)index, (unsigned long long)[keys count]);
  return makeSection(self, [keys objectAtIndex:index]);
}

- (RLMSection *)objectAtIndexedSubscript:(NSUInteger)index {
  return [self objectAtIndex:index];
}

- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(__unsafe_unretained id *)buffer
                                    count:(NSUInteger)length {
  static unsigned long unchanged;
  state->mutationsPtr = &unchanged;
  state->itemsPtr = buffer;
  NSUInteger filled = 0, count = [self count];
  while (filled < length && state->state < count)
    buffer[filled++] = [self objectAtIndex:state->state++];
  return filled;
}

- (instancetype)freeze {
  return [[[RLMSectionedResults alloc] initWithResults:[_results freeze] block:_block] autorelease];
}

- (instancetype)thaw {
  return [[[RLMSectionedResults alloc] initWithResults:[_results thaw] block:_block] autorelease];
}

// MARK: Notifications

// The sections that have come and gone.
static RLMSectionedResultsChange *changeOfSections(RLMSectionList *old, RLMSectionList *new) {
  RLMSectionedResultsChange *change = [[[RLMSectionedResultsChange alloc] init] autorelease];
  change->_deletions = [[NSMutableArray alloc] init];
  change->_insertions = [[NSMutableArray alloc] init];
  change->_modifications = [[NSMutableArray alloc] init];
  change->_sectionsToInsert = [[NSMutableIndexSet alloc] init];
  change->_sectionsToRemove = [[NSMutableIndexSet alloc] init];
  NSSet *oldKeys = [NSSet setWithArray:old->_keys], *newKeys = [NSSet setWithArray:new->_keys];
  for (NSUInteger i = 0; i < [old->_keys count]; i++)
    if (![newKeys containsObject:[old->_keys objectAtIndex:i]]) [change->_sectionsToRemove addIndex:i];
  for (NSUInteger i = 0; i < [new->_keys count]; i++)
    if (![oldKeys containsObject:[new->_keys objectAtIndex:i]]) [change->_sectionsToInsert addIndex:i];
  return change;
}

static id keyAt(RLMSectionList *list, NSIndexPath *path) {
  return [list->_keys objectAtIndex:[path indexAtPosition:0]];
}

// Adds an element, with its places in the old and the new list; nil where it is in none. An element that
// moved to another section was deleted there and inserted here.
static void addElement(RLMSectionedResultsChange *change, RLMSectionList *old, NSIndexPath *from,
                       RLMSectionList *new, NSIndexPath *to, BOOL isModified) {
  BOOL stays = from && to && [keyAt(old, from) isEqual:keyAt(new, to)];
  if (from && !stays) [change->_deletions addObject:from];
  if (to && !stays) [change->_insertions addObject:to];
  if (stays && isModified) [change->_modifications addObject:to];
}

- (RLMSectionedResultsChange *)changeFrom:(RLMSectionList *)old
                                       to:(RLMSectionList *)new
                                       by:(RLMCollectionChange *)change {
  RLMSectionedResultsChange *found = changeOfSections(old, new);
  NSDictionary *oldPlaces = [old places], *newPlaces = [new places];
  if ([self hasObjects]) {
    NSMutableSet *modified = [NSMutableSet set];
    for (NSNumber *index in change.modificationsInNew) {
      RLMObjectBase *object = [_results objectAtIndex:[index unsignedIntegerValue]];
      [modified addObject:[NSNumber numberWithLongLong:object->_row.row]];
    }
    for (NSNumber *row in oldPlaces)
      addElement(found, old, [oldPlaces objectForKey:row], new, [newPlaces objectForKey:row],
                 [modified containsObject:row]);
    for (NSNumber *row in newPlaces)
      if (![oldPlaces objectForKey:row]) [found->_insertions addObject:[newPlaces objectForKey:row]];
  } else {
    for (NSNumber *position in change.deletions)
      addElement(found, old, [oldPlaces objectForKey:position], new, nil, NO);
    for (NSNumber *position in change.insertions)
      addElement(found, old, nil, new, [newPlaces objectForKey:position], NO);
    for (NSUInteger i = 0; i < [change.modifications count]; i++)
      addElement(found, old, [oldPlaces objectForKey:[change.modifications objectAtIndex:i]], new,
                 [newPlaces objectForKey:[change.modificationsInNew objectAtIndex:i]], YES);
  }
  for (NSMutableArray *paths in
       [NSArray arrayWithObjects:found->_deletions, found->_insertions, found->_modifications, nil])
    [paths sortUsingSelector:@selector(compare:)];
  return found;
}

- (RLMNotificationToken *)addNotificationBlock:(id)givenBlock {
  return [self addNotificationBlock:givenBlock keyPaths:nil];
}

- (RLMNotificationToken *)addNotificationBlock:(id)givenBlock keyPaths:(NSArray<NSString *> *)keyPaths {
  void (^block)(RLMSectionedResults *, RLMSectionedResultsChange *) = givenBlock;
  // The block keeps this object, and the list of the last call.
  NSMutableArray *lists = [NSMutableArray array];
  id observer = ^(RLMResults *results, RLMCollectionChange *change, NSError *error) {
    RLMSectionList *old = [[[lists lastObject] retain] autorelease], *present = [self list];
    [lists removeAllObjects];
    [lists addObject:present];
    block(self, change && old ? [self changeFrom:old to:present by:change] : nil);
  };
  return [_results addNotificationBlock:observer keyPaths:keyPaths];
}

@end

@implementation RLMSection
@synthesize key = _key;

- (void)dealloc {
  [_results release];
  [_key release];
  [super dealloc];
}

- (RLMRealm *)realm {
  return _results.realm;
}

- (BOOL)isFrozen {
  return _results.frozen;
}

- (instancetype)freeze {
  return makeSection([_results freeze], _key);
}

- (instancetype)thaw {
  return makeSection([_results thaw], _key);
}

- (RLMNotificationToken *)addNotificationBlock:(id)block {
  return [self addNotificationBlock:block keyPaths:nil];
}

- (RLMNotificationToken *)addNotificationBlock:(id)givenBlock keyPaths:(NSArray<NSString *> *)keyPaths {
  void (^block)(RLMSection *, RLMSectionedResultsChange *) = givenBlock;
  // Where the section was at the last call.
  NSMutableArray *places = [NSMutableArray array];
  id observer = ^(RLMSectionedResults *results, RLMSectionedResultsChange *change) {
    NSUInteger old = [places count] ? [[places lastObject] unsignedIntegerValue] : NSNotFound,
               present = [[results list]->_keys indexOfObject:_key];
    [places removeAllObjects];
    [places addObject:[NSNumber numberWithUnsignedInteger:present]];
    RLMSectionedResultsChange *own = change ? [change inSection:old becoming:present] : nil;
    if (!change || own) block(self, own);
  };
  return [_results addNotificationBlock:observer keyPaths:keyPaths];
}

- (NSArray *)rows {
  RLMSectionList *list = [_results list];
  NSUInteger place = [list->_keys indexOfObject:_key];
  return place == NSNotFound ? [NSArray array] : [list->_rows objectAtIndex:place];
}

- (NSUInteger)count {
  return [[self rows] count];
}

- (id)objectAtIndex:(NSUInteger)index {
  NSArray *rows = [self rows];
  if (index >= [rows count])
    RLMThrow(@"Index %llu is out of bounds (must be less than %llu).", (unsigned long long)index,
             (unsigned long long)[rows count]);
  return [_results objectOfRow:[rows objectAtIndex:index]];
}

- (id)objectAtIndexedSubscript:(NSUInteger)index {
  return [self objectAtIndex:index];
}

- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(__unsafe_unretained id *)buffer
                                    count:(NSUInteger)length {
  static unsigned long unchanged;
  if (state->state == 0) state->extra[0] = (unsigned long)[[[self rows] retain] autorelease];
  NSArray *rows = (NSArray *)state->extra[0];
  state->mutationsPtr = &unchanged;
  state->itemsPtr = buffer;
  NSUInteger filled = 0, count = [rows count];
  while (filled < length && state->state < count)
    buffer[filled++] = [_results objectOfRow:[rows objectAtIndex:state->state++]];
  return filled;
}

@end

@implementation RLMSectionedResultsChange
@synthesize deletions = _deletions, insertions = _insertions, modifications = _modifications;
@synthesize sectionsToInsert = _sectionsToInsert, sectionsToRemove = _sectionsToRemove;

- (void)dealloc {
  [_deletions release];
  [_insertions release];
  [_modifications release];
  [_sectionsToInsert release];
  [_sectionsToRemove release];
  [super dealloc];
}

static NSArray *inSection(NSArray *paths, NSUInteger section) {
  NSMutableArray *found = [NSMutableArray array];
  for (NSIndexPath *path in paths)
    if ([path indexAtPosition:0] == section) [found addObject:path];
  return found;
}

// What of it concerns a section, by its places before and after the change; nil if nothing does.
- (RLMSectionedResultsChange *)inSection:(NSUInteger)old becoming:(NSUInteger)present {
  RLMSectionedResultsChange *own = [[[RLMSectionedResultsChange alloc] init] autorelease];
  own->_deletions = [inSection(_deletions, old) mutableCopy];
  own->_insertions = [inSection(_insertions, present) mutableCopy];
  own->_modifications = [inSection(_modifications, present) mutableCopy];
  own->_sectionsToInsert = [[NSMutableIndexSet alloc] init];
  own->_sectionsToRemove = [[NSMutableIndexSet alloc] init];
  if ([_sectionsToInsert containsIndex:present]) [own->_sectionsToInsert addIndex:present];
  if ([_sectionsToRemove containsIndex:old]) [own->_sectionsToRemove addIndex:old];
  BOOL isEmpty = ![own->_deletions count] && ![own->_insertions count] && ![own->_modifications count];
  return isEmpty ? nil : own;
}

- (NSArray *)deletionsInSection:(NSUInteger)section {
  return inSection(_deletions, section);
}

- (NSArray *)insertionsInSection:(NSUInteger)section {
  return inSection(_insertions, section);
}

- (NSArray *)modificationsInSection:(NSUInteger)section {
  return inSection(_modifications, section);
}

@end

@implementation RLMCollectionBase (Sections)

- (RLMSectionedResults *)sectionedResultsSortedUsingKeyPath:(NSString *)keyPath
                                                  ascending:(BOOL)ascending
                                                   keyBlock:(RLMSectionedResultsKeyBlock)keyBlock {
  RLMSortDescriptor *descriptor = [RLMSortDescriptor sortDescriptorWithKeyPath:keyPath ascending:ascending];
  return [self sectionedResultsUsingSortDescriptors:[NSArray arrayWithObject:descriptor] keyBlock:keyBlock];
}

- (RLMSectionedResults *)sectionedResultsUsingSortDescriptors:(NSArray<RLMSortDescriptor *> *)descriptors
                                                     keyBlock:(RLMSectionedResultsKeyBlock)keyBlock {
  if (![descriptors count])
    RLMThrow(@"There must be at least one SortDescriptor when using SectionedResults.");
  return [[[RLMSectionedResults alloc] initWithResults:[self sortedResultsUsingDescriptors:descriptors]
                                                 block:keyBlock] autorelease];
}

@end
