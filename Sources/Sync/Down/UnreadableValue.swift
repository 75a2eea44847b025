import Storage

/// A value of the server that cannot be read.
package struct UnreadableValue: Sendable, CustomStringConvertible {
  /// An element of a collection, as the table of the collection has it.
  enum Element: Sendable, Hashable {
    /// The number of an element of a list.
    case number(Int64)
    /// The key of an element of a map.
    case key(String)
    /// What the server tells an element of a set apart by.
    case member(ExactValue)
  }

  /// The place of a value on the server.
  struct Place: Sendable, Hashable {
    var className: String
    var key: ExactValue
    var property: String
    /// The element of a collection; nil for the value of a property.
    var element: Element?
  }

  var place: Place
  /// The stamp of the value.
  var stamp: Stamp
  var reason: String
  /// The class of the embedded object that the value is to be; nil for a mixed value.
  var embeddedClass: String?

  package var property: String { place.property }

  package var description: String {
    let property = "'\(place.className).\(place.property)'"
    let subject =
      switch place.element {
      case .number(let number): "the element with _el = \(number) of \(property)"
      case .key(let key): "the element with the key '\(key)' of \(property)"
      case .member: "an element of \(property)"
      case nil: property
      }
    let form =
      embeddedClass.map {
        "{\"t\": \"dictionary\", \"v\": {\"PROPERTY\": VALUE}} there, with properties of '\($0)' and values such as "
          + "{\"t\": \"int\", \"v\": 5}"
      } ?? "{\"t\": \"int\", \"v\": 5} there"
    return
      "\(subject) in the object with the key '\(KeyText.shown(place.key.value))' has a value on the server that cannot be "
      + "read: \(reason). The file keeps its own value. Write one such as \(form)."
  }
}
