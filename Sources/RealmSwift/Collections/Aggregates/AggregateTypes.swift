public import Foundation

/// A type of which a collection can find the smallest and the largest value.
public protocol MinMaxType {}

/// A type of which a collection can form the sum and the average.
public protocol AddableType {}

/// A type by which a collection can be sorted.
public protocol SortableType {}

/// A type whose properties a collection can be sorted by: objects.
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
  /// Aggregates can be asked for as this type.
  public typealias PersistedType = NSNumber
}
extension NSDate: MinMaxType, _HasPersistedType {
  /// Aggregates can be asked for as this type.
  public typealias PersistedType = NSDate
}

extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
