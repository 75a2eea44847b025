#import "RLMCollection_Private.h"

static const RLMClassInfo *infoOf(Class objectClass, RLMRealm *realm) {
  if (!realm) RLMThrow(@"Realm must not be nil");
  for (size_t i = 0; i < realm->_infoCount; i++)
    if (realm->_infos[i] && realm->_infos[i]->objectClass == objectClass) return realm->_infos[i];
  return [realm infoForClassName:[objectClass className]];
}

@implementation RLMObject

// MARK: Creating

+ (instancetype)createInDefaultRealmWithValue:(id)value {
  return [self createInRealm:[RLMRealm defaultRealm] withValue:value];
}

+ (instancetype)createInRealm:(RLMRealm *)realm withValue:(id)value {
  return RLMCreateObject(realm, infoOf(self, realm), value, OPENREALM_UPDATE_ERROR);
}

+ (instancetype)createOrUpdateInDefaultRealmWithValue:(id)value {
  return [self createOrUpdateInRealm:[RLMRealm defaultRealm] withValue:value];
}

+ (instancetype)createOrUpdateModifiedInDefaultRealmWithValue:(id)value {
  return [self createOrUpdateModifiedInRealm:[RLMRealm defaultRealm] withValue:value];
}

static id update(Class objectClass, RLMRealm *realm, id value, int32_t policy) {
  const RLMClassInfo *info = infoOf(objectClass, realm);
  if (!info->schema.primaryKeyProperty)
    RLMThrow(@"'%@' does not have a primary key and can not be updated", info->schema->_className);
  return RLMCreateObject(realm, info, value, policy);
}

+ (instancetype)createOrUpdateInRealm:(RLMRealm *)realm withValue:(id)value {
  return update(self, realm, value, OPENREALM_UPDATE_ALL);
}

+ (instancetype)createOrUpdateModifiedInRealm:(RLMRealm *)realm withValue:(id)value {
  return update(self, realm, value, OPENREALM_UPDATE_MODIFIED);
}

// MARK: Finding

+ (RLMResults *)allObjects {
  return [self allObjectsInRealm:[RLMRealm defaultRealm]];
}

+ (RLMResults *)allObjectsInRealm:(RLMRealm *)realm {
  return RLMMakeResults(RLMAllObjects(realm, infoOf(self, realm)), realm);
}

+ (RLMResults *)objectsWhere:(NSString *)predicateFormat, ... {
  va_list arguments;
  va_start(arguments, predicateFormat);
  RLMResults *results = [self objectsInRealm:[RLMRealm defaultRealm] where:predicateFormat args:arguments];
  va_end(arguments);
  return results;
}

+ (RLMResults *)objectsWhere:(NSString *)predicateFormat args:(va_list)arguments {
  return [self objectsInRealm:[RLMRealm defaultRealm] where:predicateFormat args:arguments];
}

+ (RLMResults *)objectsWithPredicate:(NSPredicate *)predicate {
  return [self objectsInRealm:[RLMRealm defaultRealm] withPredicate:predicate];
}

+ (RLMResults *)objectsInRealm:(RLMRealm *)realm where:(NSString *)predicateFormat, ... {
  va_list arguments;
  va_start(arguments, predicateFormat);
  RLMResults *results = [self objectsInRealm:realm where:predicateFormat args:arguments];
  va_end(arguments);
  return results;
}

+ (RLMResults *)objectsInRealm:(RLMRealm *)realm where:(NSString *)predicateFormat args:(va_list)arguments {
  return [[self allObjectsInRealm:realm] objectsWhere:predicateFormat args:arguments];
}

+ (RLMResults *)objectsInRealm:(RLMRealm *)realm withPredicate:(NSPredicate *)predicate {
  return [[self allObjectsInRealm:realm] objectsWithPredicate:predicate];
}

+ (instancetype)objectForPrimaryKey:(id)primaryKey {
  return [self objectInRealm:[RLMRealm defaultRealm] forPrimaryKey:primaryKey];
}

+ (instancetype)objectInRealm:(RLMRealm *)realm forPrimaryKey:(id)primaryKey {
  return (id)[realm objectWithClassName:infoOf(self, realm)->schema->_className forPrimaryKey:primaryKey];
}

@end

@implementation RLMEmbeddedObject
@end
