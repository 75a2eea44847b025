#import "Models.h"

@implementation Toy
+ (NSArray *)requiredProperties {
  return @[ @"name" ];
}
+ (NSDictionary *)linkingObjectsProperties {
  return @{@"fans" : [RLMPropertyDescriptor descriptorWithClass:Dog.class propertyName:@"favoriteToy"]};
}
@end

@implementation Dog
+ (NSArray *)requiredProperties {
  return @[ @"name", @"citiesVisited", @"parks" ];
}
+ (NSArray *)indexedProperties {
  return @[ @"age" ];
}
+ (NSArray *)ignoredProperties {
  return @[ @"selected" ];
}
+ (NSDictionary *)defaultPropertyValues {
  return @{@"name" : @"Nameless", @"color" : @"brown"};
}
+ (NSDictionary *)linkingObjectsProperties {
  return @{@"owners" : [RLMPropertyDescriptor descriptorWithClass:Person.class propertyName:@"dogs"]};
}
@end

@implementation Address
@end

@implementation Person
+ (NSString *)primaryKey {
  return @"_id";
}
+ (NSArray *)requiredProperties {
  return @[ @"name" ];
}
+ (NSDictionary *)linkingObjectsProperties {
  return @{@"clubs" : [RLMPropertyDescriptor descriptorWithClass:DogClub.class propertyName:@"members"]};
}
@end

@implementation DogClub
+ (NSString *)primaryKey {
  return @"name";
}
@end
