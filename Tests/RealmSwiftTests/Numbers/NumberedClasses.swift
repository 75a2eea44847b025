import Foundation
import Storage
import TestSupport

@testable import RealmSwift

/// Classes with a property of each type, for realms that are used by number and by typed objects.
enum Numbered {
  class Thing: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var number = 0
    @Persisted var flag = false
    @Persisted(indexed: true) var text = ""
    @Persisted(fullText: true) var words: String?
    @Persisted var bytes = Data()
    @Persisted(indexed: true) var date = Date(timeIntervalSinceReferenceDate: 0)
    @Persisted var single: Float = 0
    @Persisted var double = 0.0
    @Persisted var objectId = ObjectId(high: 0, low: 0)
    @Persisted var decimal = Decimal128()
    @Persisted var uuid = UUID(Fixed16(high: 0, low: 0))
    @Persisted(indexed: true) var maybe: Int?
    @Persisted var maybeText: String?
    @Persisted var anything: AnyRealmValue
    @Persisted var link: Thing?
    @Persisted(onDelete: .cascade) var owned: Owned?
    @Persisted var part: Part?
    @Persisted var list: List<Int>
  }

  class Owned: Object {
    @Persisted var name = "owned"
  }

  class Part: EmbeddedObject {
    @Persisted(indexed: true) var size = 0
    @Persisted var label: String?
    @Persisted var part: Inner?
    @Persisted var link: Thing?
  }

  class Inner: EmbeddedObject {
    @Persisted var label: String?
  }

  class Counted: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id = 0
    @Persisted var name = ""
  }

  class Pair: Object {
    @Persisted var first = 0
    @Persisted var second = ""
    @Persisted var value = 0
    override class func indexes() -> [Index] { [.primaryKey(\Pair.first, \.second)] }
  }

  class Named: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted(unique: true) var rank: Int?
  }

  class Identified: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var value = 0
  }

  static let types: [ObjectBase.Type] = [
    Thing.self, Owned.self, Part.self, Inner.self, Counted.self, Pair.self, Named.self, Identified.self,
  ]
}

/// A realm by number with the numbers of a class, by names.
struct NumberedClassNames {
  let realm: NumberedRealm
  let number: Int

  init(_ realm: NumberedRealm, _ type: ObjectBase.Type) {
    self.realm = realm
    number = realm.core.snapshot.catalogue.table(named: ClassSchema.of(type).className)!
  }

  func column(_ name: String) -> Int {
    realm.core.snapshot.catalogue.tables[number].column(named: name)!
  }

  /// Creates an object from values by names.
  @discardableResult
  func create(
    _ values: KeyValuePairs<String, NumberedValue>, _ policy: Realm.UpdatePolicy = .error
  ) throws(Refusal) -> NumberedObject {
    try createOrUpdate(values.map { ($0.key, $0.value) }, policy).object
  }

  func createOrUpdate(
    _ values: [(String, NumberedValue)], _ policy: Realm.UpdatePolicy
  ) throws(Refusal) -> (object: NumberedObject, isNew: Bool) {
    try createOrUpdate(columns: values.map { Int32(column($0.0)) }, values.map(\.1), policy)
  }

  func createOrUpdate(
    columns: [Int32], _ values: [NumberedValue], _ policy: Realm.UpdatePolicy
  ) throws(Refusal) -> (object: NumberedObject, isNew: Bool) {
    let outcome = columns.withUnsafeBufferPointer { columns in
      values.withUnsafeBufferPointer { values -> Result<(object: NumberedObject, isNew: Bool), Refusal> in
        do throws(Refusal) {
          return .success(
            try realm.create(number, policy, NumberedValues(columns: columns, values: values)))
        } catch {
          return .failure(error)
        }
      }
    }
    return try outcome.get()
  }
}

/// Bytes that stay, as those of another language do while it passes them.
enum LastingBytes {
  static func of(_ bytes: some Collection<UInt8>) -> UnsafeRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
    copy.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
  }
}

extension NumberedValue {
  static func text(_ text: String) -> NumberedValue { .string(LastingBytes.of(text.utf8)) }
}
