/// A part of the sphere bounded by geodesic lines: the interior of a ring without the interiors of holes.
struct SphericalPolygon: Sendable {
  private let exterior: SphericalRing
  private let holes: [SphericalRing]

  /// - Parameter rings: The exterior one, then the holes.
  /// - Throws: `InvalidRegion` for rings that do not bound an area.
  init(_ rings: [[GeographicPoint]]) throws {
    var valid: [SphericalRing] = []
    for (number, points) in rings.enumerated() {
      let ring = SphericalRing(try RingCheck(points, number: number).vertices())
      if let exterior = valid.first, !exterior.contains(ring) {
        throw InvalidRegion(
          reason:
            "Secondary ring \(number) not contained by first exterior ring - secondary rings must be holes in the first ring"
        )
      }
      valid.append(ring)
    }
    if valid.isEmpty { throw InvalidRegion(reason: "Polygon has no rings.") }
    try checkTogether(valid)
    exterior = valid[0]
    holes = Array(valid.dropFirst())
  }

  func contains(_ point: SpherePoint) -> Bool {
    guard exterior.contains(point) else { return false }
    return !holes.contains { $0.contains(point) && !$0.isOnLine(point) }
  }
}

/// Why a region is none.
struct InvalidRegion: Error {
  let reason: String
}

extension SphericalRing {
  /// Whether a point lies on one of the edges.
  func isOnLine(_ point: SpherePoint) -> Bool { edges.contains { $0.contains(point) } }

  /// Whether another ring lies in the interior or on the line.
  func contains(_ other: SphericalRing) -> Bool {
    if EdgePairs(edges, other.edges).firstCrossing() != nil { return false }
    return other.edges.allSatisfy { contains($0.start) && contains($0.middle) }
  }
}

/// Checks rings that are valid by themselves: no edge twice, none crosses another, no hole in a hole.
private func checkTogether(_ rings: [SphericalRing]) throws {
  if rings.count == 1 { return }
  var places: [[SpherePoint]: (ring: Int, edge: Int)] = [:]
  for (number, ring) in rings.enumerated() {
    for (index, edge) in ring.edges.enumerated() {
      if let other = places[[edge.start, edge.end]] ?? places[[edge.end, edge.start]] {
        throw InvalidRegion(
          reason:
            "Polygon isn't valid: 'Duplicate edge: ring \(number), edge \(index) and ring \(other.ring), edge \(other.edge)'"
        )
      }
      places[[edge.start, edge.end]] = (number, index)
    }
  }
  for (number, ring) in rings.enumerated().dropFirst() {
    for (other, another) in rings.enumerated().dropFirst(number + 1) {
      if EdgePairs(ring.edges, another.edges).firstCrossing() != nil {
        throw InvalidRegion(reason: "Polygon isn't valid: 'Ring \(number) crosses ring \(other)'")
      }
    }
  }
  let holes = rings.dropFirst()
  // Counted with each hole before those inside it.
  var outermost = 0
  for (index, hole) in zip(holes.indices, holes) {
    if zip(holes.indices, holes).contains(where: { $0 != index && $1.contains(hole) }) { continue }
    outermost += 1
    if zip(holes.indices, holes).contains(where: { $0 != index && hole.contains($1) }) {
      throw InvalidRegion(reason: "Polygon interior rings cannot be nested: \(outermost + 1)")
    }
  }
}
