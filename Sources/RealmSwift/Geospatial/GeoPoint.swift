import QueryEngine

/// A point on the Earth, to describe the shapes of geospatial queries.
///
/// It can not be stored: the points of objects are embedded objects with a property `type`, a `String` that is
/// "Point", and a property `coordinates`, a `List<Double>` of longitude and latitude in degrees.
public final class GeoPoint: Sendable {
  /// Degrees north of the equator, from -90 to 90.
  public let latitude: Double
  /// Degrees east of Greenwich, from -180 to 180.
  public let longitude: Double
  /// Metres above the ground; queries do not look at it.
  public let altitude: Double

  /// A point at a position in degrees; nil when there is none at these numbers.
  public convenience init?(latitude: Double, longitude: Double) {
    self.init(latitude: latitude, longitude: longitude, altitude: 0)
  }

  /// A point at a position in degrees and at an altitude that is not negative; nil when there is none at these numbers.
  public init?(latitude: Double, longitude: Double, altitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180, altitude >= 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  convenience init?(_ position: (Double, Double)) {
    self.init(latitude: position.0, longitude: position.1)
  }

  var geographic: GeographicPoint {
    GeographicPoint(latitude: latitude, longitude: longitude, altitude: altitude)
  }
}

extension GeoPoint: Hashable {
  /// Whether both are the same place.
  public static func == (a: GeoPoint, b: GeoPoint) -> Bool { a.geographic == b.geographic }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(geographic) }
}

extension GeoPoint: CustomStringConvertible {
  /// The longitude, latitude and altitude.
  public var description: String { geographic.description }
}
