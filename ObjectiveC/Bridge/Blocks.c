// Blocks as objects. libBlocksRuntime knows nothing of Objective-C: the "classes" in the first word of its
// blocks are empty memory, and it counts no references to objects that a block captures. Both is added here.
//
// The functions `_Block_copy` and so on are found here first and go to libBlocksRuntime by its name: GNUstep
// Base has functions of the same names for another blocks runtime, and the order of the libraries must not
// decide.
#include <dlfcn.h>
#include <string.h>

#include "Runtime.h"

extern Object objc_retain(Object object);
extern void objc_release(Object object);
extern struct Class *objc_allocateClassPair(struct Class *superclass, const char *name, size_t extra);
extern void objc_registerClassPair(struct Class *class);
extern signed char class_addMethod(struct Class *class, Selector selector, Method method, const char *types);
extern Method class_getMethodImplementation(struct Class *class, Selector selector);
extern signed char class_respondsToSelector(struct Class *class, Selector selector);

// MARK: libBlocksRuntime

// The first words of a block: "Block Implementation Specification" of clang's documentation.
struct Block {
  struct Class *class;
  int flags; // BLOCK_REFCOUNT_MASK, BLOCK_NEEDS_FREE: libBlocksRuntime's Block_private.h
};
enum { blockNeedsFree = 1 << 24, blockCountMask = 0xffff };

// BLOCK_FIELD_IS_OBJECT, BLOCK_FIELD_IS_BLOCK and BLOCK_FIELD_IS_WEAK of the same specification. Variables
// marked __block (BLOCK_BYREF_CALLER, 128) are not counted with manual reference counting, and are by ARC
// itself.
enum { fieldIsObject = 3, fieldIsBlock = 7, fieldIsWeak = 16 };

static void *inBlocksRuntime(const char *name) {
  static void *library;
  if (!library) library = dlopen("libBlocksRuntime.so.0", RTLD_NOW | RTLD_LOCAL);
  void *function = library ? dlsym(library, name) : NULL;
  if (!function) openrealm_bridge_refuse("libBlocksRuntime.so.0 is needed, with the function", name);
  return function;
}

void *_Block_copy(const void *block) {
  static void *(*next)(const void *);
  if (!next) next = (void *(*)(const void *))inBlocksRuntime("_Block_copy");
  return next(block);
}

void _Block_release(const void *block) {
  static void (*next)(const void *);
  if (!next) next = (void (*)(const void *))inBlocksRuntime("_Block_release");
  // A block that this thread and another one release at the same moment may be freed uncleared: the runtime
  // of blocks counts without a lock.
  int flags = block ? ((const struct Block *)block)->flags : 0;
  if (flags & blockNeedsFree && (flags & blockCountMask) == 1)
    openrealm_bridge_clear_weak_references((Object)block);
  next(block);
}

void _Block_object_assign(void *place, const void *object, const int flags) {
  static void (*next)(void *, const void *, int);
  if (!next) next = (void (*)(void *, const void *, int))inBlocksRuntime("_Block_object_assign");
  if ((flags & ~fieldIsWeak) == fieldIsObject)
    *(Object *)place = objc_retain((Object)object);
  else if (flags == fieldIsBlock)
    *(void **)place = _Block_copy(object);
  else
    next(place, object, flags);
}

void _Block_object_dispose(const void *object, const int flags) {
  static void (*next)(const void *, int);
  if (!next) next = (void (*)(const void *, int))inBlocksRuntime("_Block_object_dispose");
  if ((flags & ~fieldIsWeak) == fieldIsObject)
    objc_release((Object)object);
  else if (flags == fieldIsBlock)
    _Block_release(object);
  else
    next(object, flags);
}

Object objc_retainBlock(Object block) { return block ? _Block_copy(block) : NULL; }

// MARK: The class of blocks

