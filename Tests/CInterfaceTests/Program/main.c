// Tests of the C interface in C. `CInterfaceProgram NAME FOLDER` runs a test, `CInterfaceProgram --list` prints their
// names.
#include "test.h"

static test tests[2048];
static size_t test_count;

void add_tests(const test *added, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (size_t known = 0; known < test_count; known++) {
      if (strcmp(tests[known].name, added[i].name) == 0) {
        fprintf(stderr, "Two tests have the name %s.\n", added[i].name);
        exit(2);
      }
    }
    if (test_count == sizeof tests / sizeof *tests) {
      fputs("There are more tests than main.c has places for.\n", stderr);
      exit(2);
    }
    tests[test_count++] = added[i];
  }
}

static int compare_names(const void *first, const void *second) {
  return strcmp(((const test *)first)->name, ((const test *)second)->name);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    qsort(tests, test_count, sizeof *tests, compare_names);
    // Tests in Swift run these, with files of their own.
    for (size_t i = 0; i < test_count; i++) {
      if (strncmp(tests[i].name, "with_swift_", strlen("with_swift_")) != 0) puts(tests[i].name);
    }
    return 0;
  }
  if (argc != 3) {
    fprintf(stderr, "usage: %s NAME FOLDER | --list\n", argv[0]);
    return 2;
  }
  for (size_t i = 0; i < test_count; i++) {
    if (strcmp(tests[i].name, argv[1]) == 0) {
      tests[i].run(argv[2]);
      return 0;
    }
  }
  fprintf(stderr, "There is no test %s.\n", argv[1]);
  return 2;
}
