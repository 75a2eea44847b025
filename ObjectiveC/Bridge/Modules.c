// Loading: the compiler puts a call of `__objc_exec_class` with the module's classes and categories into each
// object file. This one is found before libobjc's, makes the module look as GCC would have written it, and
// hands it on.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "Runtime.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

// A list of pointers that grows.
struct Pointers {
  void **list;
  size_t count, capacity;
};

static void append(struct Pointers *pointers, void *pointer) {
  if (pointers->count == pointers->capacity) {
    pointers->capacity = pointers->capacity ? 2 * pointers->capacity : 64;
    pointers->list = realloc(pointers->list, pointers->capacity * sizeof *pointers->list);
    if (!pointers->list) openrealm_bridge_refuse("no memory is left", NULL);
  }
  pointers->list[pointers->count++] = pointer;
}

static struct Pointers waiting; // modules whose superclasses are in modules that come later

// MARK: Instance variables

static struct Class *classOf(struct SymbolTable *symbols, const char *name) {
  for (int i = 0; i < symbols->classCount; i++) {
    struct Class *class = symbols->definitions[i];
    if (!strcmp(class->name, name)) return class;
  }
  return NULL;
}

// With the non-fragile ABI a class knows the size of its own instance variables only. GCC's runtime wants the
// size of whole instances. Returns it, or -1 if the superclass is not loaded yet. A class that was laid out
// already is left alone.
static long layOut(struct SymbolTable *symbols, struct Class *class) {
  if (class->instanceSize > 0 || !(class->flags & flagOfExtendedClass)) return class->instanceSize;
  long size = 0;
  if (class->superclassName) {
    struct Class *superclass = classOf(symbols, class->superclassName);
    if (superclass) {
      size = layOut(symbols, superclass);
    } else {
      superclass = objc_lookUpClass(class->superclassName);
      size = superclass ? (long)class_getInstanceSize(superclass) : -1;
    }
    if (size < 0) return -1;
  }
  for (int i = 0; class->variables && i < class->variables->count; i++) {
    class->variables->list[i].offset += (int)size;
    if (class->offsets && class->offsets[i]) *class->offsets[i] += (int)size;
  }
  class->instanceSize = size - class->instanceSize;
  // The flag means something else to GCC's runtime: _CLS_IN_CONSTRUCTION.
  class->flags &= ~(unsigned long)flagOfExtendedClass;
  class->metaclass->flags &= ~(unsigned long)flagOfExtendedClass;
  return class->instanceSize;
}

// MARK: Protocols

// Version 3 adds properties behind what version 2 has, which is all that GCC's runtime knows.
static void lower(struct ProtocolList *protocols) {
  for (; protocols; protocols = protocols->next)
    for (size_t i = 0; i < protocols->count; i++) {
      struct Protocol *protocol = protocols->list[i];
      if (!protocol || protocol->version != 3) continue;
      protocol->version = 2;
      lower(protocol->protocols);
    }
}

// MARK: Classes with properties

// Classes that clang laid out, in a hash table of their addresses: only those have properties in the place
// where they are looked for.
static struct Class **known;
static size_t knownCount, knownCapacity;

static size_t placeOf(struct Class *class, struct Class **table, size_t capacity) {
  size_t place = ((uintptr_t) class >> 4) * 0x9E3779B97F4A7C15U & (capacity - 1);
  while (table[place] && table[place] != class)
    place = (place + 1) & (capacity - 1);
  return place;
}

static void remember(struct Class *class) {
  if (2 * knownCount >= knownCapacity) {
    size_t capacity = knownCapacity ? 2 * knownCapacity : 256;
    struct Class **table = calloc(capacity, sizeof *table);
    if (!table) openrealm_bridge_refuse("no memory is left", NULL);
    for (size_t i = 0; i < knownCapacity; i++)
      if (known[i]) table[placeOf(known[i], table, capacity)] = known[i];
    free(known);
    known = table;
    knownCapacity = capacity;
  }
  known[placeOf(class, known, knownCapacity)] = class;
  knownCount++;
}

const void *openrealm_bridge_properties(struct Class *class) {
  pthread_mutex_lock(&lock);
  bool isKnown = knownCapacity && known[placeOf(class, known, knownCapacity)];
  pthread_mutex_unlock(&lock);
  return isKnown ? class->properties : NULL;
}

// MARK: Modules

// CGObjCGNUstep writes 9, or 10 when the module needs the functions of automatic reference counting; GCC 8.
static bool isFromClang(struct Module *module) { return module->version == 9 || module->version == 10; }

static bool load(struct Module *module) {
  static void (*next)(struct Module *);
  if (!next) next = (void (*)(struct Module *))openrealm_bridge_next("__objc_exec_class");
  if (isFromClang(module)) {
    struct SymbolTable *symbols = module->symbols;
    for (int i = 0; i < symbols->classCount; i++)
      if (layOut(symbols, symbols->definitions[i]) < 0) return false;
    for (int i = 0; i < symbols->classCount; i++) {
      struct Class *class = symbols->definitions[i];
      remember(class);
      lower(class->protocols);
    }
    for (int i = 0; i < symbols->categoryCount; i++)
      lower(((struct Category *)symbols->definitions[symbols->classCount + i])->protocols);
    module->version = 8;
    module->size = sizeof(struct Module);
  }
  next(module);
  return true;
}

void __objc_exec_class(struct Module *module) {
  openrealm_bridge_check_runtime();
  pthread_mutex_lock(&lock);
  if (load(module)) {
    // Each module that can be loaded now may be what another one waits for.
    for (size_t i = 0; i < waiting.count; i++) {
      struct Module *earlier = waiting.list[i];
      if (!earlier) continue;
      waiting.list[i] = NULL;
      if (load(earlier))
        i = (size_t)-1;
      else
        waiting.list[i] = earlier;
    }
  } else {
    append(&waiting, module);
  }
  pthread_mutex_unlock(&lock);
}

const char *openrealm_bridge_missing_superclass(const char *className) {
  const char *missing = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < waiting.count; i++) {
    struct Module *module = waiting.list[i];
    struct Class *class = module ? classOf(module->symbols, className) : NULL;
    // The chain of superclasses within the module, up to one that is elsewhere.
    while (class && class->instanceSize <= 0 && class->superclassName) {
      missing = class->superclassName;
      class = classOf(module->symbols, missing);
    }
    if (missing) break;
  }
  pthread_mutex_unlock(&lock);
  return missing;
}
