// Values, objects and handles.
#ifndef OPENREALM_VALUES_H
#define OPENREALM_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct openrealm_realm openrealm_realm;
typedef struct openrealm_schema openrealm_schema;
typedef struct openrealm_configuration openrealm_configuration;
typedef struct openrealm_collection openrealm_collection;
typedef struct openrealm_token openrealm_token;
typedef struct openrealm_migration openrealm_migration;
typedef struct openrealm_region openrealm_region;  // see queries.h

// Types of properties and values. The numbers are those of `RLMPropertyType`.
enum {
  OPENREALM_NULL = -1,
  OPENREALM_INT = 0,
  OPENREALM_BOOL = 1,
  OPENREALM_STRING = 2,
  OPENREALM_DATA = 3,
  OPENREALM_DATE = 4,
  OPENREALM_FLOAT = 5,
  OPENREALM_DOUBLE = 6,
  OPENREALM_OBJECT = 7,
  OPENREALM_BACKLINKS = 8,  // properties only: the objects that link to the object
  OPENREALM_MIXED = 9,      // properties only: a value of any type
  OPENREALM_OBJECT_ID = 10,
  OPENREALM_DECIMAL128 = 11,
  OPENREALM_UUID = 12,
  OPENREALM_LIST_VALUE = 13,  // values of mixed properties only: a nested list
  OPENREALM_MAP_VALUE = 14,   // values of mixed properties only: a nested map
  OPENREALM_REGION = 15       // arguments of queries only: a part of the Earth's surface
};

// Kinds of collections; OPENREALM_SINGLE is a property that is no collection.
enum {
  OPENREALM_SINGLE = 0,
  OPENREALM_LIST = 1,
  OPENREALM_SET = 2,
  OPENREALM_MAP = 3,
  OPENREALM_RESULTS = 4
};

// The number of a property counts within its class: number 0 of another class is another property.
//
// An object: the number of its class, and of its row in the file. A row number is never given to another object, so an
// object may be kept and passed to other threads, and is used there with a realm of that thread. Exception: an object
// that was created in a cancelled transaction must not be kept.
typedef struct openrealm_object {
  int32_t class_number;
  int64_t row;
} openrealm_object;

// Borrowed bytes. `bytes` is never NULL in what the library returns, also if `size` is 0. A program may pass NULL if
// `size` is 0.
typedef struct openrealm_bytes {
  const char *bytes;
  size_t size;
} openrealm_bytes;

// A point in time: seconds since 1970-01-01 00:00 UTC, and nanoseconds from 0 to 999,999,999 after them. A realm
// keeps it as seconds in a double: dates of this century are exact to about 0.1 microseconds, and a date that was
// read is written back as the same. An infinite date of another program is read as the earliest or latest.
typedef struct openrealm_date {
  int64_t seconds;
  int32_t nanoseconds;
} openrealm_date;

// An IEEE 754 decimal128 in binary integer decimal encoding: the lower and upper 64 bits.
typedef struct openrealm_decimal128 {
  uint64_t low;
  uint64_t high;
} openrealm_decimal128;

typedef struct openrealm_object_id {
  uint8_t bytes[12];
} openrealm_object_id;

typedef struct openrealm_uuid {
  uint8_t bytes[16];
} openrealm_uuid;

// A value of any type. `type` says which member of `as` is meant.
typedef struct openrealm_value {
  int32_t type;
  union {
    int64_t integer;                   // OPENREALM_INT
    bool boolean;                      // OPENREALM_BOOL
    float single;                      // OPENREALM_FLOAT
    double number;                     // OPENREALM_DOUBLE
    openrealm_bytes bytes;             // OPENREALM_STRING, OPENREALM_DATA
    openrealm_date date;               // OPENREALM_DATE
    openrealm_object_id object_id;     // OPENREALM_OBJECT_ID
    openrealm_decimal128 decimal128;   // OPENREALM_DECIMAL128
    openrealm_uuid uuid;               // OPENREALM_UUID
    openrealm_object object;           // OPENREALM_OBJECT
    openrealm_collection *collection;  // OPENREALM_LIST_VALUE, OPENREALM_MAP_VALUE
    const openrealm_region *region;    // OPENREALM_REGION
  } as;
  void *memory;  // what `openrealm_value_clear` frees; NULL in values that the program makes
} openrealm_value;

