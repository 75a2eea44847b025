#import "RLMConversion.h"
#import "RLMFailure.h"
#import "RLMMigration_Private.h"
#import "RLMRealm_Private.h"

@implementation RLMRealmConfiguration {
  RLMSchema *_customSchema;
}
@synthesize fileURL = _fileURL, inMemoryIdentifier = _inMemoryIdentifier, encryptionKey = _encryptionKey;
@synthesize readOnly = _readOnly, schemaVersion = _schemaVersion, migrationBlock = _migrationBlock;
@synthesize deleteRealmIfMigrationNeeded = _deleteRealmIfMigrationNeeded,
            shouldCompactOnLaunch = _shouldCompactOnLaunch;
@synthesize objectClasses = _objectClasses, maximumNumberOfActiveVersions = _maximumNumberOfActiveVersions;
@synthesize seedFilePath = _seedFilePath, dynamic = _dynamic;

static RLMRealmConfiguration *defaultConfiguration;

+ (instancetype)defaultConfiguration {
  @synchronized([RLMRealmConfiguration class]) {
    if (!defaultConfiguration) defaultConfiguration = [[self alloc] init];
    return [[defaultConfiguration copy] autorelease];
  }
}

+ (void)setDefaultConfiguration:(RLMRealmConfiguration *)configuration {
  if (!configuration) RLMThrow(@"Cannot set the default configuration to nil.");
  @synchronized([RLMRealmConfiguration class]) {
    [defaultConfiguration release];
    defaultConfiguration = [configuration copy];
  }
}

- (instancetype)init {
  if (!(self = [super init])) return nil;
  openrealm_configuration *handle = openrealm_configuration_new();
  openrealm_value path;
  if (openrealm_configuration_path(handle, &path) == OPENREALM_OK) {
    NSString *text = RLMTakeValue(&path, nil);
    if (text) _fileURL = [[NSURL fileURLWithPath:text] copy];
  }
  openrealm_release(handle);
  return self;
}

- (void)dealloc {
  [_fileURL release];
  [_inMemoryIdentifier release];
  [_encryptionKey release];
  [_migrationBlock release];
  [_shouldCompactOnLaunch release];
  [_objectClasses release];
  [_seedFilePath release];
  [_customSchema release];
  [super dealloc];
}

- (id)copyWithZone:(NSZone *)zone {
  RLMRealmConfiguration *copy = [[RLMRealmConfiguration allocWithZone:zone] init];
  copy.fileURL = _fileURL;
  if (_inMemoryIdentifier) copy.inMemoryIdentifier = _inMemoryIdentifier;
  copy->_encryptionKey = [_encryptionKey copy];
  copy->_readOnly = _readOnly;
  copy->_schemaVersion = _schemaVersion;
  copy->_migrationBlock = [_migrationBlock copy];
  copy->_deleteRealmIfMigrationNeeded = _deleteRealmIfMigrationNeeded;
  copy->_shouldCompactOnLaunch = [_shouldCompactOnLaunch copy];
  copy->_objectClasses = [_objectClasses copy];
  copy->_customSchema = [_customSchema retain];
  copy->_maximumNumberOfActiveVersions = _maximumNumberOfActiveVersions;
  copy->_seedFilePath = [_seedFilePath copy];
  copy->_dynamic = _dynamic;
  return copy;
}

// MARK: Settings

- (void)setFileURL:(NSURL *)fileURL {
  if (fileURL && ![[fileURL path] length]) RLMThrow(@"Realm path must not be empty");
  [_fileURL autorelease];
  _fileURL = [fileURL copy];
  [_inMemoryIdentifier release];
  _inMemoryIdentifier = nil;
}

- (void)setInMemoryIdentifier:(NSString *)identifier {
  if (identifier && ![identifier length]) RLMThrow(@"In-memory identifier must not be empty");
  [_inMemoryIdentifier autorelease];
  _inMemoryIdentifier = [identifier copy];
  [_fileURL release];
  _fileURL = nil;
}

- (void)setEncryptionKey:(NSData *)key {
  if (key && [key length] != 64) RLMThrow(@"Encryption key must be exactly 64 bytes long");
  [_encryptionKey autorelease];
  _encryptionKey = [key copy];
}

- (void)setReadOnly:(BOOL)readOnly {
  if (readOnly && _deleteRealmIfMigrationNeeded)
    RLMThrow(@"Cannot set `readOnly` when `deleteRealmIfMigrationNeeded` is set.");
  if (readOnly && _shouldCompactOnLaunch)
    RLMThrow(@"Cannot set `readOnly` when `shouldCompactOnLaunch` is set.");
  _readOnly = readOnly;
}

- (void)setSchemaVersion:(uint64_t)version {
  if (version == RLMNotVersioned)
    RLMThrow(@"Cannot set schema version to %llu (RLMNotVersioned)", (unsigned long long)RLMNotVersioned);
  _schemaVersion = version;
}

