#import <Realm/RLMConstants.h>

// An area of the Earth's surface, the argument of IN in a query: [Hut objectsWhere:@"place IN %@", circle].
// The places of objects are embedded objects with a text `type`, which is "Point", and an array of doubles
// `coordinates` with longitude and latitude. One with null for one of them is in no area.
@protocol RLMGeospatial <NSObject>
@end

// A position, in degrees. It cannot be stored.
@interface RLMGeospatialPoint : NSObject
@property(nonatomic, readonly) double latitude;
@property(nonatomic, readonly) double longitude;
// In metres; queries ignore it.
@property(nonatomic, readonly) double altitude;
// nil unless the latitude is -90 to 90 and the longitude -180 to 180.
- (instancetype)initWithLatitude:(double)latitude longitude:(double)longitude;
// nil also for a negative altitude.
- (instancetype)initWithLatitude:(double)latitude longitude:(double)longitude altitude:(double)altitude;
@end

// The area between two parallels and two meridians, eastwards from its first corner.
@interface RLMGeospatialBox : NSObject <RLMGeospatial>
@property(nonatomic, readonly) RLMGeospatialPoint *bottomLeft;
@property(nonatomic, readonly) RLMGeospatialPoint *topRight;
- (instancetype)initWithBottomLeft:(RLMGeospatialPoint *)bottomLeft topRight:(RLMGeospatialPoint *)topRight;
@end

// The area within a ring, without those within the holes.
@interface RLMGeospatialPolygon : NSObject <RLMGeospatial>
@property(nonatomic, readonly) NSArray<RLMGeospatialPoint *> *outerRing;
@property(nonatomic, readonly) NSArray<NSArray<RLMGeospatialPoint *> *> *holes;
// nil unless each ring has at least four points, of which the last equals the first.
- (instancetype)initWithOuterRing:(NSArray<RLMGeospatialPoint *> *)outerRing;
- (instancetype)initWithOuterRing:(NSArray<RLMGeospatialPoint *> *)outerRing
                            holes:(NSArray<NSArray<RLMGeospatialPoint *> *> *)holes;
@end

// A distance on the Earth's surface, as a central angle. The radius of the Earth is 6,378,100 m. nil for
// negative numbers.
@interface RLMDistance : NSObject
@property(nonatomic, readonly) double radians;
+ (instancetype)distanceFromKilometers:(double)kilometers;
+ (instancetype)distanceFromMiles:(double)miles;
+ (instancetype)distanceFromDegrees:(double)degrees;
+ (instancetype)distanceFromRadians:(double)radians;
- (double)asKilometers;
- (double)asMiles;
- (double)asDegrees;
@end

// The area within a distance of a point.
@interface RLMGeospatialCircle : NSObject <RLMGeospatial>
@property(nonatomic, readonly) RLMGeospatialPoint *center;
@property(nonatomic, readonly) double radians;
// nil for a negative radius.
- (instancetype)initWithCenter:(RLMGeospatialPoint *)center radiusInRadians:(double)radians;
- (instancetype)initWithCenter:(RLMGeospatialPoint *)center radius:(RLMDistance *)radius;
@end
