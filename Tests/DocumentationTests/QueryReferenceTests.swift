import Foundation
import RealmSwift
import TestSupport
import Testing

/// The samples of the article *Query reference*: both notations of each pair find the same objects.
struct QueryReferenceTests {
  private let fixture: Stays
  private let realm: Realm
  private let huts: Results<Hut>
  private let trails: Results<Trail>
  private let stays: Results<Stay>
  private let ida: Warden
  private let larch: Hut

  init() throws {
    fixture = try Stays()
    realm = fixture.realm
    (huts, trails, stays) = (fixture.huts, fixture.trails, fixture.stays)
    (ida, larch) = (fixture.ida, fixture.larch)
  }

  /// Expects that results have the objects of these names.
  private func expect(
    _ results: Results<Hut>..., are names: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for results in results {
      #expect(results.map(\.name).sorted() == names, sourceLocation: sourceLocation)
    }
  }

  private func expect(
    _ results: Results<Trail>..., are names: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for results in results {
      #expect(results.map(\.name).sorted() == names, sourceLocation: sourceLocation)
    }
  }

  private func expect(
    _ results: Results<Stay>..., have price: Decimal128,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for results in results { #expect(results.map(\.price) == [price], sourceLocation: sourceLocation) }
  }

  @Test func comparison() throws {
    let high = huts.where { $0.altitude >= 2_441 }
    let highAsText = huts.filter("altitude >= 2441")
    let middle = huts.where { $0.altitude.contains(1_500...2_500) }
    let middleAsText = huts.filter("altitude BETWEEN {1500, 2500}")
    let two = huts.where { $0.name.in(["Larch", "Summit"]) }
    let twoAsText = huts.filter("name IN %@", ["Larch", "Summit"])
    expect(high, highAsText, are: ["Blackrock", "Summit"])
    expect(middle, middleAsText, are: ["Blackrock", "Larch"])
    expect(two, twoAsText, are: ["Larch", "Summit"])
    let crowded = huts.where { $0.beds > $0.altitude }
    let crowdedAsText = huts.filter("beds > altitude")
    expect(crowded, crowdedAsText, are: [])
    expect(huts.filter("2441 <= altitude"), huts.filter("altitude => 2441"), are: ["Blackrock", "Summit"])
    expect(huts.filter("name IN %@", [String]()), are: [])
    #expect(trails.filter("length > 10").count == trails.filter("length > 10.0").count)
  }

  @Test func logicalOperators() throws {
    let open = stays.where { !$0.isPaid && ($0.price > 100 || $0.hut == nil) }
    let openAsText = stays.filter("isPaid == false AND (price > 100 OR hut == nil)")
    let everyHut = huts.filter("TRUEPREDICATE")
    expect(open, openAsText, have: 250)
    #expect(everyHut.count == 3)
    #expect(huts.filter("FALSEPREDICATE").isEmpty)
    expect(huts.filter("beds > 50 or beds > 40 and not altitude > 2000"), are: ["Blackrock", "Larch"])
  }

  @Test func null() throws {
    let (first, last) = (fixture.first, fixture.last)
    let unattended = huts.where { $0.warden == nil }
    let unattendedAsText = huts.filter("warden == nil")
    let openedHuts = huts.where { $0.opened != nil }
    let openedHutsAsText = huts.filter("opened != NULL")
    expect(unattended, unattendedAsText, are: ["Blackrock", "Summit"])
    expect(openedHuts, openedHutsAsText, are: ["Summit"])
    expect(huts.filter("opened == %@", NSNull()), are: ["Blackrock", "Larch"])
    expect(huts.filter("opened < %@", last), are: ["Summit"])
    expect(huts.filter("opened != %@", first), are: ["Blackrock", "Larch"])
    expect(huts.filter("warden.name != 'Ida'"), are: ["Blackrock", "Summit"])
  }

  @Test func strings() throws {
    let larches = huts.where { $0.name.starts(with: "La") }
    let larchesAsText = huts.filter("name BEGINSWITH 'La'")
    let rocks = huts.where { $0.name.contains("ROCK", options: [.caseInsensitive]) }
    let rocksAsText = huts.filter("name CONTAINS[c] 'ROCK'")
    let pattern = huts.where { $0.name.like("?a*h") }
    let patternAsText = huts.filter("name LIKE '?a*h'")
    expect(larches, larchesAsText, are: ["Larch"])
    expect(rocks, rocksAsText, are: ["Blackrock"])
    expect(pattern, patternAsText, are: ["Larch"])
    expect(huts.filter("name IN[c] {'larch'}"), are: ["Larch"])
    expect(huts.filter("name CONTAINS ''"), huts.filter("name BEGINSWITH ''"), are: [])
    expect(huts.filter("name BEGINSWITH warden.name"), are: [])
    expect(huts.filter("name LIKE[c] 'LARCH'"), are: ["Larch"])
    expect(huts.filter("name ==[n] 'Larch'"), are: ["Larch"])
    for refused in [
      "name LIKE[d] 'x'", "name MATCHES 'x'", "name <[c] 'x'", "'Larch hut' CONTAINS name",
    ] {
      #expect(throws: Realm.Error.self) { try huts.filter(checking: refused) }
    }
  }

  @Test func fullText() throws {
    let scratch = ScratchFolder()
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: scratch.file("posts.realm"), objectTypes: [Post.self, Contributor.self, Reply.self]))
    try realm.write {
      let value: [String: Any] = ["title": "Swift", "body": "", "replies": [["text": "An engine"]]]
      realm.create(Post.self, value: value)
      realm.create(Post.self, value: ["title": "Swift", "body": "An engine"])
    }
    let posts = realm.objects(Post.self)
    let steep = trails.where { $0.notes.fullTextSearch("steep scree* -snow") }
    let steepAsText = trails.filter("notes TEXT 'steep scree* -snow'")
    let anywhere = posts.where { $0.fullTextSearch("swift engine", in: $0.title, $0.replies.text) }
    let anywhereAsText = posts.filter("{title, replies.text} TEXT 'swift engine'")
    expect(steep, steepAsText, are: ["Ridge"])
    for found in [anywhere, anywhereAsText] { #expect(found.map(\.body) == [""]) }
  }

