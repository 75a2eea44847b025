import QueryEngine

/// The area inside a closed line, without its holes.
///
/// Edges are the shortest lines between the points, also across the antimeridian and over the poles. Of the
/// two parts of the Earth that a ring separates, the smaller one belongs to the polygon, whatever the
/// direction of the ring. All edges belong to the polygon, including those of holes.
///
/// A query with the polygon checks that rings do not cross themselves or each other, and that holes are
/// inside the outer ring and not in each other.
public final class GeoPolygon: RLMGeospatial {
  /// The points of the outer ring; the last point equals the first.
  public let outerRing: [GeoPoint]
  /// The rings of the holes.
  public let holes: [[GeoPoint]]?

  private init?(checking outerRing: [GeoPoint], _ holes: [[GeoPoint]]?) {
    let rings = [outerRing] + (holes ?? [])
    guard rings.allSatisfy({ $0.count >= 4 && $0.first == $0.last }) else { return nil }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// Creates a polygon without holes, or returns nil unless the ring has at least four points and its last
  /// point equals its first.
  public convenience init?(outerRing: [GeoPoint]) { self.init(checking: outerRing, nil) }

  /// Creates a polygon, or returns nil unless each ring has at least four points and its last point equals
  /// its first.
  public convenience init?(outerRing: [GeoPoint], holes: [[GeoPoint]]?) {
    self.init(checking: outerRing, holes)
  }

  /// Creates a polygon from latitudes and longitudes in degrees, or returns nil unless each ring has at least
  /// four valid points and its last point equals its first.
  public convenience init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
    let rings = ([outerRing] + holes).map { $0.compactMap { GeoPoint($0) } }
    guard rings.map(\.count) == ([outerRing] + holes).map(\.count) else { return nil }
    self.init(checking: rings[0], Array(rings.dropFirst()))
  }

  /// Creates a polygon from latitudes and longitudes in degrees, or returns nil unless each ring has at least
  /// four valid points and its last point equals its first.
  public convenience init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes)
  }
}

extension GeoPolygon: GeographicShape {
  var region: GeographicRegion {
    .polygon(([outerRing] + (holes ?? [])).map { $0.map(\.geographic) })
  }
}

// Equal by what it contains, shown as in the messages of queries.
extension GeoPolygon: Hashable, CustomStringConvertible {
  /// Returns whether both have the same coordinates.
  public static func == (a: GeoPolygon, b: GeoPolygon) -> Bool { a.region == b.region }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(region) }

  /// The shape with its coordinates.
  public var description: String { region.description }
}
