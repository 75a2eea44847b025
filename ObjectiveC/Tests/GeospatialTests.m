// Areas of the Earth's surface in queries.
#import <Realm/Realm.h>
#import "Expectations.h"

@interface Position : RLMEmbeddedObject
@property NSString *type;
@property RLMArray<NSNumber *><RLMDouble> *coordinates;
@end
@implementation Position
+ (NSDictionary *)defaultPropertyValues {
  return @{@"type" : @"Point"};
}
+ (NSArray *)requiredProperties {
  return @[ @"coordinates" ];
}
@end

// Its coordinates may hold null.
@interface LoosePosition : RLMEmbeddedObject
@property NSString *type;
@property RLMArray<NSNumber *><RLMDouble> *coordinates;
@end
@implementation LoosePosition
+ (NSDictionary *)defaultPropertyValues {
  return @{@"type" : @"Point"};
}
@end

@interface Hut : RLMObject
@property int row, column;
@property Position *place;
@property LoosePosition *loosePlace;
@end
@implementation Hut
@end

static RLMGeospatialPoint *point(double latitude, double longitude) {
  return AUTORELEASE([[RLMGeospatialPoint alloc] initWithLatitude:latitude longitude:longitude]);
}

static NSArray *square(double south, double west, double size) {
  return @[
    point(south, west), point(south, west + size), point(south + size, west + size),
    point(south + size, west), point(south, west)
  ];
}

static void expectCount(RLMRealm *realm, id<RLMGeospatial> shape, NSUInteger count) {
  EXPECT([Hut objectsInRealm:realm where:@"place IN %@", shape].count == count);
  NSPredicate *predicate = [NSPredicate predicateWithFormat:@"place IN %@", shape];
  EXPECT([Hut objectsInRealm:realm withPredicate:predicate].count == count);
}

static void shapesFindWhatLiesInThem(void) {
  RLMRealmConfiguration *configuration = [RLMRealmConfiguration defaultConfiguration];
  configuration.inMemoryIdentifier = @"places";
  RLMRealm *realm = [RLMRealm realmWithConfiguration:configuration error:nil];
  [realm transactionWithBlock:^{
    for (int row = 0; row < 10; row++)
      for (int column = 0; column < 10; column++)
        [Hut createInRealm:realm
                 withValue:@{
                   @"row" : @(row),
                   @"column" : @(column),
                   @"place" : @{@"coordinates" : @[ @((double)column), @((double)row) ]}
                 }];
  }];
  expectCount(
      realm, AUTORELEASE([[RLMGeospatialBox alloc] initWithBottomLeft:point(2, 3) topRight:point(5, 5)]), 12);
  expectCount(
      realm,
      AUTORELEASE([[RLMGeospatialCircle alloc] initWithCenter:point(4, 4)
                                                       radius:[RLMDistance distanceFromKilometers:112]]),
      5);
  expectCount(realm, AUTORELEASE([[RLMGeospatialCircle alloc] initWithCenter:point(4, 4) radiusInRadians:0]),
              1);
  expectCount(realm, AUTORELEASE([[RLMGeospatialPolygon alloc] initWithOuterRing:square(1.5, 1.5, 5)]), 25);
  RLMGeospatialPolygon *holed =
      AUTORELEASE([[RLMGeospatialPolygon alloc] initWithOuterRing:square(1.5, 1.5, 5)
                                                            holes:@[ square(3.5, 3.5, 1) ]]);
  expectCount(realm, holed, 24);
  EXPECT([Hut objectsInRealm:realm where:@"row < %d AND NOT place IN %@", 3, holed].count == 25);
  NSArray *crossing = @[ point(0, 0), point(5, 5), point(0, 5), point(5, 0), point(0, 0) ];
  RLMGeospatialPolygon *crossed = AUTORELEASE([[RLMGeospatialPolygon alloc] initWithOuterRing:crossing]);
  EXPECT_THROWS(@"Invalid region", [Hut objectsInRealm:realm where:@"place IN %@", crossed]);
  EXPECT_THROWS(@"", [Hut objectsInRealm:realm where:@"row IN %@", holed]);
}

static void coordinatesMayHoldNull(void) {
  RLMRealmConfiguration *configuration = [RLMRealmConfiguration defaultConfiguration];
  configuration.inMemoryIdentifier = @"loose places";
  RLMRealm *realm = [RLMRealm realmWithConfiguration:configuration error:nil];
  NSArray *coordinates = @[
    @[ @1.0, @2.0 ], @[ [NSNull null], @2.0 ], @[ @1.0, [NSNull null] ], @[ @1.0, @2.0, [NSNull null] ], @[]
  ];
  [realm transactionWithBlock:^{
    for (NSUInteger row = 0; row < coordinates.count; row++)
      [Hut createInRealm:realm
               withValue:@{@"row" : @(row), @"loosePlace" : @{@"coordinates" : coordinates[row]}}];
  }];
  // Around 2, 1 and around 0, 0, where null must not be taken for zero.
  RLMGeospatialCircle *circle = AUTORELEASE([[RLMGeospatialCircle alloc] initWithCenter:point(2, 1)
                                                                        radiusInRadians:0.5]);
  RLMResults<Hut *> *found = [Hut objectsInRealm:realm where:@"loosePlace IN %@", circle];
  EXPECT_EQUAL([found valueForKey:@"row"], (@[ @0, @3 ]));
  EXPECT([Hut objectsInRealm:realm where:@"NOT loosePlace IN %@", circle].count == 3);
}

static void impossibleShapesAreNil(void) {
  EXPECT(!point(90.5, 0) && !point(0, -181) && point(-90, 180));
  EXPECT(![[RLMGeospatialPoint alloc] initWithLatitude:1 longitude:1 altitude:-1]);
  EXPECT(![RLMDistance distanceFromMiles:-1] && ![RLMDistance distanceFromRadians:0.0 / 0.0]);
  EXPECT(![[RLMGeospatialCircle alloc] initWithCenter:point(0, 0) radiusInRadians:-1]);
  EXPECT(![[RLMGeospatialPolygon alloc] initWithOuterRing:@[ point(0, 0), point(1, 1), point(0, 0) ]]);
  NSArray *openRing = @[ point(0, 0), point(0, 1), point(1, 1), point(1, 0) ];
  EXPECT(![[RLMGeospatialPolygon alloc] initWithOuterRing:square(0, 0, 1) holes:@[ openRing ]]);
}

static void distancesAreConverted(void) {
  RLMDistance *distance = [RLMDistance distanceFromKilometers:6378.1];
  EXPECT(distance.radians == 1 && [distance asKilometers] == 6378.1);
  EXPECT(fabs([distance asDegrees] - 57.29577951308232) < 1e-12);
  EXPECT(fabs([[RLMDistance distanceFromMiles:2] asKilometers] - 3.218688) < 1e-12);
  EXPECT(fabs([RLMDistance distanceFromDegrees:180].radians - M_PI) < 1e-15);
  RLMGeospatialPoint *high = AUTORELEASE([[RLMGeospatialPoint alloc] initWithLatitude:1
                                                                            longitude:2
                                                                             altitude:3]);
  EXPECT(high.latitude == 1 && high.longitude == 2 && high.altitude == 3);
  EXPECT_EQUAL(high.description, @"[2, 1, 3]");
  EXPECT(![high isEqual:point(1, 2)] && [point(1, 2) isEqual:point(1, 2)]);
}

int main(void) {
  @autoreleasepool {
    shapesFindWhatLiesInThem();
    coordinatesMayHoldNull();
    impossibleShapesAreNil();
    distancesAreConverted();
  }
  return failureCount != 0;
}
