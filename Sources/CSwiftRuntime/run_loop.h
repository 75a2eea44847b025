// What CoreFoundation knows of the run loops of threads.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

// The run loop of a thread, null when it has none. Unlike CFRunLoopGetCurrent() it makes none, for which a thread would
// need descriptors. Not a documented part of CoreFoundation, and null where it has no such function.
const void *_Nullable knownRunLoop(pthread_t thread) __asm__("_CFRunLoopGet0b") __attribute__((weak));

// The descriptor with which Dispatch wakes the main queue. Dispatch makes it when it is first asked for. Null where Dispatch
// has no such function, which CoreFoundation uses.
int mainQueueDescriptor(void) __asm__("_dispatch_get_main_queue_handle_4CF") __attribute__((weak));

static inline bool hasMainQueueDescriptor(void) { return mainQueueDescriptor != NULL; }

static inline bool hasRunLoopLookup(void) { return knownRunLoop != NULL; }

static inline bool currentThreadHasRunLoop(void) { return knownRunLoop(pthread_self()) != NULL; }

// Makes an eventfd that is not inherited by other programs and never blocks; -1 when the process has no descriptor left.
int eventfd(unsigned int, int);
static inline int makeEventDescriptor(void) { return eventfd(0, /* EFD_CLOEXEC | EFD_NONBLOCK */ 02000000 | 04000); }
