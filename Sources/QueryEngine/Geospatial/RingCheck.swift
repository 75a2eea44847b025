import LibC

/// Checks one ring of a polygon.
struct RingCheck {
  private let points: [GeographicPoint]
  private let number: Int

  init(_ points: [GeographicPoint], number: Int) {
    self.points = points
    self.number = number
  }

  /// The ring's vertices, each once.
  ///
  /// - Throws: `InvalidRegion` unless the ring is closed and does not touch or cross itself.
  func vertices() throws -> [SpherePoint] {
    var vertices: [SpherePoint] = []
    for point in points.map({ SpherePoint($0) }) where point != vertices.last { vertices.append(point) }
    guard let first = vertices.first, let last = points.last else {
      throw InvalidRegion(reason: "Ring \(number) has no vertices")
    }
    guard SpherePoint(last) == first else {
      throw InvalidRegion(
        reason: "Ring is not closed, first vertex '\(points[0])' must equal last vertex '\(last)'")
    }
    if vertices.count > 1 { vertices.removeLast() }
    let different = Set(vertices).count
    if different < 3 {
      throw InvalidRegion(
        reason:
          "Ring \(number) must have at least 3 different vertices, \(different) unique vertices were provided"
      )
    }
    try checkVertices(vertices)
    let edges = vertices.indices.map {
      SphericalRing.Edge(vertices[$0], vertices[($0 + 1) % vertices.count])
    }
    if let (first, second) = EdgePairs(edges).firstCrossing() {
      throw invalid(
        "Edges \(first) and \(second) cross. Edge locations in degrees: \(text(edges[first])) and \(text(edges[second]))"
      )
    }
    return vertices
  }

  private func checkVertices(_ vertices: [SpherePoint]) throws {
    var places: [SpherePoint: Int] = [:]
    for (index, vertex) in vertices.enumerated() {
      if let other = places.updateValue(index, forKey: vertex) {
        throw invalid("Duplicate vertices: \(other) and \(index)")
      }
      let next = (index + 1) % vertices.count
      // Every great circle through a point passes through the opposite one.
      if (vertex + vertices[next]).length < SphericalRing.tolerance {
        throw invalid("Vertices \(index) and \(next) are antipodal")
      }
    }
  }

  private func invalid(_ reason: String) -> InvalidRegion {
    InvalidRegion(reason: "Ring \(number) is not valid: '\(reason)'")
  }

  private func text(_ edge: SphericalRing.Edge) -> String { "\(text(edge.start))-\(text(edge.end))" }

  private func text(_ point: SpherePoint) -> String {
    "[\(fixedText(point.latitude)), \(fixedText(point.longitude))]"
  }

  /// A number with seven decimals, as C's `%.7f`.
  private func fixedText(_ number: Double) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      withVaList([number]) { _ = vsnprintf(buffer.baseAddress!, buffer.count, "%.7f", $0) }
      return String(cString: buffer.baseAddress!)
    }
  }
}

/// Pairs of edges that may cross, found by sweeping along one axis: only those whose extents overlap there.
struct EdgePairs {
  private struct Extent {
    let index: Int
    let isSecond: Bool
    let low: Double
    let high: Double
  }

  private let first: [SphericalRing.Edge]
  private let second: [SphericalRing.Edge]
  private let isWithinOne: Bool
  private let extents: [Extent]

  /// All pairs of an edge of one line with one of another.
  init(_ first: [SphericalRing.Edge], _ second: [SphericalRing.Edge]) {
    self.init(first, second, isWithinOne: false)
  }

  /// All pairs of edges of one line.
  init(_ edges: [SphericalRing.Edge]) { self.init(edges, [], isWithinOne: true) }

  private init(_ first: [SphericalRing.Edge], _ second: [SphericalRing.Edge], isWithinOne: Bool) {
    self.first = first
    self.second = second
    self.isWithinOne = isWithinOne
    func extents(_ edges: [SphericalRing.Edge], isSecond: Bool) -> [Extent] {
      edges.enumerated().map { index, edge in
        let (middle, radius) = (edge.middle.z, edge.radius + 1e-14)
        return Extent(index: index, isSecond: isSecond, low: middle - radius, high: middle + radius)
      }
    }
    self.extents = (extents(first, isSecond: false) + extents(second, isSecond: true)).sorted {
      $0.low < $1.low
    }
  }

  /// The crossing pair whose edges come first in their lines.
  func firstCrossing() -> (Int, Int)? {
    var found: (Int, Int)?
    for (position, extent) in extents.enumerated() {
      for other in extents[(position + 1)...] {
        if other.low > extent.high { break }
        guard isWithinOne || extent.isSecond != other.isSecond else { continue }
        let pair =
          isWithinOne
          ? (min(extent.index, other.index), max(extent.index, other.index))
          : extent.isSecond ? (other.index, extent.index) : (extent.index, other.index)
        if let found, found <= pair { continue }
        if first[pair.0].crosses((isWithinOne ? first : second)[pair.1]) { found = pair }
      }
    }
    return found
  }
}
