#import <objc/runtime.h>
#import "RLMCollection_Private.h"

@interface RLMRealm (Opening)
- (void)findNumbers;
- (void)findPropertyNumbers:(RLMClassInfo *)info;
@end

// The functions of the weak references of the compiler, which is compiled without them here.
extern id objc_storeWeak(id *place, id object);
extern id objc_loadWeak(id *place);

// A realm of a thread that does not keep it open.
@interface RLMWeakRealm : NSObject {
@public
  id _place;
}
@end
@implementation RLMWeakRealm
- (void)dealloc {
  objc_storeWeak(&_place, nil);
  [super dealloc];
}
@end

static NSMutableDictionary *realmsOfThread(void) {
  NSMutableDictionary *values = [[NSThread currentThread] threadDictionary];
  NSMutableDictionary *realms = [values objectForKey:@"RLMRealms"];
  if (!realms) [values setObject:realms = [NSMutableDictionary dictionary] forKey:@"RLMRealms"];
  return realms;
}

@implementation RLMRealm
@synthesize schema = _schema;

// MARK: Opening

+ (instancetype)defaultRealm {
  return [self realmWithConfiguration:[RLMRealmConfiguration defaultConfiguration] error:NULL];
}

+ (instancetype)realmWithURL:(NSURL *)fileURL {
  RLMRealmConfiguration *configuration = [RLMRealmConfiguration defaultConfiguration];
  configuration.fileURL = fileURL;
  return [self realmWithConfiguration:configuration error:NULL];
}

+ (instancetype)realmWithConfiguration:(RLMRealmConfiguration *)configuration error:(NSError **)error {
  NSMutableDictionary *realms = realmsOfThread();
  NSString *key = [configuration cacheKey];
  RLMWeakRealm *former = [realms objectForKey:key];
  RLMRealm *realm = former ? objc_loadWeak(&former->_place) : nil;
  if (realm) return realm;
  // Before the realm is opened, so that its notifications are delivered by this thread's run loop.
  RLMWatchRunLoop();
  openrealm_configuration *settings = [configuration makeHandle];
  openrealm_realm *handle = openrealm_open(settings);
  openrealm_release(settings);
  if (RLMHasKeptException()) openrealm_release(handle);
  RLMThrowKept();
  if (!handle) {
    RLMFail(error);
    return nil;
  }
  RLMSchema *schema = [configuration schema];
  if (!schema) {
    openrealm_schema *classes = openrealm_schema_of_realm(handle);
    schema = [RLMSchema schemaOfHandle:classes];
    openrealm_release(classes);
  }
  realm = [[[self alloc] initWithHandle:handle schema:schema configuration:configuration] autorelease];
  RLMWeakRealm *entry = [[[RLMWeakRealm alloc] init] autorelease];
  objc_storeWeak(&entry->_place, realm);
  [realms setObject:entry forKey:key];
  return realm;
}

- (instancetype)initWithHandle:(openrealm_realm *)handle
                        schema:(RLMSchema *)schema
                 configuration:(RLMRealmConfiguration *)configuration {
  if (!(self = [super init])) return nil;
  _handle = handle;
  _schema = [schema retain];
  _configuration = [configuration copy];
  [self findNumbers];
  return self;
}

- (void)dealloc {
  for (size_t i = 0; i < _infoCount; i++)
    free(_infos[i]);
  free(_infos);
  openrealm_release(_handle);
  [_schema release];
  [_configuration release];
  [super dealloc];
}

// MARK: Classes

- (void)findNumbers {
  for (RLMObjectSchema *schema in [_schema objectSchema]) {
    int32_t number = openrealm_class_number(_handle, [schema->_className UTF8String]);
    if (number < 0) continue; // a file that is only read may lack classes
    NSUInteger count = [schema->_slots count];
    RLMClassInfo *info = calloc(1, sizeof *info + count * sizeof(int32_t));
    *info = (RLMClassInfo){
        .realm = _handle, .classNumber = number, .objectClass = schema->_objectClass, .schema = schema};
    [self findPropertyNumbers:info];
    if ((size_t)number >= _infoCount) {
      size_t larger = (size_t)number + 1;
      _infos = realloc(_infos, larger * sizeof *_infos);
      while (_infoCount < larger)
        _infos[_infoCount++] = NULL;
    }
    _infos[number] = info;
  }
}

- (void)findPropertyNumbers:(RLMClassInfo *)info {
  for (RLMProperty *property in info->schema->_slots)
    info->numbers[property->_slot] =
        property->_type == RLMPropertyTypeLinkingObjects
            ? -1
            : openrealm_property_number(_handle, info->classNumber, [property->_name UTF8String]);
}

- (void)propertiesOfClassWereRenamed:(NSString *)className {
  for (size_t i = 0; i < _infoCount; i++)
    if (_infos[i] && [_infos[i]->schema->_className isEqualToString:className])
      [self findPropertyNumbers:_infos[i]];
}

- (const RLMClassInfo *)infoForClassName:(NSString *)className {
  RLMObjectSchema *schema = [_schema objectForKeyedSubscript:className];
  for (size_t i = 0; i < _infoCount; i++)
    if (_infos[i] && _infos[i]->schema == schema) return _infos[i];
  RLMThrow(@"The file of this Realm has no class '%@'.", className);
}

- (RLMRealmConfiguration *)configuration {
  return [[_configuration copy] autorelease];
}

// MARK: Versions

- (BOOL)autorefresh {
  return openrealm_autorefresh(_handle);
}

- (void)setAutorefresh:(BOOL)autorefresh {
  RLMCheck(openrealm_set_autorefresh(_handle, autorefresh));
}

- (BOOL)isFrozen {
  return openrealm_is_frozen(_handle);
}

- (BOOL)refresh {
  if ([self isFrozen]) return NO;
  bool changed = false;
  int32_t code = openrealm_refresh(_handle, &changed);
  RLMThrowKept();
  RLMCheck(code);
  return changed;
}

- (void)invalidate {
  RLMCheck(openrealm_invalidate(_handle));
}

- (RLMRealm *)freeze {
  if ([self isFrozen]) return self;
  openrealm_realm *handle = openrealm_freeze(_handle);
  if (!handle) RLMThrowLastFailure();
  return [[[RLMRealm alloc] initWithHandle:handle schema:_schema configuration:_configuration] autorelease];
}

- (RLMRealm *)thaw {
  return [self isFrozen] ? [RLMRealm realmWithConfiguration:_configuration error:NULL] : self;
}

- (BOOL)isEqual:(id)other {
  return self == other
         || ([other isKindOfClass:[RLMRealm class]]
             && openrealm_is_same(_handle, ((RLMRealm *)other)->_handle));
}

- (NSUInteger)hash {
  return [[_configuration cacheKey] hash];
}

@end
