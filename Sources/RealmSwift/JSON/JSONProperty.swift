import Foundation
import Storage

/// A property of a class whose objects are read from JSON.
struct JSONProperty {
  /// How most values are read, without knowing more of the property.
  enum Reading {
    case integer(ClosedRange<Int64>)
    case bool
    case double
    case text
    case date
    /// By way of the property itself.
    case any
  }

  /// Not counted for each value of each object: the schema keeps its properties for ever.
  private let unmanaged: Unmanaged<ClassProperty>
  /// -1 when the file does not have it.
  let column: Int
  let type: PropertyType
  let reading: Reading
  /// Whether a new object has a value of it that is not in the text.
  let hasDefault: Bool
  /// Where its name is among those of all properties.
  let name: Range<Int>

  /// - Parameter names: The bytes of the names, to which that of the property is added.
  init(_ property: ClassProperty, _ column: Int, names: inout ContiguousArray<UInt8>) {
    unmanaged = .passUnretained(property)
    self.column = column
    type = property.kind.type
    reading = Self.reading(property)
    // New collections are empty.
    hasDefault = column >= 0 && property.kind.collection == .none
    let start = names.count
    names += property.name.utf8
    name = start..<names.count
  }

  var property: ClassProperty { unmanaged.takeUnretainedValue() }

  private static func reading(_ property: ClassProperty) -> Reading {
    guard property.isSingleScalar, let type = property.access.valueType else { return .any }
    if type == String.self || type == String?.self { return .text }
    if type == Double.self || type == Double?.self { return .double }
    if type == Bool.self || type == Bool?.self { return .bool }
    if type == Date.self || type == Date?.self { return .date }
    if type == Int.self || type == Int?.self || type == Int64.self || type == Int64?.self {
      return .integer(.min ... .max)
    }
    if type == Int32.self || type == Int32?.self { return .integer(Int64(Int32.min)...Int64(Int32.max)) }
    if type == Int16.self || type == Int16?.self { return .integer(Int64(Int16.min)...Int64(Int16.max)) }
    if type == Int8.self || type == Int8?.self { return .integer(Int64(Int8.min)...Int64(Int8.max)) }
    return .any
  }
}

/// What an object of JSON says of a property: nothing that would have to be counted or freed.
enum JSONField {
  case absent
  case null
  case integer(Int64)
  case bool(Bool)
  /// A number, or the seconds of a date.
  case double(Double)
  case text(UnsafeRawBufferPointer)
  /// What it is stands elsewhere.
  case other
}

/// A value that is none of the common ones.
enum JSONOther {
  case stored(StoredValue)
  /// A link, a collection or a mixed value, as `create` takes it.
  case structured(Any)
}
