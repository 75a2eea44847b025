import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// `@Persisted(primaryKey: true, autoIncrement: true)`.
@Suite struct SequenceTests {
  let file = ScratchRealm([Invoice.self])

  @Test func objectsGetTheNextNumber() throws {
    let realm = try file.open()
    let first = Invoice("a")
    let second = Invoice("b")
    try realm.write {
      realm.add(first)
      realm.add([second])
      #expect(realm.create(Invoice.self, value: ["text": "c"]).number == 3)
      #expect(realm.create(Invoice.self, value: Invoice("d")).number == 4)
      #expect(realm.create(Invoice.self, value: ["number": 0, "text": "e"] as [String: Any]).number == 5)
      #expect(realm.dynamicCreate("Invoice", value: ["text": "f"])["number"] as? Int == 6)
    }
    #expect(first.number == 1 && second.number == 2)
    #expect(realm.object(ofType: Invoice.self, forPrimaryKey: 2)?.text == "b")
    #expect(realm.objects(Invoice.self).where { $0.number == 5 }.first?.text == "e")
    #expect(realm.objects(Invoice.self).map(\.text).sorted() == ["a", "b", "c", "d", "e", "f"])
  }

  @Test func linkedObjectsGetThem() throws {
    let realm = try file.open()
    let invoice = Invoice("a")
    invoice.previous = Invoice("b")
    invoice.previous?.previous = invoice
    invoice.parts.append(objectsIn: [Invoice("c"), invoice])
    try realm.write {
      realm.add(invoice)
      let created = realm.create(
        Invoice.self, value: ["text": "d", "parts": [["text": "e"], ["text": "f"]]] as [String: Any])
      #expect(created.number == 4 && Array(created.parts.map(\.number)) == [5, 6])
    }
    #expect(invoice.number == 1 && invoice.previous?.number == 2 && invoice.parts[0].number == 3)
    #expect(invoice.previous?.previous == invoice && realm.objects(Invoice.self).count == 6)
  }

  /// Those that are reached so deep that they wait for their properties.
  @Test func longChains() throws {
    let realm = try file.open()
    let first = Invoice("0")
    var last = first
    for number in 1..<500 {
      last.previous = Invoice("\(number)")
      last = last.previous!
    }
    try realm.write { realm.add(first) }
    let numbers = Set(realm.objects(Invoice.self).map(\.number))
    #expect(numbers == Set(1...500))
    #expect(last.number == realm.objects(Invoice.self).where { $0.text == "499" }.first?.number)
  }

  @Test func noNumberIsGivenTwice() throws {
    try file.write { realm in
      realm.add((0..<10).map { Invoice("\($0)") })
      realm.delete(realm.objects(Invoice.self).where { $0.number > 5 })
    }
    try file.write { realm in
      realm.deleteAll()
    }
    try file.write { realm in
      let next = Invoice("next")
      realm.add(next)
      #expect(next.number == 11)
    }
  }

