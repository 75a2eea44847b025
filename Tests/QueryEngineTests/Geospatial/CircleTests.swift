import Foundation
import TestSupport
import Testing

@testable import QueryEngine

struct CircleTests {
  @Test func agreesWithTheHaversineFormula() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let center = GeographicPoint.random(using: &generator)
      let radius = pow(10, Double.random(in: -6...0.5, using: &generator))
      let circle = try SphericalRegion(.circle(center: center, radius: radius))
      for _ in 0..<5 {
        let point = center.moved(
          radius * Double.random(in: 0...2, using: &generator),
          bearing: Double.random(in: 0...(2 * .pi), using: &generator))
        let distance = center.distance(to: point)
        // Both computations round; asin is imprecise near the antipode.
        guard abs(distance - radius) > 1e-7 * radius + (distance > 3 ? 1e-6 : 0) else { continue }
        #expect(
          circle.contains(point) == (distance < radius), "seed \(seed): \(center) \(radius) \(point)")
      }
    }
  }

  @Test func acrossTheAntimeridian() throws {
    let taveuni = try SphericalRegion.circle(-16.85, -179.98, radius: 0.01)
    #expect(taveuni.contains(-16.85, 179.9))
    #expect(taveuni.contains(-16.85, -179.6))
    #expect(!taveuni.contains(-16.85, 179.3))
    #expect(!taveuni.contains(-16.85, 0))
  }

  @Test func aroundThePoles() throws {
    let arctic = try SphericalRegion.circle(90, 0, radius: 10 * .pi / 180)
    for longitude in stride(from: -180.0, through: 180, by: 30) {
      #expect(arctic.contains(80.001, longitude))
      #expect(!arctic.contains(79.999, longitude))
      #expect(arctic.contains(90, longitude))
      #expect(!arctic.contains(-90, longitude))
    }
    let overThePole = try SphericalRegion.circle(-85, 100, radius: 8 * .pi / 180)
    #expect(overThePole.contains(-90, 17))
    #expect(overThePole.contains(-87.5, -80))
    #expect(!overThePole.contains(-86.5, -80))
  }

  @Test func ofNoRadiusAndOfTheWholeEarth() throws {
    let point = try SphericalRegion.circle(47.37, 8.54, radius: 0)
    #expect(point.contains(47.37, 8.54))
    #expect(!point.contains(47.370_000_01, 8.54))
    for radius in [Double.pi, 10, .infinity] {
      let everything = try SphericalRegion.circle(47.37, 8.54, radius: radius)
      #expect(everything.contains(-47.37, -171.46))
      #expect(everything.contains(90, 0))
    }
    let almost = try SphericalRegion.circle(0, 0, radius: 3.1)
    #expect(almost.contains(0, 177))
    #expect(!almost.contains(0, 178))
  }

  @Test func whatIsNoPointIsNowhere() throws {
    let everything = try SphericalRegion.circle(0, 0, radius: 10)
    #expect(!everything.contains(90.1, 0))
    #expect(!everything.contains(-91, 0))
    #expect(!everything.contains(.nan, 0))
    #expect(!everything.contains(0, .nan))
    #expect(!everything.contains(0, .infinity))
    // Longitudes go round.
    let suva = try SphericalRegion.circle(-18.14, 178.44, radius: 0.001)
    #expect(suva.contains(-18.14, 178.44 - 360))
    #expect(suva.contains(-18.14, 178.44 + 720))
    #expect(!suva.contains(-18.14, 1e300))
  }
}
