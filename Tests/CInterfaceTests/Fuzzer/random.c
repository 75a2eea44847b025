// Random numbers and arguments.
#include "fuzzer.h"

uint64_t next_random(fuzzer *f) {
  f->state += 0x9E3779B97F4A7C15u;
  uint64_t mixed = f->state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

uint64_t below(fuzzer *f, uint64_t bound) { return (next_random(f) >> 11) % bound; }

bool one_in(fuzzer *f, uint64_t count) { return below(f, count) == 0; }

void *maybe(fuzzer *f, void *pointer) { return !f->is_careful && one_in(f, 16) ? NULL : pointer; }

size_t index_below(fuzzer *f, size_t count) { return f->is_careful && count > 0 ? below(f, count) : random_index(f); }

size_t random_index(fuzzer *f) {
  static const size_t edges[] = {1000,     INT32_MAX,   UINT32_MAX, INT64_MAX, (size_t)INT64_MAX + 1,
                                 SIZE_MAX, SIZE_MAX - 1};
  return one_in(f, 24) ? edges[below(f, sizeof edges / sizeof *edges)] : below(f, one_in(f, 3) ? 40 : 4);
}

int64_t random_integer(fuzzer *f) {
  static const int64_t edges[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, 255, 65536, 1LL << 53};
  switch (below(f, 4)) {
    case 0:
      return edges[below(f, sizeof edges / sizeof *edges)];
    case 1:
      return (int64_t)next_random(f);
    default:
      return (int64_t)below(f, 50);
  }
}

double random_number(fuzzer *f) {
  static const double edges[] = {0.0, -0.0, 1.5, -1.0, 1e308, 1e-308, 5e-324, 1e18, 9.3e18, -9.3e18};
  if (one_in(f, 16)) return one_in(f, 2) ? 0.0 / edges[0] : edges[2] / edges[0];  // not a number, infinity
  return one_in(f, 2) ? edges[below(f, sizeof edges / sizeof *edges)] : (double)random_integer(f) / 8;
}

static const char *const texts[] = {"",
                                    "a",
                                    "larch",
                                    "Fir",
                                    "oak tree",
                                    "the quick brown fox",
                                    "\xC3\xA9t\xC3\xA9",
                                    "e\xCC\x81",
                                    "\xF0\x9F\x8C\xB2",
                                    "1",
                                    "12.5",
                                    "NaN",
                                    "5f43a1b2c3d4e5f601020304",
                                    "00112233-4455-6677-8899-aabbccddeeff",
                                    "a.b",
                                    "$key",
                                    "%@",
                                    "it's",
                                    "\"",
                                    "\\",
                                    "\n",
                                    "\x01\x7F",
                                    "\xFF\xFE",
                                    "a\xC3",
                                    "\xED\xA0\x80",
                                    "\xF8\x88\x80\x80\x80",
                                    "2026-01-01",
                                    "true",
                                    "null",
                                    "{}",
                                    "[]",
                                    "self",
                                    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                                    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};

enum { SOUND_TEXT_COUNT = 22 };  // the first ones, which are UTF-8

const char *random_text(fuzzer *f) {
  return texts[below(f, f->is_careful ? SOUND_TEXT_COUNT : sizeof texts / sizeof *texts)];
}

const char *random_name(fuzzer *f) {
  static const char *const names[] = {"Item", "Home", "Toy", "Named", "Owner", "New", "", "item", "class_Item", "Id"};
  if (f->is_careful) return names[below(f, 5)];
  if (one_in(f, 32)) return NULL;
  return one_in(f, 8) ? random_text(f) : names[below(f, sizeof names / sizeof *names)];
}

const char *random_key_path(fuzzer *f) {
  static const char *const paths[] = {"id",
                                      "self",
                                      "friend.id",
                                      "friend.friend.name",
                                      "home.street",
                                      "friends.id",
                                      "friends.@count",
                                      "friends.@avg.o_double",
                                      "owners.name",
                                      "mixed",
                                      "mixed.a",
                                      "mixed[0]",
                                      "@links.Item.friend.id",
                                      "@links.@count",
                                      "home",
                                      "l_int",
                                      "l_int.@max",
                                      "m_string",
                                      "m_string.@allKeys",
                                      "",
                                      ".",
                                      "..",
                                      "id.",
                                      ".id",
                                      "friend.",
                                      "friend.nope",
                                      "id.id",
                                      "@count",
                                      "@nope",
                                      "[",
                                      "*",
                                      "friends.friends.friends.friends",
                                      "SELF",
                                      "o_date",
                                      "name",
                                      "text",
                                      "self.id"};
  if (f->is_careful) return name_in_class(f, class_named("Item"), false);
  if (one_in(f, 48)) return NULL;
  switch (below(f, 4)) {
    case 0:
      return random_property_name(f);
    case 1:
      return one_in(f, 4) ? random_text(f) : "id";
    default:
      return paths[below(f, sizeof paths / sizeof *paths)];
  }
}

openrealm_bytes random_bytes(fuzzer *f) {
  static char large[300000];
  const char *text = random_text(f);
  openrealm_bytes bytes = {text, strlen(text)};
  switch (f->is_careful ? 127 : below(f, 64)) {
    case 0:
      bytes.bytes = NULL;
      break;
    case 1:
      bytes.bytes = NULL, bytes.size = 0;
      break;
    case 2:
      bytes.size = (size_t)INT64_MAX + 1 + below(f, 100);
      break;  // impossible sizes
    case 3:
      bytes.size = SIZE_MAX - below(f, 20);
      break;
    case 4:
      bytes.bytes = large, bytes.size = below(f, one_in(f, 16) ? sizeof large : 9000);
      break;
    case 5:
      bytes.size += 1;
      break;  // with the zero byte
    default:
      break;
  }
  return bytes;
}

openrealm_date random_date(fuzzer *f) {
  static const int32_t parts[] = {0, 1, 999999999, 1000000000, -1, INT32_MAX, INT32_MIN, 500000000};
  openrealm_date date = {(int64_t)below(f, 2000000000), 0};
  if (one_in(f, 4)) date.seconds = random_integer(f);
  if (!f->is_careful && one_in(f, 4)) date.nanoseconds = parts[below(f, sizeof parts / sizeof *parts)];
  return date;
}

openrealm_decimal128 random_decimal(fuzzer *f) {
  openrealm_decimal128 decimal = {next_random(f), next_random(f)};
  if (!one_in(f, 4)) openrealm_decimal128_parse(one_in(f, 2) ? "12.5" : random_text(f), &decimal);
  return decimal;
}

openrealm_object_id random_object_id(fuzzer *f) {
  openrealm_object_id object_id;
  memset(&object_id, (int)below(f, 8), sizeof object_id);
  return object_id;
}

openrealm_uuid random_uuid(fuzzer *f) {
  openrealm_uuid uuid;
  memset(&uuid, (int)below(f, 8), sizeof uuid);
  return uuid;
}

int32_t random_type(fuzzer *f) {
  if (f->is_careful) return (int32_t)below(f, OPENREALM_OBJECT);
  static const int32_t edges[] = {-2, 15, 16, 42, INT32_MAX, INT32_MIN};
  return one_in(f, 16) ? edges[below(f, sizeof edges / sizeof *edges)] : (int32_t)below(f, 16) - 1;
}

// A region that is valid until the next one of this thread is made.
static const openrealm_region *random_region(fuzzer *f) {
  static _Thread_local openrealm_region region;
  static _Thread_local openrealm_point points[2][6];
  static _Thread_local openrealm_ring rings[2];
  for (int ring = 0; ring < 2; ring++) {
    // Mostly a square; at times with a wrong point.
    double half = (double)(1 + below(f, 80)) / (ring + 1);
    for (int i = 0; i < 6; i++)
      points[ring][i] = (openrealm_point){i % 4 < 2 ? -half : half, i % 4 == 1 || i % 4 == 2 ? half : -half};
    if (one_in(f, 8)) points[ring][below(f, 6)].longitude = random_number(f);
    rings[ring] = (openrealm_ring){one_in(f, 8) ? below(f, 7) : 5, points[ring]};
    if (one_in(f, 32)) rings[ring].points = NULL;
    if (one_in(f, 32)) rings[ring].count = SIZE_MAX;
  }
  switch (below(f, 4)) {
    case 0:
      region = openrealm_circle(points[0][0], one_in(f, 4) ? random_number(f) : (double)below(f, 4));
      break;
    case 1:
      region = openrealm_box(points[0][0], points[1][2]);
      break;
    default:
      region = openrealm_polygon(one_in(f, 32) ? SIZE_MAX - below(f, 3) : below(f, 3), one_in(f, 32) ? NULL : rings);
      break;
  }
  if (one_in(f, 32)) region.shape = (int32_t)random_integer(f);
  return &region;
}

openrealm_value random_value(fuzzer *f, int32_t type, int32_t class_number) {
  static const int32_t mixed_types[] = {OPENREALM_NULL,       OPENREALM_INT,        OPENREALM_BOOL,  OPENREALM_STRING,
                                        OPENREALM_DATA,       OPENREALM_DATE,       OPENREALM_FLOAT, OPENREALM_DOUBLE,
                                        OPENREALM_OBJECT_ID,  OPENREALM_DECIMAL128, OPENREALM_UUID,  OPENREALM_OBJECT,
                                        OPENREALM_LIST_VALUE, OPENREALM_MAP_VALUE};
  openrealm_value value = openrealm_null();
  if (type == OPENREALM_MIXED) {
    type = mixed_types[below(f, sizeof mixed_types / sizeof *mixed_types)];
    class_number = class_named("Item");
  }
  if (!f->is_careful && one_in(f, 6)) type = random_type(f);
  value.type = one_in(f, 24) ? OPENREALM_NULL : type;
  switch (value.type) {
    case OPENREALM_INT:
      value.as.integer = random_integer(f);
      break;
    case OPENREALM_BOOL:
      value.as.boolean = one_in(f, 2);
      break;
    case OPENREALM_FLOAT:
      value.as.single = (float)random_number(f);
      break;
    case OPENREALM_DOUBLE:
      value.as.number = random_number(f);
      break;
    case OPENREALM_STRING:
    case OPENREALM_DATA:
      value.as.bytes = random_bytes(f);
      break;
    case OPENREALM_DATE:
      value.as.date = random_date(f);
      break;
    case OPENREALM_OBJECT_ID:
      value.as.object_id = random_object_id(f);
      break;
    case OPENREALM_DECIMAL128:
      value.as.decimal128 = random_decimal(f);
      break;
    case OPENREALM_UUID:
      value.as.uuid = random_uuid(f);
      break;
    case OPENREALM_OBJECT:
      value.as.object = an_object_of(f, class_number);
      break;
    case OPENREALM_LIST_VALUE:
    case OPENREALM_MAP_VALUE:
      value.as.collection = one_in(f, 4) ? a_collection(f) : NULL;
      break;
    case OPENREALM_REGION:
      value.as.region = one_in(f, 16) ? NULL : random_region(f);
      break;
    default:
      break;
  }
  return value;
}
