// Objects by number: reading, writing, creating, finding and deleting them.
//
// All functions of this file take a realm, and are used on its thread; reading a frozen realm is possible on any
// thread. Codes that each of them may return besides those that it names:
// - OPENREALM_BAD_ARGUMENT: a pointer that is needed is NULL, or a handle is no realm.
// - OPENREALM_WRONG_THREAD, OPENREALM_CLOSED: the realm cannot be used by the caller; in a forked process, CLOSED.
// - OPENREALM_NO_SUCH_CLASS, OPENREALM_NO_SUCH_PROPERTY: the class has no such number, or no such property, or it was
//   removed.
// - OPENREALM_NO_SUCH_OBJECT: the object is not there in the version that the realm shows.
// - OPENREALM_DAMAGED: the file is damaged. Everything that is called with this realm later returns it, too.
// Functions that write also return OPENREALM_NOT_IN_WRITE, OPENREALM_FROZEN or OPENREALM_READ_ONLY. They write
// nothing when they fail. What is written is stored when the transaction is committed.
#ifndef OPENREALM_OBJECTS_H
#define OPENREALM_OBJECTS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// What to do with an object that has the primary key already.
enum {
  OPENREALM_UPDATE_ERROR = 1,     // refuse, with OPENREALM_DUPLICATE_KEY
  OPENREALM_UPDATE_MODIFIED = 2,  // write the values that differ
  OPENREALM_UPDATE_ALL = 3        // write all values
};

// The getters read a single value of a property of this very type; a collection, and a property of another type, is
// refused with OPENREALM_WRONG_TYPE. OPENREALM_IS_NULL: the value is null. Nothing is written to `value` unless they
// succeed. They allocate no memory.
int32_t openrealm_get_int(openrealm_realm *realm, openrealm_object object, int32_t property, int64_t *value);
int32_t openrealm_get_bool(openrealm_realm *realm, openrealm_object object, int32_t property, bool *value);
int32_t openrealm_get_float(openrealm_realm *realm, openrealm_object object, int32_t property, float *value);
int32_t openrealm_get_double(openrealm_realm *realm, openrealm_object object, int32_t property, double *value);
// Bytes are the library's: valid until the realm is written to, refreshed, invalidated, closed or released, or, for
// encrypted files, until the next string or data of any encrypted file is read on this thread. They do not end with a
// zero byte, and strings may contain zero bytes. The address is never NULL, also not of an empty value.
int32_t openrealm_get_string(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_bytes *value);
int32_t openrealm_get_data(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_bytes *value);
// A date is kept as seconds since 2001-01-01 in a double: dates of this century are exact to about 0.1 microseconds,
// and what was read is written back as the same date.
int32_t openrealm_get_date(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_date *value);
int32_t openrealm_get_object_id(openrealm_realm *realm, openrealm_object object, int32_t property,
                                openrealm_object_id *value);
int32_t openrealm_get_decimal128(openrealm_realm *realm, openrealm_object object, int32_t property,
                                 openrealm_decimal128 *value);
int32_t openrealm_get_uuid(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_uuid *value);
// The object at the end of a link, also an embedded one.
int32_t openrealm_get_object(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_object *value);
// A value of any type, mixed ones included; null is OPENREALM_NULL. Strings and data are copied; strings end with a
// zero byte besides. The caller clears the value with openrealm_value_clear. Collections of mixed values come as
// handles, which clearing releases. Collections that are properties are refused with OPENREALM_WRONG_TYPE: see
// openrealm_collection_of.
int32_t openrealm_get_value(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_value *value);

// The setters write a single value of a property of this very type, in a write transaction. OPENREALM_WRONG_TYPE: the
// property is of another type. OPENREALM_PRIMARY_KEY: it is the primary key, which never changes except in a
// migration.
int32_t openrealm_set_int(openrealm_realm *realm, openrealm_object object, int32_t property, int64_t value);
int32_t openrealm_set_bool(openrealm_realm *realm, openrealm_object object, int32_t property, bool value);
int32_t openrealm_set_float(openrealm_realm *realm, openrealm_object object, int32_t property, float value);
int32_t openrealm_set_double(openrealm_realm *realm, openrealm_object object, int32_t property, double value);
// The bytes are copied, and may be NULL if `size` is 0. OPENREALM_INVALID_VALUE: a string is not UTF-8, or more than
// 2,147,483,647 bytes are given.
int32_t openrealm_set_string(openrealm_realm *realm, openrealm_object object, int32_t property, const char *bytes,
                             size_t size);
int32_t openrealm_set_data(openrealm_realm *realm, openrealm_object object, int32_t property, const void *bytes,
                           size_t size);
// OPENREALM_INVALID_VALUE: the nanoseconds are not 0 to 999,999,999.
int32_t openrealm_set_date(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_date value);
int32_t openrealm_set_object_id(openrealm_realm *realm, openrealm_object object, int32_t property,
                                openrealm_object_id value);
int32_t openrealm_set_decimal128(openrealm_realm *realm, openrealm_object object, int32_t property,
                                 openrealm_decimal128 value);
