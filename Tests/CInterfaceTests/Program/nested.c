// Random changes of nested lists and maps, compared with a tree in memory.
#include "test.h"

enum { WIDTH = 6, DEPTH = 5 };

// A value of the tree. Nodes are never freed, so that those of removed values can be asked for.
typedef struct node {
  int32_t type;
  int64_t number;
  bool is_gone;
  size_t count;
  struct node *children[WIDTH];
  int keys[WIDTH];  // of maps
} node;

typedef struct run {
  openrealm_realm *realm;
  uint64_t random;
  node *root;
  openrealm_collection *root_handle;
  openrealm_collection *kept_handle;
  node *kept;
} run;

static uint64_t next_random(run *run) {
  uint64_t bits = run->random += 0x9E3779B97F4A7C15u;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

static void lose(node *value) {
  value->is_gone = true;
  for (size_t i = 0; i < value->count; i++) lose(value->children[i]);
}

static node *new_node(run *run, bool may_nest, openrealm_value *value) {
  node *made = calloc(1, sizeof *made);
  uint64_t kind = next_random(run) % 4;
  if (may_nest && kind < 2) *value = kind ? openrealm_empty_list() : openrealm_empty_map();
  else *value = openrealm_int(made->number = (int64_t)(next_random(run) % 1000));
  made->type = value->type;
  return made;
}

static void compare(node *expected, const openrealm_value *found) {
  EQUAL(expected->type, found->type);
  if (expected->type == OPENREALM_INT) {
    EQUAL(expected->number, found->as.integer);
    return;
  }
  openrealm_collection *collection = found->as.collection;
  size_t count;
  OK(openrealm_count(collection, &count));
  EQUAL(expected->count, count);
  for (size_t i = 0; i < count; i++) {
    openrealm_value child;
    if (expected->type == OPENREALM_LIST_VALUE) {
      OK(openrealm_at(collection, i, &child));
    } else {
      char key[16];
      int size = snprintf(key, sizeof key, "key %d", expected->keys[i]);
      OK(openrealm_map_get(collection, key, (size_t)size, &child));
    }
    compare(expected->children[i], &child);
    openrealm_value_clear(&child);
  }
}

// Compares what a handle leads to.
static void compare_handle(node *expected, openrealm_collection *handle) {
  openrealm_value value = openrealm_null();
  value.type = expected->type;
  value.as.collection = handle;
  compare(expected, &value);
}

static void change_list(run *run, node *list, openrealm_collection *handle, bool may_nest) {
  size_t place = next_random(run) % (list->count + 1);
  openrealm_value value;
  switch (next_random(run) % 5) {
    case 0: case 1:
      if (list->count == WIDTH) break;
      memmove(list->children + place + 1, list->children + place, (list->count - place) * sizeof *list->children);
      list->children[place] = new_node(run, may_nest, &value);
      list->count++;
      OK(openrealm_list_insert(handle, place, &value));
      break;
    case 2:
      if (place == list->count) break;
      lose(list->children[place]);
      list->children[place] = new_node(run, may_nest, &value);
      OK(openrealm_list_set(handle, place, &value));
      break;
    case 3: {
      if (list->count == 0) break;
      size_t from = next_random(run) % list->count, to = next_random(run) % list->count;
      node *moved = list->children[from];
      memmove(list->children + from, list->children + from + 1, (list->count - from - 1) * sizeof *list->children);
      memmove(list->children + to + 1, list->children + to, (list->count - to - 1) * sizeof *list->children);
      list->children[to] = moved;
      OK(openrealm_list_move(handle, from, to));
      break;
    }
    default:
      if (place == list->count) break;
      lose(list->children[place]);
      list->count--;
      memmove(list->children + place, list->children + place + 1, (list->count - place) * sizeof *list->children);
      OK(openrealm_list_remove(handle, place));
  }
}

static void change_map(run *run, node *map, openrealm_collection *handle, bool may_nest) {
  int number = (int)(next_random(run) % WIDTH);
  char key[16];
  size_t size = (size_t)snprintf(key, sizeof key, "key %d", number), place = 0;
  while (place < map->count && map->keys[place] != number) place++;
  if (next_random(run) % 3) {
    openrealm_value value;
    if (place < map->count) lose(map->children[place]);
    else map->count++;
    map->children[place] = new_node(run, may_nest, &value);
    map->keys[place] = number;
    OK(openrealm_map_set(handle, key, size, &value));
  } else if (place < map->count) {
    lose(map->children[place]);
    map->count--;
    map->children[place] = map->children[map->count];
    map->keys[place] = map->keys[map->count];
    OK(openrealm_map_remove(handle, key, size));
  } else {
    REFUSED(OPENREALM_NOT_FOUND, openrealm_map_remove(handle, key, size));
  }
}

// Goes down to a list or map by chance, and changes it there.
static void step(run *run) {
  node *place = run->root;
  openrealm_collection *handle = openrealm_retain(run->root_handle);
  int depth = 1;
  while (place->count > 0 && next_random(run) % 4) {
    size_t index = next_random(run) % place->count;
    node *child = place->children[index];
    if (child->type == OPENREALM_INT) break;
    openrealm_value value;
    if (place->type == OPENREALM_LIST_VALUE) {
      OK(openrealm_at(handle, index, &value));
    } else {
      char key[16];
      int size = snprintf(key, sizeof key, "key %d", place->keys[index]);
      OK(openrealm_map_get(handle, key, (size_t)size, &value));
    }
    openrealm_release(handle);
    // The value's reference goes on as the handle's.
    handle = value.as.collection;
    place = child;
    depth++;
  }
  if (!run->kept_handle) {
    run->kept_handle = openrealm_retain(handle);
    run->kept = place;
  }
  if (place->type == OPENREALM_LIST_VALUE) change_list(run, place, handle, depth < DEPTH);
  else change_map(run, place, handle, depth < DEPTH);
  openrealm_release(handle);
}

// What was kept follows its value, or is invalid once that is removed.
static void check_kept(run *run) {
  CHECK(openrealm_collection_is_valid(run->kept_handle) == !run->kept->is_gone);
  if (!run->kept->is_gone) {
    compare_handle(run->kept, run->kept_handle);
    if (next_random(run) % 20) return;
  } else {
    size_t count;
    REFUSED(OPENREALM_INVALIDATED, openrealm_count(run->kept_handle, &count));
  }
  openrealm_release(run->kept_handle);
  run->kept_handle = NULL;
}

static void change_by_chance(run *run, openrealm_value *root) {
  run->root = calloc(1, sizeof *run->root);
  run->root->type = root->type;
  run->root_handle = root->as.collection;
  for (int i = 0; i < 4000; i++) {
    step(run);
    check_kept(run);
    if (i % 50 == 49) {
      compare_handle(run->root, run->root_handle);
      OK(openrealm_commit(run->realm));
      openrealm_realm *frozen = openrealm_freeze(run->realm);
      openrealm_collection *same = openrealm_collection_in(run->root_handle, frozen);
      CHECK(same != NULL);
      compare_handle(run->root, same);
      openrealm_release(same);
      openrealm_release(frozen);
      OK(openrealm_begin(run->realm));
    }
  }
  openrealm_release(run->kept_handle);
  run->kept_handle = NULL;
}

static void nested_values_are_those_of_a_tree(const char *folder) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Box", false));
  add_property(schema, "value", OPENREALM_MIXED, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "values", OPENREALM_MIXED, OPENREALM_LIST, 0, NULL);
  add_property(schema, "map", OPENREALM_MIXED, OPENREALM_MAP, 0, NULL);
  run run = {.realm = open_in(folder, schema), .random = 1138};
  printf("seed: 1138\n");
  int32_t box = openrealm_class_number(run.realm, "Box");
  openrealm_object object;
  OK(openrealm_begin(run.realm));
  OK(openrealm_create(run.realm, box, 0, NULL, NULL, &object));
  // The value of a property, an element of a list, and the value of a key.
  openrealm_value list = openrealm_empty_list(), map = openrealm_empty_map(), root;
  int32_t property = openrealm_property_number(run.realm, box, "value");
  OK(openrealm_set_value(run.realm, object, property, &list));
  OK(openrealm_get_value(run.realm, object, property, &root));
  change_by_chance(&run, &root);
  openrealm_value_clear(&root);
  openrealm_collection *values =
      openrealm_collection_of(run.realm, object, openrealm_property_number(run.realm, box, "values"));
  OK(openrealm_list_append(values, &map));
  OK(openrealm_at(values, 0, &root));
  OK(openrealm_list_insert(values, 0, &list));
  change_by_chance(&run, &root);
  openrealm_value_clear(&root);
  openrealm_collection *entries =
      openrealm_collection_of(run.realm, object, openrealm_property_number(run.realm, box, "map"));
  OK(openrealm_map_set(entries, "b", 1, &list));
  OK(openrealm_map_get(entries, "b", 1, &root));
  OK(openrealm_map_set(entries, "a", 1, &map));
  change_by_chance(&run, &root);
  openrealm_value_clear(&root);
  OK(openrealm_delete(run.realm, object));
  CHECK(!openrealm_collection_is_valid(entries));
  OK(openrealm_cancel(run.realm));
  CHECK(openrealm_collection_is_valid(entries));
  openrealm_release(values);
  openrealm_release(entries);
  openrealm_release(run.realm);
}

TESTS(nested, {"nested_values_are_those_of_a_tree", nested_values_are_those_of_a_tree})
