// Objects by number.
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

// The getters read a single value of a property of this very type. OPENREALM_IS_NULL: the value is null, and nothing is
// written to `value`.
int32_t openrealm_get_int(openrealm_realm *realm, openrealm_object object, int32_t property, int64_t *value);
int32_t openrealm_get_bool(openrealm_realm *realm, openrealm_object object, int32_t property, bool *value);
int32_t openrealm_get_float(openrealm_realm *realm, openrealm_object object, int32_t property, float *value);
int32_t openrealm_get_double(openrealm_realm *realm, openrealm_object object, int32_t property, double *value);
// Bytes are the library's: valid until the realm is written to, refreshed, closed or released, or, for encrypted files, until
// the next call with this realm on this thread. They do not end with a zero byte.
int32_t openrealm_get_string(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_bytes *value);
int32_t openrealm_get_data(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_bytes *value);
int32_t openrealm_get_date(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_date *value);
int32_t openrealm_get_object_id(openrealm_realm *realm, openrealm_object object, int32_t property,
                                openrealm_object_id *value);
int32_t openrealm_get_decimal128(openrealm_realm *realm, openrealm_object object, int32_t property,
                                 openrealm_decimal128 *value);
int32_t openrealm_get_uuid(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_uuid *value);
// The object at the end of a link, also an embedded one.
int32_t openrealm_get_object(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_object *value);
// A value of any type, mixed ones included; null is OPENREALM_NULL. Strings and data are copied; strings end with a zero byte
// besides. The caller clears the value. Collections of mixed values come as handles. Not for collections.
int32_t openrealm_get_value(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_value *value);

// The setters write a single value, in a write transaction.
int32_t openrealm_set_int(openrealm_realm *realm, openrealm_object object, int32_t property, int64_t value);
int32_t openrealm_set_bool(openrealm_realm *realm, openrealm_object object, int32_t property, bool value);
int32_t openrealm_set_float(openrealm_realm *realm, openrealm_object object, int32_t property, float value);
int32_t openrealm_set_double(openrealm_realm *realm, openrealm_object object, int32_t property, double value);
int32_t openrealm_set_string(openrealm_realm *realm, openrealm_object object, int32_t property, const char *bytes,
                             size_t size);
int32_t openrealm_set_data(openrealm_realm *realm, openrealm_object object, int32_t property, const void *bytes,
                           size_t size);
int32_t openrealm_set_date(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_date value);
int32_t openrealm_set_object_id(openrealm_realm *realm, openrealm_object object, int32_t property,
                                openrealm_object_id value);
int32_t openrealm_set_decimal128(openrealm_realm *realm, openrealm_object object, int32_t property,
                                 openrealm_decimal128 value);
int32_t openrealm_set_uuid(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_uuid value);
// Links to an object. Embedded objects are refused: see openrealm_set_embedded.
int32_t openrealm_set_object(openrealm_realm *realm, openrealm_object object, int32_t property, openrealm_object value);
int32_t openrealm_set_null(openrealm_realm *realm, openrealm_object object, int32_t property);
// Sets a value of any type that the property can hold. For mixed properties also openrealm_empty_list and openrealm_empty_map.
int32_t openrealm_set_value(openrealm_realm *realm, openrealm_object object, int32_t property,
                            const openrealm_value *value);
// Adds to an int property, which must not be null. Overflow wraps around.
int32_t openrealm_add_int(openrealm_realm *realm, openrealm_object object, int32_t property, int64_t difference);
// Puts a new embedded object in place of the present one, which is deleted. Its properties have their defaults.
int32_t openrealm_set_embedded(openrealm_realm *realm, openrealm_object object, int32_t property,
                               openrealm_object *embedded);

// Creates an object with values for some properties; the others are null, or 0, false, empty, the present time, or a new
// object id or UUID. Nothing is created unless every value is accepted. A primary key is needed unless it is an object
// id, a UUID or numbered automatically. `object` may be NULL.
int32_t openrealm_create(openrealm_realm *realm, int32_t class_number, size_t count, const int32_t *properties,
                         const openrealm_value *values, openrealm_object *object);

// Creates an object, or updates the one with the same primary key. `policy` is OPENREALM_UPDATE_MODIFIED or _ALL, or _ERROR,
// which is the same as openrealm_create. `created`, unless NULL, tells which was done.
int32_t openrealm_create_or_update(openrealm_realm *realm, int32_t class_number, int32_t policy, size_t count,
                                   const int32_t *properties, const openrealm_value *values, openrealm_object *object,
                                   bool *created);

// Reads objects from JSON: an array of objects, one object, or objects one after the other (JSON Lines). Nested objects
// become linked or embedded objects. `policy` as above. `count`, unless NULL, tells how many there were at the top. Keys that
// the classes lack are refused, unless `ignores_unknown_keys`. After an error, cancel the transaction.
int32_t openrealm_import_json(openrealm_realm *realm, int32_t class_number, int32_t policy, const char *text, size_t size,
                              bool ignores_unknown_keys, size_t *count);

// The object with a primary key. OPENREALM_NOT_FOUND if there is none.
int32_t openrealm_find(openrealm_realm *realm, int32_t class_number, const openrealm_value *key, openrealm_object *object);

// Deletes an object, with what it owns.
int32_t openrealm_delete(openrealm_realm *realm, openrealm_object object);

// Whether the object exists in the version that the realm shows; false if the realm cannot be used here.
bool openrealm_is_valid(openrealm_realm *realm, openrealm_object object);

// The objects of a class that link to the object by a property, as results that follow later changes.
openrealm_collection *openrealm_backlinks(openrealm_realm *realm, openrealm_object object, int32_t origin_class,
                                          int32_t origin_property);

// How often objects link to the object, counted over all properties.
int32_t openrealm_backlink_count(openrealm_realm *realm, openrealm_object object, int64_t *count);

#ifdef __cplusplus
}
#endif
#endif
