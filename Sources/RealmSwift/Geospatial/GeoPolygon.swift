import QueryEngine

/// What a closed line surrounds, without holes in it.
///
/// The edges are the shortest ways between the points, also across the antimeridian and over the poles. Of the two
/// parts of the Earth that a ring separates, the smaller one is meant, in whatever direction the ring is written. The
/// edges belong to the polygon, also those of holes.
///
/// That rings do not cross themselves or each other, and that holes lie in the outer ring and not in each other, is
/// checked when a query is made with the polygon.
public final class GeoPolygon: RLMGeospatial {
  /// The points around it; the last is the first.
  public let outerRing: [GeoPoint]
  /// The rings around what does not belong to it.
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
}

extension GeoPolygon: GeographicShape {
  var region: GeographicRegion {
    .polygon(([outerRing] + (holes ?? [])).map { $0.map(\.geographic) })
  }
}

// Equal by what it contains, shown as in the messages of queries.
extension GeoPolygon: Hashable, CustomStringConvertible {
  /// Whether both are the same shape, by their coordinates.
  public static func == (a: GeoPolygon, b: GeoPolygon) -> Bool { a.region == b.region }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(region) }

  /// The shape with its coordinates.
  public var description: String { region.description }
}