  @Test func links() throws {
    let hers = huts.where { $0.warden == ida }
    let hersAsText = huts.filter("warden == %@", ida)
    let herName = huts.where { $0.warden.name == "Ida" }
    let herNameAsText = huts.filter("warden.name == 'Ida'")
    let points = huts.where { $0.place.type == "Point" }
    let pointsAsText = huts.filter("place.type == 'Point'")
    expect(hers, hersAsText, herName, herNameAsText, points, pointsAsText, are: ["Larch"])
    expect(huts.where { $0 == larch }, huts.filter("SELF == %@", larch), are: ["Larch"])
    expect(huts.filter("warden == %@", Warden()), are: [])
    let onHardTrails = huts.where { $0.trails.difficulty >= 3 }
    let onHardTrailsAsText = huts.filter("ANY trails.difficulty >= 3")
    let onNoTrail = huts.where { $0.trails.count == 0 }
    let onNoTrailAsText = huts.filter("trails.@count == 0")
    expect(onHardTrails, onHardTrailsAsText, are: ["Blackrock", "Summit"])
    expect(onNoTrail, onNoTrailAsText, are: [])
  }

  @Test func collections() throws {
    let large = trails.where { $0.huts.beds > 40 }
    let largeAsText = trails.filter("ANY huts.beds > 40")
    let allLarge = trails.filter("ALL huts.beds > 40")
    let german = huts.where { $0.languages.contains("de") }
    let germanAsText = huts.filter("'de' IN languages")
    let southern = huts.where { $0.languages.containsAny(in: ["it", "fr"]) }
    let southernAsText = huts.filter("ANY languages IN {'it', 'fr'}")
    expect(large, largeAsText, are: ["Ridge", "Valley"])
    expect(allLarge, are: ["Valley"])
    expect(german, germanAsText, southern, southernAsText, are: ["Blackrock"])
    expect(trails.filter("NONE huts.beds > 50"), trails.where { !($0.huts.beds > 50) }, are: ["Valley"])
    expect(trails.filter("SOME huts.beds > 50"), are: ["Ridge"])
    expect(huts.filter("ALL visits.nights > 5"), are: ["Blackrock", "Summit"])
    expect(huts.filter("ANY languages != 'de'"), are: ["Blackrock"])
    expect(huts.filter("NOT 'de' IN languages"), are: ["Larch", "Summit"])
    expect(huts.filter("ANY languages == name"), huts.filter("name IN languages"), are: [])
    expect(
      stays.where { $0.nights.contains(1...3) },
      stays.filter("nights.@min >= 1 AND nights.@max <= 3"), have: Decimal128("19.90"))
    let visited = huts.where { $0.visits.count > 0 }
    let visitedAsText = huts.filter("visits.@count > 0")
    let roomyTrails = trails.where { $0.huts.beds.sum > 50 }
    let roomyTrailsAsText = trails.filter("huts.@sum.beds > 50")
    let longStays = stays.where { $0.nights.max >= 5 }
    let longStaysAsText = stays.filter("nights.@max >= 5")
    expect(visited, visitedAsText, are: ["Larch"])
    expect(roomyTrails, roomyTrailsAsText, are: ["Ridge"])
    expect(longStays, longStaysAsText, have: 250)
    expect(huts.filter("visits.@count > trails.@count"), are: [])
    expect(trails.filter("huts.@sum.beds > difficulty"), are: ["Ridge", "Valley"])
    expect(huts.filter("visits.@max.nights == nil"), are: ["Blackrock", "Summit"])
    #expect(throws: Realm.Error.self) { try huts.filter(checking: "visits.@count IN {1, 2}") }
    #expect(throws: Realm.Error.self) { try huts.filter(checking: "ANY languages == visits.guest") }
  }

