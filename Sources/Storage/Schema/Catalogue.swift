/// One column of a table.
///
/// A collection column stores, in its chunks, the number of elements of each row; the elements
/// themselves are in segments of their own (see `CollectionStore`).
public struct Column: Sendable, Hashable {
  public var name: String
  public var type: ValueType
  public var collection: CollectionType
  /// Whether the value, or the elements of a collection, may be null. Links and mixed values always may.
  public var isNullable: Bool
  public var isIndexed: Bool
  public var isPrimaryKey: Bool
  /// The rule by which the words of a string column are indexed (``WordReader/rule``); 0 for columns that have no
  /// word index.
  public var wordRule: UInt8
  /// The table that links point to; -1 for columns that are not links.
  public var target: Int
  /// Removed columns keep their place, so that column numbers never change their meaning.
  public var isRemoved: Bool

  public init(
    name: String, type: ValueType, collection: CollectionType = .none, isNullable: Bool = false,
    isIndexed: Bool = false, isPrimaryKey: Bool = false, isFullText: Bool = false,
    target: Int = -1, isRemoved: Bool = false
  ) {
    self.name = name
    self.type = type
    self.collection = collection
    self.isNullable = isNullable
    self.isIndexed = isIndexed
    self.isPrimaryKey = isPrimaryKey
    wordRule = isFullText ? WordReader.rule : 0
    self.target = target
    self.isRemoved = isRemoved
  }

  /// The layout of the column's own chunks: the element counts for a collection.
  @inlinable public var layout: ChunkLayout { collection == .none ? type.layout : .integer }
  /// Whether the column has an index of its words that is made by the present rule.
  public var isFullText: Bool { wordRule == WordReader.rule }
  /// Whether deleting a row of `target` concerns this column.
  public var isLink: Bool { type == .link }
}

/// One table: the rows of one class.
public struct TableDescription: Sendable, Hashable {
  public var name: String
  public var isEmbedded: Bool
  /// Numbered from 0; the presence bitmap is not among them.
  public var columns: [Column]
  public var isRemoved: Bool

  public init(name: String, isEmbedded: Bool = false, columns: [Column] = [], isRemoved: Bool = false) {
    self.name = name
    self.isEmbedded = isEmbedded
    self.columns = columns
    self.isRemoved = isRemoved
  }

  /// The number of the column with this name, if there is one that has not been removed.
  public func column(named name: String) -> Int? {
    columns.firstIndex { $0.name == name && !$0.isRemoved }
  }

  public var primaryKey: Int? { columns.firstIndex { $0.isPrimaryKey && !$0.isRemoved } }
}

/// What tables and columns a file has. Tables and columns are only ever appended or marked as removed:
/// their numbers, which are their positions, stay valid for the life of the file.
public struct Catalogue: Sendable, Hashable {
  public var schemaVersion: UInt64
  public var tables: [TableDescription]

  public init(schemaVersion: UInt64 = 0, tables: [TableDescription] = []) {
    self.schemaVersion = schemaVersion
    self.tables = tables
  }

  /// The number of the table with this name, if there is one that has not been removed.
  public func table(named name: String) -> Int? {
    tables.firstIndex { $0.name == name && !$0.isRemoved }
  }
}
