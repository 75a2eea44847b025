import Foundation
import RealmSwift
import TestSupport
import Testing

extension CityQueries {
  @Suite struct Geospatial {
    private let atlas: OpenAtlas

    init() throws { atlas = try OpenAtlas() }

    /// Kilometres between two positions, by the haversine formula.
    private func distance(_ city: CityRecord, _ position: (Double, Double)) -> Double {
      let degree = Double.pi / 180
      let latitude = sin((position.0 - city.latitude) * degree / 2)
      let longitude = sin((position.1 - city.longitude) * degree / 2)
      let square =
        latitude * latitude
        + cos(city.latitude * degree) * cos(position.0 * degree) * longitude * longitude
      return 2 * asin(square.squareRoot()) * 6_378.1
    }

    @Test(arguments: [
      (47.366_67, 8.55, 50.0),  // Zürich
      (-18.141_6, 178.441_49, 50),  // Suva
      (-17.0, -179.9, 400),  // east of Fiji, across the antimeridian
      (78.22, 15.64, 1_500),  // Longyearbyen, over the pole's surroundings
      (35.689_5, 139.691_71, 50),  // Tokyo
      (0, 0, 600),
      (-89.9, 12, 4_500),
    ])
    func withinADistance(latitude: Double, longitude: Double, kilometres: Double) throws {
      let circle = try #require(
        GeoCircle(center: (latitude, longitude), radius: .kilometers(kilometres)!))
      atlas.expect(
        atlas.cities.where { $0.location.geoWithin(circle) }, atlas.cities.filter("location IN %@", circle)
      ) { distance($0, (latitude, longitude)) <= kilometres }
    }

