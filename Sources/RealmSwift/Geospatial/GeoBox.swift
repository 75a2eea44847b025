import QueryEngine

/// What lies between two parallels and two meridians.
///
/// It extends eastwards from its bottom left to its top right corner, across the antimeridian when the right longitude
/// is the smaller number. Its upper and lower side are parallels, not the shortest ways between its corners, and
/// belong to it as the other sides do.
public final class GeoBox: RLMGeospatial {
  /// The corner in the south-west.
  public let bottomLeft: GeoPoint
  /// The corner in the north-east.
  public let topRight: GeoPoint

  /// The box between two corners.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// A box from the latitudes and longitudes of its corners, in degrees; nil when one of them is no point.
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
  /// Whether both are the same shape, by their coordinates.
  public static func == (a: GeoBox, b: GeoBox) -> Bool { a.region == b.region }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(region) }

  /// The shape with its coordinates.
  public var description: String { region.description }
}
