/// A table of an official file: a class of the user's, or one of the engine's own.
package final class OfficialTable {
  package enum Kind: Hashable, Sendable {
    case topLevel
    case embedded
    /// Only written, to be sent to a server: a program cannot read it.
    case asymmetric
  }

  /// Its number among the tables of the file, by which links name it.
  package let number: Int
  package let name: String
  /// What the SDKs call it; nil for a table that is no class of theirs.
  package let className: String?
  package let kind: Kind
  package private(set) var properties: [OfficialProperty]
  /// The number of objects.
  package let count: Int
  private let rows: any RowSource
  private let place: Place

  init(
    _ number: Int, _ name: TableName, _ kind: Kind, _ properties: [OfficialProperty], _ rows: any RowSource
  ) throws {
    self.number = number
    self.name = name.full
    self.kind = kind
    self.properties = properties
    self.rows = rows
    className = name.className
    place = name.place
    count = try rows.count
  }

  package var primaryKey: OfficialProperty? { properties.first(where: \.isPrimaryKey) }

  func setPrimaryKey(_ name: String) {
    if let key = properties.firstIndex(where: { $0.name == name }) { properties[key].isPrimaryKey = true }
  }

  /// Calls the body with all objects, some hundred at a time, by ascending keys.
  package func forEachBlock(_ body: (OfficialObjects) throws -> Void) throws {
    try place.locating {
      try rows.forEachBlock { block in
        try body(OfficialObjects(block: block, table: self))
      }
    }
  }
}

/// Some objects of a table.
package struct OfficialObjects {
  let block: any RowBlock
  package let table: OfficialTable

  package var count: Int { block.count }

  /// What links to the object name.
  package func key(at row: Int) -> Int64 { block.key(at: row) }

  /// Calls the body with each object's value of a property. Values may only be used until it returns, but collections longer.
  ///
  /// - Parameter property: The number of the property in the table.
  package func forEachValue(
    ofProperty property: Int, _ body: (_ row: Int, _ value: OfficialValue) throws -> Void
  ) throws {
    try block.forEachValue(ofColumn: property, body)
  }
}

package struct OfficialProperty: Hashable, Sendable {
  package let name: String
  package let type: OfficialType
  /// Of a collection: whether its elements can be null.
  package let isNullable: Bool
  package let collection: OfficialCollectionType?
  package let isIndexed: Bool
  package let isFullTextIndexed: Bool
  package internal(set) var isPrimaryKey: Bool
  /// The number of the table that links lead to.
  package let target: Int?
}

/// What a table is called, and in which file it is.
struct TableName {
  static let classPrefix = "class_"

  let full: String
  let className: String?
  let place: Place

  init(_ name: String, path: String) {
    full = name
    className = name.hasPrefix(Self.classPrefix) ? String(name.dropFirst(Self.classPrefix.count)) : nil
    place = Place(path: path, className: className ?? name)
  }

  func place(_ property: String) -> Place {
    Place(path: place.path, className: place.className, property: property)
  }
}
