// queries.h
#include "fuzzer.h"

// Queries, right and wrong.
static const char *const queries[] = {"id > %d",
                                      "name == %@",
                                      "name BEGINSWITH[c] %@ AND id < %d",
                                      "friend.name CONTAINS %@",
                                      "ANY friends.id > 3",
                                      "friend == %@",
                                      "friends.@count > 2",
                                      "SUBQUERY(friends, $x, $x.id > 2).@count > 0",
                                      "mixed == %@",
                                      "mixed.a == 1",
                                      "mixed[0] > %d",
                                      "text TEXT %@",
                                      "o_date < %@",
                                      "o_decimal128 >= %@",
                                      "o_uuid == %@",
                                      "o_data == %@",
                                      "l_int CONTAINS %d",
                                      "ALL l_double > %f",
                                      "m_string['a'] == %@",
                                      "%K == %@",
                                      "TRUEPREDICATE",
                                      "FALSEPREDICATE",
                                      "id IN %@",
                                      "id IN {1, 2, 3}",
                                      "id BETWEEN {1, 5}",
                                      "NOT (id == 1 OR id == 2)",
                                      "name LIKE '*a?*'",
                                      "name MATCHES '.*('",
                                      "@links.@count > 0",
                                      "owners.@count > 0",
                                      "home.street == nil",
                                      "home IN %@",
                                      "ANY homes IN %@ OR id > %d",
                                      "SELF IN %@",
                                      "home.rooms.@sum > 3",
                                      "toys.code == 'x'",
                                      "byName.weight > 1",
                                      "o_object_id == oid(5f43a1b2c3d4e5f601020304)",
                                      "friends.friends.friends.id == 1",
                                      "id > 1 SORT(id DESC) LIMIT(3)",
                                      "name == nil",
                                      "self == %@",
                                      "self > %d",
                                      "SELF.id == 1",
                                      "r_float == 1e400",
                                      "r_int == 1.5",
                                      "id >",
                                      "id",
                                      "",
                                      " ",
                                      "(",
                                      ")",
                                      "((((((((((((((((((((((",
                                      "id > %d %d",
                                      "nope == 1",
                                      "id == 'text'",
                                      "%@",
                                      "%",
                                      "%K",
                                      "%K.%K > 1",
                                      "name == \"\\u12\"",
                                      "id == 99999999999999999999",
                                      "$x == 1",
                                      "SUBQUERY(",
                                      "ANY",
                                      "id == id",
                                      "friend.@count == 1",
                                      "{}",
                                      "\xFF",
                                      "o_date == yesterday",
                                      "r_bool == TRUE",
                                      "text TEXT 'a*'",
                                      "text TEXT '-'",
                                      "@sum",
                                      "friends.@max.id == 2",
                                      "NONE friends.id == 1"};

