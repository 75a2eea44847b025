import QueryEngine

/// The area within a certain distance of a point.
public final class GeoCircle: RLMGeospatial {
  /// The centre.
  public let center: GeoPoint
  /// The radius as a central angle, in radians.
  public let radiusInRadians: Double

  /// The radius as a central angle, in radians, under the name of the official SDK.
  public var radians: Double { radiusInRadians }

  /// Creates a circle, or returns nil for a radius that is negative or NaN.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard radiusInRadians >= 0 else { return nil }
    self.center = center
    self.radiusInRadians = radiusInRadians
  }

  /// Creates a circle around a point.
  public init(center: GeoPoint, radius: Distance) {
    self.center = center
    radiusInRadians = radius.radians
  }

  /// Creates a circle around a latitude and longitude in degrees, or returns nil if there is no such point or
  /// radius.
  public convenience init?(center: (Double, Double), radiusInRadians: Double) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radiusInRadians: radiusInRadians)
  }

  /// Creates a circle around a latitude and longitude in degrees, or returns nil if there is no such point.
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
  /// Returns whether both have the same coordinates and radius.
  public static func == (a: GeoCircle, b: GeoCircle) -> Bool { a.region == b.region }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(region) }

  /// The shape with its coordinates.
  public var description: String { region.description }
}
