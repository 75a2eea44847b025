// The first release of DoggoDB, whose file the page Migrations moves to the present classes.
#import <Realm/Realm.h>

@interface Dog : RLMObject
@property NSString *name;
@property int years;
@property int weight;
@property NSString *breed;
@end
RLM_COLLECTION_TYPE(Dog)

@interface Person : RLMObject
@property NSString *firstName;
@property NSString *lastName;
@property NSString *city;
@property RLMArray<Dog *><Dog> *dogs;
@end

@interface Cat : RLMObject
@property NSString *name;
@end

@implementation Dog
+ (NSArray *)requiredProperties {
  return @[ @"name" ];
}
@end
@implementation Person
@end
@implementation Cat
@end

int main(int count, const char **arguments) {
  if (count != 2) return 2;
  @autoreleasepool {
    RLMRealmConfiguration *configuration = [RLMRealmConfiguration defaultConfiguration];
    NSString *folder = [NSString stringWithUTF8String:arguments[1]];
    configuration.fileURL = [NSURL fileURLWithPath:[folder stringByAppendingPathComponent:@"version1.realm"]];
    configuration.schemaVersion = 1;
    [RLMRealm deleteFilesForConfiguration:configuration error:nil];
    RLMRealm *realm = [RLMRealm realmWithConfiguration:configuration error:nil];
    [realm transactionWithBlock:^{
      Dog *rex = [Dog createInRealm:realm withValue:@[ @"Rex", @4, @30, @"Beagle" ]];
      [Dog createInRealm:realm withValue:@[ @"Bo", @2, @12, @"Poodle" ]];
      [Person createInRealm:realm withValue:@[ @"Ann", @"Hill", @"Leeds", @[ rex ] ]];
      [Person createInRealm:realm withValue:@[ @"Ben", @"Dale", @"York", @[] ]];
      [Cat createInRealm:realm withValue:@[ @"Tom" ]];
    }];
  }
  return 0;
}
