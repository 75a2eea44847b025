import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Stored values that an enum or a failable custom type has no value for, as all objects have after such a property was added:
/// only the program that reads the property needs one.
@Suite struct UnconvertedValueTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }
  let shelter: Shelter
  let stored: [String: String]

  init() throws {
    scratch = try ScratchRealm(opening: Shelter.classes)
    let realm = scratch.realm
    shelter = try realm.write { Shelter.make(1, realm) }
    stored = Shelter.stored(1, realm)
  }

  @Test func optionalPropertiesAreNil() {
    #expect(shelter.other == nil && shelter.otherEven == nil && shelter.spot == nil)
    #expect(stored["kind"] == "0" && stored["spot"] == "-1" && stored["kinds"] == "2 0 1")
  }

  // MARK: Reading

  @Test func descriptions() {
    let text = shelter.description
    for line in [
      "kind = 0;", "name = huge;", "other = 7;", "even = 3;", "otherEven = 5;", "x = -1;", "[1] 0", "[a]: 0",
    ] {
      #expect(text.contains(line), "\(line) in \(text)")
    }
    #expect(shelter.freeze().description.contains("kind = 0;"))
    #expect("\(shelter.kinds)".contains("[1] 0") && "\(shelter.kindMap)".contains("[a]: 0"))
    #expect(
      "\(shelter.kindSet)".contains("0") && "\(shelter.kinds.sorted(ascending: true))".contains("[0] 0"))
    #expect(Shelter(value: ["id": 4]).description.contains("kind = 2;"))
  }

  @Test func keyValueCoding() throws {
    #expect(shelter["kind"] as? Int == 0 && shelter.value(forKey: "name") as? String == "huge")
    #expect(shelter["even"] as? Int == 3)
    // As the properties read.
    #expect(shelter["other"] == nil && shelter["otherEven"] == nil && shelter["spot"] == nil)
    #expect(realm.objects(Shelter.self).value(forKey: "kind") as Any? as? [Int] == [0])
    #expect(shelter.kinds.value(forKey: "self") as Any? as? [Int] == [2, 0, 1])
    #expect(shelter.kinds.value(forKeyPath: "@unionOfObjects.self") as Any? as? [Int] == [2, 0, 1])
    #expect(shelter.kindMap.value(forKey: "a") as Any? as? Int == 0)
    #expect(shelter.kindMap.object(forKey: "a" as AnyObject) as? Int == 0)
    #expect(shelter.kindMap.value(forKeyPath: "@allValues") as Any? as? [Int] == [0, 1])
    #expect(shelter.dictionaryWithValues(forKeys: ["kind"])["kind"] as? Int == 0)
    try realm.write { shelter["kind"] = shelter["kind"] }
    #expect(Shelter.stored(1, realm) == stored)
  }

  @Test func queriesAndAggregates() throws {
    try realm.write {
      Shelter.make(2, realm)
      realm.create(Shelter.self, value: ["id": 3, "kind": ShelterKind.hut])
    }
    let all = realm.objects(Shelter.self)
    #expect(all.sorted(byKeyPath: "kind").map(\.id).elementsEqual([1, 2, 3]))
    #expect(all.distinct(by: ["kind"]).count == 2)
    #expect(all.filter("kind == 0").count == 2 && all.where { $0.kind == .hut }.count == 1)
    #expect(all.sum(ofProperty: "beds") as Int == 10)
    #expect(all.filter("ANY kinds == 0").count == 2 && all.filter("next.kind == 0").count == 0)
    #expect(shelter.kinds.value(forKeyPath: "@sum.self") as Any? as? Int == 3)
    #expect(shelter.kinds.value(forKeyPath: "@min.self") as Any? as? Int == 0)
    #expect(shelter.kindMap.value(forKeyPath: "@min.self") as Any? as? Int == 0)
    #expect(shelter.isSameObject(as: all[0]) && all.index(of: shelter) == 0)
    #expect(shelter.kinds.index(of: .hut) == 2 && shelter.kinds.count == 3)
    #expect(realm.dynamicObjects("Shelter").filter("kind == 0").count == 2)
  }

  // MARK: Observing

  @Test func observers() throws {
    let file = ScratchRealm(Shelter.classes)
    let queue = DispatchQueue(label: "observer")
    try queue.sync {
      let realm = try Realm(configuration: file.configuration, queue: queue)
      try realm.write { realm.create(Shelter.self, value: ["id": 2, "next": Shelter.make(1, realm)]) }
      let shelter = realm.object(ofType: Shelter.self, forPrimaryKey: 1)!
      var told: [String] = []
      func note<T>(_ change: ObjectChange<T>) {
        guard case .change(_, let changes) = change else { return }
        for change in changes {
          told.append("\(change.name) \(change.oldValue ?? "nil") \(change.newValue ?? "nil")")
        }
      }
      func changed(_ body: @escaping @Sendable (Shelter) -> Void) throws -> [String] {
        told = []
        try onOtherThread {
          let realm = try file.open()
          try realm.write { body(realm.object(ofType: Shelter.self, forPrimaryKey: 1)!) }
        }
        realm.refresh()
        return told.sorted()
      }
      let token = shelter.observe { (change: ObjectChange<Shelter>) in note(change) }
      #expect(try changed { $0.beds = 6 } == ["beds 5 6"])
      #expect(try changed { $0.kind = .hut } == ["kind 0 1"])
      #expect(try changed { $0["kind"] = 9 } == ["kind 1 9"])
      #expect(try changed { $0.kinds.removeLast() } == ["kinds nil nil"])
      token.invalidate()
      let projected = ShelterProjection(projecting: shelter).observe { note($0) }
      #expect(try changed { $0.beds = 7 } == ["beds 6 7"])
      #expect(try changed { $0["kind"] = 8 } == ["kind 9 8"])
      #expect(try changed { $0.kind = .tent } == ["kind 8 \(ShelterKind.tent)"])
      projected.invalidate()
    }
  }

  @Test func projections() throws {
    try realm.write { realm.create(Shelter.self, value: ["id": 2, "next": shelter]) }
    let projections = realm.objects(ShelterProjection.self)
    #expect(projections[0].beds == 5 && projections[0].description.contains("kind(\\.kind) = 0;"))
    #expect(projections[1].description.contains("nextKind(\\.next.kind) = 0;"))
    #expect(projections[1].kind == .tent)
    #expect(projections[0].freeze().description.contains("= 0;"))
  }

  @Test func typedReadsStop() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: Shelter.classes)
      let shelter = try scratch.realm.write { Shelter.make(1, scratch.realm) }
      _ = shelter.kind
    }
    expectStop(
      result, saying: "Failed to convert persisted value '0' to type 'ShelterKind' in a non-optional context."
    )
    let copy = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: Shelter.classes)
      let shelter = try scratch.realm.write { Shelter.make(1, scratch.realm, withCollections: false) }
      _ = Shelter(value: shelter).even
    }
    expectStop(
      copy, saying: "Failed to convert persisted value '3' to type 'EvenNumber' in a non-optional context.")
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: Shelter.classes)
      let shelter = try scratch.realm.write { Shelter.make(1, scratch.realm) }
      _ = shelter.kinds[1]
    }
    expectStop(element, saying: "Could not convert value '0' to type 'ShelterKind'.")
  }
}
