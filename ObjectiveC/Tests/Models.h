// Classes of the tests.
#import <Realm/Realm.h>

@class Club;

@interface Toy : RLMObject
@property NSString *name;
@end
RLM_COLLECTION_TYPE(Toy)

@interface Dog : RLMObject
@property NSString *name;
@property int age;
@property BOOL isGood;
@property double weight;
@property float height;
@property short rank;
@property long long number;
@property NSNumber<RLMInt> *chip;
@property NSDate *born;
@property NSData *picture;
@property Toy *favoriteToy;
@property RLMArray<NSString *><RLMString> *nicknames;
@property RLMArray<Toy *><Toy> *toys;
@property(readonly) RLMLinkingObjects *owners;
@end
RLM_COLLECTION_TYPE(Dog)

@interface Place : RLMEmbeddedObject
@property NSString *street;
@property NSString *city;
@end
RLM_COLLECTION_TYPE(Place)

@interface Person : RLMObject
@property int _id;
@property NSString *name;
@property RLMArray<Dog *><Dog> *dogs;
@property Place *home;
@property RLMArray<Place *><Place> *holidays;
@property RLMSet<NSString *><RLMString> *hobbies;
@property RLMSet<Dog *><Dog> *walks;
@property RLMDictionary<NSString *, NSNumber *><RLMString, RLMInt> *scores;
@property RLMDictionary<NSString *, Dog *><RLMString, Dog> *byRole;
@property(readonly) RLMLinkingObjects *clubs;
@end
RLM_COLLECTION_TYPE(Person)

@interface Club : RLMObject
@property NSString *name;
@property RLMArray<Person *><Person> *members;
@end

@interface Everything : RLMObject
@property RLMObjectId *_id;
@property NSUUID *uuid;
@property RLMDecimal128 *decimal;
@property id<RLMValue> any;
@property NSNumber<RLMBool> *maybe;
@property NSNumber<RLMFloat> *single;
@property NSNumber<RLMDouble> *number;
@property(copy) NSString *required;
@property NSString *ignored;
@property(readonly) NSString *computed;
@property NSString *renamed;
@end
