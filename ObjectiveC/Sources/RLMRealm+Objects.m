#import "RLMCollection_Private.h"

@implementation RLMRealm (Objects)

// MARK: Adding

- (void)addObject:(RLMObject *)object {
  RLMAddObject(object, self, OPENREALM_UPDATE_ERROR);
}

- (void)addObjects:(id<NSFastEnumeration>)objects {
  for (RLMObject *object in objects)
    [self addObject:object];
}

- (void)addOrUpdateObject:(RLMObject *)object {
  RLMObjectSchema *schema = object.objectSchema;
  if (!schema.primaryKeyProperty)
    RLMThrow(@"'%@' does not have a primary key and can not be updated", schema->_className);
  RLMAddObject(object, self, OPENREALM_UPDATE_ALL);
}

- (void)addOrUpdateObjects:(id<NSFastEnumeration>)objects {
  for (RLMObject *object in objects)
    [self addOrUpdateObject:object];
}

// MARK: Deleting

- (void)deleteObject:(RLMObjectBase *)object {
  if (!object->_info || object->_realm != self)
    RLMThrow(@"Can only delete an object from the Realm it belongs to.");
  RLMCheck(openrealm_delete(_handle, object->_row));
}

- (void)deleteObjects:(id<NSFastEnumeration>)objects {
  RLMCollectionBase *collection = (RLMCollectionBase *)objects;
  if ([collection isKindOfClass:[RLMCollectionBase class]]) {
    if (collection->_type != RLMPropertyTypeObject)
      RLMThrow(@"Cannot delete objects from collections of values.");
    if (!collection->_handle || collection->_realm != self)
      RLMThrow(@"Can only delete objects from the Realm they belong to.");
    RLMCheck(openrealm_delete_objects(collection->_handle));
    return;
  }
  for (RLMObjectBase *object in objects) {
    if (![object isKindOfClass:[RLMObjectBase class]])
      RLMThrow(@"Cannot delete objects of type '%@'.", [object class]);
    [self deleteObject:object];
  }
}

- (void)deleteAllObjects {
  RLMCheck(openrealm_delete_all(_handle));
}

- (BOOL)isEmpty {
  for (size_t i = 0; i < _infoCount; i++) {
    if (!_infos[i]) continue;
    openrealm_collection *all = openrealm_objects(_handle, _infos[i]->classNumber);
    size_t count = 0;
    int32_t code = openrealm_count(all, &count);
    openrealm_release(all);
    RLMCheck(code);
    if (count) return NO;
  }
  return YES;
}

// MARK: By the name of the class

- (RLMResults *)allObjects:(NSString *)className {
  return RLMMakeResults(RLMAllObjects(self, [self infoForClassName:className]), self);
}

- (RLMResults *)objects:(NSString *)className where:(NSString *)predicateFormat, ... {
  va_list arguments;
  va_start(arguments, predicateFormat);
  RLMResults *results = [[self allObjects:className] objectsWhere:predicateFormat args:arguments];
  va_end(arguments);
  return results;
}

- (RLMResults *)objects:(NSString *)className withPredicate:(NSPredicate *)predicate {
  return [[self allObjects:className] objectsWithPredicate:predicate];
}

- (RLMObject *)objectWithClassName:(NSString *)className forPrimaryKey:(id)primaryKey {
  const RLMClassInfo *info = [self infoForClassName:className];
  RLMProperty *key = info->schema.primaryKeyProperty;
  if (!key) RLMThrow(@"'%@' does not have a primary key defined", className);
  if (RLMIsNull(primaryKey) && !key->_optional)
    RLMThrow(@"Invalid null value for non-nullable primary key '%@.%@'.", className, key->_name);
  openrealm_value value = RLMValueForProperty(primaryKey, key, className);
  openrealm_object row;
  int32_t code = openrealm_find(_handle, info->classNumber, &value, &row);
  if (code == OPENREALM_NOT_FOUND) return nil;
  RLMCheck(code);
  return RLMMakeAccessor(self, info, row.row);
}

- (RLMObject *)createObject:(NSString *)className withValue:(id)value {
  return RLMCreateObject(self, [self infoForClassName:className], value, OPENREALM_UPDATE_ERROR);
}

@end
