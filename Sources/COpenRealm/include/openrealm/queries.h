// Queries, order, aggregates and groups.
//
// Functions that return a collection never change the one that they are given, and cost little: results are computed
// when they are first read. Codes that all functions for collections return are listed in collections.h.
#ifndef OPENREALM_QUERIES_H
#define OPENREALM_QUERIES_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// A position on the Earth in degrees: latitudes from -90 to 90, longitudes from -180 to 180.
typedef struct openrealm_point {
  double latitude;
  double longitude;
} openrealm_point;

// A closed line of at least four points, of which the last equals the first. Edges are the shortest lines.
typedef struct openrealm_ring {
  size_t count;
  const openrealm_point *points;
} openrealm_ring;

enum {
  OPENREALM_CIRCLE = 1,  // what is at most `radius` away from `center`
  OPENREALM_BOX = 2,     // what lies between two parallels and two meridians, eastwards from `south_west`
  OPENREALM_POLYGON = 3  // what the first ring encloses, without the holes that the others enclose
};

// A part of the Earth's surface, the boundary included. `shape` says which member of `as` is meant.
struct openrealm_region {
  int32_t shape;
  union {
    struct {
      openrealm_point center;
      double radius;  // as a central angle, in radians; the radius of the Earth is 6,378,100 m
    } circle;
    struct {
      openrealm_point south_west;
      openrealm_point north_east;
    } box;
    struct {
      size_t ring_count;
      const openrealm_ring *rings;
    } polygon;
  } as;
};

static inline openrealm_region openrealm_circle(openrealm_point center, double radius) {
  openrealm_region region;
  memset(&region, 0, sizeof region);
  region.shape = OPENREALM_CIRCLE;
  region.as.circle.center = center;
  region.as.circle.radius = radius;
  return region;
}
static inline openrealm_region openrealm_box(openrealm_point south_west, openrealm_point north_east) {
  openrealm_region region;
  memset(&region, 0, sizeof region);
  region.shape = OPENREALM_BOX;
  region.as.box.south_west = south_west;
  region.as.box.north_east = north_east;
  return region;
}
static inline openrealm_region openrealm_polygon(size_t ring_count, const openrealm_ring *rings) {
  openrealm_region region;
  memset(&region, 0, sizeof region);
  region.shape = OPENREALM_POLYGON;
  region.as.polygon.ring_count = ring_count;
  region.as.polygon.rings = rings;
  return region;
}

// A region as an argument of a query: "place IN %@", where `place` is an embedded object of a class that has a string
// `type`, which is "Point", and a list of doubles `coordinates` with longitude and latitude. An object with null for one
// of them is in no region. The region and its rings are borrowed until the call returns.
static inline openrealm_value openrealm_region_value(const openrealm_region *region) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_REGION;
  value.as.region = region;
  return value;
}

// Returns the objects of a collection for which a query is true, as results that follow later changes. The query is a
// format string of NSPredicate: "age > %d AND name BEGINSWITH[c] %@". Each %@, %d and so on takes the next argument,
// whose type counts; %K takes a string with a key path. Objects are passed as openrealm_link, and null as
// openrealm_null. Arguments that the format does not take are ignored.
//
// OPENREALM_INVALID_QUERY for a wrong query: `openrealm_last_error` has the position of a mistake in its syntax, in
// bytes; -1 when the query names an unknown property, compares values that do not fit, or has a polygon whose rings
// cross. OPENREALM_INVALID_VALUE for text that is not UTF-8 and regions with impossible numbers,
// OPENREALM_NO_SUCH_OBJECT for an argument that was deleted, OPENREALM_WRONG_TYPE for collections of other values.
openrealm_collection *openrealm_filter(openrealm_collection *collection, const char *query, size_t count,
                                       const openrealm_value *arguments);

// Checks a query for a class without running it. The codes are those of `openrealm_filter`, and
// OPENREALM_NO_SUCH_CLASS.
int32_t openrealm_query_check(openrealm_realm *realm, int32_t class_number, const char *query, size_t count,
                              const openrealm_value *arguments);

// Writes into a string value, which the caller clears, how results are computed: indexes, order of tests, estimated
// counts. The results are computed for that. The wording is for people, and changes with versions.
int32_t openrealm_explain(openrealm_collection *results, openrealm_value *text);

// One key of an order.
typedef struct openrealm_sort_key {
  const char *key_path;  // "name" or "owner.name"; "self" for the elements of lists and sets of values
  bool descending;
} openrealm_sort_key;

// Returns results in an order. Of equal elements the former order is kept. Values have one key, "self".
// OPENREALM_INVALID_QUERY for a key path that does not exist or has no order.
openrealm_collection *openrealm_sort(openrealm_collection *collection, size_t count, const openrealm_sort_key *keys);

// Returns results with the first object of those that have the same values for all key paths, at least one; of values
// the first of those that are equal, by "self". OPENREALM_INVALID_QUERY as for `openrealm_sort`.
openrealm_collection *openrealm_distinct(openrealm_collection *collection, size_t count, const char *const *key_paths);

// Returns results with the objects whose text matches a search, in the order of how well they fit; the words and
// operators are those of the TEXT operator of queries. The properties, at least one, have full-text indexes:
// OPENREALM_INVALID_QUERY. The results are a snapshot.
openrealm_collection *openrealm_ranked(openrealm_collection *collection, size_t count, const char *const *key_paths,
                                       const char *text);

enum {
  OPENREALM_MINIMUM = 1,
  OPENREALM_MAXIMUM = 2,
  OPENREALM_SUM = 3,
  OPENREALM_AVERAGE = 4,
  OPENREALM_COUNT = 5  // of values that are not null
};

// Computes an aggregate over a property of the objects, or over the elements themselves with "self". Nulls are left
// out. The value is null for minimum, maximum and average of nothing, and 0 for the sum. Sums of ints are ints and
// wrap around, sums of floats are doubles, averages doubles or decimals. The caller clears the value.
//
// OPENREALM_NO_SUCH_PROPERTY; OPENREALM_WRONG_TYPE for types that do not have the aggregate: numbers and mixed values
// have all, dates minimum and maximum, and every single value the count.
int32_t openrealm_aggregate(openrealm_collection *collection, int32_t kind, const char *key_path,
                            openrealm_value *value);

// Groups the objects of a collection by a property, also of an object that they link to ("owner.age"), and computes
// an aggregate for each group. Calls back for each group in ascending order of the keys, null first, on this thread,
// before it returns; a callback that returns false ends the calls. `key_path` is the property of the aggregate, and
// may be NULL for OPENREALM_COUNT, which then counts objects. Key and value are valid until the callback returns,
// which may call anything.
//
// OPENREALM_INVALID_QUERY if the property does not exist or is a link or a collection; codes of the aggregate as
// above.
int32_t openrealm_group(openrealm_collection *collection, const char *group_key_path, int32_t kind,
                        const char *key_path,
                        bool (*group)(void *context, const openrealm_value *key, const openrealm_value *value),
                        void *context);

#ifdef __cplusplus
}
#endif
#endif
