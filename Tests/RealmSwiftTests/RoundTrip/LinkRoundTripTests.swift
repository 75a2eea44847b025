import Foundation
import RealmSwift
import Testing

/// Links and embedded objects in every shape.
@Suite struct LinkRoundTripTests {
  final class Station: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var next: Station?
    @Persisted var lines: List<Station>
    @Persisted var neighbours: MutableSet<Station>
    @Persisted var byName: Map<String, Station?>
    @Persisted var platform: Platform?
    @Persisted var platforms: List<Platform>
    @Persisted var platformsByLetter: Map<String, Platform?>
    @Persisted(originProperty: "next") var previous: LinkingObjects<Station>
    @Persisted(originProperty: "lines") var inLines: LinkingObjects<Station>
    @Persisted(originProperty: "neighbours") var inNeighbours: LinkingObjects<Station>
    @Persisted(originProperty: "byName") var inMaps: LinkingObjects<Station>
  }

  final class Platform: EmbeddedObject {
    @Persisted var number: Int
    @Persisted var remark: String?
    @Persisted var towards: Station?
    @Persisted var clock: Clock?
    @Persisted var clocks: List<Clock>
    @Persisted(originProperty: "platform") var station: LinkingObjects<Station>
    @Persisted(originProperty: "platforms") var stationOfList: LinkingObjects<Station>
  }

  final class Clock: EmbeddedObject {
    @Persisted var offset: Double
    @Persisted(originProperty: "clock") var platform: LinkingObjects<Platform>
  }

  private static func file() throws -> ScratchRealm {
    ScratchRealm([Station.self, Platform.self, Clock.self])
  }

  /// a → b → c → a, and b reached in every other way from a.
  private static func graph() -> [Station] {
    let stations = ["a", "b", "c"].map { Station(value: ["name": $0]) }
    for (number, station) in stations.enumerated() { station.next = stations[(number + 1) % 3] }
    let (a, b, c) = (stations[0], stations[1], stations[2])
    a.lines.append(objectsIn: [b, c, b, a])
    a.neighbours.insert(objectsIn: [b, c, b])
    a.byName["b"] = b
    a.byName["nobody"] = .some(nil)
    return stations
  }

  private func expectGraph(_ a: Station) {
    #expect(a.name == "a")
    #expect(a.next?.name == "b")
    #expect(a.next?.next?.next?.name == "a")
    #expect(a.lines.map(\.name) == ["b", "c", "b", "a"])
    #expect(a.neighbours.map(\.name).sorted() == ["b", "c"])
    #expect(a.byName.count == 2)
    #expect(a.byName["b"]??.name == "b")
    #expect(a.byName["nobody"] == .some(nil))
    #expect(a.byName["c"] == nil)
    #expect(a.next?.lines.isEmpty == true)
  }

  @Test func linksInMemory() {
    let a = Self.graph()[0]
    expectGraph(a)
    #expect(a.previous.isEmpty)
    #expect(a.next?.next?.next === a)
    a.next?.next?.next = nil
  }

  @Test func linksAddedTogether() throws {
    let file = try Self.file()
    try file.write { realm in
      let stations = Self.graph()
      // One leads to all.
      realm.add(stations[1])
      #expect(stations.allSatisfy { $0.realm == realm })
      #expect(stations[0].next === stations[0].next || stations[0].next == stations[1])
      expectGraph(stations[0])
    }
    try file.read { realm in
      #expect(realm.objects(Station.self).count == 3)
      let a = try #require(realm.object(ofType: Station.self, forPrimaryKey: "a"))
      let b = try #require(realm.object(ofType: Station.self, forPrimaryKey: "b"))
      expectGraph(a)
      #expect(Array(a.previous).map(\.name) == ["c"])
      #expect(Array(b.previous).map(\.name) == ["a"])
      // As often as it is in the list.
      #expect(b.inLines.map(\.name) == ["a", "a"])
      #expect(a.inLines.map(\.name) == ["a"])
      #expect(b.inNeighbours.map(\.name) == ["a"])
      #expect(b.inMaps.map(\.name) == ["a"])
      #expect(a.inMaps.isEmpty)
    }
  }

  @Test func linksFromValues() throws {
    let file = try Self.file()
    try file.write { realm in
      let value: [String: Any] = [
        "name": "a", "next": ["name": "b", "next": ["c"]] as [String: Any],
      ]
      let a = realm.create(Station.self, value: value)
      let b = try #require(a.next)
      let c = try #require(b.next)
      c.next = a
      a.lines = [b, c, b, a].reduce(into: List<Station>()) { $0.append($1) }
      a.setValue([b, c, b], forKey: "neighbours")
      a.setValue(["b": b, "nobody": NSNull()] as [String: Any], forKey: "byName")
      expectGraph(a)
    }
    try file.read { realm in
      expectGraph(try #require(realm.object(ofType: Station.self, forPrimaryKey: "a")))
    }
  }

  @Test func linksTakenBack() throws {
    let file = try Self.file()
    try file.write { realm in realm.add(Self.graph()) }
    try file.write { realm in
      let a = try #require(realm.object(ofType: Station.self, forPrimaryKey: "a"))
      let b = try #require(realm.object(ofType: Station.self, forPrimaryKey: "b"))
      a.next = nil
      a.lines.remove(at: 0)
      a.neighbours.remove(b)
      a.byName["b"] = .some(nil)
      #expect(b.previous.isEmpty)
    }
    try file.read { realm in
      let a = try #require(realm.object(ofType: Station.self, forPrimaryKey: "a"))
      let b = try #require(realm.object(ofType: Station.self, forPrimaryKey: "b"))
      #expect(a.next == nil)
      #expect(b.previous.isEmpty)
      #expect(b.inLines.map(\.name) == ["a"])
      #expect(b.inNeighbours.isEmpty)
      #expect(b.inMaps.isEmpty)
      #expect(a.byName.keys == ["b", "nobody"])
    }
  }

  @Test func deletedTargetsLeaveEveryShape() throws {
    let file = try Self.file()
    try file.write { realm in realm.add(Self.graph()) }
    try file.write { realm in
      realm.delete(try #require(realm.object(ofType: Station.self, forPrimaryKey: "b")))
    }
    try file.read { realm in
      let a = try #require(realm.object(ofType: Station.self, forPrimaryKey: "a"))
      #expect(a.next == nil)
      #expect(a.lines.map(\.name) == ["c", "a"])
      #expect(a.neighbours.map(\.name) == ["c"])
      #expect(a.byName.keys == ["b", "nobody"])
      #expect(a.byName["b"] == .some(nil))
      #expect(realm.object(ofType: Station.self, forPrimaryKey: "c")?.previous.isEmpty == true)
    }
  }

  // MARK: Embedded objects

  private static func platform(_ number: Int) -> Platform {
    let platform = Platform(value: ["number": number, "remark": "no. \(number)", "clock": ["offset": 0.5]])
    platform.clocks.append(objectsIn: [Clock(value: [1.0]), Clock(value: [2.0])])
    return platform
  }

  private func expectPlatform(_ platform: Platform?, _ number: Int) {
    #expect(platform?.number == number)
    #expect(platform?.remark == "no. \(number)")
    #expect(platform?.clock?.offset == 0.5)
    #expect(platform?.clocks.map(\.offset) == [1, 2])
  }

  private func expectEmbedded(_ station: Station) {
    expectPlatform(station.platform, 1)
    #expect(station.platforms.count == 2)
    for (position, platform) in station.platforms.enumerated() { expectPlatform(platform, 2 + position) }
    #expect(station.platformsByLetter.keys.sorted() == ["D", "none"])
    expectPlatform(station.platformsByLetter["D"] ?? nil, 4)
    #expect(station.platformsByLetter["none"] == .some(nil))
  }

  private static func embeddingStation() -> Station {
    let station = Station(value: ["name": "main"])
    station.platform = platform(1)
    station.platforms.append(objectsIn: [platform(2), platform(3)])
    station.platformsByLetter["D"] = platform(4)
    station.platformsByLetter["none"] = .some(nil)
    station.platform?.towards = station
    return station
  }

  @Test func embeddedInEveryShape() throws {
    let file = try Self.file()
    let dictionary: [String: Any] = [
      "name": "from values",
      "platform": ["number": 1, "remark": "no. 1", "clock": [0.5], "clocks": [[1.0], ["offset": 2.0]]]
        as [String: Any],
      "platforms": [
        [2, "no. 2", NSNull(), [0.5], [[1.0], [2.0]]] as [Any],
        ["number": 3, "remark": "no. 3", "clock": ["offset": 0.5], "clocks": [[1.0], [2.0]]] as [String: Any],
      ] as [Any],
      "platformsByLetter": ["D": Self.platform(4), "none": NSNull()] as [String: Any],
    ]
    try file.write { realm in
      let station = Self.embeddingStation()
      expectEmbedded(station)
      #expect(station.platform?.realm == nil)
      let platform = try #require(station.platform)
      realm.add(station)
      #expect(platform.realm == realm)
      expectEmbedded(station)
      expectEmbedded(Station(value: dictionary))
      expectEmbedded(realm.create(Station.self, value: dictionary))
      // Embedded objects are copied, even from the same realm.
      let copy = realm.create(
        Station.self, value: ["copy", NSNull(), [], [], [:], station.platform!] as [Any])
      #expect(copy.platform != station.platform)
      expectPlatform(copy.platform, 1)
      copy.platform?.number = 9
    }
    try file.read { realm in
      #expect(realm.objects(Station.self).count == 3)
      for name in ["main", "from values"] {
        expectEmbedded(try #require(realm.object(ofType: Station.self, forPrimaryKey: name)))
      }
      let main = try #require(realm.object(ofType: Station.self, forPrimaryKey: "main"))
      #expect(main.platform?.towards == main)
      #expect(main.platform?.station.map(\.name) == ["main"])
      #expect(main.platforms[0].station.isEmpty)
      #expect(main.platforms[0].stationOfList.map(\.name) == ["main"])
      #expect(main.platform?.clock?.platform.first?.isSameObject(as: main.platform) == true)
      #expect(realm.object(ofType: Station.self, forPrimaryKey: "copy")?.platform?.number == 9)
      // 4 + 4 + 1 platforms, each with three clocks.
      #expect(realm.dynamicObjects("Platform").count == 9)
      #expect(realm.dynamicObjects("Clock").count == 27)
    }
  }

  @Test func replacedAndRemovedEmbeddedObjectsDie() throws {
    let file = try Self.file()
    try file.write { realm in realm.add(Self.embeddingStation()) }
    try file.write { realm in
      let station = try #require(realm.objects(Station.self).first)
      let old = try #require(station.platform)
      let listed = station.platforms[0]
      let mapped = try #require(station.platformsByLetter["D"] ?? nil)
      station.platform = Self.platform(11)
      station.platforms[0] = Self.platform(12)
      station.platforms.remove(at: 1)
      station.platformsByLetter["D"] = Self.platform(14)
      #expect(old.isInvalidated && listed.isInvalidated && mapped.isInvalidated)
    }
    try file.read { realm in
      let station = try #require(realm.objects(Station.self).first)
      expectPlatform(station.platform, 11)
      #expect(station.platforms.map(\.number) == [12])
      expectPlatform(station.platformsByLetter["D"] ?? nil, 14)
      #expect(realm.dynamicObjects("Platform").count == 3)
      #expect(realm.dynamicObjects("Clock").count == 9)
    }
    try file.write { realm in
      let station = try #require(realm.objects(Station.self).first)
      station.platform = nil
      station.platforms.removeAll()
      station.platformsByLetter["D"] = .some(nil)
    }
    try file.read { realm in
      #expect(realm.dynamicObjects("Platform").isEmpty)
      #expect(realm.dynamicObjects("Clock").isEmpty)
      #expect(realm.objects(Station.self).first?.platformsByLetter.count == 2)
    }
  }

  @Test func deletedEmbeddedObjectsLeaveTheirParents() throws {
    let file = try Self.file()
    try file.write { realm in realm.add(Self.embeddingStation()) }
    try file.write { realm in
      let station = try #require(realm.objects(Station.self).first)
      realm.delete(try #require(station.platform))
      realm.delete(station.platforms[0])
      realm.delete(try #require(station.platformsByLetter["D"] ?? nil))
      #expect(station.platform == nil)
    }
    try file.read { realm in
      let station = try #require(realm.objects(Station.self).first)
      #expect(station.platform == nil)
      #expect(station.platforms.map(\.number) == [3])
      #expect(station.platformsByLetter["D"] == .some(nil))
      #expect(realm.dynamicObjects("Clock").count == 3)
    }
    try file.write { realm in realm.delete(realm.objects(Station.self)) }
    try file.read { realm in
      #expect(realm.isEmpty)
      #expect(realm.dynamicObjects("Platform").isEmpty)
      #expect(realm.dynamicObjects("Clock").isEmpty)
    }
  }
}
