/// The names that lead from an object to a value: `dog.owners.@count`, `scores['maths']`.
package struct PropertyPath: Sendable, Hashable {
  package enum Component: Sendable, Hashable {
    case property(String)
    case operation(CollectionOperation)
    /// A subscript with a string, of a map or of a dictionary in a mixed value.
    case key(String)
    /// A subscript with a number, of a list in a mixed value; -1 is the last element.
    case index(Int)
    /// `[#any]`: every element of a list or dictionary in a mixed value.
    case anyElement
  }

  /// Empty for the object itself.
  package var components: [Component]

  package init(_ components: [Component]) { self.components = components }

  /// The object, or the element of a collection of values, itself.
  package static let itself = PropertyPath([])

  /// A path of properties.
  package init(properties: [String]) { components = properties.map(Component.property) }
}

/// What a path can ask of a collection. The raw values are how they are written.
package enum CollectionOperation: String, Sendable, Hashable {
  case count = "@count"
  case minimum = "@min"
  case maximum = "@max"
  case sum = "@sum"
  case average = "@avg"
  case allKeys = "@allKeys"
  case allValues = "@allValues"

  /// Whether it makes one number out of the elements.
  package var isAggregate: Bool {
    switch self {
    case .minimum, .maximum, .sum, .average: true
    case .count, .allKeys, .allValues: false
    }
  }
}

extension PropertyPath: CustomStringConvertible {
  package var description: String {
    if components.isEmpty { return "SELF" }
    var text = ""
    for component in components {
      switch component {
      case .property(let name):
        if !text.isEmpty { text += "." }
        text += name
      case .operation(let operation):
        if !text.isEmpty { text += "." }
        text += operation.rawValue
      case .key(let key): text += "['\(key)']"
      case .index(let index): text += "[\(index)]"
      case .anyElement: text += "[#any]"
      }
    }
    return text
  }
}

extension PropertyPath {
  /// Reads a dotted path without subscripts, as `%K` and sort descriptors have it.
  ///
  /// - Throws: `PredicateError` for an empty name or an operation that does not exist.
  package init(parsing text: String) throws {
    components = []
    let names = text.split(separator: ".", omittingEmptySubsequences: false)
    if names.count == 1, text == "self" || text == "SELF" { return }
    for (position, name) in names.enumerated() {
      if name.isEmpty {
        let place = position == names.count - 1 ? "after last '.'" : "before '.'"
        throw PredicateError.invalidPredicate("Invalid keypath '\(text)': no key name \(place)")
      }
      if position == 0, names.count > 1, name == "self" || name == "SELF" { continue }
      components.append(try Component(named: name, in: text))
    }
  }
}

extension PropertyPath.Component {
  /// A property, or a collection operation when the name begins with `@`.
  init(named name: Substring, in path: String) throws {
    guard name.first == "@" else {
      self = .property(String(name))
      return
    }
    guard let operation = CollectionOperation(rawValue: String(name)) else {
      throw PredicateError.invalidPredicate(
        "Invalid keypath '\(path)': Unsupported collection operation '\(name)'")
    }
    self = .operation(operation)
  }
}
