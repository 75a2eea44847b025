// Files: copies, compaction, verification, conversion and deletion. Functions without a realm may be called on any
// thread. All return the codes of files (50 to 62) with the path as the last error has it, and leave files as they
// were when they fail. In a function that opening a file calls, they refuse that file with OPENREALM_ALREADY_OPEN.
#ifndef OPENREALM_FILES_H
#define OPENREALM_FILES_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writes the version that the realm shows to a new, compact file. OPENREALM_FILE_EXISTS if it exists. `key` is
// NULL or has 64 bytes.
int32_t openrealm_write_copy(openrealm_realm *realm, const char *path, const uint8_t *key);

// Compacts the file of a configuration. `compacted`, unless NULL, is false if the file was in use.
// OPENREALM_BAD_ARGUMENT for a realm in memory.
int32_t openrealm_compact(openrealm_configuration *configuration, bool *compacted);

// Whether the file of a configuration exists.
int32_t openrealm_file_exists(openrealm_configuration *configuration, bool *exists);

// Deletes the file of a configuration and those beside it. OPENREALM_ALREADY_OPEN while it is open in this process.
// `deleted`, unless NULL, is set to whether there was a file.
int32_t openrealm_delete_files(openrealm_configuration *configuration, bool *deleted);

// Verifies a file: pages, checksums, values, indexes and links. `fault_count`, unless NULL, gets the number of
// damaged parts. `report`, unless NULL, gets a text with a line for each, which the caller clears. `key` is NULL
// or has 64 bytes.
int32_t openrealm_verify(const char *path, const uint8_t *key, size_t *fault_count, openrealm_value *report);

// Copies everything that is not damaged into a new file. As above.
int32_t openrealm_salvage(const char *path, const char *target, const uint8_t *key, size_t *fault_count,
                          openrealm_value *report);

// Converts a file of the official SDK into a new file; the original stays as it is. `report`, unless NULL, gets a
// text about what could not be converted, which the caller clears. `key` is that of both files.
int32_t openrealm_convert_official(const char *path, const char *target, const uint8_t *key, openrealm_value *report);

#ifdef __cplusplus
}
#endif
#endif
