// Collections: one kind of handle for results, lists, sets and maps.
//
// Lists, sets and maps belong to a property of an object; nested lists and maps to a mixed value. They are live: each
// call sees what the realm shows. Nested ones are found by an identity, so that they follow their element when it is
// moved, and become invalid when it is replaced or removed. Results are computed when they are first read, and again
// after changes.
//
// Besides the codes that a function names, each function returns
//   OPENREALM_BAD_ARGUMENT   NULL or another handle, or NULL where a value is to be written
//   OPENREALM_WRONG_THREAD, OPENREALM_CLOSED   as for the realm of the collection
//   OPENREALM_INVALIDATED    the object of the list, set or map was deleted, the element that holds the nested
//                            collection is gone, or the realm was invalidated
//   OPENREALM_DAMAGED        the file turned out to be damaged
// and each function that changes something
//   OPENREALM_FROZEN, OPENREALM_READ_ONLY, OPENREALM_NOT_IN_WRITE
// A position that is not there is refused with OPENREALM_OUT_OF_BOUNDS, and a list function for a set or the like
// with OPENREALM_WRONG_TYPE.
#ifndef OPENREALM_COLLECTIONS_H
#define OPENREALM_COLLECTIONS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns all objects of a class, as results that follow later changes. OPENREALM_NO_SUCH_CLASS.
openrealm_collection *openrealm_objects(openrealm_realm *realm, int32_t class_number);

// Returns the list, set or map of an object. OPENREALM_NO_SUCH_CLASS, _NO_SUCH_PROPERTY, _NO_SUCH_OBJECT;
// OPENREALM_WRONG_TYPE for single values: the list or map in a mixed property is returned by `openrealm_get_value`.
openrealm_collection *openrealm_collection_of(openrealm_realm *realm, openrealm_object object, int32_t property);

// Returns what a collection is: OPENREALM_LIST ... OPENREALM_RESULTS; 0 for NULL or another handle. Any thread.
int32_t openrealm_collection_kind(openrealm_collection *collection);

// Returns the type of the elements: OPENREALM_INT ...; OPENREALM_NULL for NULL or another handle. Any thread.
int32_t openrealm_collection_type(openrealm_collection *collection);

// Returns the number of the class of the elements; -1 for other values than objects, NULL or another handle. Any
// thread.
int32_t openrealm_collection_class(openrealm_collection *collection);

// Returns the realm of a collection, as a handle that the caller releases. Any thread.
openrealm_realm *openrealm_collection_realm(openrealm_collection *collection);

// Returns whether the collection can be used by the caller: its object is not deleted, its realm neither closed nor
// invalidated nor of another thread. Results of a list stay valid, and are empty, when the object of the list is
// deleted.
bool openrealm_collection_is_valid(openrealm_collection *collection);

// Returns the same collection as a live or frozen realm of the same file shows it. Both must be usable by the caller,
// so that a live collection is passed to another thread as a frozen one. OPENREALM_OTHER_REALM for a realm of another
// file; OPENREALM_INVALIDATED if the collection does not exist in the version that the realm shows.
openrealm_collection *openrealm_collection_in(openrealm_collection *collection, openrealm_realm *realm);

// Returns results with the present elements of a collection of objects: later changes neither add nor remove any,
// which makes it safe to change the collection while going through it. Deleted objects keep their places. What is
// filtered or sorted from a snapshot has only objects that exist. OPENREALM_WRONG_TYPE for collections of other
// values.
openrealm_collection *openrealm_snapshot(openrealm_collection *collection);

// Reads the number of elements. Results are counted without finding their objects where that is quicker.
int32_t openrealm_count(openrealm_collection *collection, size_t *count);

// Copies the rows of objects from a position on into `rows`, and their number into `copied`: the quickest way through
// results. Rows of null in maps, and of deleted objects in snapshots, are -1. None are copied from behind the end.
// OPENREALM_WRONG_TYPE for collections of other values.
int32_t openrealm_rows(openrealm_collection *collection, size_t start, size_t capacity, int64_t *rows, size_t *copied);

// Reads the element at a position; of a map the value. A nested list or map is a handle in the value. The caller
// clears the value. OPENREALM_WRONG_TYPE for a nested list or map in results of values, which copy the values.
int32_t openrealm_at(openrealm_collection *collection, size_t index, openrealm_value *value);

