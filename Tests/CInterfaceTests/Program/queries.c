// Tests of queries.h.
#include "query_fixture.h"

static void queries_find_what_loops_find(const char *folder) {
  fixture known = open_fixture(folder);
  static openrealm_object dogs[COUNT];
  add_dogs(&known, dogs);
  openrealm_collection *all = openrealm_objects(known.realm, known.dog);
  openrealm_value arguments[] = {openrealm_int(5), openrealm_string("dog 1")};
  openrealm_collection *found = openrealm_filter(all, "age < %d AND name BEGINSWITH %@", 2, arguments);
  size_t expected = 0;
  for (int i = 0; i < COUNT; i++) expected += i % 17 < 5 && (i * 7919) % COUNT / 1000 == 1;
  EQUAL(expected, count_of(found));
  openrealm_value owner = openrealm_link(dogs[41]);
  openrealm_collection *owned = openrealm_filter(all, "owner = %@", 1, &owner);
  EQUAL(1, count_of(owned));
  size_t place;
  openrealm_value dog = openrealm_link(dogs[42]), other = openrealm_link(dogs[43]);
  OK(openrealm_index_of(owned, &dog, &place));
  EQUAL(0, place);
  REFUSED(OPENREALM_NOT_FOUND, openrealm_index_of(owned, &other, &place));
  openrealm_value null = openrealm_null(), date = openrealm_date_value(1000101, 0);
  EQUAL(COUNT / 4, count_of(openrealm_filter(all, "born = %@", 1, &null)));
  size_t after = 0;
  for (int i = 0; i < COUNT; i++) after += i % 4 != 0 && i >= 101;
  EQUAL(after, count_of(openrealm_filter(all, "born > %@", 1, &date)));
  openrealm_decimal128 minus_three;
  OK(openrealm_decimal128_parse("-3.0", &minus_three));
  openrealm_value decimal = openrealm_decimal128_value(minus_three);
  EQUAL(COUNT / 2, count_of(openrealm_filter(all, "decimal = %@", 1, &decimal)));
  openrealm_value path[] = {openrealm_string("owner.age"), openrealm_int(3)};
  size_t by_path = 0;
  for (int i = 1; i < COUNT; i++) by_path += (i - 1) % 17 == 3;
  EQUAL(by_path, count_of(openrealm_filter(all, "%K = %d", 2, path)));

  // In a list, which has its own order, and as live results.
  OK(openrealm_begin(known.realm));
  openrealm_collection *friends = openrealm_collection_of(known.realm, dogs[0], known.friends);
  for (int i = 30; i > 10; i--) {
    openrealm_value friend = openrealm_link(dogs[i]);
    OK(openrealm_list_append(friends, &friend));
  }
  openrealm_collection *good = openrealm_filter(friends, "good = true", 0, NULL);
  EQUAL(7, count_of(good));
  int64_t rows[COUNT];
  size_t copied;
  OK(openrealm_rows(good, 0, COUNT, rows, &copied));
  EQUAL(7, copied);
  EQUAL(dogs[30].row, rows[0]);
  OK(openrealm_rows(good, 7, COUNT, rows, &copied));
  EQUAL(0, copied);
  OK(openrealm_set_bool(known.realm, dogs[30], known.good, false));
  EQUAL(6, count_of(good));
  OK(openrealm_commit(known.realm));
  openrealm_value text;
  OK(openrealm_explain(found, &text));
  CHECK(strstr(text.as.bytes.bytes, "Dog") != NULL);
  openrealm_value_clear(&text);
}