// Frees what a value that the library filled holds, which is the bytes of a string or data, or the handle of a nested
// collection, and makes the value null. Values of which nothing has to be freed, values of the program's own, and
// NULL are allowed. A value that was copied by assignment is cleared once. Any thread.
void openrealm_value_clear(openrealm_value *value);

// Values from the program's own data. Bytes are borrowed until the call that they are passed to returns.
static inline openrealm_value openrealm_null(void) {
  openrealm_value value;
  memset(&value, 0, sizeof value);
  value.type = OPENREALM_NULL;
  return value;
}
static inline openrealm_value openrealm_int(int64_t integer) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_INT;
  value.as.integer = integer;
  return value;
}
static inline openrealm_value openrealm_bool(bool boolean) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_BOOL;
  value.as.boolean = boolean;
  return value;
}
static inline openrealm_value openrealm_float(float single) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_FLOAT;
  value.as.single = single;
  return value;
}
static inline openrealm_value openrealm_double(double number) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_DOUBLE;
  value.as.number = number;
  return value;
}
// Text that ends with a zero byte. NULL gives null.
static inline openrealm_value openrealm_string(const char *text) {
  openrealm_value value = openrealm_null();
  if (text) {
    value.type = OPENREALM_STRING;
    value.as.bytes.bytes = text;
    value.as.bytes.size = strlen(text);
  }
  return value;
}
// Text with a size, which may contain zero bytes.
static inline openrealm_value openrealm_text(const char *bytes, size_t size) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_STRING;
  value.as.bytes.bytes = bytes;
  value.as.bytes.size = size;
  return value;
}
static inline openrealm_value openrealm_data(const void *bytes, size_t size) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_DATA;
  value.as.bytes.bytes = (const char *)bytes;
  value.as.bytes.size = size;
  return value;
}
static inline openrealm_value openrealm_date_value(int64_t seconds, int32_t nanoseconds) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_DATE;
  value.as.date.seconds = seconds;
  value.as.date.nanoseconds = nanoseconds;
  return value;
}
static inline openrealm_value openrealm_object_id_value(openrealm_object_id object_id) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_OBJECT_ID;
  value.as.object_id = object_id;
  return value;
}
static inline openrealm_value openrealm_decimal128_value(openrealm_decimal128 decimal128) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_DECIMAL128;
  value.as.decimal128 = decimal128;
  return value;
}
static inline openrealm_value openrealm_uuid_value(openrealm_uuid uuid) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_UUID;
  value.as.uuid = uuid;
  return value;
}
static inline openrealm_value openrealm_link(openrealm_object object) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_OBJECT;
  value.as.object = object;
  return value;
}

// An empty nested list or map, to be assigned to a mixed property or put into a nested collection.
static inline openrealm_value openrealm_empty_list(void) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_LIST_VALUE;
  return value;
}
static inline openrealm_value openrealm_empty_map(void) {
  openrealm_value value = openrealm_null();
  value.type = OPENREALM_MAP_VALUE;
  return value;
}

// Returns a new object id: the time, five bytes that the process chose at random, and a counter. Any thread.
openrealm_object_id openrealm_object_id_new(void);

// Reads an object id from 24 hexadecimal digits. Returns OPENREALM_BAD_ARGUMENT for other text and for NULL. Any
// thread.
int32_t openrealm_object_id_parse(const char *text, openrealm_object_id *object_id);

// Reads a number such as "1.5E-3", "NaN" or "-Infinity", rounded to 34 digits; numbers beyond the range become
// infinite or 0. Returns OPENREALM_BAD_ARGUMENT for other text and for NULL. Any thread.
int32_t openrealm_decimal128_parse(const char *text, openrealm_decimal128 *decimal128);

// Writes a number as text that ends with a zero byte; 48 bytes always suffice. Returns the length of the text without
// the zero byte; when `capacity` is smaller, the text is cut off. `text` may be NULL if `capacity` is 0. Any thread.
size_t openrealm_decimal128_print(openrealm_decimal128 decimal128, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
