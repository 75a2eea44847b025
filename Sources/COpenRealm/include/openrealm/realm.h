// Realms: opening, transactions and versions.
#ifndef OPENREALM_REALM_H
#define OPENREALM_REALM_H

#include "errors.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// Opens a realm for the calling thread. The file is created if it is missing, unless the classes are to be those
// of the file or it is read-only. NULL stands for a new configuration. Handles of one file on one thread are the
// same realm: they share the version and the transaction. OPENREALM_INVALID_SCHEMA, OPENREALM_SCHEMA_MISMATCH,
// OPENREALM_SCHEMA_VERSION, OPENREALM_MIGRATION_FAILED, OPENREALM_DUPLICATE_KEY for primary keys that occur twice after
// a migration, OPENREALM_BAD_ARGUMENT for contradicting settings, OPENREALM_ALREADY_OPEN in a function that opening the
// file calls, while the thread has the file open with other classes, and while any thread has it open with another
// version of them, another key, or read-only instead of not; OPENREALM_CLOSED in a child of fork(), which has to call
// exec() first, as for all functions that use files; and the codes of files, with the path. Opening waits while another
// process is in a write transaction.
openrealm_realm *openrealm_open(openrealm_configuration *configuration);

// Closes a handle before its last reference is released: every call with it, its collections and their iteration
// is refused with OPENREALM_CLOSED from then on, and its observers are not called any more. A write transaction
// that was begun with it is cancelled. Other handles of the realm and frozen copies go on. The file is closed when
// all handles, collections and tokens are released.
int32_t openrealm_close(openrealm_realm *realm);

// Begins a write transaction, which waits for writers in other threads and processes, and shows the newest
// version. May call observers. OPENREALM_IN_WRITE, OPENREALM_FROZEN, OPENREALM_READ_ONLY,
// OPENREALM_TOO_MANY_VERSIONS.
int32_t openrealm_begin(openrealm_realm *realm);

// Commits the write transaction. When it returns OPENREALM_OK the commit is durable, unless the configuration says
// otherwise. After OPENREALM_RULE_BROKEN and the codes of files the transaction is cancelled and nothing of it is
// stored. After others it is still open. Observers of the realm as a whole are called before it returns, the
// others in openrealm_loop_perform.
int32_t openrealm_commit(openrealm_realm *realm);

// Commits without telling the observers in `tokens`, which belong to this realm; otherwise OPENREALM_OTHER_REALM.
int32_t openrealm_commit_without_notifying(openrealm_realm *realm, size_t count, openrealm_token *const *tokens);

// Cancels the write transaction: all its changes are undone. OPENREALM_NOT_IN_WRITE if none is open.
int32_t openrealm_cancel(openrealm_realm *realm);

// Asynchronous write transactions, for threads with an event loop: see notifications.h. The thread waits neither for
// other writers nor for the disk. OPENREALM_NO_EVENT_LOOP for threads without one.
//
// Callbacks run in a later `openrealm_loop_perform`. `error` is NULL, or says why there is no transaction or why the
// commit was rolled back; it is valid until the callback returns. `destroy`, unless NULL, is called once with the
// context, on any thread: after the callback, or when it will not be called any more. When a function fails, neither is
// called. `number`, unless NULL, receives a number for `openrealm_cancel_later`, unique for the realm.

// Begins a write transaction as soon as no other writer has one, and calls `begun` in it. What `begun` has not
// committed when it returns is undone. Transactions begin in the order of the calls, and the realm stays open until
// they are done. `begun` is not called once the handle is closed. An open transaction that they wait for is cancelled
// when its handle and all that comes from it are released. OPENREALM_FROZEN, OPENREALM_READ_ONLY; in the
// callback also OPENREALM_TOO_MANY_VERSIONS and OPENREALM_DAMAGED.
int32_t openrealm_begin_later(openrealm_realm *realm, void (*begun)(void *context, const openrealm_error *error),
                              void *context, void (*destroy)(void *context), uint32_t *number);

