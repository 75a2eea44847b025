import Foundation
import Storage

/// Whether a property can have a value of JSON, whose texts and numbers are of the property's type where they can be.
///
/// It is asked more than `create` does: nothing is cut or left out, and only doubles and floats round.
enum JSONFit {
  case value(JSONConverted)
  /// It cannot, and why.
  case misfit(String)

  init(_ value: Any, _ property: ClassProperty, _ schema: ClassSchema) {
    if property.isSingleScalar {
      if let stored = Self.stored(value, property) {
        self = .value(.stored(stored))
      } else {
        self = .misfit(Self.shortened(ValueError.invalid(value, property, schema)))
      }
    } else if let message = Self.misfit(value, property, schema) {
      self = .misfit(Self.shortened(message))
    } else {
      self = .value(.structured(value))
    }
  }

  /// A message that shows a long value.
  private static func shortened(_ message: String) -> String {
    message.utf8.count <= 400 ? message : "\(message.prefix(200))…\(message.suffix(150))"
  }

  private static func stored(_ value: Any, _ property: ClassProperty) -> StoredValue? {
    guard isOfForm(value, property.kind.type), isInRange(value, property.largestNumber),
      let stored = property.coerceScalar(value)
    else { return nil }
    // What an optional type cannot make of a value would be null.
    return stored.isNull && !(Coercion.isNull(value)) ? nil : stored
  }

  /// Why a link, a collection or a mixed property cannot have a value; nil when it can.
  private static func misfit(_ value: Any, _ property: ClassProperty, _ schema: ClassSchema) -> String? {
    let kind = property.kind
    let place = "'\(schema.className).\(property.name)'"
    let wrong: Any?
    switch kind.collection {
    case .none:
      let fits = kind.type == .any || Coercion.isNull(value) || Coercion.isDictionary(value)
      return fits ? nil : ValueError.invalid(value, property, schema)
    // Null empties a collection.
    case _ where Coercion.isNull(value): return nil
    case .map:
      guard let entries = Coercion.exact(value, [String: Any].self) else {
        return ValueError.invalid(value, property, schema)
      }
      // Always the same one of several is named.
      let keys = entries.keys.sorted()
      if let key = keys.first(where: { !property.acceptsKey($0) }) {
        return "Invalid key '\(key)' for dictionary property \(place)."
      }
      wrong = keys.lazy.map { entries[$0]! }.first { !fits($0, property) }
    case .list, .set:
      guard let elements = Coercion.exact(value, [Any].self) else {
        return ValueError.invalid(value, property, schema)
      }
      wrong = elements.first { !fits($0, property) }
    }
    return wrong.map { ValueError.invalidValue($0, kind, place) }
  }

  private static func fits(_ element: Any, _ property: ClassProperty) -> Bool {
    switch property.kind.type {
    case .any: return true
    case .object:
      return Coercion.isDictionary(element) || property.kind.collection == .map && Coercion.isNull(element)
    default:
      guard let type = property.elementType else { return false }
      return isOfForm(element, property.kind.type) && isInRange(element, type.largestNumber)
        && type.takesWhole(element)
    }
  }

  /// Whether a value is of a form that a type has in JSON. `create` takes more, such as true for a number.
  private static func isOfForm(_ value: Any, _ type: PropertyType) -> Bool {
    if Coercion.isNull(value) { return true }
    let form = Swift.type(of: value)
    return switch type {
    case .int: form == Int.self
    case .bool: form == Bool.self || form == Int.self
    case .float, .double: form == Int.self || form == Double.self || form == Float.self
    case .string: form == String.self
    case .date: form == Date.self
    case .data: form == Data.self
    case .objectId: form == ObjectId.self
    case .UUID: form == UUID.self
    case .decimal128: form == Decimal128.self
    case .any, .object: true
    case .linkingObjects: false
    }
  }

  /// Whether a number is none that a type of fewer bits would cut.
  private static func isInRange(_ value: Any, _ largest: Int64?) -> Bool {
    guard let largest, let number = Coercion.exact(value, Int.self) else { return true }
    return -largest - 1...largest ~= Int64(number)
  }
}

extension RealmCollectionValue {
  fileprivate static var largestNumber: Int64? {
    (PersistedType.self as? any NumberedKey.Type)?.largestNumber
  }

  /// Whether an element can be made from a value, and is not null unless that is.
  fileprivate static func takesWhole(_ value: Any) -> Bool {
    guard let element = _rlmCoerceElement(value) else { return false }
    return Coercion.isNull(value) || Coercion.unwrap(element) != nil
  }
}
