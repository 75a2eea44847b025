// Collections: one kind of handle for results, lists, sets and maps.
#ifndef OPENREALM_COLLECTIONS_H
#define OPENREALM_COLLECTIONS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// All objects of a class, as results that follow later changes.
openrealm_collection *openrealm_objects(openrealm_realm *realm, int32_t class_number);

// The list, set or map of an object.
openrealm_collection *openrealm_collection_of(openrealm_realm *realm, openrealm_object object, int32_t property);

// What a collection is: OPENREALM_LIST ... OPENREALM_RESULTS; 0 for NULL or another handle.
int32_t openrealm_collection_kind(openrealm_collection *collection);

// The type of the elements: OPENREALM_INT ...; OPENREALM_NULL for NULL or another handle.
int32_t openrealm_collection_type(openrealm_collection *collection);

// The number of the class of the elements; -1 for other values than objects.
int32_t openrealm_collection_class(openrealm_collection *collection);

// Returns the realm of a collection, as a handle that the caller releases.
openrealm_realm *openrealm_collection_realm(openrealm_collection *collection);

// Whether the collection can still be used: its object is not deleted, its realm neither closed nor invalidated.
bool openrealm_collection_is_valid(openrealm_collection *collection);

// The same collection as a live or frozen realm of the same file shows it. NULL if it does not exist there.
openrealm_collection *openrealm_collection_in(openrealm_collection *collection, openrealm_realm *realm);

// Results with the present elements of a collection of objects: later changes neither add nor remove any, which makes it
// safe to change the collection while going through it. Deleted objects keep their places.
openrealm_collection *openrealm_snapshot(openrealm_collection *collection);

int32_t openrealm_count(openrealm_collection *collection, size_t *count);

// Copies the rows of objects from a position on into `rows`, and tells how many in `copied`: the quickest way through
// results. Rows of links to nothing, in maps, and of deleted objects in snapshots are -1.
int32_t openrealm_rows(openrealm_collection *collection, size_t start, size_t capacity, int64_t *rows, size_t *copied);

// The element at a position; of a map the value. The caller clears the value.
int32_t openrealm_at(openrealm_collection *collection, size_t index, openrealm_value *value);

// The position of the first element that is equal; of a map that of the value. OPENREALM_NOT_FOUND if there is none.
int32_t openrealm_index_of(openrealm_collection *collection, const openrealm_value *value, size_t *index);

// Lists. `index` is at most the count for inserting and less for the others.
int32_t openrealm_list_append(openrealm_collection *list, const openrealm_value *value);
int32_t openrealm_list_insert(openrealm_collection *list, size_t index, const openrealm_value *value);
int32_t openrealm_list_set(openrealm_collection *list, size_t index, const openrealm_value *value);
int32_t openrealm_list_remove(openrealm_collection *list, size_t index);
int32_t openrealm_list_move(openrealm_collection *list, size_t from, size_t to);
int32_t openrealm_list_swap(openrealm_collection *list, size_t first, size_t second);
// Inserts a new embedded object, whose properties have their defaults.
int32_t openrealm_list_insert_embedded(openrealm_collection *list, size_t index, openrealm_object *embedded);

// Sets. `changed`, unless NULL, tells whether the set has changed.
int32_t openrealm_set_insert(openrealm_collection *set, const openrealm_value *value, bool *changed);
int32_t openrealm_set_remove(openrealm_collection *set, const openrealm_value *value, bool *changed);

// Maps with strings as keys. Setting replaces; a null value stays in the map where values may be null.
int32_t openrealm_map_get(openrealm_collection *map, const char *key, size_t size, openrealm_value *value);
int32_t openrealm_map_set(openrealm_collection *map, const char *key, size_t size, const openrealm_value *value);
int32_t openrealm_map_remove(openrealm_collection *map, const char *key, size_t size);
// The key at a position, which the caller clears. Entries are in no particular order, which holds until the map changes.
int32_t openrealm_map_key_at(openrealm_collection *map, size_t index, openrealm_value *key);
int32_t openrealm_map_set_embedded(openrealm_collection *map, const char *key, size_t size, openrealm_object *embedded);

// Removes all elements of a list, set or map; the objects stay, unless they are embedded.
int32_t openrealm_clear(openrealm_collection *collection);

// Sets a property of all objects of a collection.
int32_t openrealm_set_all(openrealm_collection *objects, int32_t property, const openrealm_value *value);

// Deletes all objects of a collection.
int32_t openrealm_delete_objects(openrealm_collection *objects);

#ifdef __cplusplus
}
#endif
#endif
