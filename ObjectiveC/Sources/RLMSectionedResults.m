// Results in sections: the keys of all objects are computed once for each version of the realm, and the
// objects kept by row.
#import "RLMCollection_Private.h"
#import "RLMNotification_Private.h"

// The sections of one version.
@interface RLMSectionList : NSObject {
@public
  NSMutableArray *_keys; // of all sections
  NSMutableArray *_rows; // for each section the rows of its objects, as NSNumber
}
@end
@implementation RLMSectionList
- (void)dealloc {
  [_keys release];
  [_rows release];
  [super dealloc];
}

// Index paths by row.
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
- (id)objectOfRow:(NSNumber *)row;
@end

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
  for (RLMObjectBase *object in _results) {
    id key = _block(object);
    if (!key) key = [NSNull null];
    if ([key isKindOfClass:[RLMObjectBase class]]) RLMThrow(@"Links are not supported as section keys.");
    NSMutableArray *rows = [byKey objectForKey:key];
    if (!rows) {
      [byKey setObject:rows = [NSMutableArray array] forKey:key];
      [list->_keys addObject:key];
      [list->_rows addObject:rows];
    }
    [rows addObject:[NSNumber numberWithLongLong:object->_row.row]];
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

- (id)objectOfRow:(NSNumber *)row {
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
  RLMSection *section = [[[RLMSection alloc] init] autorelease];
  section->_results = [self retain];
  section->_key = [[keys objectAtIndex:index] retain];
  return section;
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

static RLMSectionedResultsChange *changeBetween(RLMSectionList *old, RLMSectionList *new,
                                                NSSet *modifiedRows) {
  RLMSectionedResultsChange *change = [[[RLMSectionedResultsChange alloc] init] autorelease];
  change->_deletions = [[NSMutableArray alloc] init];
  change->_insertions = [[NSMutableArray alloc] init];
  change->_modifications = [[NSMutableArray alloc] init];
  change->_sectionsToInsert = [[NSMutableIndexSet alloc] init];
  change->_sectionsToRemove = [[NSMutableIndexSet alloc] init];
  for (NSUInteger i = 0; i < [old->_keys count]; i++)
    if (![new->_keys containsObject:[ old->_keys objectAtIndex : i ]]) [change->_sectionsToRemove addIndex:i];
  for (NSUInteger i = 0; i < [new->_keys count]; i++)
    if (![old->_keys containsObject:[new->_keys objectAtIndex:i]]) [change->_sectionsToInsert addIndex:i];
  NSDictionary *oldPlaces = [old places], *newPlaces = [new places];
  // An object that moved to another section was deleted there and inserted here.
  for (NSNumber *row in oldPlaces) {
    NSIndexPath *from = [oldPlaces objectForKey:row], *to = [newPlaces objectForKey:row];
    id oldKey = [old->_keys objectAtIndex:[from indexAtPosition:0]];
    BOOL stays = to && [[new->_keys objectAtIndex:[ to indexAtPosition : 0 ]] isEqual:oldKey];
    if (!stays) [change->_deletions addObject:from];
    if (!stays && to) [change->_insertions addObject:to];
    if (stays && [modifiedRows containsObject:row]) [change->_modifications addObject:to];
  }
  for (NSNumber *row in newPlaces)
    if (![oldPlaces objectForKey:row]) [change->_insertions addObject:[newPlaces objectForKey:row]];
  for (NSMutableArray *paths in
       [NSArray arrayWithObjects:change->_deletions, change->_insertions, change->_modifications, nil])
    [paths sortUsingSelector:@selector(compare:)];
  return change;
}

- (RLMNotificationToken *)addNotificationBlock:(id)givenBlock {
  void (^block)(RLMSectionedResults *, RLMSectionedResultsChange *) = givenBlock;
  // The block keeps this object, and the list of the last call.
  NSMutableArray *lists = [NSMutableArray array];
  return [_results addNotificationBlock:^(RLMResults *results, RLMCollectionChange *change, NSError *error) {
    RLMSectionList *old = [[[lists lastObject] retain] autorelease], *present = [self list];
    [lists removeAllObjects];
    [lists addObject:present];
    if (!change || !old) {
      block(self, nil);
      return;
    }
    NSMutableSet *modified = [NSMutableSet set];
    for (NSNumber *index in change.modificationsInNew) {
      RLMObjectBase *object = [results objectAtIndex:[index unsignedIntegerValue]];
      [modified addObject:[NSNumber numberWithLongLong:object->_row.row]];
    }
    block(self, changeBetween(old, present, modified));
  }];
}

@end

@implementation RLMSection
@synthesize key = _key;

- (void)dealloc {
  [_results release];
  [_key release];
  [super dealloc];
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
  if (_type != RLMPropertyTypeObject)
    RLMThrow(@"Sections of values are not supported; only objects have sections.");
  return [[[RLMSectionedResults alloc] initWithResults:[self sortedResultsUsingDescriptors:descriptors]
                                                 block:keyBlock] autorelease];
}

@end
