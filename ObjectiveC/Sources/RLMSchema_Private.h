// Descriptions of classes, as the rest of the layer uses them.
#import <openrealm.h>
#import "Realm/Realm.h"

// The greatest number of properties of a class: there are as many accessors that know their place.
enum { RLMGreatestPropertyCount = 256 };

@interface RLMProperty () {
@public
  NSString *_name, *_columnName, *_objectClassName, *_linkOriginPropertyName;
  RLMPropertyType _type;
  int32_t _collectionKind; // OPENREALM_SINGLE ... OPENREALM_MAP
  BOOL _indexed, _optional, _isPrimaryKey;
  BOOL _isAssigned; // the compiler's setter does not keep the object: the default without automatic reference
                    // counting
  char _code;       // the first character of the type's encoding: '@', 'i', ...
  NSUInteger _slot; // the place among the properties of the class, linking objects included
  SEL _getter, _setter;
  IMP _originalGetter, _originalSetter; // those that the compiler or the program made, for objects in memory
}
// The class of linked objects; Nil for other properties and classes that the program lacks.
- (Class)objectClass;
// "int", "string?", "object" and so on, as messages have it.
- (NSString *)typeName;
- (BOOL)isEmbedded;
- (openrealm_property)description_c;
@end

@interface RLMObjectSchema () {
@public
  NSString *_className;
  Class _objectClass;
  BOOL _isEmbedded;
  NSArray *_slots;     // all properties by slot, linking objects included
  RLMProperty **_list; // the same
  NSUInteger _count;
  RLMProperty *_primaryKey; // nil if there is none
  NSMutableDictionary *_byName;
  NSString *_problem; // why the class cannot be stored; thrown when the class is used
}
- (instancetype)initWithClassName:(NSString *)className objectClass:(Class)objectClass slots:(NSArray *)slots;
// Throws if there is no such property.
- (RLMProperty *)propertyNamed:(NSString *)name;
@end

@interface RLMSchema ()
- (instancetype)initWithObjectSchemas:(NSArray *)objectSchemas;
// Throws if a class cannot be stored.
+ (RLMSchema *)schemaWithClasses:(NSArray *)classes;
// The classes of a handle, for realms whose classes are those of the file.
+ (RLMSchema *)schemaOfHandle:(openrealm_schema *)handle;
// A handle, which the caller releases.
- (openrealm_schema *)makeHandle;
@end

// Describes the properties that a class itself declares. Linking objects are included; ignored and computed
// properties are not. `problem` says which property cannot be stored.
NSArray *RLMDeclaredProperties(Class objectClass, NSUInteger firstSlot, NSString **problem);

// The description of a model class, or of the class behind one that was made by key-value observing. Does not
// lock.
RLMObjectSchema *RLMObjectSchemaOfClass(Class objectClass);
// The description of a class, which is made if +initialize did not.
RLMObjectSchema *RLMDescribedSchema(Class objectClass);
// Describes a class and replaces its accessors; called by +initialize, which the runtime calls on one thread
// at a time.
void RLMDescribeClass(Class objectClass);
// Puts accessors that know their slot in the place of those that the compiler made.
void RLMInstallAccessors(Class objectClass, RLMProperty *property);
