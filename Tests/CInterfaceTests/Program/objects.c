// Objects by number: objects.h and values.h.
#include "test.h"

enum { BUFFER = 64 };

typedef struct fixture {
  openrealm_realm *realm;
  int32_t hut, part;
  int32_t id, beds, open, name, photo, built, height, area, key, price, uuid, nearest, annex, anything, guests;
} fixture;

static openrealm_schema *huts(void) {
  openrealm_schema *schema = openrealm_schema_new();
  OK(openrealm_schema_add_class(schema, "Hut", false));
  add_property(schema, "id", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG, NULL);
  add_property(schema, "beds", OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_OPTIONAL | OPENREALM_INDEXED, NULL);
  add_property(schema, "open", OPENREALM_BOOL, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "name", OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_INDEXED, NULL);
  add_property(schema, "photo", OPENREALM_DATA, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "built", OPENREALM_DATE, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "height", OPENREALM_FLOAT, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "area", OPENREALM_DOUBLE, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "key", OPENREALM_OBJECT_ID, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "price", OPENREALM_DECIMAL128, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "uuid", OPENREALM_UUID, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "nearest", OPENREALM_OBJECT, OPENREALM_SINGLE, 0, "Hut");
  add_property(schema, "annex", OPENREALM_OBJECT, OPENREALM_SINGLE, 0, "Part");
  add_property(schema, "anything", OPENREALM_MIXED, OPENREALM_SINGLE, 0, NULL);
  add_property(schema, "guests", OPENREALM_STRING, OPENREALM_LIST, 0, NULL);
  OK(openrealm_schema_add_class(schema, "Part", true));
  add_property(schema, "size", OPENREALM_INT, OPENREALM_SINGLE, 0, NULL);
  return schema;
}

