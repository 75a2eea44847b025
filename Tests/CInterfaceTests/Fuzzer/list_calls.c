// collections.h: lists, sets and maps.
#include "fuzzer.h"

// A collection, mostly of a kind.
static openrealm_collection *of_kind(fuzzer *f, int32_t kind) {
  openrealm_collection *collection = NULL;
  for (int attempt = 0; attempt < 6; attempt++) {
    collection = a_collection(f);
    if (openrealm_collection_kind(collection) == kind) break;
  }
  return collection;
}

static openrealm_value element(fuzzer *f, openrealm_collection *collection) {
  return random_value(f, openrealm_collection_type(collection));
}

static int32_t list_append(fuzzer *f) {
  openrealm_collection *list = of_kind(f, OPENREALM_LIST);
  openrealm_value value = element(f, list);
  return openrealm_list_append(list, maybe(f, &value));
}

static int32_t list_insert(fuzzer *f) {
  openrealm_collection *list = of_kind(f, OPENREALM_LIST);
  openrealm_value value = element(f, list);
  return openrealm_list_insert(list, random_index(f), maybe(f, &value));
}

static int32_t list_set(fuzzer *f) {
  openrealm_collection *list = of_kind(f, OPENREALM_LIST);
  openrealm_value value = element(f, list);
  return openrealm_list_set(list, random_index(f), maybe(f, &value));
}

static int32_t list_remove(fuzzer *f) { return openrealm_list_remove(of_kind(f, OPENREALM_LIST), random_index(f)); }

static int32_t list_move(fuzzer *f) {
  return openrealm_list_move(of_kind(f, OPENREALM_LIST), random_index(f), random_index(f));
}

static int32_t list_swap(fuzzer *f) {
  return openrealm_list_swap(of_kind(f, OPENREALM_LIST), random_index(f), random_index(f));
}

static int32_t kept_embedded(fuzzer *f, int32_t code, bool has_place, openrealm_object embedded) {
  if (code == OPENREALM_OK && has_place) keep_object(f, embedded);
  return code;
}

static int32_t list_insert_embedded(fuzzer *f) {
  openrealm_object embedded = {0, 0};
  bool has_place = !one_in(f, 16);
  openrealm_collection *made = NULL;
  if (one_in(f, 2)) {
    openrealm_realm *realm = f->pools[REALM][0];
    made = openrealm_collection_of(realm, an_object(f), openrealm_property_number(realm, random_class(f), "homes"));
  }
  openrealm_collection *list = made ? made : of_kind(f, OPENREALM_LIST);
  int32_t code = openrealm_list_insert_embedded(list, random_index(f), has_place ? &embedded : NULL);
  openrealm_release(made);
  return kept_embedded(f, code, has_place, embedded);
}

static int32_t set_insert(fuzzer *f) {
  bool has_changed;
  openrealm_collection *set = of_kind(f, OPENREALM_SET);
  openrealm_value value = element(f, set);
  return openrealm_set_insert(set, maybe(f, &value), maybe(f, &has_changed));
}

static int32_t set_remove(fuzzer *f) {
  bool has_changed;
  openrealm_collection *set = of_kind(f, OPENREALM_SET);
  openrealm_value value = element(f, set);
  return openrealm_set_remove(set, maybe(f, &value), maybe(f, &has_changed));
}

static openrealm_bytes map_key(fuzzer *f) {
  static const char *const keys[] = {"a", "b", "c", "d"};
  const char *key = keys[below(f, 4)];
  return one_in(f, 4) ? random_bytes(f) : (openrealm_bytes){key, strlen(key)};
}

static int32_t map_get(fuzzer *f) {
  openrealm_value value = openrealm_null();
  openrealm_bytes key = map_key(f);
  return finish_value(f, openrealm_map_get(of_kind(f, OPENREALM_MAP), key.bytes, key.size, maybe(f, &value)), &value);
}

static int32_t map_set(fuzzer *f) {
  openrealm_collection *map = of_kind(f, OPENREALM_MAP);
  openrealm_value value = element(f, map);
  openrealm_bytes key = map_key(f);
  return openrealm_map_set(map, key.bytes, key.size, maybe(f, &value));
}

static int32_t map_remove(fuzzer *f) {
  openrealm_bytes key = map_key(f);
  return openrealm_map_remove(of_kind(f, OPENREALM_MAP), key.bytes, key.size);
}

static int32_t map_key_at(fuzzer *f) {
  openrealm_value key = openrealm_null();
  return finish_value(f, openrealm_map_key_at(of_kind(f, OPENREALM_MAP), random_index(f), maybe(f, &key)), &key);
}

static int32_t map_set_embedded(fuzzer *f) {
  openrealm_object embedded = {0, 0};
  openrealm_bytes key = map_key(f);
  bool has_place = !one_in(f, 16);
  int32_t code =
      openrealm_map_set_embedded(of_kind(f, OPENREALM_MAP), key.bytes, key.size, has_place ? &embedded : NULL);
  return kept_embedded(f, code, has_place, embedded);
}

const call list_calls[] = {
    {"openrealm_list_append", 60, list_append},
    {"openrealm_list_insert", 30, list_insert},
    {"openrealm_list_set", 30, list_set},
    {"openrealm_list_remove", 20, list_remove},
    {"openrealm_list_move", 12, list_move},
    {"openrealm_list_swap", 12, list_swap},
    {"openrealm_list_insert_embedded", 20, list_insert_embedded},
    {"openrealm_set_insert", 40, set_insert},
    {"openrealm_set_remove", 16, set_remove},
    {"openrealm_map_get", 30, map_get},
    {"openrealm_map_set", 50, map_set},
    {"openrealm_map_remove", 16, map_remove},
    {"openrealm_map_key_at", 16, map_key_at},
    {"openrealm_map_set_embedded", 20, map_set_embedded},
    {NULL, 0, NULL},
};
