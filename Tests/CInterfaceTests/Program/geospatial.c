// Tests of regions in queries.
#include <math.h>

#include "test.h"

// A schema with a class "Hut" (id, place, places), whose places are points, and "Road", which are none.
static openrealm_schema *huts(void) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Place", true));
  add_property(schema, "type", OPENREALM_STRING, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "coordinates", OPENREALM_DOUBLE, OPENREALM_LIST, 0, NULL);
  OK(openrealm_schema_add_class(schema, "Road", true));
  add_property(schema, "length", OPENREALM_DOUBLE, OPENREALM_SINGLE, 0, NULL);
  OK(openrealm_schema_add_class(schema, "Hut", false));
  add_property(schema, "id", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL);
  add_property(schema, "place", OPENREALM_OBJECT, OPENREALM_SINGLE, OPENREALM_OPTIONAL, "Place");
  add_property(schema, "road", OPENREALM_OBJECT, OPENREALM_SINGLE, OPENREALM_OPTIONAL, "Road");
  return schema;
}

static void add_hut(openrealm_realm *realm, int64_t id, double latitude, double longitude) {
  int32_t class_number = openrealm_class_number(realm, "Hut"), place_class = openrealm_class_number(realm, "Place");
  int32_t key = openrealm_property_number(realm, class_number, "id");
  openrealm_value value = openrealm_int(id), text = openrealm_string("Point");
  openrealm_object hut, place;
  OK(openrealm_create(realm, class_number, 1, &key, &value, &hut));
  int32_t property = openrealm_property_number(realm, class_number, "place");
  OK(openrealm_set_embedded(realm, hut, property, &place));
  OK(openrealm_set_value(realm, place, openrealm_property_number(realm, place_class, "type"), &text));
  openrealm_collection *coordinates =
      openrealm_collection_of(realm, place, openrealm_property_number(realm, place_class, "coordinates"));
  openrealm_value numbers[] = {openrealm_double(longitude), openrealm_double(latitude)};
  OK(openrealm_list_append(coordinates, &numbers[0]));
  OK(openrealm_list_append(coordinates, &numbers[1]));
  openrealm_release(coordinates);
}

static size_t count_in(openrealm_collection *all, openrealm_region region) {
  openrealm_value argument = openrealm_region_value(&region);
  openrealm_collection *found = openrealm_filter(all, "place IN %@", 1, &argument);
  CHECK(found != NULL);
  size_t count;
  OK(openrealm_count(found, &count));
  openrealm_release(found);
  return count;
}

static void regions_find_what_lies_in_them(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts());
  OK(openrealm_begin(realm));
  // A grid of a degree from 0 to 9, and a hut at 179 degrees west.
  for (int row = 0; row < 10; row++) {
    for (int column = 0; column < 10; column++) add_hut(realm, row * 10 + column, row, column);
  }
  add_hut(realm, 100, 0, -179);
  OK(openrealm_commit(realm));
  openrealm_collection *all = openrealm_objects(realm, openrealm_class_number(realm, "Hut"));
  EQUAL(4 * 3, count_in(all, openrealm_box((openrealm_point){2, 3}, (openrealm_point){5, 5})));
  // Across the antimeridian, where the box has both sides.
  EQUAL(11, count_in(all, openrealm_box((openrealm_point){0, 0}, (openrealm_point){0, -179})));
  EQUAL(1, count_in(all, openrealm_box((openrealm_point){0, 170}, (openrealm_point){0, -170})));
  // The hut and its four neighbours, of which the two in the north and south are exactly a degree away.
  double degree = acos(-1) / 180;
  EQUAL(5, count_in(all, openrealm_circle((openrealm_point){4, 4}, degree * 1.0001)));
  EQUAL(1, count_in(all, openrealm_circle((openrealm_point){4, 4}, 0)));
  EQUAL(101, count_in(all, openrealm_circle((openrealm_point){4, 4}, INFINITY)));
  openrealm_point outer[] = {{1.5, 1.5}, {1.5, 6.5}, {6.5, 6.5}, {6.5, 1.5}, {1.5, 1.5}};
  openrealm_point hole[] = {{3.5, 3.5}, {3.5, 4.5}, {4.5, 4.5}, {4.5, 3.5}, {3.5, 3.5}};
  openrealm_ring rings[] = {{5, outer}, {5, hole}};
  EQUAL(25, count_in(all, openrealm_polygon(1, rings)));
  EQUAL(24, count_in(all, openrealm_polygon(2, rings)));
  // Together with other arguments, and checked without a collection.
  openrealm_region polygon = openrealm_polygon(1, rings);
  openrealm_value arguments[] = {openrealm_int(30), openrealm_region_value(&polygon)};
  openrealm_collection *found = openrealm_filter(all, "id < %d AND place IN %@", 2, arguments);
  size_t count;
  OK(openrealm_count(found, &count));
  EQUAL(5, count);
  openrealm_release(found);
  OK(openrealm_query_check(realm, openrealm_class_number(realm, "Hut"), "NOT place IN %@", 1, arguments + 1));
  openrealm_release(all);
  openrealm_release(realm);
}

