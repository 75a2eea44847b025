#pragma once

#include <stddef.h>

/// A file of the page that `realm studio` serves, as it is stored in the program.
struct studio_page_file {
  /// The path below the root of the server, without the slash at its beginning.
  const char *_Nonnull path;
  const unsigned char *_Nonnull bytes;
  size_t count;
};

/// The files of the page.
extern const struct studio_page_file studio_page_files[];
extern const size_t studio_page_file_count;

/// Returns the first of the files, as Swift does not see an array without a size.
static inline const struct studio_page_file *_Nonnull studio_page_first_file(void) { return studio_page_files; }