  @Test func subqueries() throws {
    let bivouacUpHigh = trails.where {
      ($0.huts.kind == .bivouac && $0.huts.altitude > 3_000).count > 0
    }
    let bivouacAsText = trails.filter(
      "SUBQUERY(huts, $hut, $hut.kind == 'bivouac' AND $hut.altitude > 3000).@count > 0")
    expect(bivouacUpHigh, bivouacAsText, are: ["Ridge"])
    // A subquery in another one, over backlinks.
    expect(
      huts.filter("SUBQUERY(trails, $t, SUBQUERY($t.huts, $h, $h.beds < 10).@count > 0).@count == 1"),
      are: ["Blackrock", "Summit"])
  }

  @Test func maps() throws {
    let dear = huts.where { $0.prices["EUR"] > 20 }
    let dearAsText = huts.filter("prices['EUR'] > 20")
    let inFrancs = huts.where { $0.prices.keys.starts(with: "CH") }
    let inFrancsAsText = huts.filter("ANY prices.@allKeys BEGINSWITH 'CH'")
    let cheapSomewhere = huts.where { $0.prices.values < 20 }
    let cheapSomewhereAsText = huts.filter("ANY prices.@allValues < 20")
    expect(dear, dearAsText, are: ["Blackrock"])
    expect(inFrancs, inFrancsAsText, cheapSomewhere, cheapSomewhereAsText, are: ["Larch"])
    expect(huts.filter("'EUR' IN prices.@allKeys"), huts.filter("ANY prices > 20"), are: ["Blackrock"])
    expect(huts.filter("prices.@max > 20"), are: ["Blackrock"])
    expect(huts.filter("ANY prices.@allKeys ==[c] 'eur'"), are: ["Blackrock"])
    expect(huts.filter("prices['CHF'] == nil"), are: ["Blackrock", "Summit"])
  }

