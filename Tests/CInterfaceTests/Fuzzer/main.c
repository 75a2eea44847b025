// Fuzzes the C interface: see fuzzer.h.
//
//   CInterfaceFuzzer --seed 1 --calls 100000 --threads 1 --storage memory|plain|encrypted|damaged FOLDER
//   CInterfaceFuzzer --functions        prints the functions that are called
//
// --trace prints each call before it is made, --freed passes handles that were just freed, --summary prints for each
// function the share of calls that succeeded and how often it returned each code, --without FUNCTION leaves one out,
// up to eight times, --samples FOLDER has the official files that are converted. A stop is reported with the last
// calls of each thread, and calls that do not return with the stacks of all threads, if gdb is installed.
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "fuzzer.h"

enum { THREAD_COUNT = 16 };

static fuzzer *fuzzers[THREAD_COUNT];
static settings chosen = {.seed = 1, .calls = 100000, .threads = 1};

static void print_recent(const char *reason) {
  fprintf(stderr, "%s; seed %llu\n", reason, (unsigned long long)chosen.seed);
  for (int i = 0; i < chosen.threads; i++) {
    if (!fuzzers[i]) continue;
    fprintf(stderr, "thread %d, after %llu calls:", i, (unsigned long long)fuzzers[i]->done);
    for (uint64_t back = 0; back < 6; back++) {
      const call *made = fuzzers[i]->recent[(fuzzers[i]->done - back) % 16];
      if (made) fprintf(stderr, " %s", made->name + strlen("openrealm_"));
    }
    fprintf(stderr, "\n");
  }
}

static void report_signal(int number) {
  print_recent(strsignal(number));
  signal(number, SIG_DFL);
  raise(number);
}

static void fatal(void *context, const char *message) {
  (void)context;
  fprintf(stderr, "The library ends the process: %s\n", message);
}

// Reports when no thread has made a call for some time.
static void *watch(void *unused) {
  (void)unused;
  uint64_t former = 0;
  for (int quiet = 0; quiet < 6;) {
    sleep(10);
    uint64_t done = 0;
    for (int i = 0; i < chosen.threads; i++) done += fuzzers[i] ? fuzzers[i]->done : 0;
    quiet = done == former ? quiet + 1 : 0;
    former = done;
  }
  print_recent("No call has returned for a minute");
  char command[128];
  snprintf(command, sizeof command, "gdb -p %d -batch -ex 'thread apply all backtrace 40' 2>/dev/null >&2",
           (int)getpid());
  if (system(command) != 0) fputs("The stacks cannot be printed.\n", stderr);
  abort();
}

// Lets everything end that is still to be called on this thread, and keeps a realm open until then. Others may wait for
// an open transaction.
static void finish(fuzzer *f, int milliseconds) {
  f->is_ending = true;
  for (int round = 0; round < milliseconds; round++) {
    for (int place = 0; place < POOL_SIZE; place++) openrealm_cancel(f->pools[REALM][place]);
    openrealm_loop_perform();
    usleep(1000);
  }
  f->is_ending = false;
}

// Deletes a file. Returns false while a realm has it open.
static bool delete_file(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  openrealm_configuration *configuration = openrealm_configuration_new();
  openrealm_configuration_set_path(configuration, path);
  int32_t code = openrealm_delete_files(configuration, NULL);
  openrealm_release(configuration);
  return code != OPENREALM_ALREADY_OPEN;
}

// Deletes the files of the folder when all handles were released: a realm that is still open then is a leak. The leak
// sanitizer finds no more of it than its key, whose address Swift hides in the bits that say of which kind data is, and
// reports that also while the realm waits for a slow disk. Returns false when a realm is still open after half a minute.
static bool delete_all(const char *folder) {
  DIR *files = opendir(folder);
  bool are_closed = files;
  for (struct dirent *entry; files && (entry = readdir(files));) {
    const char *ending = strrchr(entry->d_name, '.');
    if (!ending || strcmp(ending, ".realm") != 0) continue;
    int attempts = 3000;
    while (!delete_file(folder, entry->d_name) && attempts--) {
      openrealm_loop_perform();
      usleep(10000);
    }
    if (attempts >= 0) continue;
    fprintf(stderr, "'%s' is still open, although no handle is left.\n", entry->d_name);
    are_closed = false;
  }
  if (files) closedir(files);
  return are_closed;
}

// Opens the file that all threads use and makes the calls.
static void *fuzz(void *pointer) {
  fuzzer *f = pointer;
  f->state = chosen.seed * 1000003 + (uint64_t)f->number * 7919;
  openrealm_loop_descriptor();
  openrealm_configuration *configuration = main_configuration(&chosen);
  openrealm_realm *realm = openrealm_open(configuration);
  if (!realm) {
    openrealm_error error;
    openrealm_last_error(&error);
    fprintf(stderr, "The file cannot be opened: %s\n", error.message);
    exit(3);
  }
  // Before other threads are started.
  if (chosen.calls == 0) learn_numbers(realm);
  keep(f, REALM, realm);
  openrealm_release(configuration);
  while (f->done < chosen.calls) {
    // A thread whose first realm is closed gets another.
    if (!f->pools[REALM][0] || openrealm_version_number(f->pools[REALM][0]) == 0) {
      drop(f, REALM, 0);
      configuration = main_configuration(&chosen);
      realm = openrealm_open(configuration);
      if (realm) keep(f, REALM, realm);
      openrealm_release(configuration);
    }
    uint64_t next = f->done + 250;
    run_calls(f, next < chosen.calls ? next : chosen.calls);
  }
  finish(f, 20);
  return NULL;
}

