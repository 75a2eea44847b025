import Foundation
import TestSupport
import Testing

@testable import RealmSwift

struct GeospatialTests {
  private let scratch: ScratchRealm
  private var realm: Realm { scratch.realm }
  private var shops: Results<GeoShop> { realm.objects(GeoShop.self) }

  private let zurich = GeoCircle(center: (47.37, 8.54), radius: .kilometers(30)!)!
  private let alps = GeoPolygon(outerRing: [(45.0, 6.0), (45, 12), (47.1, 12), (47.1, 6), (45, 6)])!
  private let east = GeoBox(bottomLeft: (46, 9), topRight: (48, 11))!

  init() throws {
    scratch = try ScratchRealm(opening: [GeoShop.self, GeoSite.self, GeoMarker.self, GeoChain.self])
    let realm = scratch.realm
    try realm.write {
      realm.add(GeoShop("Zürich", GeoSite(47.377, 8.54)))
      realm.add(GeoShop("Winterthur", GeoSite(47.499, 8.724)))
      realm.add(GeoShop("Bern", GeoSite(46.948, 7.447)))
      realm.add(GeoShop("Davos", GeoSite(46.8, 9.83)))
      realm.add(GeoShop("Nowhere"))
      let sign = GeoSite(47.377, 8.54)
      sign.type = "Sign"
      realm.add(GeoShop("Sign", sign))
    }
  }

  private func names(_ results: Results<GeoShop>) -> [String] { results.map(\.name) }

  @Test func typedQueries() {
    #expect(names(shops.where { $0.site.geoWithin(zurich) }) == ["Zürich", "Winterthur"])
    #expect(names(shops.where { $0.site.geoWithin(alps) }) == ["Bern", "Davos"])
    #expect(names(shops.where { $0.site.geoWithin(east) }) == ["Davos"])
    #expect(names(shops.where { $0.site.geoWithin(alps) && !$0.site.geoWithin(east) }) == ["Bern"])
    #expect(
      names(shops.where { !$0.site.geoWithin(zurich) }) == ["Bern", "Davos", "Nowhere", "Sign"])
    #expect(
      names(shops.where { $0.site.geoWithin(east) || $0.name == "Sign" }) == ["Davos", "Sign"])
  }

  @Test func formatStrings() throws {
    #expect(names(shops.filter("site IN %@", zurich)) == ["Zürich", "Winterthur"])
    #expect(names(shops.filter("site in %@ AND name BEGINSWITH 'D'", alps)) == ["Davos"])
    #expect(names(shops.filter("NOT site IN %@", alps)) == ["Zürich", "Winterthur", "Nowhere", "Sign"])
    #expect(names(shops.filter("%K IN %@", "site", east)) == ["Davos"])
    #expect(names(try shops.filter(checking: "site IN %@", [zurich])) == ["Zürich", "Winterthur"])
  }

  @Test func resultsFollowTheirObjects() throws {
    let near = shops.where { $0.site.geoWithin(zurich) }
    #expect(near.count == 2)
    try realm.write { shops[1].site?.coordinates[1] = 0 }
    #expect(names(near) == ["Zürich"])
    try realm.write {
      shops[0].site?.type = "Polygon"
      shops[2].site = GeoSite(47.3, 8.5)
    }
    #expect(names(near) == ["Bern"])
    try realm.write { shops[2].site?.coordinates.removeLast() }
    #expect(near.isEmpty)
  }

  @Test func throughLinksAndCollections() throws {
    let chain = GeoChain()
    try realm.write {
      chain.shops.append(objectsIn: [shops[0], shops[2]])
      realm.add(chain)
      realm.add(GeoChain())
      shops[3].rival = shops[0]
      shops[4].stores.append(objectsIn: [GeoSite(0, 0), GeoSite(47.4, 8.6)])
      shops[5].depots["main"] = GeoSite(47.4, 8.6)
      shops[5].depots["none"] = .some(nil)
    }
    #expect(names(shops.where { $0.rival.site.geoWithin(zurich) }) == ["Davos"])
    #expect(names(shops.where { $0.stores.geoWithin(zurich) }) == ["Nowhere"])
    #expect(names(shops.filter("ANY depots.@allValues IN %@", zurich)) == ["Sign"])
    let chains = realm.objects(GeoChain.self)
    #expect(chains.where { $0.shops.site.geoWithin(zurich) }.count == 1)
    #expect(chains.where { !$0.shops.site.geoWithin(zurich) }.count == 1)
    #expect(chains.where { $0.shops.site.geoWithin(east) }.isEmpty)
    #expect(chains.where { ($0.shops.site.geoWithin(zurich)).count == 1 }.count == 1)
    #expect(chains.filter("SUBQUERY(shops, $shop, $shop.site IN %@).@count == 2", alps).isEmpty)
    #expect(names(chain.shops.where { $0.site.geoWithin(alps) }) == ["Bern"])
    #expect(shops[4].stores.where { $0.geoWithin(zurich) }.count == 1)
  }

  @Test func inMemory() {
    let list = List<GeoShop>()
    list.append(objectsIn: [GeoShop("Nowhere"), GeoShop("Bern", GeoSite(46.948, 7.447))])
    #expect(list.index(matching: { $0.site.geoWithin(alps) }) == 1)
    #expect(list.index(matching: "site IN %@", zurich) == nil)
    #expect(list.index(matching: "NOT site IN %@", zurich) == 0)
    #expect(shops.index(matching: { $0.site.geoWithin(east) }) == 3)
  }

  // MARK: Errors

  private func reason(_ format: String, _ arguments: Any...) -> String? {
    do {
      _ = try shops.filter(checking: format, arguments)
      return nil
    } catch { return (error as? Realm.Error)?.localizedDescription }
  }

  @Test func errors() throws {
    let circle = GeoCircle(center: (0, 0), radiusInRadians: 10)!
    #expect(
      reason("rival IN %@", circle)
        == "A GEOWITHIN query can only operate on a link to an embedded class but 'GeoShop' is at the top level"
    )
    #expect(
      reason("marker IN %@", circle)
        == "Query 'marker GEOWITHIN GeoCircle([0, 0, 0], 10)' links to data in the wrong format for a geoWithin query"
    )
    let crossing = GeoPolygon(outerRing: [(50, -50), (55, 55), (-50, 50), (70, -25), (50, -50)])!
    #expect(
      reason("site IN %@", crossing)
        == "Invalid region in GEOWITHIN query for parameter 'GeoPolygon({[-50, 50, 0], [55, 55, 0], [50, -50, 0], [-25, 70, 0], [-50, 50, 0]})': 'Ring 0 is not valid: 'Edges 0 and 2 cross. Edge locations in degrees: [50.0000000, -50.0000000]-[55.0000000, 55.0000000] and [-50.0000000, 50.0000000]-[70.0000000, -25.0000000]''"
    )
  }

  @Test func aTypedQueryStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let shops = try ScratchRealm(opening: [GeoShop.self, GeoSite.self, GeoMarker.self]).realm.objects(
        GeoShop.self)
      let circle = GeoCircle(center: (0, 0), radiusInRadians: 10)!
      _ = shops.where { $0.marker.geoWithin(circle) }
    }
    let text =
      "Query 'marker GEOWITHIN GeoCircle([0, 0, 0], 10)' links to data in the wrong format for a geoWithin query"
    expectStop(result, saying: text)
  }
}
