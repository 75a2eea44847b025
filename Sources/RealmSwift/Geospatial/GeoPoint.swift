import QueryEngine

/// A point on the Earth, for the shapes of geospatial queries.
///
/// A `GeoPoint` cannot be stored. The points of objects are embedded objects with a property `type`, a
/// `String` that is "Point", and a property `coordinates`, a `List<Double>` of longitude and latitude in
/// degrees.
public final class GeoPoint: Sendable {
  /// The latitude, in degrees north of the equator, from -90 to 90.
  public let latitude: Double
  /// The longitude, in degrees east of Greenwich, from -180 to 180.
  public let longitude: Double
  /// The altitude, in metres above the ground. Queries ignore it.
  public let altitude: Double

  /// Creates a point from a latitude and a longitude in degrees, or returns nil if they are out of range.
  public convenience init?(latitude: Double, longitude: Double) {
    self.init(latitude: latitude, longitude: longitude, altitude: 0)
  }

  /// Creates a point from a latitude and a longitude in degrees and an altitude, or returns nil if they are
  /// out of range or the altitude is negative.
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
  /// Returns whether both are the same place.
  public static func == (a: GeoPoint, b: GeoPoint) -> Bool { a.geographic == b.geographic }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(geographic) }
}

extension GeoPoint: CustomStringConvertible {
  /// The longitude, latitude and altitude.
  public var description: String { geographic.description }
}
