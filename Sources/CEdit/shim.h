#if !__has_include(<editline/readline.h>)
#error "<editline/readline.h> is missing: install libedit, which only the tool needs, with: apt-get install libedit-dev"
#endif

#include <stdio.h>
#include <editline/readline.h>