// Finds the position of the first element that is equal; of a map that of the value. Numbers of different types in
// mixed values are equal when their values are. OPENREALM_NOT_FOUND if there is none, also for values that cannot be
// there.
int32_t openrealm_index_of(openrealm_collection *collection, const openrealm_value *value, size_t *index);

// Lists. `index` is at most the count for inserting and less for the others.
//
// Values that the list cannot hold are refused before anything is written: OPENREALM_WRONG_TYPE, OPENREALM_IS_NULL,
// OPENREALM_NO_SUCH_OBJECT, OPENREALM_NO_SUCH_CLASS, OPENREALM_EMBEDDED for existing embedded objects,
// OPENREALM_INVALID_VALUE for text that is not UTF-8 and for nested collections that would be more than 1,000 levels
// deep. This holds for sets and maps, too.
int32_t openrealm_list_append(openrealm_collection *list, const openrealm_value *value);
int32_t openrealm_list_insert(openrealm_collection *list, size_t index, const openrealm_value *value);
// Replaces the element. An embedded object that was there is deleted.
int32_t openrealm_list_set(openrealm_collection *list, size_t index, const openrealm_value *value);
// Removes the element. An embedded object is deleted; other objects stay.
int32_t openrealm_list_remove(openrealm_collection *list, size_t index);
// Moves an element, which is at the position `to` afterwards.
int32_t openrealm_list_move(openrealm_collection *list, size_t from, size_t to);
int32_t openrealm_list_swap(openrealm_collection *list, size_t first, size_t second);
// Inserts a new embedded object, whose properties have their defaults. `embedded` may be NULL. OPENREALM_EMBEDDED if
// the class of the list is not embedded.
int32_t openrealm_list_insert_embedded(openrealm_collection *list, size_t index, openrealm_object *embedded);

// Sets. `changed`, unless NULL, is set to whether the set has changed. Sets hold no nested lists and maps
// (OPENREALM_INVALID_VALUE). Their elements are in ascending order.
int32_t openrealm_set_insert(openrealm_collection *set, const openrealm_value *value, bool *changed);
int32_t openrealm_set_remove(openrealm_collection *set, const openrealm_value *value, bool *changed);

// Maps with strings as keys. Setting replaces; a null value stays in the map where values may be null, as links
// always may. Keys are UTF-8, contain no "." and do not begin with "$": OPENREALM_INVALID_VALUE.
//
// OPENREALM_NOT_FOUND if the map does not have the key. The caller clears the value.
int32_t openrealm_map_get(openrealm_collection *map, const char *key, size_t size, openrealm_value *value);
int32_t openrealm_map_set(openrealm_collection *map, const char *key, size_t size, const openrealm_value *value);
// OPENREALM_NOT_FOUND if the map does not have the key.
int32_t openrealm_map_remove(openrealm_collection *map, const char *key, size_t size);
// Reads the key at a position, which the caller clears. Entries are in no particular order, which holds until the map
// changes.
int32_t openrealm_map_key_at(openrealm_collection *map, size_t index, openrealm_value *key);
// Puts a new embedded object, whose properties have their defaults, in place of the present one, which is deleted.
// `embedded` may be NULL. OPENREALM_EMBEDDED if the class of the map is not embedded.
int32_t openrealm_map_set_embedded(openrealm_collection *map, const char *key, size_t size,
                                   openrealm_object *embedded);

// Removes all elements of a list, set or map; the objects stay, unless they are embedded. OPENREALM_READ_ONLY for
// results.
int32_t openrealm_clear(openrealm_collection *collection);

// Sets a property of all objects of a collection of any kind. The value is checked as by `openrealm_set_value`.
// OPENREALM_PRIMARY_KEY for a primary key.
int32_t openrealm_set_all(openrealm_collection *objects, int32_t property, const openrealm_value *value);

// Deletes all objects of a collection of any kind, with what they own. A list, set or map of them is empty
// afterwards. OPENREALM_WRONG_TYPE for collections of other values.
int32_t openrealm_delete_objects(openrealm_collection *objects);

#ifdef __cplusplus
}
#endif
#endif