  @Test func mixedValues() throws {
    let days = AnyRealmValue.fromDictionary(["days": .fromArray([.string("Monday"), .string("Friday")])])
    try realm.write {
      for content in [AnyRealmValue.int(3), .double(3), .string("3"), days] {
        realm.create(MixedNote.self, value: ["content": content])
      }
    }
    let notes = realm.objects(MixedNote.self)
    let threes = notes.where { $0.content == .int(3) }
    let ofMonday = notes.where { $0.content["days"][0] == .string("Monday") }
    let ofMondayAsText = notes.filter("content['days'][0] == 'Monday'")
    let mentioning = notes.where { $0.content["days"].any == .string("Friday") }
    let alsoAsText = notes.filter("content['days'][%K] == 'Friday'", "#any")
    #expect(threes.map(\.content) == [.int(3), .double(3)])
    for found in [ofMonday, ofMondayAsText, mentioning, alsoAsText] { #expect(found.count == 1) }
    #expect(notes.filter("content['days'][-1] == 'Friday'").count == 1)
    #expect(notes.filter("content['days'][#any] == 'Friday'").count == 1)
    #expect(notes.filter("content['weeks'] == nil").count == 4)
    #expect(notes.where { $0.content > .int(2) }.count == 2)
    #expect(notes.where { $0.content < .int(4) }.count == 2)
  }

  @Test func enumerationsAndOwnTypes() throws {
    let staffed = huts.where { $0.kind == .staffed }
    let staffedAsText = huts.filter("kind == %@", HutKind.staffed)
    let selfServed = huts.where { $0.kind.rawValue.starts(with: "self") }
    let selfServedAsText = huts.filter("kind BEGINSWITH 'self'")
    let online = huts.where { $0.website == Website(address: "larch.example") }
    let onlineAsText = huts.filter("website == 'larch.example'")
    expect(staffed, staffedAsText, online, onlineAsText, are: ["Larch"])
    expect(selfServed, selfServedAsText, are: ["Blackrock"])
    let near = GeoCircle(center: (45.98, 7.65), radius: .kilometers(5)!)!
    let close = huts.where { $0.place.geoWithin(near) }
    let closeAsText = huts.filter("place IN %@", near)
    expect(close, closeAsText, are: ["Larch"])
  }

  @Test func constants() throws {
    let (first, last, id) = (fixture.first, fixture.last, fixture.id)
    let march = stays.where { $0.arrival >= first && $0.arrival < last }
    let marchAsText = stays.filter("arrival >= %@ AND arrival < %@", first, last)
    let exact = stays.where { $0.price == 19.90 }
    let exactAsText = stays.filter("price == 19.90")
    let one = stays.where { $0.id == id }
    let oneAsText = stays.filter("id == %@", id)
    let scanned = stays.where { $0.scan.starts(with: Data([0xFF, 0xD8])) }
    let scannedAsText = stays.filter("scan BEGINSWITH %@", Data([0xFF, 0xD8]))
    expect(march, marchAsText, exact, exactAsText, one, oneAsText, have: Decimal128("19.90"))
    expect(scanned, scannedAsText, stays.filter("id == %@", id.uuidString), have: Decimal128("19.90"))
    expect(stays.filter("price == %@", "19.90"), have: Decimal128("19.90"))
    expect(huts.filter("name == \"Larch\""), huts.filter("name == 'L\\u0061rch'"), are: ["Larch"])
    #expect(throws: Realm.Error.self) { try stays.filter(checking: "arrival > '2026-03-01'") }
  }

  @Test func arguments() throws {
    let property = "warden.name"
    let byArgument = huts.filter("%K == %@ AND beds > %d", property, "Ida", 40)
    expect(byArgument, are: ["Larch"])
    #expect(throws: Realm.Error.self) { try huts.filter(checking: "beds > %d") }
    expect(huts.filter("beds > 50", 1, 2), are: ["Blackrock"])
    let escaped = huts.filter("#name == 'Larch' AND `beds` > 40")
    expect(escaped, are: ["Larch"])
  }

  @Test func predicateObjects() throws {
    let predicate = NSPredicate(format: "beds > %d AND kind == %@", 40, "staffed")
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
      predicate, NSPredicate(format: "altitude < 2000"),
    ])
    let lowAndLarge = huts.filter(both)
    let isLarge = predicate.evaluate(with: larch)
    print(predicate)
    expect(lowAndLarge, are: ["Larch"])
    #expect(isLarge)
    #expect(predicate.description == "beds > 40 AND kind == 'staffed'")
    expect(huts.filter(NSPredicate(value: false)), are: [])
    #expect(throws: Realm.Error.self) { try NSPredicate(checking: "beds >") }
    #expect(throws: Realm.Error.self) { try huts.filter(checking: NSPredicate { _, _ in true }) }
  }

  private func message(_ format: String, _ arguments: [Any] = []) -> String {
    do {
      _ = try huts.filter(checking: format, arguments)
      return ""
    } catch {
      return error.localizedDescription
    }
  }

  @Test func errors() throws {
    do {
      _ = try huts.filter(checking: "beds > 40 AND name LIKE")
    } catch {
      print(error.localizedDescription)
      // Unable to parse the format string "beds > 40 AND name LIKE":
      // expected a value or key path instead of end at position 23.
    }
    #expect(
      message("beds > 40 AND name LIKE")
        == "Unable to parse the format string \"beds > 40 AND name LIKE\": expected a value or key path instead of end at position 23."
    )
    #expect(
      message("bed > 1") == "Invalid keypath 'bed': Property 'bed' not found in object of type 'Hut'")
    #expect(
      message("beds == 'many'")
        == "Cannot compare value 'many' of type 'String' to property 'beds' of type 'int'")
    #expect(
      message("visits.nights > 1")
        == "Key paths that include a collection property must use aggregate operations")
    #expect(
      message("ANY beds > 1")
        == "Aggregate operations can only be used on key paths that include an collection property")
    #expect(throws: Realm.Error.self) { try stays.filter(checking: "isPaid < true") }
    #expect(
      message("1 == 1")
        == "Predicate expressions must compare a keypath and another keypath or a constant value")
    #expect(message("FUNCTION(beds) == 1") == "The 'FUNCTION' function is not supported.")
    #expect(
      message("warden == %@", [fixture.mountains.larch.warden!])
        == "Object must be from the Realm being queried")
    #expect(message("beds + 10 > 50").contains("arithmetic is not supported"))
    #expect(message("beds > 40.5").contains("Cannot compare value '40.5' of type 'Double'"))
  }
}
