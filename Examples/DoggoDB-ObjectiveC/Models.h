// The classes that DoggoDB stores: dogs, their toys, the persons that they belong to, and clubs.
#import <Realm/Realm.h>

@interface Toy : RLMObject
@property NSString *name;
// The dogs whose favourite this toy is.
@property(readonly) RLMLinkingObjects *fans;
@end
RLM_COLLECTION_TYPE(Toy)

@interface Dog : RLMObject
@property NSString *name;
@property int age;
@property NSString *color;
@property NSNumber<RLMDouble> *weight;
@property Toy *favoriteToy;
@property RLMArray<Toy *><Toy> *toys;
// A friend of any type: another dog, or the name of a cat.
@property id<RLMValue> companion;
@property RLMSet<NSString *><RLMString> *citiesVisited;
// The dog's favourite park by city.
@property RLMDictionary<NSString *, NSString *><RLMString, RLMString> *parks;
@property(readonly) RLMLinkingObjects *owners;
// Not stored.
@property BOOL selected;
@end
RLM_COLLECTION_TYPE(Dog)

@interface Address : RLMEmbeddedObject
@property NSString *street;
@property NSString *city;
@property NSString *country;
@end
RLM_COLLECTION_TYPE(Address)

@interface Person : RLMObject
@property int _id;
@property NSString *name;
@property Address *address;
@property RLMArray<Dog *><Dog> *dogs;
@property(readonly) RLMLinkingObjects *clubs;
@end
RLM_COLLECTION_TYPE(Person)

@interface DogClub : RLMObject
@property NSString *name;
@property RLMArray<Person *><Person> *members;
@property RLMArray<Address *><Address> *offices;
@end
