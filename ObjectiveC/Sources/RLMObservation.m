// Notifications of collections, objects and realms: blocks that the C interface calls while the run loop
// performs, or within a refresh, the beginning of a transaction or a commit on this thread.
#import "RLMCollection_Private.h"
#import "RLMConversion.h"
#import "RLMNotification_Private.h"

@interface RLMCollectionChange () {
@public
  NSArray *_deletions, *_insertions, *_modifications, *_modificationsInNew;
}
@end
@interface RLMDictionaryChange () {
@public
  NSArray *_deletions, *_insertions, *_modifications;
}
@end
@interface RLMPropertyChange () {
@public
  NSString *_name;
  id _previousValue, _value;
}
@end

// What a callback needs. It does not keep the realm, which its token keeps.
struct Observation {
  id block;
  RLMRealm *realm;               // not retained
  RLMCollectionBase *collection; // retained
  openrealm_object row;
  const RLMClassInfo *info;
};

static struct Observation *makeObservation(id block, RLMRealm *realm) {
  struct Observation *observation = calloc(1, sizeof *observation);
  observation->block = [block copy];
  observation->realm = realm;
  return observation;
}

static void freeObservation(void *context) {
  struct Observation *observation = context;
  [observation->block release];
  [observation->collection release];
  free(observation);
}

static RLMNotificationToken *makeToken(openrealm_token *handle, RLMRealm *realm,
                                       struct Observation *observation) {
  if (!handle) freeObservation(observation);
  return [[[RLMNotificationToken alloc] initWithHandle:handle realm:realm] autorelease];
}

// An array for the C interface, in the autorelease pool.
static const char *const *texts(NSArray *keyPaths) {
  if (![keyPaths count]) return NULL;
  NSMutableData *data = [NSMutableData dataWithLength:[keyPaths count] * sizeof(char *)];
  const char **list = [data mutableBytes];
  for (NSString *path in keyPaths)
    *list++ = [path UTF8String];
  return [data bytes];
}

// MARK: Collections

static NSArray *positions(size_t count, const size_t *list) {
  NSMutableArray *numbers = [[NSMutableArray alloc] initWithCapacity:count];
  for (size_t i = 0; i < count; i++)
    [numbers addObject:[NSNumber numberWithUnsignedInteger:list[i]]];
  return numbers;
}

static NSArray *keys(size_t count, const openrealm_bytes *list) {
  NSMutableArray *texts = [[NSMutableArray alloc] initWithCapacity:count];
  for (size_t i = 0; i < count; i++)
    [texts addObject:RLMStringOfBytes(list[i])];
  return texts;
}

static id changeOf(RLMCollectionBase *collection, const openrealm_changes *changes) {
  if ([collection isKindOfClass:[RLMDictionary class]]) {
    RLMDictionaryChange *change = [[[RLMDictionaryChange alloc] init] autorelease];
    change->_deletions = keys(changes->deletion_count, changes->deleted_keys);
    change->_insertions = keys(changes->insertion_count, changes->inserted_keys);
    change->_modifications = keys(changes->modification_count, changes->modified_keys);
    return change;
  }
  RLMCollectionChange *change = [[[RLMCollectionChange alloc] init] autorelease];
  change->_deletions = positions(changes->deletion_count, changes->deletions);
  change->_insertions = positions(changes->insertion_count, changes->insertions);
  change->_modifications = positions(changes->modification_count, changes->old_modifications);
  change->_modificationsInNew = positions(changes->modification_count, changes->new_modifications);
  return change;
}

static void collectionChanged(void *context, const openrealm_changes *changes) {
  struct Observation *observation = context;
  RLM_GUARDED({
    id change = changes->is_initial ? nil : changeOf(observation->collection, changes);
    ((void (^)(id, id, NSError *))observation->block)(observation->collection, change, nil);
  });
}

@implementation RLMCollectionBase (Observing)

- (RLMNotificationToken *)addNotificationBlock:(id)block {
  return [self addNotificationBlock:block keyPaths:nil];
}

- (RLMNotificationToken *)addNotificationBlock:(id)block keyPaths:(NSArray<NSString *> *)keyPaths {
  if (!_handle) RLMThrow(@"Change notifications are only supported on managed collections.");
  struct Observation *observation = makeObservation(block, _realm);
  observation->collection = [self retain];
  openrealm_token *handle = openrealm_observe_collection(_handle, [keyPaths count], texts(keyPaths),
                                                         collectionChanged, observation, freeObservation);
  return makeToken(handle, _realm, observation);
}

@end

@implementation RLMCollectionChange
@synthesize deletions = _deletions, insertions = _insertions, modifications = _modifications;
@synthesize modificationsInNew = _modificationsInNew;

- (void)dealloc {
  [_deletions release];
  [_insertions release];
  [_modifications release];
  [_modificationsInNew release];
  [super dealloc];
}

