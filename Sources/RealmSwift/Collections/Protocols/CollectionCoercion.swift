import Foundation

/// Collections in memory from values of any type: what `init(value:)` and key-value coding accept.
enum CollectionCoercion {
  /// The elements of any sequence; none for null. Nil when the value is no sequence, or an element does not fit.
  static func elements<Element: RealmCollectionValue>(
    _ value: Any, _: Element.Type
  ) -> ContiguousArray<Element>? {
    // Not `as?`, which would turn numbers into others.
    if type(of: value) == [Element].self { return ContiguousArray(value as! [Element]) }
    guard let values = Enumeration.elements(value) else { return nil }
    var elements: ContiguousArray<Element> = []
    elements.reserveCapacity(values.count)
    for value in values {
      guard let element = Element._rlmCoerceElement(value) else { return nil }
      elements.append(element)
    }
    return elements
  }

  /// The entries of a dictionary or map; none for null. Nil when the value is neither, or a value does not fit.
  static func entries<Value: RealmCollectionValue>(_ value: Any, _: Value.Type) -> [(String, Value)]? {
    guard let entries = Enumeration.entries(value) else { return nil }
    var result: [(String, Value)] = []
    result.reserveCapacity(entries.count)
    for entry in entries {
      guard let value = Value._rlmCoerceElement(entry.value) else { return nil }
      result.append((entry.key, value))
    }
    return result
  }
}
