// collections.h: lists, sets and maps.
#include "fuzzer.h"

static openrealm_value element(fuzzer *f, openrealm_collection *collection) {
  return random_value(f, openrealm_collection_type(collection), openrealm_collection_class(collection));
}

static int32_t list_append(fuzzer *f) {
  openrealm_collection *list = a_collection_of(f, OPENREALM_LIST);
  openrealm_value value = element(f, list);
  return openrealm_list_append(list, maybe(f, &value));
}

static int32_t list_insert(fuzzer *f) {
  openrealm_collection *list = a_collection_of(f, OPENREALM_LIST);
  openrealm_value value = element(f, list);
  return openrealm_list_insert(list, index_below(f, count_of(list) + 1), maybe(f, &value));
}

static int32_t list_set(fuzzer *f) {
  openrealm_collection *list = a_collection_of(f, OPENREALM_LIST);
  openrealm_value value = element(f, list);
  return openrealm_list_set(list, index_below(f, count_of(list)), maybe(f, &value));
}

static int32_t list_remove(fuzzer *f) {
  openrealm_collection *list = a_collection_of(f, OPENREALM_LIST);
  return openrealm_list_remove(list, index_below(f, count_of(list)));
}

static int32_t list_move(fuzzer *f) {
  openrealm_collection *list = a_collection_of(f, OPENREALM_LIST);
  size_t count = count_of(list);
  return openrealm_list_move(list, index_below(f, count), index_below(f, count));
}

static int32_t list_swap(fuzzer *f) {
  openrealm_collection *list = a_collection_of(f, OPENREALM_LIST);
  size_t count = count_of(list);
  return openrealm_list_swap(list, index_below(f, count), index_below(f, count));
}

static int32_t kept_embedded(fuzzer *f, int32_t code, bool has_place, openrealm_object embedded) {
  if (code == OPENREALM_OK && has_place) keep_object(f, embedded);
  return code;
}

static int32_t list_insert_embedded(fuzzer *f) {
  openrealm_object embedded = {0, 0};
  bool has_place = !one_in(f, 16);
  openrealm_collection *made = NULL;
  if (f->is_careful || one_in(f, 2)) {
    openrealm_realm *realm = f->pools[REALM][0];
    openrealm_object owner = an_object_of(f, class_named("Item"));
    made = openrealm_collection_of(realm, owner, openrealm_property_number(realm, owner.class_number, "homes"));
  }
  openrealm_collection *list = made ? made : a_collection_of(f, OPENREALM_LIST);
  int32_t code =
      openrealm_list_insert_embedded(list, index_below(f, count_of(list) + 1), has_place ? &embedded : NULL);
  openrealm_release(made);
  return kept_embedded(f, code, has_place, embedded);
}

static int32_t set_insert(fuzzer *f) {
  bool has_changed;
  openrealm_collection *set = a_collection_of(f, OPENREALM_SET);
  openrealm_value value = element(f, set);
  return openrealm_set_insert(set, maybe(f, &value), maybe(f, &has_changed));
}

static int32_t set_remove(fuzzer *f) {
  bool has_changed;
  openrealm_collection *set = a_collection_of(f, OPENREALM_SET);
  openrealm_value value = element(f, set);
  return openrealm_set_remove(set, maybe(f, &value), maybe(f, &has_changed));
}

// A key, at times one that the map has. Valid until the next call on this thread.
static openrealm_bytes map_key(fuzzer *f, openrealm_collection *map) {
  static const char *const keys[] = {"a", "b", "c", "d", "\xC3\xA9", "a longer key"};
  static _Thread_local char present[64];
  const char *key = keys[below(f, sizeof keys / sizeof *keys)];
  if (!f->is_careful) return one_in(f, 4) ? random_bytes(f) : (openrealm_bytes){key, strlen(key)};
  openrealm_value found = openrealm_null();
  size_t count = count_of(map);
  if (count == 0 || one_in(f, 3) || openrealm_map_key_at(map, below(f, count), &found) != OPENREALM_OK)
    return (openrealm_bytes){key, strlen(key)};
  size_t size = found.as.bytes.size < sizeof present ? found.as.bytes.size : 0;
  memcpy(present, found.as.bytes.bytes, size);
  openrealm_value_clear(&found);
  return (openrealm_bytes){present, size};
}

static int32_t map_get(fuzzer *f) {
  openrealm_value value = openrealm_null();
  openrealm_collection *map = a_collection_of(f, OPENREALM_MAP);
  openrealm_bytes key = map_key(f, map);
  return finish_value(f, openrealm_map_get(map, key.bytes, key.size, maybe(f, &value)), &value);
}

static int32_t map_set(fuzzer *f) {
  openrealm_collection *map = a_collection_of(f, OPENREALM_MAP);
  openrealm_value value = element(f, map);
  openrealm_bytes key = map_key(f, map);
  return openrealm_map_set(map, key.bytes, key.size, maybe(f, &value));
}

static int32_t map_remove(fuzzer *f) {
  openrealm_collection *map = a_collection_of(f, OPENREALM_MAP);
  openrealm_bytes key = map_key(f, map);
  return openrealm_map_remove(map, key.bytes, key.size);
}

static int32_t map_key_at(fuzzer *f) {
  openrealm_value key = openrealm_null();
  openrealm_collection *map = a_collection_of(f, OPENREALM_MAP);
  return finish_value(f, openrealm_map_key_at(map, index_below(f, count_of(map)), maybe(f, &key)), &key);
}

static int32_t map_set_embedded(fuzzer *f) {
  openrealm_object embedded = {0, 0};
  bool has_place = !one_in(f, 16);
  openrealm_collection *made = NULL;
  if (f->is_careful) {
    openrealm_realm *realm = f->pools[REALM][0];
    openrealm_object owner = an_object_of(f, class_named("Item"));
    made = openrealm_collection_of(realm, owner, openrealm_property_number(realm, owner.class_number, "homesByName"));
  }
  openrealm_collection *map = made ? made : a_collection_of(f, OPENREALM_MAP);
  openrealm_bytes key = map_key(f, map);
  int32_t code = openrealm_map_set_embedded(map, key.bytes, key.size, has_place ? &embedded : NULL);
  openrealm_release(made);
  return kept_embedded(f, code, has_place, embedded);
}

const call list_calls[] = {
    {"openrealm_list_append", 60, list_append, true},
    {"openrealm_list_insert", 30, list_insert, true},
    {"openrealm_list_set", 30, list_set, true},
    {"openrealm_list_remove", 20, list_remove, true},
    {"openrealm_list_move", 12, list_move, true},
    {"openrealm_list_swap", 12, list_swap, true},
    {"openrealm_list_insert_embedded", 20, list_insert_embedded, true},
    {"openrealm_set_insert", 40, set_insert, true},
    {"openrealm_set_remove", 16, set_remove, true},
    {"openrealm_map_get", 30, map_get},
    {"openrealm_map_set", 50, map_set, true},
    {"openrealm_map_remove", 16, map_remove, true},
    {"openrealm_map_key_at", 16, map_key_at},
    {"openrealm_map_set_embedded", 20, map_set_embedded, true},
    {NULL, 0, NULL},
};