- (void)setDeleteRealmIfMigrationNeeded:(BOOL)deletes {
  if (deletes && _readOnly) RLMThrow(@"Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.");
  _deleteRealmIfMigrationNeeded = deletes;
}

- (void)setShouldCompactOnLaunch:(RLMShouldCompactOnLaunchBlock)block {
  if (block && _readOnly) RLMThrow(@"Cannot set `shouldCompactOnLaunch` when `readOnly` is set.");
  [_shouldCompactOnLaunch autorelease];
  _shouldCompactOnLaunch = [block copy];
}

- (void)setObjectClasses:(NSArray *)classes {
  RLMSchema *schema = classes ? [RLMSchema schemaWithClasses:classes] : nil;
  [_customSchema autorelease];
  _customSchema = [schema retain];
  [_objectClasses autorelease];
  _objectClasses = [classes copy];
}

- (RLMSchema *)schema {
  return _dynamic ? nil : _customSchema ? _customSchema : [RLMSchema sharedSchema];
}

// Configurations with the same classes share a realm, whichever object holds the list of classes.
- (NSString *)cacheKey {
  NSString *place = _inMemoryIdentifier ? [@"memory:" stringByAppendingString:_inMemoryIdentifier]
                                        : [[_fileURL path] stringByStandardizingPath];
  NSString *classes = [[[_customSchema objectSchema] valueForKey:@"className"] componentsJoinedByString:@","];
  return [NSString stringWithFormat:@"%@|%d|%d|%@", place, _readOnly, _dynamic, classes];
}

// MARK: The handle

static bool compacts(void *context, uint64_t fileSize, uint64_t usedSize) {
  RLMShouldCompactOnLaunchBlock block = context;
  BOOL answer = NO;
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  @try {
    answer = block((NSUInteger)fileSize, (NSUInteger)usedSize);
  } @catch (id exception) { RLMKeepException(exception); }
  [pool drain];
  return answer;
}

static void releaseObject(void *context) { [(id)context release]; }

- (int32_t)applyTo:(openrealm_configuration *)handle {
#define SET(CALL) \
  do { \
    int32_t code = openrealm_configuration_##CALL; \
    if (code != OPENREALM_OK) return code; \
  } while (0)
  if (_inMemoryIdentifier)
    SET(set_memory_name(handle, [_inMemoryIdentifier UTF8String]));
  else
    SET(set_path(handle, [[_fileURL path] UTF8String]));
  RLMSchema *schema = [self schema];
  if (schema) {
    openrealm_schema *classes = [schema makeHandle];
    int32_t code = openrealm_configuration_set_schema(handle, classes);
    openrealm_release(classes);
    if (code != OPENREALM_OK) return code;
  }
  if (_schemaVersion) SET(set_schema_version(handle, _schemaVersion));
  if (_readOnly) SET(set_read_only(handle, true));
  if (_encryptionKey) SET(set_key(handle, [_encryptionKey bytes], [_encryptionKey length]));
  if (_deleteRealmIfMigrationNeeded) SET(set_delete_if_migration_needed(handle, true));
  if (_seedFilePath) SET(set_seed(handle, [[_seedFilePath path] UTF8String]));
  if (_maximumNumberOfActiveVersions) SET(set_maximum_versions(handle, _maximumNumberOfActiveVersions));
#undef SET
  int32_t code = OPENREALM_OK;
  // A context stays here when it is not taken over.
  if (_migrationBlock) {
    void *context = RLMMakeMigrationContext(self);
    code =
        openrealm_configuration_set_migration(handle, RLMRunMigration, context, RLMReleaseMigrationContext);
    if (code != OPENREALM_OK) RLMReleaseMigrationContext(context);
  }
  if (_shouldCompactOnLaunch && code == OPENREALM_OK) {
    id block = [_shouldCompactOnLaunch copy];
    code = openrealm_configuration_set_compaction(handle, compacts, block, releaseObject);
    if (code != OPENREALM_OK) [block release];
  }
  return code;
}

- (openrealm_configuration *)makeHandle {
  if (!_inMemoryIdentifier && !_fileURL)
    RLMThrow(@"A Realm Configuration must specify a path or an in-memory identifier.");
  openrealm_configuration *handle = openrealm_configuration_new();
  if (!handle) RLMThrowLastFailure();
  if ([self applyTo:handle] == OPENREALM_OK) return handle;
  openrealm_release(handle);
  RLMThrowLastFailure();
}

- (NSString *)description {
  NSString *answers[] = {@"NO", @"YES"};
  return [NSString
      stringWithFormat:
          @"RLMRealmConfiguration {\n\tfileURL = %@;\n\tinMemoryIdentifier = %@;\n\tencryptionKey = %@;"
          @"\n\treadOnly = %@;\n\tschemaVersion = %llu;\n\tdynamic = %@;\n}",
          _fileURL, _inMemoryIdentifier, _encryptionKey ? @"(set)" : nil, answers[_readOnly],
          (unsigned long long)_schemaVersion, answers[_dynamic]];
}

@end
