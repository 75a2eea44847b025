#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#elif __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#error "<libpq-fe.h> is missing: install libpq, which only synchronisation and the tool need, with: apt-get install libpq-dev"
#endif

extern int eventfd(unsigned int, int);

// Makes an eventfd that is not inherited by other programs and never blocks; -1 when the process has no descriptor left.
static inline int openrealm_event_descriptor(void) { return eventfd(0, /* EFD_CLOEXEC | EFD_NONBLOCK */ 02000000 | 04000); }
