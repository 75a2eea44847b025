import Foundation
import Testing

@testable import RealmSwift

/// Values that do not fit stop the program with a message that names the property.
@Suite struct ValueTrapTests {
  private static func inWrite(_ types: [ObjectBase.Type] = Owner.classes, _ block: (Realm) -> Void) {
    let scratch = try! ScratchRealm(types)
    try! scratch.realm.write { block(scratch.realm) }
  }

  @Test func nilValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pet(value: Int?.none as Any)
    }
    #expect(message(of: result).contains("Must provide a non-nil value."))
  }

  @Test func nullValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Pet.self, value: NSNull()) }
    }
    #expect(message(of: result).contains("Must provide a non-nil value."))
  }

  @Test func arrayTooLong() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pet(value: [1, "a", 2, 3] as [Any])
    }
    #expect(message(of: result).contains("Invalid array input: more values (4) than properties (3)."))
  }

  @Test func nestedArrayTooLong() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Owner.self, value: ["favourite": [1, "a", 2, 3] as [Any]]) }
    }
    #expect(message(of: result).contains("Invalid array input: more values (4) than properties (3)."))
  }

  @Test func noShapeAtAll() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pet(value: 5)
    }
    #expect(
      message(of: result).contains("Invalid value '5' to initialize object of type 'Pet': missing key 'id'"))
  }

  @Test func objectWithoutTheProperty() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pet(value: Toy())
    }
    #expect(message(of: result).contains("to initialize object of type 'Pet': missing key 'id'"))
  }

  @Test func wrongScalar() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pet(value: ["id": "one"])
    }
    #expect(message(of: result).contains("Invalid value 'one' of type 'String' for 'int' property 'Pet.id'."))
  }

  @Test func wrongOptionalScalarInCreate() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Pet.self, value: ["id": 1, "age": 1.5] as [String: Any]) }
    }
    #expect(message(of: result).contains("Invalid value '1.5' of type 'Double' for 'int?' property 'Pet.age'."))
  }

  @Test func jsonFractionForAnInteger() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let json = try JSONSerialization.jsonObject(with: Data(#"{"id": 1.0}"#.utf8))
      Self.inWrite { $0.create(Pet.self, value: json) }
    }
    #expect(message(of: result).contains("for 'int' property 'Pet.id'."))
  }

  @Test func nullForARequiredProperty() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Pet.self, value: ["id": 1, "name": NSNull()] as [String: Any]) }
    }
    #expect(
      message(of: result).contains("Invalid value '<null>' of type 'NSNull' for 'string' property 'Pet.name'."))
  }

  @Test func wrongLink() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Owner.self, value: ["favourite": 3]) }
    }
    #expect(
      message(of: result).contains("Invalid value '3' of type 'Int' for 'Pet?' property 'Owner.favourite'."))
  }

  @Test func wrongElement() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Owner.self, value: ["numbers": [1, "two"] as [Any]]) }
    }
    #expect(
      message(of: result).contains("Invalid value 'two' of type 'String' for 'int' array property 'Owner.numbers'."))
  }

  @Test func wrongElementOfAnUnmanagedObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Owner(value: ["tags": ["a", 2] as [Any]])
    }
    #expect(
      message(of: result).contains("Invalid value '2' of type 'Int' for 'string' set property 'Owner.tags'."))
  }

  @Test func wrongMapValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Owner.self, value: ["scores": ["a": "b"]]) }
    }
    #expect(
      message(of: result).contains(
        "Invalid value 'b' of type 'String' for 'double' dictionary property 'Owner.scores'."))
  }

  @Test func notEnumerableForAList() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Owner.self, value: ["numbers": 5]) }
    }
    #expect(
      message(of: result).contains("Invalid value (5) for 'int' array property 'Owner.numbers': value is not enumerable."))
  }

  @Test func notEnumerableForAMap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Owner(value: ["scores": "x"])
    }
    #expect(
      message(of: result).contains("Invalid value (x) for 'double' set property 'Owner.scores': value is not enumerable."))
  }

  @Test func collectionOfAnotherType() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Owner.self, value: ["numbers": List<String?>()]) }
    }
    #expect(
      message(of: result).contains("RLMArray<string?> does not match expected type 'int' for property 'Owner.numbers'."))
  }

  @Test func nullElementOfAList() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Owner.self, value: ["pets": [NSNull()]]) }
    }
    #expect(
      message(of: result).contains("Invalid value '<null>' of type 'NSNull' for 'Pet' array property 'Owner.pets'."))
  }

  @Test func setInAMixedProperty() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Owner.self, value: ["any": MutableSet<Int>()]) }
    }
    #expect(message(of: result).contains("for 'mixed' property 'Owner.any'."))
  }

  @Test func duplicateKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite {
        $0.create(Pet.self, value: ["id": 7])
        $0.create(Pet.self, value: ["id": 7])
      }
    }
    #expect(
      message(of: result).contains(
        "Attempting to create an object of type 'Pet' with an existing primary key value '7'."))
  }

  @Test func updateWithoutPrimaryKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Toy.self, value: ["label": "x"], update: .modified) }
    }
    #expect(message(of: result).contains("'Toy' does not have a primary key and can not be updated"))
  }

  @Test func outsideAWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(Owner.classes)
      scratch.realm.create(Pet.self)
    }
    #expect(message(of: result).contains("Can only add, remove, or create objects in a Realm in a write transaction"))
  }

  @Test func unknownClass() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite([Pet.self, Owner.self, Toy.self, Address.self, PointRecord.self]) { $0.create(ScalarModel.self) }
    }
    #expect(message(of: result).contains("Object type 'ScalarModel' is not managed by the Realm."))
  }

  @Test func embeddedDirectly() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.dynamicCreate("Address", value: ["street": "x"]) }
    }
    #expect(message(of: result).contains("Embedded objects cannot be created directly"))
  }

  @Test func mapKeyWithADot() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.inWrite { $0.create(Owner.self, value: ["scores": ["a.b": 1]]) }
    }
    #expect(message(of: result).contains("Dictionary::insert: key must not contain '.'"))
  }
}
