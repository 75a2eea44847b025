import LibC

/// A region prepared to tell of many points whether they lie in it. What is on the boundary does.
package final class SphericalRegion: Sendable {
  private enum Shape {
    /// Degrees; the east may be a smaller number than the west.
    case rectangle(south: Double, north: Double, west: Double, east: Double)
    case cap(center: SpherePoint, squaredChord: Double)
    case polygon(SphericalPolygon)
  }

  /// The region as it was written.
  package let region: GeographicRegion
  private let shape: Shape

  /// - Throws: `PredicateError` for a polygon whose rings do not bound an area.
  package init(_ region: GeographicRegion) throws {
    self.region = region
    switch region {
    case .box(let southWest, let northEast):
      shape = .rectangle(
        south: min(southWest.latitude, northEast.latitude),
        north: max(southWest.latitude, northEast.latitude),
        west: southWest.longitude, east: northEast.longitude)
    case .circle(let center, let radius):
      let halfChord = radius < .pi ? sin(radius / 2) : 2
      shape = .cap(center: SpherePoint(center), squaredChord: 4 * halfChord * halfChord)
    case .polygon(let rings):
      do {
        shape = .polygon(try SphericalPolygon(rings))
      } catch let error as InvalidRegion {
        throw PredicateError.invalidPredicate(
          "Invalid region in GEOWITHIN query for parameter '\(region)': '\(error.reason)'")
      }
    }
  }

  /// Whether a point, in degrees, lies in the region. A latitude beyond the poles, or what is no number, is no point;
  /// longitudes go round the Earth.
  package func contains(latitude: Double, longitude: Double) -> Bool {
    guard abs(latitude) <= 90, longitude.isFinite else { return false }
    switch shape {
    case .rectangle(let south, let north, let west, let east):
      guard south <= latitude && latitude <= north else { return false }
      // The poles have every longitude.
      if abs(latitude) == 90 { return true }
      func isBetween(_ longitude: Double) -> Bool {
        west <= east ? west <= longitude && longitude <= east : west <= longitude || longitude <= east
      }
      let longitude = abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360)
      return isBetween(longitude) || abs(longitude) == 180 && isBetween(-longitude)
    case .cap(let center, let squaredChord):
      return SpherePoint(latitude: latitude, longitude: longitude).squaredChord(to: center) <= squaredChord
    case .polygon(let polygon):
      return polygon.contains(SpherePoint(latitude: latitude, longitude: longitude))
    }
  }
}

extension SphericalRegion: Hashable {
  package static func == (a: SphericalRegion, b: SphericalRegion) -> Bool { a.region == b.region }

  package func hash(into hasher: inout Hasher) { hasher.combine(region) }
}
