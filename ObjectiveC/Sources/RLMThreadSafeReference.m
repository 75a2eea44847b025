#import "RLMCollection_Private.h"

@interface RLMThreadSafeReference ()
- (id)resolveIn:(RLMRealm *)realm;
@end

// Rows are numbers that mean the same to every realm of a file, so that a reference to an object is its row.
// A collection is kept as a frozen one, which any realm of the file can follow to its own version.
@implementation RLMThreadSafeReference {
  RLMRealmConfiguration *_configuration;
  openrealm_object _row;
  openrealm_collection *_collection; // of a frozen realm
  Class _collectionClass;
  RLMProperty *_property;
  NSString *_ownerName;
  BOOL _isResolved;
}

+ (instancetype)referenceWithThreadConfined:(id)confined {
  return [[[self alloc] initWithThreadConfined:confined] autorelease];
}

- (instancetype)initWithThreadConfined:(id)confined {
  if (!(self = [super init])) return nil;
  if ([confined isInvalidated]) RLMThrow(@"Cannot construct reference to invalidated object");
  RLMRealm *realm = [(id<RLMThreadConfined>)confined realm];
  if (!realm)
    RLMThrow(@"Cannot construct reference to unmanaged object, which can be passed across threads directly");
  _configuration = [realm.configuration retain];
  if ([confined isKindOfClass:[RLMObjectBase class]]) {
    _row = ((RLMObjectBase *)confined)->_row;
    return self;
  }
  RLMCollectionBase *collection = confined;
  RLMCollectionBase *frozen = [collection freeze];
  _collection = openrealm_retain(frozen->_handle);
  _collectionClass = [collection class];
  _property = [collection->_property retain];
  _ownerName = [collection->_ownerName copy];
  return self;
}

- (void)dealloc {
  openrealm_release(_collection);
  [_configuration release];
  [_property release];
  [_ownerName release];
  [super dealloc];
}

- (BOOL)isInvalidated {
  return _isResolved;
}

- (id)resolveIn:(RLMRealm *)realm {
  if (_isResolved) RLMThrow(@"Can only resolve a thread safe reference once.");
  if (![[_configuration cacheKey] isEqual:[realm.configuration cacheKey]])
    RLMThrow(
        @"Cannot resolve thread safe reference in Realm with different configuration than the source Realm.");
  _isResolved = YES;
  if (!realm.inWriteTransaction && ![realm isFrozen]) [realm refresh];
  if (!_collectionClass) {
    const RLMClassInfo *info = RLMInfoForNumber(realm, _row.class_number);
    return info && openrealm_is_valid(realm->_handle, _row) ? RLMMakeAccessor(realm, info, _row.row) : nil;
  }
  openrealm_collection *handle = openrealm_collection_in(_collection, realm->_handle);
  if (!handle) return nil;
  return [[[_collectionClass alloc] initWithHandle:handle realm:realm property:_property
                                         ownerName:_ownerName] autorelease];
}

@end

@implementation RLMRealm (References)

- (id)resolveThreadSafeReference:(RLMThreadSafeReference *)reference {
  return [reference resolveIn:self];
}

@end
