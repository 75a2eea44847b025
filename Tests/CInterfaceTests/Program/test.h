// How a test in C is written.
//
// A file has tests of one part of the interface, and a table that hands them to the program:
//
//   #include "test.h"
//
//   static void deleting_an_object_twice_is_refused(const char *folder) {
//     openrealm_realm *realm = open_in(folder);
//     OK(openrealm_delete(realm, dog));
//     REFUSED(OPENREALM_NO_SUCH_OBJECT, openrealm_delete(realm, dog));
//     CHECK(openrealm_is_valid(realm, dog) == false);
//     openrealm_release(realm);
//   }
//
//   TESTS(objects, {"deleting_an_object_twice_is_refused", deleting_an_object_twice_is_refused})
//
// Each test runs in a process of its own and has an empty folder. A test that fails prints where, and the last error
// of its thread.
#ifndef TEST_H
#define TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "openrealm.h"

typedef struct test {
  const char *name;
  void (*run)(const char *folder);
} test;

// Adds tests to those of the program.
void add_tests(const test *tests, size_t count);

// The table of a file, which is added before `main` begins: no list of all files has to be kept.
#define TESTS(part, ...)                                               \
  __attribute__((constructor)) static void add_tests_of_##part(void) { \
    static const test tests[] = {__VA_ARGS__};                         \
    add_tests(tests, sizeof tests / sizeof *tests);                    \
  }

// Ends the test as failed.
_Noreturn void fail_test(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Fails unless a condition is true.
#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) fail_test(__FILE__, __LINE__, "false: %s", #condition); \
  } while (0)

// Fails unless a call returns OPENREALM_OK.
#define OK(call) check_code(OPENREALM_OK, call, #call, __FILE__, __LINE__)

// Fails unless a call returns this code, and the last error has it and a message.
#define REFUSED(code, call) check_code(code, call, #call, __FILE__, __LINE__)

// Fails unless a call returns no handle, and the last error has this code and a message.
#define NO_HANDLE(code, call) check_no_handle(code, call, #call, __FILE__, __LINE__)

// Fails unless the two integers are equal, and prints them.
#define EQUAL(expected, found) check_equal((int64_t)(expected), (int64_t)(found), #found, __FILE__, __LINE__)

// Fails unless a string value has this text; clears the value.
#define TEXT(expected, value) check_text(expected, value, #value, __FILE__, __LINE__)

void check_code(int32_t expected, int32_t code, const char *call, const char *file, int line);
void check_no_handle(int32_t expected, void *handle, const char *call, const char *file, int line);
void check_equal(int64_t expected, int64_t found, const char *text, const char *file, int line);
void check_text(const char *expected, openrealm_value *value, const char *text, const char *file, int line);

// Returns the path of a file in the folder of a test. The text is never freed.
const char *path_in(const char *folder, const char *name);

// Returns a configuration for "test.realm" in the folder of a test, with a copy of a schema, which is released; NULL
// for the classes of the file.
openrealm_configuration *configuration_in(const char *folder, openrealm_schema *schema);

// Opens "test.realm" in the folder of a test with a schema, which is released.
openrealm_realm *open_in(const char *folder, openrealm_schema *schema);

// Adds a property to the last class of a schema. `target` is NULL unless it is a link.
void add_property(openrealm_schema *schema, const char *name, int32_t type, int32_t collection, int32_t flags,
                  const char *target);

#endif
