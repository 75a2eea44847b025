import Foundation
import RealmSwift
import TestSupport
import Testing

private final class RegionPlace: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
}

private final class RegionHut: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var place: RegionPlace?
}

/// Regions find the same objects in C and in Swift.
struct GeospatialTests {
  @Test func regionsOfCFindWhatThoseOfSwiftFind() throws {
    let folder = ScratchFolder()
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: folder.file("test.realm"), objectTypes: [RegionHut.self, RegionPlace.self]))
    var generator = SeededGenerator(seed: 39)
    try realm.write {
      for id in 0..<600 {
        let place = RegionPlace()
        place.coordinates.append(.random(in: -180...180, using: &generator))
        place.coordinates.append(.random(in: -90...90, using: &generator))
        let hut = realm.create(RegionHut.self, value: ["id": id])
        hut.place = place
      }
    }
    let outer = [(-40.0, 100.0), (-40, -120), (50, -120), (50, 100), (-40, 100)]
    let hole = [(-10.0, 160.0), (-10, -160), (10, -160), (10, 160), (-10, 160)]
    let expected = [
      keys(realm, try #require(GeoCircle(center: (47, 11), radiusInRadians: 0.8))),
      keys(realm, try #require(GeoCircle(center: (-90, 0), radiusInRadians: 1))),
      keys(realm, try #require(GeoBox(bottomLeft: (-20, 90), topRight: (60, -30)))),
      keys(realm, try #require(GeoBox(bottomLeft: (-20, -30), topRight: (60, 90)))),
      keys(realm, try #require(GeoPolygon(outerRing: outer))),
      keys(realm, try #require(GeoPolygon(outerRing: outer, holes: [hole]))),
    ]
    for keys in expected { #expect(20..<580 ~= keys.count) }

    let (end, said) = try ChildProgram.run(
      [BuiltProducts.file("CInterfaceProgram").path, "with_swift_regions", folder.url.path])
    let text = String(decoding: said, as: UTF8.self)
    #expect(end == .exit(0), "\(text)")
    let found = text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(found == expected)
  }

  private func keys(_ realm: Realm, _ shape: some RLMGeospatial) -> [Int] {
    realm.objects(RegionHut.self).where { $0.place.geoWithin(shape) }.map(\.id)
  }
}