// Queries that are right for the class "Item", with the types of their arguments. OPENREALM_BACKLINKS: none.
static const struct {
  const char *query;
  int32_t types[2];
} sound_queries[] = {{"id > %d", {OPENREALM_INT, OPENREALM_BACKLINKS}},
                     {"name == %@", {OPENREALM_STRING, OPENREALM_BACKLINKS}},
                     {"name BEGINSWITH[c] %@ AND id < %d", {OPENREALM_STRING, OPENREALM_INT}},
                     {"friend.name CONTAINS %@", {OPENREALM_STRING, OPENREALM_BACKLINKS}},
                     {"ANY friends.id > 3", {OPENREALM_BACKLINKS, OPENREALM_BACKLINKS}},
                     {"friend == %@", {OPENREALM_OBJECT, OPENREALM_BACKLINKS}},
                     {"friends.@count > 2", {OPENREALM_BACKLINKS, OPENREALM_BACKLINKS}},
                     {"SUBQUERY(friends, $x, $x.id > 2).@count > 0", {OPENREALM_BACKLINKS, OPENREALM_BACKLINKS}},
                     {"mixed == %@", {OPENREALM_STRING, OPENREALM_BACKLINKS}},
                     {"text TEXT %@", {OPENREALM_STRING, OPENREALM_BACKLINKS}},
                     {"o_date < %@", {OPENREALM_DATE, OPENREALM_BACKLINKS}},
                     {"o_decimal128 >= %@", {OPENREALM_DECIMAL128, OPENREALM_BACKLINKS}},
                     {"o_uuid == %@", {OPENREALM_UUID, OPENREALM_BACKLINKS}},
                     {"o_data == %@", {OPENREALM_DATA, OPENREALM_BACKLINKS}},
                     {"o_object_id == %@", {OPENREALM_OBJECT_ID, OPENREALM_BACKLINKS}},
                     {"r_double < %f OR indexed == %d", {OPENREALM_DOUBLE, OPENREALM_INT}},
                     {"home.street == nil", {OPENREALM_BACKLINKS, OPENREALM_BACKLINKS}},
                     {"owners.@count > 0", {OPENREALM_BACKLINKS, OPENREALM_BACKLINKS}},
                     {"id BETWEEN {1, 5}", {OPENREALM_BACKLINKS, OPENREALM_BACKLINKS}},
                     {"NOT (id == 1 OR indexed == 2)", {OPENREALM_BACKLINKS, OPENREALM_BACKLINKS}},
                     {"name LIKE '*a?*'", {OPENREALM_BACKLINKS, OPENREALM_BACKLINKS}},
                     {"TRUEPREDICATE", {OPENREALM_BACKLINKS, OPENREALM_BACKLINKS}}};

// Chooses one of them and its arguments. Returns how many there are.
static size_t sound_query(fuzzer *f, const char **query, openrealm_value arguments[4]) {
  size_t number = below(f, sizeof sound_queries / sizeof *sound_queries);
  *query = sound_queries[number].query;
  size_t count = 0;
  while (count < 2 && sound_queries[number].types[count] != OPENREALM_BACKLINKS) {
    arguments[count] = random_value(f, sound_queries[number].types[count], class_named("Item"));
    count++;
  }
  return count;
}

// A query, at times with a byte changed. Valid until the next call on this thread.
static const char *random_query(fuzzer *f) {
  static _Thread_local char changed[256];
  const char *query = queries[below(f, sizeof queries / sizeof *queries)];
  if (one_in(f, 64)) return NULL;
  if (!one_in(f, 6)) return query;
  snprintf(changed, sizeof changed, "%s", query);
  size_t length = strlen(changed);
  if (length == 0) return changed;
  switch (below(f, 3)) {
    case 0:
      changed[below(f, length)] = (char)(1 + below(f, 255));
      break;
    case 1:
      changed[below(f, length)] = 0;
      break;
    default: {
      size_t place = below(f, length);
      memmove(changed + place, changed + place + 1, length - place);
      break;
    }
  }
  return changed;
}

// Fills in arguments for a query. Returns how many are said to be there.
static size_t random_arguments(fuzzer *f, openrealm_value arguments[4]) {
  static const int32_t types[] = {OPENREALM_INT,    OPENREALM_STRING, OPENREALM_STRING, OPENREALM_OBJECT,
                                  OPENREALM_DOUBLE, OPENREALM_DATE,   OPENREALM_MIXED,  OPENREALM_REGION};
  for (int i = 0; i < 4; i++) arguments[i] = random_value(f, types[below(f, sizeof types / sizeof *types)], -1);
  if (one_in(f, 64)) return SIZE_MAX - below(f, 3);
  return one_in(f, 3) ? below(f, 5) : 1;
}

static int32_t filter(fuzzer *f) {
  openrealm_value arguments[4];
  const char *query;
  size_t count;
  openrealm_collection *collection = objects_of(f, class_named("Item"));
  if (f->is_careful) {
    count = sound_query(f, &query, arguments);
  } else {
    count = random_arguments(f, arguments);
    query = random_query(f);
  }
  return keep(f, COLLECTION, openrealm_filter(collection, query, count, maybe(f, arguments)));
}