static void wrong_queries_say_where(const char *folder) {
  fixture known = open_fixture(folder);
  openrealm_collection *all = openrealm_objects(known.realm, known.dog);
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_filter(all, "name = 'ä\xf0\x9f\x90\x95' AND AND", 0, NULL));
  openrealm_error error;
  openrealm_last_error(&error);
  EQUAL(23, error.position);
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_filter(all, "", 0, NULL));
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_filter(all, "nothing = 1", 0, NULL));
  openrealm_last_error(&error);
  EQUAL(-1, error.position);
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_filter(all, "age = 'text'", 0, NULL));
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_filter(all, "age = %d", 0, NULL));
  openrealm_value argument = openrealm_int(1);
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_filter(all, "age = %d", 1, NULL));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_filter(all, NULL, 0, NULL));
  NO_HANDLE(OPENREALM_INVALID_VALUE, openrealm_filter(all, "name = '\xff'", 0, NULL));
  argument = openrealm_text("\xff", 1);
  NO_HANDLE(OPENREALM_INVALID_VALUE, openrealm_filter(all, "name = %@", 1, &argument));
  argument = openrealm_link((openrealm_object){known.dog, 5});
  NO_HANDLE(OPENREALM_NO_SUCH_OBJECT, openrealm_filter(all, "owner = %@", 1, &argument));
  argument = openrealm_empty_list();
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_filter(all, "age = %@", 1, &argument));
  REFUSED(OPENREALM_INVALID_QUERY, openrealm_query_check(known.realm, known.dog, "age <", 0, NULL));
  OK(openrealm_query_check(known.realm, known.dog, "age < 5", 0, NULL));
  REFUSED(OPENREALM_NO_SUCH_CLASS, openrealm_query_check(known.realm, 9, "age < 5", 0, NULL));

  // Numbers that no array has: nothing is read.
  const char *name = "age";
  openrealm_sort_key key = {"age", false};
  const size_t impossible[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 64, 65537};
  for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
    NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_filter(all, "age = %d", impossible[i], &argument));
    REFUSED(OPENREALM_BAD_ARGUMENT,
            openrealm_query_check(known.realm, known.dog, "age = %d", impossible[i], &argument));
    NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_sort(all, impossible[i], &key));
    NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_distinct(all, impossible[i], &name));
    NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_ranked(all, impossible[i], &name, "text"));
  }

  openrealm_sort_key keys[] = {{"age", true}, {"nothing", false}};
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_sort(all, 2, keys));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_sort(all, 2, NULL));
  const char *paths[] = {"friends", NULL};
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_distinct(all, 1, paths));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_distinct(all, 2, paths));
  NO_HANDLE(OPENREALM_BAD_ARGUMENT, openrealm_distinct(all, 0, NULL));
  const char *names[] = {"name"};
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_ranked(all, 1, names, "snow"));
  openrealm_value value;
  REFUSED(OPENREALM_NO_SUCH_PROPERTY, openrealm_aggregate(all, OPENREALM_SUM, "nothing", &value));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_aggregate(all, OPENREALM_SUM, "name", &value));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_aggregate(all, 99, "age", &value));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_aggregate(all, OPENREALM_SUM, NULL, &value));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_group(all, "age", OPENREALM_COUNT, NULL, NULL, NULL));
}

// A text that is repeated, with another one in the middle. Never freed.
static char *repeated(const char *before, int times, const char *middle, const char *after) {
  size_t size = (strlen(before) + strlen(after)) * (size_t)times + strlen(middle) + 1;
  char *text = calloc(1, size), *end = text;
  for (int i = 0; i < times; i++) end = stpcpy(end, before);
  end = stpcpy(end, middle);
  for (int i = 0; i < times; i++) end = stpcpy(end, after);
  return text;
}

// Whatever the query is, it is answered or refused.
static void deep_and_long_queries_are_answered(const char *folder) {
  fixture known = open_fixture(folder);
  openrealm_collection *all = openrealm_objects(known.realm, known.dog);
  const char *const queries[] = {
      repeated("(", 50000, "age = 1", ")"),
      repeated("NOT ", 50000, "age = 1", ""),
      repeated("age = 1 AND ", 20000, "age = 1", ""),
      repeated("(age = 1 OR ", 20000, "age = 1", ")"),
      repeated("", 0, "age IN {1, 2, 3}", ""),
      repeated("owner.", 20000, "age = 1", ""),
      repeated("(", 50000, "", ""),
      repeated("SUBQUERY(friends, $x, ", 3000, "$x.age = 1", ").@count > 0"),
      repeated("{", 20000, "1", "}"),
      repeated("'", 50001, "", ""),
      repeated("-", 50000, "1", ""),
  };
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
    openrealm_collection *found = openrealm_filter(all, queries[i], 0, NULL);
    openrealm_error error;
    if (!found) {
      openrealm_last_error(&error);
      EQUAL(OPENREALM_INVALID_QUERY, error.code);
      CHECK(error.position >= -1 && error.position <= (int64_t)strlen(queries[i]));
      continue;
    }
    EQUAL(0, count_of(found));
    openrealm_value text;
    OK(openrealm_explain(found, &text));
    openrealm_value_clear(&text);
    openrealm_release(found);
  }
  // Results of results of results.
  openrealm_collection *found = openrealm_retain(all);
  for (int i = 0; i < 20000; i++) {
    openrealm_collection *next = openrealm_filter(found, "age >= 0", 0, NULL);
    CHECK(next != NULL);
    openrealm_release(found);
    found = next;
  }
  EQUAL(0, count_of(found));
  openrealm_release(found);
  openrealm_release(all);
  openrealm_release(known.realm);
}

