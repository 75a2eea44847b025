// Questions that Swift's concurrency runtime answers, and whose Swift interface has them only in a form that stops
// the program. The calling conventions of C and Swift agree for these.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const void *_Nullable identity;
  uintptr_t implementation;
} SerialExecutorReference;

// What runs the current task; null when nothing does.
SerialExecutorReference swift_task_getCurrentExecutor(void);

// 1 when the executor says that it isolates what runs; what it can not tell is another number.
int8_t swift_task_isIsolatingCurrentContext(SerialExecutorReference executor);
