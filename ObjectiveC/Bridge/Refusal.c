// The bridge relies on structures in memory. It refuses everything that it was not made for when the library
// is loaded, instead of failing later in a place that explains nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Runtime.h"

_Noreturn void openrealm_bridge_refuse(const char *reason, const char *detail) {
  fprintf(stderr, "librealm-objc: %s%s%s\n", reason, detail ? ": " : "", detail ? detail : "");
  fflush(stderr);
  _exit(70); // EX_SOFTWARE. Not `exit`, which would run what the libraries leave for the end.
}

void *openrealm_bridge_next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function)
    openrealm_bridge_refuse("a library with this function must be linked after -lrealm-objc", name);
  return function;
}

// The structures of a class that the runtime has loaded must say what the runtime's functions say.
static bool isAsDescribed(const char *name) {
  struct Class *class = objc_lookUpClass(name);
  return !class
         || (class->name == class_getName(class) && !strcmp(class->name, name)
             && (size_t) class->instanceSize == class_getInstanceSize(class)
             && class->metaclass->flags & 2); // _CLS_META in objc-private/runtime.h
}

void openrealm_bridge_check_runtime(void) {
  static bool checked;
  if (checked) return;
  checked = true;
#if !defined(__x86_64__) || !defined(__linux__)
  openrealm_bridge_refuse("Objective-C is supported on Linux on x86-64 only", NULL);
#endif
  Dl_info info;
  void *loader = openrealm_bridge_next("__objc_exec_class");
  if (!dladdr(loader, &info) || !info.dli_fname)
    openrealm_bridge_refuse("the Objective-C runtime was not found; libobjc.so.4 of GCC is needed", NULL);
  const char *name = strrchr(info.dli_fname, '/');
  name = name ? name + 1 : info.dli_fname;
  if (strncmp(name, "libobjc.so.4", 12) || (name[12] && name[12] != '.'))
    openrealm_bridge_refuse(
        "this Objective-C runtime is not supported; libobjc.so.4 of GCC is needed, but found is",
        info.dli_fname);
  if (dlsym(RTLD_NEXT, "objc_msgSend"))
    openrealm_bridge_refuse("two Objective-C runtimes are loaded; libobjc.so.4 of GCC is needed alone", NULL);
  if (!isAsDescribed("Protocol") || !isAsDescribed("NSObject"))
    openrealm_bridge_refuse(
        "libobjc.so.4 lays out classes in another way than the versions that are supported", info.dli_fname);
}

__attribute__((constructor)) static void setUp(void) {
  openrealm_bridge_check_runtime();
  openrealm_bridge_set_up_exceptions();
  openrealm_bridge_set_up_weak_references();
  openrealm_bridge_set_up_blocks();
}
