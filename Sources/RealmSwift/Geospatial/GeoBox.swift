import QueryEngine

/// The area between two parallels and two meridians.
///
/// The box extends eastwards from its bottom left to its top right corner, across the antimeridian if the
/// right longitude is smaller. Its upper and lower sides are parallels, not the shortest lines between its
/// corners. All sides belong to the box.
public final class GeoBox: RLMGeospatial {
  /// The south-west corner.
  public let bottomLeft: GeoPoint
  /// The north-east corner.
  public let topRight: GeoPoint

  /// Creates a box from two corners.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// Creates a box from the latitudes and longitudes of its corners in degrees, or returns nil if one of them
  /// is not a point on the Earth.
  public convenience init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else { return nil }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }
}

extension GeoBox: GeographicShape {
  var region: GeographicRegion {
    .box(southWest: bottomLeft.geographic, northEast: topRight.geographic)
  }
}

// Equal by what it contains, shown as in the messages of queries.
extension GeoBox: Hashable, CustomStringConvertible {
  /// Returns whether both have the same coordinates.
  public static func == (a: GeoBox, b: GeoBox) -> Bool { a.region == b.region }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(region) }

  /// The shape with its coordinates.
  public var description: String { region.description }
}
