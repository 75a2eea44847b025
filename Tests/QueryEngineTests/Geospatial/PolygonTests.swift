import Foundation
import TestSupport
import Testing

@testable import QueryEngine

struct PolygonTests {
  @Test func edgesAreTheShortestWays() throws {
    let polygon = try SphericalRegion.polygon([(0, -60), (50, -60), (50, 60), (0, 60)])
    // Half way between two points on the 50th parallel, 120° apart: tan φ = tan 50° / cos 60°.
    let summit = atan(tan(50 * Double.pi / 180) / cos(60 * Double.pi / 180)) * 180 / .pi
    #expect(polygon.contains(summit - 0.000_001, 0))
    #expect(!polygon.contains(summit + 0.000_001, 0))
    #expect(polygon.contains(summit, 0))
    #expect(!polygon.contains(summit - 0.1, 30))
  }

  @Test func theDirectionOfARingDoesNotMatter() throws {
    let ring = [(0.0, 0.0), (0, 10), (10, 10), (10, 0)]
    for polygon in [try SphericalRegion.polygon(ring), try SphericalRegion.polygon(ring.reversed())] {
      #expect(polygon.contains(5, 5))
      #expect(!polygon.contains(15, 5))
      #expect(!polygon.contains(-5, -175))
      #expect(!polygon.contains(90, 0))
    }
  }

  @Test func boundariesBelong() throws {
    let hole = [(2.0, 2.0), (2, 4), (4, 4), (4, 2)]
    let polygon = try SphericalRegion.polygon([(0, 0), (0, 10), (10, 10), (10, 0)], hole)
    for (latitude, longitude) in [(0.0, 0.0), (0, 10), (10, 10), (10, 0)] + hole {
      #expect(polygon.contains(latitude, longitude))
    }
    for degrees in stride(from: 0.0, through: 10, by: 0.1) {
      // The equator and meridians are geodesic.
      #expect(polygon.contains(0, degrees))
      #expect(polygon.contains(degrees, 0))
      #expect(polygon.contains(degrees, 10))
      #expect(!polygon.contains(-0.000_000_1, degrees))
      #expect(!polygon.contains(degrees, -0.000_000_1))
    }
    for degrees in stride(from: 2.0, through: 4, by: 0.1) {
      #expect(polygon.contains(degrees, 2))
      #expect(polygon.contains(degrees, 4))
    }
    #expect(!polygon.contains(3, 3))
    #expect(!polygon.contains(3, 2.000_000_1))
    #expect(polygon.contains(3, 1.999_999_9))
  }

  @Test func acrossTheAntimeridian() throws {
    let polygon = try SphericalRegion.polygon([(-20, 175), (-20, -175), (-10, -175), (-10, 175)])
    #expect(polygon.contains(-15, 180))
    #expect(polygon.contains(-15, -180))
    #expect(polygon.contains(-15, 176))
    #expect(polygon.contains(-15, -176))
    #expect(!polygon.contains(-15, 174))
    #expect(!polygon.contains(-15, -174))
    #expect(!polygon.contains(-15, 0))
  }

  @Test func aroundThePoles() throws {
    let arctic = try SphericalRegion.polygon([(70, 0), (70, 90), (70, 180), (70, -90)])
    for longitude in stride(from: -180.0, through: 180, by: 20) {
      #expect(arctic.contains(90, longitude))
      #expect(arctic.contains(80, longitude))
      #expect(!arctic.contains(69, longitude))
      #expect(!arctic.contains(-90, longitude))
    }
    // The middle of an edge is nearer to the pole than its ends.
    #expect(!arctic.contains(75, 45))
    #expect(arctic.contains(76, 45) == (76 > atan(tan(70 * Double.pi / 180) / cos(.pi / 4)) * 180 / .pi))
    // A corner at the pole, and an edge over it.
    let corner = try SphericalRegion.polygon([(80, 0), (80, 40), (90, 0)])
    #expect(corner.contains(85, 20))
    #expect(corner.contains(90, 130))
    #expect(!corner.contains(85, -20))
    let over = try SphericalRegion.polygon([(60, 10), (60, -170), (50, -80)])
    #expect(over.contains(90, 55))
    #expect(over.contains(80, -80))
    #expect(!over.contains(80, 100))
    #expect(over.contains(75, 10))
  }

  @Test func halfOfTheEarth() throws {
    // Neither side is the smaller: the one to the left of the edges.
    let equator = [(0.0, 0.0), (0, 90), (0, 180), (0, -90)]
    let north = try SphericalRegion.polygon(equator)
    let south = try SphericalRegion.polygon(equator.reversed())
    #expect(north.contains(1, 77))
    #expect(!north.contains(-1, 77))
    #expect(south.contains(-1, 77))
    #expect(!south.contains(1, 77))
    #expect(north.contains(0, 12.5) && south.contains(0, 12.5))
  }