// Commits the open write transaction, however it was begun. Its changes are visible at once; `committed`, unless NULL,
// is called when they are durable. With `allows_grouping` the commit may become one version with those of the
// transactions that wait: other realms then see it when the last of these is committed, at most some milliseconds
// later, and a failure loses all or none of them. No write transaction can begin in `committed`. OPENREALM_NOT_IN_WRITE.
int32_t openrealm_commit_later(openrealm_realm *realm, bool allows_grouping,
                               void (*committed)(void *context, const openrealm_error *error), void *context,
                               void (*destroy)(void *context), uint32_t *number);

// Cancels a transaction that has not begun. Of a commit only the callback is discarded. Unknown numbers do nothing.
int32_t openrealm_cancel_later(openrealm_realm *realm, uint32_t number);

// Whether asynchronous transactions wait or run, or commits are not durable yet.
bool openrealm_has_later_writes(openrealm_realm *realm);

// Whether a write transaction is open; false if the realm cannot be used here.
bool openrealm_is_writing(openrealm_realm *realm);

// Moves the realm to the newest version, and calls observers. `changed`, unless NULL, is set to whether there was a
// newer one. In a write transaction and in a callback of an observer it does nothing. OPENREALM_FROZEN,
// OPENREALM_READ_ONLY.
int32_t openrealm_refresh(openrealm_realm *realm, bool *changed);

// Whether the realm moves to newer versions by itself, when its thread has an event loop. True when it is opened.
// Frozen realms do not: setting true is refused with OPENREALM_FROZEN.
int32_t openrealm_set_autorefresh(openrealm_realm *realm, bool refreshes);
bool openrealm_autorefresh(openrealm_realm *realm);

// Releases the version that the realm shows, so that the file need not keep it, and shows the newest one.
// Collections become invalid, objects stay. An open write transaction is cancelled. The handle of a frozen realm
// is closed by it.
int32_t openrealm_invalidate(openrealm_realm *realm);

// Returns a realm that shows the present version forever, for any thread. Objects and classes have the same
// numbers in it. OPENREALM_IN_WRITE when the open write transaction has changed something. A frozen realm returns
// itself.
openrealm_realm *openrealm_freeze(openrealm_realm *realm);

// Returns the live realm of the calling thread for a frozen one, which is opened if need be; a live realm returns
// itself.
openrealm_realm *openrealm_thaw(openrealm_realm *realm);

bool openrealm_is_frozen(openrealm_realm *realm);

// Whether both handles are the same realm.
bool openrealm_is_same(openrealm_realm *first, openrealm_realm *second);

// The number of the version that is shown: it grows with each commit. 0 if the realm cannot be used here.
uint64_t openrealm_version_number(openrealm_realm *realm);

// The version of the classes in the file.
int32_t openrealm_schema_version(openrealm_realm *realm, uint64_t *version);

// Returns a copy of the configuration that the realm was opened with.
openrealm_configuration *openrealm_realm_configuration(openrealm_realm *realm);

// Returns the number of a class, or -1, with OPENREALM_NO_SUCH_CLASS as the last error, if the file has none of
// this name.
int32_t openrealm_class_number(openrealm_realm *realm, const char *name);

// Writes the name of a class into a string value, which the caller clears.
int32_t openrealm_class_name(openrealm_realm *realm, int32_t class_number, openrealm_value *name);

// Returns the number of a property by its name in the described class, or -1, with OPENREALM_NO_SUCH_PROPERTY as
// the last error, if there is none. Backlinks have no number: see openrealm_backlinks.
int32_t openrealm_property_number(openrealm_realm *realm, int32_t class_number, const char *name);

// The number of the class that a link, or the links in a collection, point to; -1 for other properties.
int32_t openrealm_target_class(openrealm_realm *realm, int32_t class_number, int32_t property);

// Deletes all objects of all classes.
int32_t openrealm_delete_all(openrealm_realm *realm);

#ifdef __cplusplus
}
#endif
#endif
