/// A distance on the Earth's surface, kept as an angle at its centre. The Earth is a sphere of 6,378,100 m.
public struct Distance: Sendable, Hashable {
  /// The angle at the Earth's centre.
  public let radians: Double

  private static let earthRadius = 6_378_100.0
  private static let metresPerMile = 1609.344

  private init?(checking radians: Double) {
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// nil for a negative number or NaN.
  public static func kilometers(_ kilometers: Double) -> Distance? {
    Distance(checking: kilometers * 1000 / earthRadius)
  }

  /// nil for a negative number or NaN.
  public static func miles(_ miles: Double) -> Distance? {
    Distance(checking: miles * metresPerMile / earthRadius)
  }

  /// nil for a negative number or NaN.
  public static func degrees(_ degrees: Double) -> Distance? {
    Distance(checking: degrees * .pi / 180)
  }

  /// nil for a negative number or NaN.
  public static func radians(_ radians: Double) -> Distance? { Distance(checking: radians) }

  /// The distance in kilometres on the Earth's surface.
  public func asKilometers() -> Double { radians * Self.earthRadius / 1000 }
  /// The distance in miles on the Earth's surface.
  public func asMiles() -> Double { radians * Self.earthRadius / Self.metresPerMile }
  /// The angle in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }
}
