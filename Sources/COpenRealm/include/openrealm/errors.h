// Errors, handles and the library itself.
#ifndef OPENREALM_ERRORS_H
#define OPENREALM_ERRORS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// Codes. The numbers never change their meaning; new codes get new numbers.
enum {
  OPENREALM_OK = 0,
  OPENREALM_ERROR = 1,              // a failure without a code of its own; the message says which
  OPENREALM_BAD_ARGUMENT = 2,       // NULL, a handle of another kind, an unknown constant, an impossible size
  OPENREALM_WRONG_THREAD = 3,       // the realm belongs to another thread
  OPENREALM_CLOSED = 4,             // the realm was closed, or belongs to the parent of a forked process
  OPENREALM_NO_SUCH_CLASS = 5,
  OPENREALM_NO_SUCH_PROPERTY = 6,
  OPENREALM_WRONG_TYPE = 7,         // the property or collection has values of another type
  OPENREALM_NO_SUCH_OBJECT = 8,     // the object was deleted, or never existed in this version
  OPENREALM_IS_NULL = 9,            // the value is null, or null is not allowed here
  OPENREALM_NOT_IN_WRITE = 10,      // only possible in a write transaction
  OPENREALM_IN_WRITE = 11,          // not possible in a write transaction
  OPENREALM_FROZEN = 12,            // frozen realms never change
  OPENREALM_READ_ONLY = 13,         // the realm was opened read-only, or the property or collection cannot be written
  OPENREALM_PRIMARY_KEY = 14,       // the key is missing, there is none, or it would change
  OPENREALM_DUPLICATE_KEY = 15,     // an object with this key, or another unique value, exists
  OPENREALM_OUT_OF_BOUNDS = 16,
  OPENREALM_EMBEDDED = 17,          // not possible with embedded objects, or only with them
  OPENREALM_OTHER_REALM = 18,       // the collection belongs to another realm
  OPENREALM_INVALID_VALUE = 19,     // the value cannot be stored: not UTF-8, too deep, a map key with "." or "$", ...
  OPENREALM_INVALID_QUERY = 20,     // the error has the position of the mistake
  OPENREALM_NO_EVENT_LOOP = 21,     // see openrealm_loop_descriptor
  OPENREALM_DAMAGED = 22,           // the file is damaged; every later call with this realm returns this
  OPENREALM_RULE_BROKEN = 23,       // a delete rule forbids the commit
  OPENREALM_INVALIDATED = 24,       // the collection or its owner is no longer valid
  OPENREALM_INVALID_SCHEMA = 25,    // the described classes break a rule; the message lists all problems
  OPENREALM_TOO_MANY_VERSIONS = 26, // more versions are in use than the configuration allows
  OPENREALM_MIGRATION_FAILED = 27,  // the callback refused, or a call in it failed and was not handled
  OPENREALM_NOT_FOUND = 28,         // no object, element or key like this

  OPENREALM_FILE_NOT_FOUND = 50,
  OPENREALM_FILE_PERMISSION_DENIED = 51,
  OPENREALM_FILE_EXISTS = 52,
  OPENREALM_FILE_ACCESS = 53,       // the file could not be read or written
  OPENREALM_FILE_OPERATION_FAILED = 54,
  OPENREALM_OUT_OF_DISK_SPACE = 55,
  OPENREALM_INVALID_DATABASE = 56,  // not a realm file, another key, or damaged when it was opened
  OPENREALM_UNSUPPORTED_FORMAT = 57,
  OPENREALM_UPGRADE_REQUIRED = 58,
  OPENREALM_INCOMPATIBLE_LOCK_FILE = 59,
  OPENREALM_ADDRESS_SPACE_EXHAUSTED = 60,
  OPENREALM_SCHEMA_MISMATCH = 61,   // a migration is required; the message lists the changes
  OPENREALM_ALREADY_OPEN = 62,
  OPENREALM_SCHEMA_VERSION = 63     // the file has a newer version of the classes, or another one than a read-only realm
};

// The last failure on a thread.
typedef struct openrealm_error {
  int32_t code;
  const char *message;  // a sentence in English; never NULL
  const char *path;     // the file concerned, or NULL
  int64_t position;     // for OPENREALM_INVALID_QUERY the offset of the mistake in the query in bytes; otherwise -1
} openrealm_error;

// Fills in the last failure of the calling thread, and returns its code. Successful calls do not change it. The
// texts are valid until the next failure on this thread. `error` may be NULL. Before the first failure code and
// message are OPENREALM_OK and "".
int32_t openrealm_last_error(openrealm_error *error);

// Returns the name of a code, such as "OPENREALM_WRONG_THREAD"; "OPENREALM_ERROR" for unknown ones. The text is
// static.
const char *openrealm_code_name(int32_t code);

// Increments the reference count of a handle of any kind, and returns the handle. NULL gives NULL. Any thread.
void *openrealm_retain(void *handle);

// Decrements the reference count of a handle of any kind; the last release frees it. A realm is closed once it and
// all its collections, tokens and frozen copies are released. NULL is allowed. Any thread.
void openrealm_release(void *handle);

// Returns the version of the library, such as "0.1.0". The text is static.
const char *openrealm_version(void);

// Sets a function that is called when the library has to end the process because of a fault of its own, with a
// message and the file and line. It is called on the thread that found the fault; when it returns, the process
// ends. NULL removes it.
void openrealm_set_fatal_handler(void (*handler)(void *context, const char *message), void *context);

// Levels of log messages.
enum {
  OPENREALM_LOG_OFF = 0,
  OPENREALM_LOG_FATAL = 1,
  OPENREALM_LOG_ERROR = 2,
  OPENREALM_LOG_WARNING = 3,
  OPENREALM_LOG_INFO = 4,
  OPENREALM_LOG_DETAIL = 5,
  OPENREALM_LOG_DEBUG = 6
};

// Sets a function that is called with each log message up to a level, on any thread, instead of writing it to
// standard error. NULL sets the default again.
int32_t openrealm_set_logger(int32_t level, void (*logger)(void *context, int32_t level, const char *message),
                             void *context);

#ifdef __cplusplus
}
#endif
#endif
