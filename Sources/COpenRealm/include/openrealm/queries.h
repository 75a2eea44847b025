// Queries, order, aggregates and groups.
#ifndef OPENREALM_QUERIES_H
#define OPENREALM_QUERIES_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// The objects of a collection for which a query is true, as results that follow later changes. The query is a format string
// of NSPredicate: "age > %d AND name BEGINSWITH[c] %@". Each %@, %d and so on takes the next argument, whose type counts; %K
// takes a string with a key path. Objects are passed as openrealm_link. A wrong query is refused with
// OPENREALM_INVALID_QUERY and the position of the mistake.
openrealm_collection *openrealm_filter(openrealm_collection *collection, const char *query, size_t count,
                                       const openrealm_value *arguments);

// Checks a query for a class without running it. OPENREALM_INVALID_QUERY as above.
int32_t openrealm_query_check(openrealm_realm *realm, int32_t class_number, const char *query, size_t count,
                              const openrealm_value *arguments);

// Writes into a string value, which the caller clears, how results are computed: indexes, order of tests, estimated counts.
int32_t openrealm_explain(openrealm_collection *results, openrealm_value *text);

// One key of an order.
typedef struct openrealm_sort_key {
  const char *key_path;  // "name" or "owner.name"; "self" for the elements of lists and sets of values
  bool descending;
} openrealm_sort_key;

// Results in an order. Of equal elements the former order is kept.
openrealm_collection *openrealm_sort(openrealm_collection *collection, size_t count, const openrealm_sort_key *keys);

// Results with the first object of those that have the same values for all key paths.
openrealm_collection *openrealm_distinct(openrealm_collection *collection, size_t count, const char *const *key_paths);

// Results with the objects whose text contains all words, in the order of how well they fit; the words and operators
// are those of the TEXT operator of queries. The properties have full-text indexes.
openrealm_collection *openrealm_ranked(openrealm_collection *collection, size_t count, const char *const *key_paths,
                                       const char *text);

enum {
  OPENREALM_MINIMUM = 1,
  OPENREALM_MAXIMUM = 2,
  OPENREALM_SUM = 3,
  OPENREALM_AVERAGE = 4,
  OPENREALM_COUNT = 5  // of values that are not null
};

// An aggregate over a property, or over the elements themselves with "self". Nulls are left out. The value is null for
// minimum, maximum and average of nothing. The caller clears it.
int32_t openrealm_aggregate(openrealm_collection *collection, int32_t kind, const char *key_path, openrealm_value *value);

// Groups the objects of a collection by a property, and computes an aggregate for each group. Calls back for each group in
// the order of the keys, on this thread, before it returns; a callback that returns false ends the calls. `key_path` of the
// aggregate may be NULL for OPENREALM_COUNT, which then counts objects.
int32_t openrealm_group(openrealm_collection *collection, const char *group_key_path, int32_t kind, const char *key_path,
                        bool (*group)(void *context, const openrealm_value *key, const openrealm_value *value),
                        void *context);

#ifdef __cplusplus
}
#endif
#endif
