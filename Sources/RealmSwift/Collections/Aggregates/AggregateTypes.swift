public import Foundation

/// A type whose minimum and maximum a collection can compute.
public protocol MinMaxType {}

/// A type whose sum and average a collection can compute.
public protocol AddableType {}

/// A type whose values a collection can sort.
public protocol SortableType {}

/// A type with properties that a collection can be sorted by: an object class.
public protocol KeypathSortable {}

extension ObjectBase: KeypathSortable {}

extension Int: MinMaxType, AddableType, SortableType {}
extension Int8: MinMaxType, AddableType, SortableType {}
extension Int16: MinMaxType, AddableType, SortableType {}
extension Int32: MinMaxType, AddableType, SortableType {}
extension Int64: MinMaxType, AddableType, SortableType {}
extension Float: MinMaxType, AddableType, SortableType {}
extension Double: MinMaxType, AddableType, SortableType {}
extension Decimal128: MinMaxType, AddableType, SortableType {}
extension AnyRealmValue: MinMaxType, AddableType, SortableType {}
extension Date: MinMaxType, SortableType {}
extension String: SortableType {}
extension Data: SortableType {}

extension NSNumber: MinMaxType, AddableType, _HasPersistedType {
  /// The type that aggregates are returned as.
  public typealias PersistedType = NSNumber
}
extension NSDate: MinMaxType, _HasPersistedType {
  /// The type that aggregates are returned as.
  public typealias PersistedType = NSDate
}

extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
