// Questions that Swift's concurrency runtime answers, and whose Swift interface has them only in a form that stops
// the program. The calling conventions of C and Swift agree for these. A runtime may lack them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const void *_Nullable identity;
  uintptr_t implementation;
} SerialExecutorReference;

SerialExecutorReference swift_task_getCurrentExecutor(void) __attribute__((weak));
int8_t swift_task_isIsolatingCurrentContext(SerialExecutorReference executor) __attribute__((weak));

static inline bool hasExecutorQuestions(void) {
  return swift_task_getCurrentExecutor && swift_task_isIsolatingCurrentContext;
}

// What runs the current task; null when nothing does.
static inline SerialExecutorReference currentExecutor(void) { return swift_task_getCurrentExecutor(); }

// 1 when the executor says that it isolates what runs; what it cannot tell is another number.
static inline int8_t isIsolatingCurrentContext(SerialExecutorReference executor) {
  return swift_task_isIsolatingCurrentContext(executor);
}