static Object copy(Object self, Selector selector) {
  (void)selector;
  return _Block_copy(self);
}
static Object copyWithZone(Object self, Selector selector, void *zone) {
  (void)selector, (void)zone;
  return _Block_copy(self);
}
static void releaseBlock(Object self, Selector selector) {
  (void)selector;
  _Block_release(self);
}
static Object autoreleaseBlock(Object self, Selector selector) {
  (void)selector;
  Object pool = objc_getClass("NSAutoreleasePool");
  Selector add = sel_registerName("addObject:");
  ((void (*)(Object, Selector, Object))objc_msg_lookup(pool, add))(pool, add, self);
  return self;
}
static Object itself(Object self, Selector selector) {
  (void)selector;
  return self;
}
static struct Class *class(Object self, Selector selector) {
  (void)selector;
  return ((struct Block *)self)->class;
}
static unsigned long hash(Object self, Selector selector) {
  (void)selector;
  return (uintptr_t)self >> 4;
}
static unsigned long retainCount(Object self, Selector selector) {
  (void)selector;
  int flags = ((struct Block *)self)->flags;
  return flags & blockNeedsFree ? (unsigned long)(flags & blockCountMask) : (unsigned long)-1;
}
static unsigned char isEqual(Object self, Selector selector, Object other) {
  (void)selector;
  return self == other;
}
static unsigned char respondsTo(Object self, Selector selector, Selector asked) {
  (void)selector;
  return (unsigned char)class_respondsToSelector(((struct Block *)self)->class, asked);
}
static Method methodFor(Object self, Selector selector, Selector asked) {
  (void)selector;
  return class_getMethodImplementation(((struct Block *)self)->class, asked);
}
static unsigned char isKindOf(Object self, Selector selector, struct Class *asked) {
  (void)selector;
  return ((struct Block *)self)->class == asked || asked == objc_lookUpClass("NSBlock");
}
static unsigned char no(Object self, Selector selector) {
  (void)self, (void)selector;
  return 0;
}
static Object description(Object self, Selector selector) {
  (void)self, (void)selector;
  Object string = objc_getClass("NSString");
  Selector make = sel_registerName("stringWithUTF8String:");
  return ((Object(*)(Object, Selector, const char *))objc_msg_lookup(string, make))(string, make, "<block>");
}

static const struct {
  const char *name;
  void *method;
  const char *types;
} methods[] = {
    {"retain", copy, "@16@0:8"},
    {"copy", copy, "@16@0:8"},
    {"copyWithZone:", copyWithZone, "@24@0:8^v16"},
    {"release", releaseBlock, "Vv16@0:8"},
    {"autorelease", autoreleaseBlock, "@16@0:8"},
    {"retainCount", retainCount, "Q16@0:8"},
    {"self", itself, "@16@0:8"},
    {"class", class, "#16@0:8"},
    {"hash", hash, "Q16@0:8"},
    {"isEqual:", isEqual, "C24@0:8@16"},
    {"isKindOfClass:", isKindOf, "C24@0:8#16"},
    {"respondsToSelector:", respondsTo, "C24@0:8:16"},
    {"methodForSelector:", methodFor, "^?24@0:8:16"},
    {"isProxy", no, "C16@0:8"},
    {"description", description, "@16@0:8"},
};

// Of 32 words each; a class of GCC's takes 13.
extern void *_NSConcreteStackBlock[32], *_NSConcreteMallocBlock[32], *_NSConcreteGlobalBlock[32];

// Makes a root class, so that no change of another class ever moves its dispatch table, and copies it over
// the three.
void openrealm_bridge_set_up_blocks(void) {
  struct Class *blockClass = objc_allocateClassPair(NULL, "NSBlock", 0);
  if (!blockClass) return;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    class_addMethod(blockClass, sel_registerName(methods[i].name), (Method)methods[i].method,
                    methods[i].types);
  objc_registerClassPair(blockClass);
  // The first message installs the dispatch table, which all of them share.
  struct Block sample = {blockClass, 0};
  SEND(&sample, "self");
  enum { words = offsetof(struct Class, abiVersion) / sizeof(void *) };
  void **places[] = {_NSConcreteStackBlock, _NSConcreteMallocBlock, _NSConcreteGlobalBlock};
  for (int kind = 0; kind < 3; kind++)
    for (int word = 0; word < words; word++)
      // Not by memcpy, for which clang would take them for aligned by 16, which they need not be.
      ((void *volatile *)places[kind])[word] = ((void **)blockClass)[word];
}
