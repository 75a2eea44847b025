#if !__has_include(<editline/readline.h>)
#error "<editline/readline.h> is missing: install libedit, which only the tool needs, with: apt-get install libedit-dev"
#endif

#include <stdio.h>
#include <editline/readline.h>

/* Swift does not let one write to the library's variables. */
static inline void setCompletion(char **(*complete)(const char *, int, int)) {
  rl_attempted_completion_function = complete;
}

static inline void beginEditing(const char *name) {
  rl_readline_name = (char *)name;
  using_history();
}

static inline const char *editedLine(void) { return rl_line_buffer; }

/* That there is nothing to complete with: not even names of files. */
static inline void endCompletion(void) { rl_attempted_completion_over = 1; }

/* Lets Ctrl-C delete the line instead of sending a signal, as long as a line is edited. */
static inline void interruptIsAKey(void) {
  rl_parse_and_bind("setty -d intr=");
  rl_parse_and_bind("bind ^C em-kill-line");
}
