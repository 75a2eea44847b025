/// The classes of a realm file that are synchronised.
package struct SyncModel: Sendable, Hashable {
  package var classes: [SyncClass]

  package init(classes: [SyncClass]) { self.classes = classes }

  /// Returns the class with this name.
  package subscript(name: String) -> SyncClass? { classes.first { $0.name == name } }
}

/// A class that is synchronised: a table of the realm file, and one of the server.
package struct SyncClass: Sendable, Hashable {
  package var name: String
  /// The number of the table in the realm file.
  package var table: Int
  package var key: SyncProperty
  /// The properties without the key, in the order of their server numbers.
  package var properties: [SyncProperty]
  /// The lists, sets and maps, in the order of their server numbers.
  package var collections: [SyncCollection]

  package init(
    name: String, table: Int, key: SyncProperty, properties: [SyncProperty],
    collections: [SyncCollection] = []
  ) {
    self.name = name
    self.table = table
    self.key = key
    self.properties = properties
    self.collections = collections
  }

  /// The collections without the lists.
  package var setsAndMaps: [SyncCollection] { collections.filter { $0.kind != .list } }

  /// The greatest number of a property or a collection, 0 without any.
  package var lastNumber: Int { (properties.map(\.number) + collections.map(\.number)).max() ?? 0 }

  /// The properties that policies and subscriptions may use.
  package var routing: [SyncProperty] { properties.filter(\.isRouting) }

  /// Returns the property with this name, the key included.
  package subscript(name: String) -> SyncProperty? {
    key.name == name ? key : properties.first { $0.name == name }
  }

  /// Returns the class with the numbers that the server has given to its properties and collections. Those without a number there are
  /// left out: they are missing on the server.
  package func numbered(by numbers: [String: Int]) -> SyncClass {
    var result = self
    result.properties = properties.compactMap { property in
      guard let number = numbers[property.name] else { return nil }
      var property = property
      property.number = number
      return property
    }.sorted { $0.number < $1.number }
    result.collections = collections.compactMap { collection in
      guard let number = numbers[collection.name] else { return nil }
      var collection = collection
      collection.number = number
      return collection
    }.sorted { $0.number < $1.number }
    return result
  }
}

/// A property of a synchronised class: a column of the realm file, and one of the server.
package struct SyncProperty: Sendable, Hashable {
  package var name: String
  /// The number of the column in the realm file, in the table that the path leads to.
  package var column: Int
  /// The position of its stamp in `_st`, counted from 1. The key has 0: it has no stamp.
  package var number: Int
  package var type: ServerType
  package var isOptional: Bool
  /// Whether the clients send differences, which the server adds, instead of values.
  package var isCounter: Bool
  /// Whether policies and subscriptions may use it: departures keep its last value.
  package var isRouting: Bool
  /// The class that a link leads to; the type is that of its key. Nil for other properties.
  package var target: String?
  /// The link columns that lead from the table of the class to the embedded object that has the column; empty if the class itself has it.
  package var path: [Int]
  /// Whether it says that the column, which is a link, leads to an embedded object.
  package var isPresence: Bool
  /// Whether it is a whole embedded object with all that it holds.
  package var isDocument: Bool

  package init(
    name: String, column: Int, number: Int, type: ServerType, isOptional: Bool = false,
    isCounter: Bool = false, isRouting: Bool = false, target: String? = nil, path: [Int] = [],
    isPresence: Bool = false,
    isDocument: Bool = false
  ) {
    self.name = name
    self.column = column
    self.number = number
    self.type = type
    self.isOptional = isOptional
    self.isCounter = isCounter
    self.isRouting = isRouting
    self.target = target
    self.path = path
    self.isPresence = isPresence
    self.isDocument = isDocument
  }
}

/// The name of a property with the name of its class, as `Dog.likes`.
package struct PropertyName: Sendable, Hashable, CustomStringConvertible {
  package var className: String
  package var property: String

  package init(_ className: String, _ property: String) {
    self.className = className
    self.property = property
  }

  /// Returns nil for a text without a dot between two names.
  package init?(_ text: String) {
    guard let dot = text.firstIndex(of: "."), dot > text.startIndex,
      text.index(after: dot) < text.endIndex
    else { return nil }
    self.init(String(text[..<dot]), String(text[text.index(after: dot)...]))
  }

  package var description: String { "\(className).\(property)" }
}
