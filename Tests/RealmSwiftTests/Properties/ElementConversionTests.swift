import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// A custom type not all of whose stored values can be converted back.
struct Ticket: FailableCustomPersistable, Equatable {
  var number: Int

  init(number: Int) { self.number = number }
  init?(persistedValue: String) {
    guard let number = Int(persistedValue) else { return nil }
    self.number = number
  }
  var persistableValue: String { String(number) }
}

class TicketBox: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var tickets: List<Ticket>
  @Persisted var optionalTickets: List<Ticket?>
  @Persisted var ticketByName: Map<String, Ticket?>
  @Persisted var ticketSet: MutableSet<Ticket?>
  @Persisted var moods: List<PetMood?>
  @Persisted var mood: PetMood
  @Persisted var rank: PetRank?
  @Persisted var points: List<PlanePoint>
  @Persisted var point: PlanePoint?
  @Persisted var temperature: Celsius
  @Persisted var temperatures: MutableSet<Celsius>
  @Persisted var anything: AnyRealmValue
  @Persisted var things: List<AnyRealmValue>
}

/// Values of enums and custom types as elements of collections, and where the type of a property is not known.
struct ElementConversionTests {
  private let file = ScratchRealm([TicketBox.self, PlanePointRecord.self])

  private func create(_ value: [String: Any], _ check: (TicketBox) throws -> Void) throws {
    let realm = try file.open()
    let box = try realm.write { realm.create(TicketBox.self, value: value) }
    try check(box)
  }

  @Test func storedValuesThatCannotBeConvertedAreNilWhereElementsAreOptional() throws {
    try create([
      "optionalTickets": ["1", "none", nil] as [String?], "ticketByName": ["a": "none", "b": "2"],
      "ticketSet": ["x", "3"], "moods": ["unknown", "hungry"],
    ]) { box in
      #expect(Array(box.optionalTickets) == [Ticket(number: 1), nil, nil])
      #expect(box.optionalTickets[1] == nil && box.optionalTickets.last == .some(nil))
      #expect(box.ticketByName["a"] == .some(nil) && box.ticketByName["b"] == .some(Ticket(number: 2)))
      #expect(Set(box.ticketSet.map { $0?.number }) == [nil, 3])
      #expect(Array(box.moods) == [nil, .hungry])
      #expect(box.optionalTickets.contains(Ticket(number: 1)))
      // What is stored is kept.
      let stored = try #require(file.open().dynamicObjects("TicketBox").first)
      #expect(
        stored["optionalTickets"].flatMap { $0 as? List<String?> }.map { Array($0) } == ["1", "none", nil])
      #expect((stored["moods"] as? List<String?>)?.first == "unknown")
    }
  }

  @Test func storedValuesThatCannotBeConvertedStopTheProgramWhereElementsAreNotOptional() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try ScratchRealm(opening: [TicketBox.self, PlanePointRecord.self]).realm
      let box = try realm.write { realm.create(TicketBox.self, value: ["tickets": ["1", "none"]]) }
      if box.tickets[0] == Ticket(number: 1) { _ = box.tickets[1] }
    }
    expectStop(result, saying: "Could not convert value 'none' to type 'Ticket'.")
  }

  @Test func nullInAListOfEmbeddedCustomValuesIsTheDefault() throws {
    try create(["points": [NSNull(), ["x": 1, "y": 2], nil] as [Any?]]) { box in
      #expect(Array(box.points) == [PlanePoint(x: 0, y: 0), PlanePoint(x: 1, y: 2), PlanePoint(x: 0, y: 0)])
    }
    let unmanaged = TicketBox(value: ["points": [NSNull(), ["x": 1, "y": 2]] as [Any]])
    #expect(Array(unmanaged.points) == [PlanePoint(x: 0, y: 0), PlanePoint(x: 1, y: 2)])
  }

  // Never changed.
  nonisolated(unsafe) private static let values: [String: Any] = [
    "mood": PetMood.asleep, "rank": PetRank.high, "moods": [PetMood.hungry, nil] as [PetMood?],
    "tickets": [Ticket(number: 4)], "ticketByName": ["a": Ticket(number: 5)],
    "temperature": Celsius(degrees: 6),
    "temperatures": [Celsius(degrees: 7)], "point": PlanePoint(x: 8, y: 9),
    "points": [PlanePoint(x: 1, y: 2)],
    "anything": PetMood.hungry, "things": [PetRank.high, Celsius(degrees: 3)] as [Any],
  ]

  private func expectValues(_ box: TicketBox, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(box.mood == .asleep && box.rank == .high, sourceLocation: sourceLocation)
    #expect(Array(box.moods) == [.hungry, nil], sourceLocation: sourceLocation)
    #expect(Array(box.tickets) == [Ticket(number: 4)], sourceLocation: sourceLocation)
    #expect(box.ticketByName["a"] == .some(Ticket(number: 5)), sourceLocation: sourceLocation)
    #expect(box.temperature == Celsius(degrees: 6), sourceLocation: sourceLocation)
    #expect(Array(box.temperatures) == [Celsius(degrees: 7)], sourceLocation: sourceLocation)
    #expect(box.point == PlanePoint(x: 8, y: 9), sourceLocation: sourceLocation)
    #expect(Array(box.points) == [PlanePoint(x: 1, y: 2)], sourceLocation: sourceLocation)
    #expect(box.anything == .string("hungry"), sourceLocation: sourceLocation)
    #expect(Array(box.things) == [.int(9), .double(3)], sourceLocation: sourceLocation)
  }

  @Test func casesAndCustomValuesAreTakenWhereverAValueIsGiven() throws {
    expectValues(TicketBox(value: Self.values))
    try create(Self.values) { expectValues($0) }
    let realm = try file.open()
    try realm.write {
      realm.dynamicCreate("TicketBox", value: Self.values.merging(["id": 1]) { $1 })
      let box = realm.dynamicCreate("TicketBox", value: ["id": 2])
      for (name, value) in Self.values { box[name] = value }
    }
    for id in [1, 2] {
      expectValues(try #require(realm.object(ofType: TicketBox.self, forPrimaryKey: id)))
    }
  }

  @Test func casesAndCustomValuesAreTakenInMigrations() throws {
    try file.write { realm in realm.create(TicketBox.self, value: ["id": 1]) }
    var configuration = file.configuration
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "TicketBox") { _, box in
        for (name, value) in Self.values { box?[name] = value }
      }
      migration.create("TicketBox", value: Self.values.merging(["id": 2]) { $1 })
    }
    let realm = try Realm(configuration: configuration)
    for id in [1, 2] {
      expectValues(try #require(realm.object(ofType: TicketBox.self, forPrimaryKey: id)))
    }
  }

  @Test func valuesOfOtherTypesAreStillRefused() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try ScratchRealm(opening: [TicketBox.self, PlanePointRecord.self]).realm
      try realm.write { realm.dynamicCreate("TicketBox", value: ["id": 1])["mood"] = PetRank.high }
    }
    expectStop(result, saying: "for 'string' property 'TicketBox.mood'.")
  }
}
