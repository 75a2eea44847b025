// What all collections share. RLMCollectionBase implements what works on any handle; its subclasses add the
// rest, and how they keep elements in memory.
#import "RLMConversion.h"
#import "RLMObject_Private.h"

@interface RLMCollectionBase () {
@public
  openrealm_collection *_handle; // NULL in memory
  RLMRealm *_realm;              // retained
  RLMProperty *_property;        // retained; nil for results and for collections that belong to no property
  NSString *_ownerName;          // retained: the class of the object, for messages
  RLMPropertyType _type;
  BOOL _optional;
  NSString *_objectClassName; // retained
  // In memory: NSMutableArray, NSMutableOrderedSet or NSMutableDictionary of elements; null is NSNull. In a set
  // of mixed values an object of RLMSet.m stands for YES, and one for NO.
  id _elements;
}
// Takes over the handle.
- (instancetype)initWithHandle:(openrealm_collection *)handle
                         realm:(RLMRealm *)realm
                      property:(RLMProperty *)property
                     ownerName:(NSString *)ownerName;
// An empty collection in memory for a property.
- (instancetype)initInMemoryForProperty:(RLMProperty *)property ownerName:(NSString *)ownerName;
// An empty collection in memory that belongs to no object. `className` is nil for other elements than
// objects.
- (instancetype)initInMemoryWithKind:(int32_t)kind
                                type:(RLMPropertyType)type
                           className:(NSString *)className
                            optional:(BOOL)optional;
// Whether the elements are embedded objects.
- (BOOL)isOfEmbedded;
// The elements that are to replace the present ones, copied, as they may come from this collection. Throws if
// the value has no elements.
- (NSArray *)replacementsFrom:(id)value;
// Whether new embedded objects have to be made of the elements: NO if they are the present ones in the
// present order. Throws if some are stored objects, before anything is removed.
- (BOOL)needsEmbedded:(NSArray *)elements;
// Puts the elements of an array, a collection or a dictionary in place of the present ones.
- (void)replaceContentsBy:(id)value policy:(int32_t)policy;
// Makes a collection in memory the one of a handle, which it takes over and which has the same elements
// already.
- (void)adoptHandle:(openrealm_collection *)handle realm:(RLMRealm *)realm;
// The elements of an array or a set in memory, in their order; null is NSNull.
- (NSArray *)elementsInMemory;
// Converts an element; throws the official text if it does not fit. Objects are added to the realm.
- (openrealm_value)valueForElement:(id)element policy:(int32_t)policy;
// Checks an element for a collection in memory, and makes objects of dictionaries and arrays. NSNull for
// null.
- (id)elementInMemory:(id)element;
- (id)elementAtIndex:(size_t)index;
- (id)aggregate:(int32_t)kind ofProperty:(NSString *)property;
// "RLMArray" and so on, and what messages call it: "array", "set", "dictionary".
- (NSString *)kindName;
@end

// The class of collections of a property: RLMArray, RLMSet, RLMDictionary or RLMLinkingObjects.
Class RLMCollectionClass(RLMProperty *property);
// Results with a handle, which they take over; throws the last failure if it is NULL.
RLMResults *RLMMakeResults(openrealm_collection *handle, RLMRealm *realm);
// Objects of a class that a format or predicate finds.
openrealm_collection *RLMFilter(openrealm_collection *collection, NSString *format, va_list arguments);
openrealm_collection *RLMFilterByPredicate(openrealm_collection *collection, NSPredicate *predicate);
// All objects of a class; throws if the realm cannot be used.
openrealm_collection *RLMAllObjects(RLMRealm *realm, const RLMClassInfo *info);

@interface RLMCollectionBase (Elements)
// Throws the official text about an element that does not fit.
- (void)refuse:(id)element __attribute__((noreturn));
@end
