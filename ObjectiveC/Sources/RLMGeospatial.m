// Areas of the Earth's surface. Each shape keeps the region of the C interface that it is, which queries
// borrow.
#import "RLMConversion.h"
#include <math.h>

// What shapes have besides their public methods.
@protocol RLMRegion <RLMGeospatial>
- (const openrealm_region *)rlm_region;
@end

BOOL RLMConvertArgument(id object, openrealm_value *value) {
  // GCC's runtime does not know the protocols of class extensions.
  if (![object respondsToSelector:@selector(rlm_region)])
    return RLMConvert(object, RLMPropertyTypeAny, value);
  *value = openrealm_region_value([(id<RLMRegion>)object rlm_region]);
  return YES;
}

@implementation RLMGeospatialPoint
@synthesize latitude = _latitude, longitude = _longitude, altitude = _altitude;

- (instancetype)initWithLatitude:(double)latitude longitude:(double)longitude {
  return [self initWithLatitude:latitude longitude:longitude altitude:0];
}

- (instancetype)initWithLatitude:(double)latitude longitude:(double)longitude altitude:(double)altitude {
  if (!(self = [super init])) return nil;
  // Also false for what is no number.
  BOOL isValid = fabs(latitude) <= 90 && fabs(longitude) <= 180 && altitude >= 0;
  if (!isValid) {
    [self release];
    return nil;
  }
  _latitude = latitude;
  _longitude = longitude;
  _altitude = altitude;
  return self;
}

- (BOOL)isEqual:(id)other {
  if (![other isKindOfClass:[RLMGeospatialPoint class]]) return NO;
  RLMGeospatialPoint *point = other;
  return _latitude == point->_latitude && _longitude == point->_longitude && _altitude == point->_altitude;
}

- (NSUInteger)hash {
  return [[NSNumber numberWithDouble:_latitude] hash] * 31 ^ [[NSNumber numberWithDouble:_longitude] hash];
}

- (NSString *)description {
  return [NSString stringWithFormat:@"[%g, %g, %g]", _longitude, _latitude, _altitude];
}

static openrealm_point pointOf(RLMGeospatialPoint *point) {
  return (openrealm_point){point.latitude, point.longitude};
}

@end

@interface RLMGeospatialBox () <RLMRegion>
@end
@implementation RLMGeospatialBox {
  openrealm_region _region;
}
@synthesize bottomLeft = _bottomLeft, topRight = _topRight;

- (instancetype)initWithBottomLeft:(RLMGeospatialPoint *)bottomLeft topRight:(RLMGeospatialPoint *)topRight {
  if (!(self = [super init])) return nil;
  if (!bottomLeft || !topRight) {
    [self release];
    return nil;
  }
  _bottomLeft = [bottomLeft retain];
  _topRight = [topRight retain];
  _region = openrealm_box(pointOf(bottomLeft), pointOf(topRight));
  return self;
}

- (void)dealloc {
  [_bottomLeft release];
  [_topRight release];
  [super dealloc];
}

- (const openrealm_region *)rlm_region {
  return &_region;
}

@end

@interface RLMGeospatialPolygon () <RLMRegion>
@end
@implementation RLMGeospatialPolygon {
  openrealm_region _region;
  openrealm_ring *_rings;
}
@synthesize outerRing = _outerRing, holes = _holes;

- (instancetype)initWithOuterRing:(NSArray<RLMGeospatialPoint *> *)outerRing {
  return [self initWithOuterRing:outerRing holes:nil];
}

- (instancetype)initWithOuterRing:(NSArray<RLMGeospatialPoint *> *)outerRing
                            holes:(NSArray<NSArray<RLMGeospatialPoint *> *> *)holes {
  if (!(self = [super init])) return nil;
  NSMutableArray *all = [NSMutableArray arrayWithObject:outerRing ? outerRing : [NSArray array]];
  if (holes) [all addObjectsFromArray:holes];
  for (NSArray *ring in all)
    if ([ring count] < 4 || ![[ring objectAtIndex:0] isEqual:[ring lastObject]]) {
      [self release];
      return nil;
    }
  _outerRing = [outerRing copy];
  _holes = [holes copy];
  _rings = calloc([all count], sizeof *_rings);
  size_t count = 0;
  for (NSArray *ring in all) {
    openrealm_point *points = calloc([ring count], sizeof *points), *next = points;
    _rings[count++] = (openrealm_ring){[ring count], points};
    for (RLMGeospatialPoint *point in ring)
      *next++ = pointOf(point);
  }
  _region = openrealm_polygon(count, _rings);
  return self;
}

- (void)dealloc {
  for (size_t i = 0; i < _region.as.polygon.ring_count; i++)
    free((void *)_rings[i].points);
  free(_rings);
  [_outerRing release];
  [_holes release];
  [super dealloc];
}

- (const openrealm_region *)rlm_region {
  return &_region;
}

@end

static const double earthRadius = 6378100, metresPerMile = 1609.344;

@implementation RLMDistance
@synthesize radians = _radians;

+ (instancetype)distanceFromRadians:(double)radians {
  if (!(radians >= 0)) return nil;
  RLMDistance *distance = [[[self alloc] init] autorelease];
  distance->_radians = radians;
  return distance;
}

+ (instancetype)distanceFromKilometers:(double)kilometers {
  return [self distanceFromRadians:kilometers * 1000 / earthRadius];
}

+ (instancetype)distanceFromMiles:(double)miles {
  return [self distanceFromRadians:miles * metresPerMile / earthRadius];
}

+ (instancetype)distanceFromDegrees:(double)degrees {
  return [self distanceFromRadians:degrees * M_PI / 180];
}

- (double)asKilometers {
  return _radians * earthRadius / 1000;
}

- (double)asMiles {
  return _radians * earthRadius / metresPerMile;
}

- (double)asDegrees {
  return _radians * 180 / M_PI;
}

@end

@interface RLMGeospatialCircle () <RLMRegion>
@end
@implementation RLMGeospatialCircle {
  openrealm_region _region;
}
@synthesize center = _center;

- (instancetype)initWithCenter:(RLMGeospatialPoint *)center radiusInRadians:(double)radians {
  if (!(self = [super init])) return nil;
  if (!center || !(radians >= 0)) {
    [self release];
    return nil;
  }
  _center = [center retain];
  _region = openrealm_circle(pointOf(center), radians);
  return self;
}

- (instancetype)initWithCenter:(RLMGeospatialPoint *)center radius:(RLMDistance *)radius {
  return [self initWithCenter:center radiusInRadians:radius ? radius.radians : NAN];
}

- (void)dealloc {
  [_center release];
  [super dealloc];
}

- (double)radians {
  return _region.as.circle.radius;
}

- (const openrealm_region *)rlm_region {
  return &_region;
}

@end
