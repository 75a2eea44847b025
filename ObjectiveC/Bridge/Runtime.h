// What the parts of the bridge share. The bridge lets GCC's Objective-C runtime (libobjc 4) run what clang
// compiles with -fobjc-runtime=gnustep-1.9. Structures of the compiler are described here with the place
// where clang or GCC define them; where both runtimes agree, GCC's public headers are used.
//
// The bridge is C and never includes Objective-C headers: objects, classes and selectors are opaque.
#ifndef OPENREALM_BRIDGE_RUNTIME_H
#define OPENREALM_BRIDGE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *Object;
typedef const void *Selector;
typedef void (*Method)(void);

// MARK: Structures that clang writes into a program
//
// Source: clang/lib/CodeGen/CGObjCGNU.cpp, class CGObjCGNUstep, whose structures extend those of GCC's
// runtime: gcc/libobjc/objc-private/module-abi-8.h.

struct InstanceVariable {
  const char *name;
  const char *types;
  int offset; // without the superclass's size, until the class is loaded
};

struct InstanceVariables {
  int count;
  struct InstanceVariable list[];
};

// GCC's `struct objc_class` (13 words), then what the GNUstep ABI adds.
struct Class {
  struct Class *metaclass;
  const char *superclassName; // the loader replaces it by the class
  const char *name;
  long version;
  unsigned long flags;
  long instanceSize; // negative: its own instance variables only, to be added to the superclass's
  struct InstanceVariables *variables;
  void *methods, *dispatchTable, *subclasses, *sibling, *protocols, *collectorType;
  long abiVersion;
  int **offsets; // where the program reads the offset of each instance variable
  void *properties;
};
_Static_assert(offsetof(struct Class, instanceSize) == 5 * sizeof(void *), "as in GCC's struct objc_class");
_Static_assert(offsetof(struct Class, abiVersion) == 13 * sizeof(void *),
               "GCC's struct objc_class has 13 words");

// CGObjCGNUstep sets this bit in `flags` of classes with the words beyond GCC's 13 ("ClassFlagNewABI").
enum { flagOfExtendedClass = 0x10 };

struct Protocol {
  uintptr_t version; // in the place of `isa`: 2 in GCC's ABI, 3 with properties in GNUstep's
  const char *name;
  struct ProtocolList *protocols;
};

struct ProtocolList {
  struct ProtocolList *next;
  size_t count;
  struct Protocol *list[];
};

struct Category {
  const char *name, *className;
  void *instanceMethods, *classMethods;
  struct ProtocolList *protocols;
};

struct SymbolTable {
  unsigned long selectorCount;
  void *selectors;
  unsigned short classCount, categoryCount;
  void *definitions[]; // the classes, then the categories
};
_Static_assert(offsetof(struct SymbolTable, definitions) == 3 * sizeof(void *), "as in module-abi-8.h");

struct Module {
  unsigned long version, size;
  const char *name;
  struct SymbolTable *symbols;
};
_Static_assert(sizeof(struct Module) == 4 * sizeof(void *), "as in module-abi-8.h");

// MARK: Functions of GCC's libobjc and of GNUstep Base

struct Super {
  Object receiver;
  struct Class *superclass; // struct objc_super in objc/message.h
};

extern Method objc_msg_lookup(Object receiver, Selector selector);
extern Method objc_msg_lookup_super(struct Super *super, Selector selector);
extern struct Class *objc_lookUpClass(const char *name);
extern struct Class *objc_getClass(const char *name);
extern size_t class_getInstanceSize(struct Class *class);
extern const char *class_getName(struct Class *class);
extern Selector sel_registerName(const char *name);
extern void objc_exception_throw(Object exception);

// Sends a message without arguments. The selector is looked up once.
static inline Object openrealm_bridge_send(Object receiver, Selector selector) {
  return receiver ? ((Object(*)(Object, Selector))objc_msg_lookup(receiver, selector))(receiver, selector)
                  : NULL;
}
// A variable of each thread that is found without a call, which each message would pay for. There is room for a few
// bytes of these in libraries that are loaded late.
#define THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))

#define SEND(RECEIVER, NAME) \
  ({ \
    static Selector selector; \
    if (!selector) selector = sel_registerName(NAME); \
    openrealm_bridge_send(RECEIVER, selector); \
  })

// MARK: Between the parts

// Each is called when the library is loaded.
void openrealm_bridge_set_up_exceptions(void);
void openrealm_bridge_set_up_blocks(void);
void openrealm_bridge_set_up_weak_references(void);

// Ends the process with a message unless this is the processor and the libobjc that the bridge is made for.
void openrealm_bridge_check_runtime(void);

// Ends the process with a message.
_Noreturn void openrealm_bridge_refuse(const char *reason, const char *detail);

// The function of this name in the libraries that come after this one.
void *openrealm_bridge_next(const char *name);

// Sets the weak references to an object that is about to be freed to nil.
void openrealm_bridge_clear_weak_references(Object object);

// Names the class whose missing superclass keeps a class from being loaded; NULL if the class does not wait.
const char *openrealm_bridge_missing_superclass(const char *className);

// The list of properties that clang wrote for a class; NULL for classes that were made at run time, by
// key-value observing for example, which have nothing behind GCC's 13 words.
const void *openrealm_bridge_properties(struct Class *class);

#endif
