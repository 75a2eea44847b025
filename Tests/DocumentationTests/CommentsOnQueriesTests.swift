import Foundation
import RealmSwift
import TestSupport
import Testing

/// The samples in documentation comments about queries.
struct CommentsOnQueriesTests {
  @Test func results() throws {
    let realm = try Mountains().realm
    let huts = realm.objects(Hut.self)
    print(huts.count, huts.first?.name ?? "none")
    for hut in huts { print(hut.name) }
    #expect(huts.count == 3)
    try realm.write { huts.setValue(24, forKey: "beds") }
    #expect(huts.allSatisfy { $0.beds == 24 })
  }

  @Test func filters() throws {
    let mountains = try Mountains()
    let (realm, huts) = (mountains.realm, mountains.huts)
    let small = huts.where { $0.beds < 20 && $0.name.starts(with: "S") }
    #expect(mountains.names(small) == ["Summit"])
    let high = huts.filter("altitude > %@ AND name BEGINSWITH %@", 2_000, "B")
    #expect(mountains.names(high) == ["Blackrock"])
    do {
      let predicate = NSPredicate(format: "altitude > %d AND name BEGINSWITH %@", 2_000, "B")
      let found = huts.filter(predicate)
      #expect(mountains.names(found) == ["Blackrock"])
    }
    do {
      let found = try huts.filter(checking: "beds > 10 AND altitude < 2000")
      #expect(mountains.names(found) == ["Larch"])
    }
    let roomy = huts.where { $0.beds >= 40 || ($0.visits.count == 0 && $0.warden != nil) }
    let steep = realm.objects(Trail.self).where {
      ($0.huts.altitude > 2_000 && $0.huts.beds > 50).count > 0
    }
    #expect(mountains.names(roomy) == ["Blackrock", "Larch"] && steep.map(\.name) == ["Ridge"])
    print(huts.where { $0.name.starts(with: "B") }.explain())
  }

  @Test func severalTexts() throws {
    let kennel = try Kennel()
    let (realm, dogs) = (kennel.realm, kennel.dogs)
    try realm.write { kennel.rex.biography = "Rescued many in the Black Forest" }
    let mentioned = dogs.where {
      $0.fullTextSearch("snow forest", in: $0.name, $0.biography, $0.owners.lastName)
    }
    #expect(mentioned.map(\.name) == ["Rex"])
    for found in dogs.ranked(by: [\.name, \.biography, \.owners[0].lastName], "snow forest", limit: 10) {
      print(found.score, found.object.name)
    }
    let found = realm.dynamicObjects("Dog")
      .ranked(by: ["name", "biography", "owners.lastName"], "snow forest")
    #expect(found.map { $0.object["name"] as? String } == ["Rex"])
  }

