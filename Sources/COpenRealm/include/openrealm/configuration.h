// Configurations: which file to open, and how.
#ifndef OPENREALM_CONFIGURATION_H
#define OPENREALM_CONFIGURATION_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// Creates a configuration for the default file of the program, with the classes that the file has, version 0. It
// belongs to no thread. A realm that was opened with it keeps its own copy. The setters change nothing when they
// fail; that settings contradict each other is found by openrealm_open, with OPENREALM_BAD_ARGUMENT.
openrealm_configuration *openrealm_configuration_new(void);

// Returns a copy with the same settings.
openrealm_configuration *openrealm_configuration_copy(openrealm_configuration *configuration);

// Sets the path of the file, relative to the working directory at this moment unless it is absolute. NULL or "":
// refused.
int32_t openrealm_configuration_set_path(openrealm_configuration *configuration, const char *path);

// Writes the path into a string value, which the caller clears; null for realms in memory.
int32_t openrealm_configuration_path(openrealm_configuration *configuration, openrealm_value *path);

// Sets the name of a realm in memory, which exists while it is open in this process. It replaces the path.
int32_t openrealm_configuration_set_memory_name(openrealm_configuration *configuration, const char *name);

// Sets the classes; NULL for those of the file. The schema is copied, and checked by openrealm_open.
int32_t openrealm_configuration_set_schema(openrealm_configuration *configuration, openrealm_schema *schema);

// Sets the version of the classes, which is raised when a migration is needed. UINT64_MAX is refused.
int32_t openrealm_configuration_set_schema_version(openrealm_configuration *configuration, uint64_t version);

// Whether the file is only read. It must exist then, and have the classes.
int32_t openrealm_configuration_set_read_only(openrealm_configuration *configuration, bool read_only);

// Whether a commit returns only when it would survive a power failure (the default), or earlier.
int32_t openrealm_configuration_set_durable(openrealm_configuration *configuration, bool durable);

// Sets the key of an encrypted file; NULL and 0 for none. Other sizes than 64 are refused. The key is copied.
int32_t openrealm_configuration_set_key(openrealm_configuration *configuration, const uint8_t *key, size_t size);

// Whether the file is deleted when it would need a migration.
int32_t openrealm_configuration_set_delete_if_migration_needed(openrealm_configuration *configuration, bool deletes);

// Whether a file of the official SDK is converted when it is opened; the original stays beside it. Otherwise it is
// refused.
int32_t openrealm_configuration_set_convert_official(openrealm_configuration *configuration, bool converts);

// Sets a file that is copied to the path when there is no file; NULL for none.
int32_t openrealm_configuration_set_seed(openrealm_configuration *configuration, const char *path);

// Sets how many versions may be in use at a time; 0 for no limit. With more, openrealm_begin returns
// OPENREALM_TOO_MANY_VERSIONS.
int32_t openrealm_configuration_set_maximum_versions(openrealm_configuration *configuration, uint64_t maximum);

// Sets the function that moves the objects to a new version of the classes. It is called once, in
// `openrealm_open`, on the thread that opens, with the version of the file; not for a new file. It returns 0, or
// another number to refuse: opening then fails with OPENREALM_MIGRATION_FAILED, a message that has the last error
// of the function, and the file is unchanged. `migration` is valid until the function returns. The function must
// not open the file, which is refused with OPENREALM_ALREADY_OPEN. `destroy`, unless NULL, is called once with the
// context when no configuration and no realm needs it, on any thread. When this function fails, or `migrate` is
// NULL, which removes the function, the context stays the caller's.
int32_t openrealm_configuration_set_migration(
    openrealm_configuration *configuration,
    int32_t (*migrate)(void *context, openrealm_migration *migration, uint64_t old_version), void *context,
    void (*destroy)(void *context));

// Sets the function that is asked whether to compact the file, with the size of the file and of what is used, in
// bytes, when this process opens it first. It must not open the file. `context` and `destroy` as above.
int32_t openrealm_configuration_set_compaction(openrealm_configuration *configuration,
                                               bool (*compacts)(void *context, uint64_t file_size, uint64_t used_size),
                                               void *context, void (*destroy)(void *context));

// The realm with the objects before the migration, which can only be read. It is the caller's handle. After the
// migration function has returned, the realm and all that was obtained from it are refused with OPENREALM_CLOSED.
// An object has the same number in both realms.
openrealm_realm *openrealm_migration_old_realm(openrealm_migration *migration);

// The realm that is migrated, in a write transaction that the library commits. As above. Neither realm can be
// refreshed, frozen, invalidated or closed, nor its transaction ended: OPENREALM_IN_WRITE.
openrealm_realm *openrealm_migration_new_realm(openrealm_migration *migration);

// Keeps the values of a property under a new name. To be called before properties of the class are looked up, as
// their numbers change. OPENREALM_MIGRATION_FAILED, with nothing changed, if the file has no such property, the
// class still has it, or the new property has another type; the migration goes on if the function wishes so. If a
// property is left with a name that the class does not have, opening fails.
int32_t openrealm_migration_rename(openrealm_migration *migration, const char *class_name, const char *old_name,
                                   const char *new_name);

// Deletes the objects of a class, and the class itself unless the new classes have it. OPENREALM_NO_SUCH_CLASS if
// there is none.
int32_t openrealm_migration_delete_data(openrealm_migration *migration, const char *class_name);

#ifdef __cplusplus
}
#endif
#endif