static fixture open_huts(const char *folder) {
  fixture f;
  f.realm = open_in(folder, huts());
  f.hut = openrealm_class_number(f.realm, "Hut");
  f.part = openrealm_class_number(f.realm, "Part");
  CHECK(f.hut >= 0 && f.part >= 0);
#define NUMBER(property) \
  f.property = openrealm_property_number(f.realm, f.hut, #property); \
  CHECK(f.property >= 0)
  NUMBER(id);
  NUMBER(beds);
  NUMBER(open);
  NUMBER(name);
  NUMBER(photo);
  NUMBER(built);
  NUMBER(height);
  NUMBER(area);
  NUMBER(key);
  NUMBER(price);
  NUMBER(uuid);
  NUMBER(nearest);
  NUMBER(annex);
  NUMBER(anything);
  NUMBER(guests);
  return f;
}

static openrealm_object new_hut(fixture *f, int64_t id) {
  openrealm_object hut;
  openrealm_value value = openrealm_int(id);
  OK(openrealm_create(f->realm, f->hut, 1, &f->id, &value, &hut));
  return hut;
}

static void every_type_is_read_as_it_was_written(const char *folder) {
  fixture f = open_huts(folder);
  openrealm_realm *realm = f.realm;
  OK(openrealm_begin(realm));
  openrealm_object hut = new_hut(&f, 1), other = new_hut(&f, 2);
  openrealm_object_id key = openrealm_object_id_new();
  openrealm_uuid uuid = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
  openrealm_decimal128 price;
  OK(openrealm_decimal128_parse("12.50", &price));
  openrealm_date built = {1700000000, 500000000};
  OK(openrealm_set_int(realm, hut, f.beds, INT64_MIN));
  OK(openrealm_set_bool(realm, hut, f.open, true));
  OK(openrealm_set_string(realm, hut, f.name, "H\xC3\xBCtte\0x", 8));
  OK(openrealm_set_data(realm, hut, f.photo, "\0\xFF", 2));
  OK(openrealm_set_date(realm, hut, f.built, built));
  OK(openrealm_set_float(realm, hut, f.height, 1.5f));
  OK(openrealm_set_double(realm, hut, f.area, 0.1));
  OK(openrealm_set_object_id(realm, hut, f.key, key));
  OK(openrealm_set_decimal128(realm, hut, f.price, price));
  OK(openrealm_set_uuid(realm, hut, f.uuid, uuid));
  OK(openrealm_set_object(realm, hut, f.nearest, other));
  OK(openrealm_commit(realm));

  int64_t beds;
  OK(openrealm_get_int(realm, hut, f.beds, &beds));
  EQUAL(INT64_MIN, beds);
  bool is_open;
  OK(openrealm_get_bool(realm, hut, f.open, &is_open));
  CHECK(is_open);
  openrealm_bytes bytes;
  OK(openrealm_get_string(realm, hut, f.name, &bytes));
  CHECK(bytes.size == 8 && memcmp(bytes.bytes, "H\xC3\xBCtte\0x", 8) == 0);
  OK(openrealm_get_data(realm, hut, f.photo, &bytes));
  CHECK(bytes.size == 2 && memcmp(bytes.bytes, "\0\xFF", 2) == 0);
  OK(openrealm_get_string(realm, other, f.name, &bytes));
  CHECK(bytes.size == 0 && bytes.bytes);
  openrealm_date date;
  OK(openrealm_get_date(realm, hut, f.built, &date));
  EQUAL(built.seconds, date.seconds);
  EQUAL(built.nanoseconds, date.nanoseconds);
  float height;
  OK(openrealm_get_float(realm, hut, f.height, &height));
  CHECK(height == 1.5f);
  double area;
  OK(openrealm_get_double(realm, hut, f.area, &area));
  CHECK(area == 0.1);
  openrealm_object_id read_key;
  OK(openrealm_get_object_id(realm, hut, f.key, &read_key));
  CHECK(memcmp(&read_key, &key, sizeof key) == 0);
  openrealm_decimal128 read_price;
  OK(openrealm_get_decimal128(realm, hut, f.price, &read_price));
  CHECK(read_price.low == price.low && read_price.high == price.high);
  openrealm_uuid read_uuid;
  OK(openrealm_get_uuid(realm, hut, f.uuid, &read_uuid));
  CHECK(memcmp(&read_uuid, &uuid, sizeof uuid) == 0);
  openrealm_object nearest;
  OK(openrealm_get_object(realm, hut, f.nearest, &nearest));
  CHECK(nearest.class_number == f.hut && nearest.row == other.row);
  int64_t count;
  OK(openrealm_backlink_count(realm, other, &count));
  EQUAL(1, count);
  REFUSED(OPENREALM_IS_NULL, openrealm_get_object(realm, other, f.nearest, &nearest));
  REFUSED(OPENREALM_IS_NULL, openrealm_get_int(realm, other, f.beds, &beds));
  openrealm_release(realm);
}

static void dates_come_back_as_the_same_double_holds_them(const char *folder) {
  fixture f = open_huts(folder);
  OK(openrealm_begin(f.realm));
  openrealm_object hut = new_hut(&f, 1);
  const openrealm_date dates[] = {{0, 0}, {-1, 999999999}, {978307200, 0}, {978307200, 1}, {1700000000, 123456789},
                                  {INT64_MAX, 999999999}, {INT64_MIN, 0}, {-62135596800, 250000000}};
  for (size_t index = 0; index < sizeof dates / sizeof *dates; index++) {
    openrealm_date first, second;
    OK(openrealm_set_date(f.realm, hut, f.built, dates[index]));
    OK(openrealm_get_date(f.realm, hut, f.built, &first));
    CHECK(first.nanoseconds >= 0 && first.nanoseconds < 1000000000);
    OK(openrealm_set_date(f.realm, hut, f.built, first));
    OK(openrealm_get_date(f.realm, hut, f.built, &second));
    EQUAL(first.seconds, second.seconds);
    EQUAL(first.nanoseconds, second.nanoseconds);
    // What the double cannot hold of the nanoseconds.
    if (index < 5) {
      int64_t difference = (first.seconds - dates[index].seconds) * 1000000000 + first.nanoseconds;
      difference -= dates[index].nanoseconds;
      CHECK(difference > -200 && difference < 200);
    }
  }
  openrealm_date wrong = {0, 1000000000};
  REFUSED(OPENREALM_INVALID_VALUE, openrealm_set_date(f.realm, hut, f.built, wrong));
  wrong.nanoseconds = -1;
  REFUSED(OPENREALM_INVALID_VALUE, openrealm_set_date(f.realm, hut, f.built, wrong));
  openrealm_release(f.realm);
}

static void values_of_any_type_are_copied_and_cleared(const char *folder) {
  fixture f = open_huts(folder);
  OK(openrealm_begin(f.realm));
  openrealm_object hut = new_hut(&f, 1);
  openrealm_value value, read;
  value = openrealm_string("text");
  OK(openrealm_set_value(f.realm, hut, f.anything, &value));
  OK(openrealm_get_value(f.realm, hut, f.anything, &read));
  OK(openrealm_set_null(f.realm, hut, f.anything));
  CHECK(read.as.bytes.bytes[4] == 0);
  TEXT("text", &read);
  EQUAL(OPENREALM_NULL, read.type);
  openrealm_value_clear(&read);
  openrealm_value_clear(NULL);
  OK(openrealm_get_value(f.realm, hut, f.anything, &read));
  EQUAL(OPENREALM_NULL, read.type);
  value = openrealm_link(hut);
  OK(openrealm_set_value(f.realm, hut, f.anything, &value));
  OK(openrealm_get_value(f.realm, hut, f.anything, &read));
  CHECK(read.type == OPENREALM_OBJECT && read.as.object.row == hut.row);
  value = openrealm_empty_list();
  OK(openrealm_set_value(f.realm, hut, f.anything, &value));
  OK(openrealm_get_value(f.realm, hut, f.anything, &read));
  EQUAL(OPENREALM_LIST_VALUE, read.type);
  openrealm_value_clear(&read);
  value = openrealm_empty_map();
  OK(openrealm_set_value(f.realm, hut, f.anything, &value));
  OK(openrealm_get_value(f.realm, hut, f.anything, &read));
  EQUAL(OPENREALM_MAP_VALUE, read.type);
  openrealm_value_clear(&read);
  value.type = 99;
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_set_value(f.realm, hut, f.anything, &value));
  value = openrealm_text(NULL, 3);
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_set_value(f.realm, hut, f.anything, &value));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_set_value(f.realm, hut, f.anything, NULL));
  REFUSED(OPENREALM_WRONG_TYPE, openrealm_get_value(f.realm, hut, f.guests, &read));
  openrealm_release(f.realm);
}

