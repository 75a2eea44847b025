import Foundation
import QueryEngine
import Storage

// Key-value coding of collections: values of all elements as an array, and operators over them.
extension RealmCollection {
  /// Returns the values that the elements have for a key.
  public func value(forKey key: String) -> Any? {
    if key.first == "@" { return value(forKeyPath: key) as Any? }
    return keyValues(key) { $0.value(forKey: key) }
  }

  /// Returns the values that the elements have at a key path, or an aggregate of them such as `@sum.age`.
  public func value(forKeyPath keyPath: String) -> Any? {
    if keyPath.first == "@" {
      return KeyValueCoding.evaluate(
        CollectionOperator(keyPath), count: { count }, aggregate: _rlmAggregate,
        values: { key in values(key) { $0.value(forKey: key) } })
    }
    return keyValues(keyPath) { $0.value(forKeyPath: keyPath) }
  }

  /// A value of each element; of a set, the distinct ones.
  private func keyValues(_ key: String, _ read: (ObjectBase) -> Any?) -> Any {
    let values = values(key, read)
    return self is any SetOfElements ? Set(values.compactMap { $0 as? AnyHashable }) : values
  }

  private func values(_ key: String, _ read: (ObjectBase) -> Any?) -> [Any] {
    if key == "self" { return _rlmDynamicElements.map { $0 ?? KeyValueCoding.null } }
    return KeyValueCoding.values(of: self, key, named: Self._rlmName, read)
  }

  /// Sets the value of a key for all elements.
  public func setValue(_ value: Any?, forKey key: String) {
    checkWritable()
    guard Element._rlmIsObject else {
      trap("The elements of a \(Self._rlmName) cannot be replaced by setting a value for the key '\(key)'.")
    }
    for element in self { unsafeBitCast(element, to: ObjectBase?.self)?.setValue(value, forKey: key) }
  }

  /// Stops the program when the collection is managed and its realm is not in a write transaction.
  private func checkWritable() {
    let isInWrite: Bool
    switch _rlmOrigin.kind {
    case .unmanaged: return
    case .stored(let stored): return stored.checkWrite()
    case .nested(let backing): return backing.checkWrite()
    case .query(let query): isInWrite = query.realm.isInWrite
    }
    if !isInWrite { trap(.modifyingCollectionOutsideWrite("Results")) }
  }
}

extension List {
  /// Sets a property of every element. For a list of values, the key "self" replaces every element.
  public func setValue(_ value: Any?, forKey key: String) {
    backing?.checkWrite()
    if Element._rlmIsObject {
      for element in self { unsafeBitCast(element, to: ObjectBase?.self)?.setValue(value, forKey: key) }
      return
    }
    let element: Element = KeyValueCoding.element(value, forKey: key, collection: "array")
    for position in 0..<count { replace(index: position, object: element) }
  }
}

extension MutableSet {
  /// Sets a property of every element. For a set of values, the key "self" replaces all elements by one.
  public func setValue(_ value: Any?, forKey key: String) {
    backing?.checkWrite()
    if Element._rlmIsObject {
      for element in self { unsafeBitCast(element, to: ObjectBase?.self)?.setValue(value, forKey: key) }
      return
    }
    let element: Element = KeyValueCoding.element(value, forKey: key, collection: "set")
    if count == 0 { return }
    removeAll()
    insert(element)
  }
}

/// An operator at the beginning of a key path, as in "@sum.age".
struct CollectionOperator {
  let name: String
  let key: String?
  let keyPath: String

  init(_ keyPath: String) {
    self.keyPath = keyPath
    let parts = keyPath.dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts.first ?? "")
    key = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
  }

  /// The operand; stops the program when there is none, or a path of several keys.
  var operand: String {
    guard let key else {
      trap("Missing key path for KVC collection operator \(name) in key path '\(keyPath)'")
    }
    if key.contains(".") || key.first == "@" {
      trap("Nested key paths are not supported yet for KVC collection operators.")
    }
    return key
  }
}

enum KeyValueCoding {
  /// Null among the values of several elements: an `NSNull` that can also be cast to an optional of any type, which one
  /// that the program makes cannot.
  nonisolated(unsafe) static let null: Any = (Int?.none as Any) as AnyObject

  /// A value of each element; null is `NSNull`. Values that are no objects only have "self".
  static func values<Elements: Sequence>(
    of elements: Elements, _ key: String, named name: String, _ read: (ObjectBase) -> Any?
  ) -> [Any] where Elements.Element: RealmCollectionValue {
    guard Elements.Element._rlmKind.type == .object else {
      trap(
        "[<\(name)> valueForUndefinedKey:]: this class is not key value coding-compliant for the key \(key).")
    }
    var values: [Any] = []
    // Read elements one by one, so that one accessor can serve all.
    for element in elements {
      guard let object = element._rlmObject else {
        values.append(KeyValueCoding.null)
        continue
      }
      values.append(read(object) ?? KeyValueCoding.null)
    }
    return values
  }

  static func evaluate(
    _ operation: CollectionOperator, count: () -> Int,
    aggregate: (_Aggregate, String) -> StoredValue, values: (String) -> [Any]
  ) -> Any? {
    switch operation.name {
    case "count":
      if operation.key != nil { break }
      return count()
    case "min": return AggregateResult.any(aggregate(.minimum, operation.operand))
    case "max": return AggregateResult.any(aggregate(.maximum, operation.operand))
    case "sum": return AggregateResult.any(aggregate(.sum, operation.operand))
    case "avg": return AggregateResult.any(aggregate(.average, operation.operand))
    case "unionOfObjects": return values(operation.operand)
    case "distinctUnionOfObjects": return distinct(values(operation.operand))
    case "unionOfArrays": return flattened(values(operation.operand))
    case "distinctUnionOfArrays": return distinct(flattened(values(operation.operand)))
    default: break
    }
    trap("Unsupported KVC collection operator found in key path '\(operation.keyPath)'")
  }

  static func distinct(_ values: [Any]) -> [Any] {
    var seen: Set<AnyHashable> = []
    return values.filter { value in
      guard let hashable = value as? AnyHashable else { return true }
      return seen.insert(hashable).inserted
    }
  }

  private static func flattened(_ values: [Any]) -> [Any] {
    values.flatMap { value -> [Any] in
      if let array = value as? [Any] { return array }
      if let collection = value as? any RealmCollection { return elements(collection) }
      return value is NSNull ? [] : [value]
    }
  }

  private static func elements(_ collection: some RealmCollection) -> [Any] {
    collection.map { $0._rlmDynamicElement ?? KeyValueCoding.null }
  }

  /// The element that a value is converted to.
  static func element<Element: RealmCollectionValue>(
    _ value: Any?, forKey key: String, collection: String
  ) -> Element {
    if key != "self" {
      trap(
        "[<\(collection)> setValue:forUndefinedKey:]: this class is not key value coding-compliant for the key \(key)."
      )
    }
    guard
      let element = Element._rlmCoerceElement(value ?? KeyValueCoding.null)
        ?? value.flatMap({ Coercion.persisted($0) }).flatMap({ Element._rlmCoerceElement($0) })
    else {
      guard let value else { trap("Invalid nil value for \(collection) of '\(Element._rlmKind.type.name)'.") }
      failMismatch(value, Element._rlmKind)
    }
    return element
  }

  static func failMismatch(_ value: Any, _ kind: _PropertyKind) -> Never {
    trap(
      "Invalid value '\(value)' of type '\(type(of: value))' for expected type '\(kind.type.name)\(kind.isOptional ? "?" : "")'."
    )
  }
}