static int32_t query_check(fuzzer *f) {
  openrealm_value arguments[4];
  size_t count = random_arguments(f, arguments);
  const char *query = random_query(f);
  int32_t class_number = random_class(f);
  if (f->is_careful) {
    count = sound_query(f, &query, arguments);
    class_number = class_named("Item");
  }
  int32_t code = openrealm_query_check(a_realm(f), class_number, query, count, maybe(f, arguments));
  openrealm_error error;
  if (code != OPENREALM_INVALID_QUERY || openrealm_last_error(&error) != code) return code;
  // The query may have been checked far enough to be refused without a place.
  if (error.position < -1 || error.position > (int64_t)strlen(query))
    stop(f, "%s: the position of a mistake is %ld", query, (long)error.position);
  return code;
}

static int32_t explain(fuzzer *f) {
  openrealm_value text = openrealm_null();
  return finish_value(f, openrealm_explain(a_collection(f), maybe(f, &text)), &text);
}

static int32_t sort(fuzzer *f) {
  openrealm_sort_key keys[3];
  for (int i = 0; i < 3; i++) keys[i] = (openrealm_sort_key){random_key_path(f), one_in(f, 2)};
  size_t count = !f->is_careful && one_in(f, 8) ? SIZE_MAX : below(f, 4);
  return keep(f, COLLECTION, openrealm_sort(objects_of(f, class_named("Item")), count, maybe(f, keys)));
}

static int32_t distinct(fuzzer *f) {
  const char *paths[3] = {random_key_path(f), random_key_path(f), random_key_path(f)};
  size_t count = !f->is_careful && one_in(f, 8) ? SIZE_MAX : below(f, 4);
  return keep(f, COLLECTION, openrealm_distinct(objects_of(f, class_named("Item")), count, maybe(f, paths)));
}

static int32_t ranked(fuzzer *f) {
  const char *paths[3] = {f->is_careful || one_in(f, 2) ? "text" : random_key_path(f), random_key_path(f),
                          random_key_path(f)};
  size_t count = f->is_careful || one_in(f, 2) ? 1 : one_in(f, 8) ? SIZE_MAX : below(f, 4);
  const char *text = random_text(f);
  return keep(f, COLLECTION,
              openrealm_ranked(objects_of(f, class_named("Item")), count, maybe(f, paths), maybe(f, (void *)text)));
}

static int32_t random_kind(fuzzer *f) {
  return !f->is_careful && one_in(f, 8) ? (int32_t)random_integer(f) : 1 + (int32_t)below(f, 5);
}

static int32_t aggregate(fuzzer *f) {
  openrealm_value value = openrealm_null();
  const char *path = one_in(f, 3) ? "self" : random_key_path(f);
  openrealm_collection *collection = a_collection(f);
  int32_t class_number = openrealm_collection_class(collection);
  if (f->is_careful) path = class_number < 0 ? "self" : name_in_class(f, class_number, true);
  return finish_value(f, openrealm_aggregate(collection, random_kind(f), path, maybe(f, &value)), &value);
}

static bool take_group(void *context, const openrealm_value *key, const openrealm_value *value) {
  fuzzer *f = context;
  if (!key || !value) stop(f, "%s: no key or value %ld", "openrealm_group", 0);
  if (one_in(f, 8)) call_back(f);
  return !one_in(f, 8);
}

static int32_t group(fuzzer *f) {
  openrealm_collection *collection = objects_of(f, class_named("Item"));
  const char *path = f->is_careful ? name_in_class(f, class_named("Item"), true) : random_key_path(f);
  return openrealm_group(collection, random_key_path(f), random_kind(f), path, one_in(f, 32) ? NULL : take_group, f);
}

const call query_calls[] = {
    {"openrealm_filter", 50, filter},
    {"openrealm_query_check", 20, query_check},
    {"openrealm_explain", 4, explain},
    {"openrealm_sort", 20, sort},
    {"openrealm_distinct", 12, distinct},
    {"openrealm_ranked", 6, ranked},
    {"openrealm_aggregate", 20, aggregate},
    {"openrealm_group", 8, group},
    {NULL, 0, NULL},
};