  @Test func conditions() throws {
    let mountains = try Mountains()
    let huts = mountains.huts
    let known = huts.where { $0.name.in(["Larch", "Summit"]) }
    let middle = huts.where { $0.altitude.contains(1_500...2_500) }
    let found = huts.where { $0.name.contains("rock") }
    let named = huts.where { $0.name.starts(with: "b", options: .caseInsensitive) }
    let rocks = huts.where { $0.name.ends(with: "rock") }
    #expect(mountains.names(known) == ["Larch", "Summit"])
    #expect(mountains.names(middle) == ["Blackrock", "Larch"])
    for results in [found, named, rocks] { #expect(mountains.names(results) == ["Blackrock"]) }
  }

  @Test func text() throws {
    let mountains = try Mountains()
    let (realm, trails, trail) = (mountains.realm, mountains.trails, mountains.ridge)
    try realm.write { trail.notes = "Screes, then a wooden bridge" }
    let rocky = trails.where { $0.notes.fullTextSearch("scree* -ladder \"wooden bridge\"") }
    #expect(rocky.map(\.name) == ["Ridge"])
    for found in trails.ranked(by: \.notes, "scree* bridge", limit: 10) {
      print(found.score, found.object.name)
    }
    #expect(trails.ranked(by: \.notes, "scree* bridge", limit: 10).map(\.object.name) == ["Ridge"])
    let search = TextSearch("scree* \"wooden bridge\"")
    let snippet = search.snippet(of: trail.notes, wordCount: 12)
    print(snippet.text, snippet.ranges.map { snippet.text[$0] })
    #expect(snippet.ranges.map { snippet.text[$0] } == ["Screes", "wooden", "bridge"])
  }

  @Test func groups() throws {
    let huts = try Mountains().huts
    for group in huts.grouped(by: \.kind).aggregated(.average(\.beds), .max(\.altitude)) {
      let (beds, altitude) = group.values
      print(group.key, group.count, beds ?? 0, altitude ?? 0)
    }
    do {
      let beds = huts.grouped(by: \.kind).aggregated(.sum(\.beds), .max(\.altitude))
      #expect(beds.map { $0.values.0 } == [6, 125])
    }
    do {
      let counts = huts.grouped(by: \.kind).counts
      print(counts[.bivouac, default: 0])
      #expect(counts == [.bivouac: 1, .staffed: 2])
    }
    let groups = huts.grouped(by: .value(\.warden?.name), .year(of: \.opened))
    #expect(groups.aggregated().count == 2)
    let counts = huts.grouped(by: \.warden?.name).counts
    #expect(counts == [nil: 2, "Ida": 1])
    do {
      let beds = huts.grouped(by: \.kind, \.warden?.name).aggregated(.sum(\.beds))
      #expect(beds.map(\.values) == [6, 80, 45])
    }
    let beds = huts.grouped(by: .year(of: \.opened)).aggregated(.sum(\.beds))
    let years = huts.grouped(by: .value(\.kind), .year(of: \.opened)).aggregated()
    #expect(beds.map(\.values) == [131] && years.count == 2)
  }

  @Test func order() throws {
    let huts = try Mountains().huts
    let sorted = huts.sorted(by: [SortDescriptor(keyPath: \Hut.altitude), SortDescriptor(keyPath: \Hut.name)])
    let byHeight = huts.sorted(by: [RealmSwift.SortDescriptor(keyPath: "altitude", ascending: false)])
    #expect(sorted.map(\.name) == byHeight.map(\.name).reversed())
    let byWarden = huts.sorted(byKeyPath: "warden.name")
    #expect(byWarden.first?.name == "Larch")
    let oneOfEachKind = huts.distinct(by: [\Hut.kind])
    #expect(oneOfEachKind.count == 2)
    let highest = huts.sorted(by: \.altitude, ascending: false).first
    #expect(highest?.name == "Summit")
  }

  @Test func aggregates() throws {
    let huts = try Mountains().huts
    let lowest = huts.min(of: \.altitude)
    let highest = huts.max(of: \.altitude)
    let beds = huts.sum(of: \.beds)
    let wholeBeds = huts.average(of: \.beds)
    let average: Double? = huts.average(of: \.beds)
    #expect(lowest == 1_980 && highest == 3_012 && beds == 131)
    #expect(wholeBeds == 43 && average == 131.0 / 3)
  }

  @Test func places() throws {
    let mountains = try Mountains()
    let (realm, huts) = (mountains.realm, mountains.huts)
    try realm.write { mountains.larch.place = Place(value: ["coordinates": [7.6, 46.0]]) }
    let here = GeoPoint(latitude: 46.1, longitude: 7.5)!
    let near = huts.where { $0.place.geoWithin(GeoCircle(center: here, radius: .kilometers(50)!)) }
    #expect(mountains.names(near) == ["Larch"])
  }

  @Test func sections() throws {
    let realm = try Mountains().realm
    let sections = realm.objects(Trail.self).sectioned(by: \.difficulty)
    for section in sections {
      print(section.key)
      for trail in section { print(trail.name) }
    }
    #expect(sections.allKeys == [1, 3])
  }
}
