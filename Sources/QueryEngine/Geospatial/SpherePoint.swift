import LibC

/// A point on the unit sphere, or a vector of space on the way to one.
struct SpherePoint: Sendable, Hashable {
  var x: Double
  var y: Double
  var z: Double

  init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The point at a position in degrees. The same place always gives the same point: the poles whatever the longitude,
  /// and 180° east as 180° west.
  init(latitude: Double, longitude: Double) {
    let parallel = sineAndCosine(degrees: latitude)
    let meridian = sineAndCosine(degrees: longitude)
    self.init(parallel.cosine * meridian.cosine, parallel.cosine * meridian.sine, parallel.sine)
  }

  init(_ point: GeographicPoint) { self.init(latitude: point.latitude, longitude: point.longitude) }

  var latitude: Double { atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi }
  var longitude: Double { atan2(y, x) * 180 / .pi }

  @inline(__always) static func + (a: SpherePoint, b: SpherePoint) -> SpherePoint {
    SpherePoint(a.x + b.x, a.y + b.y, a.z + b.z)
  }
  @inline(__always) static func - (a: SpherePoint, b: SpherePoint) -> SpherePoint {
    SpherePoint(a.x - b.x, a.y - b.y, a.z - b.z)
  }
  @inline(__always) static func * (a: SpherePoint, factor: Double) -> SpherePoint {
    SpherePoint(a.x * factor, a.y * factor, a.z * factor)
  }
  @inline(__always) func dot(_ other: SpherePoint) -> Double { x * other.x + y * other.y + z * other.z }
  @inline(__always) func cross(_ other: SpherePoint) -> SpherePoint {
    SpherePoint(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  var length: Double { dot(self).squareRoot() }
  var normalized: SpherePoint { self * (1 / length) }

  /// The square of the straight line's length to another point, at most 4.
  @inline(__always) func squaredChord(to other: SpherePoint) -> Double {
    let line = self - other
    return line.dot(line)
  }

  /// Twice the cross product, precise also for points that are close together.
  @inline(__always) func twiceCross(_ other: SpherePoint) -> SpherePoint {
    (self + other).cross(other - self)
  }

  /// The unit normal of the plane of two points, from which the second one is seen to the left of the first one.
  func normal(to other: SpherePoint) -> SpherePoint { twiceCross(other).normalized }
}

/// Exact for multiples of a right angle.
private func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
  let angle = degrees.remainder(dividingBy: 360)
  let quarter = (angle / 90).rounded()
  let rest = (angle - 90 * quarter) * .pi / 180
  let sine = sin(rest)
  let cosine = cos(rest)
  switch Int(quarter) & 3 {
  case 0: return (sine, cosine)
  case 1: return (cosine, -sine)
  case 2: return (-sine, -cosine)
  default: return (-cosine, sine)
  }
}