static NSArray *paths(NSArray *positions, NSUInteger section) {
  NSMutableArray *paths = [NSMutableArray array];
  for (NSNumber *position in positions) {
    NSUInteger indexes[] = {section, [position unsignedIntegerValue]};
    [paths addObject:[NSIndexPath indexPathWithIndexes:indexes length:2]];
  }
  return paths;
}

- (NSArray<NSIndexPath *> *)deletionsInSection:(NSUInteger)section {
  return paths(_deletions, section);
}

- (NSArray<NSIndexPath *> *)insertionsInSection:(NSUInteger)section {
  return paths(_insertions, section);
}

- (NSArray<NSIndexPath *> *)modificationsInSection:(NSUInteger)section {
  return paths(_modifications, section);
}

- (NSString *)description {
  return [NSString
      stringWithFormat:@"<RLMCollectionChange: %p> insertions: %@, deletions: %@, modifications: %@", self,
                       _insertions, _deletions, _modifications];
}

@end

@implementation RLMDictionaryChange
@synthesize deletions = _deletions, insertions = _insertions, modifications = _modifications;

- (void)dealloc {
  [_deletions release];
  [_insertions release];
  [_modifications release];
  [super dealloc];
}

@end

// MARK: Objects

static void objectChanged(void *context, const openrealm_object_change *change) {
  struct Observation *observation = context;
  RLMObjectChangeBlock block = observation->block;
  RLM_GUARDED({
    if (change->is_deleted) {
      block(YES, nil, nil);
    } else {
      RLMObjectBase *object = RLMMakeAccessor(observation->realm, observation->info, observation->row.row);
      NSMutableArray *changes = [NSMutableArray array];
      for (RLMProperty *property in observation->info->schema->_slots)
        for (size_t i = 0; i < change->property_count; i++) {
          if (observation->info->numbers[property->_slot] != change->properties[i]) continue;
          RLMPropertyChange *entry = [[[RLMPropertyChange alloc] init] autorelease];
          entry->_name = [property->_name copy];
          entry->_value = [[object valueOfProperty:property] retain];
          if (change->old_values)
            entry->_previousValue = [RLMObjectOfValue(&change->old_values[i], observation->realm) retain];
          [changes addObject:entry];
        }
      for (size_t i = 0; i < change->backlink_count; i++) {
        RLMPropertyChange *entry = [[[RLMPropertyChange alloc] init] autorelease];
        entry->_name = [[NSString alloc] initWithUTF8String:change->backlinks[i]];
        entry->_value = [[object valueForKey:entry->_name] retain];
        [changes addObject:entry];
      }
      block(NO, changes, nil);
    }
  });
}

@implementation RLMObjectBase (Observing)

- (RLMNotificationToken *)addNotificationBlock:(RLMObjectChangeBlock)block {
  return [self addNotificationBlock:block keyPaths:nil];
}

- (RLMNotificationToken *)addNotificationBlock:(RLMObjectChangeBlock)block
                                      keyPaths:(NSArray<NSString *> *)keyPaths {
  if (!_info) RLMThrow(@"Only objects which are managed by a Realm support change notifications");
  struct Observation *observation = makeObservation(block, _realm);
  observation->row = _row;
  observation->info = _info;
  openrealm_token *handle = openrealm_observe_object(_info->realm, _row, [keyPaths count], texts(keyPaths),
                                                     objectChanged, observation, freeObservation);
  return makeToken(handle, _realm, observation);
}

@end

@implementation RLMPropertyChange
@synthesize name = _name, previousValue = _previousValue, value = _value;

- (void)dealloc {
  [_name release];
  [_previousValue release];
  [_value release];
  [super dealloc];
}

- (NSString *)description {
  return
      [NSString stringWithFormat:@"<RLMPropertyChange: %p> %@ %@ -> %@", self, _name, _previousValue, _value];
}

@end

// MARK: Realms

RLMNotification const RLMRealmDidChangeNotification = @"RLMRealmDidChangeNotification";
RLMNotification const RLMRealmRefreshRequiredNotification = @"RLMRealmRefreshRequiredNotification";

static void realmChanged(void *context, bool needsRefresh) {
  struct Observation *observation = context;
  RLM_GUARDED(((RLMNotificationBlock)observation->block)(needsRefresh ? RLMRealmRefreshRequiredNotification
                                                                  : RLMRealmDidChangeNotification,
                                                     observation->realm));
}

@implementation RLMRealm (Observing)

- (RLMNotificationToken *)addNotificationBlock:(RLMNotificationBlock)block {
  if (!block) RLMThrow(@"The notification block should not be nil");
  struct Observation *observation = makeObservation(block, self);
  return makeToken(openrealm_observe_realm(_handle, realmChanged, observation, freeObservation), self,
                   observation);
}

@end
