// The fuzzer calls the functions of the C interface in random order, with right and wrong arguments. Nothing may stop
// the process, and each failure has to come with its code and a message.
//
// Each file has the calls of one header and hands them over as a table. A call is made by a function that chooses its
// arguments, makes the call, and returns its code.
#ifndef FUZZER_H
#define FUZZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "openrealm.h"

// Kinds of handles that a thread keeps.
enum { REALM, SCHEMA, CONFIGURATION, COLLECTION, TOKEN, MIGRATION, KIND_COUNT };

// Returned by functions of the fuzzer instead of a code.
enum {
  NO_CODE = -1000,    // the function that was called returns no code to be checked
  NOT_CALLED = -1001  // no function was called
};

enum {
  POOL_SIZE = 12,      // handles of a kind that a thread keeps
  OBJECT_COUNT = 128,  // objects that a thread keeps
  NAME_COUNT = 160,    // properties of the test classes
  CLASS_COUNT = 8,
  HELD_COUNT = 64,
  CODE_COUNT = 64,
  CALL_COUNT = 256
};

// Where the objects are.
typedef enum { IN_MEMORY, PLAIN, ENCRYPTED, DAMAGED } storage;

typedef struct settings {
  uint64_t seed;
  uint64_t calls;  // by each thread
  int threads;
  storage storage;
  const char *folder;
  const char *samples;      // the folder of the official files; NULL: none are converted
  const char *left_out[8];  // names of functions that are not called
  bool traces;              // prints each call before it is made
  bool uses_freed;          // passes handles that were just freed: not for address sanitizers
} settings;

struct call;

// What a thread has.
typedef struct fuzzer {
  const settings *settings;
  int number;
  uint64_t state;                      // of the random numbers
  void *pools[KIND_COUNT][POOL_SIZE];  // each handle is a reference of its own
  openrealm_object objects[OBJECT_COUNT];
  void *held[HELD_COUNT];          // handles that are released when the call has returned
  int held_count;
  int depth;                       // calls within callbacks
  bool is_ending;                  // makes no calls in callbacks any more
  bool is_careful;                 // chooses arguments that the next call can work with
  uint64_t version;                // of the classes of the file that is migrated
  uint64_t migrated_version;       // that the file has
  openrealm_realm *migrated;       // the realm of the file, until it is migrated again
  openrealm_migration *migration;  // that calls back
  _Atomic uint64_t done;
  uint64_t counts[CALL_COUNT][CODE_COUNT];  // how often each call returned each code
  const struct call *recent[16];            // the last calls, for the report of a stop
} fuzzer;

typedef struct call {
  const char *name;  // of the function, as in the header
  int weight;        // how often it is chosen, compared with the others
  int32_t (*make)(fuzzer *f);
  bool is_write;  // careful calls are made in transactions only
} call;

// The tables, each ending with a name that is NULL.
extern const call error_calls[], schema_calls[], configuration_calls[], migration_calls[], realm_calls[],
    object_calls[], setter_calls[], collection_calls[], list_calls[], query_calls[], notification_calls[],
    file_calls[], value_calls[];

// random.c: random numbers and arguments.
uint64_t next_random(fuzzer *f);
uint64_t below(fuzzer *f, uint64_t bound);
bool one_in(fuzzer *f, uint64_t count);
// A position: mostly small, at times beyond everything.
size_t random_index(fuzzer *f);
// A position in a collection of so many, mostly.
size_t index_below(fuzzer *f, size_t count);
int64_t random_integer(fuzzer *f);
double random_number(fuzzer *f);
const char *random_text(fuzzer *f);
const char *random_name(fuzzer *f);
const char *random_key_path(fuzzer *f);
openrealm_bytes random_bytes(fuzzer *f);
openrealm_date random_date(fuzzer *f);
openrealm_decimal128 random_decimal(fuzzer *f);
openrealm_object_id random_object_id(fuzzer *f);
openrealm_uuid random_uuid(fuzzer *f);
// A value, mostly of the type. OPENREALM_MIXED: of any. An object is mostly of the class.
openrealm_value random_value(fuzzer *f, int32_t type, int32_t class_number);
int32_t random_type(fuzzer *f);
// The pointer, at times NULL.
void *maybe(fuzzer *f, void *pointer);

