/// A distance on the Earth's surface, stored as a central angle. The Earth is a sphere with a radius of
/// 6,378,100 m.
public struct Distance: Sendable, Hashable {
  /// The central angle, in radians.
  public let radians: Double

  private static let earthRadius = 6_378_100.0
  private static let metresPerMile = 1609.344

  private init?(checking radians: Double) {
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// Creates a distance from kilometres, or returns nil for a negative number or NaN.
  public static func kilometers(_ kilometers: Double) -> Distance? {
    Distance(checking: kilometers * 1000 / earthRadius)
  }

  /// Creates a distance from miles, or returns nil for a negative number or NaN.
  public static func miles(_ miles: Double) -> Distance? {
    Distance(checking: miles * metresPerMile / earthRadius)
  }

  /// Creates a distance from a central angle in degrees, or returns nil for a negative number or NaN.
  public static func degrees(_ degrees: Double) -> Distance? {
    Distance(checking: degrees * .pi / 180)
  }

  /// Creates a distance from a central angle in radians, or returns nil for a negative number or NaN.
  public static func radians(_ radians: Double) -> Distance? { Distance(checking: radians) }

  /// Returns the distance in kilometres on the Earth's surface.
  public func asKilometers() -> Double { radians * Self.earthRadius / 1000 }
  /// Returns the distance in miles on the Earth's surface.
  public func asMiles() -> Double { radians * Self.earthRadius / Self.metresPerMile }
  /// Returns the central angle in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }
}
