import RealmSwift
import Testing

struct GeospatialTypeTests {
  @Test func points() {
    let point = GeoPoint(latitude: 47.37, longitude: 8.54)
    #expect(point?.latitude == 47.37 && point?.longitude == 8.54 && point?.altitude == 0)
    #expect(GeoPoint(latitude: 90, longitude: -180, altitude: 8_848)?.altitude == 8_848)
    #expect(GeoPoint(latitude: 90.001, longitude: 0) == nil)
    #expect(GeoPoint(latitude: -90.001, longitude: 0) == nil)
    #expect(GeoPoint(latitude: 0, longitude: 180.001) == nil)
    #expect(GeoPoint(latitude: 0, longitude: -180.001) == nil)
    #expect(GeoPoint(latitude: .nan, longitude: 0) == nil)
    #expect(GeoPoint(latitude: 0, longitude: .nan) == nil)
    #expect(GeoPoint(latitude: 0, longitude: 0, altitude: -1) == nil)
    #expect(GeoPoint(latitude: 0, longitude: 0, altitude: .nan) == nil)
    #expect(point == GeoPoint(latitude: 47.37, longitude: 8.54, altitude: 0))
    #expect(point != GeoPoint(latitude: 47.37, longitude: 8.54, altitude: 1))
    #expect(Set([point, GeoPoint(latitude: 47.37, longitude: 8.54)]).count == 1)
  }

  @Test func distances() throws {
    #expect(Distance.kilometers(-1) == nil)
    #expect(Distance.miles(-0.1) == nil)
    #expect(Distance.degrees(.nan) == nil)
    #expect(Distance.radians(-1) == nil)
    let hundred = try #require(Distance.kilometers(100))
    #expect(abs(hundred.radians - 0.015_678_65) < 1e-8)
    #expect(abs(hundred.asKilometers() - 100) < 1e-9)
    #expect(abs(hundred.asMiles() - 62.137_119) < 1e-6)
    #expect(abs(hundred.asDegrees() - 0.898_320_5) < 1e-6)
    #expect(Distance.degrees(180)?.radians == .pi)
    #expect(abs((Distance.miles(1)?.asKilometers() ?? 0) - 1.609_344) < 1e-12)
    #expect(Distance.radians(2) == Distance.radians(2))
  }

  @Test func boxes() throws {
    #expect(GeoBox(bottomLeft: (91, 0), topRight: (0, 0)) == nil)
    let box = try #require(GeoBox(bottomLeft: (1, 2), topRight: (3, 4)))
    let corners = try (
      #require(GeoPoint(latitude: 1, longitude: 2)), #require(GeoPoint(latitude: 3, longitude: 4))
    )
    #expect(box == GeoBox(bottomLeft: corners.0, topRight: corners.1))
    #expect(box.bottomLeft == corners.0 && box.topRight == corners.1)
    #expect(box != GeoBox(bottomLeft: corners.1, topRight: corners.0))
    #expect("\(box)" == "GeoPolygon({[2, 1], [4, 1], [4, 3], [2, 3], [2, 1]})")
  }

  @Test func polygons() throws {
    let ring = [(0.0, 0.0), (0, 1), (1, 1), (0, 0)]
    let hole = [(0.2, 0.5), (0.2, 0.6), (0.3, 0.6), (0.2, 0.5)]
    #expect(GeoPolygon(outerRing: Array(ring.dropLast())) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (0, 0)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (0, 200)]) == nil)
    #expect(GeoPolygon(outerRing: ring, holes: [Array(hole.dropLast())]) == nil)
    let polygon = try #require(GeoPolygon(outerRing: ring, holes: [hole]))
    #expect(polygon.outerRing.count == 4 && polygon.holes?.map(\.count) == [4])
    #expect(polygon == GeoPolygon(outerRing: ring, holes: hole))
    #expect(polygon == GeoPolygon(outerRing: polygon.outerRing, holes: polygon.holes))
    #expect(polygon != GeoPolygon(outerRing: ring))
    #expect(GeoPolygon(outerRing: ring) == GeoPolygon(outerRing: polygon.outerRing))
    #expect(
      "\(polygon)"
        == "GeoPolygon({[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]}, {[0.5, 0.2, 0], [0.6, 0.2, 0], [0.6, 0.3, 0], [0.5, 0.2, 0]})"
    )
  }

  @Test func circles() throws {
    #expect(GeoCircle(center: (0, 0), radiusInRadians: -1) == nil)
    #expect(GeoCircle(center: (0, 0), radiusInRadians: .nan) == nil)
    #expect(GeoCircle(center: (0, 190), radiusInRadians: 1) == nil)
    let center = try #require(GeoPoint(latitude: 2, longitude: 1))
    let circle = GeoCircle(center: center, radius: try #require(.radians(0.25)))
    #expect(circle == GeoCircle(center: (2, 1), radiusInRadians: 0.25))
    #expect(circle == GeoCircle(center: (2, 1), radius: .radians(0.25)!))
    #expect(circle != GeoCircle(center: (1, 2), radiusInRadians: 0.25))
    #expect(circle.center == center && circle.radiusInRadians == 0.25)
    #expect("\(circle)" == "GeoCircle([1, 2, 0], 0.25)")
    #expect("\(GeoCircle(center: (0, 0), radiusInRadians: 10)!)" == "GeoCircle([0, 0, 0], 10)")
  }

  @Test func shapesMayBeSent() async throws {
    let circle = try #require(GeoCircle(center: (2, 1), radiusInRadians: 0.25))
    let text = await Task.detached { "\(circle)" }.value
    #expect(text == "\(circle)")
  }

  @Test func radiusOfACircleUnderBothNames() throws {
    let circle = try #require(GeoCircle(center: (1, 2), radiusInRadians: 0.25))
    #expect(circle.radians == 0.25 && circle.radiusInRadians == 0.25)
  }
}
