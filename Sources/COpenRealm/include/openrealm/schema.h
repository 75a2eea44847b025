// Schemas: descriptions of classes and their properties. A schema belongs to no thread, and is used on one at a time.
#ifndef OPENREALM_SCHEMA_H
#define OPENREALM_SCHEMA_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a property is besides its type. Without _UNIQUE and _AUTO_INCREMENT an existing file keeps the rule that it
// has.
enum {
  OPENREALM_OPTIONAL = 1,        // values may be null; links, mixed values and links in maps always may
  OPENREALM_PRIMARY_KEY_FLAG = 2,
  OPENREALM_INDEXED = 4,
  OPENREALM_FULL_TEXT = 8,       // a string property with an index of its words
  OPENREALM_UNIQUE = 16,
  OPENREALM_AUTO_INCREMENT = 32  // an int primary key that gets the next number when it is not given
};

// What happens to the objects at the end of links when an object is deleted. With OPENREALM_DELETE_NULLIFY, which
// describes nothing, an existing file keeps the rule that it has.
enum {
  OPENREALM_DELETE_NULLIFY = 0,  // they stay
  OPENREALM_DELETE_CASCADE = 1,  // the linked objects are deleted, too
  OPENREALM_DELETE_DENY = 2,     // an object that is linked to cannot be deleted
  OPENREALM_DELETE_CASCADE_UNLESS_SHARED = 3  // as CASCADE, but objects that another object owns, too, stay
};

// Kinds of indexes over several properties.
enum {
  OPENREALM_INDEX_PLAIN = 0,
  OPENREALM_INDEX_UNIQUE = 1,
  OPENREALM_INDEX_PRIMARY_KEY = 2
};

// A property as it is described. Members that are zero have no meaning for most properties.
typedef struct openrealm_property {
  const char *name;
  const char *column_name;  // the name in the file; NULL: the same
  int32_t type;             // OPENREALM_INT ...
  int32_t collection;       // OPENREALM_SINGLE, _LIST, _SET or _MAP
  int32_t flags;            // OPENREALM_OPTIONAL | ...
  int32_t delete_rule;      // of links: OPENREALM_DELETE_NULLIFY ...
  const char *target;       // of links and backlinks: the class at the other end
  const char *origin;       // of backlinks: the property of the target class that links here
} openrealm_property;

// Creates a schema without classes, which the caller releases.
openrealm_schema *openrealm_schema_new(void);

// Adds a class. Later calls add properties and indexes to the class that was added last. The name is copied;
// whether it is allowed is found by openrealm_schema_check. OPENREALM_BAD_ARGUMENT without a name,
// OPENREALM_INVALID_VALUE if it is not UTF-8.
int32_t openrealm_schema_add_class(openrealm_schema *schema, const char *name, bool embedded);

// Adds a property to the last class. The texts are copied. Returns OPENREALM_NO_SUCH_CLASS before the first class,
// and OPENREALM_BAD_ARGUMENT for unknown types, kinds, flags and rules. Rules about several members are checked
// later.
int32_t openrealm_schema_add_property(openrealm_schema *schema, const openrealm_property *property);

// Adds an index over several properties to the last class; codes as above. A class without any keeps those of the
// file.
int32_t openrealm_schema_add_index(openrealm_schema *schema, int32_t kind, size_t count, const char *const *names);

// Checks the classes. Returns OPENREALM_INVALID_SCHEMA when they break a rule, with a message that lists all
// problems. Opening a realm checks the same.
int32_t openrealm_schema_check(openrealm_schema *schema);

// Reads a schema from the JSON form that `openrealm_schema_json` and `realm schema --json` write. NULL, with
// OPENREALM_BAD_ARGUMENT and a message that names the place, if the text is something else.
openrealm_schema *openrealm_schema_from_json(const char *text, size_t size);

// Writes the JSON form of a schema into a string value, which the caller clears.
int32_t openrealm_schema_json(openrealm_schema *schema, openrealm_value *json);

// Reads the classes of a file without opening a realm, sorted by name. `key` is NULL or has 64 bytes. Backlinks
// are not stored in files. The codes are those of openrealm_open.
openrealm_schema *openrealm_schema_of_file(const char *path, const uint8_t *key);

// Returns the classes of a realm, in the order of their numbers: as they were described when it was opened, and
// the other classes of the file as they are there. Numbers of removed classes are left out, so look numbers up by
// name.
openrealm_schema *openrealm_schema_of_realm(openrealm_realm *realm);

// Returns the number of classes; 0 for what is no schema.
size_t openrealm_schema_class_count(openrealm_schema *schema);

// Returns the name of the class at a place, and whether it is embedded, if `embedded` is not NULL. NULL when out
// of bounds. The text is valid as long as the schema is not changed or freed.
const char *openrealm_schema_class_at(openrealm_schema *schema, size_t place, bool *embedded);

// Returns the number of properties of the class at a place; 0 when there is no such class.
size_t openrealm_schema_property_count(openrealm_schema *schema, size_t class_place);

// Fills in a property of the class at a place. The texts are valid as long as the schema is not changed or freed.
// OPENREALM_NO_SUCH_CLASS or OPENREALM_NO_SUCH_PROPERTY when there is nothing at the place.
int32_t openrealm_schema_property_at(openrealm_schema *schema, size_t class_place, size_t place,
                                     openrealm_property *property);

#ifdef __cplusplus
}
#endif
#endif