static void wrong_pointers_are_refused(const char *folder) {
  fixture f = open_huts(folder);
  OK(openrealm_begin(f.realm));
  openrealm_object hut = new_hut(&f, 1);
  openrealm_configuration *other = openrealm_configuration_new();
  int64_t number = 7;
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_get_int(NULL, hut, f.beds, &number));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_get_int((openrealm_realm *)other, hut, f.beds, &number));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_get_int(f.realm, hut, f.id, NULL));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_set_string(f.realm, hut, f.name, NULL, 1));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_create(f.realm, f.hut, 1, NULL, NULL, NULL));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_create(f.realm, f.hut, SIZE_MAX, &f.id, NULL, NULL));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_find(f.realm, f.hut, NULL, &hut));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_create_or_update(f.realm, f.hut, 0, 0, NULL, NULL, NULL, NULL));
  REFUSED(OPENREALM_PRIMARY_KEY, openrealm_create(f.realm, f.hut, 0, NULL, NULL, NULL));
  CHECK(!openrealm_is_valid(NULL, hut));
  EQUAL(7, number);
  openrealm_release(other);
  openrealm_release(f.realm);
}

static void objects_are_updated_by_their_keys(const char *folder) {
  fixture f = open_huts(folder);
  OK(openrealm_begin(f.realm));
  int32_t properties[] = {f.id, f.beds};
  openrealm_value values[] = {openrealm_int(1), openrealm_int(10)};
  openrealm_object first, second;
  bool created;
  OK(openrealm_create_or_update(f.realm, f.hut, OPENREALM_UPDATE_ALL, 2, properties, values, &first, &created));
  CHECK(created);
  values[1] = openrealm_null();
  OK(openrealm_create_or_update(f.realm, f.hut, OPENREALM_UPDATE_MODIFIED, 2, properties, values, &second, &created));
  CHECK(!created && second.row == first.row);
  int64_t beds;
  REFUSED(OPENREALM_IS_NULL, openrealm_get_int(f.realm, first, f.beds, &beds));
  REFUSED(OPENREALM_DUPLICATE_KEY, openrealm_create(f.realm, f.hut, 2, properties, values, NULL));
  openrealm_value key = openrealm_int(2);
  REFUSED(OPENREALM_NOT_FOUND, openrealm_find(f.realm, f.hut, &key, &second));
  OK(openrealm_find(f.realm, f.hut, values, &second));
  EQUAL(first.row, second.row);
  OK(openrealm_delete(f.realm, first));
  CHECK(!openrealm_is_valid(f.realm, first));
  REFUSED(OPENREALM_NO_SUCH_OBJECT, openrealm_delete(f.realm, first));
  size_t count;
  const char *json = "[{\"id\": 5, \"annex\": {\"size\": 2}, \"guests\": [\"Ada\"]}]";
  OK(openrealm_import_json(f.realm, f.hut, OPENREALM_UPDATE_ERROR, json, strlen(json), false, &count));
  EQUAL(1, count);
  REFUSED(OPENREALM_INVALID_VALUE,
          openrealm_import_json(f.realm, f.hut, OPENREALM_UPDATE_ERROR, json, strlen(json), false, &count));
  openrealm_release(f.realm);
}