static void *fuzz_in_thread(void *pointer) {
  fuzz(pointer);
  drop_all(pointer);
  finish(pointer, 300);
  return NULL;
}

static bool read_arguments(int argc, char **argv, bool *prints_summary) {
  for (int i = 1; i < argc; i++) {
    const char *word = argv[i];
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(word, "--seed") == 0)
      chosen.seed = strtoull(value, NULL, 10), i++;
    else if (strcmp(word, "--samples") == 0)
      chosen.samples = value, i++;
    else if (strcmp(word, "--calls") == 0)
      chosen.calls = strtoull(value, NULL, 10), i++;
    else if (strcmp(word, "--threads") == 0)
      chosen.threads = atoi(value), i++;
    else if (strcmp(word, "--storage") == 0) {
      static const char *const names[] = {"memory", "plain", "encrypted", "damaged"};
      int number = 0;
      while (number < 4 && strcmp(names[number], value) != 0) number++;
      if (number == 4) return false;
      chosen.storage = (storage)number, i++;
    } else if (strcmp(word, "--without") == 0) {
      int number = 0;
      while (number < 7 && chosen.left_out[number]) number++;
      chosen.left_out[number] = value, i++;
    } else if (strcmp(word, "--trace") == 0)
      chosen.traces = true;
    else if (strcmp(word, "--freed") == 0)
      chosen.uses_freed = true;
    else if (strcmp(word, "--summary") == 0)
      *prints_summary = true;
    else if (*word != '-' && !chosen.folder)
      chosen.folder = word;
    else
      return false;
  }
  return chosen.folder && chosen.threads > 0 && chosen.threads <= THREAD_COUNT;
}

// How often a function returned each code, on all threads. Returns how often it was called.
static uint64_t count_codes(int number, uint64_t sums[CODE_COUNT]) {
  uint64_t total = 0;
  for (int code = 0; code < CODE_COUNT; code++) {
    sums[code] = 0;
    for (int i = 0; i < chosen.threads; i++) sums[code] += fuzzers[i]->counts[number][code];
    total += sums[code];
  }
  return total;
}

// A line for each function, such as "openrealm_find 71.5% 0:143 28:57", and one for all of them.
static void print_summary(bool has_functions) {
  const call *calls[CALL_COUNT];
  int count = all_calls(calls);
  uint64_t sums[CODE_COUNT], all = 0, succeeded = 0, bad = 0;
  for (int number = 0; number < count; number++) {
    uint64_t total = count_codes(number, sums);
    all += total;
    succeeded += sums[OPENREALM_OK];
    bad += sums[OPENREALM_BAD_ARGUMENT];
    if (!has_functions) continue;
    printf("%s %.1f%%", calls[number]->name, total ? 100.0 * (double)sums[OPENREALM_OK] / (double)total : 0.0);
    for (int code = 0; code < CODE_COUNT; code++) {
      if (sums[code]) printf(" %d:%llu", code, (unsigned long long)sums[code]);
    }
    printf("\n");
  }
  printf("%llu calls: %llu succeeded, %llu had bad arguments, %llu were refused for other reasons\n",
         (unsigned long long)all, (unsigned long long)succeeded, (unsigned long long)bad,
         (unsigned long long)(all - succeeded - bad));
}

int main(int argc, char **argv) {
  const call *calls[CALL_COUNT];
  int count = all_calls(calls);
  if (argc == 2 && strcmp(argv[1], "--functions") == 0) {
    for (int i = 0; i < count; i++) puts(calls[i]->name);
    return 0;
  }
  bool prints_summary = false;
  if (!read_arguments(argc, argv, &prints_summary)) {
    fprintf(stderr,
            "usage: %s [--seed S] [--calls N] [--threads T] [--storage NAME] [--samples FOLDER] "
            "[--trace] [--freed] [--summary] FOLDER\n",
            argv[0]);
    return 2;
  }
  static const int signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], report_signal);
  openrealm_set_fatal_handler(fatal, NULL);
  openrealm_set_logger(OPENREALM_LOG_OFF, NULL, NULL);
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("seed %llu, %llu calls on each of %d threads\n", (unsigned long long)chosen.seed,
         (unsigned long long)chosen.calls, chosen.threads);
  if (chosen.storage == DAMAGED && !prepare_file(&chosen)) {
    fputs("The file to be damaged cannot be written.\n", stderr);
    return 3;
  }
  for (int i = 0; i < chosen.threads; i++) {
    fuzzers[i] = calloc(1, sizeof(fuzzer));
    fuzzers[i]->settings = &chosen;
    fuzzers[i]->number = i;
  }
  pthread_t watcher, threads[THREAD_COUNT];
  pthread_create(&watcher, NULL, watch, NULL);
  // Numbers are learned before the others begin.
  uint64_t calls_of_each = chosen.calls;
  chosen.calls = 0;
  fuzz(fuzzers[0]);
  chosen.calls = calls_of_each;
  for (int i = 1; i < chosen.threads; i++) pthread_create(&threads[i], NULL, fuzz_in_thread, fuzzers[i]);
  fuzz(fuzzers[0]);
  for (int i = 1; i < chosen.threads; i++) pthread_join(threads[i], NULL);
  drop_all(fuzzers[0]);
  finish(fuzzers[0], 300);
  if (!delete_all(chosen.folder)) return 4;
  print_summary(prints_summary);
  printf("no stop\n");
  return 0;
}