int32_t openrealm_set_uuid(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_uuid value);
// Links to an object, also from a mixed property. OPENREALM_WRONG_TYPE: the object is of another class than the
// property links to. OPENREALM_EMBEDDED: it is embedded; see openrealm_set_embedded. OPENREALM_NO_SUCH_OBJECT also
// when `value` is not there.
int32_t openrealm_set_object(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_object value);
// OPENREALM_IS_NULL: the property does not accept null. An embedded object whose link becomes null is deleted.
int32_t openrealm_set_null(openrealm_realm *realm, openrealm_object object, int32_t property);
// Sets a value of any type that the property can hold. For mixed properties also openrealm_empty_list and
// openrealm_empty_map, which replace what is there; a value that openrealm_get_value filled with a collection is
// refused with OPENREALM_BAD_ARGUMENT, as a value with an unknown type is. Bytes are copied. Other codes as those of
// the setters.
int32_t openrealm_set_value(openrealm_realm *realm, openrealm_object object, int32_t property,
                            const openrealm_value *value);
// Adds to an int property, which must not be null. Overflow wraps around.
int32_t openrealm_add_int(openrealm_realm *realm, openrealm_object object, int32_t property, int64_t difference);
// Puts a new embedded object in place of the present one, which is deleted. Its properties have their defaults, as
// those of openrealm_create. `embedded` may be NULL. OPENREALM_EMBEDDED: the property links to a class that is not
// embedded.
int32_t openrealm_set_embedded(openrealm_realm *realm, openrealm_object object, int32_t property,
                               openrealm_object *embedded);

// Creates an object with values for some properties; the others are null, or 0, false, empty, the present time, or a
// new object id or UUID. Nothing is created unless every value is accepted. `object` may be NULL, as the arrays may
// if `count` is 0.
// - OPENREALM_PRIMARY_KEY: the primary key is missing. It is needed unless it can be null, is an object id or UUID,
//   or is numbered automatically; for the latter, 0 and null stand for a missing one. Of a primary key of several
//   properties missing ones have the values named above.
// - OPENREALM_DUPLICATE_KEY: an object with this key exists.
// - OPENREALM_EMBEDDED: the class is embedded, or a value links to an embedded object.
// - OPENREALM_WRONG_TYPE, OPENREALM_IS_NULL, OPENREALM_INVALID_VALUE: the property does not accept a value;
//   collections accept none, and are filled afterwards.
// - OPENREALM_BAD_ARGUMENT: a property is given twice, or more than 65,536 are.
// Other values that have to be unique are compared when the transaction is committed: OPENREALM_RULE_BROKEN.
int32_t openrealm_create(openrealm_realm *realm, int32_t class_number, size_t count, const int32_t *properties,
                         const openrealm_value *values, openrealm_object *object);

// Creates an object, or updates the one with the same primary key: properties that are not given stay as they are.
// `policy` is OPENREALM_UPDATE_MODIFIED or _ALL, or _ERROR, which is the same as openrealm_create.
// OPENREALM_PRIMARY_KEY also when the class has no primary key. `created`, unless NULL, is true for a new object. Other
// codes as those of openrealm_create.
int32_t openrealm_create_or_update(openrealm_realm *realm, int32_t class_number, int32_t policy, size_t count,
                                   const int32_t *properties, const openrealm_value *values, openrealm_object *object,
                                   bool *created);

// Reads objects from JSON: an array of objects, one object, or objects one after the other (JSON Lines). Nested
// objects become linked or embedded objects. `policy` as above. `count`, unless NULL, is set to their number at
// the top. Dates are texts of ISO 8601 or seconds since 1970, data is base64. Keys that the classes lack are refused,
// unless `ignores_unknown_keys`. OPENREALM_INVALID_VALUE: the text is no JSON or does not fit the class, or a key is
// there already; the message names the line. Objects before the mistake have been created then: cancel the
// transaction.
int32_t openrealm_import_json(openrealm_realm *realm, int32_t class_number, int32_t policy, const char *text, size_t size,
                              bool ignores_unknown_keys, size_t *count);

// The object with a primary key. OPENREALM_NOT_FOUND: there is none. OPENREALM_PRIMARY_KEY: the class has no primary
// key, or one of several properties. OPENREALM_WRONG_TYPE or _IS_NULL: a key is never like this.
int32_t openrealm_find(openrealm_realm *realm, int32_t class_number, const openrealm_value *key, openrealm_object *object);

// Deletes an object, with its embedded objects and what it owns by the delete rules of its properties. Links to it
// become null or leave their collections. A link that denies the deletion makes the commit fail with
// OPENREALM_RULE_BROKEN.
int32_t openrealm_delete(openrealm_realm *realm, openrealm_object object);

// Whether the object exists in the version that the realm shows; false if the realm cannot be used here.
bool openrealm_is_valid(openrealm_realm *realm, openrealm_object object);

// The objects of a class that link to the object by a property, as results that follow later changes.
// OPENREALM_WRONG_TYPE: the property does not link to objects of this class.
openrealm_collection *openrealm_backlinks(openrealm_realm *realm, openrealm_object object, int32_t origin_class,
                                          int32_t origin_property);

// How often objects link to the object, counted over all properties, mixed ones included. An object that links
// several times, in a list or by several properties, counts as often. The object that an embedded object belongs to
// counts once.
int32_t openrealm_backlink_count(openrealm_realm *realm, openrealm_object object, int64_t *count);

#ifdef __cplusplus
}
#endif
#endif