static void orders_and_distinct_values_are_those_of_the_query(const char *folder) {
  fixture known = open_fixture(folder);
  static openrealm_object dogs[COUNT];
  add_dogs(&known, dogs);
  openrealm_collection *all = openrealm_objects(known.realm, known.dog);
  openrealm_sort_key keys[] = {{"age", true}, {"name", false}};
  openrealm_collection *sorted = openrealm_sort(all, 2, keys);
  static int64_t rows[COUNT], ages[COUNT];
  size_t copied;
  OK(openrealm_rows(sorted, 0, COUNT, rows, &copied));
  EQUAL(COUNT, copied);
  OK(openrealm_column(sorted, known.age, 0, COUNT, ages, NULL));
  for (int i = 0; i < COUNT; i++) {
    openrealm_object dog = {known.dog, rows[i]};
    int64_t age;
    OK(openrealm_get_int(known.realm, dog, known.age, &age));
    EQUAL(age, ages[i]);
    CHECK(i == 0 || ages[i - 1] >= age);
  }
  const char *paths[] = {"age"};
  EQUAL(17, count_of(openrealm_distinct(sorted, 1, paths)));
  const char *notes[] = {"notes"};
  openrealm_collection *ranked = openrealm_ranked(all, 1, notes, "bridge");
  EQUAL(COUNT / 5, count_of(ranked));

  OK(openrealm_begin(known.realm));
  openrealm_collection *numbers = openrealm_collection_of(known.realm, dogs[0], known.numbers);
  int64_t given[] = {5, 3, 5, -1};
  for (int i = 0; i < 4; i++) {
    openrealm_value number = openrealm_int(given[i]);
    OK(openrealm_list_append(numbers, &number));
  }
  openrealm_value null = openrealm_null(), value;
  OK(openrealm_list_append(numbers, &null));
  openrealm_sort_key self = {"self", false};
  const char *selves[] = {"self"};
  openrealm_collection *in_order = openrealm_sort(openrealm_distinct(numbers, 1, selves), 1, &self);
  EQUAL(4, count_of(in_order));
  OK(openrealm_at(in_order, 1, &value));
  EQUAL(-1, value.as.integer);
  NO_HANDLE(OPENREALM_INVALID_QUERY, openrealm_sort(numbers, 2, keys));
  NO_HANDLE(OPENREALM_WRONG_TYPE, openrealm_filter(numbers, "self > 1", 0, NULL));
  OK(openrealm_aggregate(numbers, OPENREALM_SUM, "self", &value));
  EQUAL(12, value.as.integer);
  OK(openrealm_aggregate(numbers, OPENREALM_COUNT, "self", &value));
  EQUAL(4, value.as.integer);
  OK(openrealm_aggregate(numbers, OPENREALM_MAXIMUM, "self", &value));
  EQUAL(5, value.as.integer);
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_aggregate(numbers, OPENREALM_SUM, "age", &value));
  OK(openrealm_commit(known.realm));
}

typedef struct groups {
  openrealm_collection *all;
  int64_t keys[32], values[32];
  size_t count, limit;
} groups;