  @Test func numbersThatAreSetRaiseTheNext() throws {
    try file.write { realm in
      realm.create(Invoice.self, value: ["number": 7])
      #expect(realm.create(Invoice.self).number == 8)
      realm.create(Invoice.self, value: ["number": 3])
      realm.create(Invoice.self, value: ["number": -20])
      #expect(realm.create(Invoice.self).number == 9)
      let set = Invoice("set")
      set.number = 1_000
      realm.add(set)
    }
    try file.write { #expect($0.create(Invoice.self).number == 1_001) }
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func upsertsByKey(_ policy: Realm.UpdatePolicy) throws {
    let realm = try file.open()
    try realm.write {
      let invoice = realm.create(Invoice.self, value: ["text": "a"], update: policy)
      realm.create(Invoice.self, value: ["number": 1, "text": "b"] as [String: Any], update: policy)
      #expect(invoice.text == "b" && realm.objects(Invoice.self).count == 1)
      let other = Invoice("c")
      other.number = 1
      realm.add(other, update: policy)
      #expect(invoice.text == "c" && realm.objects(Invoice.self).count == 1)
      let unset = Invoice("d")
      realm.add(unset, update: policy)
      #expect(unset.number == 2 && realm.objects(Invoice.self).count == 2)
    }
  }

  @Test func numbersOfWhatWasRolledBackAreFree() throws {
    let realm = try file.open()
    try realm.write { realm.add(Invoice("a")) }
    realm.beginWrite()
    realm.add(Invoice("b"))
    realm.cancelWrite()
    #expect(throws: CancellationError.self) {
      try realm.write {
        realm.create(Invoice.self, value: ["number": 50])
        throw CancellationError()
      }
    }
    try realm.write { #expect(realm.create(Invoice.self).number == 2) }
  }

  /// Frozen realms and others read the file; writing goes on from what it says.
  @Test func severalRealms() throws {
    let realm = try file.open()
    try realm.write { realm.add(Invoice("a")) }
    let frozen = realm.freeze()
    try onOtherThread { [file] in
      let other = try file.open()
      try other.write { #expect(other.create(Invoice.self).number == 2) }
    }
    try realm.write { #expect(realm.create(Invoice.self).number == 3) }
    #expect(frozen.objects(Invoice.self).map(\.number) == [1])
  }

  @Test func everyWidth() throws {
    let file = ScratchRealm([Number8.self, Number16.self, Number32.self, Number64.self, NumberOrNil.self])
    try file.write { realm in
      for next in 1...3 {
        #expect(realm.create(Number8.self).id == Int8(next))
        #expect(realm.create(Number16.self).id == Int16(next))
        #expect(realm.create(Number32.self).id == Int32(next))
        #expect(realm.create(Number64.self).id == Int64(next))
        #expect(realm.create(NumberOrNil.self).id == Int16(2 * next - 1))
        #expect(realm.create(NumberOrNil.self, value: ["id": NSNull()]).id == Int16(2 * next))
      }
    }
  }

  @Test func theLastNumber() throws {
    let file = ScratchRealm([Number8.self, Number64.self])
    let realm = try file.open()
    try realm.write { realm.create(Number8.self, value: ["id": 126]) }
    try realm.write { #expect(realm.create(Number8.self).id == 127) }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.add(Number8())
        realm.add(Number8())
        realm.create(Number64.self)
      }
    }
    #expect(error?.code == .ruleBroken)
    #expect(
      error?.localizedDescription
        == "'Number8.id' has no more numbers: the last one is 127, the largest that the property can have.")
    #expect(realm.objects(Number8.self).count == 2 && realm.objects(Number64.self).isEmpty)
    try realm.write { realm.create(Number64.self, value: ["id": Int64.max]) }
    #expect(throws: Realm.Error.self) { try realm.write { realm.add(Number64()) } }
    #expect(realm.objects(Number64.self).count == 1)
  }

  @Test(arguments: TestLength.seeds([11, 12, 13, 14, 15, 16], short: 3))
  func randomSteps(seed: UInt64) throws {
    var random = SeededGenerator(printing: seed)
    var realm = try file.open()
    var model: [Int: String] = [:]
    var highest = 0
    for step in 0..<TestLength.count(150, long: 1_500) {
      let saved = (model, highest)
      realm.beginWrite()
      for change in 0..<Int.random(in: 1...6, using: &random) {
        let text = "\(step) \(change)"
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
          let invoice = Invoice(text)
          realm.add(invoice, update: .modified)
          highest += 1
          model[highest] = text
          #expect(invoice.number == highest)
        case 4..<6:
          highest += 1
          model[highest] = text
          #expect(realm.create(Invoice.self, value: ["text": text]).number == highest)
        case 6..<8:
          let number = Int.random(in: -5...highest + 10, using: &random)
          if number == 0 { continue }
          realm.create(Invoice.self, value: ["number": number, "text": text] as [String: Any], update: .all)
          model[number] = text
          highest = max(highest, number)
        default:
          guard let number = model.keys.sorted().randomElement(using: &random) else { continue }
          realm.delete(realm.object(ofType: Invoice.self, forPrimaryKey: number)!)
          model[number] = nil
        }
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        realm.cancelWrite()
        (model, highest) = saved
      } else {
        try realm.commitWrite()
      }
      if Int.random(in: 0..<10, using: &random) == 0 {
        realm.invalidate()
        realm = try file.open()
      }
      let stored = realm.objects(Invoice.self).map { ($0.number, $0.text) }
      #expect(Dictionary(uniqueKeysWithValues: stored) == model)
    }
  }
}
