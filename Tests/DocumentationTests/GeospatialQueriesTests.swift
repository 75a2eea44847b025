import RealmSwift
import Testing

struct GeospatialQueriesTests {
  @Test func shapes() throws {
    let mountains = try Mountains()
    let larch = mountains.larch
    let realm = mountains.realm
    try realm.write {
      larch.place = Place(value: ["coordinates": [7.65, 45.98]])
    }
    let village = GeoPoint(latitude: 46.02, longitude: 7.75)!
    let near = GeoCircle(center: village, radius: .kilometers(12)!)
    let map = GeoBox(bottomLeft: (45.9, 7.5), topRight: (46.1, 8.0))!
    let park = GeoPolygon(outerRing: [(45.9, 7.6), (46.0, 7.6), (46.0, 7.7), (45.9, 7.7), (45.9, 7.6)])!
    let huts = realm.objects(Hut.self)
    let close = huts.where { $0.place.geoWithin(near) }
    let closeByText = huts.filter("place IN %@", near)
    let onTheMap = huts.where { $0.place.geoWithin(map) && !$0.place.geoWithin(park) }
    #expect(close.map(\.name) == ["Larch"])
    #expect(closeByText.map(\.name) == ["Larch"])
    #expect(onTheMap.isEmpty)
    #expect(huts.where { $0.place.geoWithin(map) }.count == 1)
    #expect(huts.where { $0.place.geoWithin(park) }.count == 1)
    #expect(mountains.trails.filter("ANY huts.place IN %@", near).map(\.name) == ["Valley"])
  }

  @Test func invalidShapes() throws {
    let huts = try Mountains().huts
    #expect(GeoPoint(latitude: 91, longitude: 0) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (1, 0)]) == nil)
    let crossing = GeoPolygon(outerRing: [(0, 0), (1, 1), (0, 1), (1, 0), (0, 0)])!
    #expect(throws: Realm.Error.self) { try huts.filter(checking: "place IN %@", [crossing]) }
  }
}
