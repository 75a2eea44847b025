// What Swift's runtime offers to C, and Swift's own interface not at all or only in a form that stops the program. The
// calling conventions of C and Swift agree for these.
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

// Adds a reference to an object and returns the object, unless its last reference is gone: then null. One atomic step.
// The object's memory must be there.
void *_Nullable swift_tryRetain(void *_Nonnull object);
