import SwiftRuntime

/// A `Persisted` of any type, whose column is the first that it stores.
private protocol ColumnHolder {
  var column: Int32 { get }
}

extension Persisted: ColumnHolder {}

extension StoredField {
  /// The distance of a property with `@Persisted` from the address of objects of its class.
  func persistedOffset(in object: ObjectBase) -> Int {
    offset(in: object) { ($0 as! any ColumnHolder).column }
  }
}