// A point whose latitude or longitude is null is in no region, and null is not taken for zero.
static void coordinates_may_hold_null(const char *folder) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Place", true));
  add_property(schema, "type", OPENREALM_STRING, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "coordinates", OPENREALM_DOUBLE, OPENREALM_LIST, OPENREALM_OPTIONAL, NULL);
  OK(openrealm_schema_add_class(schema, "Hut", false));
  add_property(schema, "id", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL);
  add_property(schema, "place", OPENREALM_OBJECT, OPENREALM_SINGLE, OPENREALM_OPTIONAL, "Place");
  openrealm_realm *realm = open_in(folder, schema);
  OK(openrealm_begin(realm));
  for (int row = 0; row < 3; row++) add_hut(realm, row, 1, 1);
  int32_t place_class = openrealm_class_number(realm, "Place");
  openrealm_value null = openrealm_null();
  for (int row = 0; row < 2; row++) {
    openrealm_collection *coordinates =
        openrealm_collection_of(realm, (openrealm_object){place_class, row},
                                openrealm_property_number(realm, place_class, "coordinates"));
    OK(openrealm_list_set(coordinates, (size_t)row, &null));
    openrealm_release(coordinates);
  }
  OK(openrealm_commit(realm));
  openrealm_collection *all = openrealm_objects(realm, openrealm_class_number(realm, "Hut"));
  EQUAL(1, count_in(all, openrealm_box((openrealm_point){-5, -5}, (openrealm_point){5, 5})));
  openrealm_release(all);
  openrealm_release(realm);
}

// Fails unless a query with a region is refused with a code.
static void refuse(openrealm_collection *all, const char *query, int32_t code, openrealm_region region) {
  openrealm_value argument = openrealm_region_value(&region);
  NO_HANDLE(code, openrealm_filter(all, query, 1, &argument));
}

