// What CoreFoundation knows of the run loops of threads.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

// The run loop of a thread, null when it has none. Unlike CFRunLoopGetCurrent() it makes none, for which a thread would
// need descriptors. Not a documented part of CoreFoundation, and null where it has no such function.
const void *_Nullable knownRunLoop(pthread_t thread) __asm__("_CFRunLoopGet0b") __attribute__((weak));

static inline bool hasRunLoopLookup(void) { return knownRunLoop != NULL; }

static inline bool currentThreadHasRunLoop(void) { return knownRunLoop(pthread_self()) != NULL; }
