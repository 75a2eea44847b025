import LibC

/// A closed line of geodesic edges, and the part of the sphere inside it: the smaller of the two that it separates.
///
/// The interior lies to the left of the edges. What is on the line belongs to the interior.
struct SphericalRing: Sendable {
  struct Edge: Sendable {
    let start: SpherePoint
    let end: SpherePoint
    /// The unit normal of the edge's plane, to the left.
    let normal: SpherePoint

    init(_ start: SpherePoint, _ end: SpherePoint) {
      self.start = start
      self.end = end
      normal = start.normal(to: end)
    }

    /// The middle, and the straight distance from there to the ends: a ball around the edge.
    var middle: SpherePoint { (start + end).normalized }
    var radius: Double { middle.squaredChord(to: start).squareRoot() }

    /// Whether a point that lies on the edge's great circle lies on the edge.
    func spans(_ point: SpherePoint) -> Bool {
      point.dot(normal.cross(start)) >= -SphericalRing.tolerance
        && point.dot(end.cross(normal)) >= -SphericalRing.tolerance
    }

    func contains(_ point: SpherePoint) -> Bool {
      abs(normal.dot(point)) <= SphericalRing.tolerance && spans(point)
    }

    /// Whether two edges have a point in common that is an end of neither.
    func crosses(_ other: Edge) -> Bool {
      let limit = SphericalRing.tolerance
      let starts = other.normal.dot(start)
      let ends = other.normal.dot(end)
      let otherStarts = normal.dot(other.start)
      let otherEnds = normal.dot(other.end)
      guard min(abs(starts), abs(ends), abs(otherStarts), abs(otherEnds)) > limit else { return false }
      // The planes cut both edges; the signs tell whether at the same place or at opposite ones.
      return (starts > 0) != (ends > 0) && (otherStarts > 0) != (otherEnds > 0)
        && (starts > 0) == (otherEnds > 0)
    }
  }

  /// A point about which it is known whether it is inside.
  private struct Reference: Sendable {
    let point: SpherePoint
    let isInside: Bool
  }

  /// How far, in radians, a point may be from an edge that it counts as being on: some rounding errors, or a hundredth
  /// of a micrometre.
  static let tolerance = 2e-15

  let edges: [Edge]
  /// All of the interior is at least this near to the centre, as a cosine; -1 when that says nothing.
  private let center: SpherePoint
  private let nearness: Double
  private let inside: Reference
  /// For points opposite of the first reference.
  private let aside: Reference

  /// - Parameter vertices: At least three, without the first one at the end; they must form a valid ring.
  init(_ vertices: [SpherePoint]) {
    let vertices = Self.turn(vertices) < -1e-14 ? vertices.reversed() : vertices
    let edges = vertices.indices.map { Edge(vertices[$0], vertices[($0 + 1) % vertices.count]) }
    self.edges = edges
    let sum = vertices.reduce(SpherePoint(0, 0, 0), +)
    center = sum.length > 1e-9 ? sum.normalized : SpherePoint(0, 0, 1)
    // A cap of less than a half sphere that has all vertices has all edges, and then the smaller side of them.
    let smallest = vertices.reduce(1) { [center] in min($0, center.dot($1)) } - 1e-14
    nearness = smallest > 1e-9 ? smallest : -1
    let point = Self.interiorPoint(edges)
    inside = Reference(point: point, isInside: true)
    let other = point.cross(abs(point.x) < 0.5 ? SpherePoint(1, 0, 0) : SpherePoint(0, 1, 0)).normalized
    aside = Reference(point: other, isInside: Self.isInside(other, edges, inside))
  }

  /// The sum of the angles by which the line turns left: 2π minus the area to the left of it.
  private static func turn(_ vertices: [SpherePoint]) -> Double {
    let count = vertices.count
    var sum = 0.0
    for index in 0..<count {
      let (before, here, after) = (
        vertices[index], vertices[(index + 1) % count], vertices[(index + 2) % count]
      )
      let arrival = before.normal(to: here)
      let departure = here.normal(to: after)
      sum += atan2(arrival.cross(departure).dot(here), arrival.dot(departure))
    }
    return sum
  }

  /// A point left of the middle of the longest edge, nearer to it than to any other.
  private static func interiorPoint(_ edges: [Edge]) -> SpherePoint {
    var longest = 0
    var length = 0.0
    for (index, edge) in edges.enumerated() {
      let chord = edge.start.squaredChord(to: edge.end)
      if chord > length { (longest, length) = (index, chord) }
    }
    let edge = edges[longest]
    let middle = edge.middle
    var room = edge.radius
    for (index, other) in edges.enumerated() where index != longest {
      // The distance to the other edge: to its great circle where that is nearest between its ends.
      let height = other.normal.dot(middle)
      let foot = middle - other.normal * height
      let distance =
        other.spans(foot)
        ? abs(height)
        : min(middle.squaredChord(to: other.start), middle.squaredChord(to: other.end)).squareRoot()
      room = min(room, distance)
    }
    return (middle + edge.normal * (room / 2)).normalized
  }

  func contains(_ point: SpherePoint) -> Bool {
    if center.dot(point) < nearness { return false }
    return Self.isInside(point, edges, inside.point.dot(point) > -0.9 ? inside : aside)
  }

  /// Counts how often the way to the reference crosses the line.
  private static func isInside(_ point: SpherePoint, _ edges: [Edge], _ reference: Reference) -> Bool {
    let way = point.twiceCross(reference.point)
    var isInside = reference.isInside
    // A vertex on the way's great circle counts as left of it, for both of its edges.
    var startIsLeft = way.dot(edges[0].start) >= 0
    for edge in edges {
      let endIsLeft = way.dot(edge.end) >= 0
      let height = edge.normal.dot(point)
      if abs(height) <= tolerance && edge.spans(point) { return true }
      if startIsLeft != endIsLeft, (height > 0) != startIsLeft,
        (edge.normal.dot(reference.point) > 0) == startIsLeft
      {
        isInside.toggle()
      }
      startIsLeft = endIsLeft
    }
    return isInside
  }
}