static bool take_group(void *context, const openrealm_value *key, const openrealm_value *value) {
  groups *found = context;
  found->keys[found->count] = key->type == OPENREALM_NULL ? -1 : key->as.integer;
  found->values[found->count++] = value->as.integer;
  // Calls in between are allowed.
  size_t count;
  OK(openrealm_count(found->all, &count));
  return found->count < found->limit;
}

static void aggregates_and_groups_are_those_of_loops(const char *folder) {
  fixture known = open_fixture(folder);
  static openrealm_object dogs[COUNT];
  add_dogs(&known, dogs);
  openrealm_collection *all = openrealm_objects(known.realm, known.dog);
  int64_t sum = 0, counted = 0, maximum = 0;
  for (int i = 0; i < COUNT; i++) {
    if (i % 10 == 0) continue;
    sum += i;
    counted++;
    maximum = i;
  }
  openrealm_value value;
  OK(openrealm_aggregate(all, OPENREALM_SUM, "maybe", &value));
  EQUAL(sum, value.as.integer);
  OK(openrealm_aggregate(all, OPENREALM_COUNT, "maybe", &value));
  EQUAL(counted, value.as.integer);
  OK(openrealm_aggregate(all, OPENREALM_MAXIMUM, "maybe", &value));
  EQUAL(maximum, value.as.integer);
  OK(openrealm_aggregate(all, OPENREALM_AVERAGE, "maybe", &value));
  EQUAL(OPENREALM_DOUBLE, value.type);
  CHECK(value.as.number == (double)sum / (double)counted);
  OK(openrealm_aggregate(all, OPENREALM_MINIMUM, "born", &value));
  EQUAL(OPENREALM_DATE, value.type);
  EQUAL(1000001, value.as.date.seconds);
  openrealm_collection *none = openrealm_filter(all, "FALSEPREDICATE", 0, NULL);
  OK(openrealm_aggregate(none, OPENREALM_AVERAGE, "maybe", &value));
  EQUAL(OPENREALM_NULL, value.type);
  OK(openrealm_aggregate(none, OPENREALM_SUM, "maybe", &value));
  EQUAL(0, value.as.integer);

  groups found = {.all = all, .limit = 32};
  OK(openrealm_group(all, "age", OPENREALM_COUNT, NULL, take_group, &found));
  EQUAL(17, found.count);
  int64_t expected[17] = {0}, with_value[17] = {0}, sums[17] = {0};
  for (int i = 0; i < COUNT; i++) {
    expected[i % 17]++;
    if (i % 10) {
      with_value[i % 17]++;
      sums[i % 17] += i;
    }
  }
  for (int i = 0; i < 17; i++) {
    EQUAL(i, found.keys[i]);
    EQUAL(expected[i], found.values[i]);
  }
  found.count = 0;
  OK(openrealm_group(all, "age", OPENREALM_COUNT, "maybe", take_group, &found));
  for (int i = 0; i < 17; i++) EQUAL(with_value[i], found.values[i]);
  found.count = 0;
  OK(openrealm_group(all, "age", OPENREALM_SUM, "maybe", take_group, &found));
  for (int i = 0; i < 17; i++) EQUAL(sums[i], found.values[i]);
  found.count = 0;
  OK(openrealm_group(all, "owner.age", OPENREALM_COUNT, NULL, take_group, &found));
  EQUAL(18, found.count);
  EQUAL(-1, found.keys[0]);
  found.count = 0;
  found.limit = 3;
  OK(openrealm_group(all, "age", OPENREALM_COUNT, NULL, take_group, &found));
  EQUAL(3, found.count);
  REFUSED(OPENREALM_INVALID_QUERY, openrealm_group(all, "friends", OPENREALM_COUNT, NULL, take_group, &found));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_group(all, "age", OPENREALM_SUM, NULL, take_group, &found));
}

TESTS(queries,
      {"queries_find_what_loops_find", queries_find_what_loops_find},
      {"wrong_queries_say_where", wrong_queries_say_where},
      {"deep_and_long_queries_are_answered", deep_and_long_queries_are_answered},
      {"orders_and_distinct_values_are_those_of_the_query", orders_and_distinct_values_are_those_of_the_query},
      {"aggregates_and_groups_are_those_of_loops", aggregates_and_groups_are_those_of_loops})
