#if !__has_include(<lmdb.h>)
#error "<lmdb.h> is missing: install LMDB with: apt-get install liblmdb-dev"
#endif

#include <lmdb.h>