static void impossible_regions_are_refused(const char *folder) {
  openrealm_realm *realm = open_in(folder, huts());
  openrealm_collection *all = openrealm_objects(realm, openrealm_class_number(realm, "Hut"));
  openrealm_point valid = {1, 2};
  openrealm_region circle = openrealm_circle(valid, 1);
  refuse(all, "place IN %@", OPENREALM_INVALID_VALUE, openrealm_circle(valid, -1));
  refuse(all, "place IN %@", OPENREALM_INVALID_VALUE, openrealm_circle(valid, NAN));
  refuse(all, "place IN %@", OPENREALM_INVALID_VALUE, openrealm_circle((openrealm_point){91, 0}, 1));
  refuse(all, "place IN %@", OPENREALM_INVALID_VALUE, openrealm_box(valid, (openrealm_point){0, -180.5}));
  refuse(all, "place IN %@", OPENREALM_INVALID_VALUE, openrealm_box((openrealm_point){NAN, 0}, valid));
  openrealm_point crossing[] = {{0, 0}, {5, 5}, {0, 5}, {5, 0}, {0, 0}}, open_ring[] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
  openrealm_ring rings[] = {{5, crossing}, {4, open_ring}, {5, NULL}, {SIZE_MAX, crossing}};
  refuse(all, "place IN %@", OPENREALM_INVALID_QUERY, openrealm_polygon(1, rings));
  refuse(all, "place IN %@", OPENREALM_INVALID_VALUE, openrealm_polygon(1, rings + 1));
  refuse(all, "place IN %@", OPENREALM_BAD_ARGUMENT, openrealm_polygon(1, rings + 2));
  refuse(all, "place IN %@", OPENREALM_BAD_ARGUMENT, openrealm_polygon(1, rings + 3));
  refuse(all, "place IN %@", OPENREALM_BAD_ARGUMENT, openrealm_polygon(1, NULL));
  refuse(all, "place IN %@", OPENREALM_BAD_ARGUMENT, openrealm_polygon(SIZE_MAX, rings));
  refuse(all, "place IN %@", OPENREALM_INVALID_VALUE, openrealm_polygon(0, NULL));
  refuse(all, "place IN %@", OPENREALM_BAD_ARGUMENT, (openrealm_region){.shape = 9});
  refuse(all, "road IN %@", OPENREALM_INVALID_QUERY, circle);
  refuse(all, "id IN %@", OPENREALM_INVALID_QUERY, circle);
  refuse(all, "place = %@", OPENREALM_INVALID_QUERY, circle);
  openrealm_value none = openrealm_region_value(NULL), region = openrealm_region_value(&circle);
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_filter(all, "place IN %@", 1, &none));
  // A region is no value.
  OK(openrealm_begin(realm));
  int32_t id = openrealm_property_number(realm, openrealm_class_number(realm, "Hut"), "id");
  openrealm_object hut;
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_create(realm, openrealm_class_number(realm, "Hut"), 1, &id, &region, &hut));
  OK(openrealm_cancel(realm));
  openrealm_release(all);
  openrealm_release(realm);
}

// Prints the keys of the huts that each region finds, a line for each: GeospatialTests.swift compares them with its own.
static void with_swift_regions(const char *folder) {
  openrealm_realm *realm = openrealm_open(configuration_in(folder, NULL));
  CHECK(realm != NULL);
  int32_t class_number = openrealm_class_number(realm, "RegionHut");
  int32_t id = openrealm_property_number(realm, class_number, "id");
  openrealm_collection *all = openrealm_objects(realm, class_number);
  openrealm_point outer[] = {{-40, 100}, {-40, -120}, {50, -120}, {50, 100}, {-40, 100}};
  openrealm_point hole[] = {{-10, 160}, {-10, -160}, {10, -160}, {10, 160}, {-10, 160}};
  openrealm_ring rings[] = {{5, outer}, {5, hole}};
  openrealm_region regions[] = {openrealm_circle((openrealm_point){47, 11}, 0.8),
                                openrealm_circle((openrealm_point){-90, 0}, 1),
                                openrealm_box((openrealm_point){-20, 90}, (openrealm_point){60, -30}),
                                openrealm_box((openrealm_point){-20, -30}, (openrealm_point){60, 90}),
                                openrealm_polygon(1, rings), openrealm_polygon(2, rings)};
  for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
    openrealm_value argument = openrealm_region_value(&regions[i]);
    openrealm_collection *found = openrealm_filter(all, "place IN %@", 1, &argument);
    CHECK(found != NULL);
    int64_t rows[1000];
    size_t count;
    OK(openrealm_rows(found, 0, 1000, rows, &count));
    for (size_t row = 0; row < count; row++) {
      int64_t key;
      OK(openrealm_get_int(realm, (openrealm_object){class_number, rows[row]}, id, &key));
      printf("%lld ", (long long)key);
    }
    puts("");
    openrealm_release(found);
  }
  openrealm_release(all);
  openrealm_release(realm);
}

TESTS(geospatial, {"regions_find_what_lies_in_them", regions_find_what_lies_in_them},
      {"coordinates_may_hold_null", coordinates_may_hold_null},
      {"impossible_regions_are_refused", impossible_regions_are_refused}, {"with_swift_regions", with_swift_regions})
