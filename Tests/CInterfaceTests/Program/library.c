// Tests of errors.h that need no realm.
#include "test.h"

static void the_version_has_three_numbers(const char *folder) {
  (void)folder;
  int major, minor, patch;
  CHECK(sscanf(openrealm_version(), "%d.%d.%d", &major, &minor, &patch) == 3);
}

static void before_a_failure_the_last_error_is_empty(const char *folder) {
  (void)folder;
  openrealm_error error;
  EQUAL(OPENREALM_OK, openrealm_last_error(&error));
  EQUAL(OPENREALM_OK, error.code);
  CHECK(error.message && *error.message == 0);
  CHECK(error.path == NULL);
  EQUAL(-1, error.position);
  EQUAL(OPENREALM_OK, openrealm_last_error(NULL));
}

static void null_is_no_handle(const char *folder) {
  (void)folder;
  CHECK(openrealm_retain(NULL) == NULL);
  openrealm_release(NULL);
}

static void the_version_is_printed(const char *folder) {
  (void)folder;
  puts(openrealm_version());
}

TESTS(library, {"the_version_has_three_numbers", the_version_has_three_numbers},
      {"before_a_failure_the_last_error_is_empty", before_a_failure_the_last_error_is_empty},
      {"null_is_no_handle", null_is_no_handle}, {"the_version_is_printed", the_version_is_printed})
