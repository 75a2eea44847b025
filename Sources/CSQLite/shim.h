#if !__has_include(<sqlite3.h>)
#error "<sqlite3.h> is missing: install SQLite, which only the tool and the benchmarks need, with: apt-get install libsqlite3-dev"
#endif

#include <sqlite3.h>