  @Test func smallOnes() throws {
    // Some centimetres wide.
    let (latitude, longitude) = (47.376_9, 8.541_7)
    let width = 0.000_000_5
    let polygon = try SphericalRegion.polygon([
      (latitude, longitude), (latitude, longitude + width), (latitude + width, longitude + width),
      (latitude + width, longitude),
    ])
    #expect(polygon.contains(latitude + width / 2, longitude + width / 2))
    #expect(polygon.contains(latitude, longitude))
    #expect(!polygon.contains(latitude - width / 100, longitude + width / 2))
    #expect(!polygon.contains(latitude + width / 2, longitude + width * 1.01))
  }

  @Test func notConvex() throws {
    // A comb with teeth upwards.
    var ring: [(Double, Double)] = []
    for tooth in 0..<200 {
      ring += [(10, Double(tooth) * 0.2), (1, Double(tooth) * 0.2 + 0.1)]
    }
    ring += [(10, 40), (0, 40), (0, 0)]
    let comb = try SphericalRegion.polygon(ring)
    for tooth in 0..<200 {
      #expect(comb.contains(9.9, Double(tooth) * 0.2 + (tooth == 0 ? 0 : -0.000_1)))
      #expect(!comb.contains(9, Double(tooth) * 0.2 + 0.1))
      #expect(comb.contains(0.5, Double(tooth) * 0.2 + 0.1))
    }
  }

  // MARK: Against the sum of bearings

  /// A ring whose vertices are seen from its centre one after the other.
  private func star(
    _ center: GeographicPoint, radius: ClosedRange<Double>, using generator: inout SeededGenerator
  ) -> [GeographicPoint] {
    let count = Int.random(in: 5...40, using: &generator)
    let start = Double.random(in: 0...1, using: &generator)
    let ring = (0..<count).map { index in
      let part = start + (Double(index) + Double.random(in: 0...0.9, using: &generator)) / Double(count)
      return center.moved(Double.random(in: radius, using: &generator), bearing: part * 2 * .pi)
    }
    return Bool.random(using: &generator) ? ring.reversed() : ring
  }

  private func isInside(
    _ point: GeographicPoint, _ ring: [GeographicPoint], _ center: GeographicPoint
  ) -> Bool? {
    // The ring is in the half sphere around its centre, so that an antipode of it is not inside.
    guard point.distance(to: center) < 1.57 else { return false }
    let turns = abs(point.turns(of: ring))
    return abs(turns - turns.rounded()) > 1e-6 ? nil : turns > 0.5
  }

  @Test func agreeWithTheBearings() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    for number in 0..<400 {
      let center =
        switch number % 4 {
        case 0:
          GeographicPoint(
            number % 8 == 0 ? 89.999 : -89.999, Double.random(in: -180...180, using: &generator))
        case 1: GeographicPoint(Double.random(in: -80...80, using: &generator), 180)
        default: GeographicPoint.random(using: &generator)
        }
      let size = pow(10, Double.random(in: -5...0, using: &generator))
      let ring = star(center, radius: size * 0.3...size, using: &generator)
      let hole = star(center, radius: size * 0.01...size * 0.08, using: &generator)
      let polygon = try SphericalRegion(.polygon([ring + ring.prefix(1), hole + hole.prefix(1)]))
      #expect(!polygon.contains(center), "seed \(seed), polygon \(number)")
      for _ in 0..<60 {
        let point =
          switch Int.random(in: 0..<12, using: &generator) {
          case 0: GeographicPoint.random(using: &generator)
          case 1: GeographicPoint(center.latitude < 0 ? -90 : 90, center.longitude)
          default:
            center.moved(
              size * Double.random(in: 0...1.2, using: &generator),
              bearing: Double.random(in: 0...(2 * .pi), using: &generator))
          }
        guard let outer = isInside(point, ring + ring.prefix(1), center),
          let inner = isInside(point, hole + hole.prefix(1), center)
        else { continue }
        #expect(
          polygon.contains(point) == (outer && !inner), "seed \(seed), polygon \(number), \(point)")
      }
    }
  }

  @Test func theSmallerSideIsMeant() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let center = GeographicPoint.random(using: &generator)
      let ring = star(center, radius: 1.8...2.4, using: &generator)
      let polygon = try SphericalRegion(.polygon([ring + ring.prefix(1)]))
      #expect(!polygon.contains(center), "seed \(seed)")
      #expect(polygon.contains(center.antipode), "seed \(seed)")
    }
  }
}
