#if !__has_include(<lmdb.h>)
#error "<lmdb.h> is missing: install LMDB with: apt-get install liblmdb-dev"
#endif

#include <lmdb.h>

// LMDB 0.9 and 1.0 do not read each other's files, and their layouts in memory differ.
#if MDB_VERSION_MAJOR != 0 || MDB_VERSION_MINOR != 9
#error "OpenRealm needs LMDB 0.9, and <lmdb.h> is of another version: install the headers of LMDB 0.9"
#endif
