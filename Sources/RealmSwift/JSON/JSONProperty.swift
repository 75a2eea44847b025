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
    case general
  }

  /// What a new object has where the text says nothing.
  enum Default {
    /// Nothing, or an empty collection.
    case none
    /// A single value, which may be another one for each object.
    case scalar
    /// Objects, or a collection with content.
    case structured
  }

  /// Not counted for each value of each object: the schema keeps its properties for ever.
  private let unmanaged: Unmanaged<ClassProperty>
  /// -1 when the file does not have it.
  let column: Int
  let type: PropertyType
  let reading: Reading
  let defaultValue: Default
  /// Where its name is among those of all properties.
  let name: Range<Int>

  /// - Parameters:
  ///   - sample: A new object of the class.
  ///   - names: The bytes of the names, to which that of the property is added.
  init(
    _ property: ClassProperty, _ column: Int, of sample: ObjectBase, names: inout ContiguousArray<UInt8>
  ) {
    unmanaged = .passUnretained(property)
    self.column = column
    type = property.kind.type
    reading = Self.reading(property)
    defaultValue = column < 0 ? .none : Self.defaultValue(property, of: sample)
    let start = names.count
    names += property.name.utf8
    name = start..<names.count
  }

  private static func defaultValue(_ property: ClassProperty, of sample: ObjectBase) -> Default {
    if property.isSingleScalar { return property.storedScalar(sample)?.isNull ?? false ? .none : .scalar }
    // Dynamic objects hold nothing in memory.
    if property.access.valueType == nil { return .none }
    let value = property.typedValue(sample)
    switch property.kind.collection {
    case .none where property.kind.type == .any:
      return Coercion.exact(value, AnyRealmValue.self)?.payload == nil ? .none : .structured
    case .none: return Coercion.unwrap(value) == nil ? .none : .structured
    case .map: return Enumeration.entries(value)?.isEmpty ?? false ? .none : .structured
    case .list, .set: return Enumeration.elements(value)?.isEmpty ?? false ? .none : .structured
    }
  }

  var property: ClassProperty { unmanaged.takeUnretainedValue() }

  private static let integers: [Any.Type] = [
    Int.self, Int?.self, Int64.self, Int64?.self, Int32.self, Int32?.self, Int16.self, Int16?.self, Int8.self,
    Int8?.self,
  ]

  private static func reading(_ property: ClassProperty) -> Reading {
    guard property.isSingleScalar, let type = property.access.valueType else { return .general }
    if type == String.self || type == String?.self { return .text }
    if type == Double.self || type == Double?.self { return .double }
    if type == Bool.self || type == Bool?.self { return .bool }
    if type == Date.self || type == Date?.self { return .date }
    if integers.contains(where: { $0 == type }), let largest = property.largestNumber {
      return .integer(-largest - 1...largest)
    }
    return .general
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
  /// In the bytes that are read: valid until the next object.
  case text(UnsafeRawBufferPointer)
  /// A value that had to be converted, which stands beside the fields.
  case converted
}

/// A value that was converted, and fits its property.
enum JSONConverted {
  case stored(StoredValue)
  /// A link, a collection or a mixed value, as `create` takes it.
  case structured(Any)

  /// As `create` takes it.
  var value: Any {
    switch self {
    case .stored(let value): value.scalarValue ?? NSNull()
    case .structured(let value): value
    }
  }
}
