import OfficialFiles
import Storage

/// Which tables and columns the new file gets, and where those of the old one go.
struct ConvertedSchema {
  struct Class {
    let source: OfficialTable
    /// The number of the property for each column.
    let properties: [Int]
  }

  /// By the numbers of the new tables.
  let classes: [Class]
  let tables: [TableDescription]
  /// The new table of each one of the old file, if it has one.
  let numbers: [Int?]
  let version: UInt64

  init(_ file: OfficialFile) {
    var numbers: [Int?] = Array(repeating: nil, count: file.tables.reduce(0) { max($0, $1.number + 1) })
    var kept: [OfficialTable] = []
    for table in file.tables where table.className != nil && table.kind != .asymmetric {
      numbers[table.number] = kept.count
      kept.append(table)
    }
    self.numbers = numbers
    classes = kept.map { table in
      // Links to what is not carried over have nowhere to go.
      Class(
        source: table,
        properties: table.properties.indices.filter { number in
          // A class that was lost in salvaging may have had the highest number.
          table.properties[number].target.map { numbers.indices.contains($0) && numbers[$0] != nil } ?? true
        })
    }
    tables = classes.map { converted in
      TableDescription(
        name: converted.source.className!, isEmbedded: converted.source.kind == .embedded,
        columns: converted.properties.map { Self.column(converted.source.properties[$0], numbers) })
    }
    version = file.schemaVersion ?? 0
  }

  /// Returns the new table of one of the old file, nil for one that is not carried over.
  func number(of table: Int) -> Int? { numbers.indices.contains(table) ? numbers[table] : nil }

  private static func column(_ property: OfficialProperty, _ numbers: [Int?]) -> Column {
    let isSingle = property.collection == nil
    return Column(
      name: property.name, type: type(property.type), collection: collection(property.collection),
      // As classes that are declared say it.
      isNullable: property.isNullable || property.type == .link || property.type == .mixed,
      isIndexed: isSingle && (property.isIndexed || property.isPrimaryKey) && canBeIndexed(property.type),
      isPrimaryKey: property.isPrimaryKey,
      isFullText: isSingle && property.isFullTextIndexed && property.type == .string,
      target: property.target.flatMap { numbers[$0] } ?? -1)
  }

  /// The catalogue of the new file.
  func catalogue(withIndexes: Bool) -> Catalogue {
    var catalogue = Catalogue(schemaVersion: version, tables: tables)
    if withIndexes { return catalogue }
    for table in catalogue.tables.indices {
      for column in catalogue.tables[table].columns.indices {
        catalogue.tables[table].columns[column].isIndexed = false
        catalogue.tables[table].columns[column].isPrimaryKey = false
        catalogue.tables[table].columns[column].wordRule = 0
      }
    }
    return catalogue
  }

  private static func canBeIndexed(_ type: OfficialType) -> Bool {
    switch type {
    case .int, .bool, .string, .date, .objectId, .uuid, .mixed: true
    case .data, .float, .double, .decimal, .link: false
    }
  }

  static func type(_ type: OfficialType) -> ValueType {
    switch type {
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .data: .data
    case .mixed: .mixed
    case .date: .date
    case .float: .float
    case .double: .double
    case .decimal: .decimal128
    case .link: .link
    case .objectId: .objectId
    case .uuid: .uuid
    }
  }

  private static func collection(_ type: OfficialCollectionType?) -> CollectionType {
    switch type {
    case nil: .none
    case .list: .list
    case .set: .set
    case .dictionary: .map
    }
  }
}
