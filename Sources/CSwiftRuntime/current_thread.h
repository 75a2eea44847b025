// The number of the current thread.
#pragma once

#include <pthread.h>

// Returns the number of pthread_self() in a way that the optimiser cannot know: the slow way for processors that are not known below.
static inline pthread_t currentThreadByCall(void) {
  pthread_t (*volatile function)(void) = pthread_self;
  return function();
}

// A number that no other living thread has; a readable address, with the thread's own variables at fixed distances.
//
// <pthread.h> declares pthread_self() as a function that always gives the same. An optimiser may therefore keep its
// result, which is wrong in asynchronous functions: they go on on other threads after each suspension. This is read
// anew each time, and costs less than a call. Where the thread pointer is, the processor's binary interface says.
static inline pthread_t currentThread(void) {
  pthread_t thread;
#if defined(__x86_64__)
  __asm__ volatile("movq %%fs:0, %0" : "=r"(thread));
#elif defined(__aarch64__)
  __asm__ volatile("mrs %0, tpidr_el0" : "=r"(thread));
#else
  thread = currentThreadByCall();
#endif
  return thread;
}
