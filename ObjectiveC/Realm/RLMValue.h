#import <Realm/RLMConstants.h>
#import <Realm/RLMDecimal128.h>
#import <Realm/RLMObjectBase.h>
#import <Realm/RLMObjectId.h>

// Protocols that say the type of the values in NSNumber properties and in collections: NSNumber<RLMInt> *,
// RLMArray<RLMString>.
@protocol RLMInt <NSObject>
@end
@protocol RLMBool <NSObject>
@end
@protocol RLMFloat <NSObject>
@end
@protocol RLMDouble <NSObject>
@end
@protocol RLMString <NSObject>
@end
@protocol RLMData <NSObject>
@end
@protocol RLMDate <NSObject>
@end
@protocol RLMObjectId <NSObject>
@end
@protocol RLMDecimal128 <NSObject>
@end
@protocol RLMUUID <NSObject>
@end

// A value of any type that a realm can store. Properties of the type id<RLMValue> hold a value of any of
// these types, or nil.
@protocol RLMValue <NSObject>
// The type of the value.
@property(readonly) RLMPropertyType rlm_valueType;
@end

@interface NSNull (RLMValue) <RLMValue>
@end
@interface NSNumber (RLMValue) <RLMValue, RLMInt, RLMBool, RLMFloat, RLMDouble>
@end
@interface NSString (RLMValue) <RLMValue, RLMString>
@end
@interface NSData (RLMValue) <RLMValue, RLMData>
@end
@interface NSDate (RLMValue) <RLMValue, RLMDate>
@end
@interface NSUUID (RLMValue) <RLMValue, RLMUUID>
@end
@interface RLMObjectId (RLMValue) <RLMValue, RLMObjectId>
@end
@interface RLMDecimal128 (RLMValue) <RLMValue, RLMDecimal128>
@end
@interface RLMObjectBase (RLMValue) <RLMValue>
@end
