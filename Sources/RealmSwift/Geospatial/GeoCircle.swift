import QueryEngine

/// What is at most a certain distance away from a point.
public final class GeoCircle: RLMGeospatial {
  /// The point that all others have the same distance from.
  public let center: GeoPoint
  /// The radius as an angle at the Earth's centre.
  public let radiusInRadians: Double

  /// The radius as an angle at the Earth's centre, as the official SDK calls it.
  public var radians: Double { radiusInRadians }

  /// nil for a radius that is negative or NaN.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard radiusInRadians >= 0 else { return nil }
    self.center = center
    self.radiusInRadians = radiusInRadians
  }

  /// The circle around a point.
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
}

extension GeoCircle: GeographicShape {
  var region: GeographicRegion { .circle(center: center.geographic, radius: radiusInRadians) }
}

// Equal by what it contains, shown as in the messages of queries.
extension GeoCircle: Hashable, CustomStringConvertible {
  /// Whether both are the same shape, by their coordinates.
  public static func == (a: GeoCircle, b: GeoCircle) -> Bool { a.region == b.region }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(region) }

  /// The shape with its coordinates.
  public var description: String { region.description }
}
