// OpenRealm for C and C++: an object database in one file. C99; no other headers are needed.
//
//   #include <openrealm.h>
//
// Classes, properties and objects are numbers. A class or property number is looked up once by name and never changes its
// meaning while the file exists; an object is a value of two numbers. Realms, schemas, configurations, collections, tokens
// and migrations are handles, which are counted.
//
// Rules for every function:
// - Each argument may be wrong, also NULL: the function returns a code or NULL and changes nothing. The codes are in
//   errors.h. Pointers that are not NULL must point to as much memory as the function reads or writes.
// - A function that returns a code returns OPENREALM_OK (0) when it succeeds. A function that returns a handle returns NULL
//   when it fails. After a failure `openrealm_last_error` has the code and a message, for this thread.
// - A handle that a function returns belongs to the caller, who releases it with `openrealm_release`.
// - A realm, its collections and its tokens are used on the thread that opened the realm; other threads get
//   OPENREALM_WRONG_THREAD. Frozen realms and their collections may be used on any thread. Only `openrealm_retain` and
//   `openrealm_release` may be called on any thread for any handle.
// - Text is UTF-8. Strings that are passed in end with a zero byte where no size is given.
#ifndef OPENREALM_H
#define OPENREALM_H

#include "openrealm/values.h"
#include "openrealm/errors.h"
#include "openrealm/schema.h"
#include "openrealm/configuration.h"
#include "openrealm/realm.h"
#include "openrealm/objects.h"
#include "openrealm/collections.h"
#include "openrealm/queries.h"
#include "openrealm/columns.h"
#include "openrealm/notifications.h"
#include "openrealm/files.h"

#endif
