import LibC

/// A position on the Earth, in degrees.
package struct GeographicPoint: Sendable, Hashable {
  package var latitude: Double
  package var longitude: Double
  /// Shown in descriptions; no region asks for it.
  package var altitude: Double?

  package init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}

/// A part of the Earth's surface, as it was written in a query.
package enum GeographicRegion: Sendable, Hashable {
  /// What lies between two parallels and two meridians, eastwards from the first corner to the second one.
  case box(southWest: GeographicPoint, northEast: GeographicPoint)
  /// An exterior ring and holes in it. Each ring ends with the point that it begins with.
  case polygon([[GeographicPoint]])
  /// What is at most an angle, in radians, away from a point.
  case circle(center: GeographicPoint, radius: Double)
}

extension GeographicPoint: CustomStringConvertible {
  /// Longitude first, as GeoJSON has it.
  package var description: String {
    let numbers = [longitude, latitude] + (altitude.map { [$0] } ?? [])
    return "[" + numbers.map(shortText).joined(separator: ", ") + "]"
  }
}

extension GeographicRegion: CustomStringConvertible {
  /// The region as messages show it; a box is shown as the polygon of its corners.
  package var description: String {
    switch self {
    case .box(let southWest, let northEast):
      let corners = [
        (southWest.latitude, southWest.longitude), (southWest.latitude, northEast.longitude),
        (northEast.latitude, northEast.longitude), (northEast.latitude, southWest.longitude),
        (southWest.latitude, southWest.longitude),
      ]
      let ring = corners.map { GeographicPoint(latitude: $0.0, longitude: $0.1) }
      return GeographicRegion.polygon([ring]).description
    case .polygon(let rings):
      let texts = rings.map { "{" + $0.map(\.description).joined(separator: ", ") + "}" }
      return "GeoPolygon(" + texts.joined(separator: ", ") + ")"
    case .circle(let center, let radius): return "GeoCircle(\(center), \(shortText(radius)))"
    }
  }
}

/// A number with six significant digits, as C's `%g`.
private func shortText(_ number: Double) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
    withVaList([number]) { _ = vsnprintf(buffer.baseAddress!, buffer.count, "%g", $0) }
    return String(cString: buffer.baseAddress!)
  }
}
