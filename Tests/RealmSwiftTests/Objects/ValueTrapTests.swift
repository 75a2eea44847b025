import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Values that do not fit stop the program with a message that names the property.
@Suite struct ValueTrapTests {
  private static func inWrite(_ types: [ObjectBase.Type] = PetOwner.classes, _ block: (Realm) -> Void) {
    let scratch = try! ScratchRealm(opening: types)
    try! scratch.realm.write { block(scratch.realm) }
  }

  @Test func nilValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HousePet(value: Int?.none as Any)
    }
    expectStop(result, saying: "Must provide a non-nil value.")
  }

  @Test func nullValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(HousePet.self, value: NSNull()) }
    }
    expectStop(result, saying: "Must provide a non-nil value.")
  }

  @Test func arrayTooLong() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HousePet(value: [1, "a", 2, 3] as [Any])
    }
    expectStop(result, saying: "Invalid array input: more values (4) than properties (3).")
  }

  @Test func nestedArrayTooLong() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(PetOwner.self, value: ["favourite": [1, "a", 2, 3] as [Any]]) }
    }
    expectStop(result, saying: "Invalid array input: more values (4) than properties (3).")
  }

  @Test func noShapeAtAll() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HousePet(value: 5)
    }
    expectStop(result, saying: "Invalid value '5' to initialize object of type 'HousePet': missing key 'id'")
  }

  @Test func objectWithoutTheProperty() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HousePet(value: PetToy())
    }
    expectStop(result, saying: "to initialize object of type 'HousePet': missing key 'id'")
  }

  @Test func wrongScalar() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HousePet(value: ["id": "one"])
    }
    expectStop(result, saying: "Invalid value 'one' of type 'String' for 'int' property 'HousePet.id'.")
  }

  @Test func wrongOptionalScalarInCreate() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(HousePet.self, value: ["id": 1, "age": 1.5] as [String: Any]) }
    }
    expectStop(result, saying: "Invalid value '1.5' of type 'Double' for 'int?' property 'HousePet.age'.")
  }

  @Test func jsonFractionForAnInteger() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let json = try JSONSerialization.jsonObject(with: Data(#"{"id": 1.0}"#.utf8))
      Self.inWrite { $0.create(HousePet.self, value: json) }
    }
    expectStop(result, saying: "for 'int' property 'HousePet.id'.")
  }

  @Test func nullForARequiredProperty() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(HousePet.self, value: ["id": 1, "name": NSNull()] as [String: Any]) }
    }
    expectStop(
      result, saying: "Invalid value '<null>' of type 'NSNull' for 'string' property 'HousePet.name'.")
  }

  @Test func wrongLink() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(PetOwner.self, value: ["favourite": 3]) }
    }
    expectStop(
      result, saying: "Invalid value '3' of type 'Int' for 'HousePet?' property 'PetOwner.favourite'.")
  }

  @Test func wrongElement() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(PetOwner.self, value: ["numbers": [1, "two"] as [Any]]) }
    }
    expectStop(
      result, saying: "Invalid value 'two' of type 'String' for 'int' array property 'PetOwner.numbers'.")
  }

  @Test func wrongElementOfAnUnmanagedObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PetOwner(value: ["tags": ["a", 2] as [Any]])
    }
    expectStop(result, saying: "Invalid value '2' of type 'Int' for 'string' set property 'PetOwner.tags'.")
  }

  @Test func wrongMapValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(PetOwner.self, value: ["scores": ["a": "b"]]) }
    }
    expectStop(
      result, saying: "Invalid value 'b' of type 'String' for 'double' dictionary property 'PetOwner.scores'."
    )
  }

  @Test func notEnumerableForAList() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(PetOwner.self, value: ["numbers": 5]) }
    }
    expectStop(
      result,
      saying: "Invalid value (5) for 'int' array property 'PetOwner.numbers': value is not enumerable.")
  }

  @Test func notEnumerableForAMap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PetOwner(value: ["scores": "x"])
    }
    expectStop(
      result,
      saying: "Invalid value (x) for 'double' set property 'PetOwner.scores': value is not enumerable.")
  }

  @Test func collectionOfAnotherType() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(PetOwner.self, value: ["numbers": List<String?>()]) }
    }
    expectStop(
      result, saying: "RLMArray<string?> does not match expected type 'int' for property 'PetOwner.numbers'.")
  }

  @Test func nullElementOfAList() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(PetOwner.self, value: ["pets": [NSNull()]]) }
    }
    expectStop(
      result, saying: "Invalid value '<null>' of type 'NSNull' for 'HousePet' array property 'PetOwner.pets'."
    )
  }

  @Test func setInAMixedProperty() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(PetOwner.self, value: ["any": MutableSet<Int>()]) }
    }
    expectStop(result, saying: "for 'mixed' property 'PetOwner.any'.")
  }

  @Test func duplicateKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite {
        $0.create(HousePet.self, value: ["id": 7])
        $0.create(HousePet.self, value: ["id": 7])
      }
    }
    expectStop(
      result,
      saying: "Attempting to create an object of type 'HousePet' with an existing primary key value '7'.")
  }

  @Test func updateWithoutPrimaryKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(PetToy.self, value: ["label": "x"], update: .modified) }
    }
    expectStop(result, saying: "'PetToy' does not have a primary key and can not be updated")
  }

  @Test func outsideAWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: PetOwner.classes)
      scratch.realm.create(HousePet.self)
    }
    expectStop(result, saying: "Can only add, remove, or create objects in a Realm in a write transaction")
  }

  @Test func unknownClass() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite([HousePet.self, PetOwner.self, PetToy.self, HomeAddress.self, PlanePointRecord.self]) {
        $0.create(EveryScalar.self)
      }
    }
    expectStop(result, saying: "Object type 'EveryScalar' is not managed by the Realm.")
  }

  @Test func embeddedDirectly() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.dynamicCreate("HomeAddress", value: ["street": "x"]) }
    }
    expectStop(result, saying: "Embedded objects cannot be created directly")
  }

  @Test func mapKeyWithADot() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(PetOwner.self, value: ["scores": ["a.b": 1]]) }
    }
    expectStop(result, saying: "Dictionary::insert: key must not contain '.'")
  }
}
