import Foundation

@testable import QueryEngine

extension GeographicPoint {
  init(_ latitude: Double, _ longitude: Double) { self.init(latitude: latitude, longitude: longitude) }

  private var angles: (latitude: Double, longitude: Double) {
    (latitude * .pi / 180, longitude * .pi / 180)
  }

  /// The angle to another point in radians, by the haversine formula.
  func distance(to other: GeographicPoint) -> Double {
    let (a, b) = (angles, other.angles)
    let latitude = sin((b.latitude - a.latitude) / 2)
    let longitude = sin((b.longitude - a.longitude) / 2)
    let square = latitude * latitude + cos(a.latitude) * cos(b.latitude) * longitude * longitude
    return 2 * asin(min(1, square.squareRoot()))
  }

  /// The direction in which another point is seen, clockwise from north, in radians.
  func bearing(to other: GeographicPoint) -> Double {
    let (a, b) = (angles, other.angles)
    let east = b.longitude - a.longitude
    return atan2(
      sin(east) * cos(b.latitude),
      cos(a.latitude) * sin(b.latitude) - sin(a.latitude) * cos(b.latitude) * cos(east))
  }

  /// The point at a distance in a direction, both in radians.
  func moved(_ distance: Double, bearing: Double) -> GeographicPoint {
    let (latitude, longitude) = angles
    let sine = sin(latitude) * cos(distance) + cos(latitude) * sin(distance) * cos(bearing)
    let there = asin(max(-1, min(1, sine)))
    let east = atan2(
      sin(bearing) * sin(distance) * cos(latitude), cos(distance) - sin(latitude) * sin(there))
    let turned = (longitude + east).remainder(dividingBy: 2 * .pi)
    return GeographicPoint(
      latitude: there * 180 / .pi, longitude: max(-180, min(180, turned * 180 / .pi)))
  }

  var antipode: GeographicPoint {
    GeographicPoint(latitude: -latitude, longitude: longitude > 0 ? longitude - 180 : longitude + 180)
  }

  /// Anywhere on the Earth, everywhere as likely.
  static func random(using generator: inout some RandomNumberGenerator) -> GeographicPoint {
    GeographicPoint(
      latitude: asin(Double.random(in: -1...1, using: &generator)) * 180 / .pi,
      longitude: Double.random(in: -180...180, using: &generator))
  }

  /// How far a ring goes round the point, in turns: 1 or -1 where the point or its antipode is inside, otherwise 0.
  ///
  /// Adds up the changes of the bearing; a geodesic line is seen under less than half a turn.
  func turns(of ring: [GeographicPoint]) -> Double {
    let bearings = ring.map { bearing(to: $0) }
    let sum = zip(bearings, bearings.dropFirst()).reduce(0) {
      $0 + ($1.1 - $1.0).remainder(dividingBy: 2 * .pi)
    }
    return sum / (2 * .pi)
  }
}

extension SphericalRegion {
  func contains(_ point: GeographicPoint) -> Bool {
    contains(latitude: point.latitude, longitude: point.longitude)
  }

  func contains(_ latitude: Double, _ longitude: Double) -> Bool {
    contains(latitude: latitude, longitude: longitude)
  }

  static func box(_ southWest: (Double, Double), _ northEast: (Double, Double)) throws -> SphericalRegion {
    try SphericalRegion(
      .box(
        southWest: GeographicPoint(southWest.0, southWest.1),
        northEast: GeographicPoint(northEast.0, northEast.1)))
  }

  static func circle(_ latitude: Double, _ longitude: Double, radius: Double) throws -> SphericalRegion {
    try SphericalRegion(.circle(center: GeographicPoint(latitude, longitude), radius: radius))
  }

  /// A polygon from rings without the repetition of their first point.
  static func polygon(_ rings: [(Double, Double)]...) throws -> SphericalRegion {
    try SphericalRegion(.polygon(rings.map(closed)))
  }
}

/// The points, then the first one again.
func closed(_ ring: [(Double, Double)]) -> [GeographicPoint] {
  let points = ring.map { GeographicPoint($0.0, $0.1) }
  return points + points.prefix(1)
}