    @Test func awayFromAPoint() throws {
      let circle = try #require(
        GeoCircle(center: (47.366_67, 8.55), radius: .kilometers(9_000)!))
      atlas.expect(
        atlas.cities.where { !$0.location.geoWithin(circle) },
        atlas.cities.filter("NOT location IN %@", circle)
      ) { distance($0, (47.366_67, 8.55)) > 9_000 }
    }

    @Test func withOtherConditions() throws {
      let circle = try #require(GeoCircle(center: (47.366_67, 8.55), radius: .miles(100)!))
      func isNear(_ city: CityRecord) -> Bool { distance(city, (47.366_67, 8.55)) <= 160.934_4 }
      atlas.expect(
        atlas.cities.where {
          $0.location.geoWithin(circle) && $0.country.code != "CH" && $0.population > 50_000
        },
        atlas.cities.filter("country.code != 'CH' AND population > 50000 AND location IN %@", circle)
      ) { isNear($0) && $0.country != "CH" && $0.population > 50_000 }
      let near = Dictionary(grouping: atlas.records.cities.filter(isNear), by: \.country)
      atlas.expect(atlas.countries.where { ($0.cities.location.geoWithin(circle)).count >= 20 }) {
        near[$0.code, default: []].count >= 20
      }
      atlas.expect(atlas.countries.filter("ANY cities.location IN %@", circle)) { near[$0.code] != nil }
    }

    @Test func inBoxes() throws {
      let fiji = try #require(GeoBox(bottomLeft: (-21, 177), topRight: (-12, -171)))
      let cities = atlas.cities.where { $0.location.geoWithin(fiji) }
      atlas.expect(cities, atlas.cities.filter("location IN %@", fiji)) {
        (-21...(-12)).contains($0.latitude) && ($0.longitude >= 177 || $0.longitude <= -171)
      }
      // On both sides of the antimeridian.
      #expect(cities.contains { $0.name == "Suva" } && cities.contains { $0.name == "Apia" })
      let alps = try #require(GeoBox(bottomLeft: (45.5, 6), topRight: (47.5, 14)))
      atlas.expect(atlas.cities.where { $0.location.geoWithin(alps) }) {
        (45.5...47.5).contains($0.latitude) && (6...14).contains($0.longitude)
      }
      let arctic = try #require(GeoBox(bottomLeft: (66.56, -180), topRight: (90, 180)))
      atlas.expect(atlas.cities.where { $0.location.geoWithin(arctic) }) { $0.latitude >= 66.56 }
    }

    // MARK: Polygons

    /// Whether a city lies in a polygon, found in a plane in which geodesic lines are straight: the gnomonic
    /// projection from a point that all of the polygon is near to.
    private func isInside(
      _ city: CityRecord, _ rings: [[(Double, Double)]], around center: (Double, Double)
    )
      -> Bool
    {
      let degree = Double.pi / 180
      func projected(_ position: (Double, Double)) -> (x: Double, y: Double)? {
        let (latitude, here) = (position.0 * degree, center.0 * degree)
        let east = (position.1 - center.1) * degree
        let nearness = sin(here) * sin(latitude) + cos(here) * cos(latitude) * cos(east)
        guard nearness > 0.01 else { return nil }
        return (
          cos(latitude) * sin(east) / nearness,
          (cos(here) * sin(latitude) - sin(here) * cos(latitude) * cos(east)) / nearness
        )
      }
      guard let point = projected((city.latitude, city.longitude)) else { return false }
      var isInside = false
      for ring in rings {
        let corners = ring.compactMap(projected)
        for (a, b) in zip(corners, corners.dropFirst()) where (a.y > point.y) != (b.y > point.y) {
          let crossing = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
          if point.x < crossing { isInside.toggle() }
        }
      }
      return isInside
    }

    /// The position at a distance, in the plane of the gnomonic projection, and in a direction.
    private func position(
      _ distance: Double, _ bearing: Double, from center: (Double, Double)
    ) -> (
      Double, Double
    ) {
      let degree = Double.pi / 180
      let (here, angle) = (center.0 * degree, atan(distance))
      let latitude = asin(cos(angle) * sin(here) + cos(bearing) * sin(angle) * cos(here))
      let east = atan2(
        sin(bearing) * sin(angle), cos(here) * cos(angle) - cos(bearing) * sin(here) * sin(angle))
      return (latitude / degree, (center.1 + east / degree).remainder(dividingBy: 360))
    }

    private func expectPolygon(
      _ rings: [[(Double, Double)]], around center: (Double, Double),
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let polygon = try #require(GeoPolygon(outerRing: rings[0], holes: Array(rings.dropFirst())))
      atlas.expect(
        atlas.cities.where { $0.location.geoWithin(polygon) },
        atlas.cities.filter("location IN %@", polygon), sourceLocation: sourceLocation
      ) { isInside($0, rings, around: center) }
    }

    @Test func inPolygons() throws {
      let france = [
        (51.1, 2.5), (49.0, 8.2), (43.7, 7.5), (42.4, 3.2), (43.4, -1.8), (48.4, -4.8), (49.7, -2.0),
        (51.1, 2.5),
      ]
      let paris = [(48.6, 2.0), (48.6, 2.7), (49.1, 2.7), (49.1, 2.0), (48.6, 2.0)]
      let lyon = [(45.5, 4.6), (45.9, 4.6), (45.9, 5.1), (45.5, 5.1), (45.5, 4.6)]
      try expectPolygon([france], around: (46, 2))
      try expectPolygon([france, paris, lyon], around: (46, 2))
      try expectPolygon([france.reversed(), paris, lyon.reversed()], around: (46, 2))
    }

    @Test func inPolygonsAcrossTheAntimeridianAndAroundThePole() throws {
      try expectPolygon(
        [[(-25, 170), (-25, -160), (-5, -165), (-8, 178), (-5, 168), (-25, 170)]], around: (-15, -178))
      // Everything north of lines between these points, the pole in it.
      try expectPolygon(
        [[(62, 0), (60, 70), (65, 140), (58, -160), (63, -100), (60, -50), (62, 0)]], around: (90, 0))
    }

    @Test func randomPolygons() throws {
      let seed = UInt64.random(in: 0 ... .max)
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<25 {
        let center = (
          Double.random(in: -60...70, using: &generator), Double.random(in: -180...180, using: &generator)
        )
        let count = Int.random(in: 5...12, using: &generator)
        var ring = (0..<count).map { index in
          position(
            Double.random(in: 0.03...0.5, using: &generator), 2 * Double.pi * Double(index) / Double(count),
            from: center)
        }
        ring.append(ring[0])
        let polygon = try #require(GeoPolygon(outerRing: ring))
        let expected = atlas.records.cities.filter { isInside($0, [ring], around: center) }.map(\.id)
        let found = Array(atlas.cities.where { $0.location.geoWithin(polygon) }.map(\.id))
        #expect(found == expected, "seed \(seed): \(polygon)")
      }
    }
  }
}