// pools.c: handles and objects.
openrealm_realm *a_realm(fuzzer *f);
openrealm_schema *a_schema(fuzzer *f);
openrealm_configuration *a_configuration(fuzzer *f);
openrealm_collection *a_collection(fuzzer *f);
openrealm_token *a_token(fuzzer *f);
openrealm_migration *a_migration(fuzzer *f);
void *any_handle(fuzzer *f);
// A collection that is mostly of a kind.
openrealm_collection *a_collection_of(fuzzer *f, int32_t kind);
// Results or another collection, mostly with objects of a class.
openrealm_collection *objects_of(fuzzer *f, int32_t class_number);
size_t count_of(openrealm_collection *collection);
openrealm_object an_object(fuzzer *f);
// An object that is mostly of a class; -1: of any.
openrealm_object an_object_of(fuzzer *f, int32_t class_number);
// Keeps a handle that a function returned, which may be NULL. Returns the code of the call.
int32_t keep(fuzzer *f, int kind, void *handle);
void keep_object(fuzzer *f, openrealm_object object);
// Releases a handle that is kept.
void drop(fuzzer *f, int kind, int place);
void drop_all(fuzzer *f);
void release_held(fuzzer *f, int count);
// Clears a value of a call, after keeping its object or nested collection at times.
int32_t finish_value(fuzzer *f, int32_t code, openrealm_value *value);

// model.c: the classes of the files that are fuzzed.
openrealm_schema *test_schema(void);
// Looks up the numbers of the classes and properties. Once, before other threads are started.
void learn_numbers(openrealm_realm *realm);
int32_t random_class(fuzzer *f);
// A class, mostly with a single property of the type.
int32_t class_with(fuzzer *f, int32_t type);
// The class of the objects that a property links to; -1 for other properties.
int32_t target_of_property(int32_t class_number, int32_t property);
// The number of a class by its name; -1 if it is unknown.
int32_t class_named(const char *name);
// A property of a class, mostly with this type and kind of collection.
int32_t random_property(fuzzer *f, int32_t class_number, int32_t type, int32_t collection);
int32_t type_of_property(int32_t class_number, int32_t property);
const char *random_property_name(fuzzer *f);
// A single property of a class that may be null, mostly.
int32_t optional_property(fuzzer *f, int32_t class_number);
// A link, mostly to the class.
void random_link(fuzzer *f, int32_t target, int32_t *class_number, int32_t *property);
// The name of a single property of a class, mostly; with numbers only, if so.
const char *name_in_class(fuzzer *f, int32_t class_number, bool is_number);
// The configuration of the file that all threads use.
openrealm_configuration *main_configuration(const settings *settings);
extern const uint8_t test_key[64];
// A configuration for a file of this thread with the next version of its classes. configuration_calls.c
openrealm_configuration *migrating_configuration(fuzzer *f);

// samples.c
// Writes a copy of an official file, at times a damaged one, and sets `key` to its key. False if there are no
// samples.
bool copy_sample(fuzzer *f, const char *path, const uint8_t **key);

// damage.c
// Flips bits of a file's content, which may become shorter. Returns its size.
size_t damage(fuzzer *f, char *content, size_t size);
// Writes a damaged copy of the prepared file, of a name of its own for each copy. Returns the path.
const char *damaged_copy(fuzzer *f);
// Fills a file with objects, from which damaged copies are made.
bool prepare_file(const settings *settings);

// engine.c
void run_calls(fuzzer *f, uint64_t count);
// Makes a few calls from within a callback.
void call_back(fuzzer *f);
// Makes a call of a table from within a callback.
void call_back_to(fuzzer *f, const call *table);
int all_calls(const call **calls);
bool is_left_out(const fuzzer *f, const call *call);
// Ends the process with a report: the library broke its contract.
_Noreturn void stop(const fuzzer *f, const char *format, const char *text, long number);

#endif
