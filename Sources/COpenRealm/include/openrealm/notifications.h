// Notifications, through one descriptor for each thread.
//
// A thread that wants notifications calls `openrealm_loop_descriptor` before it opens the realm, watches the
// descriptor with its event loop (epoll, libuv, GLib, NSRunLoop, asyncio, ...) and calls `openrealm_loop_perform`
// when it is readable:
//
//   struct pollfd entry = {openrealm_loop_descriptor(), POLLIN, 0};
//   while (poll(&entry, 1, -1) > 0) openrealm_loop_perform();
//
// Commits of the same thread, of other threads and of other processes make it readable. The program neither reads
// nor closes the descriptor.
#ifndef OPENREALM_NOTIFICATIONS_H
#define OPENREALM_NOTIFICATIONS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns the descriptor of the calling thread, which is made by the first call and closed when the thread ends;
// -1, with OPENREALM_FILE_ACCESS as the last error, if the process has no descriptor left. A child of fork() gets
// another one. Realms that the thread opened before move to newer versions by themselves only once something in
// them is observed.
int32_t openrealm_loop_descriptor(void);

// Refreshes the realms of the thread that have news, and calls the observers. Returns OPENREALM_NO_EVENT_LOOP if
// the thread has no descriptor. It never waits.
int32_t openrealm_loop_perform(void);

// What has changed in a collection. The arrays are valid until the callback returns.
typedef struct openrealm_changes {
  bool is_initial;                // the first call: the collection is ready
  bool is_deleted;                // the owner was deleted, or the realm invalidated: the last call
  size_t deletion_count;          // positions before the change
  const size_t *deletions;
  size_t insertion_count;         // positions after the change
  const size_t *insertions;
  size_t modification_count;      // of objects that stayed
  const size_t *old_modifications;  // positions before the change
  const size_t *new_modifications;  // positions after the change
  // Of maps: the keys at these positions, as many as the counts say; otherwise NULL.
  const openrealm_bytes *deleted_keys;
  const openrealm_bytes *inserted_keys;
  const openrealm_bytes *modified_keys;
} openrealm_changes;

// What has changed in an object. The arrays, texts and values are valid until the callback returns.
typedef struct openrealm_object_change {
  bool is_deleted;               // the last call
  size_t property_count;
  const int32_t *properties;     // the numbers of the properties that have changed
  const openrealm_value *old_values;  // theirs before the change, null for collections; NULL when the observing realm
                                      // itself has made the change
  size_t backlink_count;
  const char *const *backlinks;  // the names of backlinks that show other objects
} openrealm_object_change;

// The observers. Each returns a token: notifications end when it is released. Callbacks are called in
// `openrealm_loop_perform`, `openrealm_refresh`, `openrealm_begin` and `openrealm_commit` on the thread of the
// realm. `key_paths` with a count limits notifications to changes of these properties, such as "owner.name"; 0 and
// NULL for all. In a callback anything may be called: tokens may be released and realms written to or closed.
// `destroy`, unless NULL, is called once with the context, after the last callback has returned, on the thread
// that releases or invalidates the token. When no token can be made, `destroy` is not called.
// OPENREALM_NO_EVENT_LOOP, OPENREALM_NO_SUCH_PROPERTY for an unknown key path and for key paths of values,
// OPENREALM_FROZEN, OPENREALM_READ_ONLY, OPENREALM_IN_WRITE after changes in an open write transaction,
// OPENREALM_INVALIDATED, OPENREALM_NO_SUCH_OBJECT.
openrealm_token *openrealm_observe_collection(openrealm_collection *collection, size_t count,
                                              const char *const *key_paths,
                                              void (*changed)(void *context, const openrealm_changes *changes),
                                              void *context, void (*destroy)(void *context));
openrealm_token *openrealm_observe_object(openrealm_realm *realm, openrealm_object object, size_t count,
                                          const char *const *key_paths,
                                          void (*changed)(void *context, const openrealm_object_change *change),
                                          void *context, void (*destroy)(void *context));
// Calls back when the realm shows another version, and, with `needs_refresh`, when there is a newer version but
// the realm does not refresh itself.
openrealm_token *openrealm_observe_realm(openrealm_realm *realm, void (*changed)(void *context, bool needs_refresh),
                                         void *context, void (*destroy)(void *context));

// Ends the notifications of a token before it is released. Any thread; a callback that is running on the realm's
// thread is finished.
int32_t openrealm_token_invalidate(openrealm_token *token);

#ifdef __cplusplus
}
#endif
#endif
