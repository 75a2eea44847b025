import SwiftRuntime

/// A `Persisted` of any type, whose column is the first that it stores.
private protocol ColumnHolder {
  var column: Int32 { get }
}

extension Persisted: ColumnHolder {}

extension StoredField {
  /// The type of a property with `@Persisted`; nil for others.
  var persistedType: (any AnyPersisted.Type)? {
    switch typeName.map({ PersistedTypeName.type($0) }) ?? .unknown {
    case .other:
      assert(!(type is any AnyPersisted.Type), "\(name) is a \(type)")
      return nil
    case .known(let known):
      assert(known == type, "\(name) is a \(type), not a \(known)")
      return known
    case .unknown: return type as? any AnyPersisted.Type
    }
  }

  /// The distance of a property with `@Persisted` from the address of objects of its class.
  func persistedOffset(in object: ObjectBase) -> Int {
    offset(in: object) { ($0 as! any ColumnHolder).column }
  }
}
