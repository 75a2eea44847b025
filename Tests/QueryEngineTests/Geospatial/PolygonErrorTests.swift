import Testing

@testable import QueryEngine

struct PolygonErrorTests {
  private func reason(_ rings: [(Double, Double)]...) -> String? {
    reason(rings.map(closed))
  }

  /// What is wrong, without the region's text.
  private func reason(_ rings: [[GeographicPoint]]) -> String? {
    let region = GeographicRegion.polygon(rings)
    do {
      _ = try SphericalRegion(region)
      return nil
    } catch let error as PredicateError {
      let start = "Invalid region in GEOWITHIN query for parameter '\(region)': '"
      #expect(error.message.hasPrefix(start) && error.message.hasSuffix("'"))
      return String(error.message.dropFirst(start.count).dropLast())
    } catch {
      return "\(error)"
    }
  }

  private let square = [(0.0, 0.0), (0, 10), (10, 10), (10, 0)]

  private func square(_ low: Double, _ high: Double) -> [(Double, Double)] {
    [(low, low), (low, high), (high, high), (high, low)]
  }

  @Test func crossingEdges() {
    #expect(
      reason([(50, -50), (55, 55), (-50, 50), (70, -25)])
        == "Ring 0 is not valid: 'Edges 0 and 2 cross. Edge locations in degrees: [50.0000000, -50.0000000]-[55.0000000, 55.0000000] and [-50.0000000, 50.0000000]-[70.0000000, -25.0000000]'"
    )
    #expect(
      reason(square, [(1, 1), (2, 2), (1, 2), (2, 1)])
        == "Ring 1 is not valid: 'Edges 0 and 2 cross. Edge locations in degrees: [1.0000000, 1.0000000]-[2.0000000, 2.0000000] and [1.0000000, 2.0000000]-[2.0000000, 1.0000000]'"
    )
    // Across the antimeridian, the last edge.
    #expect(
      reason([(0, 175), (1, 176), (0, -175), (2, 170), (-1, -177)])?.hasPrefix(
        "Ring 0 is not valid: 'Edges ") == true)
  }

  @Test func theFirstCrossingIsNamed() {
    // A zigzag that returns through itself: edges 0, 1, 2 … are all crossed by the last ones.
    let ring = [(0.0, 0.0), (2, 1), (0, 2), (2, 3), (0, 4), (1, 5), (1, -1)]
    #expect(reason(ring)?.hasPrefix("Ring 0 is not valid: 'Edges 0 and 5 cross.") == true)
  }

  @Test func holesOutside() {
    let text =
      "Secondary ring 1 not contained by first exterior ring - secondary rings must be holes in the first ring"
    #expect(reason(square, square(20, 21)) == text)
    #expect(reason(square, square(5, 15)) == text)
    #expect(reason(square, square(-5, 15)) == text)
    #expect(
      reason(square, square(1, 2), square(-2, -1))
        == text.replacing("ring 1", with: "ring 2"))
    // Between two teeth, with all vertices on the exterior ring.
    #expect(reason([(0, 0), (0, 10), (10, 10), (5, 5), (10, 0)], [(10, 0), (5, 5), (10, 10)]) == text)
  }

  @Test func edgesTwice() {
    // Both rings have the edge from (10, 0) to (0, 0). Edges are counted anticlockwise.
    #expect(
      reason(square, [(0, 0), (5, 5), (10, 0)])
        == "Polygon isn't valid: 'Duplicate edge: ring 1, edge 2 and ring 0, edge 3'")
    #expect(
      reason(square, [(10, 0), (5, 5), (0, 0)])
        == "Polygon isn't valid: 'Duplicate edge: ring 1, edge 2 and ring 0, edge 3'")
    #expect(
      reason(square.reversed(), [(5, 5), (10, 0), (0, 0)])
        == "Polygon isn't valid: 'Duplicate edge: ring 1, edge 1 and ring 0, edge 3'")
    #expect(
      reason(square, square)
        == "Polygon isn't valid: 'Duplicate edge: ring 1, edge 0 and ring 0, edge 0'")
    #expect(
      reason(square, [(1, 1), (1, 2), (2, 2)], [(2, 2), (1, 2), (2, 3)])
        == "Polygon isn't valid: 'Duplicate edge: ring 2, edge 0 and ring 1, edge 1'")
  }

  @Test func crossingHoles() {
    #expect(reason(square, square(1, 3), square(2, 4)) == "Polygon isn't valid: 'Ring 1 crosses ring 2'")
  }

  @Test func holesInHoles() {
    #expect(reason(square, square(1, 9), square(2, 3)) == "Polygon interior rings cannot be nested: 2")
    #expect(reason(square, square(2, 3), square(1, 9)) == "Polygon interior rings cannot be nested: 2")
    #expect(
      reason(square, square(1, 2), square(3, 9), square(4, 5)) == "Polygon interior rings cannot be nested: 3"
    )
  }

  @Test func tooFewVertices() {
    #expect(
      reason([(0, 0), (0, 1), (0, 0)])
        == "Ring 0 must have at least 3 different vertices, 2 unique vertices were provided")
    #expect(
      reason([(5, 5), (5, 5), (5, 5)])
        == "Ring 0 must have at least 3 different vertices, 1 unique vertices were provided")
    // The pole is one place.
    #expect(
      reason([(90, 0), (90, 50), (80, 50), (90, 0)])
        == "Ring 0 must have at least 3 different vertices, 2 unique vertices were provided")
    #expect(reason([(90, 0), (90, 50), (80, 50), (80, 20)]) == nil)
  }

  @Test func openRings() {
    #expect(
      reason([[GeographicPoint(0, 0), GeographicPoint(0, 1), GeographicPoint(1, 1), GeographicPoint(1, 0)]])
        == "Ring is not closed, first vertex '[0, 0]' must equal last vertex '[0, 1]'")
    #expect(reason([]) == "Polygon has no rings.")
  }

  @Test func verticesTwiceOrOpposite() {
    #expect(
      reason([(0, 0), (1, 1), (0, 2), (-1, 1), (1, 1), (3, 0)])
        == "Ring 0 is not valid: 'Duplicate vertices: 1 and 4'")
    #expect(
      reason([(0, 0), (0, 180), (50, 90)]) == "Ring 0 is not valid: 'Vertices 0 and 1 are antipodal'")
  }

  @Test func whatIsAllowed() {
    #expect(reason(square, square(1, 2), square(3, 4)) == nil)
    // Holes that touch the exterior ring or each other in one point.
    #expect(reason(square, [(0, 0), (1, 2), (2, 1)]) == nil)
    #expect(reason(square, square(1, 2), square(2, 3)) == nil)
    // The same point several times in a row.
    #expect(reason([(0, 0), (0, 0), (0, 1), (1, 1), (1, 1), (1, 0)]) == nil)
  }

  @Test func descriptions() {
    let point = GeographicPoint(latitude: 1.5, longitude: -170.123_456_789, altitude: 0)
    #expect(point.description == "[-170.123, 1.5, 0]")
    #expect(GeographicPoint(0.000_01, 123_456).description == "[123456, 1e-05]")
    #expect(
      GeographicRegion.circle(center: GeographicPoint(0, 0), radius: 10).description
        == "GeoCircle([0, 0], 10)")
    #expect(
      GeographicRegion.box(southWest: GeographicPoint(1, 2), northEast: GeographicPoint(3, 4)).description
        == "GeoPolygon({[2, 1], [4, 1], [4, 3], [2, 3], [2, 1]})")
    #expect(
      GeographicRegion.polygon([closed(square(1, 4)), closed(square(2, 3))]).description
        == "GeoPolygon({[1, 1], [4, 1], [4, 4], [1, 4], [1, 1]}, {[2, 2], [3, 2], [3, 3], [2, 3], [2, 2]})")
  }
}
