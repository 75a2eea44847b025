/// One column of a table.
///
/// A collection column stores, in its chunks, the number of elements of each row; the elements
/// themselves are in segments of their own (see `CollectionStore`).
package struct Column: Sendable, Hashable {
  package var name: String
  package var type: ValueType
  package var collection: CollectionType
  /// Whether the value, or the elements of a collection, may be null. Links and mixed values always may.
  package var isNullable: Bool
  package var isIndexed: Bool
  package var isPrimaryKey: Bool
  /// The rule by which the words of a string column are indexed (``WordReader/rule``); 0 for columns that have no
  /// word index.
  package var wordRule: UInt8
  /// What the deletion of a row means for those that this column links it to.
  package var linkRule = LinkRule.nullify
  /// Whether new rows get their keys from the column's sequence, in which no number comes twice.
  package var isSequence = false
  /// Whether no two rows have the same value, unless it is null.
  package var isUnique = false
  /// The table that links point to; -1 for columns that are not links.
  package var target: Int
  /// All rows of the table were below it when the column was added. Chunks that have only such rows may never have been
  /// written: they are zero or null. All others are in the file.
  package var rowsBefore = 0
  /// Removed columns keep their place, so that column numbers never change their meaning.
  package var isRemoved: Bool

  package init(
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
  @inlinable package var layout: ChunkLayout { collection == .none ? type.layout : .integer }
  /// Whether the column has an index of its words that is made by the present rule.
  package var isFullText: Bool { wordRule == WordReader.rule }
  /// Whether the column has an index of its values.
  package var hasValueIndex: Bool { isIndexed || isPrimaryKey || isUnique }
  /// Whether deleting a row of `target` concerns this column.
  package var isLink: Bool { type == .link }
}

/// One table: the rows of one class.
package struct TableDescription: Sendable, Hashable {
  package var name: String
  package var isEmbedded: Bool
  /// Numbered from 0; the presence bitmap is not among them.
  package var columns: [Column]
  /// The indexes over several columns.
  package var indexes: [CompoundIndex]
  package var isRemoved: Bool

  package init(
    name: String, isEmbedded: Bool = false, columns: [Column] = [], indexes: [CompoundIndex] = [],
    isRemoved: Bool = false
  ) {
    self.name = name
    self.isEmbedded = isEmbedded
    self.columns = columns
    self.indexes = indexes
    self.isRemoved = isRemoved
  }

  /// The number of the column with this name, if there is one that has not been removed.
  package func column(named name: String) -> Int? {
    columns.firstIndex { $0.name == name && !$0.isRemoved }
  }

  /// The column that is the primary key, when it is one column.
  package var primaryKey: Int? { columns.firstIndex { $0.isPrimaryKey && !$0.isRemoved } }
}

/// What tables and columns a file has. Tables and columns are only ever appended or marked as removed:
/// their numbers, which are their positions, stay valid for the life of the file.
package struct Catalogue: Sendable, Hashable {
  package var schemaVersion: UInt64
  package var tables: [TableDescription]
  /// Whether the file is synced: see ``Writer/markSynced()``.
  package internal(set) var isSynced = false

  package init(schemaVersion: UInt64 = 0, tables: [TableDescription] = []) {
    self.schemaVersion = schemaVersion
    self.tables = tables
  }

  /// The number of the table with this name, if there is one that has not been removed.
  package func table(named name: String) -> Int? {
    tables.firstIndex { $0.name == name && !$0.isRemoved }
  }
}
