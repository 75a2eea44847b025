#import "RLMCollection_Private.h"
#import "RLMMigration_Private.h"

@interface RLMMigration () {
@public
  openrealm_migration *_migration;
  RLMRealm *_oldRealm, *_newRealm;
}
@end

@implementation RLMMigration

static RLMRealm *realmOf(openrealm_realm *handle, RLMRealmConfiguration *configuration) {
  if (!handle) RLMThrowLastFailure();
  openrealm_schema *classes = openrealm_schema_of_realm(handle);
  RLMSchema *schema = [RLMSchema schemaOfHandle:classes];
  openrealm_release(classes);
  return [[RLMRealm alloc] initWithHandle:handle schema:schema configuration:configuration];
}

- (instancetype)initWithMigration:(openrealm_migration *)migration
                    configuration:(RLMRealmConfiguration *)configuration {
  if (!(self = [super init])) return nil;
  _migration = migration;
  _oldRealm = realmOf(openrealm_migration_old_realm(migration), configuration);
  _newRealm = realmOf(openrealm_migration_new_realm(migration), configuration);
  return self;
}

// Closes the realms when the block has ended. The migration may live on: code compiled with ARC does not
// release what it has retained when an exception leaves it.
- (void)end {
  [_oldRealm release];
  [_newRealm release];
  _oldRealm = _newRealm = nil;
}

- (void)dealloc {
  [self end];
  [super dealloc];
}

- (RLMSchema *)oldSchema {
  return _oldRealm.schema;
}

- (RLMSchema *)newSchema {
  return [[_newRealm.schema retain] autorelease];
}

// Both realms number classes on their own, and keep the rows. Objects of the new classes may be created and
// deleted by the block.
- (void)enumerateObjects:(NSString *)className block:(RLMObjectMigrationBlock)block {
  BOOL isOld = [_oldRealm.schema schemaForClassName:className] != nil;
  BOOL isNew = [_newRealm.schema schemaForClassName:className] != nil;
  if (!isOld && !isNew) return;
  const RLMClassInfo *newInfo = isNew ? [_newRealm infoForClassName:className] : NULL;
  RLMResults *all = isOld ? [_oldRealm allObjects:className] : [_newRealm allObjects:className];
  for (RLMObject *object in all) {
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    int64_t row = object->_row.row;
    RLMObject *old = isOld ? object : nil;
    RLMObject *new = isOld ? nil : object;
    if (isOld && isNew && openrealm_is_valid(newInfo->realm, (openrealm_object){newInfo->classNumber, row}))
      new = RLMMakeAccessor(_newRealm, newInfo, row);
    if (!isNew || new) block(old, new);
    [pool drain];
  }
}

- (RLMObject *)createObject:(NSString *)className withValue:(id)value {
  return [_newRealm createObject:className withValue:value];
}

- (void)deleteObject:(RLMObject *)object {
  [_newRealm deleteObject:object];
}

- (BOOL)deleteDataForClassName:(NSString *)name {
  int32_t code = openrealm_migration_delete_data(_migration, [name UTF8String]);
  if (code == OPENREALM_NO_SUCH_CLASS) return NO;
  RLMCheck(code);
  return YES;
}

- (void)renamePropertyForClass:(NSString *)className oldName:(NSString *)oldName newName:(NSString *)newName {
  RLMCheck(openrealm_migration_rename(_migration, [className UTF8String], [oldName UTF8String],
                                      [newName UTF8String]));
  [_newRealm propertiesOfClassWereRenamed:className];
}

@end

// MARK: The function of the C interface

struct MigrationContext {
  RLMMigrationBlock block;
  RLMRealmConfiguration *configuration;
};

void *RLMMakeMigrationContext(RLMRealmConfiguration *configuration) {
  struct MigrationContext *context = malloc(sizeof *context);
  *context = (struct MigrationContext){[configuration.migrationBlock copy], [configuration copy]};
  return context;
}

void RLMReleaseMigrationContext(void *context) {
  struct MigrationContext *migrationContext = context;
  [migrationContext->block release];
  [migrationContext->configuration release];
  free(context);
}

// An exception of the block fails the opening, which throws it then.
int32_t RLMRunMigration(void *context, openrealm_migration *handle, uint64_t oldVersion) {
  struct MigrationContext *migrationContext = context;
  int32_t result = 0;
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  RLMMigration *migration = nil;
  @try {
    migration = [[[RLMMigration alloc] initWithMigration:handle
                                           configuration:migrationContext->configuration] autorelease];
    migrationContext->block(migration, oldVersion);
  } @catch (id exception) {
    RLMKeepException(exception);
    result = 1;
  }
  [migration end];
  [pool drain];
  return result;
}