static void embedded_objects_take_the_place_of_others(const char *folder) {
  fixture f = open_huts(folder);
  OK(openrealm_begin(f.realm));
  openrealm_object hut = new_hut(&f, 1), first, second, read;
  OK(openrealm_set_embedded(f.realm, hut, f.annex, &first));
  EQUAL(f.part, first.class_number);
  OK(openrealm_set_embedded(f.realm, hut, f.annex, &second));
  CHECK(!openrealm_is_valid(f.realm, first));
  OK(openrealm_get_object(f.realm, hut, f.annex, &read));
  EQUAL(second.row, read.row);
  REFUSED(OPENREALM_EMBEDDED, openrealm_set_object(f.realm, hut, f.annex, second));
  REFUSED(OPENREALM_EMBEDDED, openrealm_set_embedded(f.realm, hut, f.nearest, NULL));
  REFUSED(OPENREALM_EMBEDDED, openrealm_create(f.realm, f.part, 0, NULL, NULL, NULL));
  OK(openrealm_set_null(f.realm, hut, f.annex));
  CHECK(!openrealm_is_valid(f.realm, second));
  openrealm_release(f.realm);
}

static void numbers_and_ids_are_texts_and_back(const char *folder) {
  (void)folder;
  openrealm_decimal128 number;
  char text[BUFFER];
  const char *numbers[] = {"12.5", "-1E-3", "NaN", "Inf", "-Inf", "0"};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
    OK(openrealm_decimal128_parse(numbers[index], &number));
    CHECK(openrealm_decimal128_print(number, text, sizeof text) == strlen(text));
    openrealm_decimal128 again;
    OK(openrealm_decimal128_parse(text, &again));
    CHECK(again.low == number.low && again.high == number.high);
  }
  OK(openrealm_decimal128_parse("12345", &number));
  EQUAL(5, openrealm_decimal128_print(number, text, 4));
  CHECK(strcmp(text, "123") == 0);
  EQUAL(5, openrealm_decimal128_print(number, NULL, 0));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_decimal128_parse("twelve", &number));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_decimal128_parse(NULL, &number));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_decimal128_parse("1", NULL));
  openrealm_object_id id;
  OK(openrealm_object_id_parse("0123456789abcdef01234567", &id));
  CHECK(id.bytes[0] == 0x01 && id.bytes[11] == 0x67);
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_object_id_parse("0123", &id));
  REFUSED(OPENREALM_BAD_ARGUMENT, openrealm_object_id_parse("\xFF", &id));
}

TESTS(objects, {"every_type_is_read_as_it_was_written", every_type_is_read_as_it_was_written},
      {"dates_come_back_as_the_same_double_holds_them", dates_come_back_as_the_same_double_holds_them},
      {"values_of_any_type_are_copied_and_cleared", values_of_any_type_are_copied_and_cleared},
      {"wrong_pointers_are_refused", wrong_pointers_are_refused},
      {"objects_are_updated_by_their_keys", objects_are_updated_by_their_keys},
      {"embedded_objects_take_the_place_of_others", embedded_objects_take_the_place_of_others},
      {"numbers_and_ids_are_texts_and_back", numbers_and_ids_are_texts_and_back})
