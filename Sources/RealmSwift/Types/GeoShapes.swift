public import QueryEngine

/// A part of the Earth's surface that a geospatial query can ask for: a `GeoBox`, `GeoPolygon` or `GeoCircle`.
public protocol RLMGeospatial: AnyObject, Sendable {
  var _region: GeographicRegion { get }
}

/// What lies between two parallels and two meridians.
///
/// It extends eastwards from its bottom left to its top right corner, across the antimeridian when the right longitude
/// is the smaller number. Its upper and lower side are parallels, not the shortest ways between its corners, and
/// belong to it as the other sides do.
public final class GeoBox: RLMGeospatial {
  public let bottomLeft: GeoPoint
  public let topRight: GeoPoint

  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// A box from the latitudes and longitudes of its corners, in degrees; nil when one of them is no point.
  public convenience init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else { return nil }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }

  public var _region: GeographicRegion {
    .box(southWest: bottomLeft.geographic, northEast: topRight.geographic)
  }
}

/// What a closed line surrounds, without holes in it.
///
/// The edges are the shortest ways between the points, also across the antimeridian and over the poles. Of the two
/// parts of the Earth that a ring separates, the smaller one is meant, in whatever direction the ring is written. The
/// edges belong to the polygon, also those of holes.
///
/// That rings do not cross themselves or each other, and that holes lie in the outer ring and not in each other, is
/// checked when a query is made with the polygon.
public final class GeoPolygon: RLMGeospatial {
  public let outerRing: [GeoPoint]
  public let holes: [[GeoPoint]]?

  private init?(checking outerRing: [GeoPoint], _ holes: [[GeoPoint]]?) {
    let rings = [outerRing] + (holes ?? [])
    guard rings.allSatisfy({ $0.count >= 4 && $0.first == $0.last }) else { return nil }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// A polygon without holes; nil unless the ring has at least four points and ends with its first one.
  public convenience init?(outerRing: [GeoPoint]) { self.init(checking: outerRing, nil) }

  /// A polygon; nil unless each ring has at least four points and ends with its first one.
  public convenience init?(outerRing: [GeoPoint], holes: [[GeoPoint]]?) {
    self.init(checking: outerRing, holes)
  }

  /// A polygon from latitudes and longitudes in degrees; nil unless each ring has at least four points, all of which
  /// exist, and ends with its first one.
  public convenience init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
    let rings = ([outerRing] + holes).map { $0.compactMap { GeoPoint($0) } }
    guard rings.map(\.count) == ([outerRing] + holes).map(\.count) else { return nil }
    self.init(checking: rings[0], Array(rings.dropFirst()))
  }

  /// A polygon from latitudes and longitudes in degrees; nil unless each ring has at least four points, all of which
  /// exist, and ends with its first one.
  public convenience init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes)
  }

  public var _region: GeographicRegion {
    .polygon(([outerRing] + (holes ?? [])).map { $0.map(\.geographic) })
  }
}

/// What is at most a certain distance away from a point.
public final class GeoCircle: RLMGeospatial {
  public let center: GeoPoint
  /// The radius as an angle at the Earth's centre.
  public let radiusInRadians: Double

  /// nil for a radius that is negative or NaN.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard radiusInRadians >= 0 else { return nil }
    self.center = center
    self.radiusInRadians = radiusInRadians
  }

  public init(center: GeoPoint, radius: Distance) {
    self.center = center
    radiusInRadians = radius.radians
  }

  /// A circle around a latitude and longitude in degrees; nil when there is no such point or radius.
  public convenience init?(center: (Double, Double), radiusInRadians: Double) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radiusInRadians: radiusInRadians)
  }

  /// A circle around a latitude and longitude in degrees; nil when there is no such point.
  public convenience init?(center: (Double, Double), radius: Distance) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radius: radius)
  }

  public var _region: GeographicRegion { .circle(center: center.geographic, radius: radiusInRadians) }
}

// Equal by what they contain, shown as in the messages of queries.

extension GeoBox: Hashable, CustomStringConvertible {
  public static func == (a: GeoBox, b: GeoBox) -> Bool { a._region == b._region }

  public func hash(into hasher: inout Hasher) { hasher.combine(_region) }

  public var description: String { _region.description }
}

extension GeoPolygon: Hashable, CustomStringConvertible {
  public static func == (a: GeoPolygon, b: GeoPolygon) -> Bool { a._region == b._region }

  public func hash(into hasher: inout Hasher) { hasher.combine(_region) }

  public var description: String { _region.description }
}

extension GeoCircle: Hashable, CustomStringConvertible {
  public static func == (a: GeoCircle, b: GeoCircle) -> Bool { a._region == b._region }

  public func hash(into hasher: inout Hasher) { hasher.combine(_region) }

  public var description: String { _region.description }
}
