// Chooses calls, makes them and checks what they return.
#include <pthread.h>

#include "fuzzer.h"

static const call *const tables[] = {
    error_calls,      schema_calls, configuration_calls, migration_calls,    realm_calls, object_calls, setter_calls,
    collection_calls, list_calls,   query_calls,         notification_calls, file_calls,  value_calls};

static const call *calls[CALL_COUNT];
static int call_count;
static int chosen_by_weight[8192];  // numbers of calls
static int weight_sum;

static void collect_calls(void) {
  for (size_t table = 0; table < sizeof tables / sizeof *tables; table++) {
    for (const call *next = tables[table]; next->name; next++) {
      if (call_count == CALL_COUNT) abort();
      for (int i = 0; i < next->weight; i++) {
        if (weight_sum == sizeof chosen_by_weight / sizeof *chosen_by_weight) abort();
        chosen_by_weight[weight_sum++] = call_count;
      }
      calls[call_count++] = next;
    }
  }
}

int all_calls(const call **found) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, collect_calls);
  memcpy(found, calls, sizeof calls);
  return call_count;
}

void stop(const fuzzer *f, const char *format, const char *text, long number) {
  fprintf(stderr, format, text, number);
  fprintf(stderr, "\nafter %llu calls of thread %d\n", (unsigned long long)f->done, f->number);
  abort();
}

// A failure comes with the code and a message.
static void check_failure(fuzzer *f, const call *made, int32_t code) {
  openrealm_error error;
  int32_t last = openrealm_last_error(&error);
  if (last != code || error.code != code)
    stop(f, "%s: the code is not that of the last error, %ld", made->name, last);
  if (!error.message || !*error.message) stop(f, "%s: code %ld comes without a message", made->name, code);
  if (code == OPENREALM_INVALID_QUERY ? error.position < -1 : error.position != -1)
    stop(f, "%s: the position is %ld", made->name, (long)error.position);
  if (f->settings->traces) fprintf(stderr, "  %s: %s\n", openrealm_code_name(code), error.message);
  if (code < 0 || code >= CODE_COUNT) stop(f, "%s: the code %ld is unknown", made->name, code);
  if (code != OPENREALM_ERROR && strcmp(openrealm_code_name(code), "OPENREALM_ERROR") == 0)
    stop(f, "%s: the code %ld has no name", made->name, code);
}

bool is_left_out(const fuzzer *f, const call *call) {
  for (int i = 0; i < 8 && f->settings->left_out[i]; i++) {
    if (strcmp(f->settings->left_out[i], call->name) == 0) return true;
  }
  return false;
}

static void make_call(fuzzer *f, int number) {
  const call *made = calls[number];
  if (is_left_out(f, made)) return;
  f->done++;
  f->recent[f->done % 16] = made;
  if (f->settings->traces) fprintf(stderr, "%d %llu %s\n", f->number, (unsigned long long)f->done, made->name);
  int held = f->held_count;
  int32_t code = made->make(f);
  if (code == NOT_CALLED) {
    f->done--;
  } else if (code == NO_CODE) {
    f->counts[number][OPENREALM_OK]++;
  } else {
    if (code != OPENREALM_OK) check_failure(f, made, code);
    f->counts[number][code]++;
  }
  release_held(f, held);
}

// Three calls of four are made with care. Of these, the ones that write are made in transactions.
static int choose_call(fuzzer *f) {
  int number = chosen_by_weight[below(f, (uint64_t)weight_sum)];
  f->is_careful = !one_in(f, 4);
  if (!f->is_careful || openrealm_is_writing(f->pools[REALM][0])) return number;
  while (calls[number]->is_write) number = chosen_by_weight[below(f, (uint64_t)weight_sum)];
  return number;
}

void run_calls(fuzzer *f, uint64_t count) {
  while (f->done < count) make_call(f, choose_call(f));
}

void call_back(fuzzer *f) {
  if (f->depth > 2 || f->is_ending) return;
  bool was_careful = f->is_careful;
  f->depth++;
  make_call(f, choose_call(f));
  f->depth--;
  f->is_careful = was_careful;
}

void call_back_to(fuzzer *f, const call *table) {
  if (f->is_ending) return;
  size_t count = 0;
  while (table[count].name) count++;
  const call *chosen = &table[below(f, count)];
  bool was_careful = f->is_careful;
  f->is_careful = !one_in(f, 4);
  f->depth++;
  for (int number = 0; number < call_count; number++) {
    if (calls[number] == chosen) make_call(f, number);
  }
  f->depth--;
  f->is_careful = was_careful;
}
