import Testing

@testable import QueryEngine

struct BoxTests {
  @Test func hasItsSidesAndNothingBeyond() throws {
    let box = try SphericalRegion.box((10, 20), (30, 50))
    for (latitude, longitude) in [(10.0, 20.0), (30, 50), (10, 50), (30, 20), (30, 35), (20, 20), (15, 40)] {
      #expect(box.contains(latitude, longitude))
    }
    for (latitude, longitude) in [(9.999_999, 35.0), (30.000_001, 35), (20, 19.999_999), (20, 50.000_001)] {
      #expect(!box.contains(latitude, longitude))
    }
    #expect(!box.contains(20, -35))
    #expect(!box.contains(-20, 35))
    #expect(box.contains(20, 35 + 360))
  }

  @Test func sidesAreParallels() throws {
    // The shortest way from one corner to the other goes by 67° north.
    let box = try SphericalRegion.box((0, -60), (50, 60))
    #expect(box.contains(49.9, 0))
    #expect(!box.contains(50.1, 0))
    #expect(!box.contains(67, 0))
  }

  @Test func acrossTheAntimeridian() throws {
    let fiji = try SphericalRegion.box((-21, 176), (-12, -178))
    #expect(fiji.contains(-18.14, 178.44))
    #expect(fiji.contains(-16.8, -179.9))
    #expect(fiji.contains(-15, 180))
    #expect(fiji.contains(-15, -180))
    #expect(fiji.contains(-15, 176))
    #expect(fiji.contains(-15, -178))
    #expect(!fiji.contains(-15, 175.9))
    #expect(!fiji.contains(-15, -177.9))
    #expect(!fiji.contains(-15, 0))
  }

  @Test func besideTheAntimeridian() throws {
    let east = try SphericalRegion.box((-10, 170), (10, 180))
    #expect(east.contains(0, 180))
    #expect(east.contains(0, -180))
    #expect(!east.contains(0, -179.9))
    let west = try SphericalRegion.box((-10, -180), (10, -170))
    #expect(west.contains(0, 180))
    #expect(!west.contains(0, 179.9))
  }

  @Test func atThePoles() throws {
    let cap = try SphericalRegion.box((60, -10), (90, 10))
    // A pole lies on every meridian.
    #expect(cap.contains(90, 170))
    #expect(cap.contains(89.9, 5))
    #expect(!cap.contains(89.9, 170))
    #expect(!cap.contains(-90, 0))
  }

  @Test func roundTheEarth() throws {
    let tropics = try SphericalRegion.box((-23.4, -180), (23.4, 180))
    for longitude in stride(from: -180.0, through: 180, by: 15) {
      #expect(tropics.contains(0, longitude))
      #expect(!tropics.contains(23.5, longitude))
    }
    let wide = try SphericalRegion.box((-80, -170), (80, 170))
    #expect(wide.contains(0, 0))
    #expect(!wide.contains(0, 175))
    let nothing = try SphericalRegion.box((5, 5), (5, 5))
    #expect(nothing.contains(5, 5))
    #expect(!nothing.contains(5, 5.000_001))
  }

  @Test func theLatitudesMayComeInEitherOrder() throws {
    let box = try SphericalRegion.box((30, 20), (10, 50))
    #expect(box.contains(20, 30))
    #expect(!box.contains(31, 30))
  }
}
